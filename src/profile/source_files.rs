//! Source files named by selected dumps.

use super::{Dump, Profile};
use crate::base::id::{FunctionId, Id, IdVec, StackId};

impl Profile {
    /// Source paths of the functions on stacks that hold something in one of the dumps that `is_meant`, each once, in the
    /// order of functions. O(size).
    pub fn files_of(&self, is_meant: impl Fn(&Dump) -> bool) -> Vec<&str> {
        let n_types = self.value_types.len();
        let mut on_stack = vec![false; self.stacks.len()];
        for (dump, columns) in self.dumps.iter().zip(self.columns.chunks(n_types.max(1))) {
            if is_meant(dump) {
                let rows = columns.iter().flat_map(|column| column.nonzero());
                rows.for_each(|(row, _)| on_stack[self.samples.stack[row].index()] = true);
            }
        }
        let mut is_named: IdVec<FunctionId, bool> = vec![false; self.code.functions.len()].into();
        for node in (1..self.stacks.len()).rev().map(StackId::new) {
            if !on_stack[node.index()] {
                continue;
            }
            on_stack[self.stacks.parent[node].index()] = true;
            if let Some(function) = self.code.frames[self.stacks.frame[node]].function {
                is_named[function] = true;
            }
        }
        let named = self.code.functions.enumerate().filter(|(id, _)| is_named[*id]);
        named.map(|(_, function)| self.text(function.filename)).filter(|file| !file.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::profile::{Function, Labels, Line, Profile, ProfileBuilder, merge};

    fn of(file: &str, is_foreign: bool) -> Profile {
        let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let stack = ["main.c", file].map(|file| {
            let (name, filename) = (b.string("f"), b.string(file));
            let function = b.function(Function { name, system_name: name, filename, ..Function::default() });
            b.location(None, 1 + file.len() as u64, &[Line { function: Some(function), line: 1, column: 0 }])
        });
        b.sample(&[stack[1], stack[0]], Labels::NONE, &[1]);
        b.dump().is_foreign = is_foreign;
        b.build()
    }

    #[test]
    fn files_of_selected_dumps_are_returned() {
        let both = merge(vec![of("mine.c", false), of("stolen.c", true)]).unwrap();
        assert_eq!(both.files_of(|dump| !dump.is_foreign), ["main.c", "mine.c"]);
        assert_eq!(both.files_of(|dump| dump.is_foreign), ["main.c", "stolen.c"]);
    }
}
