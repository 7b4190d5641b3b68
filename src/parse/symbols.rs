//! Symbol table of a symbolized profile, as written by `jeprof --raw` and heapview.
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
//! Names are listed outermost first. Keys are lookup addresses: return addresses minus one, but the leaf's unchanged
//! (`FixCallerAddresses` in `bin/jeprof.in`). A name that is an address means no name. heapview's writer protects names that the
//! format would misread with a word joiner (`export::Symbolized`), which is removed here.

use std::borrow::Cow;

use crate::base::hash::HashMap;
use crate::base::id::FunctionId;
use crate::profile::ProfileBuilder;

/// Parsed symbol table.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    /// Address → names, outermost first, joined by `--`.
    pub(super) names: HashMap<u64, &'a [u8]>,
    /// Path of the program; empty if unknown.
    pub(super) program: &'a [u8],
}

impl Symbols<'_> {
    /// Path of the program; empty if unknown.
    pub(super) fn program(&self) -> String {
        String::from_utf8_lossy(self.program).into_owned()
    }

    /// The functions at the call that returns to `address`, innermost first.
    pub(super) fn functions(&self, builder: &mut ProfileBuilder, address: u64) -> Vec<FunctionId> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let names = self.names.get(&address.wrapping_sub(1)).or_else(|| self.names.get(&address));
        let names = names.copied().filter(|names| !is_address(names)).unwrap_or_default();
        let mut functions: Vec<FunctionId> = split(names)
            .map(without_tag)
            .filter(|name| !name.is_empty())
            .map(|name| {
                let name = builder.string(&without_joiners(&String::from_utf8_lossy(name)));
                builder.function_named(name)
            })
            .collect();
        functions.reverse();
        functions
    }
}

/// Returns whether the name of an address is only the address.
fn is_address(name: &[u8]) -> bool {
    name.strip_prefix(b"0x").is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Inserted by the writer where a name could be misread; has no width.
const JOINER: char = '\u{2060}';

/// The name without one joiner wherever the writer puts one more.
fn without_joiners(name: &str) -> Cow<'_, str> {
    if !name.contains(JOINER) {
        return Cow::Borrowed(name);
    }
    let blank = |c: char| c == '-' || c.is_ascii_whitespace();
    let mut name = name;
    let core = name.trim_end_matches(JOINER);
    if core.ends_with(blank) || core.ends_with("operator") || without_tag(core.as_bytes()).len() < core.len() {
        name = name.strip_suffix(JOINER).unwrap_or(name);
    }
    let core = name.trim_start_matches(JOINER);
    if core.starts_with(blank) || is_address(core.trim_end_matches(JOINER).as_bytes()) {
        name = name.strip_prefix(JOINER).unwrap_or(name);
    }
    // Between dashes.
    let mut out = String::with_capacity(name.len());
    let mut joiners = None;
    for c in name.chars() {
        match (c, joiners) {
            (JOINER, Some(n)) => joiners = Some(n + 1),
            (c, n) => {
                let fewer = usize::from(c == '-');
                out.extend(std::iter::repeat_n(JOINER, n.map_or(0, |n: usize| n.saturating_sub(fewer))));
                out.push(c);
                joiners = (c == '-').then_some(0);
            }
        }
    }
    out.extend(std::iter::repeat_n(JOINER, joiners.unwrap_or(0)));
    Cow::Owned(out)
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

/// Name without the `<start address>` that distinguishes functions of one name.
fn without_tag(name: &[u8]) -> &[u8] {
    let tag = name.strip_suffix(b">").and_then(|n| n.iter().rposition(|&b| b == b'<').map(|i| (&n[..i], &n[i + 1..])));
    match tag {
        Some((plain, digits)) if digits.len() >= 8 && digits.iter().all(u8::is_ascii_hexdigit) => plain.trim_ascii(),
        _ => name.trim_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::check;
    use crate::parse::{ParseOptions, parse};
    use expect_test::expect;

    #[test]
    fn names_are_split_and_lose_their_tags() {
        let names: Vec<_> = split(b"main--operator----run<0000000000401291>").map(without_tag).map(String::from_utf8_lossy).collect();
        assert_eq!(names, ["main", "operator--", "run"]);
        assert_eq!(without_tag(b"vec<int>"), b"vec<int>");
    }

    #[test]
    fn program_is_read_and_malformed_lines_are_counted() {
        check(
            "--- symbol\nbinary=/bin/it\nhello\n0x1233 main--run\n0xzz\n---\n--- heap\nheap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x1234 0x1567\n",
            expect![[r#"
                gperftools, period 1
                objects/count space/bytes
                3 300 bytes=100 @ run[i] main 1566
                warning: symbolized profile, line 3: skipped lines that are not part of the format: 2
            "#]],
        );
        let parsed = parse(
            b"--- symbol\nbinary=/bin/it\n0x1233 f\n---\n--- heap\nheap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x1234\n",
            &ParseOptions::default(),
        );
        let profile = parsed.unwrap().profile;
        assert_eq!(profile.text(profile.code().mappings.as_slice()[0].file), "/bin/it");
    }

    #[test]
    fn a_table_without_a_profile_is_an_error_with_its_line() {
        check(
            "--- symbol\n0x1 f\n---\n--- heap\n",
            expect![[r#"
                error: symbolized profile, line 5: expected a profile after the symbols, found nothing (jeprof --raw writes none for local files); give the original dump instead
            "#]],
        );
        check(
            "--- symbol\n0x1 f\n---\nwhat\n",
            expect![[r#"
            error: symbolized profile, line 4: expected `---` and a heading such as `--- heap`, found `what`; remove the line if it is not part of the profile
        "#]],
        );
    }

    #[test]
    fn joiners_are_taken_out_once() {
        for (written, name) in [
            ("a-\u{2060}-b", "a--b"),
            ("\u{2060}-", "-"),
            ("-\u{2060}", "-"),
            ("-\u{2060}\u{2060}-", "-\u{2060}-"),
            ("a\u{2060}b", "a\u{2060}b"),
        ] {
            assert_eq!(without_joiners(written), name);
        }
    }
}
