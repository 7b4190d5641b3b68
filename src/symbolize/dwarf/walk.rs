//! The functions of a unit: which entry, inlined or not, holds an address.
//!
//! One pass over all entries, without recursion, whatever their depth is.

use gimli::{AttributeValue, UnitOffset, UnitRef};

use super::ranges::{Bounds, Budget};
use super::sections::Slice;

/// Inlined functions inside of each other; compilers stay below 200.
const MAX_DEPTH: u32 = 1000;

/// A function at some of the wanted addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The one it was inlined into; none for a function that was not.
    pub(super) parent: Option<u32>,
    /// Its entry.
    pub(super) entry: UnitOffset<usize>,
    /// Where the outer one calls it.
    pub(super) call: Call,
    depth: u32,
}

/// A place of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Call {
    /// Index into the line program's files.
    pub(super) file: u64,
    /// From 1; 0: unknown.
    pub(super) line: u64,
    /// From 1; 0: unknown.
    pub(super) column: u64,
}

/// Functions, and for each address the innermost one.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) nodes: Vec<Node>,
    /// Number of the address → its innermost node.
    pub(super) leaf: Vec<Option<u32>>,
}

/// An open entry that is a function.
struct Scope {
    depth: isize,
    node: Option<u32>,
    /// Numbers of the addresses it holds, sorted.
    hits: Vec<u32>,
}

/// Finds the functions that hold `addresses` (sorted). What damage hides is left out.
pub(super) fn functions(unit: UnitRef<'_, Slice<'_>>, addresses: &[u64]) -> Found {
    let all: Vec<u32> = (0..addresses.len() as u32).collect();
    let mut found = Found { nodes: Vec::new(), leaf: vec![None; addresses.len()] };
    let Ok(mut entries) = unit.entries_raw(None) else { return found };
    let mut budget = Budget::new((addresses.len() as u64 + 1000) * 10_000);
    let mut scopes: Vec<Scope> = Vec::new();
    while !entries.is_empty() {
        let depth = entries.next_depth();
        let offset = entries.next_offset();
        let Ok(abbreviation) = entries.read_abbreviation() else { break };
        let Some(abbreviation) = abbreviation else { continue };
        while scopes.last().is_some_and(|scope| scope.depth >= depth) {
            scopes.pop();
        }
        let outer = scopes.last();
        let (within, parent): (&[u32], _) = match abbreviation.tag() {
            gimli::DW_TAG_subprogram => (&all, None),
            gimli::DW_TAG_inlined_subroutine => outer.map_or((&[], None), |scope| (&scope.hits, scope.node)),
            _ => (&[], None),
        };
        let above = parent.and_then(|node: u32| found.nodes.get(node as usize)).map_or(0, |node| node.depth);
        if within.is_empty() || above >= MAX_DEPTH {
            if entries.skip_attributes(abbreviation.attributes()).is_err() {
                break;
            }
            continue;
        }
        let (mut bounds, mut call) = (Bounds::default(), Call::default());
        let mut is_whole = true;
        for &spec in abbreviation.attributes() {
            let Ok(attribute) = entries.read_attribute(spec) else {
                is_whole = false;
                break;
            };
            bounds.see(unit, &attribute);
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_call_file, AttributeValue::FileIndex(file)) => call.file = file,
                (gimli::DW_AT_call_line, value) => call.line = value.udata_value().unwrap_or(0),
                (gimli::DW_AT_call_column, value) => call.column = value.udata_value().unwrap_or(0),
                _ => {}
            }
        }
        if !is_whole {
            break;
        }
        let mut hits: Vec<u32> = Vec::new();
        bounds.each(unit, &mut budget, |start, end| {
            let first = within.partition_point(|&i| addresses[i as usize] < start);
            let rest = within[first..].iter().copied();
            hits.extend(rest.take_while(|&i| addresses[i as usize] < end).take(within.len().saturating_sub(hits.len())));
        });
        if !budget.take(1 + hits.len() as u64) {
            break;
        }
        hits.sort_unstable();
        hits.dedup();
        let mut node = None;
        if !hits.is_empty() {
            let id = found.nodes.len() as u32;
            found.nodes.push(Node { parent, entry: offset, call, depth: above + 1 });
            for &i in &hits {
                // Deeper ones come later; of two functions with the same code the last is taken, as LLVM does.
                found.leaf[i as usize] = Some(id);
            }
            node = Some(id);
        }
        scopes.push(Scope { depth, node, hits });
    }
    found
}
