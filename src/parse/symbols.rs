//! The symbol table in front of a symbolized profile, as `jeprof --raw` writes it.
//!
//! ```text
//! --- symbol
//! binary=/usr/bin/it
//! 0x0000000000401233 outer--inlined<0000000000401220>
//! ---
//! --- heap
//! heap_v2/524288 …
//! ```
//!
//! Names come outermost first. Keys are the addresses to look up: return addresses
//! minus one, but the leaf's unchanged (`FixCallerAddresses` in `bin/jeprof.in`).

use rustc_hash::FxHashMap;

use super::error::{ErrorKind, ParseError, Place};
use super::format::Input;
use super::lines::{Lines, Scan};
use super::{Parsed, format};
use crate::id::FunctionId;
use crate::profile::ProfileBuilder;

const NAME: &str = "symbolized profile";

/// Address → names, outermost first, joined by `--`.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    names: FxHashMap<u64, &'a [u8]>,
}

impl Symbols<'_> {
    /// The functions at the call that returns to `address`, innermost first.
    pub(super) fn functions(&self, builder: &mut ProfileBuilder, address: u64) -> Vec<FunctionId> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let names = self.names.get(&address.wrapping_sub(1)).or_else(|| self.names.get(&address));
        let mut functions: Vec<FunctionId> = split(names.copied().unwrap_or_default())
            .map(without_tag)
            .filter(|name| !name.is_empty())
            .map(|name| {
                let name = builder.string(&String::from_utf8_lossy(name));
                builder.function_named(name)
            })
            .collect();
        functions.reverse();
        functions
    }
}

/// Splits at `--`, but not in `operator--`.
fn split(names: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(names);
    std::iter::from_fn(move || {
        let text = rest?;
        let starts = |i: usize| text[i..].starts_with(b"--");
        let is_name = |i: usize| starts(i) && text[..i].ends_with(b"operator");
        let cut = (0..text.len()).find(|&i| starts(i) && !is_name(i) && !(i > 0 && is_name(i - 1)));
        match cut {
            Some(i) => {
                rest = Some(&text[i + 2..]);
                Some(&text[..i])
            }
            None => {
                rest = None;
                Some(text)
            }
        }
    })
}

/// The name without the `<start address>` that tells namesakes apart.
fn without_tag(name: &[u8]) -> &[u8] {
    let tag = name.strip_suffix(b">").and_then(|n| n.iter().rposition(|&b| b == b'<').map(|i| (&n[..i], &n[i + 1..])));
    match tag {
        Some((plain, digits)) if digits.len() >= 8 && digits.iter().all(u8::is_ascii_hexdigit) => plain.trim_ascii(),
        _ => name.trim_ascii(),
    }
}

/// Whether a symbol table or a section heading is in front.
pub(super) fn sniff(head: &[u8]) -> bool {
    [&b"--- symbol"[..], b"--- heap", b"--- growth", b"--- profile"]
        .iter()
        .any(|heading| head.strip_prefix(*heading).is_some_and(|rest| matches!(rest, [] | [b'\r' | b'\n', ..])))
}

/// Reads the table, then whatever profile follows it.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let mut names = FxHashMap::default();
    let mut lines = Lines::new(input.text, input.first_line);
    let mut in_table = false;
    for line in lines.by_ref() {
        let text = line.bytes.trim_ascii();
        match text {
            b"--- symbol" => in_table = true,
            b"---" => in_table = false,
            _ if text.starts_with(b"--- ") => break,
            _ if in_table => {
                let mut scan = Scan::new(text);
                if text.starts_with(b"0x")
                    && let Some(Some(address)) = scan.hex()
                {
                    names.insert(address, scan.rest().trim_ascii());
                }
            }
            b"" => {}
            _ => {
                let kind = ErrorKind::Line { expected: "`---` and a heading such as `--- heap`", found: super::error::excerpt(text) };
                return Err(ParseError { format: NAME, kind, at: Some(Place::Line(line.number)) });
            }
        }
    }
    if lines.rest().trim_ascii().is_empty() {
        return Err(ParseError { format: NAME, kind: ErrorKind::OnlySymbols, at: Some(Place::Line(lines.next_number())) });
    }
    let symbols = Symbols { names };
    format::parse_behind_symbols(Input { text: lines.rest(), first_line: lines.next_number(), symbols: &symbols, ..input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_and_lose_their_tags() {
        let names: Vec<_> = split(b"main--operator----run<0000000000401291>").map(without_tag).map(String::from_utf8_lossy).collect();
        assert_eq!(names, ["main", "operator--", "run"]);
        assert_eq!(without_tag(b"vec<int>"), b"vec<int>");
    }

    #[test]
    fn headings_are_whole_lines() {
        assert!(sniff(b"--- symbol\r\n"));
        assert!(sniff(b"--- heap"));
        assert!(!sniff(b"--- heapz 1 ---\n"));
    }
}
