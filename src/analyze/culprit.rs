//! Who is to blame for a stack: its innermost frame of own code, else the innermost one of a third party, else
//! of code that nobody knows, else of plumbing, else its leaf. What an allocator calls is the allocator's affair:
//! a program that counts its own allocations is not to blame for all of them. An allocation wrapper is to blame only
//! where nothing of its kind called it.

use super::packages::Packages;
use crate::id::{Id, StackId};
use crate::kind::PackageKind;
use crate::profile::{Profile, Stacks};

/// `StackId` → the node of its culprit's frame, on the way from the root to it; the root's is itself. O(nodes).
pub(super) fn culprits(profile: &Profile, packages: &Packages) -> Vec<StackId> {
    /// What is known at a node of the frames up to it.
    #[derive(Clone, Copy)]
    struct Found {
        node: StackId,
        rank: u8,
        /// An allocator was met: it and what it calls do not count.
        is_closed: bool,
    }
    let stacks = profile.stacks();
    let mut found = vec![Found { node: Stacks::ROOT, rank: 0, is_closed: false }; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let mut now = found[stacks.parent[node].index()];
        if !now.is_closed && !packages.is_label(profile, stacks.frame[node]) {
            let package = packages.of(profile, stacks.frame[node], false);
            let rank = rank(package.wrapper_of.unwrap_or(package.kind));
            now.is_closed = package.is_allocator();
            let is_better = if package.wrapper_of.is_some() { rank > now.rank } else { rank >= now.rank && !now.is_closed };
            if now.node == Stacks::ROOT || is_better {
                (now.node, now.rank) = (node, rank);
            }
        }
        found[node.index()] = now;
    }
    found.into_iter().map(|found| found.node).collect()
}

/// Who is rather to blame: the higher one.
fn rank(kind: PackageKind) -> u8 {
    match kind {
        PackageKind::Own => 4,
        PackageKind::ThirdParty => 3,
        PackageKind::Unknown => 2,
        PackageKind::Plumbing => 1,
        PackageKind::Runtime | PackageKind::Allocator => 0,
    }
}
