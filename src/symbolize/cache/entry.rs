//! Binary format of a cache entry: the frames found in one file.
//!
//! `magic, version (text), length of the rest (8 bytes), its CRC-32 (4 bytes)`, then, with numbers as LEB128: the key; a byte of
//! flags; the debug file (path, device, inode, length, time), if any; the strings (count, lengths, all bytes); the number of
//! addresses, and for each the distance from the previous one, the number of frames, and per frame name, short name, file (string
//! indexes), start line, line and column.

use std::path::PathBuf;
use std::sync::Arc;

use super::version::VERSION;
use crate::base::hash::HashMap;
use crate::symbolize::dwarf::{Chain, Frame};
use crate::symbolize::module::Facts;
use crate::symbolize::read::file_stamp::{Stamp, Stamped};
use crate::symbolize::read::numbers;

const MAGIC: &[u8; 8] = b"hvnames\n";
const HEAD: usize = MAGIC.len() + VERSION.len() + 8 + 4;

const HAS_INFO: u8 = 1;
const HAS_ALL_SYMBOLS: u8 = 2;
const HAS_DEBUG_FILE: u8 = 4;

/// An entry that is whole as far as its facts.
pub(super) struct Entry<'a> {
    pub(super) facts: Facts,
    strings: Vec<Arc<str>>,
    /// Bytes after the strings.
    rest: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Reads the head of the entry of `key`; `None` when it is damaged or something else.
    pub(super) fn parse(bytes: &'a [u8], key: &[u8]) -> Option<Self> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        if head != Self::head(body) {
            return None;
        }
        let mut from = Reader { bytes: body };
        if from.block()? != key {
            return None;
        }
        let flags = from.take(1)?[0];
        let debug_file = match flags & HAS_DEBUG_FILE {
            0 => None,
            _ => {
                let path = path_of(from.block()?)?;
                let stamp = Stamp { inode: (from.number()?, from.number()?), len: from.number()?, written: from.number()? };
                Some(Stamped { path, stamp })
            }
        };
        let facts = Facts { has_info: flags & HAS_INFO != 0, has_all_symbols: flags & HAS_ALL_SYMBOLS != 0, debug_file };
        let strings = from.strings()?;
        Some(Entry { facts, strings, rest: from.bytes })
    }

    /// The frames of the addresses that are `wanted`, by address; `None` when they are damaged.
    pub(super) fn chains(&self, wanted: impl Fn(u64) -> bool) -> Option<Vec<(u64, Chain)>> {
        let mut from = Reader { bytes: self.rest };
        let mut chains = Vec::new();
        let mut address = 0u64;
        for i in 0..from.count()? {
            let distance = from.number()?;
            if i > 0 && distance == 0 {
                return None;
            }
            address = address.checked_add(distance)?;
            let is_wanted = wanted(address);
            let n_frames = from.count()?;
            let mut chain = Chain::with_capacity(if is_wanted { n_frames } else { 0 });
            for _ in 0..n_frames {
                let (name, short, file) = (from.number()?, from.number()?, from.number()?);
                let (start_line, line, column) = (from.number()?, from.number()?, from.number()?);
                if is_wanted {
                    let [name, short, file] = [self.string(name)?, self.string(short)?, self.string(file)?];
                    chain.push(Frame { name, short, file, start_line, line, column });
                }
            }
            if is_wanted {
                chains.push((address, chain));
            }
        }
        from.bytes.is_empty().then_some(chains)
    }

    fn string(&self, number: u64) -> Option<Arc<str>> {
        self.strings.get(usize::try_from(number).ok()?).cloned()
    }

    /// The bytes of an entry; `chains` by address. `None` when it could not be read again.
    pub(super) fn write(key: &[u8], facts: &Facts, chains: &[(u64, &Chain)]) -> Option<Vec<u8>> {
        let mut body = Vec::new();
        block(&mut body, key);
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let debug_file = facts.debug_file.as_ref();
        body.push(
            flag(facts.has_info, HAS_INFO) | flag(facts.has_all_symbols, HAS_ALL_SYMBOLS) | flag(debug_file.is_some(), HAS_DEBUG_FILE),
        );
        if let Some(Stamped { path, stamp }) = debug_file {
            block(&mut body, path.to_str()?.as_bytes());
            [stamp.inode.0, stamp.inode.1, stamp.len, stamp.written].into_iter().for_each(|n| number(&mut body, n));
        }
        let mut numbers: HashMap<&str, u64> = HashMap::default();
        let mut strings: Vec<&str> = Vec::new();
        let mut rest = Vec::new();
        number(&mut rest, chains.len() as u64);
        let mut before = 0;
        for (address, chain) in chains {
            number(&mut rest, address - before);
            before = *address;
            number(&mut rest, chain.len() as u64);
            for frame in *chain {
                for text in [&frame.name, &frame.short, &frame.file] {
                    let next = numbers.len() as u64;
                    number(&mut rest, *numbers.entry(text).or_insert_with(|| (strings.push(text), next).1));
                }
                [frame.start_line, frame.line, frame.column].into_iter().for_each(|n| number(&mut rest, n));
            }
        }
        number(&mut body, strings.len() as u64);
        strings.iter().for_each(|text| number(&mut body, text.len() as u64));
        strings.iter().for_each(|text| body.extend(text.as_bytes()));
        body.append(&mut rest);
        let mut bytes = Self::head(&body);
        bytes.append(&mut body);
        Some(bytes)
    }

    fn head(body: &[u8]) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(body);
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.as_bytes());
        head.extend((body.len() as u64).to_le_bytes());
        head.extend(crc.sum().to_le_bytes());
        head
    }
}

fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

fn block(to: &mut Vec<u8>, bytes: &[u8]) {
    number(to, bytes.len() as u64);
    to.extend(bytes);
}

/// Unsigned LEB128.
fn number(to: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        to.push(n as u8 | 0x80);
        n >>= 7;
    }
    to.push(n as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (field, rest) = self.bytes.split_at_checked(n)?;
        self.bytes = rest;
        Some(field)
    }

    fn number(&mut self) -> Option<u64> {
        numbers::unsigned(&mut self.bytes)
    }

    /// A number of things that take a byte at least.
    fn count(&mut self) -> Option<usize> {
        let n = usize::try_from(self.number()?).ok()?;
        (n <= self.bytes.len()).then_some(n)
    }

    fn block(&mut self) -> Option<&'a [u8]> {
        let n = self.count()?;
        self.take(n)
    }

    fn strings(&mut self) -> Option<Vec<Arc<str>>> {
        let n = self.count()?;
        let mut lengths = Vec::with_capacity(n);
        let mut total = 0usize;
        for _ in 0..n {
            let length = usize::try_from(self.number()?).ok()?;
            total = total.checked_add(length)?;
            lengths.push(length);
        }
        let mut text = std::str::from_utf8(self.take(total)?).ok()?;
        let mut next = |length: usize| {
            let (string, rest) = text.split_at_checked(length)?;
            text = rest;
            Some(Arc::from(string))
        };
        lengths.into_iter().map(&mut next).collect()
    }
}
