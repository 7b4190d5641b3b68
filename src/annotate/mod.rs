//! Machine code and source files for reports.
//!
//! [`Code::attach`] fills the disassembly report, [`annotate`] puts machine code beside source lines. Both decode with
//! `crate::symbolize::code`; they are above it because they need views, reports and samples, which `symbolize` does not know.
//! [`Files`] is what a server keeps beside a session, which itself opens no files.

mod attached;
mod disasm;
mod disasm_places;
mod error;
mod files;
mod source;

pub use attached::{Attached, own_files};
pub use disasm::{Code, Order};
pub use error::DisasmError;
pub use files::Files;
pub use source::{Limits, annotate};

use crate::query::View;
use crate::symbolize::code::Syntax;

/// x86 syntax that a view requests (`-intel_syntax`).
fn syntax_of(view: &View) -> Syntax {
    if view.show.intel_syntax { Syntax::Intel } else { Syntax::Att }
}
