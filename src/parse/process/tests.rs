use super::*;
use crate::profile::ProcessFacts;
use crate::profile::{CaptureNote, GlibcStats, JemallocStats, MapClass, TcmallocStats};

fn found(text: &str) -> ProcessFound {
    process_facts(text.as_bytes(), &ParseOptions::default()).unwrap()
}

fn warnings(found: &ProcessFound) -> Vec<String> {
    found.warnings.iter().map(ToString::to_string).collect()
}

fn jemalloc(text: &str) -> JemallocStats {
    match found(text).facts.remove(0) {
        ProcessFacts::Jemalloc(stats) => *stats,
        other => panic!("{other:?}"),
    }
}

/// A mapping with its resident and anonymous kilobytes.
fn map(range: &str, permissions: &str, path: &str, rss: u64, anonymous: u64) -> String {
    format!(
        "{range} {permissions} 00000000 fe:00 7 {path}\nSize: 99999 kB\nRss: {rss} kB\nPss: {rss} kB\nPrivate_Dirty: {rss} kB\n\
         Anonymous: {anonymous} kB\nTHPeligible: 0\nVmFlags: rd wr mr\n"
    )
}

fn maps(text: &str) -> crate::profile::MemoryMaps {
    match found(text).facts.remove(0) {
        ProcessFacts::Smaps(maps) => *maps,
        other => panic!("{other:?}"),
    }
}

#[test]
fn mappings_are_told_apart() {
    let text = [
        map("55550000-55551000", "r-xp", "/opt/my program", 4, 0),
        map("55551000-55553000", "rw-p", "/opt/my program", 8, 4),
        map("55553000-55563000", "rw-p", "", 60, 60),
        map("55600000-55700000", "rw-p", "[heap]", 100, 100),
        map("7f0000000000-7f0000100000", "rw-p", "", 500, 500),
        map("7f0000100000-7f0004000000", "---p", "", 0, 0),
        map("7f0010001000-7f0010002000", "---p", "", 0, 0),
        map("7f0010002000-7f0010802000", "rw-p", "", 24, 24),
        map("7f0020000000-7f0020080000", "rw-p", "", 512, 512),
        // Too large for a guard: address space that is used from its end.
        map("7f0021000000-7f0021200000", "---p", "", 0, 0),
        map("7f0021200000-7f0021300000", "rw-p", "", 1000, 1000),
        map("7f0030000000-7f0030001000", "rw-s", "/memfd:buffer (deleted)", 4, 0),
        map("7f0030002000-7f0030003000", "rw-p", "[anon:pool]", 4, 4),
        map("7ffc00000000-7ffc00021000", "rw-p", "[stack]", 16, 16),
        map("7ffc00040000-7ffc00042000", "r-xp", "[vdso]", 4, 0),
    ]
    .concat();
    let maps = maps(&text);
    let rss = |class| maps.of(class).pages.rss / 1024;
    let want = [
        (MapClass::File, 8),
        (MapClass::StaticData, 64),
        (MapClass::Heap, 100),
        (MapClass::Arena, 500),
        (MapClass::ThreadStack, 24),
        (MapClass::Anonymous, 1512),
        (MapClass::Shared, 4),
        (MapClass::Named, 4),
        (MapClass::MainStack, 16),
        (MapClass::Kernel, 4),
    ];
    for (class, kilobytes) in want {
        assert_eq!(rss(class), kilobytes, "{class:?}");
    }
    assert_eq!(maps.total().rss, want.iter().map(|(_, kilobytes)| kilobytes * 1024).sum::<i64>());
    assert_eq!((maps.program.as_str(), maps.program_start), ("/opt/my program", 0x5555_0000));
    assert_eq!(maps.files[0].rss, 12 << 10);
}

#[test]
fn files_of_proc_one_behind_the_other_are_separate() {
    let smaps = |kilobytes| {
        map("1000-3000", "rw-p", "[heap]", kilobytes, kilobytes) + &map("ffffffffff600000-ffffffffff601000", "--xp", "[vsyscall]", 0, 0)
    };
    let rollup = "1000-ffffffffff601000 ---p 00000000 00:00 0 [rollup]\nRss: 8 kB\n";
    let status = "Name:\tx\nPid:\t5\nVmRSS:\t 8 kB\n";
    for files in [[&smaps(8), rollup, status], [rollup, status, &smaps(8)], [status, &smaps(8), rollup], [&smaps(8), status, rollup]] {
        let found = found(&files.concat());
        let mut kinds: Vec<&str> = found.facts.iter().map(ProcessFacts::kind).collect();
        kinds.sort_unstable();
        assert_eq!((kinds, found.pid), (vec!["smaps", "smaps_rollup", "status"], Some(5)));
        assert_eq!(found.warnings, []);
        let maps = found.facts.iter().find_map(|facts| if let ProcessFacts::Smaps(maps) = facts { Some(maps) } else { None }).unwrap();
        assert_eq!((maps.n_maps, maps.total().rss), (2, 8 << 10));
    }
    // Of two in a log the last one counts.
    for (text, n_maps) in [(smaps(8) + &smaps(4), 2), (map("1000-3000", "rw-p", "", 8, 8) + &map("1000-3000", "rw-p", "", 4, 4), 1)] {
        assert!(warnings(&found(&text))[0].contains("earlier statistics in the same file"));
        assert_eq!((maps(&text).n_maps, maps(&text).total().rss), (n_maps, 4 << 10));
    }
}

#[test]
fn damage_of_mappings_is_named_with_its_line() {
    let text =
        map("1000-3000", "rw-p", "", 8, 8) + &map("2000-3000", "rw-p", "", 4, 4) + "3000-4000 rw-p 00000000 00:00 0 \nRss: many kB\nRss: 4";
    let found = found(&text);
    assert_eq!(
        warnings(&found),
        [
            "process memory, line 18: lines without the number that was expected, as in `Rss: 12 kB`; read as 0: 2",
            "process memory, line 1: mappings that overlap earlier ones: the process changed while the file was read, so sums may be wrong: 1",
            "process memory, line 19: the text ends too early; what follows is missing in the sums: 1",
        ]
    );
}

#[test]
fn the_rollup_has_private_and_shared_pages() {
    let text = "5500000000-7fff00000000 ---p 00000000 00:00 0                          [rollup]\nRss:               11408 kB\n\
                Pss:               10000 kB\nPss_Anon: 7936 kB\nPss_Shmem: 0 kB\nShared_Clean:       1892 kB\nShared_Dirty:          0 kB\n\
                Private_Clean:      1568 kB\nPrivate_Dirty:      7948 kB\nAnonymous:          7936 kB\nLazyFree: 0 kB\nSwap: 0 kB\n";
    let ProcessFacts::Rollup(pages) = found(text).facts[0].clone() else { panic!("no rollup") };
    assert_eq!((pages.private / 1024, pages.rss / 1024 - pages.anonymous / 1024), (9516, 3472));
}

#[test]
fn status_names_the_process() {
    let text = "Name:\tledger\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nPid:\t4711\nVmHWM:\t   90000 kB\nVmRSS:\t   77496 kB\n\
                RssAnon:\t   74000 kB\nRssFile:\t    3496 kB\nRssShmem:\t       0 kB\nVmSwap:\t       0 kB\nThreads:\t3\n";
    let found = found(text);
    let ProcessFacts::Status(status) = &found.facts[0] else { panic!("no status") };
    assert_eq!((found.pid, status.program.as_str(), status.threads), (Some(4711), "ledger", Some(3)));
    assert_eq!((status.rss, status.rss_file), (Some(77496 << 10), Some(3496 << 10)));
    // Kernel threads have no memory.
    assert_eq!(process_facts(b"Name:\tkworker\nPid:\t2\n", &ParseOptions::default()), None);
}

/// Check 40.
#[test]
fn jemalloc_text_keeps_its_identities() {
    let text = "starting\n___ Begin jemalloc statistics ___\nVersion: \"5.3.0-0-g0\"\n  opt.dirty_decay_ms: 10000 (arenas.dirty_decay_ms: 10000)\n\
                Arenas: 9\nPage size: 4096\n\
                Allocated: 3976192, active: 7606272, metadata: 2793456 (n_thp 0, edata 12, rtree 7), resident: 10326016, mapped: 13910016, retained: 245760\n\
                Merged arenas stats:\ndecaying:  time       npages       sweeps\n   dirty:   N/A            3            0\n   muzzy:   N/A            0            0\n\
                base:                       2699248\ninternal:                      94208\ntcache_bytes:                  101376\n\
                tcache_stashed_bytes:               0\narenas[0]:\n   dirty:   N/A            99            0\nbase: 1\n--- End jemalloc statistics ---\nbye\n";
    let stats = jemalloc(text);
    let of = |value: Option<i64>| value.unwrap();
    assert_eq!(of(stats.allocated) - of(stats.internal) - of(stats.thread_caches), 3_780_608);
    let base_in_pages = 2_707_456;
    assert_eq!(of(stats.resident), of(stats.active) + of(stats.dirty_pages) * stats.page + base_in_pages);
    let cut = &text[..text.find("arenas[0]").unwrap()];
    assert!(warnings(&found(cut))[0].contains("the text ends too early"));
    // Another one begins before the end of the first.
    let again = found(&(cut.to_owned() + text));
    assert!(warnings(&again)[0].contains("the text ends too early") && warnings(&again)[1].contains("earlier statistics"));
    assert_eq!(jemalloc(&(cut.replace("3976192", "5") + text)).allocated, Some(3_976_192));
    let old = "___ Begin jemalloc statistics ___\nAllocated: 10, active: 20, mapped: 30\narenas[0]:\ndirty pages: 5:4 active:dirty\n--- End jemalloc statistics ---\n";
    let stats = jemalloc(old);
    assert_eq!((stats.allocated, stats.resident, stats.dirty_pages), (Some(10), None, Some(4)));
}

#[test]
fn jemalloc_json_is_found_in_a_log() {
    let arena = |dirty: i64| {
        format!(
            "{{\"pdirty\":{dirty},\"pmuzzy\":1,\"base\":100,\"internal\":5,\"tcache_bytes\":7,\"tcache_stashed_bytes\":1,\"bins\":[{{\"x\":1}}]}}"
        )
    };
    let text = |arenas: &str| {
        format!(
            "10:30:00 up\nmemory: {{\"jemalloc\":{{\"version\":\"5.3.0\",\"opt\":{{\"stats_print\":false,\"stats_print\":false,\"dirty_decay_ms\":-1}},\
             \"arenas\":{{\"page\":4096,\"narenas\":2,\"bin\":[{{\"size\":8}}]}},\"stats\":{{\"allocated\":1000,\"active\":8192,\"metadata\":110,\
             \"resident\":20480,\"mapped\":40960,\"retained\":0}},\"stats.arenas\":{{{arenas}}}}}}} done\n10:30:01 down\n"
        )
    };
    let merged = jemalloc(&text(&format!("\"merged\":{},\"0\":{}", arena(9), arena(4))));
    assert_eq!((merged.dirty_pages, merged.thread_caches), (Some(9), Some(8)));
    // Without sums the arenas are added up.
    let apart = jemalloc(&text(&format!("\"0\":{},\"1\":{},\"destroyed\":{}", arena(4), arena(2), arena(50))));
    assert_eq!((apart.dirty_pages, apart.internal), (Some(6), Some(10)));
    // Values that are no numbers are skipped.
    let odd = jemalloc(&text("\"merged\":{\"pdirty\":[[1],{\"a\":2}],\"pmuzzy\":\"x\",\"internal\":-5}"));
    assert_eq!((odd.dirty_pages, odd.muzzy_pages, odd.internal), (None, None, Some(-5)));
    let whole = text(&format!("\"merged\":{}", arena(9)));
    let lines = whole.replace("{\"jemalloc\":", "{\n\t\"jemalloc\": ");
    assert_eq!(jemalloc(&lines).dirty_pages, Some(9));
    let cut = &whole[..whole.len() - 60];
    assert_eq!(process_facts(cut.as_bytes(), &ParseOptions::default()), None);
    let twice = found(&(whole.clone() + &whole.replace("1000", "3000")));
    assert!(
        warnings(&twice)[0].ends_with("line 5: earlier statistics in the same file; the last ones are shown: 1"),
        "{:?}",
        warnings(&twice)
    );
    assert!(matches!(&twice.facts[..], [ProcessFacts::Jemalloc(stats)] if stats.allocated == Some(3000)));
}

#[test]
fn totals_of_exporters_are_read() {
    for text in [
        "stats.allocated=10\nstats.active=20\nstats.resident=30\n",
        "# HELP\njemalloc_allocated_bytes{app=\"x\"} 10\njemalloc_active_bytes 2e1\njemalloc_resident_bytes 30\n",
        "{\n  \"jemalloc.allocated\": 10,\n  \"jemalloc.active\": 20,\n  \"jemalloc.resident\": 30\n}\n",
        "stats.allocated: 10\nstats.active: 20\nother 5\nstats.resident: 30\n",
    ] {
        let stats = jemalloc(text);
        assert_eq!((stats.allocated, stats.active, stats.resident), (Some(10), Some(20), Some(30)), "{text}");
    }
    assert_eq!(process_facts(b"stats.allocated=10\n", &ParseOptions::default()), None);
}

/// Check 42.
#[test]
fn tcmalloc_lines_add_up() {
    let text = "------------------------------------------------\nMALLOC:        3652888 (    3.5 MiB) Bytes in use by application\n\
                MALLOC: +       819200 (    0.8 MiB) Bytes in page heap freelist\nMALLOC: +      1905896 (    1.8 MiB) Bytes in central cache freelist\n\
                MALLOC: +      1126400 (    1.1 MiB) Bytes in transfer cache freelist\nMALLOC: +       884224 (    0.8 MiB) Bytes in thread cache freelists\n\
                MALLOC: +      2621440 (    2.5 MiB) Bytes in malloc metadata\nMALLOC:   ------------\n\
                MALLOC: =     11010048 (   10.5 MiB) Actual memory used (physical + swap)\nMALLOC: +            0 (    0.0 MiB) Bytes released to OS (aka unmapped)\n\
                MALLOC:   ------------\nMALLOC: =     11010048 (   10.5 MiB) Virtual address space used\nMALLOC:\nMALLOC:            300              Spans in use\n";
    let found = found(text);
    let ProcessFacts::Tcmalloc(stats) = found.facts[0] else { panic!("no statistics") };
    let TcmallocStats { in_use, page_heap, central, transfer, thread, metadata, actual, unmapped } = stats;
    assert_eq!(in_use + page_heap + central + transfer + thread + metadata, actual);
    assert_eq!((actual, actual + unmapped - metadata), (11_010_048, 8_388_608));
    assert!(found.warnings.is_empty());
}

/// Check 43.
#[test]
fn malloc_info_adds_up_arenas() {
    let text = "start\n<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n  <size from=\"993\" to=\"1009\" total=\"2500000\" count=\"2493\"/>\n\
                <unsorted from=\"17\" to=\"17\" total=\"17\" count=\"1\"/>\n</sizes>\n<total type=\"fast\" count=\"0\" size=\"0\"/>\n\
                <total type=\"rest\" count=\"2494\" size=\"2610877\"/>\n<system type=\"current\" size=\"5136384\"/>\n<system type=\"max\" size=\"5136384\"/>\n\
                <aspace type=\"total\" size=\"5136384\"/>\n</heap>\n<heap nr=\"1\">\n<sizes>\n</sizes>\n<total type=\"fast\" count=\"0\" size=\"0\"/>\n\
                <total type=\"rest\" count=\"994\" size=\"210497\"/>\n<system type=\"current\" size=\"425984\"/>\n</heap>\n\
                <total type=\"fast\" count=\"0\" size=\"0\"/>\n<total type=\"rest\" count=\"3488\" size=\"2821374\"/>\n\
                <total type=\"mmap\" count=\"1\" size=\"1052672\"/>\n<system type=\"current\" size=\"5562368\"/>\n<system type=\"max\" size=\"5562368\"/>\n</malloc>\nend\n";
    let of = |text: &str| match found(text).facts[0] {
        ProcessFacts::Glibc(stats) => stats,
        ref other => panic!("{other:?}"),
    };
    let want = GlibcStats { system: 5_562_368, fast: 0, rest: 2_821_374, binned: 2_500_017, mapped: 1_052_672 };
    assert_eq!(of(text), want);
    assert_eq!(want.system - want.fast - want.rest, 2_740_994);
    // Without the sums at the end they are made of the arenas.
    let cut = of(&text[..text.find("</heap>\n<total type=\"fast\"").unwrap()]);
    assert_eq!((cut.system, cut.rest), (5_562_368, 2_821_374));
}

#[test]
fn a_log_may_have_several_sections_and_profiles_have_none() {
    let text = "MALLOC:   10 (    0.0 MiB) Bytes in use by application\nMALLOC: = 30 (0.0 MiB) Actual memory used (physical + swap)\nnext\n"
        .to_owned()
        + "Name:\tx\nPid:\t5\nVmRSS:\t 8 kB\n1000-3000 ---p 00000000 00:00 0 [rollup]\nRss: 8 kB\n"
        + &write_capture_note(5, 77, &CaptureNote { took_nanos: 3, drift: 4096 });
    let found = found(&text);
    let kinds: Vec<&str> = found.facts.iter().map(ProcessFacts::kind).collect();
    assert_eq!(kinds, ["tcmalloc statistics", "status", "smaps_rollup", "capture note"]);
    assert_eq!((found.pid, found.time_nanos), (Some(5), 77));
    let heap =
        "heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234\n\nMAPPED_LIBRARIES:\n400000-500000 r-xp 0 00:00 0 /x\n";
    for other in [heap, "main;work 5\n", "1000-2000 r-xp 00000000 00:00 0 /x\n", "", "hello\n"] {
        assert_eq!(process_facts(other.as_bytes(), &ParseOptions::default()), None, "{other}");
    }
}

#[test]
fn nested_keys_take_no_quadratic_time() {
    let n = 200_000;
    sections::read("{\"jemalloc\":{\"a\":".repeat(n).as_bytes());
    sections::read("{\"jemalloc\":{\"a\":\n".repeat(n).as_bytes());
    sections::read("<malloc version=\"1\">\n".repeat(n).as_bytes());
    // Sections in one line, and values whose brace is in the line before.
    sections::read("<malloc></malloc><malloc version=\"1\"></malloc>".repeat(n).as_bytes());
    sections::read("{\"jemalloc\":{}}".repeat(n).as_bytes());
    sections::read("\"jemalloc\":{}}\n".repeat(n).as_bytes());
    sections::read("{\"heapview_capture\":1,\"pid\":1,\"time_nanos\":1,\"took_nanos\":1,\"drift\":0}".repeat(n).as_bytes());
    sections::read("1000-2000 rw-p 00000000 00:00 0 \nRss: 1 kB\nx\n".repeat(n).as_bytes());
}

#[test]
fn no_bytes_stop_the_readers() {
    let all = "1000-3000 rw-p 00000000 00:00 0 [heap]\nRss: 99999999999999999999 kB\nAnonymous: -5 kB\nName:\tx\nVmRSS:\t\nMALLOC:\nMALLOC: = \n\
               ___ Begin jemalloc statistics ___\nAllocated: 5, (((\n--- End jemalloc statistics ---\n{\"jemalloc\":{\"stats\":{\"allocated\":1e400}}}\n\
               <malloc version=\"1\"><heap nr=\"0\"><size total=\"><system type=\"current\" size=\"9\"/></malloc>\n{\"heapview_capture\":1}\n";
    for end in 0..all.len() {
        sections::read(&all.as_bytes()[..end]);
        sections::read(&all.as_bytes()[end..]);
    }
}
