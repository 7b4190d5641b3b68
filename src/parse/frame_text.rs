//! Frames as texts, in the notation of valgrind and of dhat-rs.
//!
//! ```text
//! 0x10928C: mixed (t.c:10)
//! 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_massif.so)
//! 0x4A3F: ???
//! 0x5581: alloc::alloc::alloc (src/alloc.rs:95:9)
//! ```
//!
//! The addresses are those of a process whose memory map is not known: names are all there will ever be.

use super::half_demangled;
use super::lines::hex_digits;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId, StrId};
use crate::profile::{Function, Line, Mapping, ProfileBuilder};

/// Most functions that are taken for inlined into each other at one address.
const MOST_INLINED: usize = 64;

/// Function, file or object that is not known.
const UNKNOWN: &[u8] = b"???";

/// Parts of a frame; empty or 0 when unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FrameText<'a> {
    /// Address of the call.
    pub(super) address: u64,
    /// Name of the function.
    pub(super) function: &'a [u8],
    /// Source file.
    pub(super) file: &'a [u8],
    /// Source line, from 1.
    pub(super) line: i64,
    /// Source column, from 1.
    pub(super) column: i64,
    /// Path of the program or library, which is given where the source file is not known.
    pub(super) object: &'a [u8],
}

impl<'a> FrameText<'a> {
    /// Takes a text apart. What is no address and no place is part of the name.
    pub(super) fn new(text: &'a [u8]) -> Self {
        let text = text.trim_ascii();
        let (address, rest) = address(text).unwrap_or((0, text));
        let frame = FrameText { address, ..FrameText::default() };
        // heaptrack writes addresses in place of names.
        let is_number =
            |text: &[u8]| text.strip_prefix(b"0x").is_some_and(|digits| !digits.is_empty() && hex_digits(digits).1 == digits.len());
        let known = |text: &'a [u8]| if text == UNKNOWN || is_number(text) { &b""[..] } else { text };
        for open in opening(rest).into_iter().flatten() {
            let (name, inside) = (rest[..open].trim_ascii(), &rest[open + 2..rest.len() - 1]);
            let object = inside.strip_prefix(b"in ").or_else(|| inside.strip_prefix(b"within "));
            if let Some(object) = object.or((inside == b"in").then_some(b"")) {
                return FrameText { function: known(name), object: known(object.trim_ascii()), ..frame };
            }
            if let Some((file, line, column)) = place(inside) {
                return FrameText { function: known(name), file: known(file), line, column, ..frame };
            }
        }
        FrameText { function: known(rest), ..frame }
    }
}

/// The address in front of a frame, and what follows it.
fn address(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))?;
    let (address, n) = hex_digits(digits);
    let rest = digits[n..].strip_prefix(b":")?;
    (n > 0).then(|| (address.unwrap_or(0), rest.trim_ascii()))
}

/// Where ` (` of the place behind a name may be, the best guess first: files, objects and names may have parentheses, too.
fn opening(text: &[u8]) -> [Option<usize>; 3] {
    let Some(inner) = text.strip_suffix(b")") else { return [None; 3] };
    let object = inner.windows(6).rposition(|window| window == b" (in /");
    let mut depth = 1;
    let balanced = inner.iter().rposition(|byte| {
        depth += i32::from(*byte == b')') - i32::from(*byte == b'(');
        depth == 0
    });
    let balanced = balanced.filter(|at| *at > 0 && inner[at - 1] == b' ').map(|at| at - 1);
    [object, balanced, inner.windows(2).rposition(|window| window == b" (")]
}

/// `file:line` or `file:line:column`.
fn place(text: &[u8]) -> Option<(&[u8], i64, i64)> {
    let (before, last) = number_after_colon(text)?;
    Some(match number_after_colon(before) {
        Some((file, line)) => (file, line, last),
        None => (before, last, 0),
    })
}

fn number_after_colon(text: &[u8]) -> Option<(&[u8], i64)> {
    let colon = text.iter().rposition(|byte| *byte == b':').filter(|colon| *colon > 0)?;
    let digits = &text[colon + 1..];
    let is_number = !digits.is_empty() && digits.len() < 10 && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| (&text[..colon], digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))))
}

/// Numbers of texts, by their first occurrence.
#[derive(Debug, Default)]
pub(super) struct FrameNumbers<'a> {
    texts: Vec<&'a [u8]>,
    numbers: HashMap<&'a [u8], u32>,
}

impl<'a> FrameNumbers<'a> {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &'a [u8]) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }

    /// Number → text.
    pub(super) fn texts(&self) -> &[&'a [u8]] {
        &self.texts
    }
}

/// Makes the program of a command line the first mapping, which reports are named after. Its frames are not told from others.
pub(super) fn name_program(command: &[u8], builder: &mut ProfileBuilder) {
    let program = command.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    if !program.is_empty() {
        let file = builder.string(&String::from_utf8_lossy(program));
        builder.mapping(Mapping { file, has_functions: true, has_inline_frames: true, ..Mapping::default() });
    }
}

/// A frame without its names.
#[derive(Clone, Copy, Debug)]
struct Frame {
    address: u64,
    mapping: Option<MappingId>,
    line: Line,
}

/// Locations of frames that are known by number.
#[derive(Debug)]
pub(super) struct Frames {
    frames: Vec<Frame>,
    /// Frame → the location that it alone is.
    single: Vec<Option<LocationId>>,
    /// Frames that are inlined into each other, innermost first.
    inlined: HashMap<Box<[u32]>, LocationId>,
}

impl Frames {
    /// Reads each text once. `texts`: number → text.
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a [u8]>, builder: &mut ProfileBuilder) -> Self {
        let mut mappings: HashMap<StrId, MappingId> = HashMap::default();
        let frames: Vec<Frame> = texts.into_iter().map(|text| frame(&FrameText::new(text), &mut mappings, builder)).collect();
        Frames { single: vec![None; frames.len()], frames, inlined: HashMap::default() }
    }

    /// Appends the locations of a stack, leaf first like its frames. Neighbours with one address are inlined into each other; a frame
    /// that comes again is a recursive call. Numbers without a text are left out. O(frames).
    pub(super) fn locations(&mut self, stack: &[u32], builder: &mut ProfileBuilder, locations: &mut Vec<LocationId>) {
        let mut rest = stack;
        while let Some(first) = rest.first() {
            let Some(frame) = self.frames.get(*first as usize) else {
                rest = &rest[1..];
                continue;
            };
            let is_inlined = |(place, number): &(usize, &u32)| {
                let is_there = self.frames.get(**number as usize).is_some_and(|next| next.address == frame.address);
                frame.address != 0 && is_there && !rest[..*place].contains(number)
            };
            let more = rest.iter().enumerate().skip(1).take(MOST_INLINED - 1).take_while(is_inlined);
            let (call, after) = rest.split_at(1 + more.count());
            locations.push(self.location(call, builder));
            rest = after;
        }
    }

    /// The location of frames with one address, innermost first.
    fn location(&mut self, call: &[u32], builder: &mut ProfileBuilder) -> LocationId {
        let Frames { frames, single, inlined } = self;
        let outermost = frames[call[call.len() - 1] as usize];
        if call.len() == 1 {
            let lines = [outermost.line];
            let is_known = outermost.line.function.is_some() || outermost.line.line > 0;
            let lines = if is_known { &lines[..] } else { &[] };
            return *single[call[0] as usize].get_or_insert_with(|| builder.location(outermost.mapping, outermost.address, lines));
        }
        if let Some(location) = inlined.get(call) {
            return *location;
        }
        let lines: Vec<Line> = call.iter().map(|number| frames[*number as usize].line).collect();
        let mapping = call.iter().rev().find_map(|number| frames[*number as usize].mapping);
        let location = builder.location(mapping, outermost.address, &lines);
        inlined.insert(call.into(), location);
        location
    }
}

fn frame(text: &FrameText<'_>, mappings: &mut HashMap<StrId, MappingId>, builder: &mut ProfileBuilder) -> Frame {
    let mut string = |bytes: &[u8]| builder.string(&String::from_utf8_lossy(bytes));
    let (file, object) = (string(text.file), string(text.object));
    let function = (!text.function.is_empty()).then(|| {
        let name = String::from_utf8_lossy(text.function);
        let system_name = half_demangled::mangled(&name).map_or(StrId(0), |mangled| builder.string(&mangled));
        let name = builder.string(&name);
        builder.function(Function { name, system_name, filename: file, ..Function::default() })
    });
    let mapping = (!text.object.is_empty()).then(|| {
        *mappings.entry(object).or_insert_with(|| {
            builder.mapping(Mapping { file: object, has_functions: true, has_inline_frames: true, ..Mapping::default() })
        })
    });
    Frame { address: text.address, mapping, line: Line { function, line: text.line, column: text.column } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Labels;

    /// Address, function, file, line, column, object.
    fn parts(text: &str) -> (u64, String, String, i64, i64, String) {
        let frame = FrameText::new(text.as_bytes());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (frame.address, text(frame.function), text(frame.file), frame.line, frame.column, text(frame.object))
    }

    #[test]
    fn texts_are_taken_apart_from_their_ends() {
        for (text, address, function, place) in [
            ("0x10928C: mixed (t.c:10)", 0x10928c, "mixed", ("t.c", 10, 0, "")),
            ("0x48417B4: malloc (in /usr/lib/vg (x86).so)", 0x48417b4, "malloc", ("", 0, 0, "/usr/lib/vg (x86).so")),
            ("0x4A: ??? (in /lib/libc.so.6)", 0x4a, "", ("", 0, 0, "/lib/libc.so.6")),
            ("0x4A: ???", 0x4a, "", ("", 0, 0, "")),
            ("0x4A: f", 0x4a, "f", ("", 0, 0, "")),
            ("0x4A: 0x4a (in /lib/libc.so.6)", 0x4a, "", ("", 0, 0, "/lib/libc.so.6")),
            ("0x4A: f (in )", 0x4a, "f", ("", 0, 0, "")),
            ("0x4A: f (within a.so)", 0x4a, "f", ("", 0, 0, "a.so")),
            ("0x5581: alloc::alloc::alloc (src/alloc.rs:95:9)", 0x5581, "alloc::alloc::alloc", ("src/alloc.rs", 95, 9, "")),
            ("0x5581: f (???:0:0)", 0x5581, "f", ("", 0, 0, "")),
            (
                "0x1: main::{lambda(int)#1}::operator()(int) const (cpp.cc:7)",
                1,
                "main::{lambda(int)#1}::operator()(int) const",
                ("cpp.cc", 7, 0, ""),
            ),
            ("0x1: (anonymous namespace)::anon() (my file (1).cc:6)", 1, "(anonymous namespace)::anon()", ("my file (1).cc", 6, 0, "")),
            ("0x1: operator() (int)", 1, "operator() (int)", ("", 0, 0, "")),
            ("0x1: f(int) (a:b.c:3)", 1, "f(int)", ("a:b.c", 3, 0, "")),
            ("0x1: f (a(.c:3)", 1, "f", ("a(.c", 3, 0, "")),
            ("0x123456789abcdef01: f", 0, "f", ("", 0, 0, "")),
            ("0xg: f", 0, "0xg: f", ("", 0, 0, "")),
            ("f (x.c:99999999999)", 0, "f (x.c:99999999999)", ("", 0, 0, "")),
            ("()", 0, "()", ("", 0, 0, "")),
            (" ()", 0, "()", ("", 0, 0, "")),
            ("", 0, "", ("", 0, 0, "")),
        ] {
            let (file, line, column, object) = place;
            let want = (address, function.to_owned(), file.to_owned(), line, column, object.to_owned());
            assert_eq!(parts(text), want, "{text}");
        }
    }

    #[test]
    fn neighbours_with_one_address_are_inlined_and_recursion_is_not() {
        let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let mut numbers = FrameNumbers::default();
        let stack = ["0x9: a (x.c:1)", "0x9: b (x.c:2)", "0x9: a (x.c:1)", "0x9: b (x.c:2)", "0x5: ??? (in /p)", "0x0: c", "0x0: d"];
        let stack: Vec<u32> = stack.iter().map(|text| numbers.number(text.as_bytes())).collect();
        assert_eq!(stack, [0, 1, 0, 1, 2, 3, 4]);
        let mut frames = Frames::new(numbers.texts().iter().copied(), &mut b);
        let mut locations = Vec::new();
        frames.locations(&[&stack[..], &[99]].concat(), &mut b, &mut locations);
        assert_eq!(locations.len(), 5);
        assert_eq!(locations[0], locations[1]);
        b.sample(&locations, Labels::NONE, &[1]);
        let profile = b.build();
        let names = |location: LocationId| {
            let frames = profile.code().locations[location].frames();
            frames.map(|frame| profile.function_of(frame).map_or("", |(_, f)| profile.text(f.name)).to_owned()).collect::<Vec<_>>()
        };
        let all: Vec<_> = locations[1..].iter().map(|location| names(*location)).collect();
        assert_eq!(all, [vec!["a", "b"], vec![""], vec!["c"], vec!["d"]]);
        let mapping = profile.mapping_of(locations[2]).map(|(_, mapping)| (profile.text(mapping.file), mapping.has_functions));
        assert_eq!(mapping, Some(("/p", true)));
        profile.validate().unwrap();
    }
}
