//! `/healthz` and `/metrics` (Prometheus' text format).

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::error::TeamError;
use super::state::Team;
use super::targets;

/// GET /healthz: whether uploads are taken.
pub(super) async fn healthz(State(team): State<Team>) -> Result<&'static str, TeamError> {
    if team.is_stopping() {
        return Err(TeamError::busy("the server is being stopped"));
    }
    match team.metrics().is_store_away.load(Ordering::Relaxed) {
        true => Err(TeamError::busy("the store does not answer")),
        false => Ok("ok\n"),
    }
}

/// A label's value: names of services have nothing to escape.
fn label(name: &str, value: &str) -> String {
    format!("{{{name}=\"{value}\"}}")
}

/// GET /metrics
pub(super) async fn metrics(State(team): State<Team>) -> Response {
    let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let metrics = team.metrics();
    let services = team.store().dump_counts();
    let (n_open, open_bytes) = team.sessions.size();
    let mut text = String::new();
    let mut put = |name: &str, kind: &str, help: &str, rows: &[(String, u64)]| {
        // Writing to a text does not fail.
        let _ = write!(text, "# HELP heapview_{name} {help}\n# TYPE heapview_{name} {kind}\n");
        for (labels, value) in rows {
            let _ = writeln!(text, "heapview_{name}{labels} {value}");
        }
    };
    let one = |value: u64| [(String::new(), value)];
    put("build_info", "gauge", "Version of the server.", &[(label("version", env!("CARGO_PKG_VERSION")), 1)]);
    put("start_time_seconds", "gauge", "When the server started, since 1970.", &one(metrics.started));
    let uploads: Vec<(String, u64)> =
        metrics.uploads().iter().map(|((kind, outcome), n)| (format!("{{kind=\"{kind}\",outcome=\"{}\"}}", outcome.name()), *n)).collect();
    put("uploads_total", "counter", "Uploads of dumps and binaries by outcome.", &uploads);
    put("uploaded_bytes_total", "counter", "Unpacked bytes of all dumps that were sent.", &one(of(&metrics.bytes)));
    put("uploads_received_bytes", "gauge", "Bytes of uploads that are in memory.", &one(team.setup.most_received - team.received.left()));
    put("queue_length", "gauge", "Uploads and profiles that wait for their turn to be read.", &one(metrics.waiting()));
    put("requests_in_progress", "gauge", "Requests that are being answered.", &one(metrics.under_way()));
    put("store_errors_total", "counter", "Reads and writes of the store that failed.", &one(of(&metrics.store_errors)));
    put("store_up", "gauge", "Whether the store answered last time.", &one(u64::from(!metrics.is_store_away.load(Ordering::Relaxed))));
    put("log_lines_dropped_total", "counter", "Lines of the log that were not written.", &one(team.setup.log.dropped()));
    put("services", "gauge", "Services in the store.", &one(services.len() as u64));
    let dumps: Vec<(String, u64)> = services.iter().map(|(service, n)| (label("service", service), *n as u64)).collect();
    put("dumps", "gauge", "Dumps in the store.", &dumps);
    put("binaries", "gauge", "Builds in the store.", &one(team.store().binaries().len() as u64));
    put("open_profiles", "gauge", "Profiles in memory.", &one(n_open as u64));
    put("open_profile_bytes", "gauge", "Bytes of the profiles in memory.", &one(open_bytes as u64));
    put("open_profile_limit_bytes", "gauge", "Bytes from which profiles are closed.", &one(team.setup.most_memory as u64));
    for (name, kind, help, rows) in team.setup.scraper.as_ref().into_iter().flat_map(targets::metrics) {
        put(name, kind, help, &rows);
    }
    let fed: Vec<(String, u64)> = {
        let fed = metrics.fed();
        fed.iter().map(|((feed, outcome), n)| (format!("{{feed=\"{feed}\",outcome=\"{outcome}\"}}"), *n)).collect()
    };
    put("fed_profiles_total", "counter", "Profiles from agents and SDKs, by what became of them or the kind that is not kept.", &fed);
    let answers = metrics.answers();
    let counts: Vec<(String, u64)> =
        answers.counts.iter().map(|((route, status), n)| (format!("{{route=\"{route}\",status=\"{status}\"}}"), *n)).collect();
    put("http_requests_total", "counter", "Answers by route and status.", &counts);
    put("http_request_duration_seconds", "histogram", "Time until an answer began, by route.", &[]);
    for (route, times) in &answers.times {
        times.write(&mut text, "heapview_http_request_duration_seconds", &format!("route=\"{route}\""));
    }
    drop(answers);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
