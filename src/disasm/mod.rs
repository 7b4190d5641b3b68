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
