//! Profiles of OpenTelemetry as one profile of pprof.

use std::rc::Rc;

use prost::Message;
use prost::encoding::message;

use super::budget::Budget;
use super::dictionary::{Dictionary, any_value, indices, numbers};
use crate::base::hash::HashMap;
use crate::feeds::error::BadRequest;
use crate::feeds::push::walk;
use crate::feeds::series::MOST_LABELS;
use crate::parse::wire::Value;
use crate::proto;

/// Most samples of a request.
const MOST_SAMPLES: usize = 1_000_000;

/// Most frames of a stack, and most values of a sample.
const MOST_NUMBERS: usize = 10_000;

/// Most frames of all samples of a request: samples that share a deep stack are small here, and not in pprof.
const MOST_FRAMES: usize = 50_000_000;

/// Bytes of an entry of a table of what was written, about; a row has two such entries.
const ENTRY: usize = 64;

/// Attribute of a mapping with its build id.
const BUILD_ID: &[u8] = b"process.executable.build_id.gnu";

/// Writes profiles of pprof within limits of the whole request.
pub(super) struct Converter<'a, 'r> {
    dictionary: &'a Dictionary<'a>,
    budget: Budget<'r>,
    n_samples: usize,
    n_frames: usize,
    n_profiles: usize,
}

/// Rows with the same stack and attributes, of all value types.
struct Row {
    stack: u64,
    attributes: Rc<[u64]>,
    values: Vec<i64>,
}

/// One profile that is being written.
struct Writer<'c, 'a, 'r> {
    of: &'c mut Converter<'a, 'r>,
    out: Vec<u8>,
    texts: HashMap<Vec<u8>, i64>,
    /// Index in the dictionary → identifier.
    strings: HashMap<u64, i64>,
    labels: HashMap<u64, Option<proto::Label>>,
    mappings: HashMap<u64, u64>,
    locations: HashMap<u64, u64>,
    functions: HashMap<u64, u64>,
}

impl<'a, 'r> Converter<'a, 'r> {
    pub(super) fn new(dictionary: &'a Dictionary<'a>, budget: Budget<'r>) -> Self {
        Converter { dictionary, budget, n_samples: 0, n_frames: 0, n_profiles: 0 }
    }

    /// One profile, plain, of profiles with a value type each.
    pub(super) fn pprof(&mut self, profiles: &[&[u8]], time: u64) -> Result<Vec<u8>, BadRequest> {
        self.n_profiles += 1;
        let mut writer = Writer {
            of: self,
            out: Vec::new(),
            texts: HashMap::default(),
            strings: HashMap::default(),
            labels: HashMap::default(),
            mappings: HashMap::default(),
            locations: HashMap::default(),
            functions: HashMap::default(),
        };
        writer.text(b"")?;
        writer.write(profiles, time)?;
        Ok(writer.out)
    }

    fn bad(&self, reason: impl Into<String>) -> BadRequest {
        BadRequest::Otlp { profile: self.n_profiles, reason: reason.into() }
    }

    /// An entry of a table, which is decoded now: that takes time for each reference.
    fn decoded(&mut self, table: &[&'a [u8]], name: &str, index: u64) -> Result<&'a [u8], BadRequest> {
        let message = self.entry(table, name, index)?;
        self.budget.read(message.len())?;
        Ok(message)
    }

    /// An entry of a table.
    fn entry(&self, table: &[&'a [u8]], name: &str, index: u64) -> Result<&'a [u8], BadRequest> {
        let found = usize::try_from(index).ok().and_then(|at| table.get(at));
        found.copied().ok_or_else(|| self.bad(format!("{name} {} is not in the dictionary", index.cast_signed())))
    }
}

impl<'a> Writer<'_, 'a, '_> {
    fn put(&mut self, field: u32, message: &impl Message) -> Result<(), BadRequest> {
        let before = self.out.len();
        message::encode(field, message, &mut self.out);
        self.written(before)
    }

    fn written(&mut self, before: usize) -> Result<(), BadRequest> {
        self.of.budget.spend(self.out.len() - before)
    }

    /// Index of a text in the table of strings.
    fn text(&mut self, text: &[u8]) -> Result<i64, BadRequest> {
        self.of.budget.read(text.len())?;
        if let Some(&index) = self.texts.get(text) {
            return Ok(index);
        }
        self.of.budget.spend(ENTRY + text.len())?;
        let index = i64::try_from(self.texts.len()).unwrap_or(i64::MAX);
        let (text, before) = (text.to_vec(), self.out.len());
        prost::encoding::bytes::encode(6, &text, &mut self.out);
        self.texts.insert(text, index);
        self.written(before)?;
        Ok(index)
    }

    /// Index of a string of the dictionary.
    fn string(&mut self, index: u64) -> Result<i64, BadRequest> {
        if index == 0 {
            return Ok(0);
        }
        if let Some(&known) = self.strings.get(&index) {
            return Ok(known);
        }
        let text = self.text(self.of.entry(&self.of.dictionary.strings, "string", index)?)?;
        self.of.budget.spend(ENTRY)?;
        self.strings.insert(index, text);
        Ok(text)
    }

    fn value_type(&mut self, message: &[u8]) -> Result<proto::ValueType, BadRequest> {
        let [of, unit] = indices("value type", message)?;
        Ok(proto::ValueType { r#type: self.string(of)?, unit: self.string(unit)? })
    }

    fn write(&mut self, profiles: &[&[u8]], time: u64) -> Result<(), BadRequest> {
        let mut rows: Vec<Row> = Vec::new();
        let mut known: HashMap<(u64, Rc<[u64]>), usize> = HashMap::default();
        let (mut duration, mut period, mut period_type) = (0, 0, None);
        for (column, profile) in profiles.iter().enumerate() {
            let mut value_type = None;
            walk("profile", profile, |field, value| {
                match (field, value) {
                    (1, Value::Bytes(bytes)) => value_type = Some(bytes),
                    (2, Value::Bytes(sample)) => {
                        let (stack, attributes, sum) = self.sample(sample)?;
                        let attributes: Rc<[u64]> = attributes.into();
                        let at = match known.get(&(stack, attributes.clone())) {
                            Some(&at) => at,
                            None => {
                                self.of.budget.spend(2 * ENTRY + 8 * (attributes.len() + profiles.len()))?;
                                known.insert((stack, attributes.clone()), rows.len());
                                rows.push(Row { stack, attributes, values: vec![0; profiles.len()] });
                                rows.len() - 1
                            }
                        };
                        rows[at].values[column] = rows[at].values[column].saturating_add(sum);
                    }
                    (4, Value::Varint(nanos)) => duration = nanos,
                    (5, Value::Bytes(bytes)) => period_type = Some(bytes),
                    (6, Value::Varint(of)) => period = of,
                    _ => {}
                }
                Ok(())
            })?;
            let value_type = self.value_type(value_type.unwrap_or_default())?;
            self.put(1, &value_type)?;
        }
        drop(known);
        for row in rows {
            let location_id = self.stack(row.stack)?;
            let label = row.attributes.iter().map(|&index| self.label(index)).collect::<Result<Vec<_>, _>>()?;
            let label = label.into_iter().flatten().collect();
            self.put(2, &proto::Sample { location_id, value: row.values, label })?;
        }
        let period_type = period_type.map(|message| self.value_type(message)).transpose()?;
        let (before, signed) = (self.out.len(), |n: u64| i64::try_from(n).unwrap_or(0));
        let (time_nanos, duration_nanos) = (signed(time), signed(duration));
        let head = proto::Profile { time_nanos, duration_nanos, period_type, period: period.cast_signed(), ..Default::default() };
        head.encode(&mut self.out).map_err(|error| self.of.bad(error.to_string()))?;
        self.written(before)
    }

    /// Stack, attributes and value. Values are one number, or one for each time.
    fn sample(&mut self, message: &[u8]) -> Result<(u64, Vec<u64>, i64), BadRequest> {
        self.of.n_samples += 1;
        if self.of.n_samples > MOST_SAMPLES {
            return Err(self.of.bad(format!("the request has more than {MOST_SAMPLES} samples")));
        }
        let (mut stack, mut attributes, mut values, mut n_times) = (0, Vec::new(), Vec::new(), 0);
        walk("sample", message, |field, value| {
            match (field, value) {
                (1, Value::Varint(index)) => stack = index,
                (2, value) => numbers("attributes of a sample", value, MOST_LABELS, &mut attributes)?,
                (4, value) => numbers("values of a sample", value, MOST_NUMBERS, &mut values)?,
                (5, Value::Bytes(packed)) => n_times += packed.len() / 8,
                (5, Value::Fixed(_)) => n_times += 1,
                _ => {}
            }
            Ok(())
        })?;
        let sum = values.iter().fold(0i64, |sum, value| sum.saturating_add(value.cast_signed()));
        Ok((stack, attributes, if values.is_empty() { i64::try_from(n_times).unwrap_or(0) } else { sum }))
    }

    /// Identifiers of the locations of a stack, the leaf first.
    fn stack(&mut self, index: u64) -> Result<Vec<u64>, BadRequest> {
        let mut locations = Vec::new();
        if index != 0 {
            walk("stack", self.of.decoded(&self.of.dictionary.stacks, "stack", index)?, |field, value| match field {
                1 => numbers("frames of a stack", value, MOST_NUMBERS, &mut locations),
                _ => Ok(()),
            })?;
        }
        self.of.n_frames += locations.len();
        if self.of.n_frames > MOST_FRAMES {
            return Err(self.of.bad(format!("the samples of the request have more than {MOST_FRAMES} frames")));
        }
        locations.into_iter().filter(|&index| index != 0).map(|index| self.location(index)).collect()
    }

    fn location(&mut self, index: u64) -> Result<u64, BadRequest> {
        if let Some(&id) = self.locations.get(&index) {
            return Ok(id);
        }
        self.of.budget.spend(ENTRY)?;
        let id = self.locations.len() as u64 + 1;
        self.locations.insert(index, id);
        let (mut mapping, mut address, mut line) = (0, 0, Vec::new());
        walk("location", self.of.decoded(&self.of.dictionary.locations, "location", index)?, |field, value| {
            match (field, value) {
                (1, Value::Varint(index)) => mapping = index,
                (2, Value::Varint(of)) => address = of,
                (3, Value::Bytes(of)) => {
                    // An empty one has two bytes in the request.
                    self.of.budget.spend(size_of::<proto::Line>())?;
                    line.push(self.line(of)?);
                }
                _ => {}
            }
            Ok(())
        })?;
        let mapping_id = self.mapping(mapping)?;
        self.put(4, &proto::Location { id, mapping_id, address, line, is_folded: false })?;
        Ok(id)
    }

    fn line(&mut self, message: &[u8]) -> Result<proto::Line, BadRequest> {
        let [function, line, column] = indices("line", message)?;
        Ok(proto::Line { function_id: self.function(function)?, line: line.cast_signed(), column: column.cast_signed() })
    }

    fn function(&mut self, index: u64) -> Result<u64, BadRequest> {
        if let Some(&id) = self.functions.get(&index) {
            return Ok(id);
        }
        if index == 0 {
            return Ok(0);
        }
        self.of.budget.spend(ENTRY)?;
        let id = self.functions.len() as u64 + 1;
        self.functions.insert(index, id);
        let message = self.of.decoded(&self.of.dictionary.functions, "function", index)?;
        let [name, system_name, filename, start_line] = indices("function", message)?;
        let (name, system_name, filename) = (self.string(name)?, self.string(system_name)?, self.string(filename)?);
        self.put(5, &proto::Function { id, name, system_name, filename, start_line: start_line.cast_signed() })?;
        Ok(id)
    }

    fn mapping(&mut self, index: u64) -> Result<u64, BadRequest> {
        if let Some(&id) = self.mappings.get(&index) {
            return Ok(id);
        }
        if index == 0 {
            return Ok(0);
        }
        self.of.budget.spend(ENTRY)?;
        let id = self.mappings.len() as u64 + 1;
        self.mappings.insert(index, id);
        let message = self.of.decoded(&self.of.dictionary.mappings, "mapping", index)?;
        let [memory_start, memory_limit, file_offset, filename] = indices("mapping", message)?;
        let mut attributes = Vec::new();
        walk("mapping", message, |field, value| match field {
            5 => numbers("attributes of a mapping", value, MOST_LABELS, &mut attributes),
            _ => Ok(()),
        })?;
        let (filename, mut build_id) = (self.string(filename)?, 0);
        for attribute in attributes {
            let (key, value) = self.attribute(attribute)?;
            if self.of.entry(&self.of.dictionary.strings, "string", key)? != BUILD_ID {
                continue;
            }
            if let Some(value) = any_value(value)? {
                build_id = self.text(value.as_bytes())?;
            }
        }
        let mapping = proto::Mapping { id, memory_start, memory_limit, file_offset, filename, build_id, ..Default::default() };
        self.put(3, &mapping)?;
        Ok(id)
    }

    /// Index of the name and undecoded value of an attribute.
    fn attribute(&mut self, index: u64) -> Result<(u64, &'a [u8]), BadRequest> {
        let (mut key, mut of) = (0, &b""[..]);
        walk("attribute", self.of.decoded(&self.of.dictionary.attributes, "attribute", index)?, |field, value| {
            match (field, value) {
                (1, Value::Varint(index)) => key = index,
                (2, Value::Bytes(bytes)) => of = bytes,
                _ => {}
            }
            Ok(())
        })?;
        Ok((key, of))
    }

    /// An attribute of a sample as a label; `None`: its value is a list, or nothing.
    fn label(&mut self, index: u64) -> Result<Option<proto::Label>, BadRequest> {
        if let Some(label) = self.labels.get(&index) {
            return Ok(*label);
        }
        self.of.budget.spend(ENTRY)?;
        let (key, value) = self.attribute(index)?;
        let mut number = None;
        walk("value", value, |field, value| {
            if let (3, Value::Varint(of)) = (field, value) {
                number = Some(of.cast_signed());
            }
            Ok(())
        })?;
        let key = self.string(key)?;
        let label = match number {
            Some(num) => Some(proto::Label { key, str: 0, num, num_unit: 0 }),
            None => match any_value(value)? {
                Some(text) => Some(proto::Label { key, str: self.text(text.as_bytes())?, num: 0, num_unit: 0 }),
                None => None,
            },
        };
        self.labels.insert(index, label);
        Ok(label)
    }
}
