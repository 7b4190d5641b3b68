//! Grouping of frames: a granularity turns each frame into a key, and keys into the labels that reports print. The rules are
//! pprof's (`graph.NodeInfo`), except for files, which pprof splits by function (a defect).

use crate::attribution::Attribution;
use crate::attribution::classify::enclosing;
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, Id, StrId};
use crate::base::plain::base_name;
use crate::profile::{Function, Mapping, Profile, Strings};
use crate::query::{Granularity, ShapeSpec, SourcePaths, View, ViewKind, clean_path};
use crate::report::Row;

/// Identity of a frame at a granularity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
struct Identity {
    name: StrId,
    file: StrId,
    line: i64,
    column: i64,
    address: u64,
    /// Only of frames without a name.
    object: StrId,
}

/// Bytes of a row's texts.
pub(crate) fn text_bytes(row: &Row) -> usize {
    let Row { name, full_name, file, object, package, version, .. } = row;
    [name, full_name, file, object, package, version].into_iter().map(String::capacity).sum()
}

/// The keys of a tree.
#[derive(Debug, Default)]
pub struct Keys {
    /// Rows without packages, which are computed on demand.
    rows: Vec<Row>,
    /// Row → one of its frames.
    frames: Vec<FrameId>,
    /// Key → its row, where several keys share one; empty: the row of the same number.
    row_of: Vec<u32>,
    /// `FrameId` → key, before nodes got keys of their own.
    pub(crate) of_frame: Vec<u32>,
    /// `FrameId` → a call of it by a frame of the same key is no call; empty: of none.
    pub(crate) joins: Vec<bool>,
}

/// Options of the grouping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KeySpec {
    granularity: Granularity,
    pub(crate) columns: bool,
    /// Frames without a function differ by address, not only by module.
    unnamed_by_address: bool,
    /// Closures get the names of their enclosing functions.
    folds_closures: bool,
    /// A call of itself is no call.
    collapses_recursion: bool,
}

impl KeySpec {
    /// Returns whether rows represent owners of code: packages, modules, libraries.
    pub(crate) fn is_of_owners(self) -> bool {
        self.granularity.is_of_owners()
    }

    pub(crate) fn of(view: &View) -> Self {
        let ShapeSpec { showcolumns, noinlines, collapse_recursion, .. } = view.shape;
        let granularity = view.granularity();
        KeySpec {
            granularity,
            columns: (showcolumns && view.kind != ViewKind::Source) || granularity == Granularity::Addresses && !noinlines,
            unnamed_by_address: view.kind == ViewKind::Flame,
            folds_closures: view.folds_closures() && matches!(granularity, Granularity::Functions | Granularity::Filefunctions),
            collapses_recursion: collapse_recursion,
        }
    }
}

impl Keys {
    /// Number of keys.
    pub fn len(&self) -> usize {
        if self.row_of.is_empty() { self.rows.len() } else { self.row_of.len() }
    }

    /// Bytes on the heap. O(keys).
    pub(crate) fn heap_bytes(&self) -> usize {
        let Keys { rows, frames, row_of, of_frame, joins } = self;
        let texts = rows.iter().map(text_bytes).sum::<usize>() + rows.capacity() * size_of::<Row>();
        texts + frames.capacity() * size_of::<FrameId>() + (row_of.capacity() + of_frame.capacity()) * size_of::<u32>() + joins.capacity()
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Label and details of a key, but for its package.
    pub fn row(&self, key: u32) -> &Row {
        &self.rows[self.row_number(key)]
    }

    /// The first of the frames that a key represents.
    pub(crate) fn frame(&self, key: u32) -> FrameId {
        self.frames[self.row_number(key)]
    }

    fn row_number(&self, key: u32) -> usize {
        self.row_of.get(key as usize).copied().unwrap_or(key) as usize
    }

    /// The label of a key.
    pub fn name(&self, key: u32) -> &str {
        &self.row(key).name
    }

    /// Every key's label and details.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        (0..self.len() as u32).map(|key| self.row(key))
    }

    /// Makes every node a key of its own, with the row of the one it had.
    pub(crate) fn of_nodes(&mut self, key_of_node: &mut Vec<u32>) {
        if self.rows.is_empty() {
            // The root has a key, too.
            self.rows.push(Row::default());
        }
        let own = (0..key_of_node.len() as u32).collect();
        self.row_of = std::mem::replace(key_of_node, own);
    }

    /// Groups every frame. O(frames).
    pub(crate) fn new(profile: &Profile, packages: &Attribution, spec: KeySpec, paths: &SourcePaths) -> Self {
        if spec.is_of_owners() {
            return Keys::of_owners(profile, packages, spec.granularity);
        }
        let code = profile.code();
        let folded = Folded::new(profile, spec.folds_closures);
        let mut ids: HashMap<Identity, u32> = HashMap::default();
        let mut keys = Keys::default();
        let files = Files::new(profile, paths);
        keys.of_frame.reserve(code.frames.len());
        let mut texts = RowTexts::new(profile);
        for frame in code.frames.ids() {
            let mut identity = identity(profile, frame, spec, &files);
            let is_closure = folded.put(&mut identity.name);
            let next = keys.rows.len() as u32;
            let key = *ids.entry(identity).or_insert(next);
            if key == next {
                keys.rows.push(row(&mut texts, frame, &identity, spec, paths));
                keys.frames.push(frame);
            }
            keys.of_frame.push(key);
            if spec.folds_closures || spec.collapses_recursion {
                keys.joins.push(is_closure || spec.collapses_recursion);
            }
        }
        keys
    }

    /// Groups frames by owner. O(frames).
    fn of_owners(profile: &Profile, packages: &Attribution, granularity: Granularity) -> Self {
        let code = profile.code();
        let mut ids: HashMap<&str, u32> = HashMap::default();
        let mut keys = Keys { joins: vec![true; code.frames.len()], ..Keys::default() };
        keys.of_frame.reserve(code.frames.len());
        for frame in code.frames.ids() {
            let package = packages.of(profile, frame, false);
            let object = profile.mapping_of(code.frames[frame].location).map_or("", |(_, m)| base_name(profile.text(m.file)));
            let name = match granularity {
                Granularity::Libraries => object,
                Granularity::Modules if !package.module.is_empty() => &package.module,
                _ => &package.name,
            };
            let next = keys.rows.len() as u32;
            let key = *ids.entry(name).or_insert(next);
            if key == next {
                let name = if name.is_empty() { "<unknown>" } else { name }.to_owned();
                keys.rows.push(Row { name, object: object.to_owned(), ..Row::default() });
                keys.frames.push(frame);
            }
            keys.of_frame.push(key);
        }
        keys
    }
}

/// Closures by the name of the enclosing function.
struct Folded {
    /// Name of a closure → that of its function; if no function has that name, the first closure's own.
    name: HashMap<StrId, StrId>,
}

impl Folded {
    fn new(profile: &Profile, is_wanted: bool) -> Self {
        let mut folded = Folded { name: HashMap::default() };
        if !is_wanted {
            return folded;
        }
        let functions = &profile.code().functions;
        let mut by_text: HashMap<&str, StrId> = HashMap::default();
        let names = || functions.iter().map(|f| (f.name, profile.text(f.name)));
        for (id, text) in names().filter(|(_, text)| enclosing(text).is_none()) {
            by_text.entry(text).or_insert(id);
        }
        for (id, text) in names() {
            if let Some(outer) = enclosing(text) {
                folded.name.insert(id, *by_text.entry(outer).or_insert(id));
            }
        }
        folded
    }

    /// Puts the function's name in place of a closure's; whether it was one.
    fn put(&self, name: &mut StrId) -> bool {
        let outer = self.name.get(name);
        outer.inspect(|outer| *name = **outer).is_some()
    }
}

/// `FunctionId` → its file; of several spellings of a path the first one.
struct Files(Vec<StrId>);

impl Files {
    fn new(profile: &Profile, paths: &SourcePaths) -> Self {
        let mut first: HashMap<String, StrId> = HashMap::default();
        let mut known: HashMap<StrId, StrId> = HashMap::default();
        let mut file =
            |id: StrId| *known.entry(id).or_insert_with(|| *first.entry(clean_path(paths.shown(profile.text(id)))).or_insert(id));
        Files(profile.code().functions.iter().map(|f| file(f.filename)).collect())
    }
}

fn identity(profile: &Profile, frame: FrameId, spec: KeySpec, files: &Files) -> Identity {
    let code = profile.code();
    let f = &code.frames[frame];
    let location = &code.locations[f.location];
    let by_address = spec.granularity == Granularity::Addresses;
    let object = profile.mapping_of(f.location).map_or(Strings::EMPTY, |(_, m)| m.file);
    let address = if by_address { location.address } else { 0 };
    // A function without a name may have a file.
    let is_shown = |function: &Function| function.name != Strings::EMPTY || spec.granularity != Granularity::Functions;
    let Some((id, function)) = profile.function_of(frame).filter(|(_, function)| is_shown(function)) else {
        let address = if spec.unnamed_by_address { location.address } else { address };
        return Identity { address, object, ..Identity::default() };
    };
    let with_name = spec.granularity != Granularity::Files;
    let with_file = spec.granularity != Granularity::Functions;
    let with_line = matches!(spec.granularity, Granularity::Lines | Granularity::Addresses);
    let name = if with_name { function.name } else { Strings::EMPTY };
    let file = if with_file { files.0[id.index()] } else { Strings::EMPTY };
    Identity {
        name,
        file,
        line: if with_line { f.line } else { 0 },
        column: if with_line && spec.columns { f.column } else { 0 },
        address,
        object: if name == Strings::EMPTY && file == Strings::EMPTY { object } else { Strings::EMPTY },
    }
}

/// Limit on the text of all rows: this many bytes, plus a multiple of the profile's text.
const MOST_ROW_BYTES: usize = 32 << 20;
const ROWS_PER_TEXT: usize = 2;
/// Bytes of a text in a row beyond that.
const SHORT: usize = 200;

/// The profile's texts for rows. Many rows may have one long text: past a number of bytes texts are cut off.
pub(crate) struct RowTexts<'a> {
    profile: &'a Profile,
    left: usize,
}

impl<'a> RowTexts<'a> {
    pub(crate) fn new(profile: &'a Profile) -> Self {
        RowTexts { profile, left: MOST_ROW_BYTES + ROWS_PER_TEXT * profile.strings().n_bytes() }
    }

    fn get(&self, id: StrId) -> &'a str {
        let text = self.profile.text(id);
        if self.left >= text.len() { text } else { start_of(text) }
    }

    /// Counts texts of `n_bytes` as used once more; false where they must be cut off.
    pub(crate) fn repeat(&mut self, n_bytes: usize) -> bool {
        let fits = n_bytes <= self.left;
        self.left = self.left.saturating_sub(n_bytes);
        fits
    }

    /// A text that counts as used.
    pub(crate) fn take(&mut self, id: StrId) -> String {
        let text = self.get(id);
        self.left = self.left.saturating_sub(text.len());
        text.to_owned()
    }
}

/// The first [`SHORT`] bytes, or a few less where a character would be cut.
fn start_of(text: &str) -> &str {
    let end = (0..=SHORT.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    &text[..end]
}

fn row(texts: &mut RowTexts<'_>, frame: FrameId, id: &Identity, spec: KeySpec, paths: &SourcePaths) -> Row {
    let profile = texts.profile;
    let code = profile.code();
    let location = &code.locations[code.frames[frame].location];
    let mapping = profile.mapping_of(code.frames[frame].location).map(|(_, m)| m);
    let object = mapping.map_or("", |m| base_name(texts.get(m.file)));
    let path = |id: StrId| clean_path(paths.shown(texts.get(id)));
    let file = path(id.file);
    let mut parts: Vec<String> = Vec::new();
    if id.address != 0 && !(spec.unnamed_by_address && spec.granularity != Granularity::Addresses) {
        parts.push(format!("{:016x}", id.address));
    }
    if id.name != Strings::EMPTY {
        let name = texts.get(id.name);
        parts.push(enclosing(name).filter(|_| spec.folds_closures).unwrap_or(name).to_owned());
    }
    if id.line != 0 {
        let column = if id.column != 0 { format!(":{}", id.column) } else { String::new() };
        parts.push(format!("{file}:{}{column}", id.line));
    } else if !file.is_empty() {
        parts.push(file.clone());
    } else if id.name == Strings::EMPTY {
        let offset = mapping.map_or(location.address, |m| in_file(m, location.address));
        // `[vdso]` has its brackets already.
        let object = object.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(object);
        parts.push(match (object.is_empty(), spec.unnamed_by_address) {
            (false, true) => format!("[{object}]+{offset:#x}"),
            (false, false) => format!("[{object}]"),
            (true, true) => format!("[unknown]+{:#x}", location.address),
            (true, false) => "<unknown>".to_owned(),
        });
    }
    let function = profile.function_of(frame).map(|(_, f)| f);
    let full_name = function.map_or(String::new(), |f| match (texts.get(f.system_name), texts.get(f.short_name)) {
        (name, "") => name.to_owned(),
        (name, short) => format!("{name} {short}"),
    });
    let row = Row {
        name: parts.join(" "),
        full_name: if spec.granularity == Granularity::Files { String::new() } else { full_name },
        file: function.map_or(String::new(), |f| path(f.filename)),
        line: if id.line != 0 { id.line } else { function.map_or(0, |f| f.start_line) },
        object: object.to_owned(),
        ..Row::default()
    };
    texts.left = texts.left.saturating_sub(row.name.len() + row.full_name.len() + row.file.len() + row.object.len());
    row
}

/// Address shown for unnamed code: the link-time address if the memory map shows how the file was loaded, otherwise the offset in
/// the file.
fn in_file(mapping: &Mapping, address: u64) -> u64 {
    // Programs that are not position independent are linked for where they are: far below all others.
    const LOWEST_MOVED: u64 = 1 << 28;
    match mapping.bias {
        Some(bias) if bias < LOWEST_MOVED => address,
        Some(bias) => address.wrapping_sub(bias),
        None => address.wrapping_sub(mapping.start).wrapping_add(mapping.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_without_a_name_has_the_address_that_addr2line_takes() {
        let text = Mapping { start: 0x55c2_f221_1000, offset: 0x13000, ..Mapping::default() };
        assert_eq!(in_file(&text, 0x55c2_f221_1eb0), 0x13eb0);
        assert_eq!(in_file(&Mapping { bias: Some(0x55c2_f21f_d000), ..text }, 0x55c2_f221_1eb0), 0x14eb0);
        let fixed = Mapping { start: 0x40_1000, offset: 0x1000, bias: Some(0x40_0000), ..Mapping::default() };
        assert_eq!(in_file(&fixed, 0x40_1234), 0x40_1234);
    }

    #[test]
    fn the_last_component_is_the_base_name() {
        assert_eq!(base_name("/usr/lib/libc.so.6"), "libc.so.6");
    }
}
