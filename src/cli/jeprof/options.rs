//! Options of the jeprof mode, validated like in jeprof.

use anyhow::{Result, anyhow, bail};

use super::getopt::Given;
use crate::cli::viewer::Viewer;
use crate::parse::allocator_names;
use crate::query::{JeprofGranularity, JeprofGraphSpec, JeprofValue, JeprofView, Pattern};

/// Output mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Text,
    Callgrind,
    Dot,
    /// A picture in this format of `dot`.
    Picture(&'static str),
    /// A picture in this viewer.
    Viewer(Viewer),
    List(String),
    Disasm(String),
    Symbols,
    Raw,
    Collapsed,
    Interactive,
}

/// Selection of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OfThreads {
    All,
    Each,
    One(u64),
}

/// Parsed flags.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) mode: Mode,
    pub(super) view: JeprofView,
    pub(super) graph: JeprofGraphSpec,
    pub(super) threads: OfThreads,
    pub(super) heapcheck: bool,
    pub(super) whole_names: bool,
}

/// Modes by flag.
const MODES: [(&str, Mode); 13] = [
    ("text", Mode::Text),
    ("callgrind", Mode::Callgrind),
    ("symbols", Mode::Symbols),
    ("gv", Mode::Viewer(Viewer::Gv)),
    ("evince", Mode::Viewer(Viewer::Evince)),
    ("web", Mode::Viewer(Viewer::Browser)),
    ("dot", Mode::Dot),
    ("ps", Mode::Picture("ps")),
    ("pdf", Mode::Picture("pdf")),
    ("svg", Mode::Picture("svg")),
    ("gif", Mode::Picture("gif")),
    ("raw", Mode::Raw),
    ("collapsed", Mode::Collapsed),
];

impl Options {
    /// Reads the flags. `on_terminal`: a user waits for the answer.
    ///
    /// # Errors
    /// jeprof's messages, where it checks the same.
    pub(super) fn new(given: &Given, on_terminal: bool) -> Result<Self> {
        let mode = mode(given, on_terminal)?;
        let defaults = JeprofGraphSpec::default();
        let number = |name: &str, default: f64| given.text(name).and_then(|text| text.parse().ok()).unwrap_or(default);
        let pattern = |name: &str| match given.text(name) {
            Some(text) => Pattern::new(&text).map(Some).map_err(|problem| anyhow!("--{name}: the expression {text:?} {problem}")),
            None => Ok(None),
        };
        let mut granularity = granularity(given)?;
        if matches!(mode, Mode::Disasm(_) | Mode::List(_)) {
            granularity = JeprofGranularity::Addresses;
        }
        let view = JeprofView {
            granularity,
            value: number_kind(given)?,
            show_bytes: given.is_on("show_bytes"),
            by_cum: given.is_on("cum"),
            drop_negative: given.is_on("drop_negative"),
            thread: None,
            focus: pattern("focus")?,
            ignore: pattern("ignore")?,
            retain: pattern("retain")?,
            exclude: pattern("exclude")?,
            allocator: Pattern::new(&format!("^(?:{})$", allocator_names())).ok(),
            show_addresses: given.is_on("show_addresses"),
            parts: 1,
        };
        let graph = JeprofGraphSpec {
            nodecount: number("nodecount", defaults.nodecount as f64).max(0.0) as usize,
            nodefraction: number("nodefraction", defaults.nodefraction),
            edgefraction: number("edgefraction", defaults.edgefraction),
            maxdegree: number("maxdegree", defaults.maxdegree as f64).max(0.0) as usize,
        };
        let threads = match given.text("thread").as_deref() {
            None => OfThreads::All,
            Some("*") => OfThreads::Each,
            Some(n) => OfThreads::One(n.parse().map_err(|_| anyhow!("--thread={n}: give a thread's number, or * for each"))?),
        };
        Ok(Options { mode, view, graph, threads, heapcheck: given.is_on("heapcheck"), whole_names: given.is_on("no_strip_temp") })
    }
}

impl Options {
    /// These options in pprof's syntax, for the shell.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let granularity = match self.view.granularity {
            JeprofGranularity::Functions => "functions",
            JeprofGranularity::Lines => "lines",
            JeprofGranularity::Files => "files",
            JeprofGranularity::Addresses => "addresses",
        };
        let source = |pattern: &Option<Pattern>| pattern.as_ref().map(|p| p.source().to_owned());
        let pairs = [
            ("granularity", Some(granularity.to_owned()).filter(|_| self.view.granularity != JeprofGranularity::Functions)),
            ("sample_index", Some(self.view.value.name().to_owned()).filter(|_| self.view.value != JeprofValue::InuseSpace)),
            ("sort", self.view.by_cum.then(|| "cum".to_owned())),
            ("focus", source(&self.view.focus)),
            ("ignore", source(&self.view.ignore)),
            ("unit", self.view.show_bytes.then(|| "B".to_owned())),
            ("drop_negative", self.view.drop_negative.then(|| "true".to_owned())),
        ];
        pairs.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

fn mode(given: &Given, on_terminal: bool) -> Result<Mode> {
    let mut modes: Vec<Mode> = MODES.iter().filter(|(flag, _)| given.is_on(flag)).map(|(_, mode)| mode.clone()).collect();
    modes.extend(given.text("list").map(Mode::List));
    modes.extend(given.text("disasm").map(Mode::Disasm));
    modes.extend(given.is_on("interactive").then_some(Mode::Interactive));
    match (modes.pop(), modes.is_empty()) {
        (None, _) if on_terminal => Ok(Mode::Interactive),
        (None, _) => Ok(Mode::Text),
        (Some(mode), true) => Ok(mode),
        (Some(_), false) => bail!("Only specify one output mode"),
    }
}

fn granularity(given: &Given) -> Result<JeprofGranularity> {
    let all = [
        ("functions", JeprofGranularity::Functions),
        ("lines", JeprofGranularity::Lines),
        ("addresses", JeprofGranularity::Addresses),
        ("files", JeprofGranularity::Files),
    ];
    let chosen: Vec<_> = all.into_iter().filter(|(flag, _)| given.is_on(flag)).collect();
    match chosen[..] {
        [] => Ok(JeprofGranularity::Functions),
        [(_, granularity)] => Ok(granularity),
        _ => bail!("Only specify one output granularity option"),
    }
}

fn number_kind(given: &Given) -> Result<JeprofValue> {
    let all = [JeprofValue::InuseSpace, JeprofValue::InuseObjects, JeprofValue::AllocSpace, JeprofValue::AllocObjects];
    let chosen: Vec<_> = all.into_iter().filter(|value| given.is_on(value.name())).collect();
    match chosen[..] {
        [] => Ok(JeprofValue::InuseSpace),
        [value] => Ok(value),
        _ => bail!("Specify at most one of the --inuse and --alloc options"),
    }
}
