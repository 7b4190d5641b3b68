//! The browser: an address, a server, names that come in behind it.

use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::args::Args;
use super::load::{self, Loaded};
use super::{live, part, print};
use crate::disasm::Code;
use crate::query::{LOCAL, View, ViewKind};
use crate::session::{Progress, Session};
use crate::web;

/// Serves until Ctrl-C. `pairs` are the view's options, for the address that is opened.
pub(super) fn serve(args: Args, loaded: Loaded, pairs: &[(String, String)]) -> Result<()> {
    let (host, listener) = listen(args.http.as_deref().unwrap_or(":"))?;
    let address = listener.local_addr().context("cannot learn the server's own address")?;
    let Loaded { profile, warnings, names: from, .. } = loaded;
    let view = print::parse_view(ViewKind::Flame, pairs)?;
    let sources = print::sources_of(&view).confined();
    // Who is elsewhere has no use for paths of this machine.
    let sources = if address.ip().is_loopback() { sources } else { sources.silent() };
    let code = Code::new(load::binaries(&from, &args.sources)?);
    let session = Arc::new(Session::new(profile, warnings).with_sources(sources).with_code(code));
    session.set_progress(Progress::default());
    let names = session.clone();
    let no_browser = args.no_browser;
    std::thread::spawn(move || live::look_up(&names, &from, &args));

    let url = format!("http://{}/{}", shown(&host, address), query(&view));
    super::say(&format!("Serving web UI on {url}"));
    if !address.ip().is_loopback() {
        super::say("Anyone who can reach this machine can read the profile there.");
    }
    if !no_browser && std::io::stdout().is_terminal() && open::that_detached(&url).is_err() {
        super::say("No browser could be started; open the address yourself.");
    }
    let app = web::app(session, web::Hosts::new(address, &host));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the server")?;
    let stopped = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("cannot start the server")?;
        let server = tokio::spawn(async { axum::serve(listener, app).await });
        let stopped = tokio::signal::ctrl_c().await.context("Ctrl-C cannot be waited for");
        server.abort();
        stopped
    });
    // A report that is being computed has no one to go to any more.
    runtime.shutdown_background();
    part::abandon_all();
    stopped
}

/// The view's options as a query; where files are here is not said in addresses.
fn query(view: &View) -> String {
    let pairs = view.pairs().into_iter().filter(|(name, _)| !LOCAL.contains(name));
    let text: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", escape(&value))).collect();
    if text.is_empty() { String::new() } else { format!("?{}", text.join("&")) }
}

/// Percent-encoding for a query's value.
fn escape(value: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~:,".contains(&b);
    value.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// The address as a person opens it.
fn shown(host: &str, address: SocketAddr) -> String {
    match host {
        "" => format!("localhost:{}", address.port()),
        host if host.contains(':') => format!("[{}]:{}", host.trim_matches(['[', ']']), address.port()),
        host => format!("{host}:{}", address.port()),
    }
}

/// Binds `host:port`; without a host here only, without a port to a free one.
fn listen(http: &str) -> Result<(String, TcpListener)> {
    let Some((host, port)) = http.rsplit_once(':') else {
        bail!("-http={http}: it takes host:port, such as localhost:8080, or : for a free port; there is no colon");
    };
    let number: u16 = match port {
        "" => 0,
        port => port.parse().ok().with_context(|| format!("-http={http}: {port:?} is not a port (0 to 65535)"))?,
    };
    let name = if host.is_empty() { "localhost" } else { host };
    let bare = name.trim_matches(['[', ']']);
    let mut addresses: Vec<SocketAddr> =
        (bare, number).to_socket_addrs().with_context(|| format!("-http={http}: no address for host {name:?}"))?.collect();
    // Names mean the old protocol first: everything reaches it.
    addresses.sort_by_key(|a| matches!(a.ip(), IpAddr::V6(_)));
    match TcpListener::bind(&addresses[..]) {
        Ok(listener) => {
            listener.set_nonblocking(true).context("cannot start the server")?;
            Ok((host.to_owned(), listener))
        }
        Err(e) if e.kind() == std::io::ErrorKind::AddrInUse => {
            bail!("port {port} on {name} is taken by another program; name another one, or -http=: for a free one")
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
        assert!(taken.contains("is taken by another program"), "{taken}");
        assert!(listen("8080").unwrap_err().to_string().contains("no colon"));
        assert!(listen("localhost:http").unwrap_err().to_string().contains("not a port"));
    }

    #[test]
    fn the_address_carries_the_options() {
        let view = View::parse(ViewKind::Flame, [("focus", "a b&c"), ("source_path", "/here")]).unwrap();
        assert_eq!(query(&view), "?focus=a%20b%26c");
        assert_eq!(shown("::1", "[::1]:80".parse().unwrap()), "[::1]:80");
    }
}
