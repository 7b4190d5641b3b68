//! Memory of the stacks through each module, and through unnamed code of it.

use crate::base::id::Id;
use crate::profile::{Location, Profile};

/// Quality of names of some code.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) n_addresses: usize,
    pub(super) n_function: usize,
    pub(super) n_line: usize,
    /// Value of the stacks through it.
    pub(super) value: i64,
    /// Part of it whose code has a function name: every frame counts with the value through it.
    pub(super) function: i64,
    /// Part with a source line.
    pub(super) line: i64,
    /// Part where inlined functions are known.
    pub(super) inlined: i64,
}

/// The shares of a profile.
pub(super) struct Shares {
    pub(super) value_type: String,
    pub(super) unit: String,
    /// Value of all stacks.
    pub(super) total: i64,
    /// Code of the program's own.
    pub(super) own: Share,
    /// File → its share.
    pub(super) files: Vec<Share>,
}

/// Missing data of an address.
#[derive(Clone, Copy, Default)]
struct Lacks {
    function: bool,
    line: bool,
    inlined: bool,
    /// Whether it is an entry function, which has no debug information anywhere.
    is_start: bool,
}

/// Value through some code, and the named part of it.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Value of the stacks through it.
    value: i64,
    /// One past the last node below the latest that has no other of the same code above it.
    end: usize,
    /// Sum of the values through its frames; and of those with each kind of data.
    frames: f64,
    function: f64,
    line: f64,
    inlined: f64,
}

impl Sums {
    /// Adds a node; they come in preorder.
    fn see(&mut self, lacks: Lacks, node: usize, end: usize, value: i64) {
        if node >= self.end {
            self.value = self.value.saturating_add(value);
            self.end = end;
        }
        if lacks.is_start {
            return;
        }
        let weight = value.max(0) as f64;
        let known = |is_lacking: bool| if is_lacking { 0.0 } else { weight };
        self.frames += weight;
        self.function += known(lacks.function);
        self.line += known(lacks.line);
        self.inlined += known(lacks.inlined);
    }

    /// With `value` in place of what passes through it.
    fn share(self, value: i64, counts: Share) -> Share {
        // Without frames nothing is missing.
        let part = |known: f64| if self.frames > 0.0 { (value as f64 * (known / self.frames)).round() as i64 } else { value };
        Share { value, function: part(self.function), line: part(self.line), inlined: part(self.inlined), ..counts }
    }
}

impl Shares {
    /// `file_of`: mapping → number of its file, the last of code without a mapping;
    /// `is_own`, `knows_inlined`: by file. O(stacks + rows).
    pub(super) fn of(profile: &Profile, file_of: &[usize], is_own: &[bool], knows_inlined: &[bool]) -> Self {
        let (code, stacks) = (profile.code(), profile.stacks());
        let last = file_of.len() - 1;
        let file = |location: &Location| file_of[location.mapping.map_or(last, |m| m.index().min(last))];
        let mut counts = vec![Share::default(); is_own.len()];
        let lacks: Vec<Lacks> = code
            .locations
            .iter()
            .map(|location| {
                let has_function = location.frames().any(|f| profile.function_of(f).is_some_and(|(_, f)| !profile.text(f.name).is_empty()));
                let is_start = location.frames().any(|f| profile.function_of(f).is_some_and(|(_, f)| is_start(profile.text(f.name))));
                let has_line = location.frames().any(|f| code.frames[f].line != 0);
                let has_inlined = location.n_frames > 1 || (has_line && knows_inlined[file(location)]);
                let count = &mut counts[file(location)];
                count.n_addresses += 1;
                count.n_function += usize::from(has_function);
                count.n_line += usize::from(has_line);
                Lacks { function: !has_function, line: !has_line, inlined: !has_inlined, is_start }
            })
            .collect();
        let (value_type, values) = values(profile);
        let mut sums = vec![Sums::default(); is_own.len()];
        let mut own = Sums::default();
        for (node, ((&frame, &end), &value)) in stacks.frame.iter().zip(stacks.end.iter()).zip(&values).enumerate().skip(1) {
            let location = code.frames[frame].location;
            let file = file(&code.locations[location]);
            let lacks = lacks[location.index()];
            sums[file].see(lacks, node, end.index(), value);
            if is_own[file] {
                own.see(lacks, node, end.index(), value);
            }
        }
        let total = values.first().copied().unwrap_or(0);
        let (kind, unit) = value_type.map_or_else(Default::default, |i| {
            let value_type = &profile.value_types()[i];
            (value_type.kind.clone(), value_type.unit.clone())
        });
        let files = sums.into_iter().zip(counts).map(|(sums, counts)| sums.share(sums.value, counts)).collect();
        Shares { value_type: kind, unit, total, own: own.share(total, Share::default()), files }
    }
}

/// Returns whether a function is the entry of a program or thread: nearly all stacks pass through it, and it is written in
/// assembly, without lines.
fn is_start(name: &str) -> bool {
    ["_start", "_dl_start_user", "__clone", "__clone3", "clone", "clone3", "thread_start", "_rt0_amd64_linux"].contains(&name)
}

/// The value type that is shown by default, and node → what the stacks through it hold in the
/// dumps that are shown.
fn values(profile: &Profile) -> (Option<usize>, Vec<i64>) {
    let value_type = profile.default_value_type();
    let mut rows = vec![0; profile.samples().len()];
    for column in profile.columns().iter().filter(|c| Some(c.value_type) == value_type) {
        if profile.dumps()[column.dump.index()].counts() {
            column.add_to(1.0, &mut rows);
        }
    }
    let stacks = profile.stacks();
    let mut values = vec![0i64; stacks.len()];
    for (&stack, row) in profile.samples().stack.iter().zip(rows) {
        let value = &mut values[stack.index()];
        *value = value.saturating_add(row);
    }
    stacks.add_up(&mut values);
    (value_type, values)
}
