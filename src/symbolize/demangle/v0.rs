//! Rust names of the second scheme (RFC 2603): `_RNvNtCs1234_4core3fmt5write`.
//!
//! A printer of its own, because generic arguments must be left out on request:
//! `<Vec<u8> as Clone>::clone::<T>` is then `<Vec<> as Clone>::clone::<>`.

use super::punycode;

/// Parts inside of each other; symbols of real programs stay below 100.
const MAX_DEPTH: usize = 400;
/// Bytes of output and steps; a few references can ask for endless output.
const MAX_OUTPUT: usize = 1 << 16;
const MAX_STEPS: usize = 1 << 18;

/// The path of a v0 symbol; `None` when it is none or does not follow the grammar.
pub(super) fn demangle(symbol: &str, erase_generics: bool) -> Option<String> {
    let symbol = symbol.strip_prefix("_R")?;
    let whole = symbol.split('.').next().unwrap_or(symbol); // `.llvm.123` and the like
    let mut printer = Printer {
        whole: whole.as_bytes(),
        at: 0,
        end: whole.len(),
        out: String::new(),
        is_silent: false,
        lifetimes: 0,
        depth: 0,
        steps: 0,
        erase_generics,
    };
    // A digit would be the number of a later version of the grammar.
    if printer.peek()?.is_ascii_digit() {
        return None;
    }
    printer.path(true)?;
    if printer.at < printer.end {
        // The crate that instantiated it.
        printer.silently(|p| p.path(false))?;
    }
    (printer.at == printer.end).then_some(printer.out)
}

struct Printer<'a> {
    /// Without `_R`: references count from here.
    whole: &'a [u8],
    at: usize,
    end: usize,
    out: String,
    /// Parse only. References are not followed then.
    is_silent: bool,
    /// Bound lifetimes in scope.
    lifetimes: u64,
    depth: usize,
    steps: usize,
    erase_generics: bool,
}

type Done = Option<()>;

impl Printer<'_> {
    fn peek(&self) -> Option<u8> {
        if self.at < self.end { self.whole.get(self.at).copied() } else { None }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn print(&mut self, text: &str) -> Done {
        if !self.is_silent {
            if self.out.len() + text.len() > MAX_OUTPUT {
                return None;
            }
            self.out.push_str(text);
        }
        Some(())
    }

    fn silently(&mut self, parse: impl FnOnce(&mut Self) -> Done) -> Done {
        let before = std::mem::replace(&mut self.is_silent, true);
        let done = parse(self);
        self.is_silent = before;
        done
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        self.steps += 1;
        if self.depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return None;
        }
        let done = parse(self);
        self.depth -= 1;
        done
    }

    /// Parses what the reference at hand points to, which lies before it.
    fn back<T>(&mut self, silent: T, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let here = self.at;
        self.next()?;
        let target = usize::try_from(self.base_62()?).ok()?;
        if self.is_silent {
            return Some(silent);
        }
        if target >= here {
            return None;
        }
        let (at, end) = (self.at, self.end);
        (self.at, self.end) = (target, here);
        let done = self.deeper(parse);
        (self.at, self.end) = (at, end);
        done
    }

    /// `in_value`: a `::` goes before generic arguments.
    fn path(&mut self, in_value: bool) -> Done {
        self.deeper(|p| p.path_here(in_value))
    }

    fn path_here(&mut self, in_value: bool) -> Done {
        if self.peek()? == b'B' {
            return self.back((), |p| p.path(in_value));
        }
        match self.next()? {
            b'C' => {
                let (_, name) = self.identifier()?;
                self.print(&name)
            }
            tag @ (b'M' | b'X' | b'Y') => {
                if tag != b'Y' {
                    // Where the `impl` block stands.
                    self.silently(|p| {
                        p.disambiguator()?;
                        p.path(false)
                    })?;
                }
                self.print("<")?;
                self.ty()?;
                if tag != b'M' {
                    self.print(" as ")?;
                    self.path(false)?;
                }
                self.print(">")
            }
            b'N' => {
                let space = self.next().filter(u8::is_ascii_alphabetic)?;
                self.path(in_value)?;
                let (number, name) = self.identifier()?;
                if space.is_ascii_lowercase() {
                    self.print("::")?;
                    return self.print(&name);
                }
                self.print("::{")?;
                match space {
                    b'C' => self.print("closure")?,
                    b'S' => self.print("shim")?,
                    other => self.print(char::from(other).encode_utf8(&mut [0; 4]))?,
                }
                if !name.is_empty() {
                    self.print(":")?;
                    self.print(&name)?;
                }
                self.print(&format!("#{number}}}"))
            }
            b'I' => {
                self.path(in_value)?;
                self.print(if in_value { "::<" } else { "<" })?;
                self.generic_args()?;
                self.print(">")
            }
            _ => None,
        }
    }

    /// Arguments up to the `E`, without brackets.
    fn generic_args(&mut self) -> Done {
        if self.erase_generics { self.silently(Self::list_args) } else { self.list_args() }
    }

    fn list_args(&mut self) -> Done {
        self.list(", ", |p| match p.peek()? {
            b'L' => {
                p.next()?;
                let lifetime = p.base_62()?;
                p.lifetime(lifetime)
            }
            b'K' => {
                p.next()?;
                p.constant()
            }
            _ => p.ty(),
        })?;
        Some(())
    }

    /// Items up to an `E`; returns their number.
    fn list(&mut self, between: &str, mut item: impl FnMut(&mut Self) -> Done) -> Option<usize> {
        let mut n = 0;
        while !self.eat(b'E') {
            if n > 0 {
                self.print(between)?;
            }
            self.deeper(&mut item)?;
            n += 1;
        }
        Some(n)
    }

    fn ty(&mut self) -> Done {
        self.deeper(Self::ty_here)
    }

    fn ty_here(&mut self) -> Done {
        let tag = self.peek()?;
        if let Some(name) = basic(tag) {
            self.next()?;
            return self.print(name);
        }
        match tag {
            b'C' | b'M' | b'X' | b'Y' | b'N' | b'I' => return self.path(false),
            b'B' => return self.back((), Self::ty),
            _ => self.next()?,
        };
        match tag {
            b'A' | b'S' => {
                self.print("[")?;
                self.ty()?;
                if tag == b'A' {
                    self.print("; ")?;
                    self.constant()?;
                }
                self.print("]")
            }
            b'T' => {
                self.print("(")?;
                let n = self.list(", ", Self::ty)?;
                self.print(if n == 1 { ",)" } else { ")" })
            }
            b'R' | b'Q' => {
                self.print("&")?;
                if self.eat(b'L') {
                    let lifetime = self.base_62()?;
                    if lifetime > 0 {
                        self.lifetime(lifetime)?;
                        self.print(" ")?;
                    }
                }
                self.print(if tag == b'Q' { "mut " } else { "" })?;
                self.ty()
            }
            b'P' => {
                self.print("*const ")?;
                self.ty()
            }
            b'O' => {
                self.print("*mut ")?;
                self.ty()
            }
            b'F' => self.scoped(Self::function),
            b'D' => {
                self.scoped(Self::bounds)?;
                if !self.eat(b'L') {
                    return None;
                }
                let lifetime = self.base_62()?;
                if lifetime > 0 {
                    self.print(if self.out.ends_with(' ') { "+ " } else { " + " })?;
                    self.lifetime(lifetime)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Lifetimes bound inside end there.
    fn scoped(&mut self, parse: impl FnOnce(&mut Self) -> Done) -> Done {
        let before = self.lifetimes;
        let done = parse(self);
        self.lifetimes = before;
        done
    }

    fn binder(&mut self) -> Done {
        if !self.eat(b'G') {
            return Some(());
        }
        let n = self.base_62()?.checked_add(1)?;
        // Each is used later on, or the number is made up.
        if n.checked_add(self.lifetimes)? >= (self.end - self.at) as u64 {
            return None;
        }
        self.print("for<")?;
        for i in 0..n {
            self.print(if i > 0 { ", " } else { "" })?;
            self.lifetimes += 1;
            self.lifetime(1)?;
        }
        self.print("> ")
    }

    fn function(&mut self) -> Done {
        self.binder()?;
        if self.eat(b'U') {
            self.print("unsafe ")?;
        }
        if self.eat(b'K') {
            if self.eat(b'C') {
                self.print("extern \"C\" ")?;
            } else {
                if self.peek() == Some(b'u') {
                    return None;
                }
                let abi = self.bare_identifier()?.replace('_', "-");
                self.print(&format!("extern \"{abi}\" "))?;
            }
        }
        self.print("fn(")?;
        self.list(", ", Self::ty)?;
        self.print(")")?;
        if self.eat(b'u') {
            return Some(());
        }
        self.print(" -> ")?;
        self.ty()
    }

    fn bounds(&mut self) -> Done {
        self.print("dyn ")?;
        self.binder()?;
        self.list(" + ", |p| {
            let mut is_open = p.open_path()?;
            while p.eat(b'p') {
                p.print(if is_open { ", " } else { "<" })?;
                is_open = true;
                let name = p.bare_identifier()?;
                p.print(&name)?;
                p.print(" = ")?;
                p.ty()?;
            }
            p.print(if is_open { ">" } else { "" })
        })?;
        Some(())
    }

    /// A path whose generic arguments are not closed yet, since bindings follow;
    /// returns whether there are any.
    fn open_path(&mut self) -> Option<bool> {
        match self.peek()? {
            b'I' => {
                self.next()?;
                self.path(false)?;
                self.print("<")?;
                self.generic_args()?;
                Some(true)
            }
            b'B' => self.back(false, Self::open_path),
            _ => {
                self.path(false)?;
                Some(false)
            }
        }
    }

    fn lifetime(&mut self, lifetime: u64) -> Done {
        if lifetime == 0 {
            return self.print("'_");
        }
        let depth = self.lifetimes.checked_sub(lifetime)?;
        match u8::try_from(depth) {
            Ok(depth @ 0..26) => self.print(&format!("'{}", char::from(b'a' + depth))),
            _ => self.print(&format!("'z{}", depth - 25)),
        }
    }

    fn constant(&mut self) -> Done {
        match self.peek()? {
            b'B' => return self.back((), |p| p.deeper(Self::constant)),
            b'p' => {
                self.next()?;
                return self.print("_");
            }
            _ => {}
        }
        let kind = self.next()?;
        let is_signed = matches!(kind, b'a' | b's' | b'l' | b'x' | b'n' | b'i');
        let is_unsigned = matches!(kind, b'h' | b't' | b'm' | b'y' | b'o' | b'j');
        if !is_signed && !is_unsigned && kind != b'b' && kind != b'c' {
            return None;
        }
        if is_signed && self.eat(b'n') {
            self.print("-")?;
        }
        let from = self.at;
        while !self.eat(b'_') {
            self.next().filter(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))?;
        }
        let digits = std::str::from_utf8(&self.whole[from..self.at - 1]).ok()?;
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        let value = u64::from_str_radix(digits, 16);
        match (kind, value) {
            (b'b', Ok(0)) => self.print("false"),
            (b'b', Ok(1)) => self.print("true"),
            (b'c', Ok(value)) if digits.len() <= 6 => self.print(&character(value)),
            (b'b' | b'c', _) => None,
            (_, Ok(value)) => self.print(&value.to_string()),
            (_, Err(_)) => self.print(&format!("0x{digits}")),
        }
    }

    fn disambiguator(&mut self) -> Option<u64> {
        if self.eat(b's') { self.base_62()?.checked_add(1) } else { Some(0) }
    }

    fn identifier(&mut self) -> Option<(u64, String)> {
        Some((self.disambiguator()?, self.bare_identifier()?))
    }

    fn bare_identifier(&mut self) -> Option<String> {
        let is_punycode = self.eat(b'u');
        let from = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        // An empty name is a `0`, and pprof takes the number after it as part of it;
        // where it then misses one, the name is empty.
        let len = std::str::from_utf8(&self.whole[from..self.at]).ok()?;
        let len: usize = if len.is_empty() { 0 } else { len.parse().ok()? };
        self.eat(b'_');
        let end = self.at.checked_add(len).filter(|&end| end <= self.end)?;
        let name = std::str::from_utf8(&self.whole[self.at..end]).ok()?;
        self.at = end;
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        if is_punycode { punycode::decode(name) } else { Some(name.to_string()) }
    }

    /// `_` is 0, `0_` is 1.
    fn base_62(&mut self) -> Option<u64> {
        let mut value = 0u64;
        if self.eat(b'_') {
            return Some(0);
        }
        loop {
            let digit = match self.next()? {
                b'_' => return value.checked_add(1),
                b @ b'0'..=b'9' => b - b'0',
                b @ b'a'..=b'z' => b - b'a' + 10,
                b @ b'A'..=b'Z' => b - b'A' + 36,
                _ => return None,
            };
            value = value.checked_mul(62)?.checked_add(u64::from(digit))?;
        }
    }
}

fn character(value: u64) -> String {
    match value {
        0x09 => "'\\t'".into(),
        0x0a => "'\\n'".into(),
        0x0d => "'\\r'".into(),
        0x27 => "'\\''".into(),
        0x5c => "'\\\\'".into(),
        0x20..=0x7e => format!("'{}'", char::from(value as u8)),
        _ => format!("'\\u{{{value:x}}}'"),
    }
}

fn basic(tag: u8) -> Option<&'static str> {
    Some(match tag {
        b'a' => "i8",
        b'b' => "bool",
        b'c' => "char",
        b'd' => "f64",
        b'e' => "str",
        b'f' => "f32",
        b'h' => "u8",
        b'i' => "isize",
        b'j' => "usize",
        b'l' => "i32",
        b'm' => "u32",
        b'n' => "i128",
        b'o' => "u128",
        b'p' => "_",
        b's' => "i16",
        b't' => "u16",
        b'u' => "()",
        b'v' => "...",
        b'x' => "i64",
        b'y' => "u64",
        b'z' => "!",
        _ => return None,
    })
}
