//! Parses pairs of names and values to a [`View`], for flags, URLs and the API.

use super::conditions::Conditions;
use super::fields::{FIELDS, Field, Kind, field, nearest};
use super::tag_filter::TagFilter;
use super::view::{Dumps, View, ViewKind};
use super::{Pattern, QueryError};

impl View {
    /// Reads `pairs` (names may be pprof's short ones). An empty value leaves the default;
    /// of a repeated name the first counts. All errors are reported together.
    pub fn parse<'a>(kind: ViewKind, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<View, Vec<QueryError>> {
        let mut view = View::new(kind);
        let mut errors = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (name, value) in pairs {
            let Some(field) = field(name) else {
                let nearest = nearest(name, FIELDS.iter().map(|f| f.name));
                errors.push(QueryError::Unknown { name: name.into(), nearest });
                continue;
            };
            if value.is_empty() || seen.contains(&field.name) {
                continue;
            }
            seen.push(field.name);
            if let Err(error) = (field.set)(&mut view, field, value) {
                errors.push(error);
            }
        }
        if errors.is_empty() { Ok(view) } else { Err(errors) }
    }

    /// The view as pairs, in the order of FIELDS, defaults left out: `parse(pairs(v)) == v`.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        FIELDS.iter().filter_map(|f| Some((f.name, (f.get)(self)?))).collect()
    }
}

/// Fields that name keys of labels.
const LISTS: [&str; 2] = ["tagroot", "tagleaf"];

/// Most keys in such a field of a visitor: each is a frame of every stack.
const MOST_KEYS: usize = 50;

/// Fields that hold a [`TagFilter`].
const TAG_FILTERS: [&str; 2] = ["tagfocus", "tagignore"];

/// Returns whether a remote client may send these options: each regexp is within a limit of its compiled size, in bytes, and
/// lists are within a limit of words.
pub fn check_limits<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>, limit: usize) -> Result<(), Vec<QueryError>> {
    let mut errors = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in pairs {
        // As in `View::parse`, the first one counts.
        let Some(field) = field(name).filter(|field| !value.is_empty() && !seen.contains(&field.name)) else { continue };
        seen.push(field.name);
        if LISTS.contains(&field.name) && value.split(',').count() > MOST_KEYS {
            errors.push(field.bad(value, format!("at most {MOST_KEYS} keys")));
        }
        let has_tags = TAG_FILTERS.contains(&field.name);
        if field.kind != Kind::Regex && !has_tags {
            continue;
        }
        let checked = if has_tags { TagFilter::check(value, limit) } else { Pattern::within(value, limit).map(drop) };
        errors.extend(checked.err().map(|problem| QueryError::Pattern { field: field.name, value: value.into(), problem }));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

impl Field {
    pub(super) fn dumps(&self, value: &str) -> Result<Option<Dumps>, QueryError> {
        // 32 bits, so that all systems take the same numbers.
        let numbers: Result<Vec<usize>, _> = value.split(',').map(|n| n.trim().parse().map(|n: u32| n as usize)).collect();
        numbers
            .map(|mut n| {
                n.sort_unstable();
                n.dedup();
                Some(Dumps(n))
            })
            .map_err(|_| self.bad(value, "a dump's number, or several with commas"))
    }

    pub(super) fn conditions(&self, value: &str) -> Result<Option<Conditions>, QueryError> {
        Conditions::new(value).map(Some).map_err(|expected| self.bad(value, expected))
    }

    pub(super) fn tag_filter(&self, value: &str) -> Result<Option<TagFilter>, QueryError> {
        let filter = TagFilter::new(value);
        filter.map(Some).map_err(|problem| QueryError::Pattern { field: self.name, value: value.into(), problem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_mean_the_same() {
        let short = View::parse(ViewKind::Top, [("f", "Vec"), ("n", "3"), ("g", "lines")]).unwrap();
        let long = View::parse(ViewKind::Top, [("focus", "Vec"), ("nodecount", "3"), ("granularity", "lines")]).unwrap();
        assert_eq!(short, long);
    }

    #[test]
    fn all_errors_come_together() {
        let errors = View::parse(ViewKind::Top, [("focuss", "x"), ("n", "many"), ("hide", "((")]).unwrap_err();
        let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(text[0], r#"unknown option "focuss"; did you mean "focus"?"#);
        assert_eq!(text[1], r#"nodecount="many" is not a whole number"#);
        assert!(text[2].starts_with(r#"hide: the expression "((" does not compile"#), "{}", text[2]);
    }

    #[test]
    fn defaults_are_left_out() {
        assert_eq!(View::new(ViewKind::Graph).pairs(), []);
    }
}
