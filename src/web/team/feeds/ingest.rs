//! Pyroscope's `/ingest`, which its older SDKs and curl use.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::receive::{origin, received, store, text};
use crate::feeds::ingest::{Ingested, labels, profile};
use crate::feeds::{Kind, Series};
use crate::store::time;
use crate::web::team::error::TeamError;
use crate::web::team::extract::Query;
use crate::web::team::grant::Grant;
use crate::web::team::place::Links;
use crate::web::team::state::Team;

/// POST: stores the body, or the part `profile` of a form. The profile was taken at `until`. The answer is 200, as SDKs expect, with
/// the permalink.
pub(in crate::web::team) async fn ingest(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, TeamError> {
    let bad = |error: String| TeamError::new(StatusCode::BAD_REQUEST, error, "");
    // `from`, `spyName`, `sampleRate` and `aggregationType` say nothing that the profile does not.
    let mut given = [("name", ""), ("until", ""), ("format", ""), ("units", "")];
    for (name, value) in &pairs {
        if let Some(place) = given.iter_mut().find(|(known, _)| known == name) {
            if !place.1.is_empty() {
                return Err(bad(format!("the parameter {name:?} is given twice")));
            }
            place.1 = value;
        }
    }
    let [name, until, format, units] = given.map(|(_, value)| value.to_owned());
    let labels = labels(&name)?;
    let time = match until.as_str() {
        "" => None,
        _ => Some(time(&until).ok_or_else(|| bad(format!("until={until}: expected seconds, milliseconds or nanoseconds since 1970")))?),
    };
    let content_type = text(&headers, header::CONTENT_TYPE).to_owned();
    let read = move |bytes: Vec<u8>, _: &_, _: &mut _| Ok(profile(bytes, &content_type, &format, &units)?);
    // Rights and labels before the body.
    origin(&team, &grant, labels.clone(), &headers)?;
    let (ingested, _reserved) = received(&team, &headers, body, read).await?;
    let skipped =
        |kind: Kind| format!("this profile is of the kind {:?}, not of memory, and was not stored\n", kind.name()).into_response();
    let profiles = match ingested {
        Ingested::Profile(bytes) => vec![bytes],
        Ingested::OtherUnits => {
            team.metrics().add_fed("ingest", Kind::Other.name());
            return Ok(skipped(Kind::Other));
        }
    };
    let outcome = store(&team, &grant, "ingest", vec![Series { labels, time, profiles }], &headers).await?;
    if let Some(error) = outcome.error() {
        return Err(error);
    }
    let links = Links::of(&team, &headers);
    let stored = outcome.stored.first().map(|uploaded| format!("{}\n", links.dump(&uploaded.envelope.sha256.short())).into_response());
    Ok(stored.unwrap_or_else(|| skipped(outcome.skipped.first().copied().unwrap_or(Kind::Other))))
}
