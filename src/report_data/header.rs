//! What report data says beside its tables.

use serde::{Deserialize, Serialize};

use super::moments::left_out;
use super::redact::{Redaction, TextKind};
use crate::profile::{Accesses, Dump, Meta, ProcessFacts, Profile, ValueType};
use crate::query::{Field, Kind, field};
use crate::report::DoctorReport;

/// First bytes of the data: no text in any encoding, no protobuf message and no compressed file begins so.
pub const MAGIC: &[u8; 10] = b"\x93heapview\n";

/// Version of the encoding, the byte behind [`MAGIC`]. It changes whenever older readers would read something else.
pub const VERSION: u8 = 1;

/// What a session knows beside its profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Version of heapview that wrote the data.
    pub version: String,
    /// When it was written, seconds since 1970 UTC; 0 when unknown.
    pub made: i64,
    /// Warnings, a sentence each.
    pub warnings: Vec<String>,
    /// Diagnosis of the names, if there was one.
    pub doctor: Option<DoctorReport>,
    /// Options of the first view that follow from the files, such as the base.
    pub first_view: Vec<(String, String)>,
    /// Path of the first view's address, such as `/flamegraph`; empty: the summary.
    pub path: String,
    /// Options of the first view's address.
    pub query: Vec<(String, String)>,
    /// Addresses looked up for names, and addresses to look up.
    pub symbolized: [u64; 2],
    /// Where sources were searched, and which beginnings of their paths are not shown (`-source_path`, `-trim_path`).
    pub source_paths: [String; 2],
    /// Whether names are redacted.
    pub is_redacted: bool,
}

/// A file that goes with the data, such as source lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// What it is.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The header, which is written as JSON.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Header {
    pub(super) value_types: Vec<ValueType>,
    pub(super) dumps: Vec<Dump>,
    pub(super) meta: Meta,
    /// Rows that lost callees.
    pub(super) n_cut: u64,
    /// Bound of the nodes of trees that are made from this one.
    pub(super) most_nodes: u64,
    /// Why types may be unknown.
    pub(super) types_warning: Option<String>,
    pub(super) about: About,
    /// Accesses of bytes of blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accesses: Vec<Accesses>,
}

impl Header {
    pub(super) fn new(profile: &Profile, about: &About, redaction: Option<&Redaction>) -> Self {
        let mut header = Header {
            value_types: profile.value_types().to_vec(),
            dumps: profile.dumps().to_vec(),
            meta: profile.meta().clone(),
            n_cut: profile.n_cut() as u64,
            most_nodes: profile.most_nodes() as u64,
            types_warning: None,
            about: About { version: env!("CARGO_PKG_VERSION").into(), ..about.clone() },
            accesses: profile.accesses().to_vec(),
        };
        for (dump, left_out) in header.dumps.iter_mut().zip(left_out(profile.dumps())) {
            dump.is_thinned |= left_out;
        }
        if let Some(redaction) = redaction {
            header.redact(redaction);
        }
        header
    }

    /// Hides everything that names a machine, a person or a program.
    fn redact(&mut self, redaction: &Redaction) {
        let hide = |what: TextKind, text: &mut String| *text = redaction.apply(what, text);
        let hide_type = |value_type: &mut ValueType| {
            hide(TextKind::ValueType, &mut value_type.kind);
            hide(TextKind::Unit, &mut value_type.unit);
        };
        self.value_types.iter_mut().for_each(hide_type);
        let mut series: Vec<String> = self.dumps.iter().map(|dump| dump.series.clone()).filter(|name| !name.is_empty()).collect();
        series.sort();
        series.dedup();
        for (number, dump) in self.dumps.iter_mut().enumerate() {
            dump.name = format!("dump {}", number + 1);
            // Processes stay apart.
            if !dump.series.is_empty() {
                let process = series.iter().position(|name| *name == dump.series).unwrap_or(0);
                dump.series = format!("process {}", process + 1);
            }
        }
        let meta = &mut self.meta;
        meta.period_type.iter_mut().for_each(hide_type);
        hide(TextKind::ValueType, &mut meta.default_type);
        meta.comments.clear();
        for text in [&mut meta.doc_url, &mut meta.drop_frames, &mut meta.keep_frames] {
            text.clear();
        }
        if let Some(builds) = &mut meta.matched_builds {
            let files = builds.builds.iter_mut().map(|build| &mut build.file);
            let files = files.chain(builds.nameless.iter_mut().map(|build| &mut build.file));
            files.zip(1..).for_each(|(file, number): (&mut String, usize)| *file = format!("build {number}"));
        }
        for (run, number) in meta.runs.iter_mut().zip(1..) {
            run.name = format!("recording {number}");
            run.command.clear();
            run.suppressions.clear();
        }
        let mut groups: Vec<String> = meta.process_files.iter().map(|file| file.group.clone()).collect();
        groups.sort();
        groups.dedup();
        for (file, number) in meta.process_files.iter_mut().zip(1..) {
            file.name = format!("{} {number}", file.facts.kind());
            file.group = format!("capture {}", groups.binary_search(&file.group).map_or(0, |at| at + 1));
            file.pid = None;
            match &mut file.facts {
                ProcessFacts::Smaps(maps) => {
                    maps.files.clear();
                    maps.program.clear();
                }
                ProcessFacts::Status(status) => status.program.clear(),
                _ => {}
            }
        }
        let About { first_view, query, path, made, symbolized, .. } = std::mem::take(&mut self.about);
        let [first_view, query] = [first_view, query].map(|pairs| redacted_options(pairs, redaction));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.about = About { version, made, first_view, query, path, symbolized, is_redacted: true, ..About::default() };
    }
}

/// An option of a view as a redacted file has it; `None`: it is left out. Expressions may name, in part or by another spelling,
/// what the file does not; keys of labels have their pseudonyms.
pub fn redacted_option(field: &Field, value: &str, redaction: &Redaction) -> Option<String> {
    match field.name {
        "tagroot" | "tagleaf" => {
            let keys: Vec<String> = value.split(',').map(|key| redaction.apply(TextKind::LabelKey, key)).collect();
            Some(keys.join(","))
        }
        "tagfocus" | "tagignore" | "where" | "kinds" | "series" | "source_path" | "trim_path" => None,
        _ if field.kind == Kind::Regex => None,
        "sample_index" => Some(redaction.apply(TextKind::ValueType, value)),
        _ if field.kind == Kind::Text => Some(redaction.apply(TextKind::Function, value)),
        _ => Some(value.to_owned()),
    }
}

fn redacted_options(pairs: Vec<(String, String)>, redaction: &Redaction) -> Vec<(String, String)> {
    let redacted = |(name, value): (String, String)| Some((name.clone(), redacted_option(field(&name)?, &value, redaction)?));
    pairs.into_iter().filter_map(redacted).collect()
}
