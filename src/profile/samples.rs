//! What was measured: rows of (stack, labels), and a column of numbers for each
//! dump and value type.

use crate::id::{DumpId, Id, LabelSetId, StackId};

/// Kind and unit of a column, such as `inuse_space` in `bytes`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// The rows, as the writer gave them: the same stack and labels may occur again, and rows
/// may be all zeros. Merging adds up and cleans.
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

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// The same rows on other nodes.
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
    /// Row → value, after un-sampling, in the value type's unit.
    values: Vec<i64>,
}

impl Column {
    pub(super) fn new(dump: DumpId, value_type: usize, values: Vec<i64>) -> Self {
        Column { dump, value_type, values }
    }

    pub(super) fn multiply(&mut self, factor: i64) {
        self.values.iter_mut().for_each(|value| *value = value.saturating_mul(factor));
    }

    /// Adds `coefficient` × this column to `out`, row by row; sums saturate.
    pub fn add_to(&self, coefficient: f64, out: &mut [i64]) {
        let exact = coefficient == 1.0 || coefficient == -1.0;
        for (out, &value) in out.iter_mut().zip(&self.values) {
            *out = match exact {
                true if coefficient > 0.0 => out.saturating_add(value),
                true => out.saturating_sub(value),
                false => out.saturating_add((value as f64 * coefficient) as i64),
            };
        }
    }

    /// The value of `row`.
    pub fn get(&self, row: usize) -> i64 {
        self.values[row]
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}
