//! Tokens of requests, and what they may do.

use axum::http::{HeaderMap, StatusCode, header};
use base64::prelude::*;

use super::error::TeamError;
use super::place::Links;
use super::proxy::User;
use crate::store::{Token, cookie_of};
use crate::web::access;

/// Name of the cookie.
const COOKIE: &str = "heapview_store";

/// What a visitor may do.
#[derive(Clone, Debug)]
pub(super) enum Grant {
    /// Nobody needs a token: everything.
    Open,
    /// What the token may do.
    Token(Token),
    /// Single sign-on: looking, or everything.
    User(User),
}

impl Grant {
    /// Name of the token, or `user` and the name of the user; empty without both.
    pub(super) fn name(&self) -> &str {
        match self {
            Grant::Open => "",
            Grant::Token(token) => &token.name,
            Grant::User(user) => &user.name,
        }
    }

    pub(super) fn may_view(&self) -> bool {
        match self {
            Grant::Open | Grant::User(_) => true,
            Grant::Token(token) => token.may_view(),
        }
    }

    /// Refuses users that may only look.
    fn check_user(&self) -> Result<(), TeamError> {
        match self {
            Grant::User(user) if !user.is_admin => Err(TeamError::new(
                StatusCode::FORBIDDEN,
                format!("{} may not upload", user.name),
                "use a push token; an administrator can make one, or name the user in -admin-users",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses tokens that may not write notes.
    pub(super) fn check_note(&self) -> Result<(), TeamError> {
        match self {
            Grant::Token(token) if !token.may_note() => {
                let error = format!("the token {} may not write notes", token.name);
                Err(TeamError::new(StatusCode::FORBIDDEN, error, "use a note token, or ask an administrator for one"))
            }
            _ => self.check_user(),
        }
    }

    /// Refuses a service that the token is not for.
    pub(super) fn check_push(&self, service: &str) -> Result<(), TeamError> {
        match self {
            Grant::Token(token) if !token.may_push(service) => Err(TeamError::new(
                StatusCode::FORBIDDEN,
                format!("the token {} may not push dumps of the service {service}", token.name),
                "use a push token of this service, or ask an administrator for one",
            )),
            _ => self.check_user(),
        }
    }

    /// Refuses tokens that push nothing.
    pub(super) fn check_push_any(&self) -> Result<(), TeamError> {
        match self {
            Grant::Token(token) if !token.may_push_any() => {
                let error = format!("the token {} may not upload", token.name);
                Err(TeamError::new(StatusCode::FORBIDDEN, error, "use a push token, or ask an administrator for one"))
            }
            _ => self.check_user(),
        }
    }
}

/// Secret of a request: bearer, or the password of basic authentication.
pub(super) fn secret(headers: &HeaderMap) -> Option<String> {
    if let Some(token) = access::bearer(headers) {
        return Some(token.to_owned());
    }
    let (scheme, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let decoded = BASE64_STANDARD.decode(value.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some(String::from_utf8(decoded).ok()?.split_once(':')?.1.to_owned())
}

pub(super) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// The cookie header that stands for a token from now on.
pub(super) fn set_cookie(token: &str, links: &Links) -> String {
    let secure = if links.url().starts_with("https://") { "; Secure" } else { "" };
    format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000{secure}", cookie_of(token))
}

/// The cookie header that ends it.
pub(super) fn forget_cookie() -> String {
    format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
}
