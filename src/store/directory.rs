//! A store in a directory.
//!
//! An object is written to a temporary file, synchronized, and linked to its place: a link fails if its name exists, and a crash
//! leaves the whole file or none. A key is a path below the directory.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StoreError;
use super::objects::{Content, Created, Listed, Objects, is_key};

/// Folder of files that are being written; begins with a dot, so that no key names it.
const SPOOL: &str = ".spool";

/// Age at which what an interrupted writer left is swept.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Attempts to link a file into a folder that others delete while it is empty.
const ATTEMPTS: usize = 100;

/// A directory of objects.
#[derive(Debug)]
pub(super) struct Directory {
    root: PathBuf,
    spool: PathBuf,
}

impl Directory {
    /// Opens the directory, which is created if it is missing.
    pub(super) fn open(root: &Path) -> Result<Self, StoreError> {
        let cannot = || StoreError::file(format!("cannot create the store in {}", root.display()));
        make_folder(root).map_err(cannot())?;
        let root = root.canonicalize().map_err(cannot())?;
        let spool = root.join(SPOOL);
        make_folder(&spool).map_err(cannot())?;
        let directory = Directory { root, spool };
        directory.sweep();
        Ok(directory)
    }

    /// Deletes what writers that were killed left behind. What cannot be deleted takes room, no more.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.spool).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|meta| meta.modified()).map(|modified| modified.elapsed().unwrap_or_default());
            if age.is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn path(&self, key: &str) -> Result<PathBuf, StoreError> {
        match is_key(key) {
            true => Ok(self.root.join(key)),
            false => Err(StoreError::Refused(format!("{key:?} is no key of a store"))),
        }
    }

    /// Refuses to say that something is not there while the whole store is not: moved, or not mounted.
    fn here(&self) -> Result<(), StoreError> {
        match self.spool.is_dir() {
            true => Ok(()),
            false => Err(StoreError::Away(format!("{} is not there any more", self.root.display()))),
        }
    }

    /// Links a complete, synchronized file to its place. Whoever deletes the last object of a folder deletes the folder.
    fn link(&self, file: &Path, place: &Path) -> io::Result<Created> {
        let is_done = |linked: &io::Result<Created>| !linked.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        let linked = (1..ATTEMPTS).map(|_| self.link_once(file, place)).find(is_done);
        linked.unwrap_or_else(|| self.link_once(file, place))
    }

    fn link_once(&self, file: &Path, place: &Path) -> io::Result<Created> {
        let folder = place.parent().unwrap_or(&self.root);
        make_folder(folder)?;
        let created = match fs::hard_link(file, place) {
            Ok(()) => Created::New,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Created::Exists,
            Err(error) => return Err(error),
        };
        // Also of an object of another writer, who may not have come to this yet.
        sync_folder(folder)?;
        Ok(created)
    }
}

impl Objects for Directory {
    fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
        let place = self.path(key)?;
        let write = || match content {
            Content::Bytes(bytes) => {
                let mut file = tempfile::Builder::new().tempfile_in(&self.spool)?;
                file.write_all(bytes)?;
                file.as_file().sync_all()?;
                self.link(file.path(), &place)
            }
            Content::File(path) if path.parent() == Some(&*self.spool) => {
                File::open(path)?.sync_all()?;
                self.link(path, &place)
            }
            Content::File(path) => {
                let mut file = tempfile::Builder::new().tempfile_in(&self.spool)?;
                io::copy(&mut File::open(path)?, &mut file)?;
                file.as_file().sync_all()?;
                self.link(file.path(), &place)
            }
        };
        write().map_err(StoreError::file(format!("cannot write {}", place.display())))
    }

    fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(key)?;
        let cannot = || StoreError::file(format!("cannot read {}", path.display()));
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.here().map(|()| None),
            file => file.map_err(cannot())?,
        };
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(cannot())?;
        match bytes.len() as u64 > most {
            true => Err(StoreError::TooLong { key: key.to_owned(), most }),
            false => Ok(Some(bytes)),
        }
    }

    fn length(&self, key: &str) -> Result<Option<u64>, StoreError> {
        let path = self.path(key)?;
        match fs::metadata(&path) {
            Ok(meta) => Ok(meta.is_file().then_some(meta.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.here().map(|()| None),
            Err(error) => Err(StoreError::file(format!("cannot read {}", path.display()))(error)),
        }
    }

    fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError> {
        let path = self.path(key)?;
        Ok(self.length(key)?.map(|_| path))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let mut found = Vec::new();
        let mut folders = vec![self.path(prefix.trim_end_matches('/'))?];
        while let Some(folder) = folders.pop() {
            let cannot = || StoreError::file(format!("cannot list {}", folder.display()));
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(cannot())?,
            };
            for entry in entries {
                let entry = entry.map_err(cannot())?;
                let (path, kind) = (entry.path(), entry.file_type().map_err(cannot())?);
                if kind.is_dir() {
                    folders.push(path);
                    continue;
                }
                // It may have been deleted meanwhile, or be something of somebody else.
                let Ok(meta) = entry.metadata() else { continue };
                let Some(key) = path.strip_prefix(&self.root).ok().and_then(Path::to_str) else { continue };
                let key = key.replace(std::path::MAIN_SEPARATOR, "/");
                if kind.is_file() && is_key(&key) {
                    found.push(Listed { key, len: meta.len(), modified: meta.modified().unwrap_or(std::time::UNIX_EPOCH) });
                }
            }
        }
        found.sort_by(|a, b| a.key.cmp(&b.key));
        self.here().map(|()| found)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        let path = self.path(key)?;
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.here(),
            Err(error) => return Err(StoreError::file(format!("cannot delete {}", path.display()))(error)),
        }
        // Folders that are empty now; the first one that is not ends it.
        let inside = path.ancestors().skip(1).take_while(|folder| *folder != self.root);
        let _ = inside.map(fs::remove_dir).take_while(io::Result::is_ok).count();
        Ok(())
    }

    fn spool(&self) -> &Path {
        &self.spool
    }

    fn linger(&self) -> Duration {
        Duration::from_millis(5)
    }

    fn place(&self) -> String {
        self.root.display().to_string()
    }
}

/// Makes a folder for its owner, with those above it; each survives a crash.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(parent) = parent {
        make_folder(parent)?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => sync_folder(parent.unwrap_or(Path::new("."))),
    }
}

/// Makes names in a folder survive a crash.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}
