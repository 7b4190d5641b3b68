//! Uploaded files: profiles to open beside the current one, and binaries with names.
//!
//! They are kept in memory and never written to disk; the opener detects their format.

use crate::api::Refusal;
use crate::base::plain::base_name_of_any_system;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::time::Instant;

use super::app::App;
use super::error::WebError;
use super::limits::Limits;
use super::upload_quota::{Reservation, UploadQuota};
use crate::api::Opened;

/// Characters of a name that are kept.
const LONGEST_NAME: usize = 200;

/// Query parameters of an upload.
#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    name: String,
    #[serde(default)]
    replace: String,
}

/// POST /api/v1/files?name=…&replace=…: opens the body, beside what is open or in place of the profile with this number.
pub(super) async fn open(
    State(app): State<App>,
    Query(named): Query<Named>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Opened>, WebError> {
    let opener = app.setup.opener.clone().ok_or(WebError::NoFiles)?;
    let (bytes, reserved) = read(&app.quota, &app.setup.limits, &headers, body).await?;
    let (name, replace, quota) = (upload_name(&named.name), super::start::number(&named.replace), app.quota.clone());
    // One after another: each is merged with all before. Closed only when the server ends.
    let turn = app.opening.clone().acquire_owned().await;
    let opened = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let opened = opener.open(&name, bytes, replace);
        if opened.is_ok() && replace.is_some() {
            quota.give_back();
        }
        // Here, as the one who sent it may have gone meanwhile; it is open all the same.
        if opened.is_ok() {
            reserved.keep();
        }
        opened
    });
    let opened = opened.await.map_err(|e| WebError::internal(format!("the file cannot be opened: {e}")))?;
    opened.map(Json).map_err(WebError::Refused)
}

/// The body, as far as the quota allows, if it comes fast enough.
async fn read(quota: &UploadQuota, limits: &Limits, headers: &HeaderMap, body: Body) -> Result<(Vec<u8>, Reservation), WebError> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|n| n > quota.left()) {
        return Err(quota.too_big());
    }
    let mut reserved = quota.reserve();
    let started = Instant::now();
    let mut bytes = Vec::new();
    let short = || WebError::Refused(Refusal { error: "not enough memory for the file".into(), hint: String::new() });
    bytes.try_reserve_exact(declared.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)).map_err(|_| short())?;
    let mut pieces = body.into_data_stream();
    loop {
        let cut = |why: &str| WebError::Refused(Refusal { error: format!("the upload is incomplete: {why}"), hint: "try again".into() });
        let in_time = limits.upload_grace + Duration::from_secs(bytes.len() as u64 / limits.upload_rate.max(1));
        match tokio::time::timeout_at(started + in_time, pieces.next()).await {
            Err(_) => return Err(cut("it was too slow")),
            Ok(None) => return Ok((bytes, reserved)),
            Ok(Some(Err(error))) => return Err(cut(&error.to_string())),
            Ok(Some(Ok(piece))) => {
                reserved.grow(piece.len() as u64)?;
                bytes.try_reserve(piece.len()).map_err(|_| short())?;
                bytes.extend_from_slice(&piece);
            }
        }
    }
}

/// The name of an uploaded file: the last component of its path on any system, cut to [`LONGEST_NAME`].
fn upload_name(path: &str) -> String {
    let base: String = base_name_of_any_system(path).chars().take(LONGEST_NAME).collect();
    if base.trim().is_empty() { "opened file".into() } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quota_is_released_unless_kept() {
        let quota = UploadQuota::new(100);
        let mut first = quota.reserve();
        first.grow(60).unwrap();
        assert!(quota.reserve().grow(41).is_err());
        assert_eq!(quota.left(), 40);
        first.keep();
        assert_eq!(quota.left(), 40);
        let mut second = quota.reserve();
        second.grow(40).unwrap();
        assert!(second.grow(1).is_err());
        quota.give_back();
        assert_eq!(quota.left(), 60);
        drop(second);
        assert_eq!(quota.left(), 100);
    }

    #[test]
    fn names_are_of_files_not_of_folders() {
        assert_eq!(upload_name("../../etc/passwd"), "passwd");
        assert_eq!(upload_name(r"C:\dumps\a.heap"), "a.heap");
        assert_eq!(upload_name("a/"), "opened file");
        assert_eq!(upload_name(&"x".repeat(1000)).len(), LONGEST_NAME);
    }
}
