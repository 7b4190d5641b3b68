//! Labels of samples, such as a thread's name or an object's size.

use std::collections::BTreeSet;

use crate::base::hash::HashMap;
use crate::base::id::{Id, LabelSetId, StrId};

/// Value of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelValue {
    /// A text.
    Text(StrId),
    /// A number and its unit (empty: the unit follows from the key).
    Number(i64, StrId),
}

/// One label. A key may occur several times in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// Key, such as `thread` or `bytes`.
    pub key: StrId,
    /// Value.
    pub value: LabelValue,
}

/// All label sets; set 0 is empty.
#[derive(Clone, Debug)]
pub struct Labels {
    items: Vec<Label>,
    /// `LabelSetId` → end in `items`; the start is the end of the set before.
    end: Vec<u32>,
}

impl Default for Labels {
    fn default() -> Self {
        Labels { items: Vec::new(), end: vec![0] }
    }
}

impl Labels {
    /// The set without labels.
    pub const NONE: LabelSetId = LabelSetId(0);

    /// The labels of `set`, in the writer's order.
    pub fn get(&self, set: LabelSetId) -> &[Label] {
        let i = set.index();
        let start = if i == 0 { 0 } else { self.end[i - 1] };
        &self.items[start as usize..self.end[i] as usize]
    }

    /// Appends a set. Equal ones stay apart.
    pub(super) fn push(&mut self, set: &[Label]) -> LabelSetId {
        let id = LabelSetId::new(self.len());
        self.items.extend_from_slice(set);
        self.end.push(self.items.len() as u32);
        id
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.items.capacity() * size_of::<Label>() + self.end.capacity() * size_of::<u32>()
    }

    /// Changes keys, texts and units.
    pub(super) fn change_texts(&mut self, change: impl Fn(&mut StrId)) {
        for Label { key, value } in &mut self.items {
            change(key);
            match value {
                LabelValue::Text(text) | LabelValue::Number(_, text) => change(text),
            }
        }
    }

    /// Keys, texts and units of all labels.
    pub(super) fn texts(&self) -> impl Iterator<Item = StrId> + '_ {
        self.items.iter().flat_map(|label| match label.value {
            LabelValue::Text(text) | LabelValue::Number(_, text) => [label.key, text],
        })
    }

    /// Every key once. O(labels).
    pub fn keys(&self) -> BTreeSet<StrId> {
        self.items.iter().map(|label| label.key).collect()
    }

    /// Number of sets, the empty one included.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Returns whether there is no set but the empty one.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// [`Labels`] while they grow.
#[derive(Default)]
pub(super) struct LabelInterner {
    labels: Labels,
    ids: HashMap<Box<[Label]>, LabelSetId>,
}

impl LabelInterner {
    pub(super) fn intern(&mut self, set: &[Label]) -> LabelSetId {
        if set.is_empty() {
            return Labels::NONE;
        }
        if let Some(&id) = self.ids.get(set) {
            return id;
        }
        let id = self.labels.push(set);
        self.ids.insert(set.into(), id);
        id
    }

    pub(super) fn finish(self) -> Labels {
        self.labels
    }
}
