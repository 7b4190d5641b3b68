//! Names of code generated at run time (JIT), from the map files that such programs write for perf, `/tmp/perf-<pid>.map`.
//!
//! ```text
//! 7f3a10000000 40 LazyCompile:~render app.js:12
//! 7f3a10000040 1c0 Builtin:StringAdd
//! ```
//!
//! Addresses are those of the process. Where entries overlap, the last one counts, since discarded code leaves its place to newer
//! code.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Most that is read, bytes.
const MOST: u64 = 1 << 28;

/// The map's entries.
#[derive(Debug, Default)]
pub(crate) struct PerfMap {
    /// Start, one past the last byte, name; by start, of equals the last one.
    entries: Vec<(u64, u64, String)>,
    /// Size of the longest entry, bytes.
    longest: u64,
}

impl PerfMap {
    /// Reads the file. Lines that are no entries are left out.
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        let mut entries = Vec::new();
        let mut reader = BufReader::new(File::open(path)?.take(MOST));
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            entries.extend(entry(&String::from_utf8_lossy(&line)));
            line.clear();
        }
        // Stable, so that the last of equals stays the last.
        entries.sort_by_key(|&(start, ..)| start);
        let longest = entries.iter().map(|(start, end, _)| end - start).max().unwrap_or(0);
        Ok(PerfMap { entries, longest })
    }

    /// The name of the code at `address`. O(log n), but for entries that overlap.
    pub(crate) fn find(&self, address: u64) -> Option<&str> {
        let after = self.entries.partition_point(|(start, ..)| *start <= address);
        let near = self.entries[..after].iter().rev().take(1000).take_while(|(start, ..)| address - start < self.longest);
        near.filter(|(_, end, _)| address < *end).map(|(.., name)| name.as_str()).next()
    }
}

fn entry(line: &str) -> Option<(u64, u64, String)> {
    let (start, rest) = line.trim_start().split_once(' ')?;
    let (size, name) = rest.trim_start().split_once(' ')?;
    let hex = |text: &str| u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok();
    let (start, size, name) = (hex(start)?, hex(size)?, name.trim());
    let end = start.checked_add(size).filter(|&end| end > start)?;
    (!name.is_empty()).then(|| (start, end, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entry_that_holds_an_address_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perf-1.map");
        std::fs::write(&path, "1000 40 first of all\n0x1040 20 second\n1000 10 again\nzz 1 no\n1 2\n2000 0 empty\n").unwrap();
        let map = PerfMap::read(&path).unwrap();
        let names: Vec<_> = [0xfff, 0x1000, 0x1010, 0x1040, 0x1060, 0x2000].map(|a| map.find(a)).into();
        assert_eq!(names, [None, Some("again"), Some("first of all"), Some("second"), None, None]);
        assert!(PerfMap::read(folder.path()).is_err());
    }
}
