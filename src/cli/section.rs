//! Tables of a TOML file, with lines in errors.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::query::nearest;

/// Line number and error.
pub(super) type Problem = (usize, String);

/// A key and its value.
pub(super) type Entry<'a> = (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

/// A table of a file.
pub(super) struct Section<'a> {
    pub(super) text: &'a str,
    /// As it is written, such as `[kinds]`; for the top of the file, the file's name.
    pub(super) name: String,
    pub(super) table: &'a DeTable<'a>,
}

/// The tables of a text.
pub(super) fn root(text: &str) -> Result<Spanned<DeTable<'_>>, Problem> {
    DeTable::parse(text)
        .map_err(|error| (line(text, error.span().map_or(0, |span| span.start)), error.message().lines().collect::<Vec<_>>().join("; ")))
}

fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|b| *b == b'\n').count()
}

impl<'a> Section<'a> {
    /// Its entries, from the top of the file.
    pub(super) fn entries(&self) -> Vec<Entry<'a>> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    pub(super) fn problem(&self, at: Range<usize>, problem: String) -> Problem {
        (line(self.text, at.start), problem)
    }

    pub(super) fn problem_of<T>(&self, at: Range<usize>, problem: &str) -> Result<T, Problem> {
        Err(self.problem(at, problem.to_owned()))
    }

    /// Error for an unknown key.
    pub(super) fn unknown(&self, key: &Spanned<Cow<str>>, known: &[&str]) -> Problem {
        let near = nearest(key.get_ref(), known.iter().copied());
        let hint = near.map_or_else(|| format!("expected {}", known.join(", ")), |near| format!("did you mean {near}?"));
        self.problem(key.span(), format!("{} has no {:?}; {hint}", self.name, key.get_ref()))
    }

    /// Error for a value of another type.
    fn wrong(&self, key: &str, value: &Spanned<DeValue>, expected: &str) -> Problem {
        let found = value.get_ref().type_str();
        self.problem(value.span(), format!("{key} in {} must be {expected}, found {found}", self.name))
    }

    /// The texts of a list.
    pub(super) fn texts(&self, key: &str, value: &'a Spanned<DeValue<'a>>, example: &str) -> Result<Vec<(&'a str, Range<usize>)>, Problem> {
        let wrong = |value: &Spanned<DeValue>| self.wrong(key, value, &format!("a list of strings such as {example}"));
        let items = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
        items.iter().map(|item| item.get_ref().as_str().map(|text| (text, item.span())).ok_or_else(|| wrong(item))).collect()
    }

    /// A text.
    pub(super) fn text(&self, key: &str, value: &'a Spanned<DeValue<'a>>, example: &str) -> Result<&'a str, Problem> {
        value.get_ref().as_str().ok_or_else(|| self.wrong(key, value, &format!("a string such as {example}")))
    }

    /// `true` or `false`.
    pub(super) fn is_true(&self, key: &str, value: &Spanned<DeValue>) -> Result<bool, Problem> {
        value.get_ref().as_bool().ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    /// A table in it, `name` as in messages.
    pub(super) fn inner(&self, key: &str, value: &'a Spanned<DeValue<'a>>, name: &str) -> Result<Section<'a>, Problem> {
        let wrong = || self.problem(value.span(), format!("{key} must be a section, {name}, found {}", value.get_ref().type_str()));
        let table = value.get_ref().as_table().ok_or_else(wrong)?;
        Ok(Section { text: self.text, name: name.to_owned(), table })
    }
}
