//! Names of addresses from the running program: the URL of the symbol server, its requests and responses. The protocol is
//! gperftools' (`pprof_remote_servers.html`), also implemented by Go's `net/http/pprof` and jemalloc's servers; the rules are
//! pprof's (`internal/symbolz`).

use super::Address;

/// Profiles of gperftools' servers, beside which `symbol` and `cmdline` are.
const GPERFTOOLS: [&str; 5] = ["/pprof/heap", "/pprof/growth", "/pprof/profile", "/pprof/pmuprofile", "/pprof/contention"];

/// Symbol server of a profile fetched from `profile`.
pub fn service(profile: &Address) -> Address {
    profile.sibling(if is_go(profile) || is_gperftools(profile) { "symbol" } else { "symbolz" })
}

/// URL of the program's command line, for servers known to support it.
pub fn command_line(profile: &Address) -> Option<Address> {
    // Go's servers support it, too, but pprof does not use it.
    (is_gperftools(profile) && !is_go(profile)).then(|| profile.sibling("cmdline"))
}

fn is_go(profile: &Address) -> bool {
    profile.path().contains("/debug/pprof/")
}

fn is_gperftools(profile: &Address) -> bool {
    GPERFTOOLS.iter().any(|end| profile.path().ends_with(end))
}

/// The program in an answer about the command: its first word, which a zero or the line ends.
pub fn program(answer: &[u8]) -> Option<String> {
    let first = answer.split(|&b| b == 0 || b == b'\n').next()?;
    let program = std::str::from_utf8(first).ok()?.trim();
    let is_path = !program.is_empty() && program.len() < 4096 && !program.starts_with('<');
    is_path.then(|| program.to_owned())
}

/// The body of a question about these addresses.
pub fn question(addresses: &[u64]) -> String {
    let texts: Vec<String> = addresses.iter().map(|a| format!("{a:#x}")).collect();
    texts.join("+")
}

/// Maximum length of a line, bytes.
const LONGEST_LINE: usize = 64 << 10;

/// Parses a response into addresses and names. Other lines are ignored.
pub fn answers(text: &[u8]) -> impl Iterator<Item = (u64, String)> + '_ {
    text.split(|&b| b == b'\n').filter(|line| line.len() <= LONGEST_LINE).filter_map(|line| {
        let line = String::from_utf8_lossy(line);
        let (_, rest) = line.split_once("0x")?;
        let digits = rest.find(|c: char| !c.is_ascii_hexdigit())?;
        let (address, name) = rest.split_at(digits);
        let known = name.trim();
        // Between them is a blank; a name that is not known is a question mark or two.
        let is_name = name.starts_with(char::is_whitespace) && !known.is_empty() && known.bytes().any(|b| b != b'?');
        is_name.then(|| u64::from_str_radix(address, 16).ok().map(|address| (address, known.to_owned()))).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_service_is_derived_from_the_profile_address() {
        let of = |source: &str| service(&Address::parse(source).unwrap()).to_string();
        assert_eq!(of("h:1/debug/pprof/heap?debug=1"), "http://h:1/debug/pprof/symbol");
        assert_eq!(of("h:1/x/pprof/heap"), "http://h:1/x/pprof/symbol");
        assert_eq!(of("h:1/heapz"), "http://h:1/symbolz");
        assert_eq!(of("http://u:p@h:1/debug/heapz?x=1"), "http://u:xxxxx@h:1/debug/symbolz");
        let of = |source: &str| command_line(&Address::parse(source).unwrap()).map(|a| a.to_string());
        assert_eq!(of("h:1/pprof/heap").as_deref(), Some("http://h:1/pprof/cmdline"));
        assert_eq!(of("h:1/debug/pprof/heap"), None);
    }

    #[test]
    fn questions_and_answers() {
        assert_eq!(question(&[0x401000, 0x7f00]), "0x401000+0x7f00");
        let text = b"num_symbols: 1\n0x401000\tmain.work (inline) \r\n0x7f00 ??\n0xzz bad\n0x11111111111111111 long\nx 0x10 last";
        let pairs: Vec<_> = answers(text).collect();
        assert_eq!(pairs, [(0x401000, "main.work (inline)".to_owned()), (0x10, "last".to_owned())]);
        let endless = format!("0x10 {}\n0x20 short\n", "e".repeat(1 << 20));
        assert_eq!(answers(endless.as_bytes()).collect::<Vec<_>>(), [(0x20, "short".to_owned())]);
        assert_eq!(answers(b"").count() + answers(b"0x").count() + answers(b"\xff0x1 \xff").count(), 1);
    }

    #[test]
    fn the_program_is_the_first_word() {
        assert_eq!(program(b"/srv/shop\0-port\0").as_deref(), Some("/srv/shop"));
        assert_eq!(program(b"/srv/shop\n-port\n").as_deref(), Some("/srv/shop"));
        assert_eq!(program(b""), None);
        assert_eq!(program(b"<html>no</html>"), None);
    }
}
