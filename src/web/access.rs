//! Who may see the profile, and who may open more files: tokens, for servers that others can reach.
//!
//! Two tokens: the owner's, and one to hand out that only reads. A token comes in the address once
//! (`?token=…`) and is a cookie from then on, or in `Authorization: Bearer …` for programs. Without
//! tokens everybody who reaches the server is the owner: that is for loopback.

use axum::http::{HeaderMap, Uri, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// What a visitor may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Look.
    Reader,
    /// Open files, too.
    Owner,
}

/// Who is let in.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// `None`: everybody, and may do everything.
    tokens: Option<Tokens>,
}

#[derive(Clone, Debug)]
struct Tokens {
    owner: String,
    reader: String,
}

/// Random bytes of a token.
const BYTES: usize = 16;

impl Access {
    /// Only with a token. `given` is the owner's; made up when absent, which fails only where the
    /// system gives no random bytes. The reader's is made of the owner's: it stays the same with it.
    pub fn with_tokens(given: Option<String>) -> std::io::Result<Self> {
        let owner = match given {
            Some(given) => given,
            None => random()?,
        };
        let digest = Sha256::digest(format!("heapview: read only: {owner}"));
        Ok(Access { tokens: Some(Tokens { reader: hex(&digest[..BYTES]), owner }) })
    }

    /// The owner's token; `None` when none is needed.
    pub fn owner(&self) -> Option<&str> {
        self.tokens.as_ref().map(|tokens| tokens.owner.as_str())
    }

    /// The token to hand out; `None` when none is needed.
    pub fn reader(&self) -> Option<&str> {
        self.tokens.as_ref().map(|tokens| tokens.reader.as_str())
    }

    /// Who a token is of.
    fn role_of(&self, token: &str) -> Option<Role> {
        let Some(tokens) = &self.tokens else { return Some(Role::Owner) };
        let is = |expected: &str| bool::from(token.as_bytes().ct_eq(expected.as_bytes()));
        // Both are compared whatever the first says.
        match (is(&tokens.owner), is(&tokens.reader)) {
            (true, _) => Some(Role::Owner),
            (_, true) => Some(Role::Reader),
            _ => None,
        }
    }

    /// Who sends this request, and the token from its address that is to become a cookie.
    pub(super) fn of_request(&self, uri: &Uri, headers: &HeaderMap, port: u16) -> Visitor {
        if self.tokens.is_none() {
            return Visitor { role: Some(Role::Owner), new_token: None };
        }
        let known = shown(headers, port).filter_map(|token| self.role_of(token)).max();
        let new = token_in(uri).and_then(|token| Some((self.role_of(token)?, token)));
        Visitor {
            role: known.max(new.map(|(role, _)| role)),
            // Who may do more already keeps that.
            new_token: new.filter(|(role, _)| Some(*role) > known).map(|(_, token)| token.to_owned()),
        }
    }
}

/// Who sends a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Visitor {
    /// `None`: nobody who was let in.
    pub(super) role: Option<Role>,
    /// To be remembered by the browser.
    pub(super) new_token: Option<String>,
}

/// Name of the cookie: cookies are of a host, whatever the port.
fn cookie_name(port: u16) -> String {
    format!("heapview_{port}")
}

/// The cookie that holds a token.
pub(super) fn cookie(token: &str, port: u16) -> String {
    format!("{}={token}; Path=/; HttpOnly; SameSite=Strict", cookie_name(port))
}

/// The tokens in a request's headers.
fn shown(headers: &HeaderMap, port: u16) -> impl Iterator<Item = &str> {
    let name = cookie_name(port);
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(';'));
    let cookies = cookies.filter_map(move |pair| pair.trim().strip_prefix(&name)?.strip_prefix('='));
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    cookies.chain(bearer)
}

/// The token in an address.
fn token_in(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Whether an address has a token in it.
pub(super) fn has_token(uri: &Uri) -> bool {
    token_in(uri).is_some()
}

/// Path and query of an address without the token; never another host's.
pub(super) fn without_token(uri: &Uri) -> String {
    let path = uri.path().trim_start_matches('/');
    let pairs: Vec<&str> = uri.query().unwrap_or_default().split('&').filter(|p| !p.is_empty() && !p.starts_with("token=")).collect();
    if pairs.is_empty() { format!("/{path}") } else { format!("/{path}?{}", pairs.join("&")) }
}

/// A text that nobody guesses.
fn random() -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(format!("the system gives no random bytes: {error}")))?;
    Ok(hex(&bytes))
}

/// What tells one run of the server from another.
pub(super) fn instance() -> String {
    // Without random bytes the process and the time do.
    let started = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    random().unwrap_or_else(|_| format!("{}-{}", std::process::id(), started()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(access: &Access, uri: &str, cookie: &str) -> Visitor {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        access.of_request(&uri.parse().unwrap(), &headers, 80)
    }

    #[test]
    fn a_token_says_who_comes() {
        let access = Access::with_tokens(Some("owner-owner".into())).unwrap();
        let reader = access.reader().unwrap().to_owned();
        assert_eq!(access.owner(), Some("owner-owner"));
        let nobody = Visitor { role: None, new_token: None };
        for (uri, cookie) in [("/", ""), ("/?token=", ""), ("/?token=owner", ""), ("/", "heapview_81=owner-owner"), ("/", "heapview_80=x")]
        {
            assert_eq!(visitor(&access, uri, cookie), nobody, "{uri} {cookie}");
        }
        let new = Visitor { role: Some(Role::Reader), new_token: Some(reader.clone()) };
        assert_eq!(visitor(&access, &format!("/top?f=a&token={reader}"), ""), new);
        assert_eq!(visitor(&access, "/", &format!("a=b; heapview_80={reader}")).role, Some(Role::Reader));
        // The owner who tries the link for others stays the owner.
        let tried = visitor(&access, &format!("/?token={reader}"), "heapview_80=owner-owner");
        assert_eq!(tried, Visitor { role: Some(Role::Owner), new_token: None });
        let grown = visitor(&access, "/?token=owner-owner", &format!("heapview_80={reader}"));
        assert_eq!(grown.new_token.as_deref(), Some("owner-owner"));
    }

    #[test]
    fn tokens_are_stable_when_given_and_new_when_not() {
        let reader = |given: Option<&str>| Access::with_tokens(given.map(str::to_owned)).unwrap().reader().map(str::to_owned);
        assert_eq!(reader(Some("one-token")), reader(Some("one-token")));
        assert_ne!(reader(None), reader(None));
        assert_eq!(reader(None).map(|token| token.len()), Some(2 * BYTES));
        assert_eq!(Access::default().reader(), None);
    }

    #[test]
    fn the_address_without_the_token_stays_here() {
        for (with, without) in [
            ("/top?f=a%20b&token=x&n=3", "/top?f=a%20b&n=3"),
            ("/?token=x", "/"),
            ("//evil.example/?token=x", "/evil.example/"),
            ("/flamegraph", "/flamegraph"),
        ] {
            assert_eq!(without_token(&with.parse().unwrap()), without);
        }
    }
}
