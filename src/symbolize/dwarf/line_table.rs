//! Line table: source places of addresses.

use gimli::{Reader, UnitRef};

use super::gimli_reader::Window;
use super::line_program::{Event, Machine, Row};
use super::unit_opener::Opener;

/// The places of `addresses` (sorted), by running the unit's program once, up to where
/// all are known. Code below `lowest` was dropped by the linker.
pub(super) fn places(unit: UnitRef<'_, Window<'_>>, addresses: &[u64], lowest: u64, opener: &Opener) -> Vec<Option<Row>> {
    let mut places = Places { addresses, found: vec![None; addresses.len()], n_left: addresses.len(), next: 0, before: None };
    if let Some(program) = &unit.line_program
        && opener.take_lines(program.header().raw_program_buf().len())
        && let Ok(bytes) = program.header().raw_program_buf().bytes()
        && let Some(mut machine) = Machine::of(program.header(), &bytes, lowest)
    {
        while places.n_left > 0
            && let Some(event) = machine.next()
        {
            places.see(event);
        }
    }
    places.found
}

/// Rows found so far for the requested addresses.
struct Places<'x> {
    addresses: &'x [u64],
    /// The first row that covers each.
    found: Vec<Option<Row>>,
    n_left: usize,
    /// Number of the first address at or after the last row.
    next: usize,
    /// The last row of this sequence.
    before: Option<(u64, Row)>,
}

impl Places<'_> {
    #[inline]
    fn see(&mut self, event: Event) {
        match event {
            Event::Row(address, row) => {
                self.cover(address);
                self.before = Some((address, row));
            }
            Event::End(address) => {
                self.cover(address);
                self.before = None;
            }
        }
    }

    /// The last row covers everything up to `end`.
    #[inline]
    fn cover(&mut self, end: u64) {
        let Some((start, row)) = self.before.filter(|(start, _)| *start < end) else {
            self.next = self.addresses.partition_point(|&a| a < end);
            return;
        };
        if self.next > 0 && self.addresses[self.next - 1] >= start {
            self.next = self.addresses.partition_point(|&a| a < start);
        }
        while let Some(address) = self.addresses.get(self.next).filter(|a| **a < end) {
            if *address >= start && self.found[self.next].is_none() {
                self.found[self.next] = Some(row);
                self.n_left -= 1;
            }
            self.next += 1;
        }
    }
}

/// Start and end of each sequence of the unit's program, but for those below `lowest`.
pub(super) fn sequences(unit: UnitRef<'_, Window<'_>>, lowest: u64, opener: &Opener) -> Vec<(u64, u64)> {
    let mut sequences = Vec::new();
    let Some(program) = &unit.line_program else { return sequences };
    if !opener.take_lines(program.header().raw_program_buf().len()) {
        return sequences;
    }
    let Ok(bytes) = program.header().raw_program_buf().bytes() else { return sequences };
    let Some(mut machine) = Machine::of(program.header(), &bytes, lowest) else { return sequences };
    let mut start = None;
    while let Some(event) = machine.next() {
        match event {
            Event::Row(address, _) => _ = start.get_or_insert(address),
            Event::End(end) => sequences.extend(start.take().filter(|start| *start < end).map(|start| (start, end))),
        }
    }
    sequences
}

/// The path of a file: compilation folder, folder, name, as far as each is relative.
pub(super) fn path(unit: UnitRef<'_, Window<'_>>, file: u64) -> String {
    let Some(program) = &unit.line_program else { return String::new() };
    let header = program.header();
    if file == 0 && header.version() < 5 {
        return String::new();
    }
    let Some(entry) = header.file(file) else { return String::new() };
    let text = |value| unit.attr_string(value).map_or_else(|_| String::new(), |s| s.text());
    let name = text(entry.path_name());
    if is_absolute(&name) {
        return name;
    }
    let mut path = String::new();
    // Folder 0 is the compilation folder before DWARF 5, too.
    if entry.directory_index() != 0 || header.version() >= 5 {
        path.push_str(&entry.directory(header).map(text).unwrap_or_default());
    }
    if !is_absolute(&path)
        && let Some(folder) = &unit.comp_dir
    {
        let mut whole = folder.text();
        push(&mut whole, &path);
        path = whole;
    }
    push(&mut path, &name);
    path
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1..3).is_some_and(|rest| rest[0] == b':' && matches!(rest[1], b'/' | b'\\'))
}

fn push(path: &mut String, part: &str) {
    if !path.is_empty() && !part.is_empty() && !path.ends_with(['/', '\\']) {
        path.push('/');
    }
    path.push_str(part);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Rows in any order: the first that covers an address is its place.
        #[test]
        fn every_address_gets_the_first_row_that_covers_it(
            starts in prop::collection::vec((0u64..40, prop::bool::weighted(0.2)), 0..30),
            addresses in prop::collection::btree_set(0u64..40, 0..20),
        ) {
            let addresses: Vec<u64> = addresses.into_iter().collect();
            let mut places = Places { addresses: &addresses, found: vec![None; addresses.len()], n_left: addresses.len(), next: 0, before: None };
            let mut expected = vec![None; addresses.len()];
            let mut before: Option<(u64, Row)> = None;
            for (i, &(at, is_end)) in starts.iter().enumerate() {
                let row = Row { file: 1, line: i as u64, column: 0 };
                if let Some((start, row)) = before {
                    for (k, _) in addresses.iter().enumerate().filter(|(_, a)| (start..at).contains(a)) {
                        expected[k].get_or_insert(row);
                    }
                }
                before = (!is_end).then_some((at, row));
                places.see(if is_end { Event::End(at) } else { Event::Row(at, row) });
            }
            prop_assert_eq!(places.n_left, expected.iter().filter(|e| e.is_none()).count());
            prop_assert_eq!(places.found, expected);
        }
    }
}
