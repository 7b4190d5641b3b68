//! `/proc/PID/smaps` and `smaps_rollup`: mappings, each with the sizes of its pages.

use super::kilobytes::kilobytes;
use super::problems::{Problem, Problems};
use super::section::Section;
use super::status::Status;
use crate::parse::lines::{Lines, Scan};
use crate::profile::{MapClass, MapSums, MappedFile, MemoryMaps, PageSums, ProcessFacts};
use std::collections::BTreeMap;

/// glibc's arenas are aligned to this.
const ARENA: u64 = 64 << 20;

/// Most files that are named.
const MOST_FILES: usize = 20;

/// First line of a mapping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region<'a> {
    start: u64,
    end: u64,
    permissions: &'a [u8],
    offset: u64,
    path: &'a [u8],
}

impl Region<'_> {
    /// The only line of `smaps_rollup`.
    fn is_rollup(&self) -> bool {
        self.path == b"[rollup]"
    }

    /// Whether the file of the mapping before ends there: mappings are in the order of their addresses.
    fn begins_file(&self, before: &Region) -> bool {
        self.is_rollup() || before.is_rollup() || self.start <= before.start
    }
}

/// `start-end perms offset major:minor inode path`.
pub(super) fn region(line: &[u8]) -> Option<Region<'_>> {
    // Nearly all lines are keys.
    if !line.first().is_some_and(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte)) {
        return None;
    }
    let mut scan = Scan::new(line);
    let start = scan.hex()??;
    if scan.rest().first() != Some(&b'-') {
        return None;
    }
    scan.eat(b'-')?;
    let end = scan.hex()??;
    let permissions = scan.word();
    if permissions.len() != 4 {
        return None;
    }
    let offset = scan.hex()??;
    scan.hex()?;
    scan.eat(b':')?;
    scan.hex()?;
    scan.decimal()?;
    Some(Region { start, end, permissions, offset, path: scan.rest().trim_ascii() })
}

/// `Key:   12 kB`, `VmFlags: rd wr`.
pub(super) fn is_key_line(line: &[u8]) -> bool {
    let Some(colon) = line.iter().position(|&byte| byte == b':') else { return false };
    colon > 0 && line[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') && line[0].is_ascii_uppercase()
}

/// A mapping with its pages.
#[derive(Clone, Copy)]
struct Map<'a> {
    region: Region<'a>,
    pages: PageSums,
}

/// Mappings that are read.
pub(super) struct Maps;

impl Maps {
    /// Reads the section. O(size).
    pub(super) fn read(section: &mut Section, problems: &mut Problems) -> ProcessFacts {
        let mut maps: Vec<Map> = Vec::new();
        let mut lines = Lines::new(section.text, section.line);
        let mut is_cut = false;
        loop {
            let before = lines.clone();
            let Some(line) = lines.next() else { break };
            if let Some(region) = region(line.bytes) {
                if maps.last().is_some_and(|last| region.begins_file(&last.region)) {
                    lines = before;
                    break;
                }
                maps.push(Map { region, pages: PageSums::default() });
            } else if is_key_line(line.bytes)
                && !Status::begins(line.bytes)
                && let Some(map) = maps.last_mut()
            {
                is_cut = !line.ended;
                key(line.bytes, &mut map.pages, line.number, problems);
            } else {
                lines = before;
                break;
            }
        }
        if is_cut {
            problems.add(Problem::Cut, lines.next_number().saturating_sub(1));
        }
        let first = section.line;
        section.advance(&lines);
        match &maps[..] {
            [only] if only.region.is_rollup() => ProcessFacts::Rollup(only.pages),
            maps => ProcessFacts::Smaps(Box::new(classified(maps, first, problems))),
        }
    }
}

/// Adds the number of a line to the sum that it belongs to.
fn key(line: &[u8], pages: &mut PageSums, number: usize, problems: &mut Problems) {
    let (name, rest) = line.split_at(line.iter().position(|&byte| byte == b':').unwrap_or(line.len()));
    let sums: &mut [&mut i64] = match name {
        b"Rss" => &mut [&mut pages.rss],
        b"Pss" => &mut [&mut pages.pss],
        b"Private_Clean" | b"Private_Dirty" | b"Private_Hugetlb" => &mut [&mut pages.private],
        b"Anonymous" => &mut [&mut pages.anonymous],
        b"LazyFree" => &mut [&mut pages.lazy_free],
        b"AnonHugePages" => &mut [&mut pages.huge],
        b"Swap" => &mut [&mut pages.swap],
        _ => return,
    };
    let bytes = kilobytes(rest.strip_prefix(b":").unwrap_or(rest), number, problems);
    sums.iter_mut().for_each(|sum| **sum = sum.saturating_add(bytes));
}

/// Sums by class. O(mappings log files).
fn classified(maps: &[Map], first_line: usize, problems: &mut Problems) -> MemoryMaps {
    let mut all = MemoryMaps { n_maps: maps.len() as u64, ..MemoryMaps::default() };
    let mut files: BTreeMap<&[u8], i64> = BTreeMap::new();
    // Whether the mapping before may have its `.bss` right behind it.
    let mut is_data = false;
    let mut end = 0;
    for (at, map) in maps.iter().enumerate() {
        let Region { start, permissions, path, .. } = map.region;
        if start < end {
            problems.add(Problem::Overlap, first_line);
        }
        end = end.max(map.region.end);
        let before = at.checked_sub(1).map(|before| &maps[before].region).filter(|before| before.end == start);
        let behind = maps.get(at + 1).map(|map| &map.region).filter(|behind| behind.start == map.region.end);
        let class = match path {
            b"" if permissions.ends_with(b"s") => MapClass::Shared,
            b"" if is_data && before.is_some() && permissions.starts_with(b"rw") => MapClass::StaticData,
            b"" if is_arena(&map.region, behind) => MapClass::Arena,
            b"" if permissions.starts_with(b"rw") && before.is_some_and(is_guard) => MapClass::ThreadStack,
            b"" => MapClass::Anonymous,
            b"[heap]" => MapClass::Heap,
            b"[stack]" => MapClass::MainStack,
            // Kernels of before 4.5 name stacks of threads.
            _ if path.starts_with(b"[stack:") => MapClass::ThreadStack,
            _ if path.starts_with(b"[anon:") => MapClass::Named,
            _ if is_shared(path) => MapClass::Shared,
            _ if path.starts_with(b"[") => MapClass::Kernel,
            _ => MapClass::File,
        };
        is_data = class == MapClass::File && permissions.starts_with(b"rw");
        if class == MapClass::File {
            let rss = files.entry(path).or_default();
            *rss = rss.saturating_add(map.pages.rss);
            if all.program.is_empty() {
                all.program = text(path);
                all.program_start = start.saturating_sub(map.region.offset);
            }
        }
        let size = i64::try_from(map.region.end.saturating_sub(start)).unwrap_or(i64::MAX);
        match class {
            MapClass::File => {
                // Written pages of a private mapping are the process's own.
                let PageSums { anonymous, swap, lazy_free, huge, .. } = map.pages;
                let written = anonymous.min(map.pages.rss);
                let own = PageSums {
                    rss: written,
                    pss: written.min(map.pages.pss),
                    private: written,
                    anonymous,
                    lazy_free,
                    huge,
                    ..PageSums::default()
                };
                let rest = PageSums {
                    rss: map.pages.rss.saturating_sub(own.rss),
                    pss: map.pages.pss.saturating_sub(own.pss),
                    private: map.pages.private.saturating_sub(own.private),
                    swap,
                    ..PageSums::default()
                };
                add(&mut all.classes, MapSums { class, n_maps: 1, size, pages: rest });
                if own != PageSums::default() {
                    add(&mut all.classes, MapSums { class: MapClass::StaticData, n_maps: 0, size: 0, pages: own });
                }
            }
            class => add(&mut all.classes, MapSums { class, n_maps: 1, size, pages: map.pages }),
        }
    }
    let mut files: Vec<(&[u8], i64)> = files.into_iter().filter(|(_, rss)| *rss > 0).collect();
    files.sort_by_key(|(path, rss)| (std::cmp::Reverse(*rss), *path));
    files.truncate(MOST_FILES);
    all.files = files.into_iter().map(|(path, rss)| MappedFile { path: text(path), rss }).collect();
    all
}

fn add(classes: &mut Vec<MapSums>, sums: MapSums) {
    match classes.iter_mut().find(|known| known.class == sums.class) {
        Some(known) => {
            known.n_maps += sums.n_maps;
            known.size = known.size.saturating_add(sums.size);
            known.pages.add(&sums.pages);
        }
        None => classes.push(sums),
    }
}

/// Aligned like an arena of glibc, and followed by the rest of its address space, unless all of it is in use.
fn is_arena(map: &Region, behind: Option<&Region>) -> bool {
    let whole = map.start.is_multiple_of(ARENA) && map.permissions.starts_with(b"rw");
    let limit = map.start.saturating_add(ARENA);
    let reserves = |behind: &Region| behind.path.is_empty() && behind.permissions.starts_with(b"---") && behind.end >= limit;
    whole && map.end <= limit && (map.end == limit || behind.is_some_and(reserves))
}

/// Guards of stacks are a few pages; larger ones reserve address space.
fn is_guard(before: &Region) -> bool {
    const LARGEST: u64 = 1 << 20;
    before.path.is_empty() && before.permissions.starts_with(b"---") && before.end.saturating_sub(before.start) <= LARGEST
}

fn is_shared(path: &[u8]) -> bool {
    [&b"/dev/shm/"[..], b"/memfd:", b"/SYSV", b"/dev/zero", b"[anon_shmem:", b"/run/shm/"].iter().any(|start| path.starts_with(start))
}

fn text(path: &[u8]) -> String {
    /// As on Linux.
    const LONGEST: usize = 4096;
    String::from_utf8_lossy(&path[..path.len().min(LONGEST)]).into_owned()
}
