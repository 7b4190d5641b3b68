//! Allocation wrappers of a C or C++ program: functions such as `zmalloc` that only pass requests on to the allocator, so
//! that their callers are to blame for the memory.
//!
//! A function is a wrapper by its name ([`wrapper_name`]) when most of its bytes are allocated directly by it: the next
//! frame towards the leaf is the allocator's or another wrapper's, or there is none. Without such a name it is one by its
//! shape alone: a plain C function that calls the allocator itself, through which much of all memory goes, from many
//! different callers.

use crate::base::hash::HashMap;

use super::classify::{Package, WrapperName};
use super::facts::{self, name_of};
use crate::base::id::{FrameId, Id, StackId, StrId};
use crate::base::kind::PackageKind;
use crate::profile::{NameFlags, Profile, Stacks};

/// Wrappers that call wrappers that call wrappers: so deep at most.
const LAYERS: usize = 16;

/// Share of a function's bytes that it allocates directly, at least: of one with a sure name, a likely name, no such name.
const DIRECT: [f64; 3] = [0.5, 0.8, 0.95];

/// Callers that a function with a likely name has, and one without, at least.
const CALLERS: [usize; 2] = [2, 6];

/// Share of all bytes that go through a function that is known by its shape, at least.
const FUNNEL: f64 = 1.0 / 3.0;

/// Share of its bytes that go to one of its callers, at most.
const LARGEST_CALLER: f64 = 0.6;

/// Role of a name in the search for wrappers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Allocator.
    Allocator,
    /// Between allocator and caller, but not a wrapper (C library, `operator new`).
    Runtime,
    /// May be a wrapper by its name.
    Named(WrapperName),
    /// May be one by its shape.
    Plain,
    /// None.
    Other,
}

/// Names of wrappers, those with most bytes first. O(frames + (nodes + values) × layers); O(frames) where no name is a
/// candidate. `package`: owner of a frame; `is_c`: whether it is C or C++.
pub(crate) fn wrappers<'a>(profile: &Profile, package: impl Fn(FrameId) -> &'a Package, is_c: impl Fn(FrameId) -> bool) -> Vec<StrId> {
    let roles = roles(profile, package, is_c);
    if !roles.iter().any(|role| matches!(role, Role::Named(_) | Role::Plain)) {
        return Vec::new();
    }
    let tree = Tree::new(profile, roles);
    let mut found: HashMap<StrId, i64> = HashMap::default();
    for layer in 0..LAYERS {
        let more = tree.next_layer(&found, layer == 0);
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    let mut found: Vec<(StrId, i64)> = found.into_iter().collect();
    found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| profile.text(a.0).cmp(profile.text(b.0))));
    found.into_iter().map(|(name, _)| name).collect()
}

/// `FrameId` → its role.
fn roles<'a>(profile: &Profile, package: impl Fn(FrameId) -> &'a Package, is_c: impl Fn(FrameId) -> bool) -> Vec<Role> {
    // Many functions may have one long name.
    let mut flags_by_text: HashMap<StrId, NameFlags> = HashMap::default();
    let mut words = |frame| {
        let Some((_, function)) = profile.function_of(frame) else { return NameFlags::default() };
        match facts::of_function(profile, function) {
            Some(facts) => facts.flags,
            None => *flags_by_text.entry(function.name).or_insert_with(|| facts::of_name(profile.text(function.name))),
        }
    };
    let of = |frame| match package(frame).kind {
        PackageKind::Allocator => Role::Allocator,
        PackageKind::Runtime if is_of_language(package(frame)) => {
            let words = words(frame);
            let is_allocation = words.has(NameFlags::OPERATOR_NEW) || words.has(NameFlags::SURE_WRAPPER);
            if is_allocation { Role::Allocator } else { Role::Runtime }
        }
        kind if may_wrap(kind) && is_c(frame) => {
            let words = words(frame);
            match kind {
                _ if words.has(NameFlags::SURE_WRAPPER) => Role::Named(WrapperName::Sure),
                _ if words.has(NameFlags::LIKELY_WRAPPER) => Role::Named(WrapperName::Likely),
                PackageKind::Runtime => Role::Other,
                _ if words.has(NameFlags::PLAIN) => Role::Plain,
                _ => Role::Other,
            }
        }
        _ => Role::Other,
    };
    profile.code().frames.ids().map(of).collect()
}

/// Whether functions of this kind may be wrappers: of the program, of libraries, and of interpreters, which are runtimes.
pub(crate) fn may_wrap(kind: PackageKind) -> bool {
    matches!(kind, PackageKind::Own | PackageKind::ThirdParty | PackageKind::Runtime)
}

/// Whether this is a language's own library, which includes the allocator: `strdup` is never a culprit.
pub(crate) fn is_of_language(package: &Package) -> bool {
    matches!(&*package.name, "" | "libc" | "libstdc++" | "libc++" | "libgcc" | "std" | "runtime" | "kernel")
}

/// Node → bytes of the stacks that end there, in all dumps, signs left out. O(nodes + values).
fn bytes(profile: &Profile) -> Vec<i64> {
    let mut bytes = vec![0i64; profile.stacks().len()];
    let n_types = profile.value_types().len();
    let Some(value_type) = profile.default_value_type() else { return bytes };
    for column in profile.columns().iter().skip(value_type).step_by(n_types.max(1)) {
        for (row, value) in column.nonzero() {
            let sum = &mut bytes[profile.samples().stack[row].index()];
            *sum = sum.saturating_add(value.saturating_abs());
        }
    }
    bytes
}

struct Tree<'a> {
    profile: &'a Profile,
    /// `FrameId` → its role.
    roles: Vec<Role>,
    /// `FrameId` → its place in `names`, if its name may be a wrapper's; else [`NO_CANDIDATE`].
    candidate: Vec<u32>,
    /// Candidates for wrappers, with the evidence in their names.
    names: Vec<(StrId, Role)>,
    /// Node → bytes of the stacks that end there.
    own: Vec<i64>,
    /// Node → bytes of the stacks that end there or below.
    all: Vec<i64>,
}

/// Value for a frame that cannot be a wrapper.
const NO_CANDIDATE: u32 = u32::MAX;

/// Measurements of a candidate.
#[derive(Clone, Default)]
struct Evidence {
    /// Bytes of all its stacks.
    all: i64,
    /// Those that it allocates directly.
    direct: i64,
    /// Caller → bytes.
    callers: HashMap<Option<StrId>, i64>,
    /// Whether a caller can be charged.
    has_caller: bool,
}

impl<'a> Tree<'a> {
    fn new(profile: &'a Profile, roles: Vec<Role>) -> Self {
        let mut place: HashMap<StrId, u32> = HashMap::default();
        let mut names = Vec::new();
        let mut candidate = vec![NO_CANDIDATE; roles.len()];
        for frame in profile.code().frames.ids() {
            let role = roles[frame.index()];
            if let (Role::Named(_) | Role::Plain, Some(name)) = (role, name_of(profile, frame)) {
                candidate[frame.index()] = *place.entry(name).or_insert_with(|| {
                    names.push((name, role));
                    names.len() as u32 - 1
                });
            }
        }
        let own = bytes(profile);
        let mut all = own.clone();
        profile.stacks().add_up(&mut all);
        Tree { profile, roles, candidate, names, own, all }
    }

    /// Wrappers whose bytes are allocated by the allocator or by a known wrapper, with their bytes. O(nodes).
    fn next_layer(&self, known: &HashMap<StrId, i64>, is_first: bool) -> Vec<(StrId, i64)> {
        let stacks = self.profile.stacks();
        let is_known: Vec<bool> = self.names.iter().map(|(name, _)| known.contains_key(name)).collect();
        let candidate = |node: StackId| Some(self.candidate[stacks.frame[node].index()]).filter(|&of| of != NO_CANDIDATE);
        // Whether the node is the allocator's or a wrapper's, and whether an allocator was called above it.
        let mut passes = vec![false; stacks.len()];
        let mut closed = vec![false; stacks.len()];
        // The nearest node up to this one that is neither the runtime's nor called like a wrapper.
        let mut caller = vec![Stacks::ROOT; stacks.len()];
        let mut direct = self.own.clone();
        for node in (1..stacks.len()).map(StackId::new) {
            let parent = stacks.parent[node];
            let role = self.roles[stacks.frame[node].index()];
            let is_wrapper = candidate(node).is_some_and(|of| is_known[of as usize]);
            passes[node.index()] = role == Role::Allocator || is_wrapper;
            closed[node.index()] = closed[parent.index()] || role == Role::Allocator;
            let is_transparent = is_wrapper || matches!(role, Role::Allocator | Role::Runtime | Role::Named(_));
            caller[node.index()] = if is_transparent { caller[parent.index()] } else { node };
            if passes[node.index()] {
                direct[parent.index()] = direct[parent.index()].saturating_add(self.all[node.index()]);
            }
        }
        let mut evidence: Vec<Evidence> = vec![Evidence::default(); self.names.len()];
        let open = |node: StackId| {
            let of = candidate(node).filter(|_| !closed[node.index()] && !passes[node.index()])?;
            (is_first || self.names[of as usize].1 != Role::Plain).then_some(of as usize)
        };
        for node in (1..stacks.len()).map(StackId::new) {
            let Some(of) = open(node) else { continue };
            // A copy of itself that was inlined is no caller.
            if candidate(stacks.parent[node]).filter(|_| stacks.parent[node] != Stacks::ROOT) != Some(of as u32) {
                evidence[of].all = evidence[of].all.saturating_add(self.all[node.index()]);
            }
            evidence[of].direct = evidence[of].direct.saturating_add(direct[node.index()]);
        }
        let everything = self.all[0];
        let allocates: Vec<bool> = evidence.iter().zip(&self.names).map(|(of, (_, role))| of.allocates(*role, everything)).collect();
        // Callers are counted of those only that the bytes leave.
        for node in (1..stacks.len()).map(StackId::new) {
            let Some(of) = open(node).filter(|&of| allocates[of]) else { continue };
            let caller = caller[stacks.parent[node].index()];
            let by = if caller == Stacks::ROOT { None } else { name_of(self.profile, stacks.frame[caller]) };
            if caller != Stacks::ROOT && by != Some(self.names[of].0) {
                evidence[of].has_caller = true;
                let to = evidence[of].callers.entry(by).or_default();
                *to = to.saturating_add(self.all[node.index()]);
            }
        }
        let found = evidence.into_iter().zip(&self.names).zip(allocates);
        found.filter(|((of, (_, role)), allocates)| *allocates && of.is_called(*role)).map(|((of, (name, _)), _)| (*name, of.all)).collect()
    }
}

impl Evidence {
    /// Whether enough of its bytes are allocated directly by it, and through it.
    fn allocates(&self, role: Role, everything: i64) -> bool {
        let allocates = |share: f64| self.all != 0 && self.direct as f64 >= share * self.all as f64;
        match role {
            Role::Named(WrapperName::Sure) => allocates(DIRECT[0]),
            Role::Named(WrapperName::Likely) => allocates(DIRECT[1]),
            Role::Plain => allocates(DIRECT[2]) && self.all as f64 >= FUNNEL * everything as f64,
            _ => false,
        }
    }

    /// Whether it has the callers of a wrapper.
    fn is_called(&self, role: Role) -> bool {
        let largest = self.callers.values().copied().max().unwrap_or(0);
        self.has_caller
            && match role {
                Role::Named(WrapperName::Sure) => true,
                Role::Named(WrapperName::Likely) => self.callers.len() >= CALLERS[0],
                _ => self.callers.len() >= CALLERS[1] && largest as f64 <= LARGEST_CALLER * self.all as f64,
            }
    }
}
