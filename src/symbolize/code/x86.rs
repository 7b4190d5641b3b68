//! x86 and x86-64, decoded and printed by iced-x86 in GNU or Intel syntax, with names of targets added.

use iced_x86::{Decoder, DecoderOptions, Formatter, GasFormatter, Instruction as Decoded, IntelFormatter, OpKind};

use super::instruction::{Instruction, Syntax, UNKNOWN};
use super::targets::Targets;

/// The instructions of `bytes`, which are at `start`, that begin before `end`.
pub(super) fn instructions(bytes: &[u8], start: u64, end: u64, bits: u32, syntax: Syntax, targets: &mut Targets) -> Vec<Instruction> {
    let mut decoder = Decoder::with_ip(bits, bytes, start, DecoderOptions::NONE);
    let mut formatter = formatter(syntax);
    let mut decoded = Decoded::default();
    let mut out = Vec::new();
    while decoder.can_decode() && decoder.ip() < end {
        let (at, position) = (decoder.ip(), decoder.position());
        decoder.decode_out(&mut decoded);
        if decoded.is_invalid() {
            // The next byte may start an instruction again.
            let next = position + 1;
            if decoder.set_position(next).is_err() {
                break;
            }
            decoder.set_ip(at.wrapping_add(1));
            out.push(Instruction { address: at, len: 1, text: UNKNOWN.into(), target: None });
            continue;
        }
        let mut text = String::new();
        formatter.format_mnemonic(&decoded, &mut text);
        if formatter.operand_count(&decoded) > 0 {
            text.push('\t');
            formatter.format_all_operands(&decoded, &mut text);
        }
        name_targets(&decoded, targets, &mut text);
        out.push(Instruction { address: at, len: decoded.len() as u8, text, target: near_target(&decoded) });
    }
    out
}

/// Target of a direct branch.
fn near_target(decoded: &Decoded) -> Option<u64> {
    let is_near = matches!(decoded.op0_kind(), OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64);
    is_near.then(|| decoded.near_branch_target())
}

/// Writes numbers as `0x10` in both syntaxes.
fn formatter(syntax: Syntax) -> Box<dyn Formatter> {
    let mut formatter: Box<dyn Formatter> = match syntax {
        Syntax::Att => Box::new(GasFormatter::new()),
        Syntax::Intel => Box::new(IntelFormatter::new()),
    };
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_branch_leading_zeros(false);
    options.set_rip_relative_addresses(true);
    formatter
}

/// Appends the name of a branch's target, and the address that is relative to the instruction with its name.
fn name_targets(decoded: &Decoded, targets: &mut Targets, text: &mut String) {
    if let Some(name) = near_target(decoded).and_then(|target| targets.name(target)) {
        text.push_str(&format!(" <{name}>"));
    }
    if decoded.is_ip_rel_memory_operand() {
        text.push_str(" # ");
        text.push_str(&targets.labelled(decoded.ip_rel_memory_address()));
    }
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
    fn instructions_are_written_in_both_syntaxes() {
        for (bytes, att, intel) in [
            ("55", "push\t%rbp", "push\trbp"),
            ("48 89 e5", "mov\t%rsp,%rbp", "mov\trbp,rsp"),
            ("c3", "ret", "ret"),
            ("f3 0f 1e fa", "endbr64", "endbr64"),
            ("48 81 ec 48 01 00 00", "sub\t$0x148,%rsp", "sub\trsp,0x148"),
            ("48 83 e4 f0", "and\t$0xfffffffffffffff0,%rsp", "and\trsp,0xfffffffffffffff0"),
            ("80 3b ff", "cmpb\t$0xff,(%rbx)", "cmp\tbyte ptr [rbx],0xff"),
            ("25 ff ff ff bf", "and\t$0xbfffffff,%eax", "and\teax,0xbfffffff"),
            ("48 8b 44 cb 10", "mov\t0x10(%rbx,%rcx,8),%rax", "mov\trax,[rbx+rcx*8+0x10]"),
            ("48 c7 85 f8 fe ff ff 08 00 00 00", "movq\t$8,-0x108(%rbp)", "mov\tqword ptr [rbp-0x108],8"),
            ("64 48 8b 04 25 28 00 00 00", "mov\t%fs:0x28,%rax", "mov\trax,fs:[0x28]"),
            ("48 8d 3d 10 00 00 00", "lea\t0x10(%rip),%rdi # 0x1017", "lea\trdi,[rip+0x10] # 0x1017"),
            ("e8 fb 0f 00 00", "call\t0x2000", "call\t0x2000"),
            ("eb fe", "jmp\t0x1000", "jmp\tshort 0x1000"),
            ("ff e0", "jmp\t*%rax", "jmp\trax"),
            ("ff 53 18", "callq\t*0x18(%rbx)", "call\tqword ptr [rbx+0x18]"),
            ("48 d1 e0", "shl\t$1,%rax", "shl\trax,1"),
            ("f0 48 ff 08", "lock decq\t(%rax)", "lock dec\tqword ptr [rax]"),
            ("f3 a4", "rep movsb\t(%rsi),(%rdi)", "rep movsb\t[rdi],[rsi]"),
            ("66 90", "xchg\t%ax,%ax", "xchg\tax,ax"),
            ("66 66 2e 0f 1f 84 00 00 00 00 00", "nopw\t(%rax,%rax)", "nop\t[rax+rax]"),
            ("66 0f 70 c8 ee", "pshufd\t$0xee,%xmm0,%xmm1", "pshufd\txmm1,xmm0,0xee"),
            ("49 be 01 00 00 00 00 00 00 80", "movabs\t$0x8000000000000001,%r14", "mov\tr14,0x8000000000000001"),
        ] {
            assert_eq!(text(bytes, 64, Syntax::Att), att, "{bytes}");
            assert_eq!(text(bytes, 64, Syntax::Intel), intel, "{bytes}");
        }
        assert_eq!(text("8b 45 08", 32, Syntax::Att), "mov\t8(%ebp),%eax");
    }

    #[test]
    fn invalid_bytes_are_skipped_one_by_one() {
        let rows = instructions(&[0x06, 0xc3, 0x0f], 0x10, 0x13, 64, Syntax::Att, &mut Targets::none());
        let rows: Vec<(u64, u8, &str)> = rows.iter().map(|i| (i.address, i.len, i.text.as_str())).collect();
        assert_eq!(rows, [(0x10, 1, UNKNOWN), (0x11, 1, "ret"), (0x12, 1, UNKNOWN)]);
    }

    #[test]
    fn the_end_of_the_address_space_is_an_end() {
        let rows = instructions(&[0x90; 40], u64::MAX - 3, u64::MAX, 64, Syntax::Att, &mut Targets::none());
        assert_eq!(rows.len(), 3);
    }
}
