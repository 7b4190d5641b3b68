//! Arguments that name inputs: files and addresses; a folder, a pattern that the shell did not expand, or a file name prefix
//! represents the dumps there.
//!
//! ```text
//! heapview dumps/                 the profiles in the folder
//! heapview 'dumps/*.heap'         those that match
//! heapview dumps/jeprof.13992     those whose name continues with `.`, `_` or `-`, when there is no such file
//! ```

mod pattern;
mod recorder_names;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::fetch::Address;
use crate::parse::{is_blank, is_process_file, sniff};
use crate::profile::DumpName;
use crate::store::Envelope;
use crate::symbolize;

/// One file or address to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// Whether it is a base.
    pub(crate) is_base: bool,
    /// The word that meant it: its number among those for the same side.
    pub(crate) word: usize,
    /// Found by a folder, a pattern or a prefix, not named itself.
    pub(crate) is_found: bool,
    /// Process, from its name, or else the folder's name.
    pub(crate) series: String,
    pub(crate) number: Option<u64>,
    /// Whether the name alone shows that it is one of several dumps.
    pub(crate) is_numbered: bool,
    /// When it was written last, nanoseconds since 1970 UTC; 0 when unknown.
    pub(crate) file_time: i64,
    /// Binary it belongs to, if there are several.
    pub(crate) program: Option<PathBuf>,
    /// It is a dump of a store, and there is no file.
    pub(crate) stored: Option<Arc<Envelope>>,
}

/// All that is to be read.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Those to show, then those to subtract; what was found of a word in the order of the series.
    pub(crate) list: Vec<Input>,
    /// Binaries that are beside the dumps that were found.
    pub(crate) binaries: Vec<PathBuf>,
    /// Files about processes, found like dumps.
    pub(crate) process_files: Vec<PathBuf>,
    /// Warnings.
    pub(crate) warnings: Vec<String>,
    /// Folders and patterns without dumps yet.
    pub(crate) awaited: Vec<PathBuf>,
}

/// Expands the arguments to files; if they are watched, a folder or pattern may match none yet. O(files in the folders).
pub(crate) fn expand(files: &[PathBuf], base: &[PathBuf], is_watched: bool) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for (words, is_base) in [(files, false), (base, true)] {
        for (word, path) in words.iter().enumerate() {
            inputs.add(path, word, is_base, is_watched && !is_base)?;
        }
    }
    inputs.disambiguate_folders();
    Ok(inputs)
}

impl Inputs {
    /// Files as given, of any kind.
    pub(crate) fn as_given(files: &[PathBuf], base: &[PathBuf]) -> Inputs {
        let of = |words: &[PathBuf], is_base| {
            let input = |(word, path): (usize, &PathBuf)| Input { is_base, word, ..Input::of(path.clone(), false) };
            words.iter().enumerate().map(input).collect::<Vec<_>>()
        };
        Inputs { list: [of(files, false), of(base, true)].concat(), ..Inputs::default() }
    }

    fn add(&mut self, path: &Path, word: usize, is_base: bool, may_lack: bool) -> Result<()> {
        if path.is_dir() {
            fs::read_dir(path).with_context(|| format!("cannot read the directory {}", path.display()))?;
        }
        if may_lack && is_unwritten(path) {
            self.awaited.push(path.to_owned());
            return Ok(());
        }
        let Some(found) = several(path) else {
            self.list.push(Input { is_base, word, ..Input::of(path.to_owned(), false) });
            return Ok(());
        };
        let shown = path.display();
        let FoundFiles { dumps, binaries, process_files, mut others } = found;
        if !process_files.is_empty() {
            others.retain(|path| !is_of_capture(path));
        }
        if dumps.is_empty() && may_lack {
            self.awaited.push(path.to_owned());
            self.binaries.extend(binaries);
            return Ok(());
        }
        if dumps.is_empty() && (process_files.is_empty() || is_base) {
            match others.len() + binaries.len() {
                0 if path.is_dir() => bail!("no profile in {shown}: the directory is empty"),
                0 => bail!("no file matches {shown}"),
                n => bail!("no profile in {shown}: {n} files are not profiles (heapview FILE shows why)"),
            }
        }
        if !others.is_empty() {
            self.warnings.push(format!("{shown}: {}", left_out(&others)));
        }
        let mut inputs: Vec<Input> = dumps.into_iter().map(|path| Input { is_base, word, ..Input::of(path, true) }).collect();
        inputs.sort_by(|a, b| (&a.series, a.number, a.file_time, &a.path).cmp(&(&b.series, b.number, b.file_time, &b.path)));
        self.list.extend(inputs);
        self.binaries.extend(binaries);
        if !is_base {
            self.process_files.extend(process_files);
        }
        Ok(())
    }

    /// Makes processes of the same name in several folders distinct. O(inputs log inputs).
    fn disambiguate_folders(&mut self) {
        fn folder(input: &Input) -> &Path {
            input.path.parent().unwrap_or(Path::new(""))
        }
        // Series → its folder, none when there are several.
        let mut folders: BTreeMap<&str, Option<&Path>> = BTreeMap::new();
        for input in &self.list {
            let known = folders.entry(&input.series).or_insert(Some(folder(input)));
            *known = known.filter(|known| *known == folder(input));
        }
        let is_ambiguous = |input: &Input| !input.series.is_empty() && folders.get(input.series.as_str()) == Some(&None);
        let apart: Vec<usize> = (0..self.list.len()).filter(|&i| is_ambiguous(&self.list[i])).collect();
        for i in apart {
            let input = &mut self.list[i];
            input.series = folder(input).join(&input.series).display().to_string();
        }
    }
}

impl Input {
    /// Process id in the name, where writers of dumps put one.
    pub(crate) fn pid(&self) -> Option<u64> {
        DumpName::pid(&self.path.file_name()?.to_string_lossy())
    }

    /// Parses the name.
    pub(crate) fn of(path: PathBuf, is_found: bool) -> Input {
        let name = dump_name(&path, is_found);
        let is_numbered = name.is_numbered();
        let DumpName { series, number, .. } = name;
        let file_time = file_time(&path);
        Input { path, is_base: false, word: 0, is_found, series, number, is_numbered, file_time, program: None, stored: None }
    }
}

/// Process and number from the name of a file, which need not exist.
pub(crate) fn process_and_number(name: &str) -> (String, Option<u64>) {
    let DumpName { series, number, .. } = dump_name(Path::new(name), false);
    (series, number)
}

fn dump_name(path: &Path, is_found: bool) -> DumpName {
    let file_name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let mut parsed = DumpName::read(&file_name);
    if parsed.series.is_empty() && (is_found || parsed.number.is_some()) {
        let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        parsed.series = folder.unwrap_or_else(|| "dumps".into());
    }
    parsed
}

/// Files of a capture that are for people and for names, not for the sum.
fn is_of_capture(path: &Path) -> bool {
    path.file_name().is_some_and(|name| ["maps", "cmdline", "build_ids"].iter().any(|known| name == *known))
}

/// Reports which files are not profiles, the first of them by name.
fn left_out(others: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let what =
        if others.len() == 1 { "1 file that is not a profile".to_owned() } else { format!("{} files that are not profiles", others.len()) };
    let names: Vec<_> = others.iter().take(NAMED).map(|path| path.file_name().unwrap_or_default().to_string_lossy()).collect();
    let more = if others.len() > NAMED { ", …" } else { "" };
    format!("skipped {what} ({}{more})", names.join(", "))
}

/// The time, nanoseconds since 1970 UTC.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| i64::try_from(now.as_nanos()).unwrap_or(i64::MAX))
}

/// When the file was written last, nanoseconds since 1970 UTC; 0 when unknown.
pub(crate) fn file_time(path: &Path) -> i64 {
    let written = fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|meta| meta.modified().ok());
    let since = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(0))
}

/// Returns whether dumps may appear at the path: a folder, a pattern that the shell did not expand, or a recording's file.
pub(crate) fn is_to_grow(path: &Path) -> bool {
    path.is_dir() || (!path.exists() && pattern::is_pattern(path)) || is_unwritten(path)
}

/// Returns whether a recording may still be written to the path: its file is empty, has no more than a container's beginning, or is
/// missing and has the name of one.
pub(crate) fn is_unwritten(path: &Path) -> bool {
    match path.metadata() {
        Ok(meta) => meta.is_file() && head(path).is_ok_and(|head| is_blank(&head)),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound && recorder_names::may_become_recording(path),
    }
}

/// Returns whether it is a program. Pipes are not looked into: what is read of them is gone.
pub(crate) fn is_binary(path: &Path) -> bool {
    path.is_file() && file_kind(path) == FileKind::Binary
}

/// Extensions of profiles whose first bytes are ambiguous: short text may look like protobuf or collapsed stacks.
const ENDINGS: [&str; 9] = ["heap", "pb", "gz", "zst", "prof", "pprof", "profile", "folded", "collapsed"];

/// Returns whether it is certainly a profile: by its first bytes, and by its name if these are ambiguous.
pub(crate) fn is_surely_dump(path: &Path) -> bool {
    let Ok(Some(format)) = head(path).map(|head| if is_process_file(&head) { None } else { sniff(&head) }) else { return false };
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
    !["pprof", "folded"].contains(&format) || ENDINGS.contains(&ending.as_str())
}

/// Files that the path matches now, whatever they contain; none if it is not a path.
pub(crate) fn meant(path: &Path) -> Vec<PathBuf> {
    match () {
        () if path == Path::new("-") => Vec::new(),
        () if path.is_file() => vec![path.to_owned()],
        () if path.is_dir() => in_folder(path),
        () if pattern::is_pattern(path) => files_of(pattern::paths(path)),
        () => beginning_with(path),
    }
}

/// Files found for one argument.
#[derive(Default)]
struct FoundFiles {
    dumps: Vec<PathBuf>,
    binaries: Vec<PathBuf>,
    process_files: Vec<PathBuf>,
    others: Vec<PathBuf>,
}

/// Expands a path that is not one file.
fn several(path: &Path) -> Option<FoundFiles> {
    if path == Path::new("-") || path.is_file() {
        return None;
    }
    if path.is_dir() {
        return Some(FoundFiles::of(in_folder(path)));
    }
    if path.exists() {
        // A pipe or a device.
        return None;
    }
    if pattern::is_pattern(path) {
        let paths = pattern::paths(path);
        // Addresses have question marks, too.
        let is_address = paths.is_empty() && path.to_str().is_some_and(|text| Address::parse(text).is_some());
        return (!is_address).then(|| FoundFiles::of(files_of(paths)));
    }
    let found = FoundFiles::of(beginning_with(path));
    (!found.dumps.is_empty()).then_some(found)
}

impl FoundFiles {
    /// Tells files apart by their first bytes.
    fn of(paths: impl IntoIterator<Item = PathBuf>) -> FoundFiles {
        let mut found = FoundFiles::default();
        for path in paths {
            match file_kind(&path) {
                FileKind::Dump => found.dumps.push(path),
                FileKind::Binary => found.binaries.push(path),
                FileKind::Process => found.process_files.push(path),
                FileKind::Other => found.others.push(path),
            }
        }
        found
    }
}

/// Kind of file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Dump,
    Binary,
    /// About the memory of a process.
    Process,
    Other,
}

/// Bytes read to detect the kind.
const HEAD: u64 = 1 << 14;

/// The same of Zstandard's files, of which nothing can be read before the end of a block: one has at most 128 KiB.
const ZSTD_HEAD: u64 = (128 << 10) + 100;

/// The first bytes of a file.
pub(crate) fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let (mut head, mut file) = (Vec::new(), File::open(path)?);
    file.by_ref().take(HEAD).read_to_end(&mut head)?;
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        file.take(ZSTD_HEAD - HEAD).read_to_end(&mut head)?;
    }
    Ok(head)
}

fn file_kind(path: &Path) -> FileKind {
    match head(path) {
        // Unreadable files are kept: reading them reports the error.
        Err(_) if DumpName::read(&path.file_name().unwrap_or_default().to_string_lossy()).number.is_some() => FileKind::Dump,
        Err(_) => FileKind::Other,
        Ok(head) if symbolize::is_binary(&head) => FileKind::Binary,
        Ok(head) if is_process_file(&head) => FileKind::Process,
        Ok(head) if sniff(&head).is_some() => FileKind::Dump,
        Ok(_) => FileKind::Other,
    }
}

/// The files that a pattern means. Pipes and devices are left out: who opens one may wait for ever.
fn files_of(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let files = |path: PathBuf| match path.is_dir() {
        true => in_folder(&path),
        false => vec![path].into_iter().filter(|path| path.is_file()).collect(),
    };
    paths.into_iter().flat_map(files).collect()
}

/// Files in a folder. Hidden ones are skipped, since they may still be written.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    files_in(folder, |name| !name.starts_with('.') || DumpName::read(name).is_numbered_by_jemalloc())
}

/// Files whose names continue this prefix after a dot, `_` or `-`, as in `jeprof.12` and `jeprof.12.0.f.heap`. A longer number is
/// another dump or another process.
fn beginning_with(path: &Path) -> Vec<PathBuf> {
    let Some(beginning) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let matches_beginning = |name: &str| name.strip_prefix(beginning).is_some_and(|rest| rest.starts_with(['.', '_', '-']));
    let mut found = files_in(folder.unwrap_or(Path::new(".")), matches_beginning);
    if folder.is_none() {
        found = found.into_iter().map(|path| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)).collect();
    }
    found
}

fn files_in(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter(|entry| is_meant(&entry.file_name().to_string_lossy()));
    let mut paths: Vec<PathBuf> = named.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234\n";

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let content: &[u8] = match name {
                name if name.contains("heap") => DUMP.as_bytes(),
                name if name.contains("bin") => b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0",
                _ => b"\0\0\0 nothing that anybody reads",
            };
            fs::write(path, content).unwrap();
        }
        folder
    }

    fn found(folder: &tempfile::TempDir, word: &str) -> Result<Vec<String>> {
        let inputs = expand(&[folder.path().join(word)], &[], false)?;
        let name = |input: &Input| input.path.strip_prefix(folder.path()).unwrap().display().to_string();
        Ok(inputs.list.iter().map(name).collect())
    }

    #[test]
    fn recordings_with_large_blocks_are_found_and_not_awaited() {
        let folder = folder(&[]);
        let text = format!("v 10400 3\nX ./it\n{}", "# nothing\n".repeat(10_000));
        let length = text.len() as u32;
        // A frame with its length, and one last block that is not compressed.
        let start = [&[0x28, 0xb5, 0x2f, 0xfd, 0xa0][..], &length.to_le_bytes(), &(length << 3 | 1).to_le_bytes()[..3]].concat();
        let path = folder.path().join("heaptrack.it.1.zst");
        fs::write(&path, [&start, text.as_bytes()].concat()).unwrap();
        assert!(!is_unwritten(&path));
        assert_eq!(found(&folder, "").unwrap(), ["heaptrack.it.1.zst"]);
        fs::write(&path, [&start, &text.as_bytes()[..20_000]].concat()).unwrap();
        assert!(is_unwritten(&path), "nothing can be read of half a block");
    }

    #[test]
    fn folders_patterns_and_prefixes_are_expanded() {
        let names = ["d/x.12.9.m1.heap", "d/x.12.10.f.heap", "d/x.123.0.f.heap", "d/notes", "d/.x.12.11.m2.heap.tmp", "d/x-bin"];
        let folder = folder(&names);
        let all = ["d/x.12.9.m1.heap", "d/x.12.10.f.heap", "d/x.123.0.f.heap"];
        assert_eq!(found(&folder, "d").unwrap(), all);
        assert_eq!(found(&folder, "d/*.heap").unwrap(), all);
        assert_eq!(found(&folder, "d/x").unwrap(), all);
        // A number continued by another digit is another number.
        assert_eq!(found(&folder, "d/x.12").unwrap(), all[..2]);
        assert_eq!(found(&folder, "d/x.1").unwrap(), ["d/x.1"]);
        assert_eq!(found(&folder, "d/x.12.9.m1.hea").unwrap(), ["d/x.12.9.m1.hea"]);
        assert_eq!(found(&folder, "d/x.123.0.f.heap").unwrap(), all[2..]);
        let inputs = expand(&[folder.path().join("d")], &[], false).unwrap();
        assert_eq!(inputs.binaries, [folder.path().join("d/x-bin")]);
        assert!(inputs.warnings[0].ends_with("skipped 1 file that is not a profile (notes)"), "{:?}", inputs.warnings);
        let series: Vec<_> = inputs.list.iter().map(|input| (input.series.as_str(), input.number)).collect();
        assert_eq!(series, [("x.12", Some(9)), ("x.12", Some(10)), ("x.123", Some(0))]);
    }

    #[test]
    fn paths_without_files_are_errors() {
        let folder = folder(&["d/notes", "e/x.heap"]);
        fs::create_dir(folder.path().join("empty")).unwrap();
        for (word, expected) in [("d", "not profiles"), ("empty", "is empty"), ("e/*.pb", "no file matches")] {
            let error = found(&folder, word).unwrap_err().to_string();
            assert!(error.contains(expected), "{word}: {error}");
        }
        // Opening it reports that it is missing.
        assert_eq!(found(&folder, "e/y").unwrap(), ["e/y"]);
    }

    #[test]
    fn at_most_three_skipped_files_are_named() {
        let of = |names: &[&str]| left_out(&names.iter().map(|name| Path::new("d").join(name)).collect::<Vec<_>>());
        assert_eq!(of(&["a", "b"]), "skipped 2 files that are not profiles (a, b)");
        assert_eq!(of(&["a", "b", "c", "d"]), "skipped 4 files that are not profiles (a, b, c, …)");
    }

    #[test]
    fn watched_paths_may_be_empty() {
        let folder = folder(&["a/x.heap", "b/notes"]);
        let words = ["a", "b", "c*.heap"].map(|word| folder.path().join(word));
        assert!(expand(&words, &[], false).is_err());
        let inputs = expand(&words, &[], true).unwrap();
        assert_eq!((inputs.list.len(), &inputs.awaited[..]), (1, &words[1..]));
        // Bases are not waited for.
        assert!(expand(&words[..1], &words[1..], true).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pattern_means_no_pipes() {
        let folder = folder(&["d/x.heap"]);
        let pipe = folder.path().join("d/pipe.heap");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(folder.path().join("d/x.heap"), folder.path().join("d/link.heap")).unwrap();
        assert_eq!(found(&folder, "d/*.heap").unwrap(), ["d/link.heap", "d/x.heap"]);
        assert_eq!(meant(&folder.path().join("d/*.heap")).len(), 2);
        // One that is named is what is meant.
        assert_eq!(found(&folder, "d/pipe.heap").unwrap(), ["d/pipe.heap"]);
    }

    #[test]
    fn processes_in_different_folders_are_distinct() {
        let folder = folder(&["a/x.12.0.f.heap", "b/x.12.0.f.heap", "b/y.12.0.f.heap", "b/heap.pb"]);
        let inputs = expand(&[folder.path().join("a"), folder.path().join("b")], &[], false).unwrap();
        let root = folder.path().to_str().unwrap();
        let series = inputs.list.iter().map(|input| input.series.strip_prefix(root).unwrap_or(&input.series));
        assert_eq!(series.collect::<Vec<_>>(), ["/a/x.12", "b", "/b/x.12", "y.12"]);
    }
}
