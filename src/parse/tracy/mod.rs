//! Traces of Tracy 0.9 to 0.14, as `tracy-capture` and the profiler save them: the memory events in them.
//!
//! A file is a list of compressed blocks (`blocks.rs`). Their text (`text.rs`) is a fixed sequence of sections without names or
//! lengths: tables of texts, threads and source locations, zones, plots, memory events by pool, stacks, names of frames. What is
//! not about memory is walked over. Integers are little-endian.
//!
//! Blocks of memory are held, 40 bytes for each, because pools are written one after the other and each block comes with the time
//! when it was freed. Zones stand before them and may be many: they are not held, but walked through a second time.

mod blocks;
mod first_pass;
mod memory;
mod names;
mod problems;
mod rows;
mod spans;
mod stacks;
mod tables;
#[cfg(test)]
pub(super) mod tests;
mod text;
mod version;
#[cfg(test)]
pub(super) mod writer;
mod zones;

pub(super) use version::NAME;

use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::events::{self, Extra};
use super::input::Input;
use super::options::{KeepEvents, ParseOptions};
use super::parsed::Parsed;
use crate::base::id::LocationId;
use crate::profile::{Profile, ProfileBuilder, RunSummary};
use blocks::{End, Header};
use first_pass::{FirstPass, Section};
use problems::Problem;
use rows::Rows;
use spans::{Paths, Spans};
use text::with_text;
use version::{NEWEST_NAME, OLDEST, Version};

/// Magic numbers; the first one is followed by a compression, which may be a new one.
const MAGIC: [&[u8]; 3] = [b"tr\xfdP", b"tlZ\x04", b"tZst"];

/// Allocators that report to the profiler, and are no code of the program's.
const DROPPED: &str = r"<?tracy_client::ProfiledAllocator<.*|<?tracy_full::(alloc::)?GlobalAllocator.*";

/// Most frames of all stacks together, and those that any file may have beside one for each byte.
const MOST_LOCATIONS: usize = 1 << 26;
const FREE_LOCATIONS: usize = 1 << 22;

/// Returns whether this is a trace, of whatever version.
pub(super) fn sniff(head: &[u8]) -> bool {
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// Reads a trace that was in a container.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let mut parsed = parse_bytes(input.text, &ParseOptions { parts: input.parts, ..ParseOptions::default() })?;
    parsed.warnings.extend(input.warning(NAME));
    Ok(parsed)
}

/// Reads a trace.
pub(super) fn parse_bytes(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, ParseError> {
    // Text of traces is a tenth of its size when it is compressed; bombs are smaller.
    const RATIO: usize = 400;
    let Some(header) = Header::of(bytes) else {
        let kind = ErrorKind::Compression { container: NAME, reason: "its compression is unknown, or missing".to_owned() };
        return Err(ParseError { format: NAME, kind, at: Some(Position::Byte(0)) });
    };
    let most_text = options.max_expanded.max(bytes.len().saturating_mul(RATIO));
    let (mut first, end, length) = with_text(bytes, header, most_text, |text| {
        let mut first = FirstPass::default();
        let result = first.read(text, bytes.len());
        (first, result.err().map(|_| text.end()), text.at())
    });
    let end = end.flatten();
    check_start(&first, header, end)?;
    let version = first.version.unwrap_or_default();
    // Pools are in order, one after the other.
    if !first.memory.blocks.is_sorted_by_key(|block| block.at) {
        first.memory.blocks.sort_by_key(|block| block.at);
    }
    let mut paths = Paths::default();
    if first.n_zones > 0 && !first.memory.blocks.is_empty() {
        let FirstPass { memory, tables, problems, .. } = &mut first;
        paths = with_text(bytes, header, most_text, |text| {
            let mut spans = Spans::new(&mut memory.blocks, tables);
            // The end of the text was met before, if it was.
            let _ = tables::version(text)
                .and_then(|_| tables::head(text, version))
                .and_then(|_| tables::skip_tables(text))
                .and_then(|()| zones::walk(text, version, problems, &mut spans));
            spans.paths
        });
    }
    // Of another format everything is wrong; of damage not.
    let odd = [Problem::Disagrees, Problem::NoTime, Problem::Backward, Problem::NoSuchEntry];
    let is_checked = first.section >= Section::Stacks && !odd.iter().any(|p| first.problems.has(*p));
    let is_nonsense = if version.is_newer() { !is_checked } else { first.section < Section::Stacks };
    let is_cut = matches!(end, Some(End::Cut | End::Damaged));
    if version.is_unknown() && is_nonsense && !is_cut {
        return Err(newer(version));
    }
    let (mut profile, mut warnings) = finish(first, &paths, header, (end, length), options.events.as_ref());
    if version.is_newer() {
        let kind = WarningKind::NewerRecording { found: version.to_string(), newest: NEWEST_NAME, is_checked };
        warnings.insert(0, Warning { format: NAME, kind, at: None });
    }
    profile.multiply(options.parts.max(1));
    if profile.samples().is_empty() && warnings.is_empty() {
        warnings.push(Warning { format: NAME, kind: WarningKind::NoEvents, at: None });
    }
    Ok(Parsed { profile, format: NAME, warnings })
}

fn newer(version: Version) -> ParseError {
    let kind = ErrorKind::NewerVersion { what: format!("Tracy {version}"), found: version.to_string(), newest: NEWEST_NAME.to_owned() };
    ParseError { format: NAME, kind, at: None }
}

/// Returns an error if not even the version can be read, or the version is too old.
fn check_start(first: &FirstPass, header: Header, end: Option<End>) -> Result<(), ParseError> {
    let container = header.compression();
    let kind = match (first.version, end) {
        (Some(version), _) if version < OLDEST => ErrorKind::OlderVersion {
            found: version.to_string(),
            oldest: OLDEST.to_string(),
            hint: "save it anew with tracy-update of Tracy 0.10 (0.7 and older: first with that of 0.8)",
        },
        (Some(_), _) => return Ok(()),
        (None, Some(End::Whole | End::Cut)) => ErrorKind::CompressionCut { container, expanded: 0 },
        (None, _) => ErrorKind::Compression { container, reason: "the content does not begin with `tracy`".to_owned() },
    };
    Err(ParseError { format: NAME, kind, at: Some(Position::Byte(0)) })
}

/// The profile, and warnings. `end`: why the text ended early, if it did; `length`: bytes of text that were read.
fn finish(
    first: FirstPass,
    paths: &Paths,
    header: Header,
    (end, length): (Option<End>, usize),
    keep: Option<&KeepEvents>,
) -> (Profile, Vec<Warning>) {
    let FirstPass { section, version, head, tables, memory, mut stacks, mut problems, builder, .. } = first;
    let mut builder = builder.unwrap_or_else(|| ProfileBuilder::new(&events::value_types(&[])));
    stacks.finish(&mut builder);
    let is_whole = section >= Section::Stacks;
    let ended_at = if is_whole { memory.end(&head) } else { memory.last };
    let mut rows = Rows::new(&tables, &memory, &stacks, paths, keep);
    rows.consume(ended_at, &mut builder, &mut problems);

    let mut warnings: Vec<Warning> = Vec::new();
    let mut warn = |kind| warnings.push(Warning { format: NAME, kind, at: Some(Position::Byte(length)) });
    let container = if end == Some(End::Damaged) { header.compression() } else { "" };
    match section {
        Section::Rest => {}
        Section::Start | Section::Tables => warn(WarningKind::CutTables {
            container,
            what: "the trace ends before its memory events, which come late in a file; there is nothing to show",
        }),
        Section::Memory => {
            let at = memory.cut.map_or(memory.last, |(_, at)| at);
            warn(WarningKind::CutRecording { container, at_millis: at / 1_000_000 });
            let what = "stacks and their names come after the memory events in a trace and are missing: pools and zones are shown instead";
            warn(WarningKind::CutTables { container: "", what });
        }
        Section::Stacks => warn(WarningKind::CutTables {
            container,
            what: "the trace ends within its stacks: memory events are complete, but some or all have no stack",
        }),
        Section::Names => warn(WarningKind::CutTables {
            container,
            what: "the trace ends within its names: memory events are complete, but some or all stacks have addresses in place of names",
        }),
    }
    if end == Some(End::TooLong) {
        warn(WarningKind::TooLong { limit: length });
    }
    warnings.extend(problems.warnings());

    let mut run = RunSummary {
        recorder: format!("Tracy {}", version.unwrap_or_default()),
        command: String::from_utf8_lossy(&head.program).into_owned(),
        is_temporary_exact: true,
        ..RunSummary::default()
    };
    run.sizes = rows.sizes();
    builder.bound_by_input(length);
    builder.meta().drop_frames = DROPPED.to_owned();
    if head.captured > 0 {
        let captured = i64::try_from(head.captured).unwrap_or(i64::MAX).saturating_mul(1_000_000_000);
        builder.dump().time_nanos = captured.saturating_add(ended_at);
    }
    let stand_ins = rows.stand_ins(&mut builder);
    let (events, lifetimes, rows, group_of_row, labels) = rows.into_parts();
    let mut n_left = MOST_LOCATIONS.min(FREE_LOCATIONS + length);
    let mut n_cut = 0;
    let stack = |row: u32, out: &mut Vec<LocationId>| {
        if let Some(row) = rows.get(row as usize) {
            row.locations(&stacks, &stand_ins, paths, out);
        }
        if out.len() > n_left {
            n_cut += 1;
            out.truncate(n_left);
        }
        n_left -= out.len();
    };
    let extra = Extra { lifetimes: Some(&lifetimes), labels: Some((&group_of_row, &labels)), ..Extra::default() };
    let profile = events::into_profile_with(events, extra, builder, stack, run);
    let n_cut = n_cut + stacks.n_cut;
    if n_cut > 0 {
        warnings.push(Warning { format: NAME, kind: WarningKind::CutCallers { rows: n_cut }, at: None });
    }
    (profile, warnings)
}
