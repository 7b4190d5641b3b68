//! Log-in of people: a token becomes a cookie, by a link or by the form that visitors without one get.

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use percent_encoding::percent_decode_str;

use super::body;
use super::error::{TeamError, takes_html};
use super::grant::{forget_cookie, set_cookie};
use super::page::html;
use super::paths;
use super::place::Links;
use super::state::Team;
use crate::web::access::without_secrets;

/// Longest form, bytes.
const LONGEST: usize = 4096;

#[derive(Template)]
#[template(path = "team_login.html")]
struct LoginPage<'a> {
    /// Where it leads afterwards.
    to: &'a str,
    is_wrong: bool,
}

/// 401: a form for browsers, JSON for programs.
pub(super) fn refuse(uri: &Uri, headers: &HeaderMap, is_wrong: bool) -> Response {
    let mut response = if takes_html(headers) {
        form(&wanted(uri), is_wrong)
    } else {
        let what = if is_wrong { "this token is not valid" } else { "this server needs a token" };
        let hint = "send the header `Authorization: Bearer TOKEN`; administrators make tokens with `heapview store token add`";
        TeamError::new(StatusCode::UNAUTHORIZED, what, hint).into_response()
    };
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"heapview\""));
    response
}

/// What a visitor wants to see: the address without a token; the form leads to the first page.
pub(super) fn wanted(uri: &Uri) -> String {
    if uri.path() == paths::LOGIN { "/".to_owned() } else { without_secrets(uri) }
}

fn form(to: &str, is_wrong: bool) -> Response {
    html(StatusCode::UNAUTHORIZED, &LoginPage { to, is_wrong })
}

/// The visitor came by a link with a token, which becomes a cookie.
pub(super) fn by_link(team: &Team, uri: &Uri, headers: &HeaderMap, token: &str) -> Response {
    logged_in(&Links::of(team, headers), &wanted(uri), token)
}

fn logged_in(links: &Links, to: &str, token: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&set_cookie(token, links)) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// GET /login: the form, for another token than the visitor's.
pub(super) async fn page() -> Response {
    html(StatusCode::OK, &LoginPage { to: "/", is_wrong: false })
}

/// POST /login: the form; without a token it logs out.
pub(super) async fn log_in(State(team): State<Team>, headers: HeaderMap, sent: Body) -> Response {
    let bytes = match body::short(&team, "form", LONGEST, sent).await {
        Ok(bytes) => bytes,
        Err(error) => return error.into_response(),
    };
    let text = String::from_utf8_lossy(&bytes).replace('+', " ");
    let field = |name: &str| {
        let value = text.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        percent_decode_str(value.unwrap_or_default()).decode_utf8_lossy().trim().to_owned()
    };
    let (token, to) = (field("token"), field("to"));
    // Only to addresses of this server.
    let to = to.parse::<Uri>().map_or("/".to_owned(), |uri| wanted(&uri));
    if token.is_empty() {
        let forgotten = [(header::SET_COOKIE, forget_cookie())];
        return (forgotten, Redirect::to("/")).into_response();
    }
    match team.store().token_of(Some(&token), None).filter(|token| token.may_view()) {
        Some(_) => logged_in(&Links::of(&team, &headers), &to, &token),
        None => {
            tokio::time::sleep(team.count_failure(None)).await;
            form(&to, true)
        }
    }
}
