//! Numbers on a tree: the rows and dumps that count, and their sums.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::blame_filter::blamed;
use super::chosen::{Chosen, companion, value_type};
use super::conditions::meet_conditions;
use super::folded_kinds::Folded;
use super::gross_changes::GrossChanges;
use super::matcher::Matcher;
use super::sampling_error::SamplingErrors;
use super::table::Table;
use super::type_filter::of_type;
use crate::analyze::tree::call_tree::{CallTree, NONE};
use crate::attribution::Attribution;
use crate::base::id::{Id, LabelSetId, StackId};
use crate::base::pair::{Pairs, net, plus, quotient};
use crate::profile::{Dump, LabelValue, Profile};
use crate::query::{Pattern, QueryError, TagFilter, View, ViewKind};

/// Value and base of every node of a [`CallTree`].
#[derive(Debug, Default)]
pub struct TreeTotals {
    /// Node → value of rows that end there: `[value, base]`; computed on first use.
    own: OnceLock<Vec<[i64; 2]>>,
    /// Data of tables; computed on first use.
    pub(crate) table: Table,
    /// Sampling errors; computed on first use.
    pub(crate) noise: OnceLock<Option<SamplingErrors>>,
    /// Growth and shrinkage since the base; computed on first use.
    pub(crate) gross: OnceLock<GrossChanges>,
    /// Folded functions; computed on first use.
    folded: OnceLock<Folded>,
    /// Node → value of its subtree: `[value, base]`.
    pub cum: Vec<[i64; 2]>,
    /// Node → a row of the subtree has a number that is not zero.
    pub live: Vec<bool>,
    /// Node → a row of the subtree differs from its base; with a diff base, or with none: it is live.
    pub moved: Vec<bool>,
    /// Row → `[value, base]`, zero where filters drop it.
    pub row: Pairs,
    /// Row → it passes the filters, and no base cancelled it in every value type.
    pub passes: Vec<bool>,
    /// Row → it passes the filters.
    pub(crate) kept: Vec<bool>,
    /// Total that percentages refer to.
    pub total: i64,
    /// Sum of the rows that pass: `[value, base]`.
    pub sum: [i64; 2],
    /// There is a base.
    pub has_base: bool,
    /// Mean distance of samples of the dumps, bytes: the largest; 0 when all is exact.
    pub(crate) period: i64,
    /// Sums are divided by these: objects, for mean sizes.
    pub divisor: Option<Box<TreeTotals>>,
    /// Totals of the companion type under the same filters, if requested and available.
    pub companion: Option<Box<TreeTotals>>,
    /// Value type shown: index into the profile's.
    pub value_type: Option<usize>,
    /// Messages about expressions that matched nothing.
    pub warnings: Vec<String>,
}

impl TreeTotals {
    /// Computes the totals of `view` on `tree`. O(rows + nodes).
    pub fn new(profile: &Profile, packages: &Attribution, tree: &CallTree, view: &View) -> Result<Self, QueryError> {
        TreeTotals::weigh(profile, packages, tree, view, i64::saturating_abs)
    }

    /// `size`: what a row adds to the total.
    fn weigh(profile: &Profile, packages: &Attribution, tree: &CallTree, view: &View, size: fn(i64) -> i64) -> Result<Self, QueryError> {
        let spec = &view.weight;
        let mut totals = TreeTotals { value_type: value_type(profile, &spec.sample_index)?, ..TreeTotals::default() };
        totals.row = Pairs::zeros(profile.samples().len(), false);
        let mut diff = false;
        let chosen = Chosen::new(profile, spec)?;
        totals.period = chosen.dumps().map(|dump| profile.dumps()[dump].period).max().unwrap_or(0);
        if let Some(value_type) = totals.value_type {
            totals.has_base = !chosen.base.is_empty();
            diff = chosen.percent_of_base;
            totals.row = chosen.rows(profile, value_type, spec.normalize).0;
        }
        let mut divisor = match spec.mean {
            true => Some(TreeTotals::divisor(profile, packages, tree, view)?),
            false => None,
        };
        if !spec.relative_percentages {
            totals.total = total(&totals.row, diff, size);
        }
        totals.filter(profile, packages, tree, view, &cancelled(profile, &chosen, spec.normalize))?;
        if spec.relative_percentages {
            totals.total = total(&totals.row, diff, size);
        }
        if let Some(divisor) = &divisor {
            totals.total = quotient(totals.total, divisor.total.saturating_abs());
        }
        if let (Some(by), ViewKind::Flame) = (&divisor, view.kind) {
            // Boxes must add up, so means are taken stack by stack.
            for row in 0..totals.row.len() {
                totals.row.set(row, [quotient(net(totals.row.at(row)), net(by.row.at(row))), 0]);
            }
            divisor = None;
        }
        totals.spread(tree, diff);
        totals.companion = match totals.value_type.and_then(|i| companion(profile, i)) {
            Some(other) if spec.counts && !spec.mean => Some(TreeTotals::companion(profile, packages, tree, view, other)?),
            _ => None,
        };
        totals.divisor = divisor.map(Box::new);
        Ok(totals)
    }

    /// Bytes on the heap, including data computed on demand.
    pub fn heap_bytes(&self) -> usize {
        const PAIR: usize = size_of::<[i64; 2]>();
        let TreeTotals { cum, live, moved, row, passes, kept, noise, gross, table, divisor, companion, .. } = self;
        let flags = live.capacity() + moved.capacity() + passes.capacity() + kept.capacity();
        let own = cum.capacity();
        let on_demand =
            noise.get().and_then(Option::as_ref).map_or(0, SamplingErrors::heap_bytes) + gross.get().map_or(0, GrossChanges::heap_bytes);
        let others = [divisor, companion].into_iter().flatten().map(|other| other.heap_bytes()).sum::<usize>();
        (own + cum.capacity()) * PAIR + row.heap_bytes() + flags + on_demand + table.heap_bytes() + others
    }

    /// The totals of the first value type, under the same filters. As in pprof, what is gone
    /// counts against what came in the number that the total is divided by.
    fn divisor(profile: &Profile, packages: &Attribution, tree: &CallTree, view: &View) -> Result<Self, QueryError> {
        let mut first_type = view.clone();
        first_type.weight.mean = false;
        first_type.weight.sample_index = "0".into();
        TreeTotals::weigh(profile, packages, tree, &first_type, |value| value)
    }

    fn companion(
        profile: &Profile,
        packages: &Attribution,
        tree: &CallTree,
        view: &View,
        value_type: usize,
    ) -> Result<Box<Self>, QueryError> {
        let mut other = view.clone();
        other.weight.counts = false;
        other.weight.sample_index = value_type.to_string();
        TreeTotals::weigh(profile, packages, tree, &other, i64::saturating_abs).map(Box::new)
    }

    /// Zeroes the rows that filters drop.
    fn filter(
        &mut self,
        profile: &Profile,
        packages: &Attribution,
        tree: &CallTree,
        view: &View,
        cancelled: &[bool],
    ) -> Result<(), QueryError> {
        let spec = &view.weight;
        let marked = |pattern: &Option<Pattern>| Some(Matcher::new(profile, pattern.as_ref()?).locations(profile));
        let (focus, ignore) = (marked(&spec.focus), marked(&spec.ignore));
        // Ignored samples cannot be focused on.
        let is_ignored = |location: usize| ignore.as_ref().is_some_and(|i| i[location]);
        if focus.as_ref().is_some_and(|f| !(0..f.len()).any(|location| f[location] && !is_ignored(location))) {
            self.warnings.push("Focus expression matched no samples".into());
        }
        if ignore.as_ref().is_some_and(|i| !i.contains(&true)) {
            self.warnings.push("Ignore expression matched no samples".into());
        }
        let [focus, ignore] = [focus, ignore].map(|marked| Some(on_path(profile, &marked?)));
        let blamed = blamed(profile, packages, spec, &mut self.warnings);
        let of_type = of_type(profile, packages, spec, &mut self.warnings);
        let meets = meet_conditions(profile, spec, &mut self.warnings)?;
        // A sample without a stack matches nothing, not even an absent focus.
        let named = focus.is_some() || ignore.is_some();
        for row in 0..self.row.len() {
            let stack = profile.samples().stack[row];
            let unnamed = named && stack == StackId(0);
            let passes = !unnamed
                && focus.as_ref().is_none_or(|f| f[stack.index()])
                && !ignore.as_ref().is_some_and(|i| i[stack.index()])
                && blamed.as_ref().is_none_or(|b| b[stack.index()])
                && of_type.as_ref().is_none_or(|t| t[row])
                && meets.as_ref().is_none_or(|meets| meets[row])
                && tree.node_of_row[row] != NONE;
            // Values cancelled by a base still count on both sides; only the row disappears.
            self.passes.push(passes && !cancelled.get(row).is_some_and(|cancelled| *cancelled));
            self.kept.push(passes);
            if !passes {
                self.row.set(row, [0; 2]);
            }
        }
        if spec.tagfocus.is_none() && spec.tagignore.is_none() {
            return Ok(());
        }
        // Both look at what frames leave.
        let of_frames = self.passes.clone();
        for (filter, keep, name) in [(&spec.tagfocus, true, "TagFocus"), (&spec.tagignore, false, "TagIgnore")] {
            let Some(filter) = filter else { continue };
            let hits = label_hits(profile, filter);
            let hit = |row: usize| hits[profile.samples().labels[row].index()];
            if !of_frames.iter().enumerate().any(|(row, &passes)| passes && hit(row)) {
                self.warnings.push(format!("{name} expression matched no samples"));
            }
            for row in (0..of_frames.len()).filter(|&row| hit(row) != keep) {
                self.row.set(row, [0; 2]);
                self.passes[row] = false;
                self.kept[row] = false;
            }
        }
        Ok(())
    }

    /// Node → value of rows that end there: `[value, base]`.
    pub fn own(&self, tree: &CallTree) -> &[[i64; 2]] {
        self.own.get_or_init(|| {
            let mut own = vec![[0; 2]; tree.len()];
            self.rows(tree).for_each(|(node, value)| own[node] = plus(own[node], value));
            own
        })
    }

    /// Functions that `tree` folds on the stacks of nonzero rows.
    pub(crate) fn folded(&self, profile: &Profile, packages: &Attribution, tree: &CallTree) -> &Folded {
        self.folded.get_or_init(|| Folded::new(profile, packages, tree, &self.row))
    }

    /// Row → `[value, base]` of a value type under the same filters. O(rows).
    pub(crate) fn of_type(&self, profile: &Profile, view: &View, value_type: usize) -> Result<Cow<'_, Pairs>, QueryError> {
        if self.value_type == Some(value_type) && !view.weight.mean {
            return Ok(Cow::Borrowed(&self.row));
        }
        let (mut rows, _) = Chosen::new(profile, &view.weight)?.rows(profile, value_type, view.weight.normalize);
        self.kept.iter().enumerate().filter(|(_, kept)| !**kept).for_each(|(row, _)| rows.set(row, [0; 2]));
        Ok(Cow::Owned(rows))
    }

    /// Node and value of each row that counts.
    pub(crate) fn rows<'a>(&'a self, tree: &'a CallTree) -> impl Iterator<Item = (usize, [i64; 2])> + 'a {
        self.row.iter().zip(&tree.node_of_row).filter(|(value, _)| *value != [0; 2]).map(|(value, node)| (*node as usize, value))
    }

    /// Sums rows into nodes and nodes into their callers. `both_sides`: value and base stay
    /// apart, so that one that equals the other is there all the same.
    fn spread(&mut self, tree: &CallTree, both_sides: bool) {
        let n = tree.len();
        let mut cum = vec![[0; 2]; n];
        let mut live = vec![false; n];
        let mut moved = vec![false; n];
        let mut sum = [0; 2];
        for (node, value) in self.rows(tree) {
            cum[node] = plus(cum[node], value);
            live[node] = true;
            moved[node] |= net(value) != 0 || both_sides;
            sum = plus(sum, value);
        }
        for node in (1..n).rev() {
            let parent = tree.parent[node] as usize;
            cum[parent] = plus(cum[parent], cum[node]);
            live[parent] |= live[node];
            moved[parent] |= moved[node];
        }
        (self.cum, self.live, self.moved, self.sum) = (cum, live, moved, sum);
    }
}

/// Dumps that the view adds and those that it subtracts; all if it names a missing one.
pub(crate) fn dumps<'a>(profile: &'a Profile, view: &View) -> Vec<&'a Dump> {
    let all = profile.dumps();
    let Ok(Chosen { value, base, .. }) = Chosen::new(profile, &view.weight) else { return all.iter().collect() };
    (0..all.len()).filter(|dump| value.contains(dump) || base.contains(dump)).map(|dump| &all[dump]).collect()
}

/// Returns whether the profile has what `view` names, without the work of weighing.
pub fn validate_options(profile: &Profile, view: &View) -> Result<(), QueryError> {
    value_type(profile, &view.weight.sample_index)?;
    Chosen::new(profile, &view.weight).map(drop)
}

/// Row → value less base is zero in every value type: such rows of a difference are gone.
/// With a diff base both sides stay. Empty where none is.
fn cancelled(profile: &Profile, chosen: &Chosen, normalize: bool) -> Vec<bool> {
    let n = profile.samples().len();
    if chosen.base.is_empty() || chosen.percent_of_base {
        return Vec::new();
    }
    let mut cancelled = vec![true; n];
    for value_type in 0..profile.value_types().len() {
        let (rows, _) = chosen.rows(profile, value_type, normalize);
        cancelled.iter_mut().zip(rows.iter()).for_each(|(c, row)| *c &= net(row) == 0);
    }
    cancelled
}

/// Row → a dump that is shown has a number for it, whatever the value type; a base has. O(rows + their numbers).
pub(crate) fn present(profile: &Profile, view: &View) -> Vec<[bool; 2]> {
    let mut present = vec![[false; 2]; profile.samples().len()];
    let Ok(chosen) = Chosen::new(profile, &view.weight) else { return present };
    let n_types = profile.value_types().len();
    for (side, dumps) in [&chosen.value, &chosen.base].into_iter().enumerate() {
        for column in dumps.iter().flat_map(|dump| &profile.columns()[dump * n_types..][..n_types]) {
            column.nonzero().for_each(|(row, _)| present[row][side] = true);
        }
    }
    present
}

/// Total for percentages: the sum of magnitudes of rows, or the base's if requested and not zero.
fn total(rows: &Pairs, percent_of_base: bool, size: fn(i64) -> i64) -> i64 {
    let sum = |of: fn(&[i64; 2]) -> i64| rows.iter().fold(0i64, |sum, row| sum.saturating_add(size(of(&row))));
    if !percent_of_base {
        return sum(|row| net(*row));
    }
    match sum(|row| row[1]) {
        0 => sum(|row| row[0]),
        base => base,
    }
}

/// `StackId` → whether a location on the way from the root to it is marked.
pub(crate) fn on_path(profile: &Profile, marked: &[bool]) -> Vec<bool> {
    let stacks = profile.stacks();
    let mut hit = vec![false; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let location = profile.code().frames[stacks.frame[node]].location;
        hit[node.index()] = hit[stacks.parent[node].index()] || marked[location.index()];
    }
    hit
}

/// `LabelSetId` → whether the set passes the filter.
fn label_hits(profile: &Profile, filter: &TagFilter) -> Vec<bool> {
    let labels = profile.labels();
    (0..labels.len())
        .map(|set| {
            let (mut texts, mut numbers) = (Vec::new(), Vec::new());
            for label in labels.get(LabelSetId::new(set)) {
                let key = profile.text(label.key);
                match label.value {
                    LabelValue::Text(text) => texts.push((key, profile.text(text))),
                    LabelValue::Number(n, unit) => numbers.push((key, n, super::label_units::unit_of(key, profile.text(unit)))),
                }
            }
            filter.matches(&texts, &numbers)
        })
        .collect()
}
