//! Files that a page gives us: profiles to look at beside the open one, and binaries with names.
//!
//! They are kept in memory and never written anywhere; what is in them is the opener's to find out.

use crate::base::plain::base_name_of_any_system;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::App;
use super::error::WebError;
use super::limits::Limits;
use super::start::StartList;

/// Characters of a name that are kept.
const LONGEST_NAME: usize = 200;

/// Opens what comes.
pub trait Opener: Send + Sync {
    /// Opens the file with these bytes, which somebody calls `name`. May take long.
    fn open(&self, name: &str, bytes: Vec<u8>) -> Result<Opened, Refusal>;

    /// Lists what the start page may open by identifier. May take long.
    fn start_list(&self) -> StartList {
        StartList::default()
    }

    /// Opens an entry of the latest list. May take long.
    fn open_listed(&self, _id: &str) -> Result<Opened, Refusal> {
        Err(Refusal { error: "this list is out of date".into(), hint: "reload the page".into() })
    }
}

/// Result of opening a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Opened {
    /// Indexes of its dumps, as in `dump` and `base`; empty for a binary.
    pub dumps: Vec<usize>,
    /// Paths of the mappings that it matches, for a binary.
    pub fits: Vec<String>,
    /// Warnings, a sentence each.
    pub notes: Vec<String>,
}

/// Why a file is not opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// What happened, a sentence.
    pub error: String,
    /// What to do; empty if the sentence says it.
    pub hint: String,
}

/// Bytes of files that were taken, of so many that may be.
#[derive(Clone)]
pub(super) struct UploadQuota {
    taken: Arc<AtomicU64>,
    most: u64,
}

impl UploadQuota {
    pub(super) fn new(most: u64) -> Self {
        UploadQuota { taken: Arc::default(), most }
    }

    /// Bytes that may still be taken.
    pub(super) fn left(&self) -> u64 {
        self.most.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// A share for a file that begins to come.
    fn reserve(&self) -> Reservation {
        Reservation { quota: self.clone(), n: 0 }
    }

    fn too_big(&self) -> WebError {
        WebError::TooBig { most: self.most, left: self.left() }
    }
}

/// A file's share; given back when it is dropped and not kept.
struct Reservation {
    quota: UploadQuota,
    n: u64,
}

impl Reservation {
    fn more(&mut self, n: u64) -> Result<(), WebError> {
        let fits = |taken: u64| taken.checked_add(n).filter(|sum| *sum <= self.quota.most);
        self.quota.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map_err(|_| self.quota.too_big())?;
        self.n += n;
        Ok(())
    }

    fn keep(mut self) {
        self.n = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.quota.taken.fetch_sub(self.n, Ordering::Relaxed);
    }
}

/// What is said of a file beside its bytes.
#[derive(Deserialize)]
pub(super) struct Named {
    #[serde(default)]
    name: String,
}

/// POST /api/v1/files?name=…: opens the body.
pub(super) async fn open(
    State(app): State<App>,
    Query(named): Query<Named>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Opened>, WebError> {
    let opener = app.setup.opener.clone().ok_or(WebError::NoFiles)?;
    let (bytes, reserved) = read(&app.quota, &app.setup.limits, &headers, body).await?;
    let name = upload_name(&named.name);
    // One after another: each is merged with all before. Closed only when the server ends.
    let turn = app.opening.clone().acquire_owned().await;
    let opened = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let opened = opener.open(&name, bytes);
        // Here, as the one who sent it may have gone meanwhile; it is open all the same.
        if opened.is_ok() {
            reserved.keep();
        }
        opened
    });
    let opened = opened.await.map_err(|e| WebError::Internal(format!("the file cannot be opened: {e}")))?;
    opened.map(Json).map_err(WebError::Refused)
}

/// The body, as far as the quota allows, if it comes fast enough.
async fn read(quota: &UploadQuota, limits: &Limits, headers: &HeaderMap, body: Body) -> Result<(Vec<u8>, Reservation), WebError> {
    let said = headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<u64>().ok());
    if said.is_some_and(|n| n > quota.left()) {
        return Err(quota.too_big());
    }
    let mut reserved = quota.reserve();
    let started = Instant::now();
    let mut bytes = Vec::new();
    let short = || WebError::Refused(Refusal { error: "not enough memory for the file".into(), hint: String::new() });
    bytes.try_reserve_exact(said.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)).map_err(|_| short())?;
    let mut pieces = body.into_data_stream();
    loop {
        let cut = |why: &str| WebError::Refused(Refusal { error: format!("the upload is incomplete: {why}"), hint: "try again".into() });
        let in_time = limits.upload_grace + Duration::from_secs(bytes.len() as u64 / limits.upload_rate.max(1));
        match tokio::time::timeout_at(started + in_time, pieces.next()).await {
            Err(_) => return Err(cut("it was too slow")),
            Ok(None) => return Ok((bytes, reserved)),
            Ok(Some(Err(error))) => return Err(cut(&error.to_string())),
            Ok(Some(Ok(piece))) => {
                reserved.more(piece.len() as u64)?;
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
    fn the_quota_is_given_back_unless_it_is_kept() {
        let quota = UploadQuota::new(100);
        let mut first = quota.reserve();
        first.more(60).unwrap();
        assert!(quota.reserve().more(41).is_err());
        assert_eq!(quota.left(), 40);
        first.keep();
        assert_eq!(quota.left(), 40);
        let mut second = quota.reserve();
        second.more(40).unwrap();
        assert!(second.more(1).is_err());
        drop(second);
        assert_eq!(quota.left(), 40);
    }

    #[test]
    fn names_are_of_files_not_of_folders() {
        assert_eq!(upload_name("../../etc/passwd"), "passwd");
        assert_eq!(upload_name(r"C:\dumps\a.heap"), "a.heap");
        assert_eq!(upload_name("a/"), "opened file");
        assert_eq!(upload_name(&"x".repeat(1000)).len(), LONGEST_NAME);
    }
}
