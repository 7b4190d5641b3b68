//! Events: tags and their fields.

use super::fields::Fields;

/// Largest tag that is known.
pub(super) const NEWEST: u32 = 27;

/// Identity of a block: counters of its thread and of its allocations. `None` in files before 0.6.
pub(super) type BlockId = Option<(u64, u64)>;

/// The beginning of a recording.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header<'a> {
    /// Identity of the recording.
    pub(super) id: (u64, u64),
    /// Time at which the program began, microseconds of a clock that begins anywhere.
    pub(super) begin: u64,
    /// Time of the header.
    pub(super) now: u64,
    /// The same as seconds and nanoseconds since 1970 UTC.
    pub(super) wall: (u64, u64),
    /// Words of the command line, NUL between them.
    pub(super) command: &'a [u8],
    pub(super) program: &'a [u8],
    pub(super) architecture: &'a [u8],
}

/// A block that was allocated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allocation {
    pub(super) address: u64,
    /// Bytes that were asked for.
    pub(super) size: u64,
    /// Number of the stack.
    pub(super) stack: u64,
    /// Number of the thread.
    pub(super) thread: u32,
}

/// A frame with names; numbers are those of texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedFrame {
    pub(super) address: u64,
    pub(super) library: u32,
    pub(super) raw_name: u32,
    pub(super) name: u32,
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) is_inlined: bool,
}

/// An event. Times are microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event<'a> {
    Header(Header<'a>),
    Allocate {
        id: BlockId,
        at: u64,
        block: Allocation,
    },
    Reallocate {
        id: BlockId,
        at: u64,
        old: u64,
        block: Allocation,
    },
    Free {
        id: BlockId,
        at: u64,
        address: u64,
        /// Number of the stack that frees it.
        stack: u64,
    },
    /// A file; its contents follow.
    File {
        at: u64,
        path: &'a [u8],
        length: u64,
    },
    /// Memory of the program; so many bytes follow.
    Memory {
        length: u64,
    },
    /// A stack of addresses of `width` bytes, the leaf first.
    Stack {
        id: u64,
        addresses: &'a [u8],
        width: usize,
    },
    /// The last stack of `thread` without its first frames, and new ones before them.
    ThreadStack {
        id: u64,
        thread: u32,
        n_gone: u32,
        addresses: &'a [u8],
        width: usize,
    },
    Text {
        id: u32,
        text: &'a [u8],
    },
    Frame(NamedFrame),
    /// A stack of frames, numbers of 4 bytes, the leaf first.
    FrameStack {
        frames: &'a [u8],
    },
    /// Blocks of a stack that were taken out of the file, all of which were freed.
    Gone {
        stack: u64,
        n: u64,
        bytes: u64,
    },
    Variable(&'a [u8]),
    RemoveRegion {
        at: u64,
        map: u64,
        address: u64,
    },
    /// A part of the address space; `name` is that of a file or of an allocator's memory.
    AddRegion {
        at: u64,
        map: u64,
        address: u64,
        name: &'a [u8],
    },
    /// Resident memory of a region, KiB.
    Resident {
        at: u64,
        map: u64,
        address: u64,
        kilobytes: u64,
    },
    /// Something that is not shown, and its time.
    Other {
        at: u64,
    },
}

/// The result of decoding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Decoded<'a> {
    /// An event and its length.
    Event(Event<'a>, usize),
    /// The event goes on behind the text.
    Incomplete,
    /// A tag that is not known.
    Unknown(u32),
    /// An event that says it is longer than any.
    Absurd,
}

/// Decodes the event that `text` begins with.
#[inline]
pub(super) fn decode(text: &[u8]) -> Decoded<'_> {
    let mut fields = Fields { rest: text, is_absurd: false };
    let Some(tag) = fields.u32() else { return Decoded::Incomplete };
    if tag > NEWEST {
        return Decoded::Unknown(tag);
    }
    match event(tag, &mut fields) {
        Some(event) => Decoded::Event(event, text.len() - fields.rest.len()),
        None if fields.is_absurd => Decoded::Absurd,
        None => Decoded::Incomplete,
    }
}

/// One of the events that nearly all are, with its block's identity.
#[derive(Clone, Copy, Debug)]
pub(super) enum Usual {
    Allocate { id: (u64, u64), at: u64, block: Allocation },
    Free { id: (u64, u64), at: u64, address: u64, stack: u64 },
}

/// Decodes the event that `text` begins with, and its length, if it is one of the usual ones: of known length, and quicker than
/// [`decode`].
#[inline]
pub(super) fn usual(text: &[u8]) -> Option<(Usual, usize)> {
    const ALLOCATE: usize = 72;
    const FREE: usize = 48;
    match u32::from_le_bytes(*text.first_chunk()?) {
        20 => {
            let bytes: &[u8; ALLOCATE] = text.first_chunk()?;
            let mut f = Fields { rest: &bytes[4..], is_absurd: false };
            Some((Usual::Allocate { id: (f.u64()?, f.u64()?), at: f.u64()?, block: allocation(&mut f)? }, ALLOCATE))
        }
        22 => {
            let bytes: &[u8; FREE] = text.first_chunk()?;
            let mut f = Fields { rest: &bytes[4..], is_absurd: false };
            Some((Usual::Free { id: (f.u64()?, f.u64()?), at: f.u64()?, address: f.u64()?, stack: f.u64()? }, FREE))
        }
        _ => None,
    }
}

fn event<'a>(tag: u32, f: &mut Fields<'a>) -> Option<Event<'a>> {
    Some(match tag {
        20 => Event::Allocate { id: Some((f.u64()?, f.u64()?)), at: f.u64()?, block: allocation(f)? },
        21 => Event::Reallocate { id: Some((f.u64()?, f.u64()?)), at: f.u64()?, old: f.u64()?, block: allocation(f)? },
        22 => {
            let free = Event::Free { id: Some((f.u64()?, f.u64()?)), at: f.u64()?, address: f.u64()?, stack: f.u64()? };
            f.u32()?;
            free
        }
        0 => Event::Header(header(f)?),
        1 => Event::Allocate { id: None, at: f.u64()?, block: allocation(f)? },
        2 => Event::Reallocate { id: None, at: f.u64()?, old: f.u64()?, block: allocation(f)? },
        3 => {
            let free = Event::Free { id: None, at: f.u64()?, address: f.u64()?, stack: f.u64()? };
            f.u32()?;
            free
        }
        4 => Event::File { at: f.u64()?, path: f.text()?, length: f.u32()?.into() },
        5 => Event::Stack { id: f.u64()?, addresses: f.list(8)?, width: 8 },
        6 => {
            f.u64()?;
            f.u64()?;
            Event::Memory { length: f.u32()?.into() }
        }
        // A number that the program gave to the blocks that follow.
        7 => {
            f.u32()?;
            Event::Other { at: 0 }
        }
        8 => {
            let at = f.u64()?;
            // Address, length, stack, wanted address; protection, flags, file, thread; offset.
            f.bytes(4 * 8 + 4 * 4 + 8)?;
            Event::Other { at }
        }
        9 => {
            let at = f.u64()?;
            f.bytes(3 * 8 + 4)?;
            Event::Other { at }
        }
        10 => {
            let at = f.u64()?;
            f.bytes(8 + 4 * 4)?;
            Event::Other { at }
        }
        11 => Event::Variable(f.text()?),
        12 => {
            let at = f.u64()?;
            f.bytes(2 * 8)?;
            Event::Other { at }
        }
        13 => thread_stack(f, 8)?,
        14 => Event::Text { id: f.u32()?, text: f.text()? },
        15 => Event::Frame(NamedFrame {
            address: f.u64()?,
            library: f.u32()?,
            raw_name: f.u32()?,
            name: f.u32()?,
            file: f.u32()?,
            line: f.u32()?,
            column: f.u32()?,
            is_inlined: f.u8()? != 0,
        }),
        16 => Event::FrameStack { frames: f.list(4)? },
        17 => {
            let stack = f.u64()?;
            // Times of the first and the last.
            f.bytes(2 * 8)?;
            let gone = Event::Gone { stack, n: f.u64()?, bytes: f.u64()? };
            f.bytes(2 * 8)?;
            gone
        }
        18 => thread_stack(f, 4)?,
        19 => Event::Stack { id: f.u64()?, addresses: f.list(4)?, width: 4 },
        23 => Event::File { at: f.u64()?, path: f.text()?, length: f.u64()? },
        24 => {
            let (at, map, address) = (f.u64()?, f.varint()?, f.u64()?);
            // Length, offset, file.
            f.varint()?;
            f.varint()?;
            f.varint()?;
            // Device, flags.
            f.bytes(3 * 4)?;
            let length = f.varint()?;
            Event::AddRegion { at, map, address, name: f.bytes(length)? }
        }
        25 => {
            let (at, map, address) = (f.u64()?, f.varint()?, f.u64()?);
            // Length.
            f.varint()?;
            let n = f.varint()?;
            if n > LONGEST_LIST {
                f.is_absurd = true;
                return None;
            }
            for _ in 0..n {
                f.u64()?;
                f.varint()?;
                source(f)?;
            }
            Event::RemoveRegion { at, map, address }
        }
        26 => {
            let (at, map, address) = (f.u64()?, f.varint()?, f.u64()?);
            // Length, and anonymous memory, which the others have, too.
            f.varint()?;
            f.varint()?;
            let mut kilobytes = 0u64;
            for _ in 0..4 {
                kilobytes = kilobytes.saturating_add(f.varint()?);
            }
            f.varint()?;
            Event::Resident { at, map, address, kilobytes }
        }
        27 => {
            f.varint()?;
            f.u64()?;
            f.varint()?;
            f.varint()?;
            f.bytes(3 * 4)?;
            f.varint()?;
            Event::Other { at: source(f)? }
        }
        _ => return None,
    })
}

/// Most entries of a list that is read entry by entry.
const LONGEST_LIST: u64 = 1 << 20;

fn header<'a>(f: &mut Fields<'a>) -> Option<Header<'a>> {
    let (id, begin, now, wall) = ((f.u64()?, f.u64()?), f.u64()?, f.u64()?, (f.u64()?, f.u64()?));
    f.u32()?;
    let header = Header { id, begin, now, wall, command: f.text()?, program: f.text()?, architecture: f.text()? };
    f.u64()?;
    f.u8()?;
    Some(header)
}

#[inline]
fn allocation(f: &mut Fields<'_>) -> Option<Allocation> {
    let allocation = Allocation { address: f.u64()?, size: f.u64()?, stack: f.u64()?, thread: f.u32()? };
    // Flags, bytes that the allocator added, free bytes before the block.
    f.bytes(2 * 4 + 8)?;
    Some(allocation)
}

fn thread_stack<'a>(f: &mut Fields<'a>, width: usize) -> Option<Event<'a>> {
    let (id, thread, n_gone) = (f.u64()?, f.u32()?, f.u32()?);
    Some(Event::ThreadStack { id, thread, n_gone, addresses: f.list(width as u64)?, width })
}

/// The call that made a map: its time.
fn source(f: &mut Fields<'_>) -> Option<u64> {
    let at = f.u64()?;
    f.varint()?;
    f.u32()?;
    Some(at)
}
