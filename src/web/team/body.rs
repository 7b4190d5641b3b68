//! Bodies of requests: within limits of size, time and memory.

use std::io::Write;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt;
use tempfile::NamedTempFile;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::error::TeamError;
use super::state::Team;
use crate::base::units::binary_size;
use crate::web::upload_quota::Reservation;

/// Pieces of a body that wait to be written to disk.
const PIECES: usize = 16;

/// What a body is, for messages, and its limit.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) what: &'static str,
    /// Bytes.
    pub(super) most: u64,
    /// Name of the limit.
    pub(super) setting: &'static str,
}

impl Bound {
    fn exceeded(self) -> TeamError {
        TeamError::too_large(self.what, self.most, self.setting)
    }
}

/// Reads a short body, such as a form's, whole; `what` it is for messages, and its limit in bytes.
pub(super) async fn short(team: &Team, what: &str, most: usize, body: Body) -> Result<Bytes, TeamError> {
    let refused = |status: StatusCode, error: String| TeamError::new(status, error, "send it again");
    match tokio::time::timeout(team.setup.limits.header_timeout, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(refused(StatusCode::BAD_REQUEST, format!("the {what} broke off, or is longer than {most} bytes: {error}"))),
        Err(_) => Err(refused(StatusCode::REQUEST_TIMEOUT, format!("the {what} did not come in time"))),
    }
}

/// The pieces of a body, as they come.
struct Pieces {
    body: BodyDataStream,
    bound: Bound,
    started: Instant,
    /// Time for the first bytes, and bytes a second after that.
    grace: Duration,
    rate: u64,
    n: u64,
    /// Length that the sender announced; 0: none.
    declared: usize,
}

impl Pieces {
    fn new(team: &Team, bound: Bound, headers: &HeaderMap, body: Body) -> Result<Self, TeamError> {
        let declared = headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse::<u64>().ok());
        if declared.is_some_and(|n| n > bound.most) {
            return Err(bound.exceeded());
        }
        let limits = &team.setup.limits;
        let (grace, rate) = (limits.upload_grace, limits.upload_rate.max(1));
        let declared = declared.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        Ok(Pieces { body: body.into_data_stream(), bound, started: Instant::now(), grace, rate, n: 0, declared })
    }

    /// The next piece; `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, TeamError> {
        let n = self.n;
        let in_time = self.grace + Duration::from_secs(n / self.rate);
        match tokio::time::timeout_at(self.started + in_time, self.body.next()).await {
            Err(_) => {
                let error = format!("the upload was too slow: {n} bytes in {} s", in_time.as_secs());
                Err(TeamError::new(StatusCode::REQUEST_TIMEOUT, error, "try again"))
            }
            Ok(None) => Ok(None),
            Ok(Some(Err(error))) => {
                let error = format!("the upload broke off after {n} bytes ({error}); nothing was stored");
                Err(TeamError::new(StatusCode::BAD_REQUEST, error, "send it again"))
            }
            Ok(Some(Ok(piece))) => {
                self.n += piece.len() as u64;
                if self.n > self.bound.most { Err(self.bound.exceeded()) } else { Ok(Some(piece)) }
            }
        }
    }
}

/// Reserves `n` bytes more. What can never be reserved is too large, whenever it is sent.
pub(super) fn grow(team: &Team, reserved: &mut Reservation, n: u64, what: &str) -> Result<(), TeamError> {
    let most = team.setup.most_received;
    if reserved.n().saturating_add(n) > most {
        let error = format!("the {what} needs more than {}, the memory that this server has for uploads", binary_size(most));
        let hint = "an administrator can restart the server: it then has twice the limit `most_body` of the store";
        return Err(TeamError::new(StatusCode::PAYLOAD_TOO_LARGE, error, hint));
    }
    reserved.grow(n).map_err(|_| TeamError::busy(format!("the server receives too much at the moment; the {what} has no room")))
}

/// Reads a body into memory; it counts as received until the reservation is dropped.
pub(super) async fn in_memory(team: &Team, bound: Bound, headers: &HeaderMap, body: Body) -> Result<(Vec<u8>, Reservation), TeamError> {
    let mut reserved = team.received.reserve();
    let mut bytes = Vec::new();
    let full = || TeamError::busy("the server has no memory for more uploads at the moment");
    let mut pieces = Pieces::new(team, bound, headers, body)?;
    if pieces.declared as u64 > team.setup.most_received {
        grow(team, &mut reserved, pieces.declared as u64, bound.what)?;
    }
    // Memory that nothing is written to takes no room; what grows by doubling takes three times as much.
    bytes.try_reserve_exact(pieces.declared).map_err(|_| full())?;
    while let Some(piece) = pieces.next().await? {
        grow(team, &mut reserved, piece.len() as u64, bound.what)?;
        bytes.try_reserve(piece.len()).map_err(|_| full())?;
        bytes.extend_from_slice(&piece);
    }
    Ok((bytes, reserved))
}

/// Reads a body into a file of the store's spool, which is deleted on drop; also returns its length.
pub(super) async fn in_file(team: &Team, bound: Bound, headers: &HeaderMap, body: Body) -> Result<(NamedTempFile, u64), TeamError> {
    let failed = |error: std::io::Error| TeamError::busy(format!("the server cannot keep the file: {error}"));
    let mut pieces = Pieces::new(team, bound, headers, body)?;
    let mut file = tempfile::Builder::new().tempfile_in(team.store().spool()).map_err(failed)?;
    let (sender, mut receiver) = mpsc::channel::<Bytes>(PIECES);
    let writing = tokio::task::spawn_blocking(move || {
        while let Some(piece) = receiver.blocking_recv() {
            file.write_all(&piece)?;
        }
        file.flush()?;
        std::io::Result::Ok(file)
    });
    while let Some(piece) = pieces.next().await? {
        // Whoever writes has failed, which is told below.
        if sender.send(piece).await.is_err() {
            break;
        }
    }
    drop(sender);
    let file = writing.await.map_err(|error| TeamError::internal(format!("the file cannot be received: {error}")))?.map_err(failed)?;
    Ok((file, pieces.n))
}
