//! Moments of a recording as further dumps of its profile.

use std::sync::Arc;

use super::samples::{Column, SparseValues};
use super::{Dump, Moment, Profile};
use crate::base::id::{DumpId, Id};

/// Value type → parts of its column.
pub type MomentParts = Vec<Vec<Arc<SparseValues>>>;

impl Profile {
    /// Appends a dump for each of `moments`, shown only where a view names it. Rows are those of the profile. O(parts).
    #[must_use]
    pub fn with_moments(mut self, moments: Vec<(Moment, MomentParts)>) -> Profile {
        self.append_moments(moments);
        self
    }

    pub(super) fn append_moments(&mut self, moments: Vec<(Moment, MomentParts)>) {
        let n_rows = self.samples.len();
        for (moment, parts) in moments {
            let dump = DumpId::new(self.dumps.len());
            let mut parts = parts.into_iter();
            for value_type in 0..self.value_types.len() {
                self.columns.push(Column::of_sum(dump, value_type, n_rows, parts.next().unwrap_or_default()));
            }
            self.dumps.push(Dump { moment: Some(moment), is_added: true, ..Dump::default() });
        }
    }
}
