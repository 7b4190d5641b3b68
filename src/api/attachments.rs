//! Text of source files and machine code beside the numbers of a report.
//!
//! The core reads no files. Callers with file access, such as the server, implement [`Attachments`]; others use [`NoFiles`].

use super::error::AnswerError;
use crate::query::{SourcePaths, View};
use crate::report::{DisasmReport, SourceReport};
use crate::session::Session;

/// How much text and code an answer about source lines gets.
#[derive(Clone, Copy, Debug)]
pub struct AttachmentBudget {
    /// Text of source files, bytes.
    pub text: usize,
    /// Number of functions whose machine code is read, the heaviest first.
    pub routines: usize,
    /// Machine instructions.
    pub instructions: usize,
    /// Characters of an instruction: names of functions in it may be long.
    pub operands: usize,
}

impl AttachmentBudget {
    /// For answers that the page shows.
    pub const PAGE: AttachmentBudget = AttachmentBudget { text: 160_000, routines: 20, instructions: 1200, operands: 300 };

    /// Attachments for saved files, with warnings about missing files.
    pub const FILE: AttachmentBudget = AttachmentBudget { text: 16 << 20, routines: 1000, instructions: 100_000, operands: usize::MAX };
}

/// Source files and binaries that answers may show.
pub trait Attachments {
    /// How paths of source files are printed.
    fn source_paths(&self) -> SourcePaths {
        SourcePaths::default()
    }

    /// Puts the text of source files and, if `view` wants it, machine code into `report`, the answer to `view`.
    ///
    /// # Errors
    /// There is nothing to read from.
    fn attach_source(
        &self,
        session: &Session,
        view: &View,
        budget: &AttachmentBudget,
        report: &mut SourceReport,
    ) -> Result<(), AnswerError>;

    /// Puts the machine code of the `most` heaviest functions into `report`, the answer to `view`.
    ///
    /// # Errors
    /// There is nothing to read from, or it has no such function.
    fn attach_code(&self, session: &Session, view: &View, most: usize, report: &mut DisasmReport) -> Result<(), AnswerError>;
}

/// No file access: reports of source lines and machine code have an explanation instead.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Attachments for NoFiles {
    fn attach_source(&self, _: &Session, _: &View, _: &AttachmentBudget, _: &mut SourceReport) -> Result<(), AnswerError> {
        Err(AnswerError::NoFiles("source lines"))
    }

    fn attach_code(&self, _: &Session, _: &View, _: usize, _: &mut DisasmReport) -> Result<(), AnswerError> {
        Err(AnswerError::NoFiles("machine code"))
    }
}
