//! Which of several servers of a store asks the targets of a job: the one that has its lease.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::job::ScrapeJob;
use crate::store::{Lease, Store};

/// Time for which a server has a job unless it renews it.
const TERM: Duration = Duration::from_secs(60);

/// Interval at which leases are renewed, and those of others are tried.
pub(super) const RENEWAL: Duration = Duration::from_secs(15);

/// The jobs of this server.
#[derive(Debug, Default)]
pub(super) struct Duties(BTreeMap<String, Lease>);

impl Duties {
    /// Renews what this server has, and takes what nobody has. Blocks. While the store does not answer, a server goes on with what
    /// it had: a dump that two servers take is stored once.
    pub(super) fn refresh(&mut self, store: &Store, jobs: &[Arc<ScrapeJob>]) {
        let leases = store.leases();
        let mut before = std::mem::take(&mut self.0);
        for job in jobs {
            let kept = match before.remove(&job.name) {
                Some(mut lease) => match leases.renew(&mut lease) {
                    Ok(false) => None,
                    Ok(true) | Err(_) => Some(lease),
                },
                None => leases.take(&key(&job.name), TERM).ok().flatten(),
            };
            self.0.extend(kept.map(|lease| (job.name.clone(), lease)));
        }
        give_back(store, before);
    }

    /// Whether this server asks the targets of a job.
    pub(super) fn has(&self, job: &str) -> bool {
        self.0.contains_key(job)
    }

    /// Gives everything back, so that the next server need not wait.
    pub(super) fn end(self, store: &Store) {
        give_back(store, self.0);
    }
}

fn give_back(store: &Store, leases: BTreeMap<String, Lease>) {
    for lease in leases.into_values() {
        // Without success it ends by itself.
        let _ = store.leases().give_back(&lease);
    }
}

fn key(job: &str) -> String {
    format!("scrape/{job}")
}
