//! Display names of symbols.

use crate::demangle::Budget;

/// Length at which a name is cut, in characters.
const LONGEST: usize = 4096;

/// Returns `name` fully demangled, cut at [`LONGEST`] characters.
pub(crate) fn full_name(name: &str, budget: &mut Budget) -> String {
    let name = budget.full_name(name);
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    }
}
