//! Demangles the names on standard input, for `tests/demangle/compare.py`.
//!
//! One line for each name, fields separated by tabs: the name, demangled by default, with template arguments,
//! in full, as by `full_name`, and by the crate rustc-demangle. A field is empty where the name is not mangled.

use std::io::{self, BufRead, Write};

use heapview::demangle::{Demangle, demangled, full_name};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for name in io::stdin().lock().lines() {
        let name = name?;
        let level = |level| demangled(&name, level).unwrap_or_default();
        let [short, templates, full] = [Demangle::Default, Demangle::Templates, Demangle::Full].map(level);
        let rust = rustc_demangle::try_demangle(&name).map_or(String::new(), |name| format!("{name:#}"));
        writeln!(out, "{name}\t{short}\t{templates}\t{full}\t{}\t{rust}", full_name(&name))?;
    }
    out.flush()
}
