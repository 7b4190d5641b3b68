//! Who may do what: tokens as bearer, basic or cookie; and what holds for all requests.
//!
//! A cookie only reads. What changes something comes from programs: a page of another site cannot send it, since browsers name the
//! page in `Origin` and `Sec-Fetch-Site`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::error::{TeamError, for_reader};
use super::feeds;
use super::grant::{Grant, cookie, secret};
use super::login;
use super::paths;
use super::proxy::User;
use super::record::Record;
use super::state::Team;
use crate::web::access::{self, Role};
use crate::web::connections::Connection;
use crate::web::guard;
use crate::web::hosts::{is_host_of, is_literal_host};

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Refuses what another site's page sends, and methods that nothing takes.
fn misuse(request: &Request, is_write: bool) -> Option<TeamError> {
    let (headers, path) = (request.headers(), request.uri().path());
    if !is_write && !matches!(*request.method(), Method::GET | Method::HEAD) {
        let hint =
            "dumps are sent to /api/v1/dumps and binaries to /api/v1/binaries, by PUT or POST; agents send to addresses of their own";
        return Some(TeamError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} is not supported here", request.method()), hint));
    }
    let site = headers.get("sec-fetch-site").map_or("none", |site| site.to_str().unwrap_or_default());
    let is_visit = text(headers, "sec-fetch-mode") == "navigate" && text(headers, "sec-fetch-dest") == "document";
    let is_foreign = !matches!(site, "none" | "same-origin");
    let host = text(headers, "host");
    let is_of_other_page = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin.to_str().ok().and_then(|o| o.split_once("://")).is_none_or(|(_, of)| of != host));
    let is_read_by_page = is_foreign && !is_visit && !path.starts_with("/assets/");
    (is_read_by_page || (is_write && (is_foreign || is_of_other_page)))
        .then(|| TeamError::new(StatusCode::FORBIDDEN, "requests from pages of other sites are refused", "open the address of this server"))
}

/// Checks the request, adds headers to the answer, and logs it.
pub(super) async fn gate(State(team): State<Team>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Arc<Connection>>().map(|connection| connection.peer());
    let user = team.setup.proxies.take(request.headers_mut(), peer, &team.setup.url);
    let mut record = Record::new(&team, &request);
    let (method, path, headers) = (request.method().clone(), request.uri().path().to_owned(), request.headers().clone());
    let checked = user.map_err(Refused::Error).and_then(|user| check(&team, &request, user));
    let response = match checked {
        Ok(grant) => {
            // Strangers have no role: their connections are the first that are closed for others.
            if let Some(grant) = grant {
                // The pages of profiles take nothing from anybody.
                request.extensions_mut().insert(Role::Reader);
                record.set_who(grant.name());
                request.extensions_mut().insert(grant);
            }
            let _busy = team.metrics().begin();
            next.run(record.counted(request)).await
        }
        Err(Refused::Error(error)) => error.into_response(),
        Err(Refused::Stranger { is_wrong }) => {
            if is_wrong {
                tokio::time::sleep(team.count_failure(peer)).await;
            }
            login::refuse(request.uri(), &headers, is_wrong)
        }
        Err(Refused::Again) => Redirect::to(&login::wanted(request.uri())).into_response(),
        Err(Refused::LogIn(token)) => login::by_link(&team, request.uri(), &headers, &token),
    };
    let id = record.finish(&team, &response);
    let mut response = for_reader(feeds::in_its_shape(&path, response), &method, &headers);
    guard::add_headers(response.headers_mut());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), id);
    }
    if !response.headers().contains_key(header::CACHE_CONTROL) {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response.headers_mut().entry(HeaderName::from_static("x-robots-tag")).or_insert(HeaderValue::from_static("noindex"));
    response
}

enum Refused {
    Error(TeamError),
    Stranger {
        is_wrong: bool,
    },
    /// With a token in the address.
    LogIn(String),
    /// With one in the address of a known visitor.
    Again,
}

/// `None`: an address that everybody may ask for.
fn check(team: &Team, request: &Request, user: Option<User>) -> Result<Option<Grant>, Refused> {
    let (uri, headers, method) = (request.uri(), request.headers(), request.method());
    let path = uri.path();
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if (path == "/healthz" && is_read) || (path == paths::LOGIN && *method == Method::POST) {
        return Ok(None);
    }
    let is_write = (paths::UPLOADS.contains(&path) || path == paths::NOTES) && matches!(*method, Method::PUT | Method::POST);
    // Harmless, and made by the page: a cookie does.
    let is_link = path == paths::LINKS && *method == Method::POST;
    let tokens = team.store().tokens();
    let linked = access::parameter(uri, "token").filter(|_| is_read);
    let given = secret(headers);
    // Some proxies pass on what they logged the user in with: it is no token.
    let by_secret = given.as_deref().and_then(|given| team.store().token_of(Some(given), None));
    let is_by_secret = by_secret.is_some();
    let grant = if let Some(token) = by_secret {
        Grant::Token(token)
    } else if let Some(user) = user {
        if let Some(host) = &user.foreign {
            let error = format!("the proxy names a user in a request for host {host:?}, which is not that of -url");
            let hint = "let the proxy pass the header Host on as it came, and start the server with the address that people open as -url";
            return Err(Refused::Error(TeamError::new(StatusCode::FORBIDDEN, error, hint)));
        }
        Grant::User(user)
    } else if tokens.is_empty() {
        if !team.setup.is_open {
            return Err(Refused::Stranger { is_wrong: false });
        }
        // Without tokens a page elsewhere could make a browser resolve its name to this machine (DNS rebinding).
        if !is_host_of(text(headers, "host"), &team.setup.url) && !is_literal_host(text(headers, "host")) {
            let error = format!("requests for host {:?} are refused while the store has no tokens", text(headers, "host"));
            return Err(Refused::Error(TeamError::new(StatusCode::FORBIDDEN, error, "make one: heapview store token add")));
        }
        Grant::Open
    } else {
        let by_cookie = cookie(headers).filter(|_| (is_read || is_link) && given.is_none());
        match team.store().token_of(None, by_cookie) {
            Some(token) => Grant::Token(token),
            None => {
                if let Some(token) = linked.filter(|token| team.store().token_of(Some(token), None).is_some_and(|token| token.may_view())) {
                    return Err(Refused::LogIn(token.to_owned()));
                }
                return Err(Refused::Stranger { is_wrong: given.is_some() || linked.is_some() });
            }
        }
    };
    if let Some(error) = misuse(request, is_write || is_link) {
        return Err(Refused::Error(error));
    }
    if team.is_stopping() && is_write {
        return Err(Refused::Error(TeamError::busy("the server is being stopped")));
    }
    if is_write && path == paths::NOTES {
        grant.check_note().map_err(Refused::Error)?;
    } else if is_write {
        grant.check_push_any().map_err(Refused::Error)?;
    } else if !grant.may_view() {
        let error = format!("the token {} only pushes", grant.name());
        return Err(Refused::Error(TeamError::new(StatusCode::FORBIDDEN, error, "use a view token, or ask an administrator for one")));
    }
    // Nobody's token stays in the address bar, and none gets into links of pages.
    if !is_by_secret && linked.is_some() {
        return Err(Refused::Again);
    }
    Ok(Some(grant))
}
