//! Builds of a profile, and matching of their functions.

/// Maximum number of builds; further ones count as the last.
pub(super) const MOST_BUILDS: usize = 32;

/// The builds of a profile.
pub(super) struct Builds {
    /// `DumpId` → number of its build.
    pub(super) of_dump: Vec<usize>,
    /// Display names.
    pub(super) label: Vec<String>,
}

/// Way in which a function was matched with those of other builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Matching {
    Name,
    Form,
    LastPart,
}
