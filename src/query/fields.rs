//! FIELDS: the one table of every option of a report.
//!
//! Command-line flags, URL keys, API parameters, `--help`, the OpenAPI document and the
//! page's filter menu are all made from it.

use super::kinds::{KindRules, KindSet};
use super::table::{Opened, Order, OrderBy, Window};
use super::view::{Dumps, Granularity, GrowthBy, View, ViewKind};
use super::{Pattern, QueryError};
use crate::kind::PackageKind;
use crate::units;

/// What of a view a field changes: the later, the cheaper to compute anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tree itself.
    Shape,
    /// The numbers on it.
    Weight,
    /// What of it is answered.
    Cut,
    /// How it is printed.
    Show,
}

impl Part {
    /// The part in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Part::Shape => "shape",
            Part::Weight => "weight",
            Part::Cut => "cut",
            Part::Show => "show",
        }
    }
}

/// What values a field takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Yes or no.
    Bool,
    /// Any text.
    Text,
    /// A regular expression.
    Regex,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// One of these words.
    Choice(&'static [&'static str]),
}

impl Kind {
    /// The kind in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Text => "text",
            Kind::Regex => "regex",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::Choice(_) => "choice",
        }
    }
}

/// One option.
pub struct Field {
    /// Its name, as pprof has it where pprof has it.
    pub name: &'static str,
    /// pprof's short name in URLs; empty when there is none.
    pub alias: &'static str,
    /// What it changes.
    pub part: Part,
    /// What it takes.
    pub kind: Kind,
    /// Its default, as text.
    pub default: &'static str,
    /// One sentence for `--help`.
    pub doc: &'static str,
    pub(super) set: fn(&mut View, &Field, &str) -> Result<(), QueryError>,
    pub(super) get: fn(&View) -> Option<String>,
}

impl Field {
    pub(super) fn bad(&self, value: &str, expected: impl Into<String>) -> QueryError {
        QueryError::Value { field: self.name, value: value.into(), expected: expected.into() }
    }

    fn bool(&self, value: &str) -> Result<bool, QueryError> {
        // `?noinlines` alone means yes.
        if value.is_empty() { Ok(true) } else { truth(value).ok_or_else(|| self.bad(value, "true or false")) }
    }

    fn int(&self, value: &str) -> Result<i64, QueryError> {
        value.parse().map_err(|_| self.bad(value, "a whole number"))
    }

    fn float(&self, value: &str) -> Result<f64, QueryError> {
        value.parse().ok().filter(|f: &f64| f.is_finite()).ok_or_else(|| self.bad(value, "a number"))
    }

    fn pattern(&self, value: &str) -> Result<Option<Pattern>, QueryError> {
        if value.is_empty() {
            return Ok(None);
        }
        let compiled = Pattern::new(value);
        compiled.map(Some).map_err(|problem| QueryError::Pattern { field: self.name, value: value.into(), problem })
    }
}

/// Yes or no, in pprof's words.
pub fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "0" => Some(false),
        _ => None,
    }
}

fn put<T>(to: &mut T, value: T) -> Result<(), QueryError> {
    *to = value;
    Ok(())
}

fn yes(value: bool) -> Option<String> {
    value.then(|| "t".into())
}

fn source(pattern: &Option<Pattern>) -> Option<String> {
    pattern.as_ref().map(|p| p.source().to_owned())
}

/// Words between commas.
fn words(list: &str) -> Vec<String> {
    list.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

/// Every option, in the order in which they are printed. Filters come in pprof's order.
#[rustfmt::skip] // A table: a field's few facts stay together.
pub static FIELDS: &[Field] = &[
    Field {
        name: "focus", alias: "f", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Only stacks that go through a matching function, file or mapped file",
        set: |v, f, s| put(&mut v.weight.focus, f.pattern(s)?),
        get: |v| source(&v.weight.focus),
    },
    Field {
        name: "ignore", alias: "i", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "No stacks that go through a match",
        set: |v, f, s| put(&mut v.weight.ignore, f.pattern(s)?),
        get: |v| source(&v.weight.ignore),
    },
    Field {
        name: "hide", alias: "h", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Leave matching frames out; what they hold goes to their callers",
        set: |v, f, s| put(&mut v.shape.hide, f.pattern(s)?),
        get: |v| source(&v.shape.hide),
    },
    Field {
        name: "show", alias: "s", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Leave all but matching frames out",
        set: |v, f, s| put(&mut v.shape.show, f.pattern(s)?),
        get: |v| source(&v.shape.show),
    },
    Field {
        name: "show_from", alias: "sf", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Begin each stack at its outermost match; drop stacks without one",
        set: |v, f, s| put(&mut v.shape.show_from, f.pattern(s)?),
        get: |v| source(&v.shape.show_from),
    },
    Field {
        name: "hide_kind", alias: "hk", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Fold kinds of code away, with commas: allocator, runtime, plumbing, third_party, own, unknown (short: alloc, std, async)",
        set: |v, f, s| put(&mut v.shape.hide_kind, KindSet::from_text(s).map_err(|word| f.bad(word, format!("one of {}", PackageKind::ALL.map(PackageKind::name).join(", "))))?),
        get: |v| text(&v.shape.hide_kind.to_text()),
    },
    Field {
        name: "culprit", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Charge each stack to its innermost frame of own code, else of a third party, and end it there",
        set: |v, f, s| put(&mut v.shape.culprit, f.bool(s)?),
        get: |v| yes(v.shape.culprit),
    },
    Field {
        name: "kinds", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Whose code is what, as in serde*=own,function:my_alloc*=allocator,file:*/vendor/zlib/*=third_party/zlib",
        set: |v, f, s| put(&mut v.shape.kinds, KindRules::from_text(s).map_err(|expected| f.bad(s, expected))?),
        get: |v| text(&v.shape.kinds.to_text()),
    },
    Field {
        name: "package", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Only stacks whose culprit is of a matching package",
        set: |v, f, s| put(&mut v.weight.package, f.pattern(s)?),
        get: |v| source(&v.weight.package),
    },
    Field {
        name: "blame", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Only stacks whose culprit matches",
        set: |v, f, s| put(&mut v.weight.blame, f.pattern(s)?),
        get: |v| source(&v.weight.blame),
    },
    Field {
        name: "type", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Only stacks whose memory is for a container that matches, such as ^Vec<Block>$; unknown where no name tells",
        set: |v, f, s| put(&mut v.weight.of_type, f.pattern(s)?),
        get: |v| source(&v.weight.of_type),
    },
    Field {
        name: "tagfocus", alias: "tf", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Only samples whose labels match [key=]range (such as bytes=4kb:) or [key=]regex,…; several joined by && and || between blanks",
        set: |v, f, s| put(&mut v.weight.tagfocus, f.tag_filter(s)?),
        get: |v| v.weight.tagfocus.as_ref().map(|t| t.source().to_owned()),
    },
    Field {
        name: "tagignore", alias: "ti", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "No samples whose labels match",
        set: |v, f, s| put(&mut v.weight.tagignore, f.tag_filter(s)?),
        get: |v| v.weight.tagignore.as_ref().map(|t| t.source().to_owned()),
    },
    Field {
        name: "tagshow", alias: "ts", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Show only labels whose key matches",
        set: |v, f, s| put(&mut v.cut.tagshow, f.pattern(s)?),
        get: |v| source(&v.cut.tagshow),
    },
    Field {
        name: "taghide", alias: "th", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Leave labels out whose key matches",
        set: |v, f, s| put(&mut v.cut.taghide, f.pattern(s)?),
        get: |v| source(&v.cut.taghide),
    },
    Field {
        name: "prune_from", alias: "prunefrom", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Cut stacks below the match nearest to the leaf; what lies below is charged to it",
        set: |v, f, s| put(&mut v.shape.prune_from, f.pattern(s)?),
        get: |v| source(&v.shape.prune_from),
    },
    Field {
        name: "tagroot", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Label keys, with commas, whose values become frames at the root",
        set: |v, _, s| put(&mut v.shape.tagroot, words(s)),
        get: |v| text(&v.shape.tagroot.join(",")),
    },
    Field {
        name: "tagleaf", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Label keys, with commas, whose values become frames at the leaf",
        set: |v, _, s| put(&mut v.shape.tagleaf, words(s)),
        get: |v| text(&v.shape.tagleaf.join(",")),
    },
    Field {
        name: "sample_index", alias: "si", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Value type to show, by name (inuse_space, alloc_objects, …) or number",
        set: |v, _, s| put(&mut v.weight.sample_index, s.into()),
        get: |v| text(&v.weight.sample_index),
    },
    Field {
        name: "dump", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to show, by number from 0, separated by commas; all but bases when absent",
        set: |v, f, s| put(&mut v.weight.dump, f.dumps(s)?),
        get: |v| v.weight.dump.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "series", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Process whose dumps growth is told of, by name or number; the one with most dumps when absent",
        set: |v, _, s| put(&mut v.weight.series, s.into()),
        get: |v| text(&v.weight.series),
    },
    Field {
        name: "base", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to subtract, by number; percentages are of the difference",
        set: |v, f, s| put(&mut v.weight.base, f.dumps(s)?),
        get: |v| v.weight.base.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "diff_base", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to subtract, by number; percentages are of the base",
        set: |v, f, s| put(&mut v.weight.diff_base, f.dumps(s)?),
        get: |v| v.weight.diff_base.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "normalize", alias: "norm", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "Scale the dumps so that their total equals the base's",
        set: |v, f, s| put(&mut v.weight.normalize, f.bool(s)?),
        get: |v| yes(v.weight.normalize),
    },
    Field {
        name: "relative_percentages", alias: "rel", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "Percentages of what the filters leave, not of everything",
        set: |v, f, s| put(&mut v.weight.relative_percentages, f.bool(s)?),
        get: |v| yes(v.weight.relative_percentages),
    },
    Field {
        name: "mean", alias: "", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "Divide by the first value type: mean size of objects",
        set: |v, f, s| put(&mut v.weight.mean, f.bool(s)?),
        get: |v| yes(v.weight.mean),
    },
    Field {
        name: "counts", alias: "", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "With bytes also the number of objects, and with objects their bytes, in JSON and CSV",
        set: |v, f, s| put(&mut v.weight.counts, f.bool(s)?),
        get: |v| yes(v.weight.counts),
    },
    Field {
        name: "errors", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "With the standard error of each number of a sampled profile and the samples behind it; in text of top and flame",
        set: |v, f, s| put(&mut v.cut.errors, f.bool(s)?),
        get: |v| yes(v.cut.errors),
    },
    Field {
        name: "gross", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "With a base, what grew and what shrank apart: below one function they do not cancel out; in text of top and flame",
        set: |v, f, s| put(&mut v.cut.gross, f.bool(s)?),
        get: |v| yes(v.cut.gross),
    },
    Field {
        name: "granularity", alias: "g", part: Part::Shape, kind: Kind::Choice(&Granularity::NAMES), default: "functions",
        doc: "What a row or box stands for",
        set: |v, f, s| match Granularity::from_name(s) {
            Some(g) => put(&mut v.shape.granularity, Some(g)),
            None if s.is_empty() => put(&mut v.shape.granularity, None),
            None => Err(f.bad(s, format!("one of {}", Granularity::NAMES.join(", ")))),
        },
        get: |v| v.shape.granularity.map(|g| g.name().to_owned()),
    },
    Field {
        name: "by", alias: "", part: Part::Shape, kind: Kind::Choice(&GrowthBy::NAMES), default: "culprits",
        doc: "What the rows of growth are; lines, files, packages and modules are those of culprits",
        set: |v, f, s| match GrowthBy::from_name(s) {
            None if !s.is_empty() => Err(f.bad(s, format!("one of {}", GrowthBy::NAMES.join(", ")))),
            by => put(&mut v.shape.by, by),
        },
        get: |v| v.shape.by.map(|by| by.name().to_owned()),
    },
    Field {
        name: "noinlines", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Charge inlined code to the function that it was inlined into",
        set: |v, f, s| put(&mut v.shape.noinlines, f.bool(s)?),
        get: |v| yes(v.shape.noinlines),
    },
    Field {
        name: "call_tree", alias: "calltree", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "A node for each path of calls: a tree in place of a graph",
        set: |v, f, s| put(&mut v.shape.call_tree, f.bool(s)?),
        get: |v| yes(v.shape.call_tree),
    },
    Field {
        name: "showcolumns", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "With lines, tell columns apart as well",
        set: |v, f, s| put(&mut v.shape.showcolumns, f.bool(s)?),
        get: |v| yes(v.shape.showcolumns),
    },
    Field {
        name: "sort", alias: "", part: Part::Cut, kind: Kind::Choice(&["flat", "cum"]), default: "flat",
        doc: "Order of rows: by what they hold themselves, or with all that they call",
        set: |v, f, s| match s {
            "flat" | "" => put(&mut v.cut.by_cum, false),
            "cum" => put(&mut v.cut.by_cum, true),
            _ => Err(f.bad(s, "flat or cum")),
        },
        get: |v| v.cut.by_cum.then(|| "cum".into()),
    },
    Field {
        name: "order", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Order of rows by one column (flat, cum, base, cumbase, delta, cumdelta, objects, ownobjects, mean, grown, shrunk, owngrown, ownshrunk, name, place, package, type), with - before it the other way round",
        set: |v, f, s| match Order::from_text(s) {
            None if !s.is_empty() => Err(f.bad(s, format!("one of {}", OrderBy::NAMES.join(", ")))),
            order => put(&mut v.cut.order, order),
        },
        get: |v| v.cut.order.map(Order::to_text),
    },
    Field {
        name: "find", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Rows whose function, file or mapped file matches come first",
        set: |v, f, s| put(&mut v.cut.find, f.pattern(s)?),
        get: |v| source(&v.cut.find),
    },
    Field {
        name: "with_type", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "With each row the container that most of what it holds is for, in JSON and CSV",
        set: |v, f, s| put(&mut v.cut.with_type, f.bool(s)?),
        get: |v| yes(v.cut.with_type),
    },
    Field {
        name: "rows", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Some rows only, as FIRST-COUNT: 200-50 means 50 rows from the one that has 200 before it",
        set: |v, f, s| match Window::from_text(s) {
            None if !s.is_empty() => Err(f.bad(s, "two numbers such as 200-50")),
            rows => put(&mut v.cut.rows, rows),
        },
        get: |v| v.cut.rows.map(Window::to_text),
    },
    Field {
        name: "seek", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "With rows: send those around this function's row",
        set: |v, _, s| put(&mut v.cut.seek, s.into()),
        get: |v| text(&v.cut.seek),
    },
    Field {
        name: "nodecount", alias: "n", part: Part::Cut, kind: Kind::Int, default: "-1",
        doc: "At most this many rows or nodes; 0 means all, -1 what suits the report",
        set: |v, f, s| put(&mut v.cut.nodecount, f.int(s)?),
        get: |v| (v.cut.nodecount != -1).then(|| v.cut.nodecount.to_string()),
    },
    Field {
        name: "nodefraction", alias: "nf", part: Part::Cut, kind: Kind::Float, default: "0.005",
        doc: "Leave out what holds less than this share of the total, callees included",
        set: |v, f, s| put(&mut v.cut.nodefraction, Some(f.float(s)?)),
        get: |v| v.cut.nodefraction.map(|f| f.to_string()),
    },
    Field {
        name: "edgefraction", alias: "ef", part: Part::Cut, kind: Kind::Float, default: "0.001",
        doc: "Leave out calls that carry less than this share of the total",
        set: |v, f, s| put(&mut v.cut.edgefraction, Some(f.float(s)?)),
        get: |v| v.cut.edgefraction.map(|f| f.to_string()),
    },
    Field {
        name: "drop_negative", alias: "dropneg", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Leave out what shrank",
        set: |v, f, s| put(&mut v.cut.drop_negative, f.bool(s)?),
        get: |v| yes(v.cut.drop_negative),
    },
    Field {
        name: "trim", alias: "", part: Part::Cut, kind: Kind::Bool, default: "t",
        doc: "Honour nodecount, nodefraction and edgefraction",
        set: |v, f, s| put(&mut v.cut.trim, f.bool(s)?),
        get: |v| (!v.cut.trim).then(|| "f".into()),
    },
    Field {
        name: "inverted", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Flame graph from the leaves: who calls what holds the memory",
        set: |v, f, s| put(&mut v.cut.inverted, f.bool(s)?),
        get: |v| yes(v.cut.inverted),
    },
    Field {
        name: "zoom", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Flame graph of the box with this id",
        set: |v, _, s| put(&mut v.cut.zoom, s.into()),
        get: |v| text(&v.cut.zoom),
    },
    Field {
        name: "open", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Flame graph as a tree of which only some boxes are open: auto, none, or ids with points between them (_ behind one: small children, too; *: its hottest path)",
        set: |v, f, s| match Opened::from_text(s) {
            None if !s.is_empty() => Err(f.bad(s, "auto, none, or ids of at most eight digits with points between them")),
            open => put(&mut v.cut.open, open),
        },
        get: |v| v.cut.open.as_ref().map(Opened::to_text),
    },
    Field {
        name: "peek", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Callers and callees of matching functions",
        set: |v, f, s| put(&mut v.cut.peek, f.pattern(s)?),
        get: |v| source(&v.cut.peek),
    },
    Field {
        name: "list", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Source lines of matching functions; an address means the function there",
        set: |v, f, s| put(&mut v.cut.list, f.pattern(s)?),
        get: |v| source(&v.cut.list),
    },
    Field {
        name: "list_files", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Functions also match by their source file and mapped file",
        set: |v, f, s| put(&mut v.cut.list_files, f.bool(s)?),
        get: |v| yes(v.cut.list_files),
    },
    Field {
        name: "list_around", alias: "", part: Part::Cut, kind: Kind::Int, default: "-1",
        doc: "Only so many lines around the heaviest one of each function; -1 shows them all",
        set: |v, f, s| put(&mut v.cut.list_around, f.int(s)?),
        get: |v| (v.cut.list_around != -1).then(|| v.cut.list_around.to_string()),
    },
    Field {
        name: "line_calls", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Below each source line what it calls, and what was inlined into it",
        set: |v, f, s| put(&mut v.cut.line_calls, f.bool(s)?),
        get: |v| yes(v.cut.line_calls),
    },
    Field {
        name: "line_code", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Below each source line the instructions that it was compiled to",
        set: |v, f, s| put(&mut v.cut.line_code, f.bool(s)?),
        get: |v| yes(v.cut.line_code),
    },
    Field {
        name: "limit", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Size such as 8GiB: growth tells when it is reached",
        set: |v, f, s| {
            let limit = units::memory(s).map_err(|problem| f.bad(s, format!("a size: {problem}")))?;
            put(&mut v.cut.limit, i64::try_from(limit).unwrap_or(i64::MAX))
        },
        get: |v| (v.cut.limit != 0).then(|| v.cut.limit.to_string()),
    },
    Field {
        name: "source_path", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Folders to look for sources in, with all folders above them; the current one when absent",
        set: |v, _, s| put(&mut v.shape.paths.search, s.into()),
        get: |v| text(&v.shape.paths.search),
    },
    Field {
        name: "trim_path", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Beginnings of source paths to cut off; when absent, all up to a folder named as one of source_path",
        set: |v, _, s| put(&mut v.shape.paths.trim, s.into()),
        get: |v| text(&v.shape.paths.trim),
    },
    Field {
        name: "disasm", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Code of matching functions, or of the one at this address",
        set: |v, f, s| put(&mut v.cut.disasm, f.pattern(s)?),
        get: |v| source(&v.cut.disasm),
    },
    Field {
        name: "nodelets", alias: "", part: Part::Cut, kind: Kind::Bool, default: "t",
        doc: "Hang sizes and other label values at the nodes of the graph; they count as nodes",
        set: |v, f, s| put(&mut v.cut.nodelets, f.bool(s)?),
        get: |v| (!v.cut.nodelets).then(|| "f".into()),
    },
    Field {
        name: "unit", alias: "", part: Part::Show, kind: Kind::Text, default: "minimum",
        doc: "Unit to print (B, kB, MB, …), or minimum: one that suits the smallest row",
        set: |v, _, s| put(&mut v.show.unit, if s.is_empty() { "minimum".into() } else { s.into() }),
        get: |v| (v.show.unit != "minimum").then(|| v.show.unit.clone()),
    },
    Field {
        name: "divide_by", alias: "", part: Part::Show, kind: Kind::Float, default: "1",
        doc: "Divide every value by this before printing",
        set: |v, f, s| match f.float(s)? {
            by if by != 0.0 => put(&mut v.show.divide_by, by),
            _ => Err(f.bad(s, "a number other than 0")),
        },
        get: |v| (v.show.divide_by != 1.0).then(|| v.show.divide_by.to_string()),
    },
    Field {
        name: "compact_labels", alias: "compact", part: Part::Show, kind: Kind::Bool, default: "f",
        doc: "Fewer lines above the table",
        set: |v, f, s| put(&mut v.show.compact_labels, f.bool(s)?),
        get: |v| yes(v.show.compact_labels),
    },
    Field {
        name: "intel_syntax", alias: "intel", part: Part::Show, kind: Kind::Bool, default: "f",
        doc: "With -disasm, -weblist and -line_code, write x86 code in Intel's syntax",
        set: |v, f, s| put(&mut v.show.intel_syntax, f.bool(s)?),
        get: |v| yes(v.show.intel_syntax),
    },
];

/// Fields that name places on this machine: the person says them when the program starts,
/// not a page or a link.
pub const LOCAL: [&str; 2] = ["source_path", "trim_path"];

/// The field with this name or short name.
pub fn field(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|f| f.name == name || (!f.alias.is_empty() && f.alias == name))
}

/// The name nearest to a mistyped one, if any is near.
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + name.len() / 4;
    among.map(|n| (distance(name, n), n)).min().filter(|&(d, _)| d <= limit).map(|(_, n)| n)
}

/// Edits that make one word of the other; two neighbours that changed places are one.
/// O(lengths' product).
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    // Rows of the table for one byte less of `a`, and for two less.
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut second = above.clone();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(second[j - 1] + 1);
            }
            row.push(least);
        }
        second = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

/// Whether a report of `kind` looks at the field.
pub fn applies(field: &Field, kind: ViewKind) -> bool {
    match field.name {
        "by" | "series" | "limit" => kind == ViewKind::Growth,
        "base" | "diff_base" | "normalize" | "relative_percentages" => kind != ViewKind::Growth,
        "inverted" | "zoom" | "open" => kind == ViewKind::Flame,
        "order" | "find" | "rows" | "seek" | "with_type" => kind == ViewKind::Top,
        "counts" | "errors" | "gross" => matches!(kind, ViewKind::Top | ViewKind::Tree | ViewKind::Peek | ViewKind::Flame),
        "peek" => kind == ViewKind::Peek,
        "disasm" => kind == ViewKind::Disasm,
        "intel_syntax" => matches!(kind, ViewKind::Disasm | ViewKind::Source),
        "granularity" | "showcolumns" | "compact_labels" => !matches!(kind, ViewKind::Source | ViewKind::Disasm | ViewKind::Types),
        "noinlines" => kind != ViewKind::Disasm,
        "nodelets" | "call_tree" => kind == ViewKind::Graph,
        "tagshow" | "taghide" => matches!(kind, ViewKind::Traces | ViewKind::Tags | ViewKind::Graph),
        "mean" => !matches!(kind, ViewKind::Summary | ViewKind::Tags | ViewKind::Sizes | ViewKind::Types | ViewKind::Growth),
        "drop_negative" => !matches!(
            kind,
            ViewKind::Summary | ViewKind::Flame | ViewKind::Traces | ViewKind::Tags | ViewKind::Sizes | ViewKind::Types | ViewKind::Growth
        ),
        "nodecount" => !matches!(kind, ViewKind::Flame | ViewKind::Peek | ViewKind::Tags | ViewKind::Source | ViewKind::Disasm),
        "nodefraction" | "trim" => kind.can_trim(),
        "list" | "list_files" | "list_around" | "line_calls" | "line_code" => kind == ViewKind::Source,
        "edgefraction" => matches!(kind, ViewKind::Tree | ViewKind::Graph),
        "sort" => !matches!(
            kind,
            ViewKind::Summary
                | ViewKind::Flame
                | ViewKind::Graph
                | ViewKind::Traces
                | ViewKind::Tags
                | ViewKind::Sizes
                | ViewKind::Source
                | ViewKind::Disasm
                | ViewKind::Types
                | ViewKind::Growth
        ),
        _ => true,
    }
}
