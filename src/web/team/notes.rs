//! Notes on functions, and what came of checks: as JSON, and on the page of a service.
//!
//! Notes are written with a token in the request's header. The cookie of a browser only reads, so no page can write in the name of
//! somebody who has it open.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};

use super::body;
use super::error::TeamError;
use super::extract::Query;
use super::grant::Grant;
use super::place::no_service;
use super::state::Team;
use super::stored::in_store;
use crate::store::{CheckResult, Expectation, Note, StoreError, time};

/// Longest request, bytes.
const LONGEST: usize = 64 << 10;

/// Query of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Of {
    service: String,
}

/// GET /api/v1/notes?service=…
pub(super) async fn list(State(team): State<Team>, Query(Of { service }): Query<Of>) -> Result<Json<Vec<Note>>, TeamError> {
    let listed = in_store(&team, move |team| {
        team.store().dumps_of(&service).ok_or_else(|| no_service(&service))?;
        Ok(team.store().notes(&service)?)
    });
    Ok(Json(listed.await?))
}

/// A note that is written, or one that is removed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    service: String,
    #[serde(default)]
    function: String,
    #[serde(default)]
    text: String,
    expected: Option<Expected>,
    /// Identifier of the note to remove.
    remove: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    up_to: Option<u64>,
    until: Option<String>,
    #[serde(default)]
    until_version: String,
}

fn bad(error: impl Into<String>) -> TeamError {
    TeamError::new(StatusCode::BAD_REQUEST, error, "expected {\"service\": …, \"function\": …, \"text\": …, \"expected\": {…}}")
}

/// POST /api/v1/notes: writes or removes a note; answers with it.
pub(super) async fn write(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    sent: Body,
) -> Result<(StatusCode, Json<Option<Note>>), TeamError> {
    let bytes = body::short(&team, "note", LONGEST, sent).await?;
    let written: Written = serde_json::from_slice(&bytes).map_err(|error| bad(format!("the note is not the JSON of a note: {error}")))?;
    let by = grant.name().to_owned();
    let done = in_store(&team, move |team| {
        let Written { service, function, text, expected, remove } = written;
        team.store().dumps_of(&service).ok_or_else(|| no_service(&service))?;
        // What the store refuses is the sender's mistake.
        let refused = |error: StoreError| match error {
            StoreError::Refused(error) => bad(error),
            error => error.into(),
        };
        let note = match remove {
            Some(id) => {
                team.store().remove_note(&service, &id).map_err(refused)?;
                team.store().log(&by, "note remove", &format!("{service} {id}"))?;
                None
            }
            None => {
                let expected = expected.map(read).transpose()?;
                let what = if expected.is_some() { "expect" } else { "note" };
                let note = Note { culprit: function, text, by: by.clone(), expected, ..Note::default() };
                let note = team.store().add_note(&service, note).map_err(refused)?;
                team.store().log(&by, what, &format!("{service} {}", note.culprit))?;
                Some(note)
            }
        };
        // Open series say what is expected.
        team.sessions.name_again();
        Ok(note)
    });
    let note = done.await?;
    Ok((if note.is_some() { StatusCode::CREATED } else { StatusCode::OK }, Json(note)))
}

fn read(Expected { up_to, until, until_version }: Expected) -> Result<Expectation, TeamError> {
    let wrong = |until: &str| bad(format!("until={until}: expected a time such as 2026-12-31T00:00:00Z"));
    let until = until.map(|until| time(&until).ok_or_else(|| wrong(&until))).transpose()?;
    Ok(Expectation { up_to, until, until_version })
}

/// A check and what came of it; without its webhook.
#[derive(Serialize)]
pub(super) struct Listed {
    service: String,
    every_seconds: u64,
    window_seconds: u64,
    limits: Vec<String>,
    has_webhook: bool,
    checked: i64,
    since: i64,
    verdict: Option<crate::store::Verdict>,
    problem: String,
    waiting_notices: usize,
}

/// GET /api/v1/checks
pub(super) async fn checks(State(team): State<Team>) -> Result<Json<Vec<Listed>>, TeamError> {
    let listed = in_store(&team, |team| {
        let checks = team.store().checks()?.into_iter().map(|(service, check)| {
            let CheckResult { checked, since, verdict, problem, pending, .. } = team.store().check_result(&service)?;
            Ok(Listed {
                service,
                every_seconds: check.every,
                window_seconds: check.window,
                limits: check.limits.iter().map(|(kind, text)| format!("{kind}={text}")).collect(),
                has_webhook: !check.webhook.is_empty(),
                checked,
                since,
                verdict,
                problem,
                waiting_notices: pending.len(),
            })
        });
        checks.collect()
    });
    Ok(Json(listed.await?))
}

/// The part of a service's page about its check and notes.
#[derive(Default)]
pub(super) struct GuardPart {
    pub(super) check: Option<CheckPart>,
    pub(super) notes: Vec<NoteRow>,
    /// Why it is not known; empty if it is.
    pub(super) problem: String,
}

/// A check on a page.
pub(super) struct CheckPart {
    pub(super) state: &'static str,
    pub(super) is_broken: bool,
    pub(super) since: String,
    pub(super) checked: String,
    pub(super) limits: String,
    pub(super) broken: Vec<crate::store::Broken>,
    /// A sentence each.
    pub(super) remarks: Vec<String>,
}

/// A note on a page.
pub(super) struct NoteRow {
    pub(super) function: String,
    pub(super) text: String,
    pub(super) expectation: String,
    pub(super) by: String,
    pub(super) time: String,
}

fn at(millis: i64) -> String {
    crate::api::utc(millis.saturating_mul(1_000_000))
}

/// The part about the check and the notes of a service. Asks the store.
pub(super) fn part(team: &Team, service: &str) -> GuardPart {
    let read = || {
        let check = team.store().checks()?.remove(service);
        let check = check.map(|check| Ok::<_, StoreError>((check, team.store().check_result(service)?))).transpose()?;
        Ok::<_, StoreError>((check, team.store().notes(service)?))
    };
    match read() {
        Ok((check, notes)) => {
            let row = |note: Note| NoteRow {
                expectation: note.expectation(),
                function: note.culprit,
                text: note.text,
                by: note.by,
                time: at(note.time),
            };
            let notes = notes.into_iter().rev().map(row).collect();
            GuardPart { check: check.map(|(check, result)| described(&check.limits, result)), notes, problem: String::new() }
        }
        Err(error) => GuardPart { problem: error.to_string(), ..GuardPart::default() },
    }
}

fn described(limits: &[(String, String)], result: CheckResult) -> CheckPart {
    let CheckResult { checked, since, verdict, problem, pending, undelivered, .. } = result;
    let mut remarks = verdict.as_ref().map_or_else(Vec::new, |verdict| verdict.notes.clone());
    remarks.extend(Some(problem).filter(|problem| !problem.is_empty()));
    if !pending.is_empty() {
        let why = if undelivered.is_empty() { String::new() } else { format!(" ({undelivered})") };
        remarks.push(format!("messages to the webhook that wait: {}{why}", pending.len()));
    }
    let is_broken = verdict.as_ref().is_some_and(|verdict| !verdict.holds);
    CheckPart {
        state: match &verdict {
            None => "not run yet",
            Some(verdict) if verdict.holds => "passed",
            Some(_) => "failed",
        },
        is_broken,
        since: if since == 0 { String::new() } else { at(since) },
        checked: if checked == 0 { String::new() } else { at(checked) },
        limits: limits.iter().map(|(kind, text)| format!("{kind} {text}")).collect::<Vec<_>>().join(", "),
        broken: verdict.map_or_else(Vec::new, |verdict| verdict.broken),
        remarks,
    }
}
