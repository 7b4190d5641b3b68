//! Scrape jobs: what is fetched, from where, and how often.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What a target serves; decides the default path and whether the target is asked for names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScrapeKind {
    /// jemalloc's text.
    Jemalloc,
    /// gperftools' text, and names at `/pprof/symbol`.
    Gperftools,
    /// Go's `net/http/pprof`.
    Go,
    /// Any other address with a heap profile.
    #[default]
    Pprof,
}

impl ScrapeKind {
    /// All kinds, with their names.
    pub const ALL: [(ScrapeKind, &str); 4] =
        [(ScrapeKind::Jemalloc, "jemalloc"), (ScrapeKind::Gperftools, "gperftools"), (ScrapeKind::Go, "go"), (ScrapeKind::Pprof, "pprof")];

    /// Path of the profile, if the job has none.
    pub fn path(self) -> &'static str {
        match self {
            ScrapeKind::Jemalloc | ScrapeKind::Gperftools => "/pprof/heap",
            ScrapeKind::Go | ScrapeKind::Pprof => "/debug/pprof/heap",
        }
    }
}

/// By how much memory grows until a dump is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GrowthStep {
    /// Bytes.
    Bytes(u64),
    /// Of the value at the last kept dump: 0.1 is 10 %.
    Share(f64),
}

impl GrowthStep {
    /// Parses `256MiB` or `10%`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expected = || "expected a size such as \"256MiB\", or a percentage such as \"10%\"".to_owned();
        if let Some(number) = text.strip_suffix('%') {
            let share = number.trim().parse::<f64>().ok().filter(|share| (0.1..=10_000.0).contains(share)).ok_or_else(expected)?;
            return Ok(GrowthStep::Share(share / 100.0));
        }
        match crate::base::units::memory(text) {
            Ok(0) | Err(_) => Err(expected()),
            Ok(bytes) => Ok(GrowthStep::Bytes(bytes)),
        }
    }

    /// Whether `now` is a step above `kept`.
    pub fn is_reached(self, kept: u64, now: u64) -> bool {
        match self {
            GrowthStep::Bytes(step) => now >= kept.saturating_add(step),
            GrowthStep::Share(share) => now as f64 >= kept as f64 * (1.0 + share) && now > kept,
        }
    }
}

/// How requests identify themselves. Files are read for each request, so that secrets can be replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ScrapeAuth {
    /// Not at all.
    #[default]
    None,
    /// `Authorization: Bearer` with the content of a file.
    BearerFile(PathBuf),
    /// User, and the file with the password.
    Basic(String, PathBuf),
}

/// A job: targets that are fetched in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct ScrapeJob {
    /// Name, unique in the configuration.
    pub name: String,
    /// Service of the dumps.
    pub service: String,
    /// What the targets serve.
    pub kind: ScrapeKind,
    /// `http`, `https` or `https+insecure`.
    pub scheme: String,
    /// Path of the profile, with its query.
    pub path: String,
    /// `host:port` each.
    pub targets: Vec<String>,
    /// Files with targets, in the format of Prometheus' `file_sd`; patterns.
    pub files: Vec<PathBuf>,
    /// Labels of all dumps.
    pub labels: BTreeMap<String, String>,
    /// Time from one dump of a target to the next.
    pub interval: Duration,
    /// Time for one request.
    pub timeout: Duration,
    /// Growth that is worth a dump between two intervals.
    pub growth: Option<GrowthStep>,
    /// Time between two looks at growth.
    pub probe_interval: Duration,
    /// Path that says cheaply how much memory is in use; without it, the profile itself is asked for.
    pub probe: Option<String>,
    /// Metric in the answer of `probe`.
    pub probe_metric: String,
    /// Whether the target is asked for names.
    pub symbols: bool,
    /// Identification.
    pub auth: ScrapeAuth,
    /// Authorities that are trusted instead of the system's, PEM.
    pub tls_ca: Option<PathBuf>,
}

/// Metric that programs with a Prometheus client have.
pub const RSS_METRIC: &str = "process_resident_memory_bytes";

impl ScrapeJob {
    /// A job of a name, with defaults for everything else.
    pub fn new(name: &str) -> Self {
        ScrapeJob {
            name: name.to_owned(),
            service: name.to_owned(),
            kind: ScrapeKind::default(),
            scheme: "http".into(),
            path: ScrapeKind::default().path().into(),
            targets: Vec::new(),
            files: Vec::new(),
            labels: BTreeMap::new(),
            interval: Duration::from_secs(600),
            timeout: Duration::from_secs(30),
            growth: None,
            probe_interval: Duration::from_secs(30),
            probe: None,
            probe_metric: RSS_METRIC.into(),
            symbols: false,
            auth: ScrapeAuth::None,
            tls_ca: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_sizes_or_shares() {
        assert_eq!(GrowthStep::parse("256MiB"), Ok(GrowthStep::Bytes(256 << 20)));
        assert_eq!(GrowthStep::parse("10%"), Ok(GrowthStep::Share(0.1)));
        for wrong in ["", "0", "%", "0%", "-5%", "nan%", "much", "99999%"] {
            assert!(GrowthStep::parse(wrong).is_err(), "{wrong}");
        }
        let step = GrowthStep::Bytes(100);
        assert!(step.is_reached(50, 150) && !step.is_reached(50, 149) && !step.is_reached(u64::MAX, 5));
        let step = GrowthStep::Share(0.1);
        assert!(step.is_reached(100, 111) && !step.is_reached(100, 109) && !step.is_reached(0, 0) && step.is_reached(0, 1));
    }
}
