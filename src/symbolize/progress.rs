//! Progress of symbolization.

use crate::base::id::LocationId;
use crate::profile::NamedLine;

/// Is told how far it got, from several threads; should return at once.
pub trait Progress: Sync {
    /// `done` of `total` addresses have been looked up; `file` is the one being read.
    fn done(&self, done: usize, total: usize, file: &str);

    /// Something of `file` comes from another machine; `what` says how far it is.
    fn fetching(&self, file: &str, what: &str) {
        let _ = (file, what);
    }

    /// Returns whether names are wanted before all are there. Then those of the heaviest stacks
    /// come first, and it takes a little longer to the end.
    fn wants_names(&self) -> bool {
        false
    }

    /// Returns whether nobody wants the names any more. Then the work ends soon, with what it has by then;
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
