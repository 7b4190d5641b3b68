//! Quotients of value types by row: mean size, mean lifetime, reads and writes per byte.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::chosen::companion;
use crate::analyze::tree::sums::Sums;
use crate::analyze::tree::totals::TreeTotals;
use crate::profile::Profile;
use crate::query::QueryError;

/// Key → quotient of cumulative values; empty where the profile lacks a value type.
#[derive(Default)]
pub(crate) struct Ratios {
    /// Bytes of an object: of the shown value type, where it has objects and bytes, else of all allocations.
    pub(crate) size: Vec<f64>,
    /// Lifetime of a block.
    pub(crate) lifetime: Vec<f64>,
    /// Unit of the lifetime.
    pub(crate) lifetime_unit: String,
    /// Bytes read for each allocated byte.
    pub(crate) reads: Vec<f64>,
    /// Bytes written for each allocated byte.
    pub(crate) writes: Vec<f64>,
}

impl Ratios {
    /// Computes all that the profile has. O(rows + nodes) for each value type.
    pub(crate) fn new(context: &ReportContext) -> Result<Ratios, QueryError> {
        let profile = context.profile;
        let mut sums = SumsByType { context, known: Vec::new() };
        let shown = context.totals.value_type.filter(|_| !context.view.weight.mean);
        let pair = shown.and_then(|shown| companion(profile, shown).map(|other| [shown, other]));
        // Of the two, that of bytes comes first.
        let pair = pair.map(|[a, b]| if profile.value_types()[a].kind.ends_with("space") { [a, b] } else { [b, a] });
        let mut quotient = |of: Option<usize>, by: Option<usize>| match (of, by) {
            (Some(of), Some(by)) => sums.quotient(of, by),
            _ => Ok(Vec::new()),
        };
        let find = |kind: &str| find(profile, kind);
        let size = match pair {
            Some([bytes, objects]) => quotient(Some(bytes), Some(objects))?,
            None => quotient(find("alloc_space"), find("alloc_objects"))?,
        };
        let lifetime = find("lifetime");
        Ok(Ratios {
            size,
            lifetime: quotient(lifetime, find("alloc_objects"))?,
            lifetime_unit: lifetime.map_or(String::new(), |of| profile.value_types()[of].unit.clone()),
            reads: quotient(find("read_space"), find("alloc_space"))?,
            writes: quotient(find("write_space"), find("alloc_space"))?,
        })
    }
}

fn find(profile: &Profile, kind: &str) -> Option<usize> {
    profile.value_types().iter().position(|of| of.kind == kind)
}

/// Cumulative values of value types under the filters of a view.
struct SumsByType<'a> {
    context: &'a ReportContext<'a>,
    /// Value type, and key → its value, without that of a base.
    known: Vec<(usize, Vec<i64>)>,
}

impl SumsByType<'_> {
    fn quotient(&mut self, of: usize, by: usize) -> Result<Vec<f64>, QueryError> {
        let (of, by) = (self.index(of)?, self.index(by)?);
        let pairs = self.known[of].1.iter().zip(&self.known[by].1);
        Ok(pairs.map(|(of, by)| if *by == 0 { 0.0 } else { *of as f64 / *by as f64 }).collect())
    }

    fn index(&mut self, value_type: usize) -> Result<usize, QueryError> {
        if let Some(index) = self.known.iter().position(|(known, _)| *known == value_type) {
            return Ok(index);
        }
        let ReportContext { profile, packages, tree, totals, view } = *self.context;
        let values = |totals: &TreeTotals| Sums::of(tree, totals).cum.into_iter().map(|cum| cum[0]).collect();
        let values = if totals.value_type == Some(value_type) && !view.weight.mean {
            values(totals)
        } else {
            let mut other = view.clone();
            (other.weight.counts, other.weight.mean) = (false, false);
            other.weight.sample_index = value_type.to_string();
            values(&TreeTotals::new(profile, packages, tree, &other)?)
        };
        self.known.push((value_type, values));
        Ok(self.known.len() - 1)
    }
}
