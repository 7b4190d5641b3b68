//! `heap_v2/PERIOD` text: jemalloc 4 and later.
//!
//! ```text
//! heap_v2/524288
//!   t*: 3: 300 [0: 0]
//!   t0: 1: 100 [0: 0] main
//!   t1: 2: 200 [0: 0] a: name [1: 2]
//! @ 0x401234 0x401567
//!   t*: 3: 300 [0: 0]
//!   t0: 1: 100 [0: 0]
//!   t1: 2: 200 [0: 0]
//!
//! The rows before the first stack are totals and name the threads. `t*` is a stack's total over its threads: it is un-sampled by
//! itself (the sum of scaled rows is not the scaled sum), and divided among the rows of the threads, see `threads`. The numbers
//! of jemalloc 5.3 and later are adjusted so that this scaling gives the right result (`prof_do_unbias` in `src/prof_data.c`).
//! The totals in headers are never scaled.
//!
//! The rows before the first stack are sums and name the threads. `t*` is a stack's
//! sum over its threads: it is scaled by itself (the sum of scaled rows is not the
//! scaled sum), and the threads' rows share it out, see `threads`. The numbers of
//! jemalloc 5.3 and later are chosen so that this scaling gives the right result
//! (`prof_do_unbias` in `src/prof_data.c`). The headers' sums are never scaled.

use super::addresses::Addresses;
use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind, excerpt};
use super::heap_row::{self, AddressList};
use super::input::Input;
use super::lines::{Decimal, Line, Lines, Scan, find};
use super::mappings::Mappings;
use super::threads::share_out;
use super::unsample::{Sampling, sampled_every};
use super::{Parsed, Threads, drop_frames, maps};
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StrId};
use crate::profile::{Label, LabelValue, ProfileBuilder};

/// The format's name in messages.
pub(super) const NAME: &str = "jemalloc";

const HEADING: &[u8] = b"heap_v2/";
const MAP_HEADING: &[u8] = b"MAPPED_LIBRARIES:";

/// Returns whether the first line is a header.
pub(super) fn sniff(head: &[u8]) -> bool {
    head.starts_with(HEADING)
}

/// Objects and bytes in use, objects and bytes allocated.
type Counts = [i64; 4];

/// Reads the text.
///
/// # Errors
/// When the first line gives no sampling period. Lines that are not part of the
/// format are skipped, as jeprof skips them.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let mut lines = Lines::new(input.text, input.first_line);
    let line = lines.find(|l| !l.bytes.trim_ascii().is_empty());
    let line = line.unwrap_or(Line { bytes: b"", number: 1, ended: false });
    let at = Some(Position::Line(line.number));
    let mut scan = Scan::new(line.bytes);
    let period = match scan.eat_word(HEADING).and_then(|()| scan.decimal()) {
        Some(Decimal::Fits(period)) if period >= 0 => period,
        Some(_) => {
            let kind = ErrorKind::Number { what: "the sampling period", found: excerpt(line.bytes) };
            return Err(ParseError { format: NAME, kind, at });
        }
        None => {
            let kind = ErrorKind::Line { expected: "`heap_v2/` and the sampling period", found: excerpt(line.bytes) };
            return Err(ParseError { format: NAME, kind, at });
        }
    };
    let (rows, map) = split_at_map(lines.rest());
    let mappings = Mappings::new(&maps::parse(map.unwrap_or_default()));
    let has_alloc = has_allocations(rows);
    let mut builder = ProfileBuilder::new(if has_alloc { &heap_row::VALUE_TYPES } else { &heap_row::VALUE_TYPES[2..] });
    builder.bound_by_input(input.text.len());
    let mut reader = Blocks {
        sampling: Sampling::Rounded(period.unsigned_abs()),
        has_alloc,
        apart: input.threads == Threads::Apart,
        parts: input.parts,
        addresses: Addresses::new(mappings, input.symbols),
        bytes_key: builder.string("bytes"),
        thread_key: builder.string("thread"),
        threads: HashMap::default(),
        stack: Vec::new(),
        block: None,
        spare: Vec::new(),
        problems: Problems::default(),
        builder,
    };
    reader.problems.warnings.extend(input.warning(NAME));
    reader.read(Lines::new(rows, lines.next_number()), map.is_some());

    let Blocks { mut builder, addresses, problems, .. } = reader;
    addresses.finish(&mut builder);
    let meta = builder.meta();
    meta.period_type = Some(crate::profile::ValueType::new("space", "bytes"));
    meta.period = period;
    meta.drop_frames = drop_frames::of_jemalloc();
    builder.dump().period = sampled_every(period);
    Ok(Parsed { profile: builder.build(), format: NAME, warnings: problems.finish() })
}

/// Rows, and what follows the heading of the memory map, which has a line of its own.
fn split_at_map(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut from = 0;
    while let Some(at) = find(&text[from..], MAP_HEADING, 0).map(|i| from + i) {
        if at == 0 || text[at - 1] == b'\n' {
            return (&text[..at], Some(&text[at + MAP_HEADING.len()..]));
        }
        from = at + 1;
    }
    (text, None)
}

/// Returns whether any row counts allocations (`prof_accum`). Thread names, which may hold
/// anything, come before the first stack only.
fn has_allocations(rows: &[u8]) -> bool {
    let mut lines = Lines::new(rows, 1);
    let mut stacks = rows;
    for line in lines.clone() {
        if line.bytes.starts_with(b"@") {
            break;
        }
        if let Some((_, counts, _)) = row(line.bytes, &mut 0)
            && (counts[2] != 0 || counts[3] != 0)
        {
            return true;
        }
        lines.next();
        stacks = lines.rest();
    }
    while let Some(at) = find(stacks, b"[", 0) {
        stacks = &stacks[at..];
        if !stacks.starts_with(b"[0: 0]") {
            let mut scan = Scan::new(&stacks[1..]);
            let zero = |n: Option<Decimal>| matches!(n, None | Some(Decimal::Fits(0)));
            if !zero(scan.decimal()) || !zero(scan.eat(b':').and_then(|()| scan.decimal())) {
                return true;
            }
        }
        // One pair a line; thread names have no place here but may hold anything.
        let end = stacks.iter().position(|&b| b == b'\n').unwrap_or(stacks.len() - 1);
        stacks = &stacks[end + 1..];
    }
    false
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    All,
    One(u64),
}

/// `t3: 1: 100 [2: 200] …`: thread, numbers, and what follows. Adds the numbers that
/// had to be made smaller to `saturated`.
#[inline]
fn row<'a>(line: &'a [u8], saturated: &mut usize) -> Option<(Thread, Counts, &'a [u8])> {
    let mut scan = Scan::new(line);
    scan.eat(b't')?;
    let thread = match scan.rest().first()? {
        b'*' => {
            scan.eat(b'*')?;
            Thread::All
        }
        b'0'..=b'9' => match scan.decimal()? {
            Decimal::Fits(n) => Thread::One(n.unsigned_abs()),
            Decimal::TooBig(_) => Thread::One(u64::MAX),
        },
        _ => return None,
    };
    scan.eat(b':')?;
    let counts = heap_row::counts(&mut scan)?.map(|n| {
        *saturated += usize::from(matches!(n, Decimal::TooBig(_)));
        n.saturated()
    });
    Some((thread, counts, scan.rest()))
}

/// A stack and its rows.
struct Block {
    line: usize,
    total: Option<Counts>,
    threads: Vec<(u64, Counts)>,
}

/// Reads blocks into a builder.
struct Blocks<'a> {
    sampling: Sampling,
    has_alloc: bool,
    /// Threads' rows represent themselves.
    apart: bool,
    parts: i64,
    addresses: Addresses<'a>,
    bytes_key: StrId,
    thread_key: StrId,
    /// Thread → its label value.
    threads: HashMap<u64, StrId>,
    /// The stack of the open block, leaf first.
    stack: Vec<LocationId>,
    /// The open block; none before the first stack.
    block: Option<Block>,
    /// The rows of the block before, to use its memory again.
    spare: Vec<(u64, Counts)>,
    builder: ProfileBuilder,
    problems: Problems,
}

impl Blocks<'_> {
    fn read(&mut self, lines: Lines<'_>, has_map: bool) {
        for line in lines {
            let is_last = !line.ended && !has_map;
            if is_last {
                self.problems.warn(WarningKind::CutLine, line.number);
            }
            match line.bytes {
                // No numbers follow.
                [b'@', ..] if is_last => self.flush(),
                [b'@', addresses @ ..] => self.open(addresses, line.number),
                [] => {}
                text if text.starts_with(HEADING) => {
                    self.problems.warn(WarningKind::SecondDump, line.number);
                    break;
                }
                text => {
                    let mut saturated = 0;
                    match row(text, &mut saturated) {
                        Some((thread, counts, rest)) => self.row(thread, counts, rest),
                        None if is_last || text.trim_ascii().is_empty() => {}
                        None => self.problems.skipped.add(1, line.number),
                    }
                    self.problems.saturated.add(saturated, line.number);
                }
            }
        }
        self.flush();
    }

    fn open(&mut self, addresses: &[u8], line: usize) {
        self.flush();
        let mut threads = std::mem::take(&mut self.spare);
        threads.clear();
        self.block = Some(Block { line, total: None, threads });
        self.stack.clear();
        for address in AddressList::new(addresses) {
            match address.value {
                Some(value) => self.stack.push(self.addresses.location(&mut self.builder, value)),
                None => self.problems.skipped.add(1, line),
            }
        }
    }

    fn row(&mut self, thread: Thread, counts: Counts, rest: &[u8]) {
        match (&mut self.block, thread) {
            (Some(block), Thread::All) => {
                let total = block.total.get_or_insert([0; 4]);
                *total = added(*total, counts);
            }
            (Some(block), Thread::One(id)) => block.threads.push((id, counts)),
            (None, Thread::All) => {}
            (None, Thread::One(id)) => {
                let name = rest.trim_ascii();
                if !name.is_empty() && !self.apart {
                    let name = self.builder.string(&String::from_utf8_lossy(name));
                    self.threads.entry(id).or_insert(name);
                }
            }
        }
    }

    /// Ends the open block: its samples go to the builder.
    fn flush(&mut self) {
        let Some(block) = self.block.take() else { return };
        let sum = block.threads.iter().map(|(_, c)| *c).reduce(added);
        match block.total.or(sum) {
            Some(_) if self.apart => {
                for (id, counts) in &block.threads {
                    let values = self.unsample(*counts, block.line);
                    self.sample(Some(*id), *counts, values);
                }
            }
            None => self.problems.without_values.add(1, block.line),
            Some(total) => {
                let scaled = self.unsample(total, block.line);
                if let [(id, _)] = block.threads[..] {
                    self.sample(Some(id), total, scaled);
                } else {
                    let rows: Vec<[f64; 4]> = block.threads.iter().map(|(_, c)| self.unsample_row(*c, block.line)).collect();
                    let (shares, rest) = share_out(scaled, &rows);
                    for ((id, counts), share) in block.threads.iter().zip(shares) {
                        self.sample(Some(*id), *counts, share);
                    }
                    if rest != [0; 4] {
                        self.sample(None, total, rest);
                    }
                }
            }
        }
        self.spare = block.threads;
    }

    fn unsample(&mut self, counts: Counts, line: usize) -> Counts {
        let parts = self.parts;
        let mut pair = |objects: i64, bytes: i64| {
            if objects == 0 && bytes != 0 {
                self.problems.without_objects.add(1, line);
                return (0, bytes.saturating_mul(parts));
            }
            self.sampling.undo(objects, bytes, parts)
        };
        let (objects, bytes) = pair(counts[0], counts[1]);
        let (all_objects, all_bytes) = pair(counts[2], counts[3]);
        [objects, bytes, all_objects, all_bytes]
    }

    /// [`unsample`](Self::unsample) of a thread's row, before rounding.
    fn unsample_row(&mut self, counts: Counts, line: usize) -> [f64; 4] {
        let mut pair = |objects: i64, bytes: i64| {
            if objects == 0 && bytes != 0 {
                self.problems.without_objects.add(1, line);
                return (0.0, bytes as f64 * self.parts as f64);
            }
            self.sampling.undo_unrounded(objects, bytes, self.parts)
        };
        let (objects, bytes) = pair(counts[0], counts[1]);
        let (all_objects, all_bytes) = pair(counts[2], counts[3]);
        [objects, bytes, all_objects, all_bytes]
    }

    /// Adds a sample. `written` gives the mean size.
    fn sample(&mut self, thread: Option<u64>, written: Counts, values: Counts) {
        let mean = |objects: i64, bytes: i64| bytes.checked_div(objects);
        let mean = mean(written[0], written[1]).or_else(|| mean(written[2], written[3])).unwrap_or(0);
        let bytes = Label { key: self.bytes_key, value: LabelValue::Number(mean, StrId(0)) };
        let labels = match thread {
            None => self.builder.label_set(&[bytes]),
            Some(id) => {
                let Self { threads, builder, .. } = self;
                let text = *threads.entry(id).or_insert_with(|| builder.string(&format!("t{id}")));
                builder.label_set(&[bytes, Label { key: self.thread_key, value: LabelValue::Text(text) }])
            }
        };
        let [objects, bytes, all_objects, all_bytes] = values;
        match self.has_alloc {
            true => self.builder.sample(&self.stack, labels, &[all_objects, all_bytes, objects, bytes]),
            false => self.builder.sample(&self.stack, labels, &[objects, bytes]),
        }
    }
}

fn added(a: Counts, b: Counts) -> Counts {
    std::array::from_fn(|i| a[i].saturating_add(b[i]))
}

/// Counts of warnings.
#[derive(Default)]
struct Problems {
    skipped: Tally,
    saturated: Tally,
    without_values: Tally,
    without_objects: Tally,
    warnings: Vec<Warning>,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    count: usize,
    first_line: usize,
}

impl Tally {
    fn add(&mut self, count: usize, line: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += count;
    }
}

impl Problems {
    fn warn(&mut self, kind: WarningKind, line: usize) {
        self.warnings.push(Warning { format: NAME, kind, at: Some(Position::Line(line)) });
    }

    fn finish(mut self) -> Vec<Warning> {
        let (skipped, saturated) = (self.skipped, self.saturated);
        let (without_values, without_objects) = (self.without_values, self.without_objects);
        for (tally, kind) in [
            (skipped, WarningKind::SkippedLines { count: skipped.count }),
            (saturated, WarningKind::Saturated { count: saturated.count }),
            (without_values, WarningKind::StacksWithoutValues { count: without_values.count }),
            (without_objects, WarningKind::BytesWithoutObjects { count: without_objects.count }),
        ] {
            if tally.count > 0 {
                self.warn(kind, tally.first_line);
            }
        }
        self.warnings
    }
}

#[cfg(test)]
#[path = "jemalloc_tests.rs"]
mod tests;
