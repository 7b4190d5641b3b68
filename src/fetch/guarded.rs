//! Requests that nobody watches, to addresses of a configuration: without proxies, never to addresses of a link or of a cloud's
//! metadata, never to another server than the one that was named.
//!
//! What a name resolves to is checked where the connection is made, so that names cannot change in between.

use std::fmt;
use std::io::{ErrorKind, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};

use ureq::config::Config;
use ureq::http::header::{AUTHORIZATION, LOCATION};
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Error};

use super::client::{checked, explain};
use super::{Address, FetchError, TlsFiles};

/// Most redirections that are followed on the same server.
const MOST_REDIRECTS: usize = 3;

/// A server that does not answer at all is given up after this.
const CONNECT: Duration = Duration::from_secs(5);

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<'a> {
    /// Address.
    pub address: &'a Address,
    /// Value of the header Authorization.
    pub authorization: Option<&'a str>,
    /// Keys and authorities.
    pub tls: &'a TlsFiles,
    /// Time for everything.
    pub timeout: Duration,
    /// Most bytes of the answer, unpacked.
    pub limit: u64,
}

impl Guarded<'_> {
    /// Sends GET; returns the body. `has_room` is asked for each piece that came; without room the request fails.
    ///
    /// # Errors
    /// Without a successful response within the limits.
    pub fn get(&self, has_room: &mut dyn FnMut(usize) -> bool) -> Result<Vec<u8>, FetchError> {
        let end = Instant::now() + self.timeout;
        let mut address = self.address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let mut request = self.agent(end)?.get(address.for_request());
            if let Some(value) = self.authorization {
                request = request.header(AUTHORIZATION, value);
            }
            let response = request.call().map_err(|error| self.explain(error, 0))?;
            if !response.status().is_redirection() {
                return self.body(response, has_room);
            }
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or_default();
            address = address.on_same_server(to).ok_or_else(|| FetchError::Elsewhere { to: super::first_line(to.as_bytes()) })?;
        }
        Err(FetchError::Redirects { most: MOST_REDIRECTS as u32 })
    }

    /// Sends POST with `question`; returns the body.
    ///
    /// # Errors
    /// Without a successful response within the limits; redirections are not followed.
    pub fn post(&self, question: &str) -> Result<Vec<u8>, FetchError> {
        let end = Instant::now() + self.timeout;
        let mut request = self.agent(end)?.post(self.address.for_request()).content_type("application/octet-stream");
        if let Some(value) = self.authorization {
            request = request.header(AUTHORIZATION, value);
        }
        let response = request.send(question).map_err(|error| self.explain(error, 0))?;
        self.body(response, &mut |_| true)
    }

    fn body(&self, response: Response<Body>, has_room: &mut dyn FnMut(usize) -> bool) -> Result<Vec<u8>, FetchError> {
        let response = checked(response)?;
        let too_big = || FetchError::TooBig { limit: self.limit };
        if response.body().content_length().is_some_and(|length| length > self.limit) {
            return Err(too_big());
        }
        let mut reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE]);
        loop {
            let n = match reader.read(&mut piece) {
                Ok(0) => return Ok(bytes),
                Ok(n) => n,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.explain(Error::from(error), bytes.len() as u64)),
            };
            if (bytes.len() + n) as u64 > self.limit {
                return Err(too_big());
            }
            if !has_room(n) || bytes.try_reserve(n).is_err() {
                return Err(FetchError::NoRoom);
            }
            bytes.extend_from_slice(&piece[..n]);
        }
    }

    pub(super) fn agent(&self, end: Instant) -> Result<Agent, FetchError> {
        let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let is_secure = match self.address.scheme() {
            "http" => false,
            "https" | "https+insecure" => true,
            other => return Err(FetchError::Scheme { scheme: other.into() }),
        };
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(left))
            .timeout_connect(Some(CONNECT.min(left)))
            .user_agent(concat!("heapview/", env!("CARGO_PKG_VERSION")))
            .proxy(None);
        if is_secure {
            config = config.tls_config(self.tls.config(self.address.scheme() == "https+insecure")?);
        }
        Ok(Agent::with_parts(config.build(), DefaultConnector::default(), Allowed(DefaultResolver::default())))
    }

    pub(super) fn explain(&self, error: Error, bytes: u64) -> FetchError {
        if let Error::Other(inner) = &error
            && let Some(refused) = inner.downcast_ref::<RefusedAddress>()
        {
            return FetchError::Forbidden { ip: refused.0 };
        }
        explain(error, self.address, self.timeout.as_secs(), bytes)
    }
}

/// Resolves names to addresses that may be asked.
#[derive(Debug)]
struct Allowed(DefaultResolver);

impl Resolver for Allowed {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        match found.iter().find(|address| is_forbidden(address.ip())) {
            Some(address) => Err(Error::Other(Box::new(RefusedAddress(address.ip())))),
            None => Ok(found),
        }
    }
}

/// Error of the resolver.
#[derive(Debug)]
struct RefusedAddress(IpAddr);

impl fmt::Display for RefusedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused", self.0)
    }
}

impl std::error::Error for RefusedAddress {}

/// Addresses at which clouds hand out credentials, besides those of the link.
const METADATA: [IpAddr; 4] = [
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
];

/// Returns whether requests to `ip` are refused: link-local and metadata addresses, and what is no single machine.
pub fn is_forbidden(ip: IpAddr) -> bool {
    if METADATA.contains(&ip) || ip.is_multicast() {
        return true;
    }
    match ip {
        IpAddr::V4(ip) => ip.is_link_local() || ip.is_broadcast() || ip.octets()[0] == 0,
        IpAddr::V6(ip) => {
            let [head @ .., _, _] = ip.segments();
            // Addresses of IPv4 inside: mapped, compatible, and translated (NAT64).
            let inner = match head {
                [0, 0, 0, 0, 0, 0 | 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] if !ip.is_loopback() => {
                    let [.., a, b, c, d] = ip.octets();
                    Some(Ipv4Addr::new(a, b, c, d))
                }
                _ => None,
            };
            ip.is_unicast_link_local() || inner.is_some_and(|ip| is_forbidden(IpAddr::V4(ip)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_links_and_metadata_are_refused() {
        for refused in [
            "169.254.169.254",
            "169.254.0.1",
            "fe80::1",
            "febf::1",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "fd00:ec2::254",
            "100.100.100.200",
            "0.0.0.0",
            "::",
            "224.0.0.1",
            "ff02::1",
            "255.255.255.255",
        ] {
            assert!(is_forbidden(refused.parse().unwrap()), "{refused}");
        }
        for good in ["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "::ffff:10.0.0.1", "fd00::1", "2001:db8::1", "100.100.100.201"] {
            assert!(!is_forbidden(good.parse().unwrap()), "{good}");
        }
    }

    #[test]
    fn refused_addresses_are_not_asked_however_they_are_written() {
        for host in ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:a9fe:a9fe]", "0"] {
            let address = Address::parse(&format!("http://{host}:80/x")).unwrap();
            let tls = TlsFiles::default();
            let request = Guarded { address: &address, authorization: None, tls: &tls, timeout: Duration::from_secs(2), limit: 10 };
            let error = request.get(&mut |_| true).unwrap_err();
            assert!(matches!(error, FetchError::Forbidden { .. }), "{host}: {error}");
        }
    }
}
