//! Shared links: what other machines need to open them.

use axum::extract::{Query, State};
use axum::{Extension, Json};
use serde::Serialize;

use super::access::Role;
use super::app::App;
use super::error::WebError;
use crate::query::ViewKind;

/// Links and command for sharing this server.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Share {
    /// Start of the addresses, such as `http://192.168.1.7:8080`; empty if only this machine
    /// can connect.
    pub addresses: Vec<String>,
    /// Read-only token for links; empty if
    /// none is needed.
    pub token: String,
    /// Command that lets others connect; empty if they can.
    pub command: String,
}

/// GET /api/v1/share, with the parameters of the view: the command keeps its filters and base.
pub(super) async fn share(
    State(app): State<App>,
    Extension(role): Extension<Role>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Json<Share>, WebError> {
    let setup = &app.setup;
    let command = match &setup.share_command {
        // It names files of this machine.
        Some(command) if role == Role::Owner => command(&app.view(ViewKind::Top, &pairs)?),
        _ => String::new(),
    };
    Ok(Json(Share { addresses: setup.addresses.clone(), token: setup.access.reader().unwrap_or_default().to_owned(), command }))
}
