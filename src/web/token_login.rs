//! The exchange of a link's token or one-time code for a cookie, and the answer to visitors without either.

use askama::Template;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use base64::prelude::*;
use sha2::{Digest, Sha256};

use super::access::{self, Reason};
use super::error::{HINT, NEEDS_LINK, WebError};

#[derive(Template)]
#[template(path = "token_login.html")]
struct LoginPage<'a> {
    is_open: bool,
    style: &'a str,
    /// Path and query of the link.
    to: &'a str,
    reason: &'a str,
    hint: &'a str,
}

/// Looks of the page; every other file of the server needs a token.
const STYLE: &str = "
:root { color-scheme: light dark; --bg: light-dark(#fafaf8, #141518); --surface: light-dark(#ffffff, #1b1c20);
  --line: light-dark(#e3e2dd, #2c2e34); --text: light-dark(#1c1d20, #e7e8eb); --muted: light-dark(#5c6068, #969ca6);
  --accent: light-dark(#3b5bdb, #91a7ff); }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 34em; margin: 12vh auto 0; padding: 24px 28px; background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; }
h1 { margin: 0 0 12px; font-size: 19px; line-height: 1.35; }
p { margin: 0 0 10px; }
p.muted { margin: 18px 0 0; color: var(--muted); font-size: 13px; }
a { color: var(--accent); }
code { font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
";

/// Why a visitor is not let in, a sentence without its stop.
fn sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::Missing => "Each link works once; heapview prints a new one after each use",
        Reason::Wrong => "The token or code in this request is not valid for this run of the server",
        Reason::UsedCode => "This link has already been used; heapview has printed a new one in its terminal",
        Reason::ExpiredCode => "This link has expired; heapview has printed a new one in its terminal",
    }
}

/// Puts the cookie into the browser and leads to the same address without token and code.
///
/// For pages not by a redirect: browsers leave strict cookies out when another site's link began the
/// navigation, such as one in a mail that is read in the browser. A page of ours that leads on is a
/// navigation of its own.
pub(super) fn log_in(uri: &Uri, cookie: &str) -> Response {
    let to = access::without_secrets(uri);
    let mut response = match is_for_programs(uri) {
        true => Redirect::to(&to).into_response(),
        false => page(StatusCode::OK, &LoginPage { is_open: true, style: STYLE, to: &to, reason: "", hint: "" }),
    };
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    no_store(response)
}

/// Leads to the address without a token or code that brings nothing new.
pub(super) fn redirect(uri: &Uri) -> Response {
    no_store(Redirect::to(&access::without_secrets(uri)).into_response())
}

/// 401, with what to do: a page for browsers, JSON for the API, plain text for others such as curl.
pub(super) fn refuse(uri: &Uri, headers: &HeaderMap, reason: Reason) -> Response {
    let reason = sentence(reason);
    let takes_html = headers.get_all(header::ACCEPT).iter().any(|value| value.to_str().is_ok_and(|types| types.contains("text/html")));
    let mut response = if is_for_programs(uri) {
        WebError::Token(reason).into_response()
    } else if takes_html {
        let to = access::without_secrets(uri);
        let hint = "Open the last link in the terminal where heapview runs, or ask the owner of the server for one";
        page(StatusCode::UNAUTHORIZED, &LoginPage { is_open: false, style: STYLE, to: &to, reason, hint })
    } else {
        (StatusCode::UNAUTHORIZED, format!("401: {NEEDS_LINK}\n{reason}.\n{}.\n", capitalized(HINT))).into_response()
    };
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"heapview\""));
    no_store(response)
}

fn page(status: StatusCode, page: &LoginPage<'_>) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(error) => return WebError::internal(format!("the page cannot be made: {error}")).into_response(),
    };
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let mut response = (status, Html(html)).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Whether a program reads the answer.
fn is_for_programs(uri: &Uri) -> bool {
    ["/api/", "/assets/", "/download", "/ui/download"].iter().any(|start| uri.path().starts_with(start))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
