//! 64-bit and 32-bit ARM, decoded and written by yaxpeax-arm; targets of branches are put
//! in the place of its distances.

use yaxpeax_arch::{Decoder, LengthedInstruction, U8Reader};
use yaxpeax_arm::{armv7, armv8};

use super::targets::Targets;
use super::{Instruction, UNKNOWN};

/// The 64-bit instructions of `bytes`, which lie at `start`, that begin before `end`.
pub(super) fn instructions_64(bytes: &[u8], start: u64, end: u64, targets: &mut Targets) -> Vec<Instruction> {
    let decoder = armv8::a64::InstDecoder::default();
    let mut out = Vec::new();
    for (address, word) in (start..end).step_by(4).zip(bytes.chunks_exact(4)) {
        let decoded = decoder.decode(&mut U8Reader::new(word)).ok();
        let distance = decoded.and_then(|d| {
            d.operands.iter().find_map(|operand| match operand {
                armv8::a64::Operand::PCOffset(distance) => Some(*distance),
                _ => None,
            })
        });
        // `adrp` counts in pages from its own.
        let is_page = decoded.is_some_and(|d| d.opcode == armv8::a64::Opcode::ADRP);
        let base = if is_page { address & !0xfff } else { address };
        let text = decoded.map_or(UNKNOWN.into(), |d| d.to_string());
        let target = distance.map(|d| base.wrapping_add_signed(d));
        out.push(instruction(address, 4, text, target, targets));
    }
    out
}

/// The 32-bit instructions of `bytes`, in ARM or Thumb.
pub(super) fn instructions_32(bytes: &[u8], start: u64, end: u64, is_thumb: bool, targets: &mut Targets) -> Vec<Instruction> {
    let decoder = if is_thumb { armv7::InstDecoder::default_thumb() } else { armv7::InstDecoder::default() };
    let step = if is_thumb { 2 } else { 4 };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| rest.len() >= step) {
        let address = start.saturating_add(at as u64);
        if address >= end {
            break;
        }
        let decoded = decoder.decode(&mut U8Reader::new(rest)).ok();
        let len = decoded.as_ref().map_or(step, |d| (d.len().to_const() as usize).clamp(step, 4));
        let distance = decoded.as_ref().and_then(|d| {
            d.operands.iter().find_map(|operand| match operand {
                // Counted in instructions, from two of them behind.
                armv7::Operand::BranchOffset(n) => Some(i64::from(*n) * 4 + 8),
                armv7::Operand::BranchThumbOffset(n) => Some(i64::from(*n) * 2 + 4),
                _ => None,
            })
        });
        let text = decoded.map_or(UNKNOWN.into(), |d| d.to_string());
        let target = distance.map(|d| address.wrapping_add_signed(d) & 0xffff_ffff);
        out.push(instruction(address, len as u8, text, target, targets));
        at += len;
    }
    out
}

/// Puts a tab behind the mnemonic, and the target where the distance stands.
fn instruction(address: u64, len: u8, text: String, target: Option<u64>, targets: &mut Targets) -> Instruction {
    let mut text = text.replacen(' ', "\t", 1);
    if let (Some(target), Some(at)) = (target, text.find('$')) {
        let end = text[at..].find([',', ' ', ']']).map_or(text.len(), |n| at + n);
        text.replace_range(at..end, &targets.labelled(target));
    }
    Instruction { address, len, text, target }
}
