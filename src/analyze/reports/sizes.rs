//! Objects by size.
//!
//! The size of a sample is its label `bytes`, which heap profiles have; otherwise its bytes divided by its objects, for value and
//! base separately. Classes are those of [`crate::base::size_class`].

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::totals::TreeTotals;
use crate::base::hash::HashMap;
use crate::base::id::{Id, LabelSetId};
use crate::base::pair::{net, plus};
use crate::base::size_class::{bounds, class_of};
use crate::base::units;
use crate::profile::{LabelValue, Profile};
use crate::query::QueryError;
use crate::report::{SizeClass, SizePart, SizeSum, SizesFrom, SizesReport};

/// The histogram. O(rows + functions log functions).
pub(crate) fn sizes(context: &ReportContext) -> Result<SizesReport, QueryError> {
    let ReportContext { profile, packages, tree, totals, view } = context;
    if view.weight.mean {
        // A histogram of means would be none.
        let mut view = (*view).clone();
        view.weight.mean = false;
        return sizes(&ReportContext { profile, packages, tree, totals: &TreeTotals::new(profile, packages, tree, &view)?, view: &view });
    }
    let types = Types::of(profile, totals.value_type);
    let of_type = |of: Option<usize>| -> Result<Option<TreeTotals>, QueryError> {
        let Some(other) = of.filter(|of| Some(*of) != totals.value_type) else { return Ok(None) };
        let mut asked = (*view).clone();
        asked.weight.mean = false;
        asked.weight.sample_index = other.to_string();
        TreeTotals::new(profile, packages, tree, &asked).map(Some)
    };
    let (other_bytes, other_objects) = (of_type(types.bytes)?, of_type(types.objects)?);
    let column = |of: Option<usize>, other: &'_ Option<TreeTotals>, row: usize| match (of, other) {
        (None, _) => [0; 2],
        (_, Some(other)) => other.row.at(row),
        (_, None) => totals.row.at(row),
    };
    let total = |of: Option<usize>, other: &Option<TreeTotals>| of.map_or(0, |_| other.as_ref().map_or(totals.total, |other| other.total));
    let labels = label_sizes(context);
    let factor = types.bytes.and_then(|i| units::factor(&profile.value_types()[i].unit, "bytes")).unwrap_or(1.0);
    let mut report = SizesReport {
        header: context.header(),
        bytes_unit: types.bytes.map_or(String::new(), |i| profile.value_types()[i].unit.to_lowercase()),
        bytes_total: total(types.bytes, &other_bytes),
        objects_total: total(types.objects, &other_objects),
        bytes_type: types.name(profile, types.bytes),
        objects_type: types.name(profile, types.objects),
        ..SizesReport::default()
    };
    let mut sums: HashMap<(usize, u32), SizeSum> = HashMap::default();
    for row in 0..totals.row.len() {
        let (bytes, objects) = (column(types.bytes, &other_bytes, row), column(types.objects, &other_objects, row));
        if bytes == [0; 2] && objects == [0; 2] {
            continue;
        }
        let node = tree.node_of_row[row] as usize;
        // A stack without a frame has no owner.
        let key = if node == 0 { NO_FUNCTION } else { tree.key[node] };
        let label = labels[profile.samples().labels[row].index()];
        for side in 0..2 {
            let sum = one_sided(bytes, objects, side);
            let size =
                label.or_else(|| mean(if factor == 1.0 { bytes[side] } else { (bytes[side] as f64 * factor) as i64 }, objects[side]));
            match size {
                Some(size) => add(sums.entry((class_of(size), key)).or_default(), sum),
                None => add(&mut report.of_unknown, sum),
            }
        }
    }
    report.from = match () {
        () if labels.iter().any(Option::is_some) => SizesFrom::Label,
        () if types.bytes.is_some() && types.objects.is_some() => SizesFrom::Mean,
        () => SizesFrom::Nothing,
    };
    if report.from == SizesFrom::Nothing {
        report.header.warnings.push("object sizes are unknown: the profile has neither \"bytes\" labels nor both objects and bytes".into());
    }
    sums.retain(|_, sum| *sum != SizeSum::default());
    let by_bytes = types.bytes.is_some() && totals.value_type == types.bytes;
    classes(context, sums, by_bytes, &mut report);
    report.header.n_shown = report.class.len();
    report.header.n_total = report.class.len();
    report.header.shown = net(totals.sum);
    Ok(report)
}

/// The key of what has no frame.
const NO_FUNCTION: u32 = u32::MAX;

/// The value types that belong together: bytes and objects of the same.
struct Types {
    bytes: Option<usize>,
    objects: Option<usize>,
}

impl Types {
    fn of(profile: &Profile, shown: Option<usize>) -> Self {
        let types = profile.value_types();
        let Some(shown) = shown else { return Types { bytes: None, objects: None } };
        let is_bytes = |i: usize| units::factor(&types[i].unit, "bytes").is_some();
        let is_count = |i: usize| !units::is_known(&types[i].unit);
        // inuse_space and inuse_objects, or the only other one there is.
        let renamed = |from: &str, to: &str| {
            types.iter().position(|t| types[shown].kind.contains(from) && t.kind == types[shown].kind.replace(from, to))
        };
        let only_other = || (types.len() == 2).then_some(1 - shown);
        match () {
            () if is_bytes(shown) => {
                Types { bytes: Some(shown), objects: renamed("space", "objects").or_else(only_other).filter(|&i| is_count(i)) }
            }
            () if is_count(shown) => {
                Types { bytes: renamed("objects", "space").or_else(only_other).filter(|&i| is_bytes(i)), objects: Some(shown) }
            }
            () => Types { bytes: None, objects: None },
        }
    }

    fn name(&self, profile: &Profile, of: Option<usize>) -> String {
        of.map_or(String::new(), |i| profile.value_types()[i].kind.clone())
    }
}

/// `LabelSetId` → size in bytes from its label, unless the view hides it. O(labels).
fn label_sizes(context: &ReportContext) -> Vec<Option<i64>> {
    let profile = context.profile;
    let hidden = !context.view.cut.shows_label("bytes");
    let size = |set: usize| {
        profile.labels().get(LabelSetId::new(set)).iter().find_map(|label| match label.value {
            LabelValue::Number(n, unit) if !hidden && profile.text(label.key) == "bytes" => {
                let unit = crate::analyze::tree::label_units::unit_of("bytes", profile.text(unit));
                let bytes = n as f64 * units::factor(unit, "bytes")?;
                // Whole numbers stay exact.
                if unit == "bytes" { Some(n) } else { Some(bytes as i64) }.filter(|size| *size >= 0)
            }
            _ => None,
        })
    };
    (0..profile.labels().len()).map(size).collect()
}

/// The mean size of some objects, rounded.
fn mean(bytes: i64, objects: i64) -> Option<i64> {
    if objects == 0 || bytes == 0 || (bytes < 0) != (objects < 0) {
        return None;
    }
    let (bytes, objects) = (bytes.unsigned_abs(), objects.unsigned_abs());
    i64::try_from(bytes / objects + u64::from(bytes % objects >= objects.div_ceil(2))).ok()
}

fn one_sided(bytes: [i64; 2], objects: [i64; 2], side: usize) -> SizeSum {
    match side {
        0 => SizeSum { bytes: bytes[0], objects: objects[0], ..SizeSum::default() },
        _ => SizeSum { bytes_base: bytes[1], objects_base: objects[1], ..SizeSum::default() },
    }
}

fn add(to: &mut SizeSum, more: SizeSum) {
    [to.bytes, to.bytes_base] = plus([to.bytes, to.bytes_base], [more.bytes, more.bytes_base]);
    [to.objects, to.objects_base] = plus([to.objects, to.objects_base], [more.objects, more.objects_base]);
}

/// Puts sums by class and function into `report`, the heaviest functions of each class by name.
fn classes(context: &ReportContext, sums: HashMap<(usize, u32), SizeSum>, by_bytes: bool, report: &mut SizesReport) {
    let name = |key: u32| if key == NO_FUNCTION { "" } else { context.tree.keys.name(key) };
    // Magnitude for sorting: the larger side, so that both growth and shrinkage show.
    let weight = |sum: &SizeSum| {
        let [value, base] = if by_bytes { [sum.bytes, sum.bytes_base] } else { [sum.objects, sum.objects_base] };
        value.saturating_abs().max(base.saturating_abs())
    };
    let mut sums: Vec<((usize, u32), SizeSum)> = sums.into_iter().collect();
    sums.sort_unstable_by(|((class, a), x), ((other, b), y)| {
        class.cmp(other).then_with(|| weight(y).cmp(&weight(x))).then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b))
    });
    let most = context.view.nodecount();
    let mut rows: HashMap<u32, usize> = HashMap::default();
    let Some(&((first, _), _)) = sums.first() else { return };
    for ((number, key), sum) in sums {
        while first + report.class.len() <= number {
            let (low, high) = bounds(first + report.class.len());
            report.class.push(SizeClass { low, high, ..SizeClass::default() });
        }
        let Some(class) = report.class.last_mut() else { continue };
        add(&mut class.sum, sum);
        if key == NO_FUNCTION || most > 0 && class.part.len() >= most {
            add(&mut class.rest, sum);
            class.n_rest += usize::from(key != NO_FUNCTION);
            continue;
        }
        let row = *rows.entry(key).or_insert_with(|| {
            report.row.push(context.row(key));
            report.row.len() - 1
        });
        class.part.push(SizePart { row, sum });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_rounded_and_need_both_numbers() {
        assert_eq!(mean(100, 3), Some(33));
        assert_eq!(mean(101, 2), Some(51));
        assert_eq!(mean(-100, -4), Some(25));
        assert_eq!((mean(100, 0), mean(0, 3), mean(100, -3)), (None, None, None));
        assert_eq!(mean(i64::MIN, -1), None);
    }
}
