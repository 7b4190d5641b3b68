//! Frames of stacks and their names.

use super::tables::Texts;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StrId};
use crate::parse::half_demangled::mangled;
use crate::parse::named_mappings::NamedMappings;
use crate::profile::{Function, Line, ProfileBuilder};

/// Beginnings of names of the recorder's own functions.
const OWN: [&str; 2] = ["tracy::", "___tracy_"];

/// Frames that are no code: of scripts.
const MADE_UP: u64 = 1 << 63 | 1 << 62;

/// A frame, as seen from both sides of a stack's leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) location: LocationId,
    /// What is left of it at the leaf, where the recorder's own functions are left out.
    pub(super) at_leaf: AtLeaf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtLeaf {
    /// All of it.
    Whole,
    /// The functions that the recorder's own are inlined into.
    Part(LocationId),
    /// Nothing.
    Nothing,
}

/// A function in a frame; numbers of texts, from 1, 0 being none.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedLine {
    pub(super) function: u32,
    pub(super) file: u32,
    pub(super) line: u32,
}

/// A text with a number that is not there.
pub(super) struct NoSuchText;

/// Turns frames into locations.
#[derive(Debug, Default)]
pub(super) struct Names {
    mappings: NamedMappings,
    texts: HashMap<u32, StrId>,
    functions: HashMap<u32, (StrId, StrId)>,
}

impl Names {
    /// A frame without names.
    pub(super) fn unnamed(frame: u64, builder: &mut ProfileBuilder) -> Frame {
        Frame { location: builder.location(None, address(frame), &[]), at_leaf: AtLeaf::Whole }
    }

    /// A frame with the functions in it, those inlined first.
    pub(super) fn frame(
        &mut self,
        frame: u64,
        image: u32,
        lines: &[NamedLine],
        texts: &Texts,
        builder: &mut ProfileBuilder,
    ) -> (Frame, Result<(), NoSuchText>) {
        let mut is_known = true;
        let mut last_own = None;
        let mut out: Vec<Line> = Vec::with_capacity(lines.len());
        for (place, line) in lines.iter().enumerate() {
            let file = self.text(line.file, texts, builder).unwrap_or_else(|| {
                is_known = false;
                StrId(0)
            });
            let (name, system_name) = self.function(line.function, texts, builder).unwrap_or_else(|| {
                is_known = false;
                Default::default()
            });
            if OWN.iter().any(|own| builder.text(name).starts_with(own)) {
                last_own = Some(place);
            }
            let function =
                (name != StrId(0)).then(|| builder.function(Function { name, system_name, filename: file, ..Function::default() }));
            let line = if function.is_some() { line.line.into() } else { 0 };
            out.push(Line { function, line, column: 0 });
        }
        if out.iter().all(|line| line.function.is_none()) {
            out.clear();
        }
        let image = self.text(image, texts, builder).unwrap_or_else(|| {
            is_known = false;
            StrId(0)
        });
        let mapping = (image != StrId(0)).then(|| self.mappings.of(image, builder));
        let address = address(frame);
        let location = builder.location(mapping, address, &out);
        let at_leaf = match last_own {
            None => AtLeaf::Whole,
            Some(last) if last + 1 >= out.len() => AtLeaf::Nothing,
            Some(last) => AtLeaf::Part(builder.location(mapping, address, &out[last + 1..])),
        };
        (Frame { location, at_leaf }, if is_known { Ok(()) } else { Err(NoSuchText) })
    }

    /// The text with this number; empty for 0.
    fn text(&mut self, number: u32, texts: &Texts, builder: &mut ProfileBuilder) -> Option<StrId> {
        if let Some(text) = self.texts.get(&number) {
            return Some(*text);
        }
        let id = match number.checked_sub(1) {
            None => StrId(0),
            Some(at) => builder.string(&String::from_utf8_lossy(texts.get(at)?)),
        };
        self.texts.insert(number, id);
        Some(id)
    }

    /// Display name and mangled name of a function; the former is mangled, too, if anything is: names are demangled later, as
    /// those of other formats.
    fn function(&mut self, number: u32, texts: &Texts, builder: &mut ProfileBuilder) -> Option<(StrId, StrId)> {
        if let Some(names) = self.functions.get(&number) {
            return Some(*names);
        }
        let raw = match number.checked_sub(1) {
            None => String::new(),
            Some(at) => String::from_utf8_lossy(texts.get(at)?).into_owned(),
        };
        let raw = without_offset(&raw);
        let names = match mangled(raw) {
            _ if is_unknown(raw) => (StrId(0), StrId(0)),
            Some(mangled) => {
                let name = builder.string(&mangled);
                (name, name)
            }
            None => (builder.string(raw), StrId(0)),
        };
        self.functions.insert(number, names);
        Some(names)
    }
}

/// Address of the call. Of addresses 62 bits are kept, of which the highest is that of the others.
fn address(frame: u64) -> u64 {
    match frame {
        _ if frame & MADE_UP != 0 => 0,
        _ if frame >> 60 == 3 => frame | 3 << 62,
        _ => frame,
    }
}

/// What is written in place of a name that was not found.
fn is_unknown(name: &str) -> bool {
    name.is_empty() || ["[unresolved]", "[unknown]"].iter().any(|start| name.starts_with(start))
}

/// The name without the distance of the address from the function, as in `_start + 33`.
fn without_offset(name: &str) -> &str {
    match name.rsplit_once(" + ") {
        Some((name, offset)) if !offset.is_empty() && offset.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_functions_are_no_part_of_names() {
        for (name, want) in
            [("_start + 33", "_start"), ("a::b() + 4", "a::b()"), ("operator + 1", "operator"), ("A + B", "A + B"), (" + ", " + ")]
        {
            assert_eq!(without_offset(name), want);
        }
        assert!(is_unknown(without_offset("[unknown] + 140230150407331")) && !is_unknown(without_offset("_start + 33")));
    }

    #[test]
    fn addresses_of_kernels_are_whole() {
        assert_eq!(address(0x40_1234), 0x40_1234);
        assert_eq!(address(0x3fff_ffff_8123_4567), 0xffff_ffff_8123_4567);
        assert_eq!(address(1 << 62 | 7), 0);
    }
}
