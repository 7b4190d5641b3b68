//! Subcommands: `diff`, `merge`, `convert`, `symbolize`.
//!
//! Each is rewritten to the flags it stands for, so that it combines with all other flags.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, bail};

/// A subcommand.
pub(super) struct Word {
    pub(super) name: &'static str,
    /// Its arguments.
    pub(super) usage: &'static str,
    pub(super) doc: &'static str,
}

/// Subcommands that stand for flags.
pub(super) const WORDS: &[Word] = &[
    Word { name: "diff", usage: "[binary] <before> [binary] <after>", doc: "What changed from one dump to another" },
    Word { name: "merge", usage: "[binary] <profile>... -o all.pb.gz", doc: "Add up several profiles into one file" },
    Word {
        name: "convert",
        usage: "[binary] <profile>... -o file",
        doc: "Write .pb.gz, .pb, .collapsed, .symbolized or .json, by the file's extension or -to",
    },
    Word {
        name: "symbolize",
        usage: "[binary] <profile> -o named.pb.gz",
        doc: "Write the profile with names, for machines without the binary",
    },
];

/// Subcommands about the program itself, and jeprof.
pub(super) const ABOUT: &[Word] = &[
    Word { name: "help", usage: "[report or flag | all]", doc: "Help for one report or flag; all: every flag" },
    Word { name: "jeprof", usage: "[jeprof's flags] <program> <profile>...", doc: "Behave like jeprof, as through a link of that name" },
    Word { name: "completions", usage: "bash|zsh|fish", doc: "Shell completion script" },
    Word { name: "man", usage: "| man -l -", doc: "Manual page" },
    Word { name: "version", usage: "", doc: "Print the version" },
];

/// The forms that `convert` writes: names of -to, endings of files, the flag for each.
const FORMS: [(&[&str], &str); 5] = [
    (&["pb.gz", "pprof", "proto"], "--proto"),
    (&["pb"], "--proto_plain"),
    (&["collapsed", "folded"], "--collapsed"),
    (&["symbolized"], "--symbolized"),
    (&["json"], "--profile_json"),
];

/// The words with a first one of [`WORDS`] replaced by flags.
pub(super) fn expand(words: Vec<OsString>) -> Result<Vec<OsString>> {
    let Some(word) = words.first().and_then(|w| w.to_str()).and_then(|w| WORDS.iter().find(|word| word.name == w)) else {
        return Ok(words);
    };
    // A file of that name is meant when it is all there is.
    if words.len() == 1 && Path::new(word.name).exists() {
        return Ok(words);
    }
    let mut rest: Vec<OsString> = words[1..].to_vec();
    let flags: &[&str] = match word.name {
        "diff" => &["--diff"],
        "merge" => &["--proto", "--merge"],
        "convert" => &[form(&mut rest)?],
        _ => &["--proto"],
    };
    Ok(flags.iter().map(OsString::from).chain(rest).collect())
}

/// The flag for what `convert` is to write; takes `-to` out of the words.
fn form(words: &mut Vec<OsString>) -> Result<&'static str> {
    let known = FORMS.map(|(names, _)| names[0]).join(", ");
    if let Some((from, value)) = value_of(words, &["to"]) {
        let Some((_, flag)) = FORMS.iter().find(|(names, _)| names.contains(&value.trim_start_matches('.'))) else {
            bail!("convert: unknown format -to={value}; use one of {known}");
        };
        words.drain(from);
        return Ok(flag);
    }
    let Some((_, output)) = value_of(words, &["o", "output"]) else {
        bail!("convert: missing output: give -o file.pb.gz, or -to={}", known.replace(", ", "|"));
    };
    let ends = |name: &&str| output.strip_suffix(*name).is_some_and(|stem| stem.ends_with('.'));
    match FORMS.iter().find(|(names, _)| names.iter().any(&ends)) {
        Some((_, flag)) => Ok(flag),
        None => bail!("convert: unknown extension of {output}; use one of {known}, or give -to"),
    }
}

/// The value of a flag, and the words that give it.
fn value_of(words: &[OsString], names: &[&str]) -> Option<(std::ops::Range<usize>, String)> {
    let flag = |word: &OsString| Some(word.to_str()?.strip_prefix('-')?.trim_start_matches('-').to_owned());
    words.iter().enumerate().find_map(|(i, word)| {
        let text = flag(word)?;
        match text.split_once('=') {
            Some((name, value)) => names.contains(&name).then(|| (i..i + 1, value.to_owned())),
            None if names.contains(&text.as_str()) => words.get(i + 1).map(|value| (i..i + 2, value.to_string_lossy().into_owned())),
            None => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(words: &str) -> Result<String> {
        let words = expand(words.split_whitespace().map(OsString::from).collect())?;
        Ok(words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_become_flags() {
        assert_eq!(expanded("diff a b -lines").unwrap(), "--diff a b -lines");
        assert_eq!(expanded("merge a b -o c").unwrap(), "--proto --merge a b -o c");
        assert_eq!(expanded("top merge").unwrap(), "top merge");
        assert_eq!(expanded("convert a -o b.pb.gz").unwrap(), "--proto a -o b.pb.gz");
        assert_eq!(expanded("convert a -output=x.folded").unwrap(), "--collapsed a -output=x.folded");
        assert_eq!(expanded("convert a --to json -o x").unwrap(), "--profile_json a -o x");
    }

    #[test]
    fn what_to_write_must_be_told() {
        assert!(expanded("convert a").unwrap_err().to_string().contains("-o file.pb.gz"));
        assert!(expanded("convert a -o b.txt").unwrap_err().to_string().contains("b.txt"));
        assert!(expanded("convert a -to=xml").unwrap_err().to_string().contains("-to=xml"));
    }
}
