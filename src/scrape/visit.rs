//! One visit to a target: a look at its memory, and a dump if one is due.

use std::sync::atomic::{AtomicU64, Ordering};

use super::names;
use super::probe::{self, Seen};
use super::process::{self, Identity};
use super::progress::{Kept, ProcessState, Progress, Unstored, Waiting};
use super::requests::{self, Failure};
use super::shared::{Shared, lock};
use super::status::ScrapeResult;
use super::target::Target;
use crate::store::{Envelope, Measured, measure, said};

/// Most bytes of an answer to a probe.
const MOST_PROBE: u64 = 8 << 20;

/// Most bytes of answers that are received at the same time.
const MOST_RECEIVED: u64 = 512 << 20;

/// Most bytes of dumps that wait for the store; beyond it no more are taken.
const MOST_WAITING: u64 = 256 << 20;

/// Bytes of answers that count as received until this is dropped.
struct Received<'a>(&'a AtomicU64, u64);

impl Received<'_> {
    fn grow(&mut self, n: usize) -> bool {
        self.1 += n as u64;
        self.0.fetch_add(n as u64, Ordering::Relaxed) + n as u64 <= MOST_RECEIVED
    }
}

impl Drop for Received<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// Visits a target. `is_due`: a dump is taken in any case.
pub(super) fn visit(shared: &Shared, target: &Target, progress: &mut Progress, is_due: bool) -> Result<(), Failure> {
    // Also while the store is away: the last dump of a process may be the next one.
    let waiting = store_waiting(shared, target, progress);
    restore(shared, target, progress);
    let visited = look_and_take(shared, target, progress, is_due);
    if visited.as_ref().is_err_and(|failure| failure.is_gone) {
        ended(shared, progress, ProcessState::Away);
    }
    visited.and(waiting)
}

/// The target is no longer listed: what it left is kept.
pub(super) fn farewell(shared: &Shared, target: &Target, progress: &mut Progress) -> Result<(), Failure> {
    ended(shared, progress, ProcessState::Ended);
    store_waiting(shared, target, progress)
}

/// Stores what waits, of a target that this server no longer asks.
pub(super) fn deliver(shared: &Shared, target: &Target, progress: &mut Progress) -> Result<(), Failure> {
    store_waiting(shared, target, progress)
}

fn look_and_take(shared: &Shared, target: &Target, progress: &mut Progress, is_due: bool) -> Result<(), Failure> {
    let seen = look(shared, target, progress, is_due)?;
    let job = &target.job;
    if let Some(bytes) = seen.bytes {
        progress.value = Some(bytes);
    }
    let has_grown = |kept: &Option<Kept>, now: u64| match (job.growth, kept.as_ref().and_then(|kept| kept.value)) {
        (Some(step), Some(before)) => step.is_reached(before, now),
        // There is nothing to compare with.
        (Some(_), None) => true,
        (None, _) => false,
    };
    is_restarted(shared, progress, &Identity { start: seen.start, ..Identity::default() });
    // Also if the new process could not be asked before.
    let is_new = progress.kept.as_ref().is_none_or(|kept| kept.process == ProcessState::Ended);
    let has_probe = seen.bytes.is_some();
    let is_grown = seen.bytes.is_some_and(|now| has_grown(&progress.kept, now));
    if has_probe && !is_due && !is_new && !is_grown {
        return Ok(());
    }
    let (measured, identity) = take(shared, target, &seen)?;
    let is_new = is_restarted(shared, progress, &identity) || is_new;
    let total = u64::try_from(measured.envelope.total()).unwrap_or(0);
    // Values of the profile and of the probe are not compared.
    let value = seen.bytes.or(Some(total).filter(|_| target.probe.is_none()));
    progress.value = value;
    let result = match () {
        () if is_new => ScrapeResult::Start,
        () if is_due => ScrapeResult::Interval,
        () if is_grown || value.is_some_and(|now| has_grown(&progress.kept, now)) => ScrapeResult::Growth,
        () => {
            shared.count(&job.name, ScrapeResult::Dropped);
            return Ok(());
        }
    };
    let mut pairs = target.pairs.clone();
    pairs.retain(|(name, _)| name != "label.scraped");
    pairs.push(("label.scraped".into(), result.name().into()));
    if let Some(start) = progress.identity.start.filter(|_| !pairs.iter().any(|(name, _)| name == "label.process_start")) {
        pairs.push(("label.process_start".into(), start.to_string()));
    }
    let said = said(&pairs, &shared.store.settings()).map_err(Failure::new)?;
    shared.store.check_service(&said.origin.service).map_err(Failure::new)?;
    let _waiting = Waiting::new(&shared.waiting, measured.packed.len());
    progress.put_aside(Unstored { measured, said, value, is_last: false, _waiting });
    store_waiting(shared, target, progress)?;
    shared.count(&job.name, result);
    Ok(())
}

/// Asks how much memory is in use. Without an answer a dump that is due is taken nevertheless.
fn look(shared: &Shared, target: &Target, progress: &Progress, is_due: bool) -> Result<Seen, Failure> {
    let Some(address) = &target.probe else { return Ok(Seen::default()) };
    let answer = requests::get(target, address, MOST_PROBE, &mut |_| true);
    let read = |bytes: Vec<u8>| {
        let seen = probe::read(&String::from_utf8_lossy(&bytes), &target.job.probe_metric);
        match seen.bytes {
            None => Err(Failure::new(format!("the answer of {address} has no {}; set probe_metric", target.job.probe_metric))),
            Some(_) => Ok(seen),
        }
    };
    shared.count(&target.job.name, ScrapeResult::Probe);
    match answer.and_then(read) {
        Err(failure) if failure.is_gone || (!is_due && progress.kept.is_some()) => Err(failure),
        Err(_) => Ok(Seen::default()),
        Ok(seen) => Ok(seen),
    }
}

/// Fetches and reads a dump.
fn take(shared: &Shared, target: &Target, seen: &Seen) -> Result<(Measured, Identity), Failure> {
    if shared.waiting.load(Ordering::Relaxed) > MOST_WAITING {
        return Err(Failure::new("too many dumps wait for the store"));
    }
    let settings = shared.store.settings();
    let mut received = Received(&shared.received, 0);
    let mut dump = requests::get(target, &target.address, settings.most_body, &mut |n| received.grow(n))?;
    let map = process::map(&dump);
    if target.job.symbols {
        let addresses = {
            let _reading = lock(&shared.reading);
            names::addresses(&dump, &settings)
        };
        if !addresses.is_empty()
            && let Some((answer, program)) = requests::names(target, &addresses)
        {
            dump = names::with_names(dump, &answer, program.as_deref());
        }
    }
    // One at a time: reading takes several times the size.
    let measured = {
        let _reading = lock(&shared.reading);
        measure(dump, &settings).map_err(Failure::new)?
    };
    let allocated = measured.envelope.totals.get("alloc_space").and_then(|&bytes| u64::try_from(bytes).ok()).filter(|&bytes| bytes > 0);
    Ok((measured, Identity { start: seen.start, map, allocated }))
}

/// Notes that `later` was seen; returns whether it is another process than before, whose last dump is then marked.
fn is_restarted(shared: &Shared, progress: &mut Progress, later: &Identity) -> bool {
    let is_other = progress.identity.is_replaced_by(later);
    if is_other {
        ended(shared, progress, ProcessState::Ended);
        progress.identity = Identity::default();
    } else if *later != Identity::default()
        && let Some(kept) = progress.kept.as_mut().filter(|kept| kept.process == ProcessState::Away)
    {
        // It is the same again.
        kept.process = ProcessState::Running;
        if let Some(key) = kept.mark.take() {
            let _ = shared.store.unmark_last(&key);
        }
    }
    progress.identity.update(later);
    is_other
}

/// The process is away or ended: its last dump is marked.
fn ended(shared: &Shared, progress: &mut Progress, state: ProcessState) {
    if let Some(last) = progress.unstored.last_mut() {
        last.is_last = true;
    } else if let Some(kept) = progress.kept.as_mut().filter(|kept| kept.process != ProcessState::Ended) {
        kept.process = state;
        mark(shared, kept);
    }
}

/// Marks a dump whose process is not running. Without success the next visit tries again.
fn mark(shared: &Shared, kept: &mut Kept) {
    if kept.process != ProcessState::Running && kept.mark.is_none() {
        kept.mark = shared.store.mark_last(&kept.envelope).ok();
    }
}

/// Stores what was taken, the oldest first.
fn store_waiting(shared: &Shared, target: &Target, progress: &mut Progress) -> Result<(), Failure> {
    progress.kept.iter_mut().for_each(|kept| mark(shared, kept));
    while let Some(dump) = progress.unstored.first() {
        let Measured { envelope, packed, warnings } = &dump.measured;
        // The store takes what it is given; without success it is needed again.
        let copy = Measured { envelope: envelope.clone(), packed: packed.clone(), warnings: warnings.clone() };
        let stored = shared.store.upload(copy, dump.said.clone(), &format!("scrape/{}", target.job.name));
        let uploaded = stored.map_err(|error| Failure::new(format!("the dump is kept until the store takes it: {error}")))?;
        let process = if dump.is_last { ProcessState::Ended } else { ProcessState::Running };
        let mut kept = Kept { envelope: uploaded.envelope, value: dump.value, process, mark: None };
        mark(shared, &mut kept);
        progress.kept = Some(kept);
        progress.n_stored += u64::from(!uploaded.was_known);
        progress.unstored.remove(0);
    }
    Ok(())
}

/// Looks for the last dump that an earlier server took of this target.
fn restore(shared: &Shared, target: &Target, progress: &mut Progress) {
    if std::mem::replace(&mut progress.is_restored, true) {
        return;
    }
    let dumps = shared.store.dumps_of(target.value("service")).unwrap_or_default();
    let is_of_target = |envelope: &Envelope| {
        let has = |name: &str, value: &str| envelope.origin.labels.get(name).is_some_and(|label| label == value);
        has("job", &target.job.name) && has("instance", &target.instance)
    };
    let last = dumps.iter().rev().find(|envelope| is_of_target(envelope));
    let Some(envelope) = last.map(|envelope| (**envelope).clone()) else { return };
    if progress.kept.as_ref().is_some_and(|kept| kept.envelope.id == envelope.id) {
        return;
    }
    let start = envelope.origin.labels.get("process_start").and_then(|start| start.parse().ok());
    let allocated = envelope.totals.get("alloc_space").and_then(|&bytes| u64::try_from(bytes).ok()).filter(|&bytes| bytes > 0);
    progress.identity = Identity { start, map: None, allocated };
    let value = u64::try_from(envelope.total()).ok().filter(|_| target.probe.is_none());
    progress.kept = Some(Kept { envelope, value, process: ProcessState::Running, mark: None });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::{Arc, mpsc};
    use std::time::Duration;

    use super::*;
    use crate::scrape::{ScrapeJob, ScrapeKind};
    use crate::store::{Store, StoreOptions};

    const DUMP: &str = "heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234 0x402345\n";

    /// A target that answers everything with a dump; its requests.
    fn served() -> (SocketAddr, mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (to, requests) = mpsc::channel();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut head = [0; 4096];
                let n = stream.read(&mut head).unwrap_or(0);
                let line = String::from_utf8_lossy(&head[..n]).lines().next().unwrap_or_default().to_owned();
                let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{DUMP}", DUMP.len());
                let _ = stream.write_all(answer.as_bytes());
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        (address, requests)
    }

    #[test]
    fn one_dump_at_a_time_is_read_also_for_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap(), StoreOptions { may_create: true, ..StoreOptions::default() }).unwrap();
        let shared = Shared::new(Arc::new(store));
        let (address, requests) = served();
        let mut job = ScrapeJob::new("shop");
        (job.kind, job.path, job.symbols) = (ScrapeKind::Gperftools, "/pprof/heap".into(), true);
        let target = Target::new(&Arc::new(job), &address.to_string(), &BTreeMap::new()).unwrap();
        std::thread::scope(|scope| {
            let reading = lock(&shared.reading);
            let taken = scope.spawn(|| take(&shared, &target, &Seen::default()));
            assert!(requests.recv_timeout(Duration::from_secs(10)).unwrap().starts_with("GET /pprof/heap"));
            let early = requests.recv_timeout(Duration::from_millis(300));
            assert!(early.is_err(), "{early:?} while another dump was read");
            drop(reading);
            assert!(requests.recv_timeout(Duration::from_secs(10)).unwrap().contains("/pprof/symbol"));
            assert!(taken.join().unwrap().is_ok());
        });
    }
}
