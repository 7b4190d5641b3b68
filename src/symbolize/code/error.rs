//! Errors of disassembling.

use thiserror::Error;

/// Why a range of code cannot be disassembled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodeError {
    /// No decoder for this architecture.
    #[error("{path}: unsupported architecture {machine} (supported: x86 and ARM); try objdump -d {path}")]
    Machine {
        /// Path of the file.
        path: String,
        /// Name of the architecture.
        machine: String,
    },
    /// The file has no bytes at this address.
    #[error("{path}: no code at {address:#x}")]
    NoCode {
        /// Path of the file.
        path: String,
        /// First address of the range, in the file's own addresses.
        address: u64,
    },
}
