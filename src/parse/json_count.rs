//! Counts in JSON, of whatever type the file has them: other values are skipped and take no memory.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A count as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// A number from 0 on.
    Fits(i64),
    /// A number that does not fit in 63 bits.
    Huge,
    /// A number below 0.
    Negative(i64),
    /// No whole number.
    NoNumber,
}

/// Reads a [`Count`].
#[derive(Clone, Copy)]
pub(super) struct CountSeed;

impl<'de> DeserializeSeed<'de> for CountSeed {
    type Value = Count;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Count, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CountSeed {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_u64<E>(self, value: u64) -> Result<Count, E> {
        Ok(i64::try_from(value).map_or(Count::Huge, Count::Fits))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Count, E> {
        Ok(if value < 0 { Count::Negative(value) } else { Count::Fits(value) })
    }

    /// Integers beyond 64 bits come as floats, too.
    fn visit_f64<E>(self, value: f64) -> Result<Count, E> {
        Ok(match value {
            _ if value >= i64::MAX as f64 => Count::Huge,
            _ if value < 0.0 => Count::Negative(value as i64),
            _ if value.fract() != 0.0 => Count::NoNumber,
            _ => Count::Fits(value as i64),
        })
    }

    fn visit_bool<E>(self, _: bool) -> Result<Count, E> {
        Ok(Count::NoNumber)
    }

    fn visit_unit<E>(self) -> Result<Count, E> {
        Ok(Count::NoNumber)
    }

    fn visit_str<E>(self, _: &str) -> Result<Count, E> {
        Ok(Count::NoNumber)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Count, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Count::NoNumber)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Count, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Count::NoNumber)
    }
}
