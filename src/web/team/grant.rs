//! Tokens of requests, and what they may do.

use axum::http::{HeaderMap, StatusCode, header};
use base64::prelude::*;

use super::error::TeamError;
use crate::store::{Token, cookie_of};
use crate::web::access;

/// Name of the cookie.
const COOKIE: &str = "heapview_store";

/// What a visitor may do.
#[derive(Clone, Debug)]
pub(super) struct Grant {
    /// `None`: everything, as nobody needs a token.
    pub(super) token: Option<Token>,
}

impl Grant {
    /// Name of the token; empty without one.
    pub(super) fn name(&self) -> &str {
        self.token.as_ref().map_or("", |token| &token.name)
    }

    pub(super) fn may_view(&self) -> bool {
        self.token.as_ref().is_none_or(Token::may_view)
    }

    /// Refuses a service that the token is not for.
    pub(super) fn check_push(&self, service: &str) -> Result<(), TeamError> {
        match &self.token {
            Some(token) if !token.may_push(service) => Err(TeamError::new(
                StatusCode::FORBIDDEN,
                format!("the token {} may not push dumps of the service {service}", token.name),
                "use a push token of this service, or ask an administrator for one",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses tokens that may not write notes.
    pub(super) fn check_note(&self) -> Result<(), TeamError> {
        match &self.token {
            Some(token) if !token.may_note() => {
                let error = format!("the token {} may not write notes", token.name);
                Err(TeamError::new(StatusCode::FORBIDDEN, error, "use a note token, or ask an administrator for one"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses tokens that push nothing.
    pub(super) fn check_push_any(&self) -> Result<(), TeamError> {
        match &self.token {
            Some(token) if !token.may_push_any() => {
                let error = format!("the token {} may not upload", token.name);
                Err(TeamError::new(StatusCode::FORBIDDEN, error, "use a push token, or ask an administrator for one"))
            }
            _ => Ok(()),
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
pub(super) fn set_cookie(token: &str, url: &str) -> String {
    let secure = if url.starts_with("https://") { "; Secure" } else { "" };
    format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000{secure}", cookie_of(token))
}
