//! How good the names are, what of each mapped file is missing, and how to get it.

use serde::Serialize;
use utoipa::ToSchema;

/// The diagnosis of a profile.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct DoctorReport {
    /// How good the names are, in a sentence.
    pub verdict: String,
    /// No names are missing that could be had.
    pub is_well: bool,
    /// What the numbers are of, such as `inuse_space`.
    pub value_type: String,
    /// Their unit.
    pub unit: String,
    /// What all stacks hold.
    pub total: i64,
    /// The part of it whose code, as far as it is the program's own, has a function: every frame
    /// counts by what passes through it.
    pub function: i64,
    /// The same with a source line.
    pub line: i64,
    /// The same where inlined functions are known.
    pub inlined: i64,
    /// The mapped files that stacks pass through, the program first, then by what they hold.
    pub module: Vec<DoctorModule>,
}

/// A mapped file.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct DoctorModule {
    /// Path as the profile has it; empty when unknown.
    pub name: String,
    /// It comes with the system: a library of the C or C++ run time, an allocator, the kernel.
    pub is_system: bool,
    /// The file that names come from; empty when there is none.
    pub file: String,
    /// The file that debug information comes from, when that is another.
    pub debug_file: String,
    /// Places that were looked at, when nothing was found.
    pub looked: Vec<String>,
    /// Build id in the profile; empty when it has none.
    pub build_id: String,
    /// Build id of the file; empty when it has none.
    pub file_build_id: String,
    /// The kind of debug information, in words.
    pub debug: String,
    /// Addresses.
    pub n_addresses: usize,
    /// Addresses that have a function.
    pub n_function: usize,
    /// Addresses that have a source line.
    pub n_line: usize,
    /// What the stacks hold that pass through it.
    pub value: i64,
    /// The part of that whose code in this file has a function: every frame counts by what
    /// passes through it.
    pub function: i64,
    /// The same with a source line.
    pub line: i64,
    /// The same where inlined functions are known.
    pub inlined: i64,
    /// It may be another file than the one that ran: then its names are wrong.
    pub is_doubtful: bool,
    /// What is wrong, in a sentence; empty when nothing is.
    pub problem: String,
    /// What helps, one way each; some have several lines.
    pub remedy: Vec<String>,
}
