//! Program points with the same frames as one row. valgrind's own viewer refuses files with such points: they differ in callers that
//! the recorder left out.

use super::points::{FIELDS, Field, Points};
use crate::base::hash::HashMap;
use crate::profile::Accesses;

/// The rows: the first point of each has the numbers of all.
pub(super) struct Rows {
    points: Points,
    /// Row → its first point, from 0.
    first: Vec<u32>,
}

/// A row.
pub(super) struct Row<'a> {
    /// Numbers of frames, leaf first.
    pub(super) frames: &'a [u32],
    /// Number of the first of the points, from 1.
    pub(super) point: usize,
    /// [`Field`] → value.
    values: &'a [i64; FIELDS.len()],
}

impl Row<'_> {
    pub(super) fn get(&self, field: Field) -> i64 {
        self.values[field as usize]
    }
}

impl Rows {
    /// The rows, and the accesses of all points. O(points × frames).
    pub(super) fn of(mut points: Points) -> (Rows, Vec<Accesses>) {
        let Points { list, frames, accesses: runs, .. } = &mut points;
        let mut first: Vec<u32> = Vec::with_capacity(list.len());
        let mut row_of: HashMap<&[u32], u32> = HashMap::default();
        row_of.reserve(list.len());
        let mut accesses = Vec::new();
        let (mut frames_start, mut runs_start) = (0, 0);
        for at in 0..list.len() {
            let point = list[at];
            let row = *row_of.entry(&frames[frames_start..point.end]).or_insert(first.len() as u32);
            let runs = &runs[runs_start..point.accesses_end];
            (frames_start, runs_start) = (point.end, point.accesses_end);
            if !runs.is_empty() {
                accesses.push(Accesses {
                    row,
                    dump: 0,
                    blocks: point.get(Field::TotalBlocks),
                    accessed: point.get(Field::ReadBytes).saturating_add(point.get(Field::WrittenBytes)),
                    runs: runs.iter().map(|run| (run.bytes, run.count)).collect(),
                });
            }
            let Some(known) = first.get(row as usize) else {
                first.push(at as u32);
                continue;
            };
            for (field, (sum, value)) in Field::ALL.into_iter().zip(list[*known as usize].values.iter_mut().zip(point.values)) {
                // The maxima need not be from one time.
                let is_maximum = matches!(field, Field::MaxBytes | Field::MaxBlocks);
                *sum = if is_maximum { value.max(*sum) } else { sum.saturating_add(value) };
            }
        }
        // valgrind takes maxima only while the whole program is at its own.
        for point in list {
            for (max, peak, end) in
                [(Field::MaxBytes, Field::PeakBytes, Field::EndBytes), (Field::MaxBlocks, Field::PeakBlocks, Field::EndBlocks)]
            {
                point.values[max as usize] = point.get(max).max(point.get(peak)).max(point.get(end));
            }
        }
        (Rows { points, first }, accesses)
    }

    /// The rows, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        let Points { list, frames, .. } = &self.points;
        self.first.iter().map(move |&at| {
            let at = at as usize;
            let start = at.checked_sub(1).map_or(0, |before| list[before].end);
            Row { frames: &frames[start..list[at].end], point: at + 1, values: &list[at].values }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.first.len()
    }
}
