//! Demangles names of any scheme (Rust v0 and legacy, Itanium C++) within a work limit.

use std::fmt::{self, Write as _};

use super::level::Demangle;
use super::{itanium, legacy, v0};

/// Like [`full_name`](super::full_name), within `work`, which is reduced by the work done; without enough the name stays mangled.
pub(super) fn full_name_within(system_name: &str, work: &mut u64) -> String {
    if let Some((system_name, short)) = system_name.split_once(' ').filter(|(name, _)| loses_generics(name)) {
        return with_generics(system_name, short, work).unwrap_or_else(|| full_name_within(system_name, work));
    }
    if !spend(work, system_name.len()) {
        return system_name.to_owned();
    }
    let rust = rustc_demangle::try_demangle(system_name).ok().map(|name| rust_name(&name, work).unwrap_or_else(|| system_name.to_owned()));
    rust.or_else(|| demangle(system_name, Demangle::Full, work)).unwrap_or_else(|| system_name.to_string())
}

/// Takes `n` off the `work` that is left; false when it was less.
fn spend(work: &mut u64, n: usize) -> bool {
    let left = work.checked_sub(n as u64);
    *work = left.unwrap_or(0);
    left.is_some()
}

/// A name as rustc-demangle prints it; `None` when that takes too much work.
fn rust_name(name: &rustc_demangle::Demangle, work: &mut u64) -> Option<String> {
    /// Output, written in many small pieces.
    struct Text<'a>(String, &'a mut u64);
    impl fmt::Write for Text<'_> {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            self.0.push_str(piece);
            if spend(self.1, 1 + piece.len()) { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut text = Text(String::new(), work);
    write!(text, "{name:#}").ok().map(|()| text.0)
}

/// Returns whether a mangled name is without the generic arguments that the function has: Rust's first scheme.
pub fn loses_generics(system_name: &str) -> bool {
    legacy::is_mangled(system_name)
}

/// The path of `system_name` that ends as `short` does: `core::ptr::drop_in_place` and
/// `drop_in_place<alloc::string::String>`. `None` when they are not of the same function.
fn with_generics(system_name: &str, short: &str, work: &mut u64) -> Option<String> {
    if !spend(work, system_name.len() + short.len()) {
        return None;
    }
    let path = legacy::demangle(system_name)?;
    let (folder, last) = path.rsplit_once("::").map_or(("", path.as_str()), |(folder, last)| (folder, last));
    let base = short.split('<').next()?;
    // `{{closure}}` in the one, `{closure#0}` in the other.
    let kind = |name: &str| name.trim_matches(['{', '}']).split('#').next().map(str::to_owned);
    let is_same = base == last || (base.starts_with('{') && kind(base) == kind(last));
    is_same.then(|| if folder.is_empty() { short.to_owned() } else { format!("{folder}::{short}") })
}

/// Like [`name_of`](super::name_of), within `work`, which is reduced by the work done.
pub(super) fn name_within(system_name: &str, mode: Demangle, work: &mut u64) -> String {
    // macOS puts one more underscore before every symbol.
    let bare = system_name.strip_prefix('_').unwrap_or(system_name);
    let demangled = demangle(system_name, mode, work).or_else(|| demangle(bare, mode, work));
    demangled.unwrap_or_else(|| shorten(system_name, mode))
}

/// `None` when `symbol` is not mangled in a way that is known, or takes more than `work`.
pub(super) fn demangle(symbol: &str, mode: Demangle, work: &mut u64) -> Option<String> {
    let is_mangled = ["_R", "_Z", "___Z", "_GLOBAL_"].iter().any(|start| symbol.starts_with(start));
    if !is_mangled || !spend(work, symbol.len()) {
        return None;
    }
    if symbol.starts_with("_R") {
        return v0::demangle(symbol, mode == Demangle::Default, work);
    }
    legacy::demangle(symbol).or_else(|| itanium::demangle(symbol, mode, work))
}

/// Shortens a demangled name; debug information without linkage names contains such names, too.
fn shorten(name: &str, mode: Demangle) -> String {
    // `class.<init>` is Java's, `foo.(*Bar[...]).Method` is Go's, `-[Class(Category) method]` is Objective-C's.
    let bare = name.trim_start_matches(|c: char| c == '_' || c.is_ascii_digit());
    let is_other = name.contains(".<") || name.contains("]).") || bare.starts_with("-[") || bare.starts_with("+[");
    let is_cpp = name.contains(['<', '>', '[', ']']) || name.contains("::");
    if is_other || !is_cpp || matches!(mode, Demangle::Full | Demangle::None) {
        return name.to_string();
    }
    let short = without(name, '(', ')');
    if mode == Demangle::Default { without(&short, '<', '>') } else { short }
}

/// Removes text between matching `open` and `close`. After an unmatched bracket nothing is removed.
fn without(name: &str, open: char, close: char) -> String {
    let mut out = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut start = 0;
    for (at, c) in name.char_indices() {
        if c == open {
            if depth == 0 {
                out.push_str(&name[start..at]);
                start = at;
            }
            depth += 1;
        } else if c == close {
            let Some(less) = depth.checked_sub(1) else { break };
            depth = less;
            if depth == 0 {
                start = at + 1;
            }
        }
    }
    out.push_str(&name[start..]);
    out
}
