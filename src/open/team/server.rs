//! The HTTP API of a team server (`heapview serve -store=…`), as a client sees it.

use std::io::Read;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::base::plain::one_line;
use crate::fetch::{Address, Client, FetchError, Reply, Token, first_line};
use crate::terminal::message::say;

/// Environment variable with the address of the server.
pub(crate) const SERVER: &str = "HEAPVIEW_SERVER";

/// Environment variable with the token for it.
pub(crate) const TOKEN: &str = "HEAPVIEW_SERVER_TOKEN";

/// A team server.
#[derive(Clone, Debug)]
pub(crate) struct TeamServer {
    address: Address,
    client: Client,
}

/// What became of something that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sent<T> {
    /// It is stored.
    Done(T),
    /// The same may work later.
    Later {
        /// Why, a few words.
        why: String,
        /// Seconds after which the server wants to be asked again.
        after: Option<u64>,
        /// No server answered.
        is_away: bool,
    },
    /// The sender is refused, whatever is sent: the token, or the connection; or this is no team server.
    NoAccess(String),
    /// This will never be taken.
    Refused(String),
}

impl<T> Sent<T> {
    /// Continues with what was stored.
    pub(crate) fn then<U>(self, next: impl FnOnce(T) -> Sent<U>) -> Sent<U> {
        match self {
            Sent::Done(taken) => next(taken),
            Sent::Later { why, after, is_away } => Sent::Later { why, after, is_away },
            Sent::NoAccess(why) => Sent::NoAccess(why),
            Sent::Refused(why) => Sent::Refused(why),
        }
    }
}

/// A stored dump, as the server describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct TakenDump {
    /// Permalink.
    pub(crate) link: String,
    /// A sentence each.
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
}

/// A stored binary, as the server describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct TakenBinary {
    /// It was stored before.
    pub(crate) known: bool,
    /// There is a program or library.
    pub(crate) has_code: bool,
    /// There is debug information.
    pub(crate) has_debug_information: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    error: String,
    hint: String,
}

impl TeamServer {
    /// The server at `address`, a text that a user gave; `client` is made for a token.
    ///
    /// # Errors
    /// The text is no address.
    pub(crate) fn new(address: &str, token: Option<String>, client: impl FnOnce(Option<Token>) -> Client) -> Result<Self> {
        // The text is not repeated: it may contain a password.
        let Some(address) = Address::parse(address).filter(|address| ["http", "https", "https+insecure"].contains(&address.scheme()))
        else {
            bail!("the address of the team server is invalid; expected http://host:port, as in {SERVER}=https://heap.example.org");
        };
        if address.scheme() == "http" && !address.is_here() && (token.is_some() || address.has_password()) {
            say(&format!("warning: the token is sent to {address} without encryption; use https://"));
        }
        Ok(TeamServer { address, client: client(token.map(Token)) })
    }

    /// The server's address, for messages and for comparisons; without a password.
    pub(crate) fn name(&self) -> String {
        self.address.to_string().trim_end_matches('/').to_owned()
    }

    /// HTTP client with the token, and the address to ask.
    pub(crate) fn parts(&self) -> (&Client, &Address) {
        (&self.client, &self.address)
    }

    /// Sends a dump once.
    pub(crate) fn send_dump(&self, query: &[(String, String)], body: &mut dyn Read, length: u64) -> Sent<TakenDump> {
        self.send("/api/v1/dumps", query, body, length)
    }

    /// Sends a binary once. With `build_id` in the query and no body: asks for one, and says who runs it.
    pub(crate) fn send_binary(&self, query: &[(String, String)], body: &mut dyn Read, length: u64) -> Sent<TakenBinary> {
        self.send("/api/v1/binaries", query, body, length)
    }

    fn send<T: for<'de> Deserialize<'de>>(&self, path: &str, query: &[(String, String)], body: &mut dyn Read, length: u64) -> Sent<T> {
        let reply = match self.client.put(&self.address.below(path, query.to_vec()), body, length) {
            Ok(reply) => reply,
            Err(error) => return of_error(&error),
        };
        match reply.status {
            200..=299 => match serde_json::from_slice(&reply.bytes) {
                Ok(taken) => Sent::Done(taken),
                Err(_) => Sent::NoAccess(format!(
                    "{} answered with something else than a team server does: {}",
                    self.name(),
                    first_line(&reply.bytes)
                )),
            },
            408 | 429 | 500..=599 => Sent::Later { why: self.explained(&reply), after: reply.retry_after, is_away: false },
            300..=399 | 401 | 403 | 404 | 405 => Sent::NoAccess(self.explained(&reply)),
            _ => Sent::Refused(self.explained(&reply)),
        }
    }

    /// Asks for JSON; `None`: not found.
    ///
    /// # Errors
    /// The server does not answer, or refuses.
    pub(crate) fn ask<T: for<'de> Deserialize<'de>>(&self, path: &str, query: &[(&str, &str)], limit: u64) -> Result<Option<T>> {
        let Some(bytes) = self.bytes(path, query, limit)? else { return Ok(None) };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).with_context(|| format!("{} is no team server, or of another version", self.name()))
    }

    /// The bytes at an address; `None`: not found.
    ///
    /// # Errors
    /// The server does not answer, or refuses.
    pub(crate) fn bytes(&self, path: &str, query: &[(&str, &str)], limit: u64) -> Result<Option<Vec<u8>>> {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let reply = self.client.ask(&self.address.below(path, query), limit).with_context(|| self.name())?;
        match reply.status {
            200 => Ok(Some(reply.bytes)),
            404 => Ok(None),
            _ => bail!("{}: {}", self.name(), self.explained(&reply)),
        }
    }

    /// What the server says, and what to do.
    fn explained(&self, reply: &Reply) -> String {
        let ErrorBody { error, hint } = serde_json::from_slice(&reply.bytes).unwrap_or_default();
        let said = if error.is_empty() { first_line(&reply.bytes) } else { one_line(&error).into_owned() };
        let said = if said.is_empty() { format!("it answered {}", reply.status) } else { format!("{said} ({})", reply.status) };
        let remedy = match reply.status {
            401 => format!("give a token of this server: -token-file=FILE or {TOKEN}"),
            301 | 302 | 307 | 308 => "the server redirects; give the address that it redirects to".to_owned(),
            _ => one_line(&hint).into_owned(),
        };
        if remedy.is_empty() { said } else { format!("{said}; {remedy}") }
    }
}

fn of_error<T>(error: &FetchError) -> Sent<T> {
    match error {
        FetchError::Connect { .. }
        | FetchError::NoHost { .. }
        | FetchError::NoAnswer { .. }
        | FetchError::Timeout { .. }
        | FetchError::Cut { .. }
        | FetchError::Stalled { .. }
        | FetchError::Through { .. } => Sent::Later { why: error.to_string(), after: None, is_away: true },
        _ => Sent::NoAccess(error.to_string()),
    }
}
