//! Bytes that are written one after the other and read at any place: in memory while they are few, then in a temporary file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use crate::parse::options::{LogFile, OpenLogFile};

/// Length of what is written and read at a time, bytes.
pub(super) const BLOCK: usize = 1 << 18;
/// Most bytes in memory where there are files.
const IN_MEMORY: usize = if cfg!(test) { 1 << 18 } else { 4 << 20 };
/// The same where there are none, bytes.
const IN_MEMORY_ALONE: usize = if cfg!(test) { 1 << 19 } else { 32 << 20 };
/// Most bytes in a file.
const IN_FILE: u64 = 16 << 30;

/// Where the bytes are.
#[derive(Default)]
pub(super) struct Store {
    memory: Vec<u8>,
    /// All bytes, if there is one.
    file: Option<Mutex<Box<dyn LogFile>>>,
    pub(super) length: u64,
}

impl Store {
    /// Appends bytes. `open`: makes a file.
    pub(super) fn append(&mut self, bytes: &[u8], open: Option<OpenLogFile>) -> io::Result<()> {
        let no_room = || io::Error::other("no room");
        let most = if open.is_some() { IN_MEMORY } else { IN_MEMORY_ALONE };
        if self.file.is_none() && self.memory.len() + bytes.len() > most {
            let mut file = open.and_then(|open| open()).ok_or_else(no_room)?;
            file.write_all(&std::mem::take(&mut self.memory))?;
            self.file = Some(Mutex::new(file));
        }
        match &mut self.file {
            Some(_) if self.length + bytes.len() as u64 > IN_FILE => return Err(no_room()),
            Some(file) => file.get_mut().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?,
            None => self.memory.extend_from_slice(bytes),
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Reads the bytes at `offset`, as many as fit and are there.
    pub(super) fn read<'a>(&self, offset: u64, limit: u64, out: &'a mut [u8]) -> Option<&'a [u8]> {
        let left = usize::try_from(limit.min(self.length).saturating_sub(offset)).unwrap_or(usize::MAX);
        let out = out.get_mut(..left.min(BLOCK))?;
        match &self.file {
            None => {
                let at = usize::try_from(offset).ok()?;
                out.copy_from_slice(self.memory.get(at..at + out.len())?);
            }
            Some(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset)).ok()?;
                file.read_exact(out).ok()?;
            }
        }
        Some(out)
    }
}
