//! What a function is called and where it begins.

use gimli::{Attribute, AttributeValue, DebugInfoOffset, UnitOffset, UnitRef};

use super::sections::Slice;

/// Entries that refer to each other in a circle end here.
const MAX_HOPS: usize = 16;

/// Names of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// Linkage name, else the short one; empty when it has none.
    pub(super) name: String,
    /// Line of its declaration, from 1; 0 when unknown.
    pub(super) line: u64,
}

/// An entry of a file: in the unit at hand or anywhere.
#[derive(Clone, Copy)]
enum Place {
    Here(UnitOffset<usize>),
    There(DebugInfoOffset<usize>),
}

/// Finds entries of other units of the same file.
pub(super) trait Elsewhere<'a> {
    /// Calls `look` with the attributes of the entry at `offset`, and resolves
    /// strings in that entry's unit.
    fn attributes(&mut self, offset: DebugInfoOffset<usize>, look: &mut Look<'_, 'a>);
}

/// Sees one attribute of an entry and the unit it is in.
pub(super) type Look<'x, 'a> = dyn FnMut(UnitRef<'_, Slice<'a>>, &Attribute<Slice<'a>>) + 'x;

/// The function at `entry`. An attribute that the entry lacks is taken from the
/// entries it came from: the abstract one, the declaration.
pub(super) fn function<'a>(unit: UnitRef<'_, Slice<'a>>, entry: UnitOffset<usize>, elsewhere: &mut dyn Elsewhere<'a>) -> Function {
    let mut linkage: Option<String> = None;
    let mut short: Option<String> = None;
    let mut line = None;
    let mut todo = vec![Place::Here(entry)];
    let mut hops = 0;
    while let Some(place) = todo.pop() {
        hops += 1;
        if hops > MAX_HOPS {
            break;
        }
        let mut origins = Vec::new();
        let mut look = |unit: UnitRef<'_, Slice<'a>>, attribute: &Attribute<Slice<'a>>| {
            let value = attribute.value();
            let text = |value| unit.attr_string(value).ok().map(|s| s.to_string_lossy().into_owned());
            match attribute.name() {
                gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name if linkage.is_none() => linkage = text(value),
                gimli::DW_AT_name if short.is_none() => short = text(value),
                gimli::DW_AT_decl_line if line.is_none() => line = value.udata_value(),
                gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => match value {
                    AttributeValue::UnitRef(offset) => origins.push(match unit.header.debug_info_offset() {
                        // Relative to the unit of the entry that says so.
                        Some(start) if matches!(place, Place::There(_)) => Place::There(DebugInfoOffset(start.0.wrapping_add(offset.0))),
                        _ => Place::Here(offset),
                    }),
                    AttributeValue::DebugInfoRef(offset) => origins.push(Place::There(offset)),
                    _ => {}
                },
                _ => {}
            }
        };
        match place {
            Place::Here(offset) => attributes(unit, offset, &mut look),
            Place::There(offset) => elsewhere.attributes(offset, &mut look),
        }
        todo.extend(origins);
        if linkage.is_some() && line.is_some() {
            break;
        }
    }
    Function { name: linkage.or(short).unwrap_or_default(), line: line.unwrap_or(0) }
}

/// Calls `look` with each attribute of the entry at `offset`.
pub(super) fn attributes<'a>(unit: UnitRef<'_, Slice<'a>>, offset: UnitOffset<usize>, look: &mut Look<'_, 'a>) {
    let Ok(mut entries) = unit.entries_raw(Some(offset)) else { return };
    let Ok(Some(abbreviation)) = entries.read_abbreviation() else { return };
    for &spec in abbreviation.attributes() {
        let Ok(attribute) = entries.read_attribute(spec) else { return };
        look(unit, &attribute);
    }
}
