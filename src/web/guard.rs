//! Who is answered, and what a page from here may do.
//!
//! Only GET, only for the names that the server was started under: a page elsewhere
//! that makes a browser resolve its own name to this machine (DNS rebinding) sends its
//! own name in `Host`. No response allows another origin to read it.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::WebError;

/// What the page may load and do: only what comes from here, no inline script, and
/// WebAssembly for the graph's layout.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The names under which the server answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    port: u16,
    name: Option<String>,
}

impl Hosts {
    /// Names for a server bound to `address`, started under `name` (empty: none).
    pub fn new(address: SocketAddr, name: &str) -> Self {
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        Hosts { port: address.port(), name: (!name.is_empty()).then_some(name) }
    }

    /// Whether a request with this `Host` is meant for us: the name we were started
    /// under, `localhost`, or any literal address (which no DNS answer can forge).
    fn allow(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let known = name == "localhost" || name.parse::<IpAddr>().is_ok() || self.name.as_deref() == Some(&name);
        known && port == Some(self.port)
    }
}

/// Checks the request, then dresses the response.
pub(super) async fn guard(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|h| h.to_str().ok()).unwrap_or_default().to_owned();
    // Another site's page cannot read answers, but could make us compute them.
    let site = request.headers().get("sec-fetch-site").map_or("none", |s| s.to_str().unwrap_or_default());
    let foreign = request.uri().path().starts_with("/api/") && !matches!(site, "none" | "same-origin");
    let mut response = if foreign {
        WebError::Site.into_response()
    } else if !hosts.allow(&host) {
        WebError::Host(host).into_response()
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        WebError::Method.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_names_are_refused() {
        let hosts = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "build-box");
        for good in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LocalHost:8080", "build-box:8080", "192.168.1.7:8080"] {
            assert!(hosts.allow(good), "{good}");
        }
        for bad in ["evil.example:8080", "localhost:9090", "localhost", "", "localhost.evil.example:8080", "[::1]"] {
            assert!(!hosts.allow(bad), "{bad}");
        }
    }
}
