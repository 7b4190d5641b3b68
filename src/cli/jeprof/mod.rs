//! jeprof's command line: its flags, defaults, output formats and exit status.
//!
//! Used when the program is called `jeprof` or `google-pprof`, after the word `jeprof`, and when a flag is given that only jeprof
//! has. Profiles and names are read by the same code as everywhere; reports come from `analyze::jeprof`.

mod answer;
mod code;
pub(super) mod flags;
mod getopt;
mod inputs;
mod listing;
mod options;
mod symbols;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use self::options::Options;
use super::output;
use super::output::Target;
use crate::base::plain::{no_command, one_line};
use crate::terminal::message::say;

/// Names that heapview may have and then is jeprof.
const NAMES: [&str; 2] = ["jeprof", "google-pprof"];

/// Name and arguments of the jeprof mode, if the program's name or its arguments select it. `takes_value` tests whether a
/// heapview flag is followed by a value.
pub(super) fn is_meant(
    program: &OsStr,
    mut args: Vec<OsString>,
    takes_value: impl Fn(&str) -> bool,
) -> Result<(&'static str, Vec<OsString>), Vec<OsString>> {
    let base = Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or_default();
    if let Some(name) = NAMES.into_iter().find(|name| *name == base) {
        return Ok((name, args));
    }
    // A file of that name is meant when it is all there is.
    if args.first().is_some_and(|word| word == NAMES[0]) && (args.len() > 1 || !Path::new(NAMES[0]).exists()) {
        args.remove(0);
        return Ok((NAMES[0], args));
    }
    if has_jeprof_flag(&args, takes_value) { Ok((NAMES[0], args)) } else { Err(args) }
}

fn has_jeprof_flag(args: &[OsString], takes_value: impl Fn(&str) -> bool) -> bool {
    let mut args = args.iter().map(|word| word.to_str().unwrap_or_default());
    while let Some(word) = args.next() {
        let bare = match word.strip_prefix('-') {
            Some("-") => return false,
            Some(rest) => rest.strip_prefix('-').unwrap_or(rest),
            None => continue,
        };
        let name = bare.split('=').next().unwrap_or(bare);
        let is_jeprof_only = |flag: &&flags::Flag| flag.is_jeprof_only && (flag.name == name || name.strip_prefix("no") == Some(flag.name));
        if flags::all().any(|flag| is_jeprof_only(&flag)) {
            return true;
        }
        let takes_jeprof_value = flags::all().any(|f| f.name == name && !matches!(f.takes, flags::Takes::Nothing | flags::Takes::Only));
        if !bare.contains('=') && (takes_value(name) || takes_jeprof_value) {
            args.next();
        }
    }
    false
}

/// Runs as `name` with these arguments.
pub(super) fn run(name: &str, args: Vec<OsString>) -> ExitCode {
    let given = getopt::read(args);
    if !given.mistakes.is_empty() {
        given.mistakes.iter().for_each(|mistake| say(mistake));
        return misused(name, "Invalid option(s)");
    }
    let print = |text: String| finished(name, output::write_to(&Target::default(), None, |out| out.write_all(text.as_bytes())));
    if given.is_on("help") {
        return print(flags::usage(name));
    }
    if given.is_on("version") {
        return print(format!("{name} (part of heapview {})\n", env!("CARGO_PKG_VERSION")));
    }
    let options = match Options::new(&given, io::stdout().is_terminal()) {
        Ok(options) => options,
        Err(error) => return misused(name, &error.to_string()),
    };
    if given.is_on("test") {
        say("PASS");
        return ExitCode::SUCCESS;
    }
    if given.positional.is_empty() {
        return misused(name, "Did not specify program");
    }
    finished(name, answer::answer(&options, &given))
}

/// The exit status: jeprof's is 1 whatever went wrong.
fn finished(name: &str, result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if error.downcast_ref::<output::WriteError>().is_some_and(output::WriteError::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    say(&format!("{name}: {error:#}"));
    ExitCode::FAILURE
}

/// Says how it is used, and what is wrong once more where the eye is.
fn misused(name: &str, mistake: &str) -> ExitCode {
    let mistake = one_line(mistake);
    let mistake = no_command(&mistake);
    let text = format!("{mistake}\n\n{}\nFATAL ERROR: {mistake}\n", flags::usage(name));
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(program: &str, args: &str) -> Option<String> {
        let args = args.split_whitespace().map(OsString::from).collect();
        let found = is_meant(OsStr::new(program), args, |name| name == "tagfocus").ok();
        found.map(|(name, args)| format!("{name} {}", args.join(OsStr::new(" ")).to_string_lossy()))
    }

    #[test]
    fn jeprof_mode_follows_from_program_name_subcommand_or_flag() {
        assert_eq!(meant("/usr/bin/jeprof", "a b").as_deref(), Some("jeprof a b"));
        assert_eq!(meant("google-pprof", "a").as_deref(), Some("google-pprof a"));
        assert_eq!(meant("heapview", "jeprof --text a").as_deref(), Some("jeprof --text a"));
        for flag in ["--show_bytes", "-thread=1", "--heapcheck", "--retain=a", "--maxdegree=3", "--noshow_bytes"] {
            assert!(meant("heapview", &format!("a b {flag}")).is_some(), "{flag}");
        }
    }

    #[test]
    fn other_words_do_not() {
        for args in ["a b", "-text a b", "a -- --show_bytes", "-tagfocus -thread a", "--focus --thread a", "--thread_x"] {
            assert_eq!(meant("heapview", args), None, "{args}");
        }
        assert_eq!(meant("/bin/jeprofile", "a"), None);
    }
}
