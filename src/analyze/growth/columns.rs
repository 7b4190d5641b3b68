//! Sums by row and dump, without a table of all rows × all dumps: first how far each goes, then the numbers of those
//! that matter.

use crate::analyze::Answer;
use crate::analyze::shape::NONE;
use crate::query::GrowthBy;

/// How far one row goes over the series.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Extent {
    /// From the lowest value to the highest.
    pub(super) fn range(&self) -> u64 {
        self.high.abs_diff(self.low)
    }
}

/// What rows are summed into.
pub(super) struct Columns<'a> {
    answer: &'a Answer<'a>,
    /// Row of the profile → row of the report; `NONE`: none.
    of_row: Vec<u32>,
    pub(super) n_rows: usize,
}

impl<'a> Columns<'a> {
    /// Rows of `answer` by what its view asks for. O(rows).
    pub(super) fn new(answer: &'a Answer<'a>) -> Self {
        let by_node = answer.view.by() == GrowthBy::Stacks;
        let shape = answer.shape;
        let of_row = shape.node_of_row.iter().map(|&node| match node {
            // What has no stack is of nobody.
            0 | NONE => NONE,
            node if by_node => node,
            node => shape.key[node as usize],
        });
        Columns { answer, of_row: of_row.collect(), n_rows: if by_node { shape.len() } else { shape.keys.len() } }
    }

    /// Adds a dump up: into `sums` by row of the report; all of it is returned. `values` is room for
    /// the dump's numbers. O(rows).
    fn sum(&self, dump: usize, values: &mut Vec<i64>, sums: &mut [i64]) -> i64 {
        let Answer { profile, weights, .. } = self.answer;
        sums.fill(0);
        let Some(value_type) = weights.value_type else { return 0 };
        values.clear();
        values.resize(self.of_row.len(), 0);
        profile.columns()[dump * profile.value_types().len() + value_type].add_to(1.0, values);
        let mut all = 0i64;
        for ((&value, &to), row) in values.iter().zip(&self.of_row).zip(0..) {
            if value == 0 || !weights.keeps(row) {
                continue;
            }
            all = all.saturating_add(value);
            if to != NONE {
                let sum = &mut sums[to as usize];
                *sum = sum.saturating_add(value);
            }
        }
        all
    }

    /// Row → how far it goes over `dumps`, and dump → its total. O(dumps × rows).
    pub(super) fn extents(&self, dumps: &[usize]) -> (Vec<Extent>, Vec<i64>) {
        let mut extents = vec![Extent::default(); self.n_rows];
        let (mut values, mut sums) = (Vec::new(), vec![0; self.n_rows]);
        let mut totals = Vec::with_capacity(dumps.len());
        for (place, &dump) in dumps.iter().enumerate() {
            totals.push(self.sum(dump, &mut values, &mut sums));
            for (extent, &sum) in extents.iter_mut().zip(&sums) {
                if place == 0 {
                    *extent = Extent { first: sum, last: sum, low: sum, high: sum };
                }
                extent.last = sum;
                extent.low = extent.low.min(sum);
                extent.high = extent.high.max(sum);
            }
        }
        (extents, totals)
    }

    /// For each of `rows` its value in every one of `dumps`. O(dumps × rows of the profile).
    pub(super) fn of(&self, rows: &[u32], dumps: &[usize]) -> Vec<Vec<i64>> {
        let mut found: Vec<Vec<i64>> = rows.iter().map(|_| Vec::with_capacity(dumps.len())).collect();
        let (mut values, mut sums) = (Vec::new(), vec![0; self.n_rows]);
        for &dump in dumps {
            self.sum(dump, &mut values, &mut sums);
            found.iter_mut().zip(rows).for_each(|(values, &row)| values.push(sums[row as usize]));
        }
        found
    }
}
