//! What goes into an answer about source lines beside the numbers: text, code, and no more than a
//! page can take.

use crate::base::hash::HashSet;

use super::access::Role;
use super::error::WebError;
use crate::annotate::{self, Files, Limits};
use crate::demangle::Budget;
use crate::query::{View, clean_path};
use crate::report::{Report, SourceEntry, SourceReport};
use crate::session::Session;
use crate::sources::Audience;

/// How much of source files and code an answer gets.
pub(super) struct AttachmentBudget {
    /// Text of source files, bytes.
    text: usize,
    code: Limits,
    /// Characters of an instruction: names of functions in it may be long.
    operands: usize,
}

/// What the page takes.
pub(super) const PAGE: AttachmentBudget =
    AttachmentBudget { text: 160_000, code: Limits { routines: 20, instructions: 1200 }, operands: 300 };

/// What a file to keep may hold; what it has not, its warnings say.
pub(super) const FILE: AttachmentBudget =
    AttachmentBudget { text: 16 << 20, code: Limits { routines: 1000, instructions: 100_000 }, operands: usize::MAX };

/// What an answer is to stay below, bytes.
const LONGEST: usize = 500_000;

/// Whether an answer is longer than the page wants it.
pub(super) fn is_too_long(body: &[u8]) -> bool {
    body.len() > LONGEST
}

/// Puts text and, where it is asked for, code into source lines, as much as one answer holds.
pub(super) fn attach(
    session: &Session,
    files: &Files,
    view: &View,
    source: &mut SourceReport,
    room: &AttachmentBudget,
    role: Role,
) -> Result<(), WebError> {
    let mut budget = Budget::default();
    source.entry.iter_mut().for_each(|entry| entry.full_name = budget.full_name(&entry.full_name));
    source.header.warnings.extend(budget.warning());
    if view.cut.line_code {
        match files.code().options() {
            Some(options) => annotate::annotate(source, &session.snapshot().profile, view, options, room.code)?,
            None => source.header.warnings.push("no instructions: this server reads no binaries".into()),
        }
        let code = source.entry.iter_mut().flat_map(|entry| &mut entry.code);
        code.filter(|code| code.text.len() > room.operands)
            .for_each(|code| code.text = code.text.chars().take(room.operands).chain(['…']).collect());
    }
    let own = own_files(session, files);
    let audience = Audience { is_elsewhere: role < Role::Owner, is_own: &|file| own.as_ref().is_none_or(|own| own.contains(file)) };
    files.sources().attach_at_most(source, room.text, &audience);
    Ok(())
}

/// The source files that profiles of this machine name, as reports print them; `None`: there are no other profiles.
pub(super) fn own_files(session: &Session, files: &Files) -> Option<HashSet<String>> {
    let profile = session.snapshot().profile;
    let shown = |path: &str| clean_path(files.sources().given().shown(path));
    let has_foreign = profile.dumps().iter().any(|dump| dump.is_foreign);
    has_foreign.then(|| profile.files_of(|dump| !dump.is_foreign).into_iter().map(shown).collect())
}

/// Leaves text, code and calls to the heaviest function of an answer about source lines;
/// whether there was another.
pub(super) fn leave_heaviest(report: &mut Report) -> bool {
    let Report::Source(source) = report else { return false };
    let weight = |entry: &SourceEntry| entry.cum.saturating_sub(entry.cum_base).saturating_abs();
    let Some(heaviest) = source.entry.iter().map(weight).max() else { return false };
    let first = source.entry.iter().position(|entry| weight(entry) == heaviest);
    let others = source.entry.iter_mut().enumerate().filter(|(i, entry)| Some(*i) != first && !entry.lines.number.is_empty());
    let n = others.map(|(_, entry)| clear(entry)).count();
    source.header.warnings.push("showing lines of the heaviest function only; use a narrower regexp for the others".into());
    n > 0
}

/// Leaves nothing of a function but its name and sums.
fn clear(entry: &mut SourceEntry) {
    let problem = "omitted: the response is already long; use a narrower regexp".into();
    let (lines, call, step, code) = Default::default();
    *entry = SourceEntry { lines, call, step, code, problem, ..std::mem::take(entry) };
}
