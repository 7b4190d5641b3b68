//! What is open, told again whenever it changes: server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::App;
use super::access::Role;
use super::api::describe;
use super::error::WebError;
use crate::session::Session;

/// Most pages that listen at a time.
const MOST: usize = 256;

/// Changes that come faster than this are told together.
const PACE: Duration = Duration::from_millis(200);

/// How often a listener hears that the server is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// The session's changes, for any number of those who wait.
#[derive(Clone)]
pub(super) struct Changes {
    changed: watch::Receiver<()>,
    places: Arc<Semaphore>,
}

impl Changes {
    pub(super) fn of(session: &Session) -> Self {
        let (sender, changed) = watch::channel(());
        session.listen(move || {
            sender.send_replace(());
            !sender.is_closed()
        });
        Changes { changed, places: Arc::new(Semaphore::new(MOST)) }
    }
}

/// One page that listens.
struct Listening {
    app: App,
    role: Role,
    changed: watch::Receiver<()>,
    /// What was told last.
    told: String,
    _place: OwnedSemaphorePermit,
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
pub(super) async fn events(State(app): State<App>, Extension(role): Extension<Role>) -> Result<impl IntoResponse, WebError> {
    let place = app.changes.places.clone().try_acquire_owned().map_err(|_| WebError::Crowded(MOST))?;
    let listening = Listening { role, changed: app.changes.changed.clone(), told: String::new(), _place: place, app };
    let events = stream::unfold(listening, |mut listening| async move {
        let meta = listening.next().await?;
        Some((Ok::<_, Infallible>(Event::default().event("meta").data(meta)), listening))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)))
}
