//! Compressed containers, gzip and zstd, detected by their first bytes.
//!
//! Decompresses into one buffer of bounded size, so that a small file cannot exhaust memory. At most one layer of each:
//! google/pprof rejects gzip in gzip.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::ControlFlow;

use flate2::bufread::GzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::error::{ErrorKind, ParseError, WarningKind};
use super::packed::Packed;
use super::zstd_frame::Frame;

/// A dump without its containers.
pub(super) struct Content<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// Warnings about the containers.
    pub(super) warnings: Vec<WarningKind>,
}

impl Content<'_> {
    /// The container that ended too early, if one did.
    pub(super) fn cut(&self) -> Option<&'static str> {
        self.warnings.iter().find_map(|w| match w {
            WarningKind::CutContainer { container } => Some(*container),
            _ => None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Gzip,
    Zstd,
}

impl Container {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Container::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Container::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Container::Gzip => "gzip",
            Container::Zstd => "zstd",
        }
    }
}

/// Unpacks all layers. Data that ends too early is kept, with a warning.
pub(super) fn open(bytes: &[u8], limit: usize) -> Result<Content<'_>, ParseError> {
    let mut content = Content { bytes: Cow::Borrowed(bytes), warnings: Vec::new() };
    let mut opened: Vec<Container> = Vec::new();
    while let Some(container) = Container::of(&content.bytes) {
        if opened.contains(&container) {
            return Err(fail(ErrorKind::Nested { container: container.name() }));
        }
        opened.push(container);
        let mut unpacked = Unpacked { bytes: Vec::new(), limit };
        content.warnings.extend(unpack_into(&mut &content.bytes[..], &mut unpacked)?);
        unpacked.bytes.shrink_to_fit();
        content.bytes = Cow::Owned(unpacked.bytes);
    }
    Ok(content)
}

/// The first `limit` bytes, unpacked as far as they can be.
pub(super) fn peek(bytes: &[u8], limit: usize) -> Cow<'_, [u8]> {
    let mut head = Cow::Borrowed(bytes);
    for _ in 0..2 {
        let Some(container) = Container::of(&head) else { break };
        head = Cow::Owned(peek_layer(&head, container, limit));
    }
    match head {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..bytes.len().min(limit)]),
        owned => owned,
    }
}

/// The first `limit` bytes of a container, unpacked as far as they can be.
fn peek_layer(packed: &[u8], container: Container, limit: usize) -> Vec<u8> {
    let mut unpacked = Vec::new();
    // Data decompressed before an error is kept.
    let _ = match container {
        Container::Gzip => GzDecoder::new(packed).take(limit as u64).read_to_end(&mut unpacked).ok(),
        Container::Zstd => {
            let decoder = StreamingDecoder::new(Frame::new(packed));
            decoder.ok().and_then(|d| d.take(limit as u64).read_to_end(&mut unpacked).ok())
        }
    };
    unpacked
}

fn fail(kind: ErrorKind) -> ParseError {
    ParseError { format: "", kind, at: None }
}

/// Takes decompressed data.
pub(super) trait Sink {
    /// Reads the data of a member to its end, or until no more is wanted.
    fn read(&mut self, member: &mut dyn Read) -> Result<ControlFlow<()>, SinkError>;
}

/// Data that cannot be taken.
pub(super) enum SinkError {
    Decompression(io::Error),
    TooBig { limit: usize },
}

impl From<io::Error> for SinkError {
    fn from(error: io::Error) -> Self {
        SinkError::Decompression(error)
    }
}

/// Decompresses the outer container of what `from` gives, piece by piece; nothing if it has none. Returns a warning about it.
pub(super) fn unpack_into(from: &mut dyn Read, sink: &mut dyn Sink) -> Result<Option<WarningKind>, ParseError> {
    let mut packed = Packed::new(from);
    match container_of(&mut packed)? {
        Some(Container::Gzip) => gzip(&mut packed, sink),
        Some(Container::Zstd) => zstd(&mut packed, sink),
        None => Ok(None),
    }
}

/// The container that follows.
fn container_of(packed: &mut Packed<'_>) -> Result<Option<Container>, ParseError> {
    packed.peek(4).map(Container::of).map_err(|e| unreadable(&e))
}

/// Skips what is left, and says so.
fn trailing(packed: &mut Packed<'_>) -> Result<Option<WarningKind>, ParseError> {
    let bytes = packed.skip(u64::MAX).map_err(|e| unreadable(&e))? as usize;
    Ok((bytes > 0).then_some(WarningKind::TrailingBytes { bytes }))
}

/// Returns whether the bytes are compressed, once.
pub(super) fn is_packed_once(bytes: &[u8]) -> bool {
    Container::of(bytes).is_some_and(|container| Container::of(&peek_layer(bytes, container, 64)).is_none())
}

/// All members, one after the other.
fn gzip(packed: &mut Packed<'_>, sink: &mut dyn Sink) -> Result<Option<WarningKind>, ParseError> {
    loop {
        match member(&mut GzDecoder::new(&mut *packed), Container::Gzip, sink)? {
            // google/pprof refuses what follows; nothing is lost by reading on.
            ControlFlow::Continue(()) if container_of(packed)? != Some(Container::Gzip) => return trailing(packed),
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(odd) => return Ok(odd),
        }
    }
}

/// All frames, one after the other.
fn zstd(packed: &mut Packed<'_>, sink: &mut dyn Sink) -> Result<Option<WarningKind>, ParseError> {
    let cut = Ok(Some(WarningKind::CutContainer { container: Container::Zstd.name() }));
    loop {
        match packed.peek(8).map_err(|e| unreadable(&e))? {
            // A frame for others: its length, then that many bytes.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] => {
                let Some(length) = length.first_chunk().map(|n| u64::from(u32::from_le_bytes(*n)) + 8) else { return cut };
                if packed.skip(length).map_err(|e| unreadable(&e))? < length {
                    return cut;
                }
            }
            head if Container::of(head).is_none() => return trailing(packed),
            _ => {
                let mut frame = Frame::new(&mut *packed);
                let mut decoder = match StreamingDecoder::new(&mut frame) {
                    Ok(decoder) => decoder,
                    Err(e) if ends_early(&e) => return cut,
                    Err(e) => return Err(damaged(Container::Zstd, &e)),
                };
                match member(&mut decoder, Container::Zstd, sink)? {
                    ControlFlow::Continue(()) if decoder.into_inner().is_cut => return cut,
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(odd) => return Ok(odd),
                }
            }
        }
    }
}

/// Reads a member to its end. Stops with a warning when the data ends before, or when no more is wanted.
fn member(decoder: &mut dyn Read, container: Container, sink: &mut dyn Sink) -> Result<ControlFlow<Option<WarningKind>>, ParseError> {
    match sink.read(decoder) {
        Ok(ControlFlow::Continue(())) => Ok(ControlFlow::Continue(())),
        Ok(ControlFlow::Break(())) => Ok(ControlFlow::Break(None)),
        Err(SinkError::TooBig { limit }) => Err(fail(ErrorKind::TooBig { limit })),
        Err(SinkError::Decompression(e)) if ends_early(&e) => {
            Ok(ControlFlow::Break(Some(WarningKind::CutContainer { container: container.name() })))
        }
        Err(SinkError::Decompression(e)) => Err(damaged(container, &e)),
    }
}

fn unreadable(error: &io::Error) -> ParseError {
    fail(ErrorKind::Compression { container: "file", reason: error.to_string() })
}

fn damaged(container: Container, error: &dyn std::error::Error) -> ParseError {
    fail(ErrorKind::Compression { container: container.name(), reason: error.to_string() })
}

/// All data in one buffer of bounded size.
struct Unpacked {
    bytes: Vec<u8>,
    limit: usize,
}

impl Sink for Unpacked {
    fn read(&mut self, member: &mut dyn Read) -> Result<ControlFlow<()>, SinkError> {
        const CHUNK: usize = 1 << 20;
        loop {
            // Grow by an eighth, so that the last step wastes little.
            let start = self.bytes.len();
            let most = self.limit.saturating_sub(start).saturating_add(1);
            let room = (start / 8).max(CHUNK).min(most);
            if self.bytes.capacity() < start + room {
                self.reserve(room, most);
            }
            let read = member.take(room as u64).read_to_end(&mut self.bytes);
            if self.bytes.len() > self.limit {
                return Err(SinkError::TooBig { limit: self.limit });
            }
            if read? == 0 {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

impl Unpacked {
    /// Makes room for `room` bytes. A large buffer gets room for all that may come, `most`, at once: an allocator that moves it
    /// needs both for a moment, and pages that are never written need no memory.
    fn reserve(&mut self, room: usize, most: usize) {
        const LARGE: usize = 64 << 20;
        if self.bytes.len() < LARGE || self.bytes.try_reserve_exact(most).is_err() {
            self.bytes.reserve_exact(room);
        }
    }
}

/// Returns whether the error, or what caused it, is that the data ends.
fn ends_early(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|e| e.kind() == io::ErrorKind::UnexpectedEof) {
            return true;
        }
        // `io::Error::source` skips its inner error.
        cause = match io.and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// A zstd frame with one raw block.
    fn zstd(bytes: &[u8]) -> Vec<u8> {
        let block = (bytes.len() as u32) << 3 | 1;
        [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.len() as u8][..], &block.to_le_bytes()[..3], bytes].concat()
    }

    fn text(packed: &[u8]) -> Result<(String, Vec<WarningKind>), ErrorKind> {
        let content = open(packed, 1 << 20).map_err(|e| e.kind)?;
        Ok((String::from_utf8_lossy(&content.bytes).into_owned(), content.warnings))
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        assert_eq!(text(&[gz(b"one "), gz(b"two")].concat()), Ok(("one two".into(), vec![])));
        assert_eq!(text(&[zstd(b"one "), zstd(b"two")].concat()), Ok(("one two".into(), vec![])));
        assert_eq!(text(&[&[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 9], &zstd(b"x")[..]].concat()), Ok(("x".into(), vec![])));
        assert_eq!(text(&zstd(&gz(b"both"))), Ok(("both".into(), vec![])));
        assert_eq!(text(b"plain"), Ok(("plain".into(), vec![])));
    }

    #[test]
    fn gzip_in_gzip_is_refused() {
        assert_eq!(text(&gz(&gz(b"x"))), Err(ErrorKind::Nested { container: "gzip" }));
    }

    #[test]
    fn cut_data_is_kept() {
        let packed = gz(b"heap profile: and so on, and so on");
        let (kept, warnings) = text(&packed[..packed.len() - 9]).unwrap();
        assert_eq!(warnings, [WarningKind::CutContainer { container: "gzip" }]);
        assert!(kept.starts_with("heap"), "{kept}");
        for n in 2..packed.len() {
            let _ = text(&packed[..n]);
        }
        let packed = zstd(b"heap profile");
        for n in 4..packed.len() {
            let _ = text(&packed[..n]);
        }
    }

    #[test]
    fn trailing_bytes_are_said() {
        assert_eq!(text(&[&gz(b"x")[..], b"\0\0\0"].concat()), Ok(("x".into(), vec![WarningKind::TrailingBytes { bytes: 3 }])));
    }

    #[test]
    fn a_wrong_checksum_is_an_error() {
        let mut packed = gz(b"hello");
        let n = packed.len();
        packed[n - 8] ^= 1;
        assert!(matches!(text(&packed), Err(ErrorKind::Compression { container: "gzip", .. })));
    }

    #[test]
    fn the_limit_holds() {
        let packed = gz(&vec![0; (1 << 20) + 1]);
        assert_eq!(text(&packed), Err(ErrorKind::TooBig { limit: 1 << 20 }));
        assert!(text(&gz(&vec![0; 1 << 20])).is_ok());
        assert_eq!(peek(&packed, 100).len(), 100);
    }
}
