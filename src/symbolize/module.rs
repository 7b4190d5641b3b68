//! Symbolizes the addresses of one file, from symbols and debug information.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::debug_information as companions;
use super::dwarf::{Chain, Debug, Frame, Listener, MissingSplits, SplitFiles};
use super::find::note::NoteKind;
use super::find::split::SplitPlaces;
use super::macho_objects::Objects;
use super::options::{Mode, Options};
use super::provisional_names::ProvisionalNames;
use super::read::file_stamp::Stamped;
use super::read::image::Image;
use super::read::symtab::{Nearest, Symbol};
use crate::base::parallel::alongside;

/// Callbacks of the work on one file.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a> {
    /// Called with the number of further addresses finished.
    pub(super) done: &'a (dyn Fn(usize) + Sync),
    /// Progress of downloads.
    pub(super) fetching: &'a dyn Fn(&str),
    /// Wants to have names as they come.
    pub(super) provisional: Option<&'a ProvisionalNames<'a>>,
    /// Whether the work was cancelled.
    pub(super) is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Forwards the results of one file.
struct Relay<'a> {
    done: &'a (dyn Fn(usize) + Sync),
    is_over: &'a (dyn Fn() -> bool + Sync),
    provisional: Option<&'a ProvisionalNames<'a>>,
    addresses: &'a [u64],
    /// Number of addresses reported.
    n_done: AtomicUsize,
    /// Read before the debug information if early names are wanted.
    symbols: Option<&'a Nearest>,
}

impl Listener for Relay<'_> {
    fn weight(&self, address: u64) -> i64 {
        self.provisional.map_or(0, |provisional| provisional.weight(address))
    }

    fn is_over(&self) -> bool {
        (self.is_over)()
    }

    fn found(&self, found: &[(u64, &Chain)]) {
        // Units that overlap count an address twice.
        let before = self.n_done.fetch_add(found.len(), Ordering::Relaxed);
        (self.done)(found.len().min(self.addresses.len().saturating_sub(before)));
        let Some((provisional, symbols)) = self.provisional.zip(self.symbols) else { return };
        for (address, chain) in found {
            let mut chain = (*chain).clone();
            combine(&mut chain, self.addresses.binary_search(address).ok().and_then(|i| symbols.find(i, *address)));
            provisional.found(*address, &chain);
        }
    }
}

/// Result for one file.
#[derive(Debug)]
pub(super) struct Answer {
    /// Frames of each address, innermost first; empty if unknown.
    pub(super) chains: Vec<Chain>,
    pub(super) facts: Facts,
    /// Missing file that would have given more names. Such a result is not cached, since the file may appear later.
    pub(super) missing: Option<NoteKind>,
}

/// Properties of the file, independent of the addresses. Notes are made from these and the chains, so that they are the same for
/// cached chains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// There is debug information, in the file or in the one beside it.
    pub(super) has_info: bool,
    /// The symbols are the full table, not the exported names only.
    pub(super) has_all_symbols: bool,
    /// The file beside it, when it has no debug information of its own.
    pub(super) debug_file: Option<Stamped>,
}

impl Answer {
    /// Kind of the resulting note.
    pub(super) fn kind(&self, image: &Image, mode: Mode) -> NoteKind {
        let Facts { has_info, has_all_symbols, .. } = self.facts;
        let (path, n_addresses) = (image.path.clone(), self.chains.len());
        let n_named = self.chains.iter().filter(|chain| chain.iter().any(|frame| !frame.name.is_empty())).count();
        match &self.missing {
            Some(missing) => missing.clone(),
            None if !has_info && n_named == 0 && !has_all_symbols => NoteKind::NoNames { path },
            None if !has_info && mode == Mode::Local => NoteKind::NoDebugInfo { path, n_named, n_addresses },
            None => NoteKind::Found { path, n_named, n_addresses },
        }
    }
}

/// Looks `addresses` (the file's own, sorted, without repetition) up in `image`.
/// Tells `watch` how many addresses are finished.
pub(super) fn look_up(image: &Image, addresses: &[u64], options: &Options, watch: &Watch<'_>) -> Answer {
    let mut chains = vec![Chain::new(); addresses.len()];
    let mut facts = Facts::default();
    let mut missing = None;
    let mut debug_file = None;
    let read_symbols = |image: &Image| Nearest::read(image, addresses).unwrap_or_else(|_| Nearest::nothing(addresses.len()));
    // Both are read at the same time, unless early names are wanted.
    let first = watch.provisional.map(|_| read_symbols(image));
    let Watch { done, provisional, is_over, .. } = *watch;
    let relay = Relay { done, is_over, provisional, addresses, n_done: AtomicUsize::new(0), symbols: first.as_ref() };
    if let Some((provisional, symbols)) = watch.provisional.zip(relay.symbols) {
        for (i, &address) in addresses.iter().enumerate() {
            let mut chain = Chain::new();
            combine(&mut chain, symbols.find(i, address));
            provisional.found(address, &chain);
        }
    }
    let mut second = None;
    let mut read_debug = || {
        if options.mode == Mode::Local {
            let found = companions::debug_information(image, options, watch.fetching);
            debug_file = found.file;
            missing = found.missing_alt.map(|name| NoteKind::MissingAlt { path: image.path.clone(), name });
            if let Some(sections) = &found.sections {
                facts.has_info = true;
                let split =
                    SplitFiles::new(SplitPlaces::new(options, &image.path, debug_file.as_ref().map(|file: &Image| file.path.as_path())));
                chains = Debug::new(sections).chains(addresses, &split, &relay);
                missing = split.missing().map(|m| missing_splits(image, m)).or(missing.take());
            } else if let Some(objects) = Objects::read(image) {
                (chains, missing) = objects.chains(addresses, options);
                facts.has_info = true;
            }
        }
    };
    if first.is_some() {
        read_debug();
    } else if alongside(|| second = Some(read_symbols(image)), &mut read_debug).is_none() {
        read_debug();
        second = Some(read_symbols(image));
    }
    let n_done = relay.n_done.into_inner();
    let mut symbols = first.or(second).unwrap_or_else(|| Nearest::nothing(addresses.len()));
    facts.debug_file = debug_file.as_ref().and_then(Image::named);
    if let Some(file) = debug_file.filter(|_| !symbols.is_full) {
        let full = read_symbols(&file);
        if full.is_full {
            symbols = full;
        }
    }
    facts.has_all_symbols = symbols.is_full;
    for (i, (chain, &address)) in chains.iter_mut().zip(addresses).enumerate() {
        combine(chain, symbols.find(i, address));
    }
    (watch.done)(addresses.len().saturating_sub(n_done));
    Answer { chains, facts, missing }
}

fn missing_splits(image: &Image, MissingSplits { n_missing, n_units, first }: MissingSplits) -> NoteKind {
    NoteKind::MissingSplits { path: image.path.clone(), n_missing, n_units, first }
}

/// Names the outermost frame by the symbol table: only that distinguishes several copies of a function, and some debug
/// information has short names only.
pub(super) fn combine(chain: &mut Chain, symbol: Option<Symbol>) {
    let Some(symbol) = symbol else { return };
    if chain.is_empty() {
        chain.push(Frame::default());
    }
    if let Some(outermost) = chain.last_mut() {
        if !is_part_of(&symbol.name, &outermost.name) {
            outermost.name = symbol.name;
        }
        if outermost.file.is_empty() {
            outermost.file = symbol.file;
        }
    }
}

/// Returns whether `symbol` is a part or a copy that the compiler made of `function` and put elsewhere:
/// `f.cold`, `f.part.0`, `f.constprop.1`. Mangled names keep the mark, which demangling takes off.
fn is_part_of(symbol: &str, function: &str) -> bool {
    const KINDS: [&str; 8] = ["cold", "part", "isra", "constprop", "lto_priv", "localalias", "warm", "llvm"];
    let Some(suffix) = symbol.strip_prefix(function).and_then(|rest| rest.strip_prefix('.')) else { return false };
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let is_plain = !function.is_empty() && !["_Z", "_R"].iter().any(|start| function.starts_with(start));
    is_plain && suffix.split('.').all(|word| KINDS.contains(&word) || is_number(word))
}
