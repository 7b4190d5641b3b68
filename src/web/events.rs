//! What is open, told again whenever it changes: server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use tokio::sync::watch;

use super::access::Role;
use super::app::App;
use super::changes::OpenStream;
use super::error::WebError;
use super::meta::describe;
use super::turns::Visitor;

/// Changes that come faster than this are told together.
const PACE: Duration = Duration::from_millis(200);

/// How often a listener hears that the server is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

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
