//! The data model that every format is parsed into and every report is computed from.
//!
//! A [`Profile`] is immutable and columnar: strings, code (mappings, functions, locations, frames), a prefix tree of stacks, rows
//! of samples, and one column of numbers for each dump and value type. Two dumps are two columns of one profile; a difference is
//! a weight on columns.
//!
//! No I/O, no formats, no clock, no globals.

mod accesses;
mod allocator_library;
mod builder;
mod carried_binary;
mod copy;
mod drop_dumps;
mod dump;
mod dump_name;
mod expected;
mod frames;
mod label_frames;
mod labels;
mod made_up;
mod merge;
mod merged_stacks;
mod meta;
mod model;
mod moments;
mod moved_columns;
mod parts;
mod process;
mod process_name;
mod recorded;
mod rewrite;
mod run_log;
mod run_summary;
mod samples;
mod series;
mod shown_dump;
mod simple_name;
mod source_files;
mod stacks;
mod state_at;
mod strings;
mod validate;

pub use accesses::Accesses;
pub use allocator_library::is_allocator_library;
pub use builder::ProfileBuilder;
pub use carried_binary::CarriedBinary;
pub use copy::Copier;
pub use dump::{Dump, Moment, MomentKind};
pub use dump_name::{DumpName, are_of_processes};
pub use expected::ExpectedGrowth;
pub use frames::{Code, Frame, Function, Line, Location, Mapping};
pub use labels::{Label, LabelValue, Labels};
pub use made_up::{BELOW_THRESHOLD, HEAP_OVERHEAD, LOST_ROWS, STACKS, UNKNOWN_STACK, is_lost, is_made_up};
pub use merge::{MergeError, Merger, merge, merge_into};
pub use meta::{MOST_COMMENT_BYTES, MOST_COMMENTS, MatchedBuild, MatchedBuilds, Meta, NamelessBuild};
pub use model::{Calls, Profile};
pub use moments::MomentParts;
pub use parts::ProfileParts;
pub use process::{
    CaptureNote, GlibcStats, JemallocStats, MapClass, MapSums, MappedFile, MemoryMaps, PageSums, ProcessFacts, ProcessFile, ProcessStatus,
    TcmallocStats,
};
pub use process_name::ProcessName;
pub use recorded::{NameFacts, NameFlags, RecordedContainer, RecordedNames, RecordedPackage, Recording};
pub use rewrite::{CallChange, NamedLine, Names};
pub use run_log::{EventLog, LOGGED, LoggedChanges, RunLog};
pub use run_summary::{RunCount, RunLifetime, RunPoint, RunReallocations, RunSummary};
pub use samples::{Column, Samples, SparseValues, ValueType};
pub use series::{Axis, Series};
pub use shown_dump::{in_series_order, largest_process, show_only};
pub use simple_name::simple_name;
pub use stacks::Stacks;
pub use state_at::StateAt;
pub use strings::Strings;
pub use validate::Violation;
