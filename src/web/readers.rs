//! What readers are not told: where files are on this machine. Owners see whole paths; answers to readers have
//! only what identifies a file on every machine (`serde-1.0.200/src/de.rs`, `main.rs`).
//!
//! Every text answer of the API passes through this filter, so that a new field cannot be forgotten. Events and the
//! profile as a file are filtered where they are made; the page itself contains no paths.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use regex::{Captures, Regex};

use super::App;
use super::access::Role;
use super::api::Meta;
use super::error::WebError;
use crate::export::{PathsInText, source_path};

/// Longest answer that is changed where others wait for, bytes.
const SHORT: usize = 64 << 10;

/// Finds paths in answers.
pub(super) struct PathFilter {
    in_text: PathsInText,
    /// A text of JSON that is a path as a whole, blanks and all.
    whole: Option<Regex>,
}

impl PathFilter {
    pub(super) fn new() -> Self {
        PathFilter { in_text: PathsInText::new(), whole: Regex::new(r#""(/[^"\\/]+/[^"\\]*)""#).ok() }
    }

    /// A text without folders of this machine.
    pub(super) fn cut(&self, text: &str) -> String {
        let whole = |found: &Captures| format!("\"{}\"", source_path(&found[1]));
        let text = self.whole.as_ref().map_or(text.into(), |paths| paths.replace_all(text, whole));
        self.in_text.cut(&text)
    }

    /// A name, label or comment without folders of this machine.
    pub(super) fn cut_name(&self, text: &str) -> String {
        self.in_text.cut(text)
    }

    /// What is open, without folders of this machine.
    pub(super) fn cut_meta(&self, meta: &mut Meta) {
        for dump in &mut meta.dumps {
            for name in [&mut dump.name, &mut dump.series] {
                if !name.contains("://") {
                    *name = source_path(name);
                }
            }
        }
        meta.mappings.iter_mut().for_each(|mapping| mapping.file = source_path(&mapping.file));
        meta.builds.iter_mut().flat_map(|builds| &mut builds.build).for_each(|build| build.file = source_path(&build.file));
        for module in &mut meta.symbols.modules {
            module.looked.clear();
            [&mut module.file, &mut module.debug_file].into_iter().for_each(|file| *file = source_path(file));
            let sentences = module.remedy.iter_mut().chain([&mut module.name, &mut module.problem, &mut module.debug]);
            sentences.for_each(|text| *text = self.in_text.cut(text));
        }
        let sentences = meta.warnings.iter_mut().chain([&mut meta.symbols.verdict, &mut meta.symbols.fetching, &mut meta.waiting]);
        sentences.for_each(|text| *text = self.in_text.cut(text));
    }
}

/// Cuts paths in answers to readers.
pub(super) async fn cut_paths(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_reader = request.extensions().get() == Some(&Role::Reader);
    // The page itself has addresses of this server in it, and no paths.
    let is_ours = !request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = ["text/", "application/json", "image/svg"].iter().any(|start| kind.starts_with(start));
    if !is_reader || is_ours || !is_text || kind.starts_with("text/event-stream") {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return WebError::Internal("the response was cut off".into()).into_response();
    };
    let is_short = bytes.len() <= SHORT;
    let filter = app.paths.clone();
    let cut = move || filter.cut(&String::from_utf8_lossy(&bytes)).into_bytes();
    let cut = if is_short { Ok(cut()) } else { tokio::task::spawn_blocking(cut).await };
    parts.headers.remove(header::CONTENT_LENGTH);
    match cut {
        // What was counted as on its way ended here; this is sent instead.
        Ok(bytes) => match app.in_flight.send(Role::Reader, bytes) {
            Some(body) => Response::from_parts(parts, body.into()),
            None => WebError::Busy(app.setup.limits.write_timeout).into_response(),
        },
        Err(error) => WebError::Internal(format!("the response failed: {error}")).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_wherever_they_stand() {
        let filter = PathFilter::new();
        for (text, cut) in [
            (r#"{"file":"/home/ann/my work/x.rs","n":3}"#, r#"{"file":"x.rs","n":3}"#),
            (r#"["/tmp/a/b","in /tmp/a/b.so, at 3"]"#, r#"["b","in b.so, at 3"]"#),
            (
                r#""operator/(X const&)" "github.com/a/b.Run" "http://host/a/b""#,
                r#""operator/(X const&)" "github.com/a/b.Run" "http://host/a/b""#,
            ),
            ("main /srv/x/main.c:3\n", "main main.c:3\n"),
            ("<title>main (/srv/x/main.c:3)</title>", "<title>main (main.c:3)</title>"),
            (r#"{"path":"/api"}"#, r#"{"path":"/api"}"#),
        ] {
            assert_eq!(filter.cut(text), cut);
        }
    }
}
