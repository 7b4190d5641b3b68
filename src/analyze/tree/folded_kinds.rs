//! Functions folded by `hide_kind`: their number by kind, and the memory of stacks that consist of nothing else.

use crate::analyze::tree::call_tree::CallTree;
use crate::attribution::Attribution;
use crate::base::hash::HashSet;
use crate::base::id::{Id, StackId, StrId};
use crate::base::kind::PackageKind;
use crate::base::pair::Pairs;
use crate::profile::{Profile, Strings};
use crate::report::FoldedKind;

/// Functions folded on the stacks of a view.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// [`PackageKind`] → functions, counted by name; those without a name by module.
    n_functions: [usize; PackageKind::ALL.len()],
    /// Sum of the values of rows with frames of folded kinds only, labels aside.
    pub(crate) whole: i64,
}

impl Folded {
    /// Counts the functions on the stacks of rows that are not zero. `rows`: row → `[value, base]`. O(nodes + rows).
    pub(crate) fn new(profile: &Profile, packages: &Attribution, tree: &CallTree, rows: &Pairs) -> Self {
        let mut folded = Folded::default();
        if tree.folded.is_empty() {
            return folded;
        }
        let stacks = profile.stacks();
        // Node → a frame that is not folded is on the way to it.
        let mut is_seen = vec![false; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let frame = stacks.frame[node];
            is_seen[node.index()] =
                is_seen[stacks.parent[node].index()] || !tree.folded[frame.index()] && !packages.is_label(profile, frame);
        }
        let mut is_used = vec![false; stacks.len()];
        for (stack, row) in profile.samples().stack.iter().zip(rows.iter()).filter(|(_, row)| *row != [0; 2]) {
            is_used[stack.index()] = true;
            if !is_seen[stack.index()] {
                folded.whole = folded.whole.saturating_add(row[0]);
            }
        }
        let mut functions: HashSet<(PackageKind, StrId, StrId)> = HashSet::default();
        // Callees have larger numbers than their callers.
        for node in (1..stacks.len()).rev() {
            if is_used[node] {
                is_used[stacks.parent[StackId::new(node)].index()] = true;
            }
        }
        for node in (1..stacks.len()).filter(|&node| is_used[node]).map(StackId::new) {
            let frame = stacks.frame[node];
            if tree.folded[frame.index()] {
                let name = profile.function_of(frame).map_or(Strings::EMPTY, |(_, function)| function.name);
                let object = || profile.mapping_of(profile.code().frames[frame].location).map_or(Strings::EMPTY, |(_, m)| m.file);
                let object = if name == Strings::EMPTY { object() } else { Strings::EMPTY };
                let kind = packages.of(profile, frame, false).kind;
                if functions.insert((kind, name, object)) {
                    folded.n_functions[kind as usize] += 1;
                }
            }
        }
        folded
    }

    /// Kinds with functions, in the order of [`PackageKind::ALL`].
    pub(crate) fn functions(&self) -> Vec<FoldedKind> {
        let all = PackageKind::ALL.into_iter().map(|kind| FoldedKind { kind, n_functions: self.n_functions[kind as usize] });
        all.filter(|of_kind| of_kind.n_functions > 0).collect()
    }
}
