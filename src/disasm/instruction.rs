//! Instructions as text.

use crate::query::View;

/// How x86 code is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `mov %rsp,%rbp`
    #[default]
    Att,
    /// `mov rbp,rsp`
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
    /// Mnemonic with its prefixes, a tab, operands.
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

/// What is written for bytes that are no instruction, as in llvm-objdump.
pub(super) const UNKNOWN: &str = "<unknown>";
