//! A view's filters applied to a whole profile, for commands that print or write profiles.

use super::tree::call_tree::{CallTree, CallTreeKey};
use super::tree::labelled::LabelledProfile;
use super::tree::shown::{one_dump, unmatched_keys};
use super::tree::totals::TreeTotals;
use super::tree::visibility::Visibility;
use crate::attribution::{Attribution, RowDetail};
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, Id, LabelSetId, LocationId, MappingId};
use crate::base::pair::net;
use crate::profile::{Calls, Copier, Location, Mapping, Profile, ProfileBuilder, Stacks};
use crate::query::{QueryError, ShapeSpec, View};

/// A profile as a view shows it.
pub struct Filtered {
    /// Profile with the filters applied.
    pub profile: Profile,
    /// Messages about expressions that matched nothing.
    pub warnings: Vec<String>,
}

/// The profile that `view` shows: one dump (value less base) of every value type, with
/// the samples and frames that its filters keep. With a diff base, the base's samples
/// stay apart under the label `pprof::base=true`. Without inlined frames there are no columns either,
/// unless the view requests them, as in pprof. O(size).
pub fn filtered(profile: &Profile, view: &View) -> Result<Filtered, QueryError> {
    let ground = LabelledProfile::of(profile, view);
    let profile = ground.as_ref().map_or(profile, |g| &g.profile);
    let key = CallTreeKey::of(view);
    let packages = Attribution::for_view(RowDetail::Plain, view);
    let mut tree = CallTree::new(profile, &packages, &key);
    let n_types = profile.value_types().len();
    // Filters are the same for all value types, so that the others need rows only, not sums of nodes.
    let first = match n_types {
        0 => None,
        _ => {
            let mut view = view.clone();
            view.weight.sample_index = "0".into();
            view.weight.mean = false;
            Some(TreeTotals::new(profile, &packages, &tree, &view)?)
        }
    };
    let mut copy = Copy::new(profile, &packages, view, &key.spec);
    if let Some(first) = &first {
        let others = (1..n_types).map(|value_type| first.of_type(profile, view, value_type));
        let others: Vec<_> = others.collect::<Result<_, _>>()?;
        copy.to.reserve(first.passes.iter().filter(|passes| **passes).count());
        for row in (0..profile.samples().len()).filter(|&row| first.passes[row]) {
            copy.add(row, std::iter::once(first.row.at(row)).chain(others.iter().map(|values| values.at(row))).collect());
        }
    }
    let mut warnings = ground.as_ref().map_or(Vec::new(), |g| g.warnings.clone());
    warnings.extend(std::mem::take(&mut tree.warnings));
    drop(tree);
    if let Some(first) = first {
        warnings.extend(unmatched_keys(profile, &first, view));
        warnings.extend(first.warnings);
    }
    // The new profile sorts its rows: there must be room for that.
    Ok(Filtered { profile: copy.finish(), warnings })
}

/// The new profile while rows are added.
struct Copy<'a> {
    profile: &'a Profile,
    view: &'a View,
    packages: &'a Attribution,
    visible: Visibility,
    copier: Copier<'a>,
    calls: Calls<'a>,
    to: ProfileBuilder,
    /// `MappingId` → what became of it.
    mappings: Vec<MappingId>,
    /// `LocationId` → what became of it; `None` when no frame of it is seen.
    locations: Vec<Option<LocationId>>,
    /// Innermost frame that is left of a location where stacks end at their culprit → what became of it.
    cut: HashMap<FrameId, Option<LocationId>>,
    /// Culprit that is seen although it is folded → its location without other frames.
    kept: HashMap<FrameId, Option<LocationId>>,
    /// RowDetail of a diff base.
    bases: Vec<(Vec<LocationId>, LabelSetId, Vec<i64>)>,
}

/// Id of a location in the new profile.
fn place(mappings: &[MappingId], location: &Location) -> (Option<MappingId>, u64) {
    (location.mapping.map(|m| mappings[m.index()]), location.address)
}

impl<'a> Copy<'a> {
    fn new(profile: &'a Profile, packages: &'a Attribution, view: &'a View, spec: &ShapeSpec) -> Self {
        let visible = Visibility::new(profile, packages, spec);
        let mut to = ProfileBuilder::with_dump(profile.value_types().to_vec(), one_dump(profile, view));
        *to.meta() = profile.meta().clone();
        let mut copier = Copier::new(profile, &mut to);
        if view.shape.noinlines && !view.shape.showcolumns {
            copier = copier.without_columns();
        }
        let code = profile.code();
        let as_shown = |m: &Mapping| Mapping { has_inline_frames: m.has_inline_frames && !view.shape.noinlines, ..*m };
        let mappings: Vec<MappingId> = code.mappings.iter().map(|m| copier.mapping(&mut to, &as_shown(m))).collect();
        let seen = |f: FrameId| !visible.hidden[f.index()];
        let locations = code.locations.iter().map(|l| copier.location(&mut to, l, place(&mappings, l), seen)).collect();
        Copy {
            profile,
            view,
            packages,
            visible,
            copier,
            calls: profile.calls(),
            to,
            mappings,
            locations,
            cut: HashMap::default(),
            kept: HashMap::default(),
            bases: Vec::new(),
        }
    }

    /// Adds a row with these values of each type: `[value, base]`.
    fn add(&mut self, row: usize, values: Vec<[i64; 2]>) {
        let stack = self.stack(row);
        let labels = self.labels(row, &[]);
        if self.view.weight.diff_base.is_none() {
            let values = self.divided(values.into_iter().map(net));
            self.to.sample(&stack, labels, &values);
            return;
        }
        if values.iter().any(|v| v[0] != 0) {
            let values = self.divided(values.iter().map(|v| v[0]));
            self.to.sample(&stack, labels, &values);
        }
        if values.iter().any(|v| v[1] != 0) {
            let values = self.divided(values.iter().map(|v| v[1].saturating_neg()));
            let labels = self.labels(row, &[("pprof::base", "true")]);
            self.bases.push((stack, labels, values));
        }
    }

    /// The part of a row's stack that is seen, leaf first.
    fn stack(&mut self, row: usize) -> Vec<LocationId> {
        let whole = self.profile.samples().stack[row];
        let end = if self.view.shape.culprit { self.packages.culprits(self.profile)[whole.index()] } else { whole };
        let mut stack: Vec<LocationId> = self.calls.of(end).collect();
        let leaf = stack.first().copied().zip((end != Stacks::ROOT).then(|| self.profile.stacks().frame[end]));
        if let Some(begins) = &self.visible.begins {
            let start = stack.iter().rposition(|l| begins[l.index()]).map_or(0, |i| i + 1);
            stack.truncate(start);
        }
        if let Some(ends) = &self.visible.ends
            && let Some(end) = stack.iter().position(|l| ends[l.index()])
        {
            stack.drain(..end);
        }
        let is_whole = stack.first() == leaf.map(|(location, _)| location).as_ref();
        let at_culprit = leaf.filter(|_| self.view.shape.culprit && is_whole);
        if let Some((location, culprit)) = at_culprit.filter(|(_, culprit)| self.is_all_folded(&stack, *culprit)) {
            let kept = self.kept_culprit(location, culprit);
            return kept.into_iter().chain(stack.into_iter().skip(1).filter_map(|l| self.locations[l.index()])).collect();
        }
        let left = at_culprit.map(|(location, frame)| self.cut_location(location, frame));
        stack.into_iter().enumerate().filter_map(|(i, l)| left.filter(|_| i == 0).unwrap_or(self.locations[l.index()])).collect()
    }

    /// Returns whether no frame but labels is seen of a stack, leaf first, that ends at its culprit, and the culprit is folded
    /// ([`Visibility::keep_last_culprits`]).
    fn is_all_folded(&self, stack: &[LocationId], culprit: FrameId) -> bool {
        let Copy { profile, packages, visible, .. } = self;
        let is_seen = |f: FrameId| !visible.hidden[f.index()] && !packages.is_label(profile, f);
        let frames = |l: &LocationId| profile.code().locations[*l].frames();
        visible.folded.get(culprit.index()).is_some_and(|folded| *folded)
            && !stack.iter().enumerate().any(|(i, l)| frames(l).any(|f| (i > 0 || f >= culprit) && is_seen(f)))
    }

    /// Location with only its culprit visible.
    fn kept_culprit(&mut self, location: LocationId, culprit: FrameId) -> Option<LocationId> {
        let Copy { profile, copier, to, mappings, kept, .. } = self;
        let of = &profile.code().locations[location];
        *kept.entry(culprit).or_insert_with(|| copier.location(to, of, place(mappings, of), |f| f == culprit))
    }

    /// Location without the frames inlined into `innermost`.
    fn cut_location(&mut self, location: LocationId, innermost: FrameId) -> Option<LocationId> {
        let Copy { profile, visible, copier, to, mappings, cut, .. } = self;
        let of = &profile.code().locations[location];
        let seen = |f: FrameId| f >= innermost && !visible.hidden[f.index()];
        *cut.entry(innermost).or_insert_with(|| copier.location(to, of, place(mappings, of), seen))
    }

    fn labels(&mut self, row: usize, more: &[(&str, &str)]) -> LabelSetId {
        let cut = &self.view.cut;
        self.copier.labels(&mut self.to, self.profile.samples().labels[row], |key| cut.shows_label(key), more)
    }

    fn divided(&self, values: impl Iterator<Item = i64>) -> Vec<i64> {
        let ratio = 1.0 / self.view.show.divide_by;
        values.map(|value| if ratio == 1.0 { value } else { (value as f64 * ratio) as i64 }).collect()
    }

    /// Finishes the profile, with the base's rows last, like in pprof.
    fn finish(mut self) -> Profile {
        for (stack, labels, values) in self.bases {
            self.to.sample(&stack, labels, &values);
        }
        self.to.build()
    }
}
