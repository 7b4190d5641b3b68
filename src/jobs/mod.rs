//! Jobs of a team server that run by themselves: retention, and checks of services with their webhooks.
//!
//! Every server of a store has the same jobs. Each is done under its lease ([`crate::store::Leases`]), so that one server does it
//! at a time, and results carry the epoch of the lease. When a job is due follows from its last result and the store's clock.

mod check;
mod notice;
mod run;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

pub(crate) use check::{checked, limits_of};
pub(crate) use notice::webhook_of;

use run::Runner;

use crate::open::stored::StoredDumps;
use crate::store::{Check, Store};
use crate::terminal::message::say;
use crate::terminal::panics::guarded;

/// Interval at which jobs are looked at.
const TICK: Duration = Duration::from_secs(1);

/// Age at which the list of checks is read again.
const READ_AGAIN: Duration = Duration::from_secs(5);

/// Longest time until the result of a job is looked at again: another server may have changed it.
const LONGEST: Duration = Duration::from_secs(300);

/// Time until another attempt where the store did not answer.
const AFTER_ERROR: Duration = Duration::from_secs(10);

/// Jobs that run until this is dropped. What is under way then ends with the program.
pub(crate) struct Jobs {
    /// Closing it stops the thread.
    _running: Sender<()>,
}

impl Jobs {
    /// Starts the jobs of a store. `url`: beginning of links to the server.
    pub(crate) fn start(store: Arc<Store>, url: String) -> std::io::Result<Jobs> {
        let (running, stopped) = channel::<()>();
        let runner = Runner { dumps: StoredDumps::new(store.clone()), store, url };
        let work = move || {
            let mut due = Due::default();
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if let Err(panic) = guarded(|| due.tick(&runner)) {
                    say(&format!("a scheduled job failed: {panic}"));
                }
            }
        };
        std::thread::Builder::new().name("jobs".into()).spawn(work)?;
        Ok(Jobs { _running: running })
    }
}

/// When jobs are looked at next.
#[derive(Default)]
struct Due {
    checks: BTreeMap<String, Check>,
    read: Option<Instant>,
    next: BTreeMap<String, Instant>,
    gc: Option<Instant>,
}

impl Due {
    fn tick(&mut self, runner: &Runner) {
        if self.read.is_none_or(|read| read.elapsed() >= READ_AGAIN) {
            self.read = Some(Instant::now());
            // A store that is away is asked again.
            if let Ok(checks) = runner.store.checks() {
                self.next.retain(|service, _| checks.get(service) == self.checks.get(service));
                self.checks = checks;
            }
        }
        let wait = |waited: Result<Duration, crate::store::StoreError>| Instant::now() + waited.unwrap_or(AFTER_ERROR).min(LONGEST);
        for (service, check) in &self.checks {
            if self.next.get(service).is_none_or(|next| Instant::now() >= *next) {
                // Set first: what panics is not tried at once.
                self.next.insert(service.clone(), Instant::now() + AFTER_ERROR);
                self.next.insert(service.clone(), wait(runner.check(service, check)));
            }
        }
        if self.gc.is_none_or(|next| Instant::now() >= next) {
            self.gc = Some(Instant::now() + AFTER_ERROR);
            self.gc = Some(wait(runner.gc()));
        }
    }
}
