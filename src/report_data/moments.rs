//! Moments of recordings that report data has numbers for: all of them would make files of hundreds of megabytes.

use crate::profile::{Dump, MomentKind};

/// Moments of a recording that are kept besides its peak and its end.
const MOST: usize = 48;

/// Dump → whether its numbers are left out.
pub(super) fn left_out(dumps: &[Dump]) -> Vec<bool> {
    let mut left_out = vec![false; dumps.len()];
    let is_sampled = |dump: &Dump| dump.moment.is_some_and(|moment| moment.kind == MomentKind::Sampled);
    let mut at = 0;
    for run in dumps.chunk_by(|a, b| a.series == b.series && a.moment.is_some() == b.moment.is_some()) {
        let n_sampled = run.iter().filter(|dump| is_sampled(dump)).count();
        let step = n_sampled.div_ceil(MOST).max(1);
        let places = (at..).zip(run).filter(|(_, dump)| is_sampled(dump)).map(|(place, _)| place);
        places.enumerate().filter(|(i, _)| i % step != 0).for_each(|(_, place)| left_out[place] = true);
        at += run.len();
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::run_clock::RunClock;
    use crate::profile::Moment;

    #[test]
    fn peak_and_end_and_some_others_are_kept() {
        let moment = |at, kind| Dump { moment: Some(Moment { at, clock: RunClock::Time, kind }), series: "r".into(), ..Dump::default() };
        let mut dumps = vec![Dump::default()];
        dumps.extend((0..500).map(|at| moment(at, if at == 333 { MomentKind::Peak } else { MomentKind::Sampled })));
        dumps.push(moment(500, MomentKind::End));
        let left_out = left_out(&dumps);
        assert!(!left_out[0] && !left_out[1] && !left_out[334] && !left_out[501]);
        let n_kept = left_out.iter().filter(|left_out| !**left_out).count();
        assert!((40..=MOST + 3).contains(&n_kept), "{n_kept}");
        assert_eq!(super::left_out(&dumps[..40]), [false; 40]);
    }
}
