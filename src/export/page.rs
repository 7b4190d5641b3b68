//! A profile as columns of JSON, for a page that has no server to ask: all that reports are
//! made from, and nothing that no report shows.
//!
//! Texts are told once and named by number. Numbers that grow are told as differences to the
//! one before (`…_step`), addresses as two halves: JSON's numbers are exact up to 2⁵³ only.
//! No report is computed here. The reader is `web/src/offline/data.ts`.

mod redact;

pub use redact::{Redaction, RuleError, Said};

use std::io::{self, Write};

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::id::{Id, LabelSetId, StrId};
use crate::profile::{LabelValue, Profile};

/// What is asked of the caller for each function: this module knows no demangler and no trimming of paths.
pub struct Telling<'a> {
    /// The name with all its arguments, of a mangled one and what stands beside it.
    pub full_name: &'a dyn Fn(&str) -> String,
    /// A source path as reports print it.
    pub shown_path: &'a dyn Fn(&str) -> String,
    /// Frame → package, version and kind of its code; and the same where only its source file counts.
    pub packages: [&'a [Package]; 2],
    /// What is to be hidden; `None`: nothing.
    pub redaction: Option<&'a Redaction>,
}

/// Name, version and kind of a package.
pub type Package = (String, String, String);

/// The whole, as it is written.
#[derive(Serialize)]
struct Page {
    strings: Vec<String>,
    default_type: Option<usize>,
    doc_url: u32,
    comments: Vec<u32>,
    mapping: Mappings,
    function: Functions,
    location: Locations,
    frame: Frames,
    package: Packages,
    stack: Stacks,
    /// Label set → its labels: `[key, text]` or `[key, number, unit]`.
    labels: Vec<Vec<Label>>,
    sample: Samples,
}

/// Mapping → …; addresses in hexadecimal.
#[derive(Default, Serialize)]
struct Mappings {
    file: Vec<u32>,
    build_id: Vec<u32>,
    start: Vec<String>,
    offset: Vec<String>,
    bias: Vec<Option<String>>,
}

/// Function → texts by number.
#[derive(Default, Serialize)]
struct Functions {
    name: Vec<u32>,
    full_name: Vec<u32>,
    /// As the profile has it: what expressions are matched against.
    file: Vec<u32>,
    /// As reports print it.
    path: Vec<u32>,
    start_line: Vec<i64>,
}

/// Location → …
#[derive(Default, Serialize)]
struct Locations {
    /// 0: in no mapping, else its number + 1.
    mapping: Vec<usize>,
    high: Vec<u32>,
    low: Vec<u32>,
    first_step: Vec<i64>,
    n_frames: Vec<u32>,
}

/// Frame → …
#[derive(Default, Serialize)]
struct Frames {
    location_step: Vec<i64>,
    /// 0: no name, else the function's number + 1.
    function: Vec<usize>,
    line: Vec<i64>,
    column: Vec<i64>,
    inlined: Vec<u8>,
    /// Number of the package.
    package: Vec<u32>,
    /// The same where only the source file counts.
    file_package: Vec<u32>,
}

/// Package → …
#[derive(Default, Serialize)]
struct Packages {
    name: Vec<u32>,
    version: Vec<u32>,
    kind: Vec<u32>,
}

/// Node of the tree of stacks, in preorder, the root left out → …
#[derive(Default, Serialize)]
struct Stacks {
    /// How many levels its caller lies above the node before: 0 when that is the caller.
    up: Vec<u32>,
    frame: Vec<u32>,
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
    stack_step: Vec<i64>,
    labels: Vec<u32>,
    /// Dump by dump, the value types of each → row → value.
    values: Vec<Vec<i64>>,
}

/// Writes `profile` as one JSON object. O(size).
///
/// # Errors
/// Those of `out`.
pub fn write_page(profile: &Profile, telling: &Telling, out: &mut dyn Write) -> io::Result<()> {
    let mut texts = Texts { profile, telling, number: FxHashMap::default(), strings: Vec::new() };
    texts.add(String::new());
    let meta = profile.meta();
    let is_told = telling.redaction.is_none();
    let (package, [of_function, of_file]) = packages(&mut texts);
    let mut page = Page {
        strings: Vec::new(),
        default_type: profile.default_value_type(),
        doc_url: if is_told { texts.add(meta.doc_url.clone()) } else { 0 },
        comments: meta.comments.iter().filter(|_| is_told).map(|comment| texts.add(comment.clone())).collect(),
        mapping: mappings(profile, &mut texts),
        function: functions(profile, &mut texts),
        location: locations(profile),
        frame: Frames { package: of_function, file_package: of_file, ..frames(profile) },
        package,
        stack: stacks(profile),
        labels: labels(profile, &mut texts),
        sample: samples(profile),
    };
    page.strings = texts.strings;
    serde_json::to_writer(out, &page).map_err(io::Error::from)
}

/// Texts while they get their numbers.
struct Texts<'a> {
    profile: &'a Profile,
    telling: &'a Telling<'a>,
    number: FxHashMap<String, u32>,
    strings: Vec<String>,
}

impl Texts<'_> {
    fn add(&mut self, text: String) -> u32 {
        if let Some(&number) = self.number.get(&text) {
            return number;
        }
        let number = self.strings.len() as u32;
        self.strings.push(text.clone());
        self.number.insert(text, number);
        number
    }

    /// A text that may have to be hidden.
    fn said(&mut self, what: Said, text: &str) -> u32 {
        let text = self.telling.redaction.map_or_else(|| text.to_owned(), |redaction| redaction.apply(what, text));
        self.add(text)
    }

    fn of(&mut self, what: Said, id: StrId) -> u32 {
        self.said(what, self.profile.text(id))
    }
}

fn hex(number: u64) -> String {
    format!("{number:x}")
}

fn mappings(profile: &Profile, texts: &mut Texts) -> Mappings {
    let mut told = Mappings::default();
    for mapping in profile.code().mappings.iter() {
        told.file.push(texts.of(Said::MappedFile, mapping.file));
        let is_told = texts.telling.redaction.is_none();
        told.build_id.push(if is_told { texts.of(Said::Other, mapping.build_id) } else { 0 });
        told.start.push(hex(mapping.start));
        told.offset.push(hex(mapping.offset));
        told.bias.push(mapping.bias.map(hex));
    }
    told
}

fn functions(profile: &Profile, texts: &mut Texts) -> Functions {
    let mut told = Functions::default();
    let Telling { full_name, shown_path, .. } = *texts.telling;
    for function in profile.code().functions.iter() {
        let full = match (profile.text(function.system_name), profile.text(function.short_name)) {
            (name, "") => full_name(name),
            (name, short) => full_name(&format!("{name} {short}")),
        };
        told.name.push(texts.of(Said::Function, function.name));
        told.full_name.push(texts.said(Said::Function, &full));
        let file = profile.text(function.filename);
        told.file.push(texts.said(Said::SourceFile, file));
        told.path.push(texts.said(Said::SourceFile, &shown_path(file)));
        told.start_line.push(function.start_line);
    }
    told
}

/// Each package once, and its number for each frame.
fn packages(texts: &mut Texts) -> (Packages, [Vec<u32>; 2]) {
    let mut told = Packages::default();
    let mut known: FxHashMap<&Package, u32> = FxHashMap::default();
    let numbers = texts.telling.packages.map(|of_frame| {
        let mut number = |package| {
            let next = known.len() as u32;
            *known.entry(package).or_insert_with(|| {
                let (name, version, kind) = package;
                told.name.push(texts.said(Said::Function, name));
                told.version.push(texts.said(Said::Other, version));
                told.kind.push(texts.said(Said::Other, kind));
                next
            })
        };
        of_frame.iter().map(&mut number).collect()
    });
    (told, numbers)
}

fn locations(profile: &Profile) -> Locations {
    let mut told = Locations::default();
    let mut before = 0;
    for location in profile.code().locations.iter() {
        told.mapping.push(location.mapping.map_or(0, |m| m.index() + 1));
        told.high.push((location.address >> 32) as u32);
        told.low.push(location.address as u32);
        let first = i64::from(location.first_frame.0);
        told.first_step.push(first - std::mem::replace(&mut before, first));
        told.n_frames.push(location.n_frames);
    }
    told
}

fn frames(profile: &Profile) -> Frames {
    let mut told = Frames::default();
    let mut before = 0;
    for frame in profile.code().frames.iter() {
        let location = i64::from(frame.location.0);
        told.location_step.push(location - std::mem::replace(&mut before, location));
        told.function.push(frame.function.map_or(0, |f| f.index() + 1));
        told.line.push(frame.line);
        told.column.push(frame.column);
        told.inlined.push(u8::from(frame.inlined));
    }
    told
}

fn stacks(profile: &Profile) -> Stacks {
    let tree = profile.stacks();
    let mut told = Stacks::default();
    let mut depth = vec![0u32; tree.len()];
    for node in tree.parent.ids().skip(1) {
        depth[node.index()] = depth[tree.parent[node].index()] + 1;
        told.up.push(depth[node.index() - 1] + 1 - depth[node.index()]);
        told.frame.push(tree.frame[node].0);
    }
    told
}

fn labels(profile: &Profile, texts: &mut Texts) -> Vec<Vec<Label>> {
    let sets = profile.labels();
    (0..sets.len())
        .map(|set| {
            let set = sets.get(LabelSetId::new(set)).iter();
            set.map(|label| {
                let key = texts.of(Said::Label, label.key);
                match label.value {
                    LabelValue::Text(text) => Label::Text(key, texts.of(Said::Label, text)),
                    LabelValue::Number(number, unit) => Label::Number(key, number, texts.of(Said::Other, unit)),
                }
            })
            .collect()
        })
        .collect()
}

fn samples(profile: &Profile) -> Samples {
    let rows = profile.samples();
    let mut before = 0;
    let step = |stack: i64| stack - std::mem::replace(&mut before, stack);
    Samples {
        stack_step: rows.stack.iter().map(|stack| i64::from(stack.0)).map(step).collect(),
        labels: rows.labels.iter().map(|set| set.0).collect(),
        values: profile.columns().iter().map(|column| (0..column.len()).map(|row| column.get(row)).collect()).collect(),
    }
}
