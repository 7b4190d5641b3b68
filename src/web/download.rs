//! The profile as a file, at pprof's address: what the parameters' filters leave of it, with names.

use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::App;
use super::error::WebError;
use crate::export::write_pprof;
use crate::query::{View, ViewKind};

/// GET /download and /ui/download: pprof's protobuf. Without parameters it is the whole profile.
pub(super) async fn profile(State(app): State<App>, Query(pairs): Query<Vec<(String, String)>>) -> Result<Response, WebError> {
    let view = View::parse(ViewKind::Top, pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()))).map_err(WebError::Query)?;
    let session = app.session.clone();
    // Closed only when the server ends.
    let _turn = app.turns.acquire().await;
    let body = tokio::task::spawn_blocking(move || {
        let mut body = Vec::new();
        write_pprof(&session.filtered(&view)?, &mut body).map_err(|e| WebError::Internal(e.to_string()))?;
        Ok::<_, WebError>(body)
    });
    let body = body.await.map_err(|e| WebError::Internal(format!("the profile cannot be written: {e}")))??;
    let headers = [
        (header::CONTENT_TYPE, "application/vnd.google.protobuf+gzip"),
        (header::CONTENT_DISPOSITION, "attachment;filename=profile.pb.gz"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, body).into_response())
}
