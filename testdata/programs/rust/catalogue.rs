//! Two kinds of recursion: a tree of categories, and a chain longer than some writers record.

use std::hint::black_box;

/// A category and all below it.
pub struct Category {
    _label: Box<str>,
    _below: Vec<Category>,
}

impl Category {
    #[inline(never)]
    pub fn grow(depth: u32, seed: u32) -> Category {
        let below = if depth == 0 {
            Vec::new()
        } else {
            (0..black_box(3)).map(|n| Category::grow(depth - 1, seed * 3 + n)).collect()
        };
        Category { _label: format!("shelf {seed:04} of depth {depth}").into_boxed_str(), _below: below }
    }
}

/// Who supplies whom; each supplier is one call deeper than the one it supplies.
pub struct Supplier {
    _papers: [u64; 30],
    _next: Option<Box<Supplier>>,
}

#[inline(never)]
pub fn chain(length: usize) -> Option<Box<Supplier>> {
    if length == 0 {
        return None;
    }
    let next = chain(length - 1);
    Some(Box::new(Supplier { _papers: [length as u64; 30], _next: next }))
}
