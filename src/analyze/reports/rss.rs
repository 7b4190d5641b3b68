//! From bytes in use to the resident memory of the process.

use super::context::ReportContext;
use crate::analyze::resident::process_memory;
use crate::report::{ProcessMemory, RssReport};

/// The report. O(dumps × files + rows × dumps with files).
pub(crate) fn rss(context: &ReportContext) -> RssReport {
    let mut header = context.header();
    let memory =
        process_memory(context.profile, context.view).map(|memory| ProcessMemory { value_note: header.value_note.clone(), ..memory });
    header.warnings.extend(memory.iter().flat_map(|memory| memory.warnings.clone()));
    let memory = memory.unwrap_or_else(|| ProcessMemory {
        hint: "The profile has no bytes in use (inuse_space), so there is nothing to compare with the memory of the process".into(),
        ..ProcessMemory::default()
    });
    RssReport { header, memory }
}
