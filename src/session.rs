//! One open profile and everything computed from it, for single queries of the terminal and repeated queries of
//! the browser.
//!
//! The profile may be replaced while it is viewed (names arrive); trees and totals of the old one are then
//! dropped, and listeners are notified.

mod cache;
mod listeners;
mod report_data;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub use report_data::ReportDataOptions;

use cache::{Cache, Key, Value};
use listeners::Listeners;

use crate::analyze;
use crate::analyze::{
    AtMoment, CallTree, CallTreeKey, LabelledProfile, LabelledProfileKey, MomentKey, TreeTotals, matched_builds, recordings,
};
use crate::attribution::{Attribution, Package, RowDetail};
use crate::base::hash::HashSet;
use crate::base::id::Id;
use crate::profile::{Column, Profile};
use crate::query::{KindRules, QueryError, View, ViewKind, WeightSpec};
use crate::report::{DoctorReport, GrowthReport, MatchedBuilds, Report, RunReport};

/// Cache limit for call trees and totals, bytes; higher for a profile that is larger itself.
const CACHE_BYTES: usize = 128 << 20;

/// Maximum number of warnings; older ones are dropped.
const WARNINGS: usize = 200;

/// Progress of symbolization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Addresses looked up.
    pub done: usize,
    /// Addresses to look up.
    pub total: usize,
    /// Base name of the file in which addresses were looked up last; empty when finished.
    pub file: String,
    /// Whether symbolization is finished.
    pub finished: bool,
    /// Current download and its progress; otherwise empty.
    pub fetching: String,
}

/// An open profile.
pub struct Session {
    state: RwLock<State>,
    computed: Mutex<Computed>,
    progress: Mutex<Progress>,
    doctor: Mutex<Option<Arc<DoctorReport>>>,
    listeners: Listeners,
}

/// Facts computed once per profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Distinct stacks.
    pub n_stacks: usize,
    /// Locations on stacks that have a function's name, of a thousand.
    pub named_permille: u32,
    /// Keys of labels, in alphabetical order.
    pub label_keys: Arc<[String]>,
    /// Dump by dump, the sum of each value type.
    pub totals: Arc<[i64]>,
    /// Matching of functions between builds.
    pub builds: Option<MatchedBuilds>,
    /// Recordings.
    pub runs: Arc<[RunReport]>,
}

impl Facts {
    fn of(profile: &Profile) -> Self {
        let code = profile.code();
        let stacks = profile.stacks();
        let mut is_used = vec![false; code.locations.len()];
        stacks.frame.iter().skip(1).for_each(|frame| is_used[code.frames[*frame].location.index()] = true);
        let used = || code.locations.enumerate().filter(|(id, _)| is_used[id.index()]);
        let named = used().filter(|(_, l)| code.frames[l.first_frame].function.is_some()).count();
        let mut ends = vec![false; stacks.len()];
        profile.samples().stack.iter().for_each(|&stack| ends[stack.index()] = true);
        let mut keys: Vec<String> = profile.labels().keys().into_iter().map(|key| profile.text(key).to_owned()).collect();
        keys.sort_unstable();
        Facts {
            n_stacks: ends.into_iter().filter(|&end| end).count(),
            named_permille: (named * 1000 / used().count().max(1)) as u32,
            label_keys: keys.into(),
            totals: profile.columns().iter().map(Column::total).collect(),
            builds: profile.meta().matched_builds.as_ref().and_then(matched_builds),
            runs: recordings(profile).into(),
        }
    }
}

/// Consistent state of a session.
pub struct Snapshot {
    /// The profile.
    pub profile: Arc<Profile>,
    /// Number of times the profile was replaced.
    pub generation: u64,
    /// Number of the open profile; incremented when another one is opened.
    pub number: u64,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Facts about the profile.
    pub facts: Facts,
    /// What a session without a profile waits for: a sentence, or empty.
    pub waiting: String,
    /// Options of the first view that follow from the files, such as the base.
    pub first_view: Vec<(String, String)>,
}

struct State {
    profile: Arc<Profile>,
    packages: Arc<Attribution>,
    facts: Facts,
    /// Counts replacements.
    generation: u64,
    /// Counts those by another profile.
    number: u64,
    warnings: Vec<String>,
    waiting: String,
    first_view: Vec<(String, String)>,
}

/// Inputs of a report.
struct At<'a> {
    /// The open profile.
    whole: &'a Profile,
    /// The open profile, or a copy with labels as frames.
    profile: &'a Profile,
    packages: &'a Attribution,
    generation: u64,
}

/// Cached results for one generation of the profile.
struct Computed {
    generation: u64,
    cache: Cache<Key, Value>,
}

impl Computed {
    fn of(profile: &Profile, generation: u64) -> Self {
        Computed { generation, cache: Cache::new(CACHE_BYTES.max(profile.heap_bytes())) }
    }
}

/// Locks, ignoring poison: every state is consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Opens `profile` with these warnings.
    pub fn new(profile: Profile, warnings: Vec<String>) -> Self {
        Session {
            computed: Mutex::new(Computed::of(&profile, 0)),
            state: RwLock::new(State {
                facts: Facts::of(&profile),
                profile: Arc::new(profile),
                packages: Arc::default(),
                generation: 0,
                number: 0,
                warnings,
                waiting: String::new(),
                first_view: Vec::new(),
            }),
            progress: Mutex::new(Progress { finished: true, ..Progress::default() }),
            doctor: Mutex::default(),
            listeners: Listeners::default(),
        }
    }

    /// Calls `listener` after every change of [`Session::snapshot`], [`Session::progress`] and
    /// [`Session::doctor`], until it returns false. It runs on the thread that makes the change, so it must be quick
    /// and must not change the session.
    pub fn listen(&self, listener: impl Fn() -> bool + Send + Sync + 'static) {
        self.listeners.add(Box::new(listener));
    }

    /// Returns the current state.
    pub fn snapshot(&self) -> Snapshot {
        let state = self.state();
        Snapshot {
            profile: state.profile.clone(),
            generation: state.generation,
            number: state.number,
            warnings: state.warnings.clone(),
            facts: state.facts.clone(),
            waiting: state.waiting.clone(),
            first_view: state.first_view.clone(),
        }
    }

    /// Number of the open profile, as in [`Snapshot::number`].
    pub fn number(&self) -> u64 {
        self.state().number
    }

    /// Whether no profile is open yet.
    pub fn is_empty(&self) -> bool {
        self.state().profile.is_empty()
    }

    /// Sets the sentence about what a session without a profile waits for.
    pub fn set_waiting(&self, waiting: String) {
        self.state.write().unwrap_or_else(PoisonError::into_inner).waiting = waiting;
        self.listeners.notify();
    }

    /// Sets the options of the first view that follow from the files. Listeners are notified with the next change.
    pub fn set_first_view(&self, pairs: Vec<(String, String)>) {
        self.state.write().unwrap_or_else(PoisonError::into_inner).first_view = pairs;
    }

    /// Progress of symbolization.
    pub fn progress(&self) -> Progress {
        lock(&self.progress).clone()
    }

    /// Sets the progress of symbolization.
    pub fn set_progress(&self, progress: Progress) {
        *lock(&self.progress) = progress;
        self.listeners.notify();
    }

    /// Returns the diagnosis of names, if there is one yet.
    pub fn doctor(&self) -> Option<Arc<DoctorReport>> {
        lock(&self.doctor).clone()
    }

    /// Sets the diagnosis of names.
    pub fn set_doctor(&self, report: DoctorReport) {
        *lock(&self.doctor) = Some(Arc::new(report));
        self.listeners.notify();
    }

    /// Replaces the profile with a later state of itself, and adds `warnings`.
    pub fn replace(&self, profile: Profile, warnings: Vec<String>) {
        self.put(profile, warnings, false);
    }

    /// Opens another profile; warnings about the one before and the diagnosis of its names are dropped.
    pub fn open_another(&self, profile: Profile, warnings: Vec<String>) {
        *lock(&self.doctor) = None;
        self.put(profile, warnings, true);
    }

    fn put(&self, profile: Profile, warnings: Vec<String>, is_another: bool) {
        let facts = Facts::of(&profile);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.profile = Arc::new(profile);
        state.packages = Arc::default();
        state.facts = facts;
        state.generation += 1;
        if is_another {
            state.number += 1;
            state.warnings.clear();
        }
        for warning in warnings {
            if !state.warnings.contains(&warning) {
                state.warnings.push(warning);
            }
        }
        // A server that is watched may send new ones for ever.
        let n_old = state.warnings.len().saturating_sub(WARNINGS);
        state.warnings.drain(..n_old);
        drop(state);
        self.listeners.notify();
    }

    /// Adds a warning about the open profile, once.
    pub fn warn(&self, warning: String) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if !state.warnings.contains(&warning) {
            state.warnings.push(warning);
        }
        drop(state);
        self.listeners.notify();
    }

    /// Removes warnings that no longer apply.
    pub fn withdraw(&self, warnings: &[String]) {
        let warnings: HashSet<&String> = warnings.iter().collect();
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.warnings.retain(|warning| !warnings.contains(warning));
    }

    /// Returns the report of `view`.
    pub fn answer(&self, view: &View) -> Result<Report, QueryError> {
        let (profile, packages, generation) = {
            let state = self.state();
            (state.profile.clone(), state.packages.clone(), state.generation)
        };
        let view = &*analyze::rss_view(&profile, view);
        let moment = self.moment(&profile, generation, view)?;
        if let Some(moment) = moment {
            let shown = moment.profile.as_ref().unwrap_or(&profile);
            let mut report = self.answer_of(shown, packages, generation, &moment.view(view), Some(&view.weight))?;
            report.warn(moment.warnings.iter().cloned());
            return Ok(report);
        }
        self.answer_of(&profile, packages, generation, view, None)
    }

    /// Returns the report of `view`, which names no times; `times`: numbers of a view that did.
    fn answer_of(
        &self,
        whole: &Profile,
        packages: Arc<Attribution>,
        generation: u64,
        view: &View,
        times: Option<&WeightSpec>,
    ) -> Result<Report, QueryError> {
        let packages = self.packages_by(whole, packages, generation, &view.shape.kinds)?;
        let ground = LabelledProfileKey::of(view).map(|key| match times {
            None => self.ground(whole, generation, view, &key),
            Some(_) => Ok(Arc::new(LabelledProfile::new(whole, view, &key))),
        });
        let ground = ground.transpose()?;
        let (profile, packages) = ground.as_ref().map_or((whole, &*packages), |g| (&g.profile, &g.packages));
        let at = At { whole, profile, packages, generation };
        let key = CallTreeKey::of(view);
        let tree = self.tree(&at, &key)?;
        let totals = self.totals(&at, &key, &tree, view, times.unwrap_or(&view.weight))?;
        let mut report = analyze::report(profile, packages, &tree, &totals, view)?;
        report.warn(ground.iter().flat_map(|g| g.warnings.clone()));
        Ok(report)
    }

    /// Packages, and frame → index of its package, for pages that compute rows themselves. O(frames).
    pub fn packages(&self, by_file: bool) -> (Vec<Package>, Vec<u32>) {
        let (profile, packages) = {
            let state = self.state();
            (state.profile.clone(), state.packages.clone())
        };
        packages.all(&profile, by_file)
    }

    /// Returns the profile after the filters of `view`.
    pub fn filtered(&self, view: &View) -> Result<Profile, QueryError> {
        let profile = self.state().profile.clone();
        match AtMoment::of(&profile, view)? {
            Some(moment) => analyze::filtered(moment.profile.as_ref().unwrap_or(&profile), &moment.view(view)),
            None => analyze::filtered(&profile, view),
        }
        .map(|filtered| filtered.profile)
    }

    /// Returns the report of `view` without caching, for a single query.
    pub fn answer_once(profile: &Profile, view: &View, rows: RowDetail) -> Result<Report, QueryError> {
        let view = &*analyze::rss_view(profile, view);
        if let Some(moment) = AtMoment::of(profile, view)? {
            let mut report = Session::answer_once(moment.profile.as_ref().unwrap_or(profile), &moment.view(view), rows)?;
            report.warn(moment.warnings);
            return Ok(report);
        }
        let ground = LabelledProfile::of(profile, view);
        let profile = ground.as_ref().map_or(profile, |g| &g.profile);
        let key = CallTreeKey::of(view);
        let packages = &Attribution::for_view(rows, view);
        let is_tree = view.kind == ViewKind::Flame;
        let tree = if is_tree { CallTree::new(profile, packages, &key) } else { CallTree::once(profile, packages, &key) };
        let totals = TreeTotals::new(profile, packages, &tree, view)?;
        let mut report = analyze::report(profile, packages, &tree, &totals, view)?;
        report.warn(ground.into_iter().flat_map(|g| g.warnings));
        Ok(report)
    }

    fn state(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that the profile and cached results take.
    pub fn heap_bytes(&self) -> usize {
        let profile = self.state().profile.heap_bytes();
        profile.saturating_add(lock(&self.computed).cache.heap_bytes())
    }

    /// Drops cached results that were not used since the last call. For servers, at intervals.
    pub fn drop_unused(&self) {
        lock(&self.computed).cache.drop_unused();
    }

    /// Returns the cached value, or that of `compute`, which is not cached if the profile was replaced meanwhile.
    fn cached(
        &self,
        profile: &Profile,
        generation: u64,
        key: Key,
        compute: impl FnOnce() -> Result<Value, QueryError>,
    ) -> Result<Value, QueryError> {
        let found = {
            let mut computed = lock(&self.computed);
            if computed.generation < generation {
                *computed = Computed::of(profile, generation);
            }
            (computed.generation == generation).then(|| computed.cache.get(&key)).flatten()
        };
        // Computed without the lock: two may do it at once, none waits for another view's.
        let value = found.map_or_else(compute, Ok)?;
        let mut computed = lock(&self.computed);
        if computed.generation == generation {
            computed.cache.put(key, value.clone());
        }
        Ok(value)
    }

    /// The states at the times that the view names, if it names any. Other views at the same times need the same ones.
    fn moment(&self, profile: &Profile, generation: u64, view: &View) -> Result<Option<Arc<AtMoment>>, QueryError> {
        MomentKey::check(view)?;
        let Some(key) = MomentKey::of(view) else { return Ok(None) };
        let compute = || key.states(profile).map(Arc::new);
        match self.cached(profile, generation, Key::AtMoment(key.clone()), || compute().map(Value::AtMoment))? {
            Value::AtMoment(moment) => Ok(Some(moment)),
            _ => compute().map(Some),
        }
    }

    fn ground(
        &self,
        profile: &Profile,
        generation: u64,
        view: &View,
        key: &LabelledProfileKey,
    ) -> Result<Arc<LabelledProfile>, QueryError> {
        let compute = || Ok(Value::LabelledProfile(Arc::new(LabelledProfile::new(profile, view, key))));
        match self.cached(profile, generation, Key::LabelledProfile(key.clone()), compute)? {
            Value::LabelledProfile(ground) => Ok(ground),
            _ => Ok(Arc::new(LabelledProfile::new(profile, view, key))),
        }
    }

    /// Returns the attribution under these rules; `plain` is the one without rules.
    fn packages_by(
        &self,
        profile: &Profile,
        plain: Arc<Attribution>,
        generation: u64,
        rules: &KindRules,
    ) -> Result<Arc<Attribution>, QueryError> {
        if rules.is_empty() {
            return Ok(plain);
        }
        let compute = || Ok(Value::Attribution(Arc::new(Attribution::new(RowDetail::Full, rules))));
        match self.cached(profile, generation, Key::Attribution(rules.clone()), compute)? {
            Value::Attribution(packages) => Ok(packages),
            _ => Ok(plain),
        }
    }

    fn tree(&self, at: &At, key: &CallTreeKey) -> Result<Arc<CallTree>, QueryError> {
        let make = || Arc::new(CallTree::new(at.profile, at.packages, key));
        match self.cached(at.whole, at.generation, Key::CallTree(key.stored()), || Ok(Value::CallTree(make())))? {
            Value::CallTree(tree) => Ok(tree),
            _ => Ok(make()),
        }
    }

    /// `times`: the view's numbers, with times if it named some.
    fn totals(&self, at: &At, key: &CallTreeKey, tree: &CallTree, view: &View, times: &WeightSpec) -> Result<Arc<TreeTotals>, QueryError> {
        let make = || TreeTotals::new(at.profile, at.packages, tree, view).map(Arc::new);
        let stored = Key::TreeTotals(key.stored(), times.stored());
        match self.cached(at.whole, at.generation, stored, || make().map(Value::TreeTotals))? {
            Value::TreeTotals(totals) => Ok(totals),
            _ => make(),
        }
    }
}

/// Unwraps an answer with a growth report; `None` if there are too few dumps for one.
pub fn growth_if_series(answer: Result<Report, QueryError>) -> Result<Option<GrowthReport>, QueryError> {
    match answer {
        Ok(Report::Growth(growth)) => Ok(Some(growth)),
        Ok(_) | Err(QueryError::FewDumps { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
