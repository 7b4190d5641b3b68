//! `-http`: starts the server, opens the browser, and symbolizes in the background.
//!
//! The printed link contains a one-time code; a server on a public address also prints links for viewers.

use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::links::{query, shared_pairs, sharing};
use super::request::Args;
use super::viewer;
use crate::annotate::{Code, Files};
use crate::open::load;
use crate::open::load::Loaded;
use crate::open::workspace::Workspace;
use crate::open::{atomic_file as part, live, watch, watch_start};
use crate::query::ViewKind;
use crate::session::{Progress, Session};
use crate::web;

/// Serves until Ctrl-C. `pairs` are the options of the first view. Without a profile, `waiting` is a sentence about what the server waits for.
pub(super) fn serve(args: Args, loaded: Loaded, waiting: String, pairs: &[(String, String)]) -> Result<()> {
    let (host, listener) = listen(args.http.as_deref().unwrap_or(":"))?;
    let address = listener.local_addr().context("cannot determine the server's address")?;
    let Loaded { profile, warnings, names: from, .. } = loaded;
    let view = crate::cli::view::parse_view(ViewKind::Flame, pairs)?;
    let sources = crate::cli::view::sources_of(&view).confined();
    // Remote viewers get no local paths.
    let sources = if address.ip().is_loopback() { sources } else { sources.silent() };
    let code = Code::new(load::binaries(&from, &args.sources)?);
    let session = Arc::new(Session::new(profile, warnings));
    let files = Arc::new(Files::new(sources, code));
    let is_empty = session.is_empty();
    if !is_empty {
        session.set_progress(Progress::default());
    }
    session.set_waiting(waiting);
    let given = &args.sharing.tokens;
    given.warning.iter().for_each(|warning| crate::terminal::message::say(warning));
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
        files: files.clone(),
        addresses: others.clone(),
        ..web::Hosts::new(address, &host).into()
    };
    let every = args.every;
    let workspace = Arc::new(Workspace::new(session.clone(), files, from, args.sources));
    setup.opener = Some(workspace.clone());
    match (workspace.sources.watch, is_empty) {
        (true, false) => watch::start(&workspace, every),
        (true, true) => {
            let workspace = workspace.clone();
            std::thread::spawn(move || watch_start::await_first(&workspace, every));
        }
        (false, _) => {}
    }
    std::thread::spawn(move || live::look_up(&workspace));

    let link = Link { place: format!("http://{}/", shown(&host, address)), pairs: query(&view, None) };
    crate::terminal::message::say(&format!("Serving web UI on {}", link.with_code(access.printed_code()?.as_deref())));
    let announced = link.clone();
    access.on_event(move |event| match event {
        web::LoginEvent::NewCode(code) => {
            crate::terminal::message::say(&format!("For another browser: {}", announced.with_code(Some(&code))))
        }
        web::LoginEvent::WrongTokens { peer, count } => {
            let from = peer.map_or("an unknown address".to_owned(), |peer| peer.to_string());
            crate::terminal::message::say(&format!("{count} requests with a wrong token from {from}; its responses are delayed"));
        }
    });
    if no_token && address.ip().is_loopback() {
        crate::terminal::message::say(
            "-no_token: every account on this machine can see the profile and its sources and open files until heapview exits.",
        );
    }
    if !address.ip().is_loopback() {
        announce(&others, &query(&view, access.reader()), access.reader().is_some());
    }
    let opened = match no_browser || !std::io::stdout().is_terminal() {
        true => None,
        false => Some(open_browser(&link, &access)),
    };
    if let Some(Err(_)) = opened {
        crate::terminal::message::say("Could not start a browser; open the link yourself.");
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

/// Opens the browser at the link, with a code of its own. All accounts of the machine can read a browser's command line, so it
/// names a file, readable by this account only, that redirects there; the file is deleted with the result.
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
        (true, _) => crate::terminal::message::say("This machine has no network address under which others could reach the server."),
        (false, true) => crate::terminal::message::say("For others (read-only):"),
        (false, false) => crate::terminal::message::say("For others:"),
    }
    others.iter().for_each(|other| crate::terminal::message::say(&format!("  {other}/{query}")));
    let may = if with_token { "Anyone with such a link" } else { "-no_token: anyone who can reach this machine" };
    let and = if with_token { "" } else { " and open files" };
    crate::terminal::message::say(&format!(
        "{may} can see the profile, its sources and its machine code{and} until heapview exits. The connection is not encrypted."
    ));
    if with_token {
        crate::terminal::message::say("Keep the first link to yourself: it can also open files.");
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

/// The address as a user opens it.
fn shown(host: &str, address: SocketAddr) -> String {
    match host {
        _ if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
        "" => format!("localhost:{}", address.port()),
        host if host.contains(':') => format!("[{}]:{}", host.trim_matches(['[', ']']), address.port()),
        host => format!("{host}:{}", address.port()),
    }
}

/// Binds `host:port`; without a host here only, without a port to a free one.
pub(super) fn listen(http: &str) -> Result<(String, TcpListener)> {
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
    use crate::query::View;

    #[test]
    fn free_ports_are_found_and_used_ports_are_errors() {
        let (host, listener) = listen(":").unwrap();
        assert_eq!(host, "");
        let address = listener.local_addr().unwrap();
        assert!(address.ip().is_loopback() && address.port() != 0);
        let error = listen(&format!("localhost:{}", address.port())).unwrap_err().to_string();
        assert!(error.contains("is already in use"), "{error}");
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

    #[test]
    fn others_get_addresses_that_lead_here() {
        assert!(addresses("127.0.0.1:80".parse().unwrap()).is_empty());
        assert_eq!(addresses("192.168.1.7:81".parse().unwrap()), ["http://192.168.1.7:81"]);
        assert!(addresses("0.0.0.0:82".parse().unwrap()).iter().all(|a| a.ends_with(":82") && !a.contains("127.0.0.1")));
    }
}
