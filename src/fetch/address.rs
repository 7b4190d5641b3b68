//! Profile addresses as typed by users: `http://host:6060/debug/pprof/heap` or only `host:6060`.
//!
//! The rules are pprof's (`internal/driver/fetch.go`, `adjustURL`) and those of Go's `net/url`: `http://` is the default scheme,
//! query parameters are sorted by key.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Address of a profile. Displayed without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// In lower case.
    scheme: String,
    /// `user` or `user:password`, percent-encoded as given.
    userinfo: Option<String>,
    /// `host`, `host:port` or `[address]:port`; the host may be empty (this machine).
    host: String,
    /// Percent-encoded; empty or from the first slash on.
    path: String,
    /// Decoded, sorted by key.
    query: Vec<(String, String)>,
    fragment: String,
}

impl Address {
    /// The address that `source` means when there is no file of that name; `None` when it can
    /// only be a file.
    pub fn parse(source: &str) -> Option<Address> {
        let first = Address::split(source);
        let is_opaque = |a: &Address| a.host.is_empty() && !a.scheme.is_empty() && a.scheme != "file";
        let address = match first {
            Some(address) if !is_opaque(&address) => Some(address),
            None if source.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme)) => None,
            // `host:port` looks like a scheme and what belongs to it.
            _ => Address::split(&format!("http://{source}")),
        };
        address.filter(|a| !a.host.is_empty() && !a.scheme.is_empty())
    }

    /// The parts; `None` when this is no URL.
    fn split(text: &str) -> Option<Address> {
        if text.bytes().any(|b| b.is_ascii_control()) || text.starts_with(':') {
            return None;
        }
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
            _ => (String::new(), rest),
        };
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut address =
            Address { scheme, userinfo: None, host: String::new(), path: String::new(), query: pairs(query), fragment: fragment.into() };
        match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let (userinfo, host) = match authority.rsplit_once('@') {
                    Some((userinfo, host)) => (Some(userinfo.to_owned()), host),
                    None => (None, authority),
                };
                if !is_host(host) || !is_escaped(path) || userinfo.as_deref().is_some_and(|u| decoded(u, false).is_none() || !u.is_ascii())
                {
                    return None;
                }
                address = Address { userinfo, host: host.to_owned(), path: encoded_path(path), ..address };
            }
            // A colon in the first part of a path would be taken for a scheme.
            None if address.scheme.is_empty() && rest.split('/').next().is_some_and(|first| first.contains(':')) => return None,
            None => {}
        }
        Some(address)
    }

    /// Asks the server to watch for this long, seconds.
    pub fn set_seconds(&mut self, seconds: u64) {
        let at = self.query.iter().position(|(key, _)| key == "seconds");
        self.query.retain(|(key, _)| key != "seconds");
        let at = at.unwrap_or_else(|| self.query.partition_point(|(key, _)| key.as_str() < "seconds"));
        self.query.insert(at, ("seconds".into(), seconds.to_string()));
    }

    /// Duration of the profile to fetch, seconds; `None` for an immediate one.
    pub fn seconds(&self) -> Option<u64> {
        let (_, seconds) = self.query.iter().find(|(key, _)| key == "seconds")?;
        seconds.parse::<i32>().ok().and_then(|s| u64::try_from(s).ok()).filter(|&s| s > 0)
    }

    /// `http`, `https`, `https+insecure`, or something that cannot be fetched.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The path, percent-encoded.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Address of `path` on the same server, with the same query.
    pub fn at(&self, path: &str) -> Address {
        Address { path: path.into(), ..self.clone() }
    }

    /// Address of `path`, which begins with a slash, below this one, with this query.
    pub fn below(&self, path: &str, mut query: Vec<(String, String)>) -> Address {
        query.sort_by(|a, b| a.0.cmp(&b.0));
        let path = format!("{}{}", self.path.trim_end_matches('/'), encoded_path(path));
        Address { path, query, fragment: String::new(), ..self.clone() }
    }

    /// Returns whether it names this machine.
    pub fn is_here(&self) -> bool {
        let host = self.host_name();
        host.is_empty() || host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// The neighbour called `name`, without a query: `symbol` of `/pprof/heap` is `/pprof/symbol`.
    pub fn sibling(&self, name: &str) -> Address {
        let mut parts: Vec<&str> = Vec::new();
        for part in self.path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.pop();
        parts.push(name);
        Address { path: format!("/{}", parts.join("/")), query: Vec::new(), fragment: String::new(), ..self.clone() }
    }

    /// Address of a redirection to `location`; `None` if that is another server.
    pub(super) fn on_same_server(&self, location: &str) -> Option<Address> {
        let to = match location.starts_with('/') && !location.starts_with("//") {
            true => Address::split(&format!("{}://{}{location}", self.scheme, self.host))?,
            false => Address::split(location)?,
        };
        let is_same = to.scheme == self.scheme && to.host.eq_ignore_ascii_case(&self.host);
        is_same.then(|| Address { userinfo: self.userinfo.clone(), ..to })
    }

    /// The host alone, without port and brackets.
    pub fn host_name(&self) -> &str {
        match self.host.strip_prefix('[').and_then(|h| h.split_once(']')) {
            Some((inside, _)) => inside,
            None => self.host.split_once(':').map_or(&*self.host, |(host, _)| host),
        }
    }

    /// For a request: without what stays here, and with a host in any case.
    pub(super) fn for_request(&self) -> String {
        let scheme = if self.scheme == "https+insecure" { "https" } else { &self.scheme };
        let here = if self.host_name().is_empty() { "localhost" } else { "" };
        let path = if self.path.is_empty() { "/" } else { &self.path };
        format!("{scheme}://{here}{}{path}{}", self.host.trim_end_matches(':'), self.query_text())
    }

    /// Returns whether there is a user in it, perhaps with a password.
    pub fn has_user(&self) -> bool {
        self.userinfo.is_some()
    }

    /// Returns whether there is a password in it, which is not shown.
    pub fn has_password(&self) -> bool {
        self.userinfo.as_ref().is_some_and(|userinfo| userinfo.contains(':'))
    }

    /// User and password, decoded.
    pub(super) fn credentials(&self) -> Option<(String, String)> {
        let (user, password) = self.userinfo.as_ref().map(|u| u.split_once(':').unwrap_or((u, "")))?;
        Some((decoded(user, false)?, decoded(password, false)?))
    }

    fn query_text(&self) -> String {
        let pairs: Vec<String> = self.query.iter().map(|(key, value)| format!("{}={}", encoded(key), encoded(value))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme)?;
        if let Some(userinfo) = &self.userinfo {
            match userinfo.split_once(':') {
                Some((user, _)) => write!(f, "{user}:xxxxx@")?,
                None => write!(f, "{userinfo}@")?,
            }
        }
        write!(f, "{}{}{}", self.host, self.path, self.query_text())?;
        if self.fragment.is_empty() { Ok(()) } else { write!(f, "#{}", self.fragment) }
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// A name or an address in brackets, and perhaps a port in digits.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((inside, port)) if inside.bytes().all(|b| b.is_ascii_hexdigit() || b":.".contains(&b)) => (inside, port),
            _ => return false,
        },
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~:".contains(&b);
    let port = port.strip_prefix(':').unwrap_or(port);
    name.bytes().all(is_plain) && port.bytes().all(|b| b.is_ascii_digit()) && (port.is_empty() || port.parse::<u16>().is_ok())
}

/// Returns whether every `%` starts the two digits of a byte.
fn is_escaped(text: &str) -> bool {
    let is_digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
    text.match_indices('%').all(|(at, _)| is_digit(text.as_bytes().get(at + 1)) && is_digit(text.as_bytes().get(at + 2)))
}

/// A query's pairs, sorted by key; broken ones are left out.
fn pairs(query: &str) -> Vec<(String, String)> {
    let pair = |text: &str| {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        Some((decoded(key, true)?, decoded(value, true)?))
    };
    let mut pairs: Vec<_> = query.split('&').filter(|p| !p.is_empty() && !p.contains(';')).filter_map(pair).collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs
}

/// Undoes percent-encoding, and `+` for a blank in a query; `None` for broken escapes and text that is not UTF-8.
fn decoded(text: &str, in_query: bool) -> Option<String> {
    // The library leaves a broken escape as it is; Go refuses it.
    let is_escape = |digits: &str| digits.as_bytes().get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    if !text.split('%').skip(1).all(is_escape) {
        return None;
    }
    let text = if in_query { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    percent_decode_str(&text).decode_utf8().ok().map(Cow::into_owned)
}

/// Escaped in a query's text by Go's `url.QueryEscape`.
const QUERY: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Escaped in a path: only what cannot be sent.
const PATH: AsciiSet = CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');

/// A query's text, percent-encoded.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, &QUERY).to_string().replace("%20", "+")
}

/// A path in which only what cannot be sent is percent-encoded.
fn encoded_path(path: &str) -> String {
    utf8_percent_encode(path, &PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        Address::parse(source).map_or("no address".into(), |a| a.to_string())
    }

    #[test]
    fn addresses_are_parsed_like_pprof() {
        // Each seen with google/pprof of July 2026: "Fetching profile over HTTP from …".
        for (source, address) in [
            ("http://127.0.0.1:6060/debug/pprof/heap", "http://127.0.0.1:6060/debug/pprof/heap"),
            ("127.0.0.1:6060/debug/pprof/heap", "http://127.0.0.1:6060/debug/pprof/heap"),
            ("localhost:6060", "http://localhost:6060"),
            (":6060/debug/pprof/heap", "http://:6060/debug/pprof/heap"),
            ("[::1]:6060/x", "http://[::1]:6060/x"),
            ("HTTP://h/x", "http://h/x"),
            ("h:1/heap?gc=1&debug=0", "http://h:1/heap?debug=0&gc=1"),
            ("h:1/heap?x=a b&&y=%zz&z=1;2", "http://h:1/heap?x=a+b"),
            ("h:1/heap#part", "http://h:1/heap#part"),
            ("h:1/heap?debug", "http://h:1/heap?debug="),
            ("h:1/a%ffb/%2F", "http://h:1/a%ffb/%2F"),
            ("h:1/a%f", "no address"),
            ("https+insecure://h/x", "https+insecure://h/x"),
            ("ftp://h/x", "ftp://h/x"),
            ("file://h/x", "file://h/x"),
            ("typo", "no address"),
            ("typo.heap", "no address"),
            ("dir/typo.heap", "no address"),
            ("./a:b/c", "no address"),
            ("dump:2024.heap", "no address"),
            ("C:\\dump.heap", "no address"),
            ("//h/x", "no address"),
            ("file:///x", "no address"),
            ("http://h:99999/x", "no address"),
            ("h:1/a\nb", "no address"),
            ("", "no address"),
            ("-", "no address"),
        ] {
            assert_eq!(shown(source), address, "{source}");
        }
    }

    #[test]
    fn passwords_are_not_shown_but_sent() {
        let address = Address::parse("http://me:top%20secret@h:1/x").unwrap();
        assert_eq!(address.to_string(), "http://me:xxxxx@h:1/x");
        assert_eq!(address.credentials(), Some(("me".into(), "top secret".into())));
        assert_eq!(address.for_request(), "http://h:1/x");
        assert_eq!(shown("http://token@h/x"), "http://token@h/x");
    }

    #[test]
    fn requests_name_a_host_and_a_path() {
        let request = |source: &str| Address::parse(source).unwrap().for_request();
        assert_eq!(request(":6060"), "http://localhost:6060/");
        assert_eq!(request("https+insecure://h"), "https://h/");
        assert_eq!(request("h:1/a b"), "http://h:1/a%20b");
        assert_eq!(request("[::1]:6060"), "http://[::1]:6060/");
        assert_eq!(Address::parse("[::1]:6060").unwrap().host_name(), "::1");
    }

    #[test]
    fn seconds_replace_those_of_the_query() {
        let mut address = Address::parse("h:1/heap?z=1&seconds=5&a=2").unwrap();
        assert_eq!(address.seconds(), Some(5));
        address.set_seconds(30);
        assert_eq!(address.to_string(), "http://h:1/heap?a=2&seconds=30&z=1");
        assert_eq!(Address::parse("h:1/heap?seconds=-5").unwrap().seconds(), None);
        assert_eq!(Address::parse("h:1/heap?seconds=x").unwrap().seconds(), None);
    }

    #[test]
    fn redirections_stay_on_the_server() {
        let to = |location: &str| Address::parse("http://h:1/a?x=1").unwrap().on_same_server(location).map(|to| to.to_string());
        assert_eq!(to("/b?y=2").as_deref(), Some("http://h:1/b?y=2"));
        assert_eq!(to("http://H:1/b").as_deref(), Some("http://H:1/b"));
        for other in ["", "b", "//evil/b", "http://evil:1/", "http://h:2/b", "https://h:1/b", "http://h:1@evil/", "/\n"] {
            assert_eq!(to(other), None, "{other}");
        }
    }

    #[test]
    fn addresses_below_have_a_query_of_their_own() {
        let below = |source: &str| {
            Address::parse(source).unwrap().below("/api/v1/dumps", vec![("b".into(), "x y".into()), ("a".into(), "+".into())])
        };
        assert_eq!(below("h:1").to_string(), "http://h:1/api/v1/dumps?a=%2B&b=x+y");
        assert_eq!(below("https://h/heap/?x=1#y").to_string(), "https://h/heap/api/v1/dumps?a=%2B&b=x+y");
        assert!(below("localhost:1").is_here() && below("[::1]:1").is_here() && !below("h:1").is_here());
    }

    #[test]
    fn neighbours_lie_in_the_same_folder() {
        let sibling = |source: &str| Address::parse(source).unwrap().sibling("symbol").to_string();
        assert_eq!(sibling("h:1/pprof/heap?seconds=3#x"), "http://h:1/pprof/symbol");
        assert_eq!(sibling("h:1/a/../pprof//heap"), "http://h:1/pprof/symbol");
        assert_eq!(sibling("h:1"), "http://h:1/symbol");
        assert_eq!(sibling("h:1/pprof/"), "http://h:1/symbol");
    }
}
