//! Machine code as text, without objdump.
//!
//! [`Disassembler::instructions`] gives the instructions of a range of a [`Binary`]'s
//! addresses as llvm-objdump prints them, which is what pprof asks first: AT&T syntax with
//! suffixes on x86, targets of branches and of RIP-relative operands with the symbol they
//! lie at. [`Code`] puts the instructions of whole functions into a report.
//!
//! ```text
//! 1633: callq 0x1080 <operator new(unsigned long)@plt>
//! ```

mod arm;
mod code;
mod lines;
mod plt;
mod targets;
mod x86;

use std::ops::Range;

use thiserror::Error;

use crate::query::View;
use crate::symbolize::{Binary, Machine};
pub use code::{Code, Order};
use targets::Targets;

/// Why there are no instructions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisasmError {
    /// The machine is none of those known here.
    #[error("{path}: unsupported architecture {machine} (supported: x86 and ARM); try objdump -d {path}")]
    Machine {
        /// The file.
        path: String,
        /// The machine.
        machine: String,
    },
    /// No routine that holds samples has a name that matches.
    #[error("no matches found for regexp {pattern}{problems}")]
    NoMatch {
        /// The expression.
        pattern: String,
        /// Files that could not be read, each behind a semicolon.
        problems: String,
    },
    /// No routine lies there.
    #[error("no matches found for address {address:#x}{problems}")]
    NoAddress {
        /// The address.
        address: u64,
        /// Files that could not be read, each behind a semicolon.
        problems: String,
    },
    /// A routine lies there, but holds nothing.
    #[error("address {address:#x} found in binary, but the corresponding symbols do not have samples in the profile")]
    NoSamples {
        /// The address.
        address: u64,
    },
    /// Routines match, but none can be read.
    #[error("{}", problems.join("; "))]
    Unreadable {
        /// Why.
        problems: Vec<String>,
    },
    /// The file holds no bytes there.
    #[error("{path}: no code at {address:#x}")]
    NoCode {
        /// The file.
        path: String,
        /// The first address asked for.
        address: u64,
    },
}

/// How x86 code is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `movq %rsp, %rbp`
    #[default]
    Att,
    /// `mov rbp, rsp`
    Intel,
}

impl Syntax {
    /// The one that a view asks for.
    pub fn of(view: &View) -> Self {
        if view.show.intel_syntax { Syntax::Intel } else { Syntax::Att }
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The file's own address.
    pub address: u64,
    /// Bytes.
    pub len: u8,
    /// Mnemonic, a tab, operands.
    pub text: String,
    /// Where it jumps or calls to, when it says.
    pub target: Option<u64>,
}

/// Instructions of a range.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// By address.
    pub instructions: Vec<Instruction>,
    /// The range was longer than what is shown.
    pub is_cut: bool,
}

/// Turns code of one file into text. Remembers names.
pub struct Disassembler<'a> {
    binary: &'a Binary,
    syntax: Syntax,
    targets: Targets<'a>,
}

/// What is written for bytes that are no instruction, as in llvm-objdump.
const UNKNOWN: &str = "<unknown>";

impl<'a> Disassembler<'a> {
    /// For a file; fails when its machine is not known.
    pub fn new(binary: &'a Binary, syntax: Syntax) -> Result<Self, DisasmError> {
        if let Machine::Other(machine) = binary.machine() {
            return Err(DisasmError::Machine { path: binary.path().display().to_string(), machine: machine.clone() });
        }
        Ok(Disassembler { binary, syntax, targets: Targets::new(binary) })
    }

    /// The instructions that begin in `range`, of which the first `most` bytes are looked
    /// at. O(bytes).
    pub fn instructions(&mut self, range: Range<u64>, most: u64) -> Result<Listing, DisasmError> {
        /// Bytes of the longest instruction: the last one may reach over the end.
        const LONGEST: u64 = 15;
        let len = range.end.saturating_sub(range.start).min(most);
        let end = range.start.saturating_add(len);
        let bytes = self.binary.bytes(range.start..end.saturating_add(LONGEST));
        if bytes.is_empty() && len > 0 {
            return Err(DisasmError::NoCode { path: self.binary.path().display().to_string(), address: range.start });
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
