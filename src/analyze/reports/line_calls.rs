//! Calls below source lines: callees, and inlined calls to any depth.

use std::cmp::Reverse;

use crate::analyze::reports::context::ReportContext;
use crate::base::hash::HashMap;
use crate::base::pair::{net, plus, quotient};
use crate::report::{Row, SourceCall, SourceEntry, SourceStep};

/// Most steps of all lines together while they are added up; what is met later is left out.
const MOST_MET: usize = 200_000;

/// Most steps of one entry in the report, the heaviest, and of all entries.
const MOST_OF_ONE: usize = 300;
const MOST_OF_ALL: usize = 1500;

/// Marks the absence of a parent step.
const TOP: u32 = u32::MAX;

/// A step on its way: of an entry's line, below another.
struct Step {
    /// Entry and key of the line.
    line: (u32, u32),
    above: u32,
    /// Of an inlined one its line's, of a called one that of some line of the function.
    key: u32,
    inlined: bool,
    sum: [i64; 2],
    /// Divisor for means.
    divisor: i64,
    /// End of the last subtree that counts it: nodes below would count twice.
    open: u32,
}

/// Adds to each entry the calls of its lines. `entry_of_key` has the entry of each key, or an invalid number. Returns whether all
/// fit. O(nodes × inlined levels).
pub(crate) fn attach(context: &ReportContext, entry_of_key: &[u32], line_of_key: impl Fn(u32) -> i64, entries: &mut [SourceEntry]) -> bool {
    let steps = steps(context, entry_of_key, entries.len());
    let mut calls_by_entry: Vec<Vec<u32>> = vec![Vec::new(); entries.len()];
    for (id, step) in steps.iter().enumerate() {
        calls_by_entry[step.line.0 as usize].push(id as u32);
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_cached_key(|&i| (Reverse(entries[i].cum.saturating_sub(entries[i].cum_base).saturating_abs()), i));
    let mut room = MOST_OF_ALL;
    for i in order {
        fill(&mut entries[i], &steps, std::mem::take(&mut calls_by_entry[i]), context, &line_of_key, room.min(MOST_OF_ONE));
        room = room.saturating_sub(entries[i].step.len());
    }
    steps.len() < MOST_MET && room > 0
}

/// Adds the tree up.
fn steps(context: &ReportContext, entry_of_key: &[u32], n_entries: usize) -> Vec<Step> {
    let ReportContext { tree, totals, .. } = context;
    let function = functions(context);
    let mut ids: HashMap<((u32, u32), u32, u32, bool), u32> = HashMap::default();
    let mut steps: Vec<Step> = Vec::new();
    // The nodes above: where each ends, and the steps that it is, with what is below them.
    let mut path: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut node = 1;
    while node < tree.len() {
        if !totals.moved[node] && !totals.divisor.as_ref().is_some_and(|divisor| divisor.moved[node]) {
            node = tree.end[node] as usize;
            continue;
        }
        while path.last().is_some_and(|(end, _)| *end <= node as u32) {
            path.pop();
        }
        let (inlined, key) = (tree.inlined[node], tree.key[node]);
        let parent = tree.parent[node] as usize;
        let entry = if parent == 0 { None } else { entry_of_key.get(tree.key[parent] as usize) };
        let line = entry.filter(|&&entry| (entry as usize) < n_entries).map(|&entry| ((entry, tree.key[parent]), TOP));
        let above = path.last().map_or(&[][..], |(_, open)| open).iter().map(|&id| (steps[id as usize].line, id));
        let starts: Vec<((u32, u32), u32)> = line.into_iter().chain(above).collect();
        let mut open = Vec::new();
        for (line, above) in starts {
            let of = if inlined { key } else { function[key as usize] };
            let next = steps.len() as u32;
            let id = match ids.get(&(line, above, of, inlined)) {
                Some(&id) => id,
                None if steps.len() == MOST_MET => continue,
                None => {
                    ids.insert((line, above, of, inlined), next);
                    steps.push(Step { line, above, key, inlined, sum: [0; 2], divisor: 0, open: 0 });
                    next
                }
            };
            let step = &mut steps[id as usize];
            if node as u32 >= step.open {
                step.open = tree.end[node];
                step.sum = plus(step.sum, totals.cum[node]);
                step.divisor = step.divisor.saturating_add(totals.divisor.as_ref().map_or(0, |by| net(by.cum[node])));
            }
            if inlined {
                open.push(id);
            }
        }
        path.push((tree.end[node], open));
        node += 1;
    }
    if totals.divisor.is_some() {
        steps.iter_mut().for_each(|step| step.sum = [quotient(net(step.sum), step.divisor), 0]);
    }
    steps
}

/// Key → the first key of the same function and file.
fn functions(context: &ReportContext) -> Vec<u32> {
    let keys = &context.tree.keys;
    let mut first: HashMap<(&str, &str), u32> = HashMap::default();
    (0..keys.len() as u32).map(|key| *first.entry((name(context, key), &keys.row(key).file)).or_insert(key)).collect()
}

/// The function of a key; of code without one its place.
fn name<'a>(context: &'a ReportContext, key: u32) -> &'a str {
    let function = context.profile.function_of(context.tree.keys.frame(key));
    function.map_or(&context.tree.keys.row(key).name, |(_, f)| context.profile.text(f.name))
}

/// Puts the heaviest `most` steps into an entry, in order.
fn fill(
    entry: &mut SourceEntry,
    steps: &[Step],
    mut ids: Vec<u32>,
    context: &ReportContext,
    line_of_key: &impl Fn(u32) -> i64,
    most: usize,
) {
    let weight = |id: u32| net(steps[id as usize].sum).saturating_abs();
    ids.retain(|&id| steps[id as usize].sum != [0; 2]);
    ids.sort_by_key(|&id| Reverse(weight(id)));
    // A step stays with all above it.
    let mut below: HashMap<(u32, u32), Vec<u32>> = HashMap::default();
    let mut kept = HashMap::default();
    for id in ids {
        let mut chain = vec![id];
        while let Some(above) = chain.last().map(|&id| steps[id as usize].above).filter(|&above| above != TOP && !kept.contains_key(&above))
        {
            chain.push(above);
        }
        if kept.len() + chain.len() > most {
            break;
        }
        for id in chain.into_iter().rev() {
            if kept.insert(id, ()).is_none() {
                let Step { line, above, .. } = steps[id as usize];
                below.entry((line.1, above)).or_default().push(id);
            }
        }
    }
    below.values_mut().for_each(|ids| ids.sort_by_key(|&id| (Reverse(weight(id)), id)));
    let mut lines: Vec<(i64, u32)> = below.keys().filter(|(_, above)| *above == TOP).map(|&(key, _)| (line_of_key(key), key)).collect();
    lines.sort_unstable();
    let mut numbers: HashMap<SourceCall, usize> = HashMap::default();
    for (line, key) in lines {
        let next = |above: u32, depth: u32| below.get(&(key, above)).into_iter().flatten().rev().map(move |&id| (id, depth));
        let mut open: Vec<(u32, u32)> = next(TOP, 0).collect();
        while let Some((id, depth)) = open.pop() {
            let step = &steps[id as usize];
            let call = call(step, context);
            let number = *numbers.entry(call).or_insert_with_key(|call| {
                entry.call.push(call.clone());
                entry.call.len() - 1
            });
            let [value, base] = step.sum;
            entry.step.push(SourceStep { line, depth, call: number, inlined: step.inlined, value, base });
            open.extend(next(id, depth + 1));
        }
    }
}

fn call(step: &Step, context: &ReportContext) -> SourceCall {
    let Row { file, .. } = context.tree.keys.row(step.key);
    let frame = context.tree.keys.frame(step.key);
    let start = context.profile.function_of(frame).map_or(0, |(_, f)| f.start_line);
    let line = if step.inlined { context.profile.code().frames[frame].line } else { start };
    SourceCall { name: name(context, step.key).to_owned(), file: file.clone(), line: line.max(0), text: String::new() }
}
