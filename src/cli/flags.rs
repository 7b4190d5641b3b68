//! Every flag of the command line: the options of FIELDS, and what only a terminal has.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

use super::viewer::Viewer;
use super::words::{ABOUT, WORDS};
use crate::query::{FIELDS, Granularity, Kind, ViewKind};

/// What is printed when a report is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Report(ViewKind),
    Raw,
    Proto,
    /// Without gzip.
    ProtoPlain,
    /// The whole profile as JSON.
    Json,
    /// Heap text behind a table of its names.
    Symbolized,
    TopProto,
    Collapsed,
    Comments,
    /// Why names are missing.
    Doctor,
    /// Whether limits are kept.
    Check,
    /// The answer in a few sentences.
    Explain,
    /// The page with its data as one file.
    Page,
    /// Source lines and machine code as HTML.
    Weblist,
    Callgrind,
    /// Stacks as SVG.
    FlameGraph,
    /// The call graph in one of Graphviz's formats, which is also the file's extension.
    Picture(&'static str),
    /// The call graph in another program.
    Show(Viewer),
}

/// A report or format by flag and command word.
pub(super) struct ReportFlag {
    pub(super) name: &'static str,
    pub(super) action: Action,
    /// It takes an expression, for the field of the same name.
    pub(super) takes_regex: bool,
    pub(super) doc: &'static str,
}

impl ReportFlag {
    /// The field that takes its expression.
    pub(super) fn field(&self) -> &'static str {
        if self.action == Action::Weblist { "list" } else { self.name }
    }
}

const fn plain(name: &'static str, action: Action, doc: &'static str) -> ReportFlag {
    ReportFlag { name, action, takes_regex: false, doc }
}

const fn of_matches(name: &'static str, action: Action, doc: &'static str) -> ReportFlag {
    ReportFlag { name, action, takes_regex: true, doc }
}

/// Every report and format.
pub(super) const ACTIONS: &[ReportFlag] = &[
    plain("summary", Action::Report(ViewKind::Summary), "Totals, who holds the memory, and how much of it by package"),
    plain("top", Action::Report(ViewKind::Top), "Functions by weight"),
    plain("text", Action::Report(ViewKind::Top), "The same"),
    plain("tree", Action::Report(ViewKind::Tree), "Each function between its callers and callees"),
    of_matches("list", Action::Report(ViewKind::Source), "Source lines of the functions that match"),
    of_matches("weblist", Action::Weblist, "The same as a page for the browser, with machine code and inlined calls; -output=F saves it"),
    of_matches("peek", Action::Report(ViewKind::Peek), "Callers and callees of the functions that match"),
    of_matches("disasm", Action::Report(ViewKind::Disasm), "Code of the functions that match, or at an address"),
    plain("flame", Action::Report(ViewKind::Flame), "The tree of stacks, indented (from the leaves with -inverted)"),
    plain("traces", Action::Report(ViewKind::Traces), "Stack by stack"),
    plain("tags", Action::Report(ViewKind::Tags), "Values of labels"),
    plain(
        "sizes",
        Action::Report(ViewKind::Sizes),
        "Objects by size, and who holds most of each (-nodecount=N functions with -csv and -json)",
    ),
    plain("types", Action::Report(ViewKind::Types), "What containers hold the memory: Vec<Block>, HashMap<Id, Peer>, std::map<…>"),
    plain("growth", Action::Report(ViewKind::Growth), "What grows over a series of dumps, leaks first"),
    plain("dot", Action::Report(ViewKind::Graph), "The call graph, for Graphviz"),
    plain("raw", Action::Raw, "Every table of the profile"),
    plain("flamegraph", Action::FlameGraph, "Flame graph as SVG (from the leaves with -inverted; with a base, what grew is red)"),
    plain("svg", Action::Picture("svg"), "The call graph as a picture, drawn by Graphviz"),
    plain("png", Action::Picture("png"), "The same as PNG"),
    plain("jpg", Action::Picture("jpg"), "The same as JPEG"),
    plain("gif", Action::Picture("gif"), "The same as GIF"),
    plain("pdf", Action::Picture("pdf"), "The same as PDF"),
    plain("ps", Action::Picture("ps"), "The same as PostScript"),
    plain("web", Action::Show(Viewer::Browser), "The call graph in the browser, drawn by Graphviz (-http needs no Graphviz)"),
    plain("gv", Action::Show(Viewer::Gv), "The call graph in gv"),
    plain("evince", Action::Show(Viewer::Evince), "The call graph in evince"),
    plain("eog", Action::Show(Viewer::Eog), "The call graph in eog"),
    plain("callgrind", Action::Callgrind, "Addresses with their calls, for KCachegrind"),
    plain("kcachegrind", Action::Show(Viewer::Kcachegrind), "The same, in KCachegrind"),
    plain("proto", Action::Proto, "The profile as pprof protobuf (gzip)"),
    plain("proto_plain", Action::ProtoPlain, "The same without gzip"),
    plain("profile_json", Action::Json, "The whole profile as JSON: frames by number, samples with all values"),
    plain("topproto", Action::TopProto, "The rows of top as pprof protobuf (gzip)"),
    plain("symbolized", Action::Symbolized, "Heap text behind a table of its names, as jeprof --raw writes it"),
    plain("collapsed", Action::Collapsed, "Stacks as a;b;c 12 lines, for flame graph tools"),
    plain("comments", Action::Comments, "The profile's comments"),
    plain("doctor", Action::Doctor, "Why names are missing and what helps, file by file; exit status 1 when some could be had"),
    plain("explain", Action::Explain, "The answer in a few sentences of Markdown, ready for an issue"),
    plain("check", Action::Check, "Whether limits are kept (-max-inuse, -max-growth, -budget); exit status 1 when one is broken"),
    plain(
        "export",
        Action::Page,
        "The page with its data as one HTML file, to be sent away; it opens without heapview and without network",
    ),
];

/// Words that mean another command's report.
const ALIASES: [(&str, &str); 1] = [("graph", "dot")];

/// The report that a command word asks for.
pub(super) fn command(word: &str) -> Option<&'static ReportFlag> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == word).map_or(word, |(_, name)| name);
    ACTIONS.iter().find(|flag| flag.name == name)
}

/// Every word that [`command`] knows.
pub(super) fn command_words<'a>() -> impl Iterator<Item = &'a str> {
    ACTIONS.iter().map(|flag| flag.name).chain(ALIASES.iter().map(|(alias, _)| *alias))
}

/// Old names of value types.
pub(super) const VALUE_TYPES: [&str; 7] =
    ["inuse_space", "inuse_objects", "alloc_space", "alloc_objects", "total_delay", "contentions", "mean_delay"];

/// Fields that mean files on the command line, or have a flag of another form.
pub(super) const NOT_FLAGS: [&str; 6] = ["dump", "base", "diff_base", "peek", "list", "disasm"];

/// What -functions and the like do.
fn row_of(granularity: &str) -> &'static str {
    match granularity {
        "functions" => "A row for each function",
        "filefunctions" => "A row for each function of each source file",
        "files" => "A row for each source file",
        "lines" => "A row for each source line",
        "packages" => "A row for each package: crate, Go package, library, program",
        "modules" => "A row for each module or namespace",
        "libraries" => "A row for each mapped file",
        _ => "A row for each address",
    }
}

/// What a newcomer copies, with what is worth knowing besides.
pub(super) const EXAMPLES: &str = "\
Examples:
  heapview target/release/server server.0007.heap
      questions and answers, as in pprof's shell; where no one can type, the top report
  heapview -http=localhost:8080 target/release/server server.0007.heap
      open the profile in the browser, with names from the binary
  heapview top target/release/server jeprof.123.4.i4.heap
      what holds the memory, in the terminal
  heapview -http=: -base=first.heap target/release/server last.heap
      what grew between two dumps
  heapview diff old/server old.heap new/server new.heap
      what grew from one build to another, each dump with its own binary
  heapview tree -focus=cache -nodecount=20 server dump.heap
      who calls into the cache, and what it calls
  heapview -peek='Cache::insert' server dump.heap
      callers and callees of one function
  heapview -proto -output=dump.pb.gz server dump.heap
      with names, for other tools
  heapview top localhost:6060/debug/pprof/heap
      of a program that runs, over HTTP; the profile is kept in ~/pprof (PPROF_TMPDIR)
  heapview export -redact server dump.heap -o report.html
      the page as one file for mail and issue trackers, without paths of this machine
  heapview check -max-inuse=512MiB -budget=package=serde_json:40MiB server dump.heap
      for a build: exit status 1 and a table of what is too much (-markdown, -github)
  heapview doctor target/release/server server.0007.heap
      why names are missing, and what helps
  ssh host cat dump.heap | heapview top server -
      from standard input

Files are told apart by their content, in any order: a binary (ELF, Mach-O, PE) gives the
names, of several each those of the profiles behind it; several profiles add up. Flags take
one dash or two, a value behind = or a blank, and may stand anywhere. PPROF_BINARY_PATH lists
folders with more binaries, DEBUGINFOD_URLS servers that are asked for them and for debug
information.
Exit status: 0, 1 when the output cannot be written (check: or when a limit is broken; doctor: or when
names are missing that could be had), 2 when the question cannot be answered.";

/// The words that stand for flags, two lines each.
pub(super) fn words() -> String {
    let lines = WORDS.iter().chain(ABOUT).map(|word| format!("  heapview {} {}\n      {}\n", word.name, word.usage, word.doc));
    format!("Words:\n{}", lines.collect::<String>())
}

/// The command line, for parsing and for `--help`.
pub(super) fn clap() -> Command {
    let mut command = Command::new("heapview")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Opens heap profiles (gperftools, jemalloc, pprof) and shows what holds the memory")
        .after_help(format!("{}\n{EXAMPLES}", words()))
        .override_usage("heapview [report] [flags] [binary] <profile>...")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(Arg::new("paths").num_args(1..).action(ArgAction::Append).value_parser(clap::value_parser!(OsString)).hide(true));
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let yes = |name, help| flag(name, help).action(ArgAction::SetTrue);
    let value = |name, help, value_name: &'static str| flag(name, help).num_args(1).value_name(value_name).allow_hyphen_values(true);
    let path = |name, help, value_name| value(name, help, value_name).value_parser(clap::value_parser!(OsString));
    for &ReportFlag { name, takes_regex, doc, .. } in ACTIONS {
        let arg = if takes_regex { value(name, doc, "regex") } else { yes(name, doc) };
        command = command.arg(arg.help_heading("Reports"));
    }
    command = command
        .arg(yes("json", "Print the report as JSON").help_heading("Output"))
        .arg(yes("csv", "Print the report as CSV").help_heading("Output"))
        .arg(
            value("config", "File with your rules of whose code is what, or none; by default heapview.toml here or above, up to the repository's root", "file")
                .help_heading("Options"),
        )
        .arg(path("output", "Write to this file instead of the terminal", "file").visible_alias("o").help_heading("Output"))
        .arg(
            yes("redact", "With export: leave out folders, homes, comments and build ids; with an expression also what it matches, as in -redact=acme or -redact='acme=>client' (may be repeated)")
                .action(ArgAction::Append)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .value_name("regex")
                .help_heading("Output"),
        )
        .arg(
            yes("color", "Colours: auto (on a terminal without NO_COLOR), always, never; never in files")
                .action(ArgAction::Set)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("always")
                .value_name("when")
                .help_heading("Output"),
        )
        .arg(
            value("width", "Columns that a row may take on the screen; 0 for any number; COLUMNS or the terminal's when absent", "n")
                .help_heading("Output"),
        )
        .arg(
            yes("interactive", "Read questions from standard input, one a line (pprof's shell); on a terminal that is the default")
                .help_heading("Output"),
        )
        .arg(
            value("max-inuse", "With check: most that may be in use, as in 512MiB", "size").alias("max_inuse").help_heading("Limits"),
        )
        .arg(
            value("max-growth", "With check: most that may have come since the base, as in 5% or 10MiB", "size")
                .alias("max_growth")
                .help_heading("Limits"),
        )
        .arg(
            value("budget", "With check: most that some stacks may hold or, with +, grow: package=serde_json:40MiB, culprit=Cache::insert:+5% (the end of a name will do), type=Vec<*>:1GB, with * for anything; focus=REGEX:…, label=thread=io:…; may be repeated", "what=name:size")
                .action(ArgAction::Append)
                .help_heading("Limits"),
        )
        .arg(yes("markdown", "With check: a table for a comment or a job's summary").help_heading("Limits"))
        .arg(yes("github", "With check: annotations for GitHub, for what is broken").help_heading("Limits"))
        .arg(value("http", "Open the profile in the browser: host:port, or : for a free port here", "host:port").help_heading("Browser"))
        .arg(
            yes("watch", "New dumps join the open page: those that appear in folders and patterns, and what servers answer later")
                .help_heading("Browser"),
        )
        .arg(value("every", "How often -watch looks: 500ms, 30s, 5m; by default 2s for files, 30s for servers", "time").help_heading("Browser"))
        .arg(yes("no_browser", "Only print the address").help_heading("Browser"))
        .arg(
            value("token", "The owner's token, for scripts and links that stay the same; visible to other accounts in ps: rather -token-file or HEAPVIEW_TOKEN", "word")
                .help_heading("Browser"),
        )
        .arg(
            path("token-file", "File with the owner's token in its first line, and the token for readers in the second, if there is one", "file")
                .alias("token_file")
                .help_heading("Browser"),
        )
        .arg(
            yes("no_token", "Ask for no token: everybody who reaches the server, also other accounts of this machine, sees the profile and sources and may open files")
                .help_heading("Browser"),
        )
        .arg(
            value("upload_limit", "Size of all files together that may be opened in the page; by default 1GB", "size")
                .alias("upload-limit")
                .help_heading("Browser"),
        )
        .arg(
            path("base", "Profile to subtract; percentages of the difference", "profile").action(ArgAction::Append).help_heading("Sources"),
        )
        .arg(path("diff_base", "Profile to subtract; percentages of the base", "profile").action(ArgAction::Append).help_heading("Sources"))
        .arg(yes("diff", "The first profile is the one to subtract; percentages of it").help_heading("Sources"))
        .arg(yes("merge", "Add up all dumps of a folder or pattern, where otherwise the last one is shown").help_heading("Sources"))
        .arg(
            value("symbolize", "none, fastlocal, local, remote, force, demangle=none|templates|full|default; joined by :", "how")
                .help_heading("Sources"),
        )
        .arg(
            path("debug-dir", "Folder of separate debug information, as /usr/lib/debug is one; several, or joined by :", "folder")
                .alias("debug_dir")
                .action(ArgAction::Append)
                .help_heading("Sources"),
        )
        .arg(
            path("sysroot", "Root folder of the machine that was profiled: paths of binaries are looked for below it first", "folder")
                .help_heading("Sources"),
        )
        .arg(
            path("remap", "Look for binaries and .dwo files whose path begins with FROM at TO; several", "FROM=TO")
                .action(ArgAction::Append)
                .help_heading("Sources"),
        )
        .arg(path("perf-map", "Names of code made at run time, as in /tmp/perf-PID.map", "file").alias("perf_map").help_heading("Sources"))
        .arg(yes("all_frames", "Keep the allocator's own frames").help_heading("Sources"))
        .arg(
            yes("no-symbol-cache", "Look all names up in the files, and remember none for the next run")
                .alias("no_symbol_cache")
                .help_heading("Sources"),
        )
        .arg(
            value("tools", "Accepted and not needed: nothing runs objdump, nm or addr2line", "folders")
                .hide_short_help(true)
                .help_heading("Sources"),
        )
        .arg(value("buildid", "Build id of the main binary, where the profile has none", "hex").help_heading("Sources"))
        .arg(value("add_comment", "Add a comment to the profile", "text").help_heading("Sources"))
        .arg(value("seconds", "How long the server is asked to watch", "n").help_heading("Sources"))
        .arg(value("timeout", "How long to wait for the server; by default 60, or 1.5 times -seconds", "seconds").help_heading("Sources"))
        .arg(path("tls_cert", "Certificate to show to the server (PEM)", "file").help_heading("Sources"))
        .arg(path("tls_key", "The key to it", "file").help_heading("Sources"))
        .arg(path("tls_ca", "Authorities to trust instead of the system's (PEM)", "file").help_heading("Sources"))
        .arg(yes("h", "Print the reports, and where there is more").help_heading("Help"))
        .arg(yes("help", "Print this").help_heading("Help"))
        .arg(yes("version", "Print the version").short('V').help_heading("Help"));
    for granularity in Granularity::NAMES {
        command = command.arg(yes(granularity, row_of(granularity)).help_heading("Granularity"));
    }
    for (name, help) in [("flat", "Sort by what a row holds itself"), ("cum", "Sort by what it holds with all that it calls")] {
        command = command.arg(yes(name, help).help_heading("Granularity"));
    }
    for name in VALUE_TYPES {
        let help = match name {
            "total_delay" => "Same as -sample_index=delay".to_owned(),
            "mean_delay" => "Same as -sample_index=delay -mean".to_owned(),
            _ => format!("Same as -sample_index={name}"),
        };
        command = command.arg(yes(name, "").help(help).help_heading("Value type").hide_short_help(true));
    }
    for field in FIELDS.iter().filter(|f| !NOT_FLAGS.contains(&f.name)) {
        let arg = flag(field.name, field.doc).help_heading("Options").allow_hyphen_values(true);
        command = command.arg(match field.kind {
            Kind::Bool => arg.num_args(0..=1).require_equals(true).default_missing_value("true").value_name("bool"),
            Kind::Choice(_) => arg.num_args(1).value_name("word"),
            Kind::Int => arg.num_args(1).value_name("n"),
            Kind::Float => arg.num_args(1).value_name("number"),
            Kind::Regex => arg.num_args(1).value_name("regex"),
            Kind::Text => arg.num_args(1).value_name("text"),
        });
    }
    command
}
