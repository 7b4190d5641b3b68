//! The page of services; in an empty store, how to send the first dump.

use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::error::TeamError;
use super::extract::Query;
use super::grant::Grant;
use super::growth::{Facts, Order, growth, sort};
use super::lists::described;
use super::page::{at, change, html, size};
use super::place::{Links, part};
use super::state::Team;
use super::stored::in_store;

/// Times over which growth is shown, days; 0: all.
const WINDOWS: [(u64, &str); 4] = [(1, "a day"), (7, "7 days"), (30, "30 days"), (0, "all time")];

/// The one that is shown first.
const WINDOW: u64 = 7;

#[derive(Template)]
#[template(path = "team_services.html")]
struct ServicesPage {
    place: String,
    /// Name of the visitor's token; empty: none is needed.
    who: String,
    /// Beginning of this server's addresses.
    url: String,
    /// Whether senders need a token.
    needs_token: bool,
    warnings: Vec<String>,
    /// Times over which growth can be shown.
    windows: Vec<Choice>,
    columns: Vec<Choice>,
    services: Vec<ServiceRow>,
}

/// A link, or the choice that is shown.
struct Choice {
    name: &'static str,
    href: String,
    is_shown: bool,
}

struct ServiceRow {
    name: String,
    href: String,
    dumps: usize,
    total: String,
    growth: String,
    /// Address of the series of this time; empty: fewer than two dumps.
    series: String,
    latest: String,
    versions: String,
}

/// GET /: services.
pub(super) async fn services(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, TeamError> {
    let url = Links::of(&team, &headers).url().to_owned();
    in_store(&team, move |team| Ok(page(team, grant.name(), url, &pairs))).await
}

fn page(team: &Team, who: &str, url: String, pairs: &[(String, String)]) -> Response {
    let order = Order::of(pairs);
    let days = pairs.iter().find(|(name, _)| name == "days").and_then(|(_, days)| days.parse().ok());
    let days = days.filter(|days| WINDOWS.iter().any(|(window, _)| window == days)).unwrap_or(WINDOW);
    let since = match days {
        0 => i64::MIN,
        _ => jiff::Timestamp::now().as_millisecond().saturating_sub(i64::try_from(days).unwrap_or(0) * 86_400_000),
    };
    let mut rows: Vec<(Facts, ServiceRow)> = Vec::new();
    for (service, dumps) in team.store().services() {
        let recent = &dumps[dumps.partition_point(|envelope| envelope.time < since)..];
        let facts = Facts::of(&service, &dumps, growth(recent));
        let names: Vec<String> = described(&service, &dumps).versions.into_iter().map(|version| version.version).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let more = if names.len() > 3 { format!(" and {} more", names.len() - 3) } else { String::new() };
        let series = match recent {
            [first, .., last] => super::place::series(&service, &crate::store::Selection::default(), first.time, last.time + 1),
            _ => String::new(),
        };
        let row = ServiceRow {
            href: format!("/services/{}", part(&service)),
            dumps: facts.dumps,
            total: size(facts.total),
            growth: facts.growth.map_or(String::new(), change),
            series: if series.is_empty() { series } else { format!("{series}growth") },
            latest: at(facts.latest),
            versions: names.iter().take(3).copied().collect::<Vec<_>>().join(", ") + &more,
            name: service,
        };
        rows.push((facts, row));
    }
    sort(&mut rows, order);
    let href = |order: Order, days: u64| format!("/?sort={}&days={days}", order.name());
    let windows = WINDOWS.map(|(window, name)| Choice { name, href: href(order, window), is_shown: window == days });
    let columns = Order::ALL.map(|column| {
        let name = match column {
            Order::Name => "Service",
            Order::Total => "Latest total",
            Order::Growth => "Growth",
            Order::Latest => "Latest dump",
            Order::Dumps => "Dumps",
        };
        Choice { name, href: href(column, days), is_shown: column == order }
    });
    let page = ServicesPage {
        place: team.store().place(),
        who: who.to_owned(),
        url,
        needs_token: !team.store().tokens().is_empty(),
        warnings: team.store().warnings(),
        windows: windows.into(),
        columns: columns.into(),
        services: rows.into_iter().map(|(_, row)| row).collect(),
    };
    html(StatusCode::OK, &page)
}
