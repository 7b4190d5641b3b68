//! Views: the options of a report, parsed and validated.

use super::Pattern;
use super::code_kinds::{KindRules, KindSet};
use super::conditions::Conditions;
use super::open_boxes::Opened;
use super::order::Order;
use super::source_paths::SourcePaths;
use super::tag_filter::TagFilter;
use super::when::When;
use super::window::Window;
use crate::base::kind::PackageKind;

/// Kinds of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// Totals, culprits, packages.
    Summary,
    /// Rows by weight.
    Top,
    /// Every function between its callers and callees.
    Tree,
    /// Matching functions with callers and callees.
    Peek,
    /// The tree of stacks.
    Flame,
    /// The call graph.
    Graph,
    /// Stack by stack.
    Traces,
    /// Values of labels.
    Tags,
    /// Objects by size.
    Sizes,
    /// Source lines of the functions that match.
    Source,
    /// Code of the functions that match.
    Disasm,
    /// Container types by memory.
    Types,
    /// Growth from dump to dump.
    Growth,
    /// Accesses of bytes of blocks.
    Accesses,
    /// From bytes in use to resident memory.
    Rss,
}

impl ViewKind {
    /// Every kind.
    pub const ALL: [ViewKind; 15] = [
        ViewKind::Summary,
        ViewKind::Top,
        ViewKind::Tree,
        ViewKind::Peek,
        ViewKind::Flame,
        ViewKind::Graph,
        ViewKind::Traces,
        ViewKind::Tags,
        ViewKind::Sizes,
        ViewKind::Source,
        ViewKind::Disasm,
        ViewKind::Types,
        ViewKind::Growth,
        ViewKind::Accesses,
        ViewKind::Rss,
    ];

    /// Its name in commands and addresses.
    pub fn name(self) -> &'static str {
        match self {
            ViewKind::Summary => "summary",
            ViewKind::Top => "top",
            ViewKind::Tree => "tree",
            ViewKind::Peek => "peek",
            ViewKind::Flame => "flame",
            ViewKind::Graph => "graph",
            ViewKind::Traces => "traces",
            ViewKind::Tags => "tags",
            ViewKind::Sizes => "sizes",
            ViewKind::Source => "source",
            ViewKind::Disasm => "disasm",
            ViewKind::Types => "types",
            ViewKind::Growth => "growth",
            ViewKind::Accesses => "accesses",
            ViewKind::Rss => "rss",
        }
    }

    /// Returns whether it may leave small nodes out.
    pub fn can_trim(self) -> bool {
        matches!(self, ViewKind::Top | ViewKind::Tree | ViewKind::Flame | ViewKind::Graph)
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ViewKind::ALL.into_iter().find(|k| k.name() == name)
    }
}

/// Granularity of rows, nodes and boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Granularity {
    /// Functions by name.
    #[default]
    Functions,
    /// Functions by name and file.
    Filefunctions,
    /// Source files.
    Files,
    /// Source lines.
    Lines,
    /// Code addresses.
    Addresses,
    /// Packages: crates, Go packages, libraries, the program.
    Attribution,
    /// Modules, namespaces, Go packages.
    Modules,
    /// Modules.
    Libraries,
}

impl Granularity {
    /// Their names.
    pub const NAMES: [&'static str; 8] = ["functions", "filefunctions", "files", "lines", "addresses", "packages", "modules", "libraries"];

    const ALL: [Granularity; 8] = [
        Granularity::Functions,
        Granularity::Filefunctions,
        Granularity::Files,
        Granularity::Lines,
        Granularity::Addresses,
        Granularity::Attribution,
        Granularity::Modules,
        Granularity::Libraries,
    ];

    /// Returns whether rows are owners of code, not places in it.
    pub fn is_of_owners(self) -> bool {
        matches!(self, Granularity::Attribution | Granularity::Modules | Granularity::Libraries)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The granularity with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|n| *n == name).map(|i| Self::ALL[i])
    }
}

/// Rows of the growth report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GrowthBy {
    /// Culprits.
    #[default]
    Culprits,
    /// Functions by what they hold themselves.
    Functions,
    /// Lines of culprits.
    Lines,
    /// Files of culprits.
    Files,
    /// Packages of culprits.
    Attribution,
    /// Modules of culprits.
    Modules,
    /// Container types.
    Types,
    /// Whole stacks.
    Stacks,
}

impl GrowthBy {
    /// Their names.
    pub const NAMES: [&'static str; 8] = ["culprits", "functions", "lines", "files", "packages", "modules", "types", "stacks"];

    const ALL: [GrowthBy; 8] = [
        GrowthBy::Culprits,
        GrowthBy::Functions,
        GrowthBy::Lines,
        GrowthBy::Files,
        GrowthBy::Attribution,
        GrowthBy::Modules,
        GrowthBy::Types,
        GrowthBy::Stacks,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|n| *n == name).map(|i| Self::ALL[i])
    }
}

/// Some dumps, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumps(pub Vec<usize>);

impl Dumps {
    /// Numbers with commas.
    pub fn to_text(&self) -> String {
        self.0.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Options that change the call tree.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ShapeSpec {
    /// `None`: what suits the report.
    pub granularity: Option<Granularity>,
    /// Rows of the growth report; `None`: by granularity, else culprits.
    pub by: Option<GrowthBy>,
    /// Without inlined frames.
    pub noinlines: bool,
    /// Direct recursion is one frame.
    pub collapse_recursion: bool,
    /// With columns, at lines.
    pub showcolumns: bool,
    /// Frames to leave out.
    pub hide: Option<Pattern>,
    /// The only frames to keep.
    pub show: Option<Pattern>,
    /// Kinds of code to leave out.
    pub hide_kind: KindSet,
    /// Stacks end at their culprit: what is below is charged to it.
    pub culprit: bool,
    /// Ownership rules of the user.
    pub kinds: KindRules,
    /// Where stacks begin.
    pub show_from: Option<Pattern>,
    /// Where stacks end.
    pub prune_from: Option<Pattern>,
    /// Label keys whose values become frames at the root, outermost first.
    pub tagroot: Vec<String>,
    /// Label keys whose values become frames at the leaf.
    pub tagleaf: Vec<String>,
    /// A node for each path.
    pub call_tree: bool,
    /// Search paths of source files, and path prefixes to trim.
    pub paths: SourcePaths,
}

impl ShapeSpec {
    /// Equal to this one, without the memory of compiled expressions: for keys of caches.
    pub fn stored(&self) -> Self {
        let mut stored = self.clone();
        let ShapeSpec { hide, show, show_from, prune_from, .. } = &mut stored;
        store([hide, show, show_from, prune_from]);
        stored
    }
}

impl WeightSpec {
    /// Like [`ShapeSpec::stored`].
    pub fn stored(&self) -> Self {
        let mut stored = self.clone();
        let WeightSpec { focus, ignore, package, blame, of_type, tagfocus, tagignore, .. } = &mut stored;
        store([focus, ignore, package, blame, of_type]);
        [tagfocus, tagignore].into_iter().flatten().for_each(|filter| *filter = filter.key());
        stored
    }
}

fn store<const N: usize>(patterns: [&mut Option<Pattern>; N]) {
    patterns.into_iter().flatten().for_each(|pattern| *pattern = pattern.key());
}

/// Options that change the numbers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct WeightSpec {
    /// Value type by name or number; empty: the profile's default.
    pub sample_index: String,
    /// Dumps shown; `None`: all that were not given as a base.
    pub dump: Option<Dumps>,
    /// The state of a recording at this time.
    pub at: Option<When>,
    /// What changed in a recording from this time on.
    pub from: Option<When>,
    /// What changed in a recording until this time.
    pub to: Option<When>,
    /// Process whose dumps the growth report covers, by name or number; empty: the one with most dumps.
    pub series: String,
    /// Dumps subtracted, percentages of the difference.
    pub base: Option<Dumps>,
    /// Dumps subtracted, percentages of the base.
    pub diff_base: Option<Dumps>,
    /// Scale to the base's total.
    pub normalize: bool,
    /// Percentages of what filters leave.
    pub relative_percentages: bool,
    /// Values divided by those of the first value type.
    pub mean: bool,
    /// Objects beside bytes, or bytes beside objects.
    pub counts: bool,
    /// Stacks to keep.
    pub focus: Option<Pattern>,
    /// Stacks to drop.
    pub ignore: Option<Pattern>,
    /// Stacks to keep by the package of their culprit.
    pub package: Option<Pattern>,
    /// Stacks to keep by their culprit.
    pub blame: Option<Pattern>,
    /// Stacks to keep by the container that their memory is for.
    pub of_type: Option<Pattern>,
    /// Stacks to keep by their numbers.
    pub conditions: Option<Conditions>,
    /// Samples to keep by label.
    pub tagfocus: Option<TagFilter>,
    /// Samples to drop by label.
    pub tagignore: Option<TagFilter>,
}

/// Options that select the part of the result to return.
#[derive(Clone, Debug, PartialEq)]
pub struct CutSpec {
    /// Sort by cum.
    pub by_cum: bool,
    /// Order of rows, beyond those of pprof.
    pub order: Option<Order>,
    /// Rows that come before all others.
    pub find: Option<Pattern>,
    /// Adds the container type of most of each row's memory.
    pub with_type: bool,
    /// The only rows to send.
    pub rows: Option<Window>,
    /// Function whose row must be in the returned window; empty: any.
    pub seek: String,
    /// Maximum number of rows or nodes; 0 all, −1 what suits the report.
    pub nodecount: i64,
    /// Smallest share of a node; `None`: what suits the report.
    pub nodefraction: Option<f64>,
    /// Smallest share of an edge; `None`: what suits the report.
    pub edgefraction: Option<f64>,
    /// Honour the three above.
    pub trim: bool,
    /// Flame graph from the leaves.
    pub inverted: bool,
    /// Id of the zoomed box; empty: everything.
    pub zoom: String,
    /// Maximum number of boxes of a flame graph, the largest first; 0: all above the cut. No option: the web server bounds its answers.
    pub boxes: usize,
    /// Maximum number of functions with their callers and callees, the first ones; 0: all. No option, like `boxes`.
    pub entries: usize,
    /// The only boxes whose children are returned; `None`: all boxes.
    pub open: Option<Opened>,
    /// Functions whose callers and callees to show.
    pub peek: Option<Pattern>,
    /// Functions whose code to show; `None`: all.
    pub disasm: Option<Pattern>,
    /// Label values at the nodes of the graph.
    pub nodelets: bool,
    /// Without what is negative.
    pub drop_negative: bool,
    /// Keys of the only labels to show.
    pub tagshow: Option<Pattern>,
    /// Keys of labels to leave out.
    pub taghide: Option<Pattern>,
    /// Adds standard errors, for sampled profiles.
    pub errors: bool,
    /// With what grew and what shrank since the base, apart.
    pub gross: bool,
    /// With means and quotients of value types.
    pub ratios: bool,
    /// Functions whose source lines to show; `None`: all.
    pub list: Option<Pattern>,
    /// `list` is also looked for in paths of sources and modules.
    pub list_files: bool,
    /// Number of lines around the heaviest one of each function; −1: all.
    pub list_around: i64,
    /// With what source lines call and what was inlined into them.
    pub line_calls: bool,
    /// With the instructions of source lines.
    pub line_code: bool,
    /// Limit for the forecast, in the unit of the values (bytes); 0: no forecast.
    pub limit: i64,
}

impl CutSpec {
    /// Returns whether labels of this key are shown.
    pub fn shows_label(&self, key: &str) -> bool {
        self.tagshow.as_ref().is_none_or(|p| p.is_match(key)) && !self.taghide.as_ref().is_some_and(|p| p.is_match(key))
    }
}

impl Default for CutSpec {
    fn default() -> Self {
        CutSpec {
            by_cum: false,
            order: None,
            find: None,
            with_type: false,
            rows: None,
            seek: String::new(),
            nodecount: -1,
            nodefraction: None,
            edgefraction: None,
            trim: true,
            inverted: false,
            zoom: String::new(),
            boxes: 0,
            entries: 0,
            open: None,
            peek: None,
            disasm: None,
            nodelets: true,
            drop_negative: false,
            tagshow: None,
            taghide: None,
            errors: false,
            gross: false,
            ratios: false,
            list: None,
            list_files: false,
            list_around: -1,
            line_calls: false,
            line_code: false,
            limit: 0,
        }
    }
}

/// Options of the output format.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowSpec {
    /// Unit to print, or `minimum`.
    pub unit: String,
    /// Divisor of every value.
    pub divide_by: f64,
    /// Fewer lines above the table.
    pub compact_labels: bool,
    /// Code in Intel's syntax.
    pub intel_syntax: bool,
}

impl Default for ShowSpec {
    fn default() -> Self {
        ShowSpec { unit: "minimum".into(), divide_by: 1.0, compact_labels: false, intel_syntax: false }
    }
}

/// A view: the report, its tree, its numbers, the part returned, and the format.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Which report.
    pub kind: ViewKind,
    /// The tree.
    pub shape: ShapeSpec,
    /// The numbers.
    pub weight: WeightSpec,
    /// The answer's size.
    pub cut: CutSpec,
    /// The answer's look.
    pub show: ShowSpec,
}

impl View {
    /// The report with every default.
    pub fn new(kind: ViewKind) -> Self {
        View { kind, shape: ShapeSpec::default(), weight: WeightSpec::default(), cut: CutSpec::default(), show: ShowSpec::default() }
    }

    /// Rows of the growth report.
    pub fn by(&self) -> GrowthBy {
        self.shape.by.unwrap_or(match self.shape.granularity {
            None => GrowthBy::Culprits,
            Some(Granularity::Functions | Granularity::Filefunctions | Granularity::Addresses) => GrowthBy::Functions,
            Some(Granularity::Files) => GrowthBy::Files,
            Some(Granularity::Lines) => GrowthBy::Lines,
            Some(Granularity::Attribution | Granularity::Libraries) => GrowthBy::Attribution,
            Some(Granularity::Modules) => GrowthBy::Modules,
        })
    }

    /// The granularity in force.
    pub fn granularity(&self) -> Granularity {
        match (self.kind, self.shape.granularity) {
            (ViewKind::Growth, _) => match self.by() {
                GrowthBy::Culprits | GrowthBy::Functions | GrowthBy::Types | GrowthBy::Stacks => Granularity::Functions,
                GrowthBy::Lines => Granularity::Lines,
                GrowthBy::Files => Granularity::Files,
                GrowthBy::Attribution => Granularity::Attribution,
                GrowthBy::Modules => Granularity::Modules,
            },
            (ViewKind::Source, _) => Granularity::Lines,
            (ViewKind::Disasm, _) => Granularity::Addresses,
            (_, Some(granularity)) => granularity,
            (ViewKind::Flame, None) => Granularity::Filefunctions,
            (_, None) => Granularity::Functions,
        }
    }

    /// Returns whether inlined code is charged to the function that it was inlined into.
    pub fn noinlines(&self) -> bool {
        self.shape.noinlines || self.kind == ViewKind::Disasm
    }

    /// Returns whether stacks end at their culprits.
    pub fn culprit(&self) -> bool {
        self.shape.culprit
            || match self.kind {
                ViewKind::Summary | ViewKind::Sizes | ViewKind::Types | ViewKind::Accesses => true,
                ViewKind::Growth => !matches!(self.by(), GrowthBy::Functions | GrowthBy::Types | GrowthBy::Stacks),
                _ => false,
            }
    }

    /// Returns whether the report depends on ownership.
    pub fn uses_kinds(&self) -> bool {
        let is_filtered = self.weight.package.is_some() || self.weight.blame.is_some();
        self.culprit() || !self.shape.hide_kind.is_empty() || self.granularity().is_of_owners() || is_filtered
    }

    /// Returns whether small nodes are dropped at all.
    fn trims(&self) -> bool {
        self.cut.trim && self.kind.can_trim()
    }

    /// Returns whether the report has standard errors.
    pub fn errors(&self) -> bool {
        self.cut.errors || matches!(self.kind, ViewKind::Summary | ViewKind::Types)
    }

    /// Returns whether the report separates growth and shrinkage.
    pub fn gross(&self) -> bool {
        self.cut.gross || self.kind == ViewKind::Summary
    }

    /// Maximum number of rows or nodes; 0 means all.
    pub fn nodecount(&self) -> usize {
        // On systems of 32 bits, what is more than memory holds means all, too.
        let count = |default: usize| match self.cut.nodecount {
            n if n < 0 => default,
            n => usize::try_from(n).unwrap_or(usize::MAX),
        };
        match self.kind {
            ViewKind::Traces => count(0),
            // Culprits, and packages; sites; types; what grows.
            ViewKind::Summary | ViewKind::Accesses => count(10),
            ViewKind::Types | ViewKind::Growth => count(20),
            // Functions behind each class.
            ViewKind::Sizes => count(5),
            _ if !self.trims() => 0,
            ViewKind::Top | ViewKind::Flame => count(0),
            _ => count(80),
        }
    }

    /// Returns whether closures get the names of their enclosing functions, and calls between the two are not counted: when
    /// plumbing is folded.
    pub fn folds_closures(&self) -> bool {
        self.culprit() || self.shape.hide_kind.has(PackageKind::Plumbing)
    }

    /// Smallest share of a node.
    pub fn nodefraction(&self) -> f64 {
        match self.trims() {
            false => 0.0,
            true if self.kind == ViewKind::Flame => self.cut.nodefraction.unwrap_or(0.0005),
            true => self.cut.nodefraction.unwrap_or(0.005),
        }
    }

    /// Smallest share of an edge.
    pub fn edgefraction(&self) -> f64 {
        if self.trims() { self.cut.edgefraction.unwrap_or(0.001) } else { 0.0 }
    }
}
