//! Functions of several builds of one program, matched where their names differ only in form.
//!
//! Another toolchain, another mangling or another level of debug information calls the same function otherwise:
//! `<a::B>::f` and `a::B::f`, `{closure#0}` and `{{closure}}`, `alloc::vec::Vec::push` and `push`; or it has no name at all
//! for a call that was inlined. Where builds are compared, such functions get one name and such calls are part of their
//! callers; a profile of one build stays as it is.

mod align;
mod dumps;
mod names;
#[cfg(test)]
mod tests;

use align::aligned;
use dumps::builds_of_dumps;
use names::Names;

use crate::profile::{MatchedBuild, MatchedBuilds, Profile};
use crate::report;

/// Most builds that are told apart; further ones count as the last.
const MOST_BUILDS: usize = 32;

/// The builds of a profile.
struct Builds {
    /// `DumpId` → number of its build.
    of_dump: Vec<usize>,
    /// Names for people.
    label: Vec<String>,
}

/// How a function got the name that it has in several builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Matching {
    Name,
    Form,
    LastPart,
}

/// The profile with one name for functions that are the same in several builds, if it is of several; how many there were
/// is in its `meta`. `programs` are paths of binaries that are builds of one program, whatever they are called.
/// O(size log size).
pub fn match_builds(profile: Profile, programs: &[String]) -> Profile {
    let Some(builds) = builds_of_dumps(&profile, programs) else { return profile };
    let of_stack = dumps::builds_of_stacks(&profile, &builds.of_dump);
    let mut names = Names::new(&profile, dumps::builds_of_functions(&profile, &of_stack.passing));
    names.by_form();
    names.by_last_part();
    let mut matched = count(&names, &builds);
    let new_names = names.into_new_names();
    let profile = profile.with_function_names(&new_names);
    let aligned = aligned(&profile, &of_stack);
    matched.n_by_place = aligned.n_named;
    matched.n_folded_calls = aligned.n_folded;
    let is_changed = aligned.n_named + aligned.n_folded > 0;
    let profile = if is_changed { profile.with_calls(&aligned.calls) } else { profile };
    profile.with_matched_builds(matched)
}

/// The same as part of a report.
pub fn matched_builds(matched: &MatchedBuilds) -> report::MatchedBuilds {
    let MatchedBuilds { builds, n_by_name, n_by_form, n_by_last_part, n_by_place, n_folded_calls } = matched;
    let build = |build: &MatchedBuild| {
        let MatchedBuild { file, n_functions, n_matched } = build.clone();
        report::MatchedBuild { file, n_functions, n_matched }
    };
    report::MatchedBuilds {
        build: builds.iter().map(build).collect(),
        n_by_name: *n_by_name,
        n_by_form: *n_by_form,
        n_by_last_part: *n_by_last_part,
        n_by_place: *n_by_place,
        n_folded_calls: *n_folded_calls,
    }
}

fn count(names: &Names, builds: &Builds) -> MatchedBuilds {
    let of_name = names.matched();
    let build = |(build, label): (usize, &String)| {
        let of_build = || of_name.iter().filter(|(builds, _)| builds >> build & 1 == 1);
        MatchedBuild {
            file: label.clone(),
            n_functions: of_build().count(),
            n_matched: of_build().filter(|(_, matching)| matching.is_some()).count(),
        }
    };
    let by = |wanted: Matching| of_name.iter().filter(|(_, matching)| *matching == Some(wanted)).count();
    MatchedBuilds {
        builds: builds.label.iter().enumerate().map(build).collect(),
        n_by_name: by(Matching::Name),
        n_by_form: by(Matching::Form),
        n_by_last_part: by(Matching::LastPart),
        n_by_place: 0,
        n_folded_calls: 0,
    }
}
