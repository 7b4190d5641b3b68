//! What those see who come to a server with tokens: the way in, or what is missing.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

use super::access;
use super::error::WebError;

#[derive(Template)]
#[template(path = "door.html")]
struct Door<'a> {
    is_open: bool,
    /// Where the link leads: path and query.
    to: &'a str,
    error: &'a str,
    hint: &'a str,
}

const MISSING: &str = "this server answers only with a token";
const WRONG: &str = "the token in the address is not of this server, or of an earlier run of it";
pub(super) const HINT: &str = "open a link that heapview printed when it was started, or ask whoever started it for one";

/// Puts the token in a cookie and leads to the same address without it.
///
/// For pages not by a redirect: browsers leave strict cookies out when it was another site's link
/// that began the way here, such as one in a mail that is read in the browser. A page of ours that
/// leads on is a new beginning.
pub(super) fn let_in(uri: &Uri, token: &str, port: u16) -> Response {
    let to = access::without_token(uri);
    let mut response = match is_for_programs(uri) {
        true => Redirect::to(&to).into_response(),
        false => page(StatusCode::OK, &Door { is_open: true, to: &to, error: "", hint: "" }),
    };
    if let Ok(cookie) = HeaderValue::from_str(&access::cookie(token, port)) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    no_store(response)
}

/// Leads to the address without a token that brings nothing new.
pub(super) fn lead_on(uri: &Uri) -> Response {
    no_store(Redirect::to(&access::without_token(uri)).into_response())
}

/// Says what is missing.
pub(super) fn turn_away(uri: &Uri) -> Response {
    let error = if access::has_token(uri) { WRONG } else { MISSING };
    if is_for_programs(uri) {
        return WebError::Token(error).into_response();
    }
    let to = access::without_token(uri);
    no_store(page(StatusCode::FORBIDDEN, &Door { is_open: false, to: &to, error: &sentence(error), hint: &sentence(HINT) }))
}

fn page(status: StatusCode, door: &Door<'_>) -> Response {
    match door.render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => WebError::Internal(format!("the page cannot be made: {error}")).into_response(),
    }
}

fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Whether it is no person who reads the answer.
fn is_for_programs(uri: &Uri) -> bool {
    ["/api/", "/assets/", "/download", "/ui/download"].iter().any(|start| uri.path().starts_with(start))
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
