//! All flags: the options of FIELDS, and those of the command line only.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

use super::subcommands::{ABOUT, WORDS};
use super::viewer::Viewer;
use crate::query::{FIELDS, Granularity, Kind, ViewKind};

/// Output of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Report(ViewKind),
    Raw,
    Proto,
    /// Without gzip.
    ProtoPlain,
    /// The whole profile as JSON.
    Json,
    /// Heap text after a symbol table.
    Symbolized,
    TopProto,
    Collapsed,
    Comments,
    /// Diagnosis of missing names.
    Doctor,
    /// Check of limits.
    Check,
    /// The answer in a few sentences.
    Explain,
    /// The page with its data as one file.
    Export,
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

impl Action {
    /// Returns whether the answer is a report of one dump, or of several as one.
    pub(super) fn is_of_one(&self) -> bool {
        match self {
            Action::Report(kind) => !matches!(kind, ViewKind::Growth | ViewKind::Rss),
            Action::Collapsed | Action::Weblist | Action::FlameGraph | Action::Callgrind | Action::Picture(_) | Action::Show(_) => true,
            _ => false,
        }
    }
}

/// A report or format by flag and command word.
pub(super) struct ReportFlag {
    pub(super) name: &'static str,
    pub(super) action: Action,
    /// Whether it takes a regexp, for the option of the same name.
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
    plain("summary", Action::Report(ViewKind::Summary), "Totals, top memory holders and packages"),
    plain("top", Action::Report(ViewKind::Top), "Functions sorted by memory"),
    plain("text", Action::Report(ViewKind::Top), "Same as top"),
    plain("tree", Action::Report(ViewKind::Tree), "Each function with its callers and callees"),
    of_matches("list", Action::Report(ViewKind::Source), "Annotated source of matching functions"),
    of_matches("weblist", Action::Weblist, "Annotated source with machine code and inlined calls, in the browser (-output=FILE saves it)"),
    of_matches("peek", Action::Report(ViewKind::Peek), "Callers and callees of matching functions"),
    of_matches("disasm", Action::Report(ViewKind::Disasm), "Annotated machine code of matching functions or of an address"),
    plain("flame", Action::Report(ViewKind::Flame), "Call tree as indented text (-inverted: from the leaves)"),
    plain("traces", Action::Report(ViewKind::Traces), "All samples as stack traces"),
    plain("tags", Action::Report(ViewKind::Tags), "Label values and their totals"),
    plain(
        "sizes",
        Action::Report(ViewKind::Sizes),
        "Allocation sizes and the top holder of each (-nodecount=N holders with -csv and -json)",
    ),
    plain(
        "accesses",
        Action::Report(ViewKind::Accesses),
        "Reads and writes of each byte of blocks, by allocation site (recordings of DHAT)",
    ),
    plain("types", Action::Report(ViewKind::Types), "Container types that use the memory: Vec<Block>, HashMap<Id, Peer>, std::map<…>"),
    plain("growth", Action::Report(ViewKind::Growth), "What grows over a series of dumps, likely leaks first"),
    plain(
        "rss",
        Action::Report(ViewKind::Rss),
        "What the profile does not see: from its bytes in use to the RSS of the process (with smaps, status or allocator statistics beside it)",
    ),
    plain("dot", Action::Report(ViewKind::Graph), "Call graph in DOT format (also: graph)"),
    plain("raw", Action::Raw, "Text dump of the profile's tables"),
    plain("flamegraph", Action::FlameGraph, "Flame graph as SVG (-inverted: from the leaves; with a base, growth is red)"),
    plain("svg", Action::Picture("svg"), "Call graph as SVG, drawn by Graphviz"),
    plain("png", Action::Picture("png"), "Call graph as PNG"),
    plain("jpg", Action::Picture("jpg"), "Call graph as JPEG"),
    plain("gif", Action::Picture("gif"), "Call graph as GIF"),
    plain("pdf", Action::Picture("pdf"), "Call graph as PDF"),
    plain("ps", Action::Picture("ps"), "Call graph as PostScript"),
    plain("web", Action::Show(Viewer::Browser), "Call graph in the browser, drawn by Graphviz (-http does not need Graphviz)"),
    plain("gv", Action::Show(Viewer::Gv), "Call graph in gv"),
    plain("evince", Action::Show(Viewer::Evince), "Call graph in evince"),
    plain("eog", Action::Show(Viewer::Eog), "Call graph in eog"),
    plain("callgrind", Action::Callgrind, "Call graph in callgrind format, for KCachegrind"),
    plain("kcachegrind", Action::Show(Viewer::Kcachegrind), "Call graph in KCachegrind"),
    plain("proto", Action::Proto, "Profile as compressed protobuf (.pb.gz)"),
    plain("proto_plain", Action::ProtoPlain, "Profile as uncompressed protobuf (.pb)"),
    plain("profile_json", Action::Json, "Profile as JSON: frames by index, samples with all values"),
    plain("topproto", Action::TopProto, "Rows of top as compressed protobuf"),
    plain("symbolized", Action::Symbolized, "Heap text with a symbol table, as jeprof --raw writes it"),
    plain("collapsed", Action::Collapsed, "Collapsed stacks (a;b;c 12), for flame graph tools"),
    plain("comments", Action::Comments, "Comments stored in the profile"),
    plain("doctor", Action::Doctor, "Why names are missing and how to fix it, file by file; exit status 1 if some can be recovered"),
    plain("explain", Action::Explain, "A short answer in Markdown, ready to paste into an issue"),
    plain("check", Action::Check, "Check memory limits (-max-inuse, -max-growth, -budget); exit status 1 if one is exceeded"),
    plain("export", Action::Export, "The web page with its data as one HTML file that works offline"),
];

/// Words that mean another command's report.
const ALIASES: [(&str, &str); 1] = [("graph", "dot")];

/// Report of a command word.
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

/// Help for -functions and the like.
fn row_of(granularity: &str) -> &'static str {
    match granularity {
        "functions" => "One row per function",
        "filefunctions" => "One row per function and source file",
        "files" => "One row per source file",
        "lines" => "One row per source line",
        "packages" => "One row per package: crate, Go package, library, program",
        "modules" => "One row per module or namespace",
        "libraries" => "One row per mapping (binary or library)",
        _ => "One row per address",
    }
}

/// The six most common reports, in the order of help and completions.
pub(super) const USUAL: [&str; 6] = ["summary", "top", "flame", "diff", "growth", "explain"];

/// Sections of the list of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// [`USUAL`].
    Usual,
    More,
    /// Files for other tools.
    Formats,
    /// Drawn by Graphviz or shown by another program.
    Graphviz,
}

impl ReportFlag {
    /// The section that lists the report.
    pub(super) fn section(&self) -> Section {
        match self.action {
            _ if USUAL.contains(&self.name) => Section::Usual,
            Action::Picture(_) | Action::Show(_) => Section::Graphviz,
            Action::Raw
            | Action::Proto
            | Action::ProtoPlain
            | Action::Json
            | Action::Symbolized
            | Action::TopProto
            | Action::Collapsed
            | Action::Callgrind
            | Action::FlameGraph
            | Action::Report(ViewKind::Graph) => Section::Formats,
            _ => Section::More,
        }
    }
}

/// Examples of `--help` and the manual page.
pub(super) const EXAMPLES: &str = "\
Examples:
  heapview -http=localhost:8080 target/release/server server.0007.heap
      flame graph, tables, source and more in the browser
  heapview summary target/release/server server.0007.heap
      top memory holders and packages
  heapview target/release/server server.0007.heap
      the same, then a prompt for more reports (on a terminal; in pipes: top)
  heapview top -culprit target/release/server jeprof.123.4.i4.heap
      functions by memory, charged to your code
  heapview diff target/release/server first.heap last.heap
      what changed between two dumps; -http=: -base=first.heap shows it in the browser
  heapview growth target/release/server 'dumps/*.heap'
      what grows over a series of dumps, likely leaks first
  heapview -peek='Cache::insert' server dump.heap
      callers and callees of one function
  heapview top localhost:6060/debug/pprof/heap
      fetch the profile of a running program over HTTP
  heapview export -redact server dump.heap -o report.html
      the web page as one file for mail and issues, without paths of this machine
  heapview check -max-inuse=512MiB server dump.heap
      fail a CI job if a limit is exceeded
  heapview doctor target/release/server server.0007.heap
      find out why names are missing
";

/// Notes on files and flags.
pub(super) const NOTES: &str = "\
Files: binaries (ELF, Mach-O, PE) and profiles are recognized by content, in any order; - is standard
input. Several profiles add up; with several binaries, each names the profiles after it. A directory, a
quoted glob or a name prefix stands for the dumps it matches.
Flags: one dash or two, with = or a space before the value, before or after the files.
Environment: PPROF_BINARY_PATH lists directories with binaries, DEBUGINFOD_URLS debuginfod servers,
HEAPVIEW_SERVER the team server that store://SERVICE@latest and other addresses of dumps are about.
Exit status: 0; 1 if the output cannot be written, check finds a limit exceeded, or doctor finds names
that can be recovered; 2 for any other error.
";

/// The subcommands, two lines each.
pub(super) fn subcommands() -> String {
    let lines = WORDS.iter().chain(ABOUT).map(|word| format!("  heapview {} {}\n      {}\n", word.name, word.usage, word.doc));
    lines.collect()
}

/// The command line, for parsing and for `--help`.
pub(super) fn clap() -> Command {
    let mut command = Command::new("heapview")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Heap profile viewer: shows which code holds the memory (gperftools, jemalloc, pprof, Go)")
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
            value("config", "Configuration file, or none; by default heapview.toml in this directory or a parent, up to the repository root", "file")
                .help_heading("Options"),
        )
        .arg(path("output", "Write the output to this file", "file").visible_alias("o").help_heading("Output"))
        .arg(
            yes("redact", "With export: remove directories, system names, labels, comments and build ids; with a regexp also its matches, as in -redact=acme or -redact='acme=>client' (repeatable)")
                .action(ArgAction::Append)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .value_name("regex")
                .help_heading("Output"),
        )
        .arg(
            yes("with-sources", "With export: include source lines and machine code of the functions with most memory (not with -redact)")
                .alias("with_sources")
                .help_heading("Output"),
        )
        .arg(
            yes("color", "Colors: auto (on a terminal, unless NO_COLOR is set), always or never; files are never colored")
                .action(ArgAction::Set)
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("always")
                .value_name("when")
                .help_heading("Output"),
        )
        .arg(
            value("width", "Maximum row width in columns; 0 means unlimited; by default COLUMNS or the terminal's width", "n")
                .help_heading("Output"),
        )
        .arg(
            yes("interactive", "Read commands from standard input (pprof's shell); the default on a terminal")
                .help_heading("Output"),
        )
        .arg(
            value("max-inuse", "With check: maximum memory in use, as in 512MiB", "size").alias("max_inuse").help_heading("Limits"),
        )
        .arg(
            value("max-growth", "With check: maximum growth since the base, as in 5% or 10MiB", "size")
                .alias("max_growth")
                .help_heading("Limits"),
        )
        .arg(
            value("budget", "With check: maximum for a group of stacks, or with + its maximum growth: package=serde_json:40MiB, culprit=Cache::insert:+5% (the end of a name is enough), type=Vec<*>:1GB (* matches anything), focus=REGEX:…, label=thread=io:… (repeatable)", "what=name:size")
                .action(ArgAction::Append)
                .help_heading("Limits"),
        )
        .arg(yes("markdown", "With check: print a Markdown table, for a comment or a job summary").help_heading("Limits"))
        .arg(yes("github", "With check: print GitHub annotations for exceeded limits").help_heading("Limits"))
        .arg(value("http", "Serve the web page: host:port, or : for a free port on localhost; without files, a page to open them", "host:port").help_heading("Browser"))
        .arg(
            yes("watch", "Add new dumps to the open page: files that appear in directories and globs, and new responses of servers")
                .help_heading("Browser"),
        )
        .arg(value("every", "Interval of -watch, such as 500ms, 30s or 5m; by default 2s for files, 30s for servers", "time").help_heading("Browser"))
        .arg(yes("no_browser", "Do not open a browser; print the address only").help_heading("Browser"))
        .arg(
            value("token", "Access token of the owner, so that links stay the same; visible in ps, so prefer -token-file or HEAPVIEW_TOKEN", "word")
                .help_heading("Browser"),
        )
        .arg(
            path("token-file", "File with the owner's token in the first line and, optionally, the readers' token in the second", "file")
                .alias("token_file")
                .help_heading("Browser"),
        )
        .arg(
            yes("no_token", "Do not require a token: anyone who can connect, including other accounts of this machine, sees the profile and sources and can open files")
                .help_heading("Browser"),
        )
        .arg(
            value("upload_limit", "Total size of files that can be opened in the page; by default 1GB", "size")
                .alias("upload-limit")
                .help_heading("Browser"),
        )
        .arg(
            path("base", "Profile to subtract; percentages are relative to the difference", "profile").action(ArgAction::Append).help_heading("Sources"),
        )
        .arg(path("diff_base", "Profile to subtract; percentages are relative to the base", "profile").action(ArgAction::Append).help_heading("Sources"))
        .arg(yes("diff", "Subtract the first profile; percentages are relative to it").help_heading("Sources"))
        .arg(yes("merge", "Add up all dumps of a directory or glob (by default the last one is shown)").help_heading("Sources"))
        .arg(
            value("symbolize", "none, fastlocal, local, remote, force, demangle=none|templates|full|default; joined by :", "how")
                .help_heading("Sources"),
        )
        .arg(
            path("debug-dir", "Directory with separate debug information, searched before /usr/lib/debug (repeatable, or joined by :)", "folder")
                .alias("debug_dir")
                .action(ArgAction::Append)
                .help_heading("Sources"),
        )
        .arg(
            path("sysroot", "Root directory of the profiled machine or container; binaries are searched there first", "folder")
                .help_heading("Sources"),
        )
        .arg(
            path("remap", "Replace the path prefix FROM of binaries and .dwo files with TO (repeatable)", "FROM=TO")
                .action(ArgAction::Append)
                .help_heading("Sources"),
        )
        .arg(path("perf-map", "Symbols of JIT-compiled code, such as /tmp/perf-PID.map", "file").alias("perf_map").help_heading("Sources"))
        .arg(
            path("suppressions", "File with rules leak:<pattern> for blocks that a recording has in use at the end on purpose", "file")
                .help_heading("Sources"),
        )
        .arg(yes("all_frames", "Keep the allocator's internal frames").help_heading("Sources"))
        .arg(
            yes("no-symbol-cache", "Neither read nor write the symbol cache")
                .alias("no_symbol_cache")
                .help_heading("Sources"),
        )
        .arg(
            value("tools", "Ignored; heapview runs neither objdump nor addr2line", "folders")
                .hide_short_help(true)
                .help_heading("Sources"),
        )
        .arg(value("buildid", "Build id of the main binary, for profiles without one", "hex").help_heading("Sources"))
        .arg(value("add_comment", "Add a comment to the profile", "text").help_heading("Sources"))
        .arg(value("seconds", "Duration of the profile to fetch, in seconds", "n").help_heading("Sources"))
        .arg(value("timeout", "Timeout of a fetch, in seconds; by default 60, or 1.5 times -seconds", "seconds").help_heading("Sources"))
        .arg(path("tls_cert", "Client certificate (PEM)", "file").help_heading("Sources"))
        .arg(path("tls_key", "Private key for -tls_cert (PEM)", "file").help_heading("Sources"))
        .arg(path("tls_ca", "CA certificates to trust instead of the system's (PEM)", "file").help_heading("Sources"))
        .arg(yes("h", "Print a short overview").help_heading("Help"))
        .arg(yes("help", "Print help; -help-all lists every flag").help_heading("Help"))
        .arg(yes("help-all", "Print help for every flag").alias("help_all").help_heading("Help"))
        .arg(yes("version", "Print the version").short('V').help_heading("Help"));
    for granularity in Granularity::NAMES {
        command = command.arg(yes(granularity, row_of(granularity)).help_heading("Granularity"));
    }
    for (name, help) in [("flat", "Sort by own value"), ("cum", "Sort by value including callees")] {
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
