//! The view requested on the command line.

use std::path::PathBuf;

use anyhow::Result;

use crate::open::libraries::libraries;
use crate::query;
use crate::query::{QueryError, View, ViewKind};
use crate::sources::Sources;

/// Parses the options of a view.
pub(super) fn parse_view(kind: ViewKind, pairs: &[(String, String)]) -> Result<View> {
    View::parse(kind, pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()))).map_err(query_errors)
}

/// Locations of source files. Profiles and binaries are untrusted: files they name are opened only if they are source code in
/// the current project, in directories that the user named, or in known libraries.
pub(super) fn sources_of(view: &View) -> Sources {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let sources = Sources::new(&view.shape.paths, &std::env::current_dir().unwrap_or_default(), home.as_deref());
    sources.confined_to_source_code().with_libraries(libraries(home.as_deref()))
}

/// Everything wrong with a question, as one error.
pub(super) fn query_errors(errors: Vec<QueryError>) -> anyhow::Error {
    anyhow::Error::msg(query::in_one_line(&errors))
}
