//! The tables that the profiles of a request share.

use prost::encoding::decode_varint;

use crate::feeds::error::BadRequest;
use crate::feeds::push::walk;
use crate::parse::wire::Value;

/// Most entries of all tables.
const MOST_ENTRIES: usize = 4_000_000;

/// Tables of undecoded messages; entry 0 of each means nothing.
#[derive(Default)]
pub(super) struct Dictionary<'a> {
    pub(super) mappings: Vec<&'a [u8]>,
    pub(super) locations: Vec<&'a [u8]>,
    pub(super) functions: Vec<&'a [u8]>,
    pub(super) strings: Vec<&'a [u8]>,
    pub(super) attributes: Vec<&'a [u8]>,
    pub(super) stacks: Vec<&'a [u8]>,
    n: usize,
}

impl<'a> Dictionary<'a> {
    pub(super) fn read(&mut self, message: &'a [u8]) -> Result<(), BadRequest> {
        walk("dictionary", message, |field, value| {
            let table = match field {
                1 => &mut self.mappings,
                2 => &mut self.locations,
                3 => &mut self.functions,
                5 => &mut self.strings,
                6 => &mut self.attributes,
                7 => &mut self.stacks,
                _ => return Ok(()),
            };
            let Value::Bytes(entry) = value else { return Ok(()) };
            self.n += 1;
            if self.n > MOST_ENTRIES {
                let reason = format!("the dictionary has more than {MOST_ENTRIES} entries");
                return Err(BadRequest::Otlp { profile: 1, reason });
            }
            table.push(entry);
            Ok(())
        })
    }
}

/// Adds numbers of a repeated field, packed or not, as long as there are no more than `most`.
pub(super) fn numbers(value: Value, most: usize, all: &mut Vec<u64>) -> Result<(), BadRequest> {
    let damaged = |reason: String| BadRequest::Protobuf { message: "list of numbers", at: 0, reason };
    match value {
        Value::Varint(number) => all.push(number),
        Value::Bytes(mut packed) => {
            while !packed.is_empty() && all.len() <= most {
                all.push(decode_varint(&mut packed).map_err(|error| damaged(error.to_string()))?);
            }
        }
        Value::Fixed(_) => return Err(damaged("the wire type is wrong".into())),
    }
    if all.len() > most { Err(damaged(format!("more than {most}"))) } else { Ok(()) }
}

/// The text of a value; `None`: it is a list, bytes or nothing.
pub(super) fn any_value(message: &[u8]) -> Result<Option<String>, BadRequest> {
    let mut text = None;
    walk("value", message, |field, value| {
        match (field, value) {
            (1, Value::Bytes(of)) => text = Some(String::from_utf8_lossy(of).into_owned()),
            (2, Value::Varint(of)) => text = Some((of != 0).to_string()),
            (3, Value::Varint(of)) => text = Some(of.cast_signed().to_string()),
            (4, Value::Fixed(of)) => text = Some(f64::from_bits(of).to_string()),
            _ => {}
        }
        Ok(())
    })?;
    Ok(text)
}
