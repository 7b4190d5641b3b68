//! Shared state of the request handlers.

use std::ops::Deref;
use std::sync::{Arc, Weak};

use axum::body::Bytes;
use tokio::sync::Semaphore;

use super::access;
use super::changes::{Changes, Streams};
use super::error::WebError;
use super::in_flight::InFlight;
use super::limits::Limits;
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

/// Shared state of the request handlers for one profile.
#[derive(Clone)]
pub(super) struct App(Arc<Inner>);

/// Contents of [`App`].
pub(super) struct Inner {
    pub(super) session: Arc<Session>,
    pub(super) setup: Setup,
    /// Where its addresses begin: empty, or as in `/d/abc` beside those of other profiles.
    pub(super) prefix: String,
    /// Page of a team server that lists it; empty: there is none.
    pub(super) home: String,
    pub(super) shared: Shared,
    pub(super) answers: SingleFlight<Result<Answer, WebError>>,
    pub(super) changes: Changes,
    pub(super) quota: UploadQuota,
    pub(super) paths: Arc<PathFilter>,
    /// Files are opened one after another.
    pub(super) opening: Arc<Semaphore>,
}

/// What all profiles of a server share.
#[derive(Clone)]
pub(super) struct Shared {
    /// Tells this run of the server from others.
    pub(super) instance: Arc<str>,
    pub(super) turns: Turns,
    pub(super) workers: Workers,
    pub(super) in_flight: InFlight,
    /// Downloads that are written while they are sent.
    pub(super) downloads: Arc<Semaphore>,
    pub(super) streams: Streams,
}

impl Shared {
    pub(super) fn new(limits: &Limits) -> Self {
        Shared {
            instance: access::instance().into(),
            turns: Turns::new(limits.turns, limits.queued_per_visitor),
            workers: Workers::new(limits.turns),
            in_flight: InFlight::new(limits.bytes_in_flight, limits.bytes_for_owner),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            streams: Streams::new(limits),
        }
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    pub(super) fn new(session: Arc<Session>, setup: Setup) -> Self {
        let shared = Shared::new(&setup.limits);
        App::beside(session, setup, (String::new(), String::new()), shared)
    }

    /// One of several profiles, at addresses that begin with `prefix`; `home` is the page that lists it.
    pub(super) fn beside(session: Arc<Session>, setup: Setup, (prefix, home): (String, String), shared: Shared) -> Self {
        App(Arc::new(Inner {
            changes: Changes::of(&session),
            quota: UploadQuota::new(setup.most_uploaded),
            opening: Arc::new(Semaphore::new(1)),
            answers: SingleFlight::default(),
            paths: Arc::new(PathFilter::new()),
            setup,
            session,
            prefix,
            home,
            shared,
        }))
    }

    /// Does not keep the profile open.
    pub(super) fn downgrade(&self) -> WeakApp {
        WeakApp(Arc::downgrade(&self.0))
    }

    /// Returns the view of a request.
    pub(super) fn view(&self, kind: ViewKind, pairs: &[(String, String)]) -> Result<View, AnswerError> {
        visitors_view(&self.session, kind, pairs, self.setup.limits.pattern_bytes)
    }
}

/// An [`App`] that may be closed.
pub(super) struct WeakApp(Weak<Inner>);

impl WeakApp {
    /// `None`: it is closed.
    pub(super) fn upgrade(&self) -> Option<App> {
        self.0.upgrade().map(App)
    }
}
