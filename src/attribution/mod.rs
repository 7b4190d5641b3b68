//! Whose code a function is (package, version, kind), who is to blame for a stack, and which container type memory is of.
//! Made of names, paths and rules only; found out when a report first asks.

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
