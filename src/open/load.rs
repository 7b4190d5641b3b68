//! From files to one symbolized profile.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::{Context, Result, anyhow, bail};

use super::atomic_file::refuse_overwrite;
use super::builds::Builds;
use super::cache_folder as cache;
use super::debuginfod::Debuginfod;
use super::fetching as fetch;
use super::fetching::Download;
use super::inputs::{self, Input, Inputs};
use super::known_names::Known;
use super::options::OpenOptions;
use super::remote::Remote;
use super::series::BasePair;
use super::team::source::StoreSource;
use super::{process_files, read, save, series, stored_dump, team};
use crate::analyze;
use crate::base::hash::HashSet;
use crate::base::id::{Id, StrId};
use crate::doctor::messages;
use crate::fetch::Address;
use crate::parse::{Parsed, ProcessFound, parse, parse_recording, process_facts};
use crate::profile::{Merger, Names, ProcessFile, Profile};
use crate::store::Envelope;
use crate::symbolize::{self, Advice, AttachedFile, BuildFile, DebugFiles, Progress};
use crate::terminal::progress;

/// Loaded inputs.
pub(crate) struct Loaded {
    /// All dumps, those to subtract last.
    pub(crate) profile: Profile,
    /// Warnings.
    pub(crate) warnings: Vec<String>,
    /// The view's pairs that name the dumps to subtract.
    pub(crate) base: Option<BasePair>,
    /// Sources of names besides the files that the profile names.
    pub(crate) names: NameSources,
}

impl Loaded {
    /// No profile yet; names of one that comes are looked for as on the command line.
    pub(crate) fn nothing(sources: &OpenOptions, binary: Option<PathBuf>) -> Self {
        let names = NameSources { binary, debuginfod: Debuginfod::new(sources).map(Arc::new), ..NameSources::default() };
        Loaded { profile: Profile::empty(), warnings: Vec::new(), base: None, names }
    }
}

/// Sources of names besides the files that the profile names.
#[derive(Default)]
pub(crate) struct NameSources {
    /// The program, when one was given.
    pub(crate) binary: Option<PathBuf>,
    /// The programs, when several were given; mappings have their paths.
    pub(crate) programs: Vec<PathBuf>,
    /// Further binaries that were given: shared libraries.
    pub(crate) libraries: Vec<PathBuf>,
    /// Servers, when the profile came from one. Then it is saved, less this base.
    pub(crate) remote: Option<(Remote, Option<BasePair>)>,
    /// Binaries and debug files that the user attached in the page.
    pub(crate) attached: RwLock<Vec<Arc<AttachedFile>>>,
    /// Folders with dumps and binaries.
    pub(crate) folders: Vec<PathBuf>,
    /// debuginfod client, if enabled.
    pub(crate) debuginfod: Option<Arc<Debuginfod>>,
    /// The store that dumps came from, which has binaries, too.
    pub(crate) store: Option<Arc<StoreSource>>,
}

impl NameSources {
    /// Warnings of debuginfod servers since the last call.
    pub(crate) fn said_by_servers(&self) -> Vec<String> {
        self.debuginfod.iter().flat_map(|servers| servers.notes()).chain(self.store.iter().flat_map(|store| store.notes())).collect()
    }

    /// Returns whether the user named binaries.
    fn are_given(&self) -> bool {
        let has_attached = !self.attached.read().unwrap_or_else(PoisonError::into_inner).is_empty();
        self.binary.is_some() || !self.programs.is_empty() || !self.libraries.is_empty() || has_attached
    }

    /// Files by build id: those of the store, then those of debuginfod servers.
    fn by_build_id(&self) -> Option<Arc<dyn DebugFiles>> {
        let debuginfod = self.debuginfod.clone().map(|servers| servers as Arc<dyn DebugFiles>);
        match self.store.clone() {
            Some(store) => Some(Arc::new(OneAfterAnother(vec![store as _].into_iter().chain(debuginfod).collect()))),
            None => debuginfod,
        }
    }

    /// Only a program.
    pub(crate) fn of_program(binary: &Path) -> Self {
        NameSources { binary: Some(binary.to_owned()), ..NameSources::default() }
    }
}

/// Several sources of files by build id.
#[derive(Debug)]
struct OneAfterAnother(Vec<Arc<dyn DebugFiles>>);

impl DebugFiles for OneAfterAnother {
    fn find(&self, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<PathBuf> {
        self.0.iter().find_map(|files| files.find(build_id, wanted, on_progress))
    }
}

/// Reads all files and merges them; names are not looked up yet.
pub(crate) fn load(sources: &OpenOptions) -> Result<Loaded> {
    if let Some(root) = sources.sysroot.as_deref().filter(|root| !root.is_dir()) {
        bail!("-sysroot={} is not a directory", root.display());
    }
    let mut inputs = match sources.as_given {
        true => Inputs::as_given(&sources.files, &sources.base),
        false => inputs::expand(&sources.files, &sources.base, sources.watch)?,
    };
    for word in &inputs.awaited {
        crate::terminal::message::say(&format!(
            "Waiting for {} in {}",
            if inputs::is_unwritten(word) { "data" } else { "the first dump" },
            word.display()
        ));
    }
    if let Some(output) = &sources.output {
        refuse_overwrite(output, inputs.list.iter().map(|input| input.path.as_path()))?;
    }
    let mut loader = Loader::new(sources);
    loader.store = team::source::expand(&mut inputs.list, sources, &mut loader.warnings)?;
    if !sources.as_given {
        loader.builds = Builds::assign(&mut inputs.list, sources.first_is_base)?;
    }
    if sources.watch && loader.builds.is_several() {
        bail!("-watch supports one binary");
    }
    let missing = sources.debug_dirs.iter().filter(|folder| !folder.is_dir());
    loader.warnings.extend(missing.map(|folder| format!("-debug-dir={} is not a directory", folder.display())));
    loader.warnings.extend(inputs.warnings);
    // A program that is beside its dumps is found there when it fits.
    let mut folders: Vec<PathBuf> = inputs.binaries.iter().filter_map(|binary| Some(binary.parent()?.to_owned())).collect();
    folders.dedup();
    for chunk in inputs.list.chunks(fetch::MOST_AT_ONCE) {
        loader.read_all(chunk)?;
    }
    if sources.wants_process_files {
        loader.find_process_files(&inputs.list, inputs.process_files);
    }
    loader.finish(folders)
}

/// Reads files one by one; skips unreadable ones, like pprof.
struct Loader<'a> {
    sources: &'a OpenOptions,
    binary: Option<PathBuf>,
    builds: Builds,
    remote: Option<Remote>,
    /// Where dumps of `store://` addresses are.
    store: Option<Arc<StoreSource>>,
    /// The latest of these dumps.
    last_stored: Option<Arc<Envelope>>,
    /// Files about processes.
    process_files: Vec<ProcessFile>,
    warnings: Vec<String>,
    /// Of dumps that were found, by name.
    of_found: Vec<(String, String)>,
    /// Dumps that go together; those of a folder need not.
    groups: Vec<Group>,
    /// Dump of the group that is shown → what it was read from.
    origins: Vec<Input>,
    /// The two that are compared, which change places.
    compared: Vec<(Profile, Input)>,
    shown: Side,
    base: Side,
}

/// Dumps that go together.
struct Group {
    merger: Merger,
    /// The value types that all have.
    kinds: Vec<String>,
    origins: Vec<Input>,
}

/// The group with most dumps, of equal ones the first.
fn largest(groups: &[Group]) -> Option<usize> {
    (0..groups.len()).rev().max_by_key(|&at| groups[at].origins.len())
}

/// The profiles to show, or those to subtract.
#[derive(Default)]
struct Side {
    n: usize,
    errors: Vec<anyhow::Error>,
}

/// Kind of content of a file.
enum Content {
    Binary,
    /// With warnings.
    Profile(Box<Profile>, Vec<String>),
    /// About the memory of a process.
    Process(ProcessFound),
}

impl<'a> Loader<'a> {
    fn new(sources: &'a OpenOptions) -> Self {
        Loader {
            sources,
            binary: None,
            builds: Builds::default(),
            remote: None,
            store: None,
            last_stored: None,
            process_files: Vec::new(),
            warnings: Vec::new(),
            of_found: Vec::new(),
            groups: Vec::new(),
            origins: Vec::new(),
            compared: Vec::new(),
            shown: Side::default(),
            base: Side::default(),
        }
    }

    /// Reads files about processes: those that were found like dumps, and those beside dumps that were named.
    fn find_process_files(&mut self, dumps: &[Input], found: Vec<PathBuf>) {
        let known: HashSet<String> = dumps.iter().map(|input| &input.path).chain(&found).map(|path| name_of(path)).collect();
        let options = self.sources.parse_options();
        let (files, warnings) = process_files::read(&found, &options);
        self.process_files.extend(files);
        self.warnings.extend(warnings);
        // Files that are named are those that are meant.
        if !self.process_files.is_empty() || self.sources.as_given {
            return;
        }
        let beside: Vec<PathBuf> = process_files::beside(dumps).into_iter().filter(|path| !known.contains(&name_of(path))).collect();
        let (files, warnings) = process_files::read(&beside, &options);
        process_files::list_found(&files);
        self.process_files.extend(files);
        self.warnings.extend(warnings);
    }

    /// Reads these inputs, fetching at the same time what is to be fetched.
    fn read_all(&mut self, inputs: &[Input]) -> Result<()> {
        let sources = self.sources;
        let address = |input: &Input| if input.stored.is_some() { Ok(None) } else { fetch::address(&input.path, sources) };
        let addresses: Vec<Option<Address>> = inputs.iter().map(address).collect::<Result<_>>()?;
        let to_fetch: Vec<Address> = addresses.iter().flatten().cloned().collect();
        let mut downloads = Vec::new().into_iter();
        if !to_fetch.is_empty() {
            let client = fetch::client(sources);
            let fetched =
                progress::during("Fetching", |line| fetch::all(&client, &to_fetch, sources, &|text| line.set(|| text.to_owned())));
            downloads = fetched.into_iter();
            self.remote.get_or_insert_with(|| Remote::new(client));
        }
        let items: Vec<(&Input, Option<Result<Download>>)> =
            inputs.iter().zip(addresses).map(|(input, address)| (input, address.and_then(|_| downloads.next()))).collect();
        let n_items = items.len();
        let store = self.store.clone();
        let what = match &items[..] {
            [(input, None)] => format!("Reading {}", name_of(&input.path)),
            _ => format!("Reading {n_items} files"),
        };
        progress::during(&what, |line| {
            let read = |(input, download): &(&Input, Option<Result<Download>>)| match download {
                None if let (Some(store), Some(envelope)) = (&store, &input.stored) => {
                    let bytes = store.read(envelope).with_context(|| name_of(&input.path))?;
                    parsed(&name_of(&input.path), &bytes, sources)
                }
                None => match read::open(&input.path)? {
                    read::Input::Binary => Ok(Content::Binary),
                    read::Input::Bytes(bytes) => parsed(&name_of(&input.path), &bytes, sources),
                    read::Input::Recording(mut file, length) => {
                        let parsed = parse_recording(&mut file, length, &sources.parse_options()).with_context(|| name_of(&input.path))?;
                        Ok(to_content(parsed))
                    }
                },
                Some(Ok(download)) => parsed(&download.address.to_string(), &download.bytes, sources),
                Some(Err(error)) => Err(anyhow!("{error:#}")),
            };
            let mut n = 0;
            read::in_order(&items, read, |(input, download), content| {
                n += 1;
                line.set(|| format!("{n}"));
                let address = download.as_ref().and_then(|d| d.as_ref().ok()).map(|download| &download.address);
                self.take(input, address, content)
            })
        })
    }

    /// Takes what was read. An error is one in the question.
    fn take(&mut self, input: &Input, address: Option<&Address>, content: Result<Content>) -> Result<()> {
        let shown = input.path.display();
        let (mut profile, mut warnings) = match (content, &self.binary) {
            (Ok(Content::Profile(profile, warnings)), _) => (*profile, warnings),
            (Ok(Content::Process(_)), _) if input.is_base => bail!("the base must be a profile; {shown} is about the memory of a process"),
            (Ok(Content::Process(found)), _) => {
                let name = address.map_or_else(|| name_of(&input.path), Address::to_string);
                self.warnings.extend(process_files::messages(&name, &found));
                let mut files = found.into_files(&name, input.file_time, false);
                // The kernel writes them when they are read.
                if input.path.starts_with("/proc") {
                    files.iter_mut().for_each(|file| (file.time_nanos, file.is_file_time) = (inputs::now(), false));
                }
                self.process_files.extend(files);
                return Ok(());
            }
            (Ok(Content::Binary), _) if input.is_base => bail!("the base must be a profile; {shown} is a binary"),
            (Ok(Content::Binary), _) if self.builds.has(&input.path) => return Ok(()),
            (Ok(Content::Binary), Some(first)) => {
                bail!("{shown} and {} are both binaries; give one binary and its profiles", first.display())
            }
            (Ok(Content::Binary), None) => {
                self.binary = Some(input.path.clone());
                return Ok(());
            }
            // Of two that are compared none may lack.
            (Err(error), _) if self.sources.first_is_base && !input.is_found => return Err(error),
            (Err(error), _) => {
                self.side(input).errors.push(error);
                return Ok(());
            }
        };
        self.side(input).n += 1;
        let name = address.map_or_else(|| name_of(&input.path), Address::to_string);
        warnings.extend(self.builds.name_program(&mut profile, input));
        match input.is_found {
            true => self.of_found.extend(warnings.into_iter().map(|warning| (name.clone(), warning))),
            false => self.warnings.extend(warnings.iter().map(|warning| format!("{name}: {warning}"))),
        }
        profile.add_suppressions(&self.sources.suppressions);
        // The dumps of a report have their names.
        let is_report = profile.is_of_report();
        match (is_report, input.is_base) {
            (false, is_base) => {
                let stored = input.stored.as_ref().map(|envelope| stored_dump::name_of(envelope));
                profile.set_origin(stored.as_ref().unwrap_or(&name), is_base);
            }
            (true, true) => profile.mark_base(),
            (true, false) => {}
        }
        if address.is_some() {
            profile.mark_foreign();
        }
        match address {
            None if let (Some(store), Some(envelope)) = (&self.store, &input.stored) => {
                profile = store.placed(profile, envelope, input.number.unwrap_or(1));
                if self.last_stored.as_ref().is_none_or(|last| last.time <= envelope.time) {
                    self.last_stored = Some(envelope.clone());
                }
            }
            None if !is_report => profile.set_process(&input.series, input.number, input.file_time),
            // More of it will come.
            Some(address) if self.sources.watch => profile.set_process(&address.to_string(), Some(0), inputs::now()),
            // Moments are a series wherever they come from.
            Some(_) if !is_report => profile.set_process("", None, 0),
            _ => {}
        }
        if let (Some(remote), Some(address)) = (&mut self.remote, address) {
            remote.add(&mut profile, address);
        }
        // A file named twice is compared as named.
        match self.sources.first_is_base && !input.is_found && !input.is_base {
            true => self.compared.push((profile, input.clone())),
            false => self.merge(profile, input),
        }
        Ok(())
    }

    fn side(&mut self, input: &Input) -> &mut Side {
        if input.is_base { &mut self.base } else { &mut self.shown }
    }

    /// Merges a profile with those that share a value type with it. For a named profile, or a base, it is an error if there are
    /// none.
    fn merge(&mut self, profile: Profile, input: &Input) {
        let kinds: Vec<String> = profile.value_types().iter().map(|t| t.kind.clone()).collect();
        let fitting = self.groups.iter().position(|group| group.kinds.iter().any(|kind| kinds.contains(kind)));
        let may_be_apart = input.is_found && !input.is_base;
        let at = fitting.or_else(|| largest(&self.groups).filter(|_| !may_be_apart)).unwrap_or(self.groups.len());
        if at == self.groups.len() {
            self.groups.push(Group { merger: Merger::default(), kinds: kinds.clone(), origins: Vec::new() });
        }
        let group = &mut self.groups[at];
        if group.kinds.iter().any(|kind| kinds.contains(kind)) {
            group.kinds.retain(|kind| kinds.contains(kind));
        }
        group.origins.extend(profile.dumps().iter().map(|_| input.clone()));
        group.merger.add(profile);
    }

    /// The dumps that are most; the others are named among the warnings.
    fn settle_groups(&mut self) -> Option<Merger> {
        let mut groups = std::mem::take(&mut self.groups);
        let shown = groups.swap_remove(largest(&groups)?);
        for Group { kinds, origins, .. } in groups {
            let others = if origins.len() > 1 { format!(" and {} more", origins.len() - 1) } else { String::new() };
            let name = origins.first().map_or(String::new(), |origin| name_of(&origin.path));
            self.warnings.push(format!(
                "skipped {name}{others}: its value types ({}) differ from those of the other dumps ({})",
                kinds.join(", "),
                shown.kinds.join(", ")
            ));
        }
        self.origins = shown.origins;
        Some(shown.merger)
    }

    fn finish(mut self, folders: Vec<PathBuf>) -> Result<Loaded> {
        if let (Some(binary), 0, true) = (&self.binary, self.shown.n, self.shown.errors.is_empty()) {
            bail!("{} is a binary; add a profile: heapview {} <profile>", binary.display(), binary.display());
        }
        self.warnings.extend(series::gathered(std::mem::take(&mut self.of_found)));
        std::mem::take(&mut self.shown).settle("source", &mut self.warnings)?;
        if let (true, true, Some(file)) = (self.groups.is_empty(), self.compared.is_empty(), self.process_files.first()) {
            bail!(
                "{} is about the memory of a process; give it beside a heap profile: heapview rss [binary] <profile> {}",
                file.name,
                file.name
            );
        }
        if self.groups.is_empty() && self.compared.is_empty() {
            bail!("no profile given; usage: heapview [report] [flags] [binary] <profile>... (heapview -help shows examples)");
        }
        if self.sources.first_is_base && !self.groups.iter().flat_map(|group| &group.origins).any(|origin| origin.is_found) {
            let n = self.compared.len();
            if n != 2 {
                let is = if n == 1 { "is" } else { "are" };
                bail!("diff compares two profiles, and {n} {is} given: heapview diff [binary] <before> <after>");
            }
            self.compared[0].0.mark_base();
            self.compared.rotate_left(1);
        }
        for (profile, input) in std::mem::take(&mut self.compared) {
            self.merge(profile, &input);
        }
        std::mem::take(&mut self.base).settle("base", &mut self.warnings)?;
        let merger = self.settle_groups().unwrap_or_default();
        let profile = progress::during("Merging profiles", |_| merger.finish())?;
        let (mut profile, base) = series::choose(profile, std::mem::take(&mut self.origins), self.sources)?;
        if let Some(remote) = &mut self.remote {
            remote.settle(&mut profile);
        }
        profile.add_process_files(std::mem::take(&mut self.process_files));
        if let Some(comment) = &self.sources.comment {
            profile.add_comment(comment.clone());
        }
        if let Some(id) = &self.sources.build_id {
            profile = with_build_id(profile, id, &mut self.warnings);
        }
        let remote = self.remote.filter(Remote::is_used).map(|remote| (remote, base.clone()));
        let debuginfod = Debuginfod::new(self.sources).map(Arc::new);
        self.warnings.extend(self.builds.unused_libraries(&profile));
        let (programs, libraries) = self.builds.paths();
        if let (Some(store), Some(last)) = (&self.store, &self.last_stored)
            && let Err(error) = store.mark_expected(&mut profile, last)
        {
            self.warnings.push(format!("it is not known which growth is expected: {error:#}"));
        }
        let store = self.store;
        let names = NameSources { binary: self.binary, programs, libraries, remote, debuginfod, folders, store, ..NameSources::default() };
        Ok(Loaded { profile, warnings: self.warnings, base, names })
    }
}

/// Display name of a file.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

fn parsed(name: &str, bytes: &[u8], sources: &OpenOptions) -> Result<Content> {
    if let Some(found) = process_facts(bytes, &sources.parse_options()) {
        return Ok(Content::Process(found));
    }
    parse(bytes, &sources.parse_options()).map(to_content).with_context(|| name.to_owned())
}

fn to_content(parsed: Parsed) -> Content {
    Content::Profile(Box::new(parsed.profile), parsed.warnings.iter().map(ToString::to_string).collect())
}

impl Side {
    /// Says what is missing among the warnings. It is an error when all are.
    fn settle(self, what: &str, warnings: &mut Vec<String>) -> Result<()> {
        let Side { n, mut errors } = self;
        let n_wanted = n + errors.len();
        if n == 0 && errors.len() > 1 {
            errors.iter().for_each(|error| crate::terminal::message::say(&format!("{error:#}")));
            bail!("cannot read any of {n_wanted} {what} profiles");
        }
        if n == 0 && !errors.is_empty() {
            return Err(errors.remove(0));
        }
        if n < n_wanted {
            warnings.extend(errors.iter().map(|error| format!("{error:#}")));
            warnings.push(format!("Fetched {n} {what} profiles out of {n_wanted}"));
        }
        Ok(())
    }
}

/// The profile with this build id for its main binary. One that is there is right: pprof does
/// not replace it either.
fn with_build_id(profile: Profile, build_id: &str, warnings: &mut Vec<String>) -> Profile {
    let Some((id, main)) = profile.code().mappings.enumerate().next() else {
        warnings.push(format!("-buildid={build_id} is ignored: the profile does not name a binary"));
        return profile;
    };
    match profile.text(main.build_id) {
        "" => {
            let file = (id, profile.text(main.file).to_owned(), build_id.to_ascii_lowercase());
            profile.renamed(&Names { files: vec![file], ..Names::default() })
        }
        known => {
            warnings.push(format!("-buildid={build_id} is ignored: the build id in the profile is {known}"));
            profile
        }
    }
}

/// Symbolizes and removes the allocator's frames. Also returns warnings.
pub(crate) fn with_names(
    profile: Profile,
    from: &NameSources,
    sources: &OpenOptions,
    progress: &dyn Progress,
) -> Result<(Profile, Vec<String>)> {
    with_more_names(profile, from, sources, Known::default(), progress).map(|(profile, notes, _)| (profile, notes))
}

/// Like [`with_names`], given `known` names; also returns the new known names.
pub(crate) fn with_more_names(
    profile: Profile,
    from: &NameSources,
    sources: &OpenOptions,
    known: Known,
    progress: &dyn Progress,
) -> Result<(Profile, Vec<String>, Known)> {
    let mut options = symbolize::Options { known: Arc::new(known.looked_up.clone()), ..binaries(from, sources)? };
    // Texts keep their numbers when names come in.
    let files: Vec<StrId> = profile.code().mappings.iter().map(|m| m.file).collect();
    let main = files.first().map_or(String::new(), |file| profile.text(*file).to_owned());
    let programs: Vec<String> = from.programs.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let servers = from.remote.as_ref().map(|(remote, _)| remote).filter(|_| asks_servers(&sources.symbolize));
    let open = servers.map_or(Vec::new(), |remote| remote.open(&profile, options.force));
    let mut found = symbolize::symbolize(&profile, &options, progress);
    if options.ignores_paths {
        // The dump's own paths stay; those of the store are of this machine.
        found.names.files.clear();
    }
    let mut notes: Vec<String> = found.warnings.clone();
    let known = known.with(&profile, found);
    let mut matters = known.notes.clone();
    let mut named = profile.renamed(&known.names);
    if let Some(remote) = servers {
        let asked = remote.names(&named, &open, options.force);
        let answered: HashSet<&str> = asked.named.iter().map(|m| named.text(files[m.index()])).collect();
        matters.retain(|note| !answered.contains(&*note.mapping));
        // Missing names of system libraries are normal.
        if sources.symbolize.contains("remote") || asked.unnamed.first().is_some_and(|m| m.index() == 0) {
            notes.extend(asked.errors);
        }
        if !asked.names.functions_only.is_empty() {
            named = named.renamed(&asked.names);
            options.mode = symbolize::Mode::Given;
            let demangled = symbolize::symbolize(&named, &options, progress);
            named = named.renamed(&demangled.names);
            notes.extend(demangled.warnings);
        }
    }
    let advice = if from.store.is_some() { Advice::Store } else { Advice::CommandLine };
    notes.extend(messages(&matters, &main, &programs, from.binary.as_deref(), advice));
    let named = analyze::match_builds(named, &programs);
    notes.extend(analyze::nameless_builds(&named));
    let named = if sources.all_frames { named } else { symbolize::without_allocator(named) };
    Ok((named, notes, known))
}

/// Saves a profile that came over HTTP, when it has its names.
pub(crate) fn save_fetched(profile: &Profile, from: &NameSources) {
    if let Some((_, base)) = &from.remote {
        save::save(profile, base.as_ref());
    }
}

/// Returns whether `-symbolize=` allows servers; the last word counts.
fn asks_servers(words: &str) -> bool {
    words.split(':').rfind(|w| ["none", "no", "local", "fastlocal", "remote"].contains(w)).is_none_or(|w| w == "remote")
}

/// Where to find binaries.
pub(crate) fn binaries(from: &NameSources, sources: &OpenOptions) -> Result<symbolize::Options> {
    let options = symbolize_options(&sources.symbolize)?;
    Ok(symbolize::Options {
        binary: from.binary.clone(),
        programs: from.programs.clone(),
        libraries: from.libraries.clone(),
        attached: from.attached.read().unwrap_or_else(PoisonError::into_inner).clone(),
        search: [sources.search.clone(), from.folders.clone(), search_path()].concat(),
        debug_dirs: sources.debug_dirs.clone(),
        sysroot: sources.sysroot.clone(),
        remap: sources.remap.clone(),
        perf_map: sources.perf_map.clone(),
        home: std::env::var_os("HOME").map(PathBuf::from),
        cache: cache::of_symbols(sources),
        remote: from.by_build_id(),
        ignores_paths: from.store.is_some() && !from.are_given() && sources.search.is_empty() && sources.sysroot.is_none(),
        ..options
    })
}

/// Parses `-symbolize=`: pprof's words, joined by colons.
pub(crate) fn symbolize_options(words: &str) -> Result<symbolize::Options> {
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
                bail!(
                    "-symbolize={words}: unknown word {word:?}; expected none, local, fastlocal, remote, force or demangle=none|templates|full|default"
                )
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
