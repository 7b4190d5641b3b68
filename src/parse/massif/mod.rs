//! massif's output (`massif.out.PID`), and files in its notation: valgrind's execution trees (`--xtree-memory-file=x.ms`) and the
//! export of heaptrack.
//!
//! A snapshot has the totals of a moment; some have a tree of the stacks that the memory in use was allocated by. The tree is
//! upside down: children of a node are its callers. Stacks with little memory are folded into one node.

mod profile;
mod rows;
mod snapshots;
mod tree;
mod xtree;

use super::Parsed;
use super::error::{ErrorKind, ParseError, Position};
use super::input::Input;
use super::lines::Lines;

pub(super) use snapshots::NAME;
pub use snapshots::{MassifFile, MassifSnapshot, MassifTree};
pub use tree::MassifNode;

/// Returns whether these are the first bytes of such a file.
pub(super) fn sniff(head: &[u8]) -> bool {
    let mut lines = Lines::new(head, 1).map(|line| line.bytes.trim_ascii()).filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let is_header = lines.clone().next().is_some_and(|line| line.starts_with(b"desc:") || line.starts_with(b"cmd:"));
    // A description may have many lines.
    is_header && lines.any(|line| line.starts_with(b"time_unit:"))
}

/// Reads the text.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let file = read(input.text, input.first_line)?;
    Ok(profile::profile(file, &input))
}

/// The snapshots of a file. O(size).
pub(super) fn read(text: &[u8], first_line: usize) -> Result<MassifFile<'_>, ParseError> {
    let file = MassifFile::new(text, first_line);
    if file.snapshots.is_empty() {
        let at = Some(Position::Line(file.n_lines));
        let expected = "a snapshot: `snapshot=`, `time=`, `mem_heap_B=` and so on";
        return Err(ParseError { format: NAME, kind: ErrorKind::Line { expected, found: "the end of the file".to_owned() }, at });
    }
    Ok(file)
}

#[cfg(test)]
pub(super) mod tests;
