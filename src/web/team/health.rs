//! `/healthz` and `/metrics` (Prometheus' text format).

use std::fmt::Write;
use std::sync::PoisonError;
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
    put("dumps_stored_total", "counter", "Uploads that were stored.", &one(of(&metrics.stored)));
    put("dumps_known_total", "counter", "Uploads that were stored before.", &one(of(&metrics.known)));
    put("uploaded_bytes_total", "counter", "Unpacked bytes of all uploads.", &one(of(&metrics.bytes)));
    put("store_errors_total", "counter", "Attempts to read the store that failed.", &one(of(&metrics.store_errors)));
    put("requests_under_way", "gauge", "Requests that are being answered.", &one(metrics.under_way()));
    put("services", "gauge", "Services in the store.", &one(services.len() as u64));
    let dumps: Vec<(String, u64)> = services.iter().map(|(service, n)| (format!("{{service=\"{service}\"}}"), *n as u64)).collect();
    put("dumps", "gauge", "Dumps in the store.", &dumps);
    put("binaries", "gauge", "Builds in the store.", &one(team.store().binaries().len() as u64));
    put("open_profiles", "gauge", "Profiles in memory.", &one(n_open as u64));
    put("open_profile_bytes", "gauge", "Bytes of the profiles in memory.", &one(open_bytes as u64));
    for (name, kind, help, rows) in team.setup.scraper.as_ref().into_iter().flat_map(targets::metrics) {
        put(name, kind, help, &rows);
    }
    let fed: Vec<(String, u64)> = {
        let fed = metrics.fed.lock().unwrap_or_else(PoisonError::into_inner);
        fed.iter().map(|((feed, outcome), n)| (format!("{{feed=\"{feed}\",outcome=\"{outcome}\"}}"), *n)).collect()
    };
    put("fed_profiles_total", "counter", "Profiles from agents and SDKs, by what became of them or the kind that is not kept.", &fed);
    let answers: Vec<(String, u64)> = {
        let answers = metrics.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().map(|((kind, status), n)| (format!("{{path=\"{kind}\",status=\"{status}\"}}"), *n)).collect()
    };
    put("answers_total", "counter", "Answers by beginning of the path and status.", &answers);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
