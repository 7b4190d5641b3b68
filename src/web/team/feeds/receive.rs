//! What all feeds do: receive a request, check where its profiles came from, store them.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};

use crate::feeds::{self, BadRequest, Kind, Series};
use crate::store::{Said, Settings, Uploaded, said};
use crate::web::team::body::{Bound, grow, in_memory};
use crate::web::team::dumps::{check, take};
use crate::web::team::error::TeamError;
use crate::web::team::grant::Grant;
use crate::web::team::state::Team;
use crate::web::upload_quota::Reservation;

/// Header that says whose data this is, in Pyroscope and its relatives.
const TENANT: &str = "x-scope-orgid";

/// Most errors that an answer names.
const MOST_NAMED: usize = 5;

impl From<BadRequest> for TeamError {
    fn from(error: BadRequest) -> Self {
        if error == BadRequest::Busy {
            return TeamError::busy(error.to_string());
        }
        let (status, hint) = match &error {
            BadRequest::Bomb(_) => (StatusCode::PAYLOAD_TOO_LARGE, "an administrator can raise it: heapview store set most_body=…"),
            BadRequest::Large(_) => (StatusCode::PAYLOAD_TOO_LARGE, "an administrator can raise it: heapview store set most_unpacked=…"),
            BadRequest::Profiles | BadRequest::Labels(_) | BadRequest::References => (StatusCode::PAYLOAD_TOO_LARGE, ""),
            BadRequest::Encoding(_) | BadRequest::Format(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, ""),
            _ => (StatusCode::BAD_REQUEST, ""),
        };
        TeamError::new(status, error.to_string(), hint)
    }
}

/// What became of the profiles of a request.
#[derive(Default)]
pub(super) struct Outcome {
    /// Profiles of the request.
    n: usize,
    pub(super) stored: Vec<Uploaded>,
    /// Kinds that are not kept.
    pub(super) skipped: Vec<Kind>,
    /// Number of the profile in the request, from 1, and why it is not stored.
    pub(super) refused: Vec<(usize, TeamError)>,
}

impl Outcome {
    /// Why the request failed as a whole or in part; `None`: it did not.
    pub(super) fn error(&self) -> Option<TeamError> {
        let (_, first) = self.refused.first()?;
        if self.n == 1 {
            return Some(first.clone());
        }
        let named = self.refused.iter().take(MOST_NAMED).map(|(at, error)| format!("profile {at}: {}", error.error));
        let named = named.collect::<Vec<_>>().join("; ");
        let n_missing = self.n - self.stored.len() - self.skipped.len();
        // What may pass decides: the sender tries again, and what is stored stays so.
        let passing = self.refused.iter().find(|(_, error)| error.is_passing());
        let of = passing.map_or(first, |(_, error)| error);
        Some(of.saying(format!("{n_missing} of {} profiles were not stored: {named}", self.n)))
    }
}

/// Text of a header; empty without one.
pub(super) fn text(headers: &HeaderMap, name: impl header::AsHeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Receives a body and reads it with `read` on a thread that may block. What is reserved counts until the profiles are stored.
pub(super) async fn received<T: Send + 'static>(
    team: &Team,
    headers: &HeaderMap,
    body: Body,
    read: impl FnOnce(Vec<u8>, &Settings, &mut Reservation) -> Result<T, TeamError> + Send + 'static,
) -> Result<(T, Reservation), TeamError> {
    let settings = team.store().settings();
    let bound = Bound { what: "request", most: settings.most_body, setting: "most_body" };
    let (bytes, mut reserved) = in_memory(team, bound, headers, body).await?;
    let encoding = text(headers, header::CONTENT_ENCODING).to_owned();
    let turn = team.turns.clone().acquire_owned().await;
    let of = team.clone();
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let plain = feeds::unpack(bytes, &encoding, settings.most_body, |n| grow(&of, &mut reserved, n, "request"))?;
        // What is read are copies of the profiles; both exist only for this turn.
        let read = read(plain, &settings, &mut reserved)?;
        Ok((read, reserved))
    });
    done.await.map_err(|error| TeamError::internal(format!("the request cannot be read: {error}")))?
}

/// Where the profiles of a series came from. Refuses what the sender may not store.
pub(super) fn origin(team: &Team, grant: &Grant, labels: Vec<(String, String)>, headers: &HeaderMap) -> Result<Said, TeamError> {
    let tenant = Some(text(headers, TENANT)).filter(|tenant| !tenant.is_empty());
    let said = said(&feeds::parameters(labels, tenant)?, &team.store().settings())?;
    check(team, grant, &said)?;
    Ok(said)
}

/// Checks and stores the profiles of series; `feed` is for the metrics.
pub(super) async fn store(
    team: &Team,
    grant: &Grant,
    feed: &'static str,
    series: Vec<Series>,
    headers: &HeaderMap,
) -> Result<Outcome, TeamError> {
    let several = series.len() > 1;
    let mut all: Vec<(Said, Vec<u8>)> = Vec::new();
    for (at, Series { labels, time, profiles }) in series.into_iter().enumerate() {
        let mut said = origin(team, grant, labels, headers).map_err(|error| match several {
            true => error.saying(format!("series {}: {}; nothing was stored", at + 1, error.error)),
            false => error,
        })?;
        said.time = time;
        all.extend(profiles.into_iter().map(|profile| (said.clone(), profile)));
    }
    let mut outcome = Outcome { n: all.len(), ..Outcome::default() };
    for (at, (said, profile)) in all.into_iter().enumerate() {
        match one(team, grant, feed, said, profile).await {
            Ok(Ok(uploaded)) => outcome.stored.push(uploaded),
            Ok(Err(kind)) => outcome.skipped.push(kind),
            Err(error) => {
                team.metrics().add_fed(feed, "refused");
                let is_passing = error.is_passing();
                outcome.refused.push((at + 1, error));
                // The store is away: the others would fail, too.
                if is_passing {
                    break;
                }
            }
        }
    }
    Ok(outcome)
}

/// Stores a profile of memory; returns the kind of another one.
async fn one(team: &Team, grant: &Grant, feed: &'static str, said: Said, profile: Vec<u8>) -> Result<Result<Uploaded, Kind>, TeamError> {
    let (turn, most) = (team.turns.clone().acquire_owned().await, team.store().settings().most_unpacked);
    let looked_at = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        (feeds::kind(&profile, usize::try_from(most).unwrap_or(usize::MAX)), profile)
    });
    let (kind, profile) = looked_at.await.map_err(|error| TeamError::internal(format!("the profile cannot be read: {error}")))?;
    if kind != Kind::Memory {
        team.metrics().add_fed(feed, kind.name());
        return Ok(Err(kind));
    }
    // The request has reserved its bytes.
    let (uploaded, _) = take(team, grant, said, profile, team.received.reserve()).await?;
    team.metrics().add_fed(feed, if uploaded.was_known { "known" } else { "stored" });
    Ok(Ok(uploaded))
}
