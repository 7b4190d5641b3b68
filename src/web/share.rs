//! What a link needs so that others can open it.

use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::access::Role;

/// How others reach this server.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Share {
    /// Beginnings of addresses, such as `http://192.168.1.7:8080`; empty when only this machine
    /// reaches the server.
    pub addresses: Vec<String>,
    /// The token that a link must carry, which lets its owner look and nothing more; empty when
    /// none is needed.
    pub token: String,
    /// The command that would let others reach it; empty when they can.
    pub command: String,
}

/// GET /api/v1/share
pub(super) async fn share(State(app): State<App>, Extension(role): Extension<Role>) -> Json<Share> {
    let setup = &app.setup;
    Json(Share {
        addresses: setup.addresses.clone(),
        token: setup.access.reader().unwrap_or_default().to_owned(),
        // It names files of this machine.
        command: if role == Role::Owner { setup.share_command.clone() } else { String::new() },
    })
}
