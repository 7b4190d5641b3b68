//! Files of other kinds that users pass by mistake: detected, and rejected with a hint.

use super::lines::{Lines, find};

/// Detects the kind of file of `text`; returns it with its article, and advice.
pub(super) fn sniff(text: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = &text[..text.len().min(1 << 12)];
    by_magic(text).or_else(|| by_first_line(head)).or_else(|| json(text[..text.len().min(1 << 16)].trim_ascii_start()))
}

type Answer = Option<(&'static str, &'static str)>;

const UNPACK: &str = "unpack it first";
const PROGRAM: &str = "give it before the profile, as in `heapview PROGRAM PROFILE`";
const LATER: &str = "support is planned; convert it to pprof's format for now";

const MEMRAY: &str =
    "`memray transform speedscope FILE` writes its stacks for speedscope.app; memray's own format changes with each version";
const JFR: &str = "async-profiler converts it: `jfrconv --total --nativemem --leak FILE.jfr out.pb.gz`, then open out.pb.gz (recorded with `-e nativemem`)";
const FIREFOX: &str = "open it at profiler.firefox.com; of native programs heapview opens recordings of heaptrack and bytehound, and dumps of jemalloc and gperftools";
const V8: &str = "Chrome DevTools opens it (Memory, Load profile); of Node.js heapview opens what the npm package `pprof` writes: `pprof.heap.profile()`, encoded as .pb.gz";

fn by_magic(text: &[u8]) -> Answer {
    Some(match text {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("an xz archive", UNPACK),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => ("a bzip2 archive", UNPACK),
        [0x04, 0x22, 0x4d, 0x18, ..] => ("an lz4 archive", UNPACK),
        [b'P', b'K', 3, 4, ..] => ("a zip archive", UNPACK),
        [0x7f, b'E', b'L', b'F', ..] => ("a program (ELF)", PROGRAM),
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => ("a program (Mach-O)", PROGRAM),
        [b'M', b'Z', ..] if find(&text[..text.len().min(1 << 12)], b"PE\0\0", 0).is_some() => ("a program (PE)", PROGRAM),
        [b'P', b'E', b'R', b'F', b'I', b'L', b'E', b'2', ..] => {
            ("a perf.data file of Linux perf", "it holds CPU or event samples; use `perf script`")
        }
        [b'J', b'A', b'V', b'A', b' ', b'P', b'R', b'O', b'F', ..] => ("a Java heap dump (hprof)", "use a Java tool such as Eclipse MAT"),
        [b'm', b'e', b'm', b'r', b'a', b'y', ..] => ("a memray recording of a Python program", MEMRAY),
        [b'F', b'L', b'R', 0, ..] => ("a JFR recording", JFR),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ("UTF-16 text", "save it as UTF-8"),
        _ if is_cpu_profile(text) => ("a CPU profile of gperftools", "heapview shows heap profiles; use google/pprof"),
        _ => return None,
    })
}

/// Tests for the words 0, 3, 0, period, 0 in any size and byte order.
fn is_cpu_profile(text: &[u8]) -> bool {
    let words = |size: usize, big: bool| {
        let word = |i: usize| {
            let bytes = text.get(i * size..(i + 1) * size)?;
            let fold = |n: u64, b: &u8| n << 8 | u64::from(*b);
            Some(if big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) })
        };
        word(0) == Some(0) && word(1) == Some(3) && word(2) == Some(0) && word(3).is_some_and(|p| p > 0) && word(4) == Some(0)
    };
    [(8, false), (8, true), (4, false), (4, true)].into_iter().any(|(size, big)| words(size, big))
}

fn by_first_line(head: &[u8]) -> Answer {
    let mut lines = Lines::new(head, 1).map(|l| l.bytes).filter(|l| !l.trim_ascii().is_empty());
    let first = lines.next()?;
    let starts = |prefix: &str| first.starts_with(prefix.as_bytes());
    Some(if starts("--- heapz ") {
        ("an old Java heap profile", "convert it to pprof's format")
    } else if find(first, b" profile: total ", 9).is_some() {
        ("a Go profile that counts goroutines, threads or blocking", "fetch /debug/pprof/heap instead")
    } else if starts("--- contention") || starts("--- mutex") {
        ("a lock contention profile", "fetch /debug/pprof/heap instead")
    } else if starts("--- thread") {
        ("a list of threads", "fetch /debug/pprof/heap instead")
    } else if starts("heap_v") {
        ("a jemalloc dump of an unknown version", "heapview reads heap_v2 with a sampling period, as in `heap_v2/524288`")
    } else if starts("___ Begin jemalloc statistics ___") {
        ("jemalloc statistics", "dump a profile with `prof.dump` instead")
    } else if is_process_map(first) {
        ("the memory map of a process", "give the heap profile")
    } else if starts("<!DOCTYPE") || starts("<!doctype") || starts("<html") {
        ("a web page", "the server may have answered with an error; fetch the profile again")
    } else {
        return None;
    })
}

/// `5500-5600 r-xp …`
fn is_process_map(line: &[u8]) -> bool {
    let Some(blank) = line.iter().position(|&b| b == b' ') else { return false };
    let (range, rest) = line.split_at(blank);
    let hex = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_hexdigit);
    let mut ends = range.split(|&b| b == b'-');
    let is_range = ends.next().is_some_and(hex) && ends.next().is_some_and(hex) && ends.next().is_none();
    is_range && rest.get(1..5).is_some_and(|p| p.iter().all(|b| b"rwxsp-".contains(b)))
}

fn json(head: &[u8]) -> Answer {
    if !head.starts_with(b"{") && !head.starts_with(b"[") {
        return None;
    }
    let has = |word: &str| find(head, word.as_bytes(), 1).is_some();
    Some(if has("speedscope") {
        ("a speedscope file", LATER)
    } else if has("\"snapshot\"") && has("\"meta\"") {
        ("a V8 heap snapshot (.heapsnapshot)", V8)
    } else if has("\"head\"") && has("\"callFrame\"") {
        ("a V8 heap profile (.heapprofile)", V8)
    } else if has("\"preprocessedProfileVersion\"") || has("\"meta\"") && has("\"libs\"") && has("\"threads\"") {
        ("a profile of the Firefox Profiler", FIREFOX)
    } else if has("\"traceEvents\"") || has("\"nodes\"") && has("\"timeDeltas\"") {
        ("a CPU trace", "heapview shows heap profiles")
    } else {
        ("an unrecognized JSON file", "heapview opens gperftools, jemalloc and pprof heap profiles, and binaries")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_name() {
        let name = |text: &[u8]| sniff(text).map(|(what, _)| what);
        assert_eq!(name(b"\x7fELF\x02\x01"), Some("a program (ELF)"));
        assert_eq!(name(b"goroutine profile: total 4\n"), Some("a Go profile that counts goroutines, threads or blocking"));
        assert_eq!(name(b"PERFILE2"), Some("a perf.data file of Linux perf"));
        assert_eq!(name(b"5500-5600 r-xp 0 00:00 0\n"), Some("the memory map of a process"));
        assert_eq!(name(&[0, 3, 0, 1, 0].map(u64::to_le_bytes).concat()), Some("a CPU profile of gperftools"));
        assert_eq!(name(&[0, 3, 0, 10_000, 0].map(u32::to_be_bytes).concat()), Some("a CPU profile of gperftools"));
        assert_eq!(name(b"memray\0\x0b"), Some("a memray recording of a Python program"));
        assert_eq!(name(b"FLR\0\0\x02"), Some("a JFR recording"));
        assert_eq!(name(b"{\"snapshot\":{\"meta\":{\"node_fields\":["), Some("a V8 heap snapshot (.heapsnapshot)"));
        assert_eq!(name(b"{\"head\":{\"callFrame\":{"), Some("a V8 heap profile (.heapprofile)"));
        let firefox = format!("{{\"meta\":{{\"categories\":[{}],\"preprocessedProfileVersion\":50", "1,".repeat(9000));
        assert_eq!(name(firefox.as_bytes()), Some("a profile of the Firefox Profiler"));
        // A chunk of bytehound that is none.
        assert_eq!(name(&[[1, 69, 0, 0, 0].as_slice(), &[7; 80]].concat()), None);
        assert_eq!(name(b"hello"), None);
        assert_eq!(name(b""), None);
    }
}
