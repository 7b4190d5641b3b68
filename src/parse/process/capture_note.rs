//! The note of `heapview capture` about a capture: process, time, and how consistent it is.

use serde::{Deserialize, Serialize};

use super::problems::{Problem, Problems};
use super::section::Section;
use crate::profile::{CaptureNote, ProcessFacts};

/// How the note begins.
pub(super) const KEY: &[u8] = b"{\"heapview_capture\":";

#[derive(Serialize, Deserialize)]
struct Document {
    /// Version of the form.
    heapview_capture: u32,
    pid: u64,
    time_nanos: i64,
    #[serde(flatten)]
    note: CaptureNote,
}

/// The note as a line of JSON.
pub fn write_capture_note(pid: u64, time_nanos: i64, note: &CaptureNote) -> String {
    let document = Document { heapview_capture: 1, pid, time_nanos, note: note.clone() };
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

/// Reads the note, with process id and time.
pub(super) fn read(section: &mut Section, at: usize, problems: &mut Problems) -> Option<(ProcessFacts, Option<u64>, i64)> {
    let line = section.line;
    let mut values = serde_json::Deserializer::from_slice(&section.text[at..]).into_iter::<Document>();
    let found = values.next();
    let taken = values.byte_offset();
    let Some(Ok(Document { pid, time_nanos, note, .. })) = found else {
        problems.add(Problem::Json, line);
        section.skip(at + KEY.len());
        return None;
    };
    section.skip(at + taken.max(1));
    Some((ProcessFacts::Capture(note), Some(pid), time_nanos))
}
