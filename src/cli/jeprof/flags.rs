//! Every flag of jeprof and of gperftools' pprof, with what it takes and means.

/// What stands behind a flag.
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
    /// What its value is called in the help.
    pub(super) value: &'static str,
    pub(super) doc: &'static str,
    /// heapview has no flag of this name: whoever types it means jeprof.
    pub(super) tells: bool,
}

const fn switch(name: &'static str, doc: &'static str) -> Flag {
    Flag { name, takes: Takes::Nothing, value: "", doc, tells: false }
}

const fn value(name: &'static str, takes: Takes, value: &'static str, doc: &'static str) -> Flag {
    Flag { name, takes, value, doc, tells: false }
}

/// The same, known to jeprof only.
const fn telling(flag: Flag) -> Flag {
    Flag { tells: true, ..flag }
}

/// The flags by group, as the help has them.
pub(super) const GROUPS: [(&str, &[Flag]); 8] = [
    (
        "Options",
        &[
            switch("cum", "Sort by what a node holds with all that it calls"),
            value("base", Takes::Text, "profile", "Subtract this profile"),
            switch("interactive", "Read commands (the default on a terminal)"),
            value("seconds", Takes::Int, "n", "How long a profile is taken over the network"),
            telling(value("add_lib", Takes::Text, "file", "Look for names in this library, too")),
            telling(value("lib_prefix", Takes::Text, "dir,…", "Folders that hold the libraries")),
        ],
    ),
    (
        "What a row or node stands for",
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
            switch("text", "A table (the default elsewhere)"),
            switch("callgrind", "For kcachegrind"),
            switch("gv", "The graph, in gv"),
            switch("evince", "The graph, in evince"),
            switch("web", "The graph, in the browser"),
            value("list", Takes::Text, "regex", "Source of the functions that match, with what lines hold"),
            value("disasm", Takes::Text, "regex", "Instructions of the functions that match"),
            telling(switch("symbols", "Names of the addresses on standard input")),
            switch("dot", "The graph, for Graphviz"),
            switch("ps", "The graph as PostScript"),
            switch("pdf", "The graph as PDF"),
            switch("svg", "The graph as SVG"),
            switch("gif", "The graph as GIF"),
            switch("raw", "The profile with its names, for later"),
            switch("collapsed", "Stacks as a;b;c 12 lines, for flame graph tools"),
            telling(switch("stacks", "Accepted for gperftools' sake; --collapsed prints the stacks")),
        ],
    ),
    (
        "Numbers",
        &[
            switch("inuse_space", "Bytes in use (the default)"),
            switch("inuse_objects", "Objects in use"),
            switch("alloc_space", "Bytes allocated so far"),
            switch("alloc_objects", "Objects allocated so far"),
            telling(switch("show_bytes", "Bytes, not MB")),
            switch("drop_negative", "What the base has more of counts nothing"),
            telling(value("thread", Takes::Text, "n", "Only what thread n allocated; * prints each thread")),
        ],
    ),
    (
        "Filters",
        &[
            value("focus", Takes::Text, "regex", "Only stacks with a function, file:line or address that matches"),
            value("ignore", Takes::Text, "regex", "Only stacks without one"),
            telling(value("retain", Takes::Text, "regex", "Only addresses in functions that match")),
            telling(value("exclude", Takes::Text, "regex", "Only addresses in functions that do not match")),
        ],
    ),
    (
        "Graph",
        &[
            value("nodecount", Takes::Int, "n", "Most nodes (80)"),
            value("nodefraction", Takes::Float, "f", "Smallest share of a node (.005)"),
            value("edgefraction", Takes::Float, "f", "Smallest share of an edge (.001)"),
            telling(value("maxdegree", Takes::Int, "n", "Most edges into and out of a node (8)")),
            telling(value("scale", Takes::Int, "n", "Size of the picture in gv (0)")),
            telling(Flag {
                name: "heapcheck",
                takes: Takes::Only,
                value: "",
                doc: "Mark the nodes that hold something themselves",
                tells: false,
            }),
        ],
    ),
    (
        "Names",
        &[
            telling(switch("no_strip_temp", "Keep template and generic arguments")),
            telling(switch("show_addresses", "Addresses behind the names")),
            telling(switch("debug-syms-by-id", "Accepted: debug information is always looked for by build id, too")),
            value("tools", Takes::Text, "prefix", "Accepted: no other program is run for names"),
        ],
    ),
    (
        "Others",
        &[
            switch("help", "Print this"),
            switch("version", "Print the version"),
            telling(switch("test", "Accepted: says PASS")),
            telling(switch("debug", "Accepted")),
            switch("total_delay", "Accepted: of profiles of locks"),
            switch("contentions", "Accepted: of profiles of locks"),
            switch("mean_delay", "Accepted: of profiles of locks"),
            telling(switch("no-auto-signal-frm", "Accepted: of CPU profiles")),
            telling(value("test_stride", Takes::Int, "n", "Accepted")),
        ],
    ),
];

/// All flags.
pub(super) fn all() -> impl Iterator<Item = &'static Flag> {
    GROUPS.iter().flat_map(|(_, flags)| flags.iter())
}

/// The help, for a program of this name.
pub(super) fn usage(name: &str) -> String {
    let mut text = format!(
        "Usage:\n  {name} [options] <program> <profile>...\n  {name} [options] <profile with names>...\n  \
         {name} [options] host:port[/pprof/heap]\n  {name} --symbols <program>\n"
    );
    for (heading, flags) in &GROUPS {
        text += &format!("\n{heading}:\n");
        for flag in *flags {
            let spelled = if flag.value.is_empty() { format!("--{}", flag.name) } else { format!("--{}=<{}>", flag.name, flag.value) };
            text += &format!("  {spelled:<24} {}\n", flag.doc);
        }
    }
    text + "\nFlags take one dash or two and may be shortened as long as they are clear; --no… takes a flag back.\n\
            This is heapview in jeprof's clothes: heapview -help shows what else there is.\n"
}
