//! The browser: an address, a server, names that come in behind it.
//!
//! The link that is printed and opened carries a one-time code; a server that others can reach prints links for them, too.

use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::args::Args;
use super::flags::{NOT_FLAGS, VALUE_TYPES};
use super::load::{self, Loaded};
use super::open::Desk;
use super::{live, part, print, viewer, watch};
use crate::disasm::Code;
use crate::fetch::Address;
use crate::profile::Dump;
use crate::query::{Granularity, Kind, LOCAL, View, ViewKind, field};
use crate::session::{Progress, Session};
use crate::web;

/// Serves until Ctrl-C. `pairs` are the view's options, for the address that is opened.
/// What was loaded may be no profile yet: `waiting` says what for.
pub(super) fn serve(args: Args, loaded: Loaded, waiting: String, pairs: &[(String, String)]) -> Result<()> {
    let (host, listener) = listen(args.http.as_deref().unwrap_or(":"))?;
    let address = listener.local_addr().context("cannot determine the server's address")?;
    let Loaded { profile, warnings, names: from, .. } = loaded;
    let view = print::parse_view(ViewKind::Flame, pairs)?;
    let sources = print::sources_of(&view).confined();
    // Who is elsewhere has no use for paths of this machine.
    let sources = if address.ip().is_loopback() { sources } else { sources.silent() };
    let code = Code::new(load::binaries(&from, &args.sources)?);
    let session = Arc::new(Session::new(profile, warnings).with_sources(sources).with_code(code));
    let is_empty = session.is_empty();
    if !is_empty {
        session.set_progress(Progress::default());
    }
    session.set_waiting(waiting);
    let given = &args.sharing.tokens;
    given.warning.iter().for_each(|warning| super::say(warning));
    let access = match args.sharing.no_token {
        true => web::Access::default(),
        false => web::Access::with_tokens(given.owner.clone(), given.reader.clone())?,
    };
    let others = addresses(address);
    let (no_browser, no_token) = (args.no_browser, args.sharing.no_token);
    let mut setup = web::Setup {
        query: shared_pairs(&view).map(|(name, value)| (name.to_owned(), value)).collect(),
        share_command: others.is_empty().then(|| sharing(args.words.clone(), address.port(), session.clone())),
        most_uploaded: args.sharing.upload_limit,
        access: access.clone(),
        addresses: others.clone(),
        ..web::Hosts::new(address, &host).into()
    };
    let desk = Arc::new(Desk::new(session.clone(), from, args));
    setup.opener = Some(desk.clone());
    match (desk.args.watch, is_empty) {
        (true, false) => watch::start(&desk, desk.args.every),
        (true, true) => {
            let desk = desk.clone();
            std::thread::spawn(move || watch::await_first(&desk, desk.args.every));
        }
        (false, _) => {}
    }
    std::thread::spawn(move || live::look_up(&desk));

    let link = Link { place: format!("http://{}/", shown(&host, address)), pairs: query(&view, None) };
    super::say(&format!("Serving web UI on {}", link.with_code(access.printed_code()?.as_deref())));
    let announced = link.clone();
    access.on_event(move |event| match event {
        web::LoginEvent::NewCode(code) => super::say(&format!("For another browser: {}", announced.with_code(Some(&code)))),
        web::LoginEvent::WrongTokens { peer, count } => {
            let from = peer.map_or("an unknown address".to_owned(), |peer| peer.to_string());
            super::say(&format!("{count} requests with a wrong token from {from}; its responses are delayed"));
        }
    });
    if no_token && address.ip().is_loopback() {
        super::say("-no_token: every account on this machine can see the profile and its sources and open files until heapview exits.");
    }
    if !address.ip().is_loopback() {
        announce(&others, &query(&view, access.reader()), access.reader().is_some());
    }
    let opened = match no_browser || !std::io::stdout().is_terminal() {
        true => None,
        false => Some(open_browser(&link, &access)),
    };
    if let Some(Err(_)) = opened {
        super::say("Could not start a browser; open the link yourself.");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the server")?;
    let stopped = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("cannot start the server")?;
        let server = tokio::spawn(web::serve(listener, session, setup));
        let stopped = tokio::signal::ctrl_c().await.context("cannot wait for Ctrl-C");
        server.abort();
        stopped
    });
    // A report that is being computed has no one to go to any more.
    runtime.shutdown_background();
    part::abandon_all();
    drop(opened);
    stopped
}

/// The address of the first view.
#[derive(Clone)]
struct Link {
    place: String,
    /// The view's options as a query.
    pairs: String,
}

impl Link {
    /// With the one-time code that lets its reader in, where one is needed.
    fn with_code(&self, code: Option<&str>) -> String {
        let Link { place, pairs } = self;
        let joint = if pairs.is_empty() { '?' } else { '&' };
        code.map_or(format!("{place}{pairs}"), |code| format!("{place}{pairs}{joint}code={code}"))
    }
}

/// Opens the browser at the link, with a code of its own. The command line of a browser can be read by every account
/// of the machine, so it names a file that leads there and that only this account can read; it goes with the result.
fn open_browser(link: &Link, access: &web::Access) -> Result<Option<viewer::Temporary>> {
    let code = access.browser_code()?;
    let url = link.with_code(code.as_deref());
    if code.is_none() {
        return Ok(::open::that_detached(url).map(|()| None)?);
    }
    let file = viewer::Temporary::new("html", |out| write!(out, "{}", leads_to(&url)))?;
    ::open::that_detached(file.path())?;
    Ok(Some(file))
}

/// A page that leads to an address.
fn leads_to(url: &str) -> String {
    let url = url.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    format!(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" \
         content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0; url={url}\"><title>heapview</title>\
         <p><a href=\"{url}\">Open the profile</a></p>\n"
    )
}

/// Says how others get in, and what that means.
fn announce(others: &[String], query: &str, with_token: bool) {
    match (others.is_empty(), with_token) {
        (true, _) => super::say("This machine has no network address under which others could reach the server."),
        (false, true) => super::say("For others (read-only):"),
        (false, false) => super::say("For others:"),
    }
    others.iter().for_each(|other| super::say(&format!("  {other}/{query}")));
    let may = if with_token { "Anyone with such a link" } else { "-no_token: anyone who can reach this machine" };
    let and = if with_token { "" } else { " and open files" };
    super::say(&format!(
        "{may} can see the profile, its sources and its machine code{and} until heapview exits. The connection is not encrypted."
    ));
    if with_token {
        super::say("Keep the first link to yourself: it can also open files.");
    }
}

/// Beginnings of the addresses at which others reach a server that is bound to `address`.
fn addresses(address: SocketAddr) -> Vec<String> {
    let ip = address.ip();
    if ip.is_loopback() {
        return Vec::new();
    }
    if !ip.is_unspecified() {
        return vec![format!("http://{address}")];
    }
    // Addresses that hold on one cable only need the name of the cable, which browsers do not take.
    let is_local = |ip: &IpAddr| ip.is_loopback() || matches!(ip, IpAddr::V6(v6) if v6.is_unicast_link_local());
    let mut found: Vec<IpAddr> = if_addrs::get_if_addrs().unwrap_or_default().into_iter().map(|interface| interface.ip()).collect();
    found.retain(|other| !is_local(other) && (ip.is_ipv6() || other.is_ipv4()));
    found.sort_by_key(|other| (other.is_ipv6(), *other));
    found.dedup();
    found.into_iter().map(|other| format!("http://{}", SocketAddr::new(other, address.port()))).collect()
}

/// Makes the command line with which others would reach a view of this server.
fn sharing(words: Vec<String>, port: u16, session: Arc<Session>) -> web::ShareCommand {
    Arc::new(move |view| share_command(&words, port, view, session.snapshot().profile.dumps()))
}

/// Flags that let people in, here and elsewhere, or choose the address; each has a value. `-no_token` is one without: on
/// this machine it may be harmless, but for a server that others reach it is no advice.
const PRIVATE: [&str; 4] = ["http", "token", "token-file", "token_file"];

/// The command line with which others would reach `view`. It is shown in the page: without passwords and tokens.
fn share_command(words: &[String], port: u16, view: &View, dumps: &[Dump]) -> String {
    let bases = view.weight.base.iter().map(|of| ("base", of)).chain(view.weight.diff_base.iter().map(|of| ("diff_base", of)));
    let of_bases: Vec<(&str, &Dump)> = bases.flat_map(|(flag, of)| of.0.iter().filter_map(move |&n| Some((flag, dumps.get(n)?)))).collect();
    // A base of the command line stays as it was given there.
    let is_given = of_bases.iter().all(|(_, dump)| dump.is_base);
    let mut command = format!("heapview -http=0.0.0.0:{port}");
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let flag = word.strip_prefix('-').map(|flag| flag.trim_start_matches('-'));
        let (name, has_value) = flag.map_or(("", true), |flag| flag.split_once('=').map_or((flag, false), |(name, _)| (name, true)));
        let is_base = ["base", "diff_base"].contains(&name);
        if PRIVATE.contains(&name) || (is_base && !is_given) || is_of_view(name, true) {
            if !has_value {
                words.next();
            }
        } else if name != "no_token" && !is_of_view(name, false) && !of_bases.iter().any(|(_, dump)| !dump.is_base && dump.name == *word) {
            command += &format!(" {}", quoted(&without_password(word)));
        }
    }
    for (name, value) in shared_pairs(view).filter(|(name, _)| !NOT_FLAGS.contains(name)) {
        command += &format!(" {}", quoted(&format!("-{name}={value}")));
    }
    for (flag, dump) in of_bases.iter().filter(|(_, dump)| !dump.is_base && Path::new(&dump.name).exists()) {
        command += &format!(" {}", quoted(&format!("-{flag}={}", dump.name)));
    }
    command
}

/// Whether a flag is an option of the view: one with a value behind it, or one without.
fn is_of_view(name: &str, takes_value: bool) -> bool {
    let is_word = || Granularity::NAMES.contains(&name) || ["flat", "cum"].contains(&name) || VALUE_TYPES.contains(&name);
    match field(name).filter(|field| !LOCAL.contains(&field.name) && !NOT_FLAGS.contains(&field.name)) {
        Some(field) => (field.kind != Kind::Bool) == takes_value,
        None => !takes_value && is_word(),
    }
}

/// A word of the command line as it may be shown: an address, or a flag's, without its password.
fn without_password(word: &str) -> String {
    let (flag, value) = match word.split_once('=') {
        Some((flag, value)) if flag.starts_with('-') => (Some(flag), value),
        _ => (None, word),
    };
    match Address::parse(value).filter(Address::has_password) {
        Some(address) => flag.map_or(address.to_string(), |flag| format!("{flag}={address}")),
        None => word.to_owned(),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The view's options; where files are here is not said in addresses.
fn shared_pairs(view: &View) -> impl Iterator<Item = (&'static str, String)> {
    view.pairs().into_iter().filter(|(name, _)| !LOCAL.contains(name))
}

/// The view's options as a query, and the token if there is one.
pub(super) fn query(view: &View, token: Option<&str>) -> String {
    let pairs = shared_pairs(view).chain(token.map(|token| ("token", token.to_owned())));
    let text: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", utf8_percent_encode(&value, &VALUE))).collect();
    if text.is_empty() { String::new() } else { format!("?{}", text.join("&")) }
}

/// Escaped in a query's value; `:` and `,` are frequent in ours, and read better as they are.
const VALUE: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':').remove(b',');

/// The address as a person opens it.
fn shown(host: &str, address: SocketAddr) -> String {
    match host {
        _ if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
        "" => format!("localhost:{}", address.port()),
        host if host.contains(':') => format!("[{}]:{}", host.trim_matches(['[', ']']), address.port()),
        host => format!("{host}:{}", address.port()),
    }
}

/// Binds `host:port`; without a host here only, without a port to a free one.
fn listen(http: &str) -> Result<(String, TcpListener)> {
    let Some((host, port)) = http.rsplit_once(':') else {
        bail!("-http={http}: expected host:port, as in localhost:8080, or : for a free port");
    };
    let number: u16 = match port {
        "" => 0,
        port => port.parse().ok().with_context(|| format!("-http={http}: invalid port {port:?}; expected 0 to 65535"))?,
    };
    let name = if host.is_empty() { "localhost" } else { host };
    let bare = name.trim_matches(['[', ']']);
    let mut addresses: Vec<SocketAddr> =
        (bare, number).to_socket_addrs().with_context(|| format!("-http={http}: unknown host {name:?}"))?.collect();
    // Names mean the old protocol first: everything reaches it.
    addresses.sort_by_key(|a| matches!(a.ip(), IpAddr::V6(_)));
    match TcpListener::bind(&addresses[..]) {
        Ok(listener) => {
            listener.set_nonblocking(true).context("cannot start the server")?;
            Ok((host.to_owned(), listener))
        }
        Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("port {port} on {name} is already in use; choose another one, or use -http=: for a free one")
        }
        Err(e) => Err(e).with_context(|| format!("cannot listen on {name}:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_port_is_found_and_a_taken_one_is_named() {
        let (host, listener) = listen(":").unwrap();
        assert_eq!(host, "");
        let address = listener.local_addr().unwrap();
        assert!(address.ip().is_loopback() && address.port() != 0);
        let taken = listen(&format!("localhost:{}", address.port())).unwrap_err().to_string();
        assert!(taken.contains("is already in use"), "{taken}");
        assert!(listen("8080").unwrap_err().to_string().contains("expected host:port"));
        assert!(listen("localhost:http").unwrap_err().to_string().contains("invalid port"));
    }

    #[test]
    fn the_address_carries_the_options() {
        let view = View::parse(ViewKind::Flame, [("focus", "a b&c"), ("source_path", "/here")]).unwrap();
        assert_eq!(query(&view, None), "?focus=a%20b%26c");
        assert_eq!(query(&view, Some("abc")), "?focus=a%20b%26c&token=abc");
        assert_eq!(shown("0.0.0.0", "0.0.0.0:80".parse().unwrap()), "localhost:80");
        assert_eq!(shown("::1", "[::1]:80".parse().unwrap()), "[::1]:80");
    }

    fn command(words: &[&str], view: &[(&str, &str)], dumps: &[Dump]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        share_command(&words, 80, &View::parse(ViewKind::Top, view.iter().copied()).unwrap(), dumps)
    }

    #[test]
    fn the_command_that_shares_has_the_words_but_no_secrets() {
        let words = ["-http", ":", "--http=localhost:1", "-no_browser", "bin/shop", "a b.heap", "-source_path=it's"];
        assert_eq!(command(&words, &[], &[]), r"heapview -http=0.0.0.0:80 -no_browser bin/shop 'a b.heap' '-source_path=it'\''s'");
        let words = ["-token", "word-of-mine-1", "--token=word-of-mine-1", "-token-file=x", "-no_token", "http://me:secret@h:1/heap"];
        let words = [&words[..], &["-base=https://me:secret@h/x", "me:secret@h:1", "h:1/heap"]].concat();
        assert_eq!(
            command(&words, &[], &[]),
            "heapview -http=0.0.0.0:80 http://me:xxxxx@h:1/heap -base=https://me:xxxxx@h/x http://me:xxxxx@h:1 h:1/heap"
        );
    }

    #[test]
    fn the_command_that_shares_keeps_filters_and_base() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let name = file.path().to_str().unwrap();
        let dump = |name: &str, is_base| Dump { name: name.to_owned(), is_base, ..Dump::default() };
        let dumps = [dump(name, false), dump("b.heap", false), dump("given.heap", true)];
        let words = ["-focus=old", "-nodecount", "7", "-lines", "-cum", "-alloc_space", "shop", name, "b.heap", "-base=given.heap"];
        assert_eq!(
            command(&words, &[("f", "a b"), ("h", "x"), ("dump", "1"), ("base", "0")], &dumps),
            format!("heapview -http=0.0.0.0:80 shop b.heap '-focus=a b' -hide=x -base={name}")
        );
        assert_eq!(
            command(&words, &[("g", "lines"), ("base", "2")], &dumps),
            format!("heapview -http=0.0.0.0:80 shop {name} b.heap -base=given.heap -granularity=lines")
        );
        // A base that is no file of this machine cannot be named.
        assert_eq!(command(&["b.heap"], &[("base", "1")], &[dump(name, false), dump("h:1 #2", false)]), "heapview -http=0.0.0.0:80 b.heap");
    }

    #[test]
    fn others_get_addresses_that_lead_here() {
        assert!(addresses("127.0.0.1:80".parse().unwrap()).is_empty());
        assert_eq!(addresses("192.168.1.7:81".parse().unwrap()), ["http://192.168.1.7:81"]);
        assert!(addresses("0.0.0.0:82".parse().unwrap()).iter().all(|a| a.ends_with(":82") && !a.contains("127.0.0.1")));
    }
}
