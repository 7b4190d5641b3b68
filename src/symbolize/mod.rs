//! Addresses to names.
//!
//! [`symbolize`] finds the files that a profile's mappings came from, reads their
//! symbol tables and debug information, and returns what it found together with
//! [`Note`]s on what it did not; `Profile::renamed` puts the names in. It reads
//! files and nothing else: no environment, no network, no other program. It writes
//! only what it remembers ([`Cache`]).
//!
//! The names are pprof's: the linkage name of every inlined function, the symbol
//! table's for the outermost one, shortened by [`Demangle`].

mod address;
mod allocator;
mod binary;
mod cache;
mod companions;
mod dwarf;
mod early;
mod examine;
mod fit;
mod headers;
mod held;
mod image;
mod inlined;
mod locate;
mod metered;
mod mini;
mod module;
mod names;
mod note;
mod numbers;
mod objects;
mod part;
mod perf_map;
mod plan;
mod remote;
mod slots;
mod stamp;
mod symtab;
#[cfg(test)]
mod tests;
mod universal;

use std::path::PathBuf;
use std::sync::Arc;

pub use allocator::without_allocator;
pub use binary::{Binary, BinaryError, Machine, Region, Routine};
pub use cache::Cache;

pub use dwarf::{DebugKind, Frame};
pub use examine::{Examined, Facts, Outcome, Split, examine};
pub use fit::Misfit;
pub use held::HeldFile;
pub use image::{ImageError, is_binary};
pub use names::symbolize;
pub use note::{Doubt, Note, NoteKind};
pub use remote::{BuildFile, DebugFiles, build_id};
pub use slots::Slot;
pub use symtab::Entry;

use crate::demangle::Demangle;
use crate::hash::HashSet;
use crate::id::LocationId;
use crate::profile::{NamedLine, Names};

/// How names are looked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The program, given by the person: goes for the main mapping, whatever its path is.
    pub binary: Option<PathBuf>,
    /// Several programs, given by the person: each goes for the mappings of its path.
    pub programs: Vec<PathBuf>,
    /// Libraries and other binaries, given by the user: each goes for mappings with its build id or base name.
    pub libraries: Vec<PathBuf>,
    /// Files that are in memory only; they go before all others.
    pub held: Vec<Arc<HeldFile>>,
    /// Folders to look for programs, libraries and debug information in, before the
    /// paths that the profile names.
    pub search: Vec<PathBuf>,
    /// Roots of separate debug information; `/usr/lib/debug` is always one, and the last.
    pub debug_dirs: Vec<PathBuf>,
    /// The root folder of the machine that was profiled, or of a copy of it: what the profile
    /// and debug information name is looked for below it first.
    pub sysroot: Option<PathBuf>,
    /// Beginnings of recorded paths, and what stands for them here.
    pub remap: Vec<(PathBuf, PathBuf)>,
    /// Names of code that was made at run time, as `/tmp/perf-<pid>.map` has them.
    pub perf_map: Option<PathBuf>,
    /// The person's home, where perf keeps copies of programs.
    pub home: Option<PathBuf>,
    /// What to look at.
    pub mode: Mode,
    /// Look again where the profile has names already.
    pub force: bool,
    /// How names are shortened. Anything but the default implies `force`, as in pprof.
    pub demangle: Demangle,
    /// Where names are remembered, if they are.
    pub cache: Option<Cache>,
    /// Who is asked for files that are not here; nobody when absent.
    pub remote: Option<Arc<dyn DebugFiles>>,
    /// Locations that were looked up before and are passed over.
    pub known: Arc<HashSet<LocationId>>,
}

/// What names are taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: addresses stay, and names stay as they are.
    None,
    /// No file: the names that are there are demangled.
    Given,
    /// Only symbol tables: no files, lines, inlined frames.
    Symbols,
    /// Symbol tables and debug information.
    #[default]
    Local,
}

/// Is told how far it got, from several threads; should return at once.
pub trait Progress: Sync {
    /// `done` of `total` addresses have been looked up; `file` is the one being read.
    fn done(&self, done: usize, total: usize, file: &str);

    /// Something of `file` comes from another machine; `what` says how far it is.
    fn fetching(&self, file: &str, what: &str) {
        let _ = (file, what);
    }

    /// Whether names are wanted before all are there. Then those of the heaviest stacks
    /// come first, and it takes a little longer to the end.
    fn wants_names(&self) -> bool {
        false
    }

    /// Whether nobody wants the names any more. Then the work ends soon, with what it has by then;
    /// must not become false again.
    fn is_over(&self) -> bool {
        false
    }

    /// The frames of a location, as they are known so far; they may come again with more.
    fn found(&self, location: LocationId, lines: &[NamedLine]) {
        let _ = (location, lines);
    }
}

/// For callers that do not watch.
impl Progress for () {
    fn done(&self, _: usize, _: usize, _: &str) {}
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Symbolized {
    /// For `Profile::renamed`. A location in one of the `resolved` mappings that has
    /// no line was looked up in vain; pprof's `-raw` gives it an empty line.
    pub names: Names,
    /// One for each mapping with addresses that were looked up, in order.
    pub notes: Vec<Note>,
    /// What was left out to bound time and memory, a sentence each.
    pub warnings: Vec<String>,
}
