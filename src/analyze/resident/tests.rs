use super::live::glibc_overhead;
use super::*;
use crate::parse::{ParseOptions, parse, process_facts};
use crate::profile::ProcessFile;
use crate::query::ViewKind;
use crate::report::{MemoryPart as Part, MemoryVerdict};

const SECOND: i64 = 1_000_000_000;

/// A file about a process, as if it were opened with this name.
fn files(name: &str, group: &str, seconds: i64, text: &str) -> Vec<ProcessFile> {
    let found = process_facts(text.as_bytes(), &ParseOptions::default()).unwrap();
    let file = |facts| ProcessFile {
        name: name.into(),
        group: group.into(),
        time_nanos: seconds * SECOND,
        is_file_time: true,
        pid: found.pid,
        is_found: false,
        facts,
    };
    found.facts.clone().into_iter().map(file).collect()
}

fn dump(name: &str, bytes: i64, seconds: i64) -> Profile {
    let text = format!("# inuse_space bytes\nmain;grow {bytes}\n");
    let mut profile = parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
    profile.set_origin(name, false);
    let parsed = crate::profile::DumpName::read(name);
    profile.set_process(&parsed.series, parsed.number, seconds * SECOND);
    profile
}

fn memory(profile: &Profile) -> ProcessMemory {
    process_memory(profile, &View::new(ViewKind::Rss)).unwrap()
}

fn bar(of: &Waterfall, part: Part) -> i64 {
    of.bar.iter().filter(|bar| bar.part == part).map(|bar| bar.bytes).sum()
}

fn check_sum(of: &Waterfall) {
    let mut sum = 0;
    for bar in &of.bar {
        assert_eq!(bar.start, sum, "{bar:?}");
        sum += bar.bytes;
    }
    assert_eq!(sum, of.rss, "{of:?}");
}

fn map(start: u64, kilobytes: i64, path: &str, rss: i64, anonymous: i64) -> String {
    let end = start + (kilobytes as u64) * 1024;
    format!("{start:012x}-{end:012x} rw-p 00000000 00:00 7 {path}\nRss: {rss} kB\nAnonymous: {anonymous} kB\n")
}

/// Statistics of jemalloc as JSON.
fn jemalloc(allocated: i64, active: i64, resident: i64, [internal, cached, dirty]: [i64; 3]) -> String {
    format!(
        "{{\"jemalloc\":{{\"arenas\":{{\"page\":4096}},\"stats\":{{\"allocated\":{allocated},\"active\":{active},\"resident\":{resident},\"retained\":6402048}},\
         \"stats.arenas\":{{\"merged\":{{\"pdirty\":{dirty},\"pmuzzy\":0,\"base\":3235840,\"internal\":{internal},\"tcache_bytes\":{cached},\"tcache_stashed_bytes\":0}}}}}}}}"
    )
}

/// Check 41: 50,000 blocks of 1000 to 1699 bytes, every second freed.
#[test]
fn the_worked_example_adds_up() {
    let mut profile = dump("ledger.heap", 33_720_000, 100);
    let smaps = [
        map(0x5500_0000_0000, 3496, "/bin/ledger", 3496, 0),
        map(0x7f00_0000_0000, 84_000, "", 73_916, 73_916),
        map(0x7ffc_0000_0000, 132, "[stack]", 80, 80),
        map(0x7ffc_1000_0000, 8, "[vdso]", 4, 0),
    ];
    profile.add_process_files(files("smaps", "", 100, &smaps.concat()));
    profile.add_process_files(files("stats.json", "", 100, &jemalloc(37_379_584, 74_338_304, 77_574_144, [94_208, 114_688, 0])));
    let memory = memory(&profile);
    let of = memory.waterfall.as_ref().unwrap();
    check_sum(of);
    assert_eq!((of.rss, of.rss / 1024), (79_355_904, 77_496));
    let want = [
        (Part::Live, 33_720_000),
        (Part::Rounding, 3_368_768 + 81_920),
        (Part::ThreadCaches, 114_688),
        (Part::Internal, 94_208),
        (Part::Fragmentation, 36_958_720),
        (Part::FreePages, 0),
        (Part::Metadata, 3_235_840),
        (Part::NeverTouched, -1_884_160),
        (Part::Stacks, 81_920),
        (Part::Files, 3_579_904),
        (Part::Kernel, 4_096),
    ];
    let bars: Vec<(Part, i64)> = of.bar.iter().map(|bar| (bar.part, bar.bytes)).collect();
    assert_eq!(bars, want);
    assert!(of.bar.iter().all(|bar| bar.is_known && !bar.formula.is_empty()));
    assert!(memory.sentence.contains("fragmentation with 35.2 MiB: fewer arenas"), "{}", memory.sentence);
    assert_eq!((memory.warnings, memory.hint), (Vec::<String>::new(), String::new()));
}

/// Check 44: jemalloc counts pages as resident that are not.
#[test]
fn the_rollup_is_less_than_jemalloc_believes() {
    let mut profile = dump("x.heap", 3_698_688, 0);
    let rollup = "5500000000-7fff00000000 ---p 00000000 00:00 0 [rollup]\nRss: 11408 kB\nPss: 9000 kB\nPrivate_Clean: 1568 kB\nPrivate_Dirty: 7948 kB\nAnonymous: 7936 kB\n";
    profile.add_process_files(files("rollup", "", 0, rollup));
    profile.add_process_files(files("je.json", "", 0, &jemalloc(3_976_192, 7_606_272, 10_326_016, [94_208, 101_376, 3])));
    let memory = memory(&profile);
    let of = memory.waterfall.unwrap();
    check_sum(&of);
    assert_eq!((bar(&of, Part::NeverTouched), bar(&of, Part::Files)), (7936 * 1024 - 10_326_016, 3472 * 1024));
    assert_eq!((bar(&of, Part::FreePages), bar(&of, Part::Metadata)), (3 * 4096, 2_707_456));
    assert!(of.note[0].starts_with("Private to the process (USS): 9.29 MiB"), "{:?}", of.note);
    assert!(memory.hint.contains("smaps"));
}

#[test]
fn without_statistics_the_rest_is_one_bar() {
    let mut profile = dump("x.heap", 1 << 20, 0);
    let status = "Name:\tx\nPid:\t7\nVmHWM:\t 9000 kB\nVmRSS:\t 8000 kB\nRssAnon:\t 5000 kB\nRssFile:\t 2900 kB\nRssShmem:\t 100 kB\n";
    profile.add_process_files(files("status", "", 0, status));
    let memory = memory(&profile);
    let of = memory.waterfall.as_ref().unwrap();
    check_sum(of);
    let rest = &of.bar[1];
    assert_eq!((rest.part, rest.bytes, rest.is_known), (Part::AllocatorRest, 5000 * 1024 - (1 << 20), false));
    assert_eq!((bar(of, Part::Files), bar(of, Part::SharedMemory), of.peak_rss, of.pid), (2900 << 10, 100 << 10, 9000 << 10, Some(7)));
    assert!(memory.hint.contains("malloc_info"));
    let none = self::memory(&dump("x.heap", 5, 0));
    assert!(none.waterfall.is_none() && none.hint.contains("heapview capture PID"));
}

#[test]
fn tcmalloc_and_glibc_add_up() {
    let smaps = [
        map(0x5500_0000_0000, 8, "/bin/x", 8, 4),
        map(0x5600_0000_0000, 9000, "[heap]", 9000, 9000),
        map(0x7f00_0000_0000, 1028, "", 600, 600),
    ]
    .concat();
    let mut profile = dump("x.heap", 3_400_000, 0);
    profile.add_process_files(files("smaps", "", 0, &smaps));
    let glibc = profile.clone();
    let lines = [
        (3_652_888, "Bytes in use by application"),
        (819_200, "Bytes in page heap freelist"),
        (1_905_896, "Bytes in central cache freelist"),
    ];
    let more = [
        (1_126_400, "Bytes in transfer cache freelist"),
        (884_224, "Bytes in thread cache freelists"),
        (2_621_440, "Bytes in malloc metadata"),
    ];
    let text: String = lines.iter().chain(&more).map(|(bytes, label)| format!("MALLOC: + {bytes} (0.0 MiB) {label}\n")).collect();
    profile.add_process_files(files("log", "", 0, &(text + "MALLOC: = 11010048 (0.0 MiB) Actual memory used (physical + swap)\n")));
    let of = memory(&profile).waterfall.unwrap();
    check_sum(&of);
    assert_eq!((bar(&of, Part::Rounding), bar(&of, Part::ThreadCaches)), (252_888, 884_224 + 1_126_400));
    assert_eq!(bar(&of, Part::NeverTouched), 9600 * 1024 - 11_010_048);

    let xml = "<malloc version=\"1\"><heap nr=\"0\"><sizes><size from=\"993\" to=\"1009\" total=\"2500000\" count=\"2493\"/></sizes></heap>\
               <total type=\"fast\" count=\"0\" size=\"0\"/><total type=\"rest\" count=\"3488\" size=\"2821374\"/>\
               <total type=\"mmap\" count=\"1\" size=\"1052672\"/><system type=\"current\" size=\"5562368\"/></malloc>";
    let mut profile = glibc;
    profile.add_process_files(files("malloc_info.xml", "", 0, xml));
    let of = memory(&profile).waterfall.unwrap();
    check_sum(&of);
    assert_eq!(bar(&of, Part::Live) + bar(&of, Part::Untracked), 2_740_994 + 1_052_672);
    assert_eq!((bar(&of, Part::Fragmentation), bar(&of, Part::FreePages)), (2_500_000, 321_374));
    assert_eq!(bar(&of, Part::OtherAnonymous), 9600 * 1024 - 5_562_368 - 1_052_672);
    // 1008 bytes for 1000, 32 for 1.
    assert_eq!((glibc_overhead(10, 10_000), glibc_overhead(1, 1), glibc_overhead(0, 5)), (80, 31, 0));
}

#[test]
fn other_processes_and_hours_are_named() {
    let status = |pid: u64| format!("Name:\tx\nPid:\t{pid}\nVmRSS:\t 8000 kB\nRssAnon:\t 5000 kB\nRssFile:\t 3000 kB\n");
    let mut profile = dump("jeprof.4711.3.i3.heap", 1 << 20, 10_000);
    profile.add_process_files(files("status", "", 17_565, &status(4712)));
    assert_eq!(
        memory(&profile).warnings,
        [
            "status belongs to process 4712, but the profile jeprof.4711.3.i3.heap to process 4711",
            "status was captured 2h 6m after the profile, by the times of the files: the memory may have changed",
        ]
    );
    let mut profile = dump("jeprof.4711.3.i3.heap", 1 << 20, 10_000);
    profile.add_process_files(files("status", "", 10_001, &status(4711)));
    assert_eq!(memory(&profile).warnings, Vec::<String>::new());
    let alien = "1000-2000 ---p 00000000 00:00 0 [rollup]\nRss: 8 kB\n";
    profile.add_process_files(files("rollup", "", 10_001, alien).into_iter().map(|file| ProcessFile { pid: Some(9), ..file }).collect());
    assert!(memory(&profile).warnings[0].contains("rollup belongs to process 9, but other files beside it belong to process 4711"));
    // Recordings have the process in themselves.
    let dhat = "{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"Allocated\",\"bklt\":true,\"bkacc\":false,\"tu\":\"instrs\",\"tuth\":5,\
                \"cmd\":\"x\",\"pid\":4711,\"te\":9,\"tg\":5,\"pps\":[{\"tb\":8,\"tbk\":1,\"tl\":1,\"mb\":8,\"mbk\":1,\"gb\":8,\"gbk\":1,\"eb\":8,\
                \"ebk\":1,\"fs\":[0]}],\"ftbl\":[\"[root]\"]}";
    let recording = |status_pid: u64| {
        let mut profile = parse(dhat.as_bytes(), &ParseOptions::default()).unwrap().profile;
        profile.set_origin("heap.json", false);
        profile.add_process_files(files("status", "", 0, &status(status_pid)));
        memory(&profile).warnings
    };
    assert_eq!(recording(4711), Vec::<String>::new());
    assert_eq!(recording(4712), ["status belongs to process 4712, but the profile heap.json to process 4711"]);
    let mut profile = dump("x.heap", 5, 0);
    profile.add_process_files(files("je.json", "", 0, &jemalloc(10, 20, 30, [0; 3])));
    let memory = memory(&profile);
    assert!(memory.waterfall.is_none() && memory.warnings[0].starts_with("je.json: without smaps"));
}

/// Dumps with bytes in use, each with statistics: allocated, active, resident.
fn series(steps: &[[i64; 4]]) -> ProcessMemory {
    let profiles = steps.iter().enumerate().map(|(nth, [live, ..])| dump(&format!("grow.{nth:04}.heap"), live << 20, 10 + nth as i64));
    let mut profile = crate::profile::merge(profiles.collect()).unwrap();
    for (nth, [_, allocated, active, resident]) in steps.iter().enumerate() {
        let group = format!("grow.{nth:04}");
        let anonymous = resident << 10;
        let smaps = map(0x5500_0000_0000, 8, "/bin/grow", 8, 0) + &map(0x7f00_0000_0000, 1 << 20, "", anonymous, anonymous);
        profile.add_process_files(files(&format!("{group}.smaps"), &group, 10 + nth as i64, &smaps));
        let stats = jemalloc(allocated << 20, active << 20, resident << 20, [0, 0, ((resident - active) << 20) / 4096]);
        profile.add_process_files(files(&format!("{group}.json"), &group, 10 + nth as i64, &stats));
    }
    memory(&profile)
}

#[test]
fn a_series_tells_leaks_from_fragmentation() {
    let verdict = |steps: &[[i64; 4]]| {
        let memory = series(steps);
        let columns = memory.series.unwrap();
        assert_eq!(columns.dump, (0..steps.len()).collect::<Vec<_>>());
        for (nth, rss) in columns.rss.iter().enumerate() {
            assert_eq!(columns.band.iter().map(|band| band.bytes[nth]).sum::<i64>(), *rss);
        }
        (memory.verdict, memory.sentence)
    };
    let leak = verdict(&[[10, 11, 12, 13], [40, 42, 44, 45], [80, 83, 86, 88]]);
    assert_eq!(leak.0, MemoryVerdict::Leak);
    assert!(leak.1.starts_with("RSS grew by 75.0 MiB over 3 dumps; memory in use changed by +72.0 MiB. This is a leak"), "{}", leak.1);
    let holes = verdict(&[[80, 83, 86, 88], [60, 62, 86, 88], [40, 42, 86, 88]]);
    assert_eq!(holes.0, MemoryVerdict::Fragmentation);
    assert!(
        holes.1.contains("fell by 41.0 MiB since its peak, but RSS did not: free memory between blocks in use grew by 41.0 MiB"),
        "{}",
        holes.1
    );
    assert_eq!(verdict(&[[10, 11, 12, 13], [10, 11, 60, 61], [10, 11, 80, 82]]).0, MemoryVerdict::Fragmentation);
    assert_eq!(verdict(&[[80, 83, 86, 88], [20, 21, 22, 88]]).0, MemoryVerdict::FreePages);
    assert_eq!(verdict(&[[10, 11, 12, 13], [10, 11, 12, 13]]).0, MemoryVerdict::Steady);
    // What was given back is no matter.
    assert_eq!(verdict(&[[80, 83, 86, 88], [10, 11, 12, 13]]).0, MemoryVerdict::Steady);
}

/// Dumps with the same bytes in use, and statistics of glibc with more each time, in mebibytes.
fn glibc_series(in_use: &[i64], threads: &str) -> ProcessMemory {
    let name = |nth: usize| format!("app.9.{nth:04}");
    let dumps = (0..in_use.len()).map(|nth| dump(&format!("{}.heap", name(nth)), 10 << 20, 10 + nth as i64)).collect();
    let mut profile = crate::profile::merge(dumps).unwrap();
    for (nth, mebibytes) in in_use.iter().enumerate() {
        let (group, kilobytes) = (name(nth), mebibytes << 10);
        let status = format!("Name:\tapp\nPid:\t9\nVmRSS:\t{kilobytes} kB\nRssAnon:\t{kilobytes} kB\n{threads}");
        profile.add_process_files(files(&format!("{group}.status"), &group, 10 + nth as i64, &status));
        let xml = format!("<malloc version=\"1\"><system type=\"current\" size=\"{}\"/></malloc>", mebibytes << 20);
        profile.add_process_files(files(&format!("{group}.xml"), &group, 10 + nth as i64, &xml));
    }
    memory(&profile)
}

#[test]
fn growth_that_the_profile_does_not_see_is_not_called_thread_caches() {
    let one = glibc_series(&[12, 500, 4000], "Threads:\t1\n");
    assert_eq!(one.verdict, MemoryVerdict::Untracked);
    let want = "memory that is allocated, but not in the profile, changed by +3.89 GiB. Caches of 1 thread hold at most 234.5 KiB: the rest is \
                allocations that the profile did not record, which may be a leak.";
    assert!(one.sentence.ends_with(want), "{}", one.sentence);
    let bar = one.waterfall.unwrap().bar.into_iter().find(|bar| bar.part == Part::Untracked).unwrap();
    assert!(bar.formula.contains("(tcache, at most 234.5 KiB here)") && bar.advice.starts_with("caches of threads hold less"), "{bar:?}");
    let many = glibc_series(&[12, 40, 100], "Threads:\t900\n").sentence;
    assert!(many.ends_with("Caches of 900 threads (at most 206.1 MiB), or allocations that the profile did not record."), "{many}");
    let unknown = glibc_series(&[12, 40, 100], "").sentence;
    assert!(unknown.contains("at most 234.5 KiB each"), "{unknown}");
}
