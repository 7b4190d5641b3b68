//! Errors in options, with suggestions.

use thiserror::Error;

/// A field that cannot be what the user asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// No field has this name.
    #[error("unknown option {name:?}{}", nearest.as_ref().map(|n| format!("; did you mean {n:?}?")).unwrap_or_default())]
    Unknown {
        /// What was asked.
        name: String,
        /// The nearest name there is.
        nearest: Option<&'static str>,
    },
    /// The value does not fit the field.
    #[error("{field}={value:?} is not {expected}")]
    Value {
        /// The field.
        field: &'static str,
        /// What was asked.
        value: String,
        /// What would fit.
        expected: String,
    },
    /// The expression cannot be compiled.
    #[error("{field}: the expression {value:?} {problem}")]
    Pattern {
        /// The field.
        field: &'static str,
        /// What was asked.
        value: String,
        /// Where and why it fails.
        problem: String,
    },
    /// The profile has no such value type.
    #[error("the profile has no value type {value:?}; it has {has}")]
    NoValueType {
        /// What was asked.
        value: String,
        /// What there is.
        has: String,
    },
    /// The field says where files are, which a page may not.
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
        /// What was asked.
        value: usize,
        /// How many there are.
        n: usize,
    },
    /// The dump's numbers were dropped.
    #[error("{field}={value}: -watch dropped this dump to save memory; choose another one")]
    Thinned {
        /// The field.
        field: &'static str,
        /// What was asked.
        value: usize,
    },
    /// No dump is of this process.
    #[error("series={value}: unknown process; {}", if has.is_empty() { "the file names do not name processes".to_owned() } else { format!("there are dumps of {has}") })]
    NoSeries {
        /// What was asked.
        value: String,
        /// Those that there are.
        has: String,
    },
    /// Growth of one dump cannot be told.
    #[error("growth needs at least two dumps of one process, found {n}; give all dumps of the series")]
    FewDumps {
        /// How many there are.
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
            QueryError::NoMatch { field, .. } | QueryError::Local { field } | QueryError::Thinned { field, .. } => Some(field),
            QueryError::NoValueType { .. } => Some("sample_index"),
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
