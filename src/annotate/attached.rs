//! The files of this machine as answers of the API show them.

use std::sync::Arc;

use super::{Files, Limits, Order, annotate};
use crate::api::{AnswerError, AttachmentBudget, Attachments};
use crate::base::hash::HashSet;
use crate::query::{SourcePaths, View, clean_path};
use crate::report::{DisasmReport, SourceReport};
use crate::session::Session;
use crate::sources::Audience;

/// Files for the answers to one visitor.
pub struct Attached {
    files: Arc<Files>,
    /// Whether the visitor must not learn where files are on this machine.
    is_elsewhere: bool,
}

impl Attached {
    /// `files` for a visitor; one who `is_elsewhere` must not learn where files are on this machine.
    pub fn new(files: Arc<Files>, is_elsewhere: bool) -> Self {
        Attached { files, is_elsewhere }
    }
}

impl Attachments for Attached {
    fn source_paths(&self) -> SourcePaths {
        self.files.sources().given().clone()
    }

    fn attach_source(
        &self,
        session: &Session,
        view: &View,
        budget: &AttachmentBudget,
        report: &mut SourceReport,
    ) -> Result<(), AnswerError> {
        if view.cut.line_code {
            self.attach_instructions(session, view, budget, report)?;
        }
        let own = own_files(session, &self.files);
        let is_own = |file: &str| own.as_ref().is_none_or(|own| own.contains(file));
        let audience = Audience { is_elsewhere: self.is_elsewhere, is_own: &is_own };
        self.files.sources().attach_at_most(report, budget.text, &audience);
        Ok(())
    }

    fn attach_code(&self, session: &Session, view: &View, most: usize, report: &mut DisasmReport) -> Result<(), AnswerError> {
        let attached = self.files.code().attach(&session.snapshot().profile, view, Order::Heaviest(most), report);
        attached.map_err(|error| AnswerError::NoCode(error.to_string()))
    }
}

impl Attached {
    /// Puts machine code beside source lines.
    fn attach_instructions(
        &self,
        session: &Session,
        view: &View,
        budget: &AttachmentBudget,
        report: &mut SourceReport,
    ) -> Result<(), AnswerError> {
        let limits = Limits { routines: budget.routines, instructions: budget.instructions };
        match self.files.code().options() {
            Some(options) => annotate(report, &session.snapshot().profile, view, options, limits)?,
            None => report.header.warnings.push("no instructions: this server reads no binaries".into()),
        }
        let code = report.entry.iter_mut().flat_map(|entry| &mut entry.code);
        code.filter(|code| code.text.len() > budget.operands)
            .for_each(|code| code.text = code.text.chars().take(budget.operands).chain(['…']).collect());
        Ok(())
    }
}

/// The source files that profiles of this machine name, as reports print them; `None`: there are no other profiles.
pub fn own_files(session: &Session, files: &Files) -> Option<HashSet<String>> {
    let profile = session.snapshot().profile;
    let shown = |path: &str| clean_path(files.sources().given().shown(path));
    let has_foreign = profile.dumps().iter().any(|dump| dump.is_foreign);
    has_foreign.then(|| profile.files_of(|dump| !dump.is_foreign).into_iter().map(shown).collect())
}
