//! A profile as JSON, for programs without protobuf: tables, then samples that refer to their rows by index.

use std::io::{self, Write};

use serde::Serialize;

use crate::base::id::{FrameId, Id};
use crate::base::json::write_json_value;
use crate::profile::{LabelValue, Profile};

#[derive(Serialize)]
struct ValueType<'a> {
    kind: &'a str,
    unit: &'a str,
}

#[derive(Serialize)]
struct Mapping<'a> {
    file: &'a str,
    build_id: &'a str,
    start: u64,
    limit: u64,
    offset: u64,
}

/// One frame: a code address, or one of the functions inlined there.
#[derive(Serialize)]
struct Frame<'a> {
    function: &'a str,
    system_name: &'a str,
    file: &'a str,
    line: i64,
    column: i64,
    start_line: i64,
    address: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mapping: Option<usize>,
    inlined: bool,
}

#[derive(Serialize)]
struct Label<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    unit: &'a str,
}

#[derive(Serialize)]
struct Sample<'a> {
    values: Vec<i64>,
    /// Frame numbers, leaf first.
    stack: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Label<'a>>,
}

/// Writes one JSON object: `value_types`, `time_nanos`, `duration_nanos`, `period`, `comments`,
/// `mappings`, `frames`, `samples` (values in the order of `value_types`, dumps added up; the
/// stack as frame numbers, leaf first). O(size), row by row.
///
/// # Errors
/// Errors of `out`.
pub fn write_json(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let types: Vec<ValueType> = profile.value_types().iter().map(|t| ValueType { kind: &t.kind, unit: &t.unit }).collect();
    write!(out, "{{\"value_types\":")?;
    write_json_value(out, &types)?;
    let meta = profile.meta();
    write!(out, ",\"time_nanos\":{},\"duration_nanos\":{},\"period\":{}", profile.time_nanos(), profile.duration_nanos(), meta.period)?;
    write!(out, ",\"comments\":")?;
    write_json_value(out, &meta.comments)?;
    list(out, "mappings", profile.code().mappings.iter().map(|m| mapping(profile, m)))?;
    list(out, "frames", profile.code().frames.ids().map(|frame| frame_of(profile, frame)))?;
    let columns: Vec<Vec<i64>> = (0..types.len()).map(|value_type| super::summed(profile, value_type)).collect();
    list(out, "samples", (0..profile.samples().len()).map(|row| sample(profile, &columns, row)))?;
    writeln!(out, "}}")
}

fn list<T: Serialize>(out: &mut dyn Write, name: &str, rows: impl Iterator<Item = T>) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (i, row) in rows.enumerate() {
        write!(out, "{}", if i == 0 { "\n" } else { ",\n" })?;
        write_json_value(out, &row)?;
    }
    write!(out, "]")
}

fn mapping<'a>(profile: &'a Profile, m: &crate::profile::Mapping) -> Mapping<'a> {
    Mapping { file: profile.text(m.file), build_id: profile.text(m.build_id), start: m.start, limit: m.limit, offset: m.offset }
}

fn frame_of(profile: &Profile, id: FrameId) -> Frame<'_> {
    let frame = &profile.code().frames[id];
    let location = &profile.code().locations[frame.location];
    let function = profile.function_of(id).map(|(_, f)| *f).unwrap_or_default();
    Frame {
        function: profile.text(function.name),
        system_name: profile.text(function.system_name),
        file: profile.text(function.filename),
        line: frame.line,
        column: frame.column,
        start_line: function.start_line,
        address: location.address,
        mapping: location.mapping.map(Id::index),
        inlined: frame.inlined,
    }
}

fn sample<'a>(profile: &'a Profile, columns: &[Vec<i64>], row: usize) -> Sample<'a> {
    let labels = profile.labels().get(profile.samples().labels[row]).iter().map(|label| {
        let key = profile.text(label.key);
        match label.value {
            LabelValue::Text(text) => Label { key, text: Some(profile.text(text)), number: None, unit: "" },
            LabelValue::Number(number, unit) => Label { key, text: None, number: Some(number), unit: profile.text(unit) },
        }
    });
    Sample {
        values: columns.iter().map(|column| column[row]).collect(),
        stack: profile.stacks().frames(profile.samples().stack[row]).map(Id::index).collect(),
        labels: labels.collect(),
    }
}
