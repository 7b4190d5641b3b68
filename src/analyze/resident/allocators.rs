//! The terms that statistics of an allocator know: from bytes in use to the pages that it counts as resident.

use super::live::Live;
use super::terms::{Term, Terms, term};
use crate::base::units::iec_label;
use crate::profile::{GlibcStats, JemallocStats, TcmallocStats};
use crate::report::MemoryPart as Part;

/// What an allocator believes.
pub(crate) struct Counted {
    /// Pages that may be resident.
    pub(crate) bytes: i64,
    /// How it is computed, in words.
    pub(crate) words: &'static str,
    /// Free pages that the kernel may take; resident or not.
    pub(crate) muzzy: i64,
}

/// A difference beyond this many standard errors is no matter of chance.
const SURE: i64 = 3;

/// The term between the profile and what the allocator counts for the application, which is more by `error`.
fn sampling(live: &Live, error: i64, what: &str) -> Option<Term> {
    let by_chance = live.error.filter(|sigma| error.saturating_abs() <= sigma.saturating_mul(SURE))?;
    let formula = format!("{what} − live; within {SURE} standard errors of sampling ({by_chance} B each)");
    Some(
        term(Part::SamplingError, "Sampling error", formula)
            .with_advice("a smaller sampling distance makes it smaller (jemalloc: lg_prof_sample)"),
    )
}

/// jemalloc: `resident = active + dirty pages + base in pages`, and `allocated` contains thread caches and internal blocks.
pub(crate) fn jemalloc(stats: &JemallocStats, at: usize, live: &Live, terms: &mut Terms) -> Option<Counted> {
    let allocated = stats.allocated?;
    let page = if stats.page > 0 { stats.page } else { 4096 };
    match (stats.internal, stats.thread_caches) {
        (Some(internal), Some(cached)) => {
            let usable = allocated.saturating_sub(internal).saturating_sub(cached);
            let mut error = usable.saturating_sub(live.bytes);
            let mut what = "(allocated − internal − thread caches)";
            // Not so in all versions: it must explain what is there.
            let sampled = live.sampled_overhead;
            if sampled > 0 && error >= sampled.saturating_sub(live.error.unwrap_or(0).saturating_mul(SURE)) {
                let formula = "Σ samples × (16 KiB − size): jemalloc puts every block that it samples into one of 16 KiB";
                let bar = term(Part::Internal, "Padding of sampled blocks", formula);
                terms.add(sampled, &[], bar.with_advice("a larger sampling distance (lg_prof_sample) needs less"));
                error = error.saturating_sub(sampled);
                what = "(allocated − internal − thread caches − padding of sampled blocks)";
            }
            let untracked = match live.period {
                0 => term(Part::Rounding, "Size classes and untracked", format!("{what} − live: the profile has requested sizes")),
                _ => term(
                    Part::Untracked,
                    "Untracked",
                    format!("{what} − live: allocated before profiling began, or in arenas that are not profiled"),
                )
                .with_advice("start with prof_active:true; the profile has sizes of size classes, so rounding is no part of it"),
            };
            terms.add(error, &[at], sampling(live, error, what).unwrap_or(untracked));
            terms.add(
                cached,
                &[at],
                term(Part::ThreadCaches, "Thread caches", "tcache_bytes + tcache_stashed_bytes")
                    .with_advice("lower tcache_max or lg_tcache_max, or flush caches of idle threads (mallctl thread.tcache.flush)"),
            );
            terms.add(
                internal,
                &[at],
                term(Part::Internal, "Allocator's own blocks", "internal: jemalloc's own data among allocated blocks"),
            );
        }
        _ => terms.add_unknown(
            allocated.saturating_sub(live.bytes),
            &[at],
            term(Part::AllocatorRest, "Thread caches, internal, sampling error", "allocated − live; the statistics have no line for each"),
        ),
    }
    let active = stats.active.unwrap_or(allocated);
    terms.add(
        active.saturating_sub(allocated),
        &[at],
        term(
            Part::Fragmentation,
            "Fragmentation",
            "active − allocated: free blocks on pages with blocks in use, and the ends of large blocks",
        )
        .with_advice("fewer arenas (narenas), one arena for objects that live long, or fewer size classes in a mix of lifetimes"),
    );
    let dirty = stats.dirty_pages.map(|pages| pages.saturating_mul(page));
    let dirty_term = || {
        term(Part::FreePages, "Dirty pages", "pdirty × page: free pages that are kept for reuse")
            .with_advice("lower dirty_decay_ms (0 gives them back at once), or set background_thread:true")
    };
    let muzzy = stats.muzzy_pages.unwrap_or(0).saturating_mul(page).max(0);
    let Some(resident) = stats.resident else {
        // Version 3 has no more than that.
        let dirty = dirty.unwrap_or(0);
        terms.add(dirty, &[at], dirty_term());
        return Some(Counted { bytes: active.saturating_add(dirty), words: "active + dirty pages", muzzy });
    };
    let rest = resident.saturating_sub(active);
    let metadata = |formula| term(Part::Metadata, "Metadata", formula).with_advice("fewer arenas (narenas) need less");
    match dirty {
        Some(dirty) => {
            terms.add(dirty, &[at], dirty_term());
            let pinned = stats.pinned.unwrap_or(0);
            if pinned > 0 {
                terms.add(pinned, &[at], term(Part::FreePages, "Pinned pages", "pinned: free pages that cannot be given back"));
            }
            let base = rest.saturating_sub(dirty).saturating_sub(pinned);
            terms.add(base, &[at], metadata("resident − active − dirty pages: base, rounded up to pages"));
        }
        None => terms.add_unknown(rest, &[at], metadata("resident − active: base and dirty pages; the statistics have no line for each")),
    }
    Some(Counted { bytes: resident, words: "resident", muzzy })
}

/// gperftools: all terms add up to the memory that it uses.
pub(crate) fn tcmalloc(stats: &TcmallocStats, at: usize, live: &Live, terms: &mut Terms) -> Counted {
    let error = stats.in_use.saturating_sub(live.bytes);
    let what = "bytes in use by application";
    let is_rounding = error >= 0 && error <= live.bytes / 2;
    let otherwise = match is_rounding {
        true => term(Part::Rounding, "Size classes", format!("{what} − live: each block is as large as its size class")),
        false => term(Part::Untracked, "Untracked and size classes", format!("{what} − live: more than size classes alone explain")),
    };
    terms.add(error, &[at], sampling(live, error, what).unwrap_or(otherwise));
    terms.add(
        stats.thread.saturating_add(stats.transfer),
        &[at],
        term(Part::ThreadCaches, "Thread caches", "bytes in thread cache freelists + transfer cache freelist")
            .with_advice("lower TCMALLOC_MAX_TOTAL_THREAD_CACHE_BYTES, or call MallocExtension::MarkThreadIdle in idle threads"),
    );
    terms.add(
        stats.central,
        &[at],
        term(Part::Fragmentation, "Fragmentation", "bytes in central cache freelist: free blocks of spans that have blocks in use")
            .with_advice("objects of one size that live long and short mix on one span; give them different sizes or allocators"),
    );
    terms.add(
        stats.page_heap,
        &[at],
        term(Part::FreePages, "Free pages", "bytes in page heap freelist: kept for reuse")
            .with_advice("raise TCMALLOC_RELEASE_RATE (0 to 10), or call MallocExtension::ReleaseFreeMemory"),
    );
    terms.add(stats.metadata, &[at], term(Part::Metadata, "Metadata", "bytes in malloc metadata"));
    let known = [stats.in_use, stats.thread, stats.transfer, stats.central, stats.page_heap, stats.metadata];
    Counted { bytes: known.into_iter().fold(0, i64::saturating_add), words: "actual memory used", muzzy: 0 }
}

/// Most bytes that glibc's caches of so many threads hold, unless they are tuned: 7 chunks of each size from 32 to 1040 bytes.
pub(crate) fn tcache_limit(threads: u64) -> i64 {
    const LIMIT: u64 = 7 * 64 * (32 + 1040) / 2;
    i64::try_from(threads.saturating_mul(LIMIT)).unwrap_or(i64::MAX)
}

/// glibc: what the arenas have from the system, and mapped chunks. `threads`: of the process.
pub(crate) fn glibc(stats: &GlibcStats, at: usize, live: &Live, threads: Option<u64>, terms: &mut Terms) -> Counted {
    let free = stats.fast.saturating_add(stats.rest);
    let in_use = stats.system.saturating_sub(free).saturating_add(stats.mapped);
    let more = in_use.saturating_sub(live.bytes);
    let what = "(system − fast − rest + mmap)";
    let limit = threads.map(tcache_limit);
    let at_most = limit.map_or(String::new(), |limit| format!(", at most {} here", iec_label(limit, "bytes", "auto")));
    let cached = format!("chunks in caches of threads (tcache{at_most}) count as in use and are printed nowhere");
    let advice = |rest: i64| match limit {
        Some(limit) if rest > limit => {
            "caches of threads hold less than this: the profile did not record some allocations; start it with the process"
        }
        _ => "GLIBC_TUNABLES=glibc.malloc.tcache_count=0 switches caches of threads off",
    };
    match live.glibc_overhead {
        Some(overhead) => {
            terms.add(
                overhead,
                &[],
                term(
                    Part::Rounding,
                    "Headers and rounding",
                    "Σ chunk − requested, chunk = max(32, (n + 8 + 15) & ~15), at the mean size n of each stack",
                ),
            );
            let rest = more.saturating_sub(overhead);
            let untracked = term(Part::Untracked, "Thread caches and untracked", format!("{what} − live − headers; {cached}"))
                .with_advice(advice(rest));
            match sampling(live, rest, what) {
                Some(error) => terms.add(rest, &[at], error),
                None => terms.add_unknown(rest, &[at], untracked),
            }
        }
        None => terms.add_unknown(
            more,
            &[at],
            term(Part::Untracked, "Headers, rounding, thread caches, untracked", format!("{what} − live; {cached}"))
                .with_advice(advice(more)),
        ),
    }
    let binned = stats.binned.min(free);
    terms.add(
        binned,
        &[at],
        term(Part::Fragmentation, "Fragmentation", "free chunks in bins, between chunks in use")
            .with_advice("malloc_trim(0) gives whole free pages back; MALLOC_ARENA_MAX=2 for many threads; or another allocator"),
    );
    terms.add(
        free.saturating_sub(binned),
        &[at],
        term(Part::FreePages, "Top of arenas", "fast + rest − chunks in bins: free at the end of each arena")
            .with_advice("malloc_trim(0), or a lower M_TRIM_THRESHOLD (MALLOC_TRIM_THRESHOLD_)"),
    );
    Counted { bytes: stats.system.saturating_add(stats.mapped), words: "system + mmap", muzzy: 0 }
}
