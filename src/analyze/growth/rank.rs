//! Order of rows: first those that grow significantly and still do, by the part of their growth that the trend explains, so that
//! neither a final peak nor a finished start-up counts; then those that stopped growing, those that only vary, and those that
//! shrink.

use super::shape::Judged;
use crate::report::GrowthShape;

/// A leak that explains less than this share of all growth is no better than what is not one.
const SMALL: f64 = 0.005;

/// Sort key of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rank {
    group: u8,
    growth: f64,
}

impl Rank {
    /// Of a row that grew by `growth` from the first dump to the last, over an axis `x`, where all rows that grew did so by
    /// `grown` together.
    pub(super) fn new(judged: &Judged, x: &[f64], growth: i64, grown: i64) -> Self {
        let explained = match judged.began {
            Some(began) => judged.line.slope * (x[x.len() - 1] - x[began]),
            None => 0.0,
        };
        let group = match judged.shape {
            GrowthShape::Leak if explained >= SMALL * grown as f64 => 0,
            GrowthShape::Leak | GrowthShape::Step | GrowthShape::Plateau | GrowthShape::Unknown => 1,
            GrowthShape::Sawtooth | GrowthShape::Noise | GrowthShape::Flat => 2,
            GrowthShape::Shrinking => 3,
        };
        Rank { group, growth: if group == 0 { explained } else { growth as f64 } }
    }

    /// Key of the row without an owner: last.
    pub(super) fn last() -> Self {
        Rank { group: 4, growth: 0.0 }
    }

    /// The order of rows: those to look at first.
    pub(super) fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.group.cmp(&other.group).then(other.growth.total_cmp(&self.growth))
    }
}
