//! Names of symbols for people.

use crate::demangle::Budget;

/// Characters of the longest name that is written whole.
const LONGEST: usize = 4096;

/// A name demangled whole.
pub(super) fn readable(name: &str, budget: &mut Budget) -> String {
    let name = budget.full_name(name);
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    }
}
