//! Inlined frames from DWARF.
//!
//! Walks the entries itself, on gimli, instead of using addr2line: sections and unit index are shared by all workers, deep
//! nesting cannot overflow the stack, and declaration lines, which pprof prints, are available.

mod debug_summary;
mod function;
mod function_tree;
mod gimli_reader;
mod index;
mod inlined_without_ranges;
mod line_program;
mod line_table;
mod parallel;
mod ranges;
mod sections;
mod skip_entries;
mod split;
mod unit_opener;

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use crate::base::hash::HashMap;

use gimli::{DebugInfoOffset, UnitOffset, UnitRef};

use function::{Elsewhere, Function, Look};
use function_tree::FunctionTree;
use gimli_reader::Window;
use index::Index;
use inlined_without_ranges::Incomplete;
use parallel::in_parallel;

pub use debug_summary::DebugKind;
pub(super) use debug_summary::{DebugSummary, SplitPart};
pub(super) use sections::Sections;
pub(super) use split::{AttachedUnits, MissingSplits, SplitFiles, holds};

/// One function at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Linkage name, else the short one; empty when unknown.
    pub name: Arc<str>,
    /// Short name with generic arguments, where `name` is mangled and has lost them; else empty.
    pub short: Arc<str>,
    /// Source file; empty when unknown.
    pub file: Arc<str>,
    /// Line of its declaration, from 1; 0 when unknown.
    pub start_line: u64,
    /// Line, from 1; 0 when unknown.
    pub line: u64,
    /// Column, from 1; 0 when unknown.
    pub column: u64,
}

/// The frames at an address, innermost first; none when nothing is known.
pub(super) type Chain = Vec<Frame>;

/// Receives frames as they are found, from several threads.
pub(super) trait Listener: Sync {
    /// Priority of the frames; units with higher sums come first.
    fn weight(&self, _address: u64) -> i64 {
        0
    }

    /// Returns whether the lookup was cancelled; remaining units are skipped.
    fn is_over(&self) -> bool {
        false
    }

    /// The frames at some addresses, as one unit has them.
    fn found(&self, found: &[(u64, &Chain)]);
}

/// For callers that wait for the end.
impl Listener for () {
    fn found(&self, _: &[(u64, &Chain)]) {}
}

/// The debug information of one file.
pub(super) struct Debug<'a> {
    sections: &'a Sections,
    dwarf: gimli::Dwarf<Window<'a>>,
    index: Index<'a>,
    /// Index of the supplementary file; built when first referred to.
    sup: OnceLock<Index<'a>>,
}

impl<'a> Debug<'a> {
    /// Lists the units. O(units).
    pub(super) fn new(sections: &'a Sections) -> Self {
        let dwarf = sections.dwarf();
        let index = Index::new(&dwarf);
        Debug { sections, dwarf, index, sup: OnceLock::new() }
    }

    /// Address → its frames, for `addresses` sorted and without repetition.
    pub(super) fn chains(&self, addresses: &[u64], split: &SplitFiles, listener: &dyn Listener) -> Vec<Chain> {
        self.index.opener.allow_frames(addresses.len());
        let mut work = self.index.assign(&self.dwarf, addresses, self.sections.lowest);
        // Else the longest first, so that no worker is left alone with it in the end.
        work.sort_by_cached_key(|w| {
            let weight = w.numbers.iter().map(|&n| listener.weight(addresses[n as usize])).max();
            (Reverse(weight), Reverse(self.index.units[w.unit].length_including_self()), w.unit)
        });
        let others = || Others { debug: self, units: HashMap::default(), apart: HashMap::default() };
        let found = in_parallel(&work, others, |others, work| {
            if listener.is_over() {
                return Vec::new();
            }
            let wanted: Vec<u64> = work.numbers.iter().map(|&n| addresses[n as usize]).collect();
            let chains = self.unit_chains(work.unit, &wanted, split, others);
            listener.found(&wanted.iter().copied().zip(&chains).collect::<Vec<_>>());
            work.numbers.iter().zip(chains).map(|(&number, chain)| (number, work.unit, chain)).collect::<Vec<_>>()
        });
        let found = found.into_iter().flatten().collect();
        best(found, addresses.len())
    }

    /// The frames of `addresses` (sorted), as far as this unit knows them.
    fn unit_chains(&self, unit: usize, addresses: &[u64], split: &SplitFiles, others: &mut Others<'_, 'a>) -> Vec<Chain> {
        let header = &self.index.units[unit];
        let nothing = vec![Chain::new(); addresses.len()];
        let Some(start) = header.debug_info_offset() else { return nothing };
        let stretch = self.sections.stretch(start.0..start.0.saturating_add(header.length_including_self()));
        let dwarf = stretch.dwarf();
        let Ok(header) = dwarf.debug_info.header_from_offset(start) else { return nothing };
        let Some(unit) = self.index.opener.open(&dwarf, header) else { return nothing };
        let skeleton = unit.unit_ref(&dwarf);
        let Some(id) = unit.dwo_id else {
            let found = function_tree::functions(skeleton, addresses, self.sections.lowest, &self.index.opener);
            return self.frames(skeleton, skeleton, found, addresses, others);
        };
        let in_split = split.with(id, skeleton, |unit| {
            let found = function_tree::functions(unit, addresses, self.sections.lowest, &self.index.opener);
            self.frames(skeleton, unit, found, addresses, &mut Nowhere)
        });
        in_split.unwrap_or_else(|| {
            // Some compilers repeat inlined calls in the skeleton. Otherwise the line is that of the inlined function, and the
            // symbol that of the outer one, so no frame is returned.
            let found = function_tree::functions(skeleton, addresses, self.sections.lowest, &self.index.opener);
            let is_known: Vec<bool> = found.leaf.iter().map(Option::is_some).collect();
            let mut chains = self.frames(skeleton, skeleton, found, addresses, others);
            chains.iter_mut().zip(is_known).filter(|(_, known)| !known).for_each(|(chain, _)| chain.clear());
            chains
        })
    }

    /// Names and places of `found` in `unit`; `skeleton` has the line table.
    fn frames(
        &self,
        skeleton: UnitRef<'_, Window<'_>>,
        unit: UnitRef<'_, Window<'_>>,
        found: FunctionTree,
        addresses: &[u64],
        elsewhere: &mut dyn Elsewhere,
    ) -> Vec<Chain> {
        let rows = line_table::places(skeleton, addresses, self.sections.lowest, &self.index.opener);
        let mut functions: HashMap<UnitOffset<usize>, Function> = HashMap::default();
        let mut function = |entry| functions.entry(entry).or_insert_with(|| function::function(unit, entry, elsewhere)).clone();
        let place = |function: Function| function.file.filter(|_| function.line > 0).map(|file| (file, function.line));
        let incomplete = Incomplete::new(&found, |origin| place(function(origin)));
        let mut paths: HashMap<u64, Arc<str>> = HashMap::default();
        let mut path = |file: u64| paths.entry(file).or_insert_with(|| line_table::path(skeleton, file).into()).clone();
        let mut chains = Vec::with_capacity(addresses.len());
        for ((leaf, row), &address) in found.leaf.iter().zip(rows).zip(addresses) {
            let mut chain = Chain::new();
            let leaf = leaf.map(|leaf| match (row, found.nodes.get(leaf as usize)) {
                (Some(row), Some(node)) if !incomplete.is_empty() => incomplete.innermost(address, leaf, place(function(node.entry)), row),
                _ => leaf,
            });
            let (mut file, mut line, mut column) = row.map_or((Arc::default(), 0, 0), |row| (path(row.file), row.line, row.column));
            let mut next = leaf;
            if next.is_none() && row.is_some() {
                chain.push(Frame { file: std::mem::take(&mut file), line, column, ..Frame::default() });
            }
            while let Some(node) = next.and_then(|n| found.nodes.get(n as usize)) {
                // Without room only the outermost function is kept.
                if node.parent.is_none() || self.index.opener.take_frame() {
                    let Function { name, short, line: start_line, .. } = function(node.entry);
                    chain.push(Frame { name, short, file, start_line, line, column });
                }
                (file, line, column) = (Arc::default(), node.call.line, node.call.column);
                next = node.parent;
                if next.is_some() {
                    file = node.call.file.map_or_else(Arc::default, &mut path);
                }
            }
            chains.push(chain);
        }
        chains
    }
}

/// Of several units that claim an address, the first that knows a function there,
/// else the first that knows a line.
fn best(mut found: Vec<(u32, usize, Chain)>, n_addresses: usize) -> Vec<Chain> {
    found.sort_by_key(|(number, unit, _)| (*number, *unit));
    let mut chains = vec![Chain::new(); n_addresses];
    for (number, _, chain) in found {
        let kept = &mut chains[number as usize];
        let names = |chain: &Chain| chain.iter().any(|frame| !frame.name.is_empty());
        if kept.is_empty() || (!names(kept) && names(&chain)) {
            *kept = chain;
        }
    }
    chains
}

/// The other units, kept once they are read.
struct Others<'x, 'a> {
    debug: &'x Debug<'a>,
    /// Unit of the same file, by index.
    units: HashMap<usize, Option<gimli::Unit<Window<'a>>>>,
    /// Unit of the supplementary file.
    apart: HashMap<usize, Option<gimli::Unit<Window<'a>>>>,
}

impl Elsewhere for Others<'_, '_> {
    fn attributes(&mut self, offset: DebugInfoOffset<usize>, is_apart: bool, look: &mut Look<'_>) {
        let debug = self.debug;
        let (dwarf, index, units) = match debug.dwarf.sup() {
            None if is_apart => return,
            Some(sup) if is_apart => (sup, debug.sup.get_or_init(|| Index::new(sup)), &mut self.apart),
            _ => (&debug.dwarf, &debug.index, &mut self.units),
        };
        let Some(number) = index.unit_at(offset) else { return };
        let unit = units.entry(number).or_insert_with(|| index.opener.open(dwarf, index.units[number].clone()));
        if let Some(unit) = unit
            && let Some(offset) = offset.to_unit_offset(&unit.header)
        {
            function::attributes(unit.unit_ref(dwarf), offset, look);
        }
    }
}

/// Split units refer to nothing outside of them.
struct Nowhere;

impl Elsewhere for Nowhere {
    fn attributes(&mut self, _: DebugInfoOffset<usize>, _: bool, _: &mut Look<'_>) {}
}
