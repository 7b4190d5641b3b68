//! Rows of heap text: gperftools' variant, or jemalloc's if there are threads.

use std::io::{self, Write};

use super::addresses::Addresses;
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{StackId, StrId};
use crate::base::plain::one_line;
use crate::profile::{LabelValue, Profile};

/// Row → objects and bytes in use, objects and bytes allocated.
pub(super) struct Columns {
    rows: Vec<[i64; 4]>,
}

fn added(a: [i64; 4], b: [i64; 4]) -> [i64; 4] {
    std::array::from_fn(|i| a[i].saturating_add(b[i]))
}

impl Columns {
    /// `None` when there are no objects and bytes.
    pub(super) fn new(profile: &Profile) -> Option<Self> {
        let types = profile.value_types();
        let column = |names: [&str; 2], unit: &str| {
            let at = names.iter().find_map(|name| types.iter().position(|t| t.kind == *name && t.unit.eq_ignore_ascii_case(unit)))?;
            Some(crate::export::summed(profile, at))
        };
        let objects = column(["inuse_objects", "objects"], "count")?;
        let bytes = column(["inuse_space", "space"], "bytes")?;
        let allocated = column(["alloc_objects"; 2], "count").zip(column(["alloc_space"; 2], "bytes"));
        // Without allocations of their own, gperftools writes those in use again.
        let rows = (0..objects.len()).map(|row| {
            let (all_objects, all_bytes) = allocated.as_ref().map_or((objects[row], bytes[row]), |(o, b)| (o[row], b[row]));
            [objects[row], bytes[row], all_objects, all_bytes]
        });
        Some(Columns { rows: rows.collect() })
    }

    /// Writes header and rows.
    pub(super) fn write(&self, profile: &Profile, addresses: &Addresses, out: &mut dyn Write) -> io::Result<()> {
        let threads = Threads::new(profile);
        // gperftools' form has no bytes without objects.
        let plain = self.rows.iter().all(|r| (r[0] != 0 || r[1] == 0) && (r[2] != 0 || r[3] == 0));
        match threads.order.is_empty() && plain {
            true => self.gperftools(profile, addresses, out),
            false => self.jemalloc(profile, &threads, addresses, out),
        }
    }

    fn gperftools(&self, profile: &Profile, addresses: &Addresses, out: &mut dyn Write) -> io::Result<()> {
        let [n, b, all_n, all_b] = self.rows.iter().copied().fold([0; 4], added);
        writeln!(out, "heap profile: {n:>6}: {b:>8} [{all_n:>6}: {all_b:>8}] @ heapprofile")?;
        for ([n, b, all_n, all_b], &stack) in self.rows.iter().zip(&profile.samples().stack) {
            write!(out, "{n:>6}: {b:>8} [{all_n:>6}: {all_b:>8}] @")?;
            self::stack(profile, stack, addresses, out)?;
        }
        Ok(())
    }

    fn jemalloc(&self, profile: &Profile, threads: &Threads, addresses: &Addresses, out: &mut dyn Write) -> io::Result<()> {
        // Without allocations of their own, jemalloc writes none.
        let has_alloc = profile.value_types().iter().any(|t| t.kind.starts_with("alloc_"));
        let counts = |[n, b, all_n, all_b]: [i64; 4]| {
            let (all_n, all_b) = if has_alloc { (all_n, all_b) } else { (0, 0) };
            format!("{n}: {b} [{all_n}: {all_b}]")
        };
        let sum = |rows: &[usize]| rows.iter().fold([0; 4], |sum, &row| added(sum, self.rows[row]));
        let all: Vec<usize> = (0..self.rows.len()).collect();
        writeln!(out, "heap_v2/1\n  t*: {}", counts(sum(&all)))?;
        let mut of_thread: HashMap<u64, Vec<usize>> = HashMap::default();
        all.iter().filter_map(|&row| Some((threads.of_row[row]?, row))).for_each(|(t, row)| of_thread.entry(t).or_default().push(row));
        for (number, name) in &threads.order {
            let rows = of_thread.get(number).map_or(&[][..], Vec::as_slice);
            let name = if name.is_empty() { String::new() } else { format!(" {}", one_line(name)) };
            writeln!(out, "  t{number}: {}{name}", counts(sum(rows)))?;
        }
        for (stack, rows) in self.blocks(profile, threads) {
            write!(out, "@")?;
            self::stack(profile, stack, addresses, out)?;
            writeln!(out, "  t*: {}", counts(sum(&rows)))?;
            for (number, row) in rows.iter().filter_map(|&row| Some((threads.of_row[row]?, row))) {
                writeln!(out, "  t{number}: {}", counts(self.rows[row]))?;
            }
        }
        Ok(())
    }

    /// Rows by stack, in the order of the first of each; those of no thread for themselves,
    /// so that no thread gets a share of them.
    fn blocks(&self, profile: &Profile, threads: &Threads) -> Vec<(StackId, Vec<usize>)> {
        let mut blocks: Vec<(StackId, Vec<usize>)> = Vec::new();
        let mut known: HashMap<StackId, usize> = HashMap::default();
        for (row, &stack) in profile.samples().stack.iter().enumerate() {
            match threads.of_row[row] {
                None => blocks.push((stack, vec![row])),
                Some(_) => {
                    let block = *known.entry(stack).or_insert_with(|| {
                        blocks.push((stack, Vec::new()));
                        blocks.len() - 1
                    });
                    blocks[block].1.push(row);
                }
            }
        }
        blocks
    }
}

/// Addresses after the `@`, leaf first, to the end of the line.
fn stack(profile: &Profile, stack: StackId, addresses: &Addresses, out: &mut dyn Write) -> io::Result<()> {
    for location in profile.locations(stack) {
        write!(out, " {:#x}", addresses.of(location))?;
    }
    writeln!(out)
}

/// Threads by number.
struct Threads {
    /// Number and name (empty: it has none), in the order of their first rows.
    order: Vec<(u64, String)>,
    /// Row → number.
    of_row: Vec<Option<u64>>,
}

impl Threads {
    fn new(profile: &Profile) -> Self {
        let samples = profile.samples();
        let label = |row: usize| {
            let labels = profile.labels().get(samples.labels[row]);
            labels.iter().find_map(|l| match l.value {
                LabelValue::Text(text) if profile.text(l.key) == "thread" => Some(text),
                _ => None,
            })
        };
        let of_row: Vec<Option<StrId>> = (0..samples.len()).map(label).collect();
        let mut seen = HashSet::default();
        let texts: Vec<StrId> = of_row.iter().flatten().copied().filter(|&text| seen.insert(text)).collect();
        // `t3` is what a thread without a name is called.
        let own = |text: StrId| profile.text(text).strip_prefix('t').filter(|d| !d.starts_with('0') || *d == "0")?.parse::<u64>().ok();
        let taken: HashSet<u64> = texts.iter().filter_map(|&text| own(text)).collect();
        let mut free = (0..).filter(|n| !taken.contains(n));
        let mut numbers: HashMap<StrId, u64> = HashMap::default();
        let mut order = Vec::new();
        for text in texts {
            let (number, name) = match own(text) {
                Some(number) => (number, String::new()),
                None => (free.next().unwrap_or(u64::MAX), profile.text(text).to_owned()),
            };
            numbers.insert(text, number);
            order.push((number, name));
        }
        Threads { order, of_row: of_row.into_iter().map(|text| numbers.get(&text?).copied()).collect() }
    }
}
