//! Shared state of the request handlers.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::Semaphore;

use super::access;
use super::changes::Changes;
use super::error::WebError;
use super::in_flight::InFlight;
use super::path_filter::PathFilter;
use super::setup::Setup;
use super::single_flight::SingleFlight;
use super::turns::Turns;
use super::upload_quota::UploadQuota;
use super::workers::Workers;
use crate::api::{AnswerError, visitors_view};
use crate::query::{View, ViewKind};
use crate::session::Session;

/// Most downloads that are written while they are sent.
const DOWNLOADS: usize = 4;

/// An answer in memory, for all who ask for it at the same moment.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) content_type: &'static str,
    pub(super) file_name: Option<String>,
    pub(super) body: Bytes,
}

/// Shared state of the request handlers.
#[derive(Clone)]
pub(super) struct App {
    pub(super) session: Arc<Session>,
    pub(super) setup: Arc<Setup>,
    /// Tells this run of the server from others.
    pub(super) instance: Arc<str>,
    pub(super) turns: Turns,
    pub(super) workers: Workers,
    pub(super) answers: SingleFlight<Result<Answer, WebError>>,
    pub(super) in_flight: InFlight,
    /// Downloads that are written while they are sent.
    pub(super) downloads: Arc<Semaphore>,
    pub(super) changes: Changes,
    pub(super) quota: UploadQuota,
    pub(super) paths: Arc<PathFilter>,
    /// Files are opened one after another.
    pub(super) opening: Arc<Semaphore>,
}

impl App {
    pub(super) fn new(session: Arc<Session>, setup: Setup) -> Self {
        let limits = Arc::new(setup.limits.clone());
        App {
            changes: Changes::of(&session, &limits),
            quota: UploadQuota::new(setup.most_uploaded),
            instance: access::instance().into(),
            turns: Turns::new(limits.turns, limits.queued_per_visitor),
            workers: Workers::new(limits.turns),
            in_flight: InFlight::new(limits.bytes_in_flight, limits.bytes_for_owner),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            opening: Arc::new(Semaphore::new(1)),
            answers: SingleFlight::default(),
            paths: Arc::new(PathFilter::new()),
            setup: Arc::new(setup),
            session,
        }
    }

    /// Returns the view of a request.
    pub(super) fn view(&self, kind: ViewKind, pairs: &[(String, String)]) -> Result<View, AnswerError> {
        visitors_view(&self.session, kind, pairs, self.setup.limits.pattern_bytes)
    }
}
