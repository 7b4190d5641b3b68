//! Open profiles, by the beginning of their addresses: opened when somebody asks, the least lately used closed when memory is needed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper_util::service::TowerToHyperService;

use super::error::TeamError;
use crate::base::hash::HashMap;
use crate::session::Session;
use crate::store::{OpenDumps, OpenedDumps, Wanted};
use crate::web::access::Access;
use crate::web::app::{App, Shared};
use crate::web::hosts::Hosts;
use crate::web::limits::Limits;
use crate::web::router::profile;
use crate::web::setup::Setup;
use crate::web::single_flight::SingleFlight;

/// Most open profiles, however small.
const MOST: usize = 200;

/// Profiles that nobody asked for in this time are closed.
const UNUSED: Duration = Duration::from_secs(15 * 60);

/// Interval at which cached results that are not used are dropped.
const TIDY: Duration = Duration::from_secs(20);

/// The addresses of an open profile.
pub(super) type ProfileService = TowerToHyperService<axum::Router>;

/// Open profiles.
pub(super) struct Sessions {
    opener: Arc<dyn OpenDumps>,
    limits: Limits,
    shared: Shared,
    most_bytes: usize,
    open: Mutex<Open>,
    opening: SingleFlight<Result<ProfileService, TeamError>>,
}

#[derive(Default)]
struct Open {
    entries: HashMap<String, Entry>,
    tidied: Option<Instant>,
}

struct Entry {
    service: ProfileService,
    session: Arc<Session>,
    find_names: Box<dyn Fn() + Send + Sync>,
    used: Instant,
}

impl Sessions {
    pub(super) fn new(opener: Arc<dyn OpenDumps>, limits: Limits, shared: Shared, most_bytes: usize) -> Self {
        Sessions { opener, limits, shared, most_bytes, open: Mutex::default(), opening: SingleFlight::default() }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open profile of an address.
    pub(super) fn get(&self, prefix: &str) -> Option<ProfileService> {
        let mut open = self.open();
        let entry = open.entries.get_mut(prefix)?;
        entry.used = Instant::now();
        Some(entry.service.clone())
    }

    /// Profiles that are being opened, by address.
    pub(super) fn opening(&self) -> &SingleFlight<Result<ProfileService, TeamError>> {
        &self.opening
    }

    /// Opens dumps at an address. Blocks.
    pub(super) fn add(&self, prefix: &str, wanted: &Wanted) -> Result<ProfileService, TeamError> {
        let OpenedDumps { session, files, find_names } = self.opener.open(wanted)?;
        let setup = Setup { access: Access::default(), files, limits: self.limits.clone(), ..Hosts::none().into() };
        let app = App::beside(session.clone(), setup, (prefix.to_owned(), home(wanted)), self.shared.clone());
        let service = TowerToHyperService::new(profile(app));
        let entry = Entry { service: service.clone(), session, find_names, used: Instant::now() };
        let mut open = self.open();
        open.entries.insert(prefix.to_owned(), entry);
        let closed = self.over(&mut open, prefix);
        drop(open);
        // Large ones take their time.
        drop(closed);
        Ok(service)
    }

    /// Takes out the least lately used profiles that are too many; the one at `kept` stays.
    fn over(&self, open: &mut Open, kept: &str) -> Vec<Entry> {
        let mut bytes: usize = open.entries.values().map(Entry::heap_bytes).sum();
        let mut closed = Vec::new();
        while bytes > self.most_bytes || open.entries.len() > MOST {
            let oldest = open.entries.iter().filter(|(prefix, _)| *prefix != kept).min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(prefix, _)| prefix.clone()) else { break };
            let entry = open.entries.remove(&oldest);
            bytes = bytes.saturating_sub(entry.as_ref().map_or(0, Entry::heap_bytes));
            closed.extend(entry);
        }
        closed
    }

    /// Drops what is not used; for intervals.
    pub(super) fn tidy(&self) {
        let mut open = self.open();
        if open.tidied.is_none_or(|at| at.elapsed() >= TIDY) {
            open.tidied = Some(Instant::now());
            open.entries.retain(|_, entry| entry.used.elapsed() < UNUSED);
            open.entries.values().for_each(|entry| entry.session.drop_unused());
        }
        let closed = self.over(&mut open, "");
        drop(open);
        drop(closed);
    }

    /// Looks for names of all open profiles once more.
    pub(super) fn name_again(&self) {
        self.open().entries.values().for_each(|entry| (entry.find_names)());
    }

    /// Number of open profiles, and bytes that they take.
    pub(super) fn size(&self) -> (usize, usize) {
        let open = self.open();
        (open.entries.len(), open.entries.values().map(Entry::heap_bytes).sum())
    }
}

/// The page that lists these dumps: that of their service, or of all.
fn home(wanted: &Wanted) -> String {
    let mut services = wanted.dumps.iter().map(|envelope| envelope.origin.service.as_str());
    match services.next() {
        Some(first) if services.all(|service| service == first) => format!("/services/{}", super::place::part(first)),
        _ => "/".to_owned(),
    }
}

impl Entry {
    fn heap_bytes(&self) -> usize {
        self.session.heap_bytes()
    }
}
