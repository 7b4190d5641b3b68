//! Errors of the disassembly report.

use thiserror::Error;

/// Errors of the disassembly report.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisasmError {
    /// No function with samples has a matching name.
    #[error("no matches found for regexp {pattern}{problems}")]
    NoMatch {
        /// Source of the regexp.
        pattern: String,
        /// Files that could not be read, each after a semicolon.
        problems: String,
    },
    /// No function at this address.
    #[error("no matches found for address {address:#x}{problems}")]
    NoAddress {
        /// Requested address.
        address: u64,
        /// Files that could not be read, each after a semicolon.
        problems: String,
    },
    /// The function at this address has no samples.
    #[error("address {address:#x} found in binary, but the corresponding symbols do not have samples in the profile")]
    NoSamples {
        /// Requested address.
        address: u64,
    },
    /// Functions match, but the code of none can be read.
    #[error("{}", problems.join("; "))]
    Unreadable {
        /// One problem per function.
        problems: Vec<String>,
    },
}
