//! Typed indexes. A table is a column indexed by its own id type, so that a stack cannot be looked up with a frame's number.
//! [`IdVec`] is a `Vec` that only its own id type indexes.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// An index of a table.
pub trait Id: Copy + Eq + Ord {
    /// The id of row `index`. Tables never grow past `u32::MAX` rows: builders check.
    fn new(index: usize) -> Self;
    /// The row number.
    fn index(self) -> usize;
}

macro_rules! define_id {
    ($(#[$doc:meta] $name:ident;)*) => {$(
        #[$doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub u32);

        impl Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

define_id! {
    /// A text of a profile.
    StrId;
    /// A module.
    MappingId;
    /// A function.
    FunctionId;
    /// A code address with its inlined frames.
    LocationId;
    /// One frame: a location and one of its lines.
    FrameId;
    /// A node of the prefix tree of stacks; 0 is the root.
    StackId;
    /// A set of labels; 0 is the empty set.
    LabelSetId;
    /// A dump: one profile as it was read.
    DumpId;
}

/// A column indexed by `I`.
#[derive(Clone, Debug)]
pub struct IdVec<I, T> {
    rows: Vec<T>,
    id: PhantomData<fn() -> I>,
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec { rows: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty column.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a row and returns its id.
    pub fn push(&mut self, row: T) -> I {
        let id = I::new(self.rows.len());
        self.rows.push(row);
        id
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row of `id`, if it exists.
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }

    /// All rows in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.rows.iter()
    }

    /// All rows with their ids.
    pub fn enumerate(&self) -> impl Iterator<Item = (I, &T)> {
        self.rows.iter().enumerate().map(|(i, row)| (I::new(i), row))
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.rows.len()).map(I::new)
    }

    /// The rows as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.rows
    }

    /// The rows of a range of row numbers.
    pub fn range(&self, range: Range<usize>) -> &[T] {
        &self.rows[range]
    }

    /// Room for `more` rows.
    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(rows: Vec<T>) -> Self {
        IdVec { rows, id: PhantomData }
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}
