//! Builtin types and vendor extensions.

use super::Parser;
use crate::demangle::itanium::ast::{Node, NodeId, Suffix};

impl Parser<'_> {
    /// Parses types whose code begins with `D`.
    pub(super) fn d_type(&mut self, is_converted: bool) -> Option<(NodeId, bool)> {
        self.need(b'D')?;
        let code = self.next()?;
        let simple = |name| Some(Node::Builtin(name));
        let node = match code {
            b'T' | b't' => {
                let expr = self.expression()?;
                self.need(b'E')?;
                return Some((self.wrapped("decltype (", expr, ")")?, true));
            }
            b'p' => {
                let base = self.inner_type(is_converted)?;
                return Some((self.expansion(base)?, true));
            }
            b'v' => return Some((self.vector_type(is_converted)?, true)),
            b'B' => return Some((self.bit_int("_BitInt(")?, true)),
            b'U' => return Some((self.bit_int("unsigned _BitInt(")?, true)),
            b'a' => Some(Node::Name("auto")),
            b'c' => Some(Node::Name("decltype(auto)")),
            b'f' => simple("decimal32"),
            b'd' => simple("decimal64"),
            b'e' => simple("decimal128"),
            b'h' => simple("half"),
            b'u' => simple("char8_t"),
            b's' => simple("char16_t"),
            b'i' => simple("char32_t"),
            b'n' => simple("decltype(nullptr)"),
            b'F' => return Some((self.float_type(is_converted)?, false)),
            b'A' => fixed(b'A', self.next()?, false).and_then(simple),
            b'R' => fixed(b'R', self.next()?, false).and_then(simple),
            b'S' => {
                self.need(b'D')?;
                fixed(self.next()?, self.next()?, true).and_then(simple)
            }
            b'k' | b'K' => {
                let (base, _) = self.name()?;
                Some(Node::Suffixed { base, suffix: if code == b'k' { Suffix::Auto } else { Suffix::DecltypeAuto } })
            }
            _ => None,
        };
        Some((self.add(node?)?, false))
    }

    fn float_type(&mut self, is_converted: bool) -> Option<NodeId> {
        let bits = if self.is_digit() { Some(self.number()?) } else { None };
        let width = bits.filter(|&bits| bits > 0);
        match self.peek() {
            Some(b'_') => {
                self.at += 1;
                self.add(Node::Float { bits: width?, suffix: "" })
            }
            Some(b'x') => {
                self.at += 1;
                self.add(Node::Float { bits: width?, suffix: "x" })
            }
            Some(b'b') if bits == Some(16) => {
                self.at += 1;
                self.add(Node::Builtin("std::bfloat16_t"))
            }

            _ => {
                let base = self.inner_type(is_converted)?;
                self.digits();
                let is_sat = self.next() == Some(b's');
                self.add(Node::Fixed { base, is_accum: bits.is_some(), is_sat })
            }
        }
    }

    fn bit_int(&mut self, before: &'static str) -> Option<NodeId> {
        let size = if self.is_digit() { self.size()? } else { self.expression()? };
        self.need(b'_')?;
        self.wrapped(before, size, ")")
    }

    pub(super) fn size(&mut self) -> Option<NodeId> {
        let size = usize::try_from(self.number()?).ok()?;
        self.add(Node::Number(size))
    }
}

pub(super) fn builtin(code: u8) -> Option<&'static str> {
    Some(match code {
        b'a' => "signed char",
        b'b' => "bool",
        b'c' => "char",
        b'd' => "double",
        b'e' => "long double",
        b'f' => "float",
        b'g' => "__float128",
        b'h' => "unsigned char",
        b'i' => "int",
        b'j' => "unsigned int",
        b'l' => "long",
        b'm' => "unsigned long",
        b'n' => "__int128",
        b'o' => "unsigned __int128",
        b's' => "short",
        b't' => "unsigned short",
        b'v' => "void",
        b'w' => "wchar_t",
        b'x' => "long long",
        b'y' => "unsigned long long",
        b'z' => "...",
        _ => return None,
    })
}

/// Fixed-point types of C.
fn fixed(kind: u8, size: u8, is_sat: bool) -> Option<&'static str> {
    Some(match (kind, size, is_sat) {
        (b'A', b's', false) => "short _Accum",
        (b'A', b't', false) => "unsigned short _Accum",
        (b'A', b'i', false) => "_Accum",
        (b'A', b'j', false) => "unsigned _Accum",
        (b'A', b'l', false) => "long _Accum",
        (b'A', b'm', false) => "unsigned long _Accum",
        (b'R', b's', false) => "short _Fract",
        (b'R', b't', false) => "unsigned short _Fract",
        (b'R', b'i', false) => "_Fract",
        (b'R', b'j', false) => "unsigned _Fract",
        (b'R', b'l', false) => "long _Fract",
        (b'R', b'm', false) => "unsigned long _Fract",
        (b'A', b's', true) => "_Sat short _Accum",
        (b'A', b't', true) => "_Sat unsigned short _Accum",
        (b'A', b'i', true) => "_Sat _Accum",
        (b'A', b'j', true) => "_Sat unsigned _Accum",
        (b'A', b'l', true) => "_Sat long _Accum",
        (b'A', b'm', true) => "_Sat unsigned long _Accum",
        (b'R', b's', true) => "_Sat short _Fract",
        (b'R', b't', true) => "_Sat unsigned short _Fract",
        (b'R', b'i', true) => "_Sat _Fract",
        (b'R', b'j', true) => "_Sat unsigned _Fract",
        (b'R', b'l', true) => "_Sat long _Fract",
        (b'R', b'm', true) => "_Sat unsigned long _Fract",
        _ => return None,
    })
}
