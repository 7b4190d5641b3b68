//! Source places with their calls: input of callgrind files and `-topproto` profiles.

use super::graph::{self, Trimmed};
use super::top::ranked;
use crate::analyze::filtered::Filtered;
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::{CallTree, CallTreeKey};
use crate::analyze::tree::keys::{KeySpec, RowTexts};
use crate::analyze::tree::labelled::LabelledProfile;
use crate::analyze::tree::shown::one_dump;
use crate::analyze::tree::sums::{Sums, finest_unit};
use crate::analyze::tree::totals::TreeTotals;
use crate::attribution::{Attribution, RowDetail};
use crate::base::hash::HashMap;
use crate::base::id::MappingId;
use crate::base::pair::net;
use crate::base::units;
use crate::profile::{Function, Labels, Line, Mapping, Profile, ProfileBuilder, ValueType};
use crate::query::{Granularity, QueryError, View};
use crate::report::{Call, CallsReport, Header, Place};

/// Every place that `view` keeps with its calls, all in a unit that does not round the smallest
/// one away. O(nodes + edges).
pub fn calls(profile: &Profile, view: &View) -> Result<CallsReport, QueryError> {
    answered(profile, view, |context, warnings| {
        let Trimmed { mut header, sums, keys, edges, .. } = graph::for_table(context, size_of::<Call>(), |_| None);
        header.warnings.extend(warnings);
        header.output_unit = view.show.unit.clone();
        finest_unit(&mut header, &sums, &keys);
        let mut number = vec![0; context.tree.keys.len()];
        keys.iter().enumerate().for_each(|(i, &key)| number[key as usize] = i as u32);
        let order = graph::by_weight_and_name(&edges, context.tree);
        let caller: Vec<u32> = order.iter().map(|&edge| number[edges.from[edge as usize] as usize]).collect();
        let groups = edges.grouped(keys.len(), &caller);
        drop(caller);
        let call = |&at: &u32| {
            let edge = order[at as usize] as usize;
            Call { to: number[edges.to[edge] as usize], value: net(edges.shown(edge)) }
        };
        let calls = (0..keys.len() as u32).map(|place| groups.of(place).iter().map(call).collect()).collect();
        let mut texts = RowTexts::new(context.profile);
        CallsReport {
            header,
            place: keys.iter().map(|&k| context.place(k, &mut texts)).collect(),
            flat: keys.iter().map(|&k| net(sums.flat[k as usize])).collect(),
            calls,
        }
    })
}

/// The rows of the table as a profile, like pprof's `-topproto`: one sample with one frame per row, with its cumulative (`cum`)
/// and flat value (`flat`). Also returns messages about expressions that matched nothing.
pub fn top_profile(profile: &Profile, view: &View) -> Result<Filtered, QueryError> {
    answered(profile, view, |context, mut warnings| {
        let (mut header, sums, keys) = ranked(context);
        warnings.append(&mut header.warnings);
        if header.output_unit == "auto" {
            // A profile has one unit: nothing is lost.
            header.output_unit = header.unit.clone();
        }
        Filtered { profile: rows(context, &header, &sums, &keys), warnings }
    })
}

fn rows(context: &ReportContext, header: &Header, sums: &Sums, keys: &[u32]) -> Profile {
    let unit = header.output_unit.as_str();
    let types = ["cum", "flat"].map(|kind| ValueType::new(kind, unit));
    let mut to = ProfileBuilder::with_dump(types.to_vec(), one_dump(context.profile, context.view));
    to.meta().period_type = context.profile.meta().period_type.clone();
    to.meta().period = context.profile.meta().period;
    let mut mappings: HashMap<String, MappingId> = HashMap::default();
    let mut texts = RowTexts::new(context.profile);
    for &key in keys {
        let place = context.place(key, &mut texts);
        let [name, filename, file] = [&place.function, &place.file, &place.object].map(|text| to.string(text));
        // Nothing more is to be found in the file: the rows have no addresses.
        let whole = Mapping { file, has_functions: true, has_filenames: true, has_line_numbers: true, ..Mapping::default() };
        let mapping = (!place.object.is_empty()).then(|| *mappings.entry(place.object.clone()).or_insert_with(|| to.mapping(whole)));
        let known = !place.function.is_empty() || !place.file.is_empty();
        let function = known.then(|| to.function(Function { name, filename, ..Function::default() }));
        let lines = function.map(|id| Line { function: Some(id), line: place.line, column: place.column });
        let location = to.location(mapping, place.address, lines.as_slice());
        let value = |of: &[[i64; 2]]| {
            let divided = (net(of[key as usize]) as f64 / header.divide_by) as i64;
            units::scale(divided, &header.unit, unit).0 as i64
        };
        to.sample(&[location], Labels::NONE, &[value(&sums.cum), value(&sums.flat)]);
    }
    to.build()
}

/// Applies `make` to the profile under `view`, given the warnings.
fn answered<T>(profile: &Profile, view: &View, make: impl FnOnce(&ReportContext, Vec<String>) -> T) -> Result<T, QueryError> {
    let ground = LabelledProfile::of(profile, view);
    let profile = ground.as_ref().map_or(profile, |g| &g.profile);
    let packages = Attribution::for_view(RowDetail::Plain, view);
    let tree = CallTree::once(profile, &packages, &CallTreeKey::of(view));
    let totals = TreeTotals::new(profile, &packages, &tree, view)?;
    let warnings = ground.as_ref().map_or(Vec::new(), |g| g.warnings.clone());
    Ok(make(&ReportContext { profile, packages: &packages, tree: &tree, totals: &totals, view }, warnings))
}

impl ReportContext<'_> {
    /// Source place of a key.
    fn place(&self, key: u32, texts: &mut RowTexts<'_>) -> Place {
        let ReportContext { profile, tree, view, .. } = self;
        let frame_id = tree.keys.frame(key);
        let frame = &profile.code().frames[frame_id];
        let granularity = view.granularity();
        let by_address = granularity == Granularity::Addresses;
        let by_line = by_address || granularity == Granularity::Lines;
        let mapping = profile.mapping_of(frame.location).map(|(_, m)| m);
        let mut place = Place {
            object: mapping.map_or(String::new(), |m| texts.take(m.file)),
            address: if by_address { profile.code().locations[frame.location].address } else { 0 },
            caller: tree.is_call_tree.then(|| tree.parent[key as usize]),
            ..Place::default()
        };
        let Some((_, function)) = profile.function_of(frame_id) else { return place };
        if granularity != Granularity::Files {
            place.function = texts.take(function.name);
        }
        if granularity != Granularity::Functions {
            place.file = tree.keys.row(key).file.clone();
        }
        if by_line {
            place.line = frame.line;
            place.column = if KeySpec::of(view).columns { frame.column } else { 0 };
        }
        place.start_line = function.start_line;
        place
    }
}
