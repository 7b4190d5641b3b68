//! Identifiers: hashes of dumps, the short form in links, and names of log objects that sort by time.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::error::StoreError;

/// SHA-256 of a dump's bytes, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; 32]);

/// Digits of links: those of base 32 (RFC 4648), small.
const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Length of the form in links: 80 bits.
const SHORT: usize = 16;

impl Hash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }

    /// The form in links: 80 bits in base 32.
    pub fn short(&self) -> ShortId {
        let bits = self.0[..10].iter().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        ShortId((0..SHORT).map(|i| char::from(BASE32[(bits >> (75 - 5 * i) & 31) as usize])).collect())
    }

    /// Key of the dump in a store.
    pub(super) fn raw_key(&self) -> String {
        let text = self.to_string();
        format!("raw/sha256/{}/{}", &text[..2], &text[2..])
    }

    /// The hash of a key of [`Hash::raw_key`].
    pub(super) fn of_raw_key(key: &str) -> Option<Hash> {
        key.strip_prefix("raw/sha256/")?.replacen('/', "", 1).parse().ok()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Hash {
    type Err = ();

    fn from_str(text: &str) -> Result<Hash, ()> {
        let text = text.as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase()).ok_or(());
        let mut hash = [0; 32];
        if text.len() != 64 {
            return Err(());
        }
        for (byte, pair) in hash.iter_mut().zip(text.chunks(2)) {
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Hash(hash))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("expected 64 hexadecimal digits, found {text:?}")))
    }
}

/// A dump in a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ShortId(String);

impl ShortId {
    /// First and last hash that has this short form.
    pub(super) fn range(&self) -> (Hash, Hash) {
        let digit = |byte: u8| BASE32.iter().position(|known| *known == byte).unwrap_or(0) as u128;
        let bits = self.0.bytes().fold(0u128, |bits, byte| bits << 5 | digit(byte));
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        for hash in [&mut first, &mut last] {
            hash[..10].copy_from_slice(&bits.to_be_bytes()[6..]);
        }
        (Hash(first), Hash(last))
    }
}

impl FromStr for ShortId {
    type Err = ();

    fn from_str(text: &str) -> Result<ShortId, ()> {
        let is_id = text.len() == SHORT && text.bytes().all(|byte| BASE32.contains(&byte));
        is_id.then(|| ShortId(text.to_owned())).ok_or(())
    }
}

impl fmt::Display for ShortId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Milliseconds since 1970 UTC.
pub(super) fn millis(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// An identifier that no other process makes, and that sorts by time (ULID).
pub(super) fn unique(now: SystemTime) -> Result<String, StoreError> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut random = [0; 10];
    fill(&mut random)?;
    let bits = random.iter().fold((millis(now) & ((1 << 48) - 1)) as u128, |bits, byte| bits << 8 | u128::from(*byte));
    Ok((0..26).map(|i| char::from(DIGITS[(bits >> (125 - 5 * i) & 31) as usize])).collect())
}

/// Random bytes of the system.
pub(super) fn fill(bytes: &mut [u8]) -> Result<(), StoreError> {
    getrandom::fill(bytes).map_err(|error| StoreError::Refused(format!("cannot get random bytes from the system: {error}")))
}

/// The hour of a time, as in `2026-11-22T10`.
pub(super) fn hour(millis: i64) -> String {
    let utc = crate::api::utc(millis.saturating_mul(1_000_000));
    utc.get(..13).unwrap_or("1970-01-01T00").replace(' ', "T")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn hashes_are_read_back() {
        let hash = Hash::of(b"abc");
        assert_eq!(hash.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!(hash.short().to_string(), "xj4bnp4pahh6uqkb");
        assert_eq!(Hash::of_raw_key(&hash.raw_key()), Some(hash));
        for wrong in ["", "ba", &"g".repeat(64), &"A".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<Hash>().is_err(), "{wrong}");
        }
        assert!("xj4bnp4pahh6uqkb".parse::<ShortId>().is_ok());
        for wrong in ["", "xj4bnp4pahh6uqk", "xj4bnp4pahh6uqk1", "XJ4BNP4PAHH6UQKB"] {
            assert!(wrong.parse::<ShortId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_of_log_objects_sort_by_time() {
        let at = |seconds| unique(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        assert!(at(1) < at(2) && at(2) < at(2_000_000_000));
        assert_ne!(at(1), at(1));
        assert_eq!(at(1).len(), 26);
        assert_eq!(hour(1_795_341_845_000), "2026-11-22T10");
    }
}
