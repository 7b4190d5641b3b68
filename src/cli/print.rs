//! Prints a report of a loaded profile to the terminal or a file.

use crate::doctor::Host;
use std::io::{self, IsTerminal, Write};

use anyhow::{Result, bail};

use super::flags::Action;
use super::local_time::{local_time, precise_time};
use super::moment::at_moment;
use super::output::{self, Target};
use super::request::Request;
use super::view::{parse_view, sources_of};
use super::viewer::{self, Viewer};
use super::{doctor, explain, graphviz, report_file};
use crate::annotate::{self, Code, Limits, Order};
use crate::api;
use crate::attribution::RowDetail;
use crate::base::id::{Id, StackId};
use crate::base::plain::{one_line, wrapped};
use crate::demangle::Budget;
use crate::doctor::diagnose;
use crate::profile::Profile;
use crate::query::{QueryError, View, ViewKind};
use crate::render::{self, Explained, Format, render, render_within};
use crate::report::{CallsReport, Header, Report, SourceReport, SummaryReport};
use crate::session::{Session, growth_if_series};
use crate::terminal::message::say;
use crate::terminal::printable::Content;
use crate::terminal::progress;
use crate::terminal::style::Style;
use crate::{analyze, export, symbolize};

impl Request {
    /// The report that the request's options belong to.
    pub(super) fn view_kind(&self) -> ViewKind {
        match self.action {
            Action::Report(kind) => kind,
            Action::Collapsed => ViewKind::Traces,
            Action::Weblist => ViewKind::Source,
            Action::FlameGraph | Action::Export => ViewKind::Flame,
            Action::Callgrind | Action::Picture(_) | Action::Show(_) => ViewKind::Graph,
            Action::Raw
            | Action::Proto
            | Action::ProtoPlain
            | Action::TopProto
            | Action::Json
            | Action::Symbolized
            | Action::Comments
            | Action::Doctor => ViewKind::Top,
            Action::Check | Action::Explain => ViewKind::Summary,
        }
    }

    /// The view's pairs with those that the form of the answer demands, like in pprof.
    fn pairs_in_force(&self) -> Vec<(String, String)> {
        let mut pairs = self.pairs.clone();
        let mut force = |name: &str, value: &str| {
            pairs.retain(|(other, _)| other != name);
            pairs.push((name.into(), value.into()));
        };
        match self.action {
            Action::Callgrind
            | Action::Show(Viewer::Kcachegrind)
            | Action::Raw
            | Action::Proto
            | Action::ProtoPlain
            | Action::Json
            | Action::Symbolized => {
                force("granularity", "addresses");
                force("trim", "f");
            }
            Action::Weblist => {
                force("list_files", "t");
                force("noinlines", "f");
            }
            // Paths would leave no room for the tree.
            Action::Report(ViewKind::Flame) | Action::FlameGraph if self.pairs.iter().all(|(name, _)| name != "granularity") => {
                force("granularity", "functions");
            }
            _ => {}
        }
        if self.action == Action::Raw {
            force("divide_by", "1");
        }
        pairs
    }

    /// Returns whether the programs that the answer needs are here.
    pub(super) fn check_programs(&self) -> Result<()> {
        let to_file = self.output.file.is_some();
        match self.action {
            Action::Picture(_) => graphviz::check(),
            Action::Show(viewer) => {
                if viewer != Viewer::Kcachegrind {
                    graphviz::check()?;
                }
                if to_file { Ok(()) } else { viewer.check() }
            }
            _ => Ok(()),
        }
    }
}

/// Maximum number of source files on a page.
const FILES: usize = 50;

/// Printed by `tags` beside an empty report.
const NO_LABELS: &str =
    "No labels in these samples: tags lists what a program attaches to them, such as Go's pprof labels or thread names.";

/// Prints the output of `request` for a symbolized profile.
/// Code is read from `binaries`.
pub(super) fn print(profile: &Profile, request: &Request, binaries: &symbolize::Options) -> Result<()> {
    if let Some((at_moment, request)) = at_moment(profile, request)? {
        return print(at_moment.as_ref().unwrap_or(profile), &request, binaries);
    }
    let view = &parse_view(request.view_kind(), &request.pairs_in_force())?;
    if let Some(output) = &request.output.file {
        output::refuse_binaries(output, profile)?;
    }
    let answer = Printer { profile, view, output: &request.output, binaries };
    match request.action {
        Action::Report(_) => answer.report(request.format),
        Action::Collapsed => answer.report(Format::Folded),
        Action::Raw | Action::Proto | Action::ProtoPlain | Action::Json | Action::Symbolized => answer.profile_as(request.action),
        Action::TopProto => answer.top_profile(),
        Action::Comments => answer.comments(),
        // Names are in place: binaries are looked for again, whatever the profile records about them.
        Action::Doctor => {
            let again = symbolize::Options { force: true, ..binaries.clone() };
            doctor::print(profile, profile, &again, request).map(|_| ())
        }
        Action::Export => report_file::write(profile.clone(), Vec::new(), None, binaries, request),
        Action::Explain => {
            let again = symbolize::Options { force: true, ..binaries.clone() };
            explain::print(profile, &[], &diagnose(profile, profile, &again, &Host::this()), request)
        }
        Action::Check => bail!("check runs on the command line only: heapview check"),
        Action::Callgrind => answer.callgrind(),
        Action::Weblist => answer.weblist(),
        Action::FlameGraph => answer.flame_graph(),
        Action::Picture(format) => answer.picture_file(format),
        Action::Show(viewer) => answer.show(viewer),
    }
}

/// Prints the summary that precedes the shell's first prompt.
pub(super) fn overview(profile: &Profile, request: &Request, binaries: &symbolize::Options) -> Result<()> {
    print(profile, &Request { action: Action::Report(ViewKind::Summary), ..request.clone() }, binaries)?;
    output::write_to(&Target::default(), None, |out| writeln!(out))
}

/// Bytes that any answer may have, and further ones for each call of the profile's stacks, each node of their
/// tree and each byte of text: some three times what answers about programs take. A file of a few kilobytes
/// could expand to gigabytes.
const FREE_BYTES: usize = 64 << 20;
const BYTES_PER_CALL: usize = 128;
const BYTES_PER_NODE: usize = 256;
const BYTES_PER_TEXT: usize = 16;

/// Maximum number of bytes of an answer about `profile`. O(size).
fn most_bytes(profile: &Profile) -> usize {
    let (stacks, code) = (profile.stacks(), profile.code());
    let mut calls = vec![0usize; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let is_call = !code.frames[stacks.frame[node]].inlined;
        calls[node.index()] = calls[stacks.parent[node].index()] + usize::from(is_call);
    }
    let calls: usize = profile.samples().stack.iter().map(|stack| calls[stack.index()] + 1).sum();
    FREE_BYTES + BYTES_PER_CALL * calls + BYTES_PER_NODE * stacks.len() + BYTES_PER_TEXT * profile.strings().n_bytes()
}

/// Writes at most a number of bytes.
struct Bounded<'a> {
    out: &'a mut dyn Write,
    left: usize,
    most: usize,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.left {
            let most = self.most >> 20;
            return Err(io::Error::other(format!("the output exceeds {most} MiB; reduce it with -focus or -nodecount")));
        }
        let written = self.out.write(bytes)?;
        self.left -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Input and destination of a report.
struct Printer<'a> {
    profile: &'a Profile,
    view: &'a View,
    output: &'a Target,
    binaries: &'a symbolize::Options,
}

impl Printer<'_> {
    /// Writes output of bounded length to its destination.
    fn write(&self, extension: Option<&str>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        let content = if extension.is_some() { Content::Binary } else { Content::Text };
        self.write_styled(extension, content, Style::default(), write)
    }

    /// Like [`Printer::write`], for lines with `content`, in a `style`.
    fn write_styled(
        &self,
        extension: Option<&str>,
        content: Content,
        style: Style,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let most = most_bytes(self.profile);
        output::write_styled(self.output, extension, content, style, |out| write(&mut Bounded { out, left: most, most }))
    }

    fn report(&self, format: Format) -> Result<()> {
        let Printer { profile, view, output, binaries } = self;
        // Texts do not print packages, but for those that are about them.
        let is_plain = format != Format::Json && !matches!(view.kind, ViewKind::Summary | ViewKind::Types | ViewKind::Growth);
        let mut report = self.answered(if is_plain { RowDetail::Plain } else { RowDetail::Full })?;
        if let Report::Disasm(code) = &mut report {
            let n_before = code.header.warnings.len();
            self.working(|| Code::new((*binaries).clone()).attach(profile, view, Order::Name, code))?;
            code.header.warnings[n_before..].iter().for_each(|warning| say(warning));
        }
        if format == Format::Json {
            let mut budget = Budget::default();
            report.for_each_row(|row| row.full_name = budget.full_name(&row.full_name));
            report.warn(budget.warning());
        }
        let is_table = format == Format::Text && view.kind != ViewKind::Graph && output.file.is_none();
        let style = if is_table { output.look.style() } else { Style::default() };
        let content = match format {
            Format::Text => Content::Text,
            Format::Folded | Format::Csv => Content::Data,
            Format::Json => Content::Safe,
        };
        let headline = match (&report, format) {
            (Report::Summary(summary), Format::Text) => self.headline(summary)?,
            _ => String::new(),
        };
        self.write_styled(None, content, style, |out| {
            if !headline.is_empty() {
                writeln!(out, "{}\n", wrapped(&headline, style.width))?;
            }
            render_within(&report, format, style.width, &local_time, out)
        })?;
        if is_table && view.kind == ViewKind::Top && self.blames_allocators() && io::stdout().is_terminal() {
            let how = if output.in_shell { "type \"culprit\" to charge your code" } else { "top -culprit charges your code" };
            say(&format!("Memory is charged to the functions that allocate it; {how}."));
        }
        if matches!(&report, Report::Tags(tags) if tags.tag.is_empty()) {
            say(NO_LABELS);
        }
        Ok(())
    }

    /// The summary in a sentence, with what grows where there are several dumps.
    fn headline(&self, summary: &SummaryReport) -> Result<String> {
        let Printer { profile, view, .. } = self;
        let growth = match profile.dumps().len() {
            _ if summary.header.has_base => None,
            0 | 1 => None,
            _ => growth_if_series(self.working(|| {
                Ok::<_, QueryError>(Session::answer_once(profile, &View { kind: ViewKind::Growth, ..(*view).clone() }, RowDetail::Full))
            })?)?,
        };
        Ok(render::headline(&Explained { summary, growth: growth.as_ref(), doctor: None, warnings: &[] }))
    }

    /// Returns whether rows of `top` are allocator and library functions rather than those of the user.
    fn blames_allocators(&self) -> bool {
        let shape = &self.view.shape;
        !self.output.is_hinted && !shape.culprit && shape.hide_kind.is_empty()
    }

    /// The profile that the view shows, in one of its forms.
    fn profile_as(&self, form: Action) -> Result<()> {
        let shown = warned(self.working(|| analyze::filtered(self.profile, self.view))?);
        match form {
            Action::Raw => self.write(None, |out| export::write_raw(&shown, &precise_time, out)),
            Action::ProtoPlain => self.write(Some("pb"), |out| export::write_pprof_plain(&shown, out)),
            Action::Json => self.write_styled(None, Content::Safe, Style::default(), |out| export::write_json(&shown, out)),
            Action::Symbolized => {
                let text = export::Symbolized::new(&shown)?;
                self.write_styled(None, Content::Data, Style::default(), |out| text.write(out))
            }
            _ => self.write(Some("pb.gz"), |out| export::write_pprof(&shown, out)),
        }
    }

    fn top_profile(&self) -> Result<()> {
        let rows = warned(self.working(|| analyze::top_profile(self.profile, self.view))?);
        self.write(Some("pb.gz"), |out| export::write_pprof(&rows, out))
    }

    fn comments(&self) -> Result<()> {
        let comments = &self.profile.meta().comments;
        self.write(None, |out| comments.iter().try_for_each(|c| writeln!(out, "{}", one_line(c))))
    }

    fn callgrind(&self) -> Result<()> {
        let calls = self.calls()?;
        self.write_styled(Some("callgraph.out"), Content::Data, Style::default(), |out| render::callgrind(&calls, out))
    }

    fn weblist(&self) -> Result<()> {
        let Report::Source(mut lines) = self.working(|| Session::answer_once(self.profile, self.view, RowDetail::Plain))? else {
            bail!("no source lines in this view")
        };
        api::keep_heaviest_files(&mut lines, FILES);
        self.annotate(&mut lines)?;
        sources_of(self.view).attach(&mut lines);
        warn(&lines.header);
        match self.output.file {
            Some(_) => self.write(None, |out| render::weblist(&lines, &local_time, out)),
            None => viewer::show(Viewer::Browser, "html", |out| render::weblist(&lines, &local_time, out)),
        }
    }

    /// Puts the machine code of their lines beside functions.
    fn annotate(&self, lines: &mut SourceReport) -> Result<()> {
        annotate::annotate(lines, self.profile, self.view, self.binaries, Limits::WHOLE).map_err(Into::into)
    }

    fn flame_graph(&self) -> Result<()> {
        let Report::Flame(flames) = self.answered(RowDetail::Plain)? else { bail!("this view is not a flame graph") };
        if !render::has_flames(&flames) {
            bail!("nothing to draw: all remaining stacks are empty");
        }
        self.write(Some("svg"), |out| render::flame_svg(&flames, out))
    }

    fn picture_file(&self, format: &'static str) -> Result<()> {
        let picture = self.picture(format, format == "svg")?;
        self.write(Some(format), |out| out.write_all(&picture))
    }

    fn show(&self, viewer: Viewer) -> Result<()> {
        let (extension, content) = self.shown_by(viewer)?;
        match (&self.output.file, viewer) {
            (Some(_), _) => self.write(None, |out| out.write_all(&content)),
            // The next command need not wait for the viewer.
            (None, viewer) if self.output.in_shell && viewer != Viewer::Browser => {
                std::thread::spawn(move || {
                    if let Err(error) = viewer::show(viewer, extension, |out| out.write_all(&content)) {
                        say(&format!("{error:#}"));
                    }
                });
                Ok(())
            }
            (None, viewer) => viewer::show(viewer, extension, |out| out.write_all(&content)),
        }
    }

    /// The file that a viewer shows: its extension and content.
    fn shown_by(&self, viewer: Viewer) -> Result<(&'static str, Vec<u8>)> {
        Ok(match viewer {
            Viewer::Browser => ("svg", self.picture("svg", true)?),
            Viewer::Eog => ("svg", self.picture("svg", false)?),
            Viewer::Evince => ("pdf", self.picture("pdf", false)?),
            Viewer::Gv => ("ps", self.picture("ps", false)?),
            Viewer::Kcachegrind => {
                let calls = self.calls()?;
                ("grind", in_memory(|out| render::callgrind(&calls, out))?)
            }
        })
    }

    /// The graph as a picture.
    fn picture(&self, format: &str, zoomable: bool) -> Result<Vec<u8>> {
        let graph = self.answered(RowDetail::Plain)?;
        if let Report::Graph(graph) = &graph {
            graphviz::check_size(graph)?;
        }
        let dot = in_memory(|out| render(&graph, Format::Text, &local_time, out))?;
        if zoomable { graphviz::draw_for_browser(dot) } else { graphviz::draw(dot, format) }
    }

    fn calls(&self) -> Result<CallsReport> {
        let calls = self.working(|| analyze::calls(self.profile, self.view))?;
        warn(&calls.header);
        Ok(calls)
    }

    /// The report with its source lines; prints warnings.
    fn answered(&self, rows: RowDetail) -> Result<Report> {
        let mut report = self.working(|| Session::answer_once(self.profile, self.view, rows))?;
        if let Report::Source(lines) = &mut report {
            if self.view.cut.line_code {
                self.annotate(lines)?;
            }
            sources_of(self.view).attach(lines);
        }
        warn(report.header());
        Ok(report)
    }

    /// Result of `work`, unless cancelled.
    fn working<T, E: Into<anyhow::Error>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<T> {
        let result = progress::while_awaited("Adding up", &self.output.cancelled, |_| work());
        self.output.check_awaited()?;
        result.map_err(Into::into)
    }
}

fn in_memory(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(bytes)
}

/// The filtered profile; prints its warnings.
fn warned(made: analyze::Filtered) -> Profile {
    made.warnings.iter().for_each(|warning| say(warning));
    made.profile
}

fn warn(header: &Header) {
    header.warnings.iter().for_each(|warning| say(warning));
}
