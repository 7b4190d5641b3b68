//! The names under which a server answers.

use std::net::{IpAddr, SocketAddr};

/// The names under which the server answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    pub(super) port: u16,
    name: Option<String>,
}

impl Hosts {
    /// Names for a server bound to `address`, started under `name` (empty: none).
    pub fn new(address: SocketAddr, name: &str) -> Self {
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        Hosts { port: address.port(), name: (!name.is_empty()).then_some(name) }
    }

    /// For profiles behind a server that checks names itself.
    pub(super) fn none() -> Self {
        Hosts { port: 0, name: None }
    }

    /// Whether a request with this `Host` is meant for us: the name we were started
    /// under, `localhost`, or any literal address (which no DNS answer can forge).
    pub(super) fn allow(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let known = is_literal(&name) || self.name.as_deref() == Some(&name);
        known && port == Some(self.port)
    }
}

/// Whether a name, without port, cannot be forged by an answer of DNS.
fn is_literal(name: &str) -> bool {
    name == "localhost" || name.parse::<IpAddr>().is_ok()
}

/// Whether a `Host` header names the host of an address such as `https://heap.example.org`; an empty address has none.
pub(super) fn is_host_of(host: &str, url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let port = if scheme == "https" { ":443" } else { ":80" };
    let plain = |host: &str| host.strip_suffix(port).unwrap_or(host).to_ascii_lowercase();
    let own = rest.split('/').next().unwrap_or_default();
    !own.is_empty() && plain(own) == plain(host)
}

/// Whether a `Host` header has a name that cannot be forged by an answer of DNS.
pub(super) fn is_literal_host(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(host, |(name, _)| name);
    is_literal(&name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses_are_compared() {
        let url = "https://heap.example.org";
        for own in ["heap.example.org", "HEAP.example.org", "heap.example.org:443"] {
            assert!(is_host_of(own, url) && is_host_of(own, "https://heap.example.org:443/"), "{own}");
        }
        for other in ["", "heap.example.org:80", "heap.example.org.evil.example", "evil.example", "127.0.0.1", "heap.example.org@evil"] {
            assert!(!is_host_of(other, url) && !is_host_of(other, "") && !is_host_of(other, "https://"), "{other}");
        }
        assert!(is_host_of("10.0.0.7:8080", "http://10.0.0.7:8080") && !is_host_of("10.0.0.7", "http://10.0.0.7:8080"));
    }
}
