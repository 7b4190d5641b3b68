//! Walk through the boxes of a flame graph, from the root or from the leaves.
//!
//! Both directions are one walk: a box is a group of (cursor, weight) pairs. From the root a group is one node with its children;
//! from the leaves it is every occurrence of one function, and its children are found by moving all cursors to their callers.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::gross_changes::Change;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::analyze::tree::sums::share;
use crate::base::hash::HashMap;
use crate::base::pair::plus;
use crate::report::{BoxId, FlameReport, Row};

/// A box that is to be drawn.
pub(crate) struct Group {
    pub(crate) key: u32,
    pub(crate) inlined: bool,
    pub(crate) id: u64,
    pub(crate) sum: Totals,
    /// Totals of what its rows hold, signs left out: values that cancel out still have a place.
    pub(crate) size: i64,
    pub(crate) members: Vec<Member>,
}

/// Totals of a box.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    pub(crate) cum: [i64; 2],
    pub(crate) flat: [i64; 2],
    /// Value in the companion type; 0 unless requested.
    pub(crate) companion: i64,
    /// Sampling error of cum; zero unless requested.
    pub(crate) spread: SamplingError,
    /// Growth and shrinkage of cum; zero unless requested.
    pub(crate) gross: Change,
}

impl Totals {
    /// Adds a box that is folded away.
    pub(crate) fn fold(&mut self, other: &Totals) {
        self.cum = plus(self.cum, other.cum);
        self.flat = self.cum;
        self.companion = self.companion.saturating_add(other.companion);
        self.spread.add(other.spread);
        self.gross = plus(self.gross, other.gross);
    }
}

/// Position of a group: the node itself from the root, the next caller from the leaves.
#[derive(Clone, Copy)]
pub(crate) struct Member {
    node: u32,
    /// The node that it began at.
    origin: u32,
    weight: [i64; 2],
    size: i64,
}

/// The boxes above a box, the root first: key (the root has none) and id.
pub(crate) type Path = Vec<(Option<u32>, u64)>;

/// Adds a box. `row`: number of its row, −1 for none.
pub(crate) fn push(context: &ReportContext, report: &mut FlameReport, row: i32, depth: u32, sum: &Totals, inlined: bool, id: BoxId) {
    report.node.push(row);
    report.depth.push(depth);
    report.cum.push(sum.cum[0]);
    report.flat.push(sum.flat[0]);
    if context.totals.has_base {
        report.cum_base.push(sum.cum[1]);
        report.flat_base.push(sum.flat[1]);
    }
    if context.noise().is_some() {
        let spread = sum.spread.to_report();
        report.cum_samples.push(spread.samples + spread.samples_base);
        report.cum_error.push(spread.error);
        report.cum_change_error.push(spread.change_error);
    }
    if context.gross().is_some() {
        report.cum_grown.push(sum.gross[0]);
        report.cum_shrunk.push(sum.gross[1]);
    }
    report.inlined.push(u8::from(inlined));
    report.id.push(id);
}

/// Rows that boxes share.
pub(crate) struct Rows {
    pub(crate) number: HashMap<u32, usize>,
    pub(crate) rows: Vec<Row>,
}

impl Rows {
    pub(crate) fn of(&mut self, context: &ReportContext, key: u32) -> usize {
        *self.number.entry(key).or_insert_with(|| {
            self.rows.push(context.row(key));
            self.rows.len() - 1
        })
    }
}

/// Key → hash of its label: ids must outlive the process, so they depend on names only.
pub(crate) fn name_hashes(context: &ReportContext) -> Vec<u64> {
    context.tree.keys.iter().map(|r| r.name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| mix(h, u64::from(b)))).collect()
}

/// One step of FNV-1a.
pub(crate) fn mix(hash: u64, with: u64) -> u64 {
    (hash ^ with).wrapping_mul(0x0100_0000_01b3)
}

pub(crate) struct Walk<'a> {
    pub(crate) context: &'a ReportContext<'a>,
    pub(crate) names: Vec<u64>,
    /// Node → sum of what its rows hold, signs left out; empty when it is the sum itself.
    pub(crate) sizes: Vec<i64>,
    /// From the leaves: node → sampling error of what ends there; empty unless requested.
    pub(crate) ends: Vec<SamplingError>,
    pub(crate) inverted: bool,
}

/// A pair without signs.
pub(crate) fn magnitude(value: [i64; 2]) -> i64 {
    value[0].saturating_abs().saturating_add(value[1].saturating_abs())
}

/// Node → sum of what its rows hold without signs, if any row has a negative number.
pub(crate) fn sizes(context: &ReportContext) -> Vec<i64> {
    let ReportContext { tree, totals, .. } = context;
    if totals.row.iter().all(|[value, base]| value >= 0 && base >= 0) {
        return Vec::new();
    }
    let mut sizes = vec![0i64; tree.len()];
    for (node, value) in totals.rows(tree) {
        sizes[node] = sizes[node].saturating_add(magnitude(value));
    }
    for node in (1..tree.len()).rev() {
        let parent = tree.parent[node] as usize;
        sizes[parent] = sizes[parent].saturating_add(sizes[node]);
    }
    sizes
}

impl Walk<'_> {
    /// The smallest box to draw: by its share, or the one that fills the number of boxes that may be drawn.
    pub(crate) fn cutoff(&self, root: &Group) -> i64 {
        let cut = &self.context.view.cut;
        let cutoff = share(root.size, self.context.view.nodefraction()).max(1);
        if cut.boxes == 0 {
            return cutoff;
        }
        // No box is larger than the one around it: what is at least as large as the last one fits in whole.
        let mut sizes = Vec::new();
        let mut stack = self.children(root);
        while let Some(group) = stack.pop() {
            if group.size >= cutoff {
                sizes.push(group.size);
                stack.extend(self.children(&group));
            }
        }
        let Some(last) = cut.boxes.checked_sub(1).filter(|&last| last < sizes.len()) else { return cutoff };
        let (_, &mut smallest, _) = sizes.select_nth_unstable_by(last, |a, b| b.cmp(a));
        // Equals of the last one come too, unless they are a crowd.
        match sizes.iter().filter(|&&size| size >= smallest).count() > 2 * cut.boxes {
            true => smallest.saturating_add(1),
            false => smallest,
        }
    }

    /// Sum of a node's subtree, without signs.
    pub(crate) fn size(&self, node: usize) -> i64 {
        self.sizes.get(node).copied().unwrap_or_else(|| magnitude(self.context.totals.cum[node]))
    }

    /// Totals of a node with its subtree.
    pub(crate) fn sum(&self, node: usize) -> Totals {
        let ReportContext { tree, totals, .. } = self.context;
        Totals {
            cum: totals.cum[node],
            flat: totals.own(tree)[node],
            companion: totals.companion.as_ref().map_or(0, |companion| companion.cum[node][0]),
            spread: self.context.noise().map_or(SamplingError::default(), |noise| noise.cum[node]),
            gross: self.context.gross().map_or([0; 2], |gross| gross.cum[node]),
        }
    }

    /// Returns whether there are boxes below, without looking at more of them than the first.
    pub(crate) fn has_children(&self, group: &Group) -> bool {
        let ReportContext { tree, totals, .. } = self.context;
        match (self.inverted, group.members.first()) {
            (_, None) => false,
            (true, Some(_)) => true,
            (false, Some(member)) => {
                let (mut child, end) = (member.node + 1, tree.end[member.node as usize]);
                while child < end && !totals.live[child as usize] {
                    child = tree.end[child as usize];
                }
                child < end
            }
        }
    }

    /// Everything.
    pub(crate) fn root(&self) -> Group {
        let totals = self.context.totals;
        let members = match self.inverted {
            false => vec![Member { node: 0, origin: 0, weight: totals.cum[0], size: 0 }],
            true => {
                let ends = totals.own(self.context.tree).iter().enumerate().skip(1).filter(|(_, own)| **own != [0; 2]);
                ends.map(|(node, &weight)| Member { node: node as u32, origin: node as u32, weight, size: self.ending(node, weight) })
                    .collect()
            }
        };
        Group {
            key: 0,
            inlined: false,
            id: mix(0xcbf2_9ce4_8422_2325, u64::from(self.inverted)),
            sum: self.sum(0),
            size: self.size(0),
            members,
        }
    }

    /// Values of the stacks that end in a node, without signs.
    pub(crate) fn ending(&self, node: usize, own: [i64; 2]) -> i64 {
        if self.sizes.is_empty() {
            return magnitude(own);
        }
        let (tree, mut rest, mut child) = (self.context.tree, self.sizes[node], node + 1);
        while child < tree.end[node] as usize {
            rest = rest.saturating_sub(self.sizes[child]);
            child = tree.end[child] as usize;
        }
        rest
    }

    pub(crate) fn children(&self, group: &Group) -> Vec<Group> {
        if self.inverted { self.callers(group) } else { self.callees(group) }
    }

    pub(crate) fn id(&self, parent: u64, key: u32, inlined: bool) -> u64 {
        mix(mix(parent, self.names[key as usize]), u64::from(inlined) + 1)
    }

    pub(crate) fn callees(&self, group: &Group) -> Vec<Group> {
        let (tree, totals) = (self.context.tree, self.context.totals);
        let Some(&Member { node, .. }) = group.members.first() else { return Vec::new() };
        let mut children = Vec::new();
        let mut child = node + 1;
        while child < tree.end[node as usize] {
            let i = child as usize;
            if totals.live[i] {
                let (key, inlined) = (tree.key[i], tree.inlined[i]);
                let members = vec![Member { node: child, origin: child, weight: totals.cum[i], size: 0 }];
                let id = self.id(group.id, key, inlined);
                children.push(Group { key, inlined, id, sum: self.sum(i), size: self.size(i), members });
            }
            child = tree.end[i];
        }
        children
    }

    pub(crate) fn callers(&self, group: &Group) -> Vec<Group> {
        let ReportContext { tree, totals, .. } = self.context;
        let own = totals.companion.as_ref().map(|companion| companion.own(tree));
        let gross = self.context.gross();
        let mut places: Vec<(u32, Member)> = group.members.iter().map(|m| (tree.key[m.node as usize], *m)).collect();
        places.sort_unstable_by_key(|(key, m)| (*key, m.node));
        let one = |places: &[(u32, Member)]| {
            let key = places[0].0;
            let mut caller_group =
                Group { key, inlined: true, id: self.id(group.id, key, false), sum: Totals::default(), size: 0, members: Vec::new() };
            for (_, member) in places {
                let origin = member.origin as usize;
                caller_group.sum.cum = plus(caller_group.sum.cum, member.weight);
                caller_group.size = caller_group.size.saturating_add(member.size);
                caller_group.sum.companion = caller_group.sum.companion.saturating_add(own.map_or(0, |own| own[origin][0]));
                caller_group.sum.spread.add(self.ends.get(origin).copied().unwrap_or_default());
                caller_group.sum.gross = plus(caller_group.sum.gross, gross.map_or([0; 2], |gross| gross.own[origin]));
                caller_group.inlined &= tree.inlined[member.node as usize];
                match tree.parent[member.node as usize] {
                    0 => caller_group.sum.flat = plus(caller_group.sum.flat, member.weight),
                    caller => caller_group.members.push(Member { node: caller, ..*member }),
                }
            }
            caller_group
        };
        places.chunk_by(|a, b| a.0 == b.0).map(one).collect()
    }

    /// The box with this id and the way to it, the root first.
    pub(crate) fn find(&self, root: Group, wanted: u64) -> Option<(Group, Path)> {
        // Depth first; a path is remembered as (depth, key, id).
        let mut path = Path::new();
        let mut stack = vec![(0usize, root)];
        while let Some((depth, group)) = stack.pop() {
            path.truncate(depth);
            if group.id == wanted && depth > 0 {
                return Some((group, path));
            }
            path.push(((depth > 0).then_some(group.key), group.id));
            stack.extend(self.children(&group).into_iter().map(|child| (depth + 1, child)));
        }
        None
    }
}
