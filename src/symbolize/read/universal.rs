//! macOS's universal files: one program for several architectures.
//!
//! Only the table at the front is read; [`super::image`] opens the parts. Java class files begin with the same four bytes.

/// The table of a file with as many parts as a file may have fits into this, bytes.
pub(crate) const LONGEST_HEAD: u64 = 8 + MOST_PARTS as u64 * 32;

/// In a class file, this field is the version, 45 or more.
const MOST_PARTS: u32 = 44;

const MAGIC: u32 = 0xcafe_babe;
const MAGIC_64: u32 = 0xcafe_babf;

/// One program in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    cpu: u32,
    /// Bytes from the begin of the file.
    pub(crate) offset: u64,
    /// Bytes.
    pub(crate) size: u64,
}

/// Returns whether a file that begins with `head` is a universal one. Eight bytes suffice.
pub(crate) fn is_universal(head: &[u8]) -> bool {
    matches!(word(head, 0), Some(MAGIC | MAGIC_64)) && word(head, 4).is_some_and(|n| (1..=MOST_PARTS).contains(&n))
}

/// The parts of the universal file that begins with `head`: those for this machine first,
/// else in the file's order. `None` when it is none.
pub(crate) fn parts(head: &[u8]) -> Option<Vec<Part>> {
    if !is_universal(head) {
        return None;
    }
    let (is_64, n_parts) = (word(head, 0)? == MAGIC_64, word(head, 4)? as usize);
    let part = |i: usize| {
        if is_64 {
            let at = 8 + i * 32;
            Some(Part { cpu: word(head, at)?, offset: wide(head, at + 8)?, size: wide(head, at + 16)? })
        } else {
            let at = 8 + i * 20;
            Some(Part { cpu: word(head, at)?, offset: word(head, at + 8)?.into(), size: word(head, at + 12)?.into() })
        }
    };
    let mut parts: Vec<Part> = (0..n_parts).map_while(part).collect();
    let native = match std::env::consts::ARCH {
        "x86_64" => 0x0100_0007,
        "aarch64" => 0x0100_000c,
        _ => 0,
    };
    parts.sort_by_key(|part| part.cpu != native);
    Some(parts)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn wide(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::{is_universal, parts};

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_be_bytes()).collect()
    }

    #[test]
    fn parts_are_at_the_offsets_of_the_table() {
        let narrow = words(&[0xcafe_babe, 2, 7, 0, 0x1000, 0x500, 12, 9, 0, 0x4000, 0x600, 14]);
        let found: Vec<(u64, u64)> = parts(&narrow).unwrap().iter().map(|p| (p.offset, p.size)).collect();
        assert_eq!(found, [(0x1000, 0x500), (0x4000, 0x600)]);
        let wide = words(&[0xcafe_babf, 1, 7, 0, 1, 0x1000, 0, 0x500, 12, 0]);
        let found: Vec<(u64, u64)> = parts(&wide).unwrap().iter().map(|p| (p.offset, p.size)).collect();
        assert_eq!(found, [(0x1_0000_1000, 0x500)]);
    }

    #[test]
    fn class_files_are_not_universal() {
        assert!(!is_universal(&words(&[0xcafe_babe, 0x0000_0034])));
        assert!(!is_universal(&words(&[0xcafe_babe, 0])));
        assert!(!is_universal(&words(&[0xcafe_babe])));
    }

    #[test]
    fn table_that_is_cut_off_gives_the_parts_before_the_cut() {
        let narrow = words(&[0xcafe_babe, 40, 7, 0, 0x1000, 0x500, 12, 9, 0]);
        assert_eq!(parts(&narrow).unwrap().len(), 1);
    }
}
