//! The sum from bytes in use to RSS.

use super::allocators::{self, Counted};
use super::captures::Capture;
use super::live::Live;
use super::terms::{Terms, term};
use crate::base::plain::{base_name, one_line};
use crate::base::units::iec_label;
use crate::profile::{MapClass, MemoryMaps, PageSums, ProcessStatus, Profile};
use crate::report::{MemoryPart as Part, MemorySource, Waterfall};

/// Bars of one dump; `None` if no file knows its resident memory.
pub(crate) fn waterfall(profile: &Profile, dump: usize, capture: &Capture, live: &Live) -> Option<Waterfall> {
    let resident = Resident::of(capture)?;
    let mut terms = Terms::default();
    let sizes = if capture.jemalloc().is_some() && live.period > 0 { "; sizes of size classes" } else { "" };
    terms.add(
        live.bytes,
        &[],
        term(Part::Live, "In use (profile)", format!("inuse_space of the dump{sizes}")).with_advice("heapview summary shows whose it is"),
    );
    let stats = capture.jemalloc().map(|(at, _)| ("jemalloc", at));
    let stats = stats.or_else(|| capture.tcmalloc().map(|(at, _)| ("tcmalloc", at)));
    let stats = stats.or_else(|| capture.glibc().map(|(at, _)| ("glibc", at)));
    let counted = match stats {
        Some(("jemalloc", _)) => capture.jemalloc().and_then(|(at, stats)| allocators::jemalloc(stats, at, live, &mut terms)),
        Some(("tcmalloc", _)) => capture.tcmalloc().map(|(at, stats)| allocators::tcmalloc(stats, at, live, &mut terms)),
        Some(_) => {
            let threads = capture.status().and_then(|(_, status)| status.threads);
            capture.glibc().map(|(at, stats)| allocators::glibc(stats, at, live, threads, &mut terms))
        }
        None => None,
    };
    let allocator = counted.as_ref().and(stats).map_or("", |(name, _)| name);
    resident.add(allocator, counted.as_ref(), stats.map(|(_, at)| at), &mut terms);
    let status = capture.status().map(|(_, status)| status);
    let source = capture.files.iter().map(|file| MemorySource {
        name: file.name.clone(),
        content: file.facts.kind().to_owned(),
        time_nanos: file.time_nanos,
        is_file_time: file.is_file_time,
        pid: file.pid,
    });
    Some(Waterfall {
        dump: profile.dumps()[dump].name.clone(),
        dump_index: dump,
        pid: capture.pid,
        rss: resident.rss,
        rss_source: resident.rss_source.to_owned(),
        peak_rss: status.and_then(|status| status.peak_rss).unwrap_or(0),
        threads: status.and_then(|status| status.threads),
        allocator: allocator.to_owned(),
        note: notes(capture, &resident, counted.as_ref()),
        bar: terms.bars,
        source: source.collect(),
    })
}

/// Resident memory as the kernel counts it.
struct Resident<'a> {
    rss: i64,
    rss_source: &'static str,
    /// File of the detailed counts.
    at: usize,
    /// File of `rss`.
    rss_at: usize,
    detail: Detail<'a>,
}

enum Detail<'a> {
    Maps(&'a MemoryMaps),
    Rollup(&'a PageSums),
    Status(&'a ProcessStatus),
}

impl<'a> Resident<'a> {
    fn of(capture: &Capture<'a>) -> Option<Self> {
        let (at, counted, rss_source, detail) = match (capture.smaps(), capture.rollup(), capture.status()) {
            (Some((at, maps)), ..) => (at, maps.total().rss, "Σ Rss of smaps", Detail::Maps(maps)),
            (None, Some((at, pages)), _) => (at, pages.rss, "Rss of smaps_rollup", Detail::Rollup(pages)),
            (None, None, Some((at, status))) => (at, status.rss?, "VmRSS", Detail::Status(status)),
            (None, None, None) => return None,
        };
        let of_status = capture.status().and_then(|(at, status)| Some((at, status.rss?)));
        Some(match of_status {
            Some((rss_at, rss)) => Resident { rss, rss_source: "VmRSS", at, rss_at, detail },
            None => Resident { rss: counted, rss_source, at, rss_at: at, detail },
        })
    }

    /// Adds all terms beyond those of the allocator's statistics, up to RSS.
    fn add(&self, allocator: &str, counted: Option<&Counted>, stats: Option<usize>, terms: &mut Terms) {
        let at = &[self.at][..];
        // Allocators map memory without a name; tcmalloc and glibc also grow the heap.
        let (anonymous, swap, what) = match &self.detail {
            Detail::Maps(maps) => {
                let classes: &[MapClass] = match allocator {
                    "jemalloc" => &[MapClass::Anonymous],
                    _ => &[MapClass::Anonymous, MapClass::Heap, MapClass::Arena],
                };
                let pages = classes.iter().fold(PageSums::default(), |mut all, class| {
                    all.add(&maps.of(*class).pages);
                    all
                });
                let what =
                    if allocator == "jemalloc" { "Σ Rss of maps without a name" } else { "Σ Rss of [heap] and maps without a name" };
                (pages.rss, pages.swap, what)
            }
            Detail::Rollup(pages) => (pages.anonymous, pages.swap, "Anonymous, with stacks and static data"),
            Detail::Status(status) => (status.rss_anon.unwrap_or(0), status.swap.unwrap_or(0), "RssAnon, with stacks and static data"),
        };
        match counted {
            None => terms.add_unknown(
                anonymous.saturating_sub(terms.sum()),
                at,
                term(
                    Part::AllocatorRest,
                    "Allocator overhead and free memory",
                    format!("{what} − live; not known without statistics of the allocator"),
                )
                .with_advice("statistics of the allocator show what it is"),
            ),
            Some(counted) => {
                let sources = [&[self.at][..], stats.as_slice()].concat();
                if swap > 0 {
                    terms.add(
                        swap.saturating_neg(),
                        at,
                        term(Part::Swapped, "Swapped out", "− Swap of these maps: the allocator counts it as resident"),
                    );
                }
                let rest = anonymous.saturating_sub(counted.bytes).saturating_add(swap.max(0));
                let formula = format!("{what} − {}{}", counted.words, if swap > 0 { " + swap" } else { "" });
                if rest > 0 {
                    let muzzy = if counted.muzzy > 0 {
                        format!(
                            "; up to {} of it are muzzy pages, which the kernel may take (muzzy_decay_ms:0 gives them back)",
                            iec_label(counted.muzzy, "bytes", "auto")
                        )
                    } else {
                        String::new()
                    };
                    terms.add(
                        rest,
                        &sources,
                        term(
                            Part::OtherAnonymous,
                            "Other anonymous memory",
                            format!("{formula}: mapped by others than the allocator, such as the program itself or a profiler{muzzy}"),
                        ),
                    );
                } else if rest < 0 {
                    terms.add(
                        rest,
                        &sources,
                        term(
                            Part::NeverTouched,
                            "Never touched",
                            format!("{formula}: the allocator counts pages that were never written or are gone"),
                        ),
                    );
                }
            }
        }
        match &self.detail {
            Detail::Maps(maps) => self.add_maps(maps, allocator, terms),
            Detail::Rollup(pages) => {
                let files = pages.rss.saturating_sub(pages.anonymous);
                terms.add(files, at, term(Part::Files, "Files and shared memory", "Rss − Anonymous"));
            }
            Detail::Status(status) => {
                terms.add(status.rss_file.unwrap_or(0), at, term(Part::Files, "Files", "RssFile").with_advice(FILES));
                add_some(terms, status.rss_shmem.unwrap_or(0), at, term(Part::SharedMemory, "Shared memory", "RssShmem"));
            }
        }
        let between = self.rss.saturating_sub(terms.sum());
        if between != 0 {
            let formula = format!("{} − the sum of all others: the files were not read at the same moment", self.rss_source);
            terms.add(between, &[self.at, self.rss_at], term(Part::BetweenReadings, "Change between readings", formula));
        }
    }

    fn add_maps(&self, maps: &MemoryMaps, allocator: &str, terms: &mut Terms) {
        let at = &[self.at][..];
        let of = |class: MapClass| maps.of(class).pages.rss;
        if allocator == "jemalloc" {
            let heap = of(MapClass::Heap).saturating_add(of(MapClass::Arena));
            add_some(
                terms,
                heap,
                at,
                term(
                    Part::OtherAnonymous,
                    "Heap of another allocator",
                    "Rss of [heap] and of arenas of glibc, which jemalloc does not use",
                ),
            );
        }
        add_some(terms, of(MapClass::Named), at, term(Part::OtherAnonymous, "Named by the program", "Σ Rss of [anon:…]"));
        add_some(terms, of(MapClass::MainStack), at, term(Part::Stacks, "Main stack", "Rss of [stack]"));
        let threads = maps.of(MapClass::ThreadStack);
        let formula = format!("Σ Rss of {} maps right above a guard page", threads.n_maps);
        add_some(
            terms,
            threads.pages.rss,
            at,
            term(Part::Stacks, "Thread stacks", formula)
                .with_advice("fewer threads, or smaller stacks (ulimit -s, pthread_attr_setstacksize)"),
        );
        add_some(
            terms,
            of(MapClass::StaticData),
            at,
            term(Part::StaticData, "Static data", "Anonymous of mapped files and of the maps right behind them: .data, .bss"),
        );
        let first: Vec<String> = maps
            .files
            .iter()
            .take(3)
            .map(|file| format!("{} {}", one_line(base_name(&file.path)), iec_label(file.rss, "bytes", "auto")))
            .collect();
        let first = if first.is_empty() { String::new() } else { format!("; the largest with their data: {}", first.join(", ")) };
        terms.add(
            of(MapClass::File),
            at,
            term(Part::Files, "Files", format!("Σ (Rss − Anonymous) of mapped files{first}")).with_advice(FILES),
        );
        add_some(terms, of(MapClass::Shared), at, term(Part::SharedMemory, "Shared memory", "Σ Rss of memfd, System V and /dev/shm"));
        add_some(terms, of(MapClass::Kernel), at, term(Part::Kernel, "Kernel pages", "Rss of [vdso] and [vvar]"));
    }
}

const FILES: &str = "the kernel can drop clean pages of files at any time; smaller binaries map less";

fn add_some(terms: &mut Terms, bytes: i64, at: &[usize], term: super::terms::Term) {
    if bytes != 0 {
        terms.add(bytes, at, term);
    }
}

/// Facts beside the sum.
fn notes(capture: &Capture, resident: &Resident, counted: Option<&Counted>) -> Vec<String> {
    let size = |bytes: i64| iec_label(bytes, "bytes", "auto");
    let mut notes = Vec::new();
    let pages = match &resident.detail {
        Detail::Maps(maps) => Some(maps.total()),
        Detail::Rollup(pages) => Some(**pages),
        Detail::Status(_) => None,
    };
    if let Some(pages) = pages {
        if pages.private > 0 {
            notes.push(format!(
                "Private to the process (USS): {}; its share of shared pages included (PSS): {}",
                size(pages.private),
                size(pages.pss)
            ));
        }
        if pages.lazy_free > 0 {
            notes.push(format!("{} are offered to the kernel and still resident (LazyFree)", size(pages.lazy_free)));
        }
        if pages.huge > 0 {
            notes.push(format!("{} are in transparent huge pages: RSS can be more than the allocator uses of them", size(pages.huge)));
        }
        if pages.swap > 0 {
            notes.push(format!("Swapped out: {}, not in RSS", size(pages.swap)));
        }
    }
    let retained = capture.jemalloc().and_then(|(_, stats)| stats.retained).or_else(|| capture.tcmalloc().map(|(_, stats)| stats.unmapped));
    if let Some(retained) = retained.filter(|bytes| *bytes > 0 && counted.is_some()) {
        notes.push(format!("Given back to the system, address space only: {} (not in RSS)", size(retained)));
    }
    if let Some((_, note)) = capture.note() {
        let took = note.took_nanos / 1_000_000;
        notes.push(match note.drift {
            0 => format!("Captured within {took} ms; RSS did not change meanwhile"),
            drift => format!("Captured within {took} ms; RSS changed by {} meanwhile", size(drift)),
        });
    }
    if resident.rss_source == "VmRSS" {
        notes.push("VmRSS is in kB, rounded down; the kernel counts it by CPU, so it may lag behind smaps by some pages".into());
    }
    notes
}
