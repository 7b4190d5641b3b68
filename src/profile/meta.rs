//! Metadata of a profile as a whole.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::carried_binary::CarriedBinary;
use super::expected::ExpectedGrowth;
use super::process::ProcessFile;
use super::recorded::RecordedNames;
use super::run_summary::RunSummary;
use super::samples::ValueType;

/// Metadata of a profile as a whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// Unit of the sampling period.
    pub period_type: Option<ValueType>,
    /// Mean distance of samples in the period type's unit; 0 when unknown, 1 when exact.
    pub period: i64,
    /// Kind of the value type to show first; empty: the last one.
    pub default_type: String,
    /// Free text lines, deduplicated when profiles are merged. At most [`MOST_COMMENTS`].
    pub comments: Vec<String>,
    /// URL of documentation of the numbers.
    pub doc_url: String,
    /// Functions below which (and with which) stacks end: allocator internals.
    /// A regular expression on the whole name.
    pub drop_frames: String,
    /// Exceptions to `drop_frames`.
    pub keep_frames: String,
    /// Builds of one program in the dumps, if there are several.
    pub matched_builds: Option<MatchedBuilds>,
    /// Recordings in the profile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunSummary>,
    /// Files about the memory of the processes of the dumps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub process_files: Vec<ProcessFile>,
    /// Binaries that recordings have in themselves: sources of names.
    #[serde(skip)]
    pub binaries: Vec<CarriedBinary>,
    /// Growth that is expected; marks of a store.
    #[serde(skip)]
    pub expected: Vec<ExpectedGrowth>,
    /// What was known of names when the profile was written as report data; no header of it.
    #[serde(skip)]
    pub recorded: Option<Arc<RecordedNames>>,
}

/// Builds of one program, and how many functions have one name in several of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchedBuilds {
    /// The builds.
    pub builds: Vec<MatchedBuild>,
    /// Functions that several builds call the same.
    pub n_by_name: usize,
    /// Functions matched by the normal form of their names.
    pub n_by_form: usize,
    /// Functions matched by the last part of their names, and file or line.
    pub n_by_last_part: usize,
    /// Functions matched by the last part of their names and their callers, where one name represents several functions.
    pub n_by_place: usize,
    /// Inlined calls that some builds have no name for, and that are part of their callers instead.
    pub n_folded_calls: usize,
    /// Builds without any function name.
    pub nameless: Vec<NamelessBuild>,
}

/// A build without names, whose functions cannot be matched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamelessBuild {
    /// As [`MatchedBuild::file`].
    pub file: String,
    /// All of its dumps are subtracted.
    pub is_base: bool,
}

/// A build of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchedBuild {
    /// Path of the program with the beginning of its build id; of dumps without a program the name of the first one.
    pub file: String,
    /// Functions in its stacks.
    pub n_functions: usize,
    /// Those of them that another build has, too.
    pub n_matched: usize,
}

/// Most comments of a profile. Each is an index of a few bits into a table of texts, so that a file of a
/// kilobyte can request gigabytes.
pub const MOST_COMMENTS: usize = 10_000;

/// Most bytes of all comments together.
pub const MOST_COMMENT_BYTES: usize = 1 << 20;

impl Meta {
    /// Number of leading comments, given by `lengths` in bytes, that still fit.
    pub fn room_for_comments(&self, lengths: impl Iterator<Item = usize>) -> usize {
        let mut left = MOST_COMMENT_BYTES.saturating_sub(self.comments.iter().map(String::len).sum());
        let fits = move |length: &usize| match left.checked_sub(*length) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        lengths.take(MOST_COMMENTS.saturating_sub(self.comments.len())).take_while(fits).count()
    }
}
