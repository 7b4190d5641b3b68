//! Container of a trace: compressed blocks, which belong to the streams in turn.
//!
//! ```text
//! 74 72 fd 50 c n     since 0.11: compression c (0 LZ4, 1 zstd), n streams
//! 74 6c 5a 04         before: LZ4, one stream
//! 74 5a 73 74         before: zstd, one stream
//! l d…                blocks: a length of 32 bits, and that many bytes
//! ```
//!
//! The text is the blocks in the order of the file; each has 65,536 bytes of it, the last one fewer. LZ4: what a block refers to
//! is in the block before of its stream. zstd: the blocks of a stream are one frame, which never ends.

use std::io::Read;
use std::sync::Arc;

use lz4_flex::block::decompress_into_with_dict;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use crate::parse::zstd_frame;

/// Text of a block, bytes.
pub(super) const BLOCK: usize = 1 << 16;
/// Most memory for windows of all zstd streams, and of one; bytes.
const MOST_WINDOWS: u64 = 1 << 30;
const LARGEST_WINDOW: u64 = 1 << 27;

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    Lz4,
    Zstd,
}

/// Why there is no more text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All blocks were read.
    Whole,
    /// The file ends within a block.
    Cut,
    /// A block is damaged.
    Damaged,
    /// There is more text than is read.
    TooLong,
}

/// First bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    compression: Compression,
    n_streams: usize,
    /// Length of the header.
    length: usize,
}

impl Header {
    /// `None` if this is no trace, or one of a container that is not known.
    pub(super) fn of(bytes: &[u8]) -> Option<Header> {
        let known = |compression, n_streams: u8, length| Header { compression, n_streams: n_streams.into(), length };
        Some(match bytes {
            [b't', b'r', 0xfd, b'P', 0, n @ 1..=255, ..] => known(Compression::Lz4, *n, 6),
            [b't', b'r', 0xfd, b'P', 1, n @ 1..=255, ..] => known(Compression::Zstd, *n, 6),
            [b't', b'l', b'Z', 4, ..] => known(Compression::Lz4, 1, 4),
            [b't', b'Z', b's', b't', ..] => known(Compression::Zstd, 1, 4),
            _ => return None,
        })
    }

    /// Name of the compression.
    pub(super) fn compression(self) -> &'static str {
        match self.compression {
            Compression::Lz4 => "LZ4",
            Compression::Zstd => "zstd",
        }
    }
}

/// Where blocks are: the start of each length, and the end of the last block.
#[derive(Clone, Debug)]
struct Index {
    starts: Arc<[usize]>,
    end: End,
}

impl Index {
    fn new(bytes: &[u8], header: Header, most_text: usize) -> Index {
        let mut starts = vec![header.length];
        let mut at = header.length;
        let end = loop {
            if at == bytes.len() {
                break End::Whole;
            }
            if starts.len() > most_text.div_ceil(BLOCK) {
                break End::TooLong;
            }
            let length = bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|length| u32::from_le_bytes(*length) as usize);
            let Some(next) = length.map(|length| at + 4 + length).filter(|next| *next <= bytes.len()) else { break End::Cut };
            at = next;
            starts.push(at);
        };
        Index { starts: starts.into(), end }
    }

    fn n_blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// The compressed bytes of a block.
    fn block<'a>(&self, bytes: &'a [u8], number: usize) -> &'a [u8] {
        match (self.starts.get(number), self.starts.get(number + 1)) {
            (Some(start), Some(end)) => bytes.get(start + 4..*end).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Blocks of one stream, one after the other, and the end of a frame.
struct Joined<'a> {
    bytes: &'a [u8],
    index: Index,
    /// The block that comes after `rest`.
    next: usize,
    step: usize,
    rest: &'a [u8],
}

impl Read for Joined<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        while self.rest.is_empty() && self.next <= self.index.n_blocks() + self.step {
            self.rest = match self.next < self.index.n_blocks() {
                true => self.index.block(self.bytes, self.next),
                false => zstd_frame::END,
            };
            // After the end comes nothing.
            self.next = if self.next < self.index.n_blocks() { self.next + self.step } else { usize::MAX };
        }
        self.rest.read(out)
    }
}

type Stream<'a> = StreamingDecoder<Joined<'a>, FrameDecoder>;

enum Streams<'a> {
    /// The last block of each stream.
    Lz4(Vec<Vec<u8>>),
    /// `None`: the beginning of the stream is damaged.
    Zstd(Vec<Option<Stream<'a>>>),
}

/// Unpacks block by block.
pub(super) struct Unpacker<'a> {
    bytes: &'a [u8],
    index: Index,
    streams: Streams<'a>,
    n_streams: usize,
    next: usize,
    end: Option<End>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(bytes: &'a [u8], header: Header, most_text: usize) -> Self {
        let index = Index::new(bytes, header, most_text);
        let n_streams = header.n_streams;
        let streams = match header.compression {
            Compression::Lz4 => Streams::Lz4(vec![Vec::new(); n_streams]),
            Compression::Zstd => {
                let window = (MOST_WINDOWS / n_streams as u64).min(LARGEST_WINDOW);
                let stream = |first: usize| {
                    let blocks = Joined { bytes, index: index.clone(), next: first, step: n_streams, rest: &[] };
                    StreamingDecoder::new_with_max_window_size(blocks, window).ok()
                };
                Streams::Zstd((0..n_streams.min(index.n_blocks())).map(stream).collect())
            }
        };
        Unpacker { bytes, index, streams, n_streams, next: 0, end: None }
    }

    /// Puts the text of the next block into `out`, or returns why there is none.
    pub(super) fn next(&mut self, out: &mut Vec<u8>) -> Result<(), End> {
        if let Some(end) = self.end {
            return Err(end);
        }
        if self.next >= self.index.n_blocks() {
            return Err(self.index.end);
        }
        let (number, stream) = (self.next, self.next % self.n_streams);
        self.next += 1;
        out.resize(BLOCK, 0);
        let length = match &mut self.streams {
            Streams::Lz4(before) => before.get_mut(stream).and_then(|before| {
                let length = decompress_into_with_dict(self.index.block(self.bytes, number), out, before).ok()?;
                before.clear();
                before.extend_from_slice(out.get(..length)?);
                Some(length)
            }),
            Streams::Zstd(streams) => streams.get_mut(stream).and_then(Option::as_mut).and_then(|stream| fill(stream, out)),
        };
        // Only the last block is short.
        let Some(length) = length.filter(|length| *length == BLOCK || self.next == self.index.n_blocks()) else {
            self.end = Some(End::Damaged);
            return Err(End::Damaged);
        };
        out.truncate(length);
        Ok(())
    }
}

/// Reads until `out` is full or nothing is left; `None` if the data is damaged.
fn fill(stream: &mut Stream<'_>, out: &mut [u8]) -> Option<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match stream.read(&mut out[filled..]).ok()? {
            0 => break,
            n => filled += n,
        }
    }
    Some(filled)
}
