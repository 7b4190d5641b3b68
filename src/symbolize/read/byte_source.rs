//! Random access to the bytes of a file, on disk, in memory, or wherever the caller has them.

use std::fmt::Debug;
use std::fs::{File, Metadata};
use std::io;

/// A file that is read by parts.
pub trait ByteSource: Debug + Send + Sync {
    /// Length in bytes.
    fn size(&self) -> u64;

    /// Fills `bytes` from `offset` on.
    ///
    /// # Errors
    /// Not all of them can be read, or the file ends before.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Metadata of a file on disk.
    fn metadata(&self) -> Option<Metadata> {
        None
    }
}

impl ByteSource for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        bytes.copy_from_slice(rest.get(..bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ByteSource for File {
    fn size(&self) -> u64 {
        File::metadata(self).map_or(0, |meta| meta.len())
    }

    /// Moves no position that others use.
    #[cfg(unix)]
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            match std::os::windows::fs::FileExt::seek_read(self, &mut bytes[done..], offset + done as u64) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// WebAssembly opens no files.
    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn metadata(&self) -> Option<Metadata> {
        File::metadata(self).ok()
    }
}
