//! Formatting of times; the caller knows the time zone.

/// Prints a moment (nanoseconds since 1970 UTC) for people.
pub type Clock<'a> = &'a dyn Fn(i64) -> String;
