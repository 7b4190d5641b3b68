//! Short links: `/l/…` leads to an address below this server, never to another host.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use percent_encoding::percent_decode_str;

use super::body;
use super::error::TeamError;
use super::extract::Path;
use super::place::Links;
use super::state::Team;
use super::stored::in_store;
use crate::store::{LONGEST_LINK, ShortId, StoreError};
use crate::web::access::without_secrets;

/// The address in a body as a path of this server, without tokens; `None`: it is none.
fn own_path(text: &str, own: &Links) -> Option<String> {
    let path = text.trim();
    let path = path.strip_prefix(own.url()).unwrap_or(path);
    let is_page = ["/d/", "/s/", "/services/"].iter().any(|start| path.starts_with(start));
    let is_plain = path.len() <= LONGEST_LINK && !path.contains(['\\', '#']) && path.bytes().all(|byte| byte.is_ascii_graphic());
    // Browsers resolve `..` before they ask, however it is escaped.
    let is_below = !path.split(['?', '/']).any(|part| matches!(&*percent_decode_str(part).collect::<Vec<u8>>(), b"." | b".."));
    let uri: Uri = path.parse().ok().filter(|_| is_page && is_plain && is_below)?;
    Some(without_secrets(&uri))
}

/// POST /api/v1/links: shortens the address in the body; the answer is the short one.
pub(super) async fn shorten(State(team): State<Team>, headers: HeaderMap, sent: Body) -> Result<Response, TeamError> {
    let links = Links::of(&team, &headers);
    let bytes = body::short(&team, "address", LONGEST_LINK + 1000, sent).await?;
    let path = std::str::from_utf8(&bytes).ok().and_then(|text| own_path(text, &links)).ok_or_else(|| {
        let hint = format!("send an address below {}/d/, /s/ or /services/ of at most {LONGEST_LINK} bytes", links.url());
        TeamError::new(StatusCode::BAD_REQUEST, "this is not an address of a profile or service on this server", hint)
    })?;
    let id = in_store(&team, move |team| match team.store().shorten(&path) {
        Err(StoreError::Refused(why)) => Err(TeamError::new(StatusCode::CONFLICT, why, "")),
        made => Ok(made?),
    });
    let id = id.await?;
    let link = format!("{}/l/{id}", links.url());
    Ok((StatusCode::CREATED, [(header::LOCATION, link.clone())], link + "\n").into_response())
}

/// GET /l/{id}: leads to the address.
pub(super) async fn follow(State(team): State<Team>, Path(id): Path<String>, headers: HeaderMap) -> Result<Redirect, TeamError> {
    let missing = || TeamError::not_found("there is no short link of this name");
    let short: ShortId = id.parse().map_err(|()| missing())?;
    let path = in_store(&team, move |team| Ok(team.store().shortened(&short)?)).await?;
    // Checked again: what is in the store may be older than the rules, or not by us.
    let path = path.and_then(|path| own_path(&path, &Links::of(&team, &headers))).ok_or_else(missing)?;
    Ok(Redirect::to(&path))
}
