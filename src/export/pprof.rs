//! pprof's protobuf writer, the inverse of `parse::pprof`.
//!
//! Does not filter or symbolize.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use prost::encoding::{WireType, encode_key};

use super::summed;
use crate::base::hash::HashMap;
use crate::base::id::{Id, LocationId, StrId};
use crate::profile::{LabelValue, Profile, ValueType};
use crate::proto;

/// Writes pprof's protobuf, compressed by gzip; several dumps are added up. O(size), in a
/// buffer of constant size.
///
/// # Errors
/// Errors of `out`.
pub fn write_pprof(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    messages(profile, GzEncoder::new(out, Compression::default()))?.finish()?.flush()
}

/// [`write_pprof`] without compression.
///
/// # Errors
/// Errors of `out`.
pub fn write_pprof_plain(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    messages(profile, out)?.flush()
}

fn messages<W: Write>(profile: &Profile, out: W) -> io::Result<W> {
    let mut to = Messages { out, buffer: Vec::new(), texts: Texts::new(profile) };
    to.write(profile)?;
    to.flush()?;
    Ok(to.out)
}

/// The string table: the profile's own, then the texts that are not in it.
struct Texts<'a> {
    own: usize,
    more: Vec<&'a str>,
    known: HashMap<&'a str, i64>,
}

impl<'a> Texts<'a> {
    fn new(profile: &Profile) -> Self {
        Texts { own: profile.strings().len(), more: Vec::new(), known: HashMap::default() }
    }

    fn add(&mut self, text: &'a str) -> i64 {
        if text.is_empty() {
            return 0;
        }
        let Self { own, more, known } = self;
        *known.entry(text).or_insert_with(|| {
            more.push(text);
            (*own + more.len() - 1) as i64
        })
    }

    fn value_type(&mut self, t: &'a ValueType) -> proto::ValueType {
        proto::ValueType { r#type: self.add(&t.kind), unit: self.add(&t.unit) }
    }
}

fn text(id: StrId) -> i64 {
    i64::from(id.0)
}

/// Writes the fields of a profile.
struct Messages<'a, W: Write> {
    out: W,
    buffer: Vec<u8>,
    texts: Texts<'a>,
}

impl<'a, W: Write> Messages<'a, W> {
    fn write(&mut self, profile: &'a Profile) -> io::Result<()> {
        for t in profile.value_types() {
            let message = self.texts.value_type(t);
            self.message(1, &message)?;
        }
        self.samples(profile)?;
        self.code(profile)?;
        self.head(profile)?;
        for id in 0..profile.strings().len() {
            self.bytes(6, profile.text(StrId::new(id)).as_bytes())?;
        }
        for more in std::mem::take(&mut self.texts.more) {
            self.bytes(6, more.as_bytes())?;
        }
        Ok(())
    }

    fn samples(&mut self, profile: &Profile) -> io::Result<()> {
        let values: Vec<Vec<i64>> = (0..profile.value_types().len()).map(|t| summed(profile, t)).collect();
        let calls = profile.calls();
        let mut sample = proto::Sample::default();
        for (row, (&stack, &labels)) in profile.samples().stack.iter().zip(&profile.samples().labels).enumerate() {
            sample.clear();
            sample.value.extend(values.iter().map(|column| column[row]));
            sample.location_id.extend(calls.of(stack).map(location_id));
            sample.label.extend(profile.labels().get(labels).iter().map(|l| {
                let label = proto::Label { key: text(l.key), ..Default::default() };
                match l.value {
                    LabelValue::Text(t) => proto::Label { str: text(t), ..label },
                    LabelValue::Number(num, unit) => proto::Label { num, num_unit: text(unit), ..label },
                }
            }));
            self.message(2, &sample)?;
        }
        Ok(())
    }

    fn code(&mut self, profile: &Profile) -> io::Result<()> {
        let code = profile.code();
        for (id, m) in code.mappings.enumerate() {
            let message = proto::Mapping {
                id: id.index() as u64 + 1,
                memory_start: m.start,
                memory_limit: m.limit,
                file_offset: m.offset,
                filename: text(m.file),
                build_id: text(m.build_id),
                has_functions: m.has_functions,
                has_filenames: m.has_filenames,
                has_line_numbers: m.has_line_numbers,
                has_inline_frames: m.has_inline_frames,
            };
            self.message(3, &message)?;
        }
        let mut message = proto::Location::default();
        for (id, location) in code.locations.enumerate() {
            message.clear();
            message.id = location_id(id);
            message.mapping_id = location.mapping.map_or(0, |m| m.index() as u64 + 1);
            message.address = location.address;
            message.is_folded = location.is_folded;
            // The format has no line without a function.
            message.line.extend(
                location
                    .frames()
                    .map(|f| &code.frames[f])
                    .filter_map(|f| Some(proto::Line { function_id: f.function?.index() as u64 + 1, line: f.line, column: f.column })),
            );
            self.message(4, &message)?;
        }
        for (id, f) in code.functions.enumerate() {
            let message = proto::Function {
                id: id.index() as u64 + 1,
                name: text(f.name),
                system_name: text(f.system_name),
                filename: text(f.filename),
                start_line: f.start_line,
            };
            self.message(5, &message)?;
        }
        Ok(())
    }

    /// Fields that occur once, as a message with nothing else in it.
    fn head(&mut self, profile: &'a Profile) -> io::Result<()> {
        let (meta, dumps) = (profile.meta(), profile.dumps());
        let texts = &mut self.texts;
        let head = proto::Profile {
            drop_frames: texts.add(&meta.drop_frames),
            keep_frames: texts.add(&meta.keep_frames),
            time_nanos: dumps.iter().map(|d| d.time_nanos).max().unwrap_or(0),
            duration_nanos: dumps.iter().fold(0, |sum: i64, d| sum.saturating_add(d.duration_nanos)),
            period_type: meta.period_type.as_ref().map(|t| texts.value_type(t)),
            period: meta.period,
            comment: meta.comments.iter().map(|c| texts.add(c)).collect(),
            default_sample_type: texts.add(&meta.default_type),
            doc_url: texts.add(&meta.doc_url),
            ..Default::default()
        };
        self.buffer.extend(head.encode_to_vec());
        self.flush_if_full()
    }

    fn message(&mut self, field: u32, message: &impl Message) -> io::Result<()> {
        encode_key(field, WireType::LengthDelimited, &mut self.buffer);
        // A vector always has room.
        message.encode_length_delimited(&mut self.buffer)?;
        self.flush_if_full()
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> io::Result<()> {
        prost::encoding::bytes::encode(field, &bytes.to_vec(), &mut self.buffer);
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.buffer.len() < 1 << 16 { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

fn location_id(location: LocationId) -> u64 {
    location.index() as u64 + 1
}
