//! The start page of a server that has no profile yet: profiles that its owner may open by name.
//!
//! A page never sends paths. It sends the identifier of an entry of the list that it was given, and the opener keeps
//! which files the entry stands for. Readers get no list.

use axum::extract::{Query, State};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::App;
use super::access::Role;
use super::error::WebError;
use super::files::{Opened, Opener};

/// Profiles to open from the start page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartList {
    /// The folder in which heapview was started.
    pub folder: String,
    /// Profiles in that folder, the newest first. Folders in it are not searched.
    pub here: Vec<StartEntry>,
    /// Whether the folder has more files than are examined.
    pub is_cut: bool,
    /// What was opened before, the latest first.
    pub recent: Vec<StartEntry>,
}

/// Files that are opened together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct StartEntry {
    /// Identifier, to be sent back; it means nothing to another run of the server.
    pub id: String,
    /// Names of the files, without their folders where these are all the same.
    pub name: String,
    /// The folder, when it is another one than that of the server.
    pub folder: String,
    /// Number of dumps; 0 when unknown.
    pub n_dumps: usize,
    /// Size of the files together, bytes; 0 when unknown.
    pub bytes: u64,
    /// When the newest file was written or the entry was opened, nanoseconds since 1970 UTC.
    pub time_nanos: i64,
}

/// An entry of the list.
#[derive(Deserialize)]
pub(super) struct Chosen {
    #[serde(default)]
    id: String,
}

/// GET /api/v1/start: the list. The owner's only, as it names files of this machine.
pub(super) async fn list(State(app): State<App>, Extension(role): Extension<Role>) -> Result<Json<StartList>, WebError> {
    if role < Role::Owner {
        return Err(WebError::ReadOnly);
    }
    let list = in_turn(&app, |opener| Ok(opener.start_list())).await?;
    Ok(Json(list))
}

/// POST /api/v1/start?id=…: opens an entry of the list, while no profile is open.
pub(super) async fn open(State(app): State<App>, Query(Chosen { id }): Query<Chosen>) -> Result<Json<Opened>, WebError> {
    in_turn(&app, move |opener| opener.open_listed(&id).map_err(WebError::Refused)).await.map(Json)
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
    done.await.map_err(|e| WebError::Internal(format!("the files cannot be opened: {e}")))?
}
