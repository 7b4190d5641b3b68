//! Global offset table: the function that the loader puts into each slot, to name calls through it.

use object::read::SymbolIndex;
use object::read::elf::{ElfFile, FileHeader, SectionHeader, Sym};
use object::{Object, ObjectSection, RelocationTarget};

use super::bounded_reader::Bytes;
use super::image::{Image, ImageError};
use super::numbers;
use crate::base::hash::HashMap;

/// Content of a slot after loading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The address of this function or variable of any file, mangled.
    Name(String),
    /// This address of the same file.
    Address(u64),
}

/// Most slots that are kept of one file.
const MOST: usize = 1 << 20;

/// Address of a slot → what it will hold. Of ELF files only.
pub(crate) fn read(image: &Image) -> Result<HashMap<u64, Slot>, ImageError> {
    image.with(|object| match object {
        object::File::Elf32(file) => of_elf(image, file),
        object::File::Elf64(file) => of_elf(image, file),
        _ => HashMap::default(),
    })
}

fn of_elf<'a, H: FileHeader>(image: &Image, file: &ElfFile<'a, H, Bytes<'a>>) -> HashMap<u64, Slot> {
    let mut slots = HashMap::default();
    let endian = file.endian();
    let table = file.elf_dynamic_symbol_table();
    let strings = file.elf_section_table().section(table.string_section()).ok();
    let strings = strings.and_then(|s| image.read(s.sh_offset(endian).into(), s.sh_size(endian).into()));
    let strings = strings.unwrap_or_default();
    // A damaged table may give every slot the same long name.
    let mut left = image.len().saturating_mul(2);
    let mut name = |index: SymbolIndex| {
        let at = table.symbol(index).ok()?.st_name(endian) as usize;
        let rest = strings.get(at..)?;
        let end = rest.iter().position(|&b| b == 0)?;
        left = left.checked_sub(end as u64)?;
        (end > 0).then(|| String::from_utf8_lossy(&rest[..end]).into_owned())
    };
    // Vectors of pointers are relocated as well, and are no slots.
    let tables: Vec<_> = file.sections().filter(|s| s.name().is_ok_and(|name| name.starts_with(".got"))).collect();
    let is_slot = |at: u64| tables.iter().any(|s| at >= s.address() && at - s.address() < s.size());
    let width = if file.is_64() { 8 } else { 4 };
    for table in &tables {
        // Slots without relocation have their value in the file.
        let Some(bytes) = table.file_range().and_then(|(offset, size)| image.read(offset, size.min((MOST * width) as u64))) else {
            continue;
        };
        for (i, bytes) in bytes.chunks_exact(width).enumerate() {
            let value = numbers::fixed(bytes, file.is_little_endian());
            if value != 0 && slots.len() < MOST {
                slots.insert(table.address().saturating_add((i * width) as u64), Slot::Address(value));
            }
        }
    }
    for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
        if !is_slot(at) || slots.len() >= MOST {
            continue;
        }
        let slot = match relocation.target() {
            RelocationTarget::Symbol(index) if index != SymbolIndex(0) => name(index).map(Slot::Name),
            _ if relocation.addend() > 0 => Some(Slot::Address(relocation.addend() as u64)),
            _ => None,
        };
        if let Some(slot) = slot {
            slots.insert(at, slot);
        }
    }
    slots
}
