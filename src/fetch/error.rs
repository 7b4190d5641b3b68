//! Errors of HTTP requests.

use std::path::PathBuf;

use thiserror::Error;

/// Why fetching failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Neither HTTP nor HTTPS.
    #[error("unsupported scheme {scheme}://; use http://, https:// or https+insecure://")]
    Scheme {
        /// Text before `://`.
        scheme: String,
    },
    /// Not an address after all.
    #[error("invalid address ({reason})")]
    Address {
        /// The client's message.
        reason: String,
    },
    /// An answer, but not the one.
    #[error("the server answered {status}{}{}", quoted(line), remedy(*code))]
    Status {
        /// Status code and text.
        status: String,
        /// The number alone.
        code: u16,
        /// The answer's first line, shortened.
        line: String,
    },
    /// The name represents no machine.
    #[error("unknown host {host}; check its name")]
    NoHost {
        /// The name.
        host: String,
    },
    /// Connection refused.
    #[error("cannot connect to {host} ({reason}); check that the program is running and the port is right")]
    Connect {
        /// Host and port.
        host: String,
        /// The system's message.
        reason: String,
    },
    /// Too many redirects.
    #[error("more than {most} redirects; give the final address")]
    Redirects {
        /// Maximum number.
        most: u32,
    },
    /// A redirect to another server, where it is not followed.
    #[error("the server redirects to {to}; give the final address")]
    Elsewhere {
        /// Where to.
        to: String,
    },
    /// An address of a link or of a cloud's metadata, where these are refused.
    #[error("{ip} is a link-local or metadata address; requests to it are refused")]
    Forbidden {
        /// The address.
        ip: std::net::IpAddr,
    },
    /// Too many responses are being received.
    #[error("too many responses are being received; it is asked again later")]
    NoRoom,
    /// Too slow.
    #[error("no complete response within {seconds} s ({bytes} bytes received); increase -timeout=SECONDS")]
    Timeout {
        /// Time waited, seconds.
        seconds: u64,
        /// Bytes received.
        bytes: u64,
    },
    /// Too much.
    #[error("the response exceeds the limit of {} MiB", limit >> 20)]
    TooBig {
        /// Maximum number of bytes read.
        limit: u64,
    },
    /// Too slow for a file that is fetched in the background.
    #[error("the response is too slow: {bytes} bytes within {seconds} s")]
    Stalled {
        /// Time waited, seconds.
        seconds: u64,
        /// Bytes received.
        bytes: u64,
    },
    /// The answer cannot be written down.
    #[error("cannot write the response: {reason}")]
    Disk {
        /// The system's message.
        reason: String,
    },
    /// The line went dead.
    #[error("the response was truncated after {bytes} bytes ({reason}); fetch it again")]
    Cut {
        /// Bytes received.
        bytes: u64,
        /// The client's message.
        reason: String,
    },
    /// Hung up at once.
    #[error("the server closed the connection without a response ({reason}); does it expect https://?")]
    NoAnswer {
        /// The client's message.
        reason: String,
    },
    /// We do not trust the server.
    #[error(
        "the server's certificate is not trusted ({reason}); add its CA with -tls_ca=FILE, or use https+insecure:// to skip verification"
    )]
    Untrusted {
        /// The library's message.
        reason: String,
    },
    /// The server does not trust us.
    #[error("the server refused the TLS connection ({reason}); it may require a client certificate: -tls_cert and -tls_key")]
    Refused {
        /// The library's message.
        reason: String,
    },
    /// No TLS at all.
    #[error("the TLS connection failed ({reason}); does the server expect http://?")]
    Tls {
        /// The library's message.
        reason: String,
    },
    /// One of `-tls_cert` and `-tls_key` without the other.
    #[error("-{given} also needs -{missing}")]
    HalfPair {
        /// The flag that is there.
        given: &'static str,
        /// The one that is not.
        missing: &'static str,
    },
    /// A file with keys that cannot be used.
    #[error("-{flag}={}: {reason}", path.display())]
    TlsFile {
        /// The flag.
        flag: &'static str,
        /// Its value.
        path: PathBuf,
        /// Description.
        reason: String,
    },
    /// The proxy of the environment.
    #[error("invalid proxy in {variable}; expected http://host:port")]
    Proxy {
        /// The variable.
        variable: &'static str,
    },
    /// The proxy refused.
    #[error("cannot connect through the proxy ({reason}); add hosts to NO_PROXY to bypass it")]
    Through {
        /// Its message.
        reason: String,
    },
    /// Anything else.
    #[error("{reason}")]
    Other {
        /// The client's message.
        reason: String,
    },
}

fn quoted(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(": `{line}`") }
}

fn remedy(code: u16) -> &'static str {
    match code {
        401 | 403 => "; put user and password in the address: http://user:password@host/…",
        407 => "; put the proxy's user and password in HTTP_PROXY or HTTPS_PROXY",
        502..=504 => "; the upstream server may be down, or -seconds exceeds its timeout",
        _ => "",
    }
}
