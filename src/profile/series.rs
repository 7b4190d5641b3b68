//! Dumps of one process in chronological order, and their distances.

use super::Dump;

/// The dumps of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Process name in the dumps ([`Dump::series`]); empty if they have none.
    pub name: String,
    /// Indexes into the profile's dumps, the first one taken first.
    pub dumps: Vec<usize>,
    /// Unit of the time axis.
    pub axis: Axis,
}

/// Source of the distances between dumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Moments of a recording, by its clock.
    Moment,
    /// Recorded times, nanoseconds.
    Time,
    /// When their files were written, nanoseconds.
    FileTime,
    /// Their numbers.
    Number,
    /// Nothing: they follow one another.
    Order,
}

/// Files that were written closer together than this, in the mean, were copied, not dumped: nanoseconds.
const COPIED: i64 = 50_000_000;

impl Series {
    /// The series of these dumps, by name; those to be subtracted and those that were thinned out are in none. O(n log n).
    pub fn of(dumps: &[Dump]) -> Vec<Series> {
        let mut order: Vec<usize> = (0..dumps.len()).filter(|&i| !dumps[i].is_base && !dumps[i].is_thinned).collect();
        order.sort_by(|&a, &b| dumps[a].series.cmp(&dumps[b].series));
        order.chunk_by(|&a, &b| dumps[a].series == dumps[b].series).map(|part| Series::new(dumps, part.to_vec())).collect()
    }

    fn new(all: &[Dump], mut dumps: Vec<usize>) -> Series {
        let every = |of: fn(&Dump) -> bool| dumps.iter().all(|&i| of(&all[i]));
        let clock = |i: &usize| all[*i].moment.map(|moment| moment.clock);
        let of_one_clock = dumps.windows(2).all(|pair| clock(&pair[0]) == clock(&pair[1]));
        // Sequence numbers in names are most reliable: clocks are set, and files are copied.
        let by = [
            (every(|d| d.moment.is_some()) && of_one_clock).then_some(Axis::Moment),
            every(|d| d.number.is_some()).then_some(Axis::Number),
            every(|d| d.time_nanos != 0).then_some(Axis::Time),
            every(|d| d.file_time != 0).then_some(Axis::FileTime),
        ];
        let by = by.into_iter().flatten().next().unwrap_or(Axis::Order);
        dumps.sort_by_key(|&i| (by.of(&all[i], i), all[i].time_nanos, all[i].file_time, i));
        let place = |axis: Axis| dumps.iter().map(|&i| axis.of(&all[i], i)).collect::<Vec<i64>>();
        let rises = |places: &[i64]| places.first() != Some(&0) && places.is_sorted_by(|a, b| a < b);
        let is_apart = |places: &[i64]| {
            let length = places.last().unwrap_or(&0).saturating_sub(*places.first().unwrap_or(&0));
            length >= COPIED.saturating_mul(places.len() as i64)
        };
        let (time, file_time) = (place(Axis::Time), place(Axis::FileTime));
        let axis = match () {
            () if by == Axis::Moment && place(Axis::Moment).is_sorted_by(|a, b| a < b) => Axis::Moment,
            () if rises(&time) => Axis::Time,
            () if rises(&file_time) && is_apart(&file_time) => Axis::FileTime,
            () if place(Axis::Number).is_sorted_by(|a, b| a < b) && by == Axis::Number => Axis::Number,
            () => Axis::Order,
        };
        Series { name: all.get(dumps.first().copied().unwrap_or(0)).map_or(String::new(), |d| d.series.clone()), dumps, axis }
    }

    /// Position of each dump on the axis, strictly ascending.
    pub fn places(&self, all: &[Dump]) -> Vec<i64> {
        match self.axis {
            Axis::Order => (0..self.dumps.len() as i64).collect(),
            axis => self.dumps.iter().map(|&i| axis.of(&all[i], i)).collect(),
        }
    }
}

impl Axis {
    fn of(self, dump: &Dump, index: usize) -> i64 {
        match self {
            Axis::Moment => dump.moment.map_or(0, |moment| moment.at),
            Axis::Time => dump.time_nanos,
            Axis::FileTime => dump.file_time,
            Axis::Number => dump.number.map_or(0, |number| i64::try_from(number).unwrap_or(i64::MAX)),
            Axis::Order => index as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(series: &str, number: Option<u64>, time_nanos: i64, file_time: i64) -> Dump {
        Dump { series: series.into(), number, time_nanos, file_time, ..Dump::default() }
    }

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn processes_are_apart_and_numbers_are_numbers() {
        let dumps = [("a.1", 10), ("a.2", 1), ("a.1", 2), ("a.2", 0), ("a.1", 9)].map(|(name, number)| dump(name, Some(number), 0, 0));
        let series = Series::of(&dumps);
        let found: Vec<_> = series.iter().map(|s| (s.name.as_str(), s.dumps.clone(), s.axis, s.places(&dumps))).collect();
        assert_eq!(found, [("a.1", vec![2, 4, 0], Axis::Number, vec![2, 9, 10]), ("a.2", vec![3, 1], Axis::Number, vec![0, 1])]);
    }

    #[test]
    fn times_that_rise_with_the_numbers_are_the_axis() {
        let axis = |of: &dyn Fn(u64) -> (i64, i64)| {
            let dumps: Vec<Dump> = (0..4).map(|n| dump("a", Some(n), of(n).0, of(n).1)).collect();
            Series::of(&dumps)[0].axis
        };
        assert_eq!(axis(&|n| (5 + n as i64, 0)), Axis::Time);
        assert_eq!(axis(&|n| (0, (5 + n as i64) * SECOND)), Axis::FileTime);
        // Equal times: the files were copied.
        assert_eq!(axis(&|n| (0, SECOND + n as i64)), Axis::Number);
        assert_eq!(axis(&|n| (0, (9 - n as i64) * SECOND)), Axis::Number);
        assert_eq!(axis(&|n| (5 - n as i64, 0)), Axis::Number);
    }

    #[test]
    fn without_numbers_time_puts_them_in_order() {
        let mut dumps = vec![dump("", None, 30, 0), dump("", None, 10, 0), dump("", None, 20, 0)];
        assert_eq!(Series::of(&dumps), [Series { name: String::new(), dumps: vec![1, 2, 0], axis: Axis::Time }]);
        dumps[0].time_nanos = 0;
        assert_eq!(Series::of(&dumps)[0].places(&dumps), [0, 1, 2]);
        dumps[1].is_base = true;
        assert_eq!(Series::of(&dumps)[0].dumps, [0, 2]);
        assert_eq!(Series::of(&[]), []);
    }
}
