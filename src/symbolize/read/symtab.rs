//! Names from the symbol table: one function per address, without source places.
//!
//! A symbol names only the bytes it claims. Without that check, the nearest symbol below an address would name every internal
//! function of a stripped library after one of its exported ones.

use std::cmp::Ordering;
use std::sync::Arc;

use object::read::SymbolIndex;
use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym};
use object::read::macho::{MachHeader, MachOFile, Nlist};
use object::{Object, ObjectSection, ObjectSymbol, elf};

use super::bounded_reader::Bytes;
use super::image::{Image, ImageError};
use super::layout::{Layout, Parsed};
use crate::symbolize::read::minidebuginfo as mini;
use crate::symbolize::read::paged::{LONGEST_TEXT, Part};

/// All functions of a file by address.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// By start, then name.
    rows: Vec<Row>,
    /// Names, each ended by a zero byte.
    strings: Part<'static>,
    /// Whether they come from the full table, not only from exported names.
    pub(crate) is_full: bool,
}

/// The functions at some addresses of a file.
#[derive(Debug)]
pub(crate) struct Nearest {
    /// For each address the last symbol that begins at or before it.
    rows: Vec<Option<Row>>,
    strings: Part<'static>,
    /// Whether they come from the full table, not only from exported names.
    pub(crate) is_full: bool,
    /// Functions that are not exported, from a compressed table if there is one.
    inner: Option<Box<Nearest>>,
}

/// Symbol of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbol {
    /// As linked, mangled.
    pub(crate) name: Arc<str>,
    /// Source file, for functions that are not exported; else empty.
    pub(crate) file: Arc<str>,
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
    /// Size in bytes; 0 if the table has none.
    pub size: u64,
    /// As linked, mangled.
    pub name: &'a [u8],
    /// Its code is Thumb.
    pub is_thumb: bool,
}

const NO_FILE: u32 = u32::MAX;

impl Symbols {
    /// Reads the full table, or the exported names when there is none.
    pub(crate) fn read(image: &Image) -> Result<Self, ImageError> {
        let mut rows = Vec::new();
        let table = Table::read(image, |_, row| rows.push(row))?;
        let mut strings = table.strings.all();
        if let Some(inner) = inner_file(image, &table)
            && let Ok(base) = u32::try_from(strings.len())
        {
            let moved = |at: u32| if at == NO_FILE { at } else { at.saturating_add(base) };
            let more = Table::read(&inner, |_, row| rows.push(Row { name: moved(row.name), file: moved(row.file), ..row }))?;
            strings.append(&mut more.strings.all());
        }
        let mut symbols = Symbols { rows: Vec::new(), strings: Part::whole(strings), is_full: table.is_full };
        rows.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| symbols.text(a.name).cmp(&symbols.text(b.name))));
        rows.dedup_by(|a, b| a.start == b.start && symbols.text(a.name) == symbols.text(b.name));
        symbols.rows = rows;
        Ok(symbols)
    }

    /// All entries, by address.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.rows.len()).filter_map(|i| self.entry(i))
    }

    /// Number of entries that begin at or before `address`. O(log n).
    pub(crate) fn n_up_to(&self, address: u64) -> usize {
        self.rows.partition_point(|row| row.start <= address)
    }

    /// Entry number `i`, by address.
    pub(crate) fn entry(&self, i: usize) -> Option<Entry<'_>> {
        let row = self.rows.get(i)?;
        let name = without_version(self.text(row.name).unwrap_or_default());
        Some(Entry { address: row.start, size: row.size, name, is_thumb: row.is_thumb })
    }

    /// The symbol that holds `address`. O(log n).
    pub(crate) fn find(&self, address: u64) -> Option<Symbol> {
        let row = self.rows.get(self.n_up_to(address).checked_sub(1)?)?;
        row.symbol(address, |at| self.text(at).map(<[u8]>::to_vec))
    }

    fn text(&self, at: u32) -> Option<&[u8]> {
        let rest = self.strings.from(at as usize);
        let rest = &rest[..rest.len().min(LONGEST_TEXT)];
        let end = rest.iter().position(|&b| b == 0).unwrap_or(rest.len());
        Some(&rest[..end]).filter(|_| !rest.is_empty())
    }
}

impl Nearest {
    /// Looks `addresses` (sorted) up in the full table, or in the exported names when
    /// there is none. O(symbols · log addresses), and no name is read but those found.
    pub(crate) fn read(image: &Image, addresses: &[u64]) -> Result<Self, ImageError> {
        let mut rows: Vec<Option<Row>> = vec![None; addresses.len()];
        // Of several names for one address the widest, of equals the last, as llvm-symbolizer
        // has it; but glibc's names for its own use only where there is no other.
        let table = Table::read(image, |strings, row| {
            let internal = |row: &Row| strings.from(row.name as usize).starts_with(b"__GI_");
            let first = addresses.partition_point(|&address| address < row.start);
            let Some(best) = rows.get_mut(first) else { return };
            let is_better = best.as_ref().is_none_or(|best| match (row.start, row.size).cmp(&(best.start, best.size)) {
                Ordering::Less => false,
                Ordering::Equal => !internal(&row) || internal(best),
                Ordering::Greater => true,
            });
            if is_better {
                *best = Some(row);
            }
        })?;
        let mut last = None;
        for row in &mut rows {
            last = row.or(last);
            *row = last;
        }
        let inner = inner_file(image, &table).and_then(|inner| Nearest::read(&inner, addresses).ok()).map(Box::new);
        Ok(Nearest { rows, strings: table.strings, is_full: table.is_full, inner })
    }

    /// When there is no table.
    pub(crate) fn nothing(n_addresses: usize) -> Self {
        Nearest { rows: vec![None; n_addresses], strings: Part::whole(Vec::new()), is_full: false, inner: None }
    }

    /// Symbol that contains `address`, the `i`-th requested one.
    pub(crate) fn find(&self, i: usize, address: u64) -> Option<Symbol> {
        let own = self.rows.get(i).copied().flatten().and_then(|row| row.symbol(address, |at| self.strings.text(at as usize)));
        own.or_else(|| self.inner.as_ref()?.find(i, address))
    }
}

impl Row {
    /// Symbol, if it contains `address`.
    fn symbol(self, address: u64, text: impl Fn(u32) -> Option<Vec<u8>>) -> Option<Symbol> {
        if address >= self.end {
            return None;
        }
        let name = text(self.name)?;
        let file = if self.file == NO_FILE { None } else { text(self.file) };
        let owned = |bytes: &[u8]| Arc::from(String::from_utf8_lossy(bytes));
        Some(Symbol { name: owned(without_version(&name)), file: file.as_deref().map(owned).unwrap_or_default() })
    }
}

/// Positions of a table and its names.
struct Table {
    strings: Part<'static>,
    is_full: bool,
}

impl Table {
    /// Calls `found` with every function and the names.
    fn read(image: &Image, mut found: impl FnMut(&Part<'static>, Row)) -> Result<Self, ImageError> {
        image.with(|object| match object {
            object::File::Elf32(file) => of_elf(image, file, &mut found),
            object::File::Elf64(file) => of_elf(image, file, &mut found),
            object::File::MachO32(file) => of_macho(image, file, &mut found),
            object::File::MachO64(file) => of_macho(image, file, &mut found),
            other => of_any(other, &mut found),
        })
    }
}

/// The file with the names that `table`, of exported names only, leaves out.
fn inner_file(image: &Image, table: &Table) -> Option<Image> {
    if table.is_full { None } else { mini::table(image).filter(|inner| matches!(inner.layout, Layout::Elf { .. })) }
}

/// Removes the version of an interface: `memcpy@@GLIBC_2.14`.
fn without_version(name: &[u8]) -> &[u8] {
    let version = name.iter().position(|&b| b == b'@').filter(|&at| at > 0);
    &name[..version.unwrap_or(name.len())]
}

pub(crate) type MachO<'a, M> = MachOFile<'a, M, Bytes<'a>>;
type Elf<'a, H> = ElfFile<'a, H, Bytes<'a>>;

fn of_elf<H: FileHeader>(image: &Image, file: &Elf<'_, H>, found: &mut dyn FnMut(&Part<'static>, Row)) -> Table {
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
    let strings = strings.and_then(|s| image.part(s.sh_offset(endian).into(), s.sh_size(endian).into(), 1 << 9));
    let strings = strings.unwrap_or_else(|| Part::whole(Vec::new()));
    let is_arm = matches!(file.elf_header().e_machine(endian), elf::EM_ARM | elf::EM_AARCH64);
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
        if is_arm && kind == elf::STT_NOTYPE && strings.from(name as usize).starts_with(b"$") {
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
        found(&strings, Row { start, end, size, name, file: if is_local { source } else { NO_FILE }, is_thumb });
    }
    Table { strings, is_full }
}

/// Mach-O. Sizes are not given there: a symbol reaches up to the next one in its section.
fn of_macho<M: MachHeader>(image: &Image, file: &MachO<'_, M>, found: &mut dyn FnMut(&Part<'static>, Row)) -> Table {
    let (endian, strings) = (file.endian(), macho_strings(image, file));
    let ends: Vec<u64> = file.sections().map(|s| s.address().saturating_add(s.size())).collect();
    for symbol in file.macho_symbol_table().iter().filter(|symbol| symbol.is_definition()) {
        // Sections count from 1; other definitions are plain numbers.
        let Some(&end) = usize::from(symbol.n_sect()).checked_sub(1).and_then(|i| ends.get(i)) else { continue };
        let name = without_underscore(&strings, symbol.n_strx(endian));
        found(&strings, Row { start: symbol.n_value(endian).into(), end, size: 0, name, file: NO_FILE, is_thumb: false });
    }
    Table { strings, is_full: true }
}

/// The names of a Mach-O file, each ended by a zero byte.
pub(crate) fn macho_strings<M: MachHeader>(image: &Image, file: &MachO<'_, M>) -> Part<'static> {
    let commands = file.macho_load_commands().ok();
    let mut commands = commands.into_iter().flat_map(|mut all| std::iter::from_fn(move || all.next().ok().flatten()));
    let table = commands.find_map(|command| command.symtab().ok().flatten());
    let strings = table.and_then(|t| image.part(t.stroff.get(file.endian()).into(), t.strsize.get(file.endian()).into(), 1 << 12));
    strings.unwrap_or_else(|| Part::whole(Vec::new()))
}

/// The offset of the name at `at` of Mach-O's `strings`: C names have an underscore in front.
pub(crate) fn without_underscore(strings: &Part<'_>, at: u32) -> u32 {
    at.saturating_add(u32::from(strings.from(at as usize).starts_with(b"_")))
}

/// PE. Sizes are not given there, either.
fn of_any(object: &Parsed<'_>, found: &mut dyn FnMut(&Part<'static>, Row)) -> Table {
    let mut strings = Vec::new();
    let mut rows = Vec::new();
    for symbol in object.symbols().filter(|s| s.is_definition()) {
        let Some(section) = symbol.section_index().and_then(|i| object.section_by_index(i).ok()) else { continue };
        let (Ok(name), Ok(at)) = (symbol.name_bytes(), u32::try_from(strings.len())) else { continue };
        strings.extend_from_slice(name);
        strings.push(0);
        let start = symbol.address();
        let end = section.address().saturating_add(section.size());
        rows.push(Row { start, end, size: 0, name: at, file: NO_FILE, is_thumb: false });
    }
    let strings = Part::whole(strings);
    rows.into_iter().for_each(|row| found(&strings, row));
    Table { strings, is_full: true }
}
