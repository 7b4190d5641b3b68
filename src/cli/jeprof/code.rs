//! `--disasm`: instructions of functions, below their source lines.

use anyhow::{Result, anyhow};

use crate::analyze::jeprof::Selection;
use crate::annotate::{Code, Order};
use crate::attribution::RowDetail;
use crate::base::hash::HashMap;
use crate::query::{Pattern, View, ViewKind};
use crate::render;
use crate::report::{CodeRoutine, Report, SourceEntry, SourceReport};
use crate::session::Session;
use crate::symbolize;
use crate::terminal::message::say;

/// Appends the functions that match `pattern`; their code is read from `binaries`.
pub(super) fn write(pattern: &str, selection: &Selection<'_>, binaries: &symbolize::Options, out: &mut Vec<u8>) -> Result<()> {
    let pattern = Pattern::new(pattern).map_err(|problem| anyhow!("--disasm: the expression {pattern:?} {problem}"))?;
    let (profile, header) = selection.profile();
    let mut view = View::new(ViewKind::Disasm);
    view.cut.disasm = Some(pattern);
    let Report::Disasm(mut code) = Session::answer_once(&profile, &view, RowDetail::Plain)? else { return Ok(()) };
    Code::new(binaries.clone()).attach(&profile, &view, Order::Name, &mut code)?;
    code.header.warnings.iter().for_each(|warning| say(warning));
    for routine in &code.routine {
        let source = source(routine, &view);
        let text = |file: &str, line: i64| source.get(&(file.to_owned(), line)).cloned();
        render::jeprof_code(routine, &text, &header, out)?;
    }
    Ok(())
}

/// File and line → text, of the files that are here.
fn source(routine: &CodeRoutine, view: &View) -> HashMap<(String, i64), String> {
    let mut extents: HashMap<&str, (i64, i64)> = HashMap::default();
    for (file, line) in routine.place.iter().map(render::innermost).filter(|(file, line)| !file.is_empty() && *line > 0) {
        let (first, last) = extents.entry(file).or_insert((line, line));
        (*first, *last) = ((*first).min(line), (*last).max(line));
    }
    let entry = extents.into_iter().map(|(file, (first_line, last_line))| SourceEntry {
        file: file.to_owned(),
        first_line,
        last_line,
        ..SourceEntry::default()
    });
    let mut report = SourceReport { entry: entry.collect(), ..SourceReport::default() };
    crate::cli::view::sources_of(view).attach(&mut report);
    let lines = report.entry.into_iter().flat_map(|entry| {
        let file = entry.file;
        let lines = entry.lines.number.into_iter().zip(entry.lines.text);
        lines.filter_map(move |(number, text)| Some(((file.clone(), number), text?)))
    });
    lines.collect()
}
