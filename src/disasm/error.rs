//! Why there are no instructions.

use thiserror::Error;

/// Why there are no instructions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisasmError {
    /// The machine is none of those known here.
    #[error("{path}: unsupported architecture {machine} (supported: x86 and ARM); try objdump -d {path}")]
    Machine {
        /// The file.
        path: String,
        /// The machine.
        machine: String,
    },
    /// No routine that holds samples has a name that matches.
    #[error("no matches found for regexp {pattern}{problems}")]
    NoMatch {
        /// The expression.
        pattern: String,
        /// Files that could not be read, each behind a semicolon.
        problems: String,
    },
    /// No routine lies there.
    #[error("no matches found for address {address:#x}{problems}")]
    NoAddress {
        /// The address.
        address: u64,
        /// Files that could not be read, each behind a semicolon.
        problems: String,
    },
    /// A routine lies there, but holds nothing.
    #[error("address {address:#x} found in binary, but the corresponding symbols do not have samples in the profile")]
    NoSamples {
        /// The address.
        address: u64,
    },
    /// Routines match, but none can be read.
    #[error("{}", problems.join("; "))]
    Unreadable {
        /// Why.
        problems: Vec<String>,
    },
    /// The file holds no bytes there.
    #[error("{path}: no code at {address:#x}")]
    NoCode {
        /// The file.
        path: String,
        /// The first address asked for.
        address: u64,
    },
}
