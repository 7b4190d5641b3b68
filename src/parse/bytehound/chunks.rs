//! Chunks of a file, unpacked ahead by a second thread.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::sync_channel;

use lz4_flex::block::decompress_into;

use crate::base::parallel::alongside;

/// Most text of a compressed chunk, bytes.
const MOST_TEXT: usize = 1 << 19;
/// Largest compressed chunk: text of this length that LZ4 cannot make smaller.
const MOST_PACKED: usize = MOST_TEXT + MOST_TEXT / 255 + 16;
/// Room in front of a block, bytes: for the beginning of an event that goes on in it.
pub(super) const ROOM: usize = 1 << 12;
/// Blocks that may wait.
const AHEAD: usize = 4;
/// Bytes of text in which a header is recognized.
const HEAD: usize = 1 << 14;

/// The text of a chunk, or a part of it.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Room, the text, and unused bytes.
    pub(super) bytes: Vec<u8>,
    /// Where the text ends.
    pub(super) end: usize,
    /// Bytes of the file that it was unpacked from.
    pub(super) n_packed: usize,
}

impl Block {
    /// Makes room for so many bytes of text.
    fn make_room(&mut self, length: usize) {
        if self.bytes.len() < ROOM + length {
            self.bytes.resize(ROOM + length, 0);
        }
    }
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a chunk.
    Whole,
    /// Within a chunk.
    Cut,
    /// Before a chunk that is damaged.
    Damaged,
}

/// The text of the first chunks, as far as `head` has it.
pub(super) fn peek(mut head: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    while let Some(([kind, a, b, c, d], rest)) = head.split_first_chunk() {
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let (payload, rest) = rest.split_at(length.min(rest.len()));
        match kind {
            1 if length <= MOST_PACKED => {
                // Stops where the text is full or the chunk is cut; what is not filled stays 0.
                let filled = text.len();
                text.resize(HEAD, 0);
                let length = decompress_into(payload, &mut text[filled..]);
                text.truncate(length.map_or(HEAD, |length| filled + length));
            }
            2 => text.extend_from_slice(&payload[..payload.len().min(HEAD - text.len())]),
            _ => break,
        }
        if text.len() >= HEAD {
            break;
        }
        head = rest;
    }
    text
}

/// Gives the text of all chunks to `take`, in order; it returns whether it wants more. Text that is in a chunk which ends early or
/// is damaged is not given.
pub(super) fn for_each_block(file: &mut (dyn Read + Send), take: &mut dyn FnMut(&mut Block) -> bool) -> End {
    let (full, blocks) = sync_channel::<Block>(AHEAD);
    // Blocks come back to be filled again: their memory is warm.
    let (empty, used) = sync_channel::<Block>(AHEAD + 2);
    let mut end = End::Whole;
    let channels = (full, used);
    let fill_ahead = || {
        let (full, used) = channels;
        end = unpack(file, &mut |block| full.send(block).ok().map(|()| used.try_recv().unwrap_or_default()));
    };
    let ran = alongside(fill_ahead, || {
        for mut block in blocks {
            if !take(&mut block) {
                return;
            }
            // When the other thread has ended there is nobody to use it.
            let _ = empty.try_send(block);
        }
    });
    if ran.is_some() {
        return end;
    }
    unpack(file, &mut |mut block| take(&mut block).then_some(block))
}

/// Unpacks chunk by chunk. `give` takes a block and returns one to fill; `None`: no more is wanted.
fn unpack(file: &mut (dyn Read + Send), give: &mut dyn FnMut(Block) -> Option<Block>) -> End {
    let mut block = Block::default();
    let mut packed = Vec::new();
    loop {
        let mut head = [0; 5];
        match read_up_to(file, &mut head) {
            0 => return End::Whole,
            5 => {}
            _ => return End::Cut,
        }
        let [kind, a, b, c, d] = head;
        let mut left = u32::from_le_bytes([a, b, c, d]) as usize;
        match kind {
            1 if left <= MOST_PACKED => {
                packed.resize(left, 0);
                if read_up_to(file, &mut packed) < left {
                    return End::Cut;
                }
                // What LZ4 can make of so many bytes.
                block.make_room(MOST_TEXT.min(left.saturating_mul(256)));
                let Ok(length) = decompress_into(&packed, &mut block.bytes[ROOM..]) else { return End::Damaged };
                (block.end, block.n_packed) = (ROOM + length, left);
                let Some(next) = give(block) else { return End::Whole };
                block = next;
            }
            // Of any length: whole programs.
            2 => {
                while left > 0 {
                    let wanted = left.min(MOST_TEXT);
                    block.make_room(wanted);
                    let length = read_up_to(file, &mut block.bytes[ROOM..ROOM + wanted]);
                    (block.end, block.n_packed) = (ROOM + length, length);
                    let Some(next) = give(block) else { return End::Whole };
                    block = next;
                    if length < wanted {
                        return End::Cut;
                    }
                    left -= length;
                }
            }
            _ => return End::Damaged,
        }
    }
}

/// Fills `out`, unless the file ends or cannot be read any further; returns the number of bytes.
fn read_up_to(file: &mut (dyn Read + Send), out: &mut [u8]) -> usize {
    let mut filled = 0;
    while filled < out.len() {
        match file.read(&mut out[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    filled
}
