//! Inlined functions without a code range.
//!
//! DWARF 2 has no ranges: if the code of an inlined function is not contiguous, strict producers write its first address only.
//! The function of an address is then derived from its line: the inlined function with the last declaration before that line.

use crate::base::hash::HashMap;
use gimli::UnitOffset;

use super::function_tree::FunctionTree;
use super::line_program::Row;

/// Calls of one function that are considered for an address.
const MOST_CALLS: usize = 16;

/// Limit on functions per unit whose declarations are read.
const MOST_FUNCTIONS: usize = 5_000;

/// Declaration of a function: file and line.
pub(super) type Declared = Option<(u64, u64)>;

/// Incomplete functions by the function that holds their code, then by place of declaration.
pub(super) struct Incomplete<'x> {
    found: &'x FunctionTree,
    /// (root, file, line of declaration, first address, node), sorted.
    places: Vec<(u32, u64, u64, u64, u32)>,
}

impl<'x> Incomplete<'x> {
    /// Incomplete functions of `found`. `declared` is called once for each.
    pub(super) fn new(found: &'x FunctionTree, mut declared: impl FnMut(UnitOffset<usize>) -> Declared) -> Self {
        let mut known: HashMap<UnitOffset<usize>, Declared> = HashMap::default();
        let mut places = Vec::new();
        for partial in &found.partial {
            if known.len() >= MOST_FUNCTIONS && !known.contains_key(&partial.origin) {
                continue;
            }
            let declared = *known.entry(partial.origin).or_insert_with(|| declared(partial.origin));
            if let (Some((file, line)), Some(node)) = (declared, found.nodes.get(partial.node as usize)) {
                places.push((node.root, file, line, partial.low, partial.node));
            }
        }
        places.sort_unstable();
        Incomplete { found, places }
    }

    /// Returns whether all ranges are complete.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The function at `address`, where ranges lead to `leaf`, declared at `own`.
    pub(super) fn innermost(&self, address: u64, leaf: u32, own: Declared, row: Row) -> u32 {
        let Some(root) = self.found.nodes.get(leaf as usize).map(|node| node.root) else { return leaf };
        let end = self.places.partition_point(|&(of, file, line, ..)| (of, file, line) <= (root, row.file, row.line));
        let Some(&last) = end.checked_sub(1).and_then(|i| self.places.get(i)) else { return leaf };
        let line = last.2;
        let is_own = own.is_some_and(|(file, own)| file == row.file && (line..=row.line).contains(&own));
        if (last.0, last.1) != (root, row.file) || is_own {
            return leaf;
        }
        let first = self.places.partition_point(|&(of, file, declared, ..)| (of, file, declared) < (root, row.file, line));
        // Of several calls of it the last that begins before the address.
        let calls = &self.places[first..end];
        let before = calls.partition_point(|&(.., low, _)| low <= address);
        let near = calls[..before].iter().rev().chain(&calls[before..]).take(MOST_CALLS);
        let mut inside = near.filter(|&&(.., node)| self.is_inside(node, leaf));
        inside.next().map_or(leaf, |&(.., node)| node)
    }

    fn is_inside(&self, node: u32, outer: u32) -> bool {
        let mut at = Some(node);
        while let Some(node) = at.filter(|&node| node != outer) {
            at = self.found.nodes.get(node as usize).and_then(|node| node.parent);
        }
        at.is_some()
    }
}
