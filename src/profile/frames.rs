//! Code: mappings, functions, locations and their frames.

use crate::base::id::{FrameId, FunctionId, IdVec, LocationId, MappingId, StrId};

/// A file mapped into the profiled process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Mapping {
    /// First address, bytes.
    pub start: u64,
    /// One past the last address, bytes; 0 or `u64::MAX` with `start` 0: addresses are the file's own.
    pub limit: u64,
    /// Offset of `start` in the file, bytes.
    pub offset: u64,
    /// Path as the writer knew it; empty for anonymous memory.
    pub file: StrId,
    /// Build id in lower-case hexadecimal; empty when unknown.
    pub build_id: StrId,
    /// Address at which offset 0 of the file is mapped, if a full memory map shows it: the lowest such line of the contiguous run
    /// of that file's lines. With `base` the page of the file's first loadable segment, `file address = address − bias + base`.
    pub bias: Option<u64>,
    /// The file was gone from its path when the profile was taken; `file` is without the mark.
    pub is_deleted: bool,
    /// The writer resolved function names already.
    pub has_functions: bool,
    /// The writer resolved file names already.
    pub has_filenames: bool,
    /// The writer resolved line numbers already.
    pub has_line_numbers: bool,
    /// The writer resolved inlined frames already.
    pub has_inline_frames: bool,
    /// Number of what is recorded of code without a name in it ([`super::RecordedNames`]); 0: nothing.
    pub facts: u32,
}

/// A function. Two functions differ when any field does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Function {
    /// Display name, as reports group by it.
    pub name: StrId,
    /// Name in the binary, mangled.
    pub system_name: StrId,
    /// Last part of the name with its generic arguments, where `system_name` has lost them; else empty.
    pub short_name: StrId,
    /// Source file; empty when unknown.
    pub filename: StrId,
    /// Line of the definition, from 1; 0 when unknown.
    pub start_line: i64,
    /// Number of what is recorded of its name ([`super::RecordedNames`]); 0: nothing.
    pub facts: u32,
}

/// A code address.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// The file that holds it.
    pub mapping: Option<MappingId>,
    /// Address of the call, in the process's address space (return address minus one).
    pub address: u64,
    /// Its innermost frame; the frames it was inlined into follow.
    pub first_frame: FrameId,
    /// Number of frames, at least 1.
    pub n_frames: u32,
    /// Several functions share this code; the name is one of them.
    pub is_folded: bool,
}

impl Location {
    /// The frames, innermost first.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = FrameId> + ExactSizeIterator + use<> {
        let first = self.first_frame.0;
        (first..first + self.n_frames).map(FrameId)
    }
}

/// One function at one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Its location.
    pub location: LocationId,
    /// The function; `None` when the address has no name.
    pub function: Option<FunctionId>,
    /// Source line, from 1; 0 when unknown.
    pub line: i64,
    /// Source column, from 1; 0 when unknown.
    pub column: i64,
    /// Its code was inlined into the frame that called it.
    pub inlined: bool,
}

/// One line of a location, as parsers and symbolizers give it: innermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The function; `None` when only the place is known.
    pub function: Option<FunctionId>,
    /// Source line, from 1; 0 when unknown.
    pub line: i64,
    /// Source column, from 1; 0 when unknown.
    pub column: i64,
}

/// The code tables of a profile.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// `MappingId` → mapping. The first is the main binary by convention.
    pub mappings: IdVec<MappingId, Mapping>,
    /// `FunctionId` → function.
    pub functions: IdVec<FunctionId, Function>,
    /// `LocationId` → location.
    pub locations: IdVec<LocationId, Location>,
    /// `FrameId` → frame. Frames of one location are neighbours.
    pub frames: IdVec<FrameId, Frame>,
}

impl Code {
    /// Appends the frames of `location`, innermost first, and returns the first
    /// one's id and their number. No line gives one frame without a function.
    pub(super) fn push_frames(&mut self, location: LocationId, lines: &[Line]) -> (FrameId, u32) {
        let unnamed = [Line { function: None, line: 0, column: 0 }];
        let lines = if lines.is_empty() { &unnamed } else { lines };
        let first = FrameId(self.frames.len() as u32);
        for (i, line) in lines.iter().enumerate() {
            self.frames.push(Frame {
                location,
                function: line.function,
                line: line.line,
                column: line.column,
                inlined: i + 1 < lines.len(),
            });
        }
        (first, lines.len() as u32)
    }

    /// Appends a location like this one with these lines, innermost first, and returns its first frame.
    pub(super) fn push_copy(&mut self, location: LocationId, lines: &[Line]) -> FrameId {
        let id = LocationId(self.locations.len() as u32);
        let (first_frame, n_frames) = self.push_frames(id, lines);
        self.locations.push(Location { first_frame, n_frames, ..self.locations[location] });
        first_frame
    }
}
