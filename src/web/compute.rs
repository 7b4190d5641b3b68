//! Computations for requests: queued, with a deadline, cancelled when no request waits for them.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::access::Role;
use super::app::App;
use super::error::WebError;
use super::turns::Visitor;
use crate::api::AnswerError;
use crate::base::cancel;
use crate::base::cancel::{Budget, Stop};

/// A report in memory takes some times the bytes of the answer made from it.
const REPORT_FACTOR: usize = 6;

/// Bytes of a piece of a streamed answer.
const PIECE: usize = 64 << 10;

/// Pieces that wait to be sent.
const PIECES: usize = 4;

/// Size class of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Kept in memory until it is sent.
    Bounded,
    /// A file that is sent while it is written.
    Streamed,
}

/// Cancels a computation when the request that waits for it goes away.
struct CancelOnDrop(Arc<Budget>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs `work` on a thread for reports, when it is `visitor`'s turn.
pub(super) async fn compute<T: Send + 'static>(
    app: &App,
    visitor: Visitor,
    size: Size,
    work: impl FnOnce() -> Result<T, WebError> + Send + 'static,
) -> Result<T, WebError> {
    let limits = &app.setup.limits;
    let busy = || WebError::Busy(limits.write_timeout);
    // What waits to be sent must go first.
    if size == Size::Bounded && app.shared.in_flight.is_full(visitor.role) {
        return Err(busy());
    }
    let turn = tokio::time::timeout(limits.queue_timeout, app.shared.turns.next(visitor)).await;
    let turn = turn.ok().flatten().ok_or_else(busy)?;
    let deadline = if visitor.role == Role::Owner { limits.owner_deadline } else { limits.reader_deadline };
    let bytes = limits.answer_bytes.saturating_mul(REPORT_FACTOR);
    let budget = Budget::new(if size == Size::Bounded { bytes } else { bytes.saturating_mul(REPORT_FACTOR) });
    let _cancel = CancelOnDrop(budget.clone());
    let computed = app.shared.workers.run(move || {
        let _turn = turn;
        cancel::run(&budget, work)
    });
    match tokio::time::timeout(deadline, computed).await {
        Ok(Some(Ok(result))) => result,
        Ok(Some(Err(Stop::TooLarge))) => Err(AnswerError::TooLong(limits.answer_bytes).into()),
        Ok(Some(Err(Stop::Cancelled))) | Err(_) => Err(WebError::Deadline(deadline)),
        Ok(None) => Err(WebError::internal("the report failed")),
    }
}

/// A place among the downloads that are written while they are sent.
pub(super) async fn place(app: &App) -> Result<OwnedSemaphorePermit, WebError> {
    let limits = &app.setup.limits;
    let place = tokio::time::timeout(limits.queue_timeout, app.shared.downloads.clone().acquire_owned()).await;
    place.ok().and_then(Result::ok).ok_or(WebError::Busy(limits.write_timeout))
}

/// Streams the output of `write`; only a few pieces are in memory.
pub(super) fn streamed(place: OwnedSemaphorePermit, write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static) -> Body {
    let (sender, receiver) = mpsc::channel(PIECES);
    let is_whole = Arc::new(AtomicBool::new(false));
    let written = is_whole.clone();
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let mut pieces = Pieces { sender, piece: Vec::new() };
        // When it fails nobody reads it any more, or the answer is cut, which its reader sees.
        if write(&mut pieces).and_then(|()| pieces.flush()).is_ok() {
            written.store(true, Ordering::Release);
        }
    });
    let pieces = stream::unfold(Some(receiver), move |receiver| {
        let is_whole = is_whole.clone();
        async move {
            let mut receiver = receiver?;
            match receiver.recv().await {
                Some(piece) => Some((Ok(piece), Some(receiver))),
                None if is_whole.load(Ordering::Acquire) => None,
                None => Some((Err(io::Error::other("the file could not be written to its end")), None)),
            }
        }
    });
    // Compression asks once more after the end.
    Body::from_stream(pieces.fuse())
}

/// Sends what is written in pieces, and waits while too many are on their way.
struct Pieces {
    sender: mpsc::Sender<Bytes>,
    piece: Vec<u8>,
}

impl Pieces {
    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        self.sender.blocking_send(Bytes::from(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() { Ok(()) } else { self.send() }
    }
}
