//! The tables that the profiles of a request share.

use std::borrow::Cow;

use prost::encoding::decode_varint;

use super::budget::Budget;
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
    pub(super) fn read(&mut self, message: &'a [u8], budget: &mut Budget) -> Result<(), BadRequest> {
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
            budget.spend(size_of::<&[u8]>())?;
            table.push(entry);
            Ok(())
        })
    }
}

/// Numbers of the fields 1 to `N`.
pub(super) fn indices<const N: usize>(name: &'static str, message: &[u8]) -> Result<[u64; N], BadRequest> {
    let mut all = [0; N];
    walk(name, message, |field, value| {
        if let (Some(place), Value::Varint(number)) = ((field as usize).checked_sub(1).and_then(|at| all.get_mut(at)), value) {
            *place = number;
        }
        Ok(())
    })?;
    Ok(all)
}

/// Adds numbers of a repeated field, packed or not, as long as there are no more than `most`.
pub(super) fn numbers(message: &'static str, value: Value, most: usize, all: &mut Vec<u64>) -> Result<(), BadRequest> {
    let damaged = |reason: String| BadRequest::Protobuf { message, at: 0, reason };
    match value {
        Value::Varint(number) => all.push(number),
        Value::Bytes(mut packed) => {
            while !packed.is_empty() && all.len() <= most {
                all.push(decode_varint(&mut packed).map_err(|error| damaged(error.to_string()))?);
            }
        }
        Value::Fixed(_) => return Err(damaged("the wire type is wrong".into())),
    }
    if all.len() > most { Err(damaged(format!("there are more than {most}"))) } else { Ok(()) }
}

/// The text of a value; `None`: it is a list, bytes or nothing.
pub(super) fn any_value(message: &[u8]) -> Result<Option<Cow<'_, str>>, BadRequest> {
    let mut last = None;
    walk("value", message, |field, value| {
        if matches!((field, &value), (1, Value::Bytes(_)) | (2 | 3, Value::Varint(_)) | (4, Value::Fixed(_))) {
            last = Some((field, value));
        }
        Ok(())
    })?;
    Ok(last.map(|value| match value {
        (_, Value::Bytes(of)) => String::from_utf8_lossy(of),
        (2, Value::Varint(of)) => (of != 0).to_string().into(),
        (_, Value::Varint(of)) => of.cast_signed().to_string().into(),
        (_, Value::Fixed(of)) => f64::from_bits(of).to_string().into(),
    }))
}
