//! Tree of the functions of a unit, inlined or not, that may contain requested addresses.
//!
//! One pass over all entries, without recursion; most are [skipped](super::skip_entries), and only functions that may contain an
//! address are decoded.

use std::borrow::Cow;

use gimli::{AttributeValue, Reader, RunTimeEndian, Section, UnitOffset, UnitRef};

use super::gimli_reader::Window;
use super::ranges::{Bounds, Budget, LAST_WITHOUT_RANGES};
use super::skip_entries::{Kind, Plans};
use super::unit_opener::Opener;
use crate::symbolize::read::numbers;

/// Inlined functions inside of each other; compilers stay below 200.
const MAX_DEPTH: u32 = 1000;

/// A function at some of the wanted addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The one it was inlined into; none for a function that was not.
    pub(super) parent: Option<u32>,
    /// Its entry.
    pub(super) entry: UnitOffset<usize>,
    /// Call site in the outer function.
    pub(super) call: Call,
    /// The outermost function that it was inlined into, directly or not; itself where it was not.
    pub(super) root: u32,
    depth: u32,
}

/// A place of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Call {
    /// Index into the line program's files; `None`: unknown (0 is a file in DWARF 5).
    pub(super) file: Option<u64>,
    /// From 1; 0: unknown.
    pub(super) line: u64,
    /// From 1; 0: unknown.
    pub(super) column: u64,
}

/// Functions, and for each address the innermost one.
#[derive(Debug, Default)]
pub(super) struct FunctionTree {
    pub(super) nodes: Vec<Node>,
    /// Nodes with [incomplete](Bounds::is_partial) ranges, with the entry of the function and the first address.
    pub(super) partial: Vec<Partial>,
    /// Number of the address → its innermost node.
    pub(super) leaf: Vec<Option<u32>>,
}

/// An inlined function with possibly more code than its ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial {
    pub(super) node: u32,
    /// The entry that describes the function itself.
    pub(super) origin: UnitOffset<usize>,
    /// First address; 0: unknown.
    pub(super) low: u64,
}

/// Incomplete functions that are kept for one unit.
const MOST_PARTIAL: usize = 50_000;

/// An open entry that is a function.
struct Scope {
    depth: isize,
    node: Option<u32>,
    /// Numbers of the addresses it holds, sorted.
    hits: Vec<u32>,
    /// Open scope whose `hits` bound those of functions inlined here: this one, or an outer one if this one's ranges are
    /// [incomplete](Bounds::is_partial).
    limit: usize,
}

/// Finds the functions that contain `addresses` (sorted). Damaged parts are ignored. Code below `lowest` was dropped by the
/// linker.
pub(super) fn functions(unit: UnitRef<'_, Window<'_>>, addresses: &[u64], lowest: u64, opener: &Opener) -> FunctionTree {
    let found = FunctionTree { nodes: Vec::new(), partial: Vec::new(), leaf: vec![None; addresses.len()] };
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
    found: FunctionTree,
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
                Kind::Inlined => {
                    // A function with incomplete ranges may have children outside of them.
                    let is_partial = plan.has_children && header.version() <= LAST_WITHOUT_RANGES;
                    let may_hold =
                        || plan.bounds.and_then(|bounds| bounds.read(rest, little_endian)).is_none_or(|range| self.any_in(range));
                    !limit(&self.scopes).is_empty() && (is_partial || may_hold())
                }
            };
            let (kind, has_children) = (plan.kind, plan.has_children);
            plan.skip(&mut rest, header.encoding(), little_endian)?;
            let scope = if looks { self.look(kind, UnitOffset(offset), depth)? } else { None };
            if has_children {
                if kind != Kind::Other {
                    let limit = self.scopes.len();
                    self.scopes.push(scope.unwrap_or(Scope { depth, node: None, hits: Vec::new(), limit }));
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

    /// Reads the function at `entry` and notes the addresses that it holds; the outer `None`
    /// when it is damaged or the budget is spent.
    fn look(&mut self, kind: Kind, entry: UnitOffset<usize>, depth: isize) -> Option<Option<Scope>> {
        let is_inlined = kind == Kind::Inlined;
        let within = if is_inlined { limit(&self.scopes) } else { &self.all };
        let Entry { bounds, call, origin } = attributes(self.unit, entry)?;
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
        let here = self.scopes.len();
        let outer = self.scopes.last().filter(|_| is_inlined);
        let partial = outer.filter(|_| bounds.is_partial(self.unit.header.version()));
        let limit = partial.map_or(here, |outer| outer.limit);
        let is_partial = partial.is_some();
        if hits.is_empty() && !is_partial {
            return Some(None);
        }
        let parent = outer.and_then(|outer| outer.node);
        if is_inlined && parent.is_none() {
            return Some(None);
        }
        let Some(node) = self.node(parent, entry, call) else { return Some(None) };
        for &i in &hits {
            // Deeper ones come later; of two functions with the same code the last is taken, as LLVM does.
            self.found.leaf[i as usize] = Some(node);
        }
        if let Some(origin) = origin.filter(|_| is_partial && self.found.partial.len() < MOST_PARTIAL) {
            self.found.partial.push(Partial { node, origin, low: bounds.low() });
        }
        Some(Some(Scope { depth, node: Some(node), hits, limit }))
    }

    /// A new node; `None` at too many levels.
    fn node(&mut self, parent: Option<u32>, entry: UnitOffset<usize>, call: Call) -> Option<u32> {
        let id = self.found.nodes.len() as u32;
        let outer = parent.and_then(|node| self.found.nodes.get(node as usize));
        let (above, root) = outer.map_or((0, id), |outer| (outer.depth, outer.root));
        if above >= MAX_DEPTH {
            return None;
        }
        self.found.nodes.push(Node { parent, entry, call, root, depth: above + 1 });
        Some(id)
    }
}

/// Numbers of the addresses that a function inlined in these scopes may hold.
fn limit(scopes: &[Scope]) -> &[u32] {
    scopes.last().and_then(|scope| scopes.get(scope.limit)).map_or(&[], |scope| &scope.hits)
}

/// Attributes of a function's entry.
struct Entry {
    bounds: Bounds,
    call: Call,
    /// The abstract function, if it is in the same unit.
    origin: Option<UnitOffset<usize>>,
}

fn attributes(unit: UnitRef<'_, Window<'_>>, entry: UnitOffset<usize>) -> Option<Entry> {
    let mut is = Entry { bounds: Bounds::default(), call: Call::default(), origin: None };
    let mut entries = unit.entries_raw(Some(entry)).ok()?;
    let abbreviation = entries.read_abbreviation().ok()??;
    for &spec in abbreviation.attributes() {
        let attribute = entries.read_attribute(spec).ok()?;
        is.bounds.see(unit, &attribute);
        match (attribute.name(), attribute.value()) {
            (gimli::DW_AT_call_file, AttributeValue::FileIndex(file)) => is.call.file = Some(file),
            (gimli::DW_AT_call_line, value) => is.call.line = value.udata_value().unwrap_or(0),
            (gimli::DW_AT_call_column, value) => is.call.column = value.udata_value().unwrap_or(0),
            (gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin)) => is.origin = Some(origin),
            _ => {}
        }
    }
    Some(is)
}
