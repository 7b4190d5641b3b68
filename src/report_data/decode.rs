//! Bytes to a profile. Nothing in them is believed: every number is checked against the table that it names a row of, every
//! table is as long as bytes of it are there, and the whole is checked once more ([`Profile::validate`]).

use std::sync::Arc;

use super::encode::{KINDS, mapping_flags};
use super::error::{DecodeError, DecodeErrorKind};
use super::header::{About, Attachment, Header, MAGIC, VERSION};
use super::numbers::Reader;
use crate::base::hash::HashSet;
use crate::base::id::{FrameId, FunctionId, LabelSetId, MappingId, StackId, StrId};
use crate::profile::{
    Function, Label, LabelValue, Line, MOST_COMMENT_BYTES, MOST_COMMENTS, Mapping, NameFacts, NameFlags, Profile, ProfileParts,
    RecordedContainer, RecordedNames, RecordedPackage,
};

/// Most value types, and most dumps.
const MOST_VALUE_TYPES: usize = 1000;
const MOST_DUMPS: usize = 100_000;

/// Nodes that a tree made from any profile may have, beside one for each byte.
const FREE_NODES: usize = 1 << 19;

/// Bytes of names of packages and types that frames may repeat, beside [`NAME_BYTES_PER_BYTE`] for each byte: a few long names
/// must not fill memory.
const FREE_NAME_BYTES: usize = 64 << 20;
const NAME_BYTES_PER_BYTE: usize = 16;

/// Report data that was read.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The profile.
    pub profile: Profile,
    /// Metadata of the session that wrote the data.
    pub about: About,
    /// Files that came with it.
    pub attachments: Vec<Attachment>,
}

/// Reads what [`super::encode`] wrote. O(size).
///
/// # Errors
/// When it is something else, of another version, cut off or damaged.
pub fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    let Some([version, ..]) = bytes.strip_prefix(MAGIC) else {
        let is_cut = MAGIC.starts_with(bytes) || bytes == MAGIC;
        let kind = if is_cut { DecodeErrorKind::Truncated { what: "the first bytes" } } else { DecodeErrorKind::Magic };
        return Err(DecodeError { kind, at: 0 });
    };
    let reader = &mut Reader::new(bytes, MAGIC.len());
    if *version != VERSION {
        return Err(reader.fail(DecodeErrorKind::Version { found: *version, expected: VERSION }));
    }
    *reader = Reader::new(bytes, MAGIC.len() + 1);
    let header = header(reader)?;
    let texts = texts(reader)?;
    let most = FREE_NAME_BYTES.saturating_add(bytes.len().saturating_mul(NAME_BYTES_PER_BYTE));
    let budget = &mut NameBudget { most, left: most };
    let mut names = names(reader, &texts, budget)?;
    (names.warning, names.is_redacted) = (header.types_warning, header.about.is_redacted);
    let n_facts = names.facts.len();
    let lengths: Vec<usize> = (0..=n_facts as u32).map(|number| names.get(number).map_or(0, |facts| length(&names, facts))).collect();
    let mut meta = header.meta;
    meta.recorded = (n_facts > 0).then(|| Arc::new(names));
    let n_columns = header.value_types.len() * header.dumps.len();
    let mut parts = ProfileParts::new(header.value_types, header.dumps, meta);
    let ids: Vec<StrId> = texts.iter().map(|text| parts.text(text)).collect();
    let of_mapping = mappings(reader, &mut parts, &ids, n_facts)?;
    let of_function = functions(reader, &mut parts, &ids, n_facts)?;
    let length_of = |facts: &[u32], at: u32| facts.get(at as usize).map_or(0, |facts| lengths[*facts as usize]);
    let mut name = |function: Option<FunctionId>, mapping: Option<MappingId>| {
        let of_mapping = || mapping.map_or(0, |mapping| length_of(&of_mapping, mapping.0));
        budget.take(function.map_or_else(of_mapping, |function| length_of(&of_function, function.0)))
    };
    locations(reader, &mut parts, of_mapping.len(), of_function.len(), &mut name)?;
    stacks(reader, &mut parts)?;
    let n_sets = labels(reader, &mut parts, &ids)?;
    rows(reader, &mut parts, n_sets, n_columns)?;
    let attachments = attachments(reader)?;
    if reader.left() > 0 {
        return Err(reader.fail(DecodeErrorKind::Trailing { bytes: reader.left() }));
    }
    // Other formats have three bytes for a node, and these bytes are fewer.
    let most_nodes = usize::try_from(header.most_nodes).unwrap_or(usize::MAX).min(FREE_NODES + bytes.len());
    let n_cut = usize::try_from(header.n_cut).unwrap_or(usize::MAX);
    let profile = parts.finish(n_cut, most_nodes).map_err(|violation| reader.fail(DecodeErrorKind::Invalid { reason: violation.0 }))?;
    Ok(Decoded { profile: profile.with_accesses(header.accesses), about: header.about, attachments })
}

fn header(reader: &mut Reader) -> Result<Header, DecodeError> {
    let start = reader.at();
    let header: Header = serde_json::from_slice(reader.blob("the header")?)
        .map_err(|error| DecodeError { kind: DecodeErrorKind::Header { reason: error.to_string() }, at: start })?;
    let comments = &header.meta.comments;
    for (what, found, most) in [
        ("value types", header.value_types.len(), MOST_VALUE_TYPES),
        ("dumps", header.dumps.len(), MOST_DUMPS),
        ("comments", comments.len(), MOST_COMMENTS),
        ("bytes of comments", comments.iter().map(String::len).sum(), MOST_COMMENT_BYTES),
    ] {
        if found > most {
            return Err(DecodeError { kind: DecodeErrorKind::TooMany { what, found, most }, at: start });
        }
    }
    Ok(header)
}

/// Texts by number; the first is empty.
fn texts<'a>(reader: &mut Reader<'a>) -> Result<Vec<&'a str>, DecodeError> {
    let lengths = reader.column("lengths of texts")?;
    let start = reader.at();
    let mut rest = reader.text("the texts")?;
    let mut texts = Vec::with_capacity(lengths.len());
    for (row, length) in lengths.iter().enumerate() {
        let split = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
        let Some((text, left)) = split else { return Err(lengths.fail(row, length, rest.len() + 1)) };
        texts.push(text);
        rest = left;
    }
    if !rest.is_empty() || texts.first() != Some(&"") {
        let kind = DecodeErrorKind::Length { what: "the texts", expected: 0, found: rest.len() };
        return Err(DecodeError { kind, at: start });
    }
    Ok(texts)
}

/// Bytes of names of packages and types that may still be copied.
struct NameBudget {
    most: usize,
    left: usize,
}

impl NameBudget {
    fn take(&mut self, n: usize) -> Result<(), DecodeErrorKind> {
        let left = self.left.checked_sub(n);
        let found = (self.most - self.left).saturating_add(n);
        self.left = left.ok_or(DecodeErrorKind::TooMany { what: "bytes of names of packages and types", found, most: self.most })?;
        Ok(())
    }
}

/// Bytes of the names that facts name.
fn length(names: &RecordedNames, facts: &NameFacts) -> usize {
    let package = |at: u32| {
        names.packages.get(at as usize).map_or(0, |RecordedPackage { name, version, module, .. }| name.len() + version.len() + module.len())
    };
    let container = (facts.container as usize).checked_sub(1).and_then(|at| names.containers.get(at));
    let of_container =
        container.map_or(0, |RecordedContainer { text, args, .. }| text.len() + args.iter().flatten().map(String::len).sum::<usize>());
    package(facts.package).saturating_add(package(facts.package_of_file)).saturating_add(of_container)
}

/// Packages, containers and facts.
fn names(reader: &mut Reader, texts: &[&str], budget: &mut NameBudget) -> Result<RecordedNames, DecodeError> {
    let start = reader.at();
    let mut text = |number: u32| {
        let text = texts[number as usize];
        budget.take(text.len()).map_err(|kind| DecodeError { kind, at: start })?;
        Ok(text.to_owned())
    };
    let name = reader.column("names of packages")?;
    let n = name.len();
    let name = name.below(texts.len())?;
    let version = reader.column_of(n, "versions of packages")?.below(texts.len())?;
    let kind = reader.column_of(n, "kinds of packages")?.below(KINDS.len())?;
    let module = reader.column_of(n, "modules of packages")?.below(texts.len())?;
    let packages = (0..n).map(|i| {
        let [name, version, module] = [name[i], version[i], module[i]];
        Ok(RecordedPackage { name: text(name)?, version: text(version)?, kind: KINDS[kind[i] as usize], module: text(module)? })
    });
    let packages = packages.collect::<Result<Vec<RecordedPackage>, DecodeError>>()?;

    let rule = reader.column("rules of containers")?;
    let n = rule.len();
    let rule = rule.below(texts.len())?;
    let formatted = reader.column_of(n, "names of containers")?.below(texts.len())?;
    let n_args = reader.column_of(n, "numbers of arguments")?;
    let args = reader.column("arguments of containers")?;
    let mut args = Groups { rest: &args.below(texts.len())? };
    let mut containers = Vec::with_capacity(n);
    for (row, n_args) in n_args.below(args.rest.len() + 2)?.into_iter().enumerate() {
        let of_container = match n_args.checked_sub(1) {
            None => None,
            Some(n) => Some(args.take(n).ok_or_else(|| reader.fail(unequal("arguments of containers")))?),
        };
        let args = of_container.map(|args| args.iter().map(|arg| text(*arg)).collect::<Result<_, DecodeError>>()).transpose()?;
        containers.push(RecordedContainer { rule: text(rule[row])?, args, text: text(formatted[row])? });
    }
    args.end().ok_or_else(|| reader.fail(unequal("arguments of containers")))?;

    let package = reader.column("packages of names")?;
    let n = package.len();
    let package = package.below(packages.len())?;
    let package_of_file = reader.column_of(n, "packages of files")?.below(packages.len())?;
    let container = reader.column_of(n, "containers of names")?.below(containers.len() + 1)?;
    let flags = reader.column_of(n, "statements about names")?.below(NameFlags::ALL.0 as usize + 1)?;
    let facts = (0..n).map(|i| NameFacts {
        package: package[i],
        package_of_file: package_of_file[i],
        container: container[i],
        flags: NameFlags(flags[i]),
    });
    Ok(RecordedNames { facts: facts.collect(), packages, containers, ..RecordedNames::default() })
}

/// Rows that belong to groups, one group behind the other.
struct Groups<'a, T> {
    rest: &'a [T],
}

impl<'a, T> Groups<'a, T> {
    fn take(&mut self, n: u32) -> Option<&'a [T]> {
        let (group, rest) = self.rest.split_at_checked(n as usize)?;
        self.rest = rest;
        Some(group)
    }

    fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}

fn unequal(what: &'static str) -> DecodeErrorKind {
    DecodeErrorKind::Invalid { reason: format!("the number of {what} is another than its groups have") }
}

/// Returns the facts of each mapping.
fn mappings(reader: &mut Reader, parts: &mut ProfileParts, ids: &[StrId], n_facts: usize) -> Result<Vec<u32>, DecodeError> {
    let file = reader.column("files of mappings")?;
    let n = file.len();
    let file = file.below(ids.len())?;
    let build_id = reader.column_of(n, "build ids")?.below(ids.len())?;
    let start = reader.column_of(n, "starts of mappings")?.sums();
    let length = reader.column_of(n, "lengths of mappings")?.iter();
    let offset = reader.column_of(n, "offsets of mappings")?.iter();
    let has_bias = reader.column_of(n, "marks of biases")?.below(2)?;
    let bias = reader.column_of(n, "biases of mappings")?.iter();
    let flags = reader.column_of(n, "statements about mappings")?.below(1 << 5)?;
    let facts = reader.column_of(n, "facts of mappings")?.below(n_facts + 1)?;
    for (i, (((start, length), offset), bias)) in start.zip(length).zip(offset).zip(bias).enumerate() {
        let mut mapping = Mapping {
            start: start as u64,
            limit: (start as u64).wrapping_add(length as u64),
            offset: offset as u64,
            file: ids[file[i] as usize],
            build_id: ids[build_id[i] as usize],
            bias: (has_bias[i] == 1).then_some(bias as u64),
            facts: facts[i],
            ..Mapping::default()
        };
        for (flag, bit) in mapping_flags(&mut mapping).into_iter().zip(0..) {
            *flag = flags[i] >> bit & 1 == 1;
        }
        parts.mapping(mapping);
    }
    Ok(facts)
}

/// Returns the facts of each function.
fn functions(reader: &mut Reader, parts: &mut ProfileParts, ids: &[StrId], n_facts: usize) -> Result<Vec<u32>, DecodeError> {
    let name = reader.column("names of functions")?;
    let n = name.len();
    let name = name.below(ids.len())?;
    let system_name = reader.column_of(n, "mangled names")?.below(ids.len())?;
    let short_name = reader.column_of(n, "short names")?.below(ids.len())?;
    let filename = reader.column_of(n, "files of functions")?.below(ids.len())?;
    let start_line = reader.column_of(n, "lines of functions")?.iter();
    let facts = reader.column_of(n, "facts of functions")?.below(n_facts + 1)?;
    for (i, start_line) in start_line.enumerate() {
        let [name, system_name, short_name, filename] = [&name, &system_name, &short_name, &filename].map(|column| ids[column[i] as usize]);
        parts.function(Function { name, system_name, short_name, filename, start_line, facts: facts[i] });
    }
    Ok(facts)
}

/// Calls `name` once for each function in each mapping.
fn locations(
    reader: &mut Reader,
    parts: &mut ProfileParts,
    n_mappings: usize,
    n_functions: usize,
    name: &mut impl FnMut(Option<FunctionId>, Option<MappingId>) -> Result<(), DecodeErrorKind>,
) -> Result<(), DecodeError> {
    let mapping = reader.column("mappings of locations")?;
    let n = mapping.len();
    let mapping = mapping.below(n_mappings + 1)?;
    let address = reader.column_of(n, "addresses")?.sums();
    let is_folded = reader.column_of(n, "marks of folded locations")?.below(2)?;
    let n_frames = reader.column_of(n, "numbers of frames")?;
    let function = reader.column("functions of frames")?;
    let n_all = function.len();
    let function = function.below(n_functions + 1)?;
    let line = reader.column_of(n_all, "lines of frames")?;
    let column = reader.column_of(n_all, "columns of frames")?;
    let lines = function.into_iter().zip(line.iter()).zip(column.iter()).map(|((function, line), column)| Line {
        function: function.checked_sub(1).map(FunctionId),
        line,
        column,
    });
    let lines: Vec<Line> = lines.collect();
    let mut lines = Groups { rest: &lines };
    let mut named = HashSet::default();
    for (i, (address, n_frames)) in address.zip(n_frames.below(n_all + 1)?).enumerate() {
        let group = lines.take(n_frames).filter(|group| !group.is_empty());
        let group = group.ok_or_else(|| reader.fail(unequal("frames")))?;
        let mapping = mapping[i].checked_sub(1).map(MappingId);
        for function in group.iter().map(|line| line.function).filter(|function| named.insert((*function, mapping))) {
            name(function, mapping).map_err(|kind| reader.fail(kind))?;
        }
        parts.location(mapping, address as u64, is_folded[i] == 1, group);
    }
    lines.end().ok_or_else(|| reader.fail(unequal("frames")))
}

fn stacks(reader: &mut Reader, parts: &mut ProfileParts) -> Result<(), DecodeError> {
    let up = reader.column("levels of stacks")?;
    let frame = reader.column_of(up.len(), "frames of stacks")?.below(parts.n_frames())?;
    for (row, (levels, frame)) in up.below(up.len().max(1))?.into_iter().zip(frame).enumerate() {
        if !parts.node(levels as usize, FrameId(frame)) {
            return Err(up.fail(row, i64::from(levels), parts.n_nodes()));
        }
    }
    Ok(())
}

/// Returns the number of label sets, the empty one included.
fn labels(reader: &mut Reader, parts: &mut ProfileParts, ids: &[StrId]) -> Result<usize, DecodeError> {
    let sizes = reader.column("sizes of label sets")?;
    let key = reader.column("keys of labels")?;
    let n = key.len();
    let key = key.below(ids.len())?;
    let is_number = reader.column_of(n, "marks of labels")?.below(2)?;
    let value = reader.column_of(n, "values of labels")?;
    let unit = reader.column_of(n, "units of labels")?.below(ids.len())?;
    let mut all = Vec::with_capacity(n);
    for (i, number) in value.iter().enumerate() {
        let text = || usize::try_from(number).ok().and_then(|number| ids.get(number).copied());
        let value_of_label = match is_number[i] {
            1 => LabelValue::Number(number, ids[unit[i] as usize]),
            _ => LabelValue::Text(text().ok_or_else(|| value.fail(i, number, ids.len()))?),
        };
        all.push(Label { key: ids[key[i] as usize], value: value_of_label });
    }
    let mut all = Groups { rest: &all };
    for size in sizes.below(n + 1)? {
        parts.labels(all.take(size).ok_or_else(|| reader.fail(unequal("labels")))?);
    }
    all.end().ok_or_else(|| reader.fail(unequal("labels")))?;
    Ok(sizes.len() + 1)
}

fn rows(reader: &mut Reader, parts: &mut ProfileParts, n_sets: usize, n_columns: usize) -> Result<(), DecodeError> {
    let stack = reader.column("stacks of rows")?;
    let n = stack.len();
    let stack = stack.sums_below(parts.n_nodes())?.into_iter().map(StackId).collect();
    let labels = reader.column_of(n, "labels of rows")?.below(n_sets)?.into_iter().map(LabelSetId).collect();
    parts.rows(stack, labels);
    for _ in 0..n_columns {
        match reader.length("a form of values")? {
            0 => parts.column(reader.column_of(n, "values")?.iter().collect()),
            1 => {
                let rows = reader.column("rows of values")?;
                let values = reader.column_of(rows.len(), "values")?;
                let ascend = rows.sums_below(n)?;
                if let Some(row) = ascend.windows(2).position(|pair| pair[0] >= pair[1]) {
                    return Err(rows.fail(row + 1, 0, n));
                }
                parts.sparse_column(ascend.into_iter().zip(values.iter()).collect());
            }
            form => return Err(reader.fail(DecodeErrorKind::Range { what: "a form of values", found: form as i64, limit: 2 })),
        }
    }
    Ok(())
}

fn attachments(reader: &mut Reader) -> Result<Vec<Attachment>, DecodeError> {
    let n = reader.length("the number of attachments")?;
    let one =
        |_| Ok(Attachment { name: reader.text("the name of an attachment")?.to_owned(), bytes: reader.blob("an attachment")?.to_vec() });
    (0..n).map(one).collect()
}
