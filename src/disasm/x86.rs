//! x86 and x86-64, decoded by iced-x86 and written as LLVM writes it: suffixes always,
//! numbers in decimal with a comment where they are long.

use iced_x86::{
    Code, Decoder, DecoderOptions, FormatMnemonicOptions, Formatter, GasFormatter, Instruction as Decoded, IntelFormatter,
    MemorySizeOptions, Mnemonic, NumberBase, OpKind,
};

use super::targets::Targets;
use super::{Instruction, Syntax, UNKNOWN};

/// The instructions of `bytes`, which lie at `start`, that begin before `end`.
pub(super) fn instructions(bytes: &[u8], start: u64, end: u64, bits: u32, syntax: Syntax, targets: &mut Targets) -> Vec<Instruction> {
    let mut decoder = Decoder::with_ip(bits, bytes, start, DecoderOptions::NONE);
    let mut writer = Writer::new(syntax);
    let mut decoded = Decoded::default();
    let mut out = Vec::new();
    while decoder.can_decode() && decoder.ip() < end {
        let (at, position) = (decoder.ip(), decoder.position());
        decoder.decode_out(&mut decoded);
        if decoded.is_invalid() {
            // What follows may be an instruction again.
            let next = position + 1;
            if decoder.set_position(next).is_err() {
                break;
            }
            decoder.set_ip(at.wrapping_add(1));
            out.push(Instruction { address: at, len: 1, text: UNKNOWN.into(), target: None });
            continue;
        }
        let text = writer.text(&decoded, targets);
        out.push(Instruction { address: at, len: decoded.len() as u8, text, target: near_target(&decoded) });
    }
    out
}

/// Where a direct branch goes.
fn near_target(decoded: &Decoded) -> Option<u64> {
    let is_near = matches!(decoded.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64);
    is_near.then(|| decoded.near_branch_target())
}

/// Writes instructions in one syntax.
struct Writer {
    syntax: Syntax,
    formatter: Box<dyn Formatter>,
    /// Text of one operand.
    operand: String,
}

impl Writer {
    fn new(syntax: Syntax) -> Self {
        let mut formatter: Box<dyn Formatter> = match syntax {
            Syntax::Att => Box::new(GasFormatter::new()),
            Syntax::Intel => Box::new(IntelFormatter::new()),
        };
        let options = formatter.options_mut();
        options.set_number_base(NumberBase::Decimal);
        options.set_signed_immediate_operands(true);
        options.set_signed_memory_displacements(true);
        options.set_gas_show_mnemonic_size_suffix(true);
        options.set_rip_relative_addresses(true);
        options.set_space_between_memory_add_operators(true);
        options.set_scale_before_index(true);
        options.set_memory_size_options(MemorySizeOptions::Always);
        options.set_show_branch_size(false);
        options.set_show_useless_prefixes(true);
        Writer { syntax, formatter, operand: String::new() }
    }

    fn text(&mut self, decoded: &Decoded, targets: &mut Targets) -> String {
        let mut text = String::new();
        if is_plain_nop(decoded) {
            return "nop".into();
        }
        self.formatter.format_mnemonic_options(decoded, &mut text, FormatMnemonicOptions::NO_MNEMONIC);
        if !text.is_empty() {
            text.push_str("\t\t");
        }
        self.mnemonic(decoded, &mut text);
        let shown = self.formatter.operand_count(decoded);
        let mut first = true;
        for i in 0..shown {
            let own = self.formatter.get_instruction_operand(decoded, i).ok().flatten();
            if own.is_some_and(|n| n == 1 && is_shift_by_one(decoded)) {
                continue;
            }
            text.push_str(if std::mem::take(&mut first) { "\t" } else { ", " });
            self.operand.clear();
            match own.map(|n| (n, decoded.op_kind(n))) {
                Some((_, OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64)) => {
                    self.operand = targets.labelled(decoded.near_branch_target());
                }
                own => match own.and_then(|(n, _)| immediate(decoded, n)) {
                    Some(value) if self.syntax == Syntax::Att => self.operand = format!("${value}"),
                    Some(value) => self.operand = value.to_string(),
                    None => {
                        // Cannot fail for an operand that there is.
                        let _ = self.formatter.format_operand(decoded, &mut self.operand, i);
                    }
                },
            }
            if own.is_some_and(|n| matches!(decoded.op_kind(n), OpKind::MemoryESDI | OpKind::MemoryESEDI | OpKind::MemoryESRDI)) {
                self.with_es();
            }
            text.push_str(&self.operand);
            if shown < decoded.op_count() && decoded.mnemonic() == Mnemonic::Imul && i == self.place_of_register(shown) {
                text.push_str(", ");
                text.push_str(&self.operand);
            }
        }
        let comment = comment(decoded, targets, self.syntax);
        if !comment.is_empty() {
            pad(&mut text);
            text.push_str("# ");
            text.push_str(&comment);
        }
        text
    }

    /// The formatter writes a register once that is both source and destination: where.
    fn place_of_register(&self, shown: u32) -> u32 {
        if self.syntax == Syntax::Att { shown.saturating_sub(1) } else { 0 }
    }

    /// Says that an operand lies in the extra segment, as string instructions have it.
    fn with_es(&mut self) {
        match self.syntax {
            Syntax::Att => self.operand.insert_str(0, "%es:"),
            Syntax::Intel => self.operand = self.operand.replacen('[', "es:[", 1),
        }
    }

    /// The mnemonic as LLVM has it.
    fn mnemonic(&mut self, decoded: &Decoded, text: &mut String) {
        let start = text.len();
        self.formatter.format_mnemonic_options(decoded, text, FormatMnemonicOptions::NO_PREFIXES);
        if decoded.mnemonic() == Mnemonic::Mov && decoded.op1_kind() == OpKind::Immediate64 {
            text.replace_range(start.., if self.syntax == Syntax::Att { "movabsq" } else { "movabs" });
        } else if decoded.mnemonic() == Mnemonic::Leave {
            text.replace_range(start.., "leave");
        } else if self.syntax == Syntax::Att && text[start..].starts_with("set") && decoded.op_count() == 1 && text.ends_with('b') {
            text.pop();
        }
    }
}

/// One of the two-byte and longer forms that exchange a register with itself.
fn is_plain_nop(decoded: &Decoded) -> bool {
    matches!(decoded.code(), Code::Nopw | Code::Nopd | Code::Nopq)
}

/// A shift whose encoding has no count.
fn is_shift_by_one(decoded: &Decoded) -> bool {
    let is_shift = matches!(
        decoded.mnemonic(),
        Mnemonic::Rol | Mnemonic::Ror | Mnemonic::Rcl | Mnemonic::Rcr | Mnemonic::Shl | Mnemonic::Shr | Mnemonic::Sal | Mnemonic::Sar
    );
    is_shift && format!("{:?}", decoded.code()).ends_with("_1")
}

/// The number of an immediate operand: with a sign where the processor extends one or
/// reckons with bytes, else without.
fn immediate(decoded: &Decoded, operand: u32) -> Option<i64> {
    let reckons = || {
        matches!(
            decoded.mnemonic(),
            Mnemonic::Add
                | Mnemonic::Or
                | Mnemonic::Adc
                | Mnemonic::Sbb
                | Mnemonic::And
                | Mnemonic::Sub
                | Mnemonic::Xor
                | Mnemonic::Cmp
                | Mnemonic::Test
                | Mnemonic::Mov
        )
    };
    let value = match decoded.op_kind(operand) {
        OpKind::Immediate8 if reckons() => i64::from(decoded.immediate8() as i8),
        OpKind::Immediate8 => i64::from(decoded.immediate8()),
        OpKind::Immediate16 => i64::from(decoded.immediate16()),
        OpKind::Immediate32 => i64::from(decoded.immediate32()),
        OpKind::Immediate64 => decoded.immediate64() as i64,
        OpKind::Immediate8to16 => i64::from(decoded.immediate8to16()),
        OpKind::Immediate8to32 => i64::from(decoded.immediate8to32()),
        OpKind::Immediate8to64 => decoded.immediate8to64(),
        OpKind::Immediate32to64 => decoded.immediate32to64(),
        _ => return None,
    };
    Some(value)
}

/// What operands mean: the address that is relative to the instruction, a long number in
/// hexadecimal.
fn comment(decoded: &Decoded, targets: &mut Targets, syntax: Syntax) -> String {
    if decoded.is_ip_rel_memory_operand() {
        return targets.labelled(decoded.ip_rel_memory_address());
    }
    let value = (0..decoded.op_count()).find_map(|i| immediate(decoded, i));
    match value {
        Some(value) if syntax == Syntax::Att && !(-256..=255).contains(&value) => {
            let digits = match value {
                _ if value == i64::from(value as i16) => format!("{:X}", value as u16),
                _ if value == i64::from(value as i32) => format!("{:X}", value as u32),
                _ => format!("{value:X}"),
            };
            format!("imm = 0x{digits}")
        }
        _ => String::new(),
    }
}

/// Column of comments, counted as llvm-objdump does: text begins at 16, tabs stand at
/// every eighth.
const COMMENT: usize = 48;

fn pad(text: &mut String) {
    let column = text.chars().fold(16, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 });
    text.extend(std::iter::repeat_n(' ', COMMENT.saturating_sub(column).max(1)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one instruction in hexadecimal `bytes` at 0x1000.
    fn text(bytes: &str, bits: u32, syntax: Syntax) -> String {
        let bytes: Vec<u8> = bytes.split(' ').map(|b| u8::from_str_radix(b, 16).unwrap()).collect();
        let rows = instructions(&bytes, 0x1000, 0x1001, bits, syntax, &mut Targets::none());
        assert_eq!((rows.len(), rows[0].len as usize), (1, bytes.len()), "{rows:?}");
        rows[0].text.clone()
    }

    #[test]
    fn instructions_are_written_as_llvm_does() {
        for (bytes, att, intel) in [
            ("55", "pushq\t%rbp", "push\trbp"),
            ("48 89 e5", "movq\t%rsp, %rbp", "mov\trbp, rsp"),
            ("c3", "retq", "ret"),
            ("c9", "leave", "leave"),
            ("f3 0f 1e fa", "endbr64", "endbr64"),
            ("48 81 ec 48 01 00 00", "subq\t$328, %rsp              # imm = 0x148", "sub\trsp, 328"),
            ("48 83 e4 f0", "andq\t$-16, %rsp", "and\trsp, -16"),
            ("80 3b ff", "cmpb\t$-1, (%rbx)", "cmp\tbyte ptr [rbx], -1"),
            ("25 ff ff ff bf", "andl\t$3221225471, %eax       # imm = 0xBFFFFFFF", "and\teax, 3221225471"),
            ("48 8b 44 cb 10", "movq\t16(%rbx,%rcx,8), %rax", "mov\trax, qword ptr [rbx + 8*rcx + 16]"),
            ("48 c7 85 f8 fe ff ff 08 00 00 00", "movq\t$8, -264(%rbp)", "mov\tqword ptr [rbp - 264], 8"),
            ("64 48 8b 04 25 28 00 00 00", "movq\t%fs:40, %rax", "mov\trax, qword ptr fs:[40]"),
            ("48 8d 3d 10 00 00 00", "leaq\t16(%rip), %rdi          # 0x1017", "lea\trdi, [rip + 16]         # 0x1017"),
            ("e8 fb 0f 00 00", "callq\t0x2000", "call\t0x2000"),
            ("eb fe", "jmp\t0x1000", "jmp\t0x1000"),
            ("ff e0", "jmpq\t*%rax", "jmp\trax"),
            ("ff 53 18", "callq\t*24(%rbx)", "call\tqword ptr [rbx + 24]"),
            ("0f 9d c2", "setge\t%dl", "setge\tdl"),
            ("0f 92 c0", "setb\t%al", "setb\tal"),
            ("48 d1 e0", "shlq\t%rax", "shl\trax"),
            ("48 c1 e0 3f", "shlq\t$63, %rax", "shl\trax, 63"),
            ("f0 48 ff 08", "lock\t\tdecq\t(%rax)", "lock\t\tdec\tqword ptr [rax]"),
            ("f3 a4", "rep\t\tmovsb\t(%rsi), %es:(%rdi)", "rep\t\tmovsb\tbyte ptr es:[rdi], byte ptr [rsi]"),
            ("4d 69 f6 70 17 00 00", "imulq\t$6000, %r14, %r14       # imm = 0x1770", "imul\tr14, r14, 6000"),
            ("66 90", "nop", "nop"),
            ("66 66 2e 0f 1f 84 00 00 00 00 00", "nopw\t%cs:(%rax,%rax)", "nop\tword ptr cs:[rax + rax]"),
            ("66 0f 70 c8 ee", "pshufd\t$238, %xmm0, %xmm1", "pshufd\txmm1, xmm0, 238"),
            (
                "49 be 01 00 00 00 00 00 00 80",
                "movabsq\t$-9223372036854775807, %r14 # imm = 0x8000000000000001",
                "movabs\tr14, -9223372036854775807",
            ),
        ] {
            assert_eq!(text(bytes, 64, Syntax::Att), att, "{bytes}");
            assert_eq!(text(bytes, 64, Syntax::Intel), intel, "{bytes}");
        }
        assert_eq!(text("8b 45 08", 32, Syntax::Att), "movl\t8(%ebp), %eax");
    }

    #[test]
    fn bytes_that_are_no_instruction_are_skipped_one_by_one() {
        let rows = instructions(&[0x06, 0xc3, 0x0f], 0x10, 0x13, 64, Syntax::Att, &mut Targets::none());
        let rows: Vec<(u64, u8, &str)> = rows.iter().map(|i| (i.address, i.len, i.text.as_str())).collect();
        assert_eq!(rows, [(0x10, 1, UNKNOWN), (0x11, 1, "retq"), (0x12, 1, UNKNOWN)]);
    }

    #[test]
    fn the_end_of_the_address_space_is_an_end() {
        let rows = instructions(&[0x90; 40], u64::MAX - 3, u64::MAX, 64, Syntax::Att, &mut Targets::none());
        assert_eq!(rows.len(), 3);
    }
}
