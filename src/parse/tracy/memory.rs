//! Memory events: blocks, by pool.

use super::problems::{Problem, Problems};
use super::tables::Head;
use super::text::{Ended, Text};
use crate::parse::events::clamped;

/// Most pools.
const MOST_POOLS: usize = 1 << 16;
/// Blocks that any file may have beside one for each byte: small files unpack to many of them.
const FREE_BLOCKS: usize = 1 << 20;
/// Longest time of a recording, nanoseconds: half a century.
const LONGEST: i64 = 50 * 365 * 86_400 * 1_000_000_000;

/// A block of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// When it was allocated, nanoseconds.
    pub(super) at: i64,
    /// When it was freed; [`i64::MAX`]: never.
    pub(super) freed_at: i64,
    /// Bytes.
    pub(super) size: u64,
    /// Number of the stack that allocated it, from 1; 0: none.
    pub(super) stack: u32,
    /// Zones it was allocated in; 0: none.
    pub(super) zones: u32,
    /// Numbers of the pool and the thread.
    pub(super) pool: u16,
    pub(super) thread: u16,
}

/// All blocks.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) blocks: Vec<Block>,
    /// Pool → address of its name; 0: the default one.
    pub(super) pools: Vec<u64>,
    /// Where the section begins in the text, bytes.
    pub(super) start: usize,
    /// Time of the last allocation that was read.
    pub(super) last: i64,
    /// The pool that ends early, and the time of its last allocation.
    pub(super) cut: Option<(u16, i64)>,
}

impl Memory {
    /// The end of the recording, if no event is missing.
    pub(super) fn end(&self, head: &Head) -> i64 {
        let freed = self.blocks.iter().map(|block| block.freed_at).filter(|at| *at < i64::MAX).max().unwrap_or(0);
        let last = if (1..LONGEST).contains(&head.last_time) { head.last_time } else { 0 };
        last.max(self.last).max(freed)
    }

    /// Adds what the section says; what was read before its end stays. `n_threads`: number of threads; `file_length`: bytes.
    pub(super) fn read(
        &mut self,
        text: &mut Text<'_>,
        head: &Head,
        n_threads: usize,
        file_length: usize,
        problems: &mut Problems,
    ) -> Result<(), Ended> {
        let most = FREE_BLOCKS.saturating_add(file_length).min(u32::MAX as usize);
        self.start = text.at();
        let (n_pools, n_all) = (text.u64()?, text.u64()?);
        let mut n_seen = 0u64;
        for _ in 0..n_pools {
            let started = text.at();
            let Some(number) = u16::try_from(self.pools.len()).ok().filter(|n| usize::from(*n) < MOST_POOLS - 1) else {
                problems.add(Problem::TooMany, started);
                return Err(Ended);
            };
            let [name, n, n_live, n_freed] = [text.u64()?, text.u64()?, text.u64()?, text.u64()?];
            self.pools.push(name);
            let mut pool = Pool { number, limit: limit(head), ..Pool::default() };
            self.cut = Some((number, 0));
            for _ in 0..n {
                let at = text.at();
                let Ok(row) = text.array() else {
                    self.cut = Some((number, pool.at));
                    return Err(Ended);
                };
                let block = pool.block(row, n_threads, at, problems);
                self.last = self.last.max(block.at);
                if self.blocks.len() < most {
                    self.blocks.push(block);
                } else {
                    problems.add(Problem::TooMany, at);
                }
            }
            self.cut = None;
            text.skip(8 + 8)?;
            let in_use = text.u64()?;
            text.skip(8)?;
            n_seen = n_seen.saturating_add(n);
            let is_sound = pool.n_live == n_live && n.checked_sub(n_live) == Some(n_freed) && pool.in_use == in_use;
            if !is_sound {
                problems.add(Problem::Disagrees, started);
            }
        }
        if n_seen != n_all {
            problems.add(Problem::Disagrees, text.at());
        }
        Ok(())
    }
}

/// Latest time that can be true.
fn limit(head: &Head) -> i64 {
    if (1..LONGEST).contains(&head.last_time) { head.last_time } else { LONGEST }
}

/// State of a pool while its events are read.
#[derive(Default)]
struct Pool {
    number: u16,
    limit: i64,
    /// Sum of the distances of times.
    sum: i64,
    /// Time of the last allocation.
    at: i64,
    /// Sums over blocks that were never freed.
    n_live: u64,
    in_use: u64,
}

impl Pool {
    /// `place`: bytes before the row.
    fn block(&mut self, row: [u8; 42], n_threads: usize, place: usize, problems: &mut Problems) -> Block {
        let number = |from: usize, length: usize| row[from..from + length].iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
        let (size, stack) = (number(8, 8), number(16, 3) as u32);
        let (since, lived, thread) = (number(22, 8) as i64, number(30, 8) as i64, number(38, 2) as u16);
        self.sum = self.sum.wrapping_add(since);
        let time = self.inside(self.sum, place, problems);
        if time < self.at {
            problems.add(Problem::Backward, place);
        }
        self.at = self.at.max(time);
        let freed_at = if lived < 0 {
            self.n_live += 1;
            self.in_use = self.in_use.wrapping_add(size);
            i64::MAX
        } else {
            self.inside(self.sum.saturating_add(lived), place, problems).max(self.at)
        };
        let clamped = clamped(size, || problems.add(Problem::HugeSize, place));
        if usize::from(thread) >= n_threads {
            problems.add(Problem::NoSuchEntry, place);
        }
        Block { at: self.at, freed_at, size: clamped, stack, zones: 0, pool: self.number, thread }
    }

    /// The time, or the nearest one in the recording.
    fn inside(&self, time: i64, place: usize, problems: &mut Problems) -> i64 {
        if !(0..=self.limit).contains(&time) {
            problems.add(Problem::NoTime, place);
        }
        time.clamp(0, self.limit)
    }
}
