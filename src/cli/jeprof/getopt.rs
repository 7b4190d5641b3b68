//! Flag parsing by the rules of Perl's Getopt::Long, which jeprof uses: one dash or two, case-insensitive, unambiguous
//! abbreviations, `--nox` and `--no-x`, values after `=` or a blank, flags anywhere until `--`.

use std::ffi::OsString;

use super::flags::{Flag, Takes, all};

/// Parsed arguments.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// Flag and value, in the order given; switches have `1` or the empty text.
    pub(super) flags: Vec<(&'static str, OsString)>,
    /// Positional arguments.
    pub(super) positional: Vec<OsString>,
    /// Errors, a line each.
    pub(super) mistakes: Vec<String>,
}

impl Given {
    /// The last value of a flag, if it is not empty.
    pub(super) fn value(&self, name: &str) -> Option<&OsString> {
        let given = self.flags.iter().rev().find(|(flag, _)| *flag == name);
        given.map(|(_, value)| value).filter(|value| !value.is_empty())
    }

    /// Value of a flag as text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns whether a switch is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.value(name).is_some()
    }
}

/// Parses the arguments after the program's name.
pub(super) fn read(args: impl IntoIterator<Item = OsString>) -> Given {
    let mut given = Given::default();
    let mut args = args.into_iter();
    while let Some(word) = args.next() {
        let Some(bare) = word.to_str().and_then(bare) else {
            given.positional.push(word);
            continue;
        };
        if bare.is_empty() {
            given.positional.extend(args.by_ref());
            break;
        }
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (bare, None),
        };
        match find(name) {
            Err(mistake) => given.mistakes.push(mistake),
            Ok((flag, on)) => match (flag.takes, value) {
                (Takes::Nothing | Takes::Only, Some(_)) => given.mistakes.push(format!("Option {name} does not take an argument")),
                (Takes::Nothing | Takes::Only, None) => given.flags.push((flag.name, if on { "1" } else { "" }.into())),
                (_, value) => match value.map(OsString::from).or_else(|| args.next()) {
                    None => given.mistakes.push(format!("Option {name} requires an argument")),
                    Some(value) => match complaint(flag.takes, &value.to_string_lossy()) {
                        Some(expected) => given
                            .mistakes
                            .push(format!("Value \"{}\" invalid for option {name} ({expected} expected)", value.to_string_lossy())),
                        None => given.flags.push((flag.name, value)),
                    },
                },
            },
        }
    }
    given
}

/// The word without its dashes; `None` when it is no flag, empty for `--`.
fn bare(word: &str) -> Option<&str> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-').filter(|rest| !rest.is_empty()))?;
    Some(bare)
}

/// The flag that `name` means, and whether it is on.
fn find(name: &str) -> Result<(&'static Flag, bool), String> {
    let lower = name.to_lowercase();
    let spellings = || {
        all().flat_map(|flag| {
            let off = if flag.takes == Takes::Nothing { vec![format!("no{}", flag.name), format!("no-{}", flag.name)] } else { vec![] };
            std::iter::once((flag.name.to_owned(), flag, true)).chain(off.into_iter().map(move |text| (text, flag, false)))
        })
    };
    if let Some((_, flag, on)) = spellings().find(|(text, ..)| *text == lower) {
        return Ok((flag, on));
    }
    let near: Vec<(String, &'static Flag, bool)> = spellings().filter(|(text, ..)| text.starts_with(&lower)).collect();
    match near.first() {
        Some((_, flag, on)) if near.iter().all(|(_, f, o)| f.name == flag.name && o == on) => Ok((flag, *on)),
        Some(_) => {
            let texts: Vec<&str> = near.iter().map(|(text, ..)| text.as_str()).collect();
            Err(format!("Option {name} is ambiguous ({})", texts.join(", ")))
        }
        None => Err(format!("Unknown option: {name}")),
    }
}

/// Error for an invalid value.
fn complaint(takes: Takes, value: &str) -> Option<&'static str> {
    match takes {
        Takes::Int if value.parse::<i64>().is_err() => Some("number"),
        Takes::Float if value.parse::<f64>().ok().is_none_or(|f| !f.is_finite()) => Some("real number"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(args: &str) -> String {
        let given = read(args.split(' ').map(OsString::from));
        let flags = given.flags.iter().map(|(name, value)| format!("{name}={}", value.to_string_lossy()));
        let positional = given.positional.iter().map(|w| w.to_string_lossy().into_owned());
        flags.chain(positional).chain(given.mistakes.iter().map(|m| format!("! {m}"))).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn flags_are_accepted_anywhere_in_any_form() {
        assert_eq!(shown("--text bin -base a.heap x --nodecount=7 --CUM"), "text=1; base=a.heap; nodecount=7; cum=1; bin; x");
        assert_eq!(shown("--focus -x - --noshow_bytes --no-cum -- --text"), "focus=-x; show_bytes=; cum=; -; --text");
    }

    #[test]
    fn unique_abbreviations_are_accepted() {
        assert_eq!(shown("--show_b --inuse_o --heapc --nocu"), "show_bytes=1; inuse_objects=1; heapcheck=1; cum=");
        assert_eq!(shown("--fo"), "! Option fo requires an argument");
        assert_eq!(shown("--inuse"), "! Option inuse is ambiguous (inuse_space, inuse_objects)");
        // An exact name wins over longer ones.
        assert_eq!(shown("--test --debug"), "test=1; debug=1");
    }

    #[test]
    fn errors_have_the_wording_of_getopt_long() {
        assert_eq!(
            shown("--cum=1 --bogus --nodecount=x --nodefraction=y --base"),
            "! Option cum does not take an argument; ! Unknown option: bogus; ! Value \"x\" invalid for option nodecount (number \
             expected); ! Value \"y\" invalid for option nodefraction (real number expected); ! Option base requires an argument"
        );
        assert_eq!(shown("--noheapcheck"), "! Unknown option: noheapcheck");
    }
}
