//! `heap profile:` text: gperftools, TCMalloc's heap samples and growth profiles, Go with `debug=1`, and jemalloc before version
//! 4.
//!
//! ```text
//! heap profile:      3:      300 [     5:      500] @ heap_v2/524288
//!      3:      300 [     5:      500] @ 0x401234 0x401567
//! # a comment
//! MAPPED_LIBRARIES:
//! 00400000-00402000 r-xp 00000000 fe:00 4711   /bin/it
//! ```
//!
//! Rows contain objects and bytes in use, then objects and bytes allocated, then return addresses, leaf first. The last word of
//! the header is the sampling method. Numbers, value types and the `bytes` label are those of google/pprof
//! (`profile/legacy_profile.go`). Go's `#` lines, which name the addresses of the row above, are ignored: names come from the
//! program. A table of them would go into [`Symbols`](super::symbols::Symbols).

use super::addresses::Addresses;
use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind, excerpt};
use super::heap_row::{self, RowError};
use super::input::Input;
use super::lines::{Decimal, Line, Lines, Scan, find};
use super::mappings::Mappings;
use super::row_pipe::{Piece, for_each_batch};
use super::unsample::{Sampling, sampled_every};
use super::{Parsed, drop_frames, maps};
use crate::base::id::{LocationId, StrId};
use crate::profile::{LOST_ROWS, Label, LabelValue, Labels, ProfileBuilder, ValueType};

/// The format's name in messages.
pub(super) const NAME: &str = "gperftools";

/// First bytes of a header.
const HEADING: &[u8] = b"heap profile:";

/// Headings between the rows and the memory map, each with the index of its rarest byte.
const MAP_HEADINGS: [(&[u8], usize); 2] = [(b"MAPPED_LIBRARIES:", 0), (b"--- Memory map: ---", 4)];

/// Returns whether a header comes, after blank lines, comments and `%warn` lines.
pub(super) fn sniff(head: &[u8]) -> bool {
    header_line(&mut Lines::new(head, 1)).is_some()
}

fn header_line<'a>(lines: &mut Lines<'a>) -> Option<Line<'a>> {
    for line in lines.by_ref() {
        if find(line.bytes, HEADING, 0).is_some() {
            return Some(line);
        }
        if !matches!(line.bytes.trim_ascii(), [] | [b'%' | b'#', ..]) {
            return None;
        }
    }
    None
}

/// Reads the text.
///
/// # Errors
/// As google/pprof: any line of the rows that is no row, numbers of more than 64
/// bits, bytes without objects. A cut last line is only a warning.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let mut lines = Lines::new(input.text, input.first_line);
    let Some(line) = header_line(&mut lines) else {
        return Err(fail(ErrorKind::Line { expected: "`heap profile:`", found: excerpt(input.text) }, input.first_line));
    };
    let header = header(line)?;
    let (rows, map) = split_at_map(lines.rest());
    let mappings = Mappings::new(&maps::parse(map.unwrap_or_default()));

    let mut builder = ProfileBuilder::new(header.value_types());
    builder.bound_by_input(input.text.len());
    let mut reader = Rows {
        label: builder.string("bytes"),
        addresses: Addresses::new(mappings, input.symbols),
        header,
        has_map: map.is_some(),
        parts: input.parts,
        sums: [0; 4],
        warnings: Vec::new(),
    };
    reader.warnings.extend(input.warning(NAME));
    reader.read(Lines::new(rows, lines.next_number()), &mut builder)?;
    reader.account_for_the_rest(input.text.len(), &mut builder);
    reader.addresses.finish(&mut builder);

    let meta = builder.meta();
    meta.period_type = Some(ValueType::new("space", "bytes"));
    meta.period = reader.header.period;
    (meta.drop_frames, meta.keep_frames) = drop_frames::of_heap_text();
    builder.dump().period = sampled_every(reader.header.period);
    Ok(Parsed { profile: builder.build(), format: NAME, warnings: reader.warnings })
}

fn fail(kind: ErrorKind, line: usize) -> ParseError {
    ParseError { format: NAME, kind, at: Some(Position::Line(line)) }
}

/// Rows, and what follows the heading of the memory map.
fn split_at_map(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let heading = MAP_HEADINGS.iter().find_map(|(heading, rare)| find(text, heading, *rare));
    let Some(at) = heading else { return (text, None) };
    // The heading may follow other text in its line.
    let start = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let after = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i + 1);
    (&text[..start], Some(&text[after..]))
}

/// Parsed first line.
struct Header {
    /// In use and allocated: objects, bytes. Saturated.
    counts: [i64; 4],
    /// Whether allocated values are shown.
    has_alloc: bool,
    sampling: Sampling,
    /// Mean distance of samples, bytes; 1 when every allocation counts, 0 when unknown.
    period: i64,
    warning: Option<WarningKind>,
    line: usize,
}

impl Header {
    fn value_types(&self) -> &'static [(&'static str, &'static str)] {
        if self.has_alloc { &heap_row::VALUE_TYPES } else { &[("objects", "count"), ("space", "bytes")] }
    }
}

fn header(line: Line<'_>) -> Result<Header, ParseError> {
    let expected = "`heap profile: objects: bytes [objects: bytes] @ type/period`";
    let broken = || fail(ErrorKind::Line { expected, found: excerpt(line.bytes) }, line.number);
    let start = find(line.bytes, HEADING, 0).ok_or_else(broken)?;
    let text = &line.bytes[start + HEADING.len()..];
    let mut scan = Scan::new(text);
    let counts = heap_row::counts(&mut scan).ok_or_else(broken)?.map(Decimal::saturated);
    let [objects, bytes, all_objects, all_bytes] = counts;
    let has_alloc = all_objects != objects && all_objects != 0 || all_bytes != bytes && all_bytes != 0;
    let negative = counts.iter().any(|&c| c < 0);

    let has_at = scan.eat(b'@').is_some();
    scan.blanks();
    let end = scan.rest().iter().position(|b| !matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_')).unwrap_or(scan.rest().len());
    let (kind, rest) = scan.rest().split_at(end);
    let mut scan = Scan::new(rest);
    let mut period = 0;
    if scan.eat(b'/').is_some()
        && let Some(number) = scan.decimal()
    {
        period = match number {
            Decimal::Fits(n) if n >= 0 => n,
            _ => return Err(fail(ErrorKind::Number { what: "the sampling period", found: excerpt(line.bytes) }, line.number)),
        };
    }
    let mut warning = negative.then_some(WarningKind::NegativeHeader);
    let (sampling, period) = match kind {
        b"heapprofile" => (Sampling::None, 1),
        b"heap_v2" | b"heapz_v2" => (Sampling::Truncated(period), period),
        b"heap" => (Sampling::Truncated(period / 2), period / 2),
        b"growth" | b"growthz" | b"fragmentation" | b"fragmentationz" => (Sampling::None, 1),
        b"" if !has_at || rest.trim_ascii().is_empty() => {
            // As jeprof reads the oldest dumps.
            const PERIOD: i64 = 128 << 10;
            let linear = objects == all_objects && bytes == all_bytes;
            let assumed = if linear { "one sample every 128 KiB" } else { "no sampling" };
            warning = Some(WarningKind::AssumedSampling { assumed });
            if linear { (Sampling::Linear(PERIOD), PERIOD) } else { (Sampling::None, 1) }
        }
        _ => {
            let found = excerpt(if kind.is_empty() { rest } else { kind });
            return Err(fail(ErrorKind::HeaderType { found }, line.number));
        }
    };
    Ok(Header { counts, has_alloc, sampling, period, warning, line: line.number })
}

/// Reads rows into a builder.
struct Rows<'a> {
    header: Header,
    addresses: Addresses<'a>,
    has_map: bool,
    parts: i64,
    label: StrId,
    /// Totals of the rows as written, in the header's order.
    sums: [i64; 4],
    warnings: Vec<Warning>,
}

impl Rows<'_> {
    fn warn(&mut self, kind: WarningKind, line: usize) {
        self.warnings.push(Warning { format: NAME, kind, at: Some(Position::Line(line)) });
    }

    fn read(&mut self, lines: Lines<'_>, builder: &mut ProfileBuilder) -> Result<(), ParseError> {
        if let Some(kind) = self.header.warning.take() {
            self.warn(kind, self.header.line);
        }
        let mut stack: Vec<LocationId> = Vec::new();
        for_each_batch(lines, |batch| {
            let mut addresses = batch.addresses.iter();
            for piece in &batch.pieces {
                match *piece {
                    Piece::Row(counts, n, line) => {
                        stack.clear();
                        stack.extend(addresses.by_ref().take(n).map(|&a| self.addresses.location(builder, a)));
                        self.sample(counts, &stack, builder).map_err(|kind| fail(kind, line))?;
                    }
                    Piece::Other(line) => {
                        if !self.unusual_line(line, batch.longest, builder)? {
                            return Ok(false);
                        }
                    }
                }
            }
            Ok(true)
        })
    }

    /// Parses a line that is not a plain row. `longest` is the largest number of digits of an address so far. Returns whether to
    /// continue.
    fn unusual_line(&mut self, line: Line<'_>, longest: usize, builder: &mut ProfileBuilder) -> Result<bool, ParseError> {
        let text = line.bytes;
        let is_last = !line.ended && !self.has_map;
        let row = heap_row::row(text);
        if row.is_err() && find(text, HEADING, 0).is_some() {
            self.warn(WarningKind::SecondDump, line.number);
            return Ok(false);
        }
        // Loggers write in front of rows.
        let mut row = match row.or_else(|_| heap_row::row_within(text)) {
            Ok(row) => row,
            Err(_) if matches!(text.trim_ascii(), [] | [b'#', ..]) => return Ok(true),
            Err(RowError::NoRow) if is_last => {
                self.warn(WarningKind::CutLine, line.number);
                return Ok(false);
            }
            Err(RowError::NoRow) => {
                let expected = "`objects: bytes [objects: bytes] @ addresses`";
                return Err(fail(ErrorKind::Line { expected, found: excerpt(text) }, line.number));
            }
            Err(RowError::TooBig) => {
                return Err(fail(ErrorKind::Number { what: "a count", found: excerpt(text) }, line.number));
            }
        };
        let mut stack = Vec::new();
        let (mut digits, mut longest) = (0, longest);
        for address in row.addresses.by_ref() {
            let Some(value) = address.value else {
                return Err(fail(ErrorKind::Number { what: "an address", found: excerpt(text) }, line.number));
            };
            digits = address.digits;
            longest = longest.max(digits);
            // The file ends in the middle of this address.
            if is_last && address.ends_text && digits < longest {
                break;
            }
            stack.push(self.addresses.location(builder, value));
        }
        if is_last && (digits < longest || !row.addresses.ended_well()) {
            self.warn(WarningKind::CutStack, line.number);
        }
        self.sample(row.counts, &stack, builder).map_err(|kind| fail(kind, line.number))?;
        Ok(true)
    }

    /// Adds a row. `counts`: in use and allocated, objects and bytes.
    fn sample(&mut self, counts: [i64; 4], stack: &[LocationId], builder: &mut ProfileBuilder) -> Result<(), ErrorKind> {
        let [objects, bytes, all_objects, all_bytes] = counts;
        let mut mean = 0;
        let mut pair = |objects: i64, bytes: i64, pair: &'static str| {
            if objects == 0 {
                return if bytes == 0 { Ok((0, 0)) } else { Err(ErrorKind::BytesWithoutObjects { bytes, pair }) };
            }
            mean = bytes.checked_div(objects).unwrap_or(i64::MAX);
            Ok(self.header.sampling.undo(objects, bytes, self.parts))
        };
        let allocated = if self.header.has_alloc { Some(pair(all_objects, all_bytes, "allocated")?) } else { None };
        let in_use = pair(objects, bytes, "in use")?;
        for (sum, count) in self.sums.iter_mut().zip(counts) {
            *sum = sum.saturating_add(count);
        }
        let labels = builder.label_set(&[Label { key: self.label, value: LabelValue::Number(mean, StrId(0)) }]);
        match allocated {
            Some((n, b)) => builder.sample(stack, labels, &[n, b, in_use.0, in_use.1]),
            None => builder.sample(stack, labels, &[in_use.0, in_use.1]),
        }
        Ok(())
    }

    /// Accounts for the part of the header's total that no row has: warns, and adds a row for it if the cause is known.
    /// gperftools up to 2.15 writes into a buffer of 1 MiB, sorted by bytes in use, and drops the rows that do not fit.
    fn account_for_the_rest(&mut self, size: usize, builder: &mut ProfileBuilder) {
        let missing: Vec<i64> = self.header.counts.iter().zip(self.sums).map(|(h, s)| h.saturating_sub(s).max(0)).collect();
        let [objects, bytes, all_objects, all_bytes] = missing[..] else { return };
        if bytes == 0 && all_bytes == 0 {
            return;
        }
        let at_the_limit = (1_000_000..=1 << 20).contains(&size);
        if self.has_map && at_the_limit && self.header.sampling == Sampling::None {
            let name = builder.string(LOST_ROWS);
            let function = builder.function_named(name);
            let line = crate::profile::Line { function: Some(function), line: 0, column: 0 };
            let location = builder.location(None, 0, &[line]);
            let values = [all_objects, all_bytes, objects, bytes].map(|n| n.saturating_mul(self.parts));
            builder.sample(&[location], Labels::NONE, if self.header.has_alloc { &values } else { &values[2..] });
            self.warn(WarningKind::BufferLimit { objects, bytes }, self.header.line);
        } else if !self.has_map && self.warnings.is_empty() && self.sums.iter().all(|&s| s >= 0) {
            let which = if bytes > 0 { 1 } else { 3 };
            self.warn(WarningKind::CutRows { rows: self.sums[which], header: self.header.counts[which] }, self.header.line);
        }
    }
}

#[cfg(test)]
#[path = "gperftools_tests.rs"]
mod tests;
