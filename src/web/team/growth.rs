//! Growth of services, versions and processes, from the totals of their dumps.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::store::Envelope;

/// Growth in bytes: the last total less the first of each process, summed. `None`: no process has two dumps.
///
/// A process that starts again is another one, so a restart is no shrinking; a process without a number or with one dump says nothing.
pub(super) fn growth(dumps: &[Arc<Envelope>]) -> Option<i64> {
    let mut ends: BTreeMap<String, (i64, Option<i64>)> = BTreeMap::new();
    for envelope in dumps {
        let total = envelope.total();
        ends.entry(envelope.process()).and_modify(|(_, last)| *last = Some(total)).or_insert((total, None));
    }
    let changes = ends.into_values().filter_map(|(first, last)| Some(last?.saturating_sub(first)));
    changes.reduce(i64::saturating_add)
}

/// Orders of the lists of services, versions and processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// The latest dump first.
    #[default]
    Latest,
    Name,
    /// The largest first.
    Total,
    /// The largest first.
    Growth,
    /// The most first.
    Dumps,
}

impl Order {
    pub(super) const ALL: [Order; 5] = [Order::Name, Order::Total, Order::Growth, Order::Latest, Order::Dumps];

    /// Value of the parameter `sort`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Order::Latest => "latest",
            Order::Name => "name",
            Order::Total => "total",
            Order::Growth => "growth",
            Order::Dumps => "dumps",
        }
    }

    /// The order of a query; unknown ones are the default.
    pub(super) fn of(pairs: &[(String, String)]) -> Order {
        let given = pairs.iter().find(|(name, _)| name == "sort");
        given.and_then(|(_, value)| Order::ALL.into_iter().find(|order| order.name() == value)).unwrap_or_default()
    }
}

/// What lists are ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) dumps: usize,
    /// Total of the latest dump.
    pub(super) total: i64,
    /// When it was taken, milliseconds since 1970 UTC.
    pub(super) latest: i64,
    pub(super) growth: Option<i64>,
}

impl Facts {
    /// Of dumps in order of time.
    pub(super) fn of(name: &str, dumps: &[Arc<Envelope>], growth: Option<i64>) -> Facts {
        let (latest, total) = dumps.last().map_or((0, 0), |last| (last.time, last.total()));
        Facts { name: name.to_owned(), dumps: dumps.len(), total, latest, growth }
    }
}

/// Sorts rows; equal ones by name.
pub(super) fn sort<T>(rows: &mut [(Facts, T)], order: Order) {
    rows.sort_by(|(a, _), (b, _)| {
        let by = match order {
            Order::Latest => b.latest.cmp(&a.latest),
            Order::Name => std::cmp::Ordering::Equal,
            Order::Total => b.total.cmp(&a.total),
            // What has no growth is last: `None` is less than all.
            Order::Growth => b.growth.cmp(&a.growth),
            Order::Dumps => b.dumps.cmp(&a.dumps),
        };
        by.then_with(|| a.name.cmp(&b.name))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Origin;

    fn dump(pid: &str, total: i64) -> Arc<Envelope> {
        let origin = Origin { pid: pid.into(), ..Origin::default() };
        Arc::new(Envelope { origin, totals: [("inuse_space".to_owned(), total)].into(), ..Envelope::default() })
    }

    #[test]
    fn a_restart_is_no_shrinking() {
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[dump("1", 900), dump("2", 10)]), None);
        assert_eq!(growth(&[dump("1", 500), dump("1", 900), dump("2", 10), dump("2", 60), dump("3", 5)]), Some(450));
        assert_eq!(growth(&[dump("1", 900), dump("1", 500)]), Some(-400));
    }

    #[test]
    fn rows_are_sorted() {
        let row = |name: &str, total, growth| (Facts { name: name.into(), dumps: 1, total, latest: total, growth }, ());
        let mut rows = vec![row("b", 3, None), row("a", 3, Some(-5)), row("c", 9, Some(1))];
        let mut names = |order| {
            sort(&mut rows, order);
            rows.iter().map(|(facts, ())| facts.name.clone()).collect::<String>()
        };
        let wanted = [(Order::Growth, "cab"), (Order::Name, "abc"), (Order::Total, "cab"), (Order::Latest, "cab")];
        wanted.into_iter().for_each(|(order, expected)| assert_eq!(names(order), expected, "{order:?}"));
        let given = |value: &str| Order::of(&[("sort".into(), value.into())]);
        assert_eq!((given("growth"), given("x"), Order::of(&[])), (Order::Growth, Order::Latest, Order::Latest));
    }
}
