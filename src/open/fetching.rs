//! Fetches profiles over HTTP: which arguments are addresses, and progress messages.

use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};

use super::options::OpenOptions;
use crate::base::units;
use crate::fetch::{Address, Client, FetchError, Options, Proxies, Token, first_line};
use crate::parse::{ErrorKind, ParseOptions, parse, sniff};
use crate::symbolize::is_binary;
use crate::terminal::message::say;

/// Most that is fetched at a time, as in pprof.
pub(crate) const MOST_AT_ONCE: usize = 128;

/// Paths tried for `host:port` alone: Go's, gperftools', and pprof's default.
const USUAL_PATHS: [&str; 3] = ["/debug/pprof/heap", "/pprof/heap", ""];

const USUAL: &str = "Go serves /debug/pprof/heap, gperftools and jemalloc servers /pprof/heap";

/// A profile that came.
pub(crate) struct Download {
    /// From here.
    pub(crate) address: Address,
    pub(crate) bytes: Vec<u8>,
}

/// The address that is meant by `path`, when it names no file. A broken one is an error.
pub(crate) fn address(path: &Path, sources: &OpenOptions) -> Result<Option<Address>> {
    let Some(text) = path.to_str().filter(|t| *t != "-" && !path.exists()) else { return Ok(None) };
    let Some(mut address) = Address::parse(text) else {
        let is_meant = ["http://", "https://", "https+insecure://"].iter().any(|scheme| text.starts_with(scheme));
        // The address is not printed, since it may contain a password.
        return if is_meant { Err(anyhow!("invalid address; expected http://host:port/path")) } else { Ok(None) };
    };
    if let Some(seconds) = sources.seconds {
        address.set_seconds(seconds);
    }
    Ok(Some(address))
}

/// HTTP client with the options of flags and environment.
pub(crate) fn client(sources: &OpenOptions) -> Client {
    client_with(sources, None)
}

/// Like [`client`], with a token of a server.
pub(crate) fn client_with(sources: &OpenOptions, token: Option<Token>) -> Client {
    let variable = |upper: &str, lower: &str| std::env::var(upper).ok().filter(|v| !v.is_empty()).or_else(|| std::env::var(lower).ok());
    Client::new(Options {
        timeout: sources.timeout,
        tls: sources.tls.clone(),
        proxies: Proxies {
            http: variable("HTTP_PROXY", "http_proxy"),
            https: variable("HTTPS_PROXY", "https_proxy"),
            none: variable("NO_PROXY", "no_proxy").unwrap_or_default(),
        },
        token,
    })
}

/// Fetches all addresses in parallel. `on_progress` is called often with a progress message.
pub(crate) fn all(client: &Client, addresses: &[Address], sources: &OpenOptions, on_progress: &dyn Fn(&str)) -> Vec<Result<Download>> {
    for address in addresses {
        say(&format!("Fetching profile over HTTP from {}", shown(&candidates(address)[0])));
        if let Some(seconds) = sources.seconds {
            say(&format!("Please wait... ({})", go_duration(seconds)));
        }
    }
    let (received, n_done) = (AtomicU64::new(0), AtomicUsize::new(0));
    let wait = addresses.iter().filter_map(Address::seconds).max();
    std::thread::scope(|scope| {
        let (finished, done) = mpsc::channel::<()>();
        let threads: Vec<_> = addresses
            .iter()
            .map(|address| {
                let finished = finished.clone();
                let (received, n_done) = (&received, &n_done);
                scope.spawn(move || {
                    let download = one(client, address, received);
                    n_done.fetch_add(1, Ordering::Relaxed);
                    drop(finished);
                    download
                })
            })
            .collect();
        drop(finished);
        while matches!(done.recv_timeout(Duration::from_millis(100)), Err(RecvTimeoutError::Timeout)) {
            let bytes = received.load(Ordering::Relaxed);
            let mut parts = Vec::new();
            if addresses.len() > 1 {
                parts.push(format!("{} of {} profiles", n_done.load(Ordering::Relaxed), addresses.len()));
            }
            if bytes > 0 {
                parts.push(units::label(bytes as i64, "bytes", "auto"));
            }
            parts.extend(wait.map(|wait| format!("it takes {wait} s")));
            on_progress(&parts.join(", "));
        }
        let ended = |thread: std::thread::ScopedJoinHandle<'_, Result<Download>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow!("the fetch was interrupted; try again")))
        };
        threads.into_iter().map(ended).collect()
    })
}

/// The addresses that may be meant, the likeliest first.
fn candidates(address: &Address) -> Vec<Address> {
    if address.path().is_empty() { USUAL_PATHS.map(|path| address.at(path)).to_vec() } else { vec![address.clone()] }
}

/// Fetches from one address, or from where profiles usually are on its server.
pub(crate) fn one(client: &Client, address: &Address, received: &AtomicU64) -> Result<Download> {
    let candidates = candidates(address);
    let mut first_error = None;
    for (i, candidate) in candidates.iter().enumerate() {
        if i > 0 {
            say(&format!("Fetching profile over HTTP from {}", shown(candidate)));
        }
        let error = match client.get(candidate, |head| sniff(head).is_some(), received) {
            Ok(fetched) if !fetched.is_part && sniff(&fetched.bytes).is_some() => {
                return Ok(Download { address: candidate.clone(), bytes: fetched.bytes });
            }
            Ok(fetched) => anyhow!(no_profile(&fetched.bytes)),
            Err(error) => {
                if !matches!(error, FetchError::Status { code: 404 | 405 | 501, .. }) {
                    bail!(anyhow::Error::from(error).context(shown(candidate)));
                }
                anyhow!("{error}; {USUAL}")
            }
        };
        first_error.get_or_insert(error.context(shown(candidate)));
    }
    let error = first_error.unwrap_or_else(|| anyhow!("no address"));
    Err(if candidates.len() > 1 { anyhow!("{error:#}; also tried /pprof/heap and /") } else { error })
}

/// Error for a response that is not a profile.
fn no_profile(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "the response is empty; is heap profiling enabled in the program?".into();
    }
    if is_binary(bytes) {
        return "the response is a binary, not a profile; save it, and give the file before the address of a profile".into();
    }
    let line = first_line(bytes);
    let error = parse(bytes, &ParseOptions::default()).err().map(|e| e.kind);
    match error.filter(|_| !line.starts_with('<')) {
        Some(kind @ ErrorKind::Unsupported { .. }) => kind.to_string(),
        _ => format!("the response is not a profile, it starts with `{line}`; {USUAL}"),
    }
}

/// An address as it is printed.
fn shown(address: &Address) -> String {
    crate::base::plain::one_line(&address.to_string()).into_owned()
}

/// Seconds as Go writes them: `30s`, `1m30s`, `1h0m0s`.
fn go_duration(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m{seconds}s"),
        _ => format!("{hours}h{minutes}m{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_gos() {
        assert_eq!([5, 90, 3600].map(go_duration), ["5s", "1m30s", "1h0m0s"]);
    }

    #[test]
    fn responses_that_are_not_profiles_are_quoted() {
        assert!(no_profile(b"").contains("is empty"));
        assert!(no_profile(b"\n<html><title>x</title>").contains("`<html><title>x</title>`; Go serves"));
        assert!(no_profile(b"goroutine profile: total 4\n").contains("fetch /debug/pprof/heap instead"));
        assert!(no_profile(b"no heap for you").contains("`no heap for you`"));
    }
}
