//! Recently opened files, for the start page: the last few command lines that opened a page or a shell.
//!
//! Stored in the cache directory, readable by this account only. Contains only local files given on the command line or chosen on
//! the start page; no uploads, and no addresses, which may contain passwords.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::atomic_file::Part;
use super::cache_folder as cache;

/// Most entries.
const MOST: usize = 12;

/// Most files of one entry.
const MOST_FILES: usize = 64;

/// Maximum number of bytes read.
const LONGEST: u64 = 256 << 10;

/// Files that were opened together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recent {
    /// Absolute paths of binary and profiles, in the order given.
    pub(crate) files: Vec<PathBuf>,
    /// When they were opened, seconds since 1970 UTC.
    pub(crate) time: u64,
}

/// Recent files, latest first.
pub(crate) fn all() -> Vec<Recent> {
    place().map_or(Vec::new(), |place| read(&place))
}

/// Puts these files first. Nothing is kept of files that are not here, such as addresses and pipes.
pub(crate) fn remember(files: &[PathBuf]) {
    let Some((place, recent)) = place().zip(entry(files)) else { return };
    add(&place, recent);
}

/// Adds an entry to the file. Failures are ignored: the list is then missing next time.
fn add(place: &Path, recent: Recent) {
    if place.parent().is_none_or(|folder| fs::create_dir_all(folder).is_err()) {
        return;
    }
    // Programs that start at the same time would lose each other's entries between reading and writing.
    let lock = Lock::take(place);
    let _ = write(place, &with(read(place), recent));
    drop(lock);
}

/// Empties the list.
///
/// # Errors
/// When the file cannot be deleted.
pub(crate) fn clear() -> io::Result<()> {
    place().map_or(Ok(()), |place| delete(&place))
}

fn delete(place: &Path) -> io::Result<()> {
    // Without the lock, a program that starts at the same time could write back what it read before.
    let lock = Lock::take(place);
    let deleted = fs::remove_file(place);
    drop(lock);
    deleted.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// A file that exists while one program changes the list.
struct Lock(PathBuf);

impl Lock {
    /// Lock timeout. A killed process leaves its lock file behind, which is ignored after that time.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Waits until no other program changes the file at `place`. `None`: the folder takes no files.
    fn take(place: &Path) -> Option<Lock> {
        let path = place.with_extension("lock");
        let begin = Instant::now();
        loop {
            match File::create_new(&path) {
                Ok(_) => return Some(Lock(path)),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
                Err(_) if begin.elapsed() > Self::PATIENCE => return Some(Lock(path)),
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn place() -> Option<PathBuf> {
    Some(cache::folder()?.join("heapview/recent.json"))
}

fn entry(files: &[PathBuf]) -> Option<Recent> {
    if files.is_empty() || files.len() > MOST_FILES {
        return None;
    }
    let is_here = |path: &Path| fs::metadata(path).is_ok_and(|meta| meta.is_file() || meta.is_dir());
    let files: Option<Vec<PathBuf>> = files.iter().map(|path| std::path::absolute(path).ok().filter(|path| is_here(path))).collect();
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Some(Recent { files: files?, time })
}

/// The list with this entry first, each once.
fn with(mut list: Vec<Recent>, recent: Recent) -> Vec<Recent> {
    list.retain(|other| other.files != recent.files);
    list.insert(0, recent);
    list.truncate(MOST);
    list
}

fn read(place: &Path) -> Vec<Recent> {
    let mut text = String::new();
    let is_read = File::open(place).and_then(|file| file.take(LONGEST).read_to_string(&mut text)).is_ok();
    let list: Vec<Recent> = if is_read { serde_json::from_str(&text).unwrap_or_default() } else { Vec::new() };
    let is_sound = |recent: &Recent| (1..=MOST_FILES).contains(&recent.files.len()) && recent.files.iter().all(|path| path.is_absolute());
    list.into_iter().filter(is_sound).take(MOST).collect()
}

fn write(place: &Path, list: &[Recent]) -> io::Result<()> {
    let (part, mut file) = Part::create(place)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    file.write_all(&serde_json::to_vec(list)?)?;
    drop(file);
    part.put(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_is_first_and_the_list_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("heapview/recent.json");
        for n in (0..20).chain([15]) {
            let recent = Recent { files: vec![PathBuf::from(format!("/dumps/{n}.heap"))], time: n };
            add(&place, recent);
        }
        let list = read(&place);
        assert_eq!(list.iter().map(|recent| recent.time).collect::<Vec<_>>()[..4], [15, 19, 18, 17]);
        assert_eq!(list.len(), MOST);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o600);
        }
        for _ in 0..2 {
            delete(&place).unwrap();
            assert_eq!((read(&place), place.exists()), (Vec::new(), false));
        }
        delete(&folder.path().join("no/such/recent.json")).unwrap();
        for text in ["", "{", "[1]", r#"[{"files":["relative"],"time":1}]"#, r#"[{"files":[],"time":1}]"#] {
            fs::write(&place, text).unwrap();
            assert_eq!(read(&place), [], "{text}");
        }
    }

    #[test]
    fn starts_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("heapview/recent.json");
        std::thread::scope(|scope| {
            for n in 0..MOST as u64 {
                let place = &place;
                scope.spawn(move || add(place, Recent { files: vec![PathBuf::from(format!("/dumps/{n}.heap"))], time: n }));
            }
        });
        let mut times: Vec<u64> = read(&place).iter().map(|recent| recent.time).collect();
        times.sort_unstable();
        assert_eq!(times, (0..MOST as u64).collect::<Vec<_>>());
        // A killed process leaves its lock file behind; the next one deletes it.
        fs::write(place.with_extension("lock"), "").unwrap();
        add(&place, Recent { files: vec!["/last.heap".into()], time: 99 });
        assert_eq!(read(&place)[0].time, 99);
        assert!(!place.with_extension("lock").exists());
    }

    #[test]
    fn only_files_that_are_here_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.heap");
        fs::write(&path, "").unwrap();
        assert_eq!(entry(std::slice::from_ref(&path)).unwrap().files, std::slice::from_ref(&path));
        for other in ["-", "http://me:secret@host/heap", "no-such-file"] {
            assert_eq!(entry(&[path.clone(), PathBuf::from(other)]), None, "{other}");
        }
        assert_eq!(entry(&[]), None);
    }
}
