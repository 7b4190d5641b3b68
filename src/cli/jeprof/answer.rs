//! Output of the jeprof mode.

use std::path::Path;

use anyhow::{Result, bail};

use super::getopt::Given;
use super::inputs::sources;
use super::options::{Mode, OfThreads, Options};
use super::{code, listing, symbols};
use crate::analyze::{
    self,
    jeprof::{self, Selection},
};
use crate::base::id::{Id, MappingId};
use crate::cli::flags::Action;
use crate::cli::output::Target;
use crate::cli::request::{Args, Request, Sharing, Shell};
use crate::cli::viewer::{self, Viewer};
use crate::cli::{graphviz, output, shell};
use crate::export::Symbolized;
use crate::open::load;
use crate::open::options::OpenOptions;
use crate::parse::{ParseOptions, heap_text};
use crate::profile::Profile;
use crate::query::{Dumps, View, ViewKind};
use crate::render::{self, Format, JeprofDotStyle};
use crate::symbolize;
use crate::terminal::message::say;
use crate::terminal::progress;

/// jeprof's name for an unknown program.
const UNKNOWN: &str = "(unknown)";

/// Prints what is requested.
pub(super) fn answer(options: &Options, given: &Given) -> Result<()> {
    let sources = sources(options, given);
    if options.mode == Mode::Symbols {
        return symbols::answer(&sources.files[0], &sources);
    }
    sources.files.iter().filter(|f| f.is_file()).for_each(|f| say(&format!("Using local file {}.", f.display())));
    let request = Request {
        action: Action::Report(ViewKind::Top),
        format: Format::Text,
        pairs: options.pairs(),
        output: Target::default(),
        redact: None,
        with_sources: false,
        check: Default::default(),
    };
    let args = Args {
        request,
        sources,
        config: None,
        http: None,
        no_browser: false,
        every: None,
        shell: Shell::Never,
        sharing: Sharing::default(),
        words: Vec::new(),
    };
    let loaded = load::load(&args.sources)?;
    loaded.warnings.iter().for_each(|warning| say(warning));
    let mapped = main_file(&loaded.profile).unwrap_or_default().to_owned();
    let (profile, notes) =
        progress::during("Resolving names", |line| load::with_names(loaded.profile, &loaded.names, &args.sources, line))?;
    loaded.names.said_by_servers().iter().for_each(|note| say(note));
    if options.mode == Mode::Interactive {
        notes.iter().for_each(|note| say(note));
        let binaries = load::binaries(&loaded.names, &args.sources)?;
        let mut request = args.request.clone();
        request.pairs.extend(loaded.base.map(|(name, dumps)| (name.to_owned(), dumps)));
        return shell::run(profile, &request, &args.sources, binaries, false);
    }
    let printed = match options.mode {
        Mode::Raw => raw(&profile, &mapped, &args.sources),
        _ => {
            let program = program(&profile, loaded.names.binary.as_deref());
            print(options, &profile, (&program, &load::binaries(&loaded.names, &args.sources)?), args.sources.parts)
        }
    };
    std::mem::forget(profile);
    if printed.is_ok() {
        notes.iter().for_each(|note| say(note));
    }
    printed
}

/// The program as the user called it, else as the profile does.
fn program(profile: &Profile, binary: Option<&Path>) -> String {
    let name = binary.map(|b| b.to_string_lossy().into_owned()).or_else(|| main_file(profile).map(str::to_owned));
    name.unwrap_or_else(|| UNKNOWN.into())
}

/// The program as the profile calls it.
fn main_file(profile: &Profile) -> Option<&str> {
    profile.code().mappings.get(MappingId::new(0)).map(|m| profile.text(m.file)).filter(|f| !f.is_empty())
}

/// The profile with its names. One dump of heap text keeps its text, as jeprof keeps what it
/// fetched; of others the sums are written, less the base's.
fn raw(profile: &Profile, program: &str, sources: &OpenOptions) -> Result<()> {
    let text = match sources.base.is_empty() && profile.dumps().len() == 1 {
        true => sources.files.iter().find_map(|file| heap_text(&std::fs::read(file).ok()?, &ParseOptions::default())),
        false => None,
    };
    if let Some(text) = text {
        let symbolized = Symbolized::of_text(profile, &text, program);
        return output::write_to(&Target::default(), None, |out| symbolized.write(out));
    }
    let shown = analyze::filtered(profile, &whole(profile))?.profile;
    let symbolized = Symbolized::new(&shown)?;
    output::write_to(&Target::default(), None, |out| symbolized.write(out))
}

/// Everything, less the base.
fn whole(profile: &Profile) -> View {
    let mut view = View::new(ViewKind::Top);
    let base: Vec<usize> = (0..profile.dumps().len()).filter(|&d| profile.dumps()[d].is_base).collect();
    view.weight.base = (!base.is_empty()).then_some(Dumps(base));
    view
}

fn print(options: &Options, profile: &Profile, from: (&str, &symbolize::Options), parts: i64) -> Result<()> {
    let threads: Vec<Option<String>> = match options.threads {
        OfThreads::All => vec![None],
        OfThreads::Each => Selection::threads(profile).into_iter().map(|n| Some(format!("t{n}"))).collect(),
        OfThreads::One(n) => vec![Some(format!("t{n}"))],
    };
    let known = Selection::threads(profile);
    if let OfThreads::One(n) = options.threads
        && !known.contains(&n)
    {
        // jeprof also prints nothing, but without a reason.
        let numbers: Vec<String> = known.iter().map(u64::to_string).collect();
        say(&format!("no thread {n}; the profile has {}", if numbers.is_empty() { "none".into() } else { numbers.join(", ") }));
        return Ok(());
    }
    let mut empty = false;
    let mut answers = Vec::new();
    for thread in &threads {
        let mut view = options.view.clone();
        view.thread.clone_from(thread);
        view.parts = parts;
        let selection = Selection::new(profile, &view);
        empty |= !one(options, &selection, thread.as_deref(), from, &mut answers)?;
    }
    output::write_to(&Target::default(), None, |out| out.write_all(&answers))?;
    if empty {
        bail!("No nodes to print");
    }
    Ok(())
}

/// Appends one report to `out`, or shows it. Returns whether it is not empty.
fn one(
    options: &Options,
    selection: &Selection<'_>,
    thread: Option<&str>,
    (program, binaries): (&str, &symbolize::Options),
    out: &mut Vec<u8>,
) -> Result<bool> {
    match &options.mode {
        Mode::Callgrind => render::jeprof_callgrind(&jeprof::calls(selection), out)?,
        Mode::Collapsed => render::jeprof_collapsed(&jeprof::collapsed(selection), out)?,
        Mode::List(pattern) => listing::write(pattern, selection, out)?,
        Mode::Disasm(pattern) => code::write(pattern, selection, binaries, out)?,
        Mode::Dot => {
            let Some(dot) = dot(options, selection, program)? else { return Ok(false) };
            out.extend(dot);
        }
        Mode::Picture(format) => {
            let Some(dot) = dot(options, selection, program)? else { return Ok(false) };
            out.extend(drawn(dot, format)?);
        }
        Mode::Viewer(viewer) => {
            let Some(dot) = dot(options, selection, program)? else { return Ok(false) };
            let extension = format_of(*viewer);
            let picture = drawn(dot, extension)?;
            viewer::show(*viewer, extension, |out| out.write_all(&picture))?;
        }
        _ => render::jeprof_text(&jeprof::text(selection), thread, usize::MAX, out)?,
    }
    Ok(true)
}

/// Format that jeprof passes to a viewer.
fn format_of(viewer: Viewer) -> &'static str {
    match viewer {
        Viewer::Gv => "ps",
        Viewer::Evince => "pdf",
        _ => "svg",
    }
}

/// The picture of a graph.
fn drawn(dot: Vec<u8>, format: &str) -> Result<Vec<u8>> {
    if format == "svg" { graphviz::draw_for_browser(dot) } else { graphviz::draw(dot, format) }
}

/// The graph for Graphviz; `None` when no node is left.
fn dot(options: &Options, selection: &Selection<'_>, program: &str) -> Result<Option<Vec<u8>>> {
    let graph = jeprof::graph(selection, &options.graph);
    if graph.row.is_empty() {
        return Ok(None);
    }
    render::jeprof_dropped(&graph).iter().for_each(|line| say(line));
    let is = |format| match &options.mode {
        Mode::Picture(name) => *name == format,
        Mode::Viewer(viewer) => format_of(*viewer) == format,
        _ => false,
    };
    let style = JeprofDotStyle { heapcheck: options.heapcheck, pdf: is("pdf"), svg: is("svg") };
    let mut dot = Vec::new();
    render::jeprof_dot(&graph, program, style, &mut dot)?;
    Ok(Some(dot))
}
