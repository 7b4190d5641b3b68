//! A profile as JSON and columns, for the page's own analysis in TypeScript. It goes away together with `web/src/offline/`;
//! what replaces it is [`super::encode`].
//!
//! Texts are told once and named by number. Numbers that grow are told as differences to the
//! one before (`…_step`), addresses as two halves: the page's numbers are exact up to 2⁵³ only.
//! No report is computed here. The readers are `web/src/offline/{data,profile}.ts`.

use std::rc::Rc;

use serde::Serialize;

use super::columns::{Column, Columns};
use super::redact::{PackageRedaction, Redaction, TextKind};
use super::used::Used;
use crate::base::hash::HashMap;
use crate::base::id::{Id, LabelSetId, StrId};
use crate::profile::{LabelValue, Profile};

/// What is asked of the caller for each function: this module knows no demangler and no trimming of paths.
pub struct ReportOptions<'a> {
    /// The name with all its arguments, of a mangled one and what stands beside it.
    pub full_name: &'a dyn Fn(&str) -> String,
    /// The function that a closure of this name stands in.
    pub enclosing: &'a dyn Fn(&str) -> Option<&str>,
    /// A source path as reports print it.
    pub shown_path: &'a dyn Fn(&str) -> String,
    /// Packages and frame → index of its package; and the same where only its source file counts.
    pub packages: [(&'a [Package], &'a [u32]); 2],
    /// Names of allocation wrappers, those with most bytes first.
    pub wrappers: &'a [&'a str],
    /// Type → its short and its full name; the first is of what is unknown. And row → its type.
    pub types: (&'a [[&'a str; 2]], &'a [u32]),
    /// What is to be hidden; `None`: nothing.
    pub redaction: Option<&'a Redaction>,
}

/// Whose code a frame is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Package {
    /// Crate, Go package, library or program.
    pub name: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// What sort of code it is, in words.
    pub kind: &'static str,
    /// Module as code spells it; empty when unknown.
    pub module: String,
    /// Of an allocation wrapper the kind it would have otherwise, in words; empty of all else.
    pub wrapper_of: &'static str,
}

/// The whole, to be written as JSON; its numbers are in [`Columns`].
#[derive(Serialize)]
pub struct ReportData {
    strings: Vec<Rc<str>>,
    default_type: Option<usize>,
    doc_url: u32,
    comments: Vec<u32>,
    mapping: Mappings,
    function: Functions,
    location: Locations,
    frame: Frames,
    package: Packages,
    r#type: Types,
    stack: Stacks,
    /// Label set → its labels: `[key, text]` or `[key, number, unit]`.
    labels: Vec<Vec<Label>>,
    sample: Samples,
}

/// Mapping → …; addresses in hexadecimal.
#[derive(Default, Serialize)]
struct Mappings {
    file: Column,
    build_id: Column,
    start: Vec<String>,
    offset: Vec<String>,
    bias: Vec<Option<String>>,
}

/// Function → texts by number.
#[derive(Default, Serialize)]
struct Functions {
    name: Column,
    full_name: Column,
    /// Of a closure the function that it stands in; of all else empty.
    outer: Column,
    /// As the profile has it: what expressions are matched against.
    file: Column,
    /// As reports print it.
    path: Column,
    start_line: Column,
}

/// Location → …
#[derive(Default, Serialize)]
struct Locations {
    /// 0: in no mapping, else its number + 1.
    mapping: Column,
    high_step: Column,
    low_step: Column,
    first_step: Column,
    n_frames: Column,
}

/// Frame → …
#[derive(Default, Serialize)]
struct Frames {
    location_step: Column,
    /// 0: no name, else the function's number + 1.
    function: Column,
    line: Column,
    column: Column,
    /// Number of the package.
    package: Column,
    /// The same where only the source file counts.
    file_package: Column,
}

/// Package → …
#[derive(Default, Serialize)]
struct Packages {
    name: Column,
    version: Column,
    kind: Column,
    module: Column,
    /// Of an allocation wrapper the kind it would have otherwise.
    wrapper_of: Column,
    /// Names of allocation wrappers, those with most bytes first; not one for each package.
    wrappers: Column,
}

/// Type → …
#[derive(Default, Serialize)]
struct Types {
    name: Column,
    full_name: Column,
}

/// Node of the tree of stacks, in preorder, the root left out → …
#[derive(Default, Serialize)]
struct Stacks {
    /// How many levels its caller lies above the node before: 0 when that is the caller.
    up: Column,
    frame: Column,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Label {
    Text(u32, u32),
    Number(u32, i64, u32),
}

/// Row → …
#[derive(Default, Serialize)]
struct Samples {
    stack_step: Column,
    labels: Column,
    /// Number of the type.
    r#type: Column,
    /// Dump by dump, the value types of each → row → value.
    values: Vec<Column>,
}

/// `profile` as the page reads it; its numbers go to `columns`. O(size).
pub fn report_data(profile: &Profile, telling: &ReportOptions, columns: &mut Columns) -> ReportData {
    let used = &Used::new(profile);
    let mut texts = Texts { profile, telling, columns, number: HashMap::default(), strings: Vec::new(), known: HashMap::default() };
    texts.add(String::new());
    let meta = profile.meta();
    let is_told = telling.redaction.is_none();
    let (package, [of_function, of_file]) = packages(used, &mut texts);
    let page = ReportData {
        strings: Vec::new(),
        default_type: profile.default_value_type(),
        doc_url: if is_told { texts.add(meta.doc_url.clone()) } else { 0 },
        comments: meta.comments.iter().filter(|_| is_told).map(|comment| texts.add(comment.clone())).collect(),
        mapping: mappings(profile, &mut texts),
        function: functions(used, &mut texts),
        labels: labels(profile, &mut texts),
        location: locations(used, texts.columns),
        frame: Frames { package: of_function, file_package: of_file, ..frames(used, texts.columns) },
        package,
        r#type: types(&mut texts),
        stack: stacks(profile, used, texts.columns),
        sample: samples(profile, telling.types.1, texts.columns),
    };
    ReportData { strings: texts.strings, ..page }
}

/// Texts while they get their numbers.
struct Texts<'a> {
    profile: &'a Profile,
    telling: &'a ReportOptions<'a>,
    columns: &'a mut Columns,
    number: HashMap<Rc<str>, u32>,
    strings: Vec<Rc<str>>,
    /// Text of the profile and what it is → its number: labels and mappings may share a long one.
    known: HashMap<(TextKind, StrId), u32>,
}

impl Texts<'_> {
    fn add(&mut self, text: String) -> u32 {
        if let Some(&number) = self.number.get(text.as_str()) {
            return number;
        }
        let number = self.strings.len() as u32;
        let text: Rc<str> = text.into();
        self.strings.push(text.clone());
        self.number.insert(text, number);
        number
    }

    /// A text that may have to be hidden.
    fn said(&mut self, what: TextKind, text: &str) -> u32 {
        let text = self.telling.redaction.map_or_else(|| text.to_owned(), |redaction| redaction.apply(what, text));
        self.add(text)
    }

    /// A text that is told in any case.
    fn of_profile(&mut self, id: StrId) -> u32 {
        self.add(self.profile.text(id).to_owned())
    }

    fn of(&mut self, what: TextKind, id: StrId) -> u32 {
        if let Some(&number) = self.known.get(&(what, id)) {
            return number;
        }
        let number = self.said(what, self.profile.text(id));
        self.known.insert((what, id), number);
        number
    }

    fn column(&mut self, numbers: Vec<u32>) -> Column {
        self.columns.add(numbers.into_iter().map(i64::from))
    }
}

/// A number that does not fit the page's, in hexadecimal.
fn hex(number: u64) -> String {
    format!("{number:x}")
}

fn mappings(profile: &Profile, texts: &mut Texts) -> Mappings {
    let is_told = texts.telling.redaction.is_none();
    let mappings = || profile.code().mappings.iter();
    let file = mappings().map(|mapping| texts.of(TextKind::MappedFile, mapping.file)).collect();
    let build_id = mappings().map(|mapping| if is_told { texts.of_profile(mapping.build_id) } else { 0 }).collect();
    Mappings {
        file: texts.column(file),
        build_id: texts.column(build_id),
        start: mappings().map(|mapping| hex(mapping.start)).collect(),
        offset: mappings().map(|mapping| hex(mapping.offset)).collect(),
        bias: mappings().map(|mapping| mapping.bias.map(hex)).collect(),
    }
}

fn functions(used: &Used, texts: &mut Texts) -> Functions {
    let Texts { profile, telling: &ReportOptions { full_name, enclosing, shown_path, redaction, .. }, .. } = *texts;
    let [mut name, mut full, mut outer, mut file, mut path] = [const { Vec::new() }; 5];
    // Many functions may share a long text: each is looked at once.
    let mut of_name: HashMap<StrId, [u32; 2]> = HashMap::default();
    let mut of_system_name: HashMap<(StrId, StrId), u32> = HashMap::default();
    let mut of_file: HashMap<StrId, [u32; 2]> = HashMap::default();
    for function in used.functions() {
        let [as_shown, around] = *of_name.entry(function.name).or_insert_with(|| {
            let outer = enclosing(profile.text(function.name)).map_or(0, |outer| texts.said(TextKind::Function, outer));
            [texts.of(TextKind::Function, function.name), outer]
        });
        name.push(as_shown);
        outer.push(around);
        // The system name of a function may say what its name does not.
        full.push(match redaction {
            Some(_) => as_shown,
            None => *of_system_name.entry((function.system_name, function.short_name)).or_insert_with(|| {
                match (profile.text(function.system_name), profile.text(function.short_name)) {
                    (name, "") => texts.said(TextKind::Function, &full_name(name)),
                    (name, short) => texts.said(TextKind::Function, &full_name(&format!("{name} {short}"))),
                }
            }),
        });
        let [as_read, as_printed] = *of_file.entry(function.filename).or_insert_with(|| {
            let as_read = profile.text(function.filename);
            [as_read, &shown_path(as_read)].map(|path| texts.said(TextKind::SourceFile, path))
        });
        file.push(as_read);
        path.push(as_printed);
    }
    Functions {
        name: texts.column(name),
        full_name: texts.column(full),
        outer: texts.column(outer),
        file: texts.column(file),
        path: texts.column(path),
        start_line: texts.columns.add(used.functions().map(|function| function.start_line)),
    }
}

/// Each package once, and its number for each frame.
fn packages(used: &Used, texts: &mut Texts) -> (Packages, [Column; 2]) {
    let [mut name, mut version, mut kind, mut module, mut wrapper_of] = [const { Vec::new() }; 5];
    let mut known: HashMap<&Package, u32> = HashMap::default();
    let told = texts.telling.redaction.map(|redaction| PackageRedaction::new(redaction, texts.profile, used));
    let numbers = texts.telling.packages.map(|(packages, of_frame)| {
        let mut number = |package| {
            let next = known.len() as u32;
            *known.entry(package).or_insert_with(|| {
                let package: &Package = package;
                let of_name = |text: &str| told.as_ref().map_or_else(|| text.to_owned(), |told| told.name(text));
                let of_version = told.as_ref().map_or(&*package.version, |told| told.version(&package.name, &package.version));
                name.push(texts.add(of_name(&package.name)));
                version.push(texts.add(of_version.to_owned()));
                kind.push(texts.add(package.kind.to_owned()));
                module.push(texts.add(of_name(&package.module)));
                wrapper_of.push(texts.add(package.wrapper_of.to_owned()));
                next
            })
        };
        // Index of a package → its number, when it has one.
        let mut numbers: Vec<Option<u32>> = vec![None; packages.len()];
        let of_frame = used.frames().filter_map(|(frame, _)| of_frame.get(frame.index()).map(|&index| index as usize));
        let column = of_frame.filter_map(|index| {
            let package = packages.get(index)?;
            Some(*numbers[index].get_or_insert_with(|| number(package)))
        });
        let column = column.collect();
        texts.column(column)
    });
    let wrappers = texts.telling.wrappers.iter().map(|name| texts.said(TextKind::Function, name)).collect();
    let columns = [name, version, kind, module, wrapper_of, wrappers].map(|numbers| texts.column(numbers));
    let [name, version, kind, module, wrapper_of, wrappers] = columns;
    (Packages { name, version, kind, module, wrapper_of, wrappers }, numbers)
}

fn types(texts: &mut Texts) -> Types {
    let of = |texts: &mut Texts, form: usize| {
        let numbers = texts.telling.types.0.iter().map(|names| texts.said(TextKind::Function, names[form])).collect();
        texts.column(numbers)
    };
    Types { name: of(texts, 0), full_name: of(texts, 1) }
}

fn locations(used: &Used, columns: &mut Columns) -> Locations {
    let locations = || used.locations();
    let first = locations().scan(0, |next, location| Some(std::mem::replace(next, *next + i64::from(location.n_frames))));
    Locations {
        mapping: columns.add(locations().map(|location| location.mapping.map_or(0, |m| m.index() as i64 + 1))),
        high_step: columns.add_steps(locations().map(|location| (location.address >> 32) as i64)),
        low_step: columns.add_steps(locations().map(|location| i64::from(location.address as u32))),
        first_step: columns.add_steps(first),
        n_frames: columns.add(locations().map(|location| i64::from(location.n_frames))),
    }
}

/// All but their packages.
fn frames(used: &Used, columns: &mut Columns) -> Frames {
    let frames = || used.frames().map(|(_, frame)| frame);
    Frames {
        location_step: columns.add_steps(frames().map(|frame| used.location(frame.location))),
        function: columns.add(frames().map(|frame| frame.function.map_or(0, |f| used.function(f) + 1))),
        line: columns.add(frames().map(|frame| frame.line)),
        column: columns.add(frames().map(|frame| frame.column)),
        ..Frames::default()
    }
}

fn stacks(profile: &Profile, used: &Used, columns: &mut Columns) -> Stacks {
    let tree = profile.stacks();
    let nodes = || tree.parent.ids().skip(1);
    let frame_of = used.frame_of();
    let frame = columns.add(nodes().map(|node| i64::from(frame_of[tree.frame[node].index()])));
    let mut depth = vec![0u32; tree.len()];
    let up = columns.add(nodes().map(|node| {
        let i = node.index();
        depth[i] = depth[tree.parent[node].index()] + 1;
        i64::from(depth[i - 1] + 1 - depth[i])
    }));
    Stacks { up, frame }
}

fn labels(profile: &Profile, texts: &mut Texts) -> Vec<Vec<Label>> {
    let sets = profile.labels();
    (0..sets.len())
        .map(|set| {
            let set = sets.get(LabelSetId::new(set)).iter();
            set.map(|label| {
                let key = texts.of(TextKind::LabelKey, label.key);
                match label.value {
                    LabelValue::Text(text) => Label::Text(key, texts.of(TextKind::LabelText, text)),
                    LabelValue::Number(number, unit) => {
                        let redaction = texts.telling.redaction;
                        let number = redaction.map_or(number, |redaction| redaction.number(profile.text(label.key), number));
                        Label::Number(key, number, texts.of(TextKind::Unit, unit))
                    }
                }
            })
            .collect()
        })
        .collect()
}

fn samples(profile: &Profile, types: &[u32], columns: &mut Columns) -> Samples {
    let rows = profile.samples();
    Samples {
        stack_step: columns.add_steps(rows.stack.iter().map(|stack| i64::from(stack.0))),
        labels: columns.add(rows.labels.iter().map(|set| i64::from(set.0))),
        r#type: columns.add(types.iter().map(|&of| i64::from(of))),
        values: profile.columns().iter().map(|values| columns.add(values.iter())).collect(),
    }
}
