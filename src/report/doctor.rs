//! Quality of names: what is missing for each module, and advice.

use serde::{Deserialize, Serialize};

/// The diagnosis of a profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DoctorReport {
    /// Quality of the names, a sentence.
    pub verdict: String,
    /// Whether no recoverable names are missing.
    pub is_well: bool,
    /// Value type, such as `inuse_space`.
    pub value_type: String,
    /// Their unit.
    pub unit: String,
    /// Total of all stacks.
    pub total: i64,
    /// Part of the total whose frames outside system libraries have a function name; each frame
    /// is weighted by the value that passes through it.
    pub function: i64,
    /// Same for frames with a source line.
    pub line: i64,
    /// Same for frames with known inlining.
    pub inlined: i64,
    /// Mappings on the stacks: the program first, then by value.
    pub module: Vec<DoctorModule>,
}

/// A mapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DoctorModule {
    /// Path as the profile has it; empty when unknown.
    pub name: String,
    /// Whether it is a system library: C or C++ runtime, allocator or kernel.
    pub is_system: bool,
    /// File that the names come from; empty if none.
    pub file: String,
    /// File that the debug information comes from, if it is another one.
    pub debug_file: String,
    /// Paths that were searched without result.
    pub looked: Vec<String>,
    /// Build id in the profile; empty when it has none.
    pub build_id: String,
    /// Build id of the file; empty when it has none.
    pub file_build_id: String,
    /// Kind of debug information.
    pub debug: String,
    /// Number of addresses.
    pub n_addresses: usize,
    /// Number of addresses with a function name.
    pub n_function: usize,
    /// Number of addresses with a source line.
    pub n_line: usize,
    /// Value of the stacks that pass through it.
    pub value: i64,
    /// Part of that whose frames in this mapping have a function name; each frame is weighted by the value that
    /// passes through it.
    pub function: i64,
    /// Same for frames with a source line.
    pub line: i64,
    /// Same for frames with known inlining.
    pub inlined: i64,
    /// Whether the file may not be the one that ran, so that its names may be wrong.
    pub is_doubtful: bool,
    /// Problem, a sentence; empty if there is none.
    pub problem: String,
    /// Remedies, alternatives to each other; some have several lines.
    pub remedy: Vec<String>,
}
