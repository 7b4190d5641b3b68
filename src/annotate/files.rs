//! Source files and binaries that a server may read for an open profile.

use std::sync::{Arc, PoisonError, RwLock};

use super::Code;
use crate::sources::Sources;

/// Locations of source files and binaries. By default none is read.
#[derive(Default)]
pub struct Files {
    sources: Sources,
    code: RwLock<Arc<Code>>,
}

impl Files {
    /// Source files and binaries to show.
    pub fn new(sources: Sources, code: Code) -> Self {
        Files { sources, code: RwLock::new(Arc::new(code)) }
    }

    /// Locations of source files.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Locations of binaries.
    pub fn code(&self) -> Arc<Code> {
        self.code.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the binaries, when another one was opened.
    pub fn set_code(&self, code: Code) {
        *self.code.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(code);
    }
}
