//! pprof's protobuf (`proto/profile.proto`), as written by Go, jemalloc_pprof and many others.
//!
//! Messages may come in any order, usually with the string table last, so the buffer is read twice: first for everything that
//! samples refer to, then for the samples. At most one decoded sample is in memory at a time. Values are not scaled; writers
//! un-sample. As strict as google/pprof (`profile/encode.go`, `CheckValid`): dangling references are errors.

use prost::Message;

use super::Parsed;
use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::input::Input;
use super::unsample::sampled_every;
use super::wire::{Fields, Value};
use crate::base::hash::HashMap;
use crate::base::id::{FunctionId, LocationId, MappingId, StrId};
use crate::profile::{Function, Label, LabelValue, Line, MOST_COMMENTS, Mapping, ProfileBuilder, ValueType};
use crate::proto;

/// The format's name in messages.
pub(super) const NAME: &str = "pprof";

/// Field number → whether a message or text is in it (else a number). Comments may
/// be either: they are packed or not.
const HAS_BYTES: [bool; 16] = [false, true, true, true, true, true, true, false, false, false, false, true, false, true, false, false];
const COMMENT: u32 = 13;
/// Maximum number of value types: writers have only a few, and every report iterates over all.
const MOST_VALUE_TYPES: usize = 1000;

/// Returns whether the first few fields are those of a profile.
pub(super) fn sniff(head: &[u8]) -> bool {
    let mut fields = Fields::new(head);
    let mut seen = 0;
    while seen < 3 {
        match fields.next() {
            Ok(None) => break,
            Ok(Some(field)) => {
                let known = HAS_BYTES.get(field.number as usize);
                let fits = match (known, field.value) {
                    (None, _) => seen > 0,
                    (Some(_), Value::Fixed(_)) => false,
                    (Some(bytes), Value::Bytes(_)) => *bytes,
                    (Some(bytes), Value::Varint(_)) => !*bytes || field.number == COMMENT,
                };
                if !fits {
                    return false;
                }
                seen += 1;
            }
            // The head may end in a long field.
            Err((at, _)) => return seen > 0 || at == 0 && begins_a_long_message(head),
        }
    }
    seen > 0
}

/// Returns whether a message of the schema starts that is longer than any head.
fn begins_a_long_message(head: &[u8]) -> bool {
    let mut rest = head;
    match prost::encoding::decode_key(&mut rest) {
        Ok((number, prost::encoding::WireType::LengthDelimited)) if HAS_BYTES.get(number as usize) == Some(&true) => {
            prost::encoding::decode_varint(&mut rest).is_ok_and(|n| n > 256 && n < 1 << 40)
        }
        _ => false,
    }
}

/// Reads the message.
///
/// # Errors
/// When the bytes are no profile, are cut off, or refer to what is not there.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    if let Some(container) = input.cut {
        return Err(fail(ErrorKind::CompressionCut { container, expanded: input.text.len() }, None));
    }
    let tables = Tables::collect(input.text)?;
    let mut texts = Texts::new(&tables)?;
    if tables.n_types > MOST_VALUE_TYPES {
        return Err(fail(ErrorKind::TooManyValueTypes { found: tables.n_types, most: MOST_VALUE_TYPES }, None));
    }
    let mut types = Vec::with_capacity(tables.types.len());
    for t in &tables.types {
        types.push(ValueType::new(&texts.plain(t.r#type, "a value type")?, &texts.plain(t.unit, "a value type's unit")?));
    }
    let mut builder = ProfileBuilder::with_dump(types, Default::default());
    builder.bound_by_input(input.text.len());
    let mappings = read_mappings(&tables, &mut texts, &mut builder)?;
    let functions = read_functions(&tables, &mut texts, &mut builder)?;
    let locations = read_locations(&tables, &mappings, &functions, &mut builder)?;
    read_samples(input.text, tables.types.len(), &locations, &mut texts, &mut builder)?;

    let head = &tables.head;
    let (drop_frames, keep_frames) = (texts.plain(head.drop_frames, "drop_frames")?, texts.plain(head.keep_frames, "keep_frames")?);
    let period_type = match &head.period_type {
        Some(t) => Some(ValueType::new(&texts.plain(t.r#type, "the period type")?, &texts.plain(t.unit, "the period's unit")?)),
        None => None,
    };
    let lengths = head.comment.iter().map_while(|&c| texts.index(c, "a comment").ok().map(|i| texts.table[i].len()));
    let n_shown = builder.meta().room_for_comments(lengths);
    // The next one is looked up, too: it may be missing.
    let shown = head.comment.iter().take(n_shown + 1).map(|&c| texts.index(c, "a comment")).collect::<Result<Vec<_>, _>>()?;
    let comments = shown.into_iter().take(n_shown).map(|i| String::from_utf8_lossy(texts.table[i]).into_owned()).collect();
    let mut warnings = Vec::new();
    if n_shown < tables.n_comments {
        let kind = WarningKind::TooManyComments { shown: n_shown, found: tables.n_comments };
        warnings.push(Warning { format: NAME, kind, at: None });
    }
    let (default_type, doc_url) = (texts.plain(head.default_sample_type, "the default type")?, texts.plain(head.doc_url, "doc_url")?);
    // Period type of heap profilers: allocated bytes.
    let is_space = period_type.as_ref().is_some_and(|t| t.kind.ends_with("space") && t.unit.eq_ignore_ascii_case("bytes"));
    builder.dump().period = if is_space { sampled_every(head.period) } else { 0 };
    let meta = builder.meta();
    meta.period_type = period_type.filter(|t| !t.kind.is_empty() || !t.unit.is_empty());
    meta.period = head.period;
    meta.default_type = default_type;
    meta.comments = comments;
    meta.doc_url = doc_url;
    meta.drop_frames = drop_frames;
    meta.keep_frames = keep_frames;
    builder.dump().time_nanos = head.time_nanos;
    builder.dump().duration_nanos = head.duration_nanos;
    Ok(Parsed { profile: builder.build(), format: NAME, warnings })
}

fn fail(kind: ErrorKind, at: Option<usize>) -> ParseError {
    ParseError { format: NAME, kind, at: at.map(Position::Byte) }
}

fn wire(message: &'static str, reason: String, at: usize) -> ParseError {
    fail(ErrorKind::Wire { message, reason }, Some(at))
}

/// Range of a message in the file.
#[derive(Clone, Copy)]
struct Slice<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Slice<'_> {
    /// Decodes into `message`, reusing its memory.
    fn decode<M: Message>(&self, name: &'static str, message: &mut M) -> Result<(), ParseError> {
        message.clear();
        message.merge(self.bytes).map_err(|e| wire(name, e.to_string(), self.at))
    }
}

/// Everything but the samples; large parts stay undecoded.
#[derive(Default)]
struct Tables<'a> {
    types: Vec<proto::ValueType>,
    mappings: Vec<Slice<'a>>,
    locations: Vec<Slice<'a>>,
    functions: Vec<Slice<'a>>,
    texts: Vec<&'a [u8]>,
    /// Value types, those left out of `types` included.
    n_types: usize,
    /// Comments, those left out of `head` included.
    n_comments: usize,
    /// The fields that are there once, and the first comments.
    head: proto::Profile,
}

impl<'a> Tables<'a> {
    fn collect(message: &'a [u8]) -> Result<Self, ParseError> {
        let mut tables = Tables::default();
        let mut fields = Fields::new(message);
        while let Some(field) = fields.next().map_err(|(at, reason)| wire("profile", reason, at))? {
            let at = field.offset;
            let head = &mut tables.head;
            match (field.number, field.value) {
                (1, Value::Bytes(bytes)) => {
                    let mut value_type = proto::ValueType::default();
                    Slice { bytes, at }.decode("value type", &mut value_type)?;
                    tables.n_types += 1;
                    if tables.n_types <= MOST_VALUE_TYPES {
                        tables.types.push(value_type);
                    }
                }
                // Second walk.
                (2, Value::Bytes(_)) => {}
                (3, Value::Bytes(bytes)) => tables.mappings.push(Slice { bytes, at }),
                (4, Value::Bytes(bytes)) => tables.locations.push(Slice { bytes, at }),
                (5, Value::Bytes(bytes)) => tables.functions.push(Slice { bytes, at }),
                (6, Value::Bytes(text)) => {
                    if tables.texts.is_empty() && !text.is_empty() {
                        return Err(fail(ErrorKind::TextTable { found: "another text in its place" }, Some(at)));
                    }
                    tables.texts.push(text);
                }
                (7, Value::Varint(n)) => head.drop_frames = n as i64,
                (8, Value::Varint(n)) => head.keep_frames = n as i64,
                (9, Value::Varint(_)) if head.time_nanos != 0 => return Err(fail(ErrorKind::Concatenated, Some(at))),
                (9, Value::Varint(n)) => head.time_nanos = n as i64,
                (10, Value::Varint(n)) => head.duration_nanos = n as i64,
                (11, Value::Bytes(bytes)) => {
                    let mut value_type = proto::ValueType::default();
                    Slice { bytes, at }.decode("value type", &mut value_type)?;
                    head.period_type = Some(value_type);
                }
                (12, Value::Varint(n)) => head.period = n as i64,
                (COMMENT, Value::Varint(n)) => tables.add_comment(n),
                (COMMENT, Value::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        let n = prost::encoding::decode_varint(&mut packed).map_err(|e| wire("list of comments", e.to_string(), at))?;
                        tables.add_comment(n);
                    }
                }
                (14, Value::Varint(n)) => head.default_sample_type = n as i64,
                (15, Value::Varint(n)) => head.doc_url = n as i64,
                (number, _) if HAS_BYTES.get(number as usize).is_some() => {
                    return Err(wire("profile", format!("field {number} has the wrong wire type"), at));
                }
                _ => {}
            }
        }
        Ok(tables)
    }

    fn add_comment(&mut self, index: u64) {
        self.n_comments += 1;
        if self.n_comments <= MOST_COMMENTS + 1 {
            self.head.comment.push(index as i64);
        }
    }
}

/// The string table, and which of its texts the builder knows already.
struct Texts<'a> {
    table: &'a [&'a [u8]],
    known: Vec<Option<StrId>>,
}

impl<'a> Texts<'a> {
    fn new(tables: &'a Tables<'a>) -> Result<Self, ParseError> {
        if tables.texts.is_empty() {
            return Err(fail(ErrorKind::TextTable { found: "no string table" }, None));
        }
        Ok(Texts { table: &tables.texts, known: vec![None; tables.texts.len()] })
    }

    fn index(&self, index: i64, field: &'static str) -> Result<usize, ParseError> {
        let len = self.table.len();
        let found = usize::try_from(index).ok().filter(|&i| i < len);
        found.ok_or_else(|| fail(ErrorKind::TextIndex { field, index, len }, None))
    }

    /// A text that does not go into the profile's table.
    fn plain(&self, index: i64, field: &'static str) -> Result<String, ParseError> {
        Ok(String::from_utf8_lossy(self.table[self.index(index, field)?]).into_owned())
    }

    /// A text of the profile's table.
    fn intern(&mut self, index: i64, field: &'static str, builder: &mut ProfileBuilder) -> Result<StrId, ParseError> {
        let index = self.index(index, field)?;
        Ok(*self.known[index].get_or_insert_with(|| builder.string(&String::from_utf8_lossy(self.table[index]))))
    }
}

/// Ids of a table. Writers number from 1, or use addresses.
struct Ids<T> {
    table: &'static str,
    dense: Vec<Option<T>>,
    sparse: HashMap<u64, T>,
}

impl<T: Copy> Ids<T> {
    fn new(table: &'static str, rows: usize) -> Self {
        Ids { table, dense: vec![None; rows + 1], sparse: HashMap::default() }
    }

    fn insert(&mut self, id: u64, row: T, at: usize) -> Result<(), ParseError> {
        let found = match usize::try_from(id).ok().and_then(|i| self.dense.get_mut(i)) {
            _ if id == 0 => Some("a reserved id"),
            Some(slot) => slot.replace(row).map(|_| "two"),
            None => self.sparse.insert(id, row).map(|_| "two"),
        };
        match found {
            Some(found) => Err(fail(ErrorKind::Id { table: self.table, id, found }, Some(at))),
            None => Ok(()),
        }
    }

    #[inline]
    fn get(&self, id: u64) -> Option<T> {
        match usize::try_from(id).ok().and_then(|i| self.dense.get(i)) {
            Some(slot) => *slot,
            None => self.sparse.get(&id).copied(),
        }
    }

    #[inline]
    fn expect(&self, id: u64, at: usize) -> Result<T, ParseError> {
        self.get(id).ok_or_else(|| fail(ErrorKind::Id { table: self.table, id, found: "none" }, Some(at)))
    }
}

fn read_mappings(tables: &Tables<'_>, texts: &mut Texts<'_>, builder: &mut ProfileBuilder) -> Result<Ids<MappingId>, ParseError> {
    let mut ids = Ids::new("mapping", tables.mappings.len());
    let mut message = proto::Mapping::default();
    // Many mappings may have one long text.
    let mut build_ids: HashMap<i64, StrId> = HashMap::default();
    for slice in &tables.mappings {
        slice.decode("mapping", &mut message)?;
        let build_id = match build_ids.get(&message.build_id) {
            Some(&known) => known,
            None => builder.string(&texts.plain(message.build_id, "a build id")?.to_ascii_lowercase()),
        };
        build_ids.insert(message.build_id, build_id);
        let mapping = Mapping {
            start: message.memory_start,
            limit: message.memory_limit,
            offset: message.file_offset,
            file: texts.intern(message.filename, "a mapping's file", builder)?,
            build_id,
            bias: None,
            is_deleted: false,
            has_functions: message.has_functions,
            has_filenames: message.has_filenames,
            has_line_numbers: message.has_line_numbers,
            has_inline_frames: message.has_inline_frames,
            ..Mapping::default()
        };
        ids.insert(message.id, builder.mapping(mapping), slice.at)?;
    }
    Ok(ids)
}

fn read_functions(tables: &Tables<'_>, texts: &mut Texts<'_>, builder: &mut ProfileBuilder) -> Result<Ids<FunctionId>, ParseError> {
    let mut ids = Ids::new("function", tables.functions.len());
    let mut message = proto::Function::default();
    for slice in &tables.functions {
        slice.decode("function", &mut message)?;
        let function = Function {
            name: texts.intern(message.name, "a function's name", builder)?,
            system_name: texts.intern(message.system_name, "a function's system name", builder)?,
            filename: texts.intern(message.filename, "a function's file", builder)?,
            start_line: message.start_line,
            ..Function::default()
        };
        ids.insert(message.id, builder.function(function), slice.at)?;
    }
    Ok(ids)
}

fn read_locations(
    tables: &Tables<'_>,
    mappings: &Ids<MappingId>,
    functions: &Ids<FunctionId>,
    builder: &mut ProfileBuilder,
) -> Result<Ids<LocationId>, ParseError> {
    let mut ids = Ids::new("location", tables.locations.len());
    let mut message = proto::Location::default();
    let mut lines: Vec<Line> = Vec::new();
    for slice in &tables.locations {
        slice.decode("location", &mut message)?;
        lines.clear();
        for line in &message.line {
            let function = functions.expect(line.function_id, slice.at)?;
            lines.push(Line { function: Some(function), line: line.line, column: line.column });
        }
        // An unknown mapping is none.
        let mapping = mappings.get(message.mapping_id);
        let location = builder.location_folded(mapping, message.address, &lines, message.is_folded);
        ids.insert(message.id, location, slice.at)?;
    }
    Ok(ids)
}

fn read_samples(
    profile: &[u8],
    n_types: usize,
    locations: &Ids<LocationId>,
    texts: &mut Texts<'_>,
    builder: &mut ProfileBuilder,
) -> Result<(), ParseError> {
    let mut message = proto::Sample::default();
    let mut stack: Vec<LocationId> = Vec::new();
    let mut labels: Vec<Label> = Vec::new();
    let mut fields = Fields::new(profile);
    while let Some(field) = fields.next().map_err(|(at, reason)| wire("profile", reason, at))? {
        let (2, Value::Bytes(bytes)) = (field.number, field.value) else { continue };
        let at = field.offset;
        Slice { bytes, at }.decode("sample", &mut message)?;
        if n_types == 0 {
            return Err(fail(ErrorKind::NoValueTypes, Some(at)));
        }
        if message.value.len() != n_types {
            return Err(fail(ErrorKind::Values { expected: n_types, found: message.value.len() }, Some(at)));
        }
        stack.clear();
        for &id in &message.location_id {
            stack.push(locations.expect(id, at)?);
        }
        labels.clear();
        for label in &message.label {
            let key = texts.intern(label.key, "a label's key", builder)?;
            // A number 0 without a unit is no label: writers leave zeros out.
            let value = if label.str != 0 {
                LabelValue::Text(texts.intern(label.str, "a label", builder)?)
            } else if label.num != 0 || label.num_unit != 0 {
                LabelValue::Number(label.num, texts.intern(label.num_unit, "a label's unit", builder)?)
            } else {
                continue;
            };
            labels.push(Label { key, value });
        }
        let labels = builder.label_set(&labels);
        builder.sample(&stack, labels, &message.value);
    }
    Ok(())
}

#[cfg(test)]
#[path = "pprof_tests.rs"]
mod tests;
