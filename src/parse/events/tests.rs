use std::collections::BTreeMap;
use std::io::Cursor;

use proptest::prelude::*;

use super::counts::Counts;
use super::moments::MOST_MOMENTS;
use super::tally::Tally;
use super::{Blocks, Events, Odd, VALUE_TYPES, into_profile};
use crate::base::id::LocationId;
use crate::base::run_clock::RunClock;
use crate::parse::options::KeepEvents;
use crate::profile::{Moment, MomentKind, Profile, ProfileBuilder, RunCount, RunSummary, StateAt};

const N_ROWS: usize = 5;

/// What happens.
#[derive(Clone, Debug)]
enum Step {
    Allocate {
        row: usize,
        size: u64,
    },
    /// Frees one of the blocks in use, if there is any.
    Free(prop::sample::Index),
    /// Time goes on, milliseconds; 0: not.
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..N_ROWS, 0..2000u64).prop_map(|(row, size)| Step::Allocate { row, size }),
        3 => any::<prop::sample::Index>().prop_map(Step::Free),
        2 => (0..4i64).prop_map(Step::Wait),
    ]
}

/// Row → allocated, in use, temporary; objects and bytes.
type Values = [[i64; 6]; N_ROWS];

/// The simplest code that could be right.
#[derive(Clone, Default)]
struct Brute {
    now: Values,
    live: i64,
    peak: (i64, Values, i64),
    blocks: Vec<(usize, u64, u64)>,
    last: Option<u64>,
    n_blocks: u64,
    /// Blocks of one size at a row have one number.
    is_numbered: bool,
    cells: Vec<(usize, u64)>,
    time: i64,
    /// Time → state when its stamp came.
    states: BTreeMap<i64, Values>,
}

impl Brute {
    fn allocate(&mut self, row: usize, size: u64) -> u64 {
        self.n_blocks += 1;
        let block = if self.is_numbered { self.cell(row, size) } else { self.n_blocks };
        self.blocks.push((row, size, block));
        let bytes = size as i64;
        for (value, by) in self.now[row].iter_mut().zip([1, bytes, 1, bytes, 0, 0]) {
            *value += by;
        }
        self.live += bytes;
        self.last = Some(block);
        if self.live > self.peak.0 {
            self.peak = (self.live, self.now, self.time);
        }
        block
    }

    fn cell(&mut self, row: usize, size: u64) -> u64 {
        let found = self.cells.iter().position(|cell| *cell == (row, size));
        found.unwrap_or_else(|| {
            self.cells.push((row, size));
            self.cells.len() - 1
        }) as u64
    }

    fn free(&mut self, at: usize) -> (usize, u64, u64) {
        let (row, size, block) = self.blocks.remove(at);
        let bytes = size as i64;
        let is_temporary = i64::from(self.last.take() == Some(block));
        for (value, by) in self.now[row].iter_mut().zip([0, 0, -1, -bytes, is_temporary, is_temporary * bytes]) {
            *value += by;
        }
        self.live -= bytes;
        (row, size, block)
    }
}

fn run(steps: &[Step]) -> (Brute, Profile) {
    let keep = KeepEvents { file: Some(|| Some(Box::new(Cursor::new(Vec::new())))) };
    let (mut brute, mut events) = (Brute::default(), Events::new(Some(&keep)));
    for _ in 0..N_ROWS {
        events.add_row().unwrap();
    }
    for step in steps {
        match step {
            Step::Allocate { row, size } => {
                let block = brute.allocate(*row, *size);
                events.add(*row as u32, *size, block, false);
            }
            Step::Free(at) if !brute.blocks.is_empty() => {
                let (row, size, block) = brute.free(at.index(brute.blocks.len()));
                events.add(row as u32, size, block, true);
            }
            Step::Free(_) => {}
            Step::Wait(millis) => {
                if *millis > 0 {
                    brute.time += millis * 1_000_000;
                    brute.states.insert(brute.time, brute.now);
                }
                events.set_time(brute.time);
            }
        }
    }
    (brute, profile(events))
}

fn profile<T: Tally>(events: Events<T>) -> Profile {
    let mut builder = ProfileBuilder::new(&VALUE_TYPES);
    let locations: Vec<LocationId> = (0..N_ROWS as u64).map(|row| builder.location(None, row + 1, &[])).collect();
    let stack = |row: u32, out: &mut Vec<LocationId>| out.push(locations[row as usize]);
    into_profile(events, builder, stack, RunSummary::default())
}

/// The same with events that have the numbers of cells, some of which cannot be.
fn run_numbered(steps: &[Step]) -> (Brute, Profile) {
    let keep = KeepEvents { file: Some(|| Some(Box::new(Cursor::new(Vec::new())))) };
    let (mut brute, mut events) = (Brute { is_numbered: true, ..Brute::default() }, Events::<Blocks>::new(Some(&keep)));
    for _ in 0..N_ROWS {
        events.add_row_of_cells().unwrap();
    }
    let nothing = events.add_blocks(None);
    let mut codes = vec![2 * nothing + 1, 2 * nothing, u32::MAX];
    let mut n_odd = 3;
    let mut add = |codes: &mut Vec<u32>, events: &mut Events<Blocks>| {
        events.add_all(codes, |at, odd| {
            n_odd -= 1;
            assert!(odd == Odd::NoCell && (codes[at] >> 1 == nothing || codes[at] == u32::MAX));
        });
        codes.clear();
    };
    for step in steps {
        match step {
            Step::Allocate { row, size } => {
                let size = size / 200;
                let number = brute.allocate(*row, size) as u32 + 1;
                if number as usize == events.n_cells() {
                    events.add_blocks(Some((*row as u32, size)));
                }
                codes.push(2 * number);
            }
            Step::Free(at) if !brute.blocks.is_empty() => {
                let (_, _, number) = brute.free(at.index(brute.blocks.len()));
                codes.push(2 * number as u32 + 3);
            }
            Step::Free(_) => {}
            Step::Wait(millis) => {
                add(&mut codes, &mut events);
                if *millis > 0 {
                    brute.time += millis * 1_000_000;
                    brute.states.insert(brute.time, brute.now);
                }
                events.set_time(brute.time);
            }
        }
    }
    add(&mut codes, &mut events);
    assert_eq!(n_odd, 0);
    (brute, profile(events))
}

/// Value types of a dump, by row of the events.
fn values(profile: &Profile, dump: usize) -> [[i64; 8]; N_ROWS] {
    let mut all = [[0; 8]; N_ROWS];
    let address = |row: usize| {
        let location = profile.locations(profile.samples().stack[row]).next().unwrap();
        profile.code().locations[location].address as usize
    };
    for (value_type, row) in (0..8).flat_map(|value_type| (0..profile.samples().len()).map(move |row| (value_type, row))) {
        all[address(row) - 1][value_type] = profile.columns()[dump * 8 + value_type].get(row);
    }
    all
}

fn with_peak(now: &Values, peak: &Values) -> [[i64; 8]; N_ROWS] {
    std::array::from_fn(|row| {
        let ([a, b, c, d, e, f], [.., objects, bytes, _, _]) = (now[row], peak[row]);
        [a, b, c, d, objects, bytes, e, f]
    })
}

fn holds((brute, profile): (Brute, Profile)) {
    profile.validate().unwrap();
    assert_eq!(values(&profile, 0), with_peak(&brute.now, &brute.peak.1), "whole run");
    let dumps = profile.dumps();
    assert!(dumps.len() <= MOST_MOMENTS + 1, "{}", dumps.len());
    assert!(dumps[0].counts() && dumps[1..].iter().all(|dump| !dump.counts()));
    let moments: Vec<_> = dumps[1..].iter().map(|dump| dump.moment.unwrap()).collect();
    assert!(moments.windows(2).all(|pair| pair[0].at < pair[1].at), "{moments:?}");
    for (dump, moment) in (1..).zip(&moments) {
        let state = match moment.kind {
            MomentKind::Sampled => &brute.states[&moment.at],
            MomentKind::Peak => &brute.peak.1,
            MomentKind::End => &brute.now,
        };
        assert_eq!(values(&profile, dump), with_peak(state, state), "{moment:?}");
    }
    any_time_is_exact(&brute, &profile);
    let n = |kind: MomentKind| moments.iter().filter(|moment| moment.kind == kind).count();
    assert_eq!(n(MomentKind::Peak), usize::from(brute.peak.0 > 0));
    assert_eq!((n(MomentKind::End), moments.last().unwrap().kind), (1, MomentKind::End));
    let run = &profile.meta().runs[0];
    let sum = |values: &Values, at: usize| values.iter().map(|row| row[at]).sum::<i64>();
    assert_eq!((run.peak.bytes, run.peak_at, run.duration), (brute.peak.0, brute.peak.2, brute.time));
    assert_eq!(run.end, RunCount { objects: sum(&brute.now, 2), bytes: sum(&brute.now, 3) });
    assert_eq!(run.temporary, RunCount { objects: sum(&brute.now, 4), bytes: sum(&brute.now, 5) });
    assert_eq!(run.curve.iter().map(|point| point.high).max(), Some(brute.peak.0));
    assert!(run.curve.iter().zip(&moments).all(|(point, moment)| point.at == moment.at));
}

/// Every time gives the state at the first stamp that is not earlier.
fn any_time_is_exact(brute: &Brute, profile: &Profile) {
    let step = (brute.time / 20).max(1_000_000);
    let later = brute.states.keys().flat_map(|at| [*at, at + 300_000]);
    for nanos in (0..brute.time / step).map(|n| n * step).chain(later.step_by(1 + brute.states.len() / 10)) {
        let (state, is_cut) = profile.state_at(0, nanos).unwrap();
        assert!(!is_cut);
        let nanos_of = |dump: usize| profile.dumps()[dump].moment.unwrap();
        let (found, at) = match state {
            StateAt::Kept(dump) if nanos_of(dump).kind == MomentKind::End => {
                assert!(nanos >= brute.time);
                continue;
            }
            StateAt::Kept(dump) => (values(profile, dump), nanos_of(dump).at),
            StateAt::Between { at, parts } => {
                let mut profile = profile.clone();
                let dump = profile.add_moment(0, Moment { at, clock: RunClock::Time, kind: MomentKind::Sampled }, parts);
                profile.validate().unwrap();
                (values(&profile, dump), at)
            }
        };
        let stamp = brute.states.range(nanos..).next().filter(|_| nanos > 0);
        let (want_at, want) = stamp.map_or((0, Values::default()), |(at, state)| (*at, *state));
        assert_eq!((at, found), (want_at, with_peak(&want, &want)), "at {nanos}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn columns_are_those_of_brute_force(steps in prop::collection::vec(step(), 0..80)) {
        holds(run(&steps));
        holds(run_numbered(&steps));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6) })]

    #[test]
    fn moments_of_long_recordings_are_thinned(steps in prop::collection::vec(step(), 9000..14_000)) {
        holds(run(&steps));
        holds(run_numbered(&steps));
        let burst: Vec<Step> = steps.iter().filter(|step| !matches!(step, Step::Wait(_))).cloned().collect();
        holds(run_numbered(&burst));
        let (_, profile) = run(&steps);
        let n = profile.dumps().len();
        prop_assert!(n > MOST_MOMENTS / 2, "{n} moments");
    }
}

#[test]
fn the_first_of_equal_peaks_counts() {
    let free = || Step::Free(any_index(0));
    let steps = [
        Step::Allocate { row: 0, size: 100 },
        Step::Wait(1),
        free(),
        Step::Allocate { row: 1, size: 100 },
        Step::Wait(1),
        Step::Allocate { row: 2, size: 0 },
    ];
    let (_, profile) = run(&steps);
    assert_eq!(profile.meta().runs[0].peak_at, 0);
    assert_eq!(values(&profile, 0).map(|row| row[5]), [100, 0, 0, 0, 0]);
    let names: Vec<String> = profile.dumps()[1..].iter().map(|dump| dump.moment.unwrap().name("r")).collect();
    assert_eq!(names, ["r at the peak", "r at 1ms", "r at 2ms", "r at the end, 2ms"]);
}

/// An index that picks about this place.
fn any_index(place: usize) -> prop::sample::Index {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let pick = || any::<prop::sample::Index>().new_tree(&mut runner).unwrap().current();
    std::iter::repeat_with(pick).find(|index| index.index(1) == place).unwrap()
}

#[test]
fn what_was_before_a_restart_is_forgotten() {
    let mut events = Events::<Counts>::default();
    let row = events.add_row().unwrap();
    events.set_time(1_000_000);
    events.add(row, 500, 1, false);
    events.set_time(2_000_000);
    events.restart();
    events.add(row, 30, 2, false);
    let mut builder = ProfileBuilder::new(&VALUE_TYPES);
    let location = builder.location(None, 1, &[]);
    let profile = into_profile(events, builder, |_, out| out.push(location), RunSummary::default());
    assert_eq!(profile.values(0, 5), [30]);
    assert_eq!(profile.meta().runs[0].allocated, RunCount { objects: 1, bytes: 30 });
}
