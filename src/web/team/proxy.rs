//! Single sign-on: a proxy in front of the server logs people in, and names them in a header.
//!
//! Everybody can send that header. It counts only from the addresses that the administrator names, and is taken out of all other
//! requests, like `X-Forwarded-Host` and `X-Forwarded-Proto`, before anything looks at them.
//!
//! A page elsewhere that makes a browser behind such an address resolve its name to this server (DNS rebinding) can send all of these
//! headers, but not another `Host` than its own: users count for the host of the server's address only.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use super::error::TeamError;
use crate::web::hosts::{is_host_of, is_literal_host};

/// Headers of a proxy about the address that the visitor asked for.
pub(super) const FORWARDED_HOST: &str = "x-forwarded-host";
pub(super) const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// Longest name of a user, bytes.
const LONGEST: usize = 200;

/// Addresses with the same beginning, such as `10.1.0.0/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    /// Bits that are the same.
    bits: u32,
}

fn as_bits(address: IpAddr) -> (u128, u32) {
    match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    }
}

impl FromStr for Network {
    type Err = ();

    fn from_str(text: &str) -> Result<Network, ()> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse::<IpAddr>().map_err(|_| ())?.to_canonical();
        let (_, all) = as_bits(address);
        let bits = bits.map_or(Ok(all), |bits| bits.parse().map_err(|_| ()))?;
        // A network of everybody would let everybody in.
        if (1..=all).contains(&bits) { Ok(Network { address, bits }) } else { Err(()) }
    }
}

impl Network {
    fn has(self, address: IpAddr) -> bool {
        let ((own, all), (other, length)) = (as_bits(self.address), as_bits(address.to_canonical()));
        all == length && (own ^ other) >> (all - self.bits) == 0
    }
}

/// Proxies that may name users; by default none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxies {
    networks: Vec<Network>,
    header: HeaderName,
    admins: Vec<String>,
}

impl Default for Proxies {
    fn default() -> Self {
        Proxies { networks: Vec::new(), header: HeaderName::from_static("x-forwarded-user"), admins: Vec::new() }
    }
}

/// A person that a proxy logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    /// For lists and logs: `user` and the name, which no token has.
    pub(super) name: String,
    pub(super) is_admin: bool,
    /// The host that the request was for, if it is not that of the server's address: then the user does not count.
    pub(super) foreign: Option<String>,
}

impl Proxies {
    /// `addresses`: addresses and networks, apart by commas; `header`: the one with the user's name, empty for `X-Forwarded-User`;
    /// `admins`: names of users that may do everything, apart by commas.
    ///
    /// # Errors
    /// What is wrong, a sentence.
    pub fn new(addresses: &str, header: &str, admins: &str) -> Result<Proxies, String> {
        let parts = |text: &str| text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let network =
            |text: &String| text.parse().map_err(|()| format!("{text:?} is no address; expected 10.0.0.7, 10.1.0.0/16 or fd00::7"));
        let networks = parts(addresses).iter().map(network).collect::<Result<Vec<Network>, String>>()?;
        let default = Proxies::default();
        let known = [header::AUTHORIZATION, header::COOKIE, header::HOST, header::ORIGIN];
        let header = match header {
            "" => default.header,
            name => name
                .parse()
                .ok()
                .filter(|name| !known.contains(name))
                .ok_or_else(|| format!("{name:?} cannot be the header with the user's name"))?,
        };
        Ok(Proxies { networks, header, admins: parts(admins) })
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    fn trusts(&self, peer: Option<IpAddr>) -> bool {
        peer.is_some_and(|peer| self.networks.iter().any(|network| network.has(peer)))
    }

    /// Reads and takes out what a proxy added to a request of `peer`; what others added is taken out unread. Returns the user.
    /// `Host` becomes the name that the visitor asked for. `url`: the server's address.
    pub(super) fn take(&self, headers: &mut HeaderMap, peer: Option<IpAddr>, url: &str) -> Result<Option<User>, TeamError> {
        let users: Vec<HeaderValue> = headers.get_all(&self.header).into_iter().cloned().collect();
        headers.remove(&self.header);
        let host = headers.remove(FORWARDED_HOST);
        if !self.trusts(peer) {
            headers.remove(FORWARDED_PROTO);
            return Ok(None);
        }
        let host_of = |headers: &HeaderMap| headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned();
        // What a browser sends here is the name of its page, and a literal address is of no other machine than this one.
        let asked = host_of(headers);
        if let Some(host) = host.and_then(|host| first_host(&host)) {
            headers.insert(header::HOST, host);
        }
        let meant = if is_literal_host(&asked) { host_of(headers) } else { asked };
        let foreign = Some(meant).filter(|host| !is_host_of(host, url));
        let bad = |error: &str| {
            let hint = "the proxy must replace this header in what visitors send, not add to it";
            Err(TeamError::new(axum::http::StatusCode::BAD_REQUEST, format!("the header {}: {error}", self.header), hint))
        };
        match &users[..] {
            [] => Ok(None),
            [user] => match user.to_str().map(str::trim) {
                Ok("") => Ok(None),
                Ok(name) if name.len() <= LONGEST && !name.contains([',', ';', '"']) => {
                    let is_admin = self.admins.iter().any(|admin| admin == name);
                    Ok(Some(User { is_admin, name: format!("user {name}"), foreign }))
                }
                _ => bad("this is not the name of one user"),
            },
            _ => bad("it is there several times"),
        }
    }
}

/// The first host of a list, if it can be one.
fn first_host(value: &HeaderValue) -> Option<HeaderValue> {
    let host = value.to_str().ok()?.split(',').next()?.trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    HeaderValue::from_str(host).ok().filter(|_| !host.is_empty() && host.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        headers
    }

    #[test]
    fn networks_are_read() {
        let has = |network: &str, address: &str| network.parse::<Network>().unwrap().has(address.parse().unwrap());
        assert!(has("10.1.0.0/16", "10.1.255.3") && !has("10.1.0.0/16", "10.2.0.1") && has("10.0.0.7", "::ffff:10.0.0.7"));
        assert!(has("fd00::/8", "fd12::1") && !has("fd00::/8", "10.0.0.1") && !has("0.0.0.0/1", "::1"));
        for wrong in ["", "x", "10.0.0.0/0", "10.0.0.0/33", "::/0", "10.0.0", "proxy.example.org"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
        assert!(Proxies::new("10.0.0.1,no", "", "").unwrap_err().contains("\"no\" is no address"));
        assert!(Proxies::new("10.0.0.1", "cookie", "").is_err() && Proxies::new("10.0.0.1", "a b", "").is_err());
    }

    #[test]
    fn users_count_for_the_host_of_the_server() {
        let proxies = Proxies::new("10.0.0.1", "X-User", "root").unwrap();
        let foreign = |url: &str, host: &str, forwarded: &str| {
            let forwarded = [(FORWARDED_HOST, forwarded)];
            let forwarded = forwarded.iter().filter(|(_, host)| !host.is_empty());
            let mut headers = headers(&[("x-user", "root"), ("host", host)].iter().chain(forwarded).copied().collect::<Vec<_>>());
            proxies.take(&mut headers, Some("10.0.0.1".parse().unwrap()), url).unwrap().unwrap().foreign
        };
        let (url, own) = ("https://heap.example.org", "heap.example.org");
        for (host, forwarded) in [(own, ""), (own, own), ("127.0.0.1:8080", own), ("localhost:8080", "heap.example.org, inside")] {
            assert_eq!(foreign(url, host, forwarded), None, "{host} {forwarded}");
        }
        // A page can send any header but `Host`.
        for (host, forwarded, named) in [
            ("evil.example", "", "evil.example"),
            ("evil.example", own, "evil.example"),
            ("127.0.0.1:8080", "", "127.0.0.1:8080"),
            ("127.0.0.1:8080", "evil.example", "evil.example"),
        ] {
            assert_eq!(foreign(url, host, forwarded).as_deref(), Some(named), "{host} {forwarded}");
        }
        assert_eq!(foreign("", own, "").as_deref(), Some(own), "the server has no address");
    }

    #[test]
    fn only_named_addresses_name_users() {
        let proxies = Proxies::new("10.0.0.1, 10.2.0.0/16", "X-User", "root").unwrap();
        let sent = [("x-user", "alice"), ("host", "inside:8080"), (FORWARDED_HOST, "heap.example.org, inside"), (FORWARDED_PROTO, "https")];
        let take = |peer: Option<&str>, sent: &[(&'static str, &str)]| {
            let mut headers = headers(sent);
            let user = proxies.take(&mut headers, peer.map(|peer| peer.parse().unwrap()), "https://heap.example.org");
            assert!(!headers.contains_key("x-user") && !headers.contains_key(FORWARDED_HOST));
            let is_https = headers.contains_key(FORWARDED_PROTO);
            let host = headers.get("host").map_or(String::new(), |host| host.to_str().unwrap().to_owned());
            user.map(|user| (user.map(|user| (user.name, user.is_admin)), host, is_https))
        };
        let alice = Some(("user alice".to_owned(), false));
        assert_eq!(take(Some("10.2.3.4"), &sent), Ok((alice, "heap.example.org".into(), true)));
        for stranger in [None, Some("10.0.0.2"), Some("127.0.0.1"), Some("::1")] {
            assert_eq!(take(stranger, &sent), Ok((None, "inside:8080".into(), false)), "{stranger:?}");
        }
        assert_eq!(take(Some("10.0.0.1"), &[("x-user", "root")]).unwrap().0, Some(("user root".into(), true)));
        assert_eq!(take(Some("10.0.0.1"), &[("x-user", "")]).unwrap().0, None);
        // A proxy that adds to what a visitor sent.
        for spoofed in [&[("x-user", "root"), ("x-user", "alice")][..], &[("x-user", "root, alice")], &[("x-user", "\u{e9}")]] {
            assert!(take(Some("10.0.0.1"), spoofed).is_err(), "{spoofed:?}");
        }
        for host in ["evil.example/path", "a b", "", "<x>"] {
            assert_eq!(take(Some("10.0.0.1"), &[("host", "inside"), (FORWARDED_HOST, host)]).unwrap().1, "inside", "{host}");
        }
    }
}
