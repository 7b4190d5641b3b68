//! Options set in the shell: FIELDS, and the output file.

use std::path::PathBuf;

use anyhow::Result;

use crate::analyze;
use crate::cli::flags::NOT_FLAGS;
use crate::cli::request::Request;
use crate::cli::view::parse_view;
use crate::profile::Profile;
use crate::query::{FIELDS, Field, Kind, ViewKind};

/// Starts a comment.
pub(super) const COMMENT: &str = "//:";

/// The option that is no field.
const OUTPUT: &str = "output";

/// Meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// An option; a boolean without a value is switched on.
    Option { name: &'static str, is_switch: bool },
    /// A value of an option that represents the option as well.
    Choice { field: &'static str, word: &'static str },
}

fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|f| !NOT_FLAGS.contains(&f.name))
}

/// The option that `name` represents.
pub(super) fn named(name: &str) -> Option<Named> {
    if name == OUTPUT {
        return Some(Named::Option { name: OUTPUT, is_switch: false });
    }
    fields().find_map(|field| match field.kind {
        kind if field.name == name => Some(Named::Option { name: field.name, is_switch: kind == Kind::Bool }),
        Kind::Choice(words) => words.iter().find(|word| **word == name).map(|&word| Named::Choice { field: field.name, word }),
        _ => None,
    })
}

/// Every name that takes a value.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    fields().map(|f| f.name).chain([OUTPUT])
}

/// Values that may be given without a name.
pub(super) fn choices() -> impl Iterator<Item = &'static str> {
    fields().filter_map(|f| if let Kind::Choice(words) = f.kind { Some(words) } else { None }).flatten().copied()
}

/// Options that were set; others have their defaults.
pub(super) struct Options {
    pairs: Vec<(String, String)>,
    pub(super) output: Option<PathBuf>,
    /// Value type that is shown when none is set.
    pub(super) shown_type: String,
}

impl Options {
    pub(super) fn new(request: &Request) -> Self {
        let mut pairs = request.pairs.clone();
        if pairs.iter().all(|(name, _)| name != "compact_labels") {
            // Like in pprof: the profile was described at the start.
            pairs.push(("compact_labels".into(), "true".into()));
        }
        Options { pairs, output: request.output.file.clone(), shown_type: String::new() }
    }

    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        self.pairs.clone()
    }

    /// Gives an option another value, its default when that is empty.
    pub(super) fn set(&mut self, name: &'static str, value: &str, profile: &Profile) -> Result<()> {
        if name == OUTPUT {
            self.output = Some(PathBuf::from(value)).filter(|_| !value.is_empty());
            return Ok(());
        }
        let view = parse_view(ViewKind::Top, &[(name.to_owned(), value.to_owned())])?;
        analyze::validate_options(profile, &view)?;
        // As the field itself writes it; what is its default need not be remembered.
        let mut canonical = view.pairs().into_iter().find(|(n, _)| *n == name).map(|(_, value)| value);
        if name == "sample_index" {
            let by_number = value.parse().ok().and_then(|i: usize| profile.value_types().get(i));
            canonical = by_number.map(|t| t.kind.clone()).or(canonical);
        }
        self.pairs.retain(|(n, _)| n != name);
        self.pairs.extend(canonical.map(|value| (name.to_owned(), value)));
        Ok(())
    }

    /// Every option with its value and what it can be, one a line, by name.
    pub(super) fn listed(&self, profile: &Profile) -> Result<Vec<String>> {
        let view = parse_view(ViewKind::Top, &self.pairs)?;
        let pairs = view.pairs();
        let mut lines = vec![row(OUTPUT, &self.output.as_ref().map_or(String::new(), |o| o.display().to_string()), "")];
        for field in fields() {
            let set = pairs.iter().find(|(name, _)| *name == field.name).map(|(_, value)| value.as_str());
            let value = match (field.name, set, field.kind) {
                ("sample_index", None, _) => &self.shown_type,
                ("granularity", None, _) => "(default)",
                (_, set, Kind::Bool) => {
                    if set.unwrap_or(field.default) == "t" {
                        "true"
                    } else {
                        "false"
                    }
                }
                (_, set, _) => set.unwrap_or(field.default),
            };
            let comment = match (field.name, field.kind) {
                ("sample_index", _) => list(profile.value_types().iter().map(|t| t.kind.as_str()).collect()),
                (_, Kind::Choice(words)) => {
                    let mut words = words.to_vec();
                    words.sort_unstable();
                    list(words)
                }
                ("nodecount", _) if value == "-1" => format!("{COMMENT} default"),
                _ => String::new(),
            };
            lines.push(row(field.name, value, &comment));
        }
        lines.sort();
        Ok(lines)
    }
}

fn list(words: Vec<&str>) -> String {
    format!("{COMMENT} [{}]", words.join(" | "))
}

fn row(name: &str, value: &str, comment: &str) -> String {
    let value = if value.is_empty() { "\"\"" } else { value };
    format!("  {name:<25} = {value:<20} {comment}")
}
