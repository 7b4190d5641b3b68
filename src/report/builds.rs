//! How functions of several builds were matched.

use serde::Serialize;

/// Builds of one program that the dumps are of, and how many functions have one name in several of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchedBuilds {
    /// The builds.
    pub build: Vec<MatchedBuild>,
    /// Functions that several builds call the same.
    pub n_by_name: usize,
    /// Functions that the builds spell differently: `<a::B>::f` and `a::B::f`.
    pub n_by_form: usize,
    /// Functions that one build names without their module, matched by the rest of the name and file or line.
    pub n_by_last_part: usize,
    /// Functions of which one build names several alike, matched by their callers.
    pub n_by_place: usize,
    /// Inlined calls that some builds have no name for, and that are counted for their callers instead: pairs of caller and
    /// callee.
    pub n_folded_calls: usize,
}

/// A build of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MatchedBuild {
    /// Path of the program with the beginning of its build id; of dumps without a program the name of the first one.
    pub file: String,
    /// Functions in its stacks.
    pub n_functions: usize,
    /// Those of them that another build has, too.
    pub n_matched: usize,
}
