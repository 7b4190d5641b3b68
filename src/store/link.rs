//! Addresses of a series on the server.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Selection;

/// Escaped in a part of a path.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':').remove(b'+');

/// A part of a path.
pub fn path_part(text: &str) -> String {
    utf8_percent_encode(text, PART).to_string()
}

/// The address of a series that never means others, from `/` on: `from` and `to` are times, milliseconds since 1970 UTC.
pub fn series_address(service: &str, selection: &Selection, from: i64, to: i64) -> String {
    let at = |millis: i64| path_part(&crate::api::utc(millis.saturating_mul(1_000_000)).replace(" UTC", "Z").replace(' ', "T"));
    let labels: String = selection.labels.iter().map(|(name, value)| format!(";{}={}", path_part(name), path_part(value))).collect();
    // Whole seconds, and all of the last one.
    format!("/s/{}/{}..{}{labels}/", path_part(service), at(from), at(to.saturating_add(999)))
}
