//! The page as one file with its data, for those who cannot reach the server: a report for mail
//! and issue trackers that opens from disk and asks nobody anything.
//!
//! The page in it is the server's, built for this purpose as one script; its questions are
//! answered by `web/src/offline/` from the profile's columns. Nothing of the profile is markup:
//! data is gzip in base64, which cannot end its element. Inside it are JSON and behind that the
//! bytes of its columns.

use std::cell::RefCell;
use std::io::{self, BufWriter, Write};

use askama::Template;
use axum::extract::Query;
use axum::http::Uri;
use base64::prelude::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::assets::Files;
use crate::api::{FieldDoc, Meta, explained, field_docs, of_session};
use crate::demangle::Budget;
use crate::query::{Field, SourcePaths, View, ViewKind, applies, clean_path, field};
use crate::report::{Report, SourceReport};
use crate::report_data::{Columns, Package, Redaction, ReportData as Profile, ReportOptions, TextKind, report_data};
use crate::session::Session;

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
    /// Source lines that the file shows; they are left out where something is hidden.
    pub sources: Option<&'a SourceReport>,
    /// When it is made, in seconds since 1970.
    pub made: i64,
}

/// What the page reads: `PageData` of `web/src/offline/data.ts`.
#[derive(Serialize)]
struct Data {
    meta: Meta,
    fields: Vec<FieldDoc>,
    #[serde(skip_serializing_if = "String::is_empty")]
    path: String,
    query: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<SourceReport>,
    /// The answer in a sentence, without filters; empty where names are redacted.
    headline: String,
    /// The same with the filters and dumps of `query`.
    #[serde(skip_serializing_if = "String::is_empty")]
    first_headline: String,
    profile: Profile,
}

/// The page's shell with everything in it.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    version: &'a str,
    made: &'a str,
    title: &'a str,
    policy: &'a str,
    style: &'a str,
    script: &'a str,
    data: &'a str,
    layout: &'a str,
}

/// What the page in a file is made of: the length of the JSON (4 bytes, the lowest first), the
/// JSON, the columns that it names.
///
/// # Errors
/// None but that there are more than 4 GB of texts.
pub fn file_data(session: &Session, options: &FileOptions) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    write_data(session, options, &mut data)?;
    Ok(data)
}

/// Writes the same.
fn write_data(session: &Session, options: &FileOptions, out: &mut dyn Write) -> io::Result<()> {
    let [headline, first_headline] = match (options.redaction, options.query) {
        (Some(_), _) => Default::default(),
        (None, "") => [headline_of(session, ""), String::new()],
        (None, query) => ["", query].map(|query| headline_of(session, query)),
    };
    // What the headline was made from would take as much memory as all that follows.
    session.drop_unused();
    session.drop_unused();
    let shown_path = |path: &str| clean_path(options.paths.map_or(path, |paths| paths.shown(path)));
    let packages = [false, true].map(|by_file| {
        let (packages, of_frame) = session.packages(by_file);
        let package = packages.into_iter().map(|p| Package {
            name: p.name,
            version: p.version,
            kind: p.kind.name(),
            module: p.module,
            wrapper_of: p.wrapper_of.map_or("", |kind| kind.name()),
        });
        (package.collect::<Vec<_>>(), of_frame)
    });
    let types = session.types();
    let names: Vec<[&str; 2]> = types.name.iter().map(|of| [&*of.name, &*of.full_name]).collect();
    let wrappers = session.wrappers();
    let wrappers: Vec<&str> = wrappers.iter().map(String::as_str).collect();
    let budget = RefCell::new(Budget::default());
    let telling = ReportOptions {
        types: (&names, &types.of_row),
        packages: packages.each_ref().map(|(packages, of_frame)| (&packages[..], &of_frame[..])),
        wrappers: &wrappers,
        full_name: &|name| budget.borrow_mut().full_name(name),
        enclosing: &Session::enclosing,
        shown_path: &shown_path,
        redaction: options.redaction,
    };
    let mut columns = Columns::default();
    let profile = report_data(&session.snapshot().profile, &telling, &mut columns);
    let mut meta = meta(session, options.redaction);
    meta.warnings.extend(budget.borrow().warning());
    let sources = options.sources.filter(|_| options.redaction.is_none()).cloned();
    let (path, query) = (options.path.to_owned(), options.query.to_owned());
    let data = Data { meta, fields: field_docs(), path, query, sources, headline, first_headline, profile };
    // The length comes first. Making the text twice takes less memory than keeping it.
    let mut length = Length(0);
    serde_json::to_writer(&mut length, &data)?;
    let length = u32::try_from(length.0).map_err(|_| io::Error::other("the profile has more texts than a page can hold"))?;
    out.write_all(&length.to_le_bytes())?;
    let mut buffered = BufWriter::new(&mut *out);
    serde_json::to_writer(&mut buffered, &data)?;
    buffered.flush()?;
    drop(buffered);
    drop(data);
    out.write_all(columns.bytes())
}

/// Counts the bytes that are written.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Headline of the summary with the dumps and filters of `query`; empty where there is nothing to say. Which frames are folded
/// changes no summary, and what other views alone have is left out.
fn headline_of(session: &Session, query: &str) -> String {
    let Ok(uri) = Uri::try_from(format!("/?{query}")) else { return String::new() };
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(&uri) else { return String::new() };
    let folds = |field: &Field| matches!(field.name, "hide_kind" | "culprit");
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let pairs = pairs.filter(|(name, _)| field(name).is_some_and(|field| applies(field, ViewKind::Summary) && !folds(field)));
    let Ok(view) = View::parse(ViewKind::Summary, pairs) else { return String::new() };
    match session.answer(&view) {
        Ok(Report::Summary(summary)) => explained(session, &view, &summary).map_or(String::new(), |(_, headline)| headline),
        _ => String::new(),
    }
}

/// What is open, without what must not be told.
fn meta(session: &Session, redaction: Option<&Redaction>) -> Meta {
    let mut meta = of_session(session);
    let Some(redaction) = redaction else { return meta };
    meta.file = redaction.apply(TextKind::MappedFile, &meta.file);
    let mut series: Vec<String> = meta.dumps.iter().map(|dump| dump.series.clone()).filter(|name| !name.is_empty()).collect();
    series.sort();
    series.dedup();
    for (number, dump) in meta.dumps.iter_mut().enumerate() {
        dump.name = format!("dump {}", number + 1);
        // Processes stay apart.
        if !dump.series.is_empty() {
            let process = series.iter().position(|name| *name == dump.series).unwrap_or(0);
            dump.series = format!("process {}", process + 1);
        }
    }
    for mapping in &mut meta.mappings {
        mapping.file = redaction.apply(TextKind::MappedFile, &mapping.file);
        mapping.build_id.clear();
    }
    for (number, build) in meta.builds.iter_mut().flat_map(|builds| &mut builds.build).enumerate() {
        build.file = format!("build {}", number + 1);
    }
    let told = |what: TextKind| move |text: &mut String| *text = redaction.apply(what, text);
    meta.label_keys.iter_mut().for_each(told(TextKind::LabelKey));
    meta.label_keys.sort_unstable();
    meta.value_types.iter_mut().map(|t| &mut t.kind).for_each(told(TextKind::ValueType));
    meta.value_types.iter_mut().map(|t| &mut t.unit).for_each(told(TextKind::Unit));
    told(TextKind::ValueType)(&mut meta.default_value_type);
    // Both name files of this machine.
    meta.symbols.verdict.clear();
    meta.symbols.modules.clear();
    meta.warnings.clear();
    meta
}

/// Writes the file. O(size).
///
/// # Errors
/// Those of `out`, and that the page was not built.
pub fn write_file(session: &Session, options: &FileOptions, out: &mut dyn Write) -> io::Result<()> {
    let missing = |name: &str| io::Error::other(format!("the program was built without {name}"));
    let asset = |name: &str| Files::get(name).ok_or_else(|| missing(name));
    let (script, style) = (asset("report/report.js")?, asset("assets/app.css")?);
    let layout_name = Files::iter().find(|name| name.starts_with("assets/layout-") && name.ends_with(".js"));
    let layout = asset(&layout_name.ok_or_else(|| missing("the graph's layout"))?)?;
    let data = gzip(|out| write_data(session, options, out))?;
    let meta = meta(session, options.redaction);
    let title = match meta.file.as_str() {
        "" => "heapview report".to_owned(),
        file => format!("{file} · {} · heapview report", meta.default_value_type),
    };
    let made = jiff::Timestamp::from_second(options.made).map_or(String::new(), |t| t.to_string());
    let policy = policy(&script.metadata.sha256_hash(), &style.metadata.sha256_hash());
    let text = |bytes| std::str::from_utf8(bytes).map_err(io::Error::other);
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        made: &made,
        title: &title,
        policy: &policy,
        style: text(&style.data)?,
        script: text(&script.data)?,
        data: &BASE64_STANDARD.encode(&data),
        layout: &BASE64_STANDARD.encode(gzip(|out| out.write_all(&layout.data))?),
    };
    page.write_into(out).map_err(io::Error::other)
}

/// What the file may do: run its own script and style, and WebAssembly in a worker of its own. It may reach nothing.
fn policy(script: &[u8; 32], style: &[u8; 32]) -> String {
    let [script, style] = [script, style].map(|hash| BASE64_STANDARD.encode(hash));
    format!(
        "default-src 'none'; script-src 'sha256-{script}' 'wasm-unsafe-eval'; style-src 'sha256-{style}'; img-src data: blob:; \
         worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
}

fn gzip(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    write(&mut encoder)?;
    encoder.finish()
}
