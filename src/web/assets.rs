//! The built web app, carried inside the program, and the page that loads it.

use std::borrow::Cow;
use std::io;

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

use super::access::Role;
use super::app::App;
use super::error::WebError;
use crate::api::AnswerError;

#[derive(RustEmbed)]
#[folder = "web/static"]
pub(super) struct Files;

/// The page's shell: everything else is script and the API.
#[derive(Template)]
#[template(path = "index.html")]
struct IndexTemplate {
    title: String,
    /// What the page would ask first, as JSON without `<`.
    boot: String,
}

/// Any path that is neither API nor file: the app finds its view from the address.
pub(super) async fn page(State(app): State<App>, Extension(role): Extension<Role>) -> Result<Response, WebError> {
    let meta = super::meta::describe(&app, role);
    let title = match meta.file.as_str() {
        "" => "heapview".to_owned(),
        file => format!("{file} · {} · heapview", meta.default_value_type),
    };
    let internal = |e: &dyn std::error::Error| WebError::internal(format!("the page cannot be made: {e}"));
    // In a script element only `<` could end the block.
    let boot = serde_json::to_string(&meta).map_err(|e| internal(&e))?.replace('<', "\\u003c");
    let html = IndexTemplate { title, boot }.render().map_err(|e| internal(&e))?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Html(html)).into_response())
}

/// A file of the bundle, with an ETag.
pub(super) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let Some(file) = Files::get(uri.path().trim_start_matches('/')) else {
        return WebError::from(AnswerError::NotFound).into_response();
    };
    let tag = file.metadata.sha256_hash().iter().take(8).fold(String::from("\""), |t, b| format!("{t}{b:02x}")) + "\"";
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(header::CONTENT_TYPE, content_type(uri.path()))], file.data).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        _ => "application/octet-stream",
    }
}

/// The core as WebAssembly, compressed by zstd, for pages without a server.
///
/// # Errors
/// The program was built where no toolchain makes WebAssembly.
pub fn engine() -> io::Result<Cow<'static, [u8]>> {
    Files::get("engine/heapview.wasm.zst").map(|file| file.data).ok_or_else(|| {
        io::Error::other(
            "this heapview was built without its WebAssembly engine; for reports and sites that work without a server run \
             `rustup target add wasm32-unknown-unknown` (Debian without rustup: `apt-get install rustc-web cargo-web \
             rust-web-src lld-19`), and build it again in release mode",
        )
    })
}

/// The engine without names of addresses, for report files, which carry no binaries: a sixth smaller.
///
/// # Errors
/// Those of [`engine`].
pub(super) fn report_engine() -> io::Result<Cow<'static, [u8]>> {
    Files::get("engine/report.wasm.zst").map_or_else(engine, |file| Ok(file.data))
}
