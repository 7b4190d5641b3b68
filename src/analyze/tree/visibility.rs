//! Visible frames of a view: `hide`, `show`, `hide_kind`, `show_from`, `prune_from` and `noinlines`.

use super::matcher::Matcher;
use crate::attribution::Attribution;
use crate::base::id::{FrameId, Id, StackId};
use crate::profile::{Profile, simple_name};
use crate::query::{Pattern, ShapeSpec};

/// Visible frames, and where stacks may begin and end.
pub(crate) struct Visibility {
    /// `FrameId` → left out.
    pub(crate) hidden: Vec<bool>,
    /// `FrameId` → inlined into a frame of its location that is seen.
    pub(crate) inlined: Vec<bool>,
    /// `LocationId` → stacks begin here; `None`: they begin at the root.
    pub(crate) begins: Option<Vec<bool>>,
    /// `LocationId` → stacks end at the one of these nearest to the leaf; `None`: they end there.
    pub(crate) ends: Option<Vec<bool>>,
    /// Some filter is set: samples without a stack go.
    pub(crate) filters: bool,
    /// `FrameId` → left out by expressions: stacks of nothing else are dropped; `None`: those of hidden frames are.
    unwanted: Option<Vec<bool>>,
    /// `FrameId` → left out because of its kind; empty: none is.
    pub(crate) folded: Vec<bool>,
    /// `StackId` → a culprit that is folded, and shown because nothing else of its stacks would be; empty: there is none.
    kept: Vec<bool>,
    /// Messages about expressions that matched nothing.
    pub(crate) warnings: Vec<String>,
}

impl Visibility {
    /// Applies the filters of `spec`, in pprof's order. O(frames).
    pub(crate) fn new(profile: &Profile, packages: &Attribution, spec: &ShapeSpec) -> Self {
        let code = profile.code();
        let mut hidden = vec![false; code.frames.len()];
        let mut warnings = Vec::new();
        let mut unmatched = |name: &str, matched: bool| {
            if !matched {
                warnings.push(format!("{name} expression matched no samples"));
            }
        };
        if let Some(pattern) = &spec.hide {
            unmatched("Hide", hide(profile, pattern, true, &mut hidden));
        }
        if let Some(pattern) = &spec.show {
            unmatched("Show", hide(profile, pattern, false, &mut hidden));
        }
        let begins = spec.show_from.as_ref().map(|pattern| begins(profile, pattern, &mut hidden));
        if let Some(begins) = &begins {
            unmatched("ShowFrom", begins.iter().any(|&b| b));
        }
        let ends = spec.prune_from.as_ref().map(|pattern| ends(profile, pattern, &mut hidden));
        // Kinds fold, they do not drop: expressions see what is beneath, and no total changes.
        let folds = !spec.hide_kind.is_empty() || spec.culprit;
        let unwanted = folds.then(|| hidden.clone());
        let mut folded = Vec::new();
        if !spec.hide_kind.is_empty() {
            let is_folded = |frame: FrameId| !hidden[frame.index()] && spec.hide_kind.has(packages.of(profile, frame, false).kind);
            folded = code.frames.ids().map(is_folded).collect();
            hidden.iter_mut().zip(&folded).for_each(|(hidden, folded)| *hidden |= folded);
        }
        if spec.noinlines {
            for location in code.locations.iter() {
                let seen = location.frames().rev().find(|f| !hidden[f.index()]);
                for frame in location.frames().filter(|f| Some(*f) != seen) {
                    hidden[frame.index()] = true;
                }
            }
        }
        let mut inlined = vec![false; code.frames.len()];
        for location in code.locations.iter() {
            for frame in location.frames().rev().filter(|f| !hidden[f.index()]).skip(1) {
                inlined[frame.index()] = true;
            }
        }
        let filters = spec.hide.is_some() || spec.show.is_some() || spec.show_from.is_some();
        Visibility { hidden, inlined, begins, ends, filters, unwanted, folded, kept: Vec::new(), warnings }
    }

    /// Returns whether the node `id` is a culprit that is folded and shown all the same.
    pub(crate) fn keeps(&self, id: StackId) -> bool {
        self.kept.get(id.index()).is_some_and(|kept| *kept)
    }

    /// Shows folded culprits where nothing else of their stacks would be visible (label frames aside), so that the memory keeps
    /// an owner. O(nodes).
    pub(crate) fn keep_last_culprits(&mut self, profile: &Profile, packages: &Attribution) {
        if self.folded.is_empty() {
            return;
        }
        let (stacks, frames) = (profile.stacks(), &profile.code().frames);
        let culprits = packages.culprits(profile);
        let mut is_culprit = vec![false; stacks.len()];
        profile.samples().stack.iter().for_each(|stack| is_culprit[culprits[stack.index()].index()] = true);
        let mut started = vec![self.begins.is_none(); stacks.len()];
        let mut seen = vec![false; stacks.len()];
        self.kept = vec![false; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let (i, caller, frame) = (node.index(), stacks.parent[node].index(), stacks.frame[node]);
            started[i] = started[caller] || self.begins.as_ref().is_none_or(|begins| begins[frames[frame].location.index()]);
            let is_seen = || started[i] && !self.hidden[frame.index()] && !packages.is_label(profile, frame);
            seen[i] = seen[caller] || is_seen();
            self.kept[i] = is_culprit[i] && started[i] && !seen[i] && self.folded[frame.index()];
        }
    }

    /// `StackId` → expressions leave something of it; `None`: as much as is seen. O(nodes).
    pub(crate) fn wanted(&self, profile: &Profile) -> Option<Vec<bool>> {
        let unwanted = self.unwanted.as_ref()?;
        let (stacks, frames) = (profile.stacks(), &profile.code().frames);
        let mut started = vec![self.begins.is_none(); stacks.len()];
        let mut wanted = vec![false; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let (caller, frame) = (stacks.parent[node].index(), stacks.frame[node]);
            let begins = || self.begins.as_ref().is_none_or(|begins| begins[frames[frame].location.index()]);
            started[node.index()] = started[caller] || begins();
            wanted[node.index()] = wanted[caller] || started[node.index()] && !unwanted[frame.index()];
        }
        Some(wanted)
    }
}

/// Hides the frames that match, or those that do not; whether any that was seen matched.
fn hide(profile: &Profile, pattern: &Pattern, matching: bool, hidden: &mut [bool]) -> bool {
    let matcher = Matcher::new(profile, pattern);
    let mut any = false;
    for (id, location) in profile.code().locations.enumerate() {
        let whole = matcher.mapping(profile, id);
        for frame in location.frames() {
            let hit = whole || matcher.frame(profile, frame);
            any |= hit && !hidden[frame.index()];
            hidden[frame.index()] |= hit == matching;
        }
    }
    any
}

/// `LocationId` → stacks begin here: it, or something seen in it, matches. The frames that the
/// match was inlined into are hidden.
fn begins(profile: &Profile, pattern: &Pattern, hidden: &mut [bool]) -> Vec<bool> {
    let code = profile.code();
    let matcher = Matcher::new(profile, pattern);
    let mut begins = vec![false; code.locations.len()];
    for (id, location) in code.locations.enumerate() {
        let seen = |f: &FrameId| !hidden[f.index()];
        let last = location.frames().rev().filter(seen).find(|&f| matcher.frame(profile, f));
        if matcher.mapping(profile, id) {
            // A location without visible frames is hidden.
            begins[id.index()] = location.frames().any(|f| seen(&f));
        } else if let Some(last) = last {
            begins[id.index()] = true;
            // The frames that it was inlined into are above the beginning.
            for outer in location.frames().filter(|f| *f > last) {
                hidden[outer.index()] = true;
            }
        }
    }
    begins
}

/// `LocationId` → whether stacks end here: a visible function matches (without its parameters, like in pprof). Frames inlined
/// into the match are hidden.
fn ends(profile: &Profile, pattern: &Pattern, hidden: &mut [bool]) -> Vec<bool> {
    let code = profile.code();
    let hits: Vec<bool> = code.functions.iter().map(|f| f.name.0 != 0 && pattern.is_match(simple_name(profile.text(f.name)))).collect();
    let mut ends = vec![false; code.locations.len()];
    for (id, location) in code.locations.enumerate() {
        let is_match = |f: &FrameId| !hidden[f.index()] && code.frames[*f].function.is_some_and(|f| hits[f.index()]);
        let Some(first) = location.frames().find(is_match) else { continue };
        ends[id.index()] = true;
        location.frames().take_while(|f| *f < first).for_each(|inner| hidden[inner.index()] = true);
    }
    ends
}
