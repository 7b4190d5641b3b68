//! Types, lifetimes and constants inside a v0 path.

use super::{Done, Printer};

impl Printer<'_> {
    pub(super) fn ty(&mut self) -> Done {
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

    /// Prints a path without closing its generic arguments, since bindings follow; returns whether there are any.
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

    pub(super) fn lifetime(&mut self, lifetime: u64) -> Done {
        if lifetime == 0 {
            return self.print("'_");
        }
        let depth = self.lifetimes.checked_sub(lifetime)?;
        match u8::try_from(depth) {
            Ok(depth @ 0..26) => self.print(&format!("'{}", char::from(b'a' + depth))),
            _ => self.print(&format!("'z{}", depth - 25)),
        }
    }

    pub(super) fn constant(&mut self) -> Done {
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
