//! Call tree with only some boxes open, for tables of it.
//!
//! An open box is followed by its children, largest first; small children are folded into one box with their number. Time is
//! proportional to the boxes returned, not to the tree.

use super::flame_walk::{Group, Rows, Totals, Walk, push};
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::sums::share;
use crate::base::pair::net;
use crate::query::{Opened, Opening};
use crate::report::{BoxId, FlameReport};

/// Maximum number of children sent with a box, unless all are requested.
const LARGE: usize = 200;
/// Maximum number of children of a box at all.
const ALL: usize = 1000;
/// Number of boxes sent after which no more are opened: about 500 kB.
const BOXES: usize = 4000;
/// Children below this share of their box are small, unless the view has another threshold.
const SMALL: f64 = 0.005;

/// Continuation of a path of heaviest boxes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    /// The path ends.
    Ended,
    /// As long as a box holds most of the one above.
    WhileHeavy,
    /// To the end.
    ToTheEnd,
}

enum Next {
    Box(Group, Path),
    Folded(u32, Totals),
}

/// Fills `report` with the visible boxes from `root` down, given those that are `opened`, and with the number of folded ones.
/// O(children of open boxes); from the leaves, O(nodes) for the first box.
pub(crate) fn branches(walk: &Walk, root: Group, opened: &Opened, rows: &mut Rows, report: &mut FlameReport) -> usize {
    let context = walk.context;
    let zoomed = !context.view.cut.zoom.is_empty();
    let fraction = context.view.cut.nodefraction.unwrap_or(SMALL);
    let mut folded_boxes = 0;
    let mut stack = vec![(0u32, Next::Box(root, if opened.auto { Path::WhileHeavy } else { Path::Ended }))];
    while let Some((depth, next)) = stack.pop() {
        let (group, path) = match next {
            Next::Box(group, path) => (group, path),
            Next::Folded(n, sum) => {
                folded_boxes += n as usize;
                push_box(context, report, -1, depth, &sum, false, BoxId::default());
                report.closed.push(0);
                report.folded.push(n);
                continue;
            }
        };
        let first = depth == 0;
        let unnamed = first && !zoomed;
        let row = if unnamed { -1 } else { rows.of(context, group.key) as i32 };
        let id = if unnamed { BoxId::default() } else { BoxId::new(group.id) };
        push_box(context, report, row, depth, &group.sum, group.inlined, id);
        let opening = if first { Some(opened.first.unwrap_or(Opening::Large)) } else { opened.of(group.id) };
        let path = if opening == Some(Opening::Hottest) { Path::ToTheEnd } else { path };
        let is_open = (opening.is_some() || path != Path::Ended) && report.node.len() < BOXES;
        report.closed.push(u8::from(!is_open && walk.has_children(&group)));
        report.folded.push(0);
        if is_open {
            let (children, rest) = kept(walk, &group, opening == Some(Opening::All), fraction);
            let heavy = |child: &Group| child.size.saturating_mul(2) >= group.size;
            if let Some(rest) = rest {
                stack.push((depth + 1, rest));
            }
            let below = children.into_iter().enumerate().map(|(i, child)| {
                let follows_path = i == 0 && (path != Path::WhileHeavy || first || heavy(&child));
                (depth + 1, Next::Box(child, if follows_path { path } else { Path::Ended }))
            });
            let before = stack.len();
            stack.extend(below);
            stack[before..].reverse();
        }
    }
    folded_boxes
}

/// The children that are sent, and the others as one.
fn kept(walk: &Walk, group: &Group, all: bool, fraction: f64) -> (Vec<Group>, Option<Next>) {
    let has_base = walk.context.totals.has_base;
    let cutoff = share(group.size, fraction).max(1);
    let mut children = walk.children(group);
    let change = |g: &Group| if has_base { net(g.sum.cum).saturating_abs() } else { 0 };
    let name = |g: &Group| walk.context.tree.keys.name(g.key);
    let is_small = |g: &Group| !all && g.size < cutoff;
    // With a base by difference; those that are small by what they hold come after all others.
    children.sort_by(|a, b| {
        let by_size = change(b).cmp(&change(a)).then(b.size.cmp(&a.size));
        is_small(a).cmp(&is_small(b)).then(by_size).then_with(|| name(a).cmp(name(b))).then(a.id.cmp(&b.id))
    });
    let large = children.iter().take_while(|g| !is_small(g)).count();
    let keep = large.min(if all { ALL } else { LARGE });
    // Folding a single child would save no row.
    let keep = if keep + 1 == children.len() { keep + 1 } else { keep };
    let rest = children.split_off(keep);
    let mut folded = Totals::default();
    rest.iter().for_each(|group| folded.fold(&group.sum));
    let n = u32::try_from(rest.len()).unwrap_or(u32::MAX);
    (children, (n > 0).then_some(Next::Folded(n, folded)))
}

/// Adds a box, with its value in the companion type if requested.
fn push_box(context: &ReportContext, report: &mut FlameReport, row: i32, depth: u32, sum: &Totals, inlined: bool, id: BoxId) {
    push(context, report, row, depth, sum, inlined, id);
    if context.totals.companion.is_some() {
        report.cum_companion.push(sum.companion);
    }
}
