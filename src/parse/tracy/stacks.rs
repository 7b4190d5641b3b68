//! Stacks that blocks name, and the frames in them; others are skipped.

use super::names::{AtLeaf, Frame, NamedLine, Names};
use super::problems::{Problem, Problems};
use super::tables::Texts;
use super::text::{Ended, Text};
use crate::base::hash::HashMap;
use crate::base::id::LocationId;
use crate::profile::ProfileBuilder;

/// Most frames of all stacks, different ones, and functions in them.
const MOST_FRAMES: usize = 1 << 26;
const MOST_NUMBERS: usize = 1 << 22;
const MOST_LINES: usize = 1 << 23;
/// Most frames of a stack that are kept.
const DEEPEST: usize = 1 << 9;

/// A stack in the list of frames.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    start: u32,
    n: u32,
}

/// Stacks by number.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// Number of the stack → where it is; numbers that no block names have no frames.
    ranges: Vec<Range>,
    /// Frames of all stacks, leaf first: places in `shown`.
    frames: Vec<u32>,
    /// Frames as the file numbers them, in order of their first occurrence.
    numbers: Vec<u64>,
    known: HashMap<u64, u32>,
    /// The same, with names.
    shown: Vec<Option<Frame>>,
    /// Stacks that were cut.
    pub(super) n_cut: usize,
    /// Number of a stack → whether a block names it.
    is_wanted: Vec<bool>,
}

impl Stacks {
    /// `is_wanted`: number of a stack → whether a block names it.
    pub(super) fn new(is_wanted: Vec<bool>) -> Self {
        Stacks { is_wanted, ..Stacks::default() }
    }

    /// Reads the stacks. What was read before the end of the text stays.
    pub(super) fn read(&mut self, text: &mut Text<'_>, problems: &mut Problems) -> Result<(), Ended> {
        self.ranges.push(Range::default());
        for number in 1..=text.u64()? {
            let n = u64::from(text.u16()?);
            if !usize::try_from(number).is_ok_and(|number| self.is_wanted.get(number).copied().unwrap_or(false)) {
                text.skip(8 * n)?;
                if self.ranges.len() < self.is_wanted.len() {
                    self.ranges.push(Range::default());
                }
                continue;
            }
            let start = self.frames.len();
            let n_kept = n.min(DEEPEST as u64).min((MOST_FRAMES - start) as u64);
            for _ in 0..n_kept {
                let frame = text.u64()?;
                let Stacks { numbers, known, frames, .. } = self;
                if numbers.len() >= MOST_NUMBERS && !known.contains_key(&frame) {
                    problems.add(Problem::TooMany, text.at());
                    continue;
                }
                let place = *known.entry(frame).or_insert_with(|| {
                    numbers.push(frame);
                    numbers.len() as u32 - 1
                });
                frames.push(place);
            }
            if n_kept < n {
                self.n_cut += 1;
                text.skip(8 * (n - n_kept))?;
            }
            self.ranges.push(Range { start: start as u32, n: (self.frames.len() - start) as u32 });
        }
        let n_missing = self.is_wanted.iter().skip(self.ranges.len()).filter(|is_wanted| **is_wanted).count();
        (0..n_missing).for_each(|_| problems.add(Problem::NoSuchEntry, text.at()));
        Ok(())
    }

    /// Reads the names of frames. What was read before the end of the text stays.
    pub(super) fn read_names(
        &mut self,
        text: &mut Text<'_>,
        texts: &Texts,
        names: &mut Names,
        builder: &mut ProfileBuilder,
        problems: &mut Problems,
    ) -> Result<(), Ended> {
        self.shown.resize(self.numbers.len(), None);
        let mut lines: Vec<NamedLine> = Vec::new();
        let mut n_left = MOST_LINES;
        for _ in 0..text.u64()? {
            let at = text.at();
            let (number, n) = (text.u64()?, text.u8()?);
            // Of frames that come twice the first one counts.
            let shown = self.known.get(&number).and_then(|place| self.shown.get_mut(*place as usize)).filter(|shown| shown.is_none());
            let Some(shown) = shown.filter(|_| usize::from(n) <= n_left) else {
                text.skip(3 + 18 * u64::from(n))?;
                continue;
            };
            n_left -= usize::from(n);
            let image = number_of(text.array()?);
            lines.clear();
            for _ in 0..n {
                let [function, file] = [number_of(text.array()?), number_of(text.array()?)];
                lines.push(NamedLine { function, file, line: text.u32()? });
                text.skip(8)?;
            }
            let (frame, result) = names.frame(number, image, &lines, texts, builder);
            if result.is_err() {
                problems.add(Problem::NoSuchEntry, at);
            }
            *shown = Some(frame);
        }
        Ok(())
    }

    /// Gives locations to frames that have no names.
    pub(super) fn finish(&mut self, builder: &mut ProfileBuilder) {
        self.known = HashMap::default();
        self.shown.resize(self.numbers.len(), None);
        for (shown, number) in self.shown.iter_mut().zip(&self.numbers) {
            shown.get_or_insert_with(|| Names::unnamed(*number, builder));
        }
    }

    /// Returns whether a stack has frames.
    pub(super) fn is_known(&self, stack: u32) -> bool {
        self.ranges.get(stack as usize).is_some_and(|range| range.n > 0)
    }

    /// Locations of a stack, the leaf first, without the recorder's own at the leaf.
    pub(super) fn locations(&self, stack: u32) -> impl Iterator<Item = LocationId> + '_ {
        let Range { start, n } = self.ranges.get(stack as usize).copied().unwrap_or_default();
        let frames = self.frames.get(start as usize..(start + n) as usize).unwrap_or_default();
        let mut is_leaf = true;
        frames.iter().filter_map(|place| self.shown.get(*place as usize).copied().flatten()).filter_map(move |frame| match frame.at_leaf {
            AtLeaf::Nothing if is_leaf => None,
            AtLeaf::Part(rest) if is_leaf => {
                is_leaf = false;
                Some(rest)
            }
            _ => {
                is_leaf = false;
                Some(frame.location)
            }
        })
    }
}

/// A number of 24 bits.
fn number_of([a, b, c]: [u8; 3]) -> u32 {
    u32::from_le_bytes([a, b, c, 0])
}
