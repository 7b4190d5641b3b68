//! Merges profiles: the union of their code and stacks, with a column for each dump and value type.

use std::sync::Arc;

use thiserror::Error;

use super::accesses::{self, Accesses};
use super::builder::MOST_NODES;
use super::copy::Copier;
use super::frames::Location;
use super::merged_stacks::Paths;
use super::moved_columns::{MovedColumn, RowNumbers};
use super::process;
use super::run_log::RunLog;
use super::samples::{Column, Samples, ValueType};
use super::{Dump, Meta, Profile, ProfileBuilder};
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{DumpId, Id, LabelSetId, LocationId, MappingId, StrId};
use crate::base::units;

/// Profiles that do not go together.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// Nothing to merge.
    #[error("no profile given")]
    Empty,
    /// No value type is common to all.
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
    /// The only value type in common has units that do not convert.
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

/// Merges profiles of one program. Value types are those that all have in units that convert; values come in
/// the finest unit that one of them uses. Mappings of the same file and extent become one even when
/// they were loaded elsewhere, and addresses follow. O(size log size).
pub fn merge(profiles: Vec<Profile>) -> Result<Profile, MergeError> {
    let sides: Vec<Side> = profiles.iter().map(Side::of).collect();
    let mut merger = Merger::default();
    if profiles.len() > 1 {
        // Rows that have nothing else are gone.
        merger.kinds = Some(types_of_all(&sides, false)?.into_iter().map(|(t, _)| t.kind).collect());
    }
    profiles.into_iter().for_each(|profile| merger.add(profile));
    merger.finish()
}

/// Merges `other` into `open`, with all value types of `open`: those that `other` lacks are 0 in its dumps; lacking all is an
/// error. Also returns the new id of each location of `open`.
pub fn merge_into(open: Profile, other: Profile) -> Result<(Profile, Vec<LocationId>), MergeError> {
    types_of_all(&[Side::of(&open), Side::of(&other)], true)?;
    let mut merger = Merger { may_lack: true, ..Merger::default() };
    let locations = merger.join(&open);
    drop(open);
    merger.join(&other);
    Ok((merger.finish()?, locations))
}

/// Profiles that become one as they come, so that none of them need be kept. It takes memory for the
/// stacks and for the numbers that are not zero.
pub struct Merger {
    /// As long as it is the only one: it stays as it is.
    first: Option<Profile>,
    to: ProfileBuilder,
    mappings: HashMap<MappingKey, (MappingId, u64)>,
    paths: Paths,
    /// Node and labels → row.
    row_of: HashMap<(u32, LabelSetId), u32>,
    /// Row → node.
    node: Vec<u32>,
    /// Row → labels.
    labels: Vec<LabelSetId>,
    n_cut: usize,
    /// Bound of nodes of all profiles together.
    most_nodes: usize,
    /// Value types to keep; `None`: those of the first profile.
    kinds: Option<Vec<String>>,
    /// Value types that a profile lacks are 0 instead of an error.
    may_lack: bool,
    sides: Vec<Side>,
    dumps: Vec<Dump>,
    /// Dump → its numbers.
    numbers: Vec<Numbers>,
    /// Logs of recordings, with the profile each came with.
    logs: Vec<(usize, RunLog)>,
    accesses: Vec<Accesses>,
}

impl Default for Merger {
    fn default() -> Self {
        Merger {
            first: None,
            to: ProfileBuilder::with_dumps(Vec::new(), Vec::new()),
            mappings: HashMap::default(),
            paths: Paths::default(),
            row_of: HashMap::default(),
            node: Vec::new(),
            labels: Vec::new(),
            n_cut: 0,
            most_nodes: 0,
            kinds: None,
            may_lack: false,
            sides: Vec::new(),
            dumps: Vec::new(),
            numbers: Vec::new(),
            logs: Vec::new(),
            accesses: Vec::new(),
        }
    }
}

impl Merger {
    /// Appends the dumps of a profile. O(its size).
    pub fn add(&mut self, profile: Profile) {
        if self.sides.is_empty() && self.first.is_none() {
            self.first = Some(profile);
            return;
        }
        if let Some(first) = self.first.take() {
            self.join(&first);
        }
        self.join(&profile);
    }

    /// Returns what became of the locations.
    fn join(&mut self, profile: &Profile) -> Vec<LocationId> {
        self.most_nodes = MOST_NODES.min(self.most_nodes + profile.most_nodes);
        let facts = self.take_facts(&profile.meta);
        let copier = Copier::with_facts(profile, &mut self.to, facts);
        let locations = copy_locations(profile, &copier, &mut self.to, &mut self.mappings);
        let sets: Vec<LabelSetId> =
            (0..profile.labels.len() as u32).map(|set| copier.labels(&mut self.to, LabelSetId(set), |_| true, &[])).collect();
        let kinds = self.kinds.get_or_insert_with(|| profile.value_types.iter().map(|t| t.kind.clone()).collect());
        let of_kind = |kind: &String| profile.value_types.iter().position(|t| t.kind == *kind);
        let types: Vec<Option<usize>> = kinds.iter().map(of_kind).collect();

        // Rows of zeros are left out.
        let mut counts = vec![false; profile.samples.len()];
        let wanted = |column: &&Column| types.contains(&Some(column.value_type));
        for column in profile.columns.iter().filter(wanted) {
            column.nonzero().for_each(|(row, _)| counts[row] = true);
        }
        // Rows may have values between the moments that have columns.
        for row in profile.logs.iter().flat_map(|log| log.rows.iter()) {
            counts.get_mut(*row as usize).into_iter().for_each(|counts| *counts = true);
        }
        let mut ends = vec![false; profile.stacks.len()];
        let rows = &profile.samples;
        rows.stack.iter().zip(&counts).filter(|(_, counts)| **counts).for_each(|(stack, _)| ends[stack.index()] = true);
        let nodes = self.paths.add(profile, ends, &locations, self.to.code());
        let mut row_of = vec![0; rows.len()];
        for row in (0..rows.len()).filter(|&row| counts[row]) {
            let ((node, is_cut), labels) = (nodes[rows.stack[row].index()], sets[rows.labels[row].index()]);
            self.n_cut += usize::from(is_cut);
            let next = self.node.len() as u32;
            row_of[row] = *self.row_of.entry((node, labels)).or_insert(next);
            if row_of[row] == next {
                self.node.push(node);
                self.labels.push(labels);
            }
        }
        let n_types = profile.value_types.len();
        let mut numbers = RowNumbers::new(|row: u32| counts[row as usize].then_some(row_of[row as usize]));
        for dump in 0..profile.dumps.len() {
            let mut column = |t: &Option<usize>| t.map_or(MovedColumn::default(), |t| numbers.column(&profile.columns[dump * n_types + t]));
            self.numbers.push(Numbers { side: self.sides.len(), columns: types.iter().map(&mut column).collect() });
        }
        let moved = |log: &RunLog| (self.sides.len(), log.moved(|row| counts.get(row as usize)?.then(|| row_of[row as usize])));
        self.logs.extend(profile.logs.iter().map(moved));
        let n_dumps = self.dumps.len() as u32;
        let row = |row: u32| counts.get(row as usize)?.then(|| row_of[row as usize]);
        self.accesses.extend(accesses::moved(&profile.accesses, row, |dump| Some(n_dumps + dump)));
        self.dumps.extend(profile.dumps.iter().cloned());
        self.take_meta(&profile.meta);
        self.sides.push(Side::of(profile));
        locations
    }

    /// Takes over what is recorded of redacted names: others are classified again with those of all profiles. Returns: number
    /// of facts → number in the merged profile.
    fn take_facts(&mut self, meta: &Meta) -> Vec<u32> {
        let Some(other) = meta.recorded.as_ref().filter(|recorded| recorded.is_redacted) else { return Vec::new() };
        let recorded = self.to.meta().recorded.get_or_insert_with(Arc::default);
        Arc::make_mut(recorded).absorb(other)
    }

    fn take_meta(&mut self, meta: &Meta) {
        let to = self.to.meta();
        if self.sides.is_empty() {
            let recorded = to.recorded.take();
            *to = Meta { recorded, ..meta.clone() };
            return;
        }
        for (to, text) in [(&mut to.doc_url, &meta.doc_url), (&mut to.default_type, &meta.default_type)] {
            if to.is_empty() {
                to.clone_from(text);
            }
        }
        if !meta.comments.is_empty() {
            let mut known: HashSet<&String> = to.comments.iter().collect();
            let new: Vec<&String> = meta.comments.iter().filter(|comment| known.insert(comment)).collect();
            let n_new = to.room_for_comments(new.iter().map(|comment| comment.len()));
            let new: Vec<String> = new.into_iter().take(n_new).cloned().collect();
            to.comments.extend(new);
        }
        to.period = to.period.max(meta.period);
        to.runs.extend(meta.runs.iter().cloned());
        process::add(&mut to.process_files, meta.process_files.iter().cloned());
        to.binaries.extend(meta.binaries.iter().cloned());
    }

    /// The profile of all. O(size log size).
    pub fn finish(self) -> Result<Profile, MergeError> {
        if let Some(first) = self.first {
            return Ok(first);
        }
        if self.sides.is_empty() {
            return Err(MergeError::Empty);
        }
        let kept = types_of_all(&self.sides, self.may_lack)?;
        let kinds = self.kinds.unwrap_or_default();
        let (stacks, place) = self.paths.finish(self.to.code());
        // Drops rows that only have values of dropped types.
        let of_kept: Vec<Option<&Kept>> = kinds.iter().map(|kind| kept.iter().find(|(t, _)| t.kind == *kind)).collect();
        let mut stays = vec![of_kept.iter().all(Option::is_some); self.node.len()];
        if stays.first() == Some(&false) {
            let columns = self.numbers.iter().flat_map(|numbers| numbers.columns.iter().zip(&of_kept));
            columns
                .filter(|(_, kept)| kept.is_some())
                .flat_map(|(column, _)| column.iter())
                .for_each(|(row, _)| stays[row as usize] = true);
            let logged = self.logs.iter().flat_map(|(_, log)| log.rows.iter()).filter(|row| **row != u32::MAX);
            logged.for_each(|row| stays[*row as usize] = true);
        }
        let (mut samples, mut row_of) = (Samples::default(), vec![0; stays.len()]);
        for row in (0..stays.len()).filter(|&row| stays[row]) {
            row_of[row] = samples.len() as u32;
            samples.stack.push(place[self.node[row] as usize]);
            samples.labels.push(self.labels[row]);
        }
        let mut columns = Vec::with_capacity(kept.len() * self.dumps.len());
        // Of values of the types that stay, every row does.
        let mut new_numbers = RowNumbers::new(|row: u32| Some(row_of[row as usize]));
        for (dump, numbers) in self.numbers.into_iter().enumerate() {
            let Numbers { side, columns: of_dump } = numbers;
            for ((column, kept), value_type) in of_dump.into_iter().zip(&of_kept).filter(|(_, kept)| kept.is_some()).zip(0..) {
                // Numbers of a unit that does not convert are left out.
                let source = kept.and_then(|(_, sources)| sources[side]);
                let (column, factor) = source.map_or((MovedColumn::default(), 1.0), |(_, factor)| (column, factor));
                columns.push(new_numbers.again(column).into_column(DumpId(dump as u32), value_type, samples.len(), factor));
            }
        }
        // Values of a log are not converted.
        let is_converted = |side: usize| kept.iter().any(|(_, sources)| sources[side].is_some_and(|(_, factor)| factor != 1.0));
        let logs = self.logs.iter().filter(|(side, _)| !is_converted(*side));
        let logs = logs.map(|(_, log)| log.moved(|row| row_of.get(row as usize).copied())).collect();
        let row = |row: u32| row_of.get(row as usize).copied().filter(|_| stays[row as usize]);
        let accesses = accesses::moved(&self.accesses, row, Some).collect();
        let value_types = of_kept.iter().flatten().map(|(t, _)| t.clone()).collect();
        let Merger { dumps, n_cut, most_nodes, .. } = self;
        Ok(Profile { stacks, samples, columns, value_types, dumps, logs, accesses, n_cut, most_nodes, ..self.to.build() })
    }
}

/// The numbers of a dump.
struct Numbers {
    /// The profile that it came with.
    side: usize,
    /// Wanted value type → its numbers in that profile's unit.
    columns: Vec<MovedColumn>,
}

/// Tables of an input profile that merging needs after the profile itself was dropped.
struct Side {
    title: String,
    value_types: Vec<ValueType>,
    type_list: String,
    is_empty: bool,
}

impl Side {
    fn of(profile: &Profile) -> Side {
        Side {
            title: profile.title(),
            value_types: profile.value_types.clone(),
            type_list: profile.type_list(),
            is_empty: profile.samples.is_empty(),
        }
    }
}

/// A value type that stays, with its column and factor in every profile that has it.
type Kept = (ValueType, Vec<Option<(usize, f64)>>);

/// The value types that all profiles have, or all that the first has when others may lack some.
fn types_of_all(profiles: &[Side], may_lack: bool) -> Result<Vec<Kept>, MergeError> {
    let first = &profiles[0];
    let mut kept: Vec<Kept> = Vec::new();
    let mut is_shared = false;
    let mut odd_units = None;
    for t in &first.value_types {
        let mut sources = Vec::with_capacity(profiles.len());
        for profile in profiles {
            let Some(i) = profile.value_types.iter().position(|u| u.kind == t.kind) else {
                sources.push(None);
                continue;
            };
            let unit = &profile.value_types[i].unit;
            let Some(factor) = units::factor(unit, &t.unit) else {
                odd_units.get_or_insert_with(|| MergeError::Units {
                    kind: t.kind.clone(),
                    first: first.title.clone(),
                    first_unit: t.unit.clone(),
                    other: profile.title.clone(),
                    other_unit: unit.clone(),
                });
                sources.push(None);
                continue;
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
    if !is_shared && profiles.iter().any(|p| !p.is_empty) {
        if let Some(error) = odd_units {
            return Err(error);
        }
        let other = profiles.iter().skip(1).find(|p| first.value_types.iter().all(|t| p.value_types.iter().all(|u| u.kind != t.kind)));
        let other = other.unwrap_or(&profiles[1]);
        return Err(MergeError::NoCommonType {
            first: first.title.clone(),
            first_types: first.type_list.clone(),
            other: other.title.clone(),
            other_types: other.type_list.clone(),
        });
    }
    Ok(kept)
}

/// Identity of a mapping: extent (in pages), offset, and build id or file.
type MappingKey = (u64, u64, StrId);

/// `LocationId` → its twin in the merged profile. A mapping that is known already keeps
/// its place, and addresses in it move there.
fn copy_locations(
    from: &Profile,
    copier: &Copier,
    to: &mut ProfileBuilder,
    known: &mut HashMap<MappingKey, (MappingId, u64)>,
) -> Vec<LocationId> {
    let mappings: Vec<(MappingId, u64)> = from
        .code
        .mappings
        .iter()
        .map(|m| {
            let identity = copier.text(to, if from.text(m.build_id).is_empty() { m.file } else { m.build_id });
            let pages = m.limit.wrapping_sub(m.start).div_ceil(0x1000);
            let (id, start) = *known.entry((pages, m.offset, identity)).or_insert_with(|| (copier.mapping(to, m), m.start));
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
    /// Name of the profile for messages.
    fn title(&self) -> String {
        self.dumps.first().map(|d| d.name.clone()).filter(|n| !n.is_empty()).unwrap_or_else(|| "a profile".into())
    }

    /// List of value types for messages.
    pub fn type_list(&self) -> String {
        let kinds: Vec<&str> = self.value_types.iter().map(|t| t.kind.as_str()).collect();
        if kinds.is_empty() { "none".into() } else { kinds.join(", ") }
    }
}
