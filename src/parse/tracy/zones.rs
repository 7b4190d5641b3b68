//! Sections between the tables and the memory events. Zones are walked through and never held; what is in use in memory grows with
//! their depth only.

use super::problems::{Problem, Problems};
use super::text::{Ended, Text};
use super::version::Version;

/// Most zones that are open at a time on a thread.
const DEEPEST: usize = 1 << 20;

/// Takes zones: spans of time of a thread, properly nested.
pub(super) trait Zones {
    /// What follows is of this thread.
    fn thread(&mut self, thread: u64);
    /// A zone at the source location `place` begins.
    fn begin(&mut self, at: i64, place: i16);
    /// The innermost zone ends; with `None` the recording ends before it.
    fn end(&mut self, at: Option<i64>);
}

/// Counts zones.
#[derive(Default)]
pub(super) struct Counter(pub(super) u64);

impl Zones for Counter {
    fn thread(&mut self, _: u64) {}
    #[inline]
    fn begin(&mut self, _: i64, _: i16) {
        self.0 += 1;
    }
    #[inline]
    fn end(&mut self, _: Option<i64>) {}
}

/// Walks from the end of the tables to the end of all zones. Calls `zones` for each.
pub(super) fn walk(text: &mut Text<'_>, version: Version, problems: &mut Problems, zones: &mut impl Zones) -> Result<(), Ended> {
    // How often source locations were met, on processors and on graphics cards.
    text.skip_rows(10)?;
    text.skip_rows(10)?;
    // Locks.
    for _ in 0..text.u64()? {
        text.skip(4 + 3 + 2 + 1 + 1 + 8 + 8)?;
        text.skip_rows(8)?;
        text.skip_rows(8 + 2 + 1 + 1)?;
    }
    // Messages, and texts of zones.
    text.skip_rows(8 + 8 + 9 + 4 + 3 + if version.is_from(0, 13, 2) { 2 } else { 0 })?;
    text.skip_rows(12)?;
    text.skip(8 + 8)?;
    for _ in 0..text.u64()? {
        zones.thread(text.u64()?);
        text.skip(8 + 8 + 1 + if version.is_from(0, 11, 1) { 4 } else { 0 })?;
        walk_thread(text, problems, zones)?;
        // Messages, and samples.
        text.skip_rows(8)?;
        text.skip_rows(11)?;
        text.skip_rows(11)?;
    }
    Ok(())
}

fn walk_thread(text: &mut Text<'_>, problems: &mut Problems, zones: &mut impl Zones) -> Result<(), Ended> {
    let mut now = 0i64;
    // Zone that is open → its end, and the number of zones that are left in it.
    let mut left = text.u32()?;
    let mut open: Vec<(i64, u32)> = Vec::new();
    let mut start = 0;
    let close = |text: &mut Text<'_>, now: &mut i64, start: i64, zones: &mut _| -> Result<(), Ended> {
        *now = now.wrapping_add(text.i64()?);
        Zones::end(zones, (*now >= start).then_some(*now));
        Ok(())
    };
    loop {
        if left == 0 {
            let Some((start_outside, left_outside)) = open.pop() else { return Ok(()) };
            close(text, &mut now, start, zones)?;
            (start, left) = (start_outside, left_outside);
            continue;
        }
        left -= 1;
        let [a, b, rest @ ..] = text.array::<18>()?;
        let [d0, d1, d2, d3, d4, d5, d6, d7, _, _, _, _, c0, c1, c2, c3] = rest;
        now = now.wrapping_add(i64::from_le_bytes([d0, d1, d2, d3, d4, d5, d6, d7]));
        let n_inside = u32::from_le_bytes([c0, c1, c2, c3]);
        zones.begin(now, i16::from_le_bytes([a, b]));
        if n_inside == 0 {
            let started = now;
            close(text, &mut now, started, zones)?;
            continue;
        }
        if open.len() >= DEEPEST {
            problems.add(Problem::TooDeep, text.at());
            return Err(Ended);
        }
        open.push((start, left));
        (start, left) = (now, n_inside);
    }
}

/// Skips from the end of the zones to the memory events.
pub(super) fn skip_to_memory(text: &mut Text<'_>, version: Version, problems: &mut Problems) -> Result<(), Ended> {
    text.skip(8 + 8)?;
    let has_notes = version.is_from(0, 12, 4);
    // Graphics cards.
    for _ in 0..text.u64()? {
        text.skip(33)?;
        if has_notes {
            text.skip_rows(11)?;
        }
        for _ in 0..text.u64()? {
            text.skip(8)?;
            skip_gpu_zones(text, if has_notes { 16 + 2 } else { 16 }, problems)?;
        }
        if has_notes {
            for _ in 0..text.u64()? {
                text.skip(2)?;
                text.skip_rows(16)?;
            }
        }
    }
    // Plots.
    for _ in 0..text.u64()? {
        text.skip(1 + 1 + 1 + 1 + 4 + 8 + 24)?;
        text.skip_rows(16)?;
    }
    Ok(())
}

fn skip_gpu_zones(text: &mut Text<'_>, end: u64, problems: &mut Problems) -> Result<(), Ended> {
    let mut left = text.u64()?;
    let mut open: Vec<u64> = Vec::new();
    loop {
        if left == 0 {
            let Some(left_outside) = open.pop() else { return Ok(()) };
            text.skip(end)?;
            left = left_outside;
            continue;
        }
        left -= 1;
        text.skip(8 + 8 + 2 + 3 + 2)?;
        match text.u64()? {
            0 => text.skip(end)?,
            _ if open.len() >= DEEPEST => {
                problems.add(Problem::TooDeep, text.at());
                return Err(Ended);
            }
            n_inside => {
                open.push(left);
                left = n_inside;
            }
        }
    }
}
