//! Writes recordings for tests: events as text, text as chunks.

/// Text of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    pub(crate) text: Vec<u8>,
}

/// Identity of a block; `None` as files before 0.6 have it.
pub(crate) type Id = Option<(u64, u64)>;

/// Time of the program's start in all recordings, microseconds.
pub(crate) const BEGIN: u64 = 5_000_000;

impl Writer {
    /// A recording with its header.
    pub(crate) fn new() -> Self {
        let mut writer = Writer::default();
        writer.header(7);
        writer
    }

    pub(crate) fn header(&mut self, id: u64) -> &mut Self {
        self.tag(0).u64(id).u64(1).u64(BEGIN).u64(BEGIN + 10).u64(1_700_000_000).u64(500).u32(99);
        self.bytes(b"./books\0-n\x003\0").bytes(b"/opt/books").bytes(b"x86_64").u64(1);
        self.text.push(8);
        self
    }

    pub(crate) fn tag(&mut self, tag: u32) -> &mut Self {
        self.u32(tag)
    }

    pub(crate) fn u32(&mut self, number: u32) -> &mut Self {
        self.text.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub(crate) fn u64(&mut self, number: u64) -> &mut Self {
        self.text.extend_from_slice(&number.to_le_bytes());
        self
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.u32(bytes.len() as u32);
        self.text.extend_from_slice(bytes);
        self
    }

    pub(crate) fn varint(&mut self, number: u64) -> &mut Self {
        if number < 0x80 {
            self.text.push(number as u8);
        } else {
            self.text.push(0xff);
            self.text.extend_from_slice(&number.to_le_bytes());
        }
        self
    }

    fn block(&mut self, id: Id, address: u64, size: u64, stack: u64) -> &mut Self {
        let thread = id.map_or(1, |(thread, _)| thread);
        self.u64(address).u64(size).u64(stack).u32(thread as u32).u32(0).u32(24).u64(0)
    }

    /// `at`: microseconds since the start, as below.
    pub(crate) fn allocate(&mut self, id: Id, at: u64, address: u64, size: u64, stack: u64) -> &mut Self {
        match id {
            Some((thread, n)) => self.tag(20).u64(thread).u64(n),
            None => self.tag(1),
        };
        self.u64(BEGIN + at).block(id, address, size, stack)
    }

    pub(crate) fn reallocate(&mut self, id: Id, at: u64, old: u64, address: u64, size: u64, stack: u64) -> &mut Self {
        match id {
            Some((thread, n)) => self.tag(21).u64(thread).u64(n),
            None => self.tag(2),
        };
        self.u64(BEGIN + at).u64(old).block(id, address, size, stack)
    }

    pub(crate) fn free(&mut self, id: Id, at: u64, address: u64) -> &mut Self {
        self.free_by(id, at, address, u64::MAX)
    }

    /// `stack`: the one that frees it; the largest number: none.
    pub(crate) fn free_by(&mut self, id: Id, at: u64, address: u64, stack: u64) -> &mut Self {
        match id {
            Some((thread, n)) => self.tag(22).u64(thread).u64(n),
            None => self.tag(3),
        };
        self.u64(BEGIN + at).u64(address).u64(stack).u32(1)
    }

    /// Return addresses, the leaf first.
    pub(crate) fn stack(&mut self, id: u64, addresses: &[u64]) -> &mut Self {
        self.tag(5).u64(id).u32(addresses.len() as u32);
        for address in addresses {
            self.u64(*address);
        }
        self
    }

    pub(crate) fn thread_stack(&mut self, id: u64, thread: u32, n_gone: u32, addresses: &[u64]) -> &mut Self {
        self.tag(13).u64(id).u32(thread).u32(n_gone).u32(addresses.len() as u32);
        for address in addresses {
            self.u64(*address);
        }
        self
    }

    pub(crate) fn file(&mut self, path: &str, contents: &[u8]) -> &mut Self {
        self.tag(23).u64(BEGIN).bytes(path.as_bytes()).u64(contents.len() as u64);
        self.text.extend_from_slice(contents);
        self
    }

    pub(crate) fn string(&mut self, id: u32, text: &str) -> &mut Self {
        self.tag(14).u32(id).bytes(text.as_bytes())
    }

    /// Numbers of texts: library, mangled name, name, file.
    pub(crate) fn frame(&mut self, address: u64, texts: [u32; 4], line: u32, is_inlined: bool) -> &mut Self {
        self.tag(15).u64(address);
        for text in texts {
            self.u32(text);
        }
        self.u32(line).u32(u32::MAX);
        self.text.push(is_inlined.into());
        self
    }

    pub(crate) fn frame_stack(&mut self, frames: &[u32]) -> &mut Self {
        self.tag(16).u32(frames.len() as u32);
        for frame in frames {
            self.u32(*frame);
        }
        self
    }

    /// Resident memory, KiB.
    pub(crate) fn region(&mut self, at: u64, map: u64, name: &str, kilobytes: u64) -> &mut Self {
        self.tag(24).u64(BEGIN + at).varint(map).u64(map << 20).varint(1 << 20).varint(0).varint(0).u32(0).u32(0).u32(3);
        self.varint(name.len() as u64).text.extend_from_slice(name.as_bytes());
        self.tag(26).u64(BEGIN + at).varint(map).u64(map << 20).varint(1 << 20).varint(kilobytes);
        self.varint(0).varint(1).varint(2).varint(kilobytes).varint(9)
    }

    /// Chunks of so many bytes of text: compressed, or stored.
    pub(crate) fn chunks(&self, length: usize, is_stored: bool) -> Vec<u8> {
        let mut file = Vec::new();
        for text in self.text.chunks(length) {
            let packed = if is_stored { text.to_vec() } else { lz4_flex::block::compress(text) };
            file.push(if is_stored { 2 } else { 1 });
            file.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            file.extend_from_slice(&packed);
        }
        file
    }

    /// A file as the recorder writes it.
    pub(crate) fn finish(&self) -> Vec<u8> {
        self.chunks(1 << 19, false)
    }
}
