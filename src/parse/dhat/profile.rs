//! A document as a profile: the state at the end of the program is its first dump, the peak and the end are moments of it.

use std::cell::OnceCell;
use std::sync::Arc;

use super::document::{Document, Frames as FrameTable};
use super::kind::{Kind, Times, ValueColumn};
use super::points::{FIELDS, Field, Points};
use super::problems::{NAME, Problem, Problems};
use super::rows::Rows;
use crate::base::hash::HashMap;
use crate::parse::error::{Warning, WarningKind};
use crate::parse::frame_text::Frames;
use crate::profile::{
    Dump, Label, LabelValue, Labels, Mapping, Moment, MomentKind, MomentParts, Profile, ProfileBuilder, RunCount, RunPoint, RunSummary,
    SparseValues, ValueType,
};

/// The profile of what was read, and warnings. `length`: of the file, bytes; `is_cut`: its end is missing.
/// O(program points × frames).
pub(super) fn into_profile(document: Document, length: usize, is_cut: bool) -> (Profile, Vec<Warning>) {
    let kind = Kind::of(&document);
    let columns = kind.columns(&document);
    let mut warnings: Vec<Warning> = missing_fields(&document, kind, is_cut).into_iter().collect();
    let run = run(&document, kind);
    let Document { points, frames, mut problems, .. } = document;
    add_lacking(&points, kind, &mut problems);
    let (rows, accesses) = Rows::of(points);
    let mut builder =
        ProfileBuilder::with_dump(columns.iter().map(|(kind, unit, _)| ValueType::new(kind, unit)).collect(), Dump::default());
    builder.bound_by_input(length);
    add_program(&run, &mut builder);
    add_samples(&rows, &columns, &frames, &mut builder, &mut problems);
    warnings.extend(problems.warnings());
    let meta = builder.meta();
    meta.default_type = kind.default_type().to_owned();
    let moments = moments(&rows, &columns, &run);
    let placed = moments.iter().filter(|(moment, ..)| moment.has_time());
    meta.runs.push(RunSummary { curve: placed.map(|(_, _, point)| *point).collect(), ..of_rows(&rows, run) });
    let moments = if kind.has_lifetimes() { moments } else { Vec::new() };
    let profile = builder.build().with_moments(moments.into_iter().map(|(moment, parts, _)| (moment, parts)).collect());
    (profile.with_accesses(accesses), warnings)
}

/// Most distinct numbers of frames without a text that get names.
const MOST_UNNAMED: usize = 1 << 20;

fn add_samples(rows: &Rows, columns: &[ValueColumn], table: &FrameTable, builder: &mut ProfileBuilder, problems: &mut Problems) {
    // Numbers without a text are named by their number.
    let mut place: HashMap<u32, u32> = HashMap::default();
    let mut unnamed: Vec<String> = Vec::new();
    for row in rows.iter() {
        for number in row.frames.iter().filter(|number| table.get(**number).is_none()) {
            // Of a table that was lost all are missing.
            if table.is_complete {
                problems.add(Problem::NoSuchFrame, row.point);
            }
            if place.len() < MOST_UNNAMED {
                place.entry(*number).or_insert_with(|| {
                    unnamed.push(if *number == u32::MAX { "frame without a number".to_owned() } else { format!("frame {number}") });
                    (table.len() + unnamed.len()) as u32 - 1
                });
            }
        }
    }
    // The root is no frame of any stack.
    let texts = (0..table.len() as u32).map(|number| table.get(number).unwrap_or_default());
    let mut frames = Frames::new(texts.chain(unnamed.iter().map(String::as_bytes)), builder);
    let label = builder.string("bytes");
    let is_of_bytes = columns.iter().any(|(_, unit, field)| *field == Field::TotalBytes && unit == "bytes");
    builder.reserve(rows.len());
    let (mut numbers, mut locations, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows.iter() {
        numbers.clear();
        numbers.extend(row.frames.iter().map(|number| place.get(number).copied().unwrap_or(*number)));
        locations.clear();
        frames.locations(&numbers, builder, &mut locations);
        values.clear();
        values.extend(columns.iter().map(|(_, _, field)| row.get(*field)));
        let labels = match row.get(Field::TotalBytes).checked_div(row.get(Field::TotalBlocks)) {
            Some(mean) if is_of_bytes => builder.label_set(&[Label { key: label, value: LabelValue::Number(mean, label) }]),
            _ => Labels::NONE,
        };
        builder.sample(&locations, labels, &values);
    }
}

/// The peak, also where its time is unknown, and the end, with their numbers and the point of the curve. Of total allocations at the
/// peak nothing is known.
fn moments(rows: &Rows, columns: &[ValueColumn], run: &RunSummary) -> Vec<(Moment, MomentParts, RunPoint)> {
    let shared: [OnceCell<Arc<SparseValues>>; FIELDS.len()] = Default::default();
    let values = |field: Field| {
        let all = || (0u32..).zip(rows.iter()).map(|(number, row)| (number, row.get(field)));
        let column = || Arc::new(SparseValues::new(all().filter(|(_, value)| *value != 0).collect()));
        Arc::clone(shared[field as usize].get_or_init(column))
    };
    let parts = |of: &dyn Fn(Field) -> Option<Field>| -> MomentParts {
        columns.iter().map(|(_, _, field)| of(*field).map(values).into_iter().collect()).collect()
    };
    let at_peak = |field| match field {
        Field::EndBytes | Field::PeakBytes => Some(Field::PeakBytes),
        Field::EndBlocks | Field::PeakBlocks => Some(Field::PeakBlocks),
        _ => None,
    };
    // What is in use then is its peak, too.
    let at_end = |field| match field {
        Field::PeakBytes => Some(Field::EndBytes),
        Field::PeakBlocks => Some(Field::EndBlocks),
        Field::MaxBytes | Field::MaxBlocks => None,
        field => Some(field),
    };
    let moment = |at, kind| Moment { at, clock: run.clock, kind };
    let live = |objects, bytes| RunCount { objects: sum(rows, objects), bytes: sum(rows, bytes) };
    let mut all = Vec::new();
    let peak_at = run.peak_at.max(0);
    let at_its_peak = live(Field::PeakBlocks, Field::PeakBytes);
    let has_peak = peak_at > 0 || at_its_peak != RunCount::default();
    if has_peak {
        let point = RunPoint { at: peak_at, live: at_its_peak, high: at_its_peak.bytes, ..RunPoint::default() };
        all.push((moment(peak_at, MomentKind::Peak), parts(&at_peak), point));
    }
    let live = live(Field::EndBlocks, Field::EndBytes);
    let at = if has_peak { run.duration.max(peak_at.saturating_add(1)) } else { run.duration };
    let point = RunPoint { at, live, high: live.bytes, allocations: sum(rows, Field::TotalBlocks), ..RunPoint::default() };
    all.push((moment(at, MomentKind::End), parts(&at_end), point));
    all
}

fn sum(rows: &Rows, field: Field) -> i64 {
    rows.iter().fold(0, |sum: i64, row| sum.saturating_add(row.get(field)))
}

/// Facts of the run that the file has.
fn run(document: &Document, kind: Kind) -> RunSummary {
    let times = Times::of(document);
    let mode = document.mode.clone().unwrap_or_default();
    let recorder = if mode.starts_with("rust") { "dhat-rs" } else { "DHAT of valgrind" };
    let short = document.short_lifetime.unwrap_or_else(|| times.short_lifetime());
    RunSummary {
        recorder: recorder.to_owned(),
        mode,
        command: document.command.clone().unwrap_or_default(),
        pid: document.pid.unwrap_or(0),
        clock: times.clock,
        duration: times.at(document.end_time.unwrap_or(0)),
        peak_at: times.at(document.peak_time.unwrap_or(0)),
        lacks_temporary: true,
        lacks_states: !kind.has_lifetimes(),
        short_lifetime: if kind.has_lifetimes() { short } else { 0 },
        ..RunSummary::default()
    }
}

/// The program as the first mapping: frames name only libraries.
fn add_program(run: &RunSummary, builder: &mut ProfileBuilder) {
    if let Some(path) = run.command.split_ascii_whitespace().next() {
        let file = builder.string(path);
        builder.mapping(Mapping { file, has_functions: true, has_filenames: true, has_line_numbers: true, ..Mapping::default() });
    }
}

/// The run with its totals.
fn of_rows(rows: &Rows, run: RunSummary) -> RunSummary {
    let count = |objects, bytes| RunCount { objects: sum(rows, objects), bytes: sum(rows, bytes) };
    let (allocated, end) = (count(Field::TotalBlocks, Field::TotalBytes), count(Field::EndBlocks, Field::EndBytes));
    let freed = RunCount { objects: allocated.objects.saturating_sub(end.objects), bytes: allocated.bytes.saturating_sub(end.bytes) };
    RunSummary { allocated, freed, peak: count(Field::PeakBlocks, Field::PeakBytes), end, ..run }
}

/// Counts the fields that program points must have and lack.
fn add_lacking(points: &Points, kind: Kind, problems: &mut Problems) {
    let required: Vec<Field> = kind.required().collect();
    for (point, number) in points.iter().zip(1..) {
        for field in required.iter().filter(|field| !point.has(**field)) {
            problems.add_lacking(FIELDS[*field as usize], number);
        }
    }
}

/// The warning about fields that the file must have and lacks.
fn missing_fields(document: &Document, kind: Kind, is_cut: bool) -> Option<Warning> {
    let lifetimes = kind.has_lifetimes();
    let fields = [
        ("dhatFileVersion", document.version.is_none()),
        ("mode", document.mode.is_none()),
        ("verb", document.verb.is_none()),
        ("bklt", document.has_lifetimes.is_none()),
        ("bkacc", document.has_accesses.is_none()),
        ("tu", document.time_unit.is_none()),
        ("tuth", lifetimes && document.short_lifetime.is_none()),
        ("cmd", document.command.is_none()),
        ("pid", document.pid.is_none()),
        ("te", document.end_time.is_none()),
        ("tg", lifetimes && document.peak_time.is_none()),
        ("pps", !is_cut && !document.points.is_begun),
        ("ftbl", !is_cut && !document.frames.is_complete),
    ];
    let fields: Vec<&str> = fields.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| name).collect();
    let consequence = if fields.contains(&"ftbl") { "stacks have numbers in place of names" } else { "usual values are assumed" };
    let kind = WarningKind::MissingFields { fields: fields.join(", "), consequence };
    (!fields.is_empty()).then_some(Warning { format: NAME, kind, at: None })
}
