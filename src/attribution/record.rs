//! Facts about the names of a profile, for report data: what is read again by [`super::facts`].

use super::classify::Classifier;
use super::facts;
use super::owners::Owners;
use super::types::{self, Types};
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, FunctionId, StrId};
use crate::profile::{NameFacts, NameFlags, Profile, RecordedContainer, RecordedNames, RecordedPackage, Recording, Strings};

/// Facts about all names of `profile`. Types are recorded for functions near the ends of stacks only. O(nodes + names).
pub fn record(profile: &Profile) -> Recording {
    let owners = &Owners::default();
    let (Types { warning, .. }, types) = types::of_rows_with_names(profile, owners);
    let mut packages = Table::<RecordedPackage>::default();
    let mut containers = Table::<RecordedContainer>::default();
    let mut names = RecordedNames { warning, ..RecordedNames::default() };
    let mut known: HashMap<(Option<FunctionId>, StrId, u32), u32> = HashMap::default();
    let mut classifier = None;
    let mut fact = |frame: FrameId| {
        let function = profile.function_of(frame);
        let [package, package_of_file] =
            [false, true].map(|by_file| packages.number(facts::recorded_package(owners.of(profile, frame, by_file))));
        let Some((id, function)) = function else {
            return NameFacts { package, package_of_file, ..NameFacts::default() };
        };
        let type_facts = types.get(&id);
        let container =
            type_facts.and_then(|type_facts| type_facts.container.clone()).map_or(0, |container| containers.number(container) + 1);
        let flags = match facts::of_function(profile, function) {
            Some(facts) => facts.flags,
            None => {
                let is_c = classifier.get_or_insert_with(|| Classifier::new(profile)).is_c(profile, id);
                facts::of_name(profile.text(function.name))
                    .with(NameFlags::C, is_c)
                    .with(NameFlags::V0, facts::is_v0(profile, function))
                    .with(NameFlags::NO_GENERICS, facts::has_no_generics(profile, function))
                    .with(type_facts.map_or_else(NameFlags::default, |type_facts| type_facts.flags), true)
            }
        };
        NameFacts { package, package_of_file, container, flags }
    };
    let of_frame = profile.code().frames.ids().map(|frame| {
        let function = profile.function_of(frame).map(|(id, _)| id);
        let mapping = profile.mapping_of(profile.code().frames[frame].location).map(|(_, mapping)| mapping);
        if function.is_none() && mapping.is_none() {
            return 0;
        }
        let object = mapping.map_or(Strings::EMPTY, |mapping| mapping.file);
        *known.entry((function, object, facts::number_of(profile, frame))).or_insert_with(|| {
            names.facts.push(fact(frame));
            names.facts.len() as u32
        })
    });
    let of_frame = of_frame.collect();
    (names.packages, names.containers) = (packages.rows, containers.rows);
    Recording { names, of_frame }
}

/// Rows that are each there once.
struct Table<T> {
    rows: Vec<T>,
    known: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { rows: Vec::new(), known: HashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    fn number(&mut self, row: T) -> u32 {
        let rows = &mut self.rows;
        *self.known.entry(row).or_insert_with_key(|row| {
            rows.push(row.clone());
            rows.len() as u32 - 1
        })
    }
}
