//! Collapsed stacks, as written by `stackcollapse-*` scripts and read by flame graph tools; also the notation of our own test
//! fixtures.
//!
//! ```text
//! # inuse_space bytes, inuse_objects count
//! main;load;alloc 96 3
//! main;load (load.rs:12);parse_[i] 32 1 thread=worker size=32
//! ```
//!
//! * Frames are listed root first. The numbers follow the last blank, one per value type of the first line. Without such a line,
//!   one number is `inuse_space bytes`, two are `inuse_space bytes, inuse_objects count`.
//! * ` (file:line)` after a name is its source place. `_[i]` marks a function that was inlined into the frame before it: both are
//!   one location.
//! * `key=value` after the numbers is a label, numeric if the value looks like a number.
//! * The first value type is the default. Other lines that start with `#` are comments.
//!
//! There are no addresses and no mappings.

use super::Parsed;
use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind, excerpt};
use super::input::Input;
use super::lines::{Decimal, Lines, Scan};
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StrId};
use crate::profile::{Function, Label, LabelValue, Line, ProfileBuilder};

/// The format's name in messages.
pub(super) const NAME: &str = "folded";

const DEFAULT_TYPES: [(&str, &str); 2] = [("inuse_space", "bytes"), ("inuse_objects", "count")];

/// Returns whether the first lines are stacks or a header of value types.
pub(super) fn sniff(head: &[u8]) -> bool {
    if head.iter().any(|&b| b < b'\t') {
        return false;
    }
    let mut has_stack = false;
    let is_whole = head.len() < super::input::HEAD;
    for line in Lines::new(head, 1).take(10) {
        if !line.ended && !is_whole {
            // The head ends in this line: a deep stack, if it is the only one.
            return has_stack || line.number == 1 && line.bytes.iter().filter(|&&b| b == b';').count() > 3;
        }
        let text = line.bytes.trim_ascii();
        if text.starts_with(b"#") {
            has_stack |= header(text).is_some();
        } else if !text.is_empty() {
            match row(text, None) {
                Some(Ok(row)) => has_stack |= row.stack.contains(&b';'),
                _ => return false,
            }
        }
    }
    has_stack
}

/// Reads the text. Only numbers that do not fit and lines without numbers fail.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let text = input.text;
    let first = Lines::new(text, input.first_line).map(|l| l.bytes.trim_ascii()).find(|l| !l.is_empty()).unwrap_or_default();
    let types = header(first);
    let n_types = types.as_ref().map(Vec::len);
    let n_default = || {
        let mut stacks = Lines::new(text, 1).map(|l| l.bytes.trim_ascii()).filter(|l| !l.is_empty() && !l.starts_with(b"#"));
        stacks.next().and_then(|l| row(l, None)).and_then(Result::ok).map_or(1, |row| row.values.len())
    };
    let types = types.unwrap_or_else(|| DEFAULT_TYPES[..n_default()].iter().map(|(k, u)| ((*k).into(), (*u).into())).collect());
    let named: Vec<(&str, &str)> = types.iter().map(|(kind, unit)| (&**kind, &**unit)).collect();
    let mut reader = Reader { builder: ProfileBuilder::new(&named), known: HashMap::default(), stack: Vec::new() };
    reader.builder.bound_by_input(text.len());
    reader.builder.meta().default_type = named.first().map_or("", |t| t.0).to_owned();

    let mut warnings: Vec<Warning> = input.warning(NAME).into_iter().collect();
    for line in Lines::new(text, input.first_line) {
        let text = line.bytes.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let at = Some(Position::Line(line.number));
        let fail = |kind| ParseError { format: NAME, kind, at };
        match row(text, n_types.or(Some(named.len()))) {
            Some(Ok(row)) => reader.add(&row),
            Some(Err(())) => return Err(fail(ErrorKind::Number { what: "a value", found: excerpt(text) })),
            None if !line.ended => warnings.push(Warning { format: NAME, kind: WarningKind::CutLine, at }),
            None => {
                let expected = "`frame;frame;frame` and a number for each value type";
                return Err(fail(ErrorKind::Line { expected, found: excerpt(text) }));
            }
        }
    }
    Ok(Parsed { profile: reader.builder.build(), format: NAME, warnings })
}

/// `# kind unit, kind unit`
fn header(line: &[u8]) -> Option<Vec<(String, String)>> {
    let text = std::str::from_utf8(line.strip_prefix(b"#")?).ok()?;
    text.split(',')
        .map(|pair| {
            let mut words = pair.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some(kind), Some(unit), None) => Some((kind.to_owned(), unit.to_owned())),
                _ => None,
            }
        })
        .collect()
}

struct Row<'a> {
    stack: &'a [u8],
    values: Vec<i64>,
    labels: Vec<(&'a [u8], &'a [u8])>,
}

/// Takes a line apart from its end. `n_values`: how many numbers there must be; one
/// or two if it is not known. `Some(Err)` when a number does not fit.
fn row(line: &[u8], n_values: Option<usize>) -> Option<Result<Row<'_>, ()>> {
    let most = n_values.unwrap_or(DEFAULT_TYPES.len());
    let mut row = Row { stack: line, values: Vec::with_capacity(most), labels: Vec::new() };
    while row.values.len() < most {
        let (before, word) = last_word(row.stack);
        if row.values.is_empty()
            && let Some(label) = label(word)
        {
            row.labels.push(label);
        } else {
            match number(word) {
                Some(Decimal::Fits(value)) => row.values.push(value),
                Some(Decimal::TooBig(_)) => return Some(Err(())),
                None => break,
            }
        }
        row.stack = before;
    }
    row.values.reverse();
    row.labels.reverse();
    let enough = if n_values.is_some() { row.values.len() == most } else { !row.values.is_empty() };
    enough.then_some(Ok(row))
}

/// Splits off the last word; blanks before it are dropped.
fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let cut = text.iter().rposition(u8::is_ascii_whitespace).map_or(0, |i| i + 1);
    (text[..cut].trim_ascii_end(), &text[cut..])
}

fn label(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = word.iter().position(|&b| b == b'=')?;
    let (key, value) = (&word[..equals], &word[equals + 1..]);
    let is_key = !key.is_empty() && key.iter().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b));
    (is_key && !value.is_empty()).then_some((key, value))
}

/// The number that all of `word` is.
fn number(word: &[u8]) -> Option<Decimal> {
    let mut scan = Scan::new(word);
    let number = scan.decimal()?;
    scan.rest().is_empty().then_some(number)
}

struct Reader<'a> {
    builder: ProfileBuilder,
    /// Text of a location (its frames, `;` between them) → location.
    known: HashMap<&'a [u8], LocationId>,
    stack: Vec<LocationId>,
}

const INLINED: &[u8] = b"_[i]";

impl<'a> Reader<'a> {
    fn add(&mut self, row: &Row<'a>) {
        self.stack.clear();
        let mut rest = row.stack;
        while !rest.is_empty() {
            let end = location_end(rest);
            let text = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if !text.is_empty() {
                let location = match self.known.get(text) {
                    Some(&location) => location,
                    None => self.discover(text),
                };
                self.stack.push(location);
            }
        }
        self.stack.reverse();
        let labels: Vec<Label> = row.labels.iter().map(|(key, value)| self.label(key, value)).collect();
        let labels = self.builder.label_set(&labels);
        self.builder.sample(&self.stack, labels, &row.values);
    }

    fn discover(&mut self, text: &'a [u8]) -> LocationId {
        let mut lines: Vec<Line> = text.split(|&b| b == b';').filter(|f| !f.is_empty()).map(|f| self.frame(f)).collect();
        lines.reverse();
        let location = self.builder.location(None, 0, &lines);
        self.known.insert(text, location);
        location
    }

    fn frame(&mut self, frame: &[u8]) -> Line {
        let frame = frame.strip_suffix(INLINED).unwrap_or(frame);
        let (name, file, line) = place(frame).unwrap_or((frame, b"", 0));
        let mut text = |bytes: &[u8]| self.builder.string(&String::from_utf8_lossy(bytes));
        let (name, filename) = (text(name.trim_ascii()), text(file));
        // Most writers have made the display names; such ones are left alone.
        let is_mangled = ["_Z", "__Z", "_R", "__R"].iter().any(|start| self.builder.text(name).starts_with(start));
        let system_name = if is_mangled { name } else { StrId(0) };
        let function = self.builder.function(Function { name, system_name, filename, ..Function::default() });
        Line { function: Some(function), line, column: 0 }
    }

    fn label(&mut self, key: &[u8], value: &[u8]) -> Label {
        let mut text = |bytes: &[u8]| self.builder.string(&String::from_utf8_lossy(bytes));
        let key = text(key);
        let value = match number(value) {
            Some(Decimal::Fits(n)) => LabelValue::Number(n, StrId(0)),
            _ => LabelValue::Text(text(value)),
        };
        Label { key, value }
    }
}

/// End of the first location of a stack: before the first `;` whose frame is not inlined.
fn location_end(stack: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let frame = stack[end..].iter().position(|&b| b == b';').map_or(stack.len(), |i| end + i);
        let next = stack.get(frame + 1..).map(|rest| rest.split(|&b| b == b';').next().unwrap_or_default());
        match next {
            Some(next) if next.ends_with(INLINED) => end = frame + 1,
            _ => return frame,
        }
    }
}

/// `name (file:line)`
fn place(frame: &[u8]) -> Option<(&[u8], &[u8], i64)> {
    let inner = frame.strip_suffix(b")")?;
    let open = inner.windows(2).rposition(|w| w == b" (")?;
    let (name, inside) = (&inner[..open], &inner[open + 2..]);
    let colon = inside.iter().rposition(|&b| b == b':')?;
    match number(&inside[colon + 1..])? {
        Decimal::Fits(line) if line >= 0 && colon > 0 && !name.is_empty() => Some((name, &inside[..colon], line)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "folded_tests.rs"]
mod tests;
