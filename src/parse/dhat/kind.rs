//! What a file counts: value types, units and the clock.

use super::document::Document;
use super::points::Field;
use crate::base::run_clock::RunClock;
use crate::base::units;

/// What program points count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Blocks of the heap.
    Heap {
        /// Lifetimes, and what was in use at the peak and at the end.
        has_lifetimes: bool,
        /// Bytes read and written.
        has_accesses: bool,
    },
    /// Calls of memcpy, strcpy and the like.
    Copies,
    /// Events that the program reports itself.
    Events,
}

/// Kind and unit of a value type, and the field with its values.
pub(super) type ValueColumn = (&'static str, String, Field);

impl Kind {
    /// Judges by the fields of the file; where they are missing, by those of its points.
    pub(super) fn of(document: &Document) -> Self {
        let points_have = |field| document.points.iter().any(|point| point.has(field));
        match document.mode.as_deref() {
            Some("copy") => Kind::Copies,
            Some("ad-hoc" | "rust-ad-hoc") => Kind::Events,
            _ => Kind::Heap {
                has_lifetimes: document.has_lifetimes.unwrap_or_else(|| points_have(Field::PeakBytes)),
                has_accesses: document.has_accesses.unwrap_or_else(|| points_have(Field::ReadBytes)),
            },
        }
    }

    /// The value types, in order.
    pub(super) fn columns(self, document: &Document) -> Vec<ValueColumn> {
        let count = |kind, field| (kind, "count".to_owned(), field);
        let bytes = |kind, field| (kind, "bytes".to_owned(), field);
        match self {
            Kind::Copies => vec![count("copied_objects", Field::TotalBlocks), bytes("copied_space", Field::TotalBytes)],
            Kind::Events => {
                let unit = document.bytes_unit.clone().filter(|unit| !unit.is_empty()).unwrap_or_else(|| "units".to_owned());
                vec![count("events", Field::TotalBlocks), ("units", unit, Field::TotalBytes)]
            }
            Kind::Heap { has_lifetimes, has_accesses } => {
                let mut columns = vec![count("alloc_objects", Field::TotalBlocks), bytes("alloc_space", Field::TotalBytes)];
                if has_lifetimes {
                    columns.extend([
                        count("inuse_objects", Field::EndBlocks),
                        bytes("inuse_space", Field::EndBytes),
                        count("peak_objects", Field::PeakBlocks),
                        bytes("peak_space", Field::PeakBytes),
                        count("max_objects", Field::MaxBlocks),
                        bytes("max_space", Field::MaxBytes),
                        ("lifetime", Times::of(document).unit, Field::Lifetime),
                    ]);
                }
                if has_accesses {
                    columns.extend([bytes("read_space", Field::ReadBytes), bytes("write_space", Field::WrittenBytes)]);
                }
                columns
            }
        }
    }

    /// The value type to show first.
    pub(super) fn default_type(self) -> &'static str {
        match self {
            Kind::Heap { has_lifetimes: true, .. } => "peak_space",
            Kind::Heap { .. } => "alloc_space",
            Kind::Copies => "copied_space",
            Kind::Events => "units",
        }
    }

    /// Fields that every program point must have.
    pub(super) fn required(self) -> impl Iterator<Item = Field> {
        let (has_lifetimes, has_accesses) = match self {
            Kind::Heap { has_lifetimes, has_accesses } => (has_lifetimes, has_accesses),
            Kind::Copies | Kind::Events => (false, false),
        };
        Field::ALL.into_iter().filter(move |field| match field {
            Field::TotalBytes | Field::TotalBlocks => true,
            Field::ReadBytes | Field::WrittenBytes => has_accesses,
            _ => has_lifetimes,
        })
    }

    pub(super) fn has_lifetimes(self) -> bool {
        matches!(self, Kind::Heap { has_lifetimes: true, .. })
    }
}

/// Times of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Times {
    /// What they count.
    pub(super) clock: RunClock,
    /// Their unit.
    pub(super) unit: String,
    /// Length of the unit, by the clock.
    scale: f64,
}

impl Times {
    pub(super) fn of(document: &Document) -> Self {
        // dhat-rs writes the micro sign, which is not the Greek letter.
        let unit = match document.time_unit.as_deref() {
            None | Some("instrs" | "") => "instructions",
            Some("µs") => "microseconds",
            Some(unit) => unit,
        };
        let clock = match (units::factor(unit, "nanoseconds"), units::factor(unit, "bytes")) {
            (Some(scale), _) => (RunClock::Time, scale),
            (_, Some(scale)) => (RunClock::AllocatedBytes, scale),
            _ => (RunClock::Instructions, 1.0),
        };
        Times { clock: clock.0, unit: unit.to_owned(), scale: clock.1 }
    }

    /// A time by the clock.
    pub(super) fn at(&self, time: i64) -> i64 {
        if self.scale == 1.0 { time } else { (time as f64 * self.scale) as i64 }
    }

    /// Longest lifetime that the recorder's own viewer calls short, if the file does not say.
    pub(super) fn short_lifetime(&self) -> i64 {
        if self.clock == RunClock::Instructions { 500 } else { 10 }
    }
}
