//! What the program says of itself, by example, from the tables of reports and options.

use std::fmt::Write;

use anyhow::{Result, bail};

use super::args::Request;
use super::flags::{ACTIONS, Action, NOT_FLAGS, ReportFlag, clap, command, command_words};
use super::output::Target;
use super::words::ABOUT;
use crate::query::{FIELDS, Field, Kind, Part, applies, field, nearest};
use crate::render::Format;

/// Everything, with examples: `-help`.
pub(super) fn long() -> String {
    clap().render_long_help().to_string()
}

/// What fits a screen: `-h`.
pub(super) fn short() -> String {
    let mut text = "\
heapview opens heap profiles (gperftools, jemalloc, pprof) and shows what holds the memory

  heapview [report] [flags] [binary] <profile>...
  heapview -http=: [binary] <profile>...              in the browser
  heapview [binary] <profile>...                      questions and answers, here

Reports:
"
    .to_owned();
    let is_variant = |flag: &&ReportFlag| {
        let is_file_form =
            matches!(flag.action, Action::TopProto | Action::Json | Action::Symbolized | Action::Callgrind | Action::Comments);
        flag.doc.starts_with("The same") || is_file_form || matches!(flag.action, Action::Show(_))
    };
    ACTIONS.iter().filter(|flag| !is_variant(flag)).for_each(|flag| row(&mut text, flag.name, flag.doc));
    let variants: Vec<&str> = ACTIONS.iter().filter(is_variant).map(|flag| flag.name).collect();
    row(&mut text, "in other forms", &variants.join(", "));
    text += "\nWords:\n";
    super::words::WORDS.iter().for_each(|word| row(&mut text, word.name, word.doc));
    text += "\nMost used flags:\n";
    const USED: [&str; 6] = ["focus", "ignore", "sample_index", "nodecount", "sort", "granularity"];
    USED.iter().filter_map(|name| field(name)).for_each(|field| row(&mut text, &format!("-{}=…", field.name), field.doc));
    row(&mut text, "-base=FILE", "Subtract another profile: what grew");
    row(&mut text, "-output=FILE", "Write to a file");
    text += "\nheapview -help shows every flag with examples, heapview help NAME one report or flag.\n";
    text
}

fn row(text: &mut String, name: &str, doc: &str) {
    wide_row(text, name, doc, 16);
}

fn wide_row(text: &mut String, name: &str, doc: &str, width: usize) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "  {name:<width$} {doc}");
}

/// One report or option, for the command line.
pub(super) fn on(topic: &str) -> Result<String> {
    let topic = topic.trim_start_matches('-');
    let is_choice = |field: &&Field| matches!(field.kind, Kind::Choice(words) if words.contains(&topic));
    if topic == "jeprof" {
        return Ok(super::jeprof::usage());
    }
    if let Some(flag) = command(topic) {
        return Ok(on_report(flag, &WORDS));
    }
    if let Some(field) = fields().find(|f| f.name == topic).or_else(|| fields().find(is_choice)) {
        return Ok(on_option(field, &WORDS));
    }
    if let Some(word) = super::words::WORDS.iter().chain(ABOUT).find(|word| word.name == topic) {
        return Ok(format!("{topic}: {}\n\n  heapview {topic} {}\n", word.doc, word.usage));
    }
    let definition = clap();
    if let Some(arg) = definition.get_arguments().find(|a| a.get_long_and_visible_aliases().is_some_and(|names| names.contains(&topic))) {
        let takes = arg.get_value_names().and_then(|names| names.first()).map_or(String::new(), |name| format!("=<{name}>"));
        return Ok(format!("-{topic}{takes}: {}\n", arg.get_help().map(ToString::to_string).unwrap_or_default()));
    }
    let words = super::words::WORDS.iter().chain(ABOUT).map(|word| word.name);
    let known = command_words().chain(words).chain(definition.get_arguments().filter_map(|a| a.get_long()));
    match nearest(topic, known) {
        Some(near) => bail!("there is no report and no flag {topic:?}; did you mean {near}?"),
        None => bail!("there is no report and no flag {topic:?}; heapview -help lists all"),
    }
}

/// Everything, or one command or option, in the shell.
pub(super) fn in_shell(topic: &str) -> Result<String> {
    if topic.is_empty() {
        return Ok(shell_overview());
    }
    let is_choice = |field: &&Field| matches!(field.kind, Kind::Choice(words) if words.contains(&topic));
    if let Some(flag) = command(topic) {
        return Ok(on_report(flag, &SHELL));
    }
    if let Some(field) = fields().find(|f| f.name == topic).or_else(|| fields().find(is_choice)) {
        return Ok(on_option(field, &SHELL));
    }
    if let Some((_, doc)) = SHELL_WORDS.iter().find(|(names, _)| names.split('/').any(|name| name == topic)) {
        return Ok(format!("{topic}: {doc}\n"));
    }
    match nearest(topic, command_words().chain(fields().map(|f| f.name))) {
        Some(near) => bail!("there is no command and no option {topic:?}; did you mean {near}?"),
        None => bail!("there is no command and no option {topic:?}; \"help\" lists all"),
    }
}

/// Commands of the shell that are no report.
const SHELL_WORDS: [(&str, &str); 6] = [
    ("o/options", "All options with their values"),
    ("output", "File that answers go to from now on; empty: the screen"),
    (":", "Clear focus, ignore, hide, tagfocus and tagignore"),
    ("help", "This; \"help NAME\" tells of one command or option"),
    ("q/quit/exit/^D", "Leave"),
    ("//:", "What follows is a comment"),
];

fn shell_overview() -> String {
    let width = fields().map(|f| f.name.len()).max().unwrap_or(0);
    let row = |text: &mut String, name: &str, doc: &str| wide_row(text, name, doc, width);
    let mut text = "Commands:\n".to_owned();
    ACTIONS.iter().for_each(|flag| row(&mut text, flag.name, flag.doc));
    SHELL_WORDS.iter().for_each(|(name, doc)| row(&mut text, name, doc));
    text += "\nOptions (name=value; a switch alone is on):\n";
    fields().for_each(|field| row(&mut text, field.name, field.doc));
    text += "\nValues that stand for their option:\n";
    for field in fields() {
        if let Kind::Choice(words) = field.kind {
            row(&mut text, field.name, &words.join(", "));
        }
    }
    row(&mut text, "sample_index", "any value type, also with total_ or mean_ before it");
    text + "\nFor one of them: help NAME\n"
}

fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|f| !NOT_FLAGS.contains(&f.name))
}

/// How things are written in one place.
struct Place {
    /// Before a report's name.
    before: &'static str,
    /// Behind everything.
    files: &'static str,
    usage: &'static str,
    nodecount: &'static str,
    filters: &'static str,
    cum: &'static str,
    output: &'static str,
    option: &'static str,
    options: &'static str,
}

const SHELL: Place = Place {
    before: "",
    files: "",
    usage: " [n] [regex]... [-regex]... [-cum] [>file]",
    nodecount: " 20",
    filters: " cache -test",
    cum: " -cum",
    output: " >",
    option: "",
    options: "Options that it looks at",
};

const WORDS: Place = Place {
    before: "heapview ",
    files: " server server.0007.heap",
    usage: " [flags] [binary] <profile>...",
    nodecount: " -nodecount=20",
    filters: " -focus=cache -ignore=test",
    cum: " -cum",
    output: " -output=",
    option: "-",
    options: "Flags that it looks at",
};

fn on_report(flag: &ReportFlag, place: &Place) -> String {
    let Place { before, files, .. } = place;
    let name = flag.name;
    let regex = if flag.takes_regex { " <regex>" } else { "" };
    let looked_at: Vec<&str> = fields().filter(|f| is_looked_at(f, flag.action)).map(|f| f.name).collect();
    let has = |name: &str| looked_at.contains(&name);
    let mut examples: Vec<(String, &str)> = Vec::new();
    let mut example = |words: String, meaning| examples.push((format!("{before}{name}{words}{files}"), meaning));
    let which = if flag.takes_regex { " Cache::insert" } else { "" };
    example(which.into(), if flag.takes_regex { "of functions whose names match" } else { "of everything" });
    if has("nodecount") {
        example(format!("{which}{}", place.nodecount), "no more than 20");
    }
    if has("focus") {
        example(format!("{which}{}", place.filters), "of stacks through \"cache\" and not through \"test\"");
    }
    if has("sort") {
        example(format!("{which}{}", place.cum), "by what each holds with all that it calls");
    }
    example(format!("{which}{}{name}.out", place.output), "into a file");
    let longest = examples.iter().map(|(words, _)| words.len()).max().unwrap_or(0);
    let mut text = format!("{name}: {}\n\n  {before}{name}{regex}{}\n\n", flag.doc, place.usage);
    examples.iter().for_each(|(words, meaning)| text += &format!("  {words:longest$}  {meaning}\n"));
    if !looked_at.is_empty() {
        text += &format!("\n{}:\n", place.options);
        lines(&mut text, looked_at.iter().map(|name| format!("{}{name}", place.option)));
    }
    text
}

/// Words as indented lines of no more than 80 columns.
fn lines(text: &mut String, words: impl Iterator<Item = String>) {
    let mut line = String::new();
    for word in words {
        if line.len() + word.len() > 76 {
            *text += &format!(" {line}\n");
            line.clear();
        }
        line += &format!(" {word}");
    }
    *text += &format!(" {line}\n");
}

/// Whether a report looks at an option.
fn is_looked_at(field: &Field, action: Action) -> bool {
    let kind =
        Request { action, format: Format::Text, pairs: Vec::new(), output: Target::default(), redact: None, check: Default::default() }
            .view_kind();
    match action {
        Action::Comments | Action::Doctor => false,
        Action::TopProto | Action::Callgrind | Action::FlameGraph | Action::Picture(_) | Action::Show(_) => applies(field, kind),
        Action::Report(_) => applies(field, kind),
        // They show the profile that the filters leave, whole.
        _ => field.part != Part::Cut && field.part != Part::Show,
    }
}

fn on_option(field: &Field, place: &Place) -> String {
    let Field { name, doc, default, .. } = field;
    let dash = place.option;
    let mut text = format!("{dash}{name}: {doc}\n\n");
    let examples: Vec<String> = match field.kind {
        Kind::Bool => vec![format!("{dash}{name}"), format!("{dash}{name}=false")],
        Kind::Choice(words) => words.iter().flat_map(|word| [format!("{dash}{name}={word}"), format!("{dash}{word}")]).collect(),
        Kind::Regex => vec![format!("{dash}{name}=Cache::insert"), format!("{dash}{name}=cache|pool")],
        Kind::Int => vec![format!("{dash}{name}=20")],
        Kind::Float => vec![format!("{dash}{name}={}", if *default == "1" { "16" } else { "0.01" })],
        Kind::Text => vec![format!("{dash}{name}=…")],
    };
    examples.iter().for_each(|example| text += &format!("  {example}\n"));
    let default = match (field.kind, *default) {
        (Kind::Bool, "t") => "on",
        (Kind::Bool, _) => "off",
        _ if name == &"sample_index" => "what the profile says, else its last",
        (_, "") => "nothing",
        (_, default) => default,
    };
    text + &format!("\nBy default: {default}\n")
}
