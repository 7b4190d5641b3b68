//! Symbol servers of profiles fetched over HTTP.
//!
//! The rules are pprof's (`internal/driver/fetch.go`, `internal/symbolz`): a mapping is identified by build id, otherwise by
//! file, otherwise by its origin; names that no local file has are requested from the server of a profile with that mapping.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use crate::base::id::{Id, LocationId, MappingId};
use crate::base::plain::one_line;
use crate::fetch::{self, Address, Client};
use crate::profile::{NamedLine, Names, Profile};

/// Most of an answer about names that is read, bytes.
const LONGEST_ANSWER: u64 = 256 << 20;

/// Server of a mapping, and its start address in that process.
#[derive(Clone)]
struct ServerProcess {
    server: Address,
    start: u64,
}

/// The servers that profiles came from.
pub(crate) struct Remote {
    client: Client,
    /// Build id or file of a mapping → who had it.
    known: BTreeMap<String, Vec<ServerProcess>>,
    /// Mapping of the merged profile → servers.
    places: BTreeMap<MappingId, Vec<ServerProcess>>,
}

/// Names from servers.
#[derive(Default)]
pub(crate) struct ServerNames {
    pub(crate) names: Names,
    /// Servers that failed, with reasons.
    pub(crate) errors: Vec<String>,
    /// Mappings in which something has a name now.
    pub(crate) named: Vec<MappingId>,
    /// Mappings in which nothing has.
    pub(crate) unnamed: Vec<MappingId>,
}

impl Remote {
    pub(crate) fn new(client: Client) -> Self {
        Remote { client, known: BTreeMap::new(), places: BTreeMap::new() }
    }

    /// Remembers the mappings of a profile that came from `server`. Those without a name get one
    /// until [`Remote::settle`], so that they are not taken for another server's.
    pub(crate) fn add(&mut self, profile: &mut Profile, server: &Address) {
        profile.map_all();
        let mut names: Vec<(MappingId, String)> = Vec::new();
        for (id, mapping) in profile.code().mappings.enumerate() {
            let (file, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
            let key = match (build_id, file) {
                ("", "") => {
                    let name = (id.index() == 0).then(|| self.program(server)).flatten().unwrap_or_else(|| server.to_string());
                    names.push((id, name.clone()));
                    name
                }
                ("", file) => file.to_owned(),
                (build_id, _) => build_id.to_owned(),
            };
            self.known.entry(key).or_default().push(ServerProcess { server: server.clone(), start: mapping.start });
        }
        profile.rename_mappings(&names);
    }

    /// Returns whether any profile came from a server.
    pub(crate) fn is_used(&self) -> bool {
        !self.known.is_empty()
    }

    /// Path of the program, from servers that report their command line.
    fn program(&self, server: &Address) -> Option<String> {
        let answer = self.client.get(&fetch::command_line(server)?, |_| false, &AtomicU64::new(0)).ok()?;
        fetch::program(&answer.bytes)
    }

    /// Finds the mappings again in the profile that all were merged to.
    pub(crate) fn settle(&mut self, profile: &mut Profile) {
        let mut unnamed: Vec<(MappingId, String)> = Vec::new();
        for (id, mapping) in profile.code().mappings.enumerate() {
            let (file, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
            let places: Vec<ServerProcess> = [file, build_id].iter().filter_map(|key| self.known.get(*key)).flatten().cloned().collect();
            if places.iter().any(|place| place.server.to_string() == file) {
                unnamed.push((id, String::new()));
            }
            if !places.is_empty() {
                self.places.insert(id, places);
            }
        }
        profile.rename_mappings(&unnamed);
    }

    /// Mappings to be named by a server: those without names, or with `force` all.
    pub(crate) fn open(&self, profile: &Profile, force: bool) -> Vec<MappingId> {
        let mappings = &profile.code().mappings;
        self.places.keys().copied().filter(|&id| force || !mappings[id].has_functions).collect()
    }

    /// Asks for the names of the mappings in `open` that have got none yet.
    pub(crate) fn names(&self, profile: &Profile, open: &[MappingId], force: bool) -> ServerNames {
        let code = profile.code();
        let mut unnamed: BTreeMap<MappingId, Vec<LocationId>> = open.iter().map(|&id| (id, Vec::new())).collect();
        let mut named: Vec<MappingId> = Vec::new();
        for (id, location) in code.locations.enumerate() {
            let Some((mapping, list)) = location.mapping.and_then(|m| Some((m, unnamed.get_mut(&m)?))) else { continue };
            match location.frames().any(|f| code.frames[f].function.is_some()) {
                true => named.push(mapping),
                false if location.address != 0 => list.push(id),
                false => {}
            }
        }
        if !force {
            unnamed.retain(|mapping, _| !named.contains(mapping));
        }
        let mut server_names = ServerNames::default();
        let mut silent: Vec<String> = Vec::new();
        for (mapping, locations) in unnamed {
            if locations.is_empty() {
                // Nothing is missing there.
                server_names.names.functions_only.push(mapping);
                continue;
            }
            let mut is_named = false;
            for place in self.places.get(&mapping).into_iter().flatten() {
                let service = fetch::service(&place.server);
                let name = one_line(&service.to_string()).into_owned();
                if silent.contains(&name) {
                    continue;
                }
                match self.request_names(profile, mapping, &locations, place, &service) {
                    Ok(lines) => {
                        is_named = !lines.is_empty();
                        if lines.is_empty() {
                            server_names.errors.push(format!("{name}: the server has no names for {} addresses", locations.len()));
                        }
                        server_names.names.lines.extend(lines);
                        server_names.names.functions_only.push(mapping);
                        break;
                    }
                    Err(error) => {
                        server_names.errors.push(format!("{name}: {error}"));
                        silent.push(name);
                    }
                }
            }
            let list = if is_named { &mut server_names.named } else { &mut server_names.unnamed };
            list.push(mapping);
        }
        server_names
    }

    /// The names of `locations`, all in `mapping`.
    fn request_names(
        &self,
        profile: &Profile,
        mapping: MappingId,
        locations: &[LocationId],
        place: &ServerProcess,
        service: &Address,
    ) -> Result<Vec<(LocationId, Vec<NamedLine>)>, fetch::FetchError> {
        let code = profile.code();
        let start = code.mappings[mapping].start;
        // Mappings that were merged are elsewhere in the server's process.
        let remote_address = |id: LocationId| code.locations[id].address.wrapping_sub(start).wrapping_add(place.start);
        let mut by_address: BTreeMap<u64, Vec<LocationId>> = BTreeMap::new();
        locations.iter().for_each(|&id| by_address.entry(remote_address(id)).or_default().push(id));
        let addresses: Vec<u64> = by_address.keys().copied().collect();
        let text = self.client.post(service, &fetch::question(&addresses), LONGEST_ANSWER)?;
        let line = |name: String| vec![NamedLine { name: name.clone().into(), system_name: name.into(), ..NamedLine::default() }];
        let found = fetch::answers(&text).filter_map(|(address, name)| Some((by_address.get(&address)?, line(name))));
        Ok(found.flat_map(|(ids, lines)| ids.iter().map(move |&id| (id, lines.clone()))).collect())
    }
}
