//! From addresses of the profiled process to addresses of a file.
//!
//! Addresses in a profile are call addresses already: only the load bias is subtracted here.

use super::layout::{ElfKind, Layout, Segment};
use crate::profile::Mapping;

const PAGE: u64 = 4096;

/// Returns whether addresses of the mapping are the file's own already, as jemalloc_pprof writes them.
pub(crate) fn is_relative(mapping: &Mapping) -> bool {
    mapping.start == 0 && mapping.offset == 0 && matches!(mapping.limit, 0 | u64::MAX)
}

/// The address in the file of `address`, which is in `mapping`; `None` when the
/// mapping cannot be of a file with this layout.
pub(crate) fn in_file(layout: &Layout, mapping: &Mapping, address: u64) -> Option<u64> {
    if is_relative(mapping) {
        return Some(address);
    }
    if mapping.limit > mapping.start && !(mapping.start..mapping.limit).contains(&address) {
        return None;
    }
    bias(layout, mapping, address).map(|bias| address.wrapping_sub(bias))
}

/// The distance between where the file is in memory and where it was linked.
fn bias(layout: &Layout, mapping: &Mapping, address: u64) -> Option<u64> {
    let (kind, segments, text) = match layout {
        Layout::Linked { .. } if mapping.start == 0 => return Some(0),
        Layout::Linked { base, start } => {
            // Offsets may count from the begin of the universal file.
            let offset = mapping.offset.checked_sub(*start).unwrap_or(mapping.offset);
            return Some(mapping.start.wrapping_sub(offset).wrapping_sub(*base));
        }
        Layout::Elf { kind, segments, text } => (*kind, segments, *text),
    };
    if let (Some(start), ElfKind::Dyn) = (mapping.bias, kind) {
        // Address of the file's first byte, from the link address of its segment.
        let first = segments.iter().find(|s| s.file_size > 0 && s.offset < PAGE.max(s.align.min(1 << 21)));
        return Some(start.wrapping_sub(first.map_or(0, |s| s.vaddr.wrapping_sub(s.offset))));
    }
    if mapping.bias == Some(mapping.start) && mapping.offset == 0 && kind == ElfKind::Exec {
        // The whole file, where it was linked.
        return Some(0);
    }
    let segment = match segment_of(segments, mapping, address) {
        SegmentMatch::One(segment) => Some(segment),
        SegmentMatch::Start(segment) if kind == ElfKind::Dyn => return Some(mapping.start.wrapping_sub(segment.vaddr & !(PAGE - 1))),
        SegmentMatch::Start(_) => return Some(0),
        SegmentMatch::NoneLoaded => None,
        SegmentMatch::Unknown => text.and_then(|i| segments.get(i)),
        SegmentMatch::Mismatch => return None,
    };
    let start = mapping.start.wrapping_sub(mapping.offset);
    Some(match (kind, segment) {
        (ElfKind::Rel, _) => mapping.start,
        (ElfKind::Exec, None) => 0,
        (_, Some(s)) => start.wrapping_add(s.offset).wrapping_sub(s.vaddr),
        (ElfKind::Dyn, None) => start,
    })
}

enum SegmentMatch<'a> {
    One(&'a Segment),
    /// A segment with a known address only begins where the mapping does.
    Start(&'a Segment),
    /// The file loads nothing.
    NoneLoaded,
    /// The mapping has no size to judge by.
    Unknown,
    Mismatch,
}

/// Segment of `mapping`, by the rules of pprof (`internal/elfexec`).
fn segment_of<'a>(segments: &'a [Segment], mapping: &Mapping, address: u64) -> SegmentMatch<'a> {
    if mapping.start >= mapping.limit || mapping.limit >= 1 << 63 {
        return SegmentMatch::Unknown;
    }
    if segments.is_empty() {
        return SegmentMatch::NoneLoaded;
    }
    if !segments.iter().any(Segment::has_code) && segments.iter().any(|s| s.is_code) {
        return of_debug_file(segments, mapping);
    }
    let from = mapping.offset;
    let to = from.saturating_add(mapping.limit - mapping.start);
    let candidates: Vec<&Segment> = segments
        .iter()
        .filter(|s| {
            let end = s.offset.saturating_add(s.mem_size);
            let first_page = s.offset.saturating_sub(s.vaddr & s.align.saturating_sub(1));
            // Less than its last page, and something else after it.
            let is_tail = from > s.offset && end < from.saturating_add(PAGE) && to >= end.saturating_add(PAGE);
            s.file_size > 0 && from < end && s.offset < to && from >= first_page && !is_tail
        })
        .collect();
    match candidates[..] {
        [] => SegmentMatch::Mismatch,
        [one] => SegmentMatch::One(one),
        _ => {
            let at = address.wrapping_sub(mapping.start).wrapping_add(from);
            let mut inside = candidates.iter().filter(|s| at >= s.offset && at - s.offset < s.mem_size);
            match (inside.next(), inside.next()) {
                (Some(one), None) => SegmentMatch::One(one),
                _ => SegmentMatch::Mismatch,
            }
        }
    }
}

/// Debug-only files keep the addresses of segments but not their offsets in the program: the only code segment with the mapping's
/// length.
fn of_debug_file<'a>(segments: &'a [Segment], mapping: &Mapping) -> SegmentMatch<'a> {
    let first_page = |s: &Segment| s.vaddr & !(PAGE - 1);
    let pages = |s: &Segment| s.vaddr.checked_add(s.mem_size)?.checked_next_multiple_of(PAGE)?.checked_sub(first_page(s));
    let mut fitting = segments.iter().filter(|s| s.is_code && pages(s) == Some(mapping.limit - mapping.start));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => SegmentMatch::Start(one),
        _ => SegmentMatch::Mismatch,
    }
}

#[cfg(test)]
mod tests {
    use super::in_file;
    use crate::profile::Mapping;
    use crate::symbolize::read::layout::{ElfKind, Layout, Segment};

    fn segment(offset: u64, vaddr: u64, size: u64) -> Segment {
        Segment { offset, vaddr, file_size: size, mem_size: size, align: 0x1000, is_code: offset == 0x13bd0 }
    }

    /// As lld lays them out: addresses run ahead of offsets by a page a segment.
    fn lld(kind: ElfKind, base: u64) -> Layout {
        let segments = vec![segment(0, base, 0x13bcc), segment(0x13bd0, base + 0x14bd0, 0x3e000), segment(0x51bd0, base + 0x53bd0, 0x2000)];
        Layout::Elf { kind, segments, text: Some(1) }
    }

    #[test]
    fn segment_of_the_mapping_decides() {
        let text = Mapping { start: 0x55c2_f221_1000, limit: 0x55c2_f225_0000, offset: 0x13000, ..Mapping::default() };
        assert_eq!(in_file(&lld(ElfKind::Dyn, 0), &text, 0x55c2_f221_1eb0), Some(0x14eb0));
    }

    #[test]
    fn full_map_needs_no_segment() {
        let text = Mapping {
            start: 0x55c2_f221_1000,
            limit: 0x55c2_f225_0000,
            offset: 0x13000,
            bias: Some(0x55c2_f21f_d000),
            ..Mapping::default()
        };
        assert_eq!(in_file(&lld(ElfKind::Dyn, 0), &text, 0x55c2_f221_1eb0), Some(0x14eb0));
        // A library linked for another address than 0.
        assert_eq!(in_file(&lld(ElfKind::Dyn, 0x10000), &text, 0x55c2_f221_1eb0), Some(0x24eb0));
    }

    #[test]
    fn fixed_programs_lie_where_they_were_linked() {
        let text = Mapping { start: 0x214000, limit: 0x253000, offset: 0x13000, bias: Some(0x200000), ..Mapping::default() };
        assert_eq!(in_file(&lld(ElfKind::Exec, 0x200000), &text, 0x214eb0), Some(0x214eb0));
    }

    #[test]
    fn whole_space_means_addresses_of_the_file() {
        for limit in [0, u64::MAX] {
            let all = Mapping { limit, ..Mapping::default() };
            assert_eq!(in_file(&lld(ElfKind::Dyn, 0), &all, 0x14eb0), Some(0x14eb0));
        }
    }

    #[test]
    fn debug_files_tell_by_the_size_of_the_code() {
        let Layout::Elf { kind, mut segments, text } = lld(ElfKind::Dyn, 0) else { panic!() };
        segments.iter_mut().for_each(|s| (s.offset, s.file_size) = (0, 0));
        // Notes stay.
        segments[0].file_size = 0x354;
        let layout = Layout::Elf { kind, segments, text };
        let text = Mapping { start: 0x55c2_f221_1000, limit: 0x55c2_f225_0000, offset: 0x13000, ..Mapping::default() };
        assert_eq!(in_file(&layout, &text, 0x55c2_f221_1eb0), Some(0x14eb0));
        let other = Mapping { limit: 0x55c2_f229_0000, ..text };
        assert_eq!(in_file(&layout, &other, 0x55c2_f221_1eb0), None);
    }

    #[test]
    fn other_files_and_addresses_are_refused() {
        let text = Mapping { start: 0x1000_0000, limit: 0x1000_1000, offset: 0x90_0000, ..Mapping::default() };
        assert_eq!(in_file(&lld(ElfKind::Dyn, 0), &text, 0x1000_0010), None);
        assert_eq!(in_file(&lld(ElfKind::Dyn, 0), &text, 0x2000_0000), None);
    }
}
