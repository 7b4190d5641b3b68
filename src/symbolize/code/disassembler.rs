//! Disassembler of one file.

use std::ops::Range;

use super::error::CodeError;
use super::instruction::{Listing, Syntax};
use super::targets::Targets;
use super::{arm, x86};
use crate::symbolize::{Binary, Machine};

/// Turns code of one file into text. Remembers names.
pub struct Disassembler<'a> {
    binary: &'a Binary,
    syntax: Syntax,
    targets: Targets<'a>,
}

impl<'a> Disassembler<'a> {
    /// For a file; fails when its machine is not known.
    pub fn new(binary: &'a Binary, syntax: Syntax) -> Result<Self, CodeError> {
        if let Machine::Other(machine) = binary.machine() {
            return Err(CodeError::Machine { path: binary.path().display().to_string(), machine: machine.clone() });
        }
        Ok(Disassembler { binary, syntax, targets: Targets::new(binary) })
    }

    /// Decodes the instructions that begin in `range`, at most its first `most` bytes. O(bytes).
    pub fn instructions(&mut self, range: Range<u64>, most: u64) -> Result<Listing, CodeError> {
        /// Bytes of the longest instruction: the last one may reach over the end.
        const LONGEST: u64 = 15;
        let len = range.end.saturating_sub(range.start).min(most);
        let end = range.start.saturating_add(len);
        let bytes = self.binary.bytes(range.start..end.saturating_add(LONGEST));
        if bytes.is_empty() && len > 0 {
            return Err(CodeError::NoCode { path: self.binary.path().display().to_string(), address: range.start });
        }
        let instructions = match self.binary.machine() {
            Machine::X86 => x86::instructions(&bytes, range.start, end, 32, self.syntax, &mut self.targets),
            Machine::X86_64 => x86::instructions(&bytes, range.start, end, 64, self.syntax, &mut self.targets),
            Machine::Aarch64 => arm::instructions_64(&bytes, range.start, end, &mut self.targets),
            Machine::Arm | Machine::Other(_) => {
                let is_thumb = self.binary.symbol_before(range.start).is_some_and(|s| s.is_thumb);
                arm::instructions_32(&bytes, range.start, end, is_thumb, &mut self.targets)
            }
        };
        Ok(Listing { instructions, is_cut: range.start.saturating_add(len) < range.end })
    }
}
