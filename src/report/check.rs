//! Whether a profile keeps within what it may hold.

use serde::Serialize;

use super::SummaryCulprit;

/// What a limit is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOf {
    /// What is held.
    #[default]
    Value,
    /// What is held more than in the base.
    Growth,
}

/// One limit and how it was kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckRow {
    /// What is limited, as people write it: `in use`, `growth`, `package=serde_json`.
    pub name: String,
    /// On what.
    pub of: CheckOf,
    /// The limit as it was given: `40MiB`, `5%`.
    pub limit_text: String,
    /// Value type, such as `inuse_space`.
    pub value_type: String,
    /// Unit of the numbers, as the profile names it.
    pub unit: String,
    /// The limit.
    pub limit: i64,
    /// What there is: held, or grown.
    pub actual: i64,
    /// What is held.
    pub value: i64,
    /// The same in the base; 0 without one.
    pub base: i64,
    /// It is kept.
    pub holds: bool,
    /// Nothing in the profile is called so: a name may be mistyped.
    pub is_unmet: bool,
    /// Standard error of what there is, where the profile is sampled; 0: exact or unknown.
    pub error: i64,
    /// It is kept or not by more than sampling may be off (two standard errors).
    pub is_sure: bool,
    /// Who holds, or grew, most of it.
    pub culprit: Vec<SummaryCulprit>,
    /// The query that shows it in the page or as flags.
    pub query: Vec<(String, String)>,
}

/// Every limit, broken ones first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// All limits are kept.
    pub holds: bool,
    /// The limits.
    pub row: Vec<CheckRow>,
    /// What the person should know, a sentence each.
    pub warnings: Vec<String>,
}
