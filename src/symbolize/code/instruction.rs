//! Instructions as text.

/// Assembly syntax of x86 code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `mov %rsp,%rbp`
    #[default]
    Att,
    /// `mov rbp,rsp`
    Intel,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Address in the file.
    pub address: u64,
    /// Length in bytes.
    pub len: u8,
    /// Mnemonic with its prefixes, a tab, operands.
    pub text: String,
    /// Target address of a direct branch or call.
    pub target: Option<u64>,
}

/// Instructions of a range of addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Sorted by address.
    pub instructions: Vec<Instruction>,
    /// Set if the range was longer than the limit.
    pub is_cut: bool,
}

/// Text for bytes that are no instruction, as in llvm-objdump.
pub(super) const UNKNOWN: &str = "<unknown>";
