//! Samples: rows of (stack, labels), and a column of numbers for each dump and value type.

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

    pub(super) fn multiply(&mut self, factor: i64) {
        let (Values::Dense(values) | Values::Sparse { value: values, .. }) = &mut self.values;
        values.iter_mut().for_each(|value| *value = value.saturating_mul(factor));
    }

    /// Adds `coefficient` × this column to `out`, row by row; sums saturate. O(values that are not zero).
    pub fn add_to(&self, coefficient: f64, out: &mut [i64]) {
        let exact = coefficient == 1.0 || coefficient == -1.0;
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
        };
        let dense = dense.iter().copied().enumerate().filter(|(_, value)| *value != 0);
        dense.chain(row.iter().map(|row| *row as usize).zip(value.iter().copied()))
    }

    /// Sum of all rows; it saturates.
    pub fn total(&self) -> i64 {
        self.nonzero().fold(0, |sum, (_, value)| sum.saturating_add(value))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Dense(values) => values.len(),
            Values::Sparse { n_rows, .. } => *n_rows,
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
            }
    }

    /// Returns whether rows ascend and are there.
    pub(super) fn is_in_order(&self) -> bool {
        match &self.values {
            Values::Dense(_) => true,
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
    fn few_numbers_take_little_room() {
        let column = |n: usize| Column::new(DumpId(0), 0, (0..900).map(|row| i64::from(row < n)).collect());
        assert!(matches!(column(599).values, Values::Sparse { .. }));
        assert!(matches!(column(600).values, Values::Dense(_)));
    }
}
