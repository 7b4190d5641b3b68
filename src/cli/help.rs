//! Help texts, generated from the tables of reports, subcommands and flags.

use anyhow::{Result, bail};
use clap::Arg;

use super::flags::{ACTIONS, Action, EXAMPLES, NOT_FLAGS, NOTES, ReportFlag, Section, USUAL, clap, command, command_words};
use super::output::Target;
use super::request::Request;
use super::subcommands::{ABOUT, Word, details};
use super::team_flags::Flag;
use super::{push, push_symbols, store, team};
use crate::query::{FIELDS, Field, Kind, Part, ViewKind, applies, field, nearest};
use crate::render::Format;

/// `heapview` alone, on a terminal.
pub(super) const WELCOME: &str = "\
heapview shows which code holds the memory in a heap profile (gperftools, jemalloc, pprof, Go).

  heapview -http=: target/release/server server.0007.heap
      flame graph, tables and source in the browser
  heapview target/release/server server.0007.heap
      summary and a prompt for more reports
  heapview diff target/release/server before.heap after.heap
      what changed between two dumps
  heapview top localhost:6060/debug/pprof/heap
      a running Go program

The binary gives names to the addresses in the profile; Go profiles need none.
heapview -http=: without files opens a page on which you drop or choose a dump.
heapview -help lists reports and common flags, heapview help NAME explains one.
";

/// Usage in one line, for errors.
pub(super) const USAGE: &str = "heapview [report] [flags] [binary] <profile>...";

/// The reports and the common flags, examples first: `-help`.
pub(super) fn long() -> String {
    let mut text = format!("Usage: {USAGE}\n\n{EXAMPLES}");
    reports(&mut text);
    text += "\nOther commands:\n";
    subcommands().filter(|word| word.name != "diff").for_each(|word| row(&mut text, word.name, word.doc));
    text += "\nCommon flags:\n";
    common_flags(&mut text);
    text + "\n" + NOTES + "\nhelp NAME explains one report or flag, help all lists every flag.\n"
}

/// One screen of help: `-h`.
pub(super) fn short() -> String {
    let mut text = format!("heapview shows which code holds the memory in a heap profile\n\nUsage: {USAGE}\n\nReports:\n");
    usual(&mut text);
    let names = |section| ACTIONS.iter().filter(move |flag| flag.section() == section).map(|flag| flag.name.to_owned());
    for (title, section) in [("More reports", Section::More), ("Formats", Section::Formats), ("Graphviz", Section::Graphviz)] {
        text += &format!("\n{title}:\n");
        lines(&mut text, names(section));
    }
    text += "\nCommon flags:\n";
    common_flags(&mut text);
    text + "\nheapview -help shows examples, heapview help NAME one report or flag, heapview help all every flag.\n"
}

/// Every report and flag: `help all`.
pub(super) fn all() -> String {
    let definition = clap();
    let mut text = format!("Usage: {USAGE}\n");
    reports(&mut text);
    text += "\nOther commands:\n";
    subcommands().filter(|word| word.name != "diff").for_each(|word| row(&mut text, word.name, word.doc));
    let mut headings: Vec<&str> = Vec::new();
    for heading in definition.get_arguments().filter_map(|arg| arg.get_help_heading()) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        text += &format!("\n{heading}:\n");
        if heading == "Reports" {
            // They are listed above.
            text += "  Each report is also a flag:\n";
            lines(
                &mut text,
                ACTIONS.iter().map(|flag| if flag.takes_regex { format!("-{}=<regex>", flag.name) } else { format!("-{}", flag.name) }),
            );
            continue;
        }
        for arg in definition.get_arguments().filter(|arg| arg.get_help_heading() == Some(heading)) {
            let Some(name) = arg.get_long() else { continue };
            row(&mut text, &spelled(name, arg), &doc_of(name, arg));
        }
    }
    for (command, text_of) in [("serve", of_serve()), ("store", of_store()), ("push", of_push()), ("push-symbols", of_push_symbols())] {
        text += &format!("\nheapview {command}:\n{text_of}");
    }
    text + "\n" + NOTES
}

/// Flags of `serve`.
fn of_serve() -> String {
    flags_of("serve", &team::FLAGS)
}

/// Commands and flags of `store`.
fn of_store() -> String {
    let mut text = String::new();
    for (name, arguments, doc) in store::COMMANDS {
        row(&mut text, format!("{name} {arguments}").trim(), doc);
    }
    text + &flags_of("store", &[&store::FLAGS[..], &super::store_guard::FLAGS].concat())
}

/// Flags of `push`.
fn of_push() -> String {
    flags_of("push", &push::FLAGS)
}

/// Flags of `push-symbols`.
fn of_push_symbols() -> String {
    flags_of("push-symbols", &push_symbols::FLAGS)
}

/// Flags of a subcommand with flags of its own.
fn flags_of(command: &str, flags: &[Flag]) -> String {
    let mut text = String::new();
    for (name, value, doc) in flags {
        let flag = if value.is_empty() { format!("-{name}") } else { format!("-{name}=<{value}>") };
        row(&mut text, &format!("{command} {flag}"), doc);
    }
    text
}

/// A flag as it is typed: `-focus=<regex>`.
fn spelled(name: &str, arg: &Arg) -> String {
    let value = arg.get_value_names().and_then(|names| names.first());
    match value {
        None => format!("-{name}"),
        // A switch that can also be turned off.
        Some(value) if arg.is_require_equals_set() => format!("-{name}[=<{value}>]"),
        Some(value) => format!("-{name}=<{value}>"),
    }
}

/// Help of a flag, with its values if it takes one of a few words.
fn doc_of(name: &str, arg: &Arg) -> String {
    let doc = arg.get_help().map(ToString::to_string).unwrap_or_default();
    match field(name).map(|field| field.kind) {
        Some(Kind::Choice(words)) => format!("{doc} ({})", words.join(", ")),
        _ => doc,
    }
}

/// All reports by section.
fn reports(text: &mut String) {
    *text += "\nReports:\n";
    usual(text);
    for (title, section) in [
        ("More reports", Section::More),
        ("Formats for other tools", Section::Formats),
        ("Call graph through Graphviz or in another program", Section::Graphviz),
    ] {
        *text += &format!("\n{title}:\n");
        for flag in ACTIONS.iter().filter(|flag| flag.section() == section) {
            row(text, &if flag.takes_regex { format!("{} REGEX", flag.name) } else { flag.name.to_owned() }, flag.doc);
        }
    }
}

/// The six usual reports.
fn usual(text: &mut String) {
    for name in USUAL {
        let doc = command(name).map(|flag| flag.doc).or_else(|| subcommands().find(|word| word.name == name).map(|word| word.doc));
        row(text, name, doc.unwrap_or_default());
    }
}

fn common_flags(text: &mut String) {
    const COMMON: [&str; 14] = [
        "http",
        "base",
        "culprit",
        "focus",
        "ignore",
        "sample_index",
        "nodecount",
        "cum",
        "lines",
        "granularity",
        "hide_kind",
        "json",
        "csv",
        "output",
    ];
    let definition = clap();
    for name in COMMON {
        if let Some(arg) = definition.get_arguments().find(|arg| arg.get_long() == Some(name)) {
            row(text, &spelled(name, arg), &doc_of(name, arg));
        }
    }
}

/// Every subcommand.
fn subcommands() -> impl Iterator<Item = &'static Word> {
    super::subcommands::WORDS.iter().chain(ABOUT)
}

/// Columns of help texts.
const WIDTH: usize = 100;

fn row(text: &mut String, name: &str, doc: &str) {
    wide_row(text, name, doc, 24);
}

/// A name and its help, wrapped after the name's column.
fn wide_row(text: &mut String, name: &str, doc: &str, width: usize) {
    let mut line = format!("  {name:<width$} ");
    let indent = width + 3;
    if name.chars().count() > width {
        *text += line.trim_end();
        *text += "\n";
        line = " ".repeat(indent);
    }
    let mut used = indent;
    for (at, word) in doc.split(' ').enumerate() {
        let length = word.chars().count();
        if at > 0 && used + 1 + length > WIDTH {
            *text += line.trim_end();
            *text += "\n";
            line = " ".repeat(indent);
            used = indent;
        } else if at > 0 {
            line.push(' ');
            used += 1;
        }
        line += word;
        used += length;
    }
    *text += line.trim_end();
    *text += "\n";
}

/// One report or option, for the command line.
pub(super) fn on(topic: &str) -> Result<String> {
    let topic = topic.trim_start_matches('-');
    let is_choice = |field: &&Field| matches!(field.kind, Kind::Choice(words) if words.contains(&topic));
    if topic == "all" {
        return Ok(all());
    }
    if let Some(flag) = command(topic) {
        return Ok(on_report(flag, &WORDS));
    }
    if let Some(field) = fields().find(|f| f.name == topic).or_else(|| fields().find(is_choice)) {
        return Ok(on_option(field, &WORDS));
    }
    if let Some(word) = subcommands().find(|word| word.name == topic) {
        let usage = format!("{topic}: {}\n\n  {}\n", word.doc, format!("heapview {topic} {}", word.usage).trim_end());
        let details = match topic {
            "serve" => of_serve() + team::EXAMPLES,
            "store" => of_store() + store::EXAMPLES,
            "push" => of_push() + push::DETAILS,
            "push-symbols" => of_push_symbols() + push_symbols::DETAILS,
            _ => details(topic).to_owned(),
        };
        return Ok(if details.is_empty() { usage } else { format!("{usage}\n{details}") });
    }
    let definition = clap();
    if let Some(arg) = definition.get_arguments().find(|a| a.get_long_and_visible_aliases().is_some_and(|names| names.contains(&topic))) {
        let takes = arg.get_value_names().and_then(|names| names.first()).map_or(String::new(), |name| format!("=<{name}>"));
        return Ok(format!("-{topic}{takes}: {}\n", arg.get_help().map(ToString::to_string).unwrap_or_default()));
    }
    let words = subcommands().map(|word| word.name);
    let known = command_words().chain(words).chain(definition.get_arguments().filter_map(|a| a.get_long()));
    match nearest(topic, known) {
        Some(near) => bail!("no report or flag named {topic:?}; did you mean {near}?"),
        None => bail!("no report or flag named {topic:?}; heapview help all lists them"),
    }
}

/// Help in the shell: the overview, `all`, or one command or option.
pub(super) fn in_shell(topic: &str) -> Result<String> {
    match topic {
        "" => return Ok(shell_overview()),
        "all" => return Ok(shell_all()),
        _ => {}
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
        Some(near) => bail!("no command or option named {topic:?}; did you mean {near}?"),
        None => bail!("no command or option named {topic:?}; \"help\" lists them"),
    }
}

/// Commands of the shell that are not reports.
const SHELL_WORDS: [(&str, &str); 6] = [
    ("o/options", "List all options with their values"),
    ("output", "File for the reports that follow; empty: the terminal"),
    (":", "Clear focus, ignore, hide, tagfocus and tagignore"),
    ("help", "This overview; \"help NAME\" explains one command or option, \"help all\" lists all"),
    ("q/quit/exit/^D", "Quit"),
    ("//:", "Start a comment"),
];

/// The usual commands and options with a line each, the others by name.
fn shell_overview() -> String {
    let mut text = "Commands:\n".to_owned();
    const COMMANDS: [&str; 9] = ["summary", "top", "flame", "growth", "explain", "tree", "peek", "list", "types"];
    for flag in COMMANDS.iter().filter_map(|name| command(name)) {
        row(&mut text, &if flag.takes_regex { format!("{} REGEX", flag.name) } else { flag.name.to_owned() }, flag.doc);
    }
    SHELL_WORDS.iter().for_each(|(name, doc)| row(&mut text, name, doc));
    text += "\nMore commands:\n";
    lines(&mut text, ACTIONS.iter().filter(|flag| !COMMANDS.contains(&flag.name)).map(|flag| flag.name.to_owned()));
    text += "\nOptions (name=value, or the name alone to turn one on):\n";
    const OPTIONS: [&str; 8] = ["culprit", "focus", "ignore", "hide", "granularity", "sample_index", "sort", "nodecount"];
    OPTIONS.iter().filter_map(|name| field(name)).for_each(|field| row(&mut text, field.name, field.doc));
    text += "\nMore options:\n";
    lines(&mut text, fields().filter(|field| !OPTIONS.contains(&field.name)).map(|field| field.name.to_owned()));
    text + "\nExamples: top 20, top -cum cache -test, peek Cache::insert >peek.txt, culprit, granularity=lines\n"
}

/// Every command and option with its line.
fn shell_all() -> String {
    let width = fields().map(|f| f.name.len()).max().unwrap_or(0);
    let row = |text: &mut String, name: &str, doc: &str| wide_row(text, name, doc, width);
    let mut text = "Commands:\n".to_owned();
    ACTIONS.iter().for_each(|flag| row(&mut text, flag.name, flag.doc));
    SHELL_WORDS.iter().for_each(|(name, doc)| row(&mut text, name, doc));
    text += "\nOptions (name=value, or the name alone to turn one on):\n";
    fields().for_each(|field| row(&mut text, field.name, field.doc));
    text += "\nValues that set their option:\n";
    for field in fields() {
        if let Kind::Choice(words) = field.kind {
            row(&mut text, field.name, &words.join(", "));
        }
    }
    row(&mut text, "sample_index", "any value type, optionally with the prefix total_ or mean_");
    text
}

fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|f| !NOT_FLAGS.contains(&f.name))
}

/// Phrases that differ between help and manual page.
struct Wording {
    /// Before a report's name.
    before: &'static str,
    /// Behind everything: the binary and a dump.
    files: &'static str,
    /// Example with several dumps.
    series: &'static str,
    usage: &'static str,
    nodecount: &'static str,
    filters: &'static str,
    cum: &'static str,
    output: &'static str,
    option: &'static str,
    options: &'static str,
}

const SHELL: Wording = Wording {
    before: "",
    files: "",
    series: "",
    usage: " [n] [regex]... [-regex]... [-cum] [>file]",
    nodecount: " 20",
    filters: " cache -test",
    cum: " -cum",
    output: " >",
    option: "",
    options: "Options that apply",
};

const WORDS: Wording = Wording {
    before: "heapview ",
    files: " server server.0007.heap",
    series: " server server.*.heap",
    usage: " [flags] [binary] <profile>...",
    nodecount: " -nodecount=20",
    filters: " -focus=cache -ignore=test",
    cum: " -cum",
    output: " -output=",
    option: "-",
    options: "Flags that apply",
};

fn on_report(flag: &ReportFlag, place: &Wording) -> String {
    let Wording { before, files, .. } = place;
    let name = flag.name;
    let regex = if flag.takes_regex { " <regex>" } else { "" };
    let looked_at: Vec<&str> = fields().filter(|f| is_looked_at(f, flag.action)).map(|f| f.name).collect();
    let has = |name: &str| looked_at.contains(&name);
    let mut examples: Vec<(String, &str)> = Vec::new();
    // Growth is what several dumps have.
    let files = if flag.action == Action::Report(ViewKind::Growth) { place.series } else { files };
    let mut example = |words: String, meaning| examples.push((format!("{before}{name}{words}{files}"), meaning));
    let which = if flag.takes_regex { " Cache::insert" } else { "" };
    example(which.into(), if flag.takes_regex { "functions whose names match" } else { "the whole profile" });
    if has("nodecount") {
        example(format!("{which}{}", place.nodecount), "at most 20");
    }
    if has("focus") {
        example(format!("{which}{}", place.filters), "stacks that match \"cache\" and do not match \"test\"");
    }
    if has("sort") {
        example(format!("{which}{}", place.cum), "sorted by value including callees");
    }
    example(format!("{which}{}{name}.out", place.output), "write to a file");
    let longest = examples.iter().map(|(words, _)| words.len()).max().unwrap_or(0);
    let mut text = format!("{name}: {}\n\n  {before}{name}{regex}{}\n\n", flag.doc, place.usage);
    examples.iter().for_each(|(words, meaning)| text += &format!("  {words:longest$}  {meaning}\n"));
    if !looked_at.is_empty() {
        text += &format!("\n{}:\n", place.options);
        lines(&mut text, looked_at.iter().map(|name| format!("{}{name}", place.option)));
    }
    text
}

/// Words as indented lines of at most 80 columns.
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

/// Returns whether a report uses an option.
fn is_looked_at(field: &Field, action: Action) -> bool {
    let kind = Request {
        action,
        format: Format::Text,
        pairs: Vec::new(),
        output: Target::default(),
        redact: None,
        with_sources: false,
        check: Default::default(),
    }
    .view_kind();
    match action {
        Action::Comments | Action::Doctor => false,
        Action::TopProto | Action::Callgrind | Action::FlameGraph | Action::Picture(_) | Action::Show(_) => applies(field, kind),
        Action::Report(_) => applies(field, kind),
        // They print the filtered profile as a whole.
        _ => field.part != Part::Cut && field.part != Part::Show,
    }
}

fn on_option(field: &Field, place: &Wording) -> String {
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
        _ if name == &"sample_index" => "the profile's default, otherwise its last",
        (_, "") => "not set",
        (_, default) => default,
    };
    text + &format!("\nDefault: {default}\n")
}
