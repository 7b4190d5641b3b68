//! Totals, culprits (`crate::attribution`), packages.

use super::main_type::most as heaviest;
use super::main_type::{ByType, add, to_report as held_type};
use super::run_blocks;
use super::runs::{runs, value_note};
use super::totals::{Rows, Totals, most, rest};
use crate::analyze::reports::context::ReportContext;
use crate::analyze::resident::process_memory;
use crate::analyze::tree::chosen::companion;
use crate::analyze::tree::gross_changes;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::analyze::tree::sampling_variance;
use crate::analyze::tree::totals::TreeTotals;
use crate::attribution::classify::Package;
use crate::base::hash::HashMap;
use crate::base::kind::PackageKind;
use crate::base::pair::plus;
use crate::query::QueryError;
use crate::report::{ProcessMemory, SummaryCulprit, SummaryPackage, SummaryReport, SummaryTotal};

/// The report. O(value types × rows + nodes + culprits log culprits).
pub(crate) fn summary(context: &ReportContext) -> Result<SummaryReport, QueryError> {
    let ReportContext { profile, packages: of_frames, tree, totals, view } = context;
    if view.weight.mean {
        // Means do not add up to a whole.
        let mut view = (*view).clone();
        view.weight.mean = false;
        return summary(&ReportContext {
            profile,
            packages: of_frames,
            tree,
            totals: &TreeTotals::new(profile, of_frames, tree, &view)?,
            view: &view,
        });
    }
    let beside = totals.value_type.and_then(|i| companion(profile, i));
    let mut by_key: HashMap<u32, Totals> = HashMap::default();
    let (mut all, mut of_nobody) = (Totals::default(), Totals::default());
    let types = of_frames.types(profile);
    let mut of_types: HashMap<u32, ByType> = HashMap::default();
    let mut report = SummaryReport { header: context.header(), ..SummaryReport::default() };
    report.header.warnings.extend(types.warning.clone());
    let mut by_row = Rows::default();
    for (i, of) in profile.value_types().iter().enumerate() {
        let rows = totals.of_type(profile, view, i)?;
        let [value, base] = rows.iter().fold([0; 2], plus);
        let of_rows = sampling_variance::rows(profile, totals, view, i);
        let spread = of_rows.as_ref().map(|rows| {
            let mut all = SamplingError::default();
            rows.iter().for_each(|row| all.add(*row));
            all.to_report()
        });
        report.total.push(SummaryTotal { value_type: of.kind.clone(), unit: of.unit.to_lowercase(), value, base, spread });
        match Some(i) {
            i if i == totals.value_type => (by_row.value, by_row.spread) = (rows, of_rows),
            i if i == beside => by_row.companion = rows,
            _ => {}
        }
    }
    for (row, sum) in by_row.sums() {
        all.add(&sum);
        // The tree's stacks end at their culprits.
        match tree.node_of_row[row] as usize {
            0 => of_nobody.add(&sum),
            node => {
                by_key.entry(tree.key[node]).or_default().add(&sum);
                add(of_types.entry(tree.key[node]).or_default(), types.of_row[row], sum.pairs[0]);
            }
        }
    }
    let gross = totals.gross(tree).map(|gross| gross.by_key(tree));
    if let Some(gross) = gross {
        for (key, sum) in &mut by_key {
            sum.gross = gross.flat[*key as usize];
        }
    }
    let mut held: Vec<(u32, Totals)> = by_key.into_iter().collect();
    let name = |key: u32| tree.keys.name(key);
    held.sort_unstable_by(|(a, x), (b, y)| y.size().cmp(&x.size()).then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b)));
    packages(context, &held, of_nobody, &by_row, &mut report);
    let that = |is_so: fn(&Totals) -> bool| held.iter().filter(|(_, sum)| totals.has_base && is_so(sum)).count();
    report.n_grown = that(|sum| sum.change() > 0);
    report.n_shrunk = that(|sum| sum.change() < 0);
    report.header.n_new = that(|sum| sum.pairs[0][1] == 0 && sum.change() != 0);
    report.header.n_gone = that(|sum| sum.pairs[0][0] == 0 && sum.change() != 0);
    let hidden = held.iter().filter(|(_, sum)| totals.has_base && sum.spread.hides(sum.pairs[0]));
    report.header.within_noise = hidden.fold(0, |all: i64, (_, sum)| all.saturating_add(sum.change().saturating_abs()));
    report.n_culprits = held.len();
    let (first, others) = held.split_at(most(context, held.len()));
    report.culprit = first
        .iter()
        .map(|(key, sum)| SummaryCulprit {
            row: context.row(*key),
            sum: sum.to_report(),
            spread: by_row.spread(sum),
            gross: gross.map(|_| gross_changes::to_report(sum.gross)),
            held: held_type(types, of_types.get(key).map_or((0, [0; 2]), |by_type| heaviest(types, by_type))),
        })
        .collect();
    report.rest = rest(of_nobody, others.iter().map(|(_, sum)| sum));
    if let Some(i) = beside {
        report.header.companion_type = profile.value_types()[i].kind.clone();
        report.header.companion_unit = profile.value_types()[i].unit.to_lowercase();
    }
    [report.header.value_total, report.header.base_total] = all.pairs[0];
    report.header.shown = all.change();
    report.header.n_shown = report.culprit.len();
    report.header.n_total = report.n_culprits;
    let value_type = totals.value_type.map_or("", |i| &profile.value_types()[i].kind);
    // Files are explained whatever is shown, the hint how to get them only beside the bytes in use.
    if !totals.has_base && (["inuse_space", "space"].contains(&value_type) || !profile.meta().process_files.is_empty()) {
        report.memory = process_memory(profile, view)
            .map(|memory| Box::new(ProcessMemory { value_note: value_note(profile, view, &memory.value_type), ..memory }));
    }
    report.run = runs(profile, view);
    run_blocks::add_to(&mut report.run, context);
    Ok(report)
}

/// Adds culprits up by package.
fn packages(context: &ReportContext, held: &[(u32, Totals)], of_nobody: Totals, rows: &Rows, report: &mut SummaryReport) {
    let mut sums: HashMap<(&str, &str), (PackageKind, usize, Totals)> = HashMap::default();
    for (key, sum) in held {
        let Package { name, version, kind, .. } = context.package(*key);
        // The first one is the heaviest: what it is, the package is.
        let (_, n, to) = sums.entry((name, version)).or_insert((*kind, 0, Totals::default()));
        *n += 1;
        to.add(sum);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by(|(a, (.., x)), (b, (.., y))| y.size().cmp(&x.size()).then(a.cmp(b)));
    report.n_packages = sums.len();
    let (first, others) = sums.split_at(most(context, sums.len()));
    report.package = first
        .iter()
        .map(|((package, version), (kind, n_culprits, sum))| SummaryPackage {
            package: (*package).to_owned(),
            version: (*version).to_owned(),
            kind: *kind,
            n_culprits: *n_culprits,
            sum: sum.to_report(),
            spread: rows.spread(sum),
            gross: context.totals.gross(context.tree).map(|_| gross_changes::to_report(sum.gross)),
        })
        .collect();
    report.package_rest = rest(of_nobody, others.iter().map(|(_, (.., sum))| sum));
}
