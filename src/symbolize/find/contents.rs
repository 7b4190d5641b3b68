//! Contents of an object file, by its sections.

use object::Object;

use crate::symbolize::read::layout::Parsed;

/// Returns whether a file has debug information.
pub(super) fn has_info(object: &Parsed<'_>) -> bool {
    [".debug_info", ".zdebug_info"].iter().any(|name| object.section_by_name(name).is_some())
}

/// Returns whether a file has a full symbol table.
pub(super) fn has_symbols(object: &Parsed<'_>) -> bool {
    object.symbols().next().is_some()
}

/// Returns whether a file is a `.dwo` or `.dwp` file.
pub(super) fn has_split_units(object: &Parsed<'_>) -> bool {
    [".debug_info.dwo", ".zdebug_info.dwo"].iter().any(|name| object.section_by_name(name).is_some())
}
