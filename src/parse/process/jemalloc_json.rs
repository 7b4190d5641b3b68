//! jemalloc's `malloc_stats_print` as JSON, with whatever around it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::problems::{Problem, Problems};
use super::section::Section;
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
    version: String,
    #[serde(default)]
    opt: BTreeMap<String, Number>,
    #[serde(default)]
    arenas: Arenas,
    #[serde(default)]
    stats: Totals,
    /// A key with a dot.
    #[serde(default, rename = "stats.arenas")]
    arena: BTreeMap<String, Arena>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Arenas {
    page: Number,
    narenas: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Totals {
    allocated: Number,
    active: Number,
    metadata: Number,
    resident: Number,
    mapped: Number,
    retained: Number,
    pinned: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Arena {
    pdirty: Number,
    pmuzzy: Number,
    base: Number,
    internal: Number,
    tcache_bytes: Number,
    tcache_stashed_bytes: Number,
}

/// A whole number; anything else is none.
#[derive(Clone, Copy, Default)]
struct Number(Option<i64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Number(value.as_i64()))
    }
}

/// Reads the value whose brace is at `at` of the first line, or in a line before, if it is the key that is there.
pub(super) fn read(section: &mut Section, at: usize, problems: &mut Problems) -> Option<ProcessFacts> {
    let line = section.line;
    let has_brace = section.text.get(at) == Some(&b'{');
    let text = &section.text[at..];
    // The brace of a value that is printed in lines was in the line before.
    let braced: std::borrow::Cow<'_, [u8]> = if has_brace { text.into() } else { [b"{", text].concat().into() };
    let mut values = serde_json::Deserializer::from_slice(&braced).into_iter::<Document>();
    let found = values.next();
    let taken = values.byte_offset();
    let Some(Ok(Document { jemalloc })) = found else {
        problems.add(Problem::Json, line);
        section.skip(at + KEY.len());
        return None;
    };
    section.skip(at + taken.saturating_sub(usize::from(!has_brace)).max(1));
    let Root { version, opt, arenas, stats, arena } = jemalloc;
    if stats.allocated.0.is_none() {
        problems.add(Problem::NoTotal, line);
        return None;
    }
    // Without `merged` the arenas of numbers are all there are.
    let of_all: Vec<&Arena> = match arena.get("merged") {
        Some(merged) => vec![merged],
        None => arena.iter().filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_digit())).map(|(_, arena)| arena).collect(),
    };
    let sum = |of: fn(&Arena) -> Number| {
        let mut values = of_all.iter().filter_map(|arena| of(arena).0);
        values.next().map(|first| values.fold(first, i64::saturating_add))
    };
    let (cached, stashed) = (sum(|arena| arena.tcache_bytes), sum(|arena| arena.tcache_stashed_bytes));
    Some(ProcessFacts::Jemalloc(Box::new(JemallocStats {
        version: version.chars().take(64).collect(),
        allocated: stats.allocated.0,
        active: stats.active.0,
        metadata: stats.metadata.0,
        resident: stats.resident.0,
        mapped: stats.mapped.0,
        retained: stats.retained.0,
        base: sum(|arena| arena.base),
        internal: sum(|arena| arena.internal),
        thread_caches: cached.map(|cached| cached.saturating_add(stashed.unwrap_or(0))),
        dirty_pages: sum(|arena| arena.pdirty),
        muzzy_pages: sum(|arena| arena.pmuzzy),
        pinned: stats.pinned.0,
        page: arenas.page.0.unwrap_or(4096),
        dirty_decay_ms: opt.get("dirty_decay_ms").and_then(|value| value.0),
        arenas: arenas.narenas.0,
    })))
}
