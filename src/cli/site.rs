//! `heapview site -o DIR`: the page as a folder for any web server.
//!
//! The folder must be new or empty, or hold an earlier site; its `heapview-site.json` lists what heapview wrote there. Files of
//! others are neither overwritten nor removed. `index.html` is replaced last: until then visitors get the earlier site.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::output::{Target, WriteError, write_to};
use crate::base::units;
use crate::open::atomic_file::{self, Part};
use crate::terminal::message::say;
use crate::web::{SiteFile, site_files};

/// Name of the list of files.
const MANIFEST: &str = "heapview-site.json";

/// Longest list that is read, bytes.
const LONGEST_MANIFEST: u64 = 1 << 20;

/// What heapview wrote into a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    /// The version of heapview that wrote it.
    heapview: String,
    /// Path → SHA-256, hexadecimal.
    files: BTreeMap<String, String>,
}

/// Writes the site into `folder`, and lists its files on standard output.
pub(super) fn write(folder: &Path) -> Result<()> {
    atomic_file::survive_size_limit();
    let files = site_files()?;
    let earlier = earlier_site(folder)?;
    refuse_others(folder, &files, &earlier)?;
    write_files(folder, &files, &earlier).map_err(|error| WriteError::new(format!("the site in {}", folder.display()), error))?;
    let list: Vec<String> = files.iter().map(|file| folder.join(&file.path).display().to_string()).collect();
    write_to(&Target::default(), None, |out| list.iter().try_for_each(|path| writeln!(out, "{path}")))?;
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    say(&format!(
        "{} files, {}. Copy the directory to any web server; to try it here: python3 -m http.server 8000 --bind 127.0.0.1 -d {}",
        files.len(),
        units::label(i64::try_from(bytes).unwrap_or(i64::MAX), "bytes", "auto"),
        folder.display()
    ));
    Ok(())
}

/// What an earlier run wrote there; nothing if the folder is new or empty.
fn earlier_site(folder: &Path) -> Result<Manifest> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Manifest::default()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            bail!("{} is a file; -o names the directory of the site", folder.display())
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", folder.display())),
    };
    let Some(_) = entries.next() else { return Ok(Manifest::default()) };
    let Some(manifest) = read_manifest(folder) else {
        bail!("{} has files, but no heapview site; choose a new or empty directory", folder.display());
    };
    Ok(manifest)
}

/// The list of files in `folder`; `None` if there is none, or none that heapview wrote.
fn read_manifest(folder: &Path) -> Option<Manifest> {
    let file = File::open(folder.join(MANIFEST)).ok()?;
    let manifest: Manifest = serde_json::from_reader(file.take(LONGEST_MANIFEST)).ok()?;
    manifest.files.keys().all(|path| is_inside(path)).then_some(manifest)
}

/// Whether a path of a list stays in the site's folder.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Fails if a file of the earlier site was edited, or one of the new site would take the place of somebody else's.
fn refuse_others(folder: &Path, files: &[SiteFile], earlier: &Manifest) -> Result<()> {
    for (path, hash) in &earlier.files {
        let place = folder.join(path);
        match File::open(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", place.display())),
            Ok(mut file) => {
                let found = hash_of_file(&mut file)?;
                // A run that was killed has written it already.
                let is_wanted = files.iter().any(|file| file.path == *path && hash_of(&file.bytes) == found);
                if found != *hash && !is_wanted {
                    bail!("{} was changed after heapview wrote it; move it away, or choose another directory", place.display());
                }
            }
        }
    }
    let is_taken = |path: &str| !earlier.files.contains_key(path) && folder.join(path).symlink_metadata().is_ok();
    if let Some(file) = files.iter().find(|file| is_taken(&file.path)) {
        bail!("{} exists, and heapview did not write it; move it away, or choose another directory", folder.join(&file.path).display());
    }
    Ok(())
}

fn hash_of_file(file: &mut File) -> Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn hash_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes new files, `index.html` last, and then removes those that only the earlier site had. If writing fails, what was new goes.
fn write_files(folder: &Path, files: &[SiteFile], earlier: &Manifest) -> io::Result<()> {
    let mut created = Created::default();
    created.folder(folder)?;
    let now: BTreeMap<String, String> = files.iter().map(|file| (file.path.clone(), hash_of(&file.bytes))).collect();
    // The list comes first, so that a folder that was left by a killed heapview is known as a site.
    let mut both = earlier.files.clone();
    both.extend(now.iter().filter(|(path, _)| !earlier.files.contains_key(*path)).map(|(path, hash)| (path.clone(), hash.clone())));
    write_manifest(folder, both, &mut created)?;
    for file in files {
        let place = folder.join(&file.path);
        created.folder(place.parent().unwrap_or(folder))?;
        if earlier.files.get(&file.path) != now.get(&file.path) || !place.exists() {
            created.file(&place, &file.bytes)?;
        }
    }
    write_manifest(folder, now.clone(), &mut created)?;
    created.keep();
    for path in earlier.files.keys().filter(|path| !now.contains_key(*path)) {
        // What cannot be removed does no harm.
        let _ = fs::remove_file(folder.join(path));
    }
    let parents: BTreeSet<&Path> = earlier.files.keys().filter_map(|path| Path::new(path).parent()).collect();
    for parent in parents.into_iter().filter(|parent| *parent != OsStr::new("")) {
        // Only empty ones go.
        let _ = fs::remove_dir(folder.join(parent));
    }
    Ok(())
}

fn write_manifest(folder: &Path, files: BTreeMap<String, String>, created: &mut Created) -> io::Result<()> {
    let manifest = Manifest { heapview: env!("CARGO_PKG_VERSION").into(), files };
    let mut text = serde_json::to_string_pretty(&manifest)?;
    text.push('\n');
    created.file(&folder.join(MANIFEST), text.as_bytes())
}

/// What was not there before; removed on drop, the last first.
#[derive(Default)]
struct Created {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Created {
    /// Creates a folder with the folders that it is in, unless it is there.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let missing: Vec<PathBuf> =
            folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).map(Path::to_owned).collect();
        for path in missing.into_iter().rev() {
            fs::create_dir(&path)?;
            self.folders.push(path);
        }
        Ok(())
    }

    /// Writes a file, which appears as a whole.
    fn file(&mut self, place: &Path, bytes: &[u8]) -> io::Result<()> {
        let is_new = !place.exists();
        let (part, mut file) = Part::create(place)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        part.put(place)?;
        if is_new {
            self.files.push(place.to_owned());
        }
        Ok(())
    }

    fn keep(&mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        for file in self.files.drain(..).rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.drain(..).rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(version: &str) -> Vec<SiteFile> {
        let file = |path: String, text: &str| SiteFile { path, bytes: text.as_bytes().to_vec().into() };
        vec![file(format!("{version}/app.js"), version), file("index.html".into(), version)]
    }

    /// Writes the site as the command does; the error is a message.
    fn put(folder: &Path, version: &str) -> Result<()> {
        let earlier = earlier_site(folder)?;
        refuse_others(folder, &site(version), &earlier)?;
        Ok(write_files(folder, &site(version), &earlier)?)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut all = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() { folders.push(entry) } else { all.push(entry.strip_prefix(folder).unwrap().display().to_string()) }
            }
        }
        all.sort();
        all
    }

    #[test]
    fn a_later_site_replaces_the_earlier_one_and_leaves_files_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("deep/site");
        put(&folder, "v1").unwrap();
        assert_eq!(names(&folder), [MANIFEST, "index.html", "v1/app.js"]);
        fs::write(folder.join("CNAME"), "heap.example.org").unwrap();
        put(&folder, "v1").unwrap();
        put(&folder, "v2").unwrap();
        assert_eq!(names(&folder), ["CNAME", MANIFEST, "index.html", "v2/app.js"]);
        assert!(!folder.join("v1").exists());
        // One that was removed comes back.
        fs::remove_file(folder.join("index.html")).unwrap();
        put(&folder, "v2").unwrap();
        assert_eq!(fs::read_to_string(folder.join("index.html")).unwrap(), "v2");
    }

    #[test]
    fn folders_of_others_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("index.html"), "mine").unwrap();
        assert!(put(folder.path(), "v1").unwrap_err().to_string().contains("has files, but no heapview site"));
        assert!(put(&folder.path().join("index.html"), "v1").unwrap_err().to_string().contains("is a file"));
        assert_eq!(names(folder.path()), ["index.html"]);
        for list in ["", "[]", r#"{"heapview":"1","files":{"../../etc/passwd":"00"}}"#, r#"{"heapview":"1","files":{"/etc/passwd":"00"}}"#]
        {
            fs::write(folder.path().join(MANIFEST), list).unwrap();
            assert!(put(folder.path(), "v1").unwrap_err().to_string().contains("no heapview site"), "{list}");
        }
    }

    #[test]
    fn files_that_were_edited_or_added_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "v1").unwrap();
        fs::create_dir(folder.path().join("v2")).unwrap();
        fs::write(folder.path().join("v2/app.js"), "mine").unwrap();
        assert!(put(folder.path(), "v2").unwrap_err().to_string().contains("heapview did not write it"));
        fs::write(folder.path().join("index.html"), "edited").unwrap();
        assert!(put(folder.path(), "v3").unwrap_err().to_string().contains("was changed after heapview wrote it"));
        assert_eq!(names(folder.path()), [MANIFEST, "index.html", "v1/app.js", "v2/app.js"]);
    }

    #[test]
    fn a_site_that_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path().join("new/site");
        let mut files = self::site("v1");
        // A file in the place of a folder.
        files.insert(1, SiteFile { path: "v1/app.js/more".into(), bytes: b"x".to_vec().into() });
        assert!(write_files(&site, &files, &Manifest::default()).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        put(&site, "v1").unwrap();
        let before = names(&site);
        files = self::site("v2");
        files.insert(1, SiteFile { path: "v2/app.js/more".into(), bytes: b"x".to_vec().into() });
        assert!(write_files(&site, &files, &earlier_site(&site).unwrap()).is_err());
        assert_eq!(names(&site), before);
        assert_eq!(fs::read_to_string(site.join("index.html")).unwrap(), "v1");
        put(&site, "v2").unwrap();
    }
}
