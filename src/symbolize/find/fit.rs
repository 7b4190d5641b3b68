//! Tests whether a file is the one that ran, when there is no build id.
//!
//! Text profiles have addresses and a memory map only. In the right file nearly every return address follows a call instruction,
//! and the mapped code ends where the file's code does; in another build hardly any address does (some 3 of 100 by chance).

use std::cell::OnceCell;

use object::Object;

use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId};
use crate::profile::{Mapping, Profile, Stacks};
use crate::symbolize::read::address;
use crate::symbolize::read::image::Image;
use crate::symbolize::read::layout::{Layout, Segment};
use crate::symbolize::read::machine::Machine;
use crate::symbolize::read::numbers;

/// Limit on addresses tested.
const MOST: usize = 256;

/// Below this number of addresses, a few that follow no call prove nothing.
const ENOUGH: usize = 10;

/// With this number of addresses, it is sufficient evidence if most follow no call.
const FEWEST: usize = 3;

/// The longest call instruction, bytes.
const LONGEST: u64 = 8;

/// Verdict on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It is the file that ran.
    Sure,
    /// No evidence against it.
    Likely,
    /// No evidence.
    Unknown,
    /// It is another file.
    No(Misfit),
}

/// Evidence that a file is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The code at return addresses.
    Calls {
        /// Number of addresses after a call instruction.
        n_calls: usize,
        /// Number of addresses tested.
        n_checked: usize,
    },
    /// Size of the file's code differs from the mapped size.
    Layout,
}

/// Return addresses of a profile by mapping, computed on demand.
pub(crate) struct CallSites<'a> {
    profile: &'a Profile,
    by_mapping: OnceCell<HashMap<MappingId, Vec<u64>>>,
}

impl<'a> CallSites<'a> {
    pub(crate) fn new(profile: &'a Profile) -> Self {
        CallSites { profile, by_mapping: OnceCell::new() }
    }

    /// Return addresses, sorted; leaves are excluded, since they need not follow a call. O(stacks).
    fn of(&self, mapping: MappingId) -> &[u64] {
        let by_mapping = self.by_mapping.get_or_init(|| {
            let (code, stacks) = (self.profile.code(), self.profile.stacks());
            let mut calls = vec![false; code.locations.len()];
            for &parent in stacks.parent.iter().filter(|&&parent| parent != Stacks::ROOT) {
                calls[code.frames[stacks.frame[parent]].location.0 as usize] = true;
            }
            let mut by_mapping: HashMap<MappingId, Vec<u64>> = HashMap::default();
            for (i, _) in calls.into_iter().enumerate().filter(|(_, calls)| *calls) {
                let location = &code.locations[LocationId(i as u32)];
                by_mapping.entry(location.mapping.unwrap_or(MappingId(u32::MAX))).or_default().push(location.address);
            }
            by_mapping.values_mut().for_each(|addresses| addresses.sort_unstable());
            by_mapping
        });
        by_mapping.get(&mapping).map_or(&[], Vec::as_slice)
    }
}

/// Evidence in the profile about one file.
pub(crate) struct Evidence<'a> {
    pub(crate) sites: &'a CallSites<'a>,
    /// The file's mappings.
    pub(crate) mappings: &'a [MappingId],
}

impl Evidence<'_> {
    /// Returns whether `image` can be the file.
    pub(crate) fn fit(&self, image: &Image) -> Fit {
        let mappings = &self.sites.profile.code().mappings;
        let calls = self.calls(image);
        match calls {
            Some((n_calls, n_checked)) if n_checked >= ENOUGH && n_calls * 10 >= n_checked * 9 => return Fit::Sure,
            Some((n_calls, n_checked)) if n_checked >= ENOUGH || (n_checked >= FEWEST && n_calls * 2 < n_checked) => {
                return Fit::No(Misfit::Calls { n_calls, n_checked });
            }
            _ => {}
        }
        let mut layouts =
            self.mappings.iter().filter(|m| !self.sites.of(**m).is_empty()).filter_map(|&m| reproduces(&image.layout, &mappings[m]));
        match layouts.next() {
            None => Fit::Unknown,
            Some(first) if first && layouts.all(|fits| fits) => Fit::Likely,
            Some(_) => Fit::No(Misfit::Layout),
        }
    }

    /// Number of return addresses that follow a call, and number tested; `None` if the code cannot be read.
    fn calls(&self, image: &Image) -> Option<(usize, usize)> {
        let Layout::Elf { segments, .. } = &image.layout else { return None };
        let follows = checker(&machine_of(image)?)?;
        if is_go(image) {
            return None;
        }
        if !segments.iter().any(Segment::has_code) {
            return None;
        }
        let mappings = &self.sites.profile.code().mappings;
        let (mut n_calls, mut n_checked) = (0, 0);
        // Addresses of a mapping without a range, as in interpreted recordings, are nowhere in the file; beside raw ones they prove nothing.
        let has_range = |id: &MappingId| mappings[*id].limit > mappings[*id].start;
        let all = !self.mappings.iter().any(has_range);
        for &id in self.mappings.iter().filter(|id| all || has_range(id)) {
            let addresses = self.sites.of(id);
            let step = addresses.len().div_ceil(MOST).max(1);
            for &address in addresses.iter().step_by(step) {
                n_checked += 1;
                let at = address::in_file(&image.layout, &mappings[id], address);
                let code = at.and_then(|at| around(image, segments, at));
                n_calls += usize::from(code.is_some_and(|(code, at)| follows(&code, at, image.little_endian)));
            }
        }
        Some((n_calls, n_checked))
    }
}

/// Returns whether a program is Go's: its text profiles list the frames of inlined functions as addresses of
/// their own, which follow no call.
fn is_go(image: &Image) -> bool {
    let names = [".gopclntab", ".go.buildinfo", ".data.rel.ro.gopclntab"];
    image.with(|object| names.iter().any(|name| object.section_by_name(name).is_some())).unwrap_or(false)
}

/// Architecture of an ELF file; reads its header only.
fn machine_of(image: &Image) -> Option<Machine> {
    match number(image.read(18, 2)?.as_slice(), image.little_endian)? {
        3 => Some(Machine::X86),
        40 => Some(Machine::Arm),
        62 => Some(Machine::X86_64),
        183 => Some(Machine::Aarch64),
        _ => None,
    }
}

/// The code around `address`, and the place of `address` in it.
fn around(image: &Image, segments: &[Segment], address: u64) -> Option<(Vec<u8>, usize)> {
    let segment = segments.iter().find(|s| s.is_code && address >= s.vaddr && address - s.vaddr < s.file_size)?;
    let inside = address - segment.vaddr;
    let from = inside.saturating_sub(LONGEST);
    let to = inside.saturating_add(LONGEST).min(segment.file_size);
    let code = image.read(segment.offset.checked_add(from)?, to - from)?;
    Some((code, (inside - from) as usize))
}

/// Tests whether the code at `at` is a call: the address is its last byte, as usual, or its first, or the byte after it, as some
/// writers record it.
type Checker = fn(code: &[u8], at: usize, is_little: bool) -> bool;

fn checker(machine: &Machine) -> Option<Checker> {
    match machine {
        Machine::X86 | Machine::X86_64 => Some(|code, at, _| {
            [at + 1, at].into_iter().any(|end| code.get(..end).is_some_and(x86_ends_with_call)) || code.get(at) == Some(&0xe8)
        }),
        Machine::Aarch64 => Some(|code, at, is_little| {
            let word = |at: usize| number(code.get(at..at.checked_add(4)?)?, is_little);
            // Return address less one, the return address, the call.
            [(at + 1).checked_sub(4), at.checked_sub(4), Some(at)].into_iter().flatten().filter_map(word).any(aarch64_is_call)
        }),
        Machine::Arm => Some(|code, at, is_little| {
            [at, at + 1].into_iter().any(|end| code.get(..end).is_some_and(|code| arm_ends_with_call(code, is_little)))
        }),
        Machine::Other(_) => None,
    }
}

/// `call rel32`, or `call` through a register or memory (`FF /2`) of the length that its
/// operands take. Prefixes may go before.
fn x86_ends_with_call(code: &[u8]) -> bool {
    let n = code.len();
    let at = |back: usize| n.checked_sub(back).and_then(|i| code.get(i)).copied();
    if at(5) == Some(0xe8) {
        return true;
    }
    [2, 3, 4, 6, 7].into_iter().any(|len| {
        let (Some(0xff), Some(operand)) = (at(len), at(len - 1)) else { return false };
        let has_index = operand & 7 == 4;
        let takes = match operand >> 6 {
            3 => 2,
            0 if operand & 7 == 5 => 6,
            0 if has_index && len > 2 && at(len - 2).is_some_and(|index| index & 7 == 5) => 7,
            0 if has_index => 3,
            0 => 2,
            1 => 3 + usize::from(has_index),
            _ => 6 + usize::from(has_index),
        };
        (operand >> 3) & 7 == 2 && takes == len
    })
}

/// `bl`, `blr`, and those with a signed pointer.
fn aarch64_is_call(word: u32) -> bool {
    word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000 || word & 0xfeff_f800 == 0xd63f_0800
}

/// `bl` and `blx`, in either instruction set.
fn arm_ends_with_call(code: &[u8], is_little: bool) -> bool {
    let half = |back: usize| number(code.get(code.len().checked_sub(back)?..)?.get(..2)?, is_little);
    let Some(last) = half(2) else { return false };
    if last & 0xff87 == 0x4780 {
        return true;
    }
    let Some(first) = half(4) else { return false };
    let is_thumb = first & 0xf800 == 0xf000 && (last & 0xd000 == 0xd000 || last & 0xd001 == 0xc000);
    let word = if is_little { last << 16 | first } else { first << 16 | last };
    is_thumb || word & 0x0f00_0000 == 0x0b00_0000 || word & 0x0fff_fff0 == 0x012f_ff30 || word & 0xfe00_0000 == 0xfa00_0000
}

/// A number of two or four bytes.
fn number(bytes: &[u8], is_little: bool) -> Option<u32> {
    u32::try_from(numbers::fixed(bytes, is_little)).ok()
}

/// Returns whether the code of a file with this layout, when mapped, ends where `mapping` does; `None` without evidence.
fn reproduces(layout: &Layout, mapping: &Mapping) -> Option<bool> {
    let Layout::Elf { segments, .. } = layout else { return None };
    if address::is_relative(mapping) || mapping.limit <= mapping.start || mapping.limit >= 1 << 63 {
        return None;
    }
    let end = mapping.offset.checked_add(mapping.limit - mapping.start)?;
    let mut code = segments.iter().filter(|s| s.has_code()).peekable();
    code.peek()?;
    let is_code = code.any(|s| {
        let last = s.offset.saturating_add(s.file_size);
        // Pages are this big, depending on the machine.
        [1 << 12, 1 << 14, 1 << 16].into_iter().any(|page| last.checked_next_multiple_of(page) == Some(end)) && mapping.offset <= last
    });
    Some(is_code || is_whole_image(segments, mapping))
}

/// Returns whether the mapping spans all segments: recorders that ask the loader know their extent, to the byte, and not which of them
/// are code.
fn is_whole_image(segments: &[Segment], mapping: &Mapping) -> bool {
    let first = segments.iter().map(|s| s.vaddr & !(0x1000 - 1)).min();
    let end = segments.iter().map(|s| s.vaddr.saturating_add(s.mem_size)).max();
    let size = end.zip(first).and_then(|(end, first)| end.checked_sub(first));
    mapping.offset == 0 && mapping.bias == Some(mapping.start) && size == Some(mapping.limit - mapping.start)
}

/// Returns whether the file is clearly younger than the profile, which was taken at `time_nanos` (0: unknown).
pub(crate) fn is_newer(image: &Image, time_nanos: i64) -> bool {
    let Some(taken) = u64::try_from(time_nanos).ok().filter(|&t| t > 0) else { return false };
    image.stamp().is_some_and(|stamp| stamp.written > taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_x86_are_known_by_their_bytes() {
        for call in [
            "e811223344",
            "ffd0",
            "41ffd4",
            "ff5008",
            "ff542408",
            "ff1511223344",
            "ff9011223344",
            "ff9424aabbccdd",
            "ff14c5aabbccdd",
            "ff14c8",
        ] {
            assert!(x86_ends_with_call(&bytes(&format!("9090{call}"))), "{call}");
            let check = checker(&Machine::X86_64).unwrap();
            let code = bytes(&format!("9090{call}9090"));
            assert!(check(&code, code.len() - 3, true), "{call}");
        }
        for other in ["9090909090", "ffe0", "ff2511223344", "ff10aa", "ffd090"] {
            assert!(!x86_ends_with_call(&bytes(&format!("9090{other}"))), "{other}");
        }
    }

    #[test]
    fn calls_of_arm_are_known_by_their_bytes() {
        assert!(aarch64_is_call(0x9400_0001) && aarch64_is_call(0xd63f_0100) && aarch64_is_call(0xd73f_0a11));
        assert!(!aarch64_is_call(0x1400_0001) && !aarch64_is_call(0xd61f_0100) && !aarch64_is_call(0xd65f_03c0));
        let check = checker(&Machine::Aarch64).unwrap();
        assert!(check(&bytes("1f2003d501000094"), 7, true));
        assert!(check(&bytes("9400000100000000"), 3, false));
        // `bl` and `blx` of ARM, of Thumb, and through a register.
        for call in ["010000eb", "33ff2fe1", "010000fa", "00f001f8", "00f002e8", "a047"] {
            assert!(arm_ends_with_call(&bytes(&format!("00000000{call}")), true), "{call}");
        }
        for other in ["010000ea", "1eff2fe1", "7047", "00f001b8"] {
            assert!(!arm_ends_with_call(&bytes(&format!("00000000{other}")), true), "{other}");
        }
    }

    #[test]
    fn mapped_code_ends_where_the_files_code_does() {
        let segment = |offset, size, is_code| Segment { offset, vaddr: offset, file_size: size, mem_size: size, align: 0x1000, is_code };
        let segments = vec![segment(0, 0x800, false), segment(0x1000, 0x2345, true)];
        let layout = Layout::Elf { kind: crate::symbolize::read::layout::ElfKind::Dyn, segments, text: Some(1) };
        let mapped = |offset, len: u64| Mapping { start: 0x7000_0000, limit: 0x7000_0000 + len, offset, ..Mapping::default() };
        assert_eq!(reproduces(&layout, &mapped(0x1000, 0x3000)), Some(true));
        assert_eq!(reproduces(&layout, &mapped(0, 0x4000)), Some(true));
        assert_eq!(reproduces(&layout, &mapped(0x1000, 0x4000)), Some(false));
        assert_eq!(reproduces(&layout, &Mapping { limit: u64::MAX, ..Mapping::default() }), None);
        // Debug information only, and the notes of the program.
        let notes = Segment { file_size: 0x32c, ..segment(0, 0x3000, true) };
        let layout = Layout::Elf { kind: crate::symbolize::read::layout::ElfKind::Dyn, segments: vec![notes], text: None };
        assert_eq!(reproduces(&layout, &mapped(0, 0x3000)), None);
    }

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
    }
}
