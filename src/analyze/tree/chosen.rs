//! Value type and dumps that a view selects.

use crate::base::pair::Pairs;
use crate::profile::Profile;
use crate::query::{Dumps, QueryError, WeightSpec};

/// The value type of this name or number; pprof's rules: `inuse_x` also means `x`.
pub(crate) fn value_type(profile: &Profile, name: &str) -> Result<Option<usize>, QueryError> {
    let types = profile.value_types();
    if name.is_empty() {
        return Ok(profile.default_value_type());
    }
    let by_name = |name: &str| types.iter().position(|t| t.kind == name);
    let by_number = || name.parse().ok().filter(|&i: &usize| i < types.len());
    let found = by_name(name).or_else(|| by_name(name.strip_prefix("inuse_")?)).or_else(by_number);
    match found {
        Some(i) => Ok(Some(i)),
        None => {
            let is_of_recordings = !profile.meta().runs.is_empty() && ["peak_", "temp_"].iter().any(|start| name.starts_with(start));
            let hint = match (is_of_recordings, name) {
                (false, _) => "",
                (true, "peak_space" | "peak_objects") => {
                    "; a dump beside the recording has no peak: for memory in use at the peak of the recording use -at=peak with inuse_space"
                }
                (true, _) => "; a dump beside the recording has no temporary allocations: open the recording alone",
            };
            Err(QueryError::NoValueType { value: name.into(), has: profile.type_list(), hint })
        }
    }
}

/// The value type that counts what `of` weighs, or weighs what it counts.
pub(crate) fn companion(profile: &Profile, of: usize) -> Option<usize> {
    let types = profile.value_types();
    let kind = types[of].kind.as_str();
    let swapped = |from: &str, to: &str| kind.strip_suffix(from).map(|front| format!("{front}{to}"));
    let other = swapped("space", "objects").or_else(|| swapped("objects", "space"))?;
    types.iter().position(|t| t.kind == other)
}

/// The dumps added and subtracted.
pub(crate) struct Chosen {
    pub(crate) value: Vec<usize>,
    pub(crate) base: Vec<usize>,
    pub(crate) percent_of_base: bool,
}

impl Chosen {
    pub(crate) fn new(profile: &Profile, spec: &WeightSpec) -> Result<Self, QueryError> {
        let n = profile.dumps().len();
        let check = |field, dumps: &Dumps| match dumps.0.iter().find(|&&d| d >= n) {
            Some(&value) => Err(QueryError::NoDump { field, value, n }),
            None => match dumps.0.iter().find(|&&d| profile.dumps()[d].is_thinned) {
                Some(&value) => Err(QueryError::Thinned { field, value }),
                None => Ok(dumps.0.clone()),
            },
        };
        let base = match (&spec.diff_base, &spec.base) {
            (Some(dumps), _) => check("diff_base", dumps)?,
            (None, Some(dumps)) => check("base", dumps)?,
            (None, None) => Vec::new(),
        };
        let value = match &spec.dump {
            Some(dumps) => check("dump", dumps)?,
            None => (0..n).filter(|&d| profile.dumps()[d].counts() && !base.contains(&d)).collect(),
        };
        Ok(Chosen { value, base, percent_of_base: spec.diff_base.is_some() })
    }

    /// All dumps, with whole recordings in place of their moments; each once, ascending.
    pub(crate) fn whole(&self, profile: &Profile) -> Vec<usize> {
        let dumps = profile.dumps();
        let whole = |dump: usize| match dumps[dump].moment {
            None => dump,
            Some(_) => dumps.iter().position(|of| of.moment.is_none() && of.name == dumps[dump].series).unwrap_or(dump),
        };
        let mut all: Vec<usize> = self.dumps().map(whole).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Every dump that counts.
    pub(crate) fn dumps(&self) -> impl Iterator<Item = usize> + '_ {
        self.value.iter().chain(&self.base).copied()
    }

    /// Row → `[value, base]`, and the factor applied to values to give the base's total (`-normalize`; otherwise 1). O(rows).
    pub(crate) fn rows(&self, profile: &Profile, value_type: usize, normalize: bool) -> (Pairs, f64) {
        let n_types = profile.value_types().len();
        let mut rows = Pairs::zeros(profile.samples().len(), !self.base.is_empty());
        for (side, dumps) in [&self.value, &self.base].into_iter().enumerate() {
            for dump in dumps {
                let column = &profile.columns()[dump * n_types + value_type];
                column.add_each(rows.side_mut(side), |row, value| *row = row.saturating_add(value));
            }
        }
        let mut factor = 1.0;
        if normalize && !self.base.is_empty() {
            let sum = |side: usize| rows.iter().fold(0f64, |sum, row| sum + row[side] as f64);
            let (of, to) = (sum(0), sum(1));
            if of != 0.0 {
                factor = to / of;
                rows.side_mut(0).iter_mut().for_each(|value| *value = (*value as f64 * factor).round() as i64);
            }
        }
        (rows, factor)
    }
}
