//! Dumps that no server took yet, on this machine's disk.
//!
//! A file is a line of JSON, [`Parcel`], and the body that is to be sent. Its name is a hash of both, so that the same dump is kept
//! once. Files appear whole, and only their owner reads them.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::base::units::binary_size;
use crate::open::atomic_file::Part;

/// Extension of the files.
const ENDING: &str = "push";

/// Folder of what a server refused for good.
const REFUSED: &str = "refused";

/// Longest first line, bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// Longest body, bytes.
const LONGEST: u64 = 2 << 30;

/// Where a dump is to be sent, and its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parcel {
    /// The server's address; no token and no password.
    pub(crate) server: String,
    /// Parameters of the upload.
    pub(crate) query: Vec<(String, String)>,
    /// The file it was read from, for messages.
    pub(crate) file: String,
}

/// A folder of parcels.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    /// Most bytes of all files.
    most: u64,
}

impl Spool {
    /// The spool in `folder`, which is made when something is kept.
    pub(crate) fn new(folder: PathBuf, most: u64) -> Self {
        Spool { folder, most }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a parcel. When this returns, it survives a crash.
    ///
    /// # Errors
    /// There is no room, or it cannot be written.
    pub(crate) fn keep(&self, parcel: &Parcel, body: &[u8]) -> Result<()> {
        let shown = self.folder.display();
        let mut text = serde_json::to_vec(parcel)?;
        text.push(b'\n');
        let digest = Sha256::new().chain_update(&text).chain_update(body).finalize();
        let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join(name).with_extension(ENDING);
        if path.is_file() {
            return Ok(());
        }
        own_folder(&self.folder).with_context(|| format!("cannot make the directory {shown}"))?;
        let (used, more) = (self.used()?, (text.len() + body.len()) as u64);
        if used.saturating_add(more) > self.most {
            bail!(
                "the spool {shown} is full: it has {} of at most {}, and this dump takes {}; send what is there (heapview push), or raise -spool-limit",
                binary_size(used),
                binary_size(self.most),
                binary_size(more)
            );
        }
        let written = || -> io::Result<()> {
            let (part, mut file) = Part::create(&path)?;
            only_for_owner(&file)?;
            file.write_all(&text)?;
            file.write_all(body)?;
            file.sync_all()?;
            part.put(&path)?;
            // Its name is durable with the folder.
            if cfg!(unix) { File::open(&self.folder)?.sync_all() } else { Ok(()) }
        };
        written().with_context(|| format!("cannot write to the spool {shown}"))
    }

    /// The files of parcels, the oldest first.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(crate) fn list(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for (path, meta) in self.entries()? {
            if path.extension().is_some_and(|ending| ending == ENDING) {
                found.push((meta.modified().ok(), path));
            }
        }
        found.sort();
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// Bytes of all files, also of those that were refused.
    fn used(&self) -> Result<u64> {
        let refused = Spool::new(self.folder.join(REFUSED), 0);
        let all = self.entries()?.into_iter().chain(refused.entries()?);
        Ok(all.fold(0, |sum, (_, meta)| sum.saturating_add(meta.len())))
    }

    fn entries(&self) -> Result<Vec<(PathBuf, fs::Metadata)>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.with_context(|| format!("cannot read the spool {}", self.folder.display()))?,
        };
        // What another run sent meanwhile is gone.
        let found = entries.flatten().filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)));
        Ok(found.filter(|(_, meta)| meta.is_file()).collect())
    }

    /// The parcel in a file, and its body; `None`: another run has sent it meanwhile.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    pub(crate) fn read(&self, path: &Path) -> Result<Option<(Parcel, Vec<u8>)>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.with_context(|| format!("cannot open {}", path.display()))?,
        };
        let damaged = || format!("{} is damaged: it does not begin with the parameters of an upload; delete it", path.display());
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line).with_context(damaged)?;
        let parcel = serde_json::from_slice(&line).with_context(damaged)?;
        let mut body = Vec::new();
        reader.take(LONGEST).read_to_end(&mut body).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Some((parcel, body)))
    }

    /// Forgets a parcel that was delivered.
    pub(crate) fn remove(&self, path: &Path) -> Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} was sent but cannot be deleted", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Puts a parcel that will not be taken aside; returns where it is. Another run may have done so already.
    pub(crate) fn put_aside(&self, path: &Path) -> Result<PathBuf> {
        let folder = self.folder.join(REFUSED);
        let to = folder.join(path.file_name().unwrap_or_default());
        let moved = own_folder(&folder).and_then(|()| fs::rename(path, &to));
        let moved = moved.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) });
        moved.with_context(|| format!("cannot move {} to {}", path.display(), folder.display()))?;
        Ok(to)
    }
}

/// Makes a folder for its owner.
fn own_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(unix)]
fn only_for_owner(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn only_for_owner(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcel(file: &str) -> Parcel {
        Parcel { server: "http://h:1".into(), query: vec![("service".into(), "a b".into())], file: file.into() }
    }

    #[test]
    fn parcels_are_kept_once_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path().join("a/spool"), 1 << 20);
        assert!(spool.list().unwrap().is_empty());
        for _ in 0..2 {
            spool.keep(&parcel("x.heap"), b"line\nbody\0").unwrap();
        }
        let list = spool.list().unwrap();
        assert_eq!(list.len(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&list[0]), mode(spool.folder())), (0o600, 0o700));
        }
        assert_eq!(spool.read(&list[0]).unwrap(), Some((parcel("x.heap"), b"line\nbody\0".to_vec())));
        spool.remove(&list[0]).unwrap();
        spool.remove(&list[0]).unwrap();
        assert_eq!(spool.read(&list[0]).unwrap(), None);
    }

    #[test]
    fn a_full_spool_drops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path().to_owned(), 1000);
        spool.keep(&parcel("x.heap"), &[1; 600]).unwrap();
        let error = format!("{:#}", spool.keep(&parcel("y.heap"), &[2; 600]).unwrap_err());
        assert!(error.contains("is full") && error.contains("-spool-limit"), "{error}");
        // What was refused takes room until somebody has looked at it.
        let aside = spool.put_aside(&spool.list().unwrap()[0]).unwrap();
        assert!(spool.put_aside(&folder.path().join(aside.file_name().unwrap())).is_ok(), "another run was first");
        assert!(aside.is_file() && spool.list().unwrap().is_empty());
        assert!(spool.keep(&parcel("y.heap"), &[2; 600]).is_err());
    }

    #[test]
    fn damaged_parcels_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path().to_owned(), 1000);
        for bytes in [&b""[..], b"no JSON\nbody", &[b'{'; 100_000]] {
            let path = folder.path().join("x.push");
            fs::write(&path, bytes).unwrap();
            assert!(spool.read(&path).unwrap_err().to_string().contains("x.push is damaged"));
        }
    }
}
