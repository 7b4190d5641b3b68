//! Functions with their callers and callees.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::{Gross, Header, Row, Spread};

/// A caller or a callee of an entry.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PeekLink<'a> {
    /// The other function.
    #[cfg_attr(test, schema(value_type = Row))]
    pub row: &'a Row,
    /// Value of this call.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
    /// Value in `header.companion_type`; 0 if that is empty.
    pub companion: i64,
    /// Sampling error of the value; absent unless requested, and in unsampled profiles.
    pub spread: Option<Spread>,
    /// Growth and shrinkage since the base; absent unless requested, and without a base.
    pub gross: Option<Gross>,
    /// Whether the call was always inlined.
    pub inlined: bool,
}

/// A function with its callers and callees, heaviest first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PeekEntry<'a> {
    /// The function.
    #[cfg_attr(test, schema(value_type = Row))]
    pub row: &'a Row,
    /// Flat value of the function.
    pub flat: i64,
    /// Cumulative value: the function and its callees.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Flat in `header.companion_type`; 0 if that is empty.
    pub flat_companion: i64,
    /// Cumulative in `header.companion_type`.
    pub cum_companion: i64,
    /// Sampling error of flat; absent unless requested, and in unsampled profiles.
    pub flat_spread: Option<Spread>,
    /// Sampling error of cum.
    pub cum_spread: Option<Spread>,
    /// Growth and shrinkage of flat since the base; absent unless requested, and without a base.
    pub flat_gross: Option<Gross>,
    /// Same for cum.
    pub cum_gross: Option<Gross>,
    /// Whether it is recursive, directly or indirectly; recursive calls are not among its callers and callees.
    pub recursive: bool,
    /// Callers.
    #[cfg_attr(test, schema(value_type = Vec<PeekLink>))]
    pub callers: PeekLinks<'a>,
    /// Callees.
    #[cfg_attr(test, schema(value_type = Vec<PeekLink>))]
    pub callees: PeekLinks<'a>,
}

/// Functions with their callers and callees, in the order of the view.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct PeekReport {
    /// Common header.
    pub header: Header,
    /// The functions.
    #[cfg_attr(test, schema(value_type = Vec<PeekEntry>))]
    pub entry: PeekEntries,
}

/// Entries whose calls are stored once, as columns, and whose rows are shared: a large graph has millions of calls between
/// some thousand functions. [`PeekEntries::iter`] and serialization make one entry at a time.
#[derive(Clone, Debug, Default)]
pub struct PeekEntries {
    /// What entries and the ends of calls represent.
    pub row: Vec<Row>,
    /// The entries.
    pub stored: Vec<StoredEntry>,
    /// Numbers of calls: the callers of each entry and its callees.
    pub link: Vec<u32>,
    /// The calls.
    pub calls: PeekCalls,
}

/// Calls as columns.
#[derive(Clone, Debug, Default)]
pub struct PeekCalls {
    /// Call → row of the caller.
    pub from: Vec<u32>,
    /// Call → row of the callee.
    pub to: Vec<u32>,
    /// Call → value and that of the base.
    pub value: Vec<[i64; 2]>,
    /// Call → value in the companion type; empty without one.
    pub companion: Vec<i64>,
    /// Call → sampling error; empty unless requested.
    pub spread: Vec<Spread>,
    /// Call → growth and shrinkage; empty unless requested.
    pub gross: Vec<Gross>,
    /// Call → always inlined.
    pub inlined: Vec<bool>,
}

/// An entry without its calls.
#[derive(Clone, Debug, Default)]
pub struct StoredEntry {
    /// Index of its row.
    pub row: u32,
    /// Flat: value, base and companion.
    pub flat: [i64; 3],
    /// Cumulative: the same.
    pub cum: [i64; 3],
    /// Sampling errors of flat and cum.
    pub spread: Option<[Spread; 2]>,
    /// Growth and shrinkage of flat and cum.
    pub gross: Option<[Gross; 2]>,
    /// Whether it is recursive.
    pub recursive: bool,
    /// Its callers in [`PeekEntries::link`].
    pub callers: Range<usize>,
    /// Its callees there.
    pub callees: Range<usize>,
}

impl PeekEntries {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = PeekEntry<'_>> {
        self.stored.iter().map(|entry| {
            let links = |range: &Range<usize>, is_callers| PeekLinks { of: self, link: &self.link[range.clone()], is_callers };
            let ([flat, flat_base, flat_companion], [cum, cum_base, cum_companion]) = (entry.flat, entry.cum);
            PeekEntry {
                row: &self.row[entry.row as usize],
                flat,
                cum,
                flat_base,
                cum_base,
                flat_companion,
                cum_companion,
                flat_spread: entry.spread.map(|[flat, _]| flat),
                cum_spread: entry.spread.map(|[_, cum]| cum),
                flat_gross: entry.gross.map(|[flat, _]| flat),
                cum_gross: entry.gross.map(|[_, cum]| cum),
                recursive: entry.recursive,
                callers: links(&entry.callers, true),
                callees: links(&entry.callees, false),
            }
        })
    }
}

impl Serialize for PeekEntries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Callers or callees of an entry.
#[derive(Clone, Copy, Debug)]
pub struct PeekLinks<'a> {
    of: &'a PeekEntries,
    /// Numbers of calls.
    link: &'a [u32],
    is_callers: bool,
}

impl<'a> PeekLinks<'a> {
    /// Number of links.
    pub fn len(&self) -> usize {
        self.link.len()
    }

    /// Returns whether there are no links.
    pub fn is_empty(&self) -> bool {
        self.link.is_empty()
    }

    /// Number of each link's row and whether it was inlined, with the link.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, PeekLink<'a>)> {
        let PeekEntries { row, calls, .. } = self.of;
        let other = if self.is_callers { &calls.from } else { &calls.to };
        self.link.iter().map(move |&call| {
            let call = call as usize;
            let [value, base] = calls.value[call];
            let number = other[call] as usize;
            let link = PeekLink {
                row: &row[number],
                value,
                base,
                companion: calls.companion.get(call).copied().unwrap_or(0),
                spread: calls.spread.get(call).copied(),
                gross: calls.gross.get(call).copied(),
                inlined: calls.inlined[call],
            };
            (number, link)
        })
    }

    /// The links.
    pub fn iter(&self) -> impl Iterator<Item = PeekLink<'a>> {
        self.numbered().map(|(_, link)| link)
    }
}

impl Serialize for PeekLinks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
