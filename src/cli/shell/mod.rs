//! Interactive shell with pprof's commands, for one profile.
//!
//! ```text
//! (pprof) top5 -cum cache -test
//! (pprof) granularity=lines
//! (pprof) peek Cache::insert >peek.txt
//! ```
//!
//! On a terminal, lines can be edited and completed, a history is kept, and Ctrl-C returns to the prompt; otherwise standard
//! input is read line by line. Reports go to standard output, everything else to standard error.

mod complete;
mod editor;
mod interrupt;
mod line;
mod options;

use std::cell::Cell;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

use self::complete::Words;
use self::editor::{Editor, Read};
use self::interrupt::Interrupts;
use self::line::{Line, Question};
use self::options::Options;
use super::flags::Action;
use super::help;
use super::local_time::local_time;
use super::output::{Target, WriteError};
use super::print;
use super::request::Request;
use crate::attribution::RowDetail;
use crate::open::atomic_file::refuse_overwrite;
use crate::open::options::OpenOptions;
use crate::profile::Profile;
use crate::query::ViewKind;
use crate::render::profile_labels;
use crate::session::Session;
use crate::symbolize;
use crate::terminal::message::say;
use crate::terminal::panics::guarded;
use crate::terminal::progress;

/// Answers until the user leaves. `request` has the options to begin with; code is read
/// from `binaries`.
/// With `with_summary`, the summary precedes the first prompt.
pub(super) fn run(
    profile: Profile,
    request: &Request,
    sources: &OpenOptions,
    binaries: symbolize::Options,
    with_summary: bool,
) -> Result<()> {
    let binaries = Arc::new(binaries);
    let profile = Arc::new(profile);
    let options = Options::new(request);
    let mut shell = Shell { profile, request, sources, binaries, options, interrupts: None, is_hinted: Cell::new(false) };
    if with_summary {
        print::overview(&shell.profile, request, &shell.binaries)?;
    }
    shell.greet(with_summary)?;
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        shell.interrupts = Some(Interrupts::new());
        return shell.edit();
    }
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { bail!("cannot read standard input") };
        if shell.answer_all(&String::from_utf8_lossy(&line)) == Flow::Quit {
            break;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Go,
    Quit,
}

struct Shell<'a> {
    profile: Arc<Profile>,
    request: &'a Request,
    sources: &'a OpenOptions,
    /// Locations of binaries.
    binaries: Arc<symbolize::Options>,
    options: Options,
    /// On a terminal: Ctrl-C.
    interrupts: Option<Interrupts>,
    /// `top` was printed before, and a line with it that names the option culprit.
    is_hinted: Cell<bool>,
}

impl Shell<'_> {
    /// Prints which profile this is, unless the summary's header has done so.
    fn greet(&mut self, is_introduced: bool) -> Result<()> {
        let view = crate::cli::view::parse_view(ViewKind::Top, &self.options.pairs())?;
        let report = progress::during("Adding up", |_| Session::answer_once(&self.profile, &view, RowDetail::Plain))?;
        let header = report.header();
        if !is_introduced {
            profile_labels(header, &local_time).iter().for_each(|label| say(label));
        }
        if header.total == 0 && self.profile.value_types().len() > 1 {
            say("All values of this type are 0; sample_index= selects another.");
        }
        self.options.shown_type = header.value_type.clone();
        say("Entering interactive mode (type \"help\" for commands, \"o\" for options)");
        Ok(())
    }

    /// Reads and answers lines on a terminal.
    fn edit(&mut self) -> Result<()> {
        let mut editor = Editor::new(Words::new(&self.profile))?;
        loop {
            match editor.read()? {
                Read::Line(line) if self.answer_all(&line) == Flow::Quit => return Ok(()),
                Read::Line(_) | Read::Cleared => {}
                Read::End => return Ok(()),
            }
        }
    }

    /// Answers a line, which may represent several.
    fn answer_all(&mut self, line: &str) -> Flow {
        for line in line::expand(line, &self.profile) {
            match guarded(|| self.answer(&line)).unwrap_or_else(|panic| Err(panic.into())) {
                Ok(Flow::Go) => {}
                Ok(Flow::Quit) => return Flow::Quit,
                Err(error) if error.downcast_ref::<WriteError>().is_some_and(WriteError::is_closed_pipe) => return Flow::Quit,
                Err(error) => say(&format!("{error:#}")),
            }
        }
        Flow::Go
    }

    fn answer(&mut self, line: &str) -> Result<Flow> {
        match Line::parse(line, &self.profile)? {
            Line::Nothing => {}
            Line::Quit => return Ok(Flow::Quit),
            Line::Options => self.options.listed(&self.profile)?.iter().for_each(|line| say(line)),
            Line::Help(topic) => help::in_shell(&topic)?.trim_end_matches('\n').split('\n').for_each(say),
            Line::Set { name, value } => self.options.set(name, &value, &self.profile)?,
            Line::Ask(question) => self.print_report(&question)?,
        }
        Ok(Flow::Go)
    }

    /// Prints a report.
    fn print_report(&self, question: &Question) -> Result<()> {
        let mut pairs = self.options.pairs();
        let mut set = |name: &str, value: &str| {
            pairs.retain(|(n, _)| n != name);
            pairs.push((name.to_owned(), value.to_owned()));
        };
        question.pairs.iter().for_each(|(name, value)| set(name, value));
        let action = question.flag.action;
        if action == Action::Report(ViewKind::Top) && pairs.iter().all(|(name, value)| name != "nodecount" || value == "-1") {
            pairs.retain(|(name, _)| name != "nodecount");
            pairs.push(("nodecount".into(), TOP_ROWS.into()));
        }
        let file = question.file.clone().or_else(|| self.options.output.clone());
        if let Some(file) = &file {
            let dumps = self.profile.dumps().iter().map(|dump| Path::new(&dump.name));
            refuse_overwrite(file, self.sources.files.iter().chain(&self.sources.base).map(PathBuf::as_path).chain(dumps))?;
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        let is_top = action == Action::Report(ViewKind::Top);
        let is_hinted = if is_top { self.is_hinted.replace(true) } else { true };
        let output = Target { file, in_shell: true, is_hinted, cancelled: cancelled.clone(), ..self.request.output.clone() };
        let request = Request { action, pairs, output, ..self.request.clone() };
        request.check_programs()?;
        let Some(interrupts) = &self.interrupts else { return print::print(&self.profile, &request, &self.binaries) };
        let (profile, binaries) = (self.profile.clone(), self.binaries.clone());
        match interrupts.wait_for(move || print::print(&profile, &request, &binaries))? {
            Some(result) => result,
            None => {
                // Output of cancelled commands is discarded.
                cancelled.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

/// Default number of rows of `top`, like in pprof.
const TOP_ROWS: &str = "10";
