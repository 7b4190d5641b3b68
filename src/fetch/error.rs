//! What can go wrong between two machines.

use std::path::PathBuf;

use thiserror::Error;

/// Why nothing was fetched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Neither HTTP nor HTTPS.
    #[error("{scheme}:// is not fetched; heapview speaks http://, https:// and https+insecure://")]
    Scheme {
        /// What stands before `://`.
        scheme: String,
    },
    /// Not an address after all.
    #[error("this is no address that can be asked ({reason})")]
    Address {
        /// The client's words.
        reason: String,
    },
    /// An answer, but not the one.
    #[error("the server answered {status}{}{}", said(line), way_out(*code))]
    Status {
        /// Number and words.
        status: String,
        /// The number alone.
        code: u16,
        /// The answer's first line, shortened.
        line: String,
    },
    /// The name stands for no machine.
    #[error("there is no host {host}; is the name right?")]
    NoHost {
        /// The name.
        host: String,
    },
    /// Nobody listens.
    #[error("cannot connect to {host} ({reason}); is the program running, and is its port right?")]
    Connect {
        /// Host and port.
        host: String,
        /// The system's words.
        reason: String,
    },
    /// One redirection after another.
    #[error("the server sends from one address to the next, more than {most} times; give the last one")]
    Redirects {
        /// How many are followed.
        most: u32,
    },
    /// Too slow.
    #[error("no whole answer within {seconds} s ({bytes} bytes came); -timeout=SECONDS waits longer")]
    Timeout {
        /// How long it was waited.
        seconds: u64,
        /// What came of the answer.
        bytes: u64,
    },
    /// Too much.
    #[error("the answer is longer than {} MiB, so it was not read to its end", limit >> 20)]
    TooBig {
        /// Most that is read, bytes.
        limit: u64,
    },
    /// Too slow for a file that is fetched in the background.
    #[error("too little came within {seconds} s ({bytes} bytes in all)")]
    Stalled {
        /// How long it was waited.
        seconds: u64,
        /// What came of the answer.
        bytes: u64,
    },
    /// The answer cannot be written down.
    #[error("it cannot be written: {reason}")]
    Disk {
        /// The system's words.
        reason: String,
    },
    /// The line went dead.
    #[error("the answer was cut off after {bytes} bytes ({reason}); fetch it again")]
    Cut {
        /// What came.
        bytes: u64,
        /// The client's words.
        reason: String,
    },
    /// Hung up at once.
    #[error("the server closed the connection without an answer ({reason}); is it https:// that it speaks?")]
    NoAnswer {
        /// The client's words.
        reason: String,
    },
    /// We do not trust the server.
    #[error("the server's certificate is not trusted ({reason}); -tls_ca=FILE names whom to trust, https+insecure:// trusts anyone")]
    Untrusted {
        /// The library's words.
        reason: String,
    },
    /// The server does not trust us.
    #[error("the server refuses a secure connection ({reason}); it may want to know who asks: -tls_cert and -tls_key")]
    Refused {
        /// The library's words.
        reason: String,
    },
    /// No TLS at all.
    #[error("no secure connection ({reason}); is it http:// that the server speaks?")]
    Tls {
        /// The library's words.
        reason: String,
    },
    /// One of `-tls_cert` and `-tls_key` without the other.
    #[error("-{given} is given, so -{missing} must be, too")]
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
        /// What is wrong.
        reason: String,
    },
    /// The proxy of the environment.
    #[error("the proxy in {variable} cannot be used; it takes http://host:port")]
    Proxy {
        /// The variable.
        variable: &'static str,
    },
    /// The proxy said no.
    #[error("no way through the proxy ({reason}); NO_PROXY lists hosts to reach without it")]
    Through {
        /// Its words.
        reason: String,
    },
    /// Anything else.
    #[error("{reason}")]
    Other {
        /// The client's words.
        reason: String,
    },
}

fn said(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(": `{line}`") }
}

fn way_out(code: u16) -> &'static str {
    match code {
        401 | 403 => "; user and password go into the address: http://user:password@host/…",
        407 => "; user and password of the proxy go into HTTP_PROXY or HTTPS_PROXY",
        502..=504 => "; the server behind it may be down, or -seconds longer than its patience",
        _ => "",
    }
}
