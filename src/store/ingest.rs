//! From the bytes of an upload to what is stored: unpacked, read, measured, within limits.

use std::borrow::Cow;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

use super::envelope::{Build, Envelope};
use super::id::Hash;
use super::settings::Settings;
use crate::base::id::Id;
use crate::base::units::binary_size;
use crate::parse::{self, ErrorKind, ParseError};
use crate::profile::{Column, Profile};

/// Most binaries of a memory map that an envelope names.
const MOST_BUILDS: usize = 100;

/// Most characters of a text of a dump in an envelope.
const MOST_TEXT: usize = 500;

/// Why an upload is not stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadDump {
    /// Nothing came.
    #[error("the body is empty; send the dump as the body of the request, as `curl -T FILE` does")]
    Empty,
    /// A binary.
    #[error("this is a program or library, not a heap profile; send binaries to /api/v1/binaries")]
    Binary,
    /// No heap profile.
    #[error("this is not a heap profile that heapview reads: {0}")]
    OtherKind(String),
    /// A heap profile that is damaged.
    #[error("the heap profile is damaged: {0}")]
    Damaged(String),
    /// It unpacks to too much.
    #[error("the dump unpacks to more than {}, the limit `most_unpacked` of this store", binary_size(*.0))]
    Bomb(u64),
    /// It has too many stacks.
    #[error("the dump has {found} stacks; the limit `most_stacks` of this store is {most}")]
    Stacks {
        /// Stacks of the dump.
        found: u64,
        /// The limit.
        most: u64,
    },
}

/// A dump that can be stored.
#[derive(Debug)]
pub struct Measured {
    /// Its hash and everything that was read from it.
    pub envelope: Envelope,
    /// The bytes to store: as they came if they were compressed.
    pub packed: Vec<u8>,
    /// Warnings of the parser, a sentence each.
    pub warnings: Vec<String>,
}

/// Reads and measures a dump. O(size).
pub fn measure(bytes: Vec<u8>, settings: &Settings) -> Result<Measured, BadDump> {
    let options = settings.parse_options();
    let refused = |error: ParseError| match &error.kind {
        ErrorKind::Empty => BadDump::Empty,
        ErrorKind::TooBig { limit } => BadDump::Bomb(*limit as u64),
        ErrorKind::Unrecognized { .. } | ErrorKind::Unsupported { .. } | ErrorKind::OnlySymbols => BadDump::OtherKind(error.to_string()),
        _ => BadDump::Damaged(error.to_string()),
    };
    if crate::symbolize::is_binary(&bytes) {
        return Err(BadDump::Binary);
    }
    let plain = parse::unpacked(&bytes, &options).map_err(refused)?;
    if plain.len() as u64 > settings.most_unpacked {
        return Err(BadDump::Bomb(settings.most_unpacked));
    }
    // As it came: the parser also warns of a container that ends too early.
    let parsed = parse::parse(&bytes, &options).map_err(refused)?;
    let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
    let mut envelope = described(&parsed.profile);
    envelope.format = parsed.format.to_owned();
    envelope.bytes = plain.len() as u64;
    envelope.sha256 = Hash::of(&plain);
    if envelope.stacks > settings.most_stacks {
        return Err(BadDump::Stacks { found: envelope.stacks, most: settings.most_stacks });
    }
    drop(parsed);
    let is_packed = matches!(plain, Cow::Owned(_));
    drop(plain);
    let packed = if is_packed { bytes } else { packed(&bytes) };
    Ok(Measured { envelope, packed, warnings })
}

/// The bytes, compressed if that makes them shorter.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // Writing into memory does not fail; if it did, the bytes are good as they are.
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) if packed.len() < bytes.len() => packed,
        _ => bytes.to_vec(),
    }
}

/// What an envelope says of a profile.
fn described(profile: &Profile) -> Envelope {
    let types = profile.value_types();
    let short = |text: &str| text.chars().take(MOST_TEXT).collect::<String>();
    let total = |value_type: usize| {
        let columns = profile.columns().iter().skip(value_type).step_by(types.len().max(1));
        // Moments of a recording are the recording again.
        columns
            .zip(profile.dumps())
            .filter(|(_, dump)| dump.moment.is_none())
            .fold(0i64, |sum, (c, _)| sum.saturating_add(Column::total(c)))
    };
    let mut is_end = vec![false; profile.stacks().len()];
    profile.samples().stack.iter().for_each(|stack| is_end[stack.index()] = true);
    let mappings = profile.code().mappings.iter().filter(|mapping| !profile.text(mapping.file).is_empty());
    let mut builds: Vec<Build> = Vec::new();
    for mapping in mappings {
        let build = Build { file: short(profile.text(mapping.file)), id: short(&profile.text(mapping.build_id).to_ascii_lowercase()) };
        if builds.len() < MOST_BUILDS && !builds.contains(&build) {
            builds.push(build);
        }
    }
    Envelope {
        time: profile.time_nanos() / 1_000_000,
        value_type: profile.default_value_type().map_or(String::new(), |at| short(&types[at].kind)),
        totals: types.iter().enumerate().take(16).map(|(at, of)| (short(&of.kind), total(at))).collect(),
        stacks: is_end.into_iter().filter(|&is_end| is_end).count() as u64,
        builds: builds.into(),
        ..Envelope::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &[u8] = b"heap profile: 3: 300 [4: 400] @ heapprofile\n3: 300 [4: 400] @ 0x401234\n\nMAPPED_LIBRARIES:\n\
        00400000-00500000 r-xp 00000000 08:01 1 /usr/bin/shop\n";

    #[test]
    fn equal_dumps_have_one_hash_however_they_are_packed() {
        let settings = Settings::default();
        let plain = measure(DUMP.to_vec(), &settings).unwrap();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(DUMP).unwrap();
        let gzip = encoder.finish().unwrap();
        let packed = measure(gzip.clone(), &settings).unwrap();
        assert_eq!(plain.envelope, packed.envelope);
        assert_eq!(packed.packed, gzip, "as it came");
        let envelope = plain.envelope;
        assert_eq!((envelope.format.as_str(), envelope.stacks, envelope.bytes), ("gperftools", 1, DUMP.len() as u64));
        assert_eq!((envelope.totals["inuse_space"], envelope.total()), (300, 300));
        assert_eq!(envelope.builds[0].file, "/usr/bin/shop");
        assert_eq!(envelope.sha256, Hash::of(DUMP));
    }

    #[test]
    fn bad_uploads_have_their_own_errors() {
        let settings = Settings { most_unpacked: 1000, most_stacks: 1, ..Settings::default() };
        let error = |bytes: &[u8]| measure(bytes.to_vec(), &settings).unwrap_err();
        let gzip = |bytes: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(error(b""), BadDump::Empty);
        assert_eq!(error(b"\x7fELF and so on"), BadDump::Binary);
        assert!(matches!(error(b"<html>"), BadDump::OtherKind(_)));
        assert!(matches!(error(b"heap profile: 1: 1 [1: 1] @ what\n"), BadDump::Damaged(_)));
        assert_eq!(error(&gzip(&[b'\n'; 100_000])), BadDump::Bomb(1000));
        assert_eq!(error(&[b'\n'; 2000]), BadDump::Bomb(1000));
        assert_eq!(error(b"a;b 1\na;c 1\n"), BadDump::Stacks { found: 2, most: 1 });
    }
}
