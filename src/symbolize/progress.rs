//! Progress of symbolization.

use crate::base::id::LocationId;
use crate::profile::NamedLine;

/// Receives progress from several threads; should return at once.
pub trait Progress: Sync {
    /// `done` of `total` addresses have been looked up; `file` is the one being read.
    fn done(&self, done: usize, total: usize, file: &str);

    /// Progress of a download for `file`; `what` describes it.
    fn fetching(&self, file: &str, what: &str) {
        let _ = (file, what);
    }

    /// Returns whether names are wanted before all are there. Then those of the heaviest stacks
    /// come first, and it takes a little longer to the end.
    fn wants_names(&self) -> bool {
        false
    }

    /// Returns whether the work was cancelled. It then ends soon, with the results so far; must not become false again.
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
