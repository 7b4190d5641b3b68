//! The start page of a server that has no profile yet: profiles that its owner may open by name.
//!
//! A page never sends paths. It sends the identifier of an entry of the list that it was given, and the opener keeps
//! which files an entry has. Readers get no list.

use axum::extract::{Query, State};
use axum::{Extension, Json};
use serde::Deserialize;

use super::access::Role;
use super::app::App;
use super::error::WebError;
use crate::api::StartList;
use crate::api::{Opened, Opener};

/// An entry of the list.
#[derive(Deserialize)]
pub(super) struct Chosen {
    #[serde(default)]
    id: String,
    #[serde(default)]
    replace: String,
}

/// The number of the profile whose place is to be taken. No profile has a number that cannot be read.
pub(super) fn number(replace: &str) -> Option<u64> {
    (!replace.is_empty()).then(|| replace.parse().unwrap_or(u64::MAX))
}

/// GET /api/v1/start: the list. The owner's only, as it names files of this machine.
pub(super) async fn list(State(app): State<App>, Extension(role): Extension<Role>) -> Result<Json<StartList>, WebError> {
    if role < Role::Owner {
        return Err(WebError::ReadOnly);
    }
    let list = in_turn(&app, |opener| Ok(opener.start_list())).await?;
    Ok(Json(list))
}

/// POST /api/v1/start?id=…&replace=…: opens an entry of the list, while no profile is open or in place of the one with
/// this number.
pub(super) async fn open(State(app): State<App>, Query(Chosen { id, replace }): Query<Chosen>) -> Result<Json<Opened>, WebError> {
    let (replace, quota) = (number(&replace), app.quota.clone());
    in_turn(&app, move |opener| {
        let opened = opener.open_listed(&id, replace).map_err(WebError::Refused)?;
        if replace.is_some() {
            quota.give_back();
        }
        Ok(opened)
    })
    .await
    .map(Json)
}

/// DELETE /api/v1/start/recent: forgets recent files. Returns the new list.
pub(super) async fn clear_recent(State(app): State<App>) -> Result<Json<StartList>, WebError> {
    in_turn(&app, |opener| opener.clear_recent().map_err(WebError::Refused)).await.map(Json)
}

/// Runs `work` with the opener on a thread that may block, one at a time.
async fn in_turn<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&dyn Opener) -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    let opener = app.setup.opener.clone().ok_or(WebError::NoFiles)?;
    let turn = app.opening.clone().acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work(&*opener)
    });
    done.await.map_err(|e| WebError::internal(format!("the files cannot be opened: {e}")))?
}
