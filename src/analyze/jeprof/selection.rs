//! Selection of stacks, where they end, and their values.

use crate::base::hash::HashMap;
use crate::base::id::{FrameId, Id, LocationId, MappingId, StackId};
use crate::profile::{Copier, LabelValue, Labels, Location, Profile, ProfileBuilder, is_allocator_library};
use crate::query::{JeprofValue, JeprofView, Pattern};
use crate::report::{JeprofHeader, JeprofUnit};

/// Addresses from here on are not a program's: some kernels put them on stacks.
const KERNEL: u64 = 0x7fff_ffff_ffff_ffff;

/// The stacks that a question is about.
pub struct Selection<'a> {
    pub(super) profile: &'a Profile,
    pub(super) view: &'a JeprofView,
    /// In the order of the profile's stacks.
    pub(super) stacks: Vec<Path>,
    /// Unit and totals; `local_total` is the sum of `stacks`.
    pub header: JeprofHeader,
}

/// A stack after the cuts.
pub(super) struct Path {
    /// Leaf first; not empty.
    pub(super) locations: Vec<LocationId>,
    pub(super) value: i64,
}

impl<'a> Selection<'a> {
    /// Selects the stacks of `view`. O(size).
    pub fn new(profile: &'a Profile, view: &'a JeprofView) -> Self {
        let column = column(profile, view.value);
        let values = stack_values(profile, view, column);
        let total = values.iter().fold(0i64, |sum, (_, value)| sum.saturating_add(*value));
        let rules = Rules::new(profile, view);
        let stacks: Vec<Path> = values.into_iter().filter_map(|(stack, value)| rules.path(profile, stack, value)).collect();
        let local_total = stacks.iter().fold(0i64, |sum, path| sum.saturating_add(path.value));
        let unit = match (view.value, view.show_bytes) {
            _ if !in_bytes(profile, column, view.value) => {
                let kind = column.map_or(view.value.name(), |i| profile.value_types()[i].kind.as_str());
                JeprofUnit::Count(if kind.ends_with("objects") { "objects" } else { "samples" })
            }
            (_, true) => JeprofUnit::Bytes,
            (_, false) => JeprofUnit::Megabytes,
        };
        Selection { profile, view, stacks, header: JeprofHeader { parts: view.parts.max(1), total, local_total, unit } }
    }

    /// The frames of a path that are a program's, leaf first.
    pub(super) fn frames(&self, path: &'a Path) -> impl Iterator<Item = FrameId> + '_ {
        let code = self.profile.code();
        let own = path.locations.iter().map(|&l| &code.locations[l]).filter(|l| l.address <= KERNEL);
        own.flat_map(|l| l.frames())
    }

    /// The stacks as a profile of their own, in whole units, for reports that pprof has, too.
    pub fn profile(&self) -> (Profile, JeprofHeader) {
        let (kind, unit) = match self.header.unit {
            JeprofUnit::Count(what) => (what, "count"),
            _ => ("space", "bytes"),
        };
        let mut to = ProfileBuilder::new(&[(kind, unit)]);
        let copier = Copier::new(self.profile, &mut to);
        let code = self.profile.code();
        let mappings: Vec<MappingId> = code.mappings.iter().map(|m| copier.mapping(&mut to, m)).collect();
        let place = |l: &Location| (l.mapping.map(|m| mappings[m.index()]), l.address);
        let locations: Vec<Option<LocationId>> = code.locations.iter().map(|l| copier.location(&mut to, l, place(l), |_| true)).collect();
        let whole = |value: i64| (value as f64 / self.header.parts as f64).round() as i64;
        for path in &self.stacks {
            let stack: Vec<LocationId> = path.locations.iter().filter_map(|l| locations[l.index()]).collect();
            to.sample(&stack, Labels::NONE, &[whole(path.value)]);
        }
        let JeprofHeader { total, local_total, unit, .. } = self.header;
        (to.build(), JeprofHeader { parts: 1, total: whole(total), local_total: whole(local_total), unit })
    }

    /// Threads of the profile, by number, in their order.
    pub fn threads(profile: &Profile) -> Vec<u64> {
        let labels = profile.labels();
        let sets = (0..labels.len()).map(|set| labels.get(crate::base::id::LabelSetId::new(set)));
        let numbers = sets.flatten().filter(|l| profile.text(l.key) == THREAD).filter_map(|l| match l.value {
            LabelValue::Text(text) => profile.text(text).strip_prefix('t')?.parse().ok(),
            LabelValue::Number(..) => None,
        });
        let mut threads: Vec<u64> = numbers.collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }
}

/// Key of the labels that name threads.
const THREAD: &str = "thread";

/// Column for `value`: dumps that do not distinguish memory in use from allocated memory have `space` and `objects` for both.
/// `None`: all values are 0, as in jemalloc's dumps without `prof_accum`.
fn column(profile: &Profile, value: JeprofValue) -> Option<usize> {
    let types = profile.value_types();
    let named = |name: &str| types.iter().position(|t| t.kind == name);
    let (plain, is_alloc) = match value {
        JeprofValue::InuseSpace => ("space", false),
        JeprofValue::InuseObjects => ("objects", false),
        JeprofValue::AllocSpace => ("space", true),
        JeprofValue::AllocObjects => ("objects", true),
    };
    let has_inuse = types.iter().any(|t| t.kind.starts_with("inuse_"));
    named(value.name()).or_else(|| named(plain)).or_else(|| if is_alloc && has_inuse { None } else { profile.default_value_type() })
}

fn in_bytes(profile: &Profile, column: Option<usize>, value: JeprofValue) -> bool {
    match column {
        Some(i) => profile.value_types()[i].unit.eq_ignore_ascii_case("bytes"),
        None => matches!(value, JeprofValue::AllocSpace | JeprofValue::InuseSpace),
    }
}

/// Each stack with rows that count, and its value less the base's.
fn stack_values(profile: &Profile, view: &JeprofView, column: Option<usize>) -> Vec<(StackId, i64)> {
    let samples = profile.samples();
    let mut rows = vec![0i64; samples.len()];
    for c in profile.columns().iter().filter(|c| Some(c.value_type) == column) {
        c.add_to(if profile.dumps()[c.dump.index()].is_base { -1.0 } else { 1.0 }, &mut rows);
    }
    let mut values: HashMap<StackId, i64> = HashMap::default();
    for (row, value) in rows.into_iter().enumerate() {
        let of_thread = |text: &String| {
            let labels = profile.labels().get(samples.labels[row]);
            labels
                .iter()
                .any(|l| profile.text(l.key) == THREAD && matches!(l.value, LabelValue::Text(name) if profile.text(name) == text.as_str()))
        };
        if view.thread.as_ref().is_none_or(of_thread) {
            let sum = values.entry(samples.stack[row]).or_default();
            *sum = sum.saturating_add(value);
        }
    }
    let mut values: Vec<(StackId, i64)> = values.into_iter().collect();
    values.sort_unstable_by_key(|(stack, _)| *stack);
    if view.drop_negative {
        values.iter_mut().for_each(|(_, value)| *value = (*value).max(0));
    }
    values
}

/// Properties of each location.
struct Rules {
    /// Location → whether it belongs to the allocator.
    is_allocator: Vec<bool>,
    /// `retain` and `exclude` leave it.
    stays: Vec<bool>,
    focus: Option<Vec<bool>>,
    ignore: Option<Vec<bool>>,
}

impl Rules {
    fn new(profile: &Profile, view: &JeprofView) -> Self {
        let of_all = |rule: &dyn Fn(LocationId) -> bool| profile.code().locations.ids().map(rule).collect::<Vec<bool>>();
        let matched = |pattern: &Option<Pattern>| pattern.as_ref().map(|p| of_all(&|l| matches(profile, p, l)));
        Rules {
            is_allocator: of_all(&|l| is_allocator(profile, view, l)),
            stays: of_all(&|l| {
                let name = outermost(profile, l);
                view.retain.as_ref().is_none_or(|p| p.is_match(&name)) && !view.exclude.as_ref().is_some_and(|p| p.is_match(&name))
            }),
            focus: matched(&view.focus),
            ignore: matched(&view.ignore),
        }
    }

    /// `RemoveUninterestingFrames`, `FilterFrames`, `FocusProfile`, `IgnoreProfile`.
    fn path(&self, profile: &Profile, stack: StackId, value: i64) -> Option<Path> {
        let mut locations: Vec<LocationId> = profile.locations(stack).collect();
        if let Some(last) = locations.iter().rposition(|l| self.is_allocator[l.index()]) {
            locations.drain(..=last);
        }
        locations.retain(|l| self.stays[l.index()]);
        let any = |hits: &[bool]| locations.iter().any(|l| hits[l.index()]);
        let focused = self.focus.as_ref().is_none_or(|f| any(f)) && !self.ignore.as_ref().is_some_and(|i| any(i));
        (!locations.is_empty() && focused).then_some(Path { locations, value })
    }
}

fn is_allocator(profile: &Profile, view: &JeprofView, location: LocationId) -> bool {
    let file = profile.mapping_of(location).map_or("", |(_, m)| profile.text(m.file));
    is_allocator_library(file) || view.allocator.as_ref().is_some_and(|p| p.is_match(&outermost(profile, location)))
}

/// The outermost function at an address, or the address.
pub(super) fn outermost(profile: &Profile, location: LocationId) -> String {
    let last = profile.code().locations[location].frames().next_back();
    last.map_or_else(String::new, |frame| name(profile, frame))
}

/// The frame's function, or its address in 16 digits.
pub(super) fn name(profile: &Profile, frame: FrameId) -> String {
    match profile.function_of(frame) {
        Some((_, function)) => profile.text(function.name).to_owned(),
        None => address(profile, frame),
    }
}

pub(super) fn address(profile: &Profile, frame: FrameId) -> String {
    format!("{:016x}", profile.code().locations[profile.code().frames[frame].location].address)
}

/// `file:line` in addr2line's spelling.
pub(super) fn file_line(profile: &Profile, frame: FrameId) -> String {
    let line = profile.code().frames[frame].line;
    let file = profile.function_of(frame).map_or("", |(_, f)| profile.text(f.filename));
    match (file, line) {
        ("", _) => "??:?".into(),
        (file, 0) => format!("{file}:?"),
        (file, line) => format!("{file}:{line}"),
    }
}

/// `SymbolMatches`. An address matches where it is all there is, or where the expression
/// has enough of one to mean it: `add` is a word.
fn matches(profile: &Profile, pattern: &Pattern, location: LocationId) -> bool {
    let means_addresses = pattern.source().split(|c: char| !c.is_ascii_hexdigit()).any(|run| run.len() >= 8);
    profile.code().locations[location].frames().any(|frame| match profile.function_of(frame) {
        Some((_, function)) => {
            pattern.is_match(profile.text(function.name))
                || pattern.is_match(&file_line(profile, frame))
                || (means_addresses && pattern.is_match(&address(profile, frame)))
        }
        None => pattern.is_match(&address(profile, frame)),
    })
}
