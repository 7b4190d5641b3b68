//! Limit on inlined frames.
//!
//! A location's frames are in every stack through it: a few kilobytes of debug information could expand to a tree of gigabytes.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::dwarf::Frame;
use crate::base::id::{Id, LocationId};
use crate::demangle::Demangler;
use crate::profile::{NamedLine, Profile};

/// Inlined frames in the tree of stacks that any profile may get, and further ones for each call in it. Programs have
/// three for a call.
const FREE_FRAMES: usize = 1 << 20;
const FRAMES_PER_CALL: usize = 6;

/// Remaining number of inlined frames of a profile.
pub(super) struct InlineBudget {
    /// Location → nodes of the tree that are calls of it, at least 1.
    n_nodes: Vec<u32>,
    left: AtomicUsize,
    /// Number of locations with omitted frames.
    n_cut: AtomicUsize,
}

impl InlineBudget {
    /// O(stacks).
    pub(super) fn new(profile: &Profile) -> Self {
        let code = profile.code();
        let mut n_nodes = vec![0u32; code.locations.len()];
        for frame in profile.stacks().frame.iter().skip(1).map(|&frame| &code.frames[frame]).filter(|frame| !frame.inlined) {
            n_nodes[frame.location.index()] += 1;
        }
        let calls: usize = n_nodes.iter().map(|&n| n as usize).sum();
        n_nodes.iter_mut().for_each(|n| *n = (*n).max(1));
        Self::with_frames(n_nodes, FREE_FRAMES + FRAMES_PER_CALL * calls)
    }

    fn with_frames(n_nodes: Vec<u32>, left: usize) -> Self {
        InlineBudget { n_nodes, left: AtomicUsize::new(left), n_cut: AtomicUsize::new(0) }
    }

    /// Frames of a location, innermost first, within the budget: the outermost and the innermost ones.
    pub(super) fn fitting<'a>(&self, location: LocationId, chain: &'a [Frame]) -> Cow<'a, [Frame]> {
        let [inlined @ .., outermost] = chain else { return Cow::Borrowed(chain) };
        let n_nodes = self.n_nodes.get(location.index()).map_or(1, |&n| n as usize);
        let mut n_kept = 0;
        let take = |left: usize| {
            n_kept = (left / n_nodes).min(inlined.len());
            Some(left - n_kept * n_nodes)
        };
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if n_kept == inlined.len() {
            return Cow::Borrowed(chain);
        }
        self.n_cut.fetch_add(1, Ordering::Relaxed);
        Cow::Owned(inlined[..n_kept].iter().chain([outermost]).cloned().collect())
    }

    /// A warning, if frames were left out.
    pub(super) fn warning(&self) -> Option<String> {
        let n = self.n_cut.load(Ordering::Relaxed);
        (n > 0).then(|| format!("inlined functions of {n} addresses are left out: all of them would take too much memory"))
    }
}

/// Frames with display names.
pub(super) fn lines(chain: &[Frame], demangler: &mut Demangler) -> Vec<NamedLine> {
    let line = |frame: &Frame| NamedLine {
        name: demangler.name(&frame.name),
        short_name: frame.short.clone(),
        system_name: frame.name.clone(),
        filename: frame.file.clone(),
        start_line: small(frame.start_line),
        line: small(frame.line),
        column: small(frame.column),
    };
    chain.iter().map(line).collect()
}

/// Lines are 32 bits wide in other readers.
fn small(number: u64) -> i64 {
    i64::from(u32::try_from(number).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inlined_frames_are_kept_as_long_as_there_is_room() {
        let budget = InlineBudget::with_frames(vec![1, 10], 35);
        let chain: Vec<Frame> = (0..5).map(|line| Frame { line, ..Frame::default() }).collect();
        let lines = |location| budget.fitting(LocationId::new(location), &chain).iter().map(|frame| frame.line).collect::<Vec<_>>();
        assert_eq!(lines(0), [0, 1, 2, 3, 4]);
        assert_eq!(budget.warning(), None);
        assert_eq!(lines(1), [0, 1, 2, 4], "31 are left, 10 for each");
        assert_eq!(lines(0), [0, 4]);
        assert_eq!(lines(0), [4]);
        assert_eq!(budget.fitting(LocationId::new(1), &chain[..1]).len(), 1);
        assert_eq!(budget.fitting(LocationId::new(1), &[]).len(), 0);
        assert!(budget.warning().unwrap().contains("of 3 addresses"));
    }
}
