//! Where `store://` addresses lead: a team server, or a store on this machine. What they name becomes inputs of the command.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::address::{Pick, StoreAddress, is_meant};
use super::server::{self, TeamServer};
use crate::base::hash::HashMap;
use crate::open::debuginfod::Debuginfod;
use crate::open::fetching;
use crate::open::inputs::{Input, now};
use crate::open::options::OpenOptions;
use crate::open::stored_dump::{placed, series};
use crate::profile::Profile;
use crate::query::nearest;
use crate::store::{Envelope, Note, Selection, Store, StoreOptions, StoredBinaries, expected_growth, thinned};
use crate::symbolize::{BuildFile, DebugFiles};
use crate::terminal::message::say;

/// Environment variable with the directory or bucket of a store.
const STORE: &str = "HEAPVIEW_STORE";

/// Longest list of dumps and longest dump that is read from a server, bytes.
const LONGEST_LIST: u64 = 256 << 20;
const LONGEST_DUMP: u64 = 1 << 30;

/// Dumps of one list, the most that a server sends.
const MOST_LISTED: &str = "10000";

/// Opened dumps and names of a store.
#[derive(Debug)]
pub(crate) struct StoreSource {
    place: Place,
    /// Service and version → binaries that it runs: file name and build id.
    run_by: Mutex<HashMap<(String, String), Binaries>>,
}

/// File names and build ids.
type Binaries = Arc<Vec<(String, String)>>;

#[derive(Debug)]
enum Place {
    Server { server: Box<TeamServer>, files: Box<Debuginfod> },
    Directory { store: Box<Store>, files: Arc<StoredBinaries> },
}

#[derive(Deserialize)]
struct ListedBinary {
    build_id: String,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct ListedService {
    service: String,
}

/// Replaces `store://` addresses in a list of inputs by the dumps that they mean; `None`: there are none. Warnings are added.
pub(crate) fn expand(list: &mut Vec<Input>, sources: &OpenOptions, warnings: &mut Vec<String>) -> Result<Option<Arc<StoreSource>>> {
    if !list.iter().any(|input| is_meant(&input.path)) {
        return Ok(None);
    }
    if sources.watch {
        bail!("-watch follows files and addresses of processes, not store:// addresses; open the page of the team server instead");
    }
    let source = StoreSource::open(sources)?;
    let mut expanded = Vec::with_capacity(list.len());
    for input in list.drain(..) {
        if !is_meant(&input.path) {
            expanded.push(input);
            continue;
        }
        let text = input.path.to_string_lossy().into_owned();
        let address = StoreAddress::parse(&text, now() / 1_000_000)?;
        let dumps = source.dumps(&address).with_context(|| text.clone())?;
        let n = dumps.len();
        let dumps = thinned(dumps);
        if dumps.len() < n {
            warnings.push(format!("{text}: {} of {n} dumps are shown, evenly chosen; a shorter time (?from=-1d) shows all", dumps.len()));
        }
        let is_found = address.pick == Pick::All;
        let mut of_process: HashMap<String, u64> = HashMap::default();
        for envelope in dumps {
            let series = series(&envelope);
            let nth = of_process.entry(series.clone()).or_default();
            *nth += 1;
            expanded.push(Input {
                path: PathBuf::from(format!("store://{}/{}", envelope.origin.service, envelope.sha256.short())),
                is_found,
                number: Some(envelope.origin.seq.unwrap_or(*nth)),
                is_numbered: is_found,
                series,
                file_time: envelope.time.saturating_mul(1_000_000),
                stored: Some(envelope),
                ..input.clone()
            });
        }
    }
    *list = expanded;
    Ok(Some(Arc::new(source)))
}

impl StoreSource {
    fn open(sources: &OpenOptions) -> Result<StoreSource> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let place = match (variable(server::SERVER), variable(STORE)) {
            (Some(address), _) => {
                let server = TeamServer::new(&address, variable(server::TOKEN), |token| fetching::client_with(sources, token))?;
                let (client, address) = server.parts();
                let files = Debuginfod::of_server(client.clone(), address.clone())
                    .context("there is no directory for binaries of the team server; set XDG_CACHE_HOME")?;
                Place::Server { server: Box::new(server), files: Box::new(files) }
            }
            (None, Some(place)) => {
                let options = StoreOptions { may_create: false, is_single_writer: true };
                let store = Box::new(Store::open(&place, options)?);
                store.warnings().iter().for_each(|warning| say(warning));
                Place::Directory { files: store.names(), store }
            }
            (None, None) => bail!(
                "which store do store:// addresses mean? Set {} to the address of a team server, or {STORE} to the directory of a store",
                server::SERVER
            ),
        };
        Ok(StoreSource { place, run_by: Mutex::default() })
    }

    /// The dumps of an address, in order of time.
    fn dumps(&self, address: &StoreAddress) -> Result<Vec<Arc<Envelope>>> {
        let StoreAddress { service, pick, selection } = address;
        let Some(found) = self.selected(service, selection, pick)? else {
            let services = self.services()?;
            match nearest(service, services.iter().map(String::as_str)) {
                Some(near) => bail!("the store has no service {service}; did you mean {near}?"),
                None if services.is_empty() => bail!("the store has no dumps yet; heapview push sends some"),
                None => bail!("the store has no service {service}; it has {}", some_of(&services)),
            }
        };
        if found.is_empty() {
            self.explain_nothing(address)?;
        }
        Ok(found)
    }

    /// Dumps of a service that fit, in order of time; `None`: there is no such service.
    fn selected(&self, service: &str, selection: &Selection, pick: &Pick) -> Result<Option<Vec<Arc<Envelope>>>> {
        let id = if let Pick::Dump(id) = pick { Some(id.to_string()) } else { None };
        match &self.place {
            Place::Directory { store, .. } => {
                let Some(dumps) = store.dumps_of(service) else { return Ok(None) };
                let mut dumps = selection.of(&dumps);
                if let Some(id) = id {
                    dumps.retain(|envelope| envelope.sha256.short().to_string() == id);
                }
                if *pick != Pick::All {
                    dumps.drain(..dumps.len().saturating_sub(1));
                }
                Ok(Some(dumps))
            }
            Place::Server { server, .. } => {
                let (from, to) = (selection.from.map(millis), selection.to.map(millis));
                let least = selection.least.map(|least| least.to_string());
                let labels: Vec<(String, &str)> =
                    selection.labels.iter().map(|(name, value)| (format!("label.{name}"), value.as_str())).collect();
                let limit = if *pick == Pick::All { MOST_LISTED } else { "1" };
                let mut query = vec![("service", service), ("limit", limit)];
                let options = [("id", &id), ("from", &from), ("to", &to), ("least", &least)];
                query.extend(options.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))));
                query.extend(labels.iter().map(|(name, value)| (name.as_str(), *value)));
                let found: Option<Vec<Envelope>> = server.ask("/api/v1/dumps", &query, LONGEST_LIST)?;
                Ok(found.map(|found| found.into_iter().rev().map(Arc::new).collect()))
            }
        }
    }

    /// Says what there is instead of the dumps of an address, as an error.
    fn explain_nothing(&self, address: &StoreAddress) -> Result<()> {
        let StoreAddress { service, pick, selection } = address;
        let all = self.selected(service, &Selection::default(), &Pick::All)?.unwrap_or_default();
        if let Pick::Dump(id) = pick {
            bail!("the service {service} has no dump {id}; it may have been deleted for its age");
        }
        for (name, value) in &selection.labels {
            let mut values: Vec<String> = match name.as_str() {
                "process" => all.iter().map(|envelope| envelope.process()).collect(),
                name => all.iter().filter_map(|envelope| envelope.label(name)).map(str::to_owned).collect(),
            };
            values.retain(|value| !value.is_empty());
            if values.contains(value) {
                continue;
            }
            // The newest first.
            values.reverse();
            let mut known: Vec<String> = Vec::new();
            for value in values {
                if !known.contains(&value) {
                    known.push(value);
                }
            }
            match known.is_empty() {
                true => bail!("no dump of {service} has a label {name}"),
                false => bail!("no dump of {service} has {name} {value}; there is {}", some_of(&known)),
            }
        }
        let range = match (all.first(), all.last()) {
            (Some(first), Some(last)) => format!("; its dumps are from {} to {}", millis(first.time), millis(last.time)),
            _ => String::new(),
        };
        bail!("no dump of {service} fits these conditions{range}")
    }

    fn services(&self) -> Result<Vec<String>> {
        match &self.place {
            Place::Directory { store, .. } => Ok(store.services().into_iter().map(|(service, _)| service).collect()),
            Place::Server { server, .. } => {
                let listed: Option<Vec<ListedService>> = server.ask("/api/v1/services", &[], LONGEST_LIST)?;
                Ok(listed.unwrap_or_default().into_iter().map(|listed| listed.service).collect())
            }
        }
    }

    /// The bytes of a dump.
    pub(crate) fn read(&self, envelope: &Envelope) -> Result<Vec<u8>> {
        let id = envelope.sha256.short();
        let bytes = match &self.place {
            Place::Directory { store, .. } => store.dump(&envelope.sha256)?,
            Place::Server { server, .. } => server.bytes(&format!("/api/v1/dumps/{id}"), &[], LONGEST_DUMP)?,
        };
        bytes.with_context(|| format!("the bytes of dump {id} are no longer in the store"))
    }

    /// A dump as its envelope describes it, the `nth` of its process.
    pub(crate) fn placed(&self, profile: Profile, envelope: &Envelope, nth: u64) -> Profile {
        placed(profile, envelope, nth, &self.run_by(envelope))
    }

    /// Tells a profile which growth the notes of its service expect; `last` is the latest of its dumps.
    pub(crate) fn mark_expected(&self, profile: &mut Profile, last: &Envelope) -> Result<()> {
        let service = &last.origin.service;
        let notes: Vec<Note> = match &self.place {
            Place::Directory { store, .. } => store.notes(service)?,
            Place::Server { server, .. } => server.ask("/api/v1/notes", &[("service", service)], LONGEST_LIST)?.unwrap_or_default(),
        };
        profile.set_expected(expected_growth(&notes, last));
        Ok(())
    }

    /// Binaries of the version of a dump. Without an answer only names are missing.
    fn run_by(&self, envelope: &Envelope) -> Binaries {
        let (service, version) = (&envelope.origin.service, &envelope.origin.version);
        let mut known = self.run_by.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry((service.clone(), version.clone())).or_insert_with(|| {
            Arc::new(match &self.place {
                Place::Directory { store, .. } => store.run_by(service, version),
                Place::Server { server, .. } => {
                    let query = [("service", service.as_str()), ("version", version.as_str())];
                    let listed: Result<Option<Vec<ListedBinary>>> = server.ask("/api/v1/binaries", &query, LONGEST_LIST);
                    listed.ok().flatten().unwrap_or_default().into_iter().map(|of| (of.name, of.build_id)).collect()
                }
            })
        });
        found.clone()
    }

    /// Warnings since the last call.
    pub(crate) fn notes(&self) -> Vec<String> {
        match &self.place {
            Place::Server { files, .. } => files.notes(),
            Place::Directory { .. } => Vec::new(),
        }
    }
}

impl DebugFiles for StoreSource {
    fn find(&self, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<PathBuf> {
        match &self.place {
            Place::Server { files, .. } => files.find(build_id, wanted, on_progress),
            Place::Directory { files, .. } => files.find(build_id, wanted, on_progress),
        }
    }
}

/// Names of which a few are shown.
fn some_of(names: &[String]) -> String {
    const MOST: usize = 8;
    let more = if names.len() > MOST { ", …" } else { "" };
    names.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ") + more
}

/// A time, as in queries.
fn millis(time: i64) -> String {
    let seconds = crate::api::utc(time.saturating_mul(1_000_000)).replace(" UTC", "").replace(' ', "T");
    format!("{seconds}.{:03}Z", time.rem_euclid(1000))
}
