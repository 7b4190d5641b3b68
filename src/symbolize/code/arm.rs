//! 64-bit and 32-bit ARM, decoded and printed by yaxpeax-arm; branch distances are replaced by target addresses.

use yaxpeax_arch::{Decoder, LengthedInstruction, U8Reader};
use yaxpeax_arm::{armv7, armv8};

use super::instruction::{Instruction, UNKNOWN};
use super::targets::Targets;

/// The 64-bit instructions of `bytes`, which are at `start`, that begin before `end`.
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
        let text = decoded.map_or(UNKNOWN.into(), |d| in_decimal(&d.to_string()));
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
        let decoded = if !is_thumb && names_no_register(rest) { None } else { decoder.decode(&mut U8Reader::new(rest)).ok() };
        let len = decoded.as_ref().map_or(step, |d| (d.len().to_const() as usize).clamp(step, 4));
        let distance = decoded.as_ref().and_then(|d| d.operands.iter().find_map(|operand| distance(d, operand, is_thumb, len)));
        let text = decoded.map_or(UNKNOWN.into(), |d| d.to_string());
        let target = distance.map(|d| address.wrapping_add_signed(d) & 0xffff_ffff);
        out.push(instruction(address, len as u8, text, target, targets));
        at += len;
    }
    out
}

/// Numbers in decimal, as LLVM has them where they are no masks.
fn in_decimal(text: &str) -> String {
    let is_mask = ["and ", "ands ", "orr ", "eor ", "tst "].iter().any(|mnemonic| text.starts_with(mnemonic));
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (sign, digits) = part.strip_prefix("-0x").map_or(("", part.strip_prefix("0x")), |rest| ("-", Some(rest)));
        let end = digits.map_or(0, |d| d.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(d.len()));
        match digits.and_then(|d| Some((u64::from_str_radix(&d[..end], 16).ok()?, &d[end..]))) {
            Some((value, rest)) if !is_mask => out.push_str(&format!("#{sign}{value}{rest}")),
            _ => out.push_str(&format!("#{part}")),
        }
    }
    out
}

/// `ldrd` and `strd` with registers 15 and 16; the latter does not exist: yaxpeax-arm 0.5 panics on these, and on no other words
/// that were tried.
fn names_no_register(bytes: &[u8]) -> bool {
    let word = bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    word & 0x0e10_f0d0 == 0x0000_f0d0
}

/// Distance in bytes from an instruction to its branch target. The decoder counts from the instruction itself or from the program
/// counter, depending on the branch, as in yaxpeax-arm 0.5.
fn distance(decoded: &armv7::Instruction, operand: &armv7::Operand, is_thumb: bool, len: usize) -> Option<i64> {
    let is_plain = decoded.opcode == armv7::Opcode::B && decoded.condition == armv7::ConditionCode::AL;
    match operand {
        armv7::Operand::BranchOffset(n) => Some(i64::from(*n) * 4),
        armv7::Operand::BranchThumbOffset(n) if !is_thumb => Some(i64::from(*n) * 2 + 8),
        // Short ones with a condition count from one instruction later.
        armv7::Operand::BranchThumbOffset(n) if len == 2 && !is_plain => Some(i64::from(*n) * 2 + 2),
        armv7::Operand::BranchThumbOffset(n) => Some(i64::from(*n) * 2 + 4),
        _ => None,
    }
}

/// Puts a tab after the mnemonic, and the target in place of the distance.
fn instruction(address: u64, len: u8, text: String, target: Option<u64>, targets: &mut Targets) -> Instruction {
    let mut text = text.replacen(' ', "\t", 1);
    if let (Some(target), Some(at)) = (target, text.find('$')) {
        let end = text[at..].find([',', ' ', ']']).map_or(text.len(), |n| at + n);
        text.replace_range(at..end, &targets.labelled(target));
    }
    Instruction { address, len, text, target }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(rows: &[Instruction]) -> Vec<&str> {
        rows.iter().map(|row| row.text.as_str()).collect()
    }

    #[test]
    fn targets_of_branches_are_addresses() {
        let words: [u32; 9] =
            [0xa9bf_7bfd, 0x9400_0040, 0xb400_0060, 0x9000_0000, 0xf940_0411, 0xd65f_03c0, 0xd503_201f, 0x17ff_fff9, 0x0000_0000];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let rows = instructions_64(&bytes, 0x1000, 0x1024, &mut Targets::none());
        assert_eq!(
            texts(&rows),
            [
                "stp\tx29, x30, [sp, #-16]!",
                "bl\t0x1104",
                "cbz\tx0, 0x1014",
                "adrp\tx0, 0x1000",
                "ldr\tx17, [x0, #8]",
                "ret",
                "nop",
                "b\t0x1000",
                "udf\t#0",
            ]
        );
        assert_eq!(rows.iter().map(|row| row.target).collect::<Vec<_>>()[..3], [None, Some(0x1104), Some(0x1014)]);
    }

    #[test]
    fn arm_and_thumb_differ() {
        let bytes: Vec<u8> = [0xe92d_4010u32, 0xeb00_0002, 0xe12f_ff1e].iter().flat_map(|word| word.to_le_bytes()).collect();
        let rows = instructions_32(&bytes, 0x1000, 0x100c, false, &mut Targets::none());
        assert_eq!(texts(&rows), ["push\t{r4, lr}", "bl\t0x1014", "bx\tlr"]);
        // Branches by 8 from the program counter, 4 bytes on.
        let halves = [0xb510u16, 0xe004, 0xd004, 0xb120, 0xf000, 0xf804, 0x4770];
        let bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        let rows = instructions_32(&bytes, 0x1000, 0x100e, true, &mut Targets::none());
        assert_eq!(texts(&rows), ["push\t{r4, lr}", "b\t0x100e", "beq\t0x1010", "cbz\tr0, 0x1012", "bl.w\t0x1014", "bx\tlr"]);
    }

    /// Any bytes are some text: the decoder's own code is not ours.
    #[test]
    fn no_bytes_panic() {
        let mut state = 1u64;
        let mut bytes = vec![0u8; 1 << 18];
        for byte in &mut bytes {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *byte = (state >> 33) as u8;
        }
        let end = bytes.len() as u64;
        assert_eq!(instructions_64(&bytes, 0, end, &mut Targets::none()).len(), bytes.len() / 4);
        assert_eq!(instructions_32(&bytes, 0, end, false, &mut Targets::none()).len(), bytes.len() / 4);
        assert!(instructions_32(&bytes, 0, end, true, &mut Targets::none()).len() > bytes.len() / 4);
    }
}
