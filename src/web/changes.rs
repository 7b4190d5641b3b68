//! Changes of what is open, and who listens to them.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::access::Role;
use super::error::WebError;
use super::limits::Limits;
use super::turns::Visitor;
use crate::session::Session;

/// The session's changes, for any number of those who wait.
#[derive(Clone)]
pub(super) struct Changes {
    pub(super) changed: watch::Receiver<()>,
}

impl Changes {
    pub(super) fn of(session: &Session) -> Self {
        let (sender, changed) = watch::channel(());
        session.listen(move || {
            sender.send_replace(());
            !sender.is_closed()
        });
        Changes { changed }
    }
}

/// The open streams: so many in all, some of them for the owner only, and so many for each reader.
#[derive(Clone)]
pub(super) struct Streams {
    open: Arc<Mutex<Vec<Visitor>>>,
    limits: Arc<Limits>,
}

impl Streams {
    pub(super) fn new(limits: &Limits) -> Self {
        Streams { open: Arc::default(), limits: Arc::new(limits.clone()) }
    }

    pub(super) fn open(&self, visitor: Visitor) -> Result<OpenStream, WebError> {
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
pub(super) struct OpenStream {
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
