//! What the sums of several dumps show: whether memory in use grows, or memory that is free.

use super::allocators;
use crate::base::units::iec_label;
use crate::profile::Profile;
use crate::report::{MemoryBand, MemoryBar, MemoryPart as Part, MemorySeries, MemoryVerdict, Waterfall};

/// Changes below this share of RSS (1/n) do not count.
const SMALL: i64 = 20;

/// Changes below this do not count, bytes.
const LEAST: i64 = 1 << 20;

/// The waterfalls as columns.
pub(crate) fn columns(profile: &Profile, all: &[Waterfall]) -> MemorySeries {
    let mut band: Vec<MemoryBand> = Vec::new();
    for (nth, waterfall) in all.iter().enumerate() {
        for bar in &waterfall.bar {
            let at = band.iter().position(|known| known.part == bar.part).unwrap_or_else(|| {
                band.push(MemoryBand { part: bar.part, name: band_name(bar), bytes: vec![0; all.len()] });
                band.len() - 1
            });
            let bytes = &mut band[at].bytes[nth];
            *bytes = bytes.saturating_add(bar.bytes);
        }
    }
    let dump = |of: &Waterfall| &profile.dumps()[of.dump_index];
    MemorySeries {
        dump: all.iter().map(|of| of.dump_index).collect(),
        name: all.iter().map(|of| of.dump.clone()).collect(),
        time_nanos: all.iter().map(|of| if dump(of).time_nanos != 0 { dump(of).time_nanos } else { dump(of).file_time }).collect(),
        rss: all.iter().map(|of| of.rss).collect(),
        band,
    }
}

fn band_name(bar: &MemoryBar) -> String {
    match bar.part {
        Part::Stacks => "Stacks".into(),
        Part::OtherAnonymous => "Other anonymous memory".into(),
        _ => bar.name.clone(),
    }
}

/// Memory of one dump by the groups that a verdict compares.
#[derive(Clone, Copy, Default)]
struct Groups {
    rss: i64,
    /// In use by the profile, errors of its sampling included.
    live: i64,
    /// Allocated, but not in the profile.
    untracked: i64,
    fragmentation: i64,
    caches: i64,
    free_pages: i64,
    /// Of the allocator, unknown what.
    rest: i64,
    /// Not of the allocator.
    outside: i64,
}

impl Groups {
    fn of(waterfall: &Waterfall) -> Groups {
        let mut groups = Groups { rss: waterfall.rss, ..Groups::default() };
        for bar in &waterfall.bar {
            let to = match bar.part {
                Part::Live | Part::SamplingError | Part::Rounding => &mut groups.live,
                Part::Untracked => &mut groups.untracked,
                Part::Fragmentation => &mut groups.fragmentation,
                Part::ThreadCaches => &mut groups.caches,
                Part::FreePages => &mut groups.free_pages,
                Part::Internal | Part::Metadata | Part::NeverTouched | Part::Swapped | Part::AllocatorRest => &mut groups.rest,
                _ => &mut groups.outside,
            };
            *to = to.saturating_add(bar.bytes);
        }
        groups
    }

    fn parts(&self) -> [(MemoryVerdict, i64); 7] {
        [
            (MemoryVerdict::Leak, self.live),
            (MemoryVerdict::Fragmentation, self.fragmentation),
            (MemoryVerdict::ThreadCaches, self.caches),
            (MemoryVerdict::Untracked, self.untracked),
            (MemoryVerdict::FreePages, self.free_pages),
            (MemoryVerdict::Allocator, self.rest),
            (MemoryVerdict::Outside, self.outside),
        ]
    }
}

/// The verdict on a series of at least two, and a sentence about it.
///
/// If RSS grew, the part that grew most is the reason. If it did not, but memory in use is below its peak by more than RSS is, what
/// grew instead since that peak keeps RSS high.
pub(crate) fn judge(all: &[Waterfall]) -> (MemoryVerdict, String) {
    let groups: Vec<Groups> = all.iter().map(Groups::of).collect();
    let (Some(first), Some(last), Some(last_one)) = (groups.first(), groups.last(), all.last()) else {
        return (MemoryVerdict::Unknown, String::new());
    };
    let size = |bytes: i64| iec_label(bytes, "bytes", "auto");
    let signed = |bytes: i64| format!("{}{}", if bytes > 0 { "+" } else { "" }, size(bytes));
    let matters = |bytes: i64| bytes > LEAST.max(last.rss / SMALL);
    let grown = last.rss.saturating_sub(first.rss);
    let most = |from: &Groups| {
        let changes = last.parts().into_iter().zip(from.parts()).map(|((verdict, now), (_, then))| (verdict, now.saturating_sub(then)));
        changes.max_by_key(|(_, change)| *change).unwrap_or_default()
    };
    let n = all.len();
    // The most that was in use before.
    let peak = groups.iter().max_by_key(|groups| groups.live).unwrap_or(first);
    let fallen = peak.live.saturating_sub(last.live);
    let kept = fallen.saturating_sub(peak.rss.saturating_sub(last.rss));
    if matters(fallen) && kept > fallen / 2 {
        let (verdict, by) = most(peak);
        if verdict != MemoryVerdict::Leak && matters(by) {
            let rss = match peak.rss.saturating_sub(last.rss) {
                lower if matters(lower) => format!("RSS only by {}", size(lower)),
                _ => "RSS did not".to_owned(),
            };
            let sentence = format!(
                "Memory in use fell by {} since its peak, but {rss}: {} grew by {}. {}",
                size(fallen),
                what(verdict),
                size(by),
                conclusion(verdict, by, last_one)
            );
            return (verdict, sentence);
        }
    }
    if matters(grown) {
        let (verdict, by) = most(first);
        let sentence = format!(
            "RSS grew by {} over {n} dumps; {} changed by {}. {}",
            size(grown),
            what(verdict),
            signed(by),
            conclusion(verdict, by, last_one)
        );
        return (verdict, sentence);
    }
    let sentence = format!("RSS is steady over {n} dumps ({} to {}).", size(first.rss), size(last.rss));
    (MemoryVerdict::Steady, sentence)
}

fn what(verdict: MemoryVerdict) -> &'static str {
    match verdict {
        MemoryVerdict::Leak => "memory in use",
        MemoryVerdict::Fragmentation => "free memory between blocks in use",
        MemoryVerdict::ThreadCaches => "thread caches",
        MemoryVerdict::Untracked => "memory that is allocated, but not in the profile,",
        MemoryVerdict::FreePages => "free pages that the allocator keeps",
        MemoryVerdict::Allocator => "the rest of the allocator's memory",
        MemoryVerdict::Outside => "memory outside of the allocator",
        MemoryVerdict::Steady | MemoryVerdict::Unknown => "nothing",
    }
}

fn conclusion(verdict: MemoryVerdict, by: i64, last: &Waterfall) -> String {
    let known = match verdict {
        MemoryVerdict::Leak => "This is a leak or data that grows, not fragmentation; `heapview growth` shows whose it is.",
        MemoryVerdict::Fragmentation => "This is fragmentation, not a leak.",
        MemoryVerdict::ThreadCaches => "Caches of threads hold free blocks; this is not a leak.",
        // See `untracked`.
        MemoryVerdict::Untracked => "",
        MemoryVerdict::FreePages => "The allocator keeps pages for reuse; this is not a leak.",
        MemoryVerdict::Allocator => "Statistics of the allocator would show whether this is fragmentation.",
        MemoryVerdict::Outside => "This is no heap memory: see stacks, files and other mappings.",
        MemoryVerdict::Steady | MemoryVerdict::Unknown => "",
    };
    if verdict == MemoryVerdict::Untracked { untracked(by, last) } else { known.to_owned() }
}

/// What may have grown by so much without the profile.
fn untracked(by: i64, last: &Waterfall) -> String {
    if last.allocator != "glibc" {
        return "Allocations that the profile did not record grow: this may be a leak.".to_owned();
    }
    let of = |threads: u64| if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    match last.threads.map(|threads| (allocators::tcache_limit(threads), of(threads))) {
        Some((limit, threads)) if by > limit => format!(
            "Caches of {threads} hold at most {}: the rest is allocations that the profile did not record, which may be a leak.",
            iec_label(limit, "bytes", "auto")
        ),
        Some((limit, threads)) => {
            format!("Caches of {threads} (at most {}), or allocations that the profile did not record.", iec_label(limit, "bytes", "auto"))
        }
        None => format!(
            "Caches of threads (at most {} each), or allocations that the profile did not record; /proc/PID/status has the number of threads.",
            iec_label(allocators::tcache_limit(1), "bytes", "auto")
        ),
    }
}

/// The largest part outside of the profile.
pub(crate) fn sentence_of_one(waterfall: &Waterfall) -> String {
    let size = |bytes: i64| iec_label(bytes, "bytes", "auto");
    let beyond = waterfall.bar.iter().filter(|bar| bar.part != Part::Live && bar.bytes > 0).max_by_key(|bar| bar.bytes);
    let live = waterfall.bar.first().map_or(0, |bar| bar.bytes);
    let Some(bar) = beyond else { return String::new() };
    let advice = if bar.advice.is_empty() { String::new() } else { format!(": {}", bar.advice) };
    format!(
        "The process has {} resident, the profile {} in use. The largest other part is {} with {}{advice}.",
        size(waterfall.rss),
        size(live),
        lower(&bar.name),
        size(bar.bytes)
    )
}

fn lower(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
