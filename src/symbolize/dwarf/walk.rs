//! The functions of a unit: which entry, inlined or not, holds an address.
//!
//! One pass over all entries, without recursion, whatever their depth is; most are
//! [skipped](super::skip), only functions that may hold an address are looked at.

use std::borrow::Cow;

use gimli::{AttributeValue, Reader, RunTimeEndian, Section, UnitOffset, UnitRef};

use super::open::Opener;
use super::ranges::{Bounds, Budget};
use super::skip::{Kind, Plans};
use super::window::Window;
use crate::symbolize::numbers;

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
/// Code below `lowest` was dropped by the linker.
pub(super) fn functions(unit: UnitRef<'_, Window<'_>>, addresses: &[u64], lowest: u64, opener: &Opener) -> Found {
    let found = Found { nodes: Vec::new(), leaf: vec![None; addresses.len()] };
    let Ok(bytes) = entries(unit) else { return found };
    let all: Vec<u32> = (0..addresses.len() as u32).collect();
    opener.with_budget(addresses.len(), |budget| {
        let mut walk = Walk { unit, addresses, lowest, all, found, budget, scopes: Vec::new() };
        // At damage it ends.
        let _ = walk.run(&bytes);
        walk.found
    })
}

/// The bytes of all entries of a unit.
fn entries<'a>(unit: UnitRef<'_, Window<'a>>) -> gimli::Result<Cow<'a, [u8]>> {
    let mut entries = unit.dwarf.debug_info.reader().clone();
    let start = unit.header.debug_info_offset().map_or(0, |offset| offset.0);
    entries.skip(start)?;
    entries.truncate(unit.header.length_including_self())?;
    entries.skip(unit.header.header_size())?;
    entries.bytes()
}

struct Walk<'x, 'a> {
    unit: UnitRef<'x, Window<'a>>,
    addresses: &'x [u64],
    lowest: u64,
    /// The numbers of all addresses.
    all: Vec<u32>,
    found: Found,
    budget: &'x mut Budget,
    /// The open entries that are functions.
    scopes: Vec<Scope>,
}

impl Walk<'_, '_> {
    /// Goes through the entries; `None` when they are damaged or the budget is spent.
    fn run(&mut self, entries: &[u8]) -> Option<()> {
        let header = &self.unit.header;
        let little_endian = self.unit.dwarf.debug_info.reader().endian() == RunTimeEndian::Little;
        let mut plans = Plans::new(&self.unit.abbreviations, header.encoding());
        let mut rest = entries;
        let mut depth = 0isize;
        while !rest.is_empty() {
            let offset = header.header_size() + (entries.len() - rest.len());
            let code = numbers::unsigned(&mut rest)?;
            if code == 0 {
                depth -= 1;
                while self.scopes.last().is_some_and(|scope| scope.depth >= depth) {
                    self.scopes.pop();
                }
                continue;
            }
            let plan = plans.get(code)?;
            let looks = match plan.kind {
                Kind::Other => false,
                Kind::Function => plan.bounds.and_then(|bounds| bounds.read(rest, little_endian)).is_none_or(|range| self.any_in(range)),
                Kind::Inlined => self.scopes.last().is_some_and(|scope| !scope.hits.is_empty()),
            };
            let (kind, has_children) = (plan.kind, plan.has_children);
            plan.skip(&mut rest, header.encoding(), little_endian)?;
            let scope = if looks { self.look(kind, UnitOffset(offset))? } else { (None, Vec::new()) };
            if has_children {
                if kind != Kind::Other {
                    self.scopes.push(Scope { depth, node: scope.0, hits: scope.1 });
                }
                depth += 1;
            }
        }
        Some(())
    }

    fn any_in(&self, (start, end): (u64, u64)) -> bool {
        let first = self.addresses.partition_point(|&a| a < start);
        self.addresses.get(first).is_some_and(|&a| a < end)
    }

    /// Looks closer at the function at `entry`: its node, and the numbers of the addresses
    /// that it holds; `None` when it is damaged or the budget is spent.
    fn look(&mut self, kind: Kind, entry: UnitOffset<usize>) -> Option<(Option<u32>, Vec<u32>)> {
        let outer = self.scopes.last().filter(|_| kind == Kind::Inlined);
        let (within, parent) = outer.map_or((&self.all, None), |scope| (&scope.hits, scope.node));
        let above = parent.and_then(|node: u32| self.found.nodes.get(node as usize)).map_or(0, |node| node.depth);
        if above >= MAX_DEPTH {
            return Some((None, Vec::new()));
        }
        let (bounds, call) = attributes(self.unit, entry)?;
        let mut hits: Vec<u32> = Vec::new();
        bounds.each(self.unit, self.lowest, self.budget, |start, end| {
            let first = within.partition_point(|&i| self.addresses[i as usize] < start);
            let rest = within[first..].iter().copied();
            hits.extend(rest.take_while(|&i| self.addresses[i as usize] < end).take(within.len().saturating_sub(hits.len())));
        });
        if !self.budget.take(1 + hits.len() as u64) {
            return None;
        }
        hits.sort_unstable();
        hits.dedup();
        if hits.is_empty() {
            return Some((None, hits));
        }
        let id = self.found.nodes.len() as u32;
        self.found.nodes.push(Node { parent, entry, call, depth: above + 1 });
        for &i in &hits {
            // Deeper ones come later; of two functions with the same code the last is taken, as LLVM does.
            self.found.leaf[i as usize] = Some(id);
        }
        Some((Some(id), hits))
    }
}

/// What the entry says of its code and of the call.
fn attributes(unit: UnitRef<'_, Window<'_>>, entry: UnitOffset<usize>) -> Option<(Bounds, Call)> {
    let (mut bounds, mut call) = (Bounds::default(), Call::default());
    let mut entries = unit.entries_raw(Some(entry)).ok()?;
    let abbreviation = entries.read_abbreviation().ok()??;
    for &spec in abbreviation.attributes() {
        let attribute = entries.read_attribute(spec).ok()?;
        bounds.see(unit, &attribute);
        match (attribute.name(), attribute.value()) {
            (gimli::DW_AT_call_file, AttributeValue::FileIndex(file)) => call.file = file,
            (gimli::DW_AT_call_line, value) => call.line = value.udata_value().unwrap_or(0),
            (gimli::DW_AT_call_column, value) => call.column = value.udata_value().unwrap_or(0),
            _ => {}
        }
    }
    Some((bounds, call))
}
