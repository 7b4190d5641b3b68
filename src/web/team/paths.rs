//! Paths to which something is sent.

pub(super) const DUMPS: &str = "/api/v1/dumps";
pub(super) const BINARIES: &str = "/api/v1/binaries";
pub(super) const NOTES: &str = "/api/v1/notes";
/// Pyroscope's, over Connect.
pub(super) const PUSH: &str = "/push.v1.PusherService/Push";
/// Pyroscope's older one.
pub(super) const INGEST: &str = "/ingest";
/// OpenTelemetry's.
pub(super) const OTLP: &str = "/v1development/profiles";
/// Short links, which the page makes.
pub(super) const LINKS: &str = "/api/v1/links";
/// The form of the log-in.
pub(super) const LOGIN: &str = "/login";

/// Where dumps and binaries are sent.
pub(super) const UPLOADS: [&str; 5] = [DUMPS, BINARIES, PUSH, INGEST, OTLP];

/// The address by the name of its constant, as in the router's `paths::DUMPS`; tests of all routes read the router's code.
#[cfg(test)]
pub(super) fn named(name: &str) -> Option<&'static str> {
    let lines = include_str!("paths.rs").lines().filter_map(|line| line.strip_prefix("pub(super) const "));
    lines.filter_map(|line| line.split_once(": &str = \"")).find(|(known, _)| *known == name).map(|(_, path)| path.trim_end_matches("\";"))
}
