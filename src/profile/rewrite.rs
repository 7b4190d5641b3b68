//! Derived profiles: with other names or with frames removed. The rows stay; only their stacks change.

use std::sync::Arc;

use super::frames::{Code, Function, Line, Mapping};
use super::stacks::Stacks;
use super::strings::Interner;
use super::{MatchedBuilds, Profile};
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, FunctionId, Id, LocationId, MappingId, StackId, StrId};

/// One frame as a symbolizer found it. Many frames share their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NamedLine {
    /// Display name.
    pub name: Arc<str>,
    /// Name in the binary, mangled.
    pub system_name: Arc<str>,
    /// Last part of the name with its generic arguments, where `system_name` has lost them; else empty.
    pub short_name: Arc<str>,
    /// Source file; empty when unknown.
    pub filename: Arc<str>,
    /// Line of the definition, from 1; 0 when unknown.
    pub start_line: i64,
    /// Line of the call, from 1; 0 when unknown.
    pub line: i64,
    /// Column of the call, from 1; 0 when unknown.
    pub column: i64,
}

/// Result of symbolization.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Location → its frames, innermost first. Locations that are absent keep theirs.
    pub lines: HashMap<LocationId, Vec<NamedLine>>,
    /// Mappings whose file is another than recorded: (mapping, path, build id).
    pub files: Vec<(MappingId, String, String)>,
    /// Mappings that have names now.
    pub resolved: Vec<MappingId>,
    /// Mappings with function names but without files or lines.
    pub functions_only: Vec<MappingId>,
}

/// Change of the frame at one node of the stack tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallChange {
    /// Nothing.
    Same,
    /// The call is merged into its caller.
    Folded,
    /// Its function has this name.
    Named(StrId),
}

impl Code {
    /// A frame as a line of a location. `renamed`: functions that were made for new names.
    fn changed(&mut self, frame: FrameId, change: CallChange, renamed: &mut HashMap<Function, FunctionId>) -> Line {
        let super::Frame { function, line, column, .. } = self.frames[frame];
        let function = match (function, change) {
            (Some(id), CallChange::Named(name)) => {
                let function = Function { name, ..self.functions[id] };
                Some(*renamed.entry(function).or_insert_with(|| self.functions.push(function)))
            }
            _ => function,
        };
        Line { function, line, column }
    }
}

impl Profile {
    /// This profile with other paths of source and modules (`path`), and other texts elsewhere (`other`): names,
    /// labels and comments. No text of before is left in its strings. O(size).
    pub fn with_texts(mut self, path: impl Fn(&str) -> String, other: impl Fn(&str) -> String) -> Profile {
        let mut is_path = vec![false; self.strings.len()];
        self.code.mappings.iter().for_each(|mapping| is_path[mapping.file.index()] = true);
        self.code.functions.iter().for_each(|function| is_path[function.filename.index()] = true);
        let mut strings = Interner::default();
        let changed = (0..self.strings.len()).map(|id| {
            let text = self.strings.get(StrId::new(id));
            strings.intern(&if is_path[id] { path(text) } else { other(text) })
        });
        let changed: Vec<StrId> = changed.collect();
        let change = |id: &mut StrId| *id = changed[id.index()];
        for id in self.code.mappings.ids() {
            let Mapping { file, build_id, .. } = &mut self.code.mappings[id];
            [file, build_id].into_iter().for_each(change);
        }
        for id in self.code.functions.ids() {
            let Function { name, system_name, short_name, filename, .. } = &mut self.code.functions[id];
            [name, system_name, short_name, filename].into_iter().for_each(change);
        }
        self.labels.change_texts(change);
        self.meta.comments.iter_mut().for_each(|comment| *comment = other(comment));
        for run in &mut self.meta.runs {
            run.suppressions.iter_mut().chain([&mut run.command]).for_each(|text| *text = other(text));
        }
        self.strings = strings.finish();
        self
    }

    /// Returns the profile with `names` replacing those of its locations. O(size).
    pub fn renamed(self, names: &Names) -> Profile {
        if names.lines.is_empty() && names.files.is_empty() && names.resolved.is_empty() && names.functions_only.is_empty() {
            return self;
        }
        let Profile { strings, code: old, stacks, samples, columns, labels, value_types, dumps, meta, logs, accesses, n_cut, most_nodes } =
            self;
        let mut strings = Interner::from_strings(strings);
        let mut functions: HashMap<Function, FunctionId> = HashMap::default();
        let mut code = Code { mappings: old.mappings, functions: old.functions, ..Code::default() };
        for (id, function) in code.functions.enumerate() {
            functions.entry(*function).or_insert(id);
        }
        for (mapping, file, build_id) in &names.files {
            code.mappings[*mapping].file = strings.intern(file);
            code.mappings[*mapping].build_id = strings.intern(build_id);
        }
        for &mapping in &names.resolved {
            let mapping = &mut code.mappings[mapping];
            mapping.has_functions = true;
            mapping.has_inline_frames = true;
        }
        let mut is_resolved = vec![false; code.mappings.len()];
        names.resolved.iter().for_each(|mapping| is_resolved[mapping.index()] = true);
        for &mapping in &names.functions_only {
            code.mappings[mapping].has_functions = true;
        }
        let mut lines: Vec<Line> = Vec::new();
        for (id, location) in old.locations.enumerate() {
            lines.clear();
            match names.lines.get(&id) {
                Some(named) => lines.extend(named.iter().map(|n| {
                    if let Some(mapping) = location.mapping.filter(|m| is_resolved[m.index()]) {
                        code.mappings[mapping].has_filenames |= !n.filename.is_empty();
                        code.mappings[mapping].has_line_numbers |= n.line != 0;
                    }
                    let function = Function {
                        name: strings.intern(&n.name),
                        system_name: strings.intern(&n.system_name),
                        short_name: strings.intern(&n.short_name),
                        filename: strings.intern(&n.filename),
                        start_line: n.start_line,
                        facts: 0,
                    };
                    let known = function.name != StrId(0) || function.filename != StrId(0);
                    let function = known.then(|| *functions.entry(function).or_insert_with(|| code.functions.push(function)));
                    Line { function, line: n.line, column: n.column }
                })),
                None => lines.extend(location.frames().map(|f| {
                    let frame = &old.frames[f];
                    Line { function: frame.function, line: frame.line, column: frame.column }
                })),
            }
            let (first_frame, n_frames) = code.push_frames(id, &lines);
            code.locations.push(super::Location { first_frame, n_frames, ..*location });
        }
        // A location's chain of nodes hangs at its outermost frame, the only one
        // that is not inlined; the inlined ones below it are part of the chain.
        let (stacks, node_of) = stacks.rewrite(|frame| {
            let frame = &old.frames[frame];
            match frame.inlined {
                true => Chain::Part,
                false => {
                    let location = &code.locations[frame.location];
                    Chain::Frames(location.first_frame, location.n_frames)
                }
            }
        });
        let samples = samples.moved(&node_of);
        let strings = strings.finish();
        Profile { strings, code, stacks, samples, columns, labels, value_types, dumps, meta, logs, accesses, n_cut, most_nodes }
    }

    /// Replaces the display names of these functions. O(functions).
    pub fn with_function_names(mut self, names: &HashMap<FunctionId, Arc<str>>) -> Profile {
        let mut strings = Interner::from_strings(std::mem::take(&mut self.strings));
        for id in self.code.functions.ids() {
            if let Some(name) = names.get(&id) {
                self.code.functions[id].name = strings.intern(name);
            }
        }
        self.strings = strings.finish();
        self
    }

    /// Replaces the source files of these functions by texts of the profile. O(functions).
    pub fn with_function_files(mut self, files: &HashMap<FunctionId, StrId>) -> Profile {
        for (id, file) in files {
            self.code.functions[*id].filename = *file;
        }
        self
    }

    /// Sets the matched builds.
    pub fn with_matched_builds(mut self, matched: MatchedBuilds) -> Profile {
        self.meta.matched_builds = Some(matched);
        self
    }

    /// Applies changes to the frames at nodes, indexed by `StackId`. A location that changes in some stacks only is split into
    /// several at one address. O(size).
    pub fn with_calls(mut self, calls: &[CallChange]) -> Profile {
        let old = &self.stacks;
        let mut stacks = Stacks::default();
        let mut node_of = vec![Stacks::ROOT; old.len()];
        // Location and its frames, as far as they stay → its first frame.
        let mut made: HashMap<(LocationId, Vec<(FrameId, CallChange)>), FrameId> = HashMap::default();
        let mut renamed: HashMap<Function, FunctionId> = HashMap::default();
        // Node → its frame now; none where it is part of its caller.
        let mut frame_of: Vec<Option<FrameId>> = (0..old.len()).map(|i| Some(old.frame[StackId::new(i)])).collect();
        for i in 1..old.len() {
            let node = StackId::new(i);
            let frame = self.code.frames[old.frame[node]];
            if !frame.inlined {
                // The nodes of the location, outermost first.
                let location = frame.location;
                let is_next = |j: &usize| {
                    let frame = &self.code.frames[old.frame[StackId::new(*j)]];
                    frame.inlined && frame.location == location && old.parent[StackId::new(*j)].index() + 1 == *j
                };
                let end = i + 1 + (i + 1..old.len()).take_while(is_next).count();
                if calls[i..end].iter().any(|change| *change != CallChange::Same) {
                    // A location has one frame or more.
                    let leaves_inlined = calls[i + 1..end].iter().any(|change| *change != CallChange::Folded);
                    let stays = |j: &usize| calls[*j] != CallChange::Folded || *j == i && !leaves_inlined;
                    (i..end).filter(|j| !stays(j)).for_each(|j| frame_of[j] = None);
                    // Innermost first, as the frames.
                    let kept: Vec<(FrameId, CallChange)> =
                        (i..end).rev().filter(stays).map(|j| (old.frame[StackId::new(j)], calls[j])).collect();
                    let mut next = *made.entry((location, kept)).or_insert_with_key(|(_, kept)| {
                        let lines: Vec<Line> =
                            kept.iter().map(|(frame, change)| self.code.changed(*frame, *change, &mut renamed)).collect();
                        self.code.push_copy(location, &lines)
                    });
                    for j in (i..end).rev().filter(stays) {
                        frame_of[j] = Some(next);
                        next.0 += 1;
                    }
                }
            }
            let parent = node_of[old.parent[node].index()];
            node_of[i] = frame_of[i].map_or(parent, |frame| stacks.push(parent, frame));
        }
        stacks.close();
        Profile { samples: self.samples.moved(&node_of), stacks, ..self }
    }

    /// Renames mappings; clears the mark that the old file was deleted. O(names).
    pub fn rename_mappings(&mut self, files: &[(MappingId, String)]) {
        let mut strings = Interner::from_strings(std::mem::take(&mut self.strings));
        for (mapping, file) in files {
            let mapping = &mut self.code.mappings[*mapping];
            let file = strings.intern(file);
            mapping.is_deleted &= mapping.file == file;
            mapping.file = file;
        }
        self.strings = strings.finish();
    }

    /// Puts all code of a profile without mappings into one unnamed mapping, like pprof: such addresses belong to the program.
    pub fn map_all(&mut self) {
        if self.code.mappings.is_empty() {
            let main = self.code.mappings.push(Mapping::default());
            for i in 0..self.code.locations.len() {
                self.code.locations[LocationId::new(i)].mapping = Some(main);
            }
        }
    }

    /// Returns the profile without allocator internals: each stack ends before the first frame (from the root, after one kept
    /// frame) whose name `drops` accepts; frames without a name are tested by their file (`drops_file`). Inlined frames are
    /// removed from their location everywhere. The rule is pprof's (`profile/prune.go`). O(size).
    pub fn pruned(mut self, drops: impl Fn(&str) -> bool, drops_file: impl Fn(&str) -> bool) -> Profile {
        let dropped_file: Vec<bool> = self.code.mappings.iter().map(|m| drops_file(self.strings.get(m.file))).collect();
        let dropped: Vec<bool> = {
            let by_name: HashMap<StrId, bool> = self
                .code
                .functions
                .iter()
                .map(|f| f.name)
                .filter(|&name| name != StrId(0))
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .map(|name| (name, drops(self.strings.get(name))))
                .collect();
            self.code.functions.iter().map(|f| by_name.get(&f.name).copied().unwrap_or(false)).collect()
        };
        // Location → how many of its innermost frames go.
        let cut: Vec<u32> = self
            .code
            .locations
            .iter()
            .map(|l| {
                let in_allocator = l.mapping.is_some_and(|m| dropped_file[m.index()]);
                let hit = |f: FrameId| self.code.frames[f].function.map_or(in_allocator, |f| dropped[f.index()]);
                l.frames().rposition(hit).map_or(0, |i| i as u32 + 1)
            })
            .collect();
        if cut.iter().all(|&n| n == 0) {
            return self;
        }
        let frames = &self.code.frames;
        let locations = &self.code.locations;
        let old = &self.stacks;
        let mut stacks = Stacks::default();
        let mut node_of = vec![Stacks::ROOT; old.len()];
        // Whether a kept frame is between the root and the node.
        let mut user = vec![false; old.len()];
        let mut i = 1;
        while i < old.len() {
            let node = StackId::new(i);
            let parent = old.parent[node].index();
            let frame = old.frame[node];
            let location = frames[frame].location;
            let gone = cut[location.index()];
            let whole = gone == locations[location].n_frames;
            user[i] = user[parent] || gone == 0;
            let innermost_kept = FrameId(locations[location].first_frame.0 + gone);
            if whole && user[parent] {
                // The stack ends above this location.
                let end = old.end[node].index();
                let to = node_of[parent];
                node_of[i..end].fill(to);
                i = end;
                continue;
            }
            if gone > 0 && !whole && frame < innermost_kept {
                // A removed inlined frame: everything below belongs to the frame that stays …
                node_of[i] = node_of[parent];
                i += 1;
                continue;
            }
            node_of[i] = stacks.push(node_of[parent], frame);
            if gone > 0 && !whole && frame == innermost_kept && user[parent] {
                // … and nothing is below it where the stack is cut here.
                let end = old.end[node].index();
                let to = node_of[i];
                node_of[i..end].fill(to);
                i = end;
                continue;
            }
            i += 1;
        }
        stacks.close();
        for (location, &n) in cut.iter().enumerate() {
            let location = &mut self.code.locations[LocationId::new(location)];
            if n < location.n_frames {
                location.first_frame.0 += n;
                location.n_frames -= n;
            }
        }
        Profile { samples: self.samples.moved(&node_of), stacks, ..self }
    }
}

/// Replacement of a node.
enum Chain {
    /// Replaced by this many frames starting at this one, innermost first.
    Frames(FrameId, u32),
    /// Part of the location of the node above.
    Part,
}

impl Stacks {
    fn rewrite(&self, chain: impl Fn(FrameId) -> Chain) -> (Stacks, Vec<StackId>) {
        let mut stacks = Stacks::default();
        let mut node_of = vec![Stacks::ROOT; self.len()];
        for i in 1..self.len() {
            let node = StackId::new(i);
            let mut to = node_of[self.parent[node].index()];
            if let Chain::Frames(first, n) = chain(self.frame[node]) {
                for frame in (first.0..first.0 + n).rev() {
                    to = stacks.push(to, FrameId(frame));
                }
            }
            node_of[i] = to;
        }
        stacks.close();
        (stacks, node_of)
    }
}
