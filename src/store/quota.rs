//! Quotas of tokens: bytes a day and dumps a minute.
//!
//! What a token sent is counted from the log and the documents of binaries, so that the counts survive a restart and replicas know
//! each other's: as late as they read the log, two seconds. What this server is storing at the moment counts, too.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::id;
use crate::base::hash::HashMap;
use crate::base::units::binary_size;

const MINUTE: i64 = 60_000;

/// Minutes of a day.
const DAY: i64 = 24 * 60;

/// What a token may send; 0: any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quota {
    /// Unpacked bytes of new dumps, and bytes of new binaries, within 24 hours.
    #[serde(skip_serializing_if = "is_none")]
    pub bytes_a_day: u64,
    /// New dumps within a minute of the clock.
    #[serde(skip_serializing_if = "is_none")]
    pub dumps_a_minute: u64,
}

fn is_none(limit: &u64) -> bool {
    *limit == 0
}

/// A quota that is used up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OverQuota {
    /// Bytes of a day.
    #[error("the token {token} has sent {} of the {} that it may send a day; this needs {}", binary_size(*used), binary_size(*most), binary_size(*bytes))]
    Bytes {
        /// Name of the token.
        token: String,
        /// Bytes of the last 24 hours.
        used: u64,
        /// The quota.
        most: u64,
        /// Bytes that were to come on top.
        bytes: u64,
        /// When there is room again.
        retry: Duration,
    },
    /// Dumps of a minute.
    #[error("the token {token} has sent {used} dumps in this minute; it may send {most}")]
    Dumps {
        /// Name of the token.
        token: String,
        /// Dumps of this minute.
        used: u64,
        /// The quota.
        most: u64,
        /// When there is room again.
        retry: Duration,
    },
}

impl OverQuota {
    /// When there is room again.
    pub fn retry(&self) -> Duration {
        match self {
            OverQuota::Bytes { retry, .. } | OverQuota::Dumps { retry, .. } => *retry,
        }
    }
}

/// Dumps and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) dumps: u64,
    pub(super) bytes: u64,
}

/// What tokens sent, by minute since 1970. O(minutes of a day) for each token.
#[derive(Debug, Default)]
pub(super) struct Sent(HashMap<String, BTreeMap<i64, Amount>>);

impl Sent {
    /// Counts what came at `received`, milliseconds since 1970.
    pub(super) fn add(&mut self, token: &str, received: i64, dumps: u64, bytes: u64) {
        let now = id::millis(SystemTime::now()) / MINUTE;
        let minute = received / MINUTE;
        if token.is_empty() || minute <= now - DAY {
            return;
        }
        let minutes = self.0.entry(token.to_owned()).or_default();
        let amount = minutes.entry(minute).or_default();
        amount.dumps += dumps;
        amount.bytes = amount.bytes.saturating_add(bytes);
        while minutes.first_key_value().is_some_and(|(first, _)| *first <= now - DAY) {
            minutes.pop_first();
        }
    }
}

impl Sent {
    /// Bytes of the last 24 hours.
    pub(super) fn bytes(&self, token: &str, now: i64) -> u64 {
        let day = self.0.get(token).into_iter().flat_map(|minutes| minutes.range(now / MINUTE - DAY + 1..));
        day.fold(0, |sum, (_, amount)| sum.saturating_add(amount.bytes))
    }
}

/// What is being stored, by token.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<HashMap<String, Amount>>);

impl Pending {
    /// Takes a part of the quota of a token that sent this, and `binaries` bytes of them.
    pub(super) fn take(
        &self,
        token: &str,
        quota: Quota,
        (sent, binaries): (&Sent, u64),
        more: Amount,
        now: i64,
    ) -> Result<Reserved<'_>, OverQuota> {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_token = pending.get(token).copied().unwrap_or_default();
        let taken = Amount { bytes: of_token.bytes.saturating_add(binaries), ..of_token };
        check(token, quota, sent, taken, more, now)?;
        let sum = Amount { dumps: of_token.dumps + more.dumps, bytes: of_token.bytes.saturating_add(more.bytes) };
        pending.insert(token.to_owned(), sum);
        Ok(Reserved { pending: self, token: token.to_owned(), amount: more })
    }
}

/// A part of a quota that is taken until the upload is in the log.
#[derive(Debug)]
pub struct Reserved<'a> {
    pending: &'a Pending,
    token: String,
    amount: Amount,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut pending = self.pending.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(amount) = pending.get_mut(&self.token) {
            amount.dumps = amount.dumps.saturating_sub(self.amount.dumps);
            amount.bytes = amount.bytes.saturating_sub(self.amount.bytes);
            if *amount == Amount::default() {
                pending.remove(&self.token);
            }
        }
    }
}

/// Refuses `more` on top of what was sent and is being stored.
fn check(token: &str, quota: Quota, sent: &Sent, pending: Amount, more: Amount, now: i64) -> Result<(), OverQuota> {
    let (minute, none) = (now / MINUTE, BTreeMap::new());
    let minutes = sent.0.get(token).unwrap_or(&none);
    let used = minutes.get(&minute).map_or(0, |amount| amount.dumps) + pending.dumps;
    let seconds = |millis: i64| Duration::from_secs(u64::try_from((millis - now).div_euclid(1000) + 1).unwrap_or(1));
    if quota.dumps_a_minute > 0 && more.dumps > 0 && used + more.dumps > quota.dumps_a_minute {
        let retry = seconds((minute + 1) * MINUTE);
        return Err(OverQuota::Dumps { token: token.to_owned(), used, most: quota.dumps_a_minute, retry });
    }
    let day = minutes.range(minute - DAY + 1..);
    let used = day.clone().fold(pending.bytes, |sum, (_, amount)| sum.saturating_add(amount.bytes));
    let needed = used.saturating_add(more.bytes);
    // A quota that is used up exactly leaves no room for a dump of unknown length.
    if quota.bytes_a_day == 0 || needed < quota.bytes_a_day || (needed == quota.bytes_a_day && more.bytes > 0) {
        return Ok(());
    }
    let mut rest = needed - quota.bytes_a_day + u64::from(more.bytes == 0);
    // When enough of the day is over; what is larger than the quota never fits.
    let over = day.map(|(minute, amount)| (minute, amount.bytes)).find(|(_, bytes)| {
        rest = rest.saturating_sub(*bytes);
        rest == 0
    });
    let retry = seconds((over.map_or(minute, |(minute, _)| *minute) + DAY) * MINUTE);
    Err(OverQuota::Bytes { token: token.to_owned(), used, most: quota.bytes_a_day, bytes: more.bytes, retry })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_goes_by_minute_after_minute() {
        let now = id::millis(SystemTime::now()) / MINUTE * MINUTE + 30_000;
        let mut sent = Sent::default();
        let ago = |minutes: i64| now - minutes * MINUTE;
        for (minutes, bytes) in [(DAY + 5, 1 << 40), (DAY - 10, 600), (DAY - 20, 300), (1, 50)] {
            sent.add("ci", ago(minutes), 1, bytes);
        }
        sent.add("other", now, 9, 9_000_000);
        sent.add("", now, 9, 9_000_000);
        let quota = Quota { bytes_a_day: 1000, dumps_a_minute: 0 };
        let checked = |bytes: u64, pending: u64| {
            check("ci", quota, &sent, Amount { dumps: 0, bytes: pending }, Amount { dumps: 1, bytes }, now)
                .map_err(|over| over.retry().as_secs())
        };
        assert_eq!(checked(50, 0), Ok(()));
        assert_eq!(checked(0, 0), Ok(()));
        // 600 bytes are a day old in 10 minutes, less the half of this one, and 300 more 10 minutes later.
        let in_minutes = |minutes: u64| Err(minutes * 60 - 29);
        assert_eq!([checked(51, 0), checked(0, 50), checked(651, 0)], [in_minutes(10), in_minutes(10), in_minutes(20)]);
        assert!(check("new", quota, &sent, Amount::default(), Amount { dumps: 1, bytes: 1000 }, now).is_ok());
    }

    #[test]
    fn dumps_are_counted_by_minute() {
        let now = id::millis(SystemTime::now()) / MINUTE * MINUTE + 30_000;
        let mut sent = Sent::default();
        sent.add("ci", now, 2, 10);
        sent.add("ci", now - MINUTE, 7, 10);
        let quota = Quota { bytes_a_day: 0, dumps_a_minute: 3 };
        let checked = |pending| check("ci", quota, &sent, Amount { dumps: pending, bytes: 0 }, Amount { dumps: 1, bytes: 5 }, now);
        assert_eq!(checked(0), Ok(()));
        let over = checked(1).unwrap_err();
        assert_eq!(over.retry(), Duration::from_secs(31));
        assert_eq!(over.to_string(), "the token ci has sent 3 dumps in this minute; it may send 3");
    }
}
