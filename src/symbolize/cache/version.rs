//! Hash of the code that wrote an entry.

/// The code that names come from: what other versions of it remembered is not used.
pub(super) const VERSION: &str = env!("HEAPVIEW_NAMERS");
