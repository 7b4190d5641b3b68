//! Headers of an ELF file only. `object::File` reads the symbol table too, which is megabytes that cached names do not need.

use object::elf::{ELF_NOTE_GNU, FileHeader32, FileHeader64, NT_GNU_BUILD_ID};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader};
use object::{Endian, Endianness, FileKind, ReadRef};

use super::layout::Layout;

/// Properties of a file that its headers contain.
pub(crate) struct Headers {
    pub(crate) layout: Layout,
    pub(crate) build_id: Vec<u8>,
    /// Name and CRC-32 of the file that holds the debug information.
    pub(crate) debug_link: Option<(String, u32)>,
    pub(crate) little_endian: bool,
}

/// Notes take a few hundred bytes; more are not looked through.
const LONGEST_NOTES: u64 = 1 << 20;

/// The headers of an ELF file; `None` for other files.
pub(crate) fn of_elf<'a, R: ReadRef<'a>>(data: R) -> Option<object::read::Result<Headers>> {
    match FileKind::parse(data).ok()? {
        FileKind::Elf32 => Some(read::<FileHeader32<Endianness>, R>(data)),
        FileKind::Elf64 => Some(read::<FileHeader64<Endianness>, R>(data)),
        _ => None,
    }
}

fn read<'a, H: FileHeader, R: ReadRef<'a>>(data: R) -> object::read::Result<Headers> {
    let header = H::parse(data)?;
    let endian = header.endian()?;
    let programs = header.program_headers(endian, data)?;
    let sections = header.sections(endian, data)?;
    let named = |name: &[u8]| sections.section_by_name(endian, name).map(|(_, section)| section);
    let text = named(b".text").map(|section| section.sh_addr(endian).into());
    let link = named(b".gnu_debuglink").and_then(|section| debug_link(section.data(endian, data).ok()?, endian.is_little_endian()));
    // Programs without section headers have notes all the same.
    let id = match sections.is_empty() {
        true => programs
            .iter()
            .filter(|p| p.p_filesz(endian).into() < LONGEST_NOTES)
            .find_map(|program| id_of(program.notes(endian, data).ok()??, endian)),
        false => sections
            .iter()
            .filter(|s| s.sh_size(endian).into() < LONGEST_NOTES)
            .find_map(|section| id_of(section.notes(endian, data).ok()??, endian)),
    };
    Ok(Headers {
        layout: Layout::of_elf(header, endian, programs, text),
        build_id: id.unwrap_or_default(),
        debug_link: link,
        little_endian: endian.is_little_endian(),
    })
}

fn id_of<H: FileHeader>(mut notes: NoteIterator<'_, H>, endian: H::Endian) -> Option<Vec<u8>> {
    while let Ok(Some(note)) = notes.next() {
        if note.name() == ELF_NOTE_GNU && note.n_type(endian) == NT_GNU_BUILD_ID {
            return Some(note.desc().to_vec());
        }
    }
    None
}

/// A name that ends with a zero, up to three more zeros, and the CRC.
fn debug_link(bytes: &[u8], is_little: bool) -> Option<(String, u32)> {
    let end = bytes.iter().position(|&b| b == 0)?;
    let at = (end + 1).next_multiple_of(4);
    let crc = bytes.get(at..at + 4)?.try_into().ok()?;
    let crc = if is_little { u32::from_le_bytes(crc) } else { u32::from_be_bytes(crc) };
    Some((String::from_utf8_lossy(&bytes[..end]).into_owned(), crc))
}

#[cfg(test)]
mod tests {
    use object::Object;

    use super::*;

    #[test]
    fn headers_are_those_of_the_whole_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/bin/");
        for name in ["shop", "kitchen", "libpantry.so"] {
            let bytes = std::fs::read(format!("{folder}{name}")).unwrap();
            let headers = of_elf(&*bytes).unwrap().unwrap();
            let object = object::File::parse(&*bytes).unwrap();
            assert_eq!(headers.build_id, object.build_id().unwrap().unwrap());
            assert_eq!(headers.little_endian, object.is_little_endian());
            let Layout::Elf { segments, text, .. } = headers.layout else { panic!("{name}") };
            assert!(text.is_some() && segments.len() == 4, "{segments:?}");
            // Sections may be stripped away; the note is in a segment, too.
            let mut bytes = bytes;
            bytes[0x28..0x30].fill(0);
            bytes[0x3c..0x40].fill(0);
            assert_eq!(of_elf(&*bytes).unwrap().unwrap().build_id, headers.build_id);
        }
        assert!(of_elf(&b"\xcf\xfa\xed\xfe0123456789abcdef"[..]).is_none());
    }

    #[test]
    fn debug_links_are_followed_by_a_crc() {
        assert_eq!(debug_link(b"ab\0\0\x01\x02\x03\x04", true), Some(("ab".into(), 0x0403_0201)));
        assert_eq!(debug_link(b"abc\0\x01\x02\x03\x04", false), Some(("abc".into(), 0x0102_0304)));
        for cut in [&b""[..], b"abc", b"abc\0\x01\x02\x03", b"ab\0\x01\x02\x03\x04"] {
            assert_eq!(debug_link(cut, true), None);
        }
    }
}
