//! Rust v0 mangling (RFC 2603): `_RNvNtCs1234_4core3fmt5write`.
//!
//! A printer of our own, because rustc-demangle cannot leave out generic arguments: `<Vec<u8> as Clone>::clone::<T>` becomes
//! `<Vec<> as Clone>::clone::<>`.

mod types;

use super::punycode;

/// Parts inside of each other; symbols of real programs stay below 100.
const MAX_DEPTH: usize = 400;
/// Bytes of output; a few references can expand without end.
const MAX_OUTPUT: usize = 1 << 16;
const MAX_STEPS: u64 = 1 << 18;

/// The path of a v0 symbol; `None` when it is none, does not follow the grammar, or takes more than `work`: parts
/// that are read, and bytes of output.
pub(super) fn demangle(symbol: &str, erase_generics: bool, work: &mut u64) -> Option<String> {
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
        steps: MAX_STEPS.min(*work),
        erase_generics,
    };
    let given = printer.steps;
    let is_done = printer.symbol();
    *work -= given - printer.steps;
    is_done.map(|()| printer.out)
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
    /// Parts that may still be read, and bytes that may be printed.
    steps: u64,
    erase_generics: bool,
}

type Done = Option<()>;

impl Printer<'_> {
    fn symbol(&mut self) -> Done {
        // A digit would be the number of a later version of the grammar.
        if self.peek()?.is_ascii_digit() {
            return None;
        }
        self.path(true)?;
        if self.at < self.end {
            // The crate that instantiated it.
            self.silently(|p| p.path(false))?;
        }
        (self.at == self.end).then_some(())
    }

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
            self.step(text.len() as u64)?;
            self.out.push_str(text);
        }
        Some(())
    }

    fn step(&mut self, n: u64) -> Done {
        let left = self.steps.checked_sub(n);
        self.steps = left.unwrap_or(0);
        left.map(drop)
    }

    fn silently(&mut self, parse: impl FnOnce(&mut Self) -> Done) -> Done {
        let before = std::mem::replace(&mut self.is_silent, true);
        let done = parse(self);
        self.is_silent = before;
        done
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        self.step(1)?;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let done = parse(self);
        self.depth -= 1;
        done
    }

    /// Parses what the reference at hand points to, which is before it.
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

    /// `in_value`: print `::` before generic arguments.
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
                    // Path of the `impl` block.
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
                    // Constructors of variants have no name of their own.
                    self.print(if name.is_empty() { "" } else { "::" })?;
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

    fn disambiguator(&mut self) -> Option<u64> {
        if self.eat(b's') { self.base_62()?.checked_add(1) } else { Some(0) }
    }

    fn identifier(&mut self) -> Option<(u64, String)> {
        Some((self.disambiguator()?, self.bare_identifier()?))
    }

    fn bare_identifier(&mut self) -> Option<String> {
        let is_punycode = self.eat(b'u');
        let len = self.decimal()?;
        self.eat(b'_');
        let end = self.at.checked_add(len).filter(|&end| end <= self.end)?;
        let name = std::str::from_utf8(&self.whole[self.at..end]).ok()?;
        self.at = end;
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        if is_punycode { punycode::decode(name) } else { Some(name.to_string()) }
    }

    /// A number that begins with 0 ends there: what follows `0` in `08register` is the length of another name.
    fn decimal(&mut self) -> Option<usize> {
        let digit = |byte: u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
        let mut value = self.next().and_then(digit)?;
        if value > 0 {
            while let Some(digit) = self.peek().and_then(digit) {
                value = value.checked_mul(10)?.checked_add(digit)?;
                self.at += 1;
            }
        }
        Some(value)
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

#[cfg(test)]
mod tests {
    fn demangle(symbol: &str, erase_generics: bool) -> Option<String> {
        super::demangle(symbol, erase_generics, &mut { u64::MAX })
    }

    #[track_caller]
    fn check(symbol: &str, erased: &str, whole: &str) {
        assert_eq!(demangle(symbol, true).as_deref(), Some(erased));
        assert_eq!(demangle(symbol, false).as_deref(), Some(whole));
    }

    #[test]
    fn erases_generic_arguments_and_keeps_their_brackets() {
        check("_RNvCsj6gjteTz5uu_1b4main", "b::main", "b::main");
        check("_RNvMNtCsj6gjteTz5uu_1b5innerINtB2_4WrapcKj3_E4growB4_", "<b::inner::Wrap<>>::grow", "<b::inner::Wrap<char, 3>>::grow");
        check("_RNvMNtCslNYArtu3iFV_5alloc5sliceSc6to_vecCsj6gjteTz5uu_1b", "<[char]>::to_vec", "<[char]>::to_vec");
        check("_RNvNtCsj6gjteTz5uu_1b5inneru9gre_6ka8i", "b::inner::größe", "b::inner::größe");
        check("_RINvCsj6gjteTz5uu_1b7genericFKCyExEB2_", "b::generic::<>", "b::generic::<extern \"C\" fn(u64) -> i64>");
        check("_RINvCsj6gjteTz5uu_1b7genericTbAhj4_OeQSaEEB2_", "b::generic::<>", "b::generic::<(bool, [u8; 4], *mut str, &mut [i8])>");
        check(
            "_RINvCsj6gjteTz5uu_1b7genericRDG_INtNtNtCsgEmfK2I1SDS_4core3ops8function2FnTRL0_eEEp6OutputRL0_eEL_EB2_",
            "b::generic::<>",
            "b::generic::<&dyn for<'a> core::ops::function::Fn<(&'a str,), Output = &'a str>>",
        );
        check(
            "_RNSNvYNCNvCsj6gjteTz5uu_1b4main0INtNtNtCsgEmfK2I1SDS_4core3ops8function6FnOnceTlEE9call_once6vtableB8_",
            "<b::main::{closure#0} as core::ops::function::FnOnce<>>::call_once::{shim:vtable#0}",
            "<b::main::{closure#0} as core::ops::function::FnOnce<(i32,)>>::call_once::{shim:vtable#0}",
        );
    }

    #[test]
    fn a_number_that_begins_with_0_ends_there() {
        let register = "forest::rpc::metrics_layer::METHOD_METRICS::{closure#0}::register";
        check("_RNvNCNvNtNtCs1YE6A0lTsf6_6forest3rpc13metrics_layer14METHOD_METRICS08register", register, register);
        check("_RNCNCNvC1a1b00", "a::b::{closure#0}::{closure#0}", "a::b::{closure#0}::{closure#0}");
        check(
            "_RNCNvNCNvC1a1b012c0_3_4_5_6_70C1d",
            "a::b::{closure#0}::c0_3_4_5_6_7::{closure#0}",
            "a::b::{closure#0}::c0_3_4_5_6_7::{closure#0}",
        );
        // Of a variant.
        check("_RNcNtNtC1a4Tree6Strong0", "a::Tree::Strong", "a::Tree::Strong");
        assert_eq!(demangle("_RNvC1aB_", true), None);
    }

    #[test]
    fn suffixes_of_the_compiler_do_not_count() {
        check("_RNvCsj6gjteTz5uu_1b4main.llvm.123", "b::main", "b::main");
    }

    #[test]
    fn invalid_names_are_rejected() {
        for symbol in ["_R", "_R0C1a", "_RNvC1a", "_RNvC1a9b", "_RBz_", "_RB_", "_RNvB_1a", "_RC1a_", "_RMC1aK", "_RC1\u{e4}"] {
            assert_eq!(demangle(symbol, false), None, "{symbol}");
        }
    }

    #[test]
    fn endless_names_end() {
        let deep = format!("_RM{}C1a", "S".repeat(100_000));
        assert_eq!(demangle(&deep, false), None);
        // Each type is a pair of the one before.
        let mut wide = String::from("_RINvC1a1bTuuE");
        for _ in 0..60 {
            let before = wide.len() - 9;
            wide.push_str(&format!("TB{0}_B{0}_E", char::from(b'0' + (before % 10) as u8)));
        }
        wide.push('E');
        let _ = demangle(&wide, false);
    }
}
