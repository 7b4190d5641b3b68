//! Input of all reports, and their common header.

use super::runs;
use crate::analyze::builds::matched_builds;
use crate::analyze::tree::call_tree::CallTree;
use crate::analyze::tree::gross_changes;
use crate::analyze::tree::gross_changes::GrossChanges;
use crate::analyze::tree::keys;
use crate::analyze::tree::sampling_error::SamplingErrors;
use crate::analyze::tree::shown::{one_dump, unmatched_keys};
use crate::analyze::tree::sums::Sums;
use crate::analyze::tree::totals::TreeTotals;
use crate::attribution::Attribution;
use crate::attribution::classify::Package;
use crate::base::cancel;
use crate::base::id::{Id, MappingId};
use crate::base::pair::net;
use crate::base::plain::base_name;
use crate::profile::Profile;
use crate::query::{Granularity, LOCAL, View};
use crate::report::{Header, Row};

/// Everything that a report is made from.
pub(crate) struct ReportContext<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) packages: &'a Attribution,
    pub(crate) tree: &'a CallTree,
    pub(crate) totals: &'a TreeTotals,
    pub(crate) view: &'a View,
}

impl ReportContext<'_> {
    /// Row of a key.
    pub(crate) fn row(&self, key: u32) -> Row {
        let row = self.tree.keys.row(key);
        cancel::charge(size_of::<Row>() + keys::text_bytes(row));
        let mut row = row.clone();
        if self.packages.are_in_rows() {
            let Package { name, version, kind, .. } = self.package(key);
            (row.package, row.version, row.kind) = (name.clone(), version.clone(), *kind);
        }
        row
    }

    /// Whose code a key represents.
    pub(crate) fn package(&self, key: u32) -> &Package {
        let by_file = self.view.granularity() == Granularity::Files;
        self.packages.of(self.profile, self.tree.keys.frame(key), by_file)
    }

    /// Sampling errors, if requested and the profile is sampled.
    pub(crate) fn noise(&self) -> Option<&SamplingErrors> {
        self.totals.noise(self.profile, self.tree, self.view).filter(|_| self.view.errors())
    }

    /// Growth and shrinkage, if requested and there is a base.
    pub(crate) fn gross(&self) -> Option<&GrossChanges> {
        if self.view.gross() { self.totals.gross(self.tree) } else { None }
    }

    /// Number of keys whose cum satisfies `is_so`, if growth is reported.
    pub(crate) fn rows_that(&self, is_so: fn([i64; 2]) -> bool) -> usize {
        self.gross().map_or(0, |_| Sums::of(self.tree, self.totals).cum.iter().filter(|cum| is_so(**cum)).count())
    }

    /// Sum of the differences of keys that are within sampling error, without signs.
    pub(crate) fn within_noise(&self) -> i64 {
        let Some(noise) = self.noise().filter(|_| self.totals.has_base) else { return 0 };
        let (sums, spreads) = (Sums::of(self.tree, self.totals), &noise.by_key(self.tree).flat);
        let hidden = sums.flat.iter().zip(spreads).filter(|(flat, spreads)| spreads.hides(**flat));
        hidden.fold(0, |sum: i64, (flat, _)| sum.saturating_add(net(*flat).saturating_abs()))
    }

    /// Header of every report; the report fills in its own row counts.
    pub(crate) fn header(&self) -> Header {
        let ReportContext { profile, packages, tree, totals, view } = self;
        let main = profile.code().mappings.get(MappingId::new(0));
        let value_type = totals.value_type.map(|i| &profile.value_types()[i]);
        let companion = totals.companion.as_ref().and_then(|w| w.value_type).map(|i| &profile.value_types()[i]);
        let dump = one_dump(profile, view);
        let folded = totals.folded(profile, packages, tree);
        Header {
            file: main.map_or(String::new(), |m| base_name(profile.text(m.file)).to_owned()),
            build_id: main.map_or(String::new(), |m| profile.text(m.build_id).to_owned()),
            value_type: value_type.map_or(String::new(), |t| if view.weight.mean { format!("mean_{}", t.kind) } else { t.kind.clone() }),
            value_note: value_type.map_or(String::new(), |t| runs::value_note(profile, view, &t.kind)),
            unit: value_type.map_or(String::new(), |t| t.unit.to_lowercase()),
            output_unit: view.show.unit.clone(),
            divide_by: view.show.divide_by,
            total: totals.total,
            companion_type: companion.map_or(String::new(), |t| t.kind.clone()),
            companion_unit: companion.map_or(String::new(), |t| t.unit.to_lowercase()),
            has_base: totals.has_base,
            value_total: totals.sum[0],
            base_total: totals.sum[1],
            period: totals.period,
            folded: folded.functions(),
            folded_whole: folded.whole,
            spread: self.noise().map(|noise| noise.cum[0].to_report()),
            gross: self.gross().map(|gross| gross_changes::to_report(gross.cum[0])),
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
            warnings: totals
                .warnings
                .iter()
                .chain(&tree.warnings)
                .cloned()
                .chain(unmatched_keys(profile, totals, view))
                .chain(value_type.filter(|_| totals.has_base).map_or(Vec::new(), |t| runs::pair_warnings(profile, view, &t.kind)))
                .collect(),
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

/// Active filters, like pprof lists them: all options on frames and labels, and ownership rules where they matter.
fn filters(view: &View) -> Vec<String> {
    const LISTED: [&str; 16] = [
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
        "where",
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
