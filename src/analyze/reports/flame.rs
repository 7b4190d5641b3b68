//! Call tree above the cutoff, from the root or from the leaves.
//!
//! Both directions are one walk: a box is a group of (cursor, weight) pairs. From the
//! root a group is one node and its children are the node's; from the leaves it is
//! every place of one function, and its children are found by moving all cursors to
//! their callers.

use super::branches::branches;
use super::flame_walk::{Group, Path, Rows, Totals, Walk, name_hashes, push, sizes};
use crate::analyze::reports::context::ReportContext;
use crate::base::hash::HashMap;
use crate::query::QueryError;
use crate::report::{BoxId, FlameReport, Header};

/// Boxes above the cut. O(boxes × their children), from the leaves O(nodes × depth above the cut).
pub(crate) fn flame(context: &ReportContext) -> Result<FlameReport, QueryError> {
    let view = context.view;
    let inverted = view.cut.inverted;
    let ends = context.noise().filter(|_| inverted).map(|noise| noise.own(context.tree));
    let walk = Walk { context, names: name_hashes(context), sizes: sizes(context), ends: ends.unwrap_or_default(), inverted };
    let mut header = context.header();
    let mut report = FlameReport { inverted: view.cut.inverted, ..FlameReport::default() };
    let mut rows = Rows { number: HashMap::default(), rows: Vec::new() };

    let mut root = walk.root();
    let mut above = Path::new();
    if !view.cut.zoom.is_empty() {
        let missing = || QueryError::NoBox { id: view.cut.zoom.clone() };
        let wanted = u64::from_str_radix(&view.cut.zoom, 16).map_err(|_| missing())?;
        (root, above) = walk.find(root, wanted).ok_or_else(missing)?;
    }
    report.above = above.iter().filter_map(|(key, _)| key.map(|k| rows.of(context, k))).collect();
    report.above_id = above.iter().filter(|(key, _)| key.is_some()).map(|(_, id)| BoxId::new(*id).to_string()).collect();

    if let Some(opened) = &view.cut.open {
        let folded = branches(&walk, root, opened, &mut rows, &mut report);
        // Boxes can be opened, so nothing is omitted.
        let mut report = finished(report, rows, header, folded);
        report.header.dropped_nodes = 0;
        return Ok(report);
    }
    let cutoff = walk.cutoff(&root);
    let zoomed = !view.cut.zoom.is_empty();
    let mut stack = vec![(0u32, Some(root), Totals::default())];
    let mut folded_nodes = 0;
    while let Some((depth, group, folded)) = stack.pop() {
        let Some(group) = group else {
            push(context, &mut report, -1, depth, &folded, false, BoxId::default());
            continue;
        };
        let first = depth == 0 && !zoomed;
        let row = if first { -1 } else { rows.of(context, group.key) as i32 };
        let id = if first { BoxId::default() } else { BoxId::new(group.id) };
        push(context, &mut report, row, depth, &group.sum, group.inlined, id);
        let mut children = walk.children(&group);
        let mut rest = Totals::default();
        children.retain(|child| {
            let keep = child.size >= cutoff;
            if !keep {
                rest.fold(&child.sum);
                folded_nodes += 1;
            }
            keep
        });
        let name = |g: &Group| context.tree.keys.name(g.key);
        children.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| name(a).cmp(name(b))).then(a.id.cmp(&b.id)));
        if rest.cum != [0; 2] {
            stack.push((depth + 1, None, rest));
        }
        stack.extend(children.into_iter().rev().map(|child| (depth + 1, Some(child), Totals::default())));
    }
    header.node_cutoff = cutoff;
    Ok(finished(report, rows, header, folded_nodes))
}

fn finished(mut report: FlameReport, rows: Rows, mut header: Header, folded_nodes: usize) -> FlameReport {
    header.n_shown = report.node.len();
    header.n_total = report.node.len() + folded_nodes;
    header.dropped_nodes = folded_nodes;
    header.shown = report.cum.first().copied().unwrap_or(0).saturating_sub(report.cum_base.first().copied().unwrap_or(0));
    report.row = rows.rows;
    report.header = header;
    report
}
