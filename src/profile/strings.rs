//! String table: each string once, in one arena.

use std::hash::BuildHasher;

use hashbrown::HashTable;

use crate::base::hash::Keyed;
use crate::base::id::{Id, StrId};

/// The text of a profile. Id 0 is the empty string.
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// `StrId` → end of its text in the arena, bytes; the start is the end of the one before.
    end: Vec<u32>,
}

impl Default for Strings {
    fn default() -> Self {
        Strings { text: String::new(), end: vec![0] }
    }
}

impl Strings {
    /// The empty string.
    pub const EMPTY: StrId = StrId(0);

    /// The text of `id`.
    pub fn get(&self, id: StrId) -> &str {
        let i = id.index();
        let start = if i == 0 { 0 } else { self.end[i - 1] };
        &self.text[start as usize..self.end[i] as usize]
    }

    /// Bytes of all texts together.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.end.capacity() * size_of::<u32>()
    }

    /// Number of distinct strings.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Never: the empty string is always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// [`Strings`] while they grow.
#[derive(Default)]
pub(super) struct Interner {
    strings: Strings,
    table: HashTable<StrId>,
    hasher: Keyed,
}

impl Interner {
    /// Starts from finished strings.
    pub(super) fn from_strings(strings: Strings) -> Self {
        let mut interner = Interner { strings, ..Interner::default() };
        let Interner { strings, table, hasher } = &mut interner;
        for id in (1..strings.len()).map(StrId::new) {
            let hash = hasher.hash_one(strings.get(id));
            table.insert_unique(hash, id, |&id| hasher.hash_one(strings.get(id)));
        }
        interner
    }

    /// The id of `text`. Past four gigabytes of names, further ones become empty.
    pub(super) fn intern(&mut self, text: &str) -> StrId {
        if text.is_empty() {
            return Strings::EMPTY;
        }
        let Interner { strings, table, hasher } = self;
        let hash = hasher.hash_one(text);
        if let Some(&id) = table.find(hash, |&id| strings.get(id) == text) {
            return id;
        }
        if strings.text.len() + text.len() > u32::MAX as usize {
            return Strings::EMPTY;
        }
        strings.text.push_str(text);
        let id = StrId::new(strings.end.len());
        strings.end.push(strings.text.len() as u32);
        table.insert_unique(hash, id, |&id| hasher.hash_one(strings.get(id)));
        id
    }

    pub(super) fn get(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// The text, or its first `most` bytes, in whole characters.
    pub(super) fn cut(&mut self, id: StrId, most: usize) -> StrId {
        let text = self.get(id);
        if text.len() <= most {
            return id;
        }
        let head = text[..(0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)].to_owned();
        self.intern(&head)
    }

    pub(super) fn finish(self) -> Strings {
        self.strings
    }
}
