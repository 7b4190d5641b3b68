//! The options of reports, as documents and menus list them.

use serde::Serialize;

use crate::query::{FIELDS, Kind, LOCAL, ViewKind, applies};

/// An option of reports.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct FieldDoc {
    /// Name.
    pub name: &'static str,
    /// pprof's short name; empty when there is none.
    pub alias: &'static str,
    /// `bool`, `text`, `regex`, `int`, `float` or `choice`.
    pub kind: &'static str,
    /// Allowed values of a choice.
    pub choices: Vec<&'static str>,
    /// Default, as text.
    pub default: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// `shape`, `weight`, `cut` or `show`.
    pub part: &'static str,
    /// Reports that use it.
    pub views: Vec<&'static str>,
}

/// The options, for the page's menus.
pub fn field_docs() -> Vec<FieldDoc> {
    FIELDS
        .iter()
        .filter(|f| !LOCAL.contains(&f.name))
        .map(|f| FieldDoc {
            name: f.name,
            alias: f.alias,
            kind: f.kind.name(),
            choices: if let Kind::Choice(words) = f.kind { words.to_vec() } else { Vec::new() },
            default: f.default,
            doc: f.doc,
            part: f.part.name(),
            views: ViewKind::ALL.into_iter().filter(|k| applies(f, *k)).map(ViewKind::name).collect(),
        })
        .collect()
}
