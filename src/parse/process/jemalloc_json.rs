//! jemalloc's `malloc_stats_print` as JSON, with whatever around it.

use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::problems::{Problem, Problems};
use super::section::Section;
use crate::parse::json_count::{Count, CountSeed};
use crate::profile::{JemallocStats, ProcessFacts};

/// First key of the JSON.
pub(super) const KEY: &[u8] = b"\"jemalloc\"";

#[derive(Deserialize)]
struct Document {
    jemalloc: Root,
}

#[derive(Deserialize)]
struct Root {
    #[serde(default)]
    arenas: Arenas,
    #[serde(default)]
    stats: Totals,
    /// A key with a dot.
    #[serde(default, rename = "stats.arenas")]
    arena: ArenaSums,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Arenas {
    page: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Totals {
    allocated: Number,
    active: Number,
    resident: Number,
    retained: Number,
    pinned: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Arena {
    pdirty: Number,
    pmuzzy: Number,
    internal: Number,
    tcache_bytes: Number,
    tcache_stashed_bytes: Number,
}

/// Sums of all arenas: as jemalloc has them (`merged`), else of the arenas that have a number.
#[derive(Default)]
struct ArenaSums {
    merged: Option<Arena>,
    numbered: Arena,
}

impl<'de> Deserialize<'de> for ArenaSums {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ArenaSums::default())
    }
}

impl<'de> Visitor<'de> for ArenaSums {
    type Value = ArenaSums;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("arenas by name")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<ArenaSums, A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let arena: Arena = map.next_value()?;
            if name == "merged" {
                self.merged = Some(arena);
            } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
                let Arena { pdirty, pmuzzy, internal, tcache_bytes, tcache_stashed_bytes } = &mut self.numbered;
                pdirty.add(arena.pdirty);
                pmuzzy.add(arena.pmuzzy);
                internal.add(arena.internal);
                tcache_bytes.add(arena.tcache_bytes);
                tcache_stashed_bytes.add(arena.tcache_stashed_bytes);
            }
        }
        Ok(self)
    }
}

/// A whole number; anything else is none.
#[derive(Clone, Copy, Default)]
struct Number(Option<i64>);

impl Number {
    fn add(&mut self, more: Number) {
        if let Some(more) = more.0 {
            self.0 = Some(self.0.unwrap_or(0).saturating_add(more));
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Number(match CountSeed.deserialize(deserializer)? {
            Count::Fits(number) | Count::Negative(number) => Some(number),
            Count::Huge | Count::NoNumber => None,
        }))
    }
}

/// Reads the value whose brace is at `at` of the first line, or in a line before, if it is the key that is there.
pub(super) fn read(section: &mut Section, at: usize, problems: &mut Problems) -> Option<ProcessFacts> {
    let line = section.line;
    let has_brace = section.text.get(at) == Some(&b'{');
    let text = &section.text[at..];
    // The brace of a value that is printed in lines was in the line before.
    let (found, taken) = match has_brace {
        true => first(serde_json::Deserializer::from_slice(text)),
        false => first(serde_json::Deserializer::from_reader(b"{".chain(text))),
    };
    let Some(Ok(Document { jemalloc })) = found else {
        problems.add(Problem::Json, line);
        section.skip(at + KEY.len());
        return None;
    };
    section.skip(at + taken.saturating_sub(usize::from(!has_brace)).max(1));
    let Root { arenas, stats, arena } = jemalloc;
    if stats.allocated.0.is_none() {
        problems.add(Problem::NoTotal, line);
        return None;
    }
    let of_all = arena.merged.unwrap_or(arena.numbered);
    let (cached, stashed) = (of_all.tcache_bytes.0, of_all.tcache_stashed_bytes.0);
    Some(ProcessFacts::Jemalloc(Box::new(JemallocStats {
        allocated: stats.allocated.0,
        active: stats.active.0,
        resident: stats.resident.0,
        retained: stats.retained.0,
        internal: of_all.internal.0,
        thread_caches: cached.map(|cached| cached.saturating_add(stashed.unwrap_or(0))),
        dirty_pages: of_all.pdirty.0,
        muzzy_pages: of_all.pmuzzy.0,
        pinned: stats.pinned.0,
        page: arenas.page.0.unwrap_or(4096),
    })))
}

/// The first value, and how many bytes it takes.
fn first<'de, R: serde_json::de::Read<'de>>(json: serde_json::Deserializer<R>) -> (Option<serde_json::Result<Document>>, usize) {
    let mut values = json.into_iter::<Document>();
    (values.next(), values.byte_offset())
}
