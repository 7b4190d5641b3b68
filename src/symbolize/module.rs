//! One file and what it says of addresses: symbols and debug information together.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::dwarf::{Chain, Debug, Frame, Sections, SplitFiles};
use super::image::Image;
use super::symtab::{Nearest, Symbol};
use super::{Mode, NoteKind, Options, locate};

/// What a file said.
#[derive(Debug)]
pub(super) struct Answer {
    /// One for each address: its frames, innermost first; none when nothing is known.
    pub(super) chains: Vec<Chain>,
    /// How it went.
    pub(super) kind: NoteKind,
}

/// Looks `addresses` (the file's own, sorted, without repetition) up in `image`.
/// Calls `done` with the number of addresses that are finished.
pub(super) fn look_up(image: &Image, addresses: &[u64], options: &Options, done: &(dyn Fn(usize) + Sync)) -> Answer {
    let mut chains = vec![Chain::new(); addresses.len()];
    let mut has_info = false;
    let mut missing = None;
    let mut debug_file = None;
    let n_done = AtomicUsize::new(0);
    let read_symbols = |image: &Image| Nearest::read(image, addresses).unwrap_or_else(|_| Nearest::nothing(addresses.len()));
    // The two are read at once.
    let mut symbols = thread::scope(|scope| {
        let symbols = scope.spawn(|| read_symbols(image));
        if options.mode == Mode::Local {
            let with_info = |image: &Image| Sections::read(image).ok().filter(Sections::has_info);
            let mut sections = with_info(image);
            if sections.is_none() {
                debug_file = locate::debug_file(options, image);
                sections = debug_file.as_ref().and_then(with_info);
            }
            if let Some(sections) = &sections {
                has_info = true;
                let split = SplitFiles::new(&image.path, &options.search);
                let count = |n: usize| {
                    // Units that overlap count an address twice.
                    let before = n_done.fetch_add(n, Ordering::Relaxed);
                    done(n.min(addresses.len().saturating_sub(before)));
                };
                chains = Debug::new(sections).chains(addresses, &split, &count);
                missing = split.missing();
            }
        }
        symbols.join().unwrap_or_else(|_| Nearest::nothing(addresses.len()))
    });
    if let Some(file) = debug_file.filter(|_| !symbols.is_full) {
        let full = read_symbols(&file);
        if full.is_full {
            symbols = full;
        }
    }
    let mut n_named = 0;
    for (i, (chain, &address)) in chains.iter_mut().zip(addresses).enumerate() {
        combine(chain, symbols.find(i, address));
        n_named += usize::from(chain.iter().any(|frame| !frame.name.is_empty()));
    }
    done(addresses.len().saturating_sub(n_done.into_inner()));
    let (path, n_addresses) = (image.path.clone(), addresses.len());
    let kind = match missing {
        Some(m) => NoteKind::MissingSplits { path, n_missing: m.n_missing, n_units: m.n_units, first: m.first },
        None if !has_info && n_named == 0 && !symbols.is_full => NoteKind::NoNames { path },
        None if !has_info && options.mode == Mode::Local => NoteKind::NoDebugInfo { path, n_named, n_addresses },
        None => NoteKind::Found { path, n_named, n_addresses },
    };
    Answer { chains, kind }
}

/// Names the outermost frame as the symbol table does: only the table says which of
/// several copies of a function it is, and some debug information has short names only.
pub(super) fn combine(chain: &mut Chain, symbol: Option<Symbol>) {
    let Some(symbol) = symbol else { return };
    if chain.is_empty() {
        chain.push(Frame::default());
    }
    if let Some(outermost) = chain.last_mut() {
        outermost.name = symbol.name;
        if outermost.file.is_empty() {
            outermost.file = symbol.file;
        }
    }
}
