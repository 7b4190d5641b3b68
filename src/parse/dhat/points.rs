//! Program points: allocation sites with their numbers, as they are read.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::problems::{Problem, Problems};
use super::values::BytesSeed;
use crate::parse::json_count::{Count, CountSeed};

/// Fields with one number. Their places in [`Point::values`].
pub(super) const FIELDS: [&str; 11] = ["tb", "tbk", "tl", "mb", "mbk", "gb", "gbk", "eb", "ebk", "rb", "wb"];

/// Place of a field in [`Point::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    TotalBytes,
    TotalBlocks,
    Lifetime,
    MaxBytes,
    MaxBlocks,
    PeakBytes,
    PeakBlocks,
    EndBytes,
    EndBlocks,
    ReadBytes,
    WrittenBytes,
}

impl Field {
    /// All fields, in order.
    pub(super) const ALL: [Field; FIELDS.len()] = [
        Field::TotalBytes,
        Field::TotalBlocks,
        Field::Lifetime,
        Field::MaxBytes,
        Field::MaxBlocks,
        Field::PeakBytes,
        Field::PeakBlocks,
        Field::EndBytes,
        Field::EndBlocks,
        Field::ReadBytes,
        Field::WrittenBytes,
    ];
}

/// Longest list of access counts, in bytes of the block. DHAT stops at 1,024, with a client request here.
const LONGEST_BLOCK: u64 = 25_600;

/// An allocation site.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// [`Field`] → number.
    pub(super) values: [i64; FIELDS.len()],
    /// End of its frames in [`Points::frames`]; they begin where those of the point before end.
    pub(super) end: usize,
    /// End of its accesses in [`Points::accesses`].
    pub(super) accesses_end: usize,
    /// Bit of each field that the file has.
    has: u16,
}

impl Point {
    pub(super) fn get(&self, field: Field) -> i64 {
        self.values[field as usize]
    }

    /// Returns whether the file has the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.has & 1 << field as u16 != 0
    }
}

/// A list of neighbouring bytes that were accessed equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of bytes.
    pub(super) bytes: u32,
    /// Accesses of each.
    pub(super) count: u32,
}

/// All program points.
#[derive(Debug, Default)]
pub(super) struct Points {
    pub(super) list: Vec<Point>,
    /// Frame numbers of all points, leaf first; `u32::MAX` for what is no number.
    pub(super) frames: Vec<u32>,
    pub(super) accesses: Vec<Run>,
    /// The list began.
    pub(super) is_begun: bool,
    /// The list is complete.
    pub(super) is_complete: bool,
}

impl Points {
    /// Each point, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Point> {
        self.list.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Drops what belongs to a point that was not finished.
    pub(super) fn drop_rest(&mut self) {
        let (frames, accesses) = self.list.last().map_or((0, 0), |last| (last.end, last.accesses_end));
        self.frames.truncate(frames);
        self.accesses.truncate(accesses);
    }
}

/// Reads the list of points.
pub(super) struct PointsSeed<'a> {
    pub(super) points: &'a mut Points,
    pub(super) problems: &'a mut Problems,
}

impl<'de> DeserializeSeed<'de> for PointsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for PointsSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of program points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let PointsSeed { points, problems } = self;
        points.is_begun = true;
        while seq.next_element_seed(PointSeed { points, problems })?.is_some() {}
        points.is_complete = true;
        Ok(())
    }
}

struct PointSeed<'a> {
    points: &'a mut Points,
    problems: &'a mut Problems,
}

impl<'de> DeserializeSeed<'de> for PointSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

/// A key of a program point.
enum Key {
    Number(usize),
    Frames,
    Accesses,
    Other,
}

impl Key {
    fn of(name: &[u8]) -> Key {
        match name {
            b"fs" => Key::Frames,
            b"acc" => Key::Accesses,
            _ => FIELDS.iter().position(|field| field.as_bytes() == name).map_or(Key::Other, Key::Number),
        }
    }
}

impl<'de> Visitor<'de> for PointSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a program point")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let PointSeed { points, problems } = self;
        points.drop_rest();
        let mut point = Point::default();
        let number = points.len() + 1;
        let mut has_frames = false;
        while let Some(key) = map.next_key_seed(BytesSeed(Key::of))? {
            match key {
                Key::Number(field) => {
                    point.values[field] = known(map.next_value_seed(CountSeed)?, number, problems);
                    point.has |= 1 << field;
                }
                Key::Frames => {
                    has_frames = true;
                    // Of two lists the last one counts, as everywhere in JSON.
                    points.frames.truncate(points.list.last().map_or(0, |last| last.end));
                    map.next_value_seed(FramesSeed(&mut points.frames))?;
                }
                Key::Accesses => {
                    points.accesses.truncate(points.list.last().map_or(0, |last| last.accesses_end));
                    let start = points.accesses.len();
                    if !map.next_value_seed(AccessesSeed(&mut points.accesses))? {
                        points.accesses.truncate(start);
                        problems.add(Problem::BadAccesses, number);
                    }
                }
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !has_frames {
            problems.add(Problem::NoStack, number);
            // Objects without anything would take more memory than text.
            if point.has == 0 {
                return Ok(());
            }
        }
        (point.end, point.accesses_end) = (points.frames.len(), points.accesses.len());
        points.list.push(point);
        Ok(())
    }
}

/// The count, or what is taken for it. `point`: number of the program point, from 1; 0: outside of them.
pub(super) fn known(count: Count, point: usize, problems: &mut Problems) -> i64 {
    let (problem, value) = match count {
        Count::Fits(value) => return value,
        Count::Huge => (Problem::Huge, i64::MAX),
        Count::Negative(_) => (Problem::Negative, 0),
        Count::NoNumber => (Problem::NoNumber, 0),
    };
    problems.add(problem, point);
    value
}

/// Reads frame numbers.
struct FramesSeed<'a>(&'a mut Vec<u32>);

impl<'de> DeserializeSeed<'de> for FramesSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for FramesSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of frame numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(count) = seq.next_element_seed(CountSeed)? {
            let number = if let Count::Fits(number) = count { u32::try_from(number).unwrap_or(u32::MAX) } else { u32::MAX };
            self.0.push(number);
        }
        Ok(())
    }
}

/// Reads access counts: a number for each byte, or −n and a number for n bytes. Returns false if they make no sense.
struct AccessesSeed<'a>(&'a mut Vec<Run>);

impl<'de> DeserializeSeed<'de> for AccessesSeed<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<bool, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for AccessesSeed<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of access counts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        let runs = self.0;
        let start = runs.len();
        let (mut repeat, mut length, mut is_sound) = (None, 0u64, true);
        while let Some(count) = seq.next_element_seed(CountSeed)? {
            match count {
                Count::Negative(times) if repeat.is_none() => repeat = Some(times.unsigned_abs()),
                Count::Fits(count) if is_sound => {
                    let bytes = repeat.take().unwrap_or(1);
                    length = length.saturating_add(bytes);
                    let (Ok(bytes), Ok(count)) = (u32::try_from(bytes), u32::try_from(count)) else {
                        is_sound = false;
                        continue;
                    };
                    match runs[start..].last_mut() {
                        Some(last) if last.count == count => last.bytes = last.bytes.saturating_add(bytes),
                        _ => runs.push(Run { bytes, count }),
                    }
                }
                _ => is_sound = false,
            }
        }
        Ok(is_sound && repeat.is_none() && length <= LONGEST_BLOCK)
    }
}
