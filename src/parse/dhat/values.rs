//! Strings in JSON, as bytes.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Visitor};

/// Gives the bytes of a string, which need not be UTF-8, to a function.
pub(super) struct BytesSeed<F>(pub(super) F);

impl<'de, T, F: FnOnce(&[u8]) -> T> DeserializeSeed<'de> for BytesSeed<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_bytes(self)
    }
}

impl<T, F: FnOnce(&[u8]) -> T> Visitor<'_> for BytesSeed<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<T, E> {
        Ok((self.0)(bytes))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok((self.0)(text.as_bytes()))
    }
}

/// Text of a string.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
