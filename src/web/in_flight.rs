//! Bytes of answers that are not sent yet, of all visitors together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;

use super::access::Role;

/// Number of bytes waiting to be sent, and its limit.
#[derive(Clone)]
pub(super) struct InFlight(Arc<Counter>);

struct Counter {
    used: AtomicUsize,
    most: usize,
    /// Of these.
    for_owner: usize,
}

impl InFlight {
    pub(super) fn new(most: usize, for_owner: usize) -> Self {
        InFlight(Arc::new(Counter { used: AtomicUsize::new(0), most, for_owner }))
    }

    fn most_for(&self, role: Role) -> usize {
        if role == Role::Owner { self.0.most } else { self.0.most.saturating_sub(self.0.for_owner) }
    }

    /// Whether nothing more can be sent to `role` now.
    pub(super) fn is_full(&self, role: Role) -> bool {
        self.0.used.load(Ordering::Relaxed) >= self.most_for(role)
    }

    /// `body` as it is sent: it counts until its last copy is dropped. `None`: too much waits already.
    pub(super) fn send(&self, role: Role, mut body: Vec<u8>) -> Option<Bytes> {
        body.shrink_to_fit();
        let (n, most) = (body.capacity(), self.most_for(role));
        let fits = |used: usize| used.checked_add(n).filter(|sum| *sum <= most);
        self.0.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        Some(Bytes::from_owner(Sending { body, n, of: self.clone() }))
    }
}

/// A body that is counted.
struct Sending {
    body: Vec<u8>,
    n: usize,
    of: InFlight,
}

impl AsRef<[u8]> for Sending {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.of.0.used.fetch_sub(self.n, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_until_they_are_sent() {
        let in_flight = InFlight::new(100, 40);
        let first = in_flight.send(Role::Reader, vec![0; 50]).unwrap();
        let copy = first.clone();
        drop(first);
        assert!(in_flight.send(Role::Reader, vec![0; 11]).is_none());
        assert!(!in_flight.is_full(Role::Reader));
        let owners = in_flight.send(Role::Owner, vec![0; 50]).unwrap();
        assert!(in_flight.is_full(Role::Reader) && in_flight.is_full(Role::Owner));
        drop((copy, owners));
        assert_eq!(in_flight.0.used.load(Ordering::Relaxed), 0);
    }
}
