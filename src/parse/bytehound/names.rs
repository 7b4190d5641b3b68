//! Names of postprocessed recordings: texts, frames, and stacks of frames.

use super::decode::NamedFrame;
use super::modules::is_own;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId, StrId};
use crate::parse::named_mappings::NamedMappings;
use crate::profile::{Function, Line, ProfileBuilder};

/// Most texts, and most frames.
const MOST: usize = 1 << 24;
/// Most functions that are inlined into each other.
const MOST_INLINED: usize = 1 << 9;
/// The number of a name, line or column that is unknown.
const ABSENT: u32 = u32::MAX;

/// A frame.
#[derive(Clone, Copy, Debug)]
struct Frame {
    line: Line,
    mapping: Option<MappingId>,
    address: u64,
    is_inlined: bool,
    is_own: bool,
}

/// Texts and frames so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    texts: HashMap<u32, StrId>,
    frames: Vec<Frame>,
    mappings: NamedMappings,
}

/// A name or frame that is not there, or too many of them.
pub(super) enum NameError {
    NoSuchEntry,
    TooMany,
}

impl Names {
    pub(super) fn add_text(&mut self, id: u32, text: &[u8], builder: &mut ProfileBuilder) -> Result<(), NameError> {
        if self.texts.len() >= MOST {
            return Err(NameError::TooMany);
        }
        self.texts.insert(id, builder.string(&String::from_utf8_lossy(text)));
        Ok(())
    }

    /// Adds a frame; frames are numbered from 0, damaged ones too. `program`: path of the program, whose mapping is the first.
    pub(super) fn add_frame(&mut self, frame: NamedFrame, program: &str, builder: &mut ProfileBuilder) -> Result<(), NameError> {
        if self.frames.len() >= MOST {
            return Err(NameError::TooMany);
        }
        let mut is_known = true;
        let mut text = |id: u32| match self.texts.get(&id) {
            Some(text) => *text,
            None => {
                is_known &= id == ABSENT;
                StrId(0)
            }
        };
        let [library, raw, name, filename] = [frame.library, frame.raw_name, frame.name, frame.file].map(&mut text);
        let function = match (name, raw) {
            (StrId(0), StrId(0)) => None,
            (StrId(0), raw) => Some(Function { name: raw, system_name: raw, filename, ..Function::default() }),
            (name, raw) => Some(Function { name, system_name: raw, filename, ..Function::default() }),
        };
        let function = function.map(|function| builder.function(function));
        let number = |n: u32| if n == ABSENT { 0 } else { i64::from(n) };
        if self.mappings.is_empty() && !program.is_empty() {
            let program = builder.string(program);
            // Libraries have no folder, the program has.
            self.mappings.of(program, builder);
        }
        let is_own = is_own(builder.text(library));
        let mapping = (library != StrId(0)).then(|| self.mappings.of(library, builder));
        let line = Line { function, line: number(frame.line), column: number(frame.column) };
        self.frames.push(Frame { line, mapping, address: frame.address, is_inlined: frame.is_inlined, is_own });
        if is_known { Ok(()) } else { Err(NameError::NoSuchEntry) }
    }

    /// Locations of a stack, the leaf first, and whether each is the recorder's; functions inlined into one frame are one
    /// location.
    pub(super) fn locations(&self, frames: &[u8], builder: &mut ProfileBuilder) -> (Vec<(LocationId, bool)>, Result<(), NameError>) {
        let mut locations = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut result = Ok(());
        let numbers = frames.chunks_exact(4).map(|bytes| bytes.iter().rev().fold(0usize, |n, b| n << 8 | usize::from(*b)));
        let mut numbers = numbers.peekable();
        while let Some(number) = numbers.next() {
            let Some(frame) = self.frames.get(number) else {
                result = Err(NameError::NoSuchEntry);
                continue;
            };
            lines.push(frame.line);
            let goes_on = frame.is_inlined && numbers.peek().is_some() && lines.len() < MOST_INLINED;
            if !goes_on {
                let is_unnamed = lines.iter().all(|line| line.function.is_none());
                let lines = std::mem::take(&mut lines);
                let location = builder.location(frame.mapping, frame.address, if is_unnamed { &[] } else { &lines });
                locations.push((location, frame.is_own));
            }
        }
        (locations, result)
    }
}
