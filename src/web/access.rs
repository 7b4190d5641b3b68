//! Access control: who may read the profile and open files. Tokens, one-time codes and the cookie set for them.
//!
//! There are two roles. The owner's token and the reader's are for scripts (`Authorization: Bearer …`) and for
//! links that are handed out (`?token=…`). The link that heapview prints for its owner carries a one-time code
//! instead (`?code=…`). In a browser both are exchanged for a cookie, which is another random secret: no token or
//! usable code stays in the address bar or the history.
//!
//! A printed code works once, for [`CODE_LIFETIME`]. When it can no longer be used and a visitor needs
//! one, the next code is announced (printed in the terminal), so that the owner is never locked out. Without
//! tokens ([`Access::default`], `-no_token`) every visitor is the owner.

use crate::base::hash::HashMap;
use std::collections::VecDeque;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, Uri, header};
use subtle::ConstantTimeEq;

/// Permissions of a visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Read the profile.
    Reader,
    /// Also open files.
    Owner,
}

/// Access rules of a server.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// `None`: every visitor is the owner.
    secrets: Option<Arc<Secrets>>,
}

/// Login events for the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginEvent {
    /// The printed link can no longer be used; code for the next one.
    NewCode(String),
    /// Wrong tokens from an address (`None`: unknown).
    WrongTokens {
        /// The sender.
        peer: Option<IpAddr>,
        /// Number since the sender was last forgotten.
        count: u32,
    },
}

struct Secrets {
    /// For scripts and links.
    tokens: ByRole<String>,
    /// Values of the cookie, random for each run.
    cookies: ByRole<String>,
    codes: Mutex<Codes>,
    failures: Mutex<Failures>,
    announce: OnceLock<Announce>,
}

type Announce = Box<dyn Fn(LoginEvent) + Send + Sync>;

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

struct ByRole<T> {
    owner: T,
    reader: T,
}

impl ByRole<String> {
    /// The role of a secret, compared in constant time.
    fn role_of(&self, secret: &str) -> Option<Role> {
        let is = |expected: &str| bool::from(secret.as_bytes().ct_eq(expected.as_bytes()));
        // Both are compared whatever the first comparison says.
        match (is(&self.owner), is(&self.reader)) {
            (true, _) => Some(Role::Owner),
            (_, true) => Some(Role::Reader),
            _ => None,
        }
    }
}

/// Random bytes of a secret.
const BYTES: usize = 16;

/// Validity of an unused code: a working day.
const CODE_LIFETIME: Duration = Duration::from_secs(8 * 3600);

impl Access {
    /// Access with tokens only. Missing tokens are random, which fails only if the system has no random
    /// bytes.
    pub fn with_tokens(owner: Option<String>, reader: Option<String>) -> std::io::Result<Self> {
        let given = |token: Option<String>| token.map_or_else(random, Ok);
        let secrets = Secrets {
            tokens: ByRole { owner: given(owner)?, reader: given(reader)? },
            cookies: ByRole { owner: random()?, reader: random()? },
            codes: Mutex::default(),
            failures: Mutex::default(),
            announce: OnceLock::new(),
        };
        Ok(Access { secrets: Some(Arc::new(secrets)) })
    }

    /// Calls `announce` with login events from now on.
    pub fn on_event(&self, announce: impl Fn(LoginEvent) + Send + Sync + 'static) {
        if let Some(secrets) = &self.secrets {
            // The first one stays.
            let _ = secrets.announce.set(Box::new(announce));
        }
    }

    /// Whether a token is needed at all.
    pub fn is_required(&self) -> bool {
        self.secrets.is_some()
    }

    /// The owner's token; `None` when none is needed.
    pub fn owner(&self) -> Option<&str> {
        self.secrets.as_ref().map(|secrets| secrets.tokens.owner.as_str())
    }

    /// The token to hand out; `None` when none is needed.
    pub fn reader(&self) -> Option<&str> {
        self.secrets.as_ref().map(|secrets| secrets.tokens.reader.as_str())
    }

    /// A one-time code of the owner's for a link that is printed; it is announced again as
    /// [`LoginEvent::NewCode`] when it can no longer be used. `None` when none is needed.
    pub fn printed_code(&self) -> std::io::Result<Option<String>> {
        let Some(secrets) = &self.secrets else { return Ok(None) };
        secrets.codes().issue(Instant::now(), true).map(Some)
    }

    /// A one-time code for the browser that heapview itself opens; `None` when none is needed.
    pub fn browser_code(&self) -> std::io::Result<Option<String>> {
        let Some(secrets) = &self.secrets else { return Ok(None) };
        secrets.codes().issue(Instant::now(), false).map(Some)
    }

    /// The role that the headers of a request prove.
    fn known(&self, headers: &HeaderMap, port: u16) -> Option<Role> {
        let Some(secrets) = &self.secrets else { return Some(Role::Owner) };
        let by_cookie = cookies(headers, port).filter_map(|value| secrets.cookies.role_of(value)).max();
        by_cookie.max(bearer(headers).and_then(|token| secrets.tokens.role_of(token)))
    }

    /// Identifies the sender of a request, by its headers only.
    pub(super) fn enter_by_headers(&self, headers: &HeaderMap, port: u16) -> Entry {
        let reason = if bearer(headers).is_some() { Reason::Wrong } else { Reason::Missing };
        self.known(headers, port).map_or(Entry::Refused(reason), Entry::Known)
    }

    /// Identifies the sender of a request. A code in its address is used up unless the visitor is known already, or it only
    /// looks ahead: `may_redeem` is false.
    pub(super) fn enter(&self, uri: &Uri, headers: &HeaderMap, port: u16, may_redeem: bool) -> Entry {
        self.enter_at(uri, headers, port, may_redeem, Instant::now())
    }

    fn enter_at(&self, uri: &Uri, headers: &HeaderMap, port: u16, may_redeem: bool, now: Instant) -> Entry {
        let known = self.known(headers, port);
        let Some(secrets) = &self.secrets else { return Entry::Known(Role::Owner) };
        let token = parameter(uri, TOKEN);
        let code = parameter(uri, CODE);
        let by_token = token.and_then(|token| secrets.tokens.role_of(token));
        if let Some(known) = known
            && by_token <= Some(known)
        {
            return if token.or(code).is_some() { Entry::Again } else { Entry::Known(known) };
        }
        if let Some(role) = by_token {
            return Entry::LoggedIn(secrets.cookie(role, port));
        }
        let entry = match code {
            Some(_) if !may_redeem => Entry::Refused(Reason::Missing),
            Some(code) => match secrets.codes().redeem(code, now) {
                Redeemed::Fresh => Entry::LoggedIn(secrets.cookie(Role::Owner, port)),
                Redeemed::Used => Entry::Refused(Reason::UsedCode),
                Redeemed::Expired => Entry::Refused(Reason::ExpiredCode),
                Redeemed::Unknown => Entry::Refused(Reason::Wrong),
            },
            None if token.is_some() || bearer(headers).is_some() => Entry::Refused(Reason::Wrong),
            None => Entry::Refused(Reason::Missing),
        };
        secrets.renew_printed(now);
        entry
    }

    /// Counts a wrong token and returns how long its sender should wait for the answer. Right tokens
    /// are never delayed, whatever came from the same address before.
    pub(super) fn count_failure(&self, peer: Option<IpAddr>) -> Duration {
        let Some(secrets) = &self.secrets else { return Duration::ZERO };
        let count = secrets.failures.lock().unwrap_or_else(PoisonError::into_inner).count(peer, Instant::now());
        if count >= 10 && count.to_string().trim_end_matches('0') == "1" {
            secrets.announce_event(LoginEvent::WrongTokens { peer, count });
        }
        delay(count)
    }
}

impl Secrets {
    fn codes(&self) -> MutexGuard<'_, Codes> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cookie that proves a role from now on.
    fn cookie(&self, role: Role, port: u16) -> String {
        let value = match role {
            Role::Owner => &self.cookies.owner,
            Role::Reader => &self.cookies.reader,
        };
        format!("{}={value}; Path=/; HttpOnly; SameSite=Strict", cookie_name(port))
    }

    /// Announces another code when the one that was printed last can no longer be used.
    fn renew_printed(&self, now: Instant) {
        let mut codes = self.codes();
        let new = if codes.needs_printing(now) { codes.issue(now, true).ok() } else { None };
        drop(codes);
        if let Some(code) = new {
            self.announce_event(LoginEvent::NewCode(code));
        }
    }

    fn announce_event(&self, event: LoginEvent) {
        if let Some(announce) = self.announce.get() {
            announce(event);
        }
    }
}

/// Sender of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Visitor with a cookie or token, or any visitor if none is needed.
    Known(Role),
    /// Known visitor with a token or code in the address.
    Again,
    /// Visitor with a new token or code; the cookie to set.
    LoggedIn(String),
    /// Visitor without access.
    Refused(Reason),
}

/// Reason why access is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// No token and no code.
    Missing,
    /// A token or code that this run of the server did not issue.
    Wrong,
    /// A code that was used already.
    UsedCode,
    /// An expired code.
    ExpiredCode,
}

/// One-time codes, the latest last.
#[derive(Default)]
struct Codes {
    issued: VecDeque<Code>,
}

struct Code {
    text: String,
    issued: Instant,
    is_used: bool,
    is_printed: bool,
}

/// State of a code.
#[derive(Debug, PartialEq, Eq)]
enum Redeemed {
    Fresh,
    Used,
    Expired,
    Unknown,
}

impl Code {
    fn is_usable(&self, now: Instant) -> bool {
        !self.is_used && now.saturating_duration_since(self.issued) < CODE_LIFETIME
    }
}

impl Codes {
    /// Maximum number of codes remembered, for messages about used ones.
    const MOST: usize = 64;

    fn issue(&mut self, now: Instant, is_printed: bool) -> std::io::Result<String> {
        let text = random()?;
        if self.issued.len() == Self::MOST {
            self.issued.pop_front();
        }
        self.issued.push_back(Code { text: text.clone(), issued: now, is_used: false, is_printed });
        Ok(text)
    }

    fn redeem(&mut self, text: &str, now: Instant) -> Redeemed {
        // All are compared, in constant time.
        let is = |code: &Code| bool::from(code.text.as_bytes().ct_eq(text.as_bytes()));
        let found = self.issued.iter_mut().fold(None, |found, code| if is(code) { Some(code) } else { found });
        match found {
            None => Redeemed::Unknown,
            Some(code) if code.is_used => Redeemed::Used,
            Some(code) if !code.is_usable(now) => Redeemed::Expired,
            Some(code) => {
                code.is_used = true;
                Redeemed::Fresh
            }
        }
    }

    /// Whether a code was printed and the last one cannot be used any more.
    fn needs_printing(&self, now: Instant) -> bool {
        self.issued.iter().rfind(|code| code.is_printed).is_some_and(|code| !code.is_usable(now))
    }
}

/// Wrong tokens by sender.
#[derive(Default)]
pub(super) struct Failures {
    by_peer: HashMap<Option<IpAddr>, (u32, Instant)>,
}

impl Failures {
    /// Maximum number of senders remembered.
    const MOST: usize = 1024;
    /// Time without wrong tokens after which a sender is forgotten.
    const FORGET: Duration = Duration::from_secs(15 * 60);

    /// Counts a wrong token; returns the number from this sender.
    pub(super) fn count(&mut self, peer: Option<IpAddr>, now: Instant) -> u32 {
        let peer = peer.map(network);
        if self.by_peer.len() >= Self::MOST && !self.by_peer.contains_key(&peer) {
            self.by_peer.retain(|_, (_, last)| now.saturating_duration_since(*last) < Self::FORGET);
            let oldest = self.by_peer.iter().min_by_key(|(_, (_, last))| *last).map(|(peer, _)| *peer);
            if let Some(oldest) = oldest.filter(|_| self.by_peer.len() >= Self::MOST) {
                self.by_peer.remove(&oldest);
            }
        }
        let (count, last) = self.by_peer.entry(peer).or_insert((0, now));
        if now.saturating_duration_since(*last) >= Self::FORGET {
            *count = 0;
        }
        (*count, *last) = (count.saturating_add(1), now);
        *count
    }
}

/// Network of an address: an IPv6 client has 2⁶⁴ addresses.
fn network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6((v6.to_bits() >> 64 << 64).into()),
        },
        v4 => v4,
    }
}

/// Delay of the response to the `count`-th wrong token: none for a typo, at most 2 s.
pub(super) fn delay(count: u32) -> Duration {
    match count {
        0..=3 => Duration::ZERO,
        _ => Duration::from_millis(100 << (count - 4).min(5)).min(Duration::from_secs(2)),
    }
}

/// Name of the cookie: browsers send cookies to a host, whatever the port.
fn cookie_name(port: u16) -> String {
    format!("heapview_{port}")
}

/// Values of this server's cookie.
fn cookies(headers: &HeaderMap, port: u16) -> impl Iterator<Item = &str> {
    let name = cookie_name(port);
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |pair| pair.trim().strip_prefix(&name)?.strip_prefix('='))
}

/// The token that a script sends.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Query parameters for login.
const TOKEN: &str = "token";
const CODE: &str = "code";

pub(super) fn parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Path and query of an address without token and code; never another host's, whatever the path begins with.
pub(super) fn without_secrets(uri: &Uri) -> String {
    // Browsers read `\` as `/`, and two of them as the beginning of a host.
    let path = uri.path().trim_start_matches(['/', '\\']).replace('\\', "%5C");
    let is_secret = |pair: &&str| [TOKEN, CODE].iter().any(|name| pair.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')));
    let pairs: Vec<&str> = uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty() && !is_secret(pair)).collect();
    if pairs.is_empty() { format!("/{path}") } else { format!("/{path}?{}", pairs.join("&")) }
}

/// Returns a random secret.
fn random() -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(format!("cannot get random bytes from the system: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Identifier of this run of the server.
pub(super) fn instance() -> String {
    // Without random bytes the process and the time do.
    let started = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos());
    random().unwrap_or_else(|_| format!("{}-{}", std::process::id(), started()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    fn enter(access: &Access, uri: &str, cookie: &str) -> Entry {
        access.enter(&uri.parse().unwrap(), &headers(&[(header::COOKIE, cookie)]), 80, true)
    }

    /// Name and value of the login cookie.
    fn cookie_of(entry: Entry) -> String {
        let Entry::LoggedIn(cookie) = entry else { panic!("{entry:?}") };
        cookie.split(';').next().unwrap().to_owned()
    }

    #[test]
    fn tokens_become_cookies_of_their_role() {
        let access = Access::with_tokens(Some("owner-owner".into()), None).unwrap();
        let reader = access.reader().unwrap().to_owned();
        for (uri, cookie) in
            [("/", ""), ("/", "heapview_80=owner-owner"), ("/", "heapview_80=x"), ("/", "heapview_80="), ("/?tokens=owner-owner", "")]
        {
            assert_eq!(enter(&access, uri, cookie), Entry::Refused(Reason::Missing), "{uri} {cookie}");
        }
        for uri in ["/?token=", "/?token=owner", "/?token=owner-owner2", "/?code=", "/?code=owner-owner"] {
            assert_eq!(enter(&access, uri, ""), Entry::Refused(Reason::Wrong), "{uri}");
        }
        let as_owner = cookie_of(enter(&access, "/?token=owner-owner", ""));
        let as_reader = cookie_of(enter(&access, &format!("/top?f=a&token={reader}"), ""));
        assert!(!as_owner.contains("owner-owner") && !as_reader.contains(&reader));
        assert_eq!(enter(&access, "/", &format!("a=b; {as_owner}")), Entry::Known(Role::Owner));
        assert_eq!(enter(&access, "/", &as_reader), Entry::Known(Role::Reader));
        assert_eq!(enter(&access, "/", &as_reader.replace("_80", "_81")), Entry::Refused(Reason::Missing));
        // The owner who tries the link for others stays the owner; a reader can become the owner.
        assert_eq!(enter(&access, &format!("/?token={reader}"), &as_owner), Entry::Again);
        assert_eq!(cookie_of(enter(&access, "/?token=owner-owner", &as_reader)), as_owner);
        // Cookies are of one run, whatever the token.
        let next = Access::with_tokens(Some("owner-owner".into()), None).unwrap();
        assert_eq!(enter(&next, "/", &as_owner), Entry::Refused(Reason::Missing));
    }

    #[test]
    fn scripts_send_the_token_as_a_header() {
        let access = Access::with_tokens(Some("owner-owner".into()), Some("reader-reader".into())).unwrap();
        let role = |value: &str| access.known(&headers(&[(header::AUTHORIZATION, value)]), 80);
        assert_eq!(role("Bearer owner-owner"), Some(Role::Owner));
        assert_eq!(role("bearer  reader-reader"), Some(Role::Reader));
        for wrong in ["Bearer", "Bearer ", "Bearer owner", "Basic owner-owner", "owner-owner", "Bearer owner-owner,reader-reader"] {
            assert_eq!(role(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn reader_tokens_are_independent_of_owner_tokens() {
        let reader = |given: Option<&str>| Access::with_tokens(given.map(str::to_owned), None).unwrap().reader().map(str::to_owned);
        assert_ne!(reader(Some("one-token-only")), reader(Some("one-token-only")));
        assert_eq!(reader(None).map(|token| token.len()), Some(2 * BYTES));
        assert_eq!((Access::default().reader(), Access::default().is_required()), (None, false));
    }

    /// Access whose announced codes are collected.
    fn announcing() -> (Access, Arc<Mutex<Vec<LoginEvent>>>) {
        let access = Access::with_tokens(None, None).unwrap();
        let events: Arc<Mutex<Vec<LoginEvent>>> = Arc::default();
        let log = events.clone();
        access.on_event(move |event| log.lock().unwrap().push(event));
        (access, events)
    }

    #[test]
    fn a_code_works_once_and_the_next_one_is_announced() {
        let (access, events) = announcing();
        let (printed, opened) = (access.printed_code().unwrap().unwrap(), access.browser_code().unwrap().unwrap());
        // The browser that heapview opens leaves the printed link alone.
        let cookie = cookie_of(enter(&access, &format!("/?code={opened}"), ""));
        assert_eq!(enter(&access, &format!("/?code={opened}"), ""), Entry::Refused(Reason::UsedCode));
        assert!(events.lock().unwrap().is_empty());
        // Who is in already does not use a code up.
        assert_eq!(enter(&access, &format!("/?code={printed}"), &cookie), Entry::Again);
        assert_eq!(enter(&access, &format!("/?code={opened}"), &cookie), Entry::Again);
        // Nor does a browser that looks ahead.
        let ahead = access.enter(&format!("/?code={printed}").parse().unwrap(), &HeaderMap::new(), 80, false);
        assert_eq!(ahead, Entry::Refused(Reason::Missing));
        assert_eq!(cookie_of(enter(&access, &format!("/?code={printed}"), "")), cookie);
        let LoginEvent::NewCode(next) = events.lock().unwrap().remove(0) else { panic!() };
        assert_eq!(enter(&access, &format!("/?code={printed}"), ""), Entry::Refused(Reason::UsedCode));
        assert!(events.lock().unwrap().is_empty(), "one unused link is enough");
        assert_eq!(cookie_of(enter(&access, &format!("/?code={next}"), "")), cookie);
        assert_eq!(events.lock().unwrap().len(), 1);
    }

    #[test]
    fn unused_codes_expire_and_are_replaced() {
        let (access, events) = announcing();
        let printed = access.printed_code().unwrap().unwrap();
        let at = |uri: &str, after: Duration| access.enter_at(&uri.parse().unwrap(), &HeaderMap::new(), 80, true, Instant::now() + after);
        assert_eq!(at("/", CODE_LIFETIME / 2), Entry::Refused(Reason::Missing));
        assert!(events.lock().unwrap().is_empty());
        // Whoever comes without a link finds a good one in the terminal.
        assert_eq!(at("/", CODE_LIFETIME), Entry::Refused(Reason::Missing));
        assert_eq!(events.lock().unwrap().len(), 1);
        assert_eq!(at(&format!("/?code={printed}"), CODE_LIFETIME), Entry::Refused(Reason::ExpiredCode));
        assert_eq!(events.lock().unwrap().len(), 1);
    }

    #[test]
    fn codes_that_are_remembered_are_bounded() {
        let mut codes = Codes::default();
        let now = Instant::now();
        let first = codes.issue(now, true).unwrap();
        (0..Codes::MOST).for_each(|_| drop(codes.issue(now, false).unwrap()));
        assert_eq!(codes.issued.len(), Codes::MOST);
        assert_eq!(codes.redeem(&first, now), Redeemed::Unknown);
    }

    #[test]
    fn wrong_tokens_are_slowed_down_by_sender() {
        let mut failures = Failures::default();
        let now = Instant::now();
        let peer = |text: &str| Some(text.parse().unwrap());
        let count = |failures: &mut Failures, text: &str, after| failures.count(peer(text), now + after);
        for n in 1..=20 {
            assert_eq!(count(&mut failures, "10.0.0.5", Duration::ZERO), n);
        }
        assert_eq!(count(&mut failures, "10.0.0.6", Duration::ZERO), 1);
        assert_eq!(count(&mut failures, "2001:db8::1", Duration::ZERO), 1);
        assert_eq!(count(&mut failures, "2001:db8::ffff:2", Duration::ZERO), 2);
        assert_eq!(count(&mut failures, "::ffff:10.0.0.6", Duration::ZERO), 2);
        assert_eq!(count(&mut failures, "10.0.0.5", Failures::FORGET), 1);
        for n in 0..3000u32 {
            failures.count(Some(IpAddr::from(n.to_be_bytes())), now);
        }
        assert!(failures.by_peer.len() <= Failures::MOST);
        assert_eq!((delay(3), delay(4)), (Duration::ZERO, Duration::from_millis(100)));
        assert!((0..100).map(delay).is_sorted() && delay(u32::MAX) == Duration::from_secs(2));
    }

    #[test]
    fn addresses_without_secrets_stay_on_this_server() {
        for (with, without) in [
            ("/top?f=a%20b&token=x&n=3", "/top?f=a%20b&n=3"),
            ("/top?code=x&f=a", "/top?f=a"),
            ("/?codes=x&tokenize=y", "/?codes=x&tokenize=y"),
            ("/?token=x", "/"),
            ("//evil.example/?token=x", "/evil.example/"),
            ("/\\evil.example/?token=x", "/evil.example/"),
            ("/\\/\\evil.example\\a?token=x", "/evil.example%5Ca"),
            ("/flamegraph", "/flamegraph"),
        ] {
            assert_eq!(without_secrets(&with.parse().unwrap()), without);
        }
    }
}
