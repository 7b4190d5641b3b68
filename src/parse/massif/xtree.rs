//! valgrind's execution trees as a profile: each snapshot is a value type of one moment.

use super::super::frame_text::name_program;
use super::super::input::Input;
use super::rows::Rows;
use super::snapshots::{MassifFile, MassifSnapshot};
use super::tree::Stacks;
use crate::profile::{Profile, ProfileBuilder};

/// Value types of valgrind's execution trees, each of which is a snapshot: the word in front of ` : ` in the tree's title.
const XTREE_TYPES: [(&[u8], &str, &str); 6] = [
    (b"curB", "inuse_space", "bytes"),
    (b"curBk", "inuse_objects", "count"),
    (b"totB", "alloc_space", "bytes"),
    (b"totBk", "alloc_objects", "count"),
    (b"totFdB", "freed_space", "bytes"),
    (b"totFdBk", "freed_objects", "count"),
];

/// Most value types of an execution tree.
const MOST_TYPES: usize = 64;

/// Kinds and units of the snapshots of a file that are values of one moment; `None` for massif's.
pub(super) fn value_types(file: &MassifFile<'_>) -> Option<Vec<(String, &'static str)>> {
    let kind_of = |snapshot: &MassifSnapshot<'_>| {
        let title = snapshot.tree?.title();
        let colon = title.windows(3).position(|window| window == b" : ")?;
        let (word, what) = (&title[..colon], title[colon + 3..].trim_ascii());
        if word.is_empty() || !word.iter().all(u8::is_ascii_alphanumeric) {
            return None;
        }
        if let Some((_, kind, unit)) = XTREE_TYPES.iter().find(|(known, ..)| *known == word) {
            return Some(((*kind).to_owned(), *unit));
        }
        // Those of memcheck's leaks: `PL : Possibly lost Bytes`.
        let words = String::from_utf8_lossy(what.split(|byte| *byte == b'(').next().unwrap_or(what)).trim().to_lowercase();
        let (kind, unit) = match (words.strip_suffix(" bytes"), words.strip_suffix(" blocks")) {
            (Some(kind), _) => (format!("{kind} space"), "bytes"),
            (_, Some(kind)) => (format!("{kind} objects"), "count"),
            _ => (String::from_utf8_lossy(word).into_owned(), "count"),
        };
        Some((kind.replace(' ', "_"), unit))
    };
    let mut types: Vec<(String, &'static str)> = file.snapshots.iter().take(MOST_TYPES).map(kind_of).collect::<Option<_>>()?;
    // Names are told apart, whatever the file has.
    for place in 1..types.len() {
        let (before, rest) = types.split_at_mut(place);
        if before.iter().any(|(kind, _)| *kind == rest[0].0) {
            rest[0].0.push_str(&format!("_{place}"));
        }
    }
    Some(types)
}

/// Each snapshot is a value type.
pub(super) fn profile<'a>(
    file: &mut MassifFile<'a>,
    types: &[(String, &'static str)],
    stacks: &mut Stacks<'a>,
    input: &Input<'_>,
) -> Profile {
    let mut rows: Vec<(u32, usize, i64)> = Vec::new();
    for (value_type, snapshot) in file.snapshots.iter().take(types.len()).enumerate() {
        let Some(tree) = &snapshot.tree else { continue };
        let weights = stacks.read(tree, &mut file.problems);
        rows.extend(weights.into_iter().map(|(stack, value)| (stack, value_type, value)));
    }
    rows.sort_unstable();
    let types: Vec<(&str, &str)> = types.iter().map(|(kind, unit)| (kind.as_str(), *unit)).collect();
    let mut builder = ProfileBuilder::new(&types);
    builder.bound_by_input(input.text.len());
    name_program(file.command, &mut builder);
    builder.meta().default_type = types[0].0.to_owned();
    if !file.command.is_empty() {
        builder.meta().comments.push(format!("Command: {}", String::from_utf8_lossy(file.command)));
    }
    let mut made = Rows::new(stacks, &mut builder);
    for row in rows.chunk_by(|a, b| a.0 == b.0) {
        let mut values = vec![0i64; types.len()];
        row.iter().for_each(|(_, value_type, value)| values[*value_type] = values[*value_type].saturating_add(*value));
        made.add(row[0].0, &values, &mut builder);
    }
    builder.build()
}
