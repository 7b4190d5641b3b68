//! Build id of an ELF file: its note `GNU` of type 3.

/// Longest build id, bytes.
const LONGEST: usize = 64;
/// Most program headers that are looked at.
const MOST_HEADERS: usize = 64;

/// The build id in lower-case digits, of a 64-bit little-endian file; `None` if it has none.
pub(super) fn build_id(file: &[u8]) -> Option<String> {
    let is_known = file.starts_with(b"\x7fELF\x02\x01");
    let (table, size, n) = (number(file, 32, 8)?, number(file, 54, 2)?, number(file, 56, 2)?);
    (0..n.min(MOST_HEADERS)).filter(|_| is_known).find_map(|at| {
        let header = file.get(table.checked_add(at * size)?..)?;
        const NOTE: usize = 4;
        let (start, length) = (number(header, 8, 8)?, number(header, 32, 8)?);
        (number(header, 0, 4)? == NOTE).then(|| in_notes(file.get(start..start.checked_add(length)?)?)).flatten()
    })
}

/// The build id in a list of notes: lengths of name and contents, type, name, contents, each of whole words.
fn in_notes(mut notes: &[u8]) -> Option<String> {
    loop {
        let (name, length, kind) = (number(notes, 0, 4)?, number(notes, 4, 4)?, number(notes, 8, 4)?);
        let start = 12 + name.next_multiple_of(4);
        let contents = notes.get(start..start.checked_add(length)?)?;
        if kind == 3 && notes.get(12..16) == Some(b"GNU\0") && !contents.is_empty() && length <= LONGEST {
            return Some(contents.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        notes = notes.get(start + length.next_multiple_of(4)..)?;
    }
}

/// The number of so many bytes at this place, the lowest first; at most 2^48.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    let number = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number).ok().filter(|_| number <= 1 << 48)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_and_damage_is_survived() {
        let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/bin/ferry")).unwrap();
        let id = build_id(&file).unwrap();
        assert!(id.len() == 40 && id.bytes().all(|digit| digit.is_ascii_hexdigit()), "{id}");
        for at in 0..1024 {
            let mut changed = file.clone();
            changed[at] = 0xff;
            build_id(&changed);
            build_id(&file[..at]);
        }
        assert_eq!(build_id(b"\x7fELF\x02\x01"), None);
    }
}
