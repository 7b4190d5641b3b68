//! Durations in flags.

use std::time::Duration;

use anyhow::{Context, Result, bail};

/// A duration such as `500ms`, `30s` or `5m`, of `shortest` seconds or more; a number alone is seconds.
pub(super) fn duration(flag: &str, text: &str, shortest: f64) -> Result<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let unit = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => bail!("-{flag}={text}: unknown unit {unit:?}; expected ms, s, m or h"),
    };
    let seconds: f64 = number.parse().ok().with_context(|| format!("-{flag}={text}: expected a duration such as 500ms, 30s or 5m"))?;
    const LONGEST: f64 = 7.0 * 24.0 * 3600.0;
    if !(shortest..=LONGEST).contains(&(seconds * unit)) {
        bail!("-{flag}={text}: expected {}ms to 168h", shortest * 1000.0);
    }
    Ok(Duration::from_secs_f64(seconds * unit))
}
