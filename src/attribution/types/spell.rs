//! Formatting of types: `Vec<Block>` for `alloc::vec::Vec<ledger::Block, alloc::alloc::Global>`.
//!
//! Two forms: *full* omits defaults, *short* also module paths.

use super::rules::Rules;
use super::text::{Segment, arguments, bracketed, is_word, segments, split_at};

/// Level of detail of a formatted type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Full,
    Short,
}

/// Longer types are cut, bytes: futures of futures have names of any length.
const LONGEST: [usize; 2] = [2000, 160];

/// Types inside of types beyond this are left out.
const DEEPEST: [usize; 2] = [24, 5];

/// Default arguments, except in first position.
const DEFAULTS: [&str; 9] = [
    "alloc::alloc::Global",
    "std::hash::random::RandomState",
    "std::collections::hash::map::RandomState",
    "std::allocator",
    "std::char_traits",
    "std::less",
    "std::hash",
    "std::equal_to",
    "std::default_delete",
];

/// Whether a namespace is inline: a library version that is not written.
pub(super) fn is_inline_namespace(name: &str) -> bool {
    const NAMES: [&str; 8] = ["__cxx11", "__1", "__ndk1", "__Cr", "__debug", "__cxx1998", "__fs", "_V2"];
    NAMES.contains(&name) || name.starts_with("lts_")
}

/// `text` in this form.
pub(super) fn spell(rules: &Rules, text: &str, form: Form) -> String {
    let mut speller = Speller { rules, form, out: String::new() };
    speller.text(text, 0);
    let mut out = speller.out;
    cut(&mut out, LONGEST[form as usize]);
    out
}

/// Shortens `text` to so many bytes.
fn cut(text: &mut String, longest: usize) {
    if text.len() > longest {
        let mut end = longest;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
}

struct Speller<'a> {
    rules: &'a Rules,
    form: Form,
    out: String,
}

impl Speller<'_> {
    /// Writes any text: paths are formatted, the rest is copied.
    fn text(&mut self, text: &str, depth: usize) {
        if depth > DEEPEST[self.form as usize] || self.out.len() > LONGEST[self.form as usize] {
            self.out.push('…');
            return;
        }
        // Both mean the same, and nobody writes the brackets.
        let mut rest = match bracketed(text) {
            Some((inner, "")) if text.starts_with("(dyn ") => inner,
            _ => text,
        };
        while let Some(c) = rest.chars().next() {
            let end = path_end(rest);
            if end > 0 {
                self.path(&rest[..end], depth);
                rest = &rest[end..];
                continue;
            }
            match (c, bracketed(rest).filter(|_| "<([{".contains(c))) {
                // `<a::B as c::D>::E`
                ('<', Some((inner, behind))) if behind.starts_with("::") => {
                    let end = path_end(&behind[2..]);
                    self.member(inner, &behind[2..2 + end], depth);
                    rest = &behind[2 + end..];
                }
                ('(', Some((inner, behind))) => {
                    self.out.push('(');
                    self.list(&arguments(inner), depth);
                    let is_tuple_of_one = inner.trim_end().ends_with(',') && arguments(inner).len() == 1;
                    self.out.push_str(if is_tuple_of_one { ",)" } else { ")" });
                    rest = behind;
                }
                _ => {
                    self.out.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
    }

    fn list(&mut self, parts: &[&str], depth: usize) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.text(part, depth + 1);
        }
    }

    /// Writes a member of a type in brackets.
    fn member(&mut self, of: &str, path: &str, depth: usize) {
        let parts = segments(path);
        if self.form == Form::Short && parts.last().is_some_and(|last| last.name.starts_with('{')) {
            self.path(path, depth);
            return;
        }
        let of = split_at(of, " as ").map_or(of, |(of, _)| of);
        if self.form == Form::Full {
            self.out.push('<');
        }
        self.text(of, depth + 1);
        self.out.push_str(if self.form == Form::Full { ">::" } else { "::" });
        self.path(path, depth);
    }

    fn path(&mut self, path: &str, depth: usize) {
        let parts: Vec<Segment> = segments(path).into_iter().filter(|part| !is_inline_namespace(part.name)).collect();
        let Some(last) = parts.last() else { return };
        let given = last.args.map(arguments);
        let mut args = given.clone().unwrap_or_default();
        if let Some(name) = self.rules.string_of(&parts) {
            self.out.push_str(&name);
            return;
        }
        // `Fn<(A, B), Output = C>`
        if ["Fn", "FnMut", "FnOnce"].contains(&last.name) && args.first().is_some_and(|arg| arg.starts_with('(')) {
            self.closure_type(last.name, &args, depth);
            return;
        }
        while args.len() > 1 && args.last().is_some_and(|arg| is_default(arg)) {
            args.pop();
        }
        if self.form == Form::Short {
            if let Some(most) = self.rules.written(&parts) {
                args.truncate(most);
            }
            self.short_name(&parts);
        } else {
            for (i, part) in parts.iter().enumerate() {
                self.out.push_str(if i > 0 { "::" } else { "" });
                self.out.push_str(part.name);
                if let Some(inner) = part.args.filter(|_| i + 1 < parts.len()) {
                    self.bracketed_list(&arguments(inner), depth);
                }
            }
        }
        if given.is_some() && !last.name.starts_with('{') {
            self.bracketed_list(&args, depth);
        }
    }

    fn bracketed_list(&mut self, args: &[&str], depth: usize) {
        self.out.push('<');
        self.list(args, depth);
        self.out.push('>');
    }

    /// Writes the last part; with `std::` for the C++ library, and with the enclosing function for closures.
    fn short_name(&mut self, parts: &[Segment]) {
        let Some((last, before)) = parts.split_last() else { return };
        if let Some(inner) = last.name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            let (kind, number) = inner.split_once('#').unwrap_or((inner, "0"));
            let kind = kind.trim_end_matches("_env").replace('_', " ");
            let function = before.iter().rev().find(|part| !part.name.starts_with(['{', '<']));
            let number = if number == "0" || number.is_empty() { String::new() } else { format!("#{number}") };
            match function {
                Some(function) => self.out.push_str(&format!("{{{kind}{number} in {}}}", function.name)),
                None => self.out.push_str(&format!("{{{kind}{number}}}")),
            }
            return;
        }
        let is_cpp_std = before.first().is_some_and(|first| first.name == "std") && self.rules.is_cpp(parts);
        self.out.push_str(if is_cpp_std { "std::" } else { "" });
        // `64ul`
        let is_number = last.name.starts_with(|c: char| c.is_ascii_digit());
        self.out.push_str(if is_number { last.name.trim_end_matches(['u', 'l', 'U', 'L']) } else { last.name });
    }

    fn closure_type(&mut self, name: &str, args: &[&str], depth: usize) {
        let taken = args.first().and_then(|arg| bracketed(arg)).map_or("", |(inner, _)| inner);
        self.out.push_str(name);
        self.out.push('(');
        self.list(&arguments(taken), depth);
        self.out.push(')');
        let output = args.iter().find_map(|arg| arg.strip_prefix("Output")).map(|rest| rest.trim_start_matches([' ', '=']));
        if let Some(output) = output.filter(|output| *output != "()") {
            self.out.push_str(" -> ");
            self.text(output, depth + 1);
        }
    }
}

fn is_default(arg: &str) -> bool {
    let path: Vec<&str> = segments(arg).iter().map(|part| part.name).filter(|name| !is_inline_namespace(name)).collect();
    DEFAULTS.contains(&path.join("::").as_str())
}

/// Length of the path at the start of `text`, bytes; 0 without one.
fn path_end(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let end = match (word, rest.chars().next()) {
            (0, Some('{')) => bracketed(rest).map(|(_, behind)| text.len() - behind.len()),
            (0, _) => None,
            _ => Some(at + word),
        };
        let Some(mut end) = end else { return at.saturating_sub(if at > 0 { 2 } else { 0 }) };
        for opening in ["::<", "<"] {
            if let Some(args) = text[end..].strip_prefix(opening).map(|_| &text[end + opening.len() - 1..])
                && let Some((_, behind)) = bracketed(args)
            {
                end = text.len() - behind.len();
            }
        }
        match text[end..].strip_prefix("::") {
            Some(_) => at = end + 2,
            None => return end,
        }
    }
}
