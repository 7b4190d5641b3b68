//! Memory map after the rows of a text profile: `MAPPED_LIBRARIES:`, a copy of `/proc/self/maps`, or a similar format.
//!
//! Parses all lines: those that are not executable show where a file starts. `mappings` decides which become mappings.
//!
//! ```text
//! 55d0a000-55d0b000 r-xp 00001000 fe:00 4711   /usr/bin/my program
//! 7f0000020000-7f0000030000: /lib/brief.so
//! 0x7f30000-0x7f40000 /path/to/binary (@FF00) abc123456
//! ```

use std::borrow::Cow;

use super::lines::{Lines, Scan, hex_digits};

/// One line of a memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// First address.
    pub(super) start: u64,
    /// One past the last address.
    pub(super) limit: u64,
    /// Offset of `start` in the file, bytes.
    pub(super) offset: u64,
    /// Whether the range is executable; lines without permissions are.
    pub(super) executable: bool,
    /// Path, without ` (deleted)`; empty for anonymous memory.
    pub(super) file: Cow<'a, [u8]>,
    /// The file was gone from its path.
    pub(super) is_deleted: bool,
    /// Build id in the line's digits; empty when there is none.
    pub(super) build_id: &'a [u8],
}

/// Reads the lines after the heading. Invalid lines are skipped.
pub(super) fn parse(section: &[u8]) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    // `name=value` lines: later lines write `$name`.
    let mut attributes: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for line in Lines::new(section, 1) {
        let line = without_log_prefix(line.bytes);
        if let Some(mut entry) = entry(line) {
            if let Some(file) = substituted(&entry.file, &attributes) {
                entry.file = Cow::Owned(file);
            }
            entries.push(entry);
        } else if let Some(equals) = line.iter().position(|&b| b == b'=') {
            let name = line[..equals].trim_ascii();
            // A few are meant; a hostile file must not make the search slow.
            if !name.is_empty() && attributes.len() < 16 {
                attributes.push(([b"$", name].concat(), line[equals + 1..].trim_ascii().to_vec()));
            }
        }
    }
    entries
}

/// `file` with the first attribute that occurs replaced, if one does.
fn substituted(file: &[u8], attributes: &[(Vec<u8>, Vec<u8>)]) -> Option<Vec<u8>> {
    let dollar = file.iter().position(|&b| b == b'$')?;
    let (name, value) = attributes.iter().find(|(name, _)| file[dollar..].starts_with(name))?;
    Some([&file[..dollar], value, &file[dollar + name.len()..]].concat())
}

/// The line without glog's `… file.cc:12] ` in front.
fn without_log_prefix(line: &[u8]) -> &[u8] {
    let Some(bracket) = line.iter().position(|&b| matches!(b, b'[' | b']')) else { return line };
    let digits = line[..bracket].iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let colon = bracket.checked_sub(digits + 1).is_some_and(|i| line[i] == b':');
    match &line[bracket..] {
        [b']', blank, rest @ ..] if digits > 0 && colon && blank.is_ascii_whitespace() => rest,
        _ => line,
    }
}

fn entry(line: &[u8]) -> Option<Entry<'_>> {
    let mut scan = Scan::new(line);
    let start = scan.hex()??;
    if scan.rest().first() == Some(&b'-') {
        scan.eat(b'-')?;
    } else if !matches!(scan.rest().first(), Some(b' ' | b'\t')) {
        return None;
    }
    let limit = scan.hex()??;
    // A word that only starts with a digit is no address.
    if !matches!(scan.rest().first(), None | Some(b' ' | b'\t' | b':')) {
        return None;
    }
    let blank = Entry { start, limit, offset: 0, executable: true, file: Cow::Borrowed(b""), is_deleted: false, build_id: b"" };
    if scan.rest().first() == Some(&b':') {
        scan.eat(b':')?;
    }
    let after = scan;
    kernel(after, &blank).or_else(|| freebsd(after, &blank)).or_else(|| brief(after, &blank))
}

/// `perms offset major:minor inode path`, as Linux writes it.
fn kernel<'a>(mut scan: Scan<'a>, blank: &Entry<'a>) -> Option<Entry<'a>> {
    let executable = permissions(scan.word())?;
    let offset = scan.hex()??;
    scan.hex()?;
    scan.eat(b':')?;
    scan.hex()?;
    scan.decimal()?;
    let file = match scan.rest() {
        [b' ' | b'\t', rest @ ..] => rest.trim_ascii(),
        _ => b"",
    };
    Some(Entry { offset, executable, file: path(file), is_deleted: file.ends_with(DELETED), ..blank.clone() })
}

/// `resident private 0xobject perms ref shadow 0xflags COW|NCOW NC|NNC type path …`,
/// as in FreeBSD's `/proc/curproc/map`.
fn freebsd<'a>(mut scan: Scan<'a>, blank: &Entry<'a>) -> Option<Entry<'a>> {
    scan.decimal()?;
    scan.decimal()?;
    scan.eat_word(b"0x")?;
    scan.hex()?;
    let executable = permissions(scan.word())?;
    for _ in 0..6 {
        scan.word();
    }
    let file = scan.word();
    let file = if file == b"-" { b"" } else { file };
    Some(Entry { executable, file: path(file), ..blank.clone() })
}

/// `[perms] path [(@offset)] [build id]`.
fn brief<'a>(mut scan: Scan<'a>, blank: &Entry<'a>) -> Option<Entry<'a>> {
    let mut word = scan.word();
    let mut executable = true;
    if let Some(x) = permissions(word) {
        executable = x;
        word = scan.word();
    }
    let mut entry = Entry { executable, file: path(word), ..blank.clone() };
    let mut rest = scan;
    if let Some(digits) = rest.word().strip_prefix(b"(@").and_then(|w| w.strip_suffix(b")"))
        && let (Some(offset), n) = hex_digits(digits)
        && n == digits.len()
    {
        entry.offset = offset;
        scan = rest;
    }
    let id = scan.word();
    if !id.is_empty() && id.iter().all(u8::is_ascii_hexdigit) {
        entry.build_id = id;
    }
    Some(entry)
}

/// Returns whether `word` gives permission to run code; `None` when it is no permissions.
fn permissions(word: &[u8]) -> Option<bool> {
    let known = word.len() >= 3 && word.iter().all(|b| b"-rwxps".contains(b));
    known.then(|| word.contains(&b'x'))
}

/// The kernel's suffix for deleted files.
const DELETED: &[u8] = b" (deleted)";

/// Decodes a path as the kernel writes it: removes ` (deleted)`, and `\012` is a line end.
fn path(file: &[u8]) -> Cow<'_, [u8]> {
    const ESCAPE: &[u8] = b"\\012";
    let file = file.strip_suffix(DELETED).unwrap_or(file).trim_ascii();
    if !file.windows(ESCAPE.len()).any(|w| w == ESCAPE) {
        return Cow::Borrowed(file);
    }
    let mut plain = Vec::with_capacity(file.len());
    let mut rest = file;
    while let Some((&first, tail)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(ESCAPE) {
            plain.push(b'\n');
            rest = after;
        } else {
            plain.push(first);
            rest = tail;
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(section: &str, want: Expect) {
        let text: String = parse(section.as_bytes())
            .iter()
            .map(|e| {
                let (x, file) = (if e.executable { 'x' } else { '-' }, String::from_utf8_lossy(&e.file).into_owned());
                format!("{:x}-{:x} {x} +{:x} {file:?} {}\n", e.start, e.limit, e.offset, String::from_utf8_lossy(e.build_id))
            })
            .collect();
        want.assert_eq(&text);
    }

    #[test]
    fn every_form_of_a_line() {
        check(
            "\
build=/my/build/dir
00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/my prog
7f0000000000-7f0000010000 r-xp 00001000 00:00 0   /tmp/x (deleted)
7f0000010000-7f0000020000 r-xp 00002000 00:00 0   $build/lib.so
7f0000020000-7f0000030000: /lib/brief.so
0x7f0000030000-0x7f0000040000 /path/to/binary      (@FF00)            abc123456
7f0000040000-7f0000050000 r-xp 00000000 00:00 0
7f0000050000-7f0000060000 ---p 00000000 00:00 0  /none
7f0000060000-7f0000070000 --xs 00000000 00:00 0  /shared
I0601 12:00:00.123 1234 foo.cc:12] 7f0000070000-7f0000080000 r-xp 00000000 00:00 0  /logged
7f0000080000 7f0000090000 r-xp /spacesep
7F0000090000-7F00000A0000 r-xp 00000000 00:00 0  /UPPER
7f00000c0000-7f00000d0000 r-xp 00000000 00:00 0  /a\\012b
7f00000d0000-7f00000e0000 r-xp 00000000 fe:00 12/notspaced
0x800600000 0x80061a000 26 0 0xfffff800035a0000 r-x 75 33 0x1004 COW NC vnode /libexec/ld-elf.so.1 NCH -1
7f00000e0000-7f00000f0000 r-xp 00000000 103:05 12 /nvme
",
            expect![[r#"
                400000-452000 x +0 "/usr/bin/my prog" 
                7f0000000000-7f0000010000 x +1000 "/tmp/x" 
                7f0000010000-7f0000020000 x +2000 "/my/build/dir/lib.so" 
                7f0000020000-7f0000030000 x +0 "/lib/brief.so" 
                7f0000030000-7f0000040000 x +ff00 "/path/to/binary" abc123456
                7f0000040000-7f0000050000 x +0 "" 
                7f0000050000-7f0000060000 - +0 "/none" 
                7f0000060000-7f0000070000 x +0 "/shared" 
                7f0000070000-7f0000080000 x +0 "/logged" 
                7f0000080000-7f0000090000 x +0 "/spacesep" 
                7f0000090000-7f00000a0000 x +0 "/UPPER" 
                7f00000c0000-7f00000d0000 x +0 "/a\nb" 
                7f00000d0000-7f00000e0000 x +0 "" 
                800600000-80061a000 x +0 "/libexec/ld-elf.so.1" 
                7f00000e0000-7f00000f0000 x +0 "/nvme" 
            "#]],
        );
    }

    #[test]
    fn lines_that_are_no_map_are_left_out() {
        check("zzzz-yyyy r-xp what\n\n\x00\u{fffd}\n1-\n12345 is a number\nffffffffffffffff1-2 r-xp\n", expect![""]);
    }
}
