//! Requests to a target.

use base64::prelude::*;

use super::job::ScrapeAuth;
use super::target::Target;
use crate::fetch::{self, Address, FetchError, Guarded, TlsFiles};

/// Maximum size of a file with a secret, bytes.
const MOST_SECRET: u64 = 64 << 10;

/// Most bytes of an answer about names.
const MOST_NAMES: u64 = 64 << 20;

/// Why a visit failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// A sentence.
    pub(super) error: String,
    /// Nothing listens there any more.
    pub(super) is_gone: bool,
}

impl Failure {
    pub(super) fn new(error: impl ToString) -> Self {
        Failure { error: error.to_string(), is_gone: false }
    }
}

/// Asks for an address of `target`: at most `limit` bytes.
pub(super) fn get(target: &Target, address: &Address, limit: u64, has_room: &mut dyn FnMut(usize) -> bool) -> Result<Vec<u8>, Failure> {
    with_request(target, address, limit, |request| request.get(has_room))
}

/// Names of addresses in the process, and its program; `None`: it has none.
pub(super) fn names(target: &Target, addresses: &[u64]) -> Option<(Vec<u8>, Option<String>)> {
    let service = fetch::service(&target.address);
    let answer = with_request(target, &service, MOST_NAMES, |request| request.post(&fetch::question(addresses))).ok()?;
    let command = fetch::command_line(&target.address);
    let program = command.and_then(|address| get(target, &address, MOST_SECRET, &mut |_| true).ok()).and_then(|text| fetch::program(&text));
    Some((answer, program))
}

fn with_request(
    target: &Target,
    address: &Address,
    limit: u64,
    send: impl FnOnce(Guarded) -> Result<Vec<u8>, FetchError>,
) -> Result<Vec<u8>, Failure> {
    let authorization = authorization(&target.job.auth)?;
    let tls = TlsFiles { ca: target.job.tls_ca.clone(), ..TlsFiles::default() };
    let request = Guarded { address, authorization: authorization.as_deref(), tls: &tls, timeout: target.job.timeout, limit };
    send(request).map_err(|error| explain(&error, limit))
}

/// Value of the header, from its files.
fn authorization(auth: &ScrapeAuth) -> Result<Option<String>, Failure> {
    let secret = |file: &std::path::Path| -> Result<String, Failure> {
        let cannot = |error: std::io::Error| Failure::new(format!("{} cannot be read: {error}", file.display()));
        if file.metadata().map_err(cannot)?.len() > MOST_SECRET {
            return Err(Failure::new(format!("{} is too large for a secret", file.display())));
        }
        let secret = std::fs::read_to_string(file).map_err(cannot)?.trim().to_owned();
        match secret.is_empty() || secret.contains(char::is_control) {
            true => Err(Failure::new(format!("{}: expected a secret on one line", file.display()))),
            false => Ok(secret),
        }
    };
    Ok(match auth {
        ScrapeAuth::None => None,
        ScrapeAuth::BearerFile(file) => Some(format!("Bearer {}", secret(file)?)),
        ScrapeAuth::Basic(user, file) => Some(format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{}", secret(file)?)))),
    })
}

/// The error in terms of the configuration.
fn explain(error: &FetchError, limit: u64) -> Failure {
    let is_gone =
        matches!(error, FetchError::Connect { .. } | FetchError::NoHost { .. } | FetchError::NoAnswer { .. } | FetchError::Cut { .. });
    let error = match error {
        FetchError::Status { status, code: 401 | 403, .. } => {
            format!("the server answered {status}; set bearer_token_file, or user and password_file")
        }
        FetchError::Status { status, line, .. } if line.is_empty() => format!("the server answered {status}; check path"),
        FetchError::Status { status, line, .. } => format!("the server answered {status}: `{line}`; check path"),
        FetchError::Timeout { seconds, bytes } => format!("no complete answer within {seconds} s ({bytes} bytes received); see timeout"),
        FetchError::TooBig { .. } => format!("the answer is longer than {}", crate::base::units::binary_size(limit)),
        FetchError::Untrusted { reason } => format!("the server's certificate is not trusted ({reason}); set tls_ca"),
        other => other.to_string(),
    };
    Failure { error, is_gone }
}
