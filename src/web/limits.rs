//! Limits of the server: connections, times, bytes.

use std::time::Duration;

use crate::api::{ANSWER_BYTES, PATTERN_BYTES};

/// Limits of the server. The defaults suit one owner and a few readers; tests use smaller ones.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of open connections.
    pub connections: usize,
    /// Connections, of these, on which only the owner's requests are answered.
    pub connections_for_owner: usize,
    /// Maximum number of connections from one address of another machine.
    pub connections_per_peer: usize,
    /// Time in which a new connection is not closed for another.
    pub grace: Duration,
    /// Time for a request's header, also for the next one on an idle connection, and for a short body, such as a form's.
    pub header_timeout: Duration,
    /// Time in which a client must read [`Limits::write_least`] bytes of an answer that waits for it.
    pub write_timeout: Duration,
    /// Bytes that a client must read in [`Limits::write_timeout`].
    pub write_least: usize,
    /// Time for the first bytes of an upload.
    pub upload_grace: Duration,
    /// Least bytes a second of an upload, after [`Limits::upload_grace`].
    pub upload_rate: u64,
    /// Most streams of live updates.
    pub streams: usize,
    /// Streams, of these, that only the owner gets.
    pub streams_for_owner: usize,
    /// Most streams of readers from one address.
    pub streams_per_visitor: usize,
    /// Most bytes of an answer. The owner's downloads may be longer.
    pub answer_bytes: usize,
    /// Most bytes of all answers that are not sent yet.
    pub bytes_in_flight: usize,
    /// Bytes, of these, for the owner's answers.
    pub bytes_for_owner: usize,
    /// Time to compute an answer for a reader.
    pub reader_deadline: Duration,
    /// Time to compute an answer for the owner.
    pub owner_deadline: Duration,
    /// Time that a question waits for its turn.
    pub queue_timeout: Duration,
    /// Most questions of one visitor that wait for their turn.
    pub queued_per_visitor: usize,
    /// Answers that are computed at a time; at least 2, so that readers never take all.
    pub turns: usize,
    /// Size limit of a compiled regular expression, bytes.
    pub pattern_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let connections = most_connections();
        Limits {
            connections,
            connections_for_owner: (connections / 8).max(1),
            connections_per_peer: (connections / 2).max(1),
            grace: Duration::from_secs(1),
            header_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(20),
            write_least: 64 << 10,
            upload_grace: Duration::from_secs(30),
            upload_rate: 16 << 10,
            streams: 256.min(connections / 2),
            streams_for_owner: 64.min(connections / 8),
            streams_per_visitor: 64.min(connections / 8),
            answer_bytes: ANSWER_BYTES,
            bytes_in_flight: 128 << 20,
            bytes_for_owner: 32 << 20,
            reader_deadline: Duration::from_secs(20),
            owner_deadline: Duration::from_secs(60),
            queue_timeout: Duration::from_secs(90),
            queued_per_visitor: 256,
            turns: std::thread::available_parallelism().map_or(2, usize::from).max(2),
            pattern_bytes: PATTERN_BYTES,
        }
    }
}

/// Most connections when the system sets no tighter limit.
const CONNECTIONS: usize = 4096;

/// Half of the files that this process may open, as sources, binaries and downloads need some, too.
fn most_connections() -> usize {
    let files = open_files().unwrap_or(1024);
    (files / 2).clamp(8, CONNECTIONS)
}

/// The soft limit of open files; `None` where there is none.
#[cfg(unix)]
fn open_files() -> Option<usize> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current.map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn open_files() -> Option<usize> {
    None
}
