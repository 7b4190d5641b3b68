//! What a store must be able to do with objects: write one that is not there yet, read, list, delete.
//!
//! There is no other write. What changes is kept as numbered versions (`src/store/documents.rs`), so that "unless it exists" is the
//! only condition that a store has to keep, and all replicas agree without a database.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::StoreError;

/// Attempts to create an object that exists and is not there.
const ATTEMPTS: u32 = 6;

/// Time between the first two of them.
const PAUSE: Duration = Duration::from_millis(50);

/// Outcome of [`Objects::create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is there now.
    New,
    /// There was one of this key, which stays.
    Exists,
}

/// Bytes of an object to write.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// In memory.
    Bytes(&'a [u8]),
    /// A complete file, which may be used up: made in [`Objects::spool`], it becomes the object without being copied.
    File(&'a Path),
}

/// An object of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key.
    pub key: String,
    /// Length, bytes.
    pub len: u64,
    /// When it was written.
    pub modified: SystemTime,
}

/// Objects by key. Keys are parts of letters, digits and `.`, `_`, `-`, joined by `/`. All methods block.
pub trait Objects: Debug + Send + Sync {
    /// Writes an object unless there is one of this key. When it returns, the object survives a crash; until then nobody sees a
    /// part of it.
    fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError>;

    /// Reads an object of at most `most` bytes; `None` if there is none.
    fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError>;

    /// Length of an object, bytes; `None` if there is none.
    fn length(&self, key: &str) -> Result<Option<u64>, StoreError>;

    /// A file of this machine with the object's bytes; `None` if there is no such object.
    fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError>;

    /// All objects whose keys begin with `prefix`, which ends with `/`; sorted by key.
    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError>;

    /// Deletes an object; nothing happens if there is none.
    fn remove(&self, key: &str) -> Result<(), StoreError>;

    /// Folder for files that are received and become objects.
    fn spool(&self) -> &Path;

    /// Time that writers of small objects wait for others, so that they share a request.
    fn linger(&self) -> Duration;

    /// The place, for messages: a path or an address without secrets.
    fn place(&self) -> String;
}

/// Creates an object that has the same content whoever writes it. That the store says it exists is no proof: it says the same while
/// somebody writes it, who may fail.
pub(super) fn keep(objects: &dyn Objects, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
    for attempt in 1..=ATTEMPTS {
        match objects.create(key, content)? {
            Created::New => return Ok(Created::New),
            Created::Exists if objects.length(key)?.is_some() => return Ok(Created::Exists),
            Created::Exists => std::thread::sleep(PAUSE * attempt),
        }
    }
    Err(StoreError::Away(format!("{key} is neither there nor can it be written")))
}

/// Checks that a key has no part that a file system reads as something else.
pub(super) fn is_key(key: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    key.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain))
}
