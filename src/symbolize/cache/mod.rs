//! Symbol cache on disk, so that further dumps of a series need no symbolization.
//!
//! An entry contains the frames of some addresses of one file, mangled, or that there are none. Its key is the build id plus what
//! distinguishes files of one build (stripped or not), or path and time for files without a build id. Results that could improve
//! are not reused: a missing debug file is looked for in each run, and names that lack split units are not cached. A damaged
//! entry or one of another version is ignored, and so are write errors: the cache only saves time.

mod entry;
mod store;
#[cfg(test)]
mod tests;
mod version;

use self::entry::Entry;
use super::dwarf::Chain;
use super::find::remote;
use super::module::{self, Answer, Facts, Watch};
use super::options::{Mode, Options};
use super::read::image::Image;

/// Like [`module::look_up`], using cached results.
pub(super) fn look_up(image: &Image, addresses: &[u64], options: &Options, watch: &Watch<'_>) -> Answer {
    let all = || module::look_up(image, addresses, options, watch);
    let Some(cache) = &options.cache else { return all() };
    let Some((key, stamp)) = key(image, options.mode).zip(image.stamp()) else { return all() };
    let is_unchanged = || image.stamp().as_ref() == Some(&stamp);
    let keep = |answer: &Answer, old: Vec<(u64, Chain)>, addresses: &[u64]| {
        // Not cached: a file being written may be inconsistent, split units may appear later, and an interrupted lookup is
        // incomplete.
        if answer.missing.is_none() && is_unchanged() && !(watch.is_over)() {
            store::keep(cache, &key, &answer.facts, old, addresses.iter().copied().zip(&answer.chains));
        }
    };
    let bytes = store::read(cache, &key);
    let entry =
        bytes.as_deref().and_then(|bytes| Entry::parse(bytes, &key)).filter(|entry| is_current(&entry.facts, image, options, watch));
    let known = entry.as_ref().and_then(|entry| entry.chains(|address| addresses.binary_search(&address).is_ok()));
    let Some((entry, known)) = entry.as_ref().zip(known) else {
        let answer = all();
        keep(&answer, Vec::new(), addresses);
        return answer;
    };
    if known.len() == addresses.len() {
        store::touch(cache, &key);
        (watch.done)(addresses.len());
        let chains = known.into_iter().map(|(_, chain)| chain).collect();
        return Answer { chains, facts: entry.facts.clone(), missing: None };
    }
    let rest: Vec<u64> =
        addresses.iter().copied().filter(|address| known.binary_search_by_key(address, |(known, _)| *known).is_err()).collect();
    (watch.done)(known.len());
    let fresh = module::look_up(image, &rest, options, watch);
    if fresh.missing.is_some() || fresh.facts != entry.facts {
        // The cached results were found under other conditions.
        let answer = module::look_up(image, addresses, options, &Watch { done: &|_| {}, ..*watch });
        keep(&answer, Vec::new(), addresses);
        return answer;
    }
    keep(&fresh, entry.chains(|_| true).unwrap_or_default(), &rest);
    let Answer { chains, facts, missing } = fresh;
    let mut all: Vec<(u64, Chain)> = known.into_iter().chain(rest.into_iter().zip(chains)).collect();
    all.sort_by_key(|(address, _)| *address);
    Answer { chains: all.into_iter().map(|(_, chain)| chain).collect(), facts, missing }
}

/// Cache key: everything that results depend on except the address.
fn key(image: &Image, mode: Mode) -> Option<Vec<u8>> {
    let stamp = image.stamp()?;
    let place = image.build_id.is_empty().then_some((&image.path, &stamp));
    let is_local = mode == Mode::Local;
    // The layout and the debug link distinguish files with the same build id.
    let text = format!("{is_local} {} {} {place:?} {:?} {:?}", image.build_id, stamp.len, image.layout, image.debug_link);
    Some(text.into_bytes())
}

/// Returns whether a look at the debug file would find the same as when the entry was written.
fn is_current(facts: &Facts, image: &Image, options: &Options, watch: &Watch<'_>) -> bool {
    match (&facts.debug_file, facts.has_info) {
        (None, true) => true,
        // It belongs to this build and was complete; its names stay valid after it is gone.
        (Some(file), true) => file.is_unchanged_or_gone(),
        (file, false) => {
            let now = (options.mode == Mode::Local).then(|| remote::debug_file(options, image, watch.fetching)).flatten();
            now.map(|found| found.named()) == file.as_ref().map(|file| Some(file.clone()))
        }
    }
}
