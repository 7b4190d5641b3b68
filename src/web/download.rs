//! The page as a file to keep.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::access::Role;
use super::answers::attachment;
use super::app::App;
use super::assets::engine;
use super::compute::{Size, compute, place, streamed};
use super::embedded_sources::embedded_sources;
use super::error::WebError;
use super::report_file::{FileOptions, write_file};
use super::turns::Visitor;
use crate::api::file_name;
use crate::query::ViewKind;

/// Path of the page as a file.
pub(super) const REPORT_FILE: &str = "/api/v1/report.html";

/// Longest address of a first view, bytes.
const LONGEST_ADDRESS: usize = 16 << 10;

/// GET /api/v1/report.html: the page with its data and source lines as one file. `address` is the path and query of the
/// first view; the other parameters are those of its report, which choose the source lines. The owner's only: the file has
/// the paths that the profile has.
pub(super) async fn report_file(
    State(app): State<App>,
    visitor: Visitor,
    Query(mut pairs): Query<Vec<(String, String)>>,
) -> Result<Response, WebError> {
    if visitor.role < Role::Owner {
        return Err(WebError::ReadOnly);
    }
    let address = pairs.iter().find(|(name, _)| name == "address").map_or(String::new(), |(_, address)| address.clone());
    pairs.retain(|(name, _)| name != "address");
    let address = if address.starts_with('/') && address.len() <= LONGEST_ADDRESS { address } else { String::new() };
    let view = app.view(ViewKind::Source, &pairs)?;
    engine().map_err(|error| WebError::NotBuilt(error.to_string()))?;
    let (place, session, files) = (place(&app).await?, app.session.clone(), app.setup.files.clone());
    let created_at = jiff::Timestamp::now().as_second();
    let (file, name) = compute(&app, visitor, Size::Streamed, move || {
        let attachments = embedded_sources(&session, &files, &view)?.into_iter().collect();
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let mut file = Vec::new();
        let options =
            FileOptions { path, query, paths: Some(files.sources().given()), attachments, made: created_at, ..FileOptions::default() };
        write_file(&session, options, &mut file).map_err(|error| WebError::internal(error.to_string()))?;
        let program = crate::api::program(&session.snapshot());
        Ok((file, attachment(&file_name(&[&program, "report"], "html"))))
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, streamed(place, move |out| out.write_all(&file))).into_response())
}
