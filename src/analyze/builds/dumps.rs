//! Assignment of dumps to builds.

use std::collections::BTreeMap;

use super::build::{Builds, MOST_BUILDS};
use super::names::Form;
use crate::base::hash::HashMap;
use crate::base::id::{FunctionId, Id, MappingId, StackId, StrId};
use crate::base::plain::base_name_of_any_system;
use crate::profile::{Column, Dump, Profile};

/// Builds of nodes, as bits.
pub(super) struct OfStacks {
    /// Node → builds that have a stack through it.
    pub(super) passing: Vec<u32>,
    /// Node → builds that have a stack that ends there.
    pub(super) ending: Vec<u32>,
}

/// The builds, if there are several: by build id and program, else, where no program is known, by the names of functions.
/// O(nodes + values + length of names).
pub(super) fn builds_of_dumps(profile: &Profile, programs: &[String]) -> Option<Builds> {
    let wholes = Wholes::of(profile);
    if wholes.list.len() < 2 {
        return None;
    }
    let programs = programs_of_dumps(profile, programs);
    if programs.iter().all(Option::is_none) {
        return builds_by_names(profile, &wholes);
    }
    let mut keys: Vec<(&str, &str)> = Vec::new();
    let mut number = |id: MappingId| {
        let (file, build_id) = program(profile, id);
        let same = |known: &(&str, &str)| known.1 == build_id && (known.0 == file || !build_id.is_empty());
        keys.iter().position(same).unwrap_or_else(|| {
            keys.push((file, build_id));
            keys.len() - 1
        })
    };
    // A dump without a program, such as an empty one, belongs to the first build.
    let of_whole: Vec<usize> = wholes.list.iter().map(|&dump| programs[dump].map_or(0, &mut number)).collect();
    let label = |(file, build_id): &(&str, &str)| {
        let short: String = build_id.chars().take(8).collect();
        match (*file, short.as_str()) {
            (file, "") => file.to_owned(),
            ("", id) => id.to_owned(),
            (file, id) => format!("{file} ({id})"),
        }
    };
    Builds::new(profile, &wholes.expand(&of_whole), keys.iter().map(label).collect())
}

/// Dumps that are no moments of recordings, and those that moments belong to. A recording as a whole has every stack of its moments,
/// which may be hundreds.
struct Wholes {
    list: Vec<usize>,
    /// `DumpId` → its place in `list`.
    place: Vec<usize>,
}

impl Wholes {
    /// O(dumps).
    fn of(profile: &Profile) -> Self {
        let mut list = Vec::new();
        let mut by_name: HashMap<(bool, &str), usize> = HashMap::default();
        for (number, dump) in profile.dumps().iter().enumerate().filter(|(_, dump)| dump.moment.is_none()) {
            by_name.entry((dump.is_base, &dump.name)).or_insert(list.len());
            list.push(number);
        }
        let mut places = 0..list.len();
        let place_of = |dump: &Dump| match dump.moment {
            Some(_) => by_name.get(&(dump.is_base, &*dump.series)).copied().unwrap_or(0),
            None => places.next().unwrap_or(0),
        };
        let place = profile.dumps().iter().map(place_of).collect();
        Wholes { list, place }
    }

    /// `DumpId` → what `of_whole` has for its place.
    fn expand(&self, of_whole: &[usize]) -> Vec<usize> {
        self.place.iter().map(|&place| of_whole[place]).collect()
    }
}

/// Columns of dumps that are no moments.
fn whole_columns(profile: &Profile) -> impl Iterator<Item = &Column> {
    profile.columns().iter().filter(|column| profile.dumps()[column.dump.index()].moment.is_none())
}

impl Builds {
    /// Numbers builds so that names of what is shown, not of what is subtracted, are those of the later one.
    fn new(profile: &Profile, of_dump: &[usize], label: Vec<String>) -> Option<Builds> {
        let mut order: Vec<usize> = (0..label.len()).collect();
        let is_shown = |build: usize| profile.dumps().iter().zip(of_dump).any(|(dump, of)| *of == build && !dump.is_base);
        order.sort_by_key(|&build| is_shown(build));
        let mut number = vec![0; label.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new.min(MOST_BUILDS - 1));
        let of_dump = of_dump.iter().map(|&build| number[build]).collect();
        let label: Vec<String> = order.iter().take(MOST_BUILDS).map(|&build| label[build].clone()).collect();
        (label.len() > 1).then_some(Builds { of_dump, label })
    }
}

fn program(profile: &Profile, id: MappingId) -> (&str, &str) {
    let mapping = &profile.code().mappings[id];
    (profile.text(mapping.file), profile.text(mapping.build_id))
}

/// `DumpId` → its program, if known: the one of `programs`, else the mapping that is no library and that most of its
/// stacks enter first. O(nodes + values).
fn programs_of_dumps(profile: &Profile, programs: &[String]) -> Vec<Option<MappingId>> {
    let (code, stacks) = (profile.code(), profile.stacks());
    let is_given = |id: MappingId| programs.iter().any(|path| path == program(profile, id).0);
    let is_program = |id: MappingId| {
        let (file, build_id) = program(profile, id);
        let base = base_name_of_any_system(file);
        let is_library = [".so", ".dylib", ".dll"].iter().any(|end| base.ends_with(end) || base.contains(&format!("{end}.")));
        let is_named = !base.is_empty() || !build_id.is_empty();
        is_named && !is_library && !base.starts_with('[')
    };
    // Mapping → 2 for one of `programs`, 1 for a program, 0 for all else.
    let rank: Vec<u8> = code.mappings.ids().map(|id| if is_given(id) { 2 } else { u8::from(is_program(id)) }).collect();
    let rank_of = |id: Option<MappingId>| id.map_or(0, |id| rank[id.index()]);
    // Node → the program that its stack enters first.
    let mut mapping_by_node: Vec<Option<MappingId>> = vec![None; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let above = mapping_by_node[stacks.parent[node].index()];
        let own = code.locations[code.frames[stacks.frame[node]].location].mapping;
        mapping_by_node[node.index()] = if rank_of(own) > rank_of(above) { own } else { above };
    }
    let mut n_rows: Vec<HashMap<MappingId, usize>> = vec![HashMap::default(); profile.dumps().len()];
    for column in whole_columns(profile) {
        for (row, _) in column.nonzero() {
            if let Some(id) = mapping_by_node[profile.samples().stack[row].index()] {
                *n_rows[column.dump.index()].entry(id).or_default() += 1;
            }
        }
    }
    let most = |rows: HashMap<MappingId, usize>| rows.into_iter().max_by_key(|&(id, n)| (rank[id.index()], n, std::cmp::Reverse(id)));
    n_rows.into_iter().map(|rows| most(rows).map(|(id, _)| id)).collect()
}

/// Builds of dumps that name no program: two dumps belong to different builds if more of their names differ in form than are
/// equal. O(dumps × builds × names).
fn builds_by_names(profile: &Profile, wholes: &Wholes) -> Option<Builds> {
    const MOST_DUMPS: usize = 32;
    const MOST_FOUND: usize = 4;
    let n_dumps = wholes.list.len();
    let build_by_dump: Vec<usize> = wholes.place.iter().map(|place| (*place).min(MOST_DUMPS - 1)).collect();
    let dumps_by_stack = builds_of_stacks(profile, &build_by_dump);
    let mut dumps_by_name: BTreeMap<StrId, u32> = BTreeMap::new();
    for (function, dumps) in builds_of_functions(profile, &dumps_by_stack.passing) {
        *dumps_by_name.entry(profile.code().functions[function].name).or_default() |= dumps;
    }
    let names: Vec<(Form, u32)> = dumps_by_name.into_iter().map(|(name, dumps)| (Form::of(profile.text(name)), dumps)).collect();
    let is_other = |one: usize, other: usize| {
        let [one, other] = [one, other].map(|dump| 1u32 << dump);
        let has_both = |dumps: u32| dumps & one != 0 && dumps & other != 0;
        let n_same = names.iter().filter(|(_, dumps)| has_both(*dumps)).count();
        // Form, or last part of what has none, → dumps that have a name of that form and no other dump has.
        let (mut by_form, mut by_last): (HashMap<&str, u32>, HashMap<&str, [u32; 2]>) = Default::default();
        for (form, dumps) in names.iter().filter(|(_, dumps)| !has_both(*dumps)) {
            *by_form.entry(&form.path).or_default() |= dumps;
            by_last.entry(form.last()).or_default()[usize::from(form.is_whole())] |= dumps;
        }
        let n_by_form = by_form.into_values().filter(|&dumps| has_both(dumps)).count();
        let is_short = |[short, whole]: [u32; 2]| short & one != 0 && whole & other != 0 || short & other != 0 && whole & one != 0;
        let n_by_last = by_last.into_values().filter(|&dumps| is_short(dumps)).count();
        (n_by_form + n_by_last) * 2 > n_same
    };
    let mut first: Vec<usize> = vec![0];
    let mut of_dump = vec![0; n_dumps];
    for (dump, build) in of_dump.iter_mut().enumerate().take(MOST_DUMPS).skip(1) {
        *build = match first.iter().position(|&of| !is_other(of, dump)) {
            Some(build) => build,
            None if first.len() == MOST_FOUND => 0,
            None => {
                first.push(dump);
                first.len() - 1
            }
        };
    }
    let label = |place: usize| profile.dumps()[wholes.list[place]].name.clone();
    Builds::new(profile, &wholes.expand(&of_dump), first.into_iter().map(label).collect())
}

/// Builds that have stacks through nodes, and to them. `of_dump`: `DumpId` → its build. O(nodes + values).
pub(super) fn builds_of_stacks(profile: &Profile, of_dump: &[usize]) -> OfStacks {
    let stacks = profile.stacks();
    let mut ending = vec![0u32; stacks.len()];
    for column in whole_columns(profile) {
        let bit = 1u32 << of_dump[column.dump.index()];
        column.nonzero().for_each(|(row, _)| ending[profile.samples().stack[row].index()] |= bit);
    }
    let mut passing = ending.clone();
    for node in (1..stacks.len()).rev() {
        passing[stacks.parent[StackId::new(node)].index()] |= passing[node];
    }
    OfStacks { passing, ending }
}

/// Functions that have a name, and builds that call them. `passing`: node → builds. O(nodes).
pub(super) fn builds_of_functions(profile: &Profile, passing: &[u32]) -> BTreeMap<FunctionId, u32> {
    let (code, stacks) = (profile.code(), profile.stacks());
    let mut builds_by_function = vec![0u32; code.functions.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        if let Some(function) = code.frames[stacks.frame[node]].function {
            builds_by_function[function.index()] |= passing[node.index()];
        }
    }
    let is_named = |id: FunctionId| code.functions[id].name != StrId(0);
    code.functions
        .ids()
        .filter(|&id| is_named(id) && builds_by_function[id.index()] != 0)
        .map(|id| (id, builds_by_function[id.index()]))
        .collect()
}
