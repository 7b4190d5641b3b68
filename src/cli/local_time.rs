//! Times in the local time zone.

/// A moment in the user's zone, like pprof prints it above tables.
pub(super) fn local_time(nanos: i64) -> String {
    zoned(nanos, "%Y-%m-%d %H:%M:%S %Z")
}

/// With nanoseconds, like `-raw` prints it.
pub(super) fn precise_time(nanos: i64) -> String {
    zoned(nanos, "%Y-%m-%d %H:%M:%S%.f %z %Z")
}

fn zoned(nanos: i64, format: &str) -> String {
    let moment = jiff::Timestamp::from_nanosecond(i128::from(nanos));
    moment.map_or(String::new(), |t| t.to_zoned(jiff::tz::TimeZone::system()).strftime(format).to_string())
}
