//! A profile to bytes.

use std::collections::BTreeSet;

use super::header::{About, Attachment, Header, MAGIC, VERSION};
use super::moments::left_out;
use super::numbers::Writer;
use super::redact::{PackageRedaction, Redaction, TextKind};
use super::used::Used;
use crate::base::hash::HashMap;
use crate::base::id::{FunctionId, Id, LabelSetId, StrId};
use crate::base::kind::PackageKind;
use crate::profile::{Column, LabelValue, Mapping, NameFacts, Profile, RecordedNames, Recording, Strings};

/// `profile` and what is known beside it as bytes. `redaction`: what is hidden, which also leaves out attachments. O(size).
pub fn encode(
    profile: &Profile,
    recording: &Recording,
    about: &About,
    attachments: &[Attachment],
    redaction: Option<&Redaction>,
) -> Vec<u8> {
    let used = &Used::new(profile);
    let packages = redaction.map(|redaction| PackageRedaction::new(redaction, profile, used));
    let mut header = Header::new(profile, about, redaction);
    header.types_warning.clone_from(&recording.names.warning);
    let code = UsedCode::new(profile, used, recording);
    let mut texts = Texts { profile, redaction, number: HashMap::default(), strings: Vec::new(), known: HashMap::default() };
    texts.add(String::new());
    // Texts come first in the bytes, and are known last.
    let mut tables = Writer::new(Vec::new());
    write_names(&recording.names, &code, packages.as_ref(), &mut texts, &mut tables);
    write_mappings(profile, &code, &mut texts, &mut tables);
    write_functions(profile, &code, &mut texts, &mut tables);
    write_locations(used, &code, &mut tables);
    write_stacks(profile, used, &mut tables);
    write_labels(profile, &mut texts, &mut tables);
    write_rows(profile, &mut tables);
    let attachments = if redaction.is_some() { &[] } else { attachments };
    tables.length(attachments.len());
    for Attachment { name, bytes } in attachments {
        tables.blob(name.as_bytes());
        tables.blob(bytes);
    }
    let tables = tables.finish();

    let mut out = Writer::new([&MAGIC[..], &[VERSION]].concat());
    // Numbers, texts and lists have a form in JSON, whatever they are.
    out.blob(&serde_json::to_vec(&header).unwrap_or_default());
    out.column(texts.strings.iter().map(|text| text.len() as i64));
    out.blob(texts.strings.concat().as_bytes());
    let mut out = out.finish();
    out.extend_from_slice(&tables);
    out
}

/// Texts while they get their numbers.
struct Texts<'a> {
    profile: &'a Profile,
    redaction: Option<&'a Redaction>,
    number: HashMap<String, u32>,
    strings: Vec<String>,
    /// Text of the profile and what it is → its number: labels and mappings may share a long one.
    known: HashMap<(TextKind, StrId), u32>,
}

impl Texts<'_> {
    fn add(&mut self, text: String) -> i64 {
        if let Some(&number) = self.number.get(&text) {
            return i64::from(number);
        }
        let number = self.strings.len() as u32;
        self.strings.push(text.clone());
        self.number.insert(text, number);
        i64::from(number)
    }

    /// A text that may have to be hidden.
    fn hidden(&mut self, what: TextKind, text: &str) -> i64 {
        let text = self.redaction.map_or_else(|| text.to_owned(), |redaction| redaction.apply(what, text));
        self.add(text)
    }

    fn of(&mut self, what: TextKind, id: StrId) -> i64 {
        if let Some(&number) = self.known.get(&(what, id)) {
            return i64::from(number);
        }
        let number = self.hidden(what, self.profile.text(id));
        self.known.insert((what, id), number as u32);
        number
    }

    /// A text that is left out where anything is hidden.
    fn unless_redacted(&mut self, id: StrId) -> i64 {
        if self.redaction.is_some() { 0 } else { self.add(self.profile.text(id).to_owned()) }
    }
}

/// What stacks run through, by the numbers that it gets. A function has as many entries as its names have different facts,
/// which depend on the mapped file, too.
struct UsedCode {
    functions: Vec<(FunctionId, u32)>,
    function: HashMap<(FunctionId, u32), i64>,
    /// Number of facts → the number that they get; 0 for those that nothing names.
    facts: Vec<u32>,
    /// The facts that are kept, in order.
    kept_facts: Vec<NameFacts>,
    /// `MappingId` → number of facts of code without a name in it.
    of_mapping: Vec<u32>,
    /// `FrameId` → number of its facts, before it is changed.
    of_frame: Vec<u32>,
}

impl UsedCode {
    /// O(frames log functions).
    fn new(profile: &Profile, used: &Used, recording: &Recording) -> Self {
        let facts_of = |frame: usize| recording.of_frame.get(frame).copied().filter(|number| recording.names.get(*number).is_some());
        let of_frame: Vec<u32> = (0..profile.code().frames.len()).map(|frame| facts_of(frame).unwrap_or(0)).collect();
        let mut functions = BTreeSet::new();
        let mut of_mapping = vec![0; profile.code().mappings.len()];
        let mut facts = vec![0; recording.names.facts.len() + 1];
        for (id, frame) in used.frames() {
            let number = of_frame[id.index()];
            facts[number as usize] = 1;
            match (frame.function, profile.mapping_of(frame.location)) {
                (Some(function), _) => drop(functions.insert((function, number))),
                (None, Some((mapping, _))) => of_mapping[mapping.index()] = number,
                (None, None) => {}
            }
        }
        let mut kept_facts = Vec::new();
        facts[0] = 0;
        for number in (1..facts.len()).filter(|number| facts[*number] != 0).collect::<Vec<_>>() {
            kept_facts.extend(recording.names.get(number as u32));
            facts[number] = kept_facts.len() as u32;
        }
        let functions: Vec<(FunctionId, u32)> = functions.into_iter().collect();
        let function = functions.iter().copied().zip(0..).collect();
        UsedCode { functions, function, facts, kept_facts, of_mapping, of_frame }
    }

    fn new_facts(&self, number: u32) -> i64 {
        i64::from(self.facts[number as usize])
    }
}

/// Kinds of packages, by the number that stands for them.
pub(super) const KINDS: [PackageKind; 6] =
    [PackageKind::Unknown, PackageKind::Allocator, PackageKind::Runtime, PackageKind::Plumbing, PackageKind::ThirdParty, PackageKind::Own];

/// Packages, containers and facts that are used.
fn write_names(names: &RecordedNames, code: &UsedCode, redaction: Option<&PackageRedaction>, texts: &mut Texts, out: &mut Writer) {
    let packages = Kept::new(names.packages.len(), code.kept_facts.iter().flat_map(|facts| [facts.package, facts.package_of_file]));
    let name_of = |name: &str| redaction.map_or_else(|| name.to_owned(), |redaction| redaction.name(name));
    let [mut name, mut version, mut kind, mut module] = [const { Vec::new() }; 4];
    for package in packages.of(&names.packages) {
        name.push(texts.add(name_of(&package.name)));
        let shown = redaction.map_or(&*package.version, |redaction| redaction.version(&package.name, &package.version));
        version.push(texts.add(shown.to_owned()));
        kind.push(KINDS.iter().position(|kind| *kind == package.kind).unwrap_or(0) as i64);
        module.push(texts.add(name_of(&package.module)));
    }
    [name, version, kind, module].into_iter().for_each(|column| out.column(column));

    let containers = Kept::new(names.containers.len(), code.kept_facts.iter().filter_map(|facts| facts.container.checked_sub(1)));
    let [mut rule, mut text, mut n_args, mut args] = [const { Vec::new() }; 4];
    for container in containers.of(&names.containers) {
        rule.push(texts.add(container.rule.clone()));
        text.push(texts.hidden(TextKind::Function, &container.text));
        n_args.push(container.args.as_ref().map_or(0, |args| args.len() as i64 + 1));
        args.extend(container.args.iter().flatten().map(|arg| texts.hidden(TextKind::Function, arg)));
    }
    [rule, text, n_args, args].into_iter().for_each(|column| out.column(column));

    let facts = || code.kept_facts.iter();
    out.column(facts().map(|facts| packages.number(facts.package)));
    out.column(facts().map(|facts| packages.number(facts.package_of_file)));
    out.column(facts().map(|facts| facts.container.checked_sub(1).map_or(0, |at| containers.number(at) + 1)));
    out.column(facts().map(|facts| i64::from(facts.flags.0)));
}

/// Rows of a table that are kept: old number → new one.
struct Kept {
    kept: Vec<usize>,
    number: Vec<i64>,
}

impl Kept {
    fn new(n: usize, used: impl Iterator<Item = u32>) -> Self {
        let mut number = vec![-1; n];
        for at in used {
            if let Some(number) = number.get_mut(at as usize) {
                *number = 0;
            }
        }
        let kept: Vec<usize> = (0..n).filter(|at| number[*at] == 0).collect();
        kept.iter().zip(0..).for_each(|(at, new)| number[*at] = new);
        Kept { kept, number }
    }

    fn of<'t, T>(&self, table: &'t [T]) -> impl Iterator<Item = &'t T> {
        self.kept.iter().map(|at| &table[*at])
    }

    fn number(&self, at: u32) -> i64 {
        self.number.get(at as usize).copied().unwrap_or(0)
    }
}

/// Statements about a mapping, a bit each.
pub(super) fn mapping_flags(mapping: &mut Mapping) -> [&mut bool; 5] {
    [
        &mut mapping.is_deleted,
        &mut mapping.has_functions,
        &mut mapping.has_filenames,
        &mut mapping.has_line_numbers,
        &mut mapping.has_inline_frames,
    ]
}

fn write_mappings(profile: &Profile, code: &UsedCode, texts: &mut Texts, out: &mut Writer) {
    let mappings = || profile.code().mappings.iter();
    out.column(mappings().map(|mapping| texts.of(TextKind::MappedFile, mapping.file)));
    out.column(mappings().map(|mapping| texts.unless_redacted(mapping.build_id)));
    out.steps(mappings().map(|mapping| mapping.start as i64));
    out.column(mappings().map(|mapping| mapping.limit.wrapping_sub(mapping.start) as i64));
    out.column(mappings().map(|mapping| mapping.offset as i64));
    out.column(mappings().map(|mapping| i64::from(mapping.bias.is_some())));
    out.column(mappings().map(|mapping| mapping.bias.unwrap_or(0) as i64));
    out.column(mappings().map(|mapping| {
        let mut mapping = *mapping;
        mapping_flags(&mut mapping).iter().zip(0..).fold(0, |flags, (flag, bit)| flags | i64::from(**flag) << bit)
    }));
    out.column(code.of_mapping.iter().map(|number| code.new_facts(*number)));
}

fn write_functions(profile: &Profile, code: &UsedCode, texts: &mut Texts, out: &mut Writer) {
    let functions = || code.functions.iter().map(|(function, _)| &profile.code().functions[*function]);
    out.column(functions().map(|function| texts.of(TextKind::Function, function.name)));
    // The mangled name of a function may say what its name does not.
    out.column(functions().map(|function| match function.system_name {
        mangled if texts.redaction.is_some() && mangled != Strings::EMPTY => texts.of(TextKind::Function, function.name),
        mangled => texts.unless_redacted(mangled),
    }));
    out.column(functions().map(|function| texts.unless_redacted(function.short_name)));
    out.column(functions().map(|function| texts.of(TextKind::SourceFile, function.filename)));
    out.column(functions().map(|function| function.start_line));
    out.column(code.functions.iter().map(|(_, number)| code.new_facts(*number)));
}

/// Locations, and their frames, location by location.
fn write_locations(used: &Used, code: &UsedCode, out: &mut Writer) {
    let locations = || used.locations();
    out.column(locations().map(|location| location.mapping.map_or(0, |mapping| mapping.index() as i64 + 1)));
    out.steps(locations().map(|location| location.address as i64));
    out.column(locations().map(|location| i64::from(location.is_folded)));
    out.column(locations().map(|location| i64::from(location.n_frames)));
    let function = |id: FunctionId, number: u32| code.function.get(&(id, number)).map_or(0, |function| function + 1);
    out.column(used.frames().map(|(id, frame)| frame.function.map_or(0, |f| function(f, code.of_frame[id.index()]))));
    out.column(used.frames().map(|(_, frame)| frame.line));
    out.column(used.frames().map(|(_, frame)| frame.column));
}

fn write_stacks(profile: &Profile, used: &Used, out: &mut Writer) {
    let tree = profile.stacks();
    let nodes = || tree.parent.ids().skip(1);
    let frame_of = used.frame_of();
    let mut depth = vec![0u32; tree.len()];
    out.column(nodes().map(|node| {
        let i = node.index();
        depth[i] = depth[tree.parent[node].index()] + 1;
        i64::from(depth[i - 1] + 1 - depth[i])
    }));
    out.column(nodes().map(|node| i64::from(frame_of[tree.frame[node].index()])));
}

fn write_labels(profile: &Profile, texts: &mut Texts, out: &mut Writer) {
    let sets = || (1..profile.labels().len()).map(|set| profile.labels().get(LabelSetId::new(set)));
    out.column(sets().map(|set| set.len() as i64));
    let [mut key, mut is_number, mut value, mut unit] = [const { Vec::new() }; 4];
    for label in sets().flatten() {
        key.push(texts.of(TextKind::LabelKey, label.key));
        is_number.push(i64::from(matches!(label.value, LabelValue::Number(..))));
        let (of_value, of_unit) = match label.value {
            LabelValue::Text(text) => (texts.of(TextKind::LabelText, text), 0),
            LabelValue::Number(number, unit) => {
                let hidden = texts.redaction.map_or(number, |redaction| redaction.number(profile.text(label.key), number));
                (hidden, texts.of(TextKind::Unit, unit))
            }
        };
        value.push(of_value);
        unit.push(of_unit);
    }
    [key, is_number, value, unit].into_iter().for_each(|column| out.column(column));
}

fn write_rows(profile: &Profile, out: &mut Writer) {
    let rows = profile.samples();
    out.steps(rows.stack.iter().map(|stack| i64::from(stack.0)));
    out.column(rows.labels.iter().map(|set| i64::from(set.0)));
    let left_out = left_out(profile.dumps());
    for column in profile.columns() {
        match left_out[column.dump.index()] {
            true => write_pairs(&[], out),
            false => write_values(column, out),
        }
    }
}

/// A column of values: all of them, or rows and values where most are zero.
fn write_values(column: &Column, out: &mut Writer) {
    let pairs: Vec<(usize, i64)> = column.nonzero().collect();
    if pairs.len() * 2 < column.len() {
        write_pairs(&pairs, out);
    } else {
        out.length(0);
        out.column(column.iter());
    }
}

/// A sparse column: rows and values.
fn write_pairs(pairs: &[(usize, i64)], out: &mut Writer) {
    out.length(1);
    out.steps(pairs.iter().map(|(row, _)| *row as i64));
    out.column(pairs.iter().map(|(_, value)| *value));
}
