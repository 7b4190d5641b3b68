//! Parses a line of the shell.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::options::{self, COMMENT, Named};
use crate::cli::flags::{Action, ReportFlag, command, command_words};
use crate::profile::Profile;
use crate::query::{ViewKind, nearest};

/// A parsed line.
#[derive(Debug)]
pub(super) enum Line {
    Nothing,
    Quit,
    /// Lists the options.
    Options,
    /// Help on this, or on everything.
    Help(String),
    /// An option is this from now on; empty: its default.
    Set {
        name: &'static str,
        value: String,
    },
    Ask(Question),
}

/// A report, with options that hold only for it.
pub(super) struct Question {
    pub(super) flag: &'static ReportFlag,
    /// Options in the place of the shell's own.
    pub(super) pairs: Vec<(&'static str, String)>,
    pub(super) file: Option<PathBuf>,
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {:?}", self.flag.name, self.pairs, self.file)
    }
}

/// Words of the shell that are no report.
pub(super) const WORDS: [&str; 6] = ["help", "o", "options", "q", "quit", "exit"];

/// Options cleared by `:`, like in pprof.
const CLEARED: [&str; 5] = ["focus=", "ignore=", "hide=", "tagfocus=", "tagignore="];

/// The lines that a line represents: `:`, a value type, `total_` or `mean_` with one.
pub(super) fn expand(line: &str, profile: &Profile) -> Vec<String> {
    let word = line.trim();
    if word == ":" {
        return CLEARED.map(str::to_owned).into();
    }
    let is_type = |kind: &str| profile.value_types().iter().any(|t| t.kind == kind);
    let choose = |kind: &str| format!("sample_index={kind}");
    match (word, word.strip_prefix("total_"), word.strip_prefix("mean_")) {
        (kind, ..) if is_type(kind) => vec![choose(kind)],
        (_, Some(kind), _) if is_type(kind) => vec!["mean=false".into(), choose(kind)],
        (_, _, Some(kind)) if is_type(kind) => vec!["mean=true".into(), choose(kind)],
        _ => vec![line.to_owned()],
    }
}

impl Line {
    /// Reads a line that represents itself.
    pub(super) fn parse(line: &str, profile: &Profile) -> Result<Line> {
        let line = line.find(COMMENT).map_or(line, |at| &line[..at]).trim();
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(value.trim())),
            None => (line, None),
        };
        if let Some(named) = options::named(name) {
            return set(name, named, value);
        }
        let mut words = line.split_whitespace();
        match (words.next(), words.collect::<Vec<_>>()) {
            (None, _) => Ok(Line::Nothing),
            (Some("o" | "options"), _) => Ok(Line::Options),
            (Some("q" | "quit" | "exit"), _) => Ok(Line::Quit),
            (Some("help"), topic) => Ok(Line::Help(topic.join(" "))),
            (Some(word), rest) => parse_report(word, rest, profile),
        }
    }
}

/// `name=value`, or a name alone if that is sufficient.
fn set(name: &str, named: Named, value: Option<&str>) -> Result<Line> {
    Ok(match named {
        Named::Option { name, is_switch } => match value {
            Some("") if is_switch => Line::Set { name, value: "true".into() },
            Some(value) => Line::Set { name, value: value.into() },
            None if is_switch => Line::Set { name, value: "true".into() },
            None => bail!("{name} needs a value, as in {name}=…"),
        },
        Named::Choice { field, word } => match value.map(crate::query::truth) {
            None | Some(Some(true)) => Line::Set { name: field, value: word.into() },
            _ => bail!("{name} is a value of {field}; choose another one, as in {field}=…"),
        },
    })
}

/// A report, its number of rows, filters and file, as pprof reads them.
fn parse_report(word: &str, rest: Vec<&str>, profile: &Profile) -> Result<Line> {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let (flag, digits) = match (command(word), command(name)) {
        (Some(flag), _) => (flag, ""),
        (None, Some(flag)) => (flag, &word[name.len()..]),
        (None, None) => bail!("{}", unknown(word, &rest, profile)),
    };
    let mut pairs = Vec::new();
    let mut words = (!digits.is_empty()).then_some(digits).into_iter().chain(rest);
    if flag.takes_regex {
        let Some(regex) = words.next() else { bail!("{name} needs a regexp, as in {name} REGEX; see \"help {name}\"") };
        pairs.push((flag.field(), regex.to_owned()));
    }
    let (mut focus, mut ignore, mut file) = (Vec::new(), Vec::new(), None);
    while let Some(word) = words.next() {
        if word.parse::<i32>().is_ok() {
            pairs.push(("nodecount", word.to_owned()));
        } else if let Some(name) = word.strip_prefix('>') {
            let Some(name) = Some(name).filter(|n| !n.is_empty()).or_else(|| words.next()) else { bail!("missing file name after >") };
            file = Some(PathBuf::from(name));
        } else if matches!(word, "-cum" | "--cum") {
            pairs.push(("sort", "cum".to_owned()));
        } else if let Some(regex) = word.strip_prefix('-') {
            ignore.push(regex);
        } else {
            focus.push(word);
        }
    }
    let is_tags = flag.action == Action::Report(ViewKind::Tags);
    let (focus_name, ignore_name) = if is_tags { ("tagfocus", "tagignore") } else { ("focus", "ignore") };
    for (name, regexes) in [(focus_name, focus), (ignore_name, ignore)] {
        let regexes: Vec<&str> = regexes.into_iter().filter(|r| !r.is_empty()).collect();
        if !regexes.is_empty() {
            pairs.push((name, regexes.join("|")));
        }
    }
    Ok(Line::Ask(Question { flag, pairs, file }))
}

/// Error for an unknown word, with suggestions.
fn unknown(word: &str, rest: &[&str], profile: &Profile) -> String {
    // `focus cache` for `focus=cache`.
    if options::named(word).is_some() {
        return format!("did you mean {word}={}?", rest.first().unwrap_or(&"…"));
    }
    let options: Vec<&str> = options::names().collect();
    let types = profile.value_types().iter().map(|t| t.kind.as_str());
    let all = command_words().chain(options.iter().copied()).chain(types).chain(WORDS);
    // Words of one letter are near to everything.
    match nearest(word, all.filter(|name| name.len() > 1)) {
        Some(near) if options.contains(&near) => format!("unknown command {word:?}; did you mean {near}=?"),
        Some(near) => format!("unknown command {word:?}; did you mean {near}?"),
        None => format!("unknown command {word:?}; \"help\" lists commands"),
    }
}
