//! Keys with at least one nonzero number in a report.

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::sums::Sums;
use crate::base::pair::net;

impl Sums {
    /// Adds up nodes; recursion counts once. O(nodes).
    pub(crate) fn new(context: &ReportContext) -> Self {
        let ReportContext { tree, totals, view, .. } = context;
        let mut sums = Sums::of(tree, totals);
        let net_of = |key: u32| (net(sums.flat[key as usize]), net(sums.cum[key as usize]));
        let is_negative = |(flat, cum)| flat < 0 || flat == 0 && cum < 0;
        if let Some(gross) = context.gross() {
            let larger = |[grown, shrunk]: &[i64; 2]| (*grown).max(shrunk.saturating_neg());
            sums.turnover = gross.by_key(tree).cum.iter().map(larger).collect();
        }
        let moves = |key: u32| net_of(key) != (0, 0) || sums.turnover.get(key as usize).is_some_and(|turnover| *turnover != 0);
        let some = |&key: &u32| moves(key) && !(view.cut.drop_negative && is_negative(net_of(key)));
        sums.alive = (0..sums.flat.len() as u32).filter(some).collect();
        sums.divisor = totals.divisor.as_deref().map(|divisor| Box::new(Sums::of(tree, divisor)));
        sums
    }
}
