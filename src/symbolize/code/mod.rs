//! Machine code as text, without objdump: decoding, names of branch targets, PLT stubs.
//!
//! [`Disassembler::instructions`] decodes a range of a [`Binary`](super::Binary)'s addresses: x86 as iced-x86 prints it, in
//! AT&T or Intel syntax; ARM close to llvm-objdump. Branch targets and RIP-relative operands get the names of their symbols.
//! Reports with machine code are put together in `crate::annotate`.
//!
//! ```text
//! 1633: call 0x1080 <operator new(unsigned long)@plt>
//! ```

mod arm;
mod disassembler;
mod error;
mod instruction;
mod plt;
mod symbol_name;
mod targets;
mod x86;

pub use disassembler::Disassembler;
pub use error::CodeError;
pub use instruction::{Instruction, Listing, Syntax};
pub(crate) use symbol_name::full_name;
