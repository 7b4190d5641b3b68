//! A symbolized profile as text: the symbol table that `jeprof --raw` writes, then heap text. The inverse of `parse::symbols`,
//! which describes the format.
//!
//! ```text
//! --- symbol
//! binary=/usr/bin/it
//! 0x0000000000401233 outer--inlined
//! ---
//! --- heap
//! heap profile:      3:      300 [     3:      300] @ heapprofile
//!      3:      300 [     3:      300] @ 0x401234
//!
//! Reading and writing it again gives the same bytes. Files, lines and most labels cannot be represented and are lost; threads
//! are kept, in jemalloc's variant of the text.
//!
//! Reading it and writing it again gives the same bytes. The format has no place for files,
//! lines and most labels: they are lost. Threads stay, in jemalloc's form of the text.

mod addresses;
mod names;
mod rows;

use std::io::{self, Write};

use thiserror::Error;

use crate::base::hash::HashSet;
use crate::base::id::{Id, MappingId};
use crate::base::plain::one_line;
use crate::profile::Profile;

use addresses::{Addresses, is_everything};
use rows::Columns;

/// Heap text cannot hold the profile.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("heap text needs objects and bytes in use; the profile has {has}")]
pub struct NotHeap {
    /// The value types there are.
    has: String,
}

/// A profile that can be written so.
pub struct Symbolized<'a> {
    profile: &'a Profile,
    /// The main file; empty when it is unknown.
    program: &'a str,
    content: Content<'a>,
}

enum Content<'a> {
    /// The text that the profile was read from.
    Verbatim(&'a [u8]),
    Rows(Columns),
}

impl<'a> Symbolized<'a> {
    /// Of `profile`; several dumps are added up.
    pub fn new(profile: &'a Profile) -> Result<Self, NotHeap> {
        let columns = Columns::new(profile).ok_or_else(|| NotHeap { has: profile.type_list() })?;
        let program = profile.code().mappings.get(MappingId::new(0)).map_or("", |m| profile.text(m.file));
        Ok(Symbolized { profile, program, content: Content::Rows(columns) })
    }

    /// Of the heap text that `profile` was read from, which stays as it is, sampled and with
    /// its map, in which `program` is the main file; the profile gives the names.
    pub fn of_text(profile: &'a Profile, text: &'a [u8], program: &'a str) -> Self {
        Symbolized { profile, program, content: Content::Verbatim(text) }
    }

    /// Writes it. O(size).
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let addresses = Addresses::new(self.profile);
        self.table(&addresses, out)?;
        writeln!(out, "--- heap")?;
        match &self.content {
            Content::Verbatim(text) => out.write_all(text),
            Content::Rows(columns) => {
                columns.write(self.profile, &addresses, out)?;
                self.map(out)
            }
        }
    }

    fn table(&self, addresses: &Addresses, out: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile;
        writeln!(out, "--- symbol")?;
        if !self.program.is_empty() {
            writeln!(out, "binary={}", one_line(self.program))?;
        }
        for (address, location) in addresses.keys(profile) {
            write!(out, "{address:#018x} ")?;
            names::write(profile, location, address, out)?;
            writeln!(out)?;
        }
        writeln!(out, "---")
    }

    /// The memory map.
    fn map(&self, out: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile;
        writeln!(out, "\nMAPPED_LIBRARIES:")?;
        let mut starts: HashSet<(u64, &str)> = HashSet::default();
        for m in profile.code().mappings.iter().filter(|m| !is_everything(m)) {
            let file = profile.text(m.file);
            let escaped = one_line(&file.replace('\n', "\\012")).into_owned();
            // Start of the file: symbols are looked up from there.
            if let Some(bias) = m.bias.filter(|&b| b < m.start && starts.insert((b, file))) {
                writeln!(out, "{bias:08x}-{:08x} r--p 00000000 00:00 0 {escaped}", m.start)?;
            }
            let id = profile.text(m.build_id);
            if id.is_empty() || !id.bytes().all(|b| b.is_ascii_hexdigit()) || escaped.is_empty() || escaped.contains(char::is_whitespace) {
                writeln!(out, "{:08x}-{:08x} r-xp {:08x} 00:00 0 {escaped}", m.start, m.limit, m.offset)?;
            } else {
                writeln!(out, "{:08x}-{:08x} r-xp {escaped} (@{:x}) {id}", m.start, m.limit, m.offset)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "symbolized/tests.rs"]
mod tests;
