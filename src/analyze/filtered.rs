//! A view's filters applied to a whole profile, for what prints or writes profiles.

use super::ground::{Ground, GroundKey};
use super::one_dump;
use super::shape::{Shape, ShapeKey, Visibility};
use super::weigh::{Weights, net};
use crate::id::{FrameId, LocationId, MappingId};
use crate::profile::{Copier, Location, Profile, ProfileBuilder};
use crate::query::{QueryError, View};

/// A profile as a view shows it.
pub struct Filtered {
    /// It.
    pub profile: Profile,
    /// Expressions that matched nothing, in words.
    pub warnings: Vec<String>,
}

/// The profile that `view` shows: one dump (value less base) of every value type, with
/// the samples and frames that its filters keep. With a diff base, the base's samples
/// stay apart under the label `pprof::base=true`. O(size).
pub fn filtered(profile: &Profile, view: &View) -> Result<Filtered, QueryError> {
    let ground = GroundKey::of(view).map(|key| Ground::new(profile, &key));
    let profile = ground.as_ref().map_or(profile, |g| &g.profile);
    let key = ShapeKey::of(view);
    let shape = Shape::new(profile, &key);
    let weights: Vec<Weights> = (0..profile.value_types().len())
        .map(|i| {
            let mut of_type = view.clone();
            of_type.weight.sample_index = i.to_string();
            of_type.weight.mean = false;
            Weights::new(profile, &shape, &of_type)
        })
        .collect::<Result<_, QueryError>>()?;
    let visible = Visibility::new(profile, &key.spec);
    let mut to = ProfileBuilder::with_dumps(profile.value_types().to_vec(), vec![one_dump(profile)]);
    *to.meta() = profile.meta().clone();
    let copier = Copier::new(profile, &mut to);
    let code = profile.code();
    let mappings: Vec<MappingId> = code.mappings.iter().map(|m| copier.mapping(&mut to, m)).collect();
    let place = |l: &Location| (l.mapping.map(|m| mappings[m.0 as usize]), l.address);
    let seen = |f: FrameId| !visible.hidden[f.0 as usize];
    let locations: Vec<Option<LocationId>> = code.locations.iter().map(|l| copier.location(&mut to, l, place(l), seen)).collect();
    let mut stack = Vec::new();
    let shows_label = |key: &str| view.cut.shows_label(key);
    let split = view.weight.diff_base.is_some();
    for row in 0..profile.samples().len() {
        let values: Vec<[i64; 2]> = weights.iter().map(|w| w.row[row]).collect();
        if !weights.first().is_some_and(|w| w.passes[row]) {
            continue;
        }
        stack.clear();
        stack.extend(profile.locations(profile.samples().stack[row]));
        if let Some(begins) = &visible.begins {
            let start = stack.iter().rposition(|l| begins[l.0 as usize]).map_or(0, |i| i + 1);
            stack.truncate(start);
        }
        if let Some(ends) = &visible.ends
            && let Some(end) = stack.iter().position(|l| ends[l.0 as usize])
        {
            stack.drain(..end);
        }
        let stack: Vec<LocationId> = stack.iter().filter_map(|l| locations[l.0 as usize]).collect();
        let labels = copier.labels(&mut to, profile.samples().labels[row], shows_label, &[]);
        let column = |of: fn(&[i64; 2]) -> i64| values.iter().map(of).collect::<Vec<_>>();
        if split {
            let base = copier.labels(&mut to, profile.samples().labels[row], shows_label, &[("pprof::base", "true")]);
            for (labels, values) in [(labels, column(|v| v[0])), (base, column(|v| v[1].saturating_neg()))] {
                if values.iter().any(|&v| v != 0) {
                    to.sample(&stack, labels, &values);
                }
            }
        } else {
            to.sample(&stack, labels, &column(|v| net(*v)));
        }
    }
    let mut warnings = ground.as_ref().map_or(Vec::new(), |g| g.warnings.clone());
    warnings.extend(shape.warnings);
    warnings.extend(weights.into_iter().next().map_or(Vec::new(), |w| w.warnings));
    Ok(Filtered { profile: to.build(), warnings })
}
