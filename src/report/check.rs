//! Results of limits.

use serde::Serialize;

use super::{Expected, SummaryCulprit};

/// Quantity that a limit applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOf {
    /// Memory in use.
    #[default]
    Value,
    /// Growth since the base.
    Growth,
}

/// A limit and its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckRow {
    /// What is limited, as on the command line: `in use`, `growth`, `package=serde_json`.
    pub name: String,
    /// Limited quantity.
    pub of: CheckOf,
    /// Limit as given: `40MiB`, `5%`.
    pub limit_text: String,
    /// Value type, such as `inuse_space`.
    pub value_type: String,
    /// Unit of the numbers, as the profile names it.
    pub unit: String,
    /// The limit.
    pub limit: i64,
    /// Actual value: memory in use, or growth without what is expected.
    pub actual: i64,
    /// Memory in use.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
    /// Whether the limit is met.
    pub holds: bool,
    /// Whether nothing in the profile matches the name.
    pub is_unmet: bool,
    /// Standard error of the actual value in sampled profiles; 0 if exact or unknown.
    pub error: i64,
    /// Whether the result is certain: the distance to the limit is more than two standard errors.
    pub is_sure: bool,
    /// Top holders, or the functions that grew most.
    pub culprit: Vec<SummaryCulprit>,
    /// Functions whose growth is expected; what is not exceeded does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Expected>,
    /// Query that shows it in the page.
    pub query: Vec<(String, String)>,
}

/// Results of all limits, exceeded ones first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// Whether all limits are met.
    pub holds: bool,
    /// The limits.
    pub row: Vec<CheckRow>,
    /// Warnings, a sentence each.
    pub warnings: Vec<String>,
}
