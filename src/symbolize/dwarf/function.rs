//! Name and declaration line of a function.

use std::sync::Arc;

use gimli::{Attribute, AttributeValue, DebugInfoOffset, UnitOffset, UnitRef};

use super::gimli_reader::Window;
use crate::demangle::loses_generics;

/// Entries that refer to each other in a circle end here.
const MAX_HOPS: usize = 16;

/// gcc's name prefix for a function's cold part, where the DWARF version allows only one range per function.
const SECOND_SECTION: &str = "__second_sect_of_";

/// Names of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// Linkage name, else the short one; empty when it has none.
    pub(super) name: Arc<str>,
    /// Short name with generic arguments, where the linkage name has lost them; else empty.
    pub(super) short: Arc<str>,
    /// Line of its declaration, from 1; 0 when unknown.
    pub(super) line: u64,
    /// File of its declaration, as an index into the line program of the unit at hand;
    /// `None` when unknown or declared in another unit.
    pub(super) file: Option<u64>,
}

/// An entry of a file: in the unit at hand or anywhere.
#[derive(Clone, Copy)]
enum EntryRef {
    Here(UnitOffset<usize>),
    There(DebugInfoOffset<usize>),
    /// In the supplementary file.
    Apart(DebugInfoOffset<usize>),
}

/// Finds entries of other units.
pub(super) trait Elsewhere {
    /// Calls `visit` with the attributes of the entry at `offset` of the same file, or of the
    /// supplementary one when `is_apart`, and resolves strings in that entry's unit.
    fn attributes(&mut self, offset: DebugInfoOffset<usize>, is_apart: bool, look: &mut Look<'_>);
}

/// Sees one attribute of an entry and the unit it is in.
pub(super) type Look<'x> = dyn for<'a> FnMut(UnitRef<'_, Window<'a>>, &Attribute<Window<'a>>) + 'x;

/// The function at `entry`. An attribute that the entry lacks is taken from the
/// entries it came from: the abstract one, the declaration.
pub(super) fn function(unit: UnitRef<'_, Window<'_>>, entry: UnitOffset<usize>, elsewhere: &mut dyn Elsewhere) -> Function {
    let mut known = Known { todo: vec![EntryRef::Here(entry)], ..Known::default() };
    let mut hops = 0;
    while let Some(place) = known.todo.pop() {
        hops += 1;
        if hops > MAX_HOPS {
            break;
        }
        match place {
            EntryRef::Here(offset) => attributes(unit, offset, &mut |unit, attribute| known.see(place, unit, attribute)),
            EntryRef::There(offset) => elsewhere.attributes(offset, false, &mut |unit, attribute| known.see(place, unit, attribute)),
            EntryRef::Apart(offset) => elsewhere.attributes(offset, true, &mut |unit, attribute| known.see(place, unit, attribute)),
        }
        if known.linkage.is_some() && known.line.is_some() {
            break;
        }
    }
    let Known { linkage, short, line, file, .. } = known;
    let (name, short) = match linkage {
        Some(linkage) => {
            let short = short.filter(|short| short.contains('<') && loses_generics(&linkage));
            (linkage, short.unwrap_or_default())
        }
        None => (short.unwrap_or_default(), String::new()),
    };
    Function { name: name.into(), short: short.into(), line: line.unwrap_or(0), file }
}

/// Attributes found so far in the entries of a function; the first value of each counts.
#[derive(Default)]
struct Known {
    linkage: Option<String>,
    short: Option<String>,
    line: Option<u64>,
    file: Option<u64>,
    /// Entries it refers to, to be read next.
    todo: Vec<EntryRef>,
}

impl Known {
    /// Takes in an attribute of the entry at `place`, which is in `unit`.
    fn see<'a>(&mut self, place: EntryRef, unit: UnitRef<'_, Window<'a>>, attribute: &Attribute<Window<'a>>) {
        let value = attribute.value();
        let text = |value| unit.attr_string(value).ok().map(|s| s.text());
        match attribute.name() {
            gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name if self.linkage.is_none() => self.linkage = text(value),
            // Compilers write the linkage name first: most short names need not be read.
            gimli::DW_AT_name if self.short.is_none() && self.linkage.as_deref().is_none_or(loses_generics) => {
                self.short = text(value).map(|name| name.strip_prefix(SECOND_SECTION).map(str::to_owned).unwrap_or(name));
            }
            gimli::DW_AT_decl_file if self.file.is_none() && matches!(place, EntryRef::Here(_)) => {
                self.file = if let AttributeValue::FileIndex(file) = value { Some(file) } else { None };
            }
            gimli::DW_AT_decl_line if self.line.is_none() => self.line = value.udata_value(),
            gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => match value {
                AttributeValue::UnitRef(offset) => self.todo.push(match unit.header.debug_info_offset() {
                    // Relative to the unit of the entry with the attribute.
                    Some(start) if matches!(place, EntryRef::There(_)) => EntryRef::There(DebugInfoOffset(start.0.wrapping_add(offset.0))),
                    Some(start) if matches!(place, EntryRef::Apart(_)) => EntryRef::Apart(DebugInfoOffset(start.0.wrapping_add(offset.0))),
                    _ => EntryRef::Here(offset),
                }),
                AttributeValue::DebugInfoRef(offset) if matches!(place, EntryRef::Apart(_)) => self.todo.push(EntryRef::Apart(offset)),
                AttributeValue::DebugInfoRef(offset) => self.todo.push(EntryRef::There(offset)),
                AttributeValue::DebugInfoRefSup(offset) => self.todo.push(EntryRef::Apart(offset)),
                _ => {}
            },
            _ => {}
        }
    }
}

/// Calls `look` with each attribute of the entry at `offset`.
pub(super) fn attributes(unit: UnitRef<'_, Window<'_>>, offset: UnitOffset<usize>, look: &mut Look<'_>) {
    let Ok(mut entries) = unit.entries_raw(Some(offset)) else { return };
    let Ok(Some(abbreviation)) = entries.read_abbreviation() else { return };
    for &spec in abbreviation.attributes() {
        let Ok(attribute) = entries.read_attribute(spec) else { return };
        look(unit, &attribute);
    }
}
