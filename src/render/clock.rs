//! Formatting of times; the caller knows the time zone.

/// Formats a time (nanoseconds since 1970 UTC).
pub type Clock<'a> = &'a dyn Fn(i64) -> String;
