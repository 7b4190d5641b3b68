//! Values of labels with their totals.

use std::collections::BTreeMap;

use crate::analyze::reports::context::ReportContext;
use crate::base::hash::HashMap;
use crate::base::id::{Id, StrId};
use crate::base::pair::{net, plus};
use crate::base::units;
use crate::profile::LabelValue;
use crate::report::{TagKey, TagNumber, TagRange, TagValue, TagsReport};

/// Every label key and value with what its samples hold. O(rows).
pub(crate) fn tags(context: &ReportContext) -> TagsReport {
    let ReportContext { profile, totals, view, .. } = context;
    let mut value_by_set = vec![[0i64; 2]; profile.labels().len()];
    for (row, value) in totals.row.iter().enumerate() {
        let sum = &mut value_by_set[profile.samples().labels[row].index()];
        *sum = plus(*sum, value);
    }
    let mut keys: BTreeMap<&str, BTreeMap<String, TextTotals>> = BTreeMap::new();
    // Texts by number, each compared with others once however many samples have it.
    let mut texts: HashMap<(StrId, StrId), [i64; 2]> = HashMap::default();
    let mut shown: HashMap<StrId, bool> = HashMap::default();
    let mut seen = vec![false; value_by_set.len()];
    for (row, &set) in profile.samples().labels.iter().enumerate() {
        if !totals.passes[row] || std::mem::replace(&mut seen[set.index()], true) {
            continue;
        }
        let value = value_by_set[set.index()];
        for label in profile.labels().get(set) {
            let key = profile.text(label.key);
            if !*shown.entry(label.key).or_insert_with(|| view.cut.shows_label(key)) {
                continue;
            }
            match label.value {
                LabelValue::Text(text) => {
                    let sum = texts.entry((label.key, text)).or_default();
                    *sum = plus(*sum, value);
                }
                LabelValue::Number(n, unit) => {
                    let unit = crate::analyze::tree::label_units::unit_of(key, profile.text(unit));
                    let text_totals = keys.entry(key).or_default().entry(units::label(n, unit, &view.show.unit)).or_default();
                    let sum = text_totals.numbers.entry((n, unit)).or_default();
                    *sum = plus(*sum, value);
                    text_totals.value = plus(text_totals.value, value);
                }
            }
        }
    }
    for ((key, text), value) in texts {
        let text_totals = keys.entry(profile.text(key)).or_default().entry(profile.text(text).to_owned()).or_default();
        text_totals.value = plus(text_totals.value, value);
    }
    let tag = keys.into_iter().map(|(key, values)| tag(key, values)).collect();
    TagsReport { header: context.header(), tag }
}

/// Totals of the samples whose label prints as one text: `[value, base]`.
#[derive(Default)]
struct TextTotals<'a> {
    value: [i64; 2],
    /// Number and unit → the same.
    numbers: BTreeMap<(i64, &'a str), [i64; 2]>,
}

fn tag(key: &str, values: BTreeMap<String, TextTotals>) -> TagKey {
    let number = |((number, unit), [value, base]): ((i64, &str), [i64; 2])| TagNumber { number, unit: unit.to_owned(), value, base };
    let mut values: Vec<TagValue> = values
        .into_iter()
        .map(|(name, text_totals)| {
            let [value, base] = text_totals.value;
            TagValue { name, value, base, numbers: text_totals.numbers.into_iter().map(number).collect() }
        })
        .collect();
    let size = |v: &TagValue| net([v.value, v.base]).saturating_abs();
    values.sort_by(|a, b| size(b).cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    let [total, total_base] = values.iter().fold([0; 2], |sum, v| plus(sum, [v.value, v.base]));
    TagKey { key: key.to_owned(), total, total_base, n_values: values.len(), range: ranges(&values), values }
}

/// Up to this many different numbers have a range each.
const FEW: usize = 12;

/// Ranges of a key's numbers, doubling, each with its total. O(numbers log numbers).
fn ranges(values: &[TagValue]) -> Vec<TagRange> {
    // Grouped by unit in filters: units that convert share one list.
    let mut by_unit: BTreeMap<&str, BTreeMap<i64, [i64; 2]>> = BTreeMap::new();
    for n in values.iter().flat_map(|value| &value.numbers) {
        let family =
            [("bytes", "b"), ("nanoseconds", "ns")].into_iter().find_map(|(base, suffix)| Some((units::factor(&n.unit, base)?, suffix)));
        let (factor, suffix) = match family {
            Some(family) => family,
            // Omits values that a filter cannot express.
            None if units::is_known(&n.unit) => continue,
            None => (1.0, ""),
        };
        let number = if factor == 1.0 { n.number } else { (n.number as f64 * factor) as i64 };
        let sum = by_unit.entry(suffix).or_default().entry(number).or_default();
        *sum = plus(*sum, [n.value, n.base]);
    }
    let mut ranges: Vec<TagRange> = Vec::new();
    for (suffix, numbers) in by_unit {
        let few = numbers.len() <= FEW;
        // (low, high), and what is between.
        let mut found: BTreeMap<(i64, i64), [i64; 2]> = BTreeMap::new();
        for (&number, &sum) in &numbers {
            let to = found.entry(if few { (number, number) } else { doubling(number) }).or_default();
            *to = plus(*to, sum);
        }
        ranges.extend(found.into_iter().map(|((low, high), [value, base])| {
            let filter = if low == high { format!("{low}{suffix}") } else { format!("{low}{suffix}:{high}{suffix}") };
            TagRange { low, high, filter, value, base }
        }));
    }
    ranges
}

/// The range that a number is in: to the next power of two.
fn doubling(number: i64) -> (i64, i64) {
    match number {
        ..0 => (i64::MIN + 1, -1),
        0 | 1 => (number, number),
        _ => {
            let high = (number as u64).next_power_of_two();
            ((high / 2 + 1) as i64, i64::try_from(high).unwrap_or(i64::MAX))
        }
    }
}
