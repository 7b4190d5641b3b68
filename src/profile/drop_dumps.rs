//! Removes dumps from a profile, with the stacks and code that only they used.

use super::accesses;
use super::copy::Copier;
use super::frames::Location;
use super::run_log::RunLog;
use super::samples::Column;
use super::{Profile, ProfileBuilder};
use crate::base::id::{DumpId, Id, LocationId, MappingId};

impl Profile {
    /// Returns the profile with the dumps `dropped` marked as thinned and without numbers, and the new id of each location. Other
    /// dumps keep their indexes. O(size log size).
    pub fn thinned(&self, gone: &[usize]) -> (Profile, Vec<Option<LocationId>>) {
        let n_types = self.value_types.len();
        let stays = |dump: usize| !gone.contains(&dump);
        let mut counts = vec![false; self.samples.len()];
        for column in self.columns.iter().filter(|column| stays(column.dump.index())) {
            column.nonzero().for_each(|(row, _)| counts[row] = true);
        }
        let is_gone = |name: &str| gone.iter().filter_map(|dump| self.dumps.get(*dump)).any(|d| d.moment.is_none() && d.name == name);
        let logs: Vec<&RunLog> = self.logs.iter().filter(|log| !is_gone(&log.name)).collect();
        for row in logs.iter().flat_map(|log| log.rows.iter()) {
            counts.get_mut(*row as usize).into_iter().for_each(|counts| *counts = true);
        }
        let rows = || (0..counts.len()).filter(|row| counts[*row]);
        let mut is_used = vec![false; self.code.locations.len()];
        for row in rows() {
            self.locations(self.samples.stack[row]).for_each(|location| is_used[location.index()] = true);
        }
        let mut functions = vec![false; self.code.functions.len()];
        // The first mapping is the program.
        let mut mappings: Vec<bool> = (0..self.code.mappings.len()).map(|mapping| mapping == 0).collect();
        for (_, location) in self.code.locations.enumerate().filter(|(id, _)| is_used[id.index()]) {
            location.mapping.into_iter().for_each(|mapping| mappings[mapping.index()] = true);
            let frame_functions = location.frames().filter_map(|frame| self.code.frames[frame].function);
            frame_functions.for_each(|function| functions[function.index()] = true);
        }

        let mut to = ProfileBuilder::with_dumps(Vec::new(), Vec::new());
        *to.meta() = self.meta.clone();
        to.meta().runs.retain(|run| !is_gone(&run.name));
        let copier = Copier::of_functions(self, &mut to, |function| functions[function.index()]);
        let copied = self.code.mappings.enumerate().map(|(id, m)| mappings[id.index()].then(|| copier.mapping(&mut to, m)));
        let mappings: Vec<Option<MappingId>> = copied.collect();
        let place = |l: &Location| (l.mapping.and_then(|m| mappings[m.index()]), l.address);
        let locations: Vec<Option<LocationId>> = (self.code.locations.enumerate())
            .map(|(id, l)| if is_used[id.index()] { copier.location(&mut to, l, place(l), |_| true) } else { None })
            .collect();
        let mut stack = Vec::new();
        let mut row_of = vec![0; counts.len()];
        for (new, row) in rows().enumerate() {
            row_of[row] = new as u32;
            stack.clear();
            stack.extend(self.locations(self.samples.stack[row]).filter_map(|location| locations[location.index()]));
            let labels = copier.labels(&mut to, self.samples.labels[row], |_| true, &[]);
            to.sample(&stack, labels, &[]);
        }
        let n_rows = rows().count();
        let column = |(at, column): (usize, &Column)| {
            let kept = column.nonzero().filter(|_| stays(at / n_types.max(1)));
            let pairs = kept.map(|(row, value)| (row_of[row], value)).collect();
            Column::of_pairs(DumpId::new(at / n_types.max(1)), column.value_type, n_rows, pairs)
        };
        let columns = self.columns.iter().enumerate().map(column).collect();
        let mut dumps = self.dumps.clone();
        gone.iter().filter_map(|dump| dumps.get_mut(*dump).map(|dump| dump.is_thinned = true)).count();
        let row = |row: u32| counts.get(row as usize)?.then(|| row_of[row as usize]);
        let accesses = accesses::moved(&self.accesses, row, |dump| stays(dump as usize).then_some(dump)).collect();
        let (value_types, n_cut) = (self.value_types.clone(), self.n_cut);
        let logs = logs.into_iter().map(|log| log.moved(row)).collect();
        (Profile { value_types, dumps, columns, accesses, logs, n_cut, most_nodes: self.most_nodes, ..to.build() }, locations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Labels, Line, merge};

    /// A dump with these functions and values.
    fn dump(rows: &[(&str, i64)]) -> Profile {
        let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        for (at, (name, value)) in rows.iter().enumerate() {
            let name = builder.string(name);
            let function = builder.function_named(name);
            let line = Line { function: Some(function), line: 1, column: 0 };
            let location = builder.location(None, 0x1000 + at as u64, &[line]);
            builder.sample(&[location], Labels::NONE, &[*value]);
        }
        builder.build()
    }

    #[test]
    fn data_of_thinned_dumps_is_removed() {
        let all = merge(vec![dump(&[("a", 1), ("b", 2)]), dump(&[("b", 3), ("only", 4)]), dump(&[("a", 5), ("c", 6)])]).unwrap();
        let (thinned, locations) = all.thinned(&[1]);
        thinned.validate().unwrap();
        assert_eq!(thinned.dumps().iter().map(|dump| dump.is_thinned).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(thinned.columns().iter().map(Column::total).collect::<Vec<_>>(), [3, 0, 11]);
        assert_eq!(thinned.code().functions.iter().map(|f| thinned.text(f.name)).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(locations.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, false, true]);
        assert!(thinned.heap_bytes() < all.heap_bytes());
        let name = |profile: &Profile, row: usize| {
            let location = profile.locations(profile.samples().stack[row]).next().unwrap();
            let frame = profile.code().locations[location].first_frame;
            profile.text(profile.function_of(frame).unwrap().1.name).to_owned()
        };
        let last = thinned.columns()[2].nonzero().map(|(row, value)| (name(&thinned, row), value));
        assert_eq!(last.collect::<Vec<_>>(), [("a".to_owned(), 5), ("c".to_owned(), 6)]);
    }
}
