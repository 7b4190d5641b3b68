//! Culprits of stacks: the innermost frame of own code, else the innermost one of third-party code, else of unknown
//! code, else of plumbing, else the leaf. Callees of an allocator are internal to it: a program that counts its own
//! allocations is not charged with all of them. An allocation wrapper is charged only if no code of its kind called it.
//! A library without names is charged itself instead of own code that called it: the memory may belong to the library's
//! functions.

use super::classify::Package;
use super::owners::Owners;
use crate::base::id::{FrameId, Id, StackId};
use crate::base::kind::PackageKind;
use crate::profile::{Profile, Stacks};

/// `StackId` → the node of its culprit's frame, on the way from the root to it; the root's is itself. O(nodes).
pub(crate) fn culprits(profile: &Profile, owners: &Owners) -> Vec<StackId> {
    /// State at a node, from the frames up to it.
    #[derive(Clone, Copy)]
    struct Candidate {
        node: StackId,
        rank: u8,
        /// Whether it has no name and is in a file.
        is_nameless: bool,
        /// Whether an allocator was found: it and its callees do not count.
        is_closed: bool,
    }
    let stacks = profile.stacks();
    let mut found = vec![Candidate { node: Stacks::ROOT, rank: 0, is_nameless: false, is_closed: false }; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let mut now = found[stacks.parent[node].index()];
        if !now.is_closed && !owners.is_label(profile, stacks.frame[node]) {
            let package = owners.of(profile, stacks.frame[node], false);
            let is_nameless = is_in_nameless_file(profile, package, stacks.frame[node]);
            // Own code in another file is not to blame for it.
            let is_charged = is_nameless && now.rank == OWN && (now.is_nameless || !is_same_file(profile, stacks, now.node, node));
            let rank = if is_charged { OWN } else { rank(package.wrapper_of.unwrap_or(package.kind)) };
            now.is_closed = package.is_allocator();
            let is_better = if package.wrapper_of.is_some() { rank > now.rank } else { rank >= now.rank && !now.is_closed };
            if now.node == Stacks::ROOT || is_better {
                (now.node, now.rank, now.is_nameless) = (node, rank, is_nameless);
            }
        }
        found[node.index()] = now;
    }
    found.into_iter().map(|found| found.node).collect()
}

/// Whether a frame has no function name and is in a file of an unknown package: not the system's, not anonymous memory.
fn is_in_nameless_file(profile: &Profile, package: &Package, frame: FrameId) -> bool {
    let is_file = !package.name.is_empty() && !package.name.starts_with('[');
    package.kind == PackageKind::Unknown && is_file && profile.function_of(frame).is_none()
}

/// Whether the frames of two nodes are in the same mapped file; the root is in none.
fn is_same_file(profile: &Profile, stacks: &Stacks, a: StackId, b: StackId) -> bool {
    let file = |node: StackId| {
        let frame = (node != Stacks::ROOT).then(|| stacks.frame[node])?;
        profile.mapping_of(profile.code().frames[frame].location).map(|(_, mapping)| mapping.file)
    };
    file(a) == file(b)
}

/// The rank of own code.
const OWN: u8 = 4;

/// Rank of a kind of code: the highest one is charged.
fn rank(kind: PackageKind) -> u8 {
    match kind {
        PackageKind::Own => OWN,
        PackageKind::ThirdParty => 3,
        PackageKind::Unknown => 2,
        PackageKind::Plumbing => 1,
        PackageKind::Runtime | PackageKind::Allocator => 0,
    }
}
