//! Which process a dump is of, so that restarts are seen.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What identifies a process; parts that are not known are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Identity {
    /// Start by its own metrics, seconds since 1970.
    pub(super) start: Option<u64>,
    /// Where the kernel put things: hash of the first mapping and of the vdso, in dumps with a memory map.
    pub(super) map: Option<u64>,
    /// Bytes allocated since the start.
    pub(super) allocated: Option<u64>,
}

impl Identity {
    /// Whether `later` is certainly another process.
    pub(super) fn is_replaced_by(&self, later: &Identity) -> bool {
        fn both<T: Copy>(a: Option<T>, b: Option<T>) -> Option<(T, T)> {
            Some((a?, b?))
        }
        if let Some((a, b)) = both(self.start, later.start) {
            // Programs that compute it anew for each answer are a second off.
            return a.abs_diff(b) > 2;
        }
        if let Some((a, b)) = both(self.map, later.map) {
            return a != b;
        }
        both(self.allocated, later.allocated).is_some_and(|(a, b)| b < a)
    }

    /// Takes what `later` knows of the same process.
    pub(super) fn update(&mut self, later: &Identity) {
        self.start = later.start.or(self.start);
        self.map = later.map.or(self.map);
        self.allocated = later.allocated.or(self.allocated);
    }
}

/// The map of a text dump, which ends with `/proc/self/maps`.
pub(super) fn map(dump: &[u8]) -> Option<u64> {
    let heading = b"MAPPED_LIBRARIES:";
    let at = dump.windows(heading.len()).rposition(|window| window == heading)?;
    let text = String::from_utf8_lossy(&dump[at + heading.len()..]);
    let start = |line: &str| line.split_once('-').and_then(|(start, _)| u64::from_str_radix(start.trim(), 16).ok());
    let first = text.lines().find_map(start)?;
    let vdso = text.lines().find(|line| line.trim_end().ends_with("[vdso]")).and_then(start);
    let mut hasher = DefaultHasher::new();
    (first, vdso).hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(start: Option<u64>, map: Option<u64>, allocated: Option<u64>) -> Identity {
        Identity { start, map, allocated }
    }

    #[test]
    fn restarts_are_seen_by_the_best_that_both_know() {
        for (before, after, is_other) in [
            (of(Some(10), Some(1), Some(5)), of(Some(11), Some(2), Some(1)), false),
            (of(Some(10), None, None), of(Some(20), None, None), true),
            (of(Some(10), Some(1), None), of(None, Some(2), None), true),
            (of(None, None, Some(5)), of(None, None, Some(4)), true),
            (of(None, None, Some(5)), of(None, None, Some(5)), false),
            (of(Some(1), None, None), of(None, Some(1), Some(0)), false),
        ] {
            assert_eq!(before.is_replaced_by(&after), is_other, "{before:?} {after:?}");
        }
    }

    #[test]
    fn maps_are_of_one_process() {
        let dump = |start: &str, vdso: &str, more: &str| {
            let text = format!(
                "heap profile: 1: 1 [1: 1] @ x\n\nMAPPED_LIBRARIES:\n{start}-56000000 r-xp 0 0:0 1 /bin/a\n{more}{vdso}-7ffe0000 r-xp 0 0:0 0 [vdso]\n"
            );
            map(text.as_bytes())
        };
        let first = dump("55000000", "7ffd0000", "");
        assert!(first.is_some());
        assert_eq!(first, dump("55000000", "7ffd0000", "7f000000-7f100000 r-xp 0 0:0 2 /lib/new.so\n"));
        assert_ne!(first, dump("55100000", "7ffd0000", ""));
        assert_ne!(first, dump("55000000", "7ffd1000", ""));
        assert_eq!(map(b"no map"), None);
    }
}
