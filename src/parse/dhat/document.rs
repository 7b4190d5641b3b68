//! The file as a whole: JSON into tables, value by value.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::points::{Points, PointsSeed, known};
use super::problems::Problems;
use super::values::{BytesSeed, text};
use crate::parse::json_count::{Count, CountSeed};

/// Version that is read.
pub(super) const VERSION: i64 = 2;

/// Content of a file, as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// Version of the format.
    pub(super) version: Option<i64>,
    pub(super) mode: Option<String>,
    /// What happened at a program point: `Allocated`, `Copied`, `Occurred`.
    pub(super) verb: Option<String>,
    /// Lifetimes of blocks are known.
    pub(super) has_lifetimes: Option<bool>,
    /// Accesses of blocks are known.
    pub(super) has_accesses: Option<bool>,
    /// Plural of what bytes are.
    pub(super) bytes_unit: Option<String>,
    /// Unit of times.
    pub(super) time_unit: Option<String>,
    /// Longest lifetime that counts as short, in the time unit.
    pub(super) short_lifetime: Option<i64>,
    pub(super) command: Option<String>,
    pub(super) pid: Option<i64>,
    /// Time of the peak.
    pub(super) peak_time: Option<i64>,
    /// Time of the end.
    pub(super) end_time: Option<i64>,
    pub(super) points: Points,
    pub(super) frames: Frames,
    pub(super) problems: Problems,
}

/// Texts of frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    text: Vec<u8>,
    end: Vec<usize>,
    /// The list is complete.
    pub(super) is_complete: bool,
}

impl Frames {
    /// The text of a frame. 0 is the root, which no stack names.
    pub(super) fn get(&self, number: u32) -> Option<&[u8]> {
        let number = (number as usize).checked_sub(1)?;
        let end = *self.end.get(number + 1)?;
        Some(&self.text[self.end[number]..end])
    }

    pub(super) fn len(&self) -> usize {
        self.end.len()
    }
}

/// Reads a file into a document, which keeps what was read before an error.
pub(super) struct DocumentSeed<'a>(pub(super) &'a mut Document);

impl<'de> DeserializeSeed<'de> for DocumentSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

/// A key of the file.
enum Key {
    Version,
    Text(fn(&mut Document) -> &mut Option<String>),
    Flag(fn(&mut Document) -> &mut Option<bool>),
    Count(fn(&mut Document) -> &mut Option<i64>),
    Points,
    Frames,
    Other,
}

impl Key {
    fn of(name: &[u8]) -> Key {
        match name {
            b"dhatFileVersion" => Key::Version,
            b"mode" => Key::Text(|to| &mut to.mode),
            b"verb" => Key::Text(|to| &mut to.verb),
            b"bklt" => Key::Flag(|to| &mut to.has_lifetimes),
            b"bkacc" => Key::Flag(|to| &mut to.has_accesses),
            b"bsu" => Key::Text(|to| &mut to.bytes_unit),
            b"tu" => Key::Text(|to| &mut to.time_unit),
            b"tuth" => Key::Count(|to| &mut to.short_lifetime),
            b"cmd" => Key::Text(|to| &mut to.command),
            b"pid" => Key::Count(|to| &mut to.pid),
            b"tg" => Key::Count(|to| &mut to.peak_time),
            b"te" => Key::Count(|to| &mut to.end_time),
            b"pps" => Key::Points,
            b"ftbl" => Key::Frames,
            _ => Key::Other,
        }
    }
}

impl<'de> Visitor<'de> for DocumentSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `dhatFileVersion`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let to = self.0;
        while let Some(key) = map.next_key_seed(BytesSeed(Key::of))? {
            match key {
                Key::Version => {
                    let (Count::Fits(version) | Count::Negative(version)) = map.next_value_seed(CountSeed)? else { continue };
                    to.version = Some(version);
                    if version != VERSION {
                        // The rest has another meaning.
                        return Err(A::Error::custom("version"));
                    }
                }
                Key::Text(of) => *of(to) = Some(map.next_value_seed(BytesSeed(text))?),
                Key::Flag(of) => *of(to) = Some(map.next_value()?),
                Key::Count(of) => {
                    let count = map.next_value_seed(CountSeed)?;
                    *of(to) = Some(known(count, 0, &mut to.problems));
                }
                Key::Points => map.next_value_seed(PointsSeed { points: &mut to.points, problems: &mut to.problems })?,
                Key::Frames => map.next_value_seed(FramesSeed(&mut to.frames))?,
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct FramesSeed<'a>(&'a mut Frames);

impl<'de> DeserializeSeed<'de> for FramesSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for FramesSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of frames")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Frames { text, end, is_complete } = self.0;
        while seq.next_element_seed(BytesSeed(|bytes: &[u8]| text.extend_from_slice(bytes)))?.is_some() {
            end.push(text.len());
        }
        *is_complete = true;
        Ok(())
    }
}
