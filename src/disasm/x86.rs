//! x86 and x86-64, decoded by iced-x86 and written as LLVM writes it: suffixes always,
//! numbers in decimal with a comment where they are long.

use iced_x86::{
    Code, Decoder, DecoderOptions, FormatMnemonicOptions, Formatter, GasFormatter, Instruction as Decoded, IntelFormatter,
    MemorySizeOptions, Mnemonic, NumberBase, OpKind, Register,
};

use super::instruction::{Instruction, Syntax, UNKNOWN};
use super::targets::Targets;

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
        Writer { syntax, formatter }
    }

    fn text(&mut self, decoded: &Decoded, targets: &mut Targets) -> String {
        let mut text = String::new();
        if is_plain_nop(decoded) {
            return "nop".into();
        }
        // The one family whose constant LLVM does not put into the name.
        let is_carryless = matches!(decoded.mnemonic(), Mnemonic::Pclmulqdq | Mnemonic::Vpclmulqdq);
        self.formatter.options_mut().set_use_pseudo_ops(!is_carryless);
        self.formatter.format_mnemonic_options(decoded, &mut text, FormatMnemonicOptions::NO_MNEMONIC);
        if !text.is_empty() {
            text.push_str("\t\t");
        }
        self.mnemonic(decoded, &mut text);
        for (i, operand) in self.operands(decoded, targets).into_iter().enumerate() {
            text.push_str(if i == 0 { "\t" } else { ", " });
            text.push_str(&operand);
        }
        let comments = comments(decoded, targets, self.syntax);
        if !comments.is_empty() {
            pad(&mut text);
            text.push_str("# ");
            text.push_str(&comments.join(", "));
        }
        text
    }

    /// The operands as LLVM has them.
    fn operands(&mut self, decoded: &Decoded, targets: &mut Targets) -> Vec<String> {
        let shown = self.formatter.operand_count(decoded);
        let mut operands = Vec::new();
        for i in 0..shown {
            let own = self.formatter.get_instruction_operand(decoded, i).ok().flatten();
            if let Some(operand) = self.operand(decoded, i, own, targets) {
                operands.push(operand);
            }
        }
        let (is_att, mnemonic) = (self.syntax == Syntax::Att, decoded.mnemonic());
        let name = |att: &str, intel: &str| if is_att { att.to_owned() } else { intel.to_owned() };
        match mnemonic {
            // A register that is both source and destination, written once.
            Mnemonic::Imul if shown < decoded.op_count() => {
                let register = if is_att { operands.last() } else { operands.first() };
                if let Some(register) = register.cloned() {
                    operands.insert(if is_att { operands.len() } else { 0 }, register);
                }
            }
            Mnemonic::Xchg if decoded.op0_kind() == OpKind::Register && decoded.op1_kind() == OpKind::Register => operands.reverse(),
            Mnemonic::Xlatb => operands.clear(),
            Mnemonic::Fxch if shown == 0 => operands.push(name("%st(1)", "st(1)")),
            Mnemonic::Fxch if shown == 2 => drop(operands.remove(0)),
            Mnemonic::Faddp | Mnemonic::Fmulp | Mnemonic::Fsubp | Mnemonic::Fsubrp | Mnemonic::Fdivp | Mnemonic::Fdivrp if shown == 0 => {
                operands = if is_att { vec!["%st".into(), "%st(1)".into()] } else { vec!["st(1)".into(), "st".into()] };
            }
            Mnemonic::Sha256rnds2 | Mnemonic::Pblendvb | Mnemonic::Blendvps | Mnemonic::Blendvpd if operands.len() == 2 => {
                let at = if is_att { 0 } else { 2 };
                operands.insert(at, name("%xmm0", "xmm0"));
            }
            _ if operands.len() == 1 && !is_att => match accumulator(decoded) {
                Some((register, true)) => operands.insert(0, register.into()),
                Some((register, false)) => operands.push(register.into()),
                None => {}
            },
            _ => {}
        }
        operands
    }

    /// One operand; `None` when LLVM leaves it out.
    fn operand(&mut self, decoded: &Decoded, i: u32, own: Option<u32>, targets: &mut Targets) -> Option<String> {
        let kind = own.map(|n| decoded.op_kind(n));
        if own == Some(1) && is_shift_by_one(decoded) {
            return None;
        }
        if matches!(kind, Some(OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64)) {
            return Some(targets.labelled(decoded.near_branch_target()));
        }
        if let Some(value) = own.and_then(|n| immediate(decoded, n)) {
            return Some(if self.syntax == Syntax::Att { format!("${value}") } else { value.to_string() });
        }
        let mut text = String::new();
        // Cannot fail for an operand that there is.
        let _ = self.formatter.format_operand(decoded, &mut text, i);
        // The top of the floating-point stack goes without saying.
        if self.syntax == Syntax::Intel && text == "st" && is_stack_move(decoded) {
            return None;
        }
        match kind {
            Some(OpKind::MemoryESDI | OpKind::MemoryESEDI | OpKind::MemoryESRDI) => match self.syntax {
                Syntax::Att => text.insert_str(0, "%es:"),
                Syntax::Intel if !text.contains("es:") => text = text.replacen('[', "es:[", 1),
                Syntax::Intel => {}
            },
            Some(OpKind::Memory) if decoded.memory_base() == Register::None && decoded.memory_index() == Register::None => {
                let address = decoded.memory_displacement64();
                if (address as i64) < 0 {
                    text = text.replacen(&address.to_string(), &(address as i64).to_string(), 1);
                }
            }
            _ => {}
        }
        if text.contains('{') {
            text = text.replace("{%k", " {%k").replace("{k", " {k").replace("{z}", " {z}");
        }
        Some(text)
    }

    /// The mnemonic as LLVM has it.
    fn mnemonic(&mut self, decoded: &Decoded, text: &mut String) {
        let start = text.len();
        self.formatter.format_mnemonic_options(decoded, text, FormatMnemonicOptions::NO_PREFIXES);
        let is_att = self.syntax == Syntax::Att;
        let other = match decoded.mnemonic() {
            Mnemonic::Leave => Some("leave"),
            Mnemonic::Enter => Some("enter"),
            Mnemonic::Wait => Some("wait"),
            Mnemonic::Fucomip => Some("fucompi"),
            Mnemonic::Fcomip => Some("fcompi"),
            Mnemonic::Xlatb => Some("xlatb"),
            Mnemonic::Retf if !is_att => Some("retf"),
            Mnemonic::Mov if decoded.op1_kind() == OpKind::Immediate64 => Some(if is_att { "movabsq" } else { "movabs" }),
            Mnemonic::Loop if is_att => Some("loop"),
            Mnemonic::Loope if is_att => Some("loope"),
            Mnemonic::Loopne if is_att => Some("loopne"),
            Mnemonic::Fldcw if is_att => Some("fldcw"),
            Mnemonic::Fnstcw if is_att => Some("fnstcw"),
            Mnemonic::Fnstsw if is_att => Some("fnstsw"),
            Mnemonic::Fldenv if is_att => Some("fldenv"),
            Mnemonic::Fnstenv if is_att => Some("fnstenv"),
            _ => None,
        };
        if let Some(other) = other {
            text.replace_range(start.., other);
        } else if is_att && has_needless_suffix(decoded, &text[start..]) {
            text.pop();
        }
    }
}

/// A suffix that LLVM writes only where registers do not tell the size.
fn has_needless_suffix(decoded: &Decoded, mnemonic: &str) -> bool {
    let last = decoded.op_count().saturating_sub(1);
    match decoded.mnemonic() {
        Mnemonic::Cvtsi2sd
        | Mnemonic::Cvtsi2ss
        | Mnemonic::Vcvtsi2sd
        | Mnemonic::Vcvtsi2ss
        | Mnemonic::Vcvtusi2sd
        | Mnemonic::Vcvtusi2ss => decoded.op_kind(last) == OpKind::Register && mnemonic.ends_with(['l', 'q']),
        _ => mnemonic.starts_with("set") && decoded.op_count() == 1 && mnemonic.ends_with('b'),
    }
}

/// The register that string instructions name in Intel syntax, and whether it goes first.
fn accumulator(decoded: &Decoded) -> Option<(&'static str, bool)> {
    Some(match decoded.mnemonic() {
        Mnemonic::Stosb => ("al", false),
        Mnemonic::Stosw => ("ax", false),
        Mnemonic::Stosd => ("eax", false),
        Mnemonic::Stosq => ("rax", false),
        Mnemonic::Lodsb | Mnemonic::Scasb => ("al", true),
        Mnemonic::Lodsw | Mnemonic::Scasw => ("ax", true),
        Mnemonic::Lodsd | Mnemonic::Scasd => ("eax", true),
        Mnemonic::Lodsq | Mnemonic::Scasq => ("rax", true),
        _ => return None,
    })
}

/// Loads and stores of the floating-point stack's top, and reckoning with memory.
fn is_stack_move(decoded: &Decoded) -> bool {
    let is_move = matches!(
        decoded.mnemonic(),
        Mnemonic::Fld | Mnemonic::Fst | Mnemonic::Fstp | Mnemonic::Fild | Mnemonic::Fist | Mnemonic::Fistp | Mnemonic::Fisttp
    );
    is_move || (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory)
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

/// What operands mean: a long number in hexadecimal, the address that is relative to the
/// instruction.
fn comments(decoded: &Decoded, targets: &mut Targets, syntax: Syntax) -> Vec<String> {
    let value = (0..decoded.op_count()).find_map(|i| immediate(decoded, i));
    let long = value.filter(|v| syntax == Syntax::Att && !(-256..=255).contains(v));
    let number = long.map(|value| match value {
        _ if value == i64::from(value as i16) => format!("imm = 0x{:X}", value as u16),
        _ if value == i64::from(value as i32) => format!("imm = 0x{:X}", value as u32),
        _ => format!("imm = 0x{value:X}"),
    });
    let target = decoded.is_ip_rel_memory_operand().then(|| targets.labelled(decoded.ip_rel_memory_address()));
    number.into_iter().chain(target).collect()
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
