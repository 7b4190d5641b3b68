//! Sampling error, and growth and shrinkage, of a number.

use serde::Serialize;

/// Sampling error of a value; absent in profiles that recorded every allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Spread {
    /// Number of samples (recorded allocations) behind the value.
    pub samples: i64,
    /// Same for the base.
    pub samples_base: i64,
    /// Standard error of the value, in its unit; the true value is within twice that in 95% of cases.
    pub error: i64,
    /// Standard error of value − base; equals `error` without a base. May be overestimated for two dumps of one process.
    pub change_error: i64,
}

/// Growth and shrinkage since the base, computed per call path, so that they do not cancel out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Gross {
    /// Total growth.
    pub grown: i64,
    /// Total shrinkage, ≤ 0; both add up to value − base.
    pub shrunk: i64,
}
