//! Blocks to rows of the event core: by stack, class of sizes, pool, thread and zone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::memory::{Block, Memory};
use super::problems::{Problem, Problems};
use super::spans::Paths;
use super::stacks::Stacks;
use super::tables::{Place, Tables};
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StrId};
use crate::base::size_class::class_of;
use crate::parse::events::{Events, Lifetimes, Sizes};
use crate::parse::options::KeepEvents;
use crate::profile::{Function, Label, LabelValue, Line, ProfileBuilder};

/// Most rows.
const MOST_ROWS: usize = 1 << 21;
/// Source location of zones that have none.
const NO_PLACE: i16 = i16::MAX;

/// What a row has besides numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Number of the stack; 0: none, or none that is known.
    stack: u32,
    pool: u16,
    /// Without a stack: zones it was allocated in.
    zones: u32,
}

/// Pool, thread, name of the zone.
type Group = (u16, u16, StrId);

/// Consumes blocks.
pub(super) struct Rows<'a> {
    tables: &'a Tables,
    memory: &'a Memory,
    stacks: &'a Stacks,
    paths: &'a Paths,
    /// Zones → name of the innermost one, when it was asked for.
    zone_names: Vec<Option<StrId>>,
    rows: Vec<Row>,
    known: HashMap<(u32, usize, Group, u32), u32>,
    groups: HashMap<Group, u32>,
    /// Group → its labels.
    pub(super) labels: Vec<Vec<Label>>,
    /// Row → its group.
    pub(super) group_of_row: Vec<u32>,
    pub(super) events: Events,
    pub(super) lifetimes: Lifetimes,
    sizes: Sizes,
}

impl<'a> Rows<'a> {
    pub(super) fn new(tables: &'a Tables, memory: &'a Memory, stacks: &'a Stacks, paths: &'a Paths, keep: Option<&KeepEvents>) -> Self {
        Rows {
            tables,
            memory,
            stacks,
            paths,
            zone_names: Vec::new(),
            rows: Vec::new(),
            known: HashMap::default(),
            groups: HashMap::default(),
            labels: Vec::new(),
            group_of_row: Vec::new(),
            events: Events::new(keep),
            lifetimes: Lifetimes::default(),
            sizes: Sizes::default(),
        }
    }

    /// Consumes all blocks, which are in order of time, up to the end of the recording. O(n log blocks in use).
    pub(super) fn consume(&mut self, end: i64, builder: &mut ProfileBuilder, problems: &mut Problems) {
        let memory = self.memory;
        // Blocks in use by the time they are freed, the first one on top.
        let mut in_use: BinaryHeap<Reverse<(i64, u32, u32)>> = BinaryHeap::new();
        for (number, block) in (0..).zip(&memory.blocks) {
            self.free_until(block.at, &mut in_use);
            let Some(row) = self.row(block, builder) else {
                problems.add(Problem::TooMany, memory.start);
                continue;
            };
            self.events.set_time(block.at);
            self.events.add(row, block.size, number.into(), false);
            self.sizes.add(block.size, 1);
            if block.freed_at <= end {
                in_use.push(Reverse((block.freed_at, number, row)));
            } else {
                self.lifetimes.add_never_freed(row, block.size, end - block.at);
            }
        }
        self.free_until(end, &mut in_use);
        self.events.set_time(end);
    }

    /// Frees the blocks that are freed up to this time.
    fn free_until(&mut self, time: i64, in_use: &mut BinaryHeap<Reverse<(i64, u32, u32)>>) {
        while let Some(Reverse((at, number, row))) = in_use.peek().copied().filter(|Reverse((at, ..))| *at <= time) {
            in_use.pop();
            let Some(block) = self.memory.blocks.get(number as usize) else { continue };
            self.events.set_time(at);
            self.events.add(row, block.size, number.into(), true);
            self.lifetimes.add_freed(row, block.size, at - block.at);
        }
    }

    fn row(&mut self, block: &Block, builder: &mut ProfileBuilder) -> Option<u32> {
        let is_known = self.stacks.is_known(block.stack);
        let zone = self.zone_name(block.zones, builder);
        let row = match is_known {
            true => Row { stack: block.stack, pool: block.pool, zones: 0 },
            false => Row { stack: 0, pool: block.pool, zones: block.zones },
        };
        let group = (block.pool, block.thread, zone);
        let class = class_of(i64::try_from(block.size).unwrap_or(i64::MAX));
        let key = (row.stack, class, group, row.zones);
        if let Some(row) = self.known.get(&key) {
            return Some(*row);
        }
        if self.rows.len() >= MOST_ROWS {
            return None;
        }
        let number = self.events.add_row()?;
        self.lifetimes.add_row();
        self.rows.push(row);
        self.known.insert(key, number);
        let group = self.group(group, builder);
        self.group_of_row.push(group);
        Some(number)
    }

    fn group(&mut self, group: Group, builder: &mut ProfileBuilder) -> u32 {
        if let Some(number) = self.groups.get(&group) {
            return *number;
        }
        let (pool, thread, zone) = group;
        let thread = self.tables.threads.get(usize::from(thread)).map(|thread| {
            let name = self.tables.thread_names.get(thread).and_then(|name| self.tables.texts.get(*name));
            name.map_or_else(|| format!("thread {thread}"), |name| String::from_utf8_lossy(name).into_owned())
        });
        let pool = self.pool_name(pool);
        let texts = [("pool", Some(builder.string(&pool))), ("thread", thread.map(|name| builder.string(&name)))];
        let texts = texts.into_iter().chain([("zone", Some(zone).filter(|zone| *zone != StrId(0)))]);
        let labels = texts.filter_map(|(key, text)| Some(Label { key: builder.string(key), value: LabelValue::Text(text?) }));
        self.labels.push(labels.collect());
        let number = self.labels.len() as u32 - 1;
        self.groups.insert(group, number);
        number
    }

    fn pool_name(&self, pool: u16) -> String {
        match self.memory.pools.get(usize::from(pool)).copied().unwrap_or(0) {
            0 => "default".to_owned(),
            address => {
                let name = self.tables.literals.get(&address).and_then(|name| self.tables.texts.get(*name));
                name.map_or_else(|| format!("pool at {address:#x}"), |name| String::from_utf8_lossy(name).into_owned())
            }
        }
    }

    /// Name of the innermost zone; empty without one.
    fn zone_name(&mut self, zones: u32, builder: &mut ProfileBuilder) -> StrId {
        if let Some(Some(name)) = self.zone_names.get(zones as usize) {
            return *name;
        }
        let path = self.paths.get(zones).filter(|path| path.place != NO_PLACE);
        let name = path.map_or(StrId(0), |path| {
            let place = self.tables.place(path.place).unwrap_or_default();
            let name = self.text(place.name).or_else(|| self.text(place.function)).unwrap_or_else(|| format!("zone {}", path.place));
            builder.string(&name)
        });
        if self.zone_names.len() <= zones as usize {
            self.zone_names.resize(zones as usize + 1, None);
        }
        self.zone_names[zones as usize] = Some(name);
        name
    }

    fn text(&self, number: Option<u32>) -> Option<String> {
        let text = self.tables.texts.get(number?)?;
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Requested sizes, ascending, with the number of allocations.
    pub(super) fn sizes(&mut self) -> Vec<(u64, u64)> {
        std::mem::take(&mut self.sizes).into_list()
    }

    /// Locations for rows without a stack, if there are any. O(pools + zones).
    pub(super) fn stand_ins(&mut self, builder: &mut ProfileBuilder) -> StandIns {
        if self.rows.iter().all(|row| row.stack != 0) {
            return StandIns::default();
        }
        let pools = 0..self.memory.pools.len();
        let pools = pools.map(|pool| {
            let name = format!("[pool {}]", self.pool_name(pool as u16));
            made_up(&name, Place::default(), StrId(0), builder)
        });
        let pools = pools.collect();
        let zones = (1..=self.paths.len()).map(|zone| {
            let name = self.zone_name(zone, builder);
            let place = self.paths.get(zone).and_then(|path| self.tables.place(path.place)).unwrap_or_default();
            let file = self.text(place.file).map_or(StrId(0), |file| builder.string(&file));
            let name = format!("[zone {}]", builder.text(name));
            made_up(&name, place, file, builder)
        });
        StandIns { pools, zones: zones.collect() }
    }

    /// The events, and rows.
    pub(super) fn into_parts(self) -> (Events, Lifetimes, Vec<Row>, Vec<u32>, Vec<Vec<Label>>) {
        (self.events, self.lifetimes, self.rows, self.group_of_row, self.labels)
    }
}

/// Locations for pools, and for zones by number of their path, from 1.
#[derive(Default)]
pub(super) struct StandIns {
    pools: Vec<LocationId>,
    zones: Vec<LocationId>,
}

impl Row {
    /// Appends the locations, leaf first: without a stack the pool, and the zones it was allocated in.
    pub(super) fn locations(self, stacks: &Stacks, stand_ins: &StandIns, paths: &Paths, out: &mut Vec<LocationId>) {
        if self.stack != 0 {
            return out.extend(stacks.locations(self.stack));
        }
        out.extend(stand_ins.pools.get(usize::from(self.pool)));
        let mut zone = self.zones;
        while let Some(path) = paths.get(zone) {
            let location = stand_ins.zones.get(zone as usize - 1).filter(|_| path.place != NO_PLACE);
            out.extend(location);
            zone = path.outside;
        }
    }
}

/// A location that is no code.
fn made_up(name: &str, place: Place, filename: StrId, builder: &mut ProfileBuilder) -> LocationId {
    let name = builder.string(name);
    let function = Some(builder.function(Function { name, filename, ..Function::default() }));
    builder.location(None, 0, &[Line { function, line: place.line.into(), column: 0 }])
}
