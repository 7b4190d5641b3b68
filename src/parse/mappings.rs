//! From lines of a memory map to mappings, and from an address to its mapping.
//!
//! The rules are google/pprof's (`profile/profile.go: massageMappings`, `profile/legacy_profile.go: remapMappingIDs`), so that
//! both programs report the same files: executable lines only, adjacent lines of one file are merged, the program itself comes
//! first, and addresses outside of all mappings go to one catch-all mapping. In addition, each mapping gets the address its file
//! is loaded at ([`Mapping::bias`]), which only the full map shows.

use crate::base::id::{Id, IdVec, MappingId};
use crate::profile::{Mapping, ProfileBuilder};

use super::maps::Entry;

/// The mappings of a text profile while addresses are looked up.
pub(super) struct Mappings {
    list: IdVec<MappingId, Draft>,
    /// Address ranges without overlap, ascending: the first mapping that holds each.
    ranges: Vec<Range>,
    /// Ranges just below a mapping, where its file begins according to its offset.
    below: Vec<Range>,
    /// The mapping of everything, once it is needed.
    everything: Option<MappingId>,
    /// Program for profiles without a map; empty if unknown.
    pub(super) program: String,
}

struct Draft {
    start: u64,
    limit: u64,
    offset: u64,
    bias: Option<u64>,
    file: String,
    is_deleted: bool,
    build_id: String,
}

#[derive(Clone, Copy)]
struct Range {
    start: u64,
    limit: u64,
    mapping: MappingId,
}

impl Mappings {
    /// The mappings of a map's lines. O(n log n).
    pub(super) fn new(entries: &[Entry<'_>]) -> Self {
        let bias = biases(entries);
        let mut list: Vec<Draft> = Vec::new();
        for (entry, bias) in entries.iter().zip(bias).filter(|(e, _)| e.executable) {
            let next = Draft {
                start: entry.start,
                limit: entry.limit,
                offset: entry.offset,
                bias,
                file: String::from_utf8_lossy(&entry.file).into_owned(),
                is_deleted: entry.is_deleted,
                build_id: String::from_utf8_lossy(entry.build_id).to_ascii_lowercase(),
            };
            match list.last_mut() {
                Some(last) if last.continues_in(&next) => last.extend(next),
                _ => list.push(next),
            }
        }
        if let Some(main) = list.iter().position(|m| looks_like_a_program(&m.file)) {
            list.swap(0, main);
        }
        if let [first, second, ..] = &list[..]
            && first.file.starts_with("/anon_hugepage")
            && first.limit == second.start
        {
            list.remove(0);
        }
        // Load address of programs without PIE.
        const PROGRAM: u64 = 0x400000;
        if let Some(first) = list.first_mut()
            && first.start.wrapping_sub(first.offset) == PROGRAM
        {
            first.start = PROGRAM;
            first.offset = 0;
        }
        let list: IdVec<MappingId, Draft> = list.into();
        let ranges = first_of_overlapping(list.enumerate().map(|(mapping, m)| Range { start: m.start, limit: m.limit, mapping }));
        let below = list.enumerate().filter(|(_, m)| m.offset != 0 && m.offset <= m.start);
        let below = first_of_overlapping(below.map(|(mapping, m)| Range { start: m.start - m.offset, limit: m.start, mapping }));
        Mappings { list, ranges, below, everything: None, program: String::new() }
    }

    /// The mapping that holds `address`. O(log n).
    pub(super) fn find(&mut self, address: u64) -> Option<MappingId> {
        if address == 0 {
            return None;
        }
        if let Some(mapping) = holder(&self.ranges, address) {
            return Some(mapping);
        }
        if let Some(mapping) = holder(&self.below, address) {
            let draft = &mut self.list[mapping];
            draft.start = draft.start.saturating_sub(draft.offset);
            draft.offset = 0;
            return Some(mapping);
        }
        let Self { list, everything, program, .. } = self;
        Some(*everything.get_or_insert_with(|| {
            let file = if list.is_empty() { program.clone() } else { String::new() };
            list.push(Draft { start: 0, limit: u64::MAX, offset: 0, bias: None, file, is_deleted: false, build_id: String::new() })
        }))
    }

    /// Ranges of addresses, ascending and without overlap, each with the number that `add` gives to its mapping. `add` gets the path
    /// and the rest of each mapping, the program first.
    pub(super) fn ranges_with(&self, mut add: impl FnMut(&str, Mapping) -> MappingId) -> Vec<(u64, u64, MappingId)> {
        let added = self.list.iter().map(|draft| {
            let Draft { start, limit, offset, bias, is_deleted, .. } = *draft;
            add(&draft.file, Mapping { start, limit, offset, bias, is_deleted, ..Mapping::default() })
        });
        let added: Vec<MappingId> = added.collect();
        self.ranges.iter().map(|range| (range.start, range.limit, added[range.mapping.index()])).collect()
    }

    /// Gives all mappings to the builder, which numbers them as `find` did.
    pub(super) fn add_to(&self, builder: &mut ProfileBuilder, named: impl Fn(MappingId) -> bool) {
        for (id, draft) in self.list.enumerate() {
            let mapping = Mapping {
                start: draft.start,
                limit: draft.limit,
                offset: draft.offset,
                file: builder.string(&draft.file),
                build_id: builder.string(&draft.build_id),
                bias: draft.bias,
                is_deleted: draft.is_deleted,
                has_functions: named(id),
                ..Mapping::default()
            };
            builder.mapping(mapping);
        }
    }
}

impl Draft {
    /// Returns whether `next` is the rest of this mapping.
    fn continues_in(&self, next: &Draft) -> bool {
        let same = |a: &str, b: &str| a.is_empty() || b.is_empty() || a == b;
        let offset = self.offset.wrapping_add(self.limit.wrapping_sub(self.start));
        same(&self.file, &next.file)
            && same(&self.build_id, &next.build_id)
            && self.limit == next.start
            && (self.offset == 0 || next.offset == 0 || offset == next.offset)
    }

    fn extend(&mut self, next: Draft) {
        self.limit = next.limit;
        self.is_deleted |= next.is_deleted;
        self.bias = self.bias.or(next.bias);
        if !next.file.is_empty() {
            self.file = next.file;
        }
        if !next.build_id.is_empty() {
            self.build_id = next.build_id;
        }
    }
}

/// Not anonymous, not `[vdso]` and the like, not a shared library.
fn looks_like_a_program(file: &str) -> bool {
    let library = |s: &str| {
        s.ends_with(".so") || s.match_indices(".so").any(|(i, _)| matches!(s.as_bytes()[i + 3..], [b'.' | b'_', b'0'..=b'9', ..]))
    };
    !file.is_empty() && !file.starts_with('[') && !library(file)
}

/// Line → address of offset 0 of its file: the lowest such line of the run of that file's lines, in address order, with ascending
/// offsets. (A file mapped twice makes two runs.)
fn biases(entries: &[Entry<'_>]) -> Vec<Option<u64>> {
    let mut order: Vec<usize> = (0..entries.len()).filter(|&i| !entries[i].file.is_empty()).collect();
    order.sort_by_key(|&i| (&entries[i].file, entries[i].start, i));
    let mut bias = vec![None; entries.len()];
    let mut before: Option<&Entry<'_>> = None;
    let mut start = None;
    for i in order {
        let entry = &entries[i];
        if !before.is_some_and(|b| b.is_followed_by(entry)) {
            start = (entry.offset == 0).then_some(entry.start);
        }
        bias[i] = start;
        before = Some(entry);
    }
    bias
}

impl Entry<'_> {
    /// Returns whether `next`, which is higher, belongs to the same copy of the file.
    fn is_followed_by(&self, next: &Entry<'_>) -> bool {
        let rises = self.offset <= next.offset;
        let starts_anew = next.offset == 0 && self.limit != next.start;
        self.file == next.file && rises && !starts_anew
    }
}

/// Cuts ranges so that none overlap; where they do, the lowest number stays.
fn first_of_overlapping(ranges: impl Iterator<Item = Range>) -> Vec<Range> {
    let ranges: Vec<Range> = ranges.filter(|r| r.start < r.limit).collect();
    let mut events: Vec<(u64, bool, MappingId)> = Vec::with_capacity(2 * ranges.len());
    for r in &ranges {
        events.push((r.start, true, r.mapping));
        events.push((r.limit, false, r.mapping));
    }
    events.sort_unstable();
    let mut open = std::collections::BTreeSet::new();
    let mut cut: Vec<Range> = Vec::with_capacity(ranges.len());
    let mut since = 0;
    for (at, opens, mapping) in events {
        if let Some(&holder) = open.first()
            && since < at
        {
            match cut.last_mut() {
                Some(last) if last.mapping == holder && last.limit == since => last.limit = at,
                _ => cut.push(Range { start: since, limit: at, mapping: holder }),
            }
        }
        since = at;
        if opens {
            open.insert(mapping);
        } else {
            open.remove(&mapping);
        }
    }
    cut
}

fn holder(ranges: &[Range], address: u64) -> Option<MappingId> {
    let after = ranges.partition_point(|r| r.start <= address);
    let range = ranges.get(after.checked_sub(1)?)?;
    (address < range.limit).then_some(range.mapping)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::maps;
    use expect_test::{Expect, expect};

    fn check(section: &str, addresses: &[u64], want: Expect) {
        let mut mappings = Mappings::new(&maps::parse(section.as_bytes()));
        let found: Vec<String> = addresses.iter().map(|&a| format!("{a:x} in {:?}\n", mappings.find(a).map(|m| m.0))).collect();
        let list: String = mappings
            .list
            .enumerate()
            .map(|(id, m)| format!("{}: {:x}-{:x} +{:x} {:?} bias {:x?}\n", id.0, m.start, m.limit, m.offset, m.file, m.bias))
            .collect();
        want.assert_eq(&(list + &found.concat()));
    }

    #[test]
    fn the_program_comes_first_with_its_start_address() {
        check(
            "\
7f00000000-7f00001000 r--p 00000000 00:00 0 /lib/libc.so.6
7f00001000-7f00002000 r-xp 00001000 00:00 0 /lib/libc.so.6
55000000-55001000 r--p 00000000 00:00 0 /bin/it
55001000-55002000 r-xp 00000000 00:00 0 /bin/it
55002000-55003000 r-xp 00001000 00:00 0 /bin/it
55003000-55004000 rw-p 00002000 00:00 0
7f00008000-7f00009000 r-xp 00000000 00:00 0 [vdso]
",
            &[0x7f_0000_1fff, 0x5500_2fff, 0x5500_3000, 0],
            expect![[r#"
                0: 55001000-55003000 +0 "/bin/it" bias Some(55000000)
                1: 7f00001000-7f00002000 +1000 "/lib/libc.so.6" bias Some(7f00000000)
                2: 7f00008000-7f00009000 +0 "[vdso]" bias Some(7f00008000)
                3: 0-ffffffffffffffff +0 "" bias None
                7f00001fff in Some(1)
                55002fff in Some(0)
                55003000 in Some(3)
                0 in None
            "#]],
        );
    }

    #[test]
    fn a_library_loaded_twice_has_two_starts() {
        check(
            "\
7000-8000 r--p 0 00:00 0 /l.so
8000-9000 r-xp 1000 00:00 0 /l.so
9000-a000 r--p 0 00:00 0 /l.so
a000-b000 r-xp 1000 00:00 0 /l.so
",
            &[],
            expect![[r#"
                0: 8000-9000 +1000 "/l.so" bias Some(7000)
                1: a000-b000 +1000 "/l.so" bias Some(9000)
            "#]],
        );
    }

    #[test]
    fn programs_that_were_moved_to_huge_pages() {
        check(
            "\
400000-600000 r-xp 0 00:00 0 /anon_hugepage
600000-601000 r-xp 200000 00:00 0 /bin/it
",
            &[0x500000],
            expect![[r#"
                0: 400000-601000 +0 "/bin/it" bias None
                500000 in Some(0)
            "#]],
        );
        check(
            "7f10003000-7f10004000 r-xp 3000 00:00 0 /l.so\n",
            &[0x7f_1000_1000],
            expect![[r#"
                0: 7f10000000-7f10004000 +0 "/l.so" bias None
                7f10001000 in Some(0)
            "#]],
        );
    }

    #[test]
    fn the_first_of_overlapping_lines_wins() {
        check(
            "3000-5000 r-xp 0 00:00 0 /a\n1000-9000 r-xp 0 00:00 0 /b\n",
            &[0x2000, 0x3000, 0x4fff, 0x5000],
            expect![[r#"
                0: 3000-5000 +0 "/a" bias Some(3000)
                1: 1000-9000 +0 "/b" bias Some(1000)
                2000 in Some(1)
                3000 in Some(0)
                4fff in Some(0)
                5000 in Some(1)
            "#]],
        );
    }
}
