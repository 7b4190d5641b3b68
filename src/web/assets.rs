//! The built web app, carried inside the program, and the page that loads it.

use std::borrow::Cow;
use std::io::{self, Read};

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use ruzstd::decoding::StreamingDecoder;

use super::access::Role;
use super::app::App;
use super::error::WebError;
use crate::api::AnswerError;

#[derive(RustEmbed)]
#[folder = "web/static"]
pub(super) struct Files;

/// Ending of files that are stored compressed, by Zstandard.
const COMPRESSED: &str = ".zst";

/// The page's shell: everything else is script and the API.
#[derive(Template)]
#[template(path = "index.html")]
struct IndexTemplate {
    title: String,
    /// Where the addresses of the profile begin; empty for the only one of a server.
    prefix: String,
    /// Page of a team server that lists it; empty: there is none.
    home: String,
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
    let html = IndexTemplate { title, prefix: app.prefix.clone(), home: app.home.clone(), boot }.render().map_err(|e| internal(&e))?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Html(html)).into_response())
}

/// A file of the bundle, with an ETag.
pub(super) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let Some((file, is_compressed)) = found(path) else {
        return WebError::from(AnswerError::NotFound).into_response();
    };
    let tag = file.metadata.sha256_hash().iter().take(8).fold(String::from("\""), |t, b| format!("{t}{b:02x}")) + "\"";
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let bytes = match is_compressed.then(|| decompressed(&file.data)).transpose() {
        Ok(bytes) => bytes.map_or(file.data, Cow::Owned),
        Err(error) => return WebError::internal(format!("{path} cannot be decompressed: {error}")).into_response(),
    };
    (caching, [(header::CONTENT_TYPE, content_type(path))], bytes).into_response()
}

/// A file and whether it is stored compressed, as large ones are.
fn found(path: &str) -> Option<(EmbeddedFile, bool)> {
    let plain = Files::get(path).map(|file| (file, false));
    plain.or_else(|| Files::get(&format!("{path}{COMPRESSED}")).map(|file| (file, true)))
}

/// Content of a file that is stored compressed.
///
/// # Errors
/// It was not built by `web/compress.mjs`.
pub(super) fn decompressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    StreamingDecoder::new(bytes).map_err(io::Error::other)?.read_to_end(&mut plain)?;
    Ok(plain)
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

/// The layout engine of graphs, compressed by zstd.
pub(super) fn layout() -> Option<Cow<'static, [u8]>> {
    let name = Files::iter().find(|name| name.starts_with("assets/layout-") && name.ends_with(COMPRESSED))?;
    Files::get(&name).map(|file| file.data)
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
