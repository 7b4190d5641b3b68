//! `/api/v1/targets`: what the scraper asks, and how that goes.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use super::place::Links;
use super::state::Team;
use crate::scrape::{Scraper, TargetStatus};

/// Answer of `/api/v1/targets`.
#[derive(Serialize)]
pub(super) struct Targets {
    targets: Vec<TargetRow>,
    /// Files with targets that cannot be used, a sentence each.
    problems: Vec<String>,
}

/// A target.
#[derive(Serialize)]
struct TargetRow {
    #[serde(flatten)]
    status: TargetStatus,
    /// Link of the last dump; empty if there is none.
    link: String,
}

/// GET /api/v1/targets
pub(super) async fn targets(State(team): State<Team>, headers: HeaderMap) -> Json<Targets> {
    let links = Links::of(&team, &headers);
    let scraper = team.setup.scraper.as_ref();
    let row = |status: TargetStatus| TargetRow { link: status.last_dump.parse().map_or(String::new(), |id| links.dump(&id)), status };
    Json(Targets {
        targets: scraper.map_or_else(Vec::new, Scraper::targets).into_iter().map(row).collect(),
        problems: scraper.map_or_else(Vec::new, Scraper::problems),
    })
}

/// Counters of `/metrics`: name, kind, help and rows.
pub(super) fn metrics(scraper: &Scraper) -> [(&'static str, &'static str, &'static str, Vec<(String, u64)>); 2] {
    let counters = scraper.counters().into_iter();
    let counters = counters.map(|(job, result, n)| (format!("{{job=\"{job}\",result=\"{}\"}}", result.name()), n)).collect();
    let mut states = std::collections::BTreeMap::<(String, &str), u64>::new();
    for target in scraper.targets() {
        if target.elsewhere {
            continue;
        }
        let state = target.up.map_or("new", |is_up| if is_up { "up" } else { "down" });
        *states.entry((target.job, state)).or_default() += 1;
    }
    let states = states.into_iter().map(|((job, state), n)| (format!("{{job=\"{job}\",state=\"{state}\"}}"), n)).collect();
    [
        ("scrapes_total", "counter", "Visits to targets by what became of them.", counters),
        ("scrape_targets", "gauge", "Targets by the result of the last visit.", states),
    ]
}
