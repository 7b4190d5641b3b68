//! Accesses by byte, summed up by culprit and size of block.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::chosen::Chosen;
use crate::analyze::tree::matcher::Matcher;
use crate::analyze::tree::totals::on_path;
use crate::base::cancel;
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::Id;
use crate::profile::Accesses;
use crate::query::QueryError;
use crate::report::{AccessCounts, AccessField, AccessSite, AccessesReport, Row};

/// The count at which the recorder stops counting the accesses of a byte of one block.
const CAP: u32 = 65_535;

/// Counts are written in so many bits less than they are counted in.
const WRAP: i64 = 65_536;

/// Key of stacks without a frame.
const NO_FUNCTION: u32 = u32::MAX;

/// Blocks of one size from one culprit.
#[derive(Default)]
struct Site<'a> {
    blocks: i64,
    accessed: i64,
    counted: i64,
    counts: AccessCounts,
    rows: HashSet<u32>,
    parts: Vec<&'a Accesses>,
}

/// The report. O(fields log fields).
pub(crate) fn accesses(context: &ReportContext) -> Result<AccessesReport, QueryError> {
    let ReportContext { profile, tree, totals, view, .. } = context;
    let dumps = Chosen::new(profile, &view.weight)?.whole(profile);
    let through = view.cut.peek.as_ref().map(|pattern| on_path(profile, &Matcher::new(profile, pattern).locations(profile)));
    let counts_row = |row: u32| {
        let stack = profile.samples().stack[row as usize];
        totals.passes[row as usize] && through.as_ref().is_none_or(|through| through[stack.index()])
    };
    let mut sites: HashMap<(u32, u64), Site> = HashMap::default();
    for of in profile.accesses().iter().filter(|of| counts_row(of.row) && dumps.contains(&(of.dump as usize))) {
        let node = tree.node_of_row[of.row as usize] as usize;
        let key = if node == 0 { NO_FUNCTION } else { tree.key[node] };
        let site = sites.entry((key, of.size())).or_default();
        let counted = of.runs.iter().fold(0i64, |sum, (bytes, count)| sum.saturating_add(i64::from(*bytes) * i64::from(*count)));
        site.counts = site.counts.max(counts(of.accessed, counted));
        site.counted = site.counted.saturating_add(counted);
        site.accessed = site.accessed.saturating_add(of.accessed);
        site.blocks = site.blocks.saturating_add(of.blocks);
        site.rows.insert(of.row);
        site.parts.push(of);
    }
    let name = |key: u32| if key == NO_FUNCTION { "" } else { tree.keys.name(key) };
    let mut sites: Vec<((u32, u64), Site)> = sites.into_iter().collect();
    let bytes = |(_, size): (u32, u64), site: &Site| i128::from(size) * i128::from(site.blocks);
    sites.sort_unstable_by(|(a, x), (b, y)| bytes(*b, y).cmp(&bytes(*a, x)).then_with(|| name(a.0).cmp(name(b.0))).then(a.cmp(b)));
    let mut report = AccessesReport { header: context.header(), n_sites: sites.len(), ..AccessesReport::default() };
    if profile.accesses().is_empty() {
        report.header.warnings.push("the profile has no accesses by byte; valgrind --tool=dhat records them".into());
    }
    match view.nodecount() {
        0 => {}
        most => sites.truncate(most),
    }
    report.site = sites.into_iter().map(|((key, size), site)| to_report(context, key, size, site)).collect();
    Ok(report)
}

/// Compares the sum of counts with the bytes that were accessed.
fn counts(accessed: i64, counted: i64) -> AccessCounts {
    match accessed.saturating_sub(counted) {
        0 => AccessCounts::Exact,
        missing if missing > 0 && missing % WRAP == 0 => AccessCounts::Wrapped,
        _ => AccessCounts::Incomplete,
    }
}

fn to_report(context: &ReportContext, key: u32, size: u64, site: Site) -> AccessSite {
    // Offset → change of the count there.
    let mut changes: Vec<(u64, i64)> = Vec::new();
    for of in &site.parts {
        let mut start = 0;
        for (bytes, count) in &of.runs {
            let end = start + u64::from(*bytes);
            changes.extend([(start, i64::from(*count)), (end, -i64::from(*count))]);
            start = end;
        }
    }
    changes.sort_unstable();
    let mut field: Vec<AccessField> = Vec::new();
    let (mut at, mut count) = (0, 0i64);
    for (offset, change) in changes {
        if offset > at {
            push(&mut field, AccessField { start: at, bytes: offset - at, count: count.unsigned_abs() });
            at = offset;
        }
        count = count.saturating_add(change);
    }
    cancel::charge(field.len() * size_of::<AccessField>());
    AccessSite {
        row: if key == NO_FUNCTION { Row::default() } else { context.row(key) },
        size,
        blocks: site.blocks,
        n_stacks: site.rows.len(),
        accessed: site.accessed,
        counted: site.counted,
        counts: site.counts,
        is_capped: site.parts.iter().any(|of| of.runs.iter().any(|(_, count)| *count == CAP)),
        untouched: field.iter().filter(|field| field.count == 0).map(|field| field.bytes).sum(),
        field,
    }
}

/// Appends a field, or makes the last one longer.
fn push(fields: &mut Vec<AccessField>, next: AccessField) {
    match fields.last_mut() {
        Some(last) if last.count == next.count => last.bytes += next.bytes,
        _ => fields.push(next),
    }
}
