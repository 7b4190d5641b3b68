//! Flat and cumulative values of source lines, by function and file.
//!
//! Follows pprof's `-list` (`internal/report/source.go`), except where that depends on map order: if functions of one name begin
//! at several lines, all of them are in the range.

use std::collections::BTreeMap;

use super::line_calls;
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::{CallTree, CallTreeKey, outermost};
use crate::analyze::tree::matcher::Matcher;
use crate::analyze::tree::sums::Sums;
use crate::analyze::tree::totals::TreeTotals;
use crate::attribution::{Attribution, RowDetail};
use crate::base::id::{FrameId, Id, LocationId, StrId};
use crate::base::pair::{net, plus, quotient};
use crate::profile::Profile;
use crate::query::{Granularity, Pattern, QueryError, View, ViewKind};
use crate::report::{SourceEntry, SourceLines, SourceReport};

/// Lines shown before the first one, if the start of the function is unknown, and after the last.
const MARGIN: i64 = 5;

/// Function and line of a key.
#[derive(Clone, Copy)]
struct KeyLines {
    /// Some frame of the key.
    frame: FrameId,
    /// First line to show.
    begins: i64,
    /// Whether the view selects it.
    wanted: bool,
}

/// The functions that the view's `list` matches, with the lines that hold something. O(nodes + frames).
pub(crate) fn source(context: &ReportContext) -> Result<SourceReport, QueryError> {
    let ReportContext { profile, view, .. } = context;
    let sums = Sums::new(context);
    let places = places(context);
    let mut groups: BTreeMap<(&str, String), Vec<u32>> = BTreeMap::new();
    for &key in &sums.alive {
        if let Some(place) = places[key as usize].filter(|p| p.wanted) {
            let name = profile.function_of(place.frame).map_or("", |(_, f)| profile.text(f.name));
            groups.entry((name, context.tree.keys.row(key).file.clone())).or_default().push(key);
        }
    }
    if groups.is_empty()
        && let Some(pattern) = &view.cut.list
    {
        return Err(QueryError::NoMatch { field: "list", pattern: pattern.source().into() });
    }
    let group_totals = group_totals(context, &groups);
    // Uses without a file are ignored if others have one.
    let with_file: Vec<bool> = groups.keys().map(|(_, file)| !file.is_empty()).collect();
    let names: Vec<&str> = groups.keys().map(|(name, _)| *name).collect();
    let shown = |i: usize| with_file[i] || names.get(i + 1).is_none_or(|next| *next != names[i]);
    let mut entry: Vec<SourceEntry> = Vec::new();
    let mut entry_of_key = if view.cut.line_calls { vec![u32::MAX; places.len()] } else { Vec::new() };
    for (i, ((name, file), keys)) in groups.iter().enumerate().filter(|(i, _)| shown(*i)) {
        let lines = lines(context, &sums, &places, keys);
        let row = context.tree.keys.row(keys[0]).clone();
        let used = lines.number.iter().copied().filter(|&n| n > 0);
        let begins = keys.iter().filter_map(|&k| places[k as usize]).map(|p| p.begins).chain(used.clone()).min();
        let [flat, cum] = group_totals[i];
        if view.cut.line_calls {
            keys.iter().for_each(|&k| entry_of_key[k as usize] = entry.len() as u32);
        }
        let mut first_line = begins.unwrap_or(1).max(1);
        let mut last_line = used.max().unwrap_or(0).saturating_add(MARGIN);
        let mut lines = lines;
        if view.cut.list_around >= 0
            && let Some(heaviest) = heaviest(&lines)
        {
            first_line = first_line.max(heaviest.saturating_sub(view.cut.list_around));
            last_line = last_line.min(heaviest.saturating_add(view.cut.list_around));
            lines = within(lines, first_line, last_line);
        }
        entry.push(SourceEntry {
            name: (*name).to_owned(),
            full_name: row.full_name,
            file: file.clone(),
            object: row.object,
            flat: flat[0],
            cum: cum[0],
            flat_base: flat[1],
            cum_base: cum[1],
            first_line,
            last_line,
            lines,
            ..SourceEntry::default()
        });
    }
    let mut header = context.header();
    if view.cut.line_calls {
        let line = |key: u32| places[key as usize].map_or(0, |p| profile.code().frames[p.frame].line.max(0));
        if !line_calls::attach(context, &entry_of_key, line, &mut entry) {
            header.warnings.push("showing calls of lines for the heaviest functions only; use a narrower regexp for the others".into());
        }
    }
    header.shown = entry.iter().fold(0i64, |sum, e| sum.saturating_add(e.flat.saturating_sub(e.flat_base)));
    header.n_shown = entry.len();
    header.n_total = entry.len();
    Ok(SourceReport { header, entry, ..SourceReport::default() })
}

/// A code address that holds something.
pub struct SampledCode {
    /// The location.
    pub location: LocationId,
    /// Value and base of the address itself.
    pub flat: [i64; 2],
    /// Value and base of the address and what it calls.
    pub cum: [i64; 2],
}

/// The addresses that hold something under the filters of `view`, by location. O(nodes + frames).
pub fn sampled_code(profile: &Profile, view: &View) -> Result<Vec<SampledCode>, QueryError> {
    let mut view = View { kind: ViewKind::Top, ..view.clone() };
    view.shape.granularity = Some(Granularity::Addresses);
    view.shape.noinlines = true;
    let packages = Attribution::new(RowDetail::Plain, &view.shape.kinds);
    let tree = CallTree::once(profile, &packages, &CallTreeKey::of(&view));
    let totals = TreeTotals::new(profile, &packages, &tree, &view)?;
    let sums = Sums::new(&ReportContext { profile, packages: &packages, tree: &tree, totals: &totals, view: &view });
    let sampled_code = |&key: &u32| SampledCode {
        location: profile.code().frames[tree.keys.frame(key)].location,
        flat: sums.flat[key as usize],
        cum: sums.cum[key as usize],
    };
    let mut sampled: Vec<SampledCode> = sums.alive.iter().map(sampled_code).collect();
    sampled.sort_by_key(|s| s.location);
    Ok(sampled)
}

/// Key → function and line; `None` if no frame has that key.
fn places(context: &ReportContext) -> Vec<Option<KeyLines>> {
    let ReportContext { profile, tree, view, .. } = context;
    let wanted = Wanted::new(profile, view.cut.list.as_ref(), view.cut.list_files);
    let mut places: Vec<Option<KeyLines>> = vec![None; tree.keys.len()];
    for frame in profile.code().frames.ids() {
        let line = profile.code().frames[frame].line;
        let begins = match profile.function_of(frame).map_or(0, |(_, f)| f.start_line) {
            start if start > 0 => start,
            _ => line.saturating_sub(MARGIN),
        };
        let wanted = wanted.frame(profile, frame);
        let place = places[tree.keys.of_frame[frame.index()] as usize].get_or_insert(KeyLines { frame, begins, wanted });
        place.begins = place.begins.min(begins);
        place.wanted |= wanted;
    }
    places
}

/// The lines of one function and file; several keys may be of one line.
fn lines(context: &ReportContext, sums: &Sums, places: &[Option<KeyLines>], keys: &[u32]) -> SourceLines {
    let mut by_line: BTreeMap<i64, [[i64; 2]; 2]> = BTreeMap::new();
    for &key in keys {
        let line = places[key as usize].map_or(0, |p| context.profile.code().frames[p.frame].line);
        let [flat, cum] = by_line.entry(line.max(0)).or_default();
        *flat = plus(*flat, sums.flat[key as usize]);
        *cum = plus(*cum, sums.cum[key as usize]);
    }
    let column = |of: fn(&[[i64; 2]; 2]) -> i64| by_line.values().map(of).collect::<Vec<_>>();
    let base = |of: fn(&[[i64; 2]; 2]) -> i64| if context.totals.has_base { column(of) } else { Vec::new() };
    SourceLines {
        number: by_line.keys().copied().collect(),
        text: vec![None; by_line.len()],
        flat: column(|[flat, _]| flat[0]),
        cum: column(|[_, cum]| cum[0]),
        flat_base: base(|[flat, _]| flat[1]),
        cum_base: base(|[_, cum]| cum[1]),
    }
}

/// The line that is known and holds most with what it calls; the first of several.
fn heaviest(lines: &SourceLines) -> Option<i64> {
    let weight = |i: usize| lines.cum[i].saturating_sub(lines.cum_base.get(i).copied().unwrap_or(0)).saturating_abs();
    let known = (0..lines.number.len()).filter(|&i| lines.number[i] > 0);
    known.max_by_key(|&i| (weight(i), std::cmp::Reverse(i))).map(|i| lines.number[i])
}

/// The lines from `first` to `last`.
fn within(lines: SourceLines, first: i64, last: i64) -> SourceLines {
    let start = lines.number.partition_point(|&n| n < first);
    let end = lines.number.partition_point(|&n| n <= last).max(start);
    let part = |column: &[i64]| column.get(start..end).map_or(Vec::new(), <[i64]>::to_vec);
    SourceLines {
        number: part(&lines.number),
        text: vec![None; end - start],
        flat: part(&lines.flat),
        cum: part(&lines.cum),
        flat_base: part(&lines.flat_base),
        cum_base: part(&lines.cum_base),
    }
}

/// Group → flat and cum; a stack counts once per group, however many of its lines it passes through.
fn group_totals(context: &ReportContext, groups: &BTreeMap<(&str, String), Vec<u32>>) -> Vec<[[i64; 2]; 2]> {
    let ReportContext { tree, totals, .. } = context;
    let none = groups.len() as u32;
    let mut group_of_key = vec![none; tree.keys.len()];
    for (group, keys) in groups.values().enumerate() {
        keys.iter().for_each(|&k| group_of_key[k as usize] = group as u32);
    }
    // The root has a key that means nothing.
    let group = |node: usize| if node == 0 { none } else { group_of_key[tree.key[node] as usize] };
    let group_of_node: Vec<u32> = (0..tree.len()).map(group).collect();
    let first = outermost(&group_of_node, &tree.end, groups.len() + 1);
    let sums = |totals: &TreeTotals| {
        let mut sums = vec![[[0; 2]; 2]; groups.len() + 1];
        for (node, value) in totals.rows(tree) {
            let flat = &mut sums[group_of_node[node] as usize][0];
            *flat = plus(*flat, value);
        }
        for node in (1..tree.len()).filter(|&node| first[node]) {
            let cum = &mut sums[group_of_node[node] as usize][1];
            *cum = plus(*cum, totals.cum[node]);
        }
        sums
    };
    let mut group_totals = sums(totals);
    if let Some(by) = totals.divisor.as_deref().map(sums) {
        let mean = |(sum, by): (&mut [i64; 2], &[i64; 2])| *sum = [quotient(net(*sum), net(*by)), 0];
        group_totals.iter_mut().flatten().zip(by.iter().flatten()).for_each(mean);
    }
    group_totals
}

/// Frames selected by a regexp.
struct Wanted<'a> {
    /// `None`: all that have a function.
    pattern: Option<&'a Pattern>,
    /// For files and modules, where these count.
    files: Option<Matcher>,
    /// Names of the functions at the address that the expression is.
    at: Vec<StrId>,
}

impl<'a> Wanted<'a> {
    fn new(profile: &Profile, pattern: Option<&'a Pattern>, files: bool) -> Self {
        let files = pattern.filter(|_| files).map(|pattern| Matcher::new(profile, pattern));
        let mut wanted = Wanted { pattern, files, at: Vec::new() };
        if let Some(address) = pattern.and_then(|pattern| address(pattern.source())) {
            // The function that has the code there, not what was inlined into it.
            let at_address = profile.code().locations.iter().filter(|l| l.address == address);
            let outermost = at_address.filter_map(|l| profile.function_of(l.frames().next_back()?));
            wanted.at = outermost.map(|(_, f)| f.name).collect();
        }
        wanted
    }

    fn frame(&self, profile: &Profile, frame: FrameId) -> bool {
        let function = profile.function_of(frame).map(|(_, f)| f);
        let Some(pattern) = self.pattern else { return function.is_some() };
        if function.is_some_and(|f| self.at.contains(&f.name)) || pattern.is_match(function.map_or("", |f| profile.text(f.name))) {
            return true;
        }
        let Some(matcher) = &self.files else { return false };
        let location = profile.code().frames[frame].location;
        let in_mapping = frame == profile.code().locations[location].first_frame && matcher.mapping(profile, location);
        in_mapping || matcher.frame(profile, frame) || function.is_some_and(|f| pattern.is_match(profile.text(f.system_name)))
    }
}

/// An expression that is a number, as Go reads numbers: `0x…` or decimal.
fn address(source: &str) -> Option<u64> {
    match source.strip_prefix("0x").or_else(|| source.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => source.parse().ok(),
    }
}
