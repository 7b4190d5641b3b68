//! Request filter and security headers.
//!
//! Only GET, POST that opens files, and DELETE of the recent files; only for the names that the server was started under: a page
//! elsewhere that makes a browser resolve its own name to this machine (DNS rebinding) sends its
//! own name in `Host`. No response allows another origin to read it, and files are taken only from
//! pages of this server: they send a header that browsers let no other site's page send.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::{Access, Entry, Reason, Role};
use super::connections::Connection;
use super::error::WebError;
use super::hosts::Hosts;
use super::token_login;
use crate::api::DOWNLOADS;

/// Content security policy: own resources only, no inline scripts, and WebAssembly for the graph's
/// layout.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Path for uploads.
pub(super) const FILES: &str = "/api/v1/files";

/// Path of the start page's list, whose entries are opened with POST.
pub(super) const START: &str = "/api/v1/start";

/// The list of recent files, which the start page can clear.
pub(super) const RECENT: &str = "/api/v1/start/recent";

/// Whether the request changes something. It needs the owner, and a page of this server.
fn is_change(method: &Method, path: &str) -> bool {
    (method == Method::POST && [FILES, START].contains(&path)) || (method == Method::DELETE && path == RECENT)
}

/// Whether the path is one of a download.
fn is_download(path: &str) -> bool {
    DOWNLOADS.contains(&path)
}

/// Header that pages of this server send with a file; pages of other sites cannot without a CORS preflight.
const OF_THIS_PAGE: &str = "x-heapview";

/// Request filter.
pub(super) struct Gate {
    pub(super) hosts: Hosts,
    pub(super) access: Access,
}

impl Gate {
    /// Checks a request.
    fn check(&self, request: &Request) -> Result<Role, Refused> {
        let (uri, headers, method) = (request.uri(), request.headers(), request.method());
        let host = host(request)?;
        if !self.hosts.allow(host) {
            return Err(Refused::Error(WebError::Host(host.to_owned())));
        }
        let is_change = is_change(method, uri.path());
        let port = self.hosts.port;
        let misuse = misuse(request, host, is_change);
        let entry = if is_change || misuse.is_some() {
            // Its code, if there is one, stays unused.
            self.access.enter_by_headers(headers, port)
        } else {
            let looks_ahead = *method == Method::HEAD || text(headers, "sec-purpose").contains("prefetch");
            self.access.enter(uri, headers, port, !looks_ahead)
        };
        match (entry, misuse) {
            (Entry::Refused(reason), _) => Err(Refused::Stranger(reason)),
            (_, Some(error)) => Err(Refused::Error(error)),
            (Entry::Known(role), None) if is_change && role < Role::Owner => Err(Refused::Error(WebError::ReadOnly)),
            (Entry::Known(role), None) => Ok(role),
            (Entry::Again, None) => Err(Refused::Again),
            (Entry::LoggedIn(cookie), None) => Err(Refused::LoggedIn(cookie)),
        }
    }
}

/// The one name that a request is for (RFC 9112, section 3.2).
fn host(request: &Request) -> Result<&str, Refused> {
    let headers = request.headers();
    let host = text(headers, "host");
    let authority = request.uri().authority().map(|authority| authority.as_str());
    if headers.get_all(header::HOST).iter().count() != 1 || authority.is_some_and(|authority| !authority.eq_ignore_ascii_case(host)) {
        return Err(Refused::Error(WebError::Hosts));
    }
    Ok(host)
}

/// Error in a request, independent of its sender.
fn misuse(request: &Request, host: &str, is_change: bool) -> Option<WebError> {
    let (uri, headers) = (request.uri(), request.headers());
    // Another site's page cannot read answers, but could make us compute them.
    let site = headers.get("sec-fetch-site").map_or("none", |s| s.to_str().unwrap_or_default());
    // A link on another site may lead here: to a page, or to a file to keep.
    let is_visit = text(headers, "sec-fetch-mode") == "navigate" && text(headers, "sec-fetch-dest") == "document";
    let is_computed = uri.path().starts_with("/api/") || (is_download(uri.path()) && !is_visit);
    if is_computed && !matches!(site, "none" | "same-origin") {
        return Some(WebError::Site);
    }
    if !is_change && !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Some(WebError::Method);
    }
    let is_from_own_page = headers.contains_key(OF_THIS_PAGE) && headers.get(header::ORIGIN).is_none_or(|o| *o == format!("http://{host}"));
    (is_change && !is_from_own_page).then_some(WebError::Site)
}

/// Reason why a request is answered by the filter.
enum Refused {
    Error(WebError),
    /// Without a token or code, or with a wrong one.
    Stranger(Reason),
    /// With a token or code in the address; the cookie that it becomes.
    LoggedIn(String),
    /// With a token or code in the address of a known visitor.
    Again,
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Checks the request, and adds headers to the response.
pub(super) async fn guard(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    let mut response = match gate.check(&request) {
        Ok(role) => {
            request.extensions_mut().insert(role);
            next.run(request).await
        }
        Err(Refused::Error(error)) => error.into_response(),
        Err(Refused::Stranger(reason)) => {
            if reason == Reason::Wrong {
                let peer = request.extensions().get::<Arc<Connection>>().map(|connection| connection.peer());
                tokio::time::sleep(gate.access.count_failure(peer)).await;
            }
            token_login::refuse(request.uri(), request.headers(), reason)
        }
        Err(Refused::LoggedIn(cookie)) => token_login::log_in(request.uri(), &cookie),
        Err(Refused::Again) => token_login::redirect(request.uri()),
    };
    add_headers(response.headers_mut());
    response
}

/// Adds what every answer has.
pub(super) fn add_headers(headers: &mut HeaderMap) {
    // The log-in page has one of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

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
