//! Views of a recording at a time, or from one time to another (`-at`, `-from`, `-to`): views of the profile with further dumps.

use std::borrow::Cow;

use crate::base::run_clock::RunClock;
use crate::profile::{Moment, MomentKind, Profile, StateAt};
use crate::query::{Dumps, QueryError, View, ViewKind, WeightSpec, When};

/// The part of a view that names times: a cache key.
#[derive(Clone, Debug, PartialEq)]
pub struct MomentKey {
    at: Option<When>,
    from: Option<When>,
    to: Option<When>,
    dump: Option<Dumps>,
    is_growth: bool,
}

impl MomentKey {
    /// The key of a view; `None` if it names no time.
    pub fn of(view: &View) -> Option<Self> {
        let WeightSpec { at, from, to, dump, .. } = &view.weight;
        let names_time = at.is_some() || from.is_some() || to.is_some();
        names_time.then(|| MomentKey { at: *at, from: *from, to: *to, dump: dump.clone(), is_growth: view.kind == ViewKind::Growth })
    }
}

/// The states that a view's times name.
#[derive(Debug)]
pub struct AtMoment {
    /// The profile with these states; `None`: it has them already.
    pub profile: Option<Profile>,
    /// The dumps to show.
    value: Dumps,
    /// The dumps to subtract.
    base: Option<Dumps>,
    /// Messages about times that are not exact.
    pub warnings: Vec<String>,
}

impl AtMoment {
    /// The states that `view` names; `None` if it names no time. O(events between two kept moments + size).
    ///
    /// # Errors
    /// Times outside of the recording, dumps without times.
    pub fn of(profile: &Profile, view: &View) -> Result<Option<AtMoment>, QueryError> {
        MomentKey::check(view)?;
        MomentKey::of(view).map(|key| key.states(profile)).transpose()
    }

    /// The view with dumps in place of times.
    pub fn view(&self, view: &View) -> View {
        let mut view = view.clone();
        let weight = &mut view.weight;
        (weight.at, weight.from, weight.to) = (None, None, None);
        weight.dump = Some(self.value.clone());
        if self.base.is_some() {
            weight.base.clone_from(&self.base);
        }
        view
    }
}

impl MomentKey {
    /// Refuses times that exclude each other or a base.
    pub fn check(view: &View) -> Result<(), QueryError> {
        let weight = &view.weight;
        let refused =
            |field, value: When, expected: &str| Err(QueryError::Value { field, value: value.to_text(), expected: expected.to_owned() });
        match (weight.at, weight.from.or(weight.to)) {
            (Some(at), Some(_)) => refused("at", at, "possible together with from and to"),
            (None, Some(time)) if weight.base.is_some() || weight.diff_base.is_some() => {
                refused(if weight.from.is_some() { "from" } else { "to" }, time, "possible together with a base")
            }
            _ => Ok(()),
        }
    }

    /// The states in question.
    ///
    /// # Errors
    /// Times outside of the recording, dumps without times.
    pub fn states(&self, profile: &Profile) -> Result<AtMoment, QueryError> {
        let mut states = States { profile: Cow::Borrowed(profile), warnings: Vec::new() };
        let field = if self.at.is_some() {
            "at"
        } else if self.from.is_some() {
            "from"
        } else {
            "to"
        };
        let whole = states.recordings(self.dump.as_ref(), field)?;
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for dump in whole {
            if let Some(at) = self.at {
                ends.push(states.dump("at", dump, at)?);
                continue;
            }
            let (from, to) = (self.from.unwrap_or(When::At(0, states.clock(dump))), self.to.unwrap_or(When::End));
            let (start, end) = (states.time("from", dump, from)?, states.time("to", dump, to)?);
            if start >= end {
                let expected = format!("before to={}", to.to_text());
                return Err(QueryError::Value { field: "from", value: from.to_text(), expected });
            }
            starts.push(states.dump("from", dump, from)?);
            ends.push(states.dump("to", dump, to)?);
            if self.is_growth {
                ends.extend(profile.moments_of(dump).filter(|(_, moment)| (start..end).contains(&moment.at)).map(|(place, _)| place));
            }
        }
        if self.is_growth {
            ends.append(&mut starts);
            ends.sort_unstable();
            ends.dedup();
        }
        let profile = match states.profile {
            Cow::Owned(profile) => Some(profile),
            Cow::Borrowed(_) => None,
        };
        let base = (!starts.is_empty()).then_some(Dumps(starts));
        Ok(AtMoment { profile, value: Dumps(ends), base, warnings: states.warnings })
    }
}

/// The profile with the states so far.
struct States<'a> {
    profile: Cow<'a, Profile>,
    warnings: Vec<String>,
}

impl States<'_> {
    /// The dumps that are recordings as a whole: those chosen, which must all be some.
    fn recordings(&self, chosen: Option<&Dumps>, field: &'static str) -> Result<Vec<usize>, QueryError> {
        let dumps = self.profile.dumps();
        let is_run = |dump: &usize| self.profile.moments_of(*dump).next().is_some();
        let whole: Vec<usize> = match chosen {
            Some(Dumps(numbers)) => numbers.clone(),
            None => (0..dumps.len()).filter(|dump| dumps[*dump].counts()).collect(),
        };
        match whole.iter().find(|dump| !is_run(dump)) {
            None if !whole.is_empty() => Ok(whole),
            other => {
                Err(QueryError::NoTimes { field, name: other.and_then(|dump| dumps.get(*dump)).map_or(String::new(), |d| d.name.clone()) })
            }
        }
    }

    fn kind(&self, whole: usize, kind: MomentKind) -> Option<(usize, Moment)> {
        self.profile.moments_of(whole).find(|(_, moment)| moment.kind == kind)
    }

    /// What times of a recording count.
    fn clock(&self, whole: usize) -> RunClock {
        self.profile.moments_of(whole).next().map_or(RunClock::Time, |(_, moment)| moment.clock)
    }

    /// When that is in a recording, by its clock.
    fn time(&self, field: &'static str, whole: usize, when: When) -> Result<i64, QueryError> {
        let end = self.profile.end_of(whole);
        let clock = self.clock(whole);
        // Recorders write whole milliseconds.
        let is_within = |at: i64| if clock.is_time() { at / 1_000_000 <= end / 1_000_000 } else { at <= end };
        match when {
            When::End => Ok(end),
            When::Peak => Ok(self.kind(whole, MomentKind::Peak).map_or(end, |(_, moment)| moment.at)),
            // Several moments with one stamp are nanoseconds apart.
            When::At(at, of) if of == clock && is_within(at) => Ok(at.min(end)),
            When::At(..) => {
                let end = clock.label(end);
                let expected = format!("in the recording, which takes {end}");
                Err(QueryError::Value { field, value: when.to_text(), expected })
            }
        }
    }

    /// Number of the dump with the state at that time.
    fn dump(&mut self, field: &'static str, whole: usize, when: When) -> Result<usize, QueryError> {
        let kind = match when {
            When::Peak => self.kind(whole, MomentKind::Peak),
            When::End => self.kind(whole, MomentKind::End),
            When::At(..) => None,
        };
        if let Some((dump, _)) = kind {
            return Ok(dump);
        }
        if when == When::Peak {
            let name = &self.profile.dumps()[whole].name;
            self.warnings.push(format!("{field}=peak: {name} does not have what was in use at the peak; showing the end"));
            return self.dump(field, whole, When::End);
        }
        let time = self.time(field, whole, when)?;
        let name = || self.profile.dumps()[whole].name.clone();
        let Some((state, is_cut)) = self.profile.state_at(whole, time) else {
            return Err(QueryError::NoTimes { field, name: name() });
        };
        let (dump, at) = match state {
            StateAt::Kept(dump) => (dump, self.profile.dumps()[dump].moment.map_or(0, |moment| moment.at)),
            StateAt::Between { at, parts } => {
                let moment = Moment { at, clock: self.clock(whole), kind: MomentKind::Sampled };
                (self.profile.to_mut().add_moment(whole, moment, parts), at)
            }
        };
        if is_cut {
            let shown = self.profile.dumps()[dump].moment.map_or(at, |moment| moment.at);
            self.warnings.push(format!(
                "{field}={}: the state at this time was not kept; showing the one after {}",
                when.to_text(),
                self.clock(whole).label(shown)
            ));
        }
        Ok(dump)
    }
}
