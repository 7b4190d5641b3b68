//! Process and group of a file about a process, from its name.
//!
//! Files of one capture are in a folder of their own (`capture/smaps`, `capture/status`), or begin alike: `app.0003.smaps` and
//! `app.0003.stats.json` go with the dump `app.0003.heap`, `smaps.4711` and `4711.status` belong to process 4711.
//!
//! Only looks at names, never at files.

/// Words of names that say what a file is.
const WORDS: [&str; 19] = [
    "smaps",
    "smaps_rollup",
    "rollup",
    "status",
    "stats",
    "stat",
    "malloc_info",
    "malloc",
    "jemalloc",
    "tcmalloc",
    "glibc",
    "capture",
    "json",
    "xml",
    "txt",
    "log",
    "out",
    "gz",
    "zst",
];

/// Words that nothing but such a file has in its name.
const SURE: [&str; 8] = ["smaps", "smaps_rollup", "rollup", "status", "stats", "malloc_info", "jemalloc", "tcmalloc"];

/// Parsed name of a file about a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessName {
    /// The name without the words that say what the file is.
    pub stem: String,
    /// Process id, where it is beside such a word.
    pub pid: Option<u64>,
    /// The name says that it is such a file.
    pub is_sure: bool,
}

impl ProcessName {
    /// Reads the base name of a file. O(length).
    pub fn read(name: &str) -> ProcessName {
        let parts: Vec<&str> = name.split('.').collect();
        let is_word = |part: &&str| WORDS.contains(&part.to_ascii_lowercase().as_str());
        let stem: Vec<&str> = parts.iter().copied().filter(|part| !is_word(part)).collect();
        let is_sure = parts.iter().any(|part| SURE.contains(&part.to_ascii_lowercase().as_str()));
        // Numbers of dumps have zeros in front, or are small.
        let number = |part: &&str| part.parse::<u64>().ok().filter(|_| !part.starts_with('0'));
        let pid = match stem[..] {
            [only] if is_sure => number(&only),
            [.., last] if is_sure => number(&last).filter(|pid| *pid >= 100),
            _ => None,
        };
        ProcessName { stem: stem.join("."), pid, is_sure }
    }

    /// Group of a file at this path: its folder and the stem of its name.
    pub fn group(path: &str) -> String {
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
        format!("{folder}/{}", ProcessName::read(name).stem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_groups_and_processes() {
        for (name, stem, pid) in [
            ("smaps", "", None),
            ("smaps.4711", "4711", Some(4711)),
            ("4711.smaps", "4711", Some(4711)),
            ("7.status", "7", Some(7)),
            ("app.4711.smaps", "app.4711", Some(4711)),
            ("app.0003.smaps", "app.0003", None),
            ("app.3.smaps", "app.3", None),
            ("app.0003.stats.json", "app.0003", None),
            ("jeprof.4711.3.i3.smaps", "jeprof.4711.3.i3", None),
            ("stats.json", "", None),
            ("malloc_info.xml", "", None),
            ("run.log", "run", None),
        ] {
            let read = ProcessName::read(name);
            assert_eq!((read.stem.as_str(), read.pid), (stem, pid), "{name}");
        }
        assert!(ProcessName::read("x.smaps").is_sure && !ProcessName::read("x.log").is_sure);
        assert_eq!(ProcessName::group("a/b/smaps"), "a/b/");
        assert_eq!(ProcessName::group("x.1.smaps"), "/x.1");
    }
}
