//! What stands beside a number: how sure it is, and what of its difference grew and shrank.

use serde::Serialize;
use utoipa::ToSchema;

/// How sure a number of a sampled profile is. Numbers of exact profiles have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Spread {
    /// Samples behind the value: allocations that the profiler saw.
    pub samples: i64,
    /// The same of the base.
    pub samples_base: i64,
    /// Standard error of the value, in its unit: the truth is within twice that in nineteen of twenty cases.
    pub error: i64,
    /// Standard error of value − base; `error` without a base. Of two dumps of one process it may be too large.
    pub change_error: i64,
}

/// What grew and what shrank since the base, path by path of names: growth here and shrinkage there do not cancel out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Gross {
    /// Sum of what grew.
    pub grown: i64,
    /// Sum of what shrank; not positive. Both together are value − base.
    pub shrunk: i64,
}
