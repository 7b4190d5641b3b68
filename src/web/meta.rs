//! GET /api/v1/meta and /api/v1/fields.

use axum::extract::State;
use axum::{Extension, Json};

use super::access::Role;
use super::app::App;
use crate::api::{FieldDoc, Meta, field_docs, of_session};

/// Current metadata of the session.
pub(super) fn describe(app: &App, role: Role) -> Meta {
    let meta = of_session(&app.session);
    let mut meta = Meta {
        instance: app.shared.instance.to_string(),
        query: [app.setup.query.clone(), meta.query.clone()].concat(),
        may_open: role == Role::Owner && app.setup.opener.is_some(),
        may_replace: role == Role::Owner && app.setup.opener.as_ref().is_some_and(|opener| opener.may_replace()),
        room: app.quota.left(),
        ..meta
    };
    if role < Role::Owner {
        app.paths.cut_meta(&mut meta);
    }
    meta
}

/// GET /api/v1/meta
pub(super) async fn meta(State(app): State<App>, Extension(role): Extension<Role>) -> Json<Meta> {
    Json(describe(&app, role))
}

/// GET /api/v1/fields
pub(super) async fn fields() -> Json<Vec<FieldDoc>> {
    Json(field_docs())
}
