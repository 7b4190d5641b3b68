//! Copies code and labels of one profile into the builder of another.

use std::cell::Cell;

use super::frames::{Function, Line, Location, Mapping};
use super::labels::{Label, LabelValue};
use super::{Profile, ProfileBuilder};
use crate::base::id::{FrameId, FunctionId, Id, LabelSetId, LocationId, MappingId, StrId};

/// Copies into a builder, and remembers what became of texts and functions.
pub struct Copier<'a> {
    from: &'a Profile,
    texts: Texts<'a>,
    functions: Vec<FunctionId>,
    /// Number of facts → number in the copy; `None`: they stay.
    facts: Option<Vec<u32>>,
    columns: bool,
}

impl<'a> Copier<'a> {
    /// Copies the functions. O(functions).
    pub fn new(from: &'a Profile, to: &mut ProfileBuilder) -> Self {
        Copier::of_functions(from, to, |_| true)
    }

    /// Copies the functions into a profile that has other facts about names. `facts`: number in `from` → number in `to`; 0
    /// for those that it lacks. O(functions).
    pub(super) fn with_facts(from: &'a Profile, to: &mut ProfileBuilder, facts: Vec<u32>) -> Self {
        Copier::of(from, to, |_| true, Some(facts))
    }

    /// Copies the functions that are `wanted`; others must not be copied with a location. O(functions).
    pub(super) fn of_functions(from: &'a Profile, to: &mut ProfileBuilder, wanted: impl Fn(FunctionId) -> bool) -> Self {
        Copier::of(from, to, wanted, None)
    }

    fn of(from: &'a Profile, to: &mut ProfileBuilder, wanted: impl Fn(FunctionId) -> bool, facts: Option<Vec<u32>>) -> Self {
        let texts = Texts { from, copied: vec![Cell::new(None); from.strings.len()] };
        let functions = from.code.functions.enumerate().map(|(id, f)| {
            if !wanted(id) {
                return FunctionId::default();
            }
            let names = [f.name, f.system_name, f.short_name, f.filename];
            let [name, system_name, short_name, filename] = names.map(|id| texts.copy(to, id));
            to.function(Function { name, system_name, short_name, filename, facts: renumbered(&facts, f.facts), ..*f })
        });
        let functions = functions.collect();
        Copier { from, texts, functions, facts, columns: true }
    }

    /// Leaves source columns out from now on.
    pub fn without_columns(mut self) -> Self {
        self.columns = false;
        self
    }

    /// Copies a text.
    pub(super) fn text(&self, to: &mut ProfileBuilder, id: StrId) -> StrId {
        self.texts.copy(to, id)
    }

    /// Copies a mapping.
    pub fn mapping(&self, to: &mut ProfileBuilder, mapping: &Mapping) -> MappingId {
        let [file, build_id] = [mapping.file, mapping.build_id].map(|id| self.text(to, id));
        to.mapping(Mapping { file, build_id, facts: renumbered(&self.facts, mapping.facts), ..*mapping })
    }

    /// Copies a location to this mapping and address, with those of its frames that
    /// `keep`s; `None` when none is kept.
    pub fn location(
        &self,
        to: &mut ProfileBuilder,
        location: &Location,
        (mapping, address): (Option<MappingId>, u64),
        keep: impl Fn(FrameId) -> bool,
    ) -> Option<LocationId> {
        let frames = location.frames().filter(|f| keep(*f)).map(|f| &self.from.code.frames[f]);
        let line = |f: &super::Frame| Line {
            function: f.function.map(|f| self.functions[f.0 as usize]),
            line: f.line,
            column: if self.columns { f.column } else { 0 },
        };
        let mut lines: Vec<Line> = frames.map(line).collect();
        if lines.is_empty() {
            return None;
        }
        // A location without known frames has no line.
        if let [only] = lines[..]
            && only.function.is_none()
            && only.line == 0
        {
            lines.clear();
        }
        Some(to.location_folded(mapping, address, &lines, location.is_folded))
    }

    /// Copies the labels of a set whose key passes `keep`, sorted by key, followed by the text labels `more`.
    pub fn labels(&self, to: &mut ProfileBuilder, set: LabelSetId, keep: impl Fn(&str) -> bool, more: &[(&str, &str)]) -> LabelSetId {
        let mut labels: Vec<Label> = Vec::new();
        for label in self.from.labels.get(set).iter().filter(|label| keep(self.from.text(label.key))) {
            let value = match label.value {
                LabelValue::Text(text) => LabelValue::Text(self.text(to, text)),
                LabelValue::Number(n, unit) => LabelValue::Number(n, self.text(to, unit)),
            };
            labels.push(Label { key: self.text(to, label.key), value });
        }
        // Writers put the same labels in different orders.
        labels.sort_by(|a, b| to.text(a.key).cmp(to.text(b.key)));
        labels.extend(more.iter().map(|(key, text)| Label { key: to.string(key), value: LabelValue::Text(to.string(text)) }));
        to.label_set(&labels)
    }
}

fn renumbered(facts: &Option<Vec<u32>>, number: u32) -> u32 {
    facts.as_ref().map_or(number, |facts| facts.get(number as usize).copied().unwrap_or(0))
}

/// Copies texts; each is hashed once, however many functions, mappings and labels use it.
struct Texts<'a> {
    from: &'a Profile,
    /// Text → its copy.
    copied: Vec<Cell<Option<StrId>>>,
}

impl Texts<'_> {
    fn copy(&self, to: &mut ProfileBuilder, id: StrId) -> StrId {
        let copied = &self.copied[id.index()];
        let new = copied.get().unwrap_or_else(|| to.string(self.from.text(id)));
        copied.set(Some(new));
        new
    }
}
