//! Turns to compute: as many as there are cores, and fairly among visitors.
//!
//! Questions wait in a queue for each visitor; free turns go to the queues in rotation. Readers together never hold
//! all turns, so that requests of the owner do not wait for them.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::sync::oneshot;

use super::access::Role;
use super::connections::Connection;

/// Sender of a request: all owners count as one, readers differ by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visitor {
    pub(super) role: Role,
    /// `None` without a socket.
    pub(super) peer: Option<IpAddr>,
}

impl Visitor {
    pub(super) fn is_same(&self, other: &Visitor) -> bool {
        self.role == other.role && (self.role == Role::Owner || self.peer == other.peer)
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let role = parts.extensions.get::<Role>().copied().unwrap_or(Role::Reader);
        let peer = parts.extensions.get::<Arc<Connection>>().map(|connection| connection.peer());
        Ok(Visitor { role, peer })
    }
}

/// The turns of a server.
#[derive(Clone)]
pub(super) struct Turns(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    n_turns: usize,
    most_queued: usize,
}

#[derive(Default)]
struct State {
    n_held: usize,
    /// By readers, of these.
    n_readers: usize,
    /// The one whose turn is next first.
    queues: VecDeque<(Visitor, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A turn; the next one begins when it is dropped.
pub(super) struct Turn {
    /// `None`: it was given back already.
    of: Option<Arc<Shared>>,
    role: Role,
}

impl Turns {
    pub(super) fn new(n_turns: usize, most_queued: usize) -> Self {
        Turns(Arc::new(Shared { state: Mutex::default(), n_turns: n_turns.max(2), most_queued }))
    }

    /// The next turn for `visitor`; `None`: too many of its questions wait already.
    pub(super) async fn next(&self, visitor: Visitor) -> Option<Turn> {
        let waiting = {
            let mut state = self.0.state();
            let (sender, waiting) = oneshot::channel();
            match state.queues.iter_mut().find(|(of, _)| of.is_same(&visitor)) {
                Some((_, queue)) => {
                    // Those that went away take no place.
                    queue.retain(|sender| !sender.is_closed());
                    if queue.len() >= self.0.most_queued {
                        return None;
                    }
                    queue.push_back(sender);
                }
                None => state.queues.push_back((visitor, VecDeque::from([sender]))),
            }
            waiting
        };
        self.0.hand_out();
        waiting.await.ok()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free turns to those who wait.
    fn hand_out(self: &Arc<Self>) {
        loop {
            let (sender, role) = {
                let mut state = self.state();
                let Some(next) = state.pop(self.n_turns) else { return };
                next
            };
            // Not under the lock: one that nobody takes comes back here.
            if let Err(mut turn) = sender.send(Turn { of: Some(self.clone()), role }) {
                turn.of = None;
                self.state().give_back(role);
            }
        }
    }
}

impl State {
    fn pop(&mut self, n_turns: usize) -> Option<(oneshot::Sender<Turn>, Role)> {
        if self.n_held >= n_turns {
            return None;
        }
        let may_read = self.n_readers + 1 < n_turns;
        let at = self.queues.iter().position(|(visitor, _)| visitor.role == Role::Owner || may_read)?;
        let (visitor, mut queue) = self.queues.remove(at)?;
        let sender = queue.pop_front()?;
        if !queue.is_empty() {
            self.queues.push_back((visitor, queue));
        }
        self.n_held += 1;
        self.n_readers += usize::from(visitor.role < Role::Owner);
        Some((sender, visitor.role))
    }

    fn give_back(&mut self, role: Role) {
        self.n_held -= 1;
        self.n_readers -= usize::from(role < Role::Owner);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(of) = self.of.take() {
            of.state().give_back(self.role);
            of.hand_out();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn reader(n: u8) -> Visitor {
        Visitor { role: Role::Reader, peer: Some(IpAddr::from([192, 0, 2, n])) }
    }

    const OWNER: Visitor = Visitor { role: Role::Owner, peer: None };

    #[test]
    fn readers_leave_one_turn_to_the_owner() {
        let turns = Turns::new(2, 10);
        let first = turns.next(reader(1)).now_or_never().flatten();
        assert!(first.is_some());
        assert!(turns.next(reader(2)).now_or_never().is_none());
        let owners = turns.next(OWNER).now_or_never().flatten();
        assert!(owners.is_some());
        assert!(turns.next(OWNER).now_or_never().is_none());
        // Those who went away hold nothing up.
        drop((first, owners));
        assert!(turns.next(reader(3)).now_or_never().flatten().is_some());
        assert_eq!(turns.0.state().n_held, 0);
    }

    #[test]
    fn visitors_with_many_requests_delay_only_themselves() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let turns = Turns::new(2, 3);
            let held = turns.next(reader(1)).await.unwrap();
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut waiting = Vec::new();
            for n in [1, 1, 1, 1, 2] {
                let (turns, order) = (turns.clone(), order.clone());
                waiting.push(tokio::spawn(async move {
                    let turn = turns.next(reader(n)).await;
                    order.lock().unwrap().push(turn.as_ref().map(|_| n));
                }));
                tokio::task::yield_now().await;
            }
            drop(held);
            for task in waiting {
                task.await.unwrap();
            }
            // The fourth is one too many; the other visitor comes after the first.
            assert_eq!(*order.lock().unwrap(), [None, Some(1), Some(2), Some(1), Some(1)]);
        });
    }
}
