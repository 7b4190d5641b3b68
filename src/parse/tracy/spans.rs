//! Which zones blocks were allocated in.

use super::memory::Block;
use super::tables::Tables;
use super::zones::Zones;
use crate::base::hash::HashMap;

/// Most different nestings of zones.
const MOST_PATHS: usize = 1 << 20;
/// Deepest nesting that is told apart.
const DEEPEST: usize = 1 << 8;

/// A zone in others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// Number of the path of the zone around it; 0: none.
    pub(super) outside: u32,
    /// Source location.
    pub(super) place: i16,
}

/// Nestings of zones, numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Paths {
    list: Vec<Path>,
    known: HashMap<(u32, i16), u32>,
}

impl Paths {
    pub(super) fn get(&self, number: u32) -> Option<Path> {
        self.list.get((number as usize).checked_sub(1)?).copied()
    }

    /// Number of paths.
    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    /// The path of a zone; that of the zone around it when there are too many.
    fn add(&mut self, outside: u32, place: i16) -> u32 {
        let Paths { list, known } = self;
        if let Some(number) = known.get(&(outside, place)) {
            return *number;
        }
        if list.len() >= MOST_PATHS {
            return outside;
        }
        list.push(Path { outside, place });
        known.insert((outside, place), list.len() as u32);
        list.len() as u32
    }
}

/// Finds the innermost zone of each block, while zones come by.
pub(super) struct Spans<'a> {
    blocks: &'a mut [Block],
    /// Blocks by thread, in order of time.
    order: Vec<u32>,
    /// Thread → its blocks in `order` that are left.
    left: HashMap<u64, (usize, usize)>,
    /// The thread, and its blocks that are left.
    thread: u64,
    range: (usize, usize),
    /// Zones that are open, the outermost first, and the path of each if it is known.
    open: Vec<(i16, u32)>,
    /// Number of those whose path is known.
    n_known: usize,
    pub(super) paths: Paths,
}

impl<'a> Spans<'a> {
    /// `blocks` are in order of time. O(blocks).
    pub(super) fn new(blocks: &'a mut [Block], tables: &Tables) -> Self {
        let mut starts = vec![0usize; tables.threads.len() + 1];
        for block in &*blocks {
            if let Some(n) = starts.get_mut(usize::from(block.thread) + 1) {
                *n += 1;
            }
        }
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut order = vec![0u32; starts.last().copied().unwrap_or(0)];
        let mut next = starts.clone();
        for (number, block) in (0..).zip(&*blocks) {
            let Some(next) = next.get_mut(usize::from(block.thread)) else { continue };
            if let Some(place) = order.get_mut(*next) {
                *place = number;
                *next += 1;
            }
        }
        let ranges = starts.windows(2).map(|pair| (pair[0], pair[1]));
        let left = tables.threads.iter().copied().zip(ranges).filter(|(_, (start, end))| start < end).collect();
        Spans { blocks, order, left, thread: 0, range: (0, 0), open: Vec::new(), n_known: 0, paths: Paths::default() }
    }

    /// Blocks of the thread that were allocated before `time` and are left belong to the innermost zone. O(1) for each.
    #[inline]
    fn pass(&mut self, time: i64) {
        while self.range.0 < self.range.1 {
            let Some(block) = self.order.get(self.range.0).and_then(|at| self.blocks.get_mut(*at as usize)) else { return };
            if block.at >= time {
                return;
            }
            self.range.0 += 1;
            let mut outside = self.n_known.checked_sub(1).map_or(0, |at| self.open[at].1);
            let depth = self.open.len().min(DEEPEST);
            for (place, path) in &mut self.open[self.n_known.min(depth)..depth] {
                *path = self.paths.add(outside, *place);
                outside = *path;
            }
            // Of zones nested deeper the innermost one counts.
            self.n_known = self.n_known.max(depth);
            block.zones = match self.open.last() {
                Some((place, _)) if self.open.len() > DEEPEST => self.paths.add(outside, *place),
                _ => outside,
            };
        }
    }
}

impl Zones for Spans<'_> {
    fn thread(&mut self, thread: u64) {
        if let Some(left) = self.left.get_mut(&self.thread) {
            *left = self.range;
        }
        self.thread = thread;
        self.range = self.left.get(&thread).copied().unwrap_or_default();
        self.open.clear();
        self.n_known = 0;
    }

    #[inline]
    fn begin(&mut self, at: i64, place: i16) {
        self.pass(at);
        self.open.push((place, 0));
    }

    #[inline]
    fn end(&mut self, at: Option<i64>) {
        self.pass(at.unwrap_or(i64::MAX));
        self.open.pop();
        self.n_known = self.n_known.min(self.open.len());
    }
}
