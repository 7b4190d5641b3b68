//! Invariants of a [`Profile`], checked by tests and fuzzers.

use super::{Profile, Stacks};
use crate::base::id::{Id, StackId};

/// A violated invariant, described for developers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

impl Profile {
    /// Checks every invariant. O(size).
    pub fn validate(&self) -> Result<(), Violation> {
        let fail = |what: String| Err(Violation(what));
        let stacks = self.stacks();
        let n = stacks.len();
        if stacks.end.len() != n || stacks.frame.len() != n {
            return fail(format!("stack columns have {n}, {} and {} rows", stacks.end.len(), stacks.frame.len()));
        }
        for node in (1..n).map(StackId::new) {
            let (parent, end) = (stacks.parent[node], stacks.end[node]);
            if parent >= node || end <= node || end > stacks.end[parent] {
                return fail(format!("node {node:?} is not in preorder: parent {parent:?}, end {end:?}"));
            }
            let Some(frame) = self.code.frames.get(stacks.frame[node]) else {
                return fail(format!("node {node:?} has unknown frame {:?}", stacks.frame[node]));
            };
            // A location's frames follow one another, the outermost one first.
            if frame.inlined && (parent == Stacks::ROOT || stacks.frame[parent].index() != stacks.frame[node].index() + 1) {
                return fail(format!("node {node:?} is inlined, but not into its caller"));
            }
        }
        if stacks.end[Stacks::ROOT].index() != n {
            return fail("the root does not span all nodes".into());
        }
        for (id, location) in self.code.locations.enumerate() {
            if location.n_frames == 0 {
                return fail(format!("{id:?} has no frame"));
            }
            for (i, frame) in location.frames().enumerate() {
                match self.code.frames.get(frame) {
                    Some(f) if f.location == id && f.inlined == (i + 1 < location.n_frames as usize) => {}
                    other => return fail(format!("{id:?} and its frame {frame:?} disagree: {other:?}")),
                }
            }
            if location.mapping.is_some_and(|m| self.code.mappings.get(m).is_none()) {
                return fail(format!("{id:?} has an unknown mapping"));
            }
        }
        for (id, frame) in self.code.frames.enumerate() {
            if frame.function.is_some_and(|f| self.code.functions.get(f).is_none()) {
                return fail(format!("{id:?} has an unknown function"));
            }
        }
        self.validate_texts()?;
        let rows = self.samples.len();
        if self.samples.labels.len() != rows || self.samples.stack.iter().any(|s| s.index() >= n) {
            return fail("sample rows name unknown stacks".into());
        }
        if self.samples.labels.iter().any(|l| l.index() >= self.labels.len()) {
            return fail("sample rows name unknown label sets".into());
        }
        if self.columns.len() != self.dumps.len() * self.value_types.len() {
            return fail(format!(
                "{} columns for {} dumps of {} value types",
                self.columns.len(),
                self.dumps.len(),
                self.value_types.len()
            ));
        }
        for column in &self.columns {
            if column.len() != rows {
                return fail(format!("a column has {} values for {rows} rows", column.len()));
            }
            if !column.is_in_order() {
                return fail("the rows of a column do not ascend".into());
            }
        }
        Ok(())
    }

    /// Checks that every text and every fact that is named exists. O(size).
    fn validate_texts(&self) -> Result<(), Violation> {
        let recorded = self.meta.recorded.as_deref();
        let n_facts = recorded.map_or(0, |recorded| recorded.facts.len());
        let functions = self.code.functions.iter();
        let of_functions = functions.clone().flat_map(|f| [f.name, f.system_name, f.short_name, f.filename]);
        let of_mappings = self.code.mappings.iter().flat_map(|m| [m.file, m.build_id]);
        if !of_functions.chain(of_mappings).chain(self.labels.texts()).all(|text| text.index() < self.strings.len()) {
            return Err(Violation("something has an unknown text".into()));
        }
        let mut facts = functions.map(|f| f.facts).chain(self.code.mappings.iter().map(|m| m.facts));
        if !facts.all(|number| number as usize <= n_facts) || recorded.is_some_and(|recorded| !recorded.is_sound()) {
            return Err(Violation("something has unknown facts".into()));
        }
        Ok(())
    }
}
