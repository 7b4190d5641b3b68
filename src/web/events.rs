//! What is open, told again whenever it changes: server-sent events.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use tokio::sync::watch;

use super::App;
use super::access::Role;
use super::api::describe;
use super::error::WebError;
use super::limits::Limits;
use super::turns::Visitor;
use crate::session::Session;

/// Changes that come faster than this are told together.
const PACE: Duration = Duration::from_millis(200);

/// How often a listener hears that the server is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// The session's changes, for any number of those who wait.
#[derive(Clone)]
pub(super) struct Changes {
    changed: watch::Receiver<()>,
    streams: Streams,
}

impl Changes {
    pub(super) fn of(session: &Session, limits: &Limits) -> Self {
        let (sender, changed) = watch::channel(());
        session.listen(move || {
            sender.send_replace(());
            !sender.is_closed()
        });
        Changes { changed, streams: Streams { open: Arc::default(), limits: Arc::new(limits.clone()) } }
    }
}

/// The open streams: so many in all, some of them for the owner only, and so many for each reader.
#[derive(Clone)]
struct Streams {
    open: Arc<Mutex<Vec<Visitor>>>,
    limits: Arc<Limits>,
}

impl Streams {
    fn open(&self, visitor: Visitor) -> Result<OpenStream, WebError> {
        let Limits { streams, streams_for_owner, streams_per_visitor, .. } = *self.limits;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if visitor.role < Role::Owner {
            let n_readers = open.iter().filter(|other| other.role < Role::Owner).count();
            let n_own = open.iter().filter(|other| other.is_same(&visitor)).count();
            if n_own >= streams_per_visitor || n_readers >= streams.saturating_sub(streams_for_owner) {
                return Err(WebError::Crowded(n_own.max(n_readers)));
            }
        }
        if open.len() >= streams {
            return Err(WebError::Crowded(streams));
        }
        open.push(visitor);
        Ok(OpenStream { visitor, of: self.clone() })
    }
}

/// An open stream; its place is free when it is dropped.
struct OpenStream {
    visitor: Visitor,
    of: Streams,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.of.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|other| *other == self.visitor) {
            open.swap_remove(at);
        }
    }
}

/// One page that listens.
struct Listening {
    app: App,
    role: Role,
    changed: watch::Receiver<()>,
    /// What was told last.
    told: String,
    _stream: OpenStream,
}

impl Listening {
    /// Waits until there is something new to tell; `None` when there never will be.
    async fn next(&mut self) -> Option<String> {
        loop {
            if !self.told.is_empty() {
                self.changed.changed().await.ok()?;
                tokio::time::sleep(PACE).await;
            }
            // What changes from here on is told next time.
            self.changed.borrow_and_update();
            let meta = serde_json::to_string(&describe(&self.app, self.role)).ok()?;
            if meta != self.told {
                self.told.clone_from(&meta);
                return Some(meta);
            }
        }
    }
}

/// GET /api/v1/events: `meta` at once and after every change, as `/api/v1/meta` has it.
pub(super) async fn events(State(app): State<App>, visitor: Visitor) -> Result<impl IntoResponse, WebError> {
    let stream = app.changes.streams.open(visitor)?;
    let listening = Listening { role: visitor.role, changed: app.changes.changed.clone(), told: String::new(), _stream: stream, app };
    let events = stream::unfold(listening, |mut listening| async move {
        let meta = listening.next().await?;
        Some((Ok::<_, Infallible>(Event::default().event("meta").data(meta)), listening))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)))
}
