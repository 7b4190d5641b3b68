//! Facts about the memory of the process of a dump, from files beside it: what the kernel and the allocator count.

use crate::base::hash::HashMap;
use serde::{Deserialize, Serialize};

/// A file about the memory of a process at about the time of a dump.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessFile {
    /// Path it was read from, for display.
    pub name: String,
    /// Folder and beginning of the name that files of one capture share.
    pub group: String,
    /// When it was captured, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// The time is only when the file was written, and a copy of a file may have another.
    pub is_file_time: bool,
    /// Process id in its content or name.
    pub pid: Option<u64>,
    /// It was found beside a dump, not named by the user.
    pub is_found: bool,
    /// Contents.
    pub facts: ProcessFacts,
}

/// Contents of a file about a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessFacts {
    /// `/proc/PID/smaps`.
    Smaps(Box<MemoryMaps>),
    /// `/proc/PID/smaps_rollup`.
    Rollup(PageSums),
    /// `/proc/PID/status`.
    Status(Box<ProcessStatus>),
    /// jemalloc's `malloc_stats_print`, as text or JSON, or its six totals by name.
    Jemalloc(Box<JemallocStats>),
    /// gperftools' `MALLOCSTATS` or `GetStats`.
    Tcmalloc(TcmallocStats),
    /// glibc's `malloc_info`.
    Glibc(GlibcStats),
    /// The note that `heapview capture` writes.
    Capture(CaptureNote),
}

impl Default for ProcessFacts {
    fn default() -> Self {
        ProcessFacts::Capture(CaptureNote::default())
    }
}

impl ProcessFacts {
    /// Name of the kind of file.
    pub fn kind(&self) -> &'static str {
        match self {
            ProcessFacts::Smaps(_) => "smaps",
            ProcessFacts::Rollup(_) => "smaps_rollup",
            ProcessFacts::Status(_) => "status",
            ProcessFacts::Jemalloc(_) => "jemalloc statistics",
            ProcessFacts::Tcmalloc(_) => "tcmalloc statistics",
            ProcessFacts::Glibc(_) => "malloc_info",
            ProcessFacts::Capture(_) => "capture note",
        }
    }
}

/// Sums of pages, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageSums {
    /// Resident.
    pub rss: i64,
    /// Resident, divided by the number of processes that share each page.
    pub pss: i64,
    /// Private pages: what would be free if only this process ended (USS).
    pub private: i64,
    /// Pages without a file, written pages of private file mappings included.
    pub anonymous: i64,
    /// Pages that the process offered to the kernel and that are still there (`MADV_FREE`).
    pub lazy_free: i64,
    /// In transparent huge pages.
    pub huge: i64,
    /// Swapped out; not in `rss`.
    pub swap: i64,
}

impl PageSums {
    /// Adds other sums, saturating.
    pub fn add(&mut self, other: &PageSums) {
        let all = [
            (&mut self.rss, other.rss),
            (&mut self.pss, other.pss),
            (&mut self.private, other.private),
            (&mut self.anonymous, other.anonymous),
            (&mut self.lazy_free, other.lazy_free),
            (&mut self.huge, other.huge),
            (&mut self.swap, other.swap),
        ];
        all.into_iter().for_each(|(sum, value)| *sum = sum.saturating_add(value));
    }
}

/// The mappings of a process by class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryMaps {
    /// Classes that occur, each once.
    pub classes: Vec<MapSums>,
    /// Files with most resident memory, largest first.
    pub files: Vec<MappedFile>,
    /// The first mapped file, with the address where it begins: the program.
    pub program: String,
    /// Address of its first byte.
    pub program_start: u64,
    /// Number of mappings.
    pub n_maps: u64,
}

/// Mappings of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSums {
    /// The class.
    pub class: MapClass,
    /// Number of mappings.
    pub n_maps: u64,
    /// Address space, bytes.
    pub size: i64,
    /// Their pages.
    pub pages: PageSums,
}

/// What a mapping is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapClass {
    /// `[heap]`: grown by `brk`.
    Heap,
    /// An arena of glibc beyond the first: aligned to 64 MiB, followed by address space without rights.
    Arena,
    /// Without a name: mapped by the allocator or by the program itself.
    #[default]
    Anonymous,
    /// Named by the program (`[anon:…]`).
    Named,
    /// Stack of the main thread.
    MainStack,
    /// Above a guard page: the stack of another thread.
    ThreadStack,
    /// Mapped files, without their written pages.
    File,
    /// Written pages of mapped files, and the mapping without a name right behind them: `.data`, `.bss`.
    StaticData,
    /// Shared memory: memfd, System V, `/dev/shm`.
    Shared,
    /// Pages of the kernel: `[vdso]`, `[vvar]`.
    Kernel,
}

/// A mapped file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedFile {
    /// Its path.
    pub path: String,
    /// Resident bytes of all of its mappings.
    pub rss: i64,
}

impl MemoryMaps {
    /// The sums of one class.
    pub fn of(&self, class: MapClass) -> MapSums {
        self.classes.iter().find(|sums| sums.class == class).copied().unwrap_or(MapSums { class, ..MapSums::default() })
    }

    /// Sums of all mappings.
    pub fn total(&self) -> PageSums {
        self.classes.iter().fold(PageSums::default(), |mut all, sums| {
            all.add(&sums.pages);
            all
        })
    }
}

/// Counters of a process. Each is in bytes, from kB that the kernel rounds down; `None` where the kernel has no such line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessStatus {
    /// First 15 bytes of the program's name.
    pub program: String,
    /// Resident.
    pub rss: Option<i64>,
    /// Resident without a file.
    pub rss_anon: Option<i64>,
    /// Resident pages of files.
    pub rss_file: Option<i64>,
    /// Resident shared memory.
    pub rss_shmem: Option<i64>,
    /// Most that was resident.
    pub peak_rss: Option<i64>,
    /// Swapped out.
    pub swap: Option<i64>,
    /// Number of threads.
    pub threads: Option<u64>,
}

/// jemalloc's counters, bytes unless noted; `None` where the text has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JemallocStats {
    /// In allocated regions: those of the application, of thread caches, and jemalloc's own.
    pub allocated: Option<i64>,
    /// In pages that have such regions.
    pub active: Option<i64>,
    /// Pages that may be resident.
    pub resident: Option<i64>,
    /// Address space that was given back and kept for later.
    pub retained: Option<i64>,
    /// Own data in allocated regions.
    pub internal: Option<i64>,
    /// In thread caches, stashed regions included.
    pub thread_caches: Option<i64>,
    /// Free pages that are kept for reuse.
    pub dirty_pages: Option<i64>,
    /// Free pages that the kernel may take.
    pub muzzy_pages: Option<i64>,
    /// Pages that can never be given back.
    pub pinned: Option<i64>,
    /// Size of a page; 0 when unknown.
    pub page: i64,
}

/// gperftools' counters, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TcmallocStats {
    /// Regions of the application, each as large as its size class.
    pub in_use: i64,
    /// Free pages that are kept for reuse.
    pub page_heap: i64,
    /// Free regions in central lists.
    pub central: i64,
    /// Free regions on the way between caches.
    pub transfer: i64,
    /// Free regions in thread caches.
    pub thread: i64,
    /// Own data.
    pub metadata: i64,
    /// Sum of all these: physical memory and swap.
    pub actual: i64,
    /// Given back to the system; its address space is kept.
    pub unmapped: i64,
}

/// glibc's counters, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GlibcStats {
    /// From the system, in arenas.
    pub system: i64,
    /// Free chunks in fast bins.
    pub fast: i64,
    /// All other free chunks, those at the top of arenas included.
    pub rest: i64,
    /// Free chunks that are in bins, so not at the top of an arena.
    pub binned: i64,
    /// In mappings of single large chunks.
    pub mapped: i64,
}

/// What `heapview capture` writes about a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaptureNote {
    /// Nanoseconds between the first and the last reading.
    pub took_nanos: i64,
    /// How far resident memory changed meanwhile, bytes.
    pub drift: i64,
}

/// Most process files of a profile.
const MOST_FILES: usize = 2_000;

/// Adds files, those with the same name and kind only once: a file that is opened again takes the place of what it was.
pub(super) fn add(to: &mut Vec<ProcessFile>, files: impl IntoIterator<Item = ProcessFile>) {
    for file in files {
        let known = to.iter().position(|known| known.name == file.name && known.facts.kind() == file.facts.kind());
        match known {
            Some(at) => to[at] = file,
            None if to.len() < MOST_FILES => to.push(file),
            None => break,
        }
    }
    // The note of a capture knows process and time of the files beside it.
    let notes: HashMap<String, (Option<u64>, i64)> = to
        .iter()
        .filter(|file| matches!(file.facts, ProcessFacts::Capture(_)))
        .map(|file| (file.group.clone(), (file.pid, file.time_nanos)))
        .collect();
    for file in to.iter_mut() {
        if let Some((pid, time)) = notes.get(&file.group) {
            file.pid = file.pid.or(*pid);
            (file.time_nanos, file.is_file_time) = (*time, false);
        }
    }
}
