//! Machine code as text, without objdump.
//!
//! [`Disassembler::instructions`] gives the instructions of a range of a [`Binary`]'s
//! addresses: on x86 as iced-x86 spells them, in AT&T or Intel syntax, on ARM close to llvm-objdump. Targets of branches
//! and of RIP-relative operands have the names of their symbols. [`Code`] puts the instructions of whole functions into a report.
//!
//! ```text
//! 1633: call 0x1080 <operator new(unsigned long)@plt>
//! ```

mod arm;
mod code;
mod disassembler;
mod error;
mod instruction;
mod lines;
mod plt;
mod readable;
mod targets;
mod x86;

pub use code::{Code, Order};
pub use disassembler::Disassembler;
pub use error::DisasmError;
pub use instruction::{Instruction, Listing, Syntax};
