//! What labels say.

use std::collections::BTreeMap;

use super::Answer;
use crate::id::Id;
use crate::pair::{net, plus};
use crate::profile::LabelValue;
use crate::report::{TagKey, TagNumber, TagValue, TagsReport};
use crate::units;

/// Every label key and value with what its samples hold. O(rows).
pub(super) fn tags(answer: &Answer) -> TagsReport {
    let Answer { profile, weights, view, .. } = answer;
    let mut of_set = vec![[0i64; 2]; profile.labels().len()];
    for (row, &value) in weights.row.iter().enumerate() {
        let sum = &mut of_set[profile.samples().labels[row].index()];
        *sum = plus(*sum, value);
    }
    let mut keys: BTreeMap<&str, BTreeMap<String, Said>> = BTreeMap::new();
    let mut seen = vec![false; of_set.len()];
    for (row, &set) in profile.samples().labels.iter().enumerate() {
        if !weights.passes[row] || std::mem::replace(&mut seen[set.index()], true) {
            continue;
        }
        let value = of_set[set.index()];
        for label in profile.labels().get(set) {
            let key = profile.text(label.key);
            if !view.cut.shows_label(key) {
                continue;
            }
            let values = keys.entry(key).or_default();
            let said = match label.value {
                LabelValue::Text(text) => values.entry(profile.text(text).to_owned()).or_default(),
                LabelValue::Number(n, unit) => {
                    let unit = unit_of(key, profile.text(unit));
                    let said = values.entry(units::label(n, unit, &view.show.unit)).or_default();
                    let sum = said.numbers.entry((n, unit)).or_default();
                    *sum = plus(*sum, value);
                    said
                }
            };
            said.value = plus(said.value, value);
        }
    }
    let tag = keys.into_iter().map(|(key, values)| tag(key, values)).collect();
    TagsReport { header: answer.header(), tag }
}

/// What the samples hold whose label prints as one text: `[value, base]`.
#[derive(Default)]
struct Said<'a> {
    value: [i64; 2],
    /// Number and unit → the same.
    numbers: BTreeMap<(i64, &'a str), [i64; 2]>,
}

fn tag(key: &str, values: BTreeMap<String, Said>) -> TagKey {
    let number = |((number, unit), [value, base]): ((i64, &str), [i64; 2])| TagNumber { number, unit: unit.to_owned(), value, base };
    let mut values: Vec<TagValue> = values
        .into_iter()
        .map(|(name, said)| {
            let [value, base] = said.value;
            TagValue { name, value, base, numbers: said.numbers.into_iter().map(number).collect() }
        })
        .collect();
    let size = |v: &TagValue| net([v.value, v.base]).saturating_abs();
    values.sort_by(|a, b| size(b).cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    let [total, total_base] = values.iter().fold([0; 2], |sum, v| plus(sum, [v.value, v.base]));
    TagKey { key: key.to_owned(), total, total_base, values }
}

/// The unit of a numeric label: the writer's, else what the key implies.
pub(super) fn unit_of<'a>(key: &'a str, unit: &'a str) -> &'a str {
    match (unit, key) {
        ("", "alignment" | "request") => "bytes",
        ("", key) => key,
        (unit, _) => unit,
    }
}
