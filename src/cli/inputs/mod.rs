//! The words that say what to open: files and addresses as they are; a folder, a pattern that the shell left
//! alone, or the beginning of names stands for the dumps there.
//!
//! ```text
//! heapview dumps/                 the profiles in the folder
//! heapview 'dumps/*.heap'         those that match
//! heapview dumps/jeprof.13992     those whose name goes on, when there is no such file
//! ```

mod name;
mod pattern;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};

use self::name::DumpName;
use crate::fetch::Address;
use crate::parse::sniff;
use crate::symbolize;

/// One file or address to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// It is to be subtracted.
    pub(super) is_base: bool,
    /// The word that meant it: its number among those for the same side.
    pub(super) word: usize,
    /// It was not named itself: a folder, a pattern or a beginning was.
    pub(super) is_found: bool,
    /// What its name tells of process and number; the folder's name stands for a process that it tells not.
    pub(super) series: String,
    pub(super) number: Option<u64>,
    /// The name alone tells that it is one of several, as writers of dumps have it.
    pub(super) is_numbered: bool,
    /// When it was written last, nanoseconds since 1970 UTC; 0 when unknown.
    pub(super) file_time: i64,
}

/// All that is to be read.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// Those to show, then those to subtract; what was found of a word in the order of the series.
    pub(super) list: Vec<Input>,
    /// Binaries that lie beside the dumps that were found.
    pub(super) binaries: Vec<PathBuf>,
    /// What there is to warn of.
    pub(super) warnings: Vec<String>,
}

/// The files that the words mean. O(files in the folders).
pub(super) fn expand(files: &[PathBuf], base: &[PathBuf]) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for (words, is_base) in [(files, false), (base, true)] {
        for (word, path) in words.iter().enumerate() {
            inputs.add(path, word, is_base)?;
        }
    }
    inputs.tell_folders_apart();
    Ok(inputs)
}

impl Inputs {
    /// Files as they are named, whatever they are.
    pub(super) fn as_given(files: &[PathBuf], base: &[PathBuf]) -> Inputs {
        let of = |words: &[PathBuf], is_base| {
            let input = |(word, path): (usize, &PathBuf)| Input { is_base, word, ..Input::of(path.clone(), false) };
            words.iter().enumerate().map(input).collect::<Vec<_>>()
        };
        Inputs { list: [of(files, false), of(base, true)].concat(), ..Inputs::default() }
    }

    fn add(&mut self, path: &Path, word: usize, is_base: bool) -> Result<()> {
        let Some(found) = several(path) else {
            self.list.push(Input { is_base, word, ..Input::of(path.to_owned(), false) });
            return Ok(());
        };
        let shown = path.display();
        let Found { dumps, binaries, n_others } = found;
        if dumps.is_empty() {
            match n_others + binaries.len() {
                0 if path.is_dir() => bail!("{shown} is empty: there is no profile in it"),
                0 => bail!("no file matches {shown}"),
                n => bail!("{shown}: none of {n} files is a profile; `heapview FILE` tells what is wrong with one"),
            }
        }
        if n_others > 0 {
            let is = if n_others == 1 { "file is no profile and was" } else { "files are no profiles and were" };
            self.warnings.push(format!("{shown}: {n_others} {is} left out"));
        }
        let mut inputs: Vec<Input> = dumps.into_iter().map(|path| Input { is_base, word, ..Input::of(path, true) }).collect();
        inputs.sort_by(|a, b| (&a.series, a.number, a.file_time, &a.path).cmp(&(&b.series, b.number, b.file_time, &b.path)));
        self.list.extend(inputs);
        self.binaries.extend(binaries);
        Ok(())
    }

    /// Processes of the same name in several folders are several.
    fn tell_folders_apart(&mut self) {
        let folder = |input: &Input| input.path.parent().map(Path::to_owned).unwrap_or_default();
        let known: Vec<(String, PathBuf)> = self.list.iter().map(|input| (input.series.clone(), folder(input))).collect();
        for input in self.list.iter_mut().filter(|input| !input.series.is_empty()) {
            let here = folder(input);
            if known.iter().any(|(series, folder)| *series == input.series && *folder != here) {
                input.series = here.join(&input.series).display().to_string();
            }
        }
    }
}

impl Input {
    /// What the name tells.
    pub(super) fn of(path: PathBuf, is_found: bool) -> Input {
        let file_name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let DumpName { mut series, number, is_apart } = name::read(&file_name);
        if series.is_empty() && (is_found || number.is_some()) {
            let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            series = folder.unwrap_or_else(|| "dumps".into());
        }
        let file_time = file_time(&path);
        Input { path, is_base: false, word: 0, is_found, series, number, is_numbered: number.is_some() && is_apart, file_time }
    }
}

/// The time, nanoseconds since 1970 UTC.
pub(super) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| i64::try_from(now.as_nanos()).unwrap_or(i64::MAX))
}

/// When the file was written last, nanoseconds since 1970 UTC; 0 when unknown.
pub(super) fn file_time(path: &Path) -> i64 {
    let written = fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|meta| meta.modified().ok());
    let since = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(0))
}

/// Whether the shell left stars and the like to us.
pub(super) fn is_pattern(path: &Path) -> bool {
    !path.exists() && pattern::is_pattern(path)
}

/// The files that the path means now, whatever is in them; none of what is no path.
pub(super) fn meant(path: &Path) -> Vec<PathBuf> {
    match () {
        () if path == Path::new("-") => Vec::new(),
        () if path.is_file() => vec![path.to_owned()],
        () if path.is_dir() => in_folder(path),
        () if pattern::is_pattern(path) => {
            pattern::paths(path).into_iter().flat_map(|path| if path.is_dir() { in_folder(&path) } else { vec![path] }).collect()
        }
        () => beginning_with(path),
    }
}

/// What was found where several files are meant.
#[derive(Default)]
struct Found {
    dumps: Vec<PathBuf>,
    binaries: Vec<PathBuf>,
    n_others: usize,
}

/// What the path means when it is not one file.
fn several(path: &Path) -> Option<Found> {
    if path == Path::new("-") || path.is_file() {
        return None;
    }
    if path.is_dir() {
        return Some(Found::of(in_folder(path)));
    }
    if path.exists() {
        // A pipe or a device.
        return None;
    }
    if pattern::is_pattern(path) {
        let paths = pattern::paths(path);
        // Addresses have question marks, too.
        let is_address = paths.is_empty() && path.to_str().is_some_and(|text| Address::parse(text).is_some());
        let files = paths.into_iter().flat_map(|path| if path.is_dir() { in_folder(&path) } else { vec![path] });
        return (!is_address).then(|| Found::of(files));
    }
    let found = Found::of(beginning_with(path));
    (!found.dumps.is_empty()).then_some(found)
}

impl Found {
    /// Tells files apart by their first bytes.
    fn of(paths: impl IntoIterator<Item = PathBuf>) -> Found {
        let mut found = Found::default();
        for path in paths {
            match what(&path) {
                What::Dump => found.dumps.push(path),
                What::Binary => found.binaries.push(path),
                What::Other => found.n_others += 1,
            }
        }
        found
    }
}

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Dump,
    Binary,
    Other,
}

/// Bytes that tell what a file is.
const HEAD: u64 = 1 << 14;

fn what(path: &Path) -> What {
    let mut head = Vec::new();
    // One that is not readable is no reason to leave it out in silence: reading it says why.
    match File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head)) {
        Err(_) if name::read(&path.file_name().unwrap_or_default().to_string_lossy()).number.is_some() => What::Dump,
        Err(_) => What::Other,
        Ok(_) if symbolize::is_binary(&head) => What::Binary,
        Ok(_) if sniff(&head).is_some() => What::Dump,
        Ok(_) => What::Other,
    }
}

/// The files in a folder. Hidden ones are somebody's who still writes, unless an empty prefix hides them.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    files_in(folder, |name| !name.starts_with('.') || name::read(name).is_numbered_by_jemalloc())
}

impl DumpName {
    /// `.13992.0.f.heap`: the prefix is empty.
    fn is_numbered_by_jemalloc(&self) -> bool {
        self.is_apart && !self.series.is_empty() && self.series.bytes().all(|b| b.is_ascii_digit())
    }
}

/// The files whose names go on from this: with a dot or a line, as in `jeprof.12` and `jeprof.12.0.f.heap`, where there
/// are such.
fn beginning_with(path: &Path) -> Vec<PathBuf> {
    let Some(beginning) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let rest = |name: &str| name.strip_prefix(beginning).map(str::to_owned);
    let mut found = files_in(folder.unwrap_or(Path::new(".")), |name| rest(name).is_some());
    let goes_on = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        rest(&name).is_some_and(|rest| rest.starts_with(['.', '_']))
    };
    if found.iter().any(goes_on) {
        found.retain(goes_on);
    }
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
        let inputs = expand(&[folder.path().join(word)], &[])?;
        let name = |input: &Input| input.path.strip_prefix(folder.path()).unwrap().display().to_string();
        Ok(inputs.list.iter().map(name).collect())
    }

    #[test]
    fn folders_patterns_and_beginnings_mean_the_dumps_there() {
        let names = ["d/x.12.9.m1.heap", "d/x.12.10.f.heap", "d/x.123.0.f.heap", "d/notes", "d/.x.12.11.m2.heap.tmp", "d/x-bin"];
        let folder = folder(&names);
        let all = ["d/x.12.9.m1.heap", "d/x.12.10.f.heap", "d/x.123.0.f.heap"];
        assert_eq!(found(&folder, "d").unwrap(), all);
        assert_eq!(found(&folder, "d/*.heap").unwrap(), all);
        assert_eq!(found(&folder, "d/x").unwrap(), all);
        // A number goes on with another digit only where nothing else is meant.
        assert_eq!(found(&folder, "d/x.12").unwrap(), all[..2]);
        assert_eq!(found(&folder, "d/x.1").unwrap(), all);
        assert_eq!(found(&folder, "d/x.123.0.f.heap").unwrap(), all[2..]);
        let inputs = expand(&[folder.path().join("d")], &[]).unwrap();
        assert_eq!(inputs.binaries, [folder.path().join("d/x-bin")]);
        assert!(inputs.warnings[0].ends_with("1 file is no profile and was left out"), "{:?}", inputs.warnings);
        let series: Vec<_> = inputs.list.iter().map(|input| (input.series.as_str(), input.number)).collect();
        assert_eq!(series, [("x.12", Some(9)), ("x.12", Some(10)), ("x.123", Some(0))]);
    }

    #[test]
    fn where_nothing_is_found_the_word_is_wrong() {
        let folder = folder(&["d/notes", "e/x.heap"]);
        fs::create_dir(folder.path().join("empty")).unwrap();
        for (word, says) in [("d", "none of 1 files is a profile"), ("empty", "is empty"), ("e/*.pb", "no file matches")] {
            let error = found(&folder, word).unwrap_err().to_string();
            assert!(error.contains(says), "{word}: {error}");
        }
        // Whoever opens it says that it is not there.
        assert_eq!(found(&folder, "e/y").unwrap(), ["e/y"]);
    }

    #[test]
    fn the_same_process_in_two_folders_is_two() {
        let folder = folder(&["a/x.12.0.f.heap", "b/x.12.0.f.heap", "b/y.12.0.f.heap", "b/heap.pb"]);
        let inputs = expand(&[folder.path().join("a"), folder.path().join("b")], &[]).unwrap();
        let root = folder.path().to_str().unwrap();
        let series = inputs.list.iter().map(|input| input.series.strip_prefix(root).unwrap_or(&input.series));
        assert_eq!(series.collect::<Vec<_>>(), ["/a/x.12", "b", "/b/x.12", "y.12"]);
    }
}
