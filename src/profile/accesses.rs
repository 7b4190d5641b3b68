//! How often each byte of the blocks of an allocation site was read or written.

use serde::{Deserialize, Serialize};

/// Accesses of blocks of one size from one allocation site, byte by byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accesses {
    /// Row of the profile; several entries may have the same.
    pub row: u32,
    /// Index of the dump that they were recorded in.
    pub dump: u32,
    /// Number of blocks.
    pub blocks: i64,
    /// Bytes read and bytes written in all blocks: the sum of all counts, unless some were lost.
    pub accessed: i64,
    /// Neighbouring bytes that were accessed equally often, from the first byte of a block: their number, and the accesses of each
    /// in all blocks together.
    pub runs: Vec<(u32, u32)>,
}

impl Accesses {
    /// Size of a block, bytes.
    pub fn size(&self) -> u64 {
        self.runs.iter().map(|(bytes, _)| u64::from(*bytes)).sum()
    }
}

/// Accesses with other numbers of rows and dumps; those without any are left out.
pub(super) fn moved(
    accesses: &[Accesses],
    row_of: impl Fn(u32) -> Option<u32>,
    dump_of: impl Fn(u32) -> Option<u32>,
) -> impl Iterator<Item = Accesses> {
    accesses.iter().filter_map(move |of| Some(Accesses { row: row_of(of.row)?, dump: dump_of(of.dump)?, ..of.clone() }))
}
