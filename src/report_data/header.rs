//! What report data says beside its tables.

use serde::{Deserialize, Serialize};

use super::redact::{PackageRedaction, TextKind};
use crate::profile::{Dump, Meta, Profile, ValueType};
use crate::query::{Kind, field};
use crate::report::DoctorReport;

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
    /// The summary in a sentence; empty when unknown.
    pub headline: String,
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
}

impl Header {
    pub(super) fn new(profile: &Profile, about: &About, redaction: Option<&PackageRedaction>) -> Self {
        let mut header = Header {
            value_types: profile.value_types().to_vec(),
            dumps: profile.dumps().to_vec(),
            meta: profile.meta().clone(),
            n_cut: profile.n_cut() as u64,
            most_nodes: profile.most_nodes() as u64,
            types_warning: None,
            about: About { version: env!("CARGO_PKG_VERSION").into(), ..about.clone() },
        };
        if let Some(redaction) = redaction {
            header.redact(redaction);
        }
        header
    }

    /// Hides everything that names a machine, a person or a program.
    fn redact(&mut self, packages: &PackageRedaction) {
        let redaction = packages.redaction();
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
        let About { first_view, query, path, made, symbolized, .. } = std::mem::take(&mut self.about);
        let [first_view, query] = [first_view, query].map(|pairs| pairs_without_names(pairs, packages));
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.about = About { version, made, first_view, query, path, symbolized, is_redacted: true, ..About::default() };
    }
}

/// The options of a view that can still be used and name nothing that is hidden: a filter for labels, or for a name that looks
/// different now, would match nothing.
fn pairs_without_names(pairs: Vec<(String, String)>, packages: &PackageRedaction) -> Vec<(String, String)> {
    let redaction = packages.redaction();
    let pairs = pairs.into_iter().filter_map(|(name, value)| {
        let field = field(&name)?;
        let value = match field.kind {
            _ if field.name == "sample_index" => redaction.apply(TextKind::ValueType, &value),
            _ if field.name.starts_with("tag") || ["series", "source_path", "trim_path"].contains(&field.name) => return None,
            _ if ["package", "blame", "kinds"].contains(&field.name) && packages.name(&value) != value => return None,
            Kind::Regex | Kind::Text if redaction.apply(TextKind::Function, &value) != value => return None,
            _ => value,
        };
        Some((name, value))
    });
    pairs.collect()
}
