//! Tables in front of the events: the program, texts, threads, source locations.

use super::problems::{Problem, Problems};
use super::text::{Ended, Text};
use super::version::Version;
use crate::base::hash::HashMap;

/// Most texts; rows name them with 24 bits.
const MOST_TEXTS: usize = 1 << 23;
/// Most bytes of all texts together, and of one.
const MOST_TEXT: usize = 1 << 28;
const LONGEST_TEXT: usize = 1 << 16;
/// Source locations are named with 16 bits, one of them for those with texts of their own.
const MOST_PLACES: usize = 1 << 15;
/// Most source locations by address.
const MOST_KEYS: usize = 1 << 20;
/// Threads are numbered with 16 bits.
const MOST_THREADS: usize = 1 << 16;

/// Texts by number, from 0.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn get(&self, number: u32) -> Option<&[u8]> {
        let number = number as usize;
        let end = *self.ends.get(number)? as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.bytes.get(start..end)
    }
}

/// Where a zone is in the source; numbers of texts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) name: Option<u32>,
    pub(super) function: Option<u32>,
    pub(super) file: Option<u32>,
    pub(super) line: u32,
}

/// What comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    /// Time of the last event, nanoseconds.
    pub(super) last_time: i64,
    pub(super) program: Vec<u8>,
    /// When the capture began, seconds since 1970.
    pub(super) captured: u64,
}

/// What is kept of the tables.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) texts: Texts,
    /// Address of a text in the program → its number.
    pub(super) literals: HashMap<u64, u32>,
    /// Thread → number of its name.
    pub(super) thread_names: HashMap<u64, u32>,
    /// Number of a thread → thread.
    pub(super) threads: Vec<u64>,
    /// Source locations with numbers from 0, and from -1 down.
    places: [Vec<Place>; 2],
}

impl Tables {
    /// The source location of a zone.
    pub(super) fn place(&self, number: i16) -> Option<Place> {
        let (table, at) = if number < 0 { (1, -1 - i32::from(number)) } else { (0, i32::from(number)) };
        self.places[table].get(usize::try_from(at).ok()?).copied()
    }
}

/// Reads up to the version. `None`: this is no trace.
pub(super) fn version(text: &mut Text<'_>) -> Result<Option<Version>, Ended> {
    let magic: [u8; 5] = text.array()?;
    let version = Version(text.array()?);
    Ok((magic == *b"tracy").then_some(version))
}

/// Reads what follows the version.
pub(super) fn head(text: &mut Text<'_>, version: Version) -> Result<Head, Ended> {
    if !version.is_from(0, 12, 3) {
        text.skip(8)?;
    }
    text.skip(8 + 8)?;
    let last_time = text.i64()?;
    // Frame offset, process, sampling period, processor.
    text.skip(8 + 8 + 8 + 1 + 4 + 12)?;
    if version.is_from(0, 9, 2) {
        text.skip(1)?;
    }
    let mut program = Vec::new();
    text.skip_rows(1)?;
    text.string(LONGEST_TEXT, &mut program)?;
    let captured = text.u64()?;
    text.skip(8)?;
    text.skip_rows(1)?;
    skip_topology(text, version)?;
    // What a crash was.
    text.skip(28)?;
    for _ in 0..text.u64()? {
        text.skip(8)?;
        let is_continuous = text.u8()? != 0;
        text.skip_rows(if is_continuous { 12 } else { 20 })?;
    }
    if version.is_from(0, 13, 5) {
        for _ in 0..text.u64()? {
            text.skip(2)?;
            text.skip_rows(15)?;
        }
        text.skip_rows(5)?;
    } else if version.is_from(0, 13, 4) {
        text.skip_rows(15)?;
    }
    Ok(Head { last_time, program, captured })
}

fn skip_topology(text: &mut Text<'_>, version: Version) -> Result<(), Ended> {
    let cores = |text: &mut Text<'_>| {
        for _ in 0..text.u64()? {
            text.skip(4)?;
            text.skip_rows(4)?;
        }
        Ok(())
    };
    for _ in 0..text.u64()? {
        text.skip(4)?;
        if version.is_from(0, 11, 2) {
            for _ in 0..text.u64()? {
                text.skip(4)?;
                cores(text)?;
            }
        } else {
            cores(text)?;
        }
    }
    Ok(())
}

/// Reads the tables between [`head`] and the events.
pub(super) fn tables(text: &mut Text<'_>, problems: &mut Problems) -> Result<Tables, Ended> {
    let mut tables = Tables::default();
    let Tables { texts, literals, thread_names, threads, places: [numbered, with_texts] } = &mut tables;
    let mut by_address: HashMap<u64, u32> = HashMap::default();
    for _ in 0..text.u64()? {
        let address = text.u64()?;
        if texts.ends.len() >= MOST_TEXTS {
            problems.add(Problem::TooMany, text.at());
            text.skip_rows(1)?;
            continue;
        }
        text.string(LONGEST_TEXT.min(MOST_TEXT - texts.bytes.len()), &mut texts.bytes)?;
        by_address.insert(address, texts.ends.len() as u32);
        texts.ends.push(texts.bytes.len() as u32);
    }
    for names in [&mut *literals, thread_names] {
        for _ in 0..text.u64()? {
            let (key, address) = (text.u64()?, text.u64()?);
            match by_address.get(&address) {
                Some(name) if names.len() < MOST_TEXTS => {
                    names.insert(key, *name);
                }
                Some(_) => problems.add(Problem::TooMany, text.at()),
                None => {}
            }
        }
    }
    // Names of other processes.
    text.skip_rows(24)?;
    for _ in 0..text.u64()? {
        let thread = text.u64()?;
        if threads.len() < MOST_THREADS {
            threads.push(thread);
        }
    }
    text.skip_rows(8)?;

    let reference = |text: &mut Text<'_>, literals: &HashMap<u64, u32>| {
        let (value, flags) = (text.u64()?, text.u8()?);
        Ok(match flags {
            _ if flags & 2 == 0 => None,
            _ if flags & 1 != 0 => u32::try_from(value).ok(),
            _ => literals.get(&value).copied(),
        })
    };
    let literals = &*literals;
    let place = |text: &mut Text<'_>| {
        let [name, function, file] = [reference(text, literals)?, reference(text, literals)?, reference(text, literals)?];
        let line = text.u32()?;
        text.skip(4)?;
        Ok(Place { name, function, file, line })
    };
    let mut by_key: HashMap<u64, Place> = HashMap::default();
    for _ in 0..text.u64()? {
        let key = text.u64()?;
        let place = place(text)?;
        if by_key.len() < MOST_KEYS {
            by_key.insert(key, place);
        }
    }
    for _ in 0..text.u64()? {
        let key = text.u64()?;
        if numbered.len() < MOST_PLACES {
            numbered.push(by_key.get(&key).copied().unwrap_or_default());
        }
    }
    for _ in 0..text.u64()? {
        let place = place(text)?;
        if with_texts.len() < MOST_PLACES {
            with_texts.push(place);
        }
    }
    Ok(tables)
}

/// Skips what [`tables`] reads.
pub(super) fn skip_tables(text: &mut Text<'_>) -> Result<(), Ended> {
    for _ in 0..text.u64()? {
        text.skip(8)?;
        text.skip_rows(1)?;
    }
    for length in [16, 16, 24, 8, 8, 8 + 35, 8, 35] {
        text.skip_rows(length)?;
    }
    Ok(())
}
