//! Several profiles into one: the union of their code and stacks, and a column of
//! each dump beside the others'. The only place that joins.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::copy::Copier;
use super::frames::Location;
use super::samples::ValueType;
use super::{Profile, ProfileBuilder};
use crate::id::{DumpId, LabelSetId, LocationId, MappingId};
use crate::units;

/// Profiles that do not go together.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// Nothing to merge.
    #[error("no profile given")]
    Empty,
    /// No value type is in all of them.
    #[error("the profiles have no value type in common: {first} has {first_types}, {other} has {other_types}")]
    NoCommonType {
        /// The first profile's name.
        first: String,
        /// Its value types.
        first_types: String,
        /// The name of the one that does not fit.
        other: String,
        /// Its value types.
        other_types: String,
    },
    /// A value type has units that do not convert.
    #[error("{kind} is in {first_unit} in {first} and in {other_unit} in {other}")]
    Units {
        /// The value type.
        kind: String,
        /// The first profile's name.
        first: String,
        /// Its unit.
        first_unit: String,
        /// The name of the one that does not fit.
        other: String,
        /// Its unit.
        other_unit: String,
    },
}

/// Merges profiles of one program. Value types are those that all have; values come in
/// the finest unit that one of them uses. Mappings of the same file and extent become one even when
/// they were loaded elsewhere, and addresses follow. O(size log size).
pub fn merge(mut profiles: Vec<Profile>) -> Result<Profile, MergeError> {
    if profiles.len() <= 1 {
        return profiles.pop().ok_or(MergeError::Empty);
    }
    let columns = types_of_all(&profiles, false)?;
    Ok(join(&profiles, &columns).0)
}

/// The same with all value types of `open`: what `other` lacks is 0 in its dumps. It is an
/// error when it lacks all. Beside it: the locations of `open`, as they are numbered in it.
pub fn merge_into(open: Profile, other: Profile) -> Result<(Profile, Vec<LocationId>), MergeError> {
    let profiles = [open, other];
    let columns = types_of_all(&profiles, true)?;
    Ok(join(&profiles, &columns))
}

/// At least one profile, with these value types, and what became of the first one's locations.
fn join(profiles: &[Profile], columns: &[Kept]) -> (Profile, Vec<LocationId>) {
    let types: Vec<ValueType> = columns.iter().map(|(t, _)| t.clone()).collect();
    let dumps = profiles.iter().flat_map(|p| p.dumps.iter().cloned()).collect();
    let mut to = ProfileBuilder::with_dumps(types, dumps);
    to.combine();
    let mut mapping_ids: FxHashMap<MappingKey, (MappingId, u64)> = FxHashMap::default();
    let mut next_dump = 0;
    let mut of_first = Vec::new();
    for (p, profile) in profiles.iter().enumerate() {
        let copier = Copier::new(profile, &mut to);
        let locations = copy_locations(profile, &copier, &mut to, &mut mapping_ids);
        let sets: Vec<LabelSetId> =
            (0..profile.labels.len() as u32).map(|set| copier.labels(&mut to, LabelSetId(set), |_| true, &[])).collect();
        let mut stack: Vec<LocationId> = Vec::new();
        let mut values = vec![0; columns.len()];
        for row in 0..profile.samples.len() {
            stack.clear();
            stack.extend(profile.locations(profile.samples.stack[row]).map(|l| locations[l.0 as usize]));
            let labels = sets[profile.samples.labels[row].0 as usize];
            for dump in 0..profile.dumps.len() {
                for (value, (_, sources)) in values.iter_mut().zip(columns) {
                    let Some((column, factor)) = sources[p] else { continue };
                    let raw = profile.columns[dump * profile.value_types.len() + column].get(row);
                    *value = if factor == 1.0 { raw } else { (raw as f64 * factor).round() as i64 };
                }
                to.sample_of(DumpId((next_dump + dump) as u32), &stack, labels, &values);
            }
        }
        next_dump += profile.dumps.len();
        if p == 0 {
            of_first = locations;
        }
    }
    *to.meta() = profiles[0].meta.clone();
    let first = |of: fn(&Profile) -> &String| profiles.iter().map(of).find(|text| !text.is_empty()).cloned().unwrap_or_default();
    to.meta().doc_url = first(|p| &p.meta.doc_url);
    to.meta().default_type = first(|p| &p.meta.default_type);
    for profile in &profiles[1..] {
        for comment in &profile.meta.comments {
            if !to.meta().comments.contains(comment) {
                to.meta().comments.push(comment.clone());
            }
        }
        to.meta().period = to.meta().period.max(profile.meta.period);
    }
    (to.build(), of_first)
}

/// A value type that stays, with its column and factor in every profile that has it.
type Kept = (ValueType, Vec<Option<(usize, f64)>>);

/// The value types that all profiles have, or all that the first has when others may lack some.
fn types_of_all(profiles: &[Profile], may_lack: bool) -> Result<Vec<Kept>, MergeError> {
    let first = &profiles[0];
    let mut kept: Vec<Kept> = Vec::new();
    let mut is_shared = false;
    for t in &first.value_types {
        let mut sources = Vec::with_capacity(profiles.len());
        for profile in profiles {
            let Some(i) = profile.value_types.iter().position(|u| u.kind == t.kind) else {
                sources.push(None);
                continue;
            };
            let unit = &profile.value_types[i].unit;
            let Some(factor) = units::factor(unit, &t.unit) else {
                return Err(MergeError::Units {
                    kind: t.kind.clone(),
                    first: first.title(),
                    first_unit: t.unit.clone(),
                    other: profile.title(),
                    other_unit: unit.clone(),
                });
            };
            sources.push(Some((i, factor, unit)));
        }
        let is_of_all = sources.iter().all(Option::is_some);
        is_shared |= is_of_all;
        if !is_of_all && !may_lack {
            continue;
        }
        // Nothing is lost in the smallest unit.
        let finest = sources.iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1)).map_or((1.0, &t.unit), |s| (s.1, s.2));
        let to_finest = sources.iter().map(|source| source.map(|(i, factor, _)| (i, factor / finest.0)));
        kept.push((ValueType::new(&t.kind, finest.1), to_finest.collect()));
    }
    if !is_shared && profiles.iter().any(|p| !p.samples.is_empty()) {
        let other = profiles.iter().skip(1).find(|p| first.value_types.iter().all(|t| p.value_types.iter().all(|u| u.kind != t.kind)));
        let other = other.unwrap_or(&profiles[1]);
        return Err(MergeError::NoCommonType {
            first: first.title(),
            first_types: first.type_list(),
            other: other.title(),
            other_types: other.type_list(),
        });
    }
    Ok(kept)
}

/// What makes two mappings the same: extent (in pages), offset, and build id or file.
type MappingKey = (u64, u64, String);

/// `LocationId` → its twin in the merged profile. A mapping that is known already keeps
/// its place, and addresses in it move there.
fn copy_locations(
    from: &Profile,
    copier: &Copier,
    to: &mut ProfileBuilder,
    known: &mut FxHashMap<MappingKey, (MappingId, u64)>,
) -> Vec<LocationId> {
    let mappings: Vec<(MappingId, u64)> = from
        .code
        .mappings
        .iter()
        .map(|m| {
            let build_id = from.text(m.build_id);
            let identity = if build_id.is_empty() { from.text(m.file) } else { build_id };
            let pages = m.limit.wrapping_sub(m.start).div_ceil(0x1000);
            let (id, start) = *known.entry((pages, m.offset, identity.to_owned())).or_insert_with(|| (copier.mapping(to, m), m.start));
            to.has_names(id, m);
            (id, start)
        })
        .collect();
    let place = |location: &Location| match location.mapping {
        Some(m) => {
            let (id, start) = mappings[m.0 as usize];
            (Some(id), location.address.wrapping_sub(from.code.mappings[m].start).wrapping_add(start))
        }
        None => (None, location.address),
    };
    // Every location has a frame, and all are kept.
    from.code.locations.iter().filter_map(|l| copier.location(to, l, place(l), |_| true)).collect()
}

impl Profile {
    /// What to call the profile in a message.
    fn title(&self) -> String {
        self.dumps.first().map(|d| d.name.clone()).filter(|n| !n.is_empty()).unwrap_or_else(|| "a profile".into())
    }

    /// The value types in words.
    pub fn type_list(&self) -> String {
        let kinds: Vec<&str> = self.value_types.iter().map(|t| t.kind.as_str()).collect();
        if kinds.is_empty() { "none".into() } else { kinds.join(", ") }
    }
}
