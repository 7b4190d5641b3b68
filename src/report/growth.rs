//! What grows from dump to dump.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Header, Row};

/// One dump of the series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct GrowthDump {
    /// Its number among all dumps, as `dump` and `base` take it.
    pub dump: usize,
    /// Path or address that it was read from.
    pub name: String,
    /// Where it lies on the axis: seconds since the first one, or its place in the series.
    pub at: f64,
    /// When it was taken, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Sum of all that passes the filters.
    pub total: i64,
}

/// How values went over the series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrowthShape {
    /// Grows to the end.
    Leak,
    /// Grew in one or a few jumps, and stays there.
    Step,
    /// Grew, then stays.
    Plateau,
    /// Grows and falls back again and again.
    Sawtooth,
    /// Goes up and down without direction.
    Noise,
    /// Shrinks.
    Shrinking,
    /// Hardly changes.
    Flat,
    /// Too few dumps to tell, or too little beside the others to be looked at.
    #[default]
    Unknown,
}

impl GrowthShape {
    /// The shape in one word, as JSON and CSV spell it.
    pub fn name(self) -> &'static str {
        match self {
            GrowthShape::Leak => "leak",
            GrowthShape::Step => "step",
            GrowthShape::Plateau => "plateau",
            GrowthShape::Sawtooth => "sawtooth",
            GrowthShape::Noise => "noise",
            GrowthShape::Shrinking => "shrinking",
            GrowthShape::Flat => "flat",
            GrowthShape::Unknown => "unknown",
        }
    }
}

/// What the numbers of one thing say together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Trend {
    /// Value of the first dump.
    pub first: i64,
    /// Value of the last one.
    pub last: i64,
    /// Largest value.
    pub peak: i64,
    /// Growth per unit of the axis (second or dump), of a leak since it began: median of the slopes of all pairs
    /// (Theil and Sen).
    pub slope: f64,
    /// Lower end of the interval that holds the true slope with 95 %.
    pub slope_low: f64,
    /// Upper end.
    pub slope_high: f64,
    /// How likely numbers without a trend look like these, 0 to 1: two sided test of Mann and Kendall, and where
    /// neighbours are alike the test of signs on what is added from dump to dump.
    pub p: f64,
    /// How they went.
    pub shape: GrowthShape,
    /// A leak that grows in jumps with rests between them, as a vector does that doubles when it is full: it rests, but
    /// not for longer than before.
    pub in_steps: bool,
    /// Index in `dump`, from 0, of the last dump before growth began; `None`: it does not grow. Texts and tables for people
    /// count dumps from 1.
    pub began: Option<usize>,
}

/// One thing over the series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct GrowthRow {
    /// What it is: function, line, package, culprit; of types the name only, of stacks their innermost frame.
    pub row: Row,
    /// Of whole stacks: the frames, leaf first; else empty.
    pub stack: Vec<String>,
    /// Place in the series → value.
    pub value: Vec<i64>,
    /// What these say.
    pub trend: Trend,
    /// Its share of all that grew, 0 to 1; 0 when it did not.
    pub share: f64,
    /// Its value in the dump at exit; 0 without one.
    pub at_exit: i64,
}

/// Things by how sure and how much they grow: leaks first, plateaus and noise behind them.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct GrowthReport {
    /// What every report says first. Its totals are those of the last dump.
    pub header: Header,
    /// What rows are: `culprits`, `functions`, `lines`, `files`, `packages`, `modules`, `types`, `stacks`.
    pub by: String,
    /// Process that the dumps are of; empty when names tell none.
    pub series: String,
    /// All processes that there are dumps of.
    pub all_series: Vec<String>,
    /// Unit of the axis: `s` or `dump`.
    pub axis: String,
    /// The dumps, in order.
    pub dump: Vec<GrowthDump>,
    /// So many dumps there must be before a shape can be told.
    pub fewest: usize,
    /// What grows.
    pub row: Vec<GrowthRow>,
    /// Place in the series → sum of the rows that are not told.
    pub rest: Vec<i64>,
    /// Rows there are in all.
    pub n_rows: usize,
    /// The whole.
    pub total: Trend,
    /// Sum of what grew from the first dump to the last, row by row.
    pub grown: i64,
    /// How many rows that are.
    pub n_grown: usize,
    /// Sum of what shrank; not positive.
    pub shrunk: i64,
    /// How many rows that are.
    pub n_shrunk: usize,
    /// What the files count but have no rows for, in the dump that lacks most: every growth is uncertain by so much.
    pub uncertain: i64,
    /// The last dump, if the program wrote it as it ended and gave its memory back; not part of `dump` and not counted in any
    /// growth. `None`: there is no such dump, or dumps were named one by one.
    pub at_exit: Option<GrowthDump>,
    /// Sum in the dump at exit of the rows that are not told; 0 without one.
    pub rest_at_exit: i64,
    /// The limit that was asked about, in the header's unit; 0: none.
    pub limit: i64,
    /// When the total reaches the limit, on the axis, counted from the last dump: soonest, likely, latest; empty when
    /// it does not grow or no limit was given, the latest missing when the growth may as well be none.
    pub until_limit: Vec<f64>,
}
