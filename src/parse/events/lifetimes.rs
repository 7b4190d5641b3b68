//! Lifetimes of blocks, for formats that know when each block was allocated.
//!
//! They become a value type, whose mean is that of a block, and labels: allocations of a row are divided by how long they lived, so
//! that every view can be filtered and grouped by it.

use super::counts::signed;
use crate::base::id::LabelSetId;
use crate::profile::{Label, LabelValue, ProfileBuilder, RunCount, RunLifetime};

/// Key of the label.
const KEY: &str = "lifetime";

/// Least lifetime of each class, nanoseconds.
const AT_LEAST: [u64; 8] = [0, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000];

/// Value of the label for each class, and for blocks that are in use at the end.
const NAMES: [&str; AT_LEAST.len() + 1] = [
    "under 100us",
    "100us to 1ms",
    "1ms to 10ms",
    "10ms to 100ms",
    "100ms to 1s",
    "1s to 10s",
    "10s to 100s",
    "100s or more",
    "never freed",
];

const NEVER: usize = AT_LEAST.len();

/// Blocks of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    n: u64,
    bytes: u64,
    /// Sum of lifetimes, nanoseconds.
    nanos: u128,
}

impl Class {
    fn add(&mut self, size: u64, nanos: u64) {
        self.n += 1;
        self.bytes = self.bytes.wrapping_add(size);
        self.nanos += u128::from(nanos);
    }

    fn micros(&self) -> i64 {
        i64::try_from(self.nanos / 1000).unwrap_or(i64::MAX)
    }

    fn count(&self) -> RunCount {
        RunCount { objects: signed(self.n), bytes: signed(self.bytes) }
    }
}

/// Lifetimes of the blocks of each row, by class.
#[derive(Debug, Default)]
pub(in crate::parse) struct Lifetimes {
    rows: Vec<[Class; NAMES.len()]>,
}

/// A part of a row's allocations.
pub(super) struct Part {
    pub(super) objects: i64,
    pub(super) bytes: i64,
    /// Sum of lifetimes, microseconds.
    pub(super) micros: i64,
    /// Index of its name.
    class: usize,
}

impl Lifetimes {
    /// Adds a row; rows are those of [`super::Events`].
    pub(in crate::parse) fn add_row(&mut self) {
        self.rows.push(Default::default());
    }

    /// Counts a block that was freed after so many nanoseconds.
    #[inline]
    pub(in crate::parse) fn add_freed(&mut self, row: u32, size: u64, nanos: i64) {
        let nanos = u64::try_from(nanos).unwrap_or(0);
        let class = AT_LEAST.iter().filter(|least| **least <= nanos).count().saturating_sub(1);
        if let Some(classes) = self.rows.get_mut(row as usize) {
            classes[class].add(size, nanos);
        }
    }

    /// Counts a block that is in use at the end, so many nanoseconds after it was allocated.
    pub(in crate::parse) fn add_never_freed(&mut self, row: u32, size: u64, nanos: i64) {
        if let Some(classes) = self.rows.get_mut(row as usize) {
            classes[NEVER].add(size, u64::try_from(nanos).unwrap_or(0));
        }
    }

    /// The row's allocations by class; classes without any are left out.
    pub(super) fn parts(&self, row: u32) -> impl Iterator<Item = Part> + '_ {
        let classes = self.rows.get(row as usize).into_iter().flatten().enumerate();
        classes.filter(|(_, sum)| sum.n > 0).map(|(class, sum)| {
            let RunCount { objects, bytes } = sum.count();
            Part { objects, bytes, micros: sum.micros(), class }
        })
    }

    /// Blocks of all rows by lifetime; the last entry has those that are in use at the end.
    pub(super) fn of_run(&self) -> Vec<RunLifetime> {
        let sum = |class: usize| {
            let all = self.rows.iter().map(|row| row[class]);
            all.fold(Class::default(), |a, b| Class { n: a.n + b.n, bytes: a.bytes.wrapping_add(b.bytes), nanos: a.nanos + b.nanos })
        };
        let all = NAMES.iter().enumerate().map(|(class, name)| {
            let sum = sum(class);
            RunLifetime { name: (*name).to_owned(), blocks: sum.count(), micros: sum.micros() }
        });
        all.collect()
    }
}

impl Part {
    /// Labels of a sample with these allocations, and `more`.
    pub(super) fn labels(&self, more: &[Label], builder: &mut ProfileBuilder) -> LabelSetId {
        let [key, name, bytes] = [KEY, NAMES[self.class], "bytes"].map(|text| builder.string(text));
        let mean = LabelValue::Number(self.bytes / self.objects.max(1), bytes);
        let labels = [Label { key: bytes, value: mean }, Label { key, value: LabelValue::Text(name) }];
        builder.label_set(&[&labels, more].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_where_their_names_say() {
        let mut lifetimes = Lifetimes::default();
        lifetimes.add_row();
        for nanos in [-5, 0, 99_999, 100_000, 999_999, 1_000_000, 999_999_999, 1_000_000_000, 99_999_999_999, 100_000_000_000, i64::MAX] {
            lifetimes.add_freed(0, 10, nanos);
        }
        lifetimes.add_never_freed(0, 7, 2000);
        let of_run = lifetimes.of_run();
        let counts: Vec<i64> = of_run.iter().map(|class| class.blocks.objects).collect();
        assert_eq!(counts, [3, 2, 1, 0, 1, 1, 1, 2, 1]);
        assert_eq!((of_run[8].blocks.bytes, of_run[8].micros, of_run[8].name.as_str()), (7, 2, "never freed"));
        assert_eq!(of_run[1].micros, 1099);
        let parts: Vec<(usize, i64)> = lifetimes.parts(0).map(|part| (part.class, part.objects)).collect();
        assert_eq!(parts, [(0, 3), (1, 2), (2, 1), (4, 1), (5, 1), (6, 1), (7, 2), (8, 1)]);
        assert_eq!(lifetimes.parts(1).count(), 0);
    }
}
