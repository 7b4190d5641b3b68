//! Open connections, and which one is closed for another.
//!
//! When there are as many as there may be, a new one takes the place of the oldest on which nothing is going on: first
//! those that never sent a request with a valid token, then idle ones of readers, then idle ones of the owner. One
//! on which a request is answered is never closed for another, and a new one has a second for its request. Readers do
//! not get all connections.

use crate::base::hash::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

use super::access::Role;
use super::error::WebError;
use super::limits::Limits;

/// The connections of a server.
#[derive(Clone)]
pub(super) struct Connections {
    limits: Arc<Limits>,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    /// Counts changes of state, as a clock.
    now: u64,
    connections: HashMap<u64, Entry>,
}

struct Entry {
    peer: IpAddr,
    /// Visitor of its requests; `None`: no request with a token yet.
    role: Option<Role>,
    /// Requests that are answered.
    n_busy: usize,
    /// When the last request ended, or it was opened.
    since: u64,
    opened: Instant,
    closing: Arc<Notify>,
}

impl Entry {
    /// Eviction order, lowest first; `None`: must stay open.
    fn rank(&self, grace: Duration) -> Option<(Option<Role>, u64)> {
        let may_go = if self.role.is_none() { self.opened.elapsed() >= grace } else { self.n_busy == 0 };
        may_go.then_some((self.role, self.since))
    }
}

/// Why there is no place for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    /// There may be one soon: some connections are so new that their requests are still to come.
    Wait,
    /// All are in use.
    Refuse,
}

impl Open {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    /// Closes the connection that is missed least among those of `peer`, or all; false: each must stay. O(connections).
    fn close_one(&mut self, peer: Option<IpAddr>, grace: Duration) -> bool {
        let from_peer = self.connections.iter().filter(|(_, entry)| peer.is_none_or(|peer| entry.peer == peer));
        let Some((_, id)) = from_peer.filter_map(|(id, entry)| Some((entry.rank(grace)?, *id))).min() else { return false };
        if let Some(entry) = self.connections.remove(&id) {
            entry.closing.notify_one();
        }
        true
    }
}

impl Connections {
    pub(super) fn new(limits: &Limits) -> Self {
        Connections { limits: Arc::new(limits.clone()), open: Arc::default() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection, if there is a place for it or one can be made.
    pub(super) fn add(&self, peer: IpAddr) -> Result<Connection, Full> {
        let grace = self.limits.grace;
        let mut open = self.open();
        // Behind a proxy on this machine everybody comes from here.
        let is_limited = !peer.is_loopback() && {
            let from_peer = open.connections.values().filter(|entry| entry.peer == peer).count();
            from_peer >= self.limits.connections_per_peer
        };
        if is_limited && !open.close_one(Some(peer), grace) {
            return Err(Full::Refuse);
        }
        if open.connections.len() >= self.limits.connections && !open.close_one(None, grace) {
            let is_any_new = open.connections.values().any(|entry| entry.role.is_none());
            return Err(if is_any_new { Full::Wait } else { Full::Refuse });
        }
        let (id, closing) = (open.tick(), Arc::new(Notify::new()));
        open.connections.insert(id, Entry { peer, role: None, n_busy: 0, since: id, opened: Instant::now(), closing: closing.clone() });
        drop(open);
        Ok(Connection { id, peer, closing, all: self.clone() })
    }

    /// Makes a place when the system has none.
    pub(super) fn close_one(&self) {
        self.open().close_one(None, Duration::ZERO);
    }
}

/// One connection; its place is free when it is dropped.
pub(super) struct Connection {
    id: u64,
    peer: IpAddr,
    closing: Arc<Notify>,
    all: Connections,
}

impl Connection {
    /// The other side's address.
    pub(super) fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Waits until it is to be closed for another.
    pub(super) async fn closing(&self) {
        self.closing.notified().await;
    }

    /// A request of `role` begins; `None`: readers have all that they may have.
    fn begin(self: &Arc<Self>, role: Role) -> Option<Busy> {
        let mut open = self.all.open();
        let limits = &self.all.limits;
        if role < Role::Owner {
            let n_readers = open.connections.values().filter(|entry| entry.n_busy > 0 && entry.role == Some(Role::Reader)).count();
            if n_readers >= limits.connections.saturating_sub(limits.connections_for_owner) {
                return None;
            }
        }
        if let Some(entry) = open.connections.get_mut(&self.id) {
            entry.role = Some(role);
            entry.n_busy += 1;
        }
        Some(Busy(self.clone()))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.open().connections.remove(&self.id);
    }
}

/// A request that is answered.
struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        let mut open = self.0.all.open();
        let since = open.tick();
        if let Some(entry) = open.connections.get_mut(&self.0.id) {
            entry.n_busy = entry.n_busy.saturating_sub(1);
            entry.since = since;
        }
    }
}

/// Counts a request whose sender is known, until its answer is sent.
pub(super) async fn count(State(limits): State<Arc<Limits>>, request: Request, next: Next) -> Response {
    let of = |request: &Request| Some((request.extensions().get::<Arc<Connection>>()?.clone(), *request.extensions().get::<Role>()?));
    // Tests ask without a socket.
    let Some((connection, role)) = of(&request) else { return next.run(request).await };
    let Some(busy) = connection.begin(role) else { return WebError::Busy(limits.header_timeout).into_response() };
    next.run(request).await.map(|body| Body::new(Counted { body, busy: Some(busy) }))
}

/// A body with the request that it answers.
struct Counted {
    body: Body,
    busy: Option<Busy>,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(None) = frame {
            self.busy = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const ELSEWHERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn connections(connections: usize, connections_for_owner: usize, connections_per_peer: usize) -> Connections {
        Connections::new(&Limits { connections, connections_for_owner, connections_per_peer, grace: Duration::ZERO, ..Limits::default() })
    }

    fn ids(connections: &Connections) -> Vec<u64> {
        let mut ids: Vec<u64> = connections.open().connections.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn new_connections_replace_the_oldest_idle_one() {
        let all = connections(3, 1, 3);
        let open: Vec<Arc<Connection>> = (0..3).map(|_| Arc::new(all.add(HERE).unwrap())).collect();
        drop(open[0].begin(Role::Owner).unwrap());
        let busy = open[1].begin(Role::Reader).unwrap();
        let next = Arc::new(all.add(HERE).unwrap());
        assert_eq!(ids(&all), [open[0].id, open[1].id, next.id], "the silent one went");
        drop(next.begin(Role::Reader));
        let last = all.add(HERE).unwrap();
        assert_eq!(ids(&all), [open[0].id, open[1].id, last.id], "the reader's idle one went");
        drop(busy);
        drop((open, last));
        assert_eq!(ids(&all), [0; 0]);
    }

    #[test]
    fn connections_are_reserved_for_the_owner() {
        let all = connections(4, 2, 4);
        let open: Vec<Arc<Connection>> = (0..4).map(|_| Arc::new(all.add(HERE).unwrap())).collect();
        let busy: Vec<Option<Busy>> = open[..3].iter().map(|connection| connection.begin(Role::Reader)).collect();
        assert_eq!(busy.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
        let owners = [open[2].begin(Role::Owner), open[3].begin(Role::Owner)];
        assert!(owners.iter().all(Option::is_some));
        assert_eq!(all.add(HERE).err(), Some(Full::Refuse), "all are busy");
    }

    #[test]
    fn a_new_connection_has_time_for_its_request() {
        let limits = Limits { connections: 2, connections_for_owner: 1, grace: Duration::from_millis(200), ..Limits::default() };
        let all = Connections::new(&limits);
        let open: Vec<Arc<Connection>> = (0..2).map(|_| Arc::new(all.add(HERE).unwrap())).collect();
        assert_eq!(all.add(HERE).err(), Some(Full::Wait));
        let _busy = open[0].begin(Role::Reader).unwrap();
        std::thread::sleep(Duration::from_millis(250));
        let next = all.add(HERE).unwrap();
        assert_eq!(ids(&all), [open[0].id, next.id]);
    }

    #[test]
    fn one_machine_does_not_take_all() {
        let all = connections(10, 1, 2);
        let near: Vec<_> = (0..3).map(|_| all.add(HERE).unwrap()).collect();
        let far: Vec<_> = (0..5).map(|_| all.add(ELSEWHERE).unwrap()).collect();
        let expected: Vec<u64> = near.iter().chain(&far[3..]).map(|connection| connection.id).collect();
        assert_eq!(ids(&all), expected);
    }
}
