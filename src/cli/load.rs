//! Files to one profile with names.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::args::{Args, Sources};
use crate::parse::{ParseOptions, parse};
use crate::profile::{Names, Profile, merge};
use crate::symbolize::{self, Note, NoteKind, Progress};

/// What the files hold.
pub(super) struct Loaded {
    /// All dumps, those to subtract last.
    pub(super) profile: Profile,
    /// What there is to warn of.
    pub(super) warnings: Vec<String>,
    /// The view's pairs that name the dumps to subtract.
    pub(super) base: Option<(&'static str, String)>,
    /// The program, when it was given.
    pub(super) binary: Option<PathBuf>,
}

/// Reads all files and merges them; names are not looked up yet.
pub(super) fn load(args: &Args) -> Result<Loaded> {
    let Args { sources, request, .. } = args;
    let mut warnings = Vec::new();
    let mut binary: Option<PathBuf> = None;
    let mut profiles: Vec<Profile> = Vec::new();
    for path in &sources.files {
        match open(path)? {
            Input::Binary if binary.is_some() => {
                let first = binary.as_deref().unwrap_or(Path::new("")).display().to_string();
                bail!("{} and {first} are both binaries; give the one that was profiled, and profiles", path.display());
            }
            Input::Binary => binary = Some(path.clone()),
            Input::Bytes(bytes) => profiles.push(read(path, bytes, false, &mut warnings)?),
        }
    }
    if profiles.is_empty() {
        match binary {
            Some(binary) => bail!("{} is a binary; give the profile as well: heapview {} <profile>", binary.display(), binary.display()),
            None => bail!("no profile given; try: heapview top [binary] <profile>, or heapview -help"),
        }
    }
    if let Some(output) = &request.output {
        let place = |path: &Path| path.canonicalize().ok();
        let inputs = sources.files.iter().chain(&sources.base);
        if let Some(input) = inputs.into_iter().find(|input| place(input).is_some() && place(input) == place(output)) {
            bail!("-output={} would overwrite what is read; name another file", input.display());
        }
    }
    let mut n = profiles.len();
    if sources.first_is_base {
        if n != 2 {
            bail!(
                "diff compares two profiles, and {n} {} given: heapview diff [binary] <before> <after>",
                if n == 1 { "is" } else { "are" }
            );
        }
        n -= 1;
        profiles.rotate_left(1);
        profiles[n].mark_base();
    }
    for path in &sources.base {
        match open(path)? {
            Input::Binary => bail!("{} is a binary; the base must be a profile", path.display()),
            Input::Bytes(bytes) => profiles.push(read(path, bytes, true, &mut warnings)?),
        }
    }
    let numbers: Vec<String> = (n..profiles.len()).map(|i| i.to_string()).collect();
    let field = if sources.percent_of_base { "diff_base" } else { "base" };
    let base = (!numbers.is_empty()).then(|| (field, numbers.join(",")));
    let mut profile = merge(profiles)?;
    if let Some(comment) = &sources.comment {
        profile.add_comment(comment.clone());
    }
    if let Some(id) = &sources.build_id {
        profile = with_build_id(profile, id, &mut warnings);
    }
    Ok(Loaded { profile, warnings, base, binary })
}

/// The profile with this build id for its main binary. One that is there is right: pprof does
/// not replace it either.
fn with_build_id(profile: Profile, build_id: &str, warnings: &mut Vec<String>) -> Profile {
    let Some((id, main)) = profile.code().mappings.enumerate().next() else {
        warnings.push(format!("-buildid={build_id} is not used: the profile names no binary"));
        return profile;
    };
    match profile.text(main.build_id) {
        "" => {
            let file = (id, profile.text(main.file).to_owned(), build_id.to_ascii_lowercase());
            profile.renamed(&Names { files: vec![file], ..Names::default() })
        }
        known => {
            warnings.push(format!("-buildid={build_id} is not used: the profile says {known}"));
            profile
        }
    }
}

enum Input {
    Binary,
    Bytes(Vec<u8>),
}

fn open(path: &Path) -> Result<Input> {
    let shown = path.display();
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(LONGEST_INPUT).read_to_end(&mut bytes).context("cannot read standard input")?;
        if bytes.len() as u64 == LONGEST_INPUT {
            bail!("standard input does not end: after {} GiB nothing is read any more", LONGEST_INPUT >> 30);
        }
        return Ok(Input::Bytes(bytes));
    }
    let text = path.to_string_lossy();
    if text.starts_with("http://") || text.starts_with("https://") {
        bail!("{shown}: this version does not fetch profiles; save it first, as in: curl -o heap.pb.gz {shown}");
    }
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let meta = file.metadata().with_context(|| format!("cannot open {shown}"))?;
    if meta.is_dir() {
        bail!("{shown} is a folder; give the profiles in it, as in {shown}/*.heap");
    }
    let head = (&mut file).take(64).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if symbolize::is_binary(&bytes[..head]) {
        return Ok(Input::Binary);
    }
    let length = usize::try_from(meta.len()).unwrap_or(0);
    if meta.is_file() && length > MUCH {
        bytes = read_in_two(path, length).with_context(|| format!("cannot read {shown}"))?;
        // More may have come while we read.
        file.seek(SeekFrom::Start(bytes.len() as u64)).with_context(|| format!("cannot read {shown}"))?;
    }
    file.read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    Ok(Input::Bytes(bytes))
}

/// Most that is read from standard input, bytes.
const LONGEST_INPUT: u64 = 4 << 30;

/// A file longer than this is read by two threads, bytes.
const MUCH: usize = 16 << 20;

/// The first `length` bytes of the file, half of them read by a second thread: a big
/// file's time goes into getting memory for it, which two do twice as fast.
fn read_in_two(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    // Zeroed memory costs nothing before it is touched.
    let mut bytes = vec![0; length];
    let (first, second) = bytes.split_at_mut(length / 2);
    let read = |at: usize, into: &mut [u8]| {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at as u64))?;
        file.read_exact(into)
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(move || read(length / 2, second));
        read(0, first)?;
        second.join().map_err(|_| io::Error::other("reading was interrupted"))?
    })?;
    Ok(bytes)
}

fn read(path: &Path, bytes: Vec<u8>, is_base: bool, warnings: &mut Vec<String>) -> Result<Profile> {
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let parsed = parse(&bytes, &ParseOptions::default()).with_context(|| name.clone())?;
    drop(bytes);
    warnings.extend(parsed.warnings.iter().map(|w| format!("{name}: {w}")));
    let mut profile = parsed.profile;
    profile.set_origin(&name, is_base);
    Ok(profile)
}

/// Looks names up as asked, with `binary` for the main mapping, and cuts the allocator's
/// frames. Beside the profile: what there is to warn of.
pub(super) fn with_names(
    profile: Profile,
    binary: Option<&Path>,
    sources: &Sources,
    progress: &dyn Progress,
) -> Result<(Profile, Vec<String>)> {
    let options = binaries(binary, sources)?;
    let symbolized = symbolize::symbolize(&profile, &options, progress);
    let main = profile.code().mappings.iter().next().map_or("", |m| profile.text(m.file));
    // That system libraries have no debug information is the rule.
    let matters = |n: &&Note| n.is_problem() && !(matches!(n.kind, NoteKind::NoDebugInfo { .. }) && n.mapping != main);
    let is_library = |n: &&Note| matches!(n.kind, NoteKind::NotFound { .. }) && n.mapping != main;
    let mut notes: Vec<String> = symbolized.notes.iter().filter(matters).filter(|n| !is_library(n)).map(ToString::to_string).collect();
    let name = |path: &str| Path::new(path).file_name().map_or(path.to_owned(), |n| n.to_string_lossy().into_owned());
    let missing: Vec<String> = symbolized.notes.iter().filter(is_library).map(|n| name(&n.mapping)).collect();
    if !missing.is_empty() {
        notes.push(format!("not found: {}; PPROF_BINARY_PATH lists folders to look in", missing.join(", ")));
    }
    if let Some(given) = binary.map(|b| name(&b.to_string_lossy())).filter(|b| !main.is_empty() && *b != name(main)) {
        notes.push(format!(
            "the profile was taken of {}; its names come from {given}, as asked, and are wrong if that is another program",
            name(main)
        ));
    }
    let named = profile.renamed(&symbolized.names);
    Ok((if sources.all_frames { named } else { symbolize::without_allocator(named) }, notes))
}

/// Where names and code are looked for.
pub(super) fn binaries(binary: Option<&Path>, sources: &Sources) -> Result<symbolize::Options> {
    let options = symbolize_options(&sources.symbolize)?;
    Ok(symbolize::Options { binary: binary.map(Path::to_owned), search: search_path(), ..options })
}

/// What `-symbolize=` asks for: pprof's words, joined by colons.
pub(super) fn symbolize_options(words: &str) -> Result<symbolize::Options> {
    use crate::symbolize::{Demangle, Mode};
    let mut options = symbolize::Options::default();
    for word in words.split(':').filter(|w| !w.is_empty()) {
        match word {
            "none" | "no" => options.mode = Mode::None,
            "local" => options.mode = Mode::Local,
            "fastlocal" => options.mode = Mode::Symbols,
            "force" => options.force = true,
            "demangle=none" => options.demangle = Demangle::None,
            "demangle=templates" => options.demangle = Demangle::Templates,
            "demangle=full" => options.demangle = Demangle::Full,
            "demangle=default" => options.demangle = Demangle::Default,
            _ => bail!("-symbolize={words}: {word:?} is none of none, local, fastlocal, force, demangle=none|templates|full|default"),
        }
    }
    Ok(options)
}

/// PPROF_BINARY_PATH, by default pprof's folder at home.
fn search_path() -> Vec<PathBuf> {
    match std::env::var_os("PPROF_BINARY_PATH") {
        Some(path) if !path.is_empty() => std::env::split_paths(&path).collect(),
        _ => std::env::var_os("HOME").map(|home| Path::new(&home).join("pprof/binaries")).into_iter().collect(),
    }
}

/// Progress on a terminal, for work of over half a second.
pub(super) struct TerminalProgress {
    started: Instant,
    /// When a line was last written.
    written: Mutex<Option<Instant>>,
}

impl TerminalProgress {
    pub(super) fn new() -> Self {
        TerminalProgress { started: Instant::now(), written: Mutex::new(None) }
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        if self.written.lock().is_ok_and(|w| w.is_some()) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Progress for TerminalProgress {
    fn done(&self, done: usize, total: usize, file: &str) {
        const PATIENCE: Duration = Duration::from_millis(500);
        const PACE: Duration = Duration::from_millis(100);
        if self.started.elapsed() < PATIENCE || !io::stderr().is_terminal() {
            return;
        }
        let Ok(mut written) = self.written.try_lock() else { return };
        if written.is_none_or(|at| at.elapsed() >= PACE) {
            *written = Some(Instant::now());
            let _ = write!(io::stderr(), "\r\x1b[KLooking up names: {done} of {total} addresses, {file}");
        }
    }
}
