//! Matches functions of several builds of one program whose names differ only in form.
//!
//! Another toolchain, mangling or level of debug information names the same function differently: `<a::B>::f` and `a::B::f`,
//! `{closure#0}` and `{{closure}}`, `alloc::vec::Vec::push` and `push`; or leaves out an inlined call. When builds are compared,
//! such functions get one name and such calls become part of their callers. A profile of a single build is not changed.

mod align;
mod build;
mod dumps;
mod files;
mod names;
#[cfg(test)]
mod tests;

use align::aligned;
use build::{Builds, Matching};
use dumps::builds_of_dumps;
use names::Names;

use crate::profile::{MatchedBuild, MatchedBuilds, NamelessBuild, Profile};
use crate::report;

/// Gives matching functions of several builds one name, if the profile has several builds; the numbers are in its `meta`.
/// `programs` are paths of binaries that are builds of one program, whatever they are called. O(size log size).
pub fn match_builds(profile: Profile, programs: &[String]) -> Profile {
    let Some(builds) = builds_of_dumps(&profile, programs) else { return profile };
    let of_stack = dumps::builds_of_stacks(&profile, &builds.of_dump);
    let mut names = Names::new(&profile, dumps::builds_of_functions(&profile, &of_stack.passing));
    names.by_form();
    names.by_last_part();
    let mut matched = count(&profile, &names, &builds);
    let new_names = names.into_new_names();
    let profile = profile.with_function_names(&new_names);
    let aligned = aligned(&profile, &of_stack);
    matched.n_by_place = aligned.n_named;
    matched.n_folded_calls = aligned.n_folded;
    let is_changed = aligned.n_named + aligned.n_folded > 0;
    let profile = if is_changed { profile.with_calls(&aligned.calls) } else { profile };
    let paths = files::whole_paths(&profile);
    let profile = profile.with_function_files(&paths);
    profile.with_matched_builds(matched)
}

/// Converts for reports; `None` unless functions of several builds were compared.
pub fn matched_builds(matched: &MatchedBuilds) -> Option<report::MatchedBuilds> {
    let MatchedBuilds { builds, n_by_name, n_by_form, n_by_last_part, n_by_place, n_folded_calls, .. } = matched;
    if builds.len() < 2 {
        return None;
    }
    let build = |build: &MatchedBuild| {
        let MatchedBuild { file, n_functions, n_matched } = build.clone();
        report::MatchedBuild { file, n_functions, n_matched }
    };
    Some(report::MatchedBuilds {
        build: builds.iter().map(build).collect(),
        n_by_name: *n_by_name,
        n_by_form: *n_by_form,
        n_by_last_part: *n_by_last_part,
        n_by_place: *n_by_place,
        n_folded_calls: *n_folded_calls,
    })
}

/// Warning if some of the compared builds have no function names, with advice.
pub fn nameless_builds(profile: &Profile) -> Option<String> {
    let MatchedBuilds { builds, nameless, .. } = profile.meta().matched_builds.as_ref()?;
    let command = "heapview diff BINARY_BEFORE BEFORE BINARY_AFTER AFTER";
    let remedy = format!("open each dump with the unstripped binary that wrote it, as in {command}");
    let base = nameless.iter().find(|build| build.is_base);
    Some(match (nameless.first()?, base) {
        _ if builds.is_empty() => format!("The dumps have no function names, so functions cannot be compared: {remedy}"),
        (_, Some(base)) => {
            format!("The baseline ({}) has no function names, so its functions cannot be compared: {remedy}", base.file)
        }
        (first, None) => format!("{} has no function names, so its functions cannot be compared: {remedy}", first.file),
    })
}

fn count(profile: &Profile, names: &Names, builds: &Builds) -> MatchedBuilds {
    let matched_names = names.matched();
    let build = |(build, label): (usize, &String)| {
        let names_of_build = || matched_names.iter().filter(|(builds, _)| builds >> build & 1 == 1);
        MatchedBuild {
            file: label.clone(),
            n_functions: names_of_build().count(),
            n_matched: names_of_build().filter(|(_, matching)| matching.is_some()).count(),
        }
    };
    let by = |wanted: Matching| matched_names.iter().filter(|(_, matching)| *matching == Some(wanted)).count();
    let (builds_with_names, builds_without): (Vec<_>, Vec<_>) =
        builds.label.iter().enumerate().map(|of| (of.0, build(of))).partition(|(_, build)| build.n_functions > 0);
    let is_base = |build: usize| profile.dumps().iter().zip(&builds.of_dump).all(|(dump, of)| *of != build || dump.is_base);
    MatchedBuilds {
        builds: builds_with_names.into_iter().map(|(_, build)| build).collect(),
        nameless: builds_without.into_iter().map(|(at, build)| NamelessBuild { file: build.file, is_base: is_base(at) }).collect(),
        n_by_name: by(Matching::Name),
        n_by_form: by(Matching::Form),
        n_by_last_part: by(Matching::LastPart),
        n_by_place: 0,
        n_folded_calls: 0,
    }
}
