//! What some formats know of rows beside what events tell.

use super::Events;
use super::counts::Counts;
use super::lifetimes::Lifetimes;
use super::value_types::VALUE_TYPES;
use crate::base::id::{LabelSetId, LocationId};
use crate::profile::{Label, ProfileBuilder};

/// Further facts of rows; by default none.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::parse) struct Extra<'a> {
    /// Lifetimes of blocks: a value type of their sum, and labels.
    pub(in crate::parse) lifetimes: Option<&'a Lifetimes>,
    /// Row → values of four further types.
    pub(in crate::parse) values: &'a [[i64; 4]],
    /// Row → group, and group → labels of its rows.
    pub(in crate::parse) labels: Option<(&'a [u32], &'a [Vec<Label>])>,
}

impl Extra<'_> {
    /// Number of value types behind [`VALUE_TYPES`].
    pub(super) fn n_types(&self) -> usize {
        usize::from(self.lifetimes.is_some()) + self.values.first().map_or(0, |values| values.len())
    }

    /// Returns whether a row has one of these values.
    pub(super) fn has_values(&self, row: u32) -> bool {
        self.values.get(row as usize).is_some_and(|values| values.iter().any(|value| *value != 0))
    }

    /// Further labels of a row.
    pub(super) fn labels(&self, row: u32) -> &[Label] {
        let labels = self.labels.and_then(|(groups, labels)| labels.get(*groups.get(row as usize)? as usize));
        labels.map_or(&[], Vec::as_slice)
    }

    /// Adds the samples of a row: the first one has all numbers but those of allocations whose lifetime is known, which follow.
    pub(super) fn add_samples(
        &self,
        row: u32,
        stack: &[LocationId],
        labels: LabelSetId,
        values: &[i64; VALUE_TYPES.len()],
        builder: &mut ProfileBuilder,
    ) {
        let Some(lifetimes) = self.lifetimes else { return builder.sample(stack, labels, values) };
        let mut all = values.to_vec();
        all.push(0);
        all.extend(self.values.get(row as usize).into_iter().flatten());
        all.resize(VALUE_TYPES.len() + self.n_types(), 0);
        for part in lifetimes.parts(row) {
            all[0] -= part.objects;
            all[1] -= part.bytes;
        }
        builder.sample(stack, labels, &all);
        for part in lifetimes.parts(row) {
            let mut values = vec![0; all.len()];
            [values[0], values[1], values[VALUE_TYPES.len()]] = [part.objects, part.bytes, part.micros];
            let labels = part.labels(self.labels(row), builder);
            builder.sample(stack, labels, &values);
        }
    }
}

impl Events<Counts> {
    /// Adds blocks that were allocated and freed at times that nobody knows: they are in no moment's memory, and in no peak.
    pub(in crate::parse) fn add_gone(&mut self, row: u32, n: u64, bytes: u64) {
        let Events { cells, noted, changed, moments, peak, era, .. } = self;
        let (Some(entry), Some(noted)) = (cells.get_mut(row as usize), noted.get_mut(row as usize)) else { return };
        entry.era = *era + 1;
        noted.note(entry.now, peak.number, moments.n_taken(), || changed.push(row));
        for kind in 0..2 {
            entry.now.n[kind] = entry.now.n[kind].saturating_add(n);
            entry.now.bytes[kind] = entry.now.bytes[kind].wrapping_add(bytes);
        }
        self.state.n_events += 1;
    }
}
