//! Procedure linkage table: stubs that jump through a GOT slot. They have no symbols; the slot's relocation names them.

use super::symbol_name::full_name;
use crate::demangle::Budget;
use crate::symbolize::{Binary, Machine, Region, Slot};

/// A stub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stub {
    pub(super) address: u64,
    /// Bytes.
    pub(super) size: u64,
    /// `malloc@plt`
    pub(super) name: String,
}

/// Limit on stub bytes decoded.
const MOST: u64 = 16 << 20;

/// Every stub of the file, by address.
pub(super) fn stubs(binary: &Binary) -> Vec<Stub> {
    let tables = binary.regions().iter().filter(|r| r.is_code && r.name.starts_with(".plt"));
    let mut budget = Budget::default();
    let mut stubs: Vec<Stub> = tables.flat_map(|table| of_table(binary, table, &mut budget)).collect();
    stubs.sort_by_key(|s| s.address);
    stubs
}

fn of_table(binary: &Binary, table: &Region, budget: &mut Budget) -> Vec<Stub> {
    let size = if table.name == ".plt.got" && binary.machine() != &Machine::Aarch64 { 8 } else { 16 };
    let bytes = binary.bytes(table.range.start..table.range.end.min(table.range.start.saturating_add(MOST)));
    let got = binary.regions().iter().find(|r| r.name == ".got.plt").map_or(0, |r| r.range.start);
    // Stubs with a landing pad for branch protection are longer in `.plt.got`.
    let size = if size == 8 && bytes.starts_with(&[0xf3, 0x0f, 0x1e]) { 16 } else { size };
    let stub = |(i, code): (usize, &[u8])| {
        let address = table.range.start + (i * size) as u64;
        let slot = match binary.machine() {
            Machine::X86_64 => slot_x86(code, address, true, got)?,
            Machine::X86 => slot_x86(code, address, false, got)?,
            Machine::Aarch64 => slot_aarch64(code, address)?,
            _ => return None,
        };
        match binary.slot(slot)? {
            Slot::Name(name) => Some(Stub { address, size: size as u64, name: format!("{}@plt", full_name(name, budget)) }),
            Slot::Address(_) => None,
        }
    };
    bytes.chunks(size).enumerate().filter_map(stub).collect()
}

/// Slot that a stub jumps through: `jmp *slot`, optionally preceded by `endbr` and `bnd`.
fn slot_x86(code: &[u8], address: u64, is_64: bool, got: u64) -> Option<u64> {
    let mut at = 0;
    if code.starts_with(&[0xf3, 0x0f, 0x1e]) {
        at += 4;
    }
    if code.get(at) == Some(&0xf2) {
        at += 1;
    }
    let operand = code.get(at + 2..at + 6)?;
    let operand = i32::from_le_bytes(operand.try_into().ok()?);
    match (code.get(at)?, code.get(at + 1)?, is_64) {
        (0xff, 0x25, true) => Some(address.wrapping_add(at as u64 + 6).wrapping_add_signed(operand.into())),
        (0xff, 0x25, false) => Some(u64::from(operand as u32)),
        // Relative to the GOT, whose address the caller has in ebx.
        (0xff, 0xa3, false) => Some(got.wrapping_add_signed(operand.into())),
        _ => None,
    }
}

/// Slot of `adrp x16, page; ldr x17, [x16, #offset]`, optionally preceded by `bti`.
fn slot_aarch64(code: &[u8], address: u64) -> Option<u64> {
    let word = |i: usize| Some(u32::from_le_bytes(code.get(i * 4..i * 4 + 4)?.try_into().ok()?));
    let first = usize::from(word(0)? == 0xd503_245f);
    let (adrp, ldr) = (word(first)?, word(first + 1)?);
    if adrp & 0x9f00_001f != 0x9000_0010 || ldr & 0xffc0_03ff != 0xf940_0211 {
        return None;
    }
    let page = i64::from(adrp >> 29 & 3 | (adrp >> 5 & 0x7_ffff) << 2);
    let page = (page << 43 >> 43) << 12; // 21 bits with a sign
    let base = address.wrapping_add(first as u64 * 4) & !0xfff;
    Some(base.wrapping_add_signed(page).wrapping_add(u64::from(ldr >> 10 & 0xfff) * 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_stubs_are_found() {
        assert_eq!(slot_x86(&[0xff, 0x25, 0xca, 0x3f, 0, 0], 0x2030, true, 0), Some(0x6000));
        assert_eq!(slot_x86(&[0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x10, 0, 0, 0], 0x1000, true, 0), Some(0x101b));
        assert_eq!(slot_x86(&[0xff, 0xa3, 0x0c, 0, 0, 0], 0x1000, false, 0x4000), Some(0x400c));
        assert_eq!(slot_x86(&[0xff, 0x25], 0, true, 0), None);
        // adrp x16, 0x11000; ldr x17, [x16, #0x18]
        let code = [0x90, 0x00, 0x00, 0x90, 0x11, 0x0e, 0x40, 0xf9];
        assert_eq!(slot_aarch64(&code, 0x1540), Some(0x11018));
    }
}
