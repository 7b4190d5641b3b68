//! All flags of jeprof and of gperftools' pprof, with their values and help.

/// Value of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// Nothing; `--nox` and `--no-x` take it back.
    Nothing,
    /// Nothing, and it cannot be taken back.
    Only,
    Text,
    Int,
    Float,
}

/// A flag.
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    /// Name of the value in help.
    pub(super) value: &'static str,
    pub(super) doc: &'static str,
    /// Whether heapview has no flag of this name, so that its use means jeprof.
    pub(super) is_jeprof_only: bool,
}

const fn switch(name: &'static str, doc: &'static str) -> Flag {
    Flag { name, takes: Takes::Nothing, value: "", doc, is_jeprof_only: false }
}

const fn value(name: &'static str, takes: Takes, value: &'static str, doc: &'static str) -> Flag {
    Flag { name, takes, value, doc, is_jeprof_only: false }
}

/// Marks a flag that only jeprof has.
const fn jeprof_only(flag: Flag) -> Flag {
    Flag { is_jeprof_only: true, ..flag }
}

/// The flags by group, as the help has them.
pub(super) const GROUPS: [(&str, &[Flag]); 8] = [
    (
        "Options",
        &[
            switch("cum", "Sort by value including callees"),
            value("base", Takes::Text, "profile", "Subtract this profile"),
            switch("interactive", "Read commands (the default on a terminal)"),
            value("seconds", Takes::Int, "n", "Duration of a fetched profile, in seconds"),
            jeprof_only(value("add_lib", Takes::Text, "file", "Also take names from this library")),
            jeprof_only(value("lib_prefix", Takes::Text, "dir,…", "Directories with libraries")),
        ],
    ),
    (
        "Granularity",
        &[
            switch("functions", "Functions (the default)"),
            switch("lines", "Source lines"),
            switch("files", "Source files"),
            switch("addresses", "Code addresses"),
        ],
    ),
    (
        "Output",
        &[
            switch("text", "Table (the default otherwise)"),
            switch("callgrind", "Callgrind format, for KCachegrind"),
            switch("gv", "Call graph in gv"),
            switch("evince", "Call graph in evince"),
            switch("web", "Call graph in the browser"),
            value("list", Takes::Text, "regex", "Annotated source of matching functions"),
            value("disasm", Takes::Text, "regex", "Annotated machine code of matching functions"),
            jeprof_only(switch("symbols", "Print names of the addresses on standard input")),
            switch("dot", "Call graph in DOT format"),
            switch("ps", "Call graph as PostScript"),
            switch("pdf", "Call graph as PDF"),
            switch("svg", "Call graph as SVG"),
            switch("gif", "Call graph as GIF"),
            switch("raw", "Profile with its names, for use without the program"),
            switch("collapsed", "Collapsed stacks (a;b;c 12), for flame graph tools"),
            jeprof_only(switch("stacks", "Ignored; --collapsed prints the stacks")),
        ],
    ),
    (
        "Values",
        &[
            switch("inuse_space", "Bytes in use (the default)"),
            switch("inuse_objects", "Objects in use"),
            switch("alloc_space", "Bytes ever allocated"),
            switch("alloc_objects", "Objects ever allocated"),
            jeprof_only(switch("show_bytes", "Print bytes instead of MB")),
            switch("drop_negative", "Ignore negative differences"),
            jeprof_only(value("thread", Takes::Text, "n", "Only allocations of thread n; * prints each thread")),
        ],
    ),
    (
        "Filters",
        &[
            value("focus", Takes::Text, "regex", "Keep only stacks with a matching function, file:line or address"),
            value("ignore", Takes::Text, "regex", "Skip stacks with a matching function, file:line or address"),
            jeprof_only(value("retain", Takes::Text, "regex", "Keep only addresses in matching functions")),
            jeprof_only(value("exclude", Takes::Text, "regex", "Skip addresses in matching functions")),
        ],
    ),
    (
        "Graph",
        &[
            value("nodecount", Takes::Int, "n", "Maximum number of nodes (80)"),
            value("nodefraction", Takes::Float, "f", "Minimum fraction of a node (.005)"),
            value("edgefraction", Takes::Float, "f", "Minimum fraction of an edge (.001)"),
            jeprof_only(value("maxdegree", Takes::Int, "n", "Maximum number of edges into and out of a node (8)")),
            jeprof_only(value("scale", Takes::Int, "n", "Size of the picture in gv (0)")),
            jeprof_only(Flag {
                name: "heapcheck",
                takes: Takes::Only,
                value: "",
                doc: "Mark nodes with a value of their own",
                is_jeprof_only: false,
            }),
        ],
    ),
    (
        "Names",
        &[
            jeprof_only(switch("no_strip_temp", "Keep template and generic arguments")),
            jeprof_only(switch("show_addresses", "Append addresses to names")),
            jeprof_only(switch("debug-syms-by-id", "Ignored; debug information is always also searched by build id")),
            value("tools", Takes::Text, "prefix", "Ignored; heapview runs no other program for names"),
        ],
    ),
    (
        "Others",
        &[
            switch("help", "Print this"),
            switch("version", "Print the version"),
            jeprof_only(switch("test", "Ignored; prints PASS")),
            jeprof_only(switch("debug", "Ignored")),
            switch("total_delay", "Ignored; for lock profiles"),
            switch("contentions", "Ignored; for lock profiles"),
            switch("mean_delay", "Ignored; for lock profiles"),
            jeprof_only(switch("no-auto-signal-frm", "Ignored; for CPU profiles")),
            jeprof_only(value("test_stride", Takes::Int, "n", "Ignored")),
        ],
    ),
];

/// All flags.
pub(super) fn all() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|(_, flags)| flags.iter())
}

/// The help, for a program of this name.
pub(in crate::cli) fn usage(name: &str) -> String {
    let mut text = format!(
        "Usage:\n  {name} [options] <program> <profile>...\n  {name} [options] <profile with names>...\n  \
         {name} [options] host:port[/pprof/heap]\n  {name} --symbols <program>\n"
    );
    for (heading, flags) in &GROUPS {
        text += &format!("\n{heading}:\n");
        for flag in *flags {
            let syntax = if flag.value.is_empty() { format!("--{}", flag.name) } else { format!("--{}=<{}>", flag.name, flag.value) };
            text += &format!("  {syntax:<24} {}\n", flag.doc);
        }
    }
    text + "\nFlags take one dash or two and can be abbreviated if unambiguous; --no… undoes a flag.\n\
            This is heapview as jeprof; heapview -help shows its own commands.\n"
}
