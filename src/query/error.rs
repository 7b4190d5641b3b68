//! Errors in options, with suggestions.

use thiserror::Error;

/// Error in an option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No field has this name.
    #[error("unknown option {name:?}{}", nearest.as_ref().map(|n| format!("; did you mean {n:?}?")).unwrap_or_default())]
    Unknown {
        /// Given name.
        name: String,
        /// The nearest name there is.
        nearest: Option<&'static str>,
    },
    /// The value does not fit the field.
    #[error("{field}={value:?} is not {expected}")]
    Value {
        /// The field.
        field: &'static str,
        /// Given value.
        value: String,
        /// Expected values.
        expected: String,
    },
    /// The expression cannot be compiled.
    #[error("{field}: the expression {value:?} {problem}")]
    Pattern {
        /// The field.
        field: &'static str,
        /// Given value.
        value: String,
        /// Position and reason of the error.
        problem: String,
    },
    /// The profile has no such value type.
    #[error("the profile has no value type {value:?}; it has {has}{hint}")]
    NoValueType {
        /// Given value.
        value: String,
        /// Available values.
        has: String,
        /// What to do instead; begins with a semicolon, or is empty.
        hint: &'static str,
    },
    /// The profile does not have the numbers of a condition.
    #[error("where: the profile has no {value}; it has {has}")]
    NoQuantity {
        /// Given quantity.
        value: String,
        /// Available quantities.
        has: String,
    },
    /// The option names local files and is not allowed in a page.
    #[error("{field} can only be given on the command line, when heapview starts")]
    Local {
        /// The field.
        field: &'static str,
    },
    /// There is no such dump.
    #[error("{field}={value}: only {n} dumps are open, numbered from 0")]
    NoDump {
        /// The field.
        field: &'static str,
        /// Given value.
        value: usize,
        /// Number available.
        n: usize,
    },
    /// The dump's numbers were dropped.
    #[error("{field}={value}: -watch dropped this dump to save memory; choose another one")]
    Thinned {
        /// The field.
        field: &'static str,
        /// Given value.
        value: usize,
    },
    /// The dump is no recording.
    #[error("{field}: {} has no times; only recordings (heaptrack) have them", if name.is_empty() { "the profile" } else { name })]
    NoTimes {
        /// The field.
        field: &'static str,
        /// The dump.
        name: String,
    },
    /// No dump belongs to this process.
    #[error("series={value}: unknown process; {}", if has.is_empty() { "the file names do not name processes".to_owned() } else { format!("there are dumps of {has}") })]
    NoSeries {
        /// Given value.
        value: String,
        /// Available dumps.
        has: String,
    },
    /// Growth needs more than one dump.
    #[error("growth needs at least two dumps of one process, found {n}; give all dumps of the series")]
    FewDumps {
        /// Number available.
        n: usize,
    },
    /// Nothing has a name that matches.
    #[error("no function matches {pattern:?}; `top` lists the functions")]
    NoMatch {
        /// The field.
        field: &'static str,
        /// The expression.
        pattern: String,
    },
    /// No box of the tree has this id any more.
    #[error("the zoomed frame {id} is not in this view; remove zoom")]
    NoBox {
        /// The id.
        id: String,
    },
}

impl QueryError {
    /// The name of an option that does not exist.
    pub fn unknown(&self) -> Option<&str> {
        match self {
            QueryError::Unknown { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The field at fault, when one is.
    pub fn field(&self) -> Option<&str> {
        match self {
            QueryError::Unknown { name, .. } => Some(name),
            QueryError::Value { field, .. } | QueryError::Pattern { field, .. } | QueryError::NoDump { field, .. } => Some(field),
            QueryError::NoMatch { field, .. }
            | QueryError::NoTimes { field, .. }
            | QueryError::Local { field }
            | QueryError::Thinned { field, .. } => Some(field),
            QueryError::NoValueType { .. } => Some("sample_index"),
            QueryError::NoQuantity { .. } => Some("where"),
            QueryError::NoBox { .. } => Some("zoom"),
            QueryError::NoSeries { .. } => Some("series"),
            QueryError::FewDumps { .. } => Some("dump"),
        }
    }
}

/// All errors in one line.
pub fn in_one_line(errors: &[QueryError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
