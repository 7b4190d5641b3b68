//! `heapview serve --store`: the team server.

use std::ffi::OsString;
use std::fmt::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};

use super::output::{Target, write_to};
use super::serve::listen;
use super::serve_config::{self, ServeConfig};
use super::team_flags::{Flag, Given, STORE, bytes};
use crate::base::units::binary_size;
use crate::jobs::Jobs;
use crate::open::atomic_file;
use crate::open::stored::StoredDumps;
use crate::store::{Store, StoreOptions};
use crate::terminal::message::say;
use crate::web::{Limits, Log, LogFormat, Proxies, TeamSetup, serve_team};

/// Flags.
pub(super) const FLAGS: [Flag; 11] = [
    STORE,
    ("config", "FILE", "Configuration: these flags by name, and what to scrape"),
    ("check", "", "Only check the configuration, and print what the server would do"),
    ("http", "HOST:PORT", "Address to listen on (localhost:8080)"),
    ("url", "URL", "Beginning of the links it hands out, such as https://heap.example.org (the name that a request was sent to)"),
    ("trusted-proxy", "ADDR,…", "Addresses or networks of proxies that log people in: only these may name the user; needs -url"),
    ("user-header", "NAME", "Header in which such a proxy names the user (X-Forwarded-User)"),
    ("admin-users", "USER,…", "Users of the proxy that may do everything; the others look"),
    ("log", "FORMAT", "Log of requests and events on standard error: json, text or off (text)"),
    ("memory", "BYTES", "Memory of open profiles together, such as 4G (1G)"),
    ("single-writer", "", "Only this server writes to the store: for stores that overwrite what exists"),
];

/// Examples for help.
pub(super) const EXAMPLES: &str = "
Examples:
  heapview serve -store=/var/lib/heapview
      for this machine, on http://localhost:8080
  curl -T server.0007.heap 'http://localhost:8080/api/v1/dumps?service=forest&version=0.39'
      send a dump; the answer is its link
  curl -T target/release/forest 'http://localhost:8080/api/v1/binaries?service=forest&version=0.39'
      send the binary: all dumps of this version get names
  heapview serve -config=/etc/heapview/serve.toml -check
      check the configuration file
";

/// Least bytes of uploads that are received or read at the same time.
const RECEIVED: u64 = 512 << 20;

/// Bytes of uploads that are received or read at the same time: room for the largest one, packed and unpacked.
fn most_received(most_body: u64) -> u64 {
    most_body.saturating_mul(2).saturating_add(2 << 20).max(RECEIVED)
}

/// Runs the server until Ctrl-C or SIGTERM.
pub(super) fn run(words: &[OsString]) -> Result<()> {
    let given = Given::parse("serve", &FLAGS, words)?;
    if let Some(word) = given.words.first() {
        bail!("heapview serve takes no {word:?}; to open files in the browser: heapview -http=: {word}");
    }
    let file = given.value("config").map(PathBuf::from);
    let config = file.as_deref().map(|file| serve_config::read(file, &FLAGS)).transpose()?.unwrap_or_default();
    let given = given.or(&config.flags);
    let url = given.value("url").unwrap_or_default().trim_end_matches('/').to_owned();
    if !url.is_empty() && !url.starts_with("http://") && !url.starts_with("https://") {
        bail!("--url={url}: expected an address that begins with http:// or https://");
    }
    let most_memory = given.value("memory").map_or(Ok(1 << 30), |text| bytes("memory", text))?;
    let proxies = Proxies::new(
        given.value("trusted-proxy").unwrap_or_default(),
        given.value("user-header").unwrap_or_default(),
        given.value("admin-users").unwrap_or_default(),
    );
    let proxies = proxies.map_err(anyhow::Error::msg)?;
    if proxies.is_empty() && (given.has("user-header") || given.has("admin-users")) {
        bail!("--user-header and --admin-users need --trusted-proxy=ADDR: the address of the proxy that logs people in");
    }
    if url.is_empty() && !proxies.is_empty() {
        bail!("--trusted-proxy needs --url=https://HOST, the address that people open: users count in requests for this host only");
    }
    let format = match given.value("log").unwrap_or("text") {
        "json" => Some(LogFormat::Json),
        "text" => Some(LogFormat::Text),
        "off" => None,
        other => bail!("--log={other}: expected json, text or off"),
    };
    let http = given.value("http").unwrap_or("localhost:8080");
    if given.has("check") {
        return would_do(&given, http, &config);
    }
    let log = format.map_or(Ok(Log::default()), |format| Log::to(std::io::stderr(), format)).context("cannot start the log")?;
    atomic_file::survive_size_limit();
    let options = StoreOptions { may_create: true, is_single_writer: given.has("single-writer") };
    let store = Arc::new(Store::open(&given.store()?, options)?);
    let (host, listener) = listen(http)?;
    let address = listener.local_addr().context("cannot determine the server's address")?;
    // Who comes through a proxy on this machine is not of this machine.
    let is_open = address.ip().is_loopback() && proxies.is_empty();
    if !address.ip().is_loopback() && proxies.is_empty() && store.tokens().is_empty() {
        bail!(
            "the store has no token, and {address} can be reached by other machines; make one first: \
             heapview store token add NAME admin --store={}",
            store.place()
        );
    }
    let shown = tell(&store, &url, &host, address, is_open);
    let mut limits = Limits::default();
    // Visitors of this server are all equal: none of the turns waits for an owner.
    limits.turns += 1;
    (limits.bytes_for_owner, limits.connections_for_owner, limits.streams_for_owner) = (0, 0, 0);
    limits.streams_per_visitor = limits.streams;
    let links = if url.is_empty() { shown.clone() } else { url.clone() };
    let _jobs = Jobs::start(store.clone(), links).context("cannot start the scheduled jobs")?;
    let scraper = file.map(|file| serve_config::scrape(file, &FLAGS, config, store.clone()));
    let setup = TeamSetup {
        opener: Arc::new(StoredDumps::new(store.clone())),
        most_received: most_received(store.settings().most_body),
        store,
        url,
        proxies,
        log,
        is_open,
        most_memory: usize::try_from(most_memory).unwrap_or(usize::MAX),
        limits,
        scraper,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).context("cannot start the server")?;
        serve_team(listener, setup, stopped()).await;
        anyhow::Ok(())
    })?;
    say("Stopped.");
    // What is computed for nobody is not waited for.
    runtime.shutdown_background();
    Ok(())
}

/// `-check`: prints what the server would do.
fn would_do(given: &Given, http: &str, config: &ServeConfig) -> Result<()> {
    if http.to_socket_addrs().is_err() && !http.starts_with(':') {
        bail!("--http={http}: expected host:port of this machine, as in localhost:8080");
    }
    let mut text = format!("store   {}\nlisten  {http}\n", given.store()?);
    for (name, value, _) in FLAGS.iter().filter(|(name, ..)| !["store", "http", "config", "check"].contains(name)) {
        let value = if value.is_empty() { given.has(name).then_some("yes") } else { given.value(name) };
        if let Some(value) = value {
            // Writing to a text does not fail.
            let _ = writeln!(text, "{name}  {value}");
        }
    }
    text += &serve_config::plan(&config.scrape)?;
    write_to(&Target::default(), None, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

/// Says where the server is; returns the beginning of its addresses.
fn tell(store: &Store, url: &str, host: &str, address: SocketAddr, is_open: bool) -> String {
    let shown = match (url, host) {
        ("", "") => format!("http://localhost:{}", address.port()),
        ("", host) if address.ip().is_unspecified() => format!("http://{host}:{}", address.port()),
        ("", _) => format!("http://{address}"),
        (url, _) => url.to_owned(),
    };
    let n: usize = store.dump_counts().iter().map(|(_, n)| n).sum();
    say(&format!("Serving the store {} ({n} dumps) on {shown}/", store.place()));
    store.warnings().iter().for_each(|warning| say(warning));
    let most_body = store.settings().most_body;
    if most_received(most_body) > 2 * RECEIVED {
        let (most, body) = (binary_size(most_received(most_body)), binary_size(most_body));
        say(&format!(
            "Uploads may take {most} of memory together, twice the store's limit most_body ({body}), and as much while they are read."
        ));
    }
    say(&format!("To send a dump: curl -T FILE '{shown}/api/v1/dumps?service=NAME&version=1.0'"));
    if is_open && store.tokens().is_empty() {
        say("The store has no tokens: every account on this machine can see and send dumps. heapview store token add makes one.");
    }
    shown
}

/// Waits for Ctrl-C or SIGTERM.
async fn stopped() {
    let ctrl_c = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            let terminated = std::pin::pin!(terminated.recv());
            futures_util::future::select(std::pin::pin!(ctrl_c), terminated).await;
            return;
        }
    }
    let _ = ctrl_c.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_upload_has_room() {
        assert_eq!([0, 64 << 20, 1 << 30, u64::MAX].map(most_received), [RECEIVED, RECEIVED, (2 << 30) + (2 << 20), u64::MAX]);
    }
}
