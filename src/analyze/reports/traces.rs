//! Samples as stack traces.

use std::sync::Arc;

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::NONE;
use crate::analyze::tree::keys::RowTexts;
use crate::analyze::tree::totals::present;
use crate::base::cancel;
use crate::base::hash::HashMap;
use crate::base::id::{LabelSetId, StrId};
use crate::base::pair::{net, quotient};
use crate::base::units;
use crate::profile::{LabelValue, Stacks};
use crate::report::{StoredTrace, Traces, TracesReport};

/// Every row that passes the filters, in the profile's order, or the heaviest ones when the
/// view requests a number; with a base each side is a trace of its own, the
/// base's with its sign turned. O(rows × depth).
pub(crate) fn traces(context: &ReportContext) -> TracesReport {
    let ReportContext { profile, tree, totals, view, .. } = context;
    let mut report = TracesReport::default();
    // Samples without a stack are no traces; those with folded frames only are.
    let has_stack = |row: usize| tree.node_of_row[row] != 0 || profile.samples().stack[row] != Stacks::ROOT;
    let shown = |row: &usize| totals.passes[*row] && tree.node_of_row[*row] != NONE && has_stack(*row);
    let n_total = (0..totals.row.len()).filter(shown).count();
    let most = view.nodecount();
    let mut heaviest = None;
    if most > 0 && most < n_total {
        let mut rows: Vec<usize> = (0..totals.row.len()).filter(shown).collect();
        rows.sort_by_key(|&row| (net(totals.row.at(row)).saturating_abs().wrapping_neg(), row));
        rows.truncate(most);
        heaviest = Some(rows);
    }
    let mut stacks = SharedStacks::new(context);
    let mut labels = LabelTexts { context, texts: RowTexts::new(profile), known: HashMap::default() };
    let mut is_cut = false;
    let n_shown = heaviest.as_ref().map_or(n_total, Vec::len);
    cancel::charge(n_shown * size_of::<StoredTrace>());
    stacks.traces.reserve(n_shown);
    let split = view.weight.diff_base.is_some();
    let present = split.then(|| present(profile, view));
    // The base comes last, like in pprof.
    'sides: for side in 0..if split { 2 } else { 1 } {
        let rows: Box<dyn Iterator<Item = usize>> = match &heaviest {
            Some(rows) => Box::new(rows.iter().copied()),
            None => Box::new((0..totals.row.len()).filter(shown)),
        };
        for row in rows.filter(|&row| present.as_ref().is_none_or(|present| present[row][side])) {
            let by = totals.divisor.as_ref().map_or([0; 2], |divisor| divisor.row.at(row));
            let [value, base] = totals.row.at(row);
            let value = match (split, side) {
                (false, _) => quotient(net([value, base]), net(by)),
                (true, 0) => quotient(value, by[0]),
                (true, _) => quotient(base.saturating_neg(), by[1].saturating_neg()),
            };
            let labels = labels.of(profile.samples().labels[row], side == 1, &mut stacks.traces);
            let leaf = stacks.leaf(tree.node_of_row[row]);
            is_cut = stacks.are_too_many();
            if is_cut {
                break 'sides;
            }
            cancel::check();
            stacks.traces.add(StoredTrace { value, labels, leaf });
        }
    }
    report.trace = stacks.traces;
    report.header = context.header();
    report.header.n_shown = report.trace.len();
    if is_cut {
        let shown = report.trace.len();
        report.header.warnings.push(format!("only the first {shown} stacks are shown: the others have too many inlined frames"));
    }
    report.header.n_total = n_total;
    report.header.shown = totals.sum[0].saturating_sub(totals.sum[1]);
    report
}

/// Frames of all traces that any profile may have, and inlined ones for each that is not: a location with many
/// inlined frames costs a file some bytes for each stack through it, and a report all of the frames.
const FREE_FRAMES: u64 = 1 << 21;
const FRAMES_PER_CALL: u64 = 4;

/// No frame yet.
const UNKNOWN: u32 = u32::MAX;

/// Stacks of the traces so far.
struct SharedStacks<'a> {
    context: &'a ReportContext<'a>,
    traces: Traces,
    /// Key → index of its name.
    name_of_key: Vec<u32>,
    /// Node → its frame.
    frame_of_node: Vec<u32>,
    /// Frame of traces whose frames are all folded.
    folded: Option<u32>,
    /// Frames of all traces so far, and those that were not inlined.
    n_frames: u64,
    n_calls: u64,
}

impl<'a> SharedStacks<'a> {
    fn new(context: &'a ReportContext<'a>) -> Self {
        let tree = context.tree;
        let (name_of_key, frame_of_node) = (vec![UNKNOWN; tree.keys.len()], vec![UNKNOWN; tree.len()]);
        SharedStacks { context, traces: Traces::default(), name_of_key, frame_of_node, folded: None, n_frames: 0, n_calls: 0 }
    }

    /// The frame of a node; those of its callers are made, too. O(depth).
    fn leaf(&mut self, node: u32) -> u32 {
        let SharedStacks { context, traces, name_of_key, frame_of_node, folded, n_frames, n_calls } = self;
        let tree = context.tree;
        if node == 0 {
            // All frames are folded.
            return *folded.get_or_insert_with(|| {
                let name = traces.add_name("<folded>".into());
                traces.add_frame(name, false, None)
            });
        }
        let mut new = Vec::new();
        let mut at = node;
        while at != 0 {
            if frame_of_node[at as usize] == UNKNOWN {
                new.push(at);
            }
            *n_frames += 1;
            *n_calls += u64::from(!tree.inlined[at as usize]);
            at = tree.parent[at as usize];
        }
        for &node in new.iter().rev() {
            let key = tree.key[node as usize];
            let name = &mut name_of_key[key as usize];
            if *name == UNKNOWN {
                let text = tree.keys.name(key);
                cancel::charge(text.len() + size_of::<Arc<str>>());
                *name = traces.add_name(text.into());
            }
            cancel::charge(2 * size_of::<u32>());
            let caller = Some(tree.parent[node as usize]).filter(|&caller| caller != 0).map(|caller| frame_of_node[caller as usize]);
            frame_of_node[node as usize] = traces.add_frame(*name, tree.inlined[node as usize], caller);
        }
        frame_of_node[node as usize]
    }

    fn are_too_many(&self) -> bool {
        self.n_frames > FREE_FRAMES + FRAMES_PER_CALL * self.n_calls
    }
}

/// Keys with their values as text.
type Pairs = Vec<(String, String)>;

/// Labels of at most this many bytes are never cut off.
const SHORT_LABELS: usize = 1000;

/// Labels of traces, made once for each set.
struct LabelTexts<'a> {
    context: &'a ReportContext<'a>,
    texts: RowTexts<'a>,
    /// Set, and whether it belongs to the base → index and bytes of its labels.
    known: HashMap<(LabelSetId, bool), (u32, usize)>,
}

impl LabelTexts<'_> {
    /// Texts of a set, then its numbers, each sorted by key; those of the base are marked.
    fn of(&mut self, set: LabelSetId, is_base: bool, to: &mut Traces) -> u32 {
        // Long texts are cut off in later traces, as where each trace has its own.
        if let Some(&(labels, n_bytes)) = self.known.get(&(set, is_base))
            && (n_bytes <= SHORT_LABELS || self.texts.repeat(n_bytes))
        {
            return labels;
        }
        let [mut texts, numbers] = self.lists(set);
        if is_base {
            texts.push(("pprof::base".into(), "true".into()));
            sort(&mut texts);
        }
        let labels: Arc<[(String, String)]> = [texts, numbers].concat().into();
        let n_bytes = labels.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
        cancel::charge(n_bytes);
        let labels = to.add_labels(labels);
        self.known.insert((set, is_base), (labels, n_bytes));
        labels
    }

    fn lists(&mut self, set: LabelSetId) -> [Pairs; 2] {
        let ReportContext { profile, view, .. } = self.context;
        let mut lists: [Pairs; 2] = [Vec::new(), Vec::new()];
        // Key and list → place in the list.
        let mut known: HashMap<(StrId, usize), usize> = HashMap::default();
        for label in profile.labels().get(set) {
            let key = profile.text(label.key);
            if !view.cut.shows_label(key) {
                continue;
            }
            let (list, text) = match label.value {
                LabelValue::Text(text) => (0, self.texts.take(text)),
                LabelValue::Number(n, unit) => {
                    (1, units::label(n, crate::analyze::tree::label_units::unit_of(key, profile.text(unit)), "auto"))
                }
            };
            let next = lists[list].len();
            let at = *known.entry((label.key, list)).or_insert(next);
            match lists[list].get_mut(at) {
                Some((_, texts)) => {
                    texts.push(' ');
                    texts.push_str(&text);
                }
                None => lists[list].push((self.texts.take(label.key), text)),
            }
        }
        lists.iter_mut().for_each(|list| sort(list));
        lists
    }
}

/// As pprof prints them, keys to the right: short keys first.
fn sort(labels: &mut [(String, String)]) {
    if labels.len() > 1 {
        labels.sort_by_cached_key(|(key, value)| format!("{key:>10}:  {value}"));
    }
}
