//! Opens units at a cost bounded by the file's length.
//!
//! A damaged file may have many units that refer to the same long abbreviation table, or to overlapping parts of one, and to the
//! same list of source files.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use gimli::{Abbreviations, DebugAbbrev, Dwarf, Reader, Section, Unit, UnitHeader};

use super::gimli_reader::Window;
use super::ranges::Budget;
use crate::base::hash::HashMap;

/// Bytes of line programs that may be read beyond what the section holds some times over.
const LINES: u64 = 16 << 20;

/// Ranges and functions that may be read, beyond a multiple of the section sizes.
const STEPS: u64 = 1 << 26;

/// Limit for one unit.
const STEPS_OF_UNIT: u64 = 10_000_000;

/// Inlined frames that any file may have at the wanted addresses, and further ones for each address.
const FRAMES: u64 = 1 << 20;
const FRAMES_PER_ADDRESS: u64 = 16;

/// State shared by the units of a file.
#[derive(Debug, Default)]
pub(super) struct Opener {
    /// Start offsets of abbreviation tables, ascending: each ends before the next.
    starts: Vec<usize>,
    /// Abbreviation tables shared by several units: read once.
    shared: HashMap<usize, OnceLock<Option<Arc<Abbreviations>>>>,
    /// Bytes of line programs that may still be read.
    lines_left: AtomicU64,
    /// Remaining number of ranges and functions.
    steps_left: AtomicU64,
    /// Inlined frames that may still be kept.
    frames_left: AtomicU64,
}

impl Opener {
    /// For these units. O(units).
    pub(super) fn new(dwarf: &Dwarf<Window<'_>>, units: &[UnitHeader<Window<'_>>]) -> Self {
        let mut starts: Vec<usize> = units.iter().map(|unit| unit.debug_abbrev_offset().0).collect();
        starts.sort_unstable();
        let shared = starts.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| (pair[0], OnceLock::new())).collect();
        starts.dedup();
        // Each unit has its own line program, whose header is read up to four times.
        let lines = dwarf.debug_line.reader().len() as u64;
        let ranges = dwarf.ranges.debug_ranges().reader().len() as u64 + dwarf.ranges.debug_rnglists().reader().len() as u64;
        let some_times = |bytes: u64, more: u64| AtomicU64::new(bytes.saturating_mul(16).saturating_add(more));
        Opener {
            starts,
            shared,
            lines_left: some_times(lines, LINES),
            steps_left: some_times(ranges, STEPS),
            frames_left: AtomicU64::new(FRAMES),
        }
    }

    /// The unit with this header; `None` when it is damaged, or shares more than units do.
    pub(super) fn open<'a>(&self, dwarf: &Dwarf<Window<'a>>, header: UnitHeader<Window<'a>>) -> Option<Unit<Window<'a>>> {
        let abbreviations = self.abbreviations(dwarf, &header)?;
        // Without a look at what is left the last one would be free, again and again.
        if self.lines_left.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let unit = Unit::new_with_abbreviations(dwarf, header, abbreviations).ok()?;
        self.take_lines(unit.line_program.as_ref().map_or(0, |program| program.header().header_length()));
        Some(unit)
    }

    /// The abbreviations of the unit with this header.
    pub(super) fn abbreviations(&self, dwarf: &Dwarf<Window<'_>>, header: &UnitHeader<Window<'_>>) -> Option<Arc<Abbreviations>> {
        let start = header.debug_abbrev_offset();
        let read = || {
            let mut section = dwarf.debug_abbrev.reader().clone();
            if let Some(&end) = self.starts.get(self.starts.partition_point(|&other| other <= start.0)) {
                section.truncate(end.min(section.len())).ok()?;
            }
            DebugAbbrev::from(section).abbreviations(start).ok().map(Arc::new)
        };
        match self.shared.get(&start.0) {
            Some(once) => once.get_or_init(read).clone(),
            None => read(),
        }
    }

    /// Consumes this many bytes of line programs; false if the limit is reached.
    pub(super) fn take_lines(&self, bytes: usize) -> bool {
        let take = |left: u64| Some(left.saturating_sub(bytes as u64));
        self.lines_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok_and(|before| before >= bytes as u64)
    }

    /// Raises the limit by the frames of this many addresses.
    pub(super) fn allow_frames(&self, n_addresses: usize) {
        self.frames_left.fetch_add(FRAMES_PER_ADDRESS * n_addresses as u64, Ordering::Relaxed);
    }

    /// Takes the room of an inlined frame; false when none is left.
    pub(super) fn take_frame(&self) -> bool {
        self.frames_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    /// Runs `work`, which looks for `n_addresses` in one unit, with the steps that it may take.
    pub(super) fn with_budget<T>(&self, n_addresses: usize, work: impl FnOnce(&mut Budget) -> T) -> T {
        let given = self.steps_left.load(Ordering::Relaxed).min(STEPS_OF_UNIT) + n_addresses as u64 * 10_000;
        let mut budget = Budget::new(given);
        let result = work(&mut budget);
        let spent = given - budget.left();
        let _ = self.steps_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(spent)));
        result
    }
}
