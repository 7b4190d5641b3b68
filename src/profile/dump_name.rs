//! Process and sequence number of a dump, from its file name.
//!
//! Writers number their dumps: gperftools writes `<prefix>.NNNN.heap`, with `_<pid>` behind the prefix in
//! child processes and `.rank-N` or `.slurmid-N` before that (`src/base/sysinfo.cc`); jemalloc
//! `<prefix>.<pid>.<seq>.<k>[<kseq>].heap` with one `seq` for all kinds `k`, and 5.3.1 may put the process id of
//! a namespace before `<pid>` (`src/prof_sys.c`); pprof `pprof.<program>.<types>.NNN.pb.gz`. People write
//! `heap_1.pb.gz` or the time. Prefixes may hold anything, so names are read from their end.
//!
//! Only looks at names, never at files.

use std::sync::LazyLock;

use regex::Regex;

/// Parsed file name of a dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpName {
    /// Process: the part common to all of its dumps. Empty if the name has no number.
    pub series: String,
    /// Sequence number; need not begin at 0 or be consecutive.
    pub number: Option<u64>,
    /// The number is separated from the name, as programs write it: `x.1` and `x_1`, not `x1`.
    pub is_apart: bool,
}

/// Extensions of compression and formats, outer ones first.
const PACKED: [&str; 5] = ["gz", "zst", "zstd", "xz", "bz2"];
const FORMATS: [&str; 14] =
    ["heap", "pb", "pprof", "prof", "profile", "hprof", "folded", "collapsed", "symbolized", "txt", "out", "raw", "dump", "heapprofile"];
/// Further endings of recordings.
const RECORDINGS: [&str; 4] = ["json", "massif", "dhat", "heaptrack"];
/// How recorders that write one file begin its name, with the process id at its end.
const RECORDERS: [&str; 4] = ["heaptrack.", "massif.out.", "dhat.out.", "xtmemory."];

/// Whether files named one by one are dumps of processes: all are numbered, and two belong to the same. `files`: process, and
/// whether the name is numbered.
pub fn are_of_processes<'a>(files: impl Iterator<Item = (&'a str, bool)>) -> bool {
    let (mut processes, is_numbered): (Vec<&str>, Vec<bool>) = files.unzip();
    processes.sort_unstable();
    is_numbered.into_iter().all(|is_numbered| is_numbered) && processes.windows(2).any(|pair| pair[0] == pair[1])
}

impl DumpName {
    /// Whether the name has a number that is separated from it.
    pub fn is_numbered(&self) -> bool {
        self.number.is_some() && self.is_apart
    }

    /// Reads the base name of a file. O(length).
    pub fn read(name: &str) -> DumpName {
        let name = without(name, &PACKED);
        let stem = without(name, &FORMATS);
        if stem != name
            && let Some(found) = of_jemalloc(stem)
        {
            return found;
        }
        of_time(stem).or_else(|| of_number(stem)).unwrap_or_default()
    }

    /// The base name of a dump without endings of formats: what files beside it begin with.
    pub fn stem(name: &str) -> &str {
        let endings = [&PACKED[..], &FORMATS, &RECORDINGS].concat();
        let mut stem = name;
        loop {
            let shorter = without(stem, &endings);
            if shorter == stem {
                return stem;
            }
            stem = shorter;
        }
    }

    /// Process id in the base name of a dump, where its writer puts one.
    pub fn pid(name: &str) -> Option<u64> {
        if RECORDERS.iter().any(|start| name.starts_with(start)) {
            return DumpName::stem(name).rsplit('.').find_map(|part| part.parse().ok());
        }
        // Before the number of the dump, at the end of the process's name.
        let series = DumpName::read(name).series;
        let (_, number) = series.rsplit_once(['.', '_'])?;
        number.parse().ok()
    }

    /// Whether the name is a pid alone, as in `.13992.0.f.heap`, where jemalloc's prefix is empty.
    pub fn is_numbered_by_jemalloc(&self) -> bool {
        self.is_apart && !self.series.is_empty() && self.series.bytes().all(|b| b.is_ascii_digit())
    }
}

fn without<'a>(name: &'a str, endings: &[&str]) -> &'a str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && endings.contains(&ending.to_ascii_lowercase().as_str()) => stem,
        _ => name,
    }
}

/// `<prefix>.<pid>.<seq>.<k>[<kseq>]`; the prefix may be empty.
fn of_jemalloc(stem: &str) -> Option<DumpName> {
    let (rest, kind) = stem.rsplit_once('.')?;
    let is_kind = kind == "f" || kind.strip_prefix(['i', 'm', 'u']).is_some_and(is_number);
    let (series, number) = rest.rsplit_once('.').filter(|_| is_kind)?;
    let (_, pid) = series.rsplit_once('.')?;
    let number = number.parse().ok().filter(|_| is_number(number) && is_number(pid))?;
    Some(DumpName { series: series.trim_start_matches('.').to_owned(), number: Some(number), is_apart: true })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `name-20261121-103305`, `name.2026-11-21T10:33:05Z`: the number is the time's digits.
fn of_time(stem: &str) -> Option<DumpName> {
    static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?:^|[._-])(20[0-9]{2})-?([01][0-9])-?([0-3][0-9])[T_.-]?([0-2][0-9])[:._-]?([0-5][0-9])[:._-]?([0-5][0-9])Z?$").ok()
    });
    let found = TIME.as_ref()?.captures(stem)?;
    let digits: String = (1..7).filter_map(|group| Some(found.get(group)?.as_str())).collect();
    let series = stem[..found.get(0)?.start()].to_owned();
    Some(DumpName { series, number: digits.parse().ok(), is_apart: true })
}

/// `name.0007`, `name_7`, `name7`, `7`.
fn of_number(stem: &str) -> Option<DumpName> {
    let front = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = stem[front.len()..].parse().ok()?;
    let series = front.strip_suffix(['.', '_', '-']).unwrap_or(front);
    Some(DumpName { series: series.to_owned(), number: Some(number), is_apart: series.len() < front.len() || front.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_name_process_and_number() {
        for (name, series, number) in [
            // gperftools
            ("shop.0001.heap", "shop", 1),
            ("shop.9999.heap", "shop", 9999),
            ("shop.10000.heap", "shop", 10000),
            ("shop_4711.0003.heap", "shop_4711", 3),
            ("shop.rank-2_4711.0003.heap", "shop.rank-2_4711", 3),
            ("shop.slurmid-12.0003.heap", "shop.slurmid-12", 3),
            ("my.server.v2.0003.heap", "my.server.v2", 3),
            ("shop.0003.heap.gz", "shop", 3),
            // jemalloc
            ("jeprof.13992.0.m0.heap", "jeprof.13992", 0),
            ("jeprof.13992.10.i7.heap", "jeprof.13992", 10),
            ("jeprof.13992.11.u2.heap", "jeprof.13992", 11),
            ("jeprof.13992.12.f.heap", "jeprof.13992", 12),
            ("my.app.1.2.13992.3.i3.heap", "my.app.1.2.13992", 3),
            ("jeprof.1.13992.3.i3.heap", "jeprof.1.13992", 3),
            (".13992.3.i3.heap", "13992", 3),
            ("other.13992.3.i3.heap.zst", "other.13992", 3),
            // Go, pprof and by hand
            ("heap_1.pb.gz", "heap", 1),
            ("heap-12.pb", "heap", 12),
            ("pprof.server.alloc_objects.inuse_space.007.pb.gz", "pprof.server.alloc_objects.inuse_space", 7),
            ("heap.20261121-103305.pb.gz", "heap", 20261121103305),
            ("heap-2026-11-21T10:33:05Z.pb.gz", "heap", 20261121103305),
            ("20261121103305.pb.gz", "", 20261121103305),
            ("3.heap", "", 3),
        ] {
            assert_eq!(DumpName::read(name), DumpName { series: series.into(), number: Some(number), is_apart: true }, "{name}");
        }
    }

    #[test]
    fn names_have_stems_and_process_ids() {
        for (name, stem, pid) in [
            ("jeprof.13992.10.i7.heap", "jeprof.13992.10.i7", Some(13992)),
            ("shop_4711.0003.heap.gz", "shop_4711.0003", Some(4711)),
            ("shop.0003.heap", "shop.0003", None),
            ("heaptrack.shop.4711.zst", "heaptrack.shop.4711", Some(4711)),
            ("massif.out.4711", "massif.out.4711", Some(4711)),
            ("dhat.out.4711.json", "dhat.out.4711", Some(4711)),
            ("xtmemory.kcg.4711", "xtmemory.kcg.4711", Some(4711)),
            ("heap.json", "heap", None),
            ("shop.massif", "shop", None),
            (".heap", ".heap", None),
        ] {
            assert_eq!((DumpName::stem(name), DumpName::pid(name)), (stem, pid), "{name}");
        }
    }

    #[test]
    fn other_names_have_fewer_parts() {
        assert_eq!(DumpName::read("before.heap"), DumpName::default());
        assert_eq!(DumpName::read("heap.pb.gz"), DumpName::default());
        assert_eq!(DumpName::read(".heap"), DumpName::default());
        assert_eq!(DumpName::read(""), DumpName::default());
        assert_eq!(DumpName::read("x.99999999999999999999999.heap"), DumpName::default());
        // A name that ends in a digit is ambiguous.
        assert_eq!(DumpName::read("heap1.pb.gz"), DumpName { series: "heap".into(), number: Some(1), is_apart: false });
        // No kind of jemalloc's.
        assert_eq!(
            DumpName::read("jeprof.13992.3.x3.heap"),
            DumpName { series: "jeprof.13992.3.x".into(), number: Some(3), is_apart: false }
        );
        assert_eq!(DumpName::read("jeprof.13992.3.i.heap"), DumpName::default());
    }
}
