//! Totals, culprits (`culprit.rs`), packages.

use rustc_hash::FxHashMap;

use super::Answer;
use super::classify::Package;
use super::held::{Sum, added, most, size, told};
use super::weigh::{Weights, companion};
use crate::kind::PackageKind;
use crate::pair::{net, plus};
use crate::query::QueryError;
use crate::report::{SummaryCulprit, SummaryPackage, SummaryReport, SummaryTotal};

/// The report. O(value types × rows + nodes + culprits log culprits).
pub(super) fn summary(answer: &Answer) -> Result<SummaryReport, QueryError> {
    let Answer { profile, packages: of_frames, shape, weights, view } = answer;
    if view.weight.mean {
        // Means do not add up to a whole.
        let mut view = (*view).clone();
        view.weight.mean = false;
        return summary(&Answer {
            profile,
            packages: of_frames,
            shape,
            weights: &Weights::new(profile, of_frames, shape, &view)?,
            view: &view,
        });
    }
    let beside = weights.value_type.and_then(|i| companion(profile, i));
    let mut by_key: FxHashMap<u32, Sum> = FxHashMap::default();
    let (mut all, mut of_nobody) = (Sum::default(), Sum::default());
    let mut report = SummaryReport { header: answer.header(), ..SummaryReport::default() };
    let mut columns: [Vec<[i64; 2]>; 2] = Default::default();
    for (i, of) in profile.value_types().iter().enumerate() {
        let rows = weights.of_type(profile, view, i)?;
        let [value, base] = rows.iter().fold([0; 2], |sum, row| plus(sum, *row));
        report.total.push(SummaryTotal { value_type: of.kind.clone(), unit: of.unit.to_lowercase(), value, base });
        match Some(i) {
            i if i == weights.value_type => columns[0] = rows,
            i if i == beside => columns[1] = rows,
            _ => {}
        }
    }
    for row in 0..columns[0].len() {
        let sum = [columns[0][row], columns[1].get(row).copied().unwrap_or_default()];
        if sum == Sum::default() {
            continue;
        }
        all = added(all, sum);
        // The shape's stacks end at their culprits.
        match shape.node_of_row[row] as usize {
            0 => of_nobody = added(of_nobody, sum),
            node => {
                let to = by_key.entry(shape.key[node]).or_default();
                *to = added(*to, sum);
            }
        }
    }
    let mut held: Vec<(u32, Sum)> = by_key.into_iter().collect();
    let name = |key: u32| shape.keys.name(key);
    held.sort_unstable_by(|(a, x), (b, y)| size(y).cmp(&size(x)).then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b)));
    packages(answer, &held, of_nobody, &mut report);
    let more = |[value, _]: &Sum| net(*value);
    let changes = || held.iter().map(|(_, sum)| more(sum)).filter(|_| weights.has_base);
    report.grown = changes().filter(|c| *c > 0).fold(0, i64::saturating_add);
    report.shrunk = changes().filter(|c| *c < 0).fold(0, i64::saturating_add);
    report.n_grown = changes().filter(|c| *c > 0).count();
    report.n_shrunk = changes().filter(|c| *c < 0).count();
    report.n_culprits = held.len();
    let (first, others) = held.split_at(most(answer, held.len()));
    report.culprit = first.iter().map(|(key, sum)| SummaryCulprit { row: answer.row(*key), sum: told(*sum) }).collect();
    report.rest = told(others.iter().fold(of_nobody, |rest, (_, sum)| added(rest, *sum)));
    if let Some(i) = beside {
        report.header.companion_type = profile.value_types()[i].kind.clone();
        report.header.companion_unit = profile.value_types()[i].unit.to_lowercase();
    }
    [report.header.value_total, report.header.base_total] = all[0];
    report.header.shown = net(all[0]);
    report.header.n_shown = report.culprit.len();
    report.header.n_total = report.n_culprits;
    Ok(report)
}

/// Adds culprits up by package.
fn packages(answer: &Answer, held: &[(u32, Sum)], of_nobody: Sum, report: &mut SummaryReport) {
    let mut sums: FxHashMap<(&str, &str), (PackageKind, usize, Sum)> = FxHashMap::default();
    for (key, sum) in held {
        let Package { name, version, kind, .. } = answer.package(*key);
        // The first one is the heaviest: what it is, the package is.
        let (_, n, to) = sums.entry((name, version)).or_insert((*kind, 0, Sum::default()));
        *n += 1;
        *to = added(*to, *sum);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by(|(a, (.., x)), (b, (.., y))| size(y).cmp(&size(x)).then(a.cmp(b)));
    report.n_packages = sums.len();
    let (first, others) = sums.split_at(most(answer, sums.len()));
    report.package = first
        .iter()
        .map(|((package, version), (kind, n_culprits, sum))| SummaryPackage {
            package: (*package).to_owned(),
            version: (*version).to_owned(),
            kind: *kind,
            n_culprits: *n_culprits,
            sum: told(*sum),
        })
        .collect();
    report.package_rest = told(others.iter().fold(of_nobody, |rest, (_, (.., sum))| added(rest, *sum)));
}
