//! Samples: rows of (stack, labels), and a column of numbers for each dump and value type.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::id::{DumpId, Id, LabelSetId, StackId};

/// Kind and unit of a column, such as `inuse_space` in `bytes`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ValueType {
    /// Kind, in the writer's word.
    pub kind: String,
    /// Unit, in the writer's word.
    pub unit: String,
}

impl ValueType {
    /// A value type.
    pub fn new(kind: &str, unit: &str) -> Self {
        ValueType { kind: kind.into(), unit: unit.into() }
    }
}

/// Rows as the writer gave them: the same stack and labels may occur several times, and rows may be all zero. Merging adds them
/// up.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Row → stack.
    pub stack: Vec<StackId>,
    /// Row → labels.
    pub labels: Vec<LabelSetId>,
}

impl Samples {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// The same rows with mapped stack nodes.
    pub(super) fn moved(mut self, node_of: &[StackId]) -> Self {
        for stack in &mut self.stack {
            *stack = node_of[stack.index()];
        }
        self
    }
}

/// One dump's numbers of one value type.
#[derive(Clone, Debug)]
pub struct Column {
    /// The dump they come from.
    pub dump: DumpId,
    /// Index into [`super::Profile::value_types`].
    pub value_type: usize,
    /// After un-sampling, in the value type's unit.
    values: Values,
}

/// The form that takes less memory.
#[derive(Clone, Debug)]
enum Values {
    /// Row → value.
    Dense(Vec<i64>),
    /// The rows whose value is not zero, ascending, with their values.
    Sparse { row: Vec<u32>, value: Vec<i64>, n_rows: usize },
    /// A sum of parts that columns share: of many moments of a recording, each is the one before and a few changes.
    Sum { parts: Box<[Arc<SparseValues>]>, n_rows: usize },
}

/// The values of some rows, which columns may share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseValues {
    /// Rows, ascending.
    row: Box<[u32]>,
    /// Their values, not zero.
    value: Box<[i64]>,
}

impl SparseValues {
    /// Values of rows; rows that occur several times are added up, saturating. O(n log n), O(n) for ascending rows.
    pub fn new(mut pairs: Vec<(u32, i64)>) -> Self {
        add_up(&mut pairs);
        let (row, value): (Vec<u32>, Vec<i64>) = pairs.into_iter().unzip();
        SparseValues { row: row.into(), value: value.into() }
    }

    /// Rows, ascending, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        self.row.iter().copied().zip(self.value.iter().copied())
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// Returns whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.row.is_empty()
    }

    /// Returns whether rows ascend and are below `n_rows`.
    fn is_in_order(&self, n_rows: usize) -> bool {
        self.row.len() == self.value.len()
            && self.row.is_sorted_by(|a, b| a < b)
            && self.row.last().is_none_or(|last| (*last as usize) < n_rows)
    }
}

/// Sorts by row, adds up the values of equal rows, saturating, and drops zeros.
pub(super) fn add_up(pairs: &mut Vec<(u32, i64)>) {
    if !pairs.is_sorted_by_key(|(row, _)| *row) {
        pairs.sort_by_key(|(row, _)| *row);
    }
    pairs.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        is_same
    });
    pairs.retain(|(_, value)| *value != 0);
}

impl Column {
    /// `values`: row → value.
    pub(super) fn new(dump: DumpId, value_type: usize, mut values: Vec<i64>) -> Self {
        let n_values = values.iter().filter(|value| **value != 0).count();
        if !is_sparse(n_values, values.len()) {
            values.shrink_to_fit();
            return Column { dump, value_type, values: Values::Dense(values) };
        }
        let pairs = values.iter().enumerate().filter(|(_, value)| **value != 0);
        let (row, value) = pairs.map(|(row, value)| (row as u32, *value)).unzip();
        Column { dump, value_type, values: Values::Sparse { row, value, n_rows: values.len() } }
    }

    /// A column of `n_rows` rows from its nonzero values: row and value, ascending.
    pub(super) fn of_pairs(dump: DumpId, value_type: usize, n_rows: usize, pairs: Vec<(u32, i64)>) -> Self {
        let values = match is_sparse(pairs.len(), n_rows) {
            true => {
                let (row, value) = pairs.into_iter().unzip();
                Values::Sparse { row, value, n_rows }
            }
            false => {
                let mut dense = vec![0; n_rows];
                pairs.into_iter().for_each(|(row, value)| dense[row as usize] = value);
                Values::Dense(dense)
            }
        };
        Column { dump, value_type, values }
    }

    /// A column of `n_rows` rows that is the sum of `parts`; parts with rows beyond are left out.
    pub(super) fn of_sum(dump: DumpId, value_type: usize, n_rows: usize, parts: Vec<Arc<SparseValues>>) -> Self {
        let fits = |part: &Arc<SparseValues>| part.row.last().is_some_and(|last| (*last as usize) < n_rows);
        let parts = parts.into_iter().filter(fits).collect();
        Column { dump, value_type, values: Values::Sum { parts, n_rows } }
    }

    /// The parts that the column is the sum of, if it is stored so.
    pub(super) fn parts(&self) -> Option<&[Arc<SparseValues>]> {
        match &self.values {
            Values::Sum { parts, .. } => Some(parts),
            _ => None,
        }
    }

    /// Nonzero rows and values of a sum, ascending; empty for other forms. O(values log values), or O(rows) if they are many.
    fn summed(&self) -> Vec<(u32, i64)> {
        let Values::Sum { parts, n_rows } = &self.values else { return Vec::new() };
        let n_values: usize = parts.iter().map(|part| part.len()).sum();
        if n_values < n_rows / 16 {
            let mut pairs: Vec<(u32, i64)> = parts.iter().flat_map(|part| part.iter()).collect();
            add_up(&mut pairs);
            return pairs;
        }
        let mut dense = vec![0i64; *n_rows];
        for (row, value) in parts.iter().flat_map(|part| part.iter()) {
            dense[row as usize] = dense[row as usize].saturating_add(value);
        }
        (0..).zip(dense).filter(|(_, value)| *value != 0).collect()
    }

    pub(super) fn multiply(&mut self, factor: i64) {
        if let Values::Sum { n_rows, .. } = self.values {
            *self = Column::of_pairs(self.dump, self.value_type, n_rows, self.summed());
        }
        let (Values::Dense(values) | Values::Sparse { value: values, .. }) = &mut self.values else { return };
        values.iter_mut().for_each(|value| *value = value.saturating_mul(factor));
    }

    /// Adds `coefficient` × this column to `out`, row by row; sums saturate. O(values that are not zero).
    pub fn add_to(&self, coefficient: f64, out: &mut [i64]) {
        let exact = coefficient == 1.0 || coefficient == -1.0;
        if let (true, Values::Sum { parts, .. }) = (exact, &self.values) {
            for (row, value) in parts.iter().flat_map(|part| part.iter()) {
                let Some(out) = out.get_mut(row as usize) else { continue };
                *out = if coefficient > 0.0 { out.saturating_add(value) } else { out.saturating_sub(value) };
            }
            return;
        }
        for (row, value) in self.nonzero() {
            let Some(out) = out.get_mut(row) else { return };
            *out = match exact {
                true if coefficient > 0.0 => out.saturating_add(value),
                true => out.saturating_sub(value),
                false => out.saturating_add((value as f64 * coefficient) as i64),
            };
        }
    }

    /// Calls `add` with each row of `out` and this column's value for it, where that is not zero.
    pub fn add_each<T>(&self, out: &mut [T], add: impl Fn(&mut T, i64)) {
        for (row, value) in self.nonzero() {
            let Some(out) = out.get_mut(row) else { return };
            add(out, value);
        }
    }

    /// The value of `row`. O(log rows); for all of them [`Column::iter`] is the way.
    pub fn get(&self, row: usize) -> i64 {
        match &self.values {
            Values::Dense(values) => values[row],
            Values::Sparse { row: rows, value, .. } => rows.binary_search(&(row as u32)).map_or(0, |at| value[at]),
            Values::Sum { parts, .. } => {
                let of_part = |part: &Arc<SparseValues>| part.row.binary_search(&(row as u32)).map_or(0, |at| part.value[at]);
                parts.iter().map(of_part).fold(0, i64::saturating_add)
            }
        }
    }

    /// Row after row, the zeros too. O(rows).
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        let mut nonzero = self.nonzero().peekable();
        (0..self.len()).map(move |row| nonzero.next_if(|(at, _)| *at == row).map_or(0, |(_, value)| value))
    }

    /// The rows whose value is not zero, ascending, with their values.
    pub fn nonzero(&self) -> impl Iterator<Item = (usize, i64)> + '_ {
        let (dense, row, value) = match &self.values {
            Values::Dense(values) => (&values[..], &[][..], &[][..]),
            Values::Sparse { row, value, .. } => (&[][..], &row[..], &value[..]),
            Values::Sum { .. } => (&[][..], &[][..], &[][..]),
        };
        let summed = self.summed().into_iter().map(|(row, value)| (row as usize, value));
        let dense = dense.iter().copied().enumerate().filter(|(_, value)| *value != 0);
        dense.chain(row.iter().map(|row| *row as usize).zip(value.iter().copied())).chain(summed)
    }

    /// Sum of all rows; it saturates.
    pub fn total(&self) -> i64 {
        if let Values::Sum { parts, .. } = &self.values {
            return parts.iter().flat_map(|part| part.value.iter()).fold(0, |sum: i64, value| sum.saturating_add(*value));
        }
        self.nonzero().fold(0, |sum, (_, value)| sum.saturating_add(value))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Dense(values) => values.len(),
            Values::Sparse { n_rows, .. } | Values::Sum { n_rows, .. } => *n_rows,
        }
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Column>()
            + match &self.values {
                Values::Dense(values) => values.capacity() * size_of::<i64>(),
                Values::Sparse { row, value, .. } => row.capacity() * size_of::<u32>() + value.capacity() * size_of::<i64>(),
                // Each of those that share a part has its share.
                Values::Sum { parts, .. } => {
                    let of_part = |part: &Arc<SparseValues>| part.len() * (size_of::<u32>() + size_of::<i64>()) / Arc::strong_count(part);
                    parts.iter().map(|part| size_of::<usize>() + of_part(part)).sum()
                }
            }
    }

    /// Returns whether rows ascend and are there.
    pub(super) fn is_in_order(&self) -> bool {
        match &self.values {
            Values::Dense(_) => true,
            Values::Sum { parts, n_rows } => parts.iter().all(|part| part.is_in_order(*n_rows)),
            Values::Sparse { row, value, n_rows } => {
                row.len() == value.len() && row.is_sorted_by(|a, b| a < b) && row.last().is_none_or(|last| (*last as usize) < *n_rows)
            }
        }
    }
}

/// Returns whether `n_values` values with their row numbers take less memory than `n_rows` values.
fn is_sparse(n_values: usize, n_rows: usize) -> bool {
    n_values * (size_of::<u32>() + size_of::<i64>()) < n_rows * size_of::<i64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        for values in [vec![0, 0, 0, 7, 0, -2, 0, 0], vec![1, 0, 3, 4], vec![], vec![0; 5]] {
            let pairs: Vec<(u32, i64)> = (0u32..).zip(values.iter().copied()).filter(|pair| pair.1 != 0).collect();
            let column = Column::new(DumpId(0), 0, values.clone());
            let same = Column::of_pairs(DumpId(0), 0, values.len(), pairs.clone());
            for column in [column, same] {
                assert!(column.is_in_order());
                assert_eq!(column.iter().collect::<Vec<_>>(), values);
                assert_eq!((0..column.len()).map(|row| column.get(row)).collect::<Vec<_>>(), values);
                assert_eq!(column.nonzero().map(|(row, value)| (row as u32, value)).collect::<Vec<_>>(), pairs);
                let mut twice = values.clone();
                column.add_to(1.0, &mut twice);
                assert_eq!(twice, values.iter().map(|value| value * 2).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn sums_of_parts_are_columns() {
        let parts = [vec![(1, 5), (3, 7), (6, 1)], vec![(6, 2), (1, -5)], vec![(0, 9), (0, -8)], vec![]];
        let parts: Vec<_> = parts.into_iter().map(|pairs| Arc::new(SparseValues::new(pairs))).collect();
        for n_rows in [7, 1000] {
            let mut column = Column::of_sum(DumpId(0), 0, n_rows, parts.clone());
            assert!(column.is_in_order());
            assert_eq!(column.nonzero().collect::<Vec<_>>(), [(0, 1), (3, 7), (6, 3)]);
            assert_eq!((column.get(1), column.get(6), column.total(), column.len()), (0, 3, 11, n_rows));
            for (coefficient, want) in [(1.0, [1, 7, 3]), (-1.0, [-1, -7, -3]), (0.5, [0, 3, 1])] {
                let mut out = vec![0; n_rows];
                column.add_to(coefficient, &mut out);
                assert_eq!([out[0], out[3], out[6]], want);
            }
            column.multiply(2);
            assert_eq!(column.nonzero().collect::<Vec<_>>(), [(0, 2), (3, 14), (6, 6)]);
        }
    }

    #[test]
    fn few_numbers_take_little_room() {
        let column = |n: usize| Column::new(DumpId(0), 0, (0..900).map(|row| i64::from(row < n)).collect());
        assert!(matches!(column(599).values, Values::Sparse { .. }));
        assert!(matches!(column(600).values, Values::Dense(_)));
    }
}
