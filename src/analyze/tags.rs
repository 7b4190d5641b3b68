//! What labels say.

use std::collections::BTreeMap;

use super::Answer;
use super::weigh::net;
use crate::id::Id;
use crate::profile::LabelValue;
use crate::report::{TagKey, TagValue, TagsReport};
use crate::units;

/// Every label key and value with what its samples hold. O(rows).
pub(super) fn tags(answer: &Answer) -> TagsReport {
    let Answer { profile, weights, view, .. } = answer;
    let mut of_set = vec![0i64; profile.labels().len()];
    for (row, &value) in weights.row.iter().enumerate() {
        let sum = &mut of_set[profile.samples().labels[row].index()];
        *sum = sum.saturating_add(net(value));
    }
    let mut keys: BTreeMap<&str, BTreeMap<String, i64>> = BTreeMap::new();
    let mut seen = vec![false; of_set.len()];
    for (row, &set) in profile.samples().labels.iter().enumerate() {
        if !weights.passes[row] || std::mem::replace(&mut seen[set.index()], true) {
            continue;
        }
        for label in profile.labels().get(set) {
            let key = profile.text(label.key);
            if !view.cut.shows_label(key) {
                continue;
            }
            let name = match label.value {
                LabelValue::Text(text) => profile.text(text).to_owned(),
                LabelValue::Number(n, unit) => units::label(n, unit_of(key, profile.text(unit)), &view.show.unit),
            };
            let sum = keys.entry(key).or_default().entry(name).or_default();
            *sum = sum.saturating_add(of_set[set.index()]);
        }
    }
    let tag = keys
        .into_iter()
        .map(|(key, values)| {
            let mut values: Vec<TagValue> = values.into_iter().map(|(name, value)| TagValue { name, value }).collect();
            values.sort_by(|a, b| b.value.saturating_abs().cmp(&a.value.saturating_abs()).then_with(|| a.name.cmp(&b.name)));
            let total = values.iter().fold(0i64, |sum, v| sum.saturating_add(v.value));
            TagKey { key: key.to_owned(), total, values }
        })
        .collect();
    TagsReport { header: answer.header(), tag }
}

/// The unit of a numeric label: the writer's, else what the key implies.
pub(super) fn unit_of<'a>(key: &'a str, unit: &'a str) -> &'a str {
    match (unit, key) {
        ("", "alignment" | "request") => "bytes",
        ("", key) => key,
        (unit, _) => unit,
    }
}
