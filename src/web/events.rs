//! Server-sent events: the open profiles, again after every change.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use tokio::sync::watch;

use super::access::Role;
use super::app::{App, WeakApp};
use super::changes::OpenStream;
use super::error::WebError;
use super::meta::describe;
use super::turns::Visitor;

/// Minimum interval between events; faster changes are sent together.
const PACE: Duration = Duration::from_millis(200);

/// Interval of keep-alive messages.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// State of one event stream.
struct Listening {
    /// A stream does not keep a profile open.
    app: WeakApp,
    role: Role,
    changed: watch::Receiver<()>,
    /// Last data sent.
    sent: String,
    _stream: OpenStream,
}

impl Listening {
    /// Waits for data that differs from the last. Never ends once the profile is closed: the next question opens it again.
    async fn next(&mut self) -> Option<String> {
        loop {
            if !self.sent.is_empty() {
                if self.changed.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
                tokio::time::sleep(PACE).await;
            }
            // Changes from here on are sent next time.
            self.changed.borrow_and_update();
            let Some(app) = self.app.upgrade() else { std::future::pending().await };
            let meta = serde_json::to_string(&describe(&app, self.role)).ok()?;
            if meta != self.sent {
                self.sent.clone_from(&meta);
                return Some(meta);
            }
        }
    }
}

/// GET /api/v1/events: `meta` at once and after every change, like `/api/v1/meta`.
pub(super) async fn events(State(app): State<App>, visitor: Visitor) -> Result<impl IntoResponse, WebError> {
    let stream = app.shared.streams.open(visitor)?;
    let listening =
        Listening { role: visitor.role, changed: app.changes.changed.clone(), sent: String::new(), _stream: stream, app: app.downgrade() };
    let events = stream::unfold(listening, |mut listening| async move {
        let meta = listening.next().await?;
        Some((Ok::<_, Infallible>(Event::default().event("meta").data(meta)), listening))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)))
}
