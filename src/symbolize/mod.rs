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

mod allocator;
mod binary;
mod cache;
pub mod code;
mod debug_files;
mod debug_information;
mod dwarf;
mod early;
mod examine;
mod find;
mod inlined;
mod module;
mod names;
mod objects;
mod options;
mod plan;
mod progress;
mod read;
mod symbolized;
#[cfg(test)]
mod tests;

pub use allocator::without_allocator;
pub use binary::{Binary, BinaryError, Region, Routine};
pub use debug_files::{BuildFile, DebugFiles};
pub use dwarf::{DebugKind, Frame};
pub use examine::{Examined, Facts, Outcome, Split, examine};
pub use find::fit::Misfit;
pub use find::note::{Doubt, Note, NoteKind};
pub use find::remote::build_id;
pub use names::symbolize;
pub use options::{Cache, Mode, Options};
pub use progress::Progress;
pub use read::image::{ImageError, is_binary};
pub use read::in_memory_file::InMemoryFile;
pub use read::machine::Machine;
pub use read::slots::Slot;
pub use read::symtab::Entry;
pub use symbolized::Symbolized;
