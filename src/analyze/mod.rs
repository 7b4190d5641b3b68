//! From a profile and a view to a report: pure functions, no I/O, no clock.
//!
//! Three steps, each reusable: [`Shape::new`] (the tree that the view looks at),
//! [`Weights::new`] (the numbers on it), [`report`] (the answer).

mod blame;
mod branches;
mod builds;
mod calls;
mod classify;
mod culprit;
mod disasm;
mod edges;
mod filtered;
mod flame;
mod folded;
mod graph;
mod gross;
mod ground;
mod growth;
mod held;
pub mod jeprof;
mod keys;
mod matcher;
mod nodelets;
mod noise;
mod order;
mod packages;
mod peek;
mod shape;
mod sizes;
mod source;
mod steps;
mod summary;
mod sums;
mod tags;
mod top;
mod traces;
mod types;
mod visibility;
mod weigh;
mod wrappers;

pub use builds::{match_builds, matched_builds, nameless_builds};
pub use calls::{calls, top_profile};
pub use classify::{Package, enclosing};
pub use filtered::{Filtered, filtered};
pub use ground::{Ground, GroundKey};
pub use keys::Keys;
pub use packages::{Packages, Rows};
pub use shape::{Shape, ShapeKey};
pub use source::{SampledCode, sampled_code};
pub use types::{TypeName, Types, of_rows};
pub use weigh::{Weights, check};

use gross::Gross;
use noise::Noises;
use sums::Sums;

use crate::cancel;
use crate::hash::HashSet;
use crate::id::{Id, LabelSetId, MappingId, StrId};
use crate::pair::net;
use crate::profile::{Dump, Profile};
use crate::query::{Granularity, LOCAL, Pattern, QueryError, View, ViewKind};
use crate::report::{Header, Report, Row};

/// Everything that a report is made from.
pub(crate) struct Answer<'a> {
    profile: &'a Profile,
    packages: &'a Packages,
    shape: &'a Shape,
    weights: &'a Weights,
    view: &'a View,
}

/// The report that `view` asks for, of a shape and weights made for it, and the packages of the profile.
pub fn report(profile: &Profile, packages: &Packages, shape: &Shape, weights: &Weights, view: &View) -> Result<Report, QueryError> {
    let answer = Answer { profile, packages, shape, weights, view };
    Ok(match view.kind {
        ViewKind::Summary => Report::Summary(summary::summary(&answer)?),
        ViewKind::Top => Report::Top(top::top(&answer)),
        ViewKind::Tree | ViewKind::Peek => Report::Peek(peek::peek(&answer)?),
        ViewKind::Flame => Report::Flame(flame::flame(&answer)?),
        ViewKind::Graph => Report::Graph(graph::graph(&answer)),
        ViewKind::Traces => Report::Traces(traces::traces(&answer)),
        ViewKind::Tags => Report::Tags(tags::tags(&answer)),
        ViewKind::Sizes => Report::Sizes(sizes::sizes(&answer)?),
        ViewKind::Source => Report::Source(source::source(&answer)?),
        ViewKind::Disasm => Report::Disasm(disasm::disasm(&answer)),
        ViewKind::Types => Report::Types(types::types(&answer)?),
        ViewKind::Growth => Report::Growth(growth::growth(&answer)?),
    })
}

impl Answer<'_> {
    /// What a key stands for.
    fn row(&self, key: u32) -> Row {
        let row = self.shape.keys.row(key);
        cancel::charge(size_of::<Row>() + keys::text_bytes(row));
        let mut row = row.clone();
        if self.packages.are_in_rows() {
            let Package { name, version, kind, .. } = self.package(key);
            (row.package, row.version, row.kind) = (name.clone(), version.clone(), *kind);
        }
        row
    }

    /// Whose code a key stands for.
    fn package(&self, key: u32) -> &Package {
        let by_file = self.view.granularity() == Granularity::Files;
        self.packages.of(self.profile, self.shape.keys.frame(key), by_file)
    }

    /// How sure the numbers are, if that is asked and anything is sampled.
    fn noise(&self) -> Option<&Noises> {
        self.weights.noise(self.profile, self.shape, self.view).filter(|_| self.view.errors())
    }

    /// What grew and what shrank, if that is asked and there is a base.
    fn gross(&self) -> Option<&Gross> {
        if self.view.gross() { self.weights.gross(self.shape) } else { None }
    }

    /// How many keys' cum is so, if growth is told.
    fn rows_that(&self, is_so: fn([i64; 2]) -> bool) -> usize {
        self.gross().map_or(0, |_| Sums::of(self.shape, self.weights).cum.iter().filter(|cum| is_so(**cum)).count())
    }

    /// How much of the keys' differences is within the noise, signs left out.
    fn within_noise(&self) -> i64 {
        let Some(noise) = self.noise().filter(|_| self.weights.has_base) else { return 0 };
        let (sums, spreads) = (Sums::of(self.shape, self.weights), &noise.by_key(self.shape).flat);
        let hidden = sums.flat.iter().zip(spreads).filter(|(flat, spreads)| spreads.hides(**flat));
        hidden.fold(0, |sum: i64, (flat, _)| sum.saturating_add(net(*flat).saturating_abs()))
    }

    /// What every report says first; counts of what is shown are the report's own.
    fn header(&self) -> Header {
        let Answer { profile, packages, shape, weights, view } = self;
        let main = profile.code().mappings.get(MappingId::new(0));
        let value_type = weights.value_type.map(|i| &profile.value_types()[i]);
        let companion = weights.companion.as_ref().and_then(|w| w.value_type).map(|i| &profile.value_types()[i]);
        let dump = one_dump(profile, view);
        let folded = weights.folded(profile, packages, shape);
        Header {
            file: main.map_or(String::new(), |m| keys::base_name(profile.text(m.file)).to_owned()),
            build_id: main.map_or(String::new(), |m| profile.text(m.build_id).to_owned()),
            value_type: value_type.map_or(String::new(), |t| if view.weight.mean { format!("mean_{}", t.kind) } else { t.kind.clone() }),
            unit: value_type.map_or(String::new(), |t| t.unit.to_lowercase()),
            output_unit: view.show.unit.clone(),
            divide_by: view.show.divide_by,
            total: weights.total,
            companion_type: companion.map_or(String::new(), |t| t.kind.clone()),
            companion_unit: companion.map_or(String::new(), |t| t.unit.to_lowercase()),
            has_base: weights.has_base,
            value_total: weights.sum[0],
            base_total: weights.sum[1],
            period: weights.period,
            folded: folded.functions(),
            folded_whole: folded.whole,
            spread: self.noise().map(|noise| noise.cum[0].told()),
            gross: self.gross().map(|gross| gross::told(gross.cum[0])),
            n_new: self.rows_that(|[value, base]| base == 0 && value != 0),
            n_gone: self.rows_that(|[value, base]| value == 0 && base != 0),
            within_noise: self.within_noise(),
            filters: filters(view),
            query: view
                .pairs()
                .into_iter()
                .filter(|(name, _)| !LOCAL.contains(name))
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            time_nanos: dump.time_nanos,
            duration_nanos: dump.duration_nanos,
            comments: profile.meta().comments.clone(),
            doc_url: profile.meta().doc_url.clone(),
            warnings: weights.warnings.iter().chain(&shape.warnings).cloned().chain(unmatched_keys(profile, weights, view)).collect(),
            wrappers: match view.culprit() {
                true => self.packages.wrappers(profile).into_iter().map(str::to_owned).collect(),
                false => Vec::new(),
            },
            builds: profile.meta().matched_builds.as_ref().and_then(matched_builds),
            compact: view.show.compact_labels,
            ..Header::default()
        }
    }
}

/// The dumps that the view is of, as one: when the first of them was taken, and how long all took.
fn one_dump(profile: &Profile, view: &View) -> Dump {
    let dumps = weigh::dumps(profile, view);
    Dump {
        name: dumps.first().map_or(String::new(), |d| d.name.clone()),
        time_nanos: dumps.iter().map(|d| d.time_nanos).filter(|&time| time != 0).min().unwrap_or(0),
        duration_nanos: dumps.iter().fold(0, |sum, d| sum.saturating_add(d.duration_nanos)),
        period: dumps.iter().map(|d| d.period).max().unwrap_or(0),
        ..Dump::default()
    }
}

/// Expressions for the keys of labels that match none of the rows that pass, in words.
fn unmatched_keys(profile: &Profile, weights: &Weights, view: &View) -> Vec<String> {
    if view.cut.tagshow.is_none() && view.cut.taghide.is_none() {
        return Vec::new();
    }
    let rows = profile.samples().labels.iter().zip(&weights.passes);
    let sets: HashSet<LabelSetId> = rows.filter(|(_, passes)| **passes).map(|(set, _)| *set).collect();
    let keys: HashSet<StrId> = sets.into_iter().flat_map(|set| profile.labels().get(set)).map(|label| label.key).collect();
    let met = |pattern: &Pattern| keys.iter().any(|&key| pattern.is_match(profile.text(key)));
    let asked = [(&view.cut.tagshow, "TagShow"), (&view.cut.taghide, "TagHide")];
    let unmet = asked.into_iter().filter(|(pattern, _)| pattern.as_ref().is_some_and(|p| !met(p)));
    unmet.map(|(_, name)| format!("{name} expression matched no samples")).collect()
}

/// Filters in force, as pprof lists them: all fields on frames and labels, and whose code is what where that counts.
fn filters(view: &View) -> Vec<String> {
    const LISTED: [&str; 15] = [
        "focus",
        "ignore",
        "hide",
        "show",
        "show_from",
        "hide_kind",
        "culprit",
        "kinds",
        "package",
        "blame",
        "type",
        "tagfocus",
        "tagignore",
        "tagshow",
        "taghide",
    ];
    let is_listed = |name: &str| match name {
        "kinds" => view.uses_kinds(),
        "hide_kind" => !view.shape.hide_kind.is_empty(),
        _ => LISTED.contains(&name),
    };
    view.pairs().into_iter().filter(|(name, _)| is_listed(name)).map(|(name, value)| format!("{name}={value}")).collect()
}
