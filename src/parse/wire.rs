//! Iterates over the fields of a protobuf message without decoding their contents.

use prost::encoding::{WireType, decode_key, decode_varint};

/// Walks the fields of a message.
#[derive(Clone)]
pub(crate) struct Fields<'a> {
    message: &'a [u8],
    rest: &'a [u8],
}

/// A field of a message.
pub(crate) struct Field<'a> {
    /// Its number in the schema.
    pub(crate) number: u32,
    pub(crate) value: Value<'a>,
    /// Offset of its key, bytes from the start of the message.
    pub(crate) offset: usize,
}

/// Undecoded value of a field.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
    /// 32 or 64 bits; pprof has none.
    Fixed(u64),
}

impl<'a> Fields<'a> {
    pub(crate) fn new(message: &'a [u8]) -> Self {
        Fields { message, rest: message }
    }

    /// Reads the next field; the error has its offset and the reason.
    pub(crate) fn next(&mut self) -> Result<Option<Field<'a>>, (usize, String)> {
        let offset = self.message.len() - self.rest.len();
        if self.rest.is_empty() {
            return Ok(None);
        }
        match self.field() {
            Ok((number, value)) => Ok(Some(Field { number, value, offset })),
            Err(reason) => Err((offset, reason)),
        }
    }

    fn field(&mut self) -> Result<(u32, Value<'a>), String> {
        let rest = &mut self.rest;
        let (number, wire_type) = decode_key(rest).map_err(|e| e.to_string())?;
        let mut take = |n: usize| {
            let Some((head, tail)) = rest.split_at_checked(n) else {
                return Err(format!("{n} bytes announced, {} left", rest.len()));
            };
            *rest = tail;
            Ok(head)
        };
        let value = match wire_type {
            WireType::Varint => Value::Varint(decode_varint(rest).map_err(|e| e.to_string())?),
            WireType::SixtyFourBit => take(8).map(fixed)?,
            WireType::ThirtyTwoBit => take(4).map(fixed)?,
            WireType::LengthDelimited => {
                let n = decode_varint(rest).map_err(|e| e.to_string())?;
                // What is announced may be more than a length can be.
                let Some((head, tail)) = usize::try_from(n).ok().and_then(|n| rest.split_at_checked(n)) else {
                    return Err(format!("{n} bytes announced, {} left", rest.len()));
                };
                *rest = tail;
                Value::Bytes(head)
            }
            WireType::StartGroup | WireType::EndGroup => return Err("a group".into()),
        };
        Ok((number, value))
    }
}

fn fixed(bytes: &[u8]) -> Value<'_> {
    Value::Fixed(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
