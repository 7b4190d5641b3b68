//! Labels as frames: values of selected label keys added at the root or the leaf of each stack.

use crate::base::hash::HashMap;

use super::copy::Copier;
use super::frames::{Function, Line, Location};
use super::labels::LabelValue;
use super::{Profile, ProfileBuilder};
use crate::base::cancel;
use crate::base::id::{LabelSetId, LocationId, MappingId, StrId};

impl Profile {
    /// This profile with a frame at the root of every stack for each key of `roots` (the first
    /// one outermost) and one at its leaf for each key of `leaves`. A frame is named by the
    /// sample's values of the key, joined by commas, numbers as `number` prints them (value,
    /// unit); its file is the key. Beside it: whether a key of either list was met (pprof's
    /// `tagroot.go`). O(size log size).
    pub fn with_label_frames(&self, roots: &[String], leaves: &[String], number: impl Fn(i64, &str) -> String) -> (Profile, [bool; 2]) {
        // Rows stay, and with them the numbers.
        let mut to = ProfileBuilder::with_dumps(Vec::new(), Vec::new());
        *to.meta() = self.meta.clone();
        // Each value may have a tree of its own.
        to.bound_like(self);
        let copier = Copier::new(self, &mut to);
        let mappings: Vec<MappingId> = self.code.mappings.iter().map(|m| copier.mapping(&mut to, m)).collect();
        let place = |l: &Location| (l.mapping.map(|m| mappings[m.0 as usize]), l.address);
        let locations: Vec<LocationId> =
            self.code.locations.iter().filter_map(|l| copier.location(&mut to, l, place(l), |_| true)).collect();
        // Those that no label has are all one frame.
        let names: HashMap<&str, StrId> = self.labels.keys().into_iter().map(|key| (self.text(key), key)).collect();
        let known = |keys: &[String]| keys.iter().map(|key| names.get(key.as_str()).copied()).collect::<Vec<_>>();
        let (root_keys, leaf_keys) = (known(roots), known(leaves));
        let mut found = [false; 2];
        let sets: Vec<_> = (0..self.labels.len() as u32)
            .map(LabelSetId)
            .map(|set| {
                let values = self.values_of(set, &number);
                // Innermost first, as stacks are.
                let mut frames = |keys: &[String], ids: &[Option<StrId>], found: &mut bool| -> Vec<LocationId> {
                    let frame = |(key, id): (&String, &Option<StrId>)| {
                        cancel::check();
                        let values = id.and_then(|id| values.get(&id)).map_or(&[][..], |values| values);
                        *found |= !values.is_empty();
                        let function = Function { name: to.string(&values.join(",")), filename: to.string(key), ..Function::default() };
                        let function = to.function(function);
                        to.location(None, 0, &[Line { function: Some(function), line: 0, column: 0 }])
                    };
                    keys.iter().zip(ids).rev().map(frame).collect()
                };
                let (root, leaf) = (frames(roots, &root_keys, &mut found[0]), frames(leaves, &leaf_keys, &mut found[1]));
                (copier.labels(&mut to, set, |_| true, &[]), root, leaf)
            })
            .collect();
        let mut stack = Vec::new();
        for (&node, set) in self.samples.stack.iter().zip(&self.samples.labels) {
            cancel::check();
            let (labels, root, leaf) = &sets[set.0 as usize];
            stack.clear();
            stack.extend(leaf);
            stack.extend(self.locations(node).map(|l| locations[l.0 as usize]));
            stack.extend(root);
            cancel::charge(stack.len() * size_of::<LocationId>());
            to.sample(&stack, *labels, &[]);
        }
        let (value_types, dumps, columns) = (self.value_types.clone(), self.dumps.clone(), self.columns.clone());
        (Profile { value_types, dumps, columns, logs: self.logs.clone(), accesses: self.accesses.clone(), ..to.build() }, found)
    }

    /// The values that a label set has of each of its keys: texts, then numbers. O(labels of the set).
    fn values_of(&self, set: LabelSetId, number: impl Fn(i64, &str) -> String) -> HashMap<StrId, Vec<String>> {
        let mut values: HashMap<StrId, Vec<String>> = HashMap::default();
        let labels = self.labels.get(set);
        for label in labels {
            if let LabelValue::Text(text) = label.value {
                values.entry(label.key).or_default().push(self.text(text).to_owned());
            }
        }
        for label in labels {
            if let LabelValue::Number(n, unit) = label.value {
                values.entry(label.key).or_default().push(number(n, self.text(unit)));
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Label;

    #[test]
    fn trees_with_label_frames_have_the_bound_of_their_file() {
        let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        builder.bound_by_input(0);
        let lines: Vec<Line> = (0..5000)
            .map(|i| {
                let name = builder.string(&format!("f{i}"));
                Line { function: Some(builder.function_named(name)), line: 1, column: 0 }
            })
            .collect();
        let location = builder.location(None, 0x1000, &lines);
        let key = builder.string("key");
        for row in 0..200 {
            let value = LabelValue::Text(builder.string(&format!("v{row}")));
            let labels = builder.label_set(&[Label { key, value }]);
            builder.sample(&[location], labels, &[1]);
        }
        let profile = builder.build();
        assert_eq!((profile.stacks().len(), profile.n_cut()), (5001, 0));
        let (tree, found) = profile.with_label_frames(&["key".to_owned()], &[], |number, _| number.to_string());
        assert_eq!(found, [true, false]);
        // A tree of 5,000 frames for each of 200 values would be twice as large.
        assert!(tree.stacks().len() <= 1 << 19 && tree.n_cut() > 0, "{} nodes", tree.stacks().len());
        assert_eq!(tree.columns()[0].total(), 200);
    }
}
