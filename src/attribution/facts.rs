//! Facts about names: those that came with the profile, and those of a profile that is written as report data.

use super::classify::{Package, WrapperName, wrapper_name};
use crate::base::id::{FrameId, StrId};
use crate::demangle::loses_generics;
use crate::profile::{Function, NameFacts, NameFlags, Profile, RecordedNames, RecordedPackage};

/// The facts that came with the profile, if any did.
pub(crate) fn recorded(profile: &Profile) -> Option<&RecordedNames> {
    profile.meta().recorded.as_deref()
}

/// The recorded facts of a function.
pub(crate) fn of_function<'a>(profile: &'a Profile, function: &Function) -> Option<&'a NameFacts> {
    recorded(profile)?.get(function.facts)
}

/// Number of the recorded facts of a frame; 0 if there are none.
pub(crate) fn number_of(profile: &Profile, frame: FrameId) -> u32 {
    let of_mapping = || profile.mapping_of(profile.code().frames[frame].location).map_or(0, |(_, mapping)| mapping.facts);
    profile.function_of(frame).map_or_else(of_mapping, |(_, function)| function.facts)
}

/// The package that facts name, before users' rules and before allocation wrappers are found.
pub(crate) fn package(names: &RecordedNames, facts: &NameFacts, by_file: bool) -> Package {
    let at = if by_file { facts.package_of_file } else { facts.package };
    names.packages.get(at as usize).cloned().map_or_else(Package::default, |package| {
        let RecordedPackage { name, version, kind, module } = package;
        Package { name, version, kind, module, wrapper_of: None }
    })
}

/// The package as it is recorded.
pub(crate) fn recorded_package(package: &Package) -> RecordedPackage {
    let Package { name, version, kind, module, wrapper_of } = package.clone();
    RecordedPackage { name, version, kind: wrapper_of.unwrap_or(kind), module }
}

/// Facts in the display name of a function without recorded facts.
pub(crate) fn of_name(name: &str) -> NameFlags {
    let wrapper = wrapper_name(name);
    NameFlags::default()
        .with(NameFlags::SURE_WRAPPER, wrapper == Some(WrapperName::Sure))
        .with(NameFlags::LIKELY_WRAPPER, wrapper == Some(WrapperName::Likely))
        .with(NameFlags::OPERATOR_NEW, name.starts_with("operator new"))
        .with(NameFlags::PLAIN, !matches!(name, "" | "main" | "_start") && !name.contains("::"))
}

/// Whether a function is mangled with Rust's scheme v0.
pub(crate) fn is_v0(profile: &Profile, function: &Function) -> bool {
    of_function(profile, function)
        .map_or_else(|| profile.text(function.system_name).starts_with("_R"), |facts| facts.flags.has(NameFlags::V0))
}

/// Whether the mangled name of a function has no generic arguments.
pub(crate) fn has_no_generics(profile: &Profile, function: &Function) -> bool {
    let by_name = || loses_generics(profile.text(function.system_name));
    of_function(profile, function).map_or_else(by_name, |facts| facts.flags.has(NameFlags::NO_GENERICS))
}

/// The name of a frame's function.
pub(crate) fn name_of(profile: &Profile, frame: FrameId) -> Option<StrId> {
    profile.function_of(frame).map(|(_, function)| function.name)
}
