//! The page of a service and its dumps: without script, within the same policy as everything else.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::error::TeamError;
use super::extract::{Path, Query};
use super::growth::{Facts, Order, growth, sort};
use super::lists::{chosen, selection};
use super::notes::{self, GuardPart};
use super::page::{at, change, html, size};
use super::place::{no_service, part, series, value};
use super::state::Team;
use super::stored::in_store;
use crate::store::{Envelope, Hash, MOST_DUMPS};

/// Dumps of a page.
const ROWS: usize = 200;

/// Most points of a line that are marked.
const DOTS: usize = 60;

/// Points of a chart.
const POINTS: usize = 600;

/// Size of a chart, in its own units.
const WIDTH: i64 = 1000;
const HEIGHT: i64 = 200;

/// Most lines of a chart.
const LINES: usize = 12;

#[derive(Default, Template)]
#[template(path = "team_service.html")]
struct ServicePage {
    service: String,
    /// Values of the form.
    from: String,
    to: String,
    least: String,
    label: String,
    labels: Vec<(String, String)>,
    n: usize,
    shown: usize,
    /// How many of these the chart and the lists are about.
    counted: usize,
    /// Address of the series, if there are several dumps; how many of them it shows.
    series: String,
    series_shown: usize,
    /// Name of the order of the lists, and addresses of all orders.
    order: &'static str,
    sorts: Vec<(&'static str, String)>,
    /// Growth of all that is shown; empty: no process has two dumps.
    growth: String,
    versions: Vec<ChoiceRow>,
    processes: Vec<ChoiceRow>,
    lines: Vec<Line>,
    most: String,
    first: String,
    last: String,
    dumps: Vec<DumpRow>,
    guard: GuardPart,
}

/// A version or process, with the address of the page that shows only it.
struct ChoiceRow {
    name: String,
    href: String,
    dumps: usize,
    total: String,
    /// Empty: no process has two dumps.
    growth: String,
    latest: String,
    /// Address of its series.
    series: String,
}

/// Line of a chart.
struct Line {
    name: String,
    /// Coordinates, `x,y` apart by spaces.
    points: String,
    /// A path of dots, where there are few points: of a single one there is no line.
    dots: String,
    nth: usize,
}

struct DumpRow {
    time: String,
    href: String,
    /// Difference to the dump before in the same process; empty for the first.
    less: String,
    total: String,
    change: String,
    version: String,
    process: String,
    name: String,
    labels: String,
    missing: String,
}

/// GET /services/{service}: versions, processes and dumps, with the total over time.
pub(super) async fn service(
    State(team): State<Team>,
    Path(service): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, TeamError> {
    in_store(&team, move |team| page(team, &service, pairs)).await
}

fn page(team: &Team, service: &str, mut pairs: Vec<(String, String)>) -> Result<Response, TeamError> {
    // The form has one field for any label.
    if let Some(at) = pairs.iter().position(|(name, _)| name == "label") {
        let (_, text) = pairs.remove(at);
        pairs.extend(text.split_once('=').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())));
    }
    let order = Order::of(&pairs);
    pairs.retain(|(name, value)| !["limit", "service", "sort"].contains(&name.as_str()) && !value.is_empty());
    let wanted = selection(&pairs)?;
    let given = |name: &str| pairs.iter().find(|(given, _)| given == name).map_or(String::new(), |(_, value)| value.clone());
    let all = [pairs.clone(), vec![("service".into(), service.to_owned()), ("limit".into(), usize::MAX.to_string())]].concat();
    let known = team.store().dumps_of(service).ok_or_else(|| no_service(service))?;
    let (mut dumps, n) = chosen(team, all)?;
    dumps.reverse();
    let href = |name: &str, value_of: &str| {
        let kept = pairs.iter().filter(|(given, _)| given != name).map(|(name, given)| format!("{}={}", value(name), value(given)));
        let sorted = Some(order).filter(|&order| order != Order::Latest && name != "sort").map(|order| format!("sort={}", order.name()));
        let query: Vec<String> = kept.chain(sorted).chain([format!("{name}={}", value(value_of))]).collect();
        format!("/services/{}?{}", part(service), query.join("&"))
    };
    let series_of = |dumps: &[Arc<Envelope>], more: Option<(&str, &str)>| match dumps {
        [first, .., last] => {
            let mut selection = wanted.clone();
            selection.least = None;
            selection.labels.extend(more.map(|(name, value)| (name.to_owned(), value.to_owned())));
            series(service, &selection, first.time, last.time + 1)
        }
        _ => String::new(),
    };
    let choices = |name: &str, of: &dyn Fn(&Envelope) -> String| {
        let mut groups: BTreeMap<String, Vec<Arc<Envelope>>> = BTreeMap::new();
        dumps.iter().for_each(|envelope| groups.entry(of(envelope)).or_default().push(envelope.clone()));
        let row = |(value, dumps): (String, Vec<Arc<Envelope>>)| {
            let facts = Facts::of(&value, &dumps, growth(&dumps));
            let row = ChoiceRow {
                href: href(name, &value),
                dumps: facts.dumps,
                total: size(facts.total),
                growth: facts.growth.map_or(String::new(), change),
                latest: at(facts.latest),
                series: series_of(&dumps, Some((name, &value))),
                name: value,
            };
            (facts, row)
        };
        let mut rows: Vec<_> = groups.into_iter().filter(|(value, _)| !value.is_empty()).map(row).collect();
        sort(&mut rows, order);
        rows.truncate(ROWS);
        rows.into_iter().map(|(_, row)| row).collect()
    };
    let sorts = Order::ALL.map(|order| (order.name(), href("sort", order.name())));
    let (lines, most) = chart(&dumps);
    let last = team.store().last_dumps(service).unwrap_or_default();
    let has_binary: std::collections::BTreeSet<String> = team.store().binaries().into_iter().map(|(id, _)| id).collect();
    let page = ServicePage {
        guard: notes::part(team, service),
        from: given("from"),
        to: given("to"),
        least: given("least"),
        label: String::new(),
        labels: wanted.labels.clone(),
        n: known.len(),
        shown: n,
        counted: dumps.len(),
        series: series_of(&dumps, None),
        series_shown: n.min(MOST_DUMPS),
        order: order.name(),
        sorts: sorts.into(),
        growth: growth(&dumps).map_or(String::new(), change),
        versions: choices("version", &|envelope| envelope.origin.version.clone()),
        processes: choices("process", &Envelope::process),
        lines,
        most: size(most),
        first: dumps.first().map_or(String::new(), |first| at(first.time)),
        last: dumps.last().map_or(String::new(), |last| at(last.time)),
        dumps: rows(&dumps, &|id| has_binary.contains(id), &last),
        service: service.to_owned(),
    };
    Ok(html(StatusCode::OK, &page))
}

/// The latest dumps, the latest first.
fn rows(dumps: &[Arc<Envelope>], has_binary: &dyn Fn(&str) -> bool, last: &[Hash]) -> Vec<DumpRow> {
    let mut before: BTreeMap<String, &Envelope> = BTreeMap::new();
    let mut rows = Vec::new();
    for envelope in dumps {
        let earlier = before.insert(envelope.process(), envelope);
        let short = envelope.sha256.short();
        let grown = earlier.map(|earlier| envelope.total().saturating_sub(earlier.total()));
        let mut labels: Vec<String> = envelope.origin.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if last.contains(&envelope.sha256) {
            labels.push("last-before-exit".into());
        }
        let main = envelope.builds.first().map(|build| build.id.as_str()).filter(|id| !id.is_empty());
        rows.push(DumpRow {
            time: at(envelope.time),
            href: format!("/d/{short}/"),
            less: earlier.map_or(String::new(), |earlier| format!("/d/{}..{short}/", earlier.sha256.short())),
            total: size(envelope.total()),
            change: grown.map_or(String::new(), change),
            version: envelope.origin.version.clone(),
            process: envelope.process(),
            name: envelope.origin.name.clone(),
            labels: labels.join(" "),
            missing: main.filter(|id| !has_binary(id)).map_or(String::new(), |id| id.chars().take(12).collect()),
        });
    }
    rows.reverse();
    rows.truncate(ROWS);
    rows
}

/// The total over time: a line for each process, those with most dumps; and the largest total.
fn chart(dumps: &[Arc<Envelope>]) -> (Vec<Line>, i64) {
    let (Some(first), Some(last)) = (dumps.first(), dumps.last()) else { return (Vec::new(), 0) };
    let most = dumps.iter().map(|envelope| envelope.total()).max().unwrap_or(0).max(1);
    let span = (last.time - first.time).max(1);
    let mut by_process: BTreeMap<String, Vec<&Envelope>> = BTreeMap::new();
    dumps.iter().for_each(|envelope| by_process.entry(envelope.process()).or_default().push(envelope));
    let mut processes: Vec<(String, Vec<&Envelope>)> = by_process.into_iter().collect();
    processes.sort_by_key(|(_, dumps)| std::cmp::Reverse(dumps.len()));
    let scaled = |part: i64, whole: i64, length: i64| i64::try_from(i128::from(part) * i128::from(length) / i128::from(whole)).unwrap_or(0);
    let point = |envelope: &Envelope| {
        let x = scaled(envelope.time - first.time, span, WIDTH);
        format!("{x},{}", HEIGHT - scaled(envelope.total().max(0), most, HEIGHT))
    };
    let line = |(nth, (name, dumps)): (usize, (String, Vec<&Envelope>))| {
        let step = dumps.len().div_ceil(POINTS).max(1);
        let last = dumps.last().filter(|_| (dumps.len() - 1) % step != 0);
        let points: Vec<String> = dumps.iter().step_by(step).chain(last).map(|envelope| point(envelope)).collect();
        let dots = if points.len() <= DOTS { points.iter().map(|point| format!("M{point}h0")).collect() } else { String::new() };
        Line { name, points: points.join(" "), dots, nth }
    };
    (processes.into_iter().take(LINES).enumerate().map(line).collect(), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_what_it_leaves_out() {
        let text = |counted| ServicePage { n: 20_000, shown: 12_000, counted, ..ServicePage::default() }.render().unwrap();
        assert!(text(10_000).contains("about the latest 10000 of these dumps"));
        assert!(!text(12_000).contains("about the latest"));
    }
}
