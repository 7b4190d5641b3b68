//! Bytes in use of a dump, and how sure they are.

use super::super::tree::chosen::companion;
use super::super::tree::sampling_variance::Sampling;
use crate::profile::Profile;

/// jemalloc's smallest large size, bytes, on pages of 4 KiB.
const LARGE: f64 = 16384.0;

/// Bytes in use of one dump.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Live {
    pub(crate) bytes: i64,
    /// Mean distance of samples, bytes; 0 if every allocation was recorded.
    pub(crate) period: i64,
    /// Standard error of the bytes by sampling; `None` where nothing is sampled.
    pub(crate) error: Option<i64>,
    /// Bytes that jemalloc adds to the blocks that it samples: it puts each into a large one.
    pub(crate) sampled_overhead: i64,
    /// Bytes that glibc adds to these blocks, if their number is known.
    pub(crate) glibc_overhead: Option<i64>,
}

/// The value type of bytes in use.
pub(crate) fn value_type(profile: &Profile) -> Option<usize> {
    let types = profile.value_types();
    let of_kind = |kind: &str| types.iter().position(|of| of.kind == kind && of.unit.eq_ignore_ascii_case("bytes"));
    // Where nothing was freed yet, gperftools' text has one number for both.
    of_kind("inuse_space").or_else(|| of_kind("space"))
}

impl Live {
    /// O(rows).
    pub(crate) fn new(profile: &Profile, dump: usize, value_type: usize) -> Live {
        let n_types = profile.value_types().len();
        let column = |value_type: usize| &profile.columns()[dump * n_types + value_type];
        let objects = companion(profile, value_type);
        let sampling = Sampling::of(profile, dump, value_type);
        let (mut variance, mut sampled, mut overhead) = (0.0, 0.0, 0);
        if let Some(objects) = objects {
            let values = profile.values(dump, value_type);
            let rows = column(objects).nonzero();
            for (objects, bytes) in rows.map(|(row, objects)| (objects, values[row])) {
                if let Some(sampling) = sampling {
                    let noise = sampling.noise(objects, bytes);
                    variance += noise.variance;
                    sampled += noise.samples * (LARGE - bytes as f64 / objects.max(1) as f64).max(0.0);
                }
                overhead = i64::saturating_add(overhead, glibc_overhead(objects, bytes));
            }
        }
        Live {
            bytes: column(value_type).total(),
            period: profile.dumps()[dump].period,
            error: sampling.map(|_| f64::sqrt(variance).round() as i64),
            sampled_overhead: sampled.round() as i64,
            glibc_overhead: objects.map(|_| overhead),
        }
    }
}

/// Bytes that chunks of glibc are larger than these blocks, if all are of one size.
pub(super) fn glibc_overhead(objects: i64, bytes: i64) -> i64 {
    if objects <= 0 || bytes <= 0 {
        return 0;
    }
    let size = bytes / objects;
    let chunk = (size.saturating_add(8 + 15) & !15).max(32);
    chunk.saturating_sub(size).saturating_mul(objects)
}
