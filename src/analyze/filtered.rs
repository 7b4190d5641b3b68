//! A view's filters applied to a whole profile, for what prints or writes profiles.

use super::shape::{Shape, ShapeKey, Visibility};
use super::weigh::{Weights, cancelled, net};
use crate::id::{FunctionId, LabelSetId, LocationId, MappingId, StrId};
use crate::profile::{Function, Label, LabelValue, Line, Mapping, Profile, ProfileBuilder};
use crate::query::{QueryError, View};

/// The profile that `view` shows: one dump (value less base) of every value type, with
/// the samples and frames that its filters keep. With a diff base, the base's samples
/// stay apart under the label `pprof::base=true`. O(size).
pub fn filtered(profile: &Profile, view: &View) -> Result<Profile, QueryError> {
    let key = ShapeKey::of(view);
    let shape = Shape::new(profile, &key);
    let weights: Vec<Weights> = (0..profile.value_types().len())
        .map(|i| {
            let mut of_type = view.clone();
            of_type.weight.sample_index = i.to_string();
            Weights::new(profile, &shape, &of_type)
        })
        .collect::<Result<_, QueryError>>()?;
    let cancelled = cancelled(profile, &view.weight)?;
    let visible = Visibility::new(profile, &key.spec);
    let mut copy = Copy::new(profile, &visible);
    let mut stack = Vec::new();
    let split = view.weight.diff_base.is_some();
    for row in 0..profile.samples().len() {
        let values: Vec<[i64; 2]> = weights.iter().map(|w| w.row[row]).collect();
        if !weights.first().is_some_and(|w| w.passes[row]) || cancelled[row] {
            continue;
        }
        stack.clear();
        stack.extend(profile.locations(profile.samples().stack[row]));
        if let Some(begins) = &visible.begins {
            let start = stack.iter().rposition(|l| begins[l.0 as usize]).map_or(0, |i| i + 1);
            stack.truncate(start);
        }
        let stack: Vec<LocationId> = stack.iter().filter_map(|l| copy.locations[l.0 as usize]).collect();
        let labels = profile.samples().labels[row];
        let sets = [copy.labels(labels, false), if split { copy.labels(labels, true) } else { LabelSetId(0) }];
        match split {
            false => copy.to.sample(&stack, sets[0], &values.iter().map(|v| net(*v)).collect::<Vec<_>>()),
            true => {
                copy.to.sample(&stack, sets[0], &values.iter().map(|v| v[0]).collect::<Vec<_>>());
                copy.to.sample(&stack, sets[1], &values.iter().map(|v| v[1].saturating_neg()).collect::<Vec<_>>());
            }
        }
    }
    Ok(copy.to.build())
}

/// The code of one profile in another, without hidden frames.
struct Copy<'a> {
    from: &'a Profile,
    to: ProfileBuilder,
    /// `LocationId` → its copy; `None`: nothing of it is visible.
    locations: Vec<Option<LocationId>>,
}

impl<'a> Copy<'a> {
    fn new(from: &'a Profile, visible: &Visibility) -> Self {
        let shown = from.dumps().iter().filter(|d| !d.is_base).cloned();
        let mut dump = shown.reduce(|a, b| crate::profile::Dump { duration_nanos: a.duration_nanos.saturating_add(b.duration_nanos), ..b });
        if let Some(dump) = &mut dump {
            dump.is_base = false;
        }
        let mut to = ProfileBuilder::with_dumps(from.value_types().to_vec(), vec![dump.unwrap_or_default()]);
        *to.meta() = from.meta().clone();
        let text = |to: &mut ProfileBuilder, id: StrId| to.string(from.text(id));
        let code = from.code();
        let mappings: Vec<MappingId> = code
            .mappings
            .iter()
            .map(|m| {
                let (file, build_id) = (text(&mut to, m.file), text(&mut to, m.build_id));
                to.mapping(Mapping { file, build_id, ..*m })
            })
            .collect();
        let functions: Vec<FunctionId> = code
            .functions
            .iter()
            .map(|f| {
                let [name, system_name, filename] = [f.name, f.system_name, f.filename].map(|id| text(&mut to, id));
                to.function(Function { name, system_name, filename, ..*f })
            })
            .collect();
        let mut lines = Vec::new();
        let locations = code
            .locations
            .iter()
            .map(|l| {
                lines.clear();
                for frame in l.frames().filter(|f| !visible.hidden[f.0 as usize]) {
                    let f = &code.frames[frame];
                    lines.push(Line { function: f.function.map(|f| functions[f.0 as usize]), line: f.line, column: f.column });
                }
                let unnamed = matches!(lines[..], [Line { function: None, line: 0, .. }]);
                let gone = lines.is_empty();
                if unnamed {
                    lines.clear();
                }
                (!gone).then(|| to.location_folded(l.mapping.map(|m| mappings[m.0 as usize]), l.address, &lines, l.is_folded))
            })
            .collect();
        Copy { from, to, locations }
    }

    fn labels(&mut self, set: LabelSetId, base: bool) -> LabelSetId {
        let mut labels: Vec<Label> = Vec::new();
        for label in self.from.labels().get(set) {
            let key = self.to.string(self.from.text(label.key));
            let value = match label.value {
                LabelValue::Text(t) => LabelValue::Text(self.to.string(self.from.text(t))),
                LabelValue::Number(n, unit) => LabelValue::Number(n, self.to.string(self.from.text(unit))),
            };
            labels.push(Label { key, value });
        }
        if base {
            let (key, yes) = (self.to.string("pprof::base"), self.to.string("true"));
            labels.push(Label { key, value: LabelValue::Text(yes) });
        }
        self.to.label_set(&labels)
    }
}
