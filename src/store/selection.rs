//! Which dumps a link or a list is about.

use std::sync::Arc;

use super::envelope::Envelope;

/// Conditions on dumps; all must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Taken at this time or later, milliseconds since 1970 UTC.
    pub from: Option<i64>,
    /// Taken before this time.
    pub to: Option<i64>,
    /// Least total, bytes.
    pub least: Option<i64>,
    /// Labels and their values, such as `version` and `0.39`.
    pub labels: Vec<(String, String)>,
}

/// Whether a dump is in a selection.
pub fn is_in(envelope: &Envelope, selection: &Selection) -> bool {
    selection.from.is_none_or(|from| envelope.time >= from)
        && selection.to.is_none_or(|to| envelope.time < to)
        && selection.least.is_none_or(|least| envelope.total() >= least)
        && selection.labels.iter().all(|(name, value)| match name.as_str() {
            "process" => envelope.process() == *value,
            name => envelope.label(name) == Some(value),
        })
}

impl Selection {
    /// The dumps of a list that are in it, in the same order.
    pub fn of(&self, dumps: &[Arc<Envelope>]) -> Vec<Arc<Envelope>> {
        dumps.iter().filter(|envelope| is_in(envelope, self)).cloned().collect()
    }
}

/// Most dumps of a series that are opened together; more are thinned out.
pub const MOST_DUMPS: usize = 100;

/// At most 100 dumps of a series, evenly chosen, with the first and the last.
pub fn thinned(dumps: Vec<Arc<Envelope>>) -> Vec<Arc<Envelope>> {
    let n = dumps.len();
    if n <= MOST_DUMPS {
        return dumps;
    }
    (0..MOST_DUMPS).map(|i| dumps[i * (n - 1) / (MOST_DUMPS - 1)].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_series_keep_their_ends() {
        let dumps: Vec<Arc<Envelope>> = (0..1000).map(|time| Arc::new(Envelope { time, ..Envelope::default() })).collect();
        let kept: Vec<i64> = thinned(dumps).iter().map(|envelope| envelope.time).collect();
        assert_eq!((kept.len(), kept[0], kept[99]), (MOST_DUMPS, 0, 999));
        assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
