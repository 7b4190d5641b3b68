//! Attribution recorded in a profile, from its names before they were redacted or left out.

use crate::base::hash::HashMap;
use crate::base::kind::PackageKind;

/// Facts about the names of a profile. [`super::Function::facts`] and [`super::Mapping::facts`] are numbers of
/// [`RecordedNames::facts`], counted from 1; 0: none were recorded, so names are classified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedNames {
    /// Facts about functions (each in one mapped file), and about code without a name in a mapped file.
    pub facts: Vec<NameFacts>,
    /// Packages, named by `facts`.
    pub packages: Vec<RecordedPackage>,
    /// Containers, named by `facts`.
    pub containers: Vec<RecordedContainer>,
    /// Reason why types may be unknown although a name has them.
    pub warning: Option<String>,
    /// Whether names were redacted since. If not, profiles that are merged are classified by their names again.
    pub is_redacted: bool,
}

/// Facts about the names of a profile, and which frame has which.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The facts.
    pub names: RecordedNames,
    /// `FrameId` → number of its facts, from 1; 0: there are none.
    pub of_frame: Vec<u32>,
}

/// Facts from the name of a function or from its mapped file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFacts {
    /// Index of the package, before users' rules and before allocation wrappers are found.
    pub package: u32,
    /// Index of the package judged by the source file only.
    pub package_of_file: u32,
    /// Number of the container that the function belongs to, from 1; 0: none.
    pub container: u32,
    /// Flags that are set.
    pub flags: NameFlags,
}

/// Flags of a name, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFlags(pub u32);

impl NameFlags {
    /// A C or C++ function.
    pub const C: NameFlags = NameFlags(1);
    /// Named like a memory function of a known library.
    pub const SURE_WRAPPER: NameFlags = NameFlags(1 << 1);
    /// Named like an allocation function.
    pub const LIKELY_WRAPPER: NameFlags = NameFlags(1 << 2);
    /// An `operator new`.
    pub const OPERATOR_NEW: NameFlags = NameFlags(1 << 3);
    /// A plain name: not `main`, and not part of a class or namespace.
    pub const PLAIN: NameFlags = NameFlags(1 << 4);
    /// Mangled with Rust's scheme v0.
    pub const V0: NameFlags = NameFlags(1 << 5);
    /// Mangled name without generic arguments.
    pub const NO_GENERICS: NameFlags = NameFlags(1 << 6);
    /// The container's own function, not a trait's.
    pub const INHERENT: NameFlags = NameFlags(1 << 7);
    /// Internal to a container library, whatever its package.
    pub const WITHIN: NameFlags = NameFlags(1 << 8);
    /// Caller of a container library, whatever its package.
    pub const OUTSIDE: NameFlags = NameFlags(1 << 9);

    /// All flags that are known.
    pub const ALL: NameFlags = NameFlags((1 << 10) - 1);

    /// Whether all flags of `other` are set.
    pub fn has(self, other: NameFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// These flags, and `other` if `holds`.
    pub fn with(self, other: NameFlags, holds: bool) -> NameFlags {
        NameFlags(self.0 | if holds { other.0 } else { 0 })
    }
}

/// A package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RecordedPackage {
    /// Name; empty when unknown.
    pub name: String,
    /// Version; empty when unknown.
    pub version: String,
    /// Kind of code.
    pub kind: PackageKind,
    /// Module, namespace or Go package; empty when unknown.
    pub module: String,
}

/// A container type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RecordedContainer {
    /// First key of the rule that found it.
    pub rule: String,
    /// Type arguments; `None` when they are not known.
    pub args: Option<Vec<String>>,
    /// The type with its arguments.
    pub text: String,
}

impl RecordedNames {
    /// The facts with this number, if there are any.
    pub fn get(&self, number: u32) -> Option<&NameFacts> {
        self.facts.get((number as usize).checked_sub(1)?)
    }

    /// Adds the facts of another profile. Returns: number there → number here. O(size of both).
    pub(super) fn absorb(&mut self, other: &RecordedNames) -> Vec<u32> {
        let packages = union(&mut self.packages, &other.packages);
        let containers = union(&mut self.containers, &other.containers);
        let facts = other.facts.iter().map(|facts| NameFacts {
            package: packages[facts.package as usize],
            package_of_file: packages[facts.package_of_file as usize],
            container: (facts.container as usize).checked_sub(1).map_or(0, |at| containers[at] + 1),
            ..*facts
        });
        let facts: Vec<NameFacts> = facts.collect();
        self.is_redacted |= other.is_redacted;
        if self.warning.is_none() {
            self.warning.clone_from(&other.warning);
        }
        std::iter::once(0).chain(union(&mut self.facts, &facts).into_iter().map(|at| at + 1)).collect()
    }

    /// Whether every number names something. O(facts).
    pub(super) fn is_sound(&self) -> bool {
        self.facts.iter().all(|facts| {
            let is_package = |at: u32| (at as usize) < self.packages.len();
            is_package(facts.package) && is_package(facts.package_of_file) && facts.container as usize <= self.containers.len()
        })
    }
}

/// Adds what is not there yet. Returns: index in `other` → index in `all`.
fn union<T: Clone + Eq + std::hash::Hash>(all: &mut Vec<T>, other: &[T]) -> Vec<u32> {
    let mut known: HashMap<T, u32> = HashMap::default();
    known.extend(all.iter().cloned().zip(0..));
    let place = |item: &T| {
        *known.entry(item.clone()).or_insert_with(|| {
            all.push(item.clone());
            all.len() as u32 - 1
        })
    };
    other.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_facts_of_two_profiles_get_one_number() {
        let package = |name: &str| RecordedPackage { name: name.into(), ..RecordedPackage::default() };
        let names = |packages: &[&str], facts: &[[u32; 2]]| RecordedNames {
            packages: packages.iter().map(|name| package(name)).collect(),
            facts: facts.iter().map(|&[package, package_of_file]| NameFacts { package, package_of_file, ..NameFacts::default() }).collect(),
            ..RecordedNames::default()
        };
        let mut all = names(&["a", "b"], &[[0, 1], [1, 1]]);
        assert_eq!(all.absorb(&names(&["b", "c"], &[[0, 0], [1, 0]])), [0, 2, 3]);
        assert_eq!(all, names(&["a", "b", "c"], &[[0, 1], [1, 1], [2, 1]]));
        assert!(all.is_sound() && !names(&["a"], &[[0, 1]]).is_sound());
    }
}
