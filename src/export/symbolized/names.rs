//! Names of a location in one line: outermost first, joined by `--`.
//!
//! If a name contains something with a meaning in the format, a word joiner (zero width) is inserted, and one more where there is
//! one already; the parser removes it.

use std::io::{self, Write};

use crate::base::id::LocationId;
use crate::base::plain::one_line;
use crate::profile::Profile;

const JOINER: char = '\u{2060}';

/// Writes the names one after the other, as all together may take gigabytes; `address` in hexadecimal where there are none.
pub(super) fn write(profile: &Profile, location: LocationId, address: u64, out: &mut dyn Write) -> io::Result<()> {
    let frames = profile.code().locations[location].frames();
    let names = frames.rev().map(|frame| profile.function_of(frame).map_or("", |(_, f)| profile.text(f.name)));
    let mut is_first = true;
    for name in names.filter(|name| !name.is_empty()) {
        write!(out, "{}{}", if is_first { "" } else { "--" }, joined(&escaped(name)))?;
        is_first = false;
    }
    if is_first { write!(out, "{address:#018x}") } else { Ok(()) }
}

/// A name in one line; joiners, which the format has a use for, stay.
fn escaped(name: &str) -> String {
    name.split(JOINER).map(one_line).collect::<Vec<_>>().join("\u{2060}")
}

/// A name that will be read as it is.
fn joined(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let blank = |c: char| c == '-' || c.is_ascii_whitespace();
    let core = name.trim_start_matches(JOINER);
    if core.starts_with(blank) || is_address(core.trim_end_matches(JOINER)) {
        out.push(JOINER);
    }
    let mut after_dash = false;
    for c in name.chars() {
        if c == '-' && after_dash {
            out.push(JOINER);
        }
        after_dash = c == '-' || (c == JOINER && after_dash);
        out.push(c);
    }
    let core = name.trim_end_matches(JOINER);
    if core.ends_with(blank) || core.ends_with("operator") || has_tag(core) {
        out.push(JOINER);
    }
    out
}

fn is_address(name: &str) -> bool {
    name.strip_prefix("0x").is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Returns whether it ends as if in a start address, `<00401220>`.
fn has_tag(name: &str) -> bool {
    let digits = name.strip_suffix('>').and_then(|n| n.rsplit_once('<')).map(|(_, digits)| digits);
    digits.is_some_and(|d| d.len() >= 8 && d.bytes().all(|b| b.is_ascii_hexdigit()))
}
