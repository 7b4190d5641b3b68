//! Report of container types: memory of each, with the culprits that grew it.

use std::borrow::Cow;

use super::main_type::to_report as held_type;
use super::totals::{Rows, Totals, most, rest};
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::chosen::companion;
use crate::analyze::tree::sampling_variance;
use crate::attribution::types::UNKNOWN;
use crate::base::hash::HashMap;
use crate::base::pair::Pairs;
use crate::query::QueryError;
use crate::report::{SummaryCulprit, TypeRow, TypesReport};

/// Number of culprits listed for each type.
const CULPRITS: usize = 3;

/// A whole, and its parts by key of the culprit.
type Held = (Totals, HashMap<u32, Totals>);

/// The report. O(rows + types log types).
pub(crate) fn types(context: &ReportContext) -> Result<TypesReport, QueryError> {
    let ReportContext { profile, packages, tree, totals, view } = context;
    let mut report = TypesReport { header: context.header(), ..TypesReport::default() };
    let known = packages.types(profile);
    report.header.warnings.extend(known.warning.clone());
    let beside = totals.value_type.and_then(|i| companion(profile, i));
    let column = |of: Option<usize>| of.map_or(Ok(Cow::Owned(Pairs::default())), |of| totals.of_type(profile, view, of));
    let spread = totals.value_type.and_then(|of| sampling_variance::rows(profile, totals, view, of));
    let rows = Rows { value: column(totals.value_type)?, companion: column(beside)?, spread };
    // By type; samples without a stack have no owner.
    let mut held: HashMap<u32, Held> = HashMap::default();
    let mut all = Totals::default();
    for (row, sum) in rows.sums() {
        all.add(&sum);
        let (whole, by_key) = held.entry(known.of_row[row]).or_default();
        whole.add(&sum);
        let node = tree.node_of_row[row] as usize;
        if node != 0 {
            by_key.entry(tree.key[node]).or_default().add(&sum);
        }
    }
    let mut held: Vec<(u32, Held)> = held.into_iter().collect();
    // The unknown type comes last, whatever its size.
    held.sort_unstable_by(|(a, (x, _)), (b, (y, _))| {
        let last = (*a == UNKNOWN).cmp(&(*b == UNKNOWN));
        last.then(y.size().cmp(&x.size())).then_with(|| known.name[*a as usize].cmp(&known.name[*b as usize]))
    });
    let unknown = held.pop_if(|(of, _)| *of == UNKNOWN);
    report.n_types = held.len();
    let (first, others) = held.split_at(most(context, held.len()));
    report.rest = rest(Totals::default(), others.iter().map(|(_, (sum, _))| sum));
    report.row = first.iter().chain(&unknown).map(|(of, (sum, by_key))| row(context, &rows, *of, sum, by_key)).collect();
    if let Some(i) = beside {
        report.header.companion_type = profile.value_types()[i].kind.clone();
        report.header.companion_unit = profile.value_types()[i].unit.to_lowercase();
    }
    [report.header.value_total, report.header.base_total] = all.pairs[0];
    report.header.shown = all.change();
    report.header.n_shown = report.row.len();
    report.header.n_total = report.n_types + usize::from(unknown.is_some());
    Ok(report)
}

fn row(context: &ReportContext, rows: &Rows, of: u32, sum: &Totals, by_key: &HashMap<u32, Totals>) -> TypeRow {
    let mut culprits: Vec<(u32, Totals)> = by_key.iter().map(|(key, sum)| (*key, *sum)).collect();
    let name = |key: u32| context.tree.keys.name(key);
    culprits.sort_unstable_by(|(a, x), (b, y)| y.size().cmp(&x.size()).then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b)));
    let n_culprits = culprits.len();
    culprits.truncate(CULPRITS);
    let type_name = &context.packages.types(context.profile).name[of as usize];
    TypeRow {
        name: if of == UNKNOWN { String::new() } else { type_name.name.clone() },
        full_name: type_name.full_name.clone(),
        sum: sum.to_report(),
        spread: rows.spread(sum),
        culprit: culprits
            .into_iter()
            .map(|(key, sum)| SummaryCulprit {
                row: context.row(key),
                sum: sum.to_report(),
                spread: rows.spread(&sum),
                gross: None,
                held: held_type(context.packages.types(context.profile), (of, sum.pairs[0])),
            })
            .collect(),
        n_culprits,
    }
}
