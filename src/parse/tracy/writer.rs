//! Writes traces of any version, compression and number of streams, for tests.

use std::collections::BTreeMap;

/// What a trace has about memory, and zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) version: [u8; 3],
    /// Nanoseconds.
    pub(crate) last_time: i64,
    pub(crate) threads: Vec<Thread>,
    /// Name, function, file and line of source locations; those with negative numbers come second.
    pub(crate) places: [Vec<Place>; 2],
    /// The first one is the default pool, without a name.
    pub(crate) pools: Vec<(&'static str, Vec<Block>)>,
    /// Frames of each stack, leaf first; stacks are numbered from 1.
    pub(crate) stacks: Vec<Vec<u64>>,
    /// Frame, image, and functions in it.
    pub(crate) frames: Vec<(u64, &'static str, Vec<Line>)>,
    /// Messages, which are not read.
    pub(crate) n_messages: u64,
}

/// Name, function, file, line.
pub(crate) type Place = (Option<&'static str>, &'static str, &'static str, u32);

/// Function, file, line.
pub(crate) type Line = (&'static str, &'static str, u32);

#[derive(Clone, Debug, Default)]
pub(crate) struct Thread {
    pub(crate) id: u64,
    pub(crate) name: &'static str,
    pub(crate) zones: Vec<Zone>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Zone {
    pub(crate) place: i16,
    pub(crate) start: i64,
    /// -1: never.
    pub(crate) end: i64,
    pub(crate) inside: Vec<Zone>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(crate) size: u64,
    pub(crate) stack: u32,
    pub(crate) at: i64,
    pub(crate) freed_at: Option<i64>,
    pub(crate) thread: u16,
}

/// How blocks of text are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Lz4,
    Zstd,
}

/// Version, packing, number of streams: what tools of each version write.
pub(crate) const KINDS: [([u8; 3], Packing, u8); 12] = [
    ([0, 9, 1], Packing::Lz4, 1),
    ([0, 9, 2], Packing::Zstd, 1),
    ([0, 10, 0], Packing::Zstd, 1),
    ([0, 11, 0], Packing::Zstd, 4),
    ([0, 11, 1], Packing::Lz4, 2),
    ([0, 11, 2], Packing::Zstd, 3),
    ([0, 12, 2], Packing::Lz4, 4),
    ([0, 12, 4], Packing::Zstd, 4),
    ([0, 13, 1], Packing::Zstd, 2),
    ([0, 13, 4], Packing::Lz4, 1),
    ([0, 13, 5], Packing::Zstd, 4),
    ([0, 14, 0], Packing::Lz4, 4),
];

#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

impl Texts {
    /// Number of a text, from 1; 0 for none.
    fn number(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let Texts { list, numbers } = self;
        *numbers.entry(text.to_owned()).or_insert_with(|| {
            list.push(text.to_owned());
            list.len() as u32
        })
    }

    /// Address of a text in the program.
    fn address(&mut self, text: &str) -> u64 {
        0x5000 + 16 * u64::from(self.number(text))
    }
}

fn u24(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
    fn n(&mut self, n: usize) -> &mut Self {
        self.u64(n as u64)
    }
    fn u64(&mut self, n: u64) -> &mut Self {
        self.put(&n.to_le_bytes())
    }
    fn i64(&mut self, n: i64) -> &mut Self {
        self.put(&n.to_le_bytes())
    }
    fn u32(&mut self, n: u32) -> &mut Self {
        self.put(&n.to_le_bytes())
    }
    /// Bytes that nobody reads.
    fn noise(&mut self, n: usize) -> &mut Self {
        let at = self.0.len();
        self.0.extend((at..at + n).map(|at| ((at * 0x9e37) >> 7) as u8));
        self
    }
    /// A table that nobody reads.
    fn rows(&mut self, n: usize, length: usize) -> &mut Self {
        self.n(n).noise(n * length)
    }
    fn text(&mut self, text: &str) -> &mut Self {
        self.n(text.len()).put(text.as_bytes())
    }
    fn zones(&mut self, zones: &[Zone], now: &mut i64) {
        self.u32(zones.len() as u32);
        for zone in zones {
            self.put(&zone.place.to_le_bytes()).i64(zone.start - *now).noise(4);
            *now = zone.start;
            self.zones(&zone.inside, now);
            self.i64(zone.end - *now);
            *now = zone.end;
        }
    }
}

impl Trace {
    /// The text, up to the last section that a reader needs and something behind it.
    pub(crate) fn text(&self) -> Vec<u8> {
        let is_from = |major, minor, patch| self.version >= [major, minor, patch];
        let mut texts = Texts::default();
        let mut out = Out::default();
        out.put(b"tracy").put(&self.version);
        if !is_from(0, 12, 3) {
            out.noise(8);
        }
        out.noise(16).i64(self.last_time).noise(8 + 8 + 8 + 1 + 4 + 12);
        if is_from(0, 9, 2) {
            out.noise(1);
        }
        out.text("a capture").text("ledger").u64(1_700_000_000).noise(8).text("a machine");
        // Two packages, with a die each, if there are dies.
        out.n(2);
        for package in 0..2 {
            out.u32(package);
            if is_from(0, 11, 2) {
                out.n(1).u32(0);
            }
            out.n(1).u32(0).rows(2, 4);
        }
        out.noise(28);
        out.n(2).noise(8).put(&[1]).rows(3, 12).noise(8).put(&[0]).rows(2, 20);
        if is_from(0, 13, 5) {
            out.n(1).noise(2).rows(2, 15).rows(1, 5);
        } else if is_from(0, 13, 4) {
            out.rows(2, 15);
        }

        // Everything that names texts comes later, but is known first.
        let reference = |text: Option<&str>, texts: &mut Texts, is_literal: bool| -> Vec<u8> {
            let Some(text) = text else { return vec![0; 9] };
            let (value, flags) = match is_literal {
                true => (texts.address(text), 2),
                false => (u64::from(texts.number(text)) - 1, 3),
            };
            [&value.to_le_bytes()[..], &[flags]].concat()
        };
        let mut place = |(name, function, file, line): Place, is_literal: bool| {
            let mut row = Out::default();
            for text in [name, Some(function), Some(file)] {
                let bytes = reference(text, &mut texts, is_literal);
                row.put(&bytes);
            }
            row.u32(line).noise(4);
            row.0
        };
        let [numbered, with_texts] = &self.places;
        let numbered: Vec<Vec<u8>> = numbered.iter().map(|of| place(*of, true)).collect();
        let with_texts: Vec<Vec<u8>> = with_texts.iter().map(|of| place(*of, false)).collect();
        let names = self.threads.iter().map(|thread| thread.name).filter(|name| !name.is_empty());
        names.chain(self.pools.iter().map(|pool| pool.0)).for_each(|text| {
            texts.number(text);
        });
        let mut frames = Out::default();
        frames.n(self.frames.len());
        for (frame, image, lines) in &self.frames {
            frames.u64(*frame).put(&[lines.len() as u8]).put(&u24(texts.number(image)));
            for (function, file, line) in lines {
                frames.put(&u24(texts.number(function))).put(&u24(texts.number(file))).u32(*line).noise(8);
            }
        }

        out.n(texts.list.len());
        for number in 0..texts.list.len() {
            out.u64(0x5010 + 16 * number as u64).text(&texts.list[number]);
        }
        // Addresses in the program are names of literals here.
        out.n(texts.list.len());
        for number in 0..texts.list.len() {
            out.u64(0x5010 + 16 * number as u64).u64(0x5010 + 16 * number as u64);
        }
        let named: Vec<&Thread> = self.threads.iter().filter(|thread| !thread.name.is_empty()).collect();
        out.n(named.len());
        for thread in named {
            out.u64(thread.id).u64(texts.address(thread.name));
        }
        out.rows(1, 24);
        out.n(self.threads.len());
        for thread in &self.threads {
            out.u64(thread.id);
        }
        out.rows(2, 8);
        out.n(numbered.len());
        for (key, row) in numbered.iter().enumerate() {
            out.n(0x9000 + key).put(row);
        }
        out.n(numbered.len());
        for key in 0..numbered.len() {
            out.n(0x9000 + key);
        }
        out.n(with_texts.len());
        for row in &with_texts {
            out.put(row);
        }

        out.rows(3, 10).rows(1, 10);
        out.n(1).noise(27).rows(2, 8).rows(3, 12);
        out.rows(self.n_messages as usize, if is_from(0, 13, 2) { 34 } else { 32 });
        out.rows(2, 12).noise(16);
        out.n(self.threads.len());
        for thread in &self.threads {
            out.u64(thread.id).noise(8 + 8 + 1);
            if is_from(0, 11, 1) {
                out.noise(4);
            }
            out.zones(&thread.zones, &mut 0);
            out.rows(1, 8).rows(2, 11).rows(1, 11);
        }
        out.noise(16);
        // A graphics card with a zone in a zone.
        let end = if is_from(0, 12, 4) { 18 } else { 16 };
        out.n(1).noise(33);
        if is_from(0, 12, 4) {
            out.rows(1, 11);
        }
        out.n(2).u64(7).n(0).u64(8).n(1).noise(23).n(1).noise(23).n(0).noise(2 * end);
        if is_from(0, 12, 4) {
            out.n(1).noise(2).rows(1, 16);
        }
        out.n(1).noise(8).noise(8 + 24).rows(2, 16);

        out.n(self.pools.len()).n(self.pools.iter().map(|pool| pool.1.len()).sum());
        for (name, blocks) in &self.pools {
            let name = if name.is_empty() { 0 } else { texts.address(name) };
            let in_use: Vec<u64> = blocks.iter().filter(|block| block.freed_at.is_none()).map(|block| block.size).collect();
            out.u64(name).n(blocks.len()).n(in_use.len()).n(blocks.len() - in_use.len());
            let mut now = 0;
            for (number, block) in blocks.iter().enumerate() {
                out.n(0x10000 + 64 * number).u64(block.size).put(&u24(block.stack)).put(&u24(0));
                out.i64(block.at - now).i64(block.freed_at.map_or(-1, |freed_at| freed_at - block.at));
                out.put(&block.thread.to_le_bytes()).put(&block.thread.to_le_bytes());
                now = block.at;
            }
            out.u64(u64::MAX).u64(0).u64(in_use.iter().sum()).u64(name);
        }
        out.n(self.stacks.len());
        for stack in &self.stacks {
            out.put(&(stack.len() as u16).to_le_bytes());
            for frame in stack {
                out.u64(*frame);
            }
        }
        out.put(&frames.0).noise(1000);
        out.0
    }

    /// The file.
    pub(crate) fn file(&self, packing: Packing, n_streams: u8) -> Vec<u8> {
        pack(&self.text(), packing, n_streams, self.version < [0, 11, 0])
    }
}

/// Packs text as a file; `is_old`: with the magic number of before 0.11.
pub(crate) fn pack(text: &[u8], packing: Packing, n_streams: u8, is_old: bool) -> Vec<u8> {
    let mut file = match (packing, is_old) {
        (Packing::Lz4, true) => b"tlZ\x04".to_vec(),
        (Packing::Zstd, true) => b"tZst".to_vec(),
        (packing, false) => [&b"tr\xfdP"[..], &[u8::from(packing == Packing::Zstd), n_streams]].concat(),
    };
    let n_streams = usize::from(n_streams);
    for (number, block) in text.chunks(1 << 16).enumerate() {
        let before = number.checked_sub(n_streams).map_or(&[][..], |before| &text[before << 16..][..1 << 16]);
        let packed = match packing {
            Packing::Lz4 => lz4_flex::block::compress_with_dict(block, before),
            Packing::Zstd => {
                let mut frame = if number < n_streams { vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38] } else { Vec::new() };
                // Blocks that are stored; none is the last.
                frame.extend_from_slice(&u24((block.len() as u32) << 3));
                frame.extend_from_slice(block);
                frame
            }
        };
        file.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        file.extend_from_slice(&packed);
    }
    file
}

/// A trace with known books.
///
/// | at | event | in use |
/// |---|---|---|
/// | 1 s | main, zones setup, load: 1000 B in `leak`, never freed | 1000 |
/// | 2 s | main, zone setup: 100 × 10 B in `short`, each freed after 100 µs | 1010 |
/// | 3 s | worker: 5000 B in `load`, freed at 5 s | 6000 |
/// | 4 s | main, pool gpu, zone `draw` (named by its function): 3 × 4096 B without a stack, one freed at 6 s | 18288 |
/// | 5 s | 5000 B of the worker are freed | 13288 |
/// | 6 s | a texture is freed | 9192 |
/// | 8 s | the end | 9192 |
pub(crate) fn ledger(version: [u8; 3]) -> Trace {
    const S: i64 = 1_000_000_000;
    let zone = |place, start, end, inside| Zone { place, start, end, inside };
    let main = vec![
        zone(0, S / 2, 5 * S / 2, vec![zone(1, 3 * S / 4, 3 * S / 2, vec![])]),
        // Never ends.
        zone(-1, 7 * S / 2, -1, vec![]),
    ];
    let short = (0..100).map(|n| Block {
        size: 10,
        stack: 2,
        at: 2 * S + n * 1_000_000,
        freed_at: Some(2 * S + n * 1_000_000 + 100_000),
        thread: 0,
    });
    let mut heap = vec![Block { size: 1000, stack: 1, at: S, freed_at: None, thread: 0 }];
    heap.extend(short);
    heap.push(Block { size: 5000, stack: 3, at: 3 * S, freed_at: Some(5 * S), thread: 1 });
    let texture = |n: i64| Block { size: 4096, stack: 0, at: 4 * S + n, freed_at: (n == 0).then_some(6 * S), thread: 0 };
    Trace {
        version,
        last_time: 8 * S,
        threads: vec![Thread { id: 7001, name: "main", zones: main }, Thread { id: 7002, name: "", zones: vec![] }],
        places: [vec![(Some("setup"), "main", "main.rs", 10), (Some("load"), "load", "load.rs", 20)], vec![(None, "draw", "draw.rs", 30)]],
        pools: vec![("", heap), ("gpu", (0..3).map(texture).collect())],
        stacks: vec![vec![0x1001, 0x2001, 0x3001], vec![0x1002, 0x2002, 0x3001], vec![0x1001, 0x2003, 1 << 62 | 5, 0x4001]],
        frames: vec![
            // The recorder's own functions: all of a frame, with a lock inlined into one; and one inlined into the allocator.
            (0x1001, "it", vec![("std::mutex::lock()", "mutex", 9), ("___tracy_emit_memory_alloc_callstack", "TracyC.cpp", 8)]),
            (0x1002, "it", vec![("tracy::Profiler::MemAlloc", "p.hpp", 7), ("operator new(unsigned long)", "new.cpp", 6)]),
            (0x2001, "it", vec![("it::leak::h0123456789abcdef", "leak.rs", 5)]),
            (0x2002, "it", vec![("_RNvCs1234_2it5short", "short.rs", 4)]),
            (0x2003, "/lib/l.so", vec![("it::_$LT$impl$u20$it..A$GT$::load::h0123456789abcdef", "load.rs", 3)]),
            (0x3001, "it", vec![("main", "main.rs", 2)]),
            (1 << 62 | 5, "", vec![("script", "a.lua", 1)]),
            (0x9999, "it", vec![("unused", "unused.rs", 1)]),
        ],
        n_messages: 30_000,
    }
}
