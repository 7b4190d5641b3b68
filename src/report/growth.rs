//! Growth over a series of dumps.

use serde::Serialize;

use super::{Expected, Header, MomentReport, Row};

/// One dump of the series.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GrowthDump {
    /// Index among all dumps, as in `dump` and `base`.
    pub dump: usize,
    /// Path or URL of the dump.
    pub name: String,
    /// Position on the axis: time since the first dump or since the recording began, or index in the series.
    pub at: f64,
    /// When it was taken, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Sum of the samples that match the filters.
    pub total: i64,
    /// Moment of a recording that it is; absent for dumps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(required = false))]
    pub moment: Option<MomentReport>,
    /// Resident memory of the process at a moment of a recording, whatever the filters, bytes; 0 when unknown.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(test, schema(required = false))]
    pub rss: i64,
}

/// A point of the curve of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// Position on the axis.
    pub at: f64,
    /// Requested bytes in use.
    pub heap: i64,
    /// Bytes that the allocator needs beside them; 0 when unknown.
    pub extra: i64,
    /// Bytes of stacks; 0 when unknown.
    pub stacks: i64,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// Classification of growth over the series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum GrowthShape {
    /// Grows until the end.
    Leak,
    /// Grew in one or a few steps and stays there.
    Step,
    /// Grew, then levelled off.
    Plateau,
    /// Repeatedly grows and falls back.
    Sawtooth,
    /// Varies without a trend.
    Noise,
    /// Shrinks.
    Shrinking,
    /// Nearly constant.
    Flat,
    /// Not classified: too few dumps, or too small.
    #[default]
    Unknown,
}

impl GrowthShape {
    /// The shape as in JSON and CSV.
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

/// Statistics of one row over the series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Trend {
    /// Value of the first dump.
    pub first: i64,
    /// Value of the last dump.
    pub last: i64,
    /// Largest value.
    pub peak: i64,
    /// Growth per unit of the axis, of a leak since it began: median of the slopes of all pairs
    /// (Theil and Sen).
    pub slope: f64,
    /// Lower end of the 95% confidence interval of the slope.
    pub slope_low: f64,
    /// Upper end of the 95% confidence interval.
    pub slope_high: f64,
    /// p value, 0 to 1, of the two-sided Mann–Kendall test, and where
    /// successive values are correlated, of the sign test on the differences.
    pub p: f64,
    /// Shape of the growth.
    pub shape: GrowthShape,
    /// Whether a leak grows in steps with rests between them, like a vector that doubles when full, where the rests do
    /// not get longer.
    pub in_steps: bool,
    /// Index in `dump`, from 0, of the last dump before growth began; absent if it does not grow. Text output
    /// counts dumps from 1.
    pub began: Option<usize>,
}

/// One row over the series.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GrowthRow {
    /// Function, line, package or culprit; for types only the name is set, for stacks the innermost frame.
    pub row: Row,
    /// For stacks: the frames, leaf first; empty otherwise.
    pub stack: Vec<String>,
    /// Index in the series → value.
    pub value: Vec<i64>,
    /// Statistics of these values.
    pub trend: Trend,
    /// Share of the total growth, 0 to 1; 0 if it did not grow.
    pub share: f64,
    /// Its value in the dump at exit; 0 without one.
    pub at_exit: i64,
    /// Says that its growth is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(required = false))]
    pub expected: Option<Expected>,
}

/// Rows by certainty and amount of growth: leaks first, plateaus and noise last.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GrowthReport {
    /// Common header; its totals are those of the last dump.
    pub header: Header,
    /// What rows represent: `culprits`, `functions`, `lines`, `files`, `packages`, `modules`, `types`, `stacks`.
    pub by: String,
    /// Process of the dumps; empty if file names do not identify it.
    pub series: String,
    /// All processes with dumps.
    pub all_series: Vec<String>,
    /// Unit of the axis: `s`, `Minstr` (million instructions), `MiB` (allocated and freed), `Munit` (million units of a
    /// recording) or `dump`.
    pub axis: String,
    /// The dumps, in order.
    pub dump: Vec<GrowthDump>,
    /// Minimum number of dumps for classifying growth.
    pub fewest: usize,
    /// Memory in use over the whole recording, whatever the filters, where only some moments have stacks; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(required = false))]
    pub curve: Vec<CurvePoint>,
    /// Rows.
    pub row: Vec<GrowthRow>,
    /// Index in the series → sum of the omitted rows.
    pub rest: Vec<i64>,
    /// Total number of rows.
    pub n_rows: usize,
    /// Statistics of the total.
    pub total: Trend,
    /// Sum over the rows that grew from the first dump to the last.
    pub grown: i64,
    /// Number of these rows.
    pub n_grown: usize,
    /// Sum over the rows that shrank, ≤ 0.
    pub shrunk: i64,
    /// Number of these rows.
    pub n_shrunk: usize,
    /// Largest value of a dump whose stacks are not known: the uncertainty of every growth.
    pub uncertain: i64,
    /// Why they are not known, as a clause; empty when all are.
    pub uncertain_why: String,
    /// The last dump, if it was written at exit after memory was freed; it is not part of `dump` or of any
    /// other number. Absent if there is none, or if dumps were given one by one.
    pub at_exit: Option<GrowthDump>,
    /// Sum of the omitted rows in the dump at exit; 0 without one.
    pub rest_at_exit: i64,
    /// Requested limit, in the header's unit; 0 if none.
    pub limit: i64,
    /// When the total reaches the limit, on the axis from the last dump: earliest, likely, latest; empty if
    /// it does not grow or no limit was given; the latest is missing if growth is not certain.
    pub until_limit: Vec<f64>,
}
