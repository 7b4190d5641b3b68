//! Attribution: ownership of functions (package, version, kind), culprits of stacks, and container types of memory.
//! Derived from names, paths and rules only; computed when a report first needs it.

pub(crate) mod classify;
pub(crate) mod culprit;
mod facts;
pub(crate) mod owners;
pub(crate) mod per_profile;
pub(crate) mod record;
pub(crate) mod types;
pub(crate) mod wrappers;

pub use classify::Package;
pub use per_profile::{Attribution, RowDetail};
pub use record::record;
pub use types::{TypeName, Types};
