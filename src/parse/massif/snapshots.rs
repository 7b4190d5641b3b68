//! Snapshots of a file, in order; trees stay text.

use super::super::error::{Position, Warning, WarningKind};
use super::super::lines::{Decimal, Line, Lines, Scan};
use super::super::problems::{self, Kind};
use crate::base::run_clock::RunClock;

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "massif";

/// A file as it is written.
#[derive(Clone, Debug, Default)]
pub struct MassifFile<'a> {
    /// Lines of the description: the recorder's arguments.
    pub description: Vec<&'a [u8]>,
    /// Command line that was recorded.
    pub command: &'a [u8],
    /// What times count: `i` instructions, `B` bytes, or a unit of time.
    pub time_unit: &'a [u8],
    /// The snapshots.
    pub snapshots: Vec<MassifSnapshot<'a>>,
    /// Problems, with the line of the first one.
    pub(super) problems: Problems,
    /// Number of lines.
    pub(super) n_lines: usize,
}

/// A state of memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct MassifSnapshot<'a> {
    /// Number, as it is written.
    pub number: i64,
    /// Time, as it is written.
    pub time: &'a [u8],
    /// Requested bytes in use.
    pub heap: i64,
    /// Bytes that the allocator needs beside them.
    pub extra: i64,
    /// Bytes of stacks.
    pub stacks: i64,
    /// Stacks of the memory in use.
    pub tree: Option<MassifTree<'a>>,
    /// The recorder took it for the peak.
    pub is_peak: bool,
}

/// A tree of stacks: a line for each node, in preorder.
#[derive(Clone, Copy, Debug)]
pub struct MassifTree<'a> {
    /// The lines.
    pub text: &'a [u8],
    /// Number of the first line.
    pub(super) first_line: usize,
    /// The file ends with it.
    pub(super) is_last: bool,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A line that is none of the format's.
    Line,
    /// A number that is none, or too large.
    Number,
    /// A snapshot without all of its lines.
    Snapshot,
    /// The file ends in a snapshot.
    CutSnapshot,
    /// A tree with nodes that do not belong together.
    Tree,
    /// The file ends in a tree.
    CutTree,
    /// More bytes below a node than it has.
    Sum,
}

/// Problems so far.
pub(super) type Problems = problems::Problems<Problem>;

impl Kind for Problem {
    const FORMAT: &'static str = NAME;
    const ALL: &'static [(Problem, &'static str)] = &[
        (Problem::Line, "lines that belong to no snapshot were skipped"),
        (Problem::Number, "numbers that are none, or too large, were read as 0 or as the largest number"),
        (Problem::Snapshot, "snapshots that lack lines were left out"),
        (Problem::CutSnapshot, "the file is truncated in a snapshot, which was left out"),
        (Problem::Tree, "trees are damaged; their rest is in the frame `[stack unknown]`"),
        (Problem::CutTree, "the file is truncated in a tree; its rest is in the frame `[stack unknown]`"),
        (Problem::Sum, "nodes have less memory than the nodes below them, or the snapshot's total; numbers may be wrong"),
    ];

    fn warning(self, what: &'static str, count: usize) -> WarningKind {
        match self {
            Problem::CutSnapshot | Problem::CutTree => WarningKind::CutTables { container: "", what },
            _ => WarningKind::Lines { what, count },
        }
    }

    fn position(at: usize) -> Option<Position> {
        Some(Position::Line(at))
    }
}

/// Values of a snapshot that must be there.
const TIME: u8 = 1;
const HEAP: u8 = 2;

impl<'a> MassifFile<'a> {
    pub(super) fn new(text: &'a [u8], first_line: usize) -> Self {
        let mut file = MassifFile::default();
        let mut lines = Lines::new(text, first_line);
        // The snapshot whose lines are read, and which it has.
        let mut open: Option<(MassifSnapshot<'a>, u8, usize)> = None;
        while let Some(line) = lines.next() {
            file.n_lines = line.number;
            let Line { bytes, number, .. } = line;
            if bytes.first() == Some(&b'#') || bytes.trim_ascii().is_empty() {
                continue;
            }
            let value = |name: &[u8]| bytes.strip_prefix(name).map(<[u8]>::trim_ascii);
            if let Some(value) = value(b"snapshot=") {
                if let Some((.., line)) = open {
                    file.problems.add(Problem::Snapshot, line);
                }
                let snapshot = MassifSnapshot { number: file.number(value, number), ..MassifSnapshot::default() };
                open = Some((snapshot, 0, number));
                continue;
            }
            let Some((snapshot, has, start)) = &mut open else {
                match (value(b"desc:"), value(b"cmd:"), value(b"time_unit:")) {
                    (Some(value), ..) if file.snapshots.is_empty() => file.description.push(value),
                    (_, Some(value), _) if file.snapshots.is_empty() => file.command = value,
                    (.., Some(value)) if file.snapshots.is_empty() => file.time_unit = value,
                    _ => file.problems.add(Problem::Line, number),
                }
                continue;
            };
            if let Some(value) = value(b"time=") {
                snapshot.time = value;
                *has |= TIME;
            } else if let Some(value) = value(b"mem_heap_B=") {
                snapshot.heap = file.number(value, number);
                *has |= HEAP;
            } else if let Some(value) = value(b"mem_heap_extra_B=") {
                snapshot.extra = file.number(value, number);
            } else if let Some(value) = value(b"mem_stacks_B=") {
                snapshot.stacks = file.number(value, number);
            } else if let Some(kind) = value(b"heap_tree=") {
                match kind {
                    b"detailed" | b"peak" => {
                        snapshot.tree = Some(tree(&mut lines));
                        snapshot.is_peak = kind == b"peak";
                        file.n_lines = lines.next_number() - 1;
                    }
                    // The file may end here.
                    _ if kind != b"empty" => file.problems.add(Problem::Line, number),
                    _ => {}
                }
                if *has == TIME | HEAP {
                    file.snapshots.push(*snapshot);
                } else {
                    file.problems.add(Problem::Snapshot, *start);
                }
                open = None;
            } else {
                // The last line may be cut off.
                file.problems.add(if line.ended { Problem::Line } else { Problem::CutSnapshot }, number);
            }
        }
        if let Some((.., line)) = open {
            file.problems.add(Problem::CutSnapshot, line);
        }
        file
    }

    /// What is wrong with the file.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        self.problems.warnings()
    }

    fn number(&mut self, text: &[u8], line: usize) -> i64 {
        let mut scan = Scan::new(text);
        let number = scan.decimal().filter(|_| scan.rest().is_empty());
        if !matches!(number, Some(Decimal::Fits(0..))) {
            self.problems.add(Problem::Number, line);
        }
        number.map_or(0, |number| number.saturated().max(0))
    }

    /// What times count, and how much of it the file's unit is; `None`: unknown.
    pub(super) fn clock(&self) -> Option<(RunClock, i64)> {
        Some(match self.time_unit {
            b"i" => (RunClock::Instructions, 1),
            b"B" => (RunClock::AllocatedBytes, 1),
            b"ms" => (RunClock::Time, 1_000_000),
            b"s" => (RunClock::Time, 1_000_000_000),
            b"us" => (RunClock::Time, 1000),
            b"ns" => (RunClock::Time, 1),
            _ => return None,
        })
    }
}

/// The lines up to the next snapshot.
fn tree<'a>(lines: &mut Lines<'a>) -> MassifTree<'a> {
    let (start, first_line) = (lines.rest(), lines.next_number());
    let mut after = lines.clone();
    while let Some(line) = after.next() {
        if !matches!(line.bytes.first(), Some(b' ' | b'n')) {
            break;
        }
        *lines = after.clone();
    }
    MassifTree { text: &start[..start.len() - lines.rest().len()], first_line, is_last: lines.rest().is_empty() }
}

impl MassifSnapshot<'_> {
    /// All bytes that are known.
    pub fn total(&self) -> i64 {
        self.heap.saturating_add(self.extra).saturating_add(self.stacks)
    }

    /// The time in parts of its unit, `size` of which it is: decimals are read. 0 if it is no number.
    pub fn at(&self, size: i64) -> i64 {
        let (whole, decimals) = match self.time.iter().position(|byte| *byte == b'.') {
            Some(point) => (&self.time[..point], &self.time[point + 1..]),
            None => (self.time, &b""[..]),
        };
        let whole = Scan::new(whole).decimal().map_or(0, Decimal::saturated).max(0);
        let digits = decimals.iter().take_while(|digit| digit.is_ascii_digit());
        let (part, _) = digits.fold((0, size), |(sum, size), digit| (sum + i64::from(digit - b'0') * (size / 10), size / 10));
        whole.saturating_mul(size).saturating_add(part)
    }
}
