//! FIELDS: the table of all options of reports.
//!
//! Command-line flags, URL keys, API parameters, `--help`, the OpenAPI document and the page's filter menu are generated from it.

use super::code_kinds::{KindRules, KindSet};
use super::open_boxes::Opened;
use super::order::{Order, OrderBy};
use super::view::{Dumps, Granularity, GrowthBy, View, ViewKind};
use super::when::When;
use super::window::Window;
use super::{Pattern, QueryError};
use crate::base::kind::PackageKind;
use crate::base::units;

/// Part of a view that an option changes, from expensive to cheap to recompute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tree itself.
    Shape,
    /// The numbers on it.
    Weight,
    /// The part of the result that is returned.
    Cut,
    /// The output format.
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

/// Value type of an option.
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
    /// Its name, like in pprof where pprof has it.
    pub name: &'static str,
    /// pprof's short name in URLs; empty when there is none.
    pub alias: &'static str,
    /// Part of the view that it changes.
    pub part: Part,
    /// Value type.
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

    fn when(&self, value: &str) -> Result<Option<When>, QueryError> {
        if value.is_empty() {
            return Ok(None);
        }
        When::from_text(value).map(Some).ok_or_else(|| self.bad(value, When::EXPECTED))
    }

    fn pattern(&self, value: &str) -> Result<Option<Pattern>, QueryError> {
        if value.is_empty() {
            return Ok(None);
        }
        let compiled = Pattern::new(value);
        compiled.map(Some).map_err(|problem| QueryError::Pattern { field: self.name, value: value.into(), problem })
    }
}

/// Parses a boolean, with pprof's words.
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
        doc: "Keep only samples whose stack matches this regexp (function, file or mapping)",
        set: |v, f, s| put(&mut v.weight.focus, f.pattern(s)?),
        get: |v| source(&v.weight.focus),
    },
    Field {
        name: "ignore", alias: "i", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Skip samples whose stack matches this regexp",
        set: |v, f, s| put(&mut v.weight.ignore, f.pattern(s)?),
        get: |v| source(&v.weight.ignore),
    },
    Field {
        name: "hide", alias: "h", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Remove matching frames; their memory goes to their callers",
        set: |v, f, s| put(&mut v.shape.hide, f.pattern(s)?),
        get: |v| source(&v.shape.hide),
    },
    Field {
        name: "show", alias: "s", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Remove all frames that do not match",
        set: |v, f, s| put(&mut v.shape.show, f.pattern(s)?),
        get: |v| source(&v.shape.show),
    },
    Field {
        name: "show_from", alias: "sf", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Start each stack at its outermost matching frame; skip stacks without one",
        set: |v, f, s| put(&mut v.shape.show_from, f.pattern(s)?),
        get: |v| source(&v.shape.show_from),
    },
    Field {
        name: "hide_kind", alias: "hk", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Fold frames by kind, comma-separated: allocator, runtime, plumbing, third_party, own, unknown (also alloc, std, async); none folds nothing, also where the page would",
        set: |v, f, s| put(&mut v.shape.hide_kind, KindSet::from_text(s).map_err(|word| f.bad(word, format!("one of {}, or none alone", PackageKind::ALL.map(PackageKind::name).join(", "))))?),
        get: |v| text(&v.shape.hide_kind.to_text()),
    },
    Field {
        name: "culprit", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Charge each stack to your innermost function, or to the innermost third-party function if there is none",
        set: |v, f, s| put(&mut v.shape.culprit, f.bool(s)?),
        get: |v| yes(v.shape.culprit),
    },
    Field {
        name: "kinds", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Override who owns code, as in serde*=own,function:my_alloc*=allocator,file:*/vendor/zlib/*=third_party/zlib",
        set: |v, f, s| put(&mut v.shape.kinds, KindRules::from_text(s).map_err(|expected| f.bad(s, expected))?),
        get: |v| text(&v.shape.kinds.to_text()),
    },
    Field {
        name: "package", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Keep only stacks whose culprit belongs to a matching package",
        set: |v, f, s| put(&mut v.weight.package, f.pattern(s)?),
        get: |v| source(&v.weight.package),
    },
    Field {
        name: "blame", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Keep only stacks whose culprit matches this regexp",
        set: |v, f, s| put(&mut v.weight.blame, f.pattern(s)?),
        get: |v| source(&v.weight.blame),
    },
    Field {
        name: "type", alias: "", part: Part::Weight, kind: Kind::Regex, default: "",
        doc: "Keep only stacks allocated for a matching container type, such as ^Vec<Block>$; unknown selects stacks without an inferred type",
        set: |v, f, s| put(&mut v.weight.of_type, f.pattern(s)?),
        get: |v| source(&v.weight.of_type),
    },
    Field {
        name: "tagfocus", alias: "tf", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Keep only samples with matching labels: [key=]range (such as bytes=4kb:) or [key=]regexp,...; combine several with && and ||, surrounded by spaces",
        set: |v, f, s| put(&mut v.weight.tagfocus, f.tag_filter(s)?),
        get: |v| v.weight.tagfocus.as_ref().map(|t| t.source().to_owned()),
    },
    Field {
        name: "tagignore", alias: "ti", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Skip samples with matching labels",
        set: |v, f, s| put(&mut v.weight.tagignore, f.tag_filter(s)?),
        get: |v| v.weight.tagignore.as_ref().map(|t| t.source().to_owned()),
    },
    Field {
        name: "where", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Keep only stacks whose numbers meet comma-separated conditions, as in size<=16 (mean bytes), lifetime<10ms, reads=0, reads/byte<=0.4|writes/byte<=0.4; | separates alternatives",
        set: |v, f, s| put(&mut v.weight.conditions, f.conditions(s)?),
        get: |v| v.weight.conditions.as_ref().map(|c| c.source().to_owned()),
    },
    Field {
        name: "tagshow", alias: "ts", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Show only labels whose key matches",
        set: |v, f, s| put(&mut v.cut.tagshow, f.pattern(s)?),
        get: |v| source(&v.cut.tagshow),
    },
    Field {
        name: "taghide", alias: "th", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Hide labels whose key matches",
        set: |v, f, s| put(&mut v.cut.taghide, f.pattern(s)?),
        get: |v| source(&v.cut.taghide),
    },
    Field {
        name: "prune_from", alias: "prunefrom", part: Part::Shape, kind: Kind::Regex, default: "",
        doc: "Remove the frames below the matching frame closest to the leaf; their memory goes to that frame",
        set: |v, f, s| put(&mut v.shape.prune_from, f.pattern(s)?),
        get: |v| source(&v.shape.prune_from),
    },
    Field {
        name: "tagroot", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Label keys, comma-separated, whose values become frames at the root",
        set: |v, _, s| put(&mut v.shape.tagroot, words(s)),
        get: |v| text(&v.shape.tagroot.join(",")),
    },
    Field {
        name: "tagleaf", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Label keys, comma-separated, whose values become frames at the leaf",
        set: |v, _, s| put(&mut v.shape.tagleaf, words(s)),
        get: |v| text(&v.shape.tagleaf.join(",")),
    },
    Field {
        name: "sample_index", alias: "si", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Value type to report, by name (inuse_space, alloc_objects, ...) or index",
        set: |v, _, s| put(&mut v.weight.sample_index, s.into()),
        get: |v| text(&v.weight.sample_index),
    },
    Field {
        name: "dump", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to show, as comma-separated indexes from 0; by default all except bases",
        set: |v, f, s| put(&mut v.weight.dump, f.dumps(s)?),
        get: |v| v.weight.dump.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "at", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Show a recording as it was at this time: 12.5s, 500ms, peak, end",
        set: |v, f, s| put(&mut v.weight.at, f.when(s)?),
        get: |v| v.weight.at.map(When::to_text),
    },
    Field {
        name: "from", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Show what changed in a recording from this time on, up to -to",
        set: |v, f, s| put(&mut v.weight.from, f.when(s)?),
        get: |v| v.weight.from.map(When::to_text),
    },
    Field {
        name: "to", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Show what changed in a recording up to this time, from -from or the beginning",
        set: |v, f, s| put(&mut v.weight.to, f.when(s)?),
        get: |v| v.weight.to.map(When::to_text),
    },
    Field {
        name: "series", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Process to report growth for, by name or index; by default the one with the most dumps",
        set: |v, _, s| put(&mut v.weight.series, s.into()),
        get: |v| text(&v.weight.series),
    },
    Field {
        name: "base", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to subtract, by index; percentages are relative to the difference",
        set: |v, f, s| put(&mut v.weight.base, f.dumps(s)?),
        get: |v| v.weight.base.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "diff_base", alias: "", part: Part::Weight, kind: Kind::Text, default: "",
        doc: "Dumps to subtract, by index; percentages are relative to the base",
        set: |v, f, s| put(&mut v.weight.diff_base, f.dumps(s)?),
        get: |v| v.weight.diff_base.as_ref().map(Dumps::to_text),
    },
    Field {
        name: "normalize", alias: "norm", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "Scale the profile so that its total equals the base's",
        set: |v, f, s| put(&mut v.weight.normalize, f.bool(s)?),
        get: |v| yes(v.weight.normalize),
    },
    Field {
        name: "relative_percentages", alias: "rel", part: Part::Weight, kind: Kind::Bool, default: "f",
        doc: "Compute percentages from the filtered total, not from the whole profile",
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
        doc: "Add the number of objects to bytes, and bytes to objects, in JSON and CSV",
        set: |v, f, s| put(&mut v.weight.counts, f.bool(s)?),
        get: |v| yes(v.weight.counts),
    },
    Field {
        name: "errors", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Add the standard error and the number of samples behind each value of a sampled profile; in text for top and flame",
        set: |v, f, s| put(&mut v.cut.errors, f.bool(s)?),
        get: |v| yes(v.cut.errors),
    },
    Field {
        name: "gross", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "With a base, report growth and shrinkage separately, so that they do not cancel out within a function; in text for top and flame",
        set: |v, f, s| put(&mut v.cut.gross, f.bool(s)?),
        get: |v| yes(v.cut.gross),
    },
    Field {
        name: "ratios", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Add mean size, mean lifetime, and reads and writes per byte of each row with its callees, where the profile has them; in text for top",
        set: |v, f, s| put(&mut v.cut.ratios, f.bool(s)?),
        get: |v| yes(v.cut.ratios),
    },
    Field {
        name: "granularity", alias: "g", part: Part::Shape, kind: Kind::Choice(&Granularity::NAMES), default: "functions",
        doc: "What each row or node represents",
        set: |v, f, s| match Granularity::from_name(s) {
            Some(g) => put(&mut v.shape.granularity, Some(g)),
            None if s.is_empty() => put(&mut v.shape.granularity, None),
            None => Err(f.bad(s, format!("one of {}", Granularity::NAMES.join(", ")))),
        },
        get: |v| v.shape.granularity.map(|g| g.name().to_owned()),
    },
    Field {
        name: "by", alias: "", part: Part::Shape, kind: Kind::Choice(&GrowthBy::NAMES), default: "culprits",
        doc: "What each row of growth represents; lines, files, packages and modules are those of the culprit",
        set: |v, f, s| match GrowthBy::from_name(s) {
            None if !s.is_empty() => Err(f.bad(s, format!("one of {}", GrowthBy::NAMES.join(", ")))),
            by => put(&mut v.shape.by, by),
        },
        get: |v| v.shape.by.map(|by| by.name().to_owned()),
    },
    Field {
        name: "noinlines", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Charge inlined functions to the function that they were inlined into",
        set: |v, f, s| put(&mut v.shape.noinlines, f.bool(s)?),
        get: |v| yes(v.shape.noinlines),
    },
    Field {
        name: "collapse_recursion", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Show a function that calls itself directly as one frame; other reports count it once anyway",
        set: |v, f, s| put(&mut v.shape.collapse_recursion, f.bool(s)?),
        get: |v| yes(v.shape.collapse_recursion),
    },
    Field {
        name: "call_tree", alias: "calltree", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "Create a node for each call path: a tree instead of a graph",
        set: |v, f, s| put(&mut v.shape.call_tree, f.bool(s)?),
        get: |v| yes(v.shape.call_tree),
    },
    Field {
        name: "showcolumns", alias: "", part: Part::Shape, kind: Kind::Bool, default: "f",
        doc: "With -lines, distinguish columns as well",
        set: |v, f, s| put(&mut v.shape.showcolumns, f.bool(s)?),
        get: |v| yes(v.shape.showcolumns),
    },
    Field {
        name: "sort", alias: "", part: Part::Cut, kind: Kind::Choice(&["flat", "cum"]), default: "flat",
        doc: "Sort rows by own value (flat) or by value including callees (cum)",
        set: |v, f, s| match s {
            "flat" | "" => put(&mut v.cut.by_cum, false),
            "cum" => put(&mut v.cut.by_cum, true),
            _ => Err(f.bad(s, "flat or cum")),
        },
        get: |v| v.cut.by_cum.then(|| "cum".into()),
    },
    Field {
        name: "order", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Sort rows by one column: flat, cum, base, cumbase, delta, cumdelta, objects, ownobjects, mean, lifetime, reads, writes, grown, shrunk, owngrown, ownshrunk, name, place, package or type; a leading - reverses the order",
        set: |v, f, s| match Order::from_text(s) {
            None if !s.is_empty() => Err(f.bad(s, format!("one of {}", OrderBy::NAMES.join(", ")))),
            order => put(&mut v.cut.order, order),
        },
        get: |v| v.cut.order.map(Order::to_text),
    },
    Field {
        name: "find", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "List rows whose function, file or mapping matches first",
        set: |v, f, s| put(&mut v.cut.find, f.pattern(s)?),
        get: |v| source(&v.cut.find),
    },
    Field {
        name: "with_type", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Add the container type that uses most of each row's memory, in JSON and CSV",
        set: |v, f, s| put(&mut v.cut.with_type, f.bool(s)?),
        get: |v| yes(v.cut.with_type),
    },
    Field {
        name: "rows", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Return a range of rows as FIRST-COUNT: 200-50 returns 50 rows starting at index 200",
        set: |v, f, s| match Window::from_text(s) {
            None if !s.is_empty() => Err(f.bad(s, "two numbers such as 200-50")),
            rows => put(&mut v.cut.rows, rows),
        },
        get: |v| v.cut.rows.map(Window::to_text),
    },
    Field {
        name: "seek", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "With rows, return the range around this function's row",
        set: |v, _, s| put(&mut v.cut.seek, s.into()),
        get: |v| text(&v.cut.seek),
    },
    Field {
        name: "nodecount", alias: "n", part: Part::Cut, kind: Kind::Int, default: "-1",
        doc: "Maximum number of rows or nodes; 0 means all, -1 the report's default",
        set: |v, f, s| put(&mut v.cut.nodecount, f.int(s)?),
        get: |v| (v.cut.nodecount != -1).then(|| v.cut.nodecount.to_string()),
    },
    Field {
        name: "nodefraction", alias: "nf", part: Part::Cut, kind: Kind::Float, default: "0.005",
        doc: "Hide nodes below this fraction of the total, callees included",
        set: |v, f, s| put(&mut v.cut.nodefraction, Some(f.float(s)?)),
        get: |v| v.cut.nodefraction.map(|f| f.to_string()),
    },
    Field {
        name: "edgefraction", alias: "ef", part: Part::Cut, kind: Kind::Float, default: "0.001",
        doc: "Hide calls below this fraction of the total",
        set: |v, f, s| put(&mut v.cut.edgefraction, Some(f.float(s)?)),
        get: |v| v.cut.edgefraction.map(|f| f.to_string()),
    },
    Field {
        name: "drop_negative", alias: "dropneg", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Ignore negative differences",
        set: |v, f, s| put(&mut v.cut.drop_negative, f.bool(s)?),
        get: |v| yes(v.cut.drop_negative),
    },
    Field {
        name: "trim", alias: "", part: Part::Cut, kind: Kind::Bool, default: "t",
        doc: "Apply nodecount, nodefraction and edgefraction",
        set: |v, f, s| put(&mut v.cut.trim, f.bool(s)?),
        get: |v| (!v.cut.trim).then(|| "f".into()),
    },
    Field {
        name: "inverted", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Flame graph from the leaves: callers of the functions that allocate",
        set: |v, f, s| put(&mut v.cut.inverted, f.bool(s)?),
        get: |v| yes(v.cut.inverted),
    },
    Field {
        name: "zoom", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Root the flame graph at the node with this id",
        set: |v, _, s| put(&mut v.cut.zoom, s.into()),
        get: |v| text(&v.cut.zoom),
    },
    Field {
        name: "open", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Flame graph as a tree with only some nodes expanded: auto, none, or ids separated by dots (a trailing _ adds small children, * the hottest path)",
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
        doc: "Source lines of matching functions; an address selects the function there",
        set: |v, f, s| put(&mut v.cut.list, f.pattern(s)?),
        get: |v| source(&v.cut.list),
    },
    Field {
        name: "list_files", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Match functions by source file and mapping as well",
        set: |v, f, s| put(&mut v.cut.list_files, f.bool(s)?),
        get: |v| yes(v.cut.list_files),
    },
    Field {
        name: "list_around", alias: "", part: Part::Cut, kind: Kind::Int, default: "-1",
        doc: "Show only this many lines around the heaviest line of each function; -1 shows all",
        set: |v, f, s| put(&mut v.cut.list_around, f.int(s)?),
        get: |v| (v.cut.list_around != -1).then(|| v.cut.list_around.to_string()),
    },
    Field {
        name: "line_calls", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Below each source line, show what it calls and what was inlined into it",
        set: |v, f, s| put(&mut v.cut.line_calls, f.bool(s)?),
        get: |v| yes(v.cut.line_calls),
    },
    Field {
        name: "line_code", alias: "", part: Part::Cut, kind: Kind::Bool, default: "f",
        doc: "Below each source line, show its machine code",
        set: |v, f, s| put(&mut v.cut.line_code, f.bool(s)?),
        get: |v| yes(v.cut.line_code),
    },
    Field {
        name: "limit", alias: "", part: Part::Cut, kind: Kind::Text, default: "",
        doc: "Memory limit such as 8GiB; growth predicts when it is reached",
        set: |v, f, s| {
            let limit = units::memory(s).map_err(|problem| f.bad(s, format!("a size: {problem}")))?;
            put(&mut v.cut.limit, i64::try_from(limit).unwrap_or(i64::MAX))
        },
        get: |v| (v.cut.limit != 0).then(|| v.cut.limit.to_string()),
    },
    Field {
        name: "source_path", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Search path for source files, parent directories included; by default the current directory",
        set: |v, _, s| put(&mut v.shape.paths.search, s.into()),
        get: |v| text(&v.shape.paths.search),
    },
    Field {
        name: "trim_path", alias: "", part: Part::Shape, kind: Kind::Text, default: "",
        doc: "Path prefixes to remove from source paths; by default everything up to a directory named in source_path",
        set: |v, _, s| put(&mut v.shape.paths.trim, s.into()),
        get: |v| text(&v.shape.paths.trim),
    },
    Field {
        name: "disasm", alias: "", part: Part::Cut, kind: Kind::Regex, default: "",
        doc: "Machine code of matching functions, or of the function at this address",
        set: |v, f, s| put(&mut v.cut.disasm, f.pattern(s)?),
        get: |v| source(&v.cut.disasm),
    },
    Field {
        name: "nodelets", alias: "", part: Part::Cut, kind: Kind::Bool, default: "t",
        doc: "Show sizes and other label values next to graph nodes; they count as nodes",
        set: |v, f, s| put(&mut v.cut.nodelets, f.bool(s)?),
        get: |v| (!v.cut.nodelets).then(|| "f".into()),
    },
    Field {
        name: "unit", alias: "", part: Part::Show, kind: Kind::Text, default: "minimum",
        doc: "Unit of values (B, kB, MB, ...), or minimum: one that suits the smallest row",
        set: |v, _, s| put(&mut v.show.unit, if s.is_empty() { "minimum".into() } else { s.into() }),
        get: |v| (v.show.unit != "minimum").then(|| v.show.unit.clone()),
    },
    Field {
        name: "divide_by", alias: "", part: Part::Show, kind: Kind::Float, default: "1",
        doc: "Divide all values by this number",
        set: |v, f, s| match f.float(s)? {
            by if by != 0.0 => put(&mut v.show.divide_by, by),
            _ => Err(f.bad(s, "a number other than 0")),
        },
        get: |v| (v.show.divide_by != 1.0).then(|| v.show.divide_by.to_string()),
    },
    Field {
        name: "compact_labels", alias: "compact", part: Part::Show, kind: Kind::Bool, default: "f",
        doc: "Print fewer header lines",
        set: |v, f, s| put(&mut v.show.compact_labels, f.bool(s)?),
        get: |v| yes(v.show.compact_labels),
    },
    Field {
        name: "intel_syntax", alias: "intel", part: Part::Show, kind: Kind::Bool, default: "f",
        doc: "Use Intel syntax for x86 code in -disasm, -weblist and -line_code",
        set: |v, f, s| put(&mut v.show.intel_syntax, f.bool(s)?),
        get: |v| yes(v.show.intel_syntax),
    },
];

/// Options that name local paths: only allowed on the command line, not in a page or a link.
pub const LOCAL: [&str; 2] = ["source_path", "trim_path"];

/// The field with this name or short name.
pub fn field(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|f| f.name == name || (!f.alias.is_empty() && f.alias == name))
}

/// The name nearest to a mistyped one, if any is near; of equally near ones that with most of its letters.
pub fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + name.len() / 4;
    let n_of = |letter: u8, word: &str| word.bytes().filter(|b| *b == letter).count();
    let n_missing = |word: &str| name.bytes().filter(|b| n_of(*b, word) < n_of(*b, name)).count();
    among.map(|n| (distance(name, n), n_missing(n), n)).min().filter(|&(d, ..)| d <= limit).map(|(.., n)| n)
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

/// Returns whether reports of `kind` use the option.
pub fn applies(field: &Field, kind: ViewKind) -> bool {
    if kind == ViewKind::Rss {
        return matches!(field.name, "dump" | "unit");
    }
    match field.name {
        "by" | "series" | "limit" => kind == ViewKind::Growth,
        "base" | "diff_base" | "normalize" | "relative_percentages" => !matches!(kind, ViewKind::Growth | ViewKind::Accesses),
        "sample_index" | "divide_by" | "unit" => kind != ViewKind::Accesses,
        "inverted" | "zoom" | "open" => kind == ViewKind::Flame,
        "order" | "find" | "rows" | "seek" | "with_type" | "ratios" => kind == ViewKind::Top,
        "counts" | "errors" | "gross" => matches!(kind, ViewKind::Top | ViewKind::Tree | ViewKind::Peek | ViewKind::Flame),
        "peek" => matches!(kind, ViewKind::Peek | ViewKind::Accesses),
        "disasm" => kind == ViewKind::Disasm,
        "intel_syntax" => matches!(kind, ViewKind::Disasm | ViewKind::Source),
        "granularity" | "showcolumns" | "compact_labels" => !matches!(kind, ViewKind::Source | ViewKind::Disasm | ViewKind::Types),
        "noinlines" => kind != ViewKind::Disasm,
        "collapse_recursion" => matches!(kind, ViewKind::Flame | ViewKind::Graph | ViewKind::Traces),
        "nodelets" | "call_tree" => kind == ViewKind::Graph,
        "tagshow" | "taghide" => matches!(kind, ViewKind::Traces | ViewKind::Tags | ViewKind::Graph),
        "mean" => {
            !matches!(kind, ViewKind::Summary | ViewKind::Tags | ViewKind::Sizes | ViewKind::Types | ViewKind::Growth | ViewKind::Accesses)
        }
        "drop_negative" => !matches!(
            kind,
            ViewKind::Summary
                | ViewKind::Flame
                | ViewKind::Traces
                | ViewKind::Tags
                | ViewKind::Sizes
                | ViewKind::Types
                | ViewKind::Growth
                | ViewKind::Accesses
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
                | ViewKind::Accesses
        ),
        _ => true,
    }
}
