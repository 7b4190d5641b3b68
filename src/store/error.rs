//! Errors of a store.

use std::io;

use thiserror::Error;

/// Why a store cannot do what it was asked for.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file of a store in a directory.
    #[error("{what}: {error}")]
    File {
        /// What was tried, with the path.
        what: String,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// The store does not answer, or answers with an error; the same may work later.
    #[error("the store does not answer: {0}")]
    Away(String),
    /// The store refuses for good: the address, the bucket or the permissions are wrong.
    #[error("{0}")]
    Refused(String),
    /// The directory or bucket holds something else.
    #[error("{0}")]
    NotAStore(String),
    /// An object that heapview wrote cannot be read.
    #[error("{key} is damaged: {why}")]
    Damaged {
        /// Key of the object.
        key: String,
        /// Why, a few words.
        why: String,
    },
    /// An object is longer than anything that may be there.
    #[error("{key} is longer than {most} bytes, the limit")]
    TooLong {
        /// Key of the object.
        key: String,
        /// The limit, bytes.
        most: u64,
    },
}

impl StoreError {
    /// An error of the system, with what was tried.
    pub(super) fn file(what: impl Into<String>) -> impl FnOnce(io::Error) -> StoreError {
        let what = what.into();
        move |error| StoreError::File { what, error }
    }

    /// Whether the same request may succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            // Whatever is wrong with the disk or the credentials: dumps are sent again when it was mended.
            StoreError::Away(_) | StoreError::File { .. } => true,
            _ => false,
        }
    }
}
