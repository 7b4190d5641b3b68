//! Metadata of the dumps that a view shows, and filters of it that matched nothing.

use super::totals::{self, TreeTotals};
use crate::base::hash::HashSet;
use crate::base::id::{LabelSetId, StrId};
use crate::profile::{Dump, Profile};
use crate::query::{Pattern, View};

/// Combined metadata of the view's dumps: earliest time, total duration.
pub(crate) fn one_dump(profile: &Profile, view: &View) -> Dump {
    let dumps = totals::dumps(profile, view);
    Dump {
        name: dumps.first().map_or(String::new(), |d| d.name.clone()),
        time_nanos: dumps.iter().map(|d| d.time_nanos).filter(|&time| time != 0).min().unwrap_or(0),
        duration_nanos: dumps.iter().fold(0, |sum, d| sum.saturating_add(d.duration_nanos)),
        period: dumps.iter().map(|d| d.period).max().unwrap_or(0),
        ..Dump::default()
    }
}

/// Messages about regexps for label keys that match no remaining row.
pub(crate) fn unmatched_keys(profile: &Profile, totals: &TreeTotals, view: &View) -> Vec<String> {
    if view.cut.tagshow.is_none() && view.cut.taghide.is_none() {
        return Vec::new();
    }
    let rows = profile.samples().labels.iter().zip(&totals.passes);
    let sets: HashSet<LabelSetId> = rows.filter(|(_, passes)| **passes).map(|(set, _)| *set).collect();
    let keys: HashSet<StrId> = sets.into_iter().flat_map(|set| profile.labels().get(set)).map(|label| label.key).collect();
    let matches = |pattern: &Pattern| keys.iter().any(|&key| pattern.is_match(profile.text(key)));
    let patterns = [(&view.cut.tagshow, "TagShow"), (&view.cut.taghide, "TagHide")];
    let unmatched = patterns.into_iter().filter(|(pattern, _)| pattern.as_ref().is_some_and(|p| !matches(p)));
    unmatched.map(|(_, name)| format!("{name} expression matched no samples")).collect()
}
