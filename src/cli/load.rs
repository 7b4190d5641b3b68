//! Files to one profile with names.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context, Result, bail};

use super::args::{Args, Sources};
use super::cache;
use super::debuginfod::Debuginfod;
use super::fetch::{self, Download};
use super::known::{Known, said};
use super::output::refuse_overwrite;
use super::progress;
use super::remote::Remote;
use super::save;
use crate::fetch::Address;
use crate::id::Id;
use crate::parse::{ParseOptions, parse};
use crate::profile::{Names, Profile, merge};
use crate::symbolize::{self, HeldFile, Progress};

/// What the files hold.
pub(super) struct Loaded {
    /// All dumps, those to subtract last.
    pub(super) profile: Profile,
    /// What there is to warn of.
    pub(super) warnings: Vec<String>,
    /// The view's pairs that name the dumps to subtract.
    pub(super) base: Option<(&'static str, String)>,
    /// Where names come from besides the files that the profile names.
    pub(super) names: NameSources,
}

/// Where names come from besides the files that the profile names.
#[derive(Default)]
pub(super) struct NameSources {
    /// The program, when it was given.
    pub(super) binary: Option<PathBuf>,
    /// Servers, when the profile came from one. Then it is saved, less this base.
    pub(super) remote: Option<(Remote, Option<(&'static str, String)>)>,
    /// Files that are in memory only.
    pub(super) held: RwLock<Vec<Arc<HeldFile>>>,
    /// Who is asked for files of builds.
    pub(super) debuginfod: Option<Arc<Debuginfod>>,
}

impl NameSources {
    /// What servers of debug information had to say, or did not say, since the last call.
    pub(super) fn said_by_servers(&self) -> Vec<String> {
        self.debuginfod.iter().flat_map(|servers| servers.notes()).collect()
    }

    /// Only a program.
    pub(super) fn of_program(binary: &Path) -> Self {
        NameSources { binary: Some(binary.to_owned()), ..NameSources::default() }
    }
}

/// Reads all files and merges them; names are not looked up yet.
pub(super) fn load(args: &Args) -> Result<Loaded> {
    let Args { sources, request, .. } = args;
    if let Some(output) = &request.output.file {
        refuse_overwrite(output, sources)?;
    }
    if let Some(root) = sources.sysroot.as_deref().filter(|root| !root.is_dir()) {
        bail!("--sysroot={} is no folder", root.display());
    }
    let mut loader = Loader::new(sources);
    let missing = sources.debug_dirs.iter().filter(|folder| !folder.is_dir());
    loader.warnings.extend(missing.map(|folder| format!("--debug-dir={} is no folder", folder.display())));
    let inputs: Vec<(&Path, bool)> =
        sources.files.iter().map(|f| (f.as_path(), false)).chain(sources.base.iter().map(|f| (f.as_path(), true))).collect();
    for chunk in inputs.chunks(fetch::MOST_AT_ONCE) {
        loader.read_all(chunk)?;
    }
    loader.finish()
}

/// Reads file after file, and goes on without those that cannot be read, as pprof does.
struct Loader<'a> {
    sources: &'a Sources,
    binary: Option<PathBuf>,
    remote: Option<Remote>,
    warnings: Vec<String>,
    shown: Side,
    base: Side,
}

/// The profiles to show, or those to subtract.
#[derive(Default)]
struct Side {
    profiles: Vec<Profile>,
    errors: Vec<anyhow::Error>,
}

impl<'a> Loader<'a> {
    fn new(sources: &'a Sources) -> Self {
        let (shown, base) = (Side::default(), Side::default());
        Loader { sources, binary: None, remote: None, warnings: Vec::new(), shown, base }
    }

    /// Reads these inputs (path, whether it is to be subtracted), fetching at the same time
    /// what is to be fetched.
    fn read_all(&mut self, inputs: &[(&Path, bool)]) -> Result<()> {
        let sources = self.sources;
        let addresses: Vec<Option<Address>> = inputs.iter().map(|(path, _)| fetch::address(path, sources)).collect::<Result<_>>()?;
        let to_fetch: Vec<Address> = addresses.iter().flatten().cloned().collect();
        let mut downloads = Vec::new().into_iter();
        if !to_fetch.is_empty() {
            let client = fetch::client(sources);
            let fetched =
                progress::during("Fetching", |line| fetch::all(&client, &to_fetch, sources, &|text| line.set(|| text.to_owned())));
            downloads = fetched.into_iter();
            self.remote.get_or_insert_with(|| Remote::new(client));
        }
        for ((path, is_base), address) in inputs.iter().zip(addresses) {
            let read = match address {
                Some(_) => downloads.next().map_or(Ok(None), |download| self.downloaded(download?, *is_base).map(Some)),
                None => self.file(path, *is_base)?,
            };
            let side = if *is_base { &mut self.base } else { &mut self.shown };
            match read {
                Ok(profile) => side.profiles.extend(profile),
                Err(error) => side.errors.push(error),
            }
        }
        Ok(())
    }

    /// A file's profile, unless it is the binary. The outer error is one in the question.
    fn file(&mut self, path: &Path, is_base: bool) -> Result<Result<Option<Profile>>> {
        let shown = path.display();
        Ok(match (open(path), &self.binary) {
            (Ok(Input::Binary), _) if is_base => bail!("{shown} is a binary; the base must be a profile"),
            (Ok(Input::Binary), Some(first)) => {
                bail!("{shown} and {} are both binaries; give the one that was profiled, and profiles", first.display())
            }
            (Ok(Input::Binary), None) => {
                self.binary = Some(path.to_owned());
                Ok(None)
            }
            (Ok(Input::Bytes(bytes)), _) => {
                let name = if path == Path::new("-") { "standard input".to_owned() } else { shown.to_string() };
                read(&name, bytes, is_base, self.sources, &mut self.warnings).map(Some)
            }
            (Err(error), _) => Err(error),
        })
    }

    /// The profile that came.
    fn downloaded(&mut self, Download { address, bytes }: Download, is_base: bool) -> Result<Profile> {
        let mut profile = read(&address.to_string(), bytes, is_base, self.sources, &mut self.warnings)?;
        if let Some(remote) = &mut self.remote {
            remote.add(&mut profile, &address);
        }
        Ok(profile)
    }

    fn finish(mut self) -> Result<Loaded> {
        if let (Some(binary), true, true) = (&self.binary, self.shown.profiles.is_empty(), self.shown.errors.is_empty()) {
            bail!("{} is a binary; give the profile as well: heapview {} <profile>", binary.display(), binary.display());
        }
        if let (true, Some(_)) = (self.sources.first_is_base, self.shown.errors.first()) {
            return Err(self.shown.errors.remove(0));
        }
        let mut profiles = self.shown.settled("source", &mut self.warnings)?;
        let mut n = profiles.len();
        if profiles.is_empty() {
            bail!("no profile given; try: heapview top [binary] <profile>, or heapview -help");
        }
        if self.sources.first_is_base {
            if n != 2 {
                let is = if n == 1 { "is" } else { "are" };
                bail!("diff compares two profiles, and {n} {is} given: heapview diff [binary] <before> <after>");
            }
            n -= 1;
            profiles.rotate_left(1);
            profiles[n].mark_base();
        }
        profiles.extend(self.base.settled("base", &mut self.warnings)?);
        let numbers: Vec<String> = (n..profiles.len()).map(|i| i.to_string()).collect();
        let field = if self.sources.percent_of_base { "diff_base" } else { "base" };
        let base = (!numbers.is_empty()).then(|| (field, numbers.join(",")));
        let mut profile = progress::during("Putting profiles together", |_| merge(profiles))?;
        if let Some(remote) = &mut self.remote {
            remote.settle(&mut profile);
        }
        if let Some(comment) = &self.sources.comment {
            profile.add_comment(comment.clone());
        }
        if let Some(id) = &self.sources.build_id {
            profile = with_build_id(profile, id, &mut self.warnings);
        }
        let remote = self.remote.filter(Remote::is_used).map(|remote| (remote, base.clone()));
        let debuginfod = Debuginfod::new(self.sources).map(Arc::new);
        let names = NameSources { binary: self.binary, remote, debuginfod, ..NameSources::default() };
        Ok(Loaded { profile, warnings: self.warnings, base, names })
    }
}

impl Side {
    /// The profiles, with what is missing among the warnings. It is an error when all are.
    fn settled(self, what: &str, warnings: &mut Vec<String>) -> Result<Vec<Profile>> {
        let Side { profiles, mut errors } = self;
        let n_wanted = profiles.len() + errors.len();
        if profiles.is_empty() && errors.len() > 1 {
            errors.iter().for_each(|error| super::say(&format!("{error:#}")));
            bail!("none of {n_wanted} {what} profiles could be read");
        }
        if profiles.is_empty() && !errors.is_empty() {
            return Err(errors.remove(0));
        }
        if profiles.len() < n_wanted {
            warnings.extend(errors.iter().map(|error| format!("{error:#}")));
            warnings.push(format!("Fetched {} {what} profiles out of {n_wanted}", profiles.len()));
        }
        Ok(profiles)
    }
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
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let meta = file.metadata().with_context(|| format!("cannot open {shown}"))?;
    if meta.is_dir() {
        bail!("{shown} is a folder; give the profiles in it, as in {shown}/*.heap");
    }
    let head = (&mut file).take(64).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if symbolize::is_binary(&bytes[..head]) {
        return Ok(Input::Binary);
    }
    if meta.len() > LONGEST_INPUT {
        bail!("{shown} has {} GiB; profiles of up to {} GiB are read", meta.len() >> 30, LONGEST_INPUT >> 30);
    }
    let length = usize::try_from(meta.len()).unwrap_or(0);
    if meta.is_file() && length > MUCH {
        bytes = read_in_two(path, length).with_context(|| format!("cannot read {shown}"))?;
        // More may have come while we read.
        file.seek(SeekFrom::Start(bytes.len() as u64)).with_context(|| format!("cannot read {shown}"))?;
    }
    let left = LONGEST_INPUT - (bytes.len() as u64).min(LONGEST_INPUT);
    if file.take(left + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))? as u64 > left {
        bail!("{shown} does not end: after {} GiB nothing is read any more", LONGEST_INPUT >> 30);
    }
    Ok(Input::Bytes(bytes))
}

/// Most that is read of one profile, bytes.
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

fn read(name: &str, bytes: Vec<u8>, is_base: bool, sources: &Sources, warnings: &mut Vec<String>) -> Result<Profile> {
    let options = ParseOptions { threads: sources.threads, parts: sources.parts, ..ParseOptions::default() };
    let parsed = progress::during(&format!("Reading {name}"), |_| parse(&bytes, &options)).with_context(|| name.to_owned())?;
    drop(bytes);
    warnings.extend(parsed.warnings.iter().map(|w| format!("{name}: {w}")));
    let mut profile = parsed.profile;
    profile.set_origin(name, is_base);
    Ok(profile)
}

/// Looks names up as asked and cuts the allocator's frames. Beside the profile: what there is
/// to warn of.
pub(super) fn with_names(
    profile: Profile,
    from: &NameSources,
    sources: &Sources,
    progress: &dyn Progress,
) -> Result<(Profile, Vec<String>)> {
    with_more_names(profile, from, sources, Known::default(), progress).map(|(profile, notes, _)| (profile, notes))
}

/// The same when some names are `known`; returns what is known then.
pub(super) fn with_more_names(
    profile: Profile,
    from: &NameSources,
    sources: &Sources,
    known: Known,
    progress: &dyn Progress,
) -> Result<(Profile, Vec<String>, Known)> {
    let mut options = symbolize::Options { known: Arc::new(known.looked_up.clone()), ..binaries(from, sources)? };
    let files: Vec<String> = profile.code().mappings.iter().map(|m| profile.text(m.file).to_owned()).collect();
    let main = files.first().map_or("", String::as_str);
    let servers = from.remote.as_ref().map(|(remote, _)| remote).filter(|_| asks_servers(&sources.symbolize));
    let open = servers.map_or(Vec::new(), |remote| remote.open(&profile, options.force));
    let known = known.with(&profile, symbolize::symbolize(&profile, &options, progress));
    let mut matters = known.notes.clone();
    let mut named = profile.renamed(&known.names);
    let mut notes = Vec::new();
    if let Some(remote) = servers {
        let asked = remote.names(&named, &open, options.force);
        let answered: Vec<&String> = asked.named.iter().map(|m| &files[m.index()]).collect();
        matters.retain(|note| !answered.contains(&&note.mapping));
        // That nobody knows a system library's names is the rule.
        if sources.symbolize.contains("remote") || asked.unnamed.first().is_some_and(|m| m.index() == 0) {
            notes.extend(asked.errors);
        }
        if !asked.names.functions_only.is_empty() {
            named = named.renamed(&asked.names);
            options.mode = symbolize::Mode::Given;
            let demangled = symbolize::symbolize(&named, &options, progress);
            named = named.renamed(&demangled.names);
        }
    }
    notes.extend(said(&matters, main, from.binary.as_deref()));
    let named = if sources.all_frames { named } else { symbolize::without_allocator(named) };
    Ok((named, notes, known))
}

/// Saves a profile that came over HTTP, when it has its names.
pub(super) fn save_fetched(profile: &Profile, from: &NameSources) {
    if let Some((_, base)) = &from.remote {
        save::save(profile, base.as_ref());
    }
}

/// Whether `-symbolize=` lets servers be asked; the last word counts.
fn asks_servers(words: &str) -> bool {
    words.split(':').rfind(|w| ["none", "no", "local", "fastlocal", "remote"].contains(w)).is_none_or(|w| w == "remote")
}

/// Where names and code are looked for.
pub(super) fn binaries(from: &NameSources, sources: &Sources) -> Result<symbolize::Options> {
    let options = symbolize_options(&sources.symbolize)?;
    Ok(symbolize::Options {
        binary: from.binary.clone(),
        held: from.held.read().unwrap_or_else(PoisonError::into_inner).clone(),
        search: [sources.search.clone(), search_path()].concat(),
        debug_dirs: sources.debug_dirs.clone(),
        sysroot: sources.sysroot.clone(),
        remap: sources.remap.clone(),
        perf_map: sources.perf_map.clone(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        cache: cache::of_symbols(sources),
        remote: from.debuginfod.clone().map(|d| d as _),
        ..options
    })
}

/// What `-symbolize=` asks for: pprof's words, joined by colons.
pub(super) fn symbolize_options(words: &str) -> Result<symbolize::Options> {
    use crate::demangle::Demangle;
    use crate::symbolize::Mode;
    let mut options = symbolize::Options::default();
    for word in words.split(':').filter(|w| !w.is_empty()) {
        match word {
            "none" | "no" => options.mode = Mode::None,
            "local" => options.mode = Mode::Local,
            "fastlocal" => options.mode = Mode::Symbols,
            "remote" => options.mode = Mode::Given,
            "force" => options.force = true,
            "demangle=none" => options.demangle = Demangle::None,
            "demangle=templates" => options.demangle = Demangle::Templates,
            "demangle=full" => options.demangle = Demangle::Full,
            "demangle=default" => options.demangle = Demangle::Default,
            _ => {
                bail!("-symbolize={words}: {word:?} is none of none, local, fastlocal, remote, force, demangle=none|templates|full|default")
            }
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
