//! Flags of the commands that send something to a team server: where to, and with which token.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::team_flags::{Flag, Given};
use crate::fetch::TlsFiles;
use crate::open::fetching;
use crate::open::options::OpenOptions;
use crate::open::team::delivery::Patience;
use crate::open::team::server::{self, TeamServer};
use crate::terminal::message::say;

pub(super) const SERVER: Flag = ("server", "URL", "Team server, such as https://heap.example.org (HEAPVIEW_SERVER)");
pub(super) const TOKEN: Flag =
    ("token", "TOKEN", "Token of the server; other accounts of this machine can see it: prefer HEAPVIEW_SERVER_TOKEN");
pub(super) const TOKEN_FILE: Flag = ("token-file", "FILE", "File with the token in its first line");
pub(super) const TIMEOUT: Flag = ("timeout", "SECONDS", "Timeout of a request (60, and more for large files)");
pub(super) const TLS_CA: Flag = ("tls-ca", "FILE", "Certificate authorities to trust, in PEM, instead of the system's");
pub(super) const TLS_CERT: Flag = ("tls-cert", "FILE", "Own certificate, in PEM");
pub(super) const TLS_KEY: Flag = ("tls-key", "FILE", "Private key for -tls-cert");

/// Time in which deliveries are tried again.
const WAIT: Duration = Duration::from_secs(30);

/// Where things are sent.
pub(super) struct PushTo {
    pub(super) server: TeamServer,
    pub(super) patience: Patience,
}

impl PushTo {
    /// The server of flags and environment.
    pub(super) fn of(given: &Given) -> Result<PushTo> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let Some(address) = given.value("server").map(str::to_owned).or_else(|| variable(server::SERVER)) else {
            bail!("which team server? Add -server=URL, or set {}", server::SERVER);
        };
        let token = match (given.value("token"), given.value("token-file")) {
            (Some(_), Some(_)) => bail!("-token and -token-file cannot be combined"),
            (Some(token), None) => {
                say(&format!("-token is visible to every account on this machine (ps); use -token-file or {} instead", server::TOKEN));
                Some(token.to_owned())
            }
            (None, Some(file)) => Some(first_line(Path::new(file)).with_context(|| format!("-token-file={file}"))?),
            (None, None) => variable(server::TOKEN),
        };
        let path = |name: &str| given.value(name).map(PathBuf::from);
        let tls = TlsFiles { ca: path("tls-ca"), cert: path("tls-cert"), key: path("tls-key") };
        let timeout = given.value("timeout").map(|text| match text.parse::<u64>() {
            Ok(seconds) if seconds > 0 => Ok(seconds),
            _ => bail!("-timeout={text}: expected a whole number of seconds, as in -timeout=30"),
        });
        let sources = OpenOptions { tls, timeout: timeout.transpose()?, ..OpenOptions::default() };
        let wait = given.value("wait").map_or(Ok(WAIT), |text| super::duration::duration("wait", text, 0.0))?;
        let server = TeamServer::new(&address, token, |token| fetching::client_with(&sources, token))?;
        Ok(PushTo { server, patience: Patience::new(wait) })
    }
}

fn first_line(path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path)?;
    match text.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) => Ok(line.to_owned()),
        None => bail!("the file is empty; expected a token in its first line"),
    }
}

/// Name of this machine.
pub(super) fn host_name() -> Option<String> {
    #[cfg(unix)]
    let name = Some(rustix::system::uname().nodename().to_string_lossy().into_owned());
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.filter(|name| !name.is_empty())
}
