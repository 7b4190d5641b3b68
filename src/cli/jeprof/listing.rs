//! `--list`: source lines of functions. Inlined code counts for the line it was inlined into.

use anyhow::{Result, anyhow};

use crate::analyze::jeprof::Selection;
use crate::attribution::RowDetail;
use crate::query::{Pattern, QueryError, View, ViewKind};
use crate::render;
use crate::report::Report;
use crate::session::Session;
use crate::terminal::message::say;

/// Lines that jeprof shows around a function.
const MARGIN: i64 = 5;

/// Appends the functions that match `pattern`.
pub(super) fn write(pattern: &str, selection: &Selection<'_>, out: &mut Vec<u8>) -> Result<()> {
    let pattern = Pattern::new(pattern).map_err(|problem| anyhow!("--list: the expression {pattern:?} {problem}"))?;
    let (profile, header) = selection.profile();
    let mut view = View::new(ViewKind::Source);
    view.cut.list = Some(pattern);
    view.shape.noinlines = true;
    let mut lines = match Session::answer_once(&profile, &view, RowDetail::Plain) {
        Ok(Report::Source(lines)) => lines,
        // jeprof also prints nothing, but without a reason.
        Err(error @ QueryError::NoMatch { .. }) => {
            say(&error.to_string());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
        Ok(_) => return Ok(()),
    };
    let starts: Vec<i64> = lines.entry.iter().map(|e| e.first_line).collect();
    for entry in &mut lines.entry {
        entry.first_line = (entry.first_line - MARGIN).max(1);
    }
    lines.header.warnings.iter().for_each(|warning| say(warning));
    // Missing files are reported below, one by one; hints of attach() name flags that jeprof does not have.
    crate::cli::view::sources_of(&view).attach(&mut lines);
    for (entry, start) in lines.entry.iter().zip(starts) {
        match (entry.file.as_str(), entry.problem.as_str()) {
            ("", _) => say(&format!("no filename found in {}", entry.name)),
            (_, "") => render::jeprof_listing(entry, start, &header, out)?,
            // jeprof has no flag for it.
            (file, problem) if problem.contains("-source_path") => {
                say(&format!("{file}: not found in the current project; run jeprof in the project's directory, or use heapview list"));
            }
            (file, problem) => say(&format!("{file}: {problem}")),
        }
    }
    Ok(())
}
