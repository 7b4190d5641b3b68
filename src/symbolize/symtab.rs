//! Names from the symbol table: one function an address, without places.
//!
//! A symbol names only the bytes it claims. The nearest symbol below an address,
//! without that check, names every inner function of a stripped library after one
//! of its exported ones.

use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym};
use object::read::{ReadCache, SymbolIndex};
use object::{Object, ObjectSection, ObjectSymbol, elf};

use super::image::{Image, ImageError, Metered, Parsed};

/// The functions of a file by address.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// By start; starts differ.
    rows: Vec<Row>,
    /// Names, each ended by a zero byte.
    strings: Vec<u8>,
    /// Whether they come from the full table and not from the exported names only.
    pub(super) is_full: bool,
}

/// What the table says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol<'a> {
    /// As linked, mangled.
    pub(super) name: &'a [u8],
    /// Source file, for functions that are not exported; else empty.
    pub(super) file: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    start: u64,
    /// One past the last byte; the end of the section for symbols without size.
    end: u64,
    size: u64,
    /// Offsets in `strings`; `NO_FILE` where no file is known.
    name: u32,
    file: u32,
    is_thumb: bool,
}

/// One entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Address of its first byte.
    pub address: u64,
    /// Bytes; 0 when the table does not say.
    pub size: u64,
    /// As linked, mangled.
    pub name: &'a [u8],
    /// Its code is Thumb.
    pub is_thumb: bool,
}

const NO_FILE: u32 = u32::MAX;

impl Symbols {
    /// Reads the full table, or the exported names when there is none; keeps one name for
    /// each address.
    pub(super) fn read(image: &Image) -> Result<Self, ImageError> {
        let mut symbols = Symbols::unsorted(image)?;
        // Of several names for one address the widest, of equals the last, as llvm-symbolizer
        // has it; but glibc's names for its own use only where there is no other.
        let Symbols { rows, strings, .. } = &mut symbols;
        let internal = |row: &Row| strings.get(row.name as usize..).is_some_and(|s| s.starts_with(b"__GI_"));
        rows.sort_by_key(|row| (row.start, row.size, !internal(row)));
        symbols.rows.reverse();
        symbols.rows.dedup_by_key(|row| row.start);
        symbols.rows.reverse();
        Ok(symbols)
    }

    /// Reads the same table, and keeps every name: by address, then name.
    pub(super) fn read_all(image: &Image) -> Result<Self, ImageError> {
        let mut symbols = Symbols::unsorted(image)?;
        let mut rows = std::mem::take(&mut symbols.rows);
        rows.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| symbols.text(a.name).cmp(&symbols.text(b.name))));
        rows.dedup_by(|a, b| a.start == b.start && symbols.text(a.name) == symbols.text(b.name));
        symbols.rows = rows;
        Ok(symbols)
    }

    fn unsorted(image: &Image) -> Result<Self, ImageError> {
        image.with(|object| match object {
            object::File::Elf32(file) => of_elf(image, file),
            object::File::Elf64(file) => of_elf(image, file),
            other => of_any(other),
        })
    }

    /// Number of entries that begin at or before `address`. O(log n).
    pub(super) fn n_up_to(&self, address: u64) -> usize {
        self.rows.partition_point(|row| row.start <= address)
    }

    /// Entry number `i`, by address.
    pub(super) fn entry(&self, i: usize) -> Option<Entry<'_>> {
        let row = self.rows.get(i)?;
        let name = without_version(self.text(row.name).unwrap_or_default());
        Some(Entry { address: row.start, size: row.size, name, is_thumb: row.is_thumb })
    }

    /// The symbol that holds `address`. O(log n).
    pub(super) fn find(&self, address: u64) -> Option<Symbol<'_>> {
        let after = self.rows.partition_point(|row| row.start <= address);
        let row = self.rows.get(after.checked_sub(1)?)?;
        if address >= row.end {
            return None;
        }
        let name = without_version(self.text(row.name)?);
        let file = if row.file == NO_FILE { None } else { self.text(row.file) };
        Some(Symbol { name, file: file.unwrap_or_default() })
    }

    fn text(&self, at: u32) -> Option<&[u8]> {
        let rest = self.strings.get(at as usize..)?;
        let end = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        Some(&rest[..end])
    }
}

/// Which version of an interface it is says nothing here: `memcpy@@GLIBC_2.14`.
fn without_version(name: &[u8]) -> &[u8] {
    let version = name.iter().position(|&b| b == b'@').filter(|&at| at > 0);
    &name[..version.unwrap_or(name.len())]
}

type Elf<'a, H> = ElfFile<'a, H, &'a ReadCache<Metered<'a>>>;

fn of_elf<H: FileHeader>(image: &Image, file: &Elf<'_, H>) -> Symbols {
    let mut table = file.elf_symbol_table();
    let is_full = !table.is_empty();
    if !is_full {
        table = file.elf_dynamic_symbol_table();
    }
    let endian = file.endian();
    let sections = file.elf_section_table();
    // Section → one past its last address, when it is loaded.
    let loaded: Vec<Option<u64>> = sections
        .iter()
        .map(|s| {
            let (start, size): (u64, u64) = (s.sh_addr(endian).into(), s.sh_size(endian).into());
            s.sh_flags(endian).contains(elf::SHF_ALLOC).then(|| start.saturating_add(size))
        })
        .collect();
    let strings = sections.section(table.string_section()).ok();
    let strings = strings.and_then(|s| image.read(s.sh_offset(endian).into(), s.sh_size(endian).into()));
    let is_arm = matches!(file.elf_header().e_machine(endian), elf::EM_ARM | elf::EM_AARCH64);
    let strings = strings.unwrap_or_default();
    let mut rows = Vec::new();
    let mut source = NO_FILE;
    for (index, symbol) in table.enumerate() {
        let kind = symbol.st_type();
        if kind == elf::STT_FILE {
            source = symbol.st_name(endian);
            continue;
        }
        if index == SymbolIndex(0) || !matches!(kind, elf::STT_NOTYPE | elf::STT_OBJECT | elf::STT_FUNC | elf::STT_GNU_IFUNC) {
            continue;
        }
        let Ok(Some(section)) = table.symbol_section(endian, symbol, index) else { continue };
        let Some(Some(section_end)) = loaded.get(section.0) else { continue };
        let name = symbol.st_name(endian);
        if is_arm && strings.get(name as usize) == Some(&b'$') && kind == elf::STT_NOTYPE {
            continue; // Marks where code and data begin.
        }
        let size: u64 = symbol.st_size(endian).into();
        let mut start: u64 = symbol.st_value(endian).into();
        let is_thumb = is_arm && !file.is_64() && kind == elf::STT_FUNC && start & 1 == 1;
        if is_thumb {
            start -= 1; // The lowest bit says so, and is no part of the address.
        }
        let end = if size == 0 { *section_end } else { start.saturating_add(size) };
        let is_local = symbol.st_bind() == elf::STB_LOCAL;
        rows.push(Row { start, end, size, name, file: if is_local { source } else { NO_FILE }, is_thumb });
    }
    Symbols { rows, strings, is_full }
}

/// Mach-O and PE. Sizes are not given there: a symbol reaches up to the next one
/// in its section.
fn of_any(object: &Parsed<'_>) -> Symbols {
    let mut symbols = Symbols { is_full: true, ..Symbols::default() };
    let underscore = object.format() == object::BinaryFormat::MachO;
    for symbol in object.symbols().filter(|s| s.is_definition()) {
        let Some(section) = symbol.section_index().and_then(|i| object.section_by_index(i).ok()) else { continue };
        let (Ok(name), Ok(at)) = (symbol.name_bytes(), u32::try_from(symbols.strings.len())) else { continue };
        let name = if underscore { name.strip_prefix(b"_").unwrap_or(name) } else { name };
        symbols.strings.extend_from_slice(name);
        symbols.strings.push(0);
        let start = symbol.address();
        let end = section.address().saturating_add(section.size());
        symbols.rows.push(Row { start, end, size: 0, name: at, file: NO_FILE, is_thumb: false });
    }
    symbols
}
