//! Columns whose rows get other numbers while profiles are merged. Parts that columns share stay shared.

use std::sync::Arc;

use super::samples::{Column, SparseValues, add_up};
use crate::base::hash::HashMap;
use crate::base::id::DumpId;

/// The numbers of a column on other rows.
pub(super) enum MovedColumn {
    /// Row and value, ascending.
    Pairs(Vec<(u32, i64)>),
    /// Parts of a sum.
    Parts(Vec<Arc<SparseValues>>),
}

impl Default for MovedColumn {
    fn default() -> Self {
        MovedColumn::Pairs(Vec::new())
    }
}

/// New numbers of rows.
pub(super) struct RowNumbers<F> {
    /// Row → its new number, or none if it is left out.
    number: F,
    /// Address of a part → the same with new numbers.
    parts: HashMap<usize, Arc<SparseValues>>,
}

impl<F: Fn(u32) -> Option<u32>> RowNumbers<F> {
    pub(super) fn new(number: F) -> Self {
        RowNumbers { number, parts: HashMap::default() }
    }

    /// The column on the new rows, several of which may be one. O(n log n), for parts that were seen before O(parts).
    pub(super) fn column(&mut self, column: &Column) -> MovedColumn {
        match column.parts() {
            Some(parts) => MovedColumn::Parts(parts.iter().map(|part| self.part(part)).collect()),
            None => MovedColumn::Pairs(self.pairs(column.nonzero().map(|(row, value)| (row as u32, value)))),
        }
    }

    /// Moves a column again.
    pub(super) fn again(&mut self, column: MovedColumn) -> MovedColumn {
        match column {
            MovedColumn::Parts(parts) => MovedColumn::Parts(parts.iter().map(|part| self.part(part)).collect()),
            MovedColumn::Pairs(pairs) => MovedColumn::Pairs(self.pairs(pairs.into_iter())),
        }
    }

    fn part(&mut self, part: &Arc<SparseValues>) -> Arc<SparseValues> {
        let address = Arc::as_ptr(part) as usize;
        if let Some(known) = self.parts.get(&address) {
            return known.clone();
        }
        let moved = Arc::new(SparseValues::new(self.pairs(part.iter())));
        self.parts.insert(address, moved.clone());
        moved
    }

    fn pairs(&self, pairs: impl Iterator<Item = (u32, i64)>) -> Vec<(u32, i64)> {
        let mut pairs: Vec<(u32, i64)> = pairs.filter_map(|(row, value)| Some(((self.number)(row)?, value))).collect();
        add_up(&mut pairs);
        pairs.shrink_to_fit();
        pairs
    }
}

impl MovedColumn {
    /// Rows with their values; of a sum some rows several times.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        let (pairs, parts) = match self {
            MovedColumn::Pairs(pairs) => (&pairs[..], &[][..]),
            MovedColumn::Parts(parts) => (&[][..], &parts[..]),
        };
        pairs.iter().copied().chain(parts.iter().flat_map(|part| part.iter()))
    }

    /// The column, each value times `factor`, rounded.
    pub(super) fn into_column(self, dump: DumpId, value_type: usize, n_rows: usize, factor: f64) -> Column {
        match self {
            MovedColumn::Parts(parts) if factor == 1.0 => Column::of_sum(dump, value_type, n_rows, parts),
            moved => {
                let mut pairs: Vec<(u32, i64)> = moved.iter().collect();
                add_up(&mut pairs);
                if factor != 1.0 {
                    pairs.iter_mut().for_each(|(_, value)| *value = (*value as f64 * factor).round() as i64);
                }
                Column::of_pairs(dump, value_type, n_rows, pairs)
            }
        }
    }
}
