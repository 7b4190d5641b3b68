//! The line program: which place in the source an address came from.

use gimli::{ColumnType, LineRow, UnitRef};

use super::sections::Slice;

/// The place of an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// Index into the program's files.
    pub(super) file: u64,
    /// From 1; 0: the compiler made the code up.
    pub(super) line: u64,
    /// From 1; 0: unknown.
    pub(super) column: u64,
}

impl Row {
    fn of(row: &LineRow) -> Self {
        let column = match row.column() {
            ColumnType::LeftEdge => 0,
            ColumnType::Column(column) => column.get(),
        };
        Row { file: row.file_index(), line: row.line().map_or(0, |line| line.get()), column }
    }
}

/// The places of `addresses` (sorted), by running the unit's program once.
pub(super) fn places(unit: UnitRef<'_, Slice<'_>>, addresses: &[u64]) -> Vec<Option<Row>> {
    let mut places = vec![None; addresses.len()];
    let Some(program) = unit.line_program.clone() else { return places };
    let mut rows = program.rows();
    let mut before: Option<(u64, Row)> = None;
    // Start of the sequence; that of a function the linker dropped is 0.
    let mut sequence = None;
    while let Ok(Some((_, row))) = rows.next_row() {
        let address = row.address();
        let begin = *sequence.get_or_insert(address);
        if let Some((start, place)) = before
            && start < address
            && begin != 0
        {
            let first = addresses.partition_point(|&a| a < start);
            for (i, _) in addresses.iter().enumerate().skip(first).take_while(|(_, a)| **a < address) {
                places[i].get_or_insert(place);
            }
        }
        before = Some((address, Row::of(row)));
        if row.end_sequence() {
            (before, sequence) = (None, None);
        }
    }
    places
}

/// Start and end of each sequence of the unit's program.
pub(super) fn sequences(unit: UnitRef<'_, Slice<'_>>) -> Vec<(u64, u64)> {
    let mut sequences = Vec::new();
    let Some(program) = unit.line_program.clone() else { return sequences };
    let mut rows = program.rows();
    let mut start = None;
    while let Ok(Some((_, row))) = rows.next_row() {
        let begin = *start.get_or_insert(row.address());
        if row.end_sequence() {
            if begin != 0 && begin < row.address() {
                sequences.push((begin, row.address()));
            }
            start = None;
        }
    }
    sequences
}

/// The path of a file: compilation folder, folder, name, as far as each is relative.
pub(super) fn path(unit: UnitRef<'_, Slice<'_>>, file: u64) -> String {
    let Some(program) = &unit.line_program else { return String::new() };
    let header = program.header();
    if file == 0 && header.version() < 5 {
        return String::new();
    }
    let Some(entry) = header.file(file) else { return String::new() };
    let text = |value| unit.attr_string(value).ok().map(|s| s.to_string_lossy()).unwrap_or_default();
    let name = text(entry.path_name());
    if is_absolute(&name) {
        return name.into_owned();
    }
    let mut path = String::new();
    // Folder 0 is the compilation folder before DWARF 5, too.
    if entry.directory_index() != 0 || header.version() >= 5 {
        path.push_str(&entry.directory(header).map(text).unwrap_or_default());
    }
    if !is_absolute(&path)
        && let Some(folder) = unit.comp_dir
    {
        let mut whole = folder.to_string_lossy().into_owned();
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
