//! Symbolizes a profile: groups addresses by file, and collects the names found.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cache;
use super::dwarf::Frame;
use super::find::note::Note;
use super::inline_budget::{InlineBudget, lines};
use super::module::Watch;
use super::options::{Mode, Options};
use super::plan::{Plan, plan};
use super::progress::Progress;
use super::provisional_names::{ProvisionalNames, Weights};
use super::symbolized::Symbolized;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StrId};
use crate::demangle::{Demangle, Demangler};
use crate::profile::{NamedLine, Names, Profile, Strings};

/// Finds names for the addresses of `profile`. Cannot fail: notes list what was not found. Also demangles the names that the
/// profile has.
pub fn symbolize(profile: &Profile, options: &Options, progress: &dyn Progress) -> Symbolized {
    if options.mode == Mode::None {
        return Symbolized::default();
    }
    let force = options.force || options.demangle != Demangle::Default;
    let mut demangler = Demangler::new(options.demangle);
    let mut out = Symbolized::default();
    let Plan { modules, made } =
        if options.mode == Mode::Given { Plan::default() } else { plan(profile, options, force, progress, &mut out) };
    let total = modules.iter().map(|module| module.addresses.len()).sum();
    let n_done = AtomicUsize::new(0);
    for (location, name) in made {
        put(&mut out.names, location, &[Frame { name: name.into(), ..Frame::default() }], &mut demangler);
    }
    let inlined = InlineBudget::new(profile);
    let weights = progress.wants_names().then(|| (Weights::of(profile), InlineBudget::new(profile)));
    for module in modules {
        if progress.is_over() {
            break;
        }
        let file = module.image.path.to_string_lossy();
        let done = |n: usize| {
            let before = n_done.fetch_add(n, Ordering::Relaxed);
            progress.done(before + n, total, &file);
        };
        done(0);
        let addresses: Vec<u64> = module.addresses.keys().copied().collect();
        let fetching = |what: &str| progress.fetching(&file, what);
        let provisional = weights
            .as_ref()
            .map(|(weights, inlined)| ProvisionalNames::new(progress, weights, inlined, &module.addresses, options.demangle));
        let is_over = || progress.is_over();
        let watch = Watch { done: &done, fetching: &fetching, provisional: provisional.as_ref(), is_over: &is_over };
        let answer = cache::look_up(&module.image, &addresses, options, &watch);
        for (chain, locations) in answer.chains.iter().zip(module.addresses.values()) {
            for &location in locations {
                put(&mut out.names, location, &inlined.fitting(location, chain), &mut demangler);
            }
        }
        out.names.resolved.extend(&module.mappings);
        let kind = answer.kind(&module.image, options.mode);
        out.notes.push(Note { mapping: module.name, kind });
    }
    demangle_rest(profile, force, &mut demangler, &mut out.names);
    out.warnings.extend(demangler.warning().into_iter().chain(inlined.warning()));
    out
}

/// Puts the frames of a location into `names`.
fn put(names: &mut Names, location: LocationId, chain: &[Frame], demangler: &mut Demangler) {
    if chain.is_empty() {
        return;
    }
    names.lines.insert(location, lines(chain, demangler));
}

/// Demangles the names that the profile came with.
fn demangle_rest(profile: &Profile, force: bool, demangler: &mut Demangler, names: &mut Names) {
    let code = profile.code();
    // Many functions may have one long name.
    let mut texts: HashMap<StrId, Arc<str>> = HashMap::default();
    let mut text = |id: StrId| texts.entry(id).or_insert_with(|| profile.text(id).into()).clone();
    let mut demangled: HashMap<StrId, usize> = HashMap::default();
    let mut new_texts: Vec<Arc<str>> = Vec::new();
    let new_name: HashMap<_, Arc<str>> = code
        .functions
        .enumerate()
        .filter_map(|(id, function)| {
            // A name that differs was demangled by the writer.
            let is_done = function.name != Strings::EMPTY && function.name != function.system_name;
            if is_done && (!force || function.system_name == Strings::EMPTY) {
                return None;
            }
            let new = *demangled.entry(function.system_name).or_insert_with(|| {
                new_texts.push(demangler.name(&text(function.system_name)));
                new_texts.len() - 1
            });
            (*new_texts[new] != *profile.text(function.name)).then(|| (id, new_texts[new].clone()))
        })
        .collect();
    if new_name.is_empty() {
        return;
    }
    for (id, location) in code.locations.enumerate() {
        if names.lines.contains_key(&id) {
            continue;
        }
        let frames: Vec<_> = location.frames().map(|frame| &code.frames[frame]).collect();
        if !frames.iter().any(|frame| frame.function.is_some_and(|f| new_name.contains_key(&f))) {
            continue;
        }
        let lines = frames.iter().map(|frame| {
            let Some(function) = frame.function else {
                return NamedLine { line: frame.line, column: frame.column, ..NamedLine::default() };
            };
            let old = &code.functions[function];
            NamedLine {
                name: new_name.get(&function).cloned().unwrap_or_else(|| text(old.name)),
                system_name: text(old.system_name),
                short_name: text(old.short_name),
                filename: text(old.filename),
                start_line: old.start_line,
                line: frame.line,
                column: frame.column,
            }
        });
        names.lines.insert(id, lines.collect());
    }
}
