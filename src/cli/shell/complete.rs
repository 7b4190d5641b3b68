//! Completion at the cursor: commands, options, their values, functions, files.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::line::WORDS;
use super::options;
use crate::base::plain::one_line;
use crate::cli::flags::{command, command_words};
use crate::profile::Profile;
use crate::query::{Kind, field};

/// No more than a user would look through.
const MOST: usize = 300;

/// Every word that can be completed.
pub(super) struct Words {
    /// Names of functions that a terminal shows as they are, sorted.
    functions: Vec<String>,
    /// Value types.
    value_types: Vec<String>,
}

impl Words {
    pub(super) fn new(profile: &Profile) -> Self {
        let names = profile.code().functions.iter().map(|f| profile.text(f.name));
        let is_plain = |name: &str| !name.is_empty() && one_line(name) == name;
        let mut functions: Vec<String> = names.filter(|name| is_plain(name)).map(str::to_owned).collect();
        functions.sort_unstable();
        functions.dedup();
        let types = profile.value_types().iter().map(|t| &t.kind);
        Words { functions, value_types: types.filter(|kind| is_plain(kind)).cloned().collect() }
    }

    /// Start of the word before the cursor in `line`, and its candidates: display text and inserted text. `None`: a file's name.
    fn candidates(&self, line: &str) -> Option<(usize, Vec<(String, String)>)> {
        let start = line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let (word, mut before) = (&line[start..], line[..start].split_whitespace());
        let first = before.next();
        let plain = |words: Vec<String>| words.into_iter().map(|w| (w.clone(), w)).collect();
        match first {
            _ if word.starts_with('>') || before.next_back().or(first) == Some(">") => None,
            None => match word.split_once('=') {
                None => Some((start, plain(self.first_words(word)))),
                Some((name, value)) => self.values(name, value).map(|found| (start + name.len() + 1, found)),
            },
            Some("help") => {
                let all = command_words().chain(options::names());
                Some((start, plain(all.filter(|w| w.starts_with(word)).map(str::to_owned).collect())))
            }
            Some(name) if is_report(name) && name != "tags" => {
                let minus = word.len() - word.trim_start_matches('-').len();
                Some((start + minus, self.functions(&word[minus..])))
            }
            Some(_) => Some((start, Vec::new())),
        }
    }

    /// Candidates at the start of a line.
    fn first_words(&self, word: &str) -> Vec<String> {
        let switches = options::names().map(|name| match field(name) {
            Some(field) if field.kind == Kind::Bool => name.to_owned(),
            _ => format!("{name}="),
        });
        let types = self.value_types.iter().flat_map(|t| [t.clone(), format!("total_{t}"), format!("mean_{t}")]);
        let words = command_words().chain(options::choices()).chain(WORDS).map(str::to_owned);
        let mut all: Vec<String> = words.chain(switches).chain(types).filter(|w| w.starts_with(word)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Candidates after `name=`.
    fn values(&self, name: &str, value: &str) -> Option<Vec<(String, String)>> {
        let of = |words: &mut dyn Iterator<Item = &str>| {
            Some(words.filter(|w| w.starts_with(value)).map(|w| (w.to_owned(), w.to_owned())).collect())
        };
        match (name, field(name).map(|f| f.kind)) {
            ("output", _) => None,
            ("sample_index", _) => of(&mut self.value_types.iter().map(String::as_str)),
            (_, Some(Kind::Choice(words))) => of(&mut words.iter().copied()),
            (_, Some(Kind::Bool)) => of(&mut ["true", "false"].into_iter()),
            ("tagshow" | "taghide", _) => Some(Vec::new()),
            (_, Some(Kind::Regex)) => Some(self.functions(value)),
            _ => Some(Vec::new()),
        }
    }

    /// Functions with `word` in their names, as expressions that match them.
    fn functions(&self, word: &str) -> Vec<(String, String)> {
        if word.is_empty() {
            return Vec::new();
        }
        let all = self.functions.iter().map(|name| (name, expression(name)));
        all.filter(|(name, regex)| name.contains(word) || regex.contains(word))
            .take(MOST)
            .map(|(name, regex)| (name.clone(), regex))
            .collect()
    }
}

fn is_report(word: &str) -> bool {
    command(word.trim_end_matches(|c: char| c.is_ascii_digit())).is_some()
}

/// An expression for exactly this text that is one word of a line.
fn expression(name: &str) -> String {
    let quoted = name.chars().map(|c| match c {
        ' ' => ".".to_owned(),
        c if r"\.+*?()|[]{}^$".contains(c) => format!("\\{c}"),
        c => c.to_string(),
    });
    quoted.collect()
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        match self.candidates(&line[..at]) {
            Some((start, found)) => Ok((start, found.into_iter().map(|(display, replacement)| Pair { display, replacement }).collect())),
            None => FilenameCompleter::new().complete_path(line, at),
        }
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}
impl Hinter for Words {
    type Hint = String;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::ProfileBuilder;

    fn found(line: &str) -> Vec<String> {
        let words = Words {
            functions: ["main.(*Cache).put", "alloc::vec::Vec<T> as Clone>::clone", "main.main"].map(str::to_owned).into(),
            value_types: vec!["inuse_space".into()],
        };
        let (start, found) = words.candidates(line).unwrap();
        found.into_iter().map(|(_, word)| format!("{}{word}", &line[..start])).collect()
    }

    #[test]
    fn commands_options_and_values_are_completed() {
        assert_eq!(found("tre"), ["tree"]);
        assert_eq!(found("foc"), ["focus="]);
        assert_eq!(found("noinl"), ["noinlines"]);
        assert_eq!(found("mean_"), ["mean_inuse_space"]);
        assert_eq!(found("help gran"), ["help granularity"]);
        assert_eq!(found("granularity=li"), ["granularity=lines", "granularity=libraries"]);
        assert_eq!(found("sample_index="), ["sample_index=inuse_space"]);
        assert_eq!(found("nonsense x"), Vec::<String>::new());
    }

    #[test]
    fn function_names_are_completed_to_patterns() {
        assert_eq!(found("peek Cache"), [r"peek main\.\(\*Cache\)\.put"]);
        assert_eq!(found("top5 -clone"), ["top5 -alloc::vec::Vec<T>.as.Clone>::clone"]);
        assert_eq!(found("focus=main.main"), [r"focus=main\.main"]);
    }

    #[test]
    fn names_with_control_characters_are_not_completed() {
        let mut builder = ProfileBuilder::new(&[("space\x1b[2J", "bytes"), ("space", "bytes")]);
        for name in ["put", "put\u{202e}tup", "put\n"] {
            let name = builder.string(name);
            builder.function_named(name);
        }
        let words = Words::new(&builder.build());
        assert_eq!((words.functions, words.value_types), (vec!["put".to_owned()], vec!["space".to_owned()]));
    }

    #[test]
    fn files_are_the_editors_own() {
        let words = Words { functions: Vec::new(), value_types: Vec::new() };
        for line in ["top >x", "top > x", "output=x"] {
            assert!(words.candidates(line).is_none(), "{line}");
        }
    }
}
