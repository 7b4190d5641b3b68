//! From the bytes in use of a profile to the resident memory of its process: pure arithmetic on what the kernel and the allocator
//! count.
//!
//! [`captures`] says which files were captured together and which dump they belong to, [`terms`] gives the terms that each file
//! knows, [`waterfall`] puts them into one sum, [`series`] compares the sums of several dumps.

mod allocators;
mod captures;
mod live;
mod series;
mod terms;
mod waterfall;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use captures::{Capture, Captures};
use live::Live;

use super::tree::chosen::Chosen;
use crate::base::units::iec_label;
use crate::profile::Profile;
use crate::query::{View, ViewKind};
use crate::report::{ProcessMemory, Waterfall};

/// How to get the files.
const HINT: &str = "What the profile does not see: run `heapview capture PID -o DIR` close to the dump and give the directory beside the \
                    profile to see it explained up to RSS";

/// The view with the value type that RSS is explained from; views of other kinds stay as they are.
pub fn rss_view<'a>(profile: &Profile, view: &'a View) -> Cow<'a, View> {
    let mut view = Cow::Borrowed(view);
    if let Some(value_type) = live::value_type(profile).filter(|_| view.kind == ViewKind::Rss) {
        view.to_mut().weight.sample_index.clone_from(&profile.value_types()[value_type].kind);
    }
    view
}

/// The memory of the process; `None` if the profile has no bytes in use.
pub(crate) fn process_memory(profile: &Profile, view: &View) -> Option<ProcessMemory> {
    let value_type = live::value_type(profile)?;
    let files = &profile.meta().process_files;
    let mut memory = ProcessMemory { value_type: profile.value_types()[value_type].kind.clone(), ..ProcessMemory::default() };
    if files.is_empty() {
        // Recordings have the peak of RSS in themselves.
        memory.hint = HINT.into();
        return Some(memory);
    }
    let shown = Chosen::new(profile, &view.weight).map_or(Vec::new(), |chosen| chosen.value);
    let captures = Captures::new(profile);
    memory.warnings.extend(captures.warnings.iter().cloned());
    // Of several dumps that are added up the last one that has files is explained.
    let of_shown = shown.iter().rev().find_map(|dump| captures.of_dump(*dump));
    let nearest = of_shown.or_else(|| captures.last());
    let Some((dump, capture)) = nearest else {
        memory.hint = HINT.into();
        return Some(memory);
    };
    let name = |dump: usize| profile.dumps()[dump].name.as_str();
    if !shown.contains(&dump) && !shown.is_empty() {
        memory.warnings.push(format!("no file about the process belongs to the dump shown; RSS is explained for {}", name(dump)));
    } else if shown.len() > 1 {
        memory.warnings.push(format!("RSS is explained for {}, not for the sum of {} dumps", name(dump), shown.len()));
    }
    memory.warnings.extend(capture.warnings(profile, dump));
    let live = Live::new(profile, dump, value_type);
    match waterfall::waterfall(profile, dump, capture, &live) {
        Some(waterfall) => {
            let rest = waterfall.rss.saturating_add(swapped(capture));
            if live.bytes > rest {
                memory.warnings.push(format!(
                    "the profile has {} in use, but the process only {} resident and swapped: the files belong to different processes or moments",
                    iec_label(live.bytes, "bytes", "auto"),
                    iec_label(rest, "bytes", "auto")
                ));
            }
            memory.hint = hint(&waterfall);
            memory.sentence = series::sentence_of_one(&waterfall);
            memory.waterfall = Some(waterfall);
        }
        None => memory.hint = HINT.into(),
    }
    let all: Vec<Waterfall> = match captures.len() {
        0 | 1 => Vec::new(),
        _ => captures
            .in_order(profile)
            .into_iter()
            .filter_map(|(dump, capture)| waterfall::waterfall(profile, dump, capture, &Live::new(profile, dump, value_type)))
            .collect(),
    };
    if all.len() > 1 {
        let judged = series::judge(&all);
        (memory.verdict, memory.sentence) = (judged.0, judged.1);
        memory.series = Some(series::columns(profile, &all));
    }
    Some(memory)
}

/// Bytes of the process that are swapped out, as far as its files tell.
fn swapped(capture: &Capture) -> i64 {
    let of_maps = capture.smaps().map(|(_, maps)| maps.total().swap).or_else(|| capture.rollup().map(|(_, pages)| pages.swap));
    of_maps.or_else(|| capture.status().and_then(|(_, status)| status.swap)).unwrap_or(0)
}

/// What is missing for a full explanation.
fn hint(waterfall: &Waterfall) -> String {
    let has = |content: &str| waterfall.source.iter().any(|source| source.content == content);
    match () {
        () if waterfall.allocator.is_empty() => {
            "Statistics of the allocator show what its part consists of: jemalloc's malloc_stats_print, MALLOCSTATS=1 of gperftools, glibc's malloc_info; \
             give them beside the profile"
                .into()
        }
        () if !has("smaps") => "/proc/PID/smaps separates stacks, files and other memory; give it beside the profile".into(),
        () => String::new(),
    }
}
