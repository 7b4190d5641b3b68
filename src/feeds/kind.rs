//! Kinds of profiles: a store keeps those of memory.

use crate::parse::wire::{Fields, Value};
use crate::parse::{self, ParseOptions};

/// Most value types that are looked at.
const MOST_TYPES: usize = 64;

/// What a profile measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Memory: one of its value types counts bytes.
    Memory,
    /// Processor time, or samples of running threads.
    Cpu,
    /// Waiting for locks.
    Locks,
    /// Goroutines or threads.
    Goroutines,
    /// Something else.
    Other,
}

impl Kind {
    /// Name in messages and metrics.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Memory => "memory",
            Kind::Cpu => "cpu",
            Kind::Locks => "locks",
            Kind::Goroutines => "goroutines",
            Kind::Other => "other",
        }
    }
}

/// The kind of a profile, from the value types of pprof. Other formats, and what cannot be read, count as memory: whoever opens the
/// profile judges those. O(unpacked bytes), of which there are at most `most`.
pub fn kind(profile: &[u8], most: usize) -> Kind {
    if parse::sniff(profile) != Some("pprof") {
        return Kind::Memory;
    }
    let options = ParseOptions { max_expanded: most, ..ParseOptions::default() };
    parse::unpacked(profile, &options).ok().and_then(|plain| of_pprof(&plain)).unwrap_or(Kind::Memory)
}

/// `None`: it is damaged, or has no value types.
fn of_pprof(message: &[u8]) -> Option<Kind> {
    // Indices into the table of strings: type and unit.
    let mut types: Vec<(u64, u64)> = Vec::new();
    let mut fields = Fields::new(message);
    while let Some(field) = fields.next().ok()? {
        if let (1, Value::Bytes(value_type)) = (field.number, field.value)
            && types.len() < MOST_TYPES
        {
            let (mut of, mut parts) = ((0, 0), Fields::new(value_type));
            while let Some(part) = parts.next().ok()? {
                match (part.number, part.value) {
                    (1, Value::Varint(n)) => of.0 = n,
                    (2, Value::Varint(n)) => of.1 = n,
                    _ => {}
                }
            }
            types.push(of);
        }
    }
    let mut names: Vec<(&[u8], &[u8])> = vec![Default::default(); types.len()];
    let (mut fields, mut index) = (Fields::new(message), 0u64);
    while let Some(field) = fields.next().ok()? {
        if let (6, Value::Bytes(text)) = (field.number, field.value) {
            for (name, of) in names.iter_mut().zip(&types) {
                if of.0 == index {
                    name.0 = text;
                }
                if of.1 == index {
                    name.1 = text;
                }
            }
            index += 1;
        }
    }
    of_types(&names)
}

fn of_types(types: &[(&[u8], &[u8])]) -> Option<Kind> {
    let any = |words: &[&str], unit: bool| {
        let of = types.iter().map(|(name, of)| if unit { of } else { name });
        of.into_iter().any(|text| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes())))
    };
    Some(match () {
        () if types.is_empty() => return None,
        () if any(&["bytes", "byte", "by", "kilobytes", "kb", "megabytes", "mb"], true) => Kind::Memory,
        () if any(&["contentions", "delay", "lock_count", "lock_time", "mutex", "block"], false) => Kind::Locks,
        () if any(&["goroutine", "goroutines", "goroutineleak", "threads"], false) => Kind::Goroutines,
        () if any(&["cpu", "samples", "sample", "wall", "off_cpu", "itimer"], false) => Kind::Cpu,
        () => Kind::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_what_counts_bytes() {
        for (types, kind) in [
            (&[("inuse_objects", "count"), ("inuse_space", "bytes")][..], Kind::Memory),
            (&[("anything", "Bytes")], Kind::Memory),
            (&[("samples", "count"), ("cpu", "nanoseconds")], Kind::Cpu),
            (&[("contentions", "count"), ("delay", "nanoseconds")], Kind::Locks),
            (&[("goroutine", "count")], Kind::Goroutines),
            (&[("exceptions", "count")], Kind::Other),
        ] {
            let types: Vec<(&[u8], &[u8])> = types.iter().map(|(name, unit)| (name.as_bytes(), unit.as_bytes())).collect();
            assert_eq!(of_types(&types), Some(kind), "{types:?}");
        }
        for other in [&b""[..], b"\x1f\x8b", b"heap profile: 1: 1 [1: 1] @ heap_v2/1\n", b"<html>", b"\x0a\xff"] {
            assert_eq!(kind(other, 1000), Kind::Memory, "{other:?}");
        }
    }
}
