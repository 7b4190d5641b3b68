//! One run of a job, under its lease.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::check::{Checked, checked};
use super::notice;
use crate::open::stored::StoredDumps;
use crate::store::{Check, CheckResult, Lease, Notice, Removal, Store, StoreError, Verdict};
use crate::terminal::message::say;

/// Time after which another server takes over from one that died.
const TERM: Duration = Duration::from_secs(30);

/// Time until a job that another server does is looked at again.
const HELD: Duration = Duration::from_secs(10);

/// Name in the audit log.
const WHO: &str = "schedule";

/// Does jobs of a store.
pub(super) struct Runner {
    pub(super) store: Arc<Store>,
    pub(super) dumps: StoredDumps,
    /// Beginning of links.
    pub(super) url: String,
}

fn millis(seconds: u64) -> i64 {
    i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX)
}

/// Time from `now` to `at`.
fn until(now: i64, at: i64) -> Duration {
    Duration::from_millis(u64::try_from(at.saturating_sub(now)).unwrap_or(0))
}

/// When something is to be done for a check: the next run, or the next attempt to send a notice.
fn due(result: &CheckResult, check: &Check) -> i64 {
    let next_run = if result.checked == 0 { 0 } else { result.checked.saturating_add(millis(check.every)) };
    result.pending.first().map_or(next_run, |notice| notice.next.min(next_run))
}

impl Runner {
    /// Runs the check of a service and sends notices, if that is due; returns the time until it is again.
    pub(super) fn check(&self, service: &str, check: &Check) -> Result<Duration, StoreError> {
        let wait = |result: &CheckResult, now: i64| Some(until(now, due(result, check))).filter(|wait| !wait.is_zero());
        if let Some(wait) = wait(&self.store.check_result(service)?, self.store.leases().now()?) {
            return Ok(wait);
        }
        let Some(mut lease) = self.store.leases().take(&format!("check/{service}"), TERM)? else { return Ok(HELD) };
        let epoch = lease.epoch();
        let done = self.store.leases().during(&mut lease, || self.check_now(service, check, epoch));
        self.give_back(&lease)?;
        done?;
        let (result, now) = (self.store.check_result(service)?, self.store.leases().now()?);
        Ok(until(now, due(&result, check)))
    }

    fn give_back(&self, lease: &Lease) -> Result<(), StoreError> {
        if lease.is_live() { self.store.leases().give_back(lease) } else { Ok(()) }
    }

    fn check_now(&self, service: &str, check: &Check, epoch: u64) -> Result<(), StoreError> {
        let now = self.store.leases().now()?;
        // Another server may just have done it.
        let before = self.store.check_result(service)?;
        if before.checked == 0 || now >= before.checked.saturating_add(millis(check.every)) {
            self.store.refresh(false)?;
            let checked = checked(&self.store, &self.dumps, service, check, now);
            self.record(service, check, epoch, now, checked)?;
        }
        self.deliver(service, check, epoch)
    }

    /// Keeps what came of a check; of a change there is a notice.
    fn record(&self, service: &str, check: &Check, epoch: u64, now: i64, checked: Checked) -> Result<(), StoreError> {
        let Some(verdict) = checked.verdict else {
            let keep = |result: &mut CheckResult| {
                (result.checked, result.problem) = (now, checked.problem.clone());
                Ok(())
            };
            return self.store.change_result(service, epoch, keep).map(|_| ());
        };
        let was_broken = |result: &CheckResult| result.verdict.as_ref().is_some_and(|verdict: &Verdict| !verdict.holds);
        let notice = self.store.notice(now, |id| notice::body(service, &verdict, &self.url, id, now))?;
        let keep = |result: &mut CheckResult| {
            let broken_before = was_broken(result);
            let changes = result.take(now, verdict.clone());
            if changes && !check.webhook.is_empty() {
                result.announce(notice.clone());
            }
            Ok(changes.then_some(!broken_before))
        };
        if let Some(Some(breaks)) = self.store.change_result(service, epoch, keep)? {
            self.store.log(WHO, if breaks { "check broken" } else { "check recovered" }, service)?;
        }
        Ok(())
    }

    /// Sends notices that are due, in order; after a failure the rest waits.
    fn deliver(&self, service: &str, check: &Check, epoch: u64) -> Result<(), StoreError> {
        loop {
            let now = self.store.leases().now()?;
            let result = self.store.check_result(service)?;
            let Some(next) = result.pending.first().filter(|next| next.next <= now) else { return Ok(()) };
            let sent = notice::send(check, next);
            let attempts = next.attempts + 1;
            let is_over = sent.is_ok() || attempts >= notice::MOST_ATTEMPTS || check.webhook.is_empty();
            let keep = |result: &mut CheckResult| {
                match is_over {
                    true => result.pending.retain(|notice: &Notice| notice.id != next.id),
                    false => {
                        let waiting = result.pending.iter_mut().filter(|notice| notice.id == next.id);
                        waiting.for_each(|notice| (notice.attempts, notice.next) = (attempts, now.saturating_add(notice::pause(attempts))));
                    }
                }
                result.undelivered = sent.as_ref().err().cloned().unwrap_or_default();
                Ok(())
            };
            if self.store.change_result(service, epoch, keep)?.is_none() {
                return Ok(());
            }
            match (&sent, is_over) {
                (Ok(()), _) => self.store.log(WHO, "webhook sent", service)?,
                (Err(_), true) => self.store.log(WHO, "webhook given up", service)?,
                (Err(_), false) => return Ok(()),
            }
        }
    }

    /// Deletes what is old, if that is due; returns the time until it is again.
    pub(super) fn gc(&self) -> Result<Duration, StoreError> {
        let every = self.store.settings().gc_every;
        if every == 0 {
            return Ok(super::LONGEST);
        }
        let now = self.store.leases().now()?;
        let next = |ran: i64| ran.saturating_add(millis(every));
        let ran = self.store.gc_ran()?;
        if ran != 0 && now < next(ran) {
            return Ok(until(now, next(ran)));
        }
        let Some(mut lease) = self.store.leases().take("gc", TERM)? else { return Ok(HELD) };
        let epoch = lease.epoch();
        let done = self.store.leases().during(&mut lease, || self.gc_now(now, next, epoch));
        self.give_back(&lease)?;
        done?;
        Ok(until(now, next(self.store.gc_ran()?)))
    }

    fn gc_now(&self, now: i64, next: impl Fn(i64) -> i64, epoch: u64) -> Result<(), StoreError> {
        match self.store.gc_ran()? {
            // Another server may just have done it.
            ran if ran != 0 && now < next(ran) => return Ok(()),
            // The first run is an interval after the first start: there is time to look at a dry run.
            0 => return self.store.set_gc_ran(epoch, now),
            _ => {}
        }
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now).unwrap_or(0));
        let report = self.store.gc(time, false);
        self.store.set_gc_ran(epoch, now)?;
        let report = report.inspect_err(|error| say(&format!("old dumps were not deleted: {error}")))?;
        let count = |of: fn(&Removal) -> bool| report.removals.iter().filter(|removal| of(removal)).count();
        let dumps = count(|removal| matches!(removal, Removal::Dump(_)));
        let binaries = count(|removal| matches!(removal, Removal::Binary(..)));
        match report.removals.is_empty() {
            true => Ok(()),
            false => self.store.log(WHO, "gc", &format!("{dumps} dumps, {binaries} binaries")),
        }
    }
}
