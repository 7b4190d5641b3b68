//! Events to a profile.

use std::sync::Arc;

use super::blocks::{Blocks, Key, Live, OVERWRITTEN};
use super::build_id::build_id;
use super::chunks::{Block, End, ROOM};
use super::decode::{Allocation, BlockId, Decoded, Event, Header, NEWEST, Usual, decode, usual};
use super::fields::LONGEST;
use super::modules::Modules;
use super::names::{NameError, Names};
use super::problems::{NAME, Problem, Problems};
use super::resident::Resident;
use super::stacks::{Numbered, ROOT, Stacks};
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::LocationId;
use crate::base::size_class::class_of;
use crate::parse::error::{Position, Warning, WarningKind};
use crate::parse::events::{self, Events, Extra, Lifetimes, Ordered, Sizes, Timed, clamped};
use crate::parse::options::KeepEvents;
use crate::profile::{CarriedBinary, Label, LabelValue, Profile, ProfileBuilder, RunCount, RunReallocations, RunSummary};

/// Value types beside those of all recordings: changes of size by the stack that made them, and the bytes of the blocks before; blocks by
/// the stack that freed them.
const MORE_TYPES: [(&str, &str); 4] =
    [("realloc_objects", "count"), ("realloc_space", "bytes"), ("freed_objects", "count"), ("freed_space", "bytes")];

/// Entry points of the recorder and what leads to them: the allocator, and what stacks of other recorders do not have either.
const DROPPED: &str =
    r"(__libc_|_rjem_)?((m|c|re|v|pv)alloc|c?free)|reallocarray|(posix_)?memalign|aligned_alloc|operator (new|delete)(\[\])?(\(.*\))?";

/// Most locations of all stacks together, and those that any file may have beside one for every other byte.
const MOST_LOCATIONS: usize = 1 << 26;
const FREE_LOCATIONS: usize = 1 << 22;
/// Most rows.
const MOST_ROWS: usize = 1 << 22;
/// Most threads that memory is divided by.
const MOST_THREADS: usize = 1 << 10;
/// The thread of all others, and of what has none.
const NO_THREAD: u32 = u32::MAX;
/// Most frames of a stack.
const DEEPEST: usize = 1 << 11;
/// Longest recording, nanoseconds: 50 years.
const LONGEST_RUN: i64 = 50 * 365 * 86_400 * 1_000_000_000;
/// Most bytes of all binaries together; those that any file may have, and for each of its bytes: what a few kilobytes unpack to is
/// no program.
const MOST_BINARIES: usize = 1 << 30;
const FREE_BINARIES: usize = 1 << 24;
const BINARIES_PER_BYTE: usize = 8;
/// Longest memory map, bytes.
const LONGEST_MAP: usize = 1 << 24;

/// A file whose contents are being read.
#[derive(Debug, Default)]
struct Contents {
    path: String,
    /// Bytes that are yet to come.
    left: u64,
    bytes: Vec<u8>,
    /// Most bytes that are kept; the rest is passed over.
    most: usize,
    is_short: bool,
}

/// How the text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Unknown(u32),
    Absurd,
    /// Events of another process follow.
    OtherProcess,
}

/// Reads events.
pub(super) struct Reader {
    builder: ProfileBuilder,
    events: Events,
    ordered: Ordered,
    lifetimes: Lifetimes,
    /// Row → values of [`MORE_TYPES`].
    more: Vec<[i64; MORE_TYPES.len()]>,
    reallocations: RunReallocations,
    /// Bytes of text before the event that is read.
    at: usize,
    /// Bytes of the file so far.
    n_packed: usize,
    /// An event that goes on in the next block.
    carried: Vec<u8>,
    /// Length of `carried` at which it is worth another try.
    enough: usize,
    contents: Option<Contents>,
    /// Bytes of binaries so far.
    n_binaries: usize,
    stop: Option<Stop>,
    header: Option<(u64, u64)>,
    /// Time of the header, microseconds.
    begin: u64,
    /// The same, nanoseconds since 1970 UTC.
    wall: i64,
    /// Time of the last event, nanoseconds.
    end: i64,
    program: String,
    is_culled: bool,
    stacks: Stacks,
    names: Names,
    /// Number of the next stack of frames.
    n_frame_stacks: u64,
    modules: Modules,
    resident: Resident,
    /// Stack, class of sizes and thread → row; class 0: what the stack frees.
    rows: HashMap<(u32, u32, u32), u32>,
    /// Row → its thread.
    thread_of_row: Vec<u32>,
    /// Threads that rows are divided by.
    threads: HashSet<u32>,
    /// Row → its stack.
    stack_of_row: Vec<u32>,
    blocks: Blocks,
    sizes: Sizes,
    run: RunSummary,
    problems: Problems,
}

impl Reader {
    pub(super) fn new(keep: Option<&KeepEvents>) -> Self {
        Reader {
            builder: ProfileBuilder::new(&events::value_types(&MORE_TYPES)),
            events: Events::new(keep),
            ordered: Ordered::default(),
            lifetimes: Lifetimes::default(),
            more: Vec::new(),
            reallocations: RunReallocations::default(),
            at: 0,
            n_packed: 0,
            carried: Vec::new(),
            enough: 0,
            contents: None,
            n_binaries: 0,
            stop: None,
            header: None,
            begin: 0,
            wall: 0,
            end: 0,
            program: String::new(),
            is_culled: false,
            stacks: Stacks::default(),
            names: Names::default(),
            n_frame_stacks: 0,
            modules: Modules::default(),
            resident: Resident::default(),
            rows: HashMap::default(),
            thread_of_row: Vec::new(),
            threads: HashSet::default(),
            stack_of_row: Vec::new(),
            blocks: Blocks::default(),
            sizes: Sizes::default(),
            run: RunSummary { recorder: NAME.to_owned(), is_temporary_exact: true, is_rss_of_program: true, ..RunSummary::default() },
            problems: Problems::default(),
        }
    }

    /// Whether there was no event.
    pub(super) fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Reads the text of a block. Returns whether more is wanted.
    pub(super) fn take(&mut self, block: &mut Block) -> bool {
        let Block { bytes, end, n_packed } = block;
        self.n_packed += *n_packed;
        let carried = std::mem::take(&mut self.carried);
        match ROOM.checked_sub(carried.len()) {
            // The beginning goes in front of the rest.
            Some(start) => {
                bytes[start..ROOM].copy_from_slice(&carried);
                self.carried = carried;
                self.carried.clear();
                self.read(&bytes[start..*end]);
            }
            None => {
                let mut whole = carried;
                whole.extend_from_slice(&bytes[ROOM..*end]);
                if whole.len() < self.enough {
                    self.carried = whole;
                } else {
                    self.read(&whole);
                }
            }
        }
        self.stop.is_none()
    }

    /// Reads whole events, and keeps what is left.
    fn read(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() && self.stop.is_none() {
            if self.contents.is_some() {
                rest = self.read_contents(rest);
                continue;
            }
            // Nearly all events.
            if let Some((event, length)) = usual(rest) {
                match event {
                    Usual::Allocate { id, at, block } => self.allocate(Some(id), at, &block),
                    Usual::Free { id, at, address, stack } => self.free(Some(id), at, address, stack),
                }
                self.at += length;
                rest = &rest[length..];
                continue;
            }
            match decode(rest) {
                Decoded::Event(event, length) => {
                    self.read_event(&event);
                    self.at += length;
                    rest = &rest[length..];
                }
                Decoded::Incomplete if rest.len() > LONGEST => self.stop = Some(Stop::Absurd),
                Decoded::Incomplete => {
                    self.carried.extend_from_slice(rest);
                    // A long event is not tried again for each block.
                    self.enough = 2 * rest.len();
                    return;
                }
                Decoded::Unknown(tag) => self.stop = Some(Stop::Unknown(tag)),
                Decoded::Absurd => self.stop = Some(Stop::Absurd),
            }
        }
        if self.contents.as_ref().is_some_and(|contents| contents.left == 0) {
            self.end_contents();
        }
    }

    /// Reads a part of a file; returns what follows it.
    fn read_contents<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let Some(contents) = &mut self.contents else { return text };
        let n = usize::try_from(contents.left).unwrap_or(usize::MAX).min(text.len());
        let (now, rest) = text.split_at(n);
        contents.left -= n as u64;
        self.at += n;
        let allowed = FREE_BINARIES.saturating_add(self.n_packed.saturating_mul(BINARIES_PER_BYTE)).min(contents.most);
        let room = allowed.saturating_sub(self.n_binaries + contents.bytes.len());
        contents.is_short |= n > room;
        contents.bytes.extend_from_slice(&now[..n.min(room)]);
        if contents.left == 0 {
            self.end_contents();
        }
        rest
    }

    fn end_contents(&mut self) {
        let Some(Contents { path, bytes, is_short, .. }) = self.contents.take() else { return };
        if path == "/proc/self/maps" {
            self.modules.replace(&bytes);
        } else if bytes.starts_with(b"\x7fELF") {
            if is_short {
                return self.problems.add(Problem::TooManyFiles, self.at);
            }
            self.n_binaries += bytes.len();
            if let Some(id) = build_id(&bytes) {
                self.modules.set_build_id(&path, &id, &mut self.builder);
            }
            let binaries = &mut self.builder.meta().binaries;
            binaries.retain(|binary| binary.path != path);
            binaries.push(CarriedBinary { path, bytes: Arc::new(bytes) });
        }
    }

    fn read_event(&mut self, event: &Event<'_>) {
        match *event {
            Event::Allocate { id, at, block } => self.allocate(id, at, &block),
            Event::Free { id, at, address, stack } => self.free(id, at, address, stack),
            Event::Reallocate { id, at, old, block } => self.reallocate(id, at, old, &block),
            Event::Header(header) => self.set_header(&header),
            Event::File { at, path, length } => self.begin_file(at, path, length),
            Event::Memory { length } => self.contents = Some(Contents { left: length, ..Contents::default() }),
            Event::Stack { id, addresses, width } => self.add_stack(id, addresses, width),
            Event::ThreadStack { id, thread, n_gone, addresses, width } => {
                self.add_thread_stack(id, thread, n_gone, addresses, width);
            }
            Event::Text { id, text } => {
                let result = self.names.add_text(id, text, &mut self.builder);
                self.note(result);
            }
            Event::Frame(frame) => {
                let result = self.names.add_frame(frame, &self.program, &mut self.builder);
                self.note(result);
            }
            Event::FrameStack { frames } => self.add_frame_stack(frames),
            Event::Gone { stack, n, bytes } => self.add_gone(stack, n, bytes),
            Event::Variable(text) => {
                const CULLED: [&[u8]; 2] =
                    [b"MEMORY_PROFILER_CULL_TEMPORARY_ALLOCATIONS=1", b"MEMORY_PROFILER_CULL_TEMPORARY_ALLOCATIONS=true"];
                self.is_culled |= CULLED.contains(&text);
            }
            Event::AddRegion { at, map, address, name } => {
                self.set_time(at);
                self.resident.add(map, address, name);
            }
            Event::RemoveRegion { at, map, address, .. } => {
                self.set_time(at);
                self.resident.remove(map, address);
                self.events.set_rss(self.resident.bytes());
            }
            Event::Resident { at, map, address, kilobytes } => {
                self.set_time(at);
                self.resident.set(map, address, kilobytes);
                self.events.set_rss(self.resident.bytes());
            }
            Event::Other { at } => {
                self.set_time(at);
            }
        }
    }

    fn note(&mut self, result: Result<(), NameError>) {
        match result {
            Ok(()) => {}
            Err(NameError::NoSuchEntry) => self.problems.add(Problem::NoSuchEntry, self.at),
            Err(NameError::TooMany) => self.problems.add(Problem::TooMany, self.at),
        }
    }

    /// A time as nanoseconds since the recording began.
    #[inline]
    fn set_time(&mut self, at: u64) -> i64 {
        let micros = at.saturating_sub(self.begin);
        let nanos = i64::try_from(micros).unwrap_or(i64::MAX).saturating_mul(1000);
        if nanos > LONGEST_RUN {
            self.problems.add(Problem::NoTime, self.at);
            return self.end;
        }
        self.end = self.end.max(nanos);
        nanos
    }

    fn set_header(&mut self, header: &Header<'_>) {
        match self.header {
            // Gathered over a network.
            Some(id) if id == header.id => return,
            Some(_) => {
                self.stop = Some(Stop::OtherProcess);
                return;
            }
            None => self.header = Some(header.id),
        }
        self.begin = header.begin;
        let seconds = i64::try_from(header.wall.0).unwrap_or(0).saturating_mul(1_000_000_000);
        let wall = seconds.saturating_add(i64::try_from(header.wall.1).unwrap_or(0));
        let now = self.set_time(header.now);
        self.wall = if wall > 0 { wall.saturating_sub(now) } else { 0 };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        self.program = text(header.program);
        let words = header.command.strip_suffix(b"\0").unwrap_or(header.command);
        self.run.command = text(words).replace('\0', " ");
    }

    fn begin_file(&mut self, at: u64, path: &[u8], length: u64) {
        self.set_time(at);
        let path = String::from_utf8_lossy(path).into_owned();
        let most = match path.as_str() {
            "/proc/self/maps" => LONGEST_MAP,
            _ => MOST_BINARIES,
        };
        self.contents = Some(Contents { path, left: length, most, ..Contents::default() });
        if length == 0 {
            self.end_contents();
        }
    }

    /// The location of the call that returns to `address`, and whether it is the recorder's.
    fn location(&mut self, address: u64) -> (LocationId, bool) {
        let call = address.saturating_sub(1);
        let mapping = self.modules.find(call, &mut self.builder);
        (self.builder.location(mapping, call, &[]), self.modules.is_own(mapping))
    }

    fn add_stack(&mut self, id: u64, addresses: &[u8], width: usize) {
        let mut node = ROOT;
        for address in addresses.rchunks_exact(width) {
            let (location, is_own) = self.location(number(address));
            let Some(next) = self.stacks.push(node, location, is_own) else {
                self.problems.add(Problem::TooMany, self.at);
                break;
            };
            node = next;
        }
        self.number_stack(id, node);
    }

    fn add_thread_stack(&mut self, id: u64, thread: u32, n_gone: u32, addresses: &[u8], width: usize) {
        let mut nodes = self.stacks.take_thread(thread, n_gone);
        for address in addresses.rchunks_exact(width) {
            let (location, is_own) = self.location(number(address));
            let Some(next) = self.stacks.push(nodes.last().copied().unwrap_or(ROOT), location, is_own) else {
                self.problems.add(Problem::TooMany, self.at);
                break;
            };
            nodes.push(next);
        }
        self.number_stack(id, nodes.last().copied().unwrap_or(ROOT));
        self.stacks.put_thread(thread, nodes);
    }

    fn add_frame_stack(&mut self, frames: &[u8]) {
        let (locations, result) = self.names.locations(frames, &mut self.builder);
        self.note(result);
        let mut node = ROOT;
        for (location, is_own) in locations.into_iter().rev() {
            let Some(next) = self.stacks.push(node, location, is_own) else {
                self.problems.add(Problem::TooMany, self.at);
                break;
            };
            node = next;
        }
        let id = self.n_frame_stacks;
        self.n_frame_stacks += 1;
        self.number_stack(id, node);
    }

    fn number_stack(&mut self, id: u64, node: u32) {
        if !self.stacks.number(id, node) {
            self.problems.add(Problem::TooMany, self.at);
        }
    }

    /// The row of blocks of this size and stack.
    #[inline]
    fn row(&mut self, size: u64, stack: u64, thread: u32) -> Option<u32> {
        let class = class_of(i64::try_from(size).unwrap_or(i64::MAX)) as u32 + 1;
        let node = match self.stacks.numbered(stack) {
            Some(stack) if stack.class == class && stack.thread == thread => return Some(stack.row),
            Some(stack) => stack.node,
            None => {
                // Without a stack: 0 where stacks are numbered from 1.
                if stack != 0 && stack != u64::MAX {
                    self.problems.add(Problem::NoSuchEntry, self.at);
                }
                ROOT
            }
        };
        let row = match self.rows.get(&(node, class, thread)) {
            Some(row) => *row,
            None => self.row_of_thread(node, class, thread)?,
        };
        if let Some(stack) = self.stacks.numbered(stack) {
            (stack.class, stack.thread, stack.row) = (class, thread, row);
        }
        Some(row)
    }

    /// Adds a row of a thread; when there are too many of either, one of all other threads.
    #[cold]
    fn row_of_thread(&mut self, node: u32, class: u32, thread: u32) -> Option<u32> {
        let is_known = self.threads.contains(&thread) || self.threads.len() < MOST_THREADS;
        let thread = if is_known && self.stack_of_row.len() < MOST_ROWS / 4 { thread } else { NO_THREAD };
        if thread != NO_THREAD {
            self.threads.insert(thread);
        }
        match self.rows.get(&(node, class, thread)) {
            Some(row) => Some(*row),
            None => self.add_row(node, class, thread),
        }
    }

    fn add_row(&mut self, node: u32, class: u32, thread: u32) -> Option<u32> {
        if self.stack_of_row.len() >= MOST_ROWS {
            self.problems.add(Problem::TooMany, self.at);
            return None;
        }
        let row = self.events.add_row()?;
        self.lifetimes.add_row();
        self.more.push(Default::default());
        self.stack_of_row.push(node);
        self.thread_of_row.push(thread);
        self.rows.insert((node, class, thread), row);
        Some(row)
    }

    fn allocate(&mut self, id: BlockId, at: u64, block: &Allocation) {
        let at = self.set_time(at);
        self.add_block(Key::of(id, block.address), at, block, 1);
    }

    /// Adds a block, and returns its row.
    #[inline]
    fn add_block(&mut self, key: Key, at: i64, block: &Allocation, n_sizes: u32) -> Option<u32> {
        let size = clamped(block.size, || self.problems.add(Problem::HugeSize, self.at));
        let row = self.row(size, block.stack, block.thread)?;
        if !self.blocks.insert(key, Live { row, n_sizes, size, at }) {
            self.problems.add(Problem::StillInUse, self.at);
            return None;
        }
        self.sizes.add(size, 1);
        self.add_event(Timed { at, row, is_free: false, size, block: key.number() });
        Some(row)
    }

    /// Blocks that are unknown were allocated before the recording began, or culled.
    fn free(&mut self, id: BlockId, at: u64, address: u64, stack: u64) {
        let at = self.set_time(at);
        if id == Some(OVERWRITTEN) {
            self.problems.add(Problem::Overrun, self.at);
        }
        let key = Key::of(id, address);
        if let Some(live) = self.blocks.remove(key) {
            self.end_block(key, at, live);
            self.add_freed(stack, live.size);
        }
    }

    /// Counts a block for the stack that frees it, if that is known.
    #[inline]
    fn add_freed(&mut self, stack: u64, size: u64) {
        let Some(&mut Numbered { node, freeing_row, .. }) = self.stacks.numbered(stack) else { return };
        let row = match freeing_row.checked_sub(1) {
            Some(row) => row,
            None => {
                let known = self.rows.get(&(node, 0, NO_THREAD)).copied();
                let Some(row) = known.or_else(|| self.add_row(node, 0, NO_THREAD)) else { return };
                if let Some(stack) = self.stacks.numbered(stack) {
                    stack.freeing_row = row + 1;
                }
                row
            }
        };
        if let Some([.., objects, bytes]) = self.more.get_mut(row as usize) {
            *objects += 1;
            *bytes = bytes.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
        }
    }

    #[inline]
    fn end_block(&mut self, key: Key, at: i64, Live { row, size, at: since, .. }: Live) {
        self.lifetimes.add_freed(row, size, at - since);
        self.add_event(Timed { at, row, is_free: true, size, block: key.number() });
    }

    fn reallocate(&mut self, id: BlockId, at: u64, old: u64, block: &Allocation) {
        let at = self.set_time(at);
        let before = Key::of(id, old);
        let Some(live) = self.blocks.remove(before) else { return };
        self.end_block(before, at, live);
        let after = Key::of(id, block.address);
        if let Some(other) = self.blocks.remove(after) {
            self.problems.add(Problem::StillInUse, self.at);
            self.end_block(after, at, other);
        }
        let n_sizes = live.n_sizes.saturating_add(1);
        let Some(row) = self.add_block(after, at, block, n_sizes) else { return };
        let size = i64::try_from(live.size).unwrap_or(i64::MAX);
        if let Some([objects, bytes, ..]) = self.more.get_mut(row as usize) {
            *objects += 1;
            *bytes = bytes.saturating_add(size);
        }
        let RunReallocations { all, moved, chains, longest } = &mut self.reallocations;
        let add = |count: &mut RunCount| {
            count.objects += 1;
            count.bytes = count.bytes.saturating_add(size);
        };
        add(all);
        if old != block.address {
            add(moved);
        }
        *chains += i64::from(n_sizes == 2);
        *longest = (*longest).max(n_sizes.into());
    }

    #[inline]
    fn add_event(&mut self, event: Timed) {
        let (first, is_late) = self.ordered.push(event);
        if is_late {
            self.problems.add(Problem::Backward, self.at);
        }
        if let Some(first) = first {
            self.consume(first);
        }
    }

    #[inline]
    fn consume(&mut self, Timed { at, row, is_free, size, block }: Timed) {
        self.events.set_time(at);
        self.events.add(row, size, block, is_free);
    }

    /// Blocks that were left out of the file; their sizes are those of the allocator.
    fn add_gone(&mut self, stack: u64, n: u64, bytes: u64) {
        if n == 0 {
            return;
        }
        // Sums of sizes that no machine has are damage, and would be taken for negative ones.
        const MOST: u64 = 1 << 60;
        if n > MOST || bytes > MOST {
            return self.problems.add(Problem::HugeSize, self.at);
        }
        if let Some(row) = self.row(clamped(bytes / n, || ()), stack, NO_THREAD) {
            self.events.add_gone(row, n, bytes);
        }
    }

    /// The profile, and warnings. `end`: how the chunks end; `cut`: a warning about the source of the file.
    pub(super) fn finish(mut self, end: End, cut: Option<WarningKind>) -> (Profile, Vec<Warning>) {
        let mut is_cut = !self.carried.is_empty();
        if !self.carried.is_empty() && self.stop.is_none() {
            // It was not worth a try.
            let text = std::mem::take(&mut self.carried);
            self.read(&text);
            is_cut = !self.carried.is_empty();
        }
        is_cut |= self.contents.is_some();
        for event in self.ordered.drain() {
            self.consume(event);
        }
        let Reader { end: ended_at, mut events, mut lifetimes, blocks, .. } = self;
        events.set_time(ended_at);
        // Sums do not depend on the order.
        for live in blocks.iter() {
            lifetimes.add_never_freed(live.row, live.size, ended_at - live.at);
        }

        let at_millis = ended_at / 1_000_000;
        let truncated = |container: &'static str| WarningKind::CutRecording { container, at_millis };
        let kind = match (self.stop, end, cut) {
            (Some(Stop::Unknown(tag)), ..) => Some(WarningKind::UnknownEvent { tag, newest: NEWEST, at_millis }),
            (Some(Stop::Absurd), ..) => Some(WarningKind::DamagedEvent { at_millis }),
            (Some(Stop::OtherProcess), ..) => {
                Some(WarningKind::Lines { what: "a second process follows, probably a child; its events are not read", count: 1 })
            }
            (None, _, Some(WarningKind::CutContainer { container })) => Some(truncated(container)),
            (None, End::Damaged, _) => Some(truncated("LZ4")),
            (None, End::Cut, _) => Some(truncated("")),
            (None, End::Whole, other) => is_cut.then(|| truncated("")).or(other),
        };
        let at = Some(Position::Byte(self.at));
        let mut warnings: Vec<Warning> = kind.into_iter().map(|kind| Warning { format: NAME, kind, at }).collect();
        warnings.extend(self.problems.warnings());
        if self.is_culled {
            let what = "the recorder left out blocks that were freed soon (MEMORY_PROFILER_CULL_TEMPORARY_ALLOCATIONS)";
            warnings.push(Warning { format: NAME, kind: WarningKind::RecordedInPart { what }, at: None });
        }

        let Reader { mut builder, stacks, stack_of_row, more, thread_of_row, threads, mut run, sizes, .. } = self;
        run.reallocations = Some(self.reallocations);
        run.sizes = sizes.into_list();
        builder.bound_by_input(self.at);
        builder.meta().drop_frames = DROPPED.to_owned();
        if self.wall > 0 {
            builder.dump().time_nanos = self.wall.saturating_add(ended_at);
        }
        let mut n_left = MOST_LOCATIONS.min(FREE_LOCATIONS + self.at / 2);
        let mut n_cut = 0;
        let stack = |row: u32, out: &mut Vec<LocationId>| {
            let most = DEEPEST.min(n_left);
            let mut locations = stacks.locations(stack_of_row[row as usize]);
            out.extend(locations.by_ref().take(most));
            n_cut += usize::from(locations.next().is_some());
            n_left -= out.len();
        };
        let (group_of_row, labels) = thread_labels(&thread_of_row, &threads, &mut builder);
        let labels = Some((&group_of_row[..], &labels[..]));
        let extra = Extra { lifetimes: Some(&lifetimes), values: &more, labels };
        let profile = events::into_profile_with(events, extra, builder, stack, run);
        if n_cut > 0 {
            warnings.push(Warning { format: NAME, kind: WarningKind::CutCallers { rows: n_cut }, at: None });
        }
        (profile, warnings)
    }
}

/// Row → group, and group → the label of its thread; the first group has none. O(rows).
fn thread_labels(thread_of_row: &[u32], threads: &HashSet<u32>, builder: &mut ProfileBuilder) -> (Vec<u32>, Vec<Vec<Label>>) {
    let mut threads: Vec<u32> = threads.iter().copied().collect();
    threads.sort_unstable();
    let group = |thread: &u32| threads.binary_search(thread).map_or(0, |place| place as u32 + 1);
    let groups = thread_of_row.iter().map(group).collect();
    let key = builder.string("thread");
    let label = |thread: &u32| vec![Label { key, value: LabelValue::Text(builder.string(&format!("thread {thread}"))) }];
    (groups, [Vec::new()].into_iter().chain(threads.iter().map(label)).collect())
}

/// The number that these bytes are, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
