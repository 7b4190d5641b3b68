//! What is asked for when somebody opens dumps of a store.

use std::sync::Arc;

use super::envelope::Envelope;
use crate::annotate::Files;
use crate::api::Refusal;
use crate::session::Session;

/// Dumps to open together.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The dumps, the one to show first.
    pub dumps: Vec<Arc<Envelope>>,
    /// They are a series, in order of time: the last one of the largest process is shown.
    pub is_series: bool,
    /// The second of two is subtracted from the first.
    pub has_base: bool,
    /// Warnings, a sentence each.
    pub notes: Vec<String>,
}

/// Opens dumps of a store.
pub trait OpenDumps: Send + Sync {
    /// Opens these; names may come later. May take long.
    ///
    /// # Errors
    /// The store does not have them, or they have no value type in common.
    fn open(&self, wanted: &Wanted) -> Result<OpenedDumps, Refusal>;
}

/// Open dumps.
pub struct OpenedDumps {
    /// Answers questions.
    pub session: Arc<Session>,
    /// Binaries that reports may show.
    pub files: Arc<Files>,
    /// Looks for names once more, in the background: binaries came.
    pub find_names: Box<dyn Fn() + Send + Sync>,
}
