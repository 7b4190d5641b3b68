//! Symbolization: addresses to names.
//!
//! [`symbolize`] locates the files of a profile's mappings, reads their symbol tables and debug information, and returns the
//! names together with [`Note`]s on missing ones; `Profile::renamed` puts the names in. It reads files and nothing else: no
//! environment, no network, no other program. It writes only its [`Cache`].
//!
//! The names are pprof's: the linkage name of every inlined function, the symbol table's for the outermost one, shortened by
//! [`Demangle`].

mod allocator_frames;
mod binary;
#[cfg(feature = "app")]
mod cache;
#[cfg(feature = "app")]
pub mod code;
mod debug_information;
mod dwarf;
mod examine;
mod files_by_build_id;
mod find;
mod inline_budget;
mod macho_objects;
mod module;
mod names;
mod options;
mod plan;
mod progress;
mod provisional_names;
mod read;
mod symbolized;
#[cfg(test)]
mod tests;

/// Where nothing can be remembered.
#[cfg(not(feature = "app"))]
use module as cache;

pub use allocator_frames::without_allocator;
pub use binary::{Binary, BinaryError, Region, Routine};
pub use dwarf::{DebugKind, Frame};
pub use examine::{Examined, Facts, Outcome, Split, examine};
pub use files_by_build_id::{BuildFile, DebugFiles};
pub use find::fit::Misfit;
pub(crate) use find::note::NO_SPLIT;
pub use find::note::{Advice, Doubt, Note, NoteKind};
pub use find::remote::{BuildFacts, build_facts, build_id, separate_debug_file};
pub use names::symbolize;
pub use options::{Cache, Mode, Options};
pub use progress::Progress;
pub use read::attached_file::AttachedFile;
pub use read::byte_source::ByteSource;
pub use read::got::Slot;
pub use read::image::{ImageError, is_binary};
pub use read::machine::Machine;
pub use read::symtab::Entry;
pub use symbolized::Symbolized;
