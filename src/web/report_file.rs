//! The page as one file with its data, for those who cannot reach the server: a report for mail and issue trackers that opens
//! from disk and asks nobody anything.
//!
//! The page in it is the server's, built for this purpose as one script. Its questions are answered by the core as WebAssembly
//! (`engine/`), in a worker, from [`crate::report_data`]. Nothing of the profile is markup: data is gzip in base 85 without `<`, which cannot
//! end its element. The script comes first and the data last, so that a truncated file still says what is wrong with it.

use std::io::{self, Write};

use askama::Template;
use axum::extract::Query;
use axum::http::Uri;
use base64::prelude::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::assets::{Files, layout, report_engine};
use crate::api::program;
use crate::base::plain::base_name;
use crate::query::{SourcePaths, split_list};
use crate::report_data::{Attachment, Redaction, TextKind, base85, pack};
use crate::session::{ReportDataOptions, Session};

/// Runs the page's script, which is compressed: it is as long as the profile of many programs.
const START: &str = include_str!("../../web/templates/report-start.js");

/// What goes into a file besides the profile.
#[derive(Default)]
pub struct FileOptions<'a> {
    /// What is hidden; `None`: nothing.
    pub redaction: Option<&'a Redaction>,
    /// Path of the first view's address, such as `/flamegraph`; empty: the summary.
    pub path: &'a str,
    /// The query of the first view's address, such as `f=cache`; empty: everything.
    pub query: &'a str,
    /// How paths of source files are printed; `None`: as they are.
    pub paths: Option<&'a SourcePaths>,
    /// Source text and machine code that the file shows; they are left out where something is hidden.
    pub attachments: Vec<Attachment>,
    /// When it is made, in seconds since 1970.
    pub made: i64,
}

/// The page's shell with everything in it.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    version: &'a str,
    made: &'a str,
    title: &'a str,
    policy: &'a str,
    /// Path and query of the first view; empty: everything.
    address: &'a str,
    style: &'a str,
    script: &'a str,
    /// Unpacks and runs the script.
    start: &'a str,
    engine: &'a str,
    layout: &'a str,
    data: &'a str,
}

/// Writes the file. O(size).
///
/// # Errors
/// Those of `out`, and that the page or the engine was not built.
pub fn write_file(session: &Session, options: FileOptions, out: &mut dyn Write) -> io::Result<()> {
    let FileOptions { redaction, path, query, paths, attachments, made } = options;
    let missing = |name: &str| io::Error::other(format!("the program was built without {name}"));
    let asset = |name: &str| Files::get(name).ok_or_else(|| missing(name));
    let (script, style, engine) = (asset("report/report.js")?, asset("assets/app.css")?, report_engine()?);
    let layout = layout().ok_or_else(|| missing("the layout engine"))?;
    let snapshot = session.snapshot();
    let file = program(&snapshot);
    let value_type = snapshot.profile.default_value_type().map_or("", |i| &snapshot.profile.value_types()[i].kind);
    let (file, value_type) = match redaction {
        Some(redaction) => (redaction.apply(TextKind::MappedFile, &file), redaction.apply(TextKind::ValueType, value_type)),
        None => (file, value_type.to_owned()),
    };
    let title = if file.is_empty() { "heapview report".to_owned() } else { format!("{file} · {value_type} · heapview report") };
    let time = jiff::Timestamp::from_second(made).map_or(String::new(), |t| t.to_string());
    let data = session.to_report_data(ReportDataOptions {
        redaction,
        path,
        query: pairs(query),
        source_paths: paths.map_or_else(Default::default, shown_paths),
        attachments,
        made,
    });
    let policy = policy(&[&Sha256::digest(START).into(), &script.metadata.sha256_hash()], &style.metadata.sha256_hash());
    let text = |bytes| std::str::from_utf8(bytes).map_err(io::Error::other);
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        made: &time,
        title: &title,
        policy: &policy,
        address: &[if path.is_empty() && !query.is_empty() { "/" } else { path }, query].join(if query.is_empty() { "" } else { "?" }),
        style: text(&style.data)?,
        // Read before there is a script that knows another encoding.
        script: &BASE64_STANDARD.encode(gzip(&script.data)?),
        start: START,
        engine: &base85::encode(&engine),
        layout: &base85::encode(&layout),
        data: &pack(&data),
    };
    page.write_into(out).map_err(io::Error::other)
}

/// Marks in [`shell`], which a page replaces by what it knows.
const MARKS: [&str; 6] = ["@made@", "@title@", "@address@", "@engine@", "@layout@", "@data@"];

/// A report file without what depends on the profile, and without engine and layout: [`MARKS`] are in their places.
///
/// # Errors
/// The page was not built.
pub(super) fn shell() -> io::Result<String> {
    let asset = |name: &str| Files::get(name).ok_or_else(|| io::Error::other(format!("the program was built without {name}")));
    let (script, style) = (asset("report/report.js")?, asset("assets/app.css")?);
    let policy = policy(&[&Sha256::digest(START).into(), &script.metadata.sha256_hash()], &style.metadata.sha256_hash());
    let [made, title, address, engine, layout, data] = MARKS;
    let style = std::str::from_utf8(&style.data).map_err(io::Error::other)?;
    let script = BASE64_STANDARD.encode(gzip(&script.data)?);
    let version = env!("CARGO_PKG_VERSION");
    let page = Page { version, made, title, policy: &policy, address, style, script: &script, start: START, engine, layout, data };
    page.render().map_err(io::Error::other)
}

/// The parameters of a query; none if it is not one.
fn pairs(query: &str) -> Vec<(String, String)> {
    let uri = Uri::try_from(format!("/?{query}")).ok();
    uri.and_then(|uri| Query::try_from_uri(&uri).ok()).map_or(Vec::new(), |Query(pairs)| pairs)
}

/// What paths of source files are printed by, without the rest of the folders that were searched on this machine.
fn shown_paths(paths: &SourcePaths) -> [String; 2] {
    let names: Vec<&str> = split_list(&paths.search).map(base_name).collect();
    [names.join(if cfg!(windows) { ";" } else { ":" }), paths.trim.clone()]
}

/// What the file may do: run its own scripts and style, and WebAssembly in a worker of its own. It may reach nothing.
fn policy(scripts: &[&[u8; 32]], style: &[u8; 32]) -> String {
    let scripts: String = scripts.iter().map(|hash| format!("'sha256-{}' ", BASE64_STANDARD.encode(hash))).collect();
    let style = BASE64_STANDARD.encode(style);
    format!(
        "default-src 'none'; script-src {scripts}'wasm-unsafe-eval'; style-src 'sha256-{style}'; img-src data: blob:; \
         worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
