//! Sums by row and dump, without a table of all rows × all dumps: first the range of each row, then the numbers of the rows that
//! matter.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::NONE;
use crate::base::id::{Id, StackId};
use crate::profile::{Profile, Stacks, is_lost};
use crate::query::GrowthBy;

/// Range of one row over the series.
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

/// Sums of the profile's rows by row of the report.
pub(super) struct Columns<'a> {
    context: &'a ReportContext<'a>,
    /// Row of the profile → row of the report; `NONE`: none.
    of_row: Vec<u32>,
    pub(super) n_rows: usize,
}

impl<'a> Columns<'a> {
    /// Rows of the tree by row of the report. O(rows).
    pub(super) fn new(context: &'a ReportContext<'a>) -> Self {
        let ReportContext { profile, packages, tree, .. } = context;
        // Samples without a stack have no row.
        let of_nodes = |of: &dyn Fn(u32) -> u32| tree.node_of_row.iter().map(|&n| if n == 0 || n == NONE { NONE } else { of(n) }).collect();
        let (of_row, n_rows) = match context.view.by() {
            GrowthBy::Stacks => (of_nodes(&|node| node), tree.len()),
            GrowthBy::Types => (packages.types(profile).of_row.clone(), packages.types(profile).name.len()),
            _ => (of_nodes(&|node| tree.key[node as usize]), tree.keys.len()),
        };
        Columns { context, of_row, n_rows }
    }

    pub(super) fn profile(&self) -> &'a Profile {
        self.context.profile
    }

    /// Adds a dump up: into `sums` by row of the report; all of it is returned. O(rows of the report + values).
    fn sum(&self, dump: usize, sums: &mut [i64]) -> i64 {
        let ReportContext { profile, totals, .. } = self.context;
        sums.fill(0);
        let Some(value_type) = totals.value_type else { return 0 };
        let mut all = 0i64;
        for (row, value) in profile.columns()[dump * profile.value_types().len() + value_type].nonzero() {
            if !totals.kept[row] {
                continue;
            }
            all = all.saturating_add(value);
            if let Some(sum) = sums.get_mut(self.of_row[row] as usize) {
                *sum = sum.saturating_add(value);
            }
        }
        all
    }

    /// Values of rows whose stacks the recorder dropped ([`is_lost`]), for each of `dumps`. O(nodes + dumps × rows).
    pub(super) fn lost(&self, dumps: &[usize]) -> Vec<i64> {
        let ReportContext { profile, totals, .. } = self.context;
        let stacks = profile.stacks();
        let is_lost_frame = |frame| profile.function_of(frame).is_some_and(|(_, f)| is_lost(profile.text(f.name)));
        // Whatever is missing of a stack is on the side of its callers.
        let mut is_in_lost = vec![false; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let parent = stacks.parent[node];
            is_in_lost[node.index()] = if parent == Stacks::ROOT { is_lost_frame(stacks.frame[node]) } else { is_in_lost[parent.index()] };
        }
        let is_lost = |row: &usize| totals.kept[*row] && is_in_lost[profile.samples().stack[*row].index()];
        let rows: Vec<usize> = (0..profile.samples().stack.len()).filter(is_lost).collect();
        let Some(value_type) = totals.value_type.filter(|_| !rows.is_empty()) else { return vec![0; dumps.len()] };
        let column = |dump: &usize| &profile.columns()[dump * profile.value_types().len() + value_type];
        dumps.iter().map(|dump| rows.iter().fold(0i64, |sum, &row| sum.saturating_add(column(dump).get(row)))).collect()
    }

    /// Why the recorder dropped stacks.
    pub(super) fn why_lost(&self) -> &'static str {
        match self.context.profile.meta().runs.is_empty() {
            true => "gperftools dropped rows at its buffer limit, and their stacks are unknown",
            false => "massif folded callers with little memory into `[below threshold]`",
        }
    }

    /// Row → its range over `dumps`, and dump → its total. O(dumps × rows).
    pub(super) fn extents(&self, dumps: &[usize]) -> (Vec<Extent>, Vec<i64>) {
        let mut extents = vec![Extent::default(); self.n_rows];
        let mut sums = vec![0; self.n_rows];
        let mut totals = Vec::with_capacity(dumps.len());
        for (place, &dump) in dumps.iter().enumerate() {
            totals.push(self.sum(dump, &mut sums));
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
        let mut sums = vec![0; self.n_rows];
        for &dump in dumps {
            self.sum(dump, &mut sums);
            found.iter_mut().zip(rows).for_each(|(values, &row)| values.push(sums[row as usize]));
        }
        found
    }
}
