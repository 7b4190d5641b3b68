//! Recordings that are still being written, as `-watch` follows them: each is read anew from time to time.
//!
//! What is read replaces what was read before. Numbers of dumps in links stay valid: the whole, the peak and the end keep theirs, and
//! so do moments that are kept again; others are thinned out, and new ones come last.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::parse::{RECORDING_HEAD, sniff};
use crate::profile::{Dump, MomentKind};

/// Share of the time in which a recording may be read anew, one part in so many: reading all of a growing file takes longer and longer.
const SHARE: u32 = 5;

/// Places in the list of dumps beyond which those of moments that were thinned out are given to others.
const PLACES: usize = 4096;

/// When a recording was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastRead {
    ended: Instant,
    took: Duration,
}

impl LastRead {
    /// Reading began at `begun` and has just ended.
    pub(super) fn since(begun: Instant) -> Self {
        LastRead { ended: Instant::now(), took: begun.elapsed() }
    }

    /// Returns whether it may be read again.
    pub(super) fn is_long_ago(&self) -> bool {
        self.ended.elapsed() >= self.took.saturating_mul(SHARE)
    }
}

/// Returns whether the file begins like a recording.
pub(super) fn is_recording(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_read = std::fs::File::open(path).and_then(|file| file.take(RECORDING_HEAD).read_to_end(&mut head));
    is_read.is_ok() && sniff(&head).is_some_and(|format| ["heaptrack", "bytehound", "tracy"].contains(&format))
}

/// The dumps of the recording of this name: the whole and its moments.
pub(super) fn dumps_of(dumps: &[Dump], name: &str) -> Vec<usize> {
    let is_of = |dump: &Dump| !dump.is_base && if dump.moment.is_some() { dump.series == name } else { dump.name == name };
    (0..dumps.len()).filter(|at| is_of(&dumps[*at])).collect()
}

/// The order of `dumps` when those from `n` on, of the recording of this name, take the places of those before.
pub(super) fn order(dumps: &[Dump], n: usize, name: &str) -> Vec<usize> {
    let role = |dump: &Dump| dump.moment.map(|moment| (moment.kind, if moment.kind == MomentKind::Sampled { moment.at } else { 0 }));
    let mut new: Vec<usize> = (n..dumps.len()).collect();
    let old = dumps_of(&dumps[..n], name);
    let mut order: Vec<usize> = Vec::with_capacity(dumps.len());
    for place in 0..n {
        let is_replaced = old.binary_search(&place).is_ok();
        let found = new.iter().position(|at| is_replaced && role(&dumps[*at]) == role(&dumps[place]));
        match found {
            Some(found) => order.push(new.remove(found)),
            None if is_replaced && dumps.len() > PLACES => {}
            None => order.push(place),
        }
    }
    order.extend(new);
    order
}
