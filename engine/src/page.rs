//! Files that only the page can read, and progress that it shows: the two functions that the module imports.

use std::cell::RefCell;
use std::io;

use heapview::symbolize::{self, ByteSource};

/// Bytes that are read at first where a file is read, and at most while it is read on; longer requests are read as they are.
const FIRST: usize = 16 << 10;
const MOST: usize = 256 << 10;

/// Bytes that all windows take together.
const MOST_KEPT: usize = 16 << 20;

#[cfg(target_arch = "wasm32")]
mod import {
    #[link(wasm_import_module = "page")]
    #[allow(unsafe_code, reason = "functions of the page are declared, not defined")]
    unsafe extern "C" {
        #[link_name = "read"]
        pub(super) safe fn read(file: u32, offset: u64, length: usize, address: usize) -> usize;
        #[link_name = "progress"]
        pub(super) safe fn progress(address: usize, length: usize);
    }
}

/// Elsewhere there is no page.
#[cfg(not(target_arch = "wasm32"))]
mod import {
    pub(super) fn read(_: u32, _: u64, _: usize, _: usize) -> usize {
        0
    }
    pub(super) fn progress(_: usize, _: usize) {}
}

/// Reports what is done now, and how far: `done` of `total`, both 0 if unknown.
pub(crate) fn report(text: &str, done: usize, total: usize) {
    let json = serde_json::json!({ "text": text, "done": done, "total": total }).to_string();
    import::progress(json.as_ptr().expose_provenance(), json.len());
}

/// Reports how far names have come.
pub(crate) struct PageProgress;

impl symbolize::Progress for PageProgress {
    fn done(&self, done: usize, total: usize, file: &str) {
        report(&format!("Looking up names in {file}"), done, total);
    }
}

/// An attached file.
#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) number: u32,
    pub(crate) size: u64,
}

impl ByteSource for PageFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > self.size) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if bytes.len() >= MOST {
            return self.fetch(offset, bytes);
        }
        WINDOWS.with_borrow_mut(|windows| windows.read(self, offset, bytes))
    }
}

impl PageFile {
    fn fetch(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let n = import::read(self.number, offset, bytes.len(), bytes.as_mut_ptr().expose_provenance());
        if n == bytes.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

thread_local! {
    static WINDOWS: RefCell<Windows> = RefCell::default();
}

/// Parts of files that were read last: a request to the page takes far longer than one to a disk, and most are for a few bytes
/// near those of others. A window where the one before ends is twice as long.
#[derive(Default)]
struct Windows {
    /// The one used last at the end.
    list: Vec<Window>,
    n_bytes: usize,
}

struct Window {
    file: u32,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl Windows {
    /// Fills `bytes`, which are inside the file.
    fn read(&mut self, file: &PageFile, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let end = offset + bytes.len() as u64;
        let is_inside = |window: &Window| window.file == file.number && window.start <= offset && end <= window.end();
        let at = match self.list.iter().rposition(is_inside) {
            Some(at) => at,
            None => self.add(file, offset, bytes.len())?,
        };
        // Moves to the end what was used.
        let window = self.list.remove(at);
        let skipped = (offset - window.start) as usize;
        if let Some(found) = window.bytes.get(skipped..skipped + bytes.len()) {
            bytes.copy_from_slice(found);
        }
        self.list.push(window);
        Ok(())
    }

    /// Reads a window that has these bytes, and returns its index.
    fn add(&mut self, file: &PageFile, offset: u64, length: usize) -> io::Result<usize> {
        let before = self.list.iter().rfind(|window| window.file == file.number && (window.start..=window.end()).contains(&offset));
        let wanted = before.map_or(FIRST, |window| (window.bytes.len() * 2).clamp(FIRST, MOST)).max(length);
        let mut bytes = vec![0; usize::try_from(file.size - offset).map_or(wanted, |rest| rest.min(wanted))];
        file.fetch(offset, &mut bytes)?;
        self.n_bytes += bytes.len();
        self.list.push(Window { file: file.number, start: offset, bytes });
        while self.n_bytes > MOST_KEPT && self.list.len() > 1 {
            self.n_bytes -= self.list.remove(0).bytes.len();
        }
        Ok(self.list.len() - 1)
    }
}
