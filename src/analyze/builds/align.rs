//! Alignment of inlined calls between builds whose debug information differs in detail.
//!
//! One build may record that `serve` calls `push`, inlined, which calls `grow`; another only that `serve` calls `grow`. In a
//! comparison the tree below `serve` then splits in two, and all of its memory shows as a difference. If a build lacks an inlined
//! call, and its caller there calls the callees directly (and nothing else does), the call is merged into its caller. The same
//! applies to a function that inlined the target of another build's jump.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::dumps::{OfStacks, builds_of_functions};
use super::names::Form;
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{FunctionId, Id, StackId, StrId};
use crate::base::plain::base_name_of_any_system;
use crate::profile::{CallChange, Function, Profile};

/// Larger trees stay as they are, nodes.
const MOST_NODES: usize = 1 << 22;

/// Inlined calls below an inlined call that are looked through.
const DEEPEST: u32 = 32;

/// Steps for each node, at most; what is not folded then stays.
const STEPS: usize = 64;

/// End of a list of nodes.
const NONE: u32 = u32::MAX;

/// A function by its name's id; from [`SHORT`] on by its place in [`Shorts`]; from [`UNNAMED`] on a location without a name.
type Key = u64;

const SHORT: Key = 1 << 32;
const UNNAMED: Key = 2 << 32;

/// A call path of functions, of all builds.
struct Node {
    key: Key,
    /// A function of the build.
    function: Option<FunctionId>,
    parent: u32,
    first_child: u32,
    next: u32,
    /// Builds that have it.
    builds: u32,
    /// Builds that have a stack that ends here.
    ends: u32,
    /// Builds that know its source file, and so which calls were inlined into it.
    has_file: u32,
    /// Inlined in every call.
    is_inlined: bool,
    /// Inlined, or with something inlined, in every call, so that another build may have a jump between the two.
    may_fold: bool,
    /// Merged into its caller.
    is_folded: bool,
}

/// Alignment of the call trees of several builds.
pub(super) struct Aligned {
    /// `StackId` → change of the call there.
    pub(super) calls: Vec<CallChange>,
    /// Functions that got the name of another build by their place in the tree.
    pub(super) n_named: usize,
    /// Inlined calls that are part of their callers, as pairs of caller and callee.
    pub(super) n_folded: usize,
}

/// Functions of one build whose name is only its last part, which may belong to several functions.
struct Shorts<'a> {
    profile: &'a Profile,
    /// `StrId` → whether it is such a name.
    is_short: Vec<bool>,
    /// Last part and source file → first lines and names of the functions that have a whole name, in order.
    whole: HashMap<(String, &'a str), Vec<(i64, StrId)>>,
    /// The functions, each with the whole name that has its lines, if there is one.
    all: Vec<(FunctionId, Option<StrId>)>,
    /// Index in `all`.
    place: HashMap<(FunctionId, Option<StrId>), usize>,
}

impl<'a> Shorts<'a> {
    fn new(profile: &'a Profile, of_stack: &OfStacks) -> Self {
        let functions = &profile.code().functions;
        let mut builds_of_name = vec![0u32; profile.strings().len()];
        let mut whole: HashMap<(String, &str), Vec<(i64, StrId)>> = HashMap::default();
        for (id, builds) in builds_of_functions(profile, &of_stack.passing) {
            let Function { name, filename, start_line, .. } = functions[id];
            builds_of_name[name.index()] |= builds;
            let form = Form::of(profile.text(name));
            if form.is_whole() && start_line > 0 && filename != StrId(0) {
                let of = whole.entry((form.last().to_owned(), base_name_of_any_system(profile.text(filename)))).or_default();
                of.push((start_line, name));
            }
        }
        whole.values_mut().for_each(|of| of.sort_unstable());
        let is_short = |(id, builds): (usize, &u32)| builds.count_ones() == 1 && !Form::of(profile.text(StrId::new(id))).is_whole();
        let is_short = builds_of_name.iter().enumerate().map(is_short).collect();
        Shorts { profile, is_short, whole, all: Vec::new(), place: HashMap::default() }
    }

    /// The key of such a function that is called with a line of its own at `line`.
    fn key(&mut self, id: FunctionId, line: i64) -> Key {
        let Function { name, filename, .. } = self.profile.code().functions[id];
        let last = Form::of(self.profile.text(name)).last().to_owned();
        let whole = self.whole.get(&(last, base_name_of_any_system(self.profile.text(filename))));
        // The function that begins last before the line.
        let owner = whole.and_then(|whole| whole[..whole.partition_point(|(start, _)| *start <= line)].last()).map(|(_, name)| *name);
        let place = *self.place.entry((id, owner)).or_insert_with(|| {
            self.all.push((id, owner));
            self.all.len() - 1
        });
        SHORT + place as u64
    }

    /// The function, and the whole name that has its lines.
    fn get(&self, key: Key) -> Option<(FunctionId, Option<StrId>)> {
        (SHORT..UNNAMED).contains(&key).then(|| self.all[(key - SHORT) as usize])
    }
}

/// Aligns the call trees of several builds. O(nodes).
pub(super) fn aligned(profile: &Profile, of_stack: &OfStacks) -> Aligned {
    let (code, stacks) = (profile.code(), profile.stacks());
    if stacks.len() > MOST_NODES {
        return Aligned { calls: Vec::new(), n_named: 0, n_folded: 0 };
    }
    let mut tree = Tree::new(profile, of_stack);
    let mut tree_node = vec![0u32; stacks.len()];
    for i in 1..stacks.len() {
        let node = StackId::new(i);
        let frame = &code.frames[stacks.frame[node]];
        let function = frame.function.map(|id| &code.functions[id]);
        let key = match (frame.function, function.map(|function| function.name).filter(|&name| name != StrId(0))) {
            (Some(id), Some(name)) if tree.shorts.is_short[name.index()] => tree.shorts.key(id, frame.line),
            (_, Some(name)) => name.index() as u64,
            _ => UNNAMED + frame.location.index() as u64,
        };
        let builds = of_stack.passing[i];
        let to = tree.child(tree_node[stacks.parent[node].index()], key);
        tree_node[i] = to;
        let to = &mut tree.nodes[to as usize];
        to.function = to.function.or(frame.function);
        to.builds |= builds;
        to.ends |= of_stack.ending[i];
        to.is_inlined &= frame.inlined;
        let has_inlined = stacks.frame.get(StackId::new(i + 1)).is_some_and(|&next| {
            let next = &code.frames[next];
            next.inlined && next.location == frame.location
        });
        to.may_fold &= frame.inlined || has_inlined;
        if function.is_some_and(|function| function.filename != StrId(0)) {
            to.has_file |= builds;
        }
    }
    let before: Vec<(Key, u32)> = tree.nodes.iter().map(|node| (node.key, node.parent)).collect();
    tree.merged = (0..before.len() as u32).collect();
    tree.align_all();
    let last: Vec<u32> = (0..before.len() as u32).map(|node| tree.last(node)).collect();
    let is_folded = |node: u32| tree.nodes[last[node as usize] as usize].is_folded;
    let name = |key: Key| match key {
        0..SHORT => Some(StrId::new(key as usize)),
        _ => tree.shorts.get(key).map(|(id, _)| code.functions[id].name),
    };
    // The name that the node gets, if it is another than its own.
    let new_name = |node: u32| name(tree.nodes[last[node as usize] as usize].key).filter(|&new| Some(new) != name(before[node as usize].0));
    let change = |&node: &u32| match node {
        0 => CallChange::Same,
        node if is_folded(node) => CallChange::Folded,
        node => new_name(node).map_or(CallChange::Same, CallChange::Named),
    };
    let all = || 1..before.len() as u32;
    let key = |node: u32| before[node as usize].0;
    let folded: HashSet<(Key, Key)> = all().filter(|&node| is_folded(node)).map(|node| (key(before[node as usize].1), key(node))).collect();
    let named: HashSet<(Key, StrId)> = all().filter(|&n| !is_folded(n)).filter_map(|n| Some((key(n), new_name(n)?))).collect();
    Aligned { calls: tree_node.iter().map(change).collect(), n_named: named.len(), n_folded: folded.len() }
}

/// The call tree of all builds together.
struct Tree<'a> {
    profile: &'a Profile,
    nodes: Vec<Node>,
    /// Node and callee → the node below it.
    child: HashMap<(u32, Key), u32>,
    /// Node → the one that it was merged into, or itself.
    merged: Vec<u32>,
    shorts: Shorts<'a>,
    /// Function → what its name has in common with those of other builds.
    form: HashMap<Key, Rc<Shown>>,
    /// Steps that are left.
    steps: usize,
}

/// A function's name, as it is compared with those of other builds.
struct Shown {
    form: Form,
    /// Its source file, without folders; empty when unknown.
    file: String,
}

impl Shown {
    /// Returns whether it may be the same function as one of another build with the same last part.
    fn may_be(&self, other: &Shown) -> bool {
        let matches_trait = |one: &Form, other: &Form| other.of_trait.is_none() && one.of_trait.as_ref() == Some(&other.path);
        !other.form.is_whole()
            || self.form.path == other.form.path
            || matches_trait(&self.form, &other.form)
            || matches_trait(&other.form, &self.form)
    }
}

impl<'a> Tree<'a> {
    fn new(profile: &'a Profile, of_stack: &OfStacks) -> Self {
        let root = Node {
            key: 0,
            function: None,
            parent: NONE,
            first_child: NONE,
            next: NONE,
            builds: of_stack.passing[0],
            ends: of_stack.ending[0],
            has_file: 0,
            is_inlined: false,
            may_fold: false,
            is_folded: false,
        };
        Tree {
            profile,
            nodes: vec![root],
            child: HashMap::default(),
            merged: Vec::new(),
            shorts: Shorts::new(profile, of_stack),
            form: HashMap::default(),
            steps: profile.stacks().len().saturating_mul(STEPS),
        }
    }

    fn child(&mut self, parent: u32, key: Key) -> u32 {
        let Tree { nodes, child, .. } = self;
        *child.entry((parent, key)).or_insert_with(|| {
            let id = nodes.len() as u32;
            let next = std::mem::replace(&mut nodes[parent as usize].first_child, id);
            nodes.push(Node {
                key,
                function: None,
                parent,
                first_child: NONE,
                next,
                builds: 0,
                ends: 0,
                has_file: 0,
                is_inlined: true,
                may_fold: true,
                is_folded: false,
            });
            id
        })
    }

    fn is_own(&self, node: u32) -> bool {
        self.merged.get(node as usize).is_none_or(|&to| to == node)
    }

    fn children(&self, node: u32) -> Vec<u32> {
        let next = |&id: &u32| Some(self.nodes[id as usize].next).filter(|&id| id != NONE);
        let first = Some(self.nodes[node as usize].first_child).filter(|&id| id != NONE);
        std::iter::successors(first, next).filter(|&id| !self.nodes[id as usize].is_folded && self.is_own(id)).collect()
    }

    /// The node that this one was merged into, or itself.
    fn last(&mut self, node: u32) -> u32 {
        let mut last = node;
        while self.merged[last as usize] != last {
            let above = self.merged[self.merged[last as usize] as usize];
            self.merged[last as usize] = above;
            last = above;
        }
        last
    }

    /// Aligns what is below nodes that several builds have, from the root down.
    fn align_all(&mut self) {
        let mut open = vec![0u32];
        while let Some(node) = open.pop() {
            if self.nodes[node as usize].builds.count_ones() < 2 {
                continue;
            }
            while self.name_below(node) || self.fold_below(node) {}
            open.extend(self.children(node));
        }
    }

    /// Gives callees of `node` that are one function by different names one name; returns whether there were any.
    fn name_below(&mut self, node: u32) -> bool {
        let builds = self.nodes[node as usize].builds;
        let children = self.children(node);
        self.steps = self.steps.saturating_sub(children.len());
        let is_lone = |node: &Node| node.key < UNNAMED && builds & !node.builds != 0;
        let unmatched: Vec<u32> = children.into_iter().filter(|&child| is_lone(&self.nodes[child as usize])).collect();
        let unmatched: Vec<(u32, Rc<Shown>)> = unmatched.into_iter().map(|child| (child, self.shown(child))).collect();
        // By last part and file first, then by last part.
        [true, false].into_iter().any(|by_file| {
            let mut same: BTreeMap<(&str, &str), Vec<(u32, &Shown)>> = BTreeMap::new();
            for (child, shown) in &unmatched {
                let file = if by_file { &*shown.file } else { "" };
                same.entry((shown.form.last(), file)).or_default().push((*child, shown));
            }
            let mut is_changed = false;
            for same in same.into_values() {
                is_changed |= self.name_alike(&same, node);
            }
            is_changed
        })
    }

    /// Makes callees of `node` one if they are all of different builds and may be one function.
    fn name_alike(&mut self, same: &[(u32, &Shown)], node: u32) -> bool {
        let builds = |child: u32| self.nodes[child as usize].builds;
        let union = |of: &[(u32, &Shown)]| of.iter().fold(0, |all, (child, _)| all | builds(*child));
        let (whole, short): (Vec<_>, Vec<_>) = same.iter().copied().partition(|(_, shown)| shown.form.is_whole());
        let n_whole: u32 = whole.iter().map(|(child, _)| builds(*child).count_ones()).sum();
        let is_sure = union(&whole).count_ones() == n_whole && union(&whole) & union(&short) == 0;
        // The name of the newest build.
        let kept = whole.iter().max_by_key(|(child, shown)| (shown.form.of_trait.is_some(), builds(*child)));
        let Some((kept, shown)) = kept else { return false };
        let pairs: Vec<(u32, u32)> = match is_sure {
            true => same.iter().filter(|(child, other)| child != kept && shown.may_be(other)).map(|(child, _)| (*child, *kept)).collect(),
            // Ambiguous functions are distinguished by their lines.
            false => short.iter().filter_map(|(child, _)| Some((*child, self.owner(*child, &whole)?))).collect(),
        };
        for (child, kept) in &pairs {
            self.child.remove(&(node, self.nodes[*child as usize].key));
            self.merge(*child, *kept);
            self.move_children(*child, *kept);
        }
        !pairs.is_empty()
    }

    /// The one of `whole` that has the lines of `short`, a function of a build that it lacks.
    fn owner(&self, short: u32, whole: &[(u32, &Shown)]) -> Option<u32> {
        let short_node = &self.nodes[short as usize];
        let (_, owner) = self.shorts.get(short_node.key)?;
        let owner = owner?.index() as u64;
        let is_owner = |node: &Node| node.key == owner && node.builds & short_node.builds == 0;
        whole.iter().map(|(child, _)| *child).find(|&child| is_owner(&self.nodes[child as usize]))
    }

    fn shown(&mut self, node: u32) -> Rc<Shown> {
        let Node { key, function, .. } = self.nodes[node as usize];
        let of = || {
            let function = function.map(|id| &self.profile.code().functions[id]);
            let text = |of: fn(&Function) -> StrId| function.map_or("", |function| self.profile.text(of(function)));
            let (name, path) = (text(|function| function.name), text(|function| function.filename));
            let file = base_name_of_any_system(path).to_owned();
            Rc::new(Shown { form: Form::of(name), file })
        };
        self.form.entry(key).or_insert_with(of).clone()
    }

    /// Makes `from` one with `to`, all but its children.
    fn merge(&mut self, from: u32, to: u32) {
        let Node { builds, ends, has_file, is_inlined, may_fold, .. } = self.nodes[from as usize];
        let node = &mut self.nodes[to as usize];
        node.builds |= builds;
        node.ends |= ends;
        node.has_file |= has_file;
        node.is_inlined &= is_inlined;
        node.may_fold &= may_fold;
        self.merged[from as usize] = to;
    }

    /// Folds what is to be part of `node`; returns whether there was something.
    fn fold_below(&mut self, node: u32) -> bool {
        let children = self.children(node);
        self.steps = self.steps.saturating_sub(children.len());
        let Node { builds, ends, has_file, .. } = self.nodes[node as usize];
        let unmatched: Vec<u32> = children.iter().copied().filter(|&child| self.is_lone(child, builds)).collect();
        let mut is_changed = false;
        for call in unmatched {
            let call_builds = self.nodes[call as usize].builds;
            let others = builds & !call_builds;
            // Only in builds that lack the call, or in a build that has no inlined calls.
            let is_instead = |of: u32| of & others != 0 && (of & call_builds == 0 || of & others & has_file == 0);
            let mut instead: HashSet<Key> = HashSet::default();
            for child in self.children(node) {
                self.steps = self.steps.saturating_sub(1);
                if is_instead(self.nodes[child as usize].builds) {
                    instead.insert(self.nodes[child as usize].key);
                }
            }
            let ends = is_instead(ends);
            if (ends || !instead.is_empty()) && self.leads_to(call, &instead, ends) && self.steps > 0 {
                self.fold(call, node);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Returns whether not all of `builds` have it, and it can be part of its caller.
    fn is_lone(&self, node: u32, builds: u32) -> bool {
        let node = &self.nodes[node as usize];
        node.may_fold && builds & !node.builds != 0
    }

    /// Returns whether one of `keys`, or the end of a stack, is reached from `call` through inlined calls of its builds only.
    fn leads_to(&mut self, call: u32, keys: &HashSet<Key>, ends: bool) -> bool {
        let mut open = vec![(call, 0)];
        while let Some((node, depth)) = open.pop() {
            if ends && self.nodes[node as usize].ends != 0 {
                return true;
            }
            let is_inlined = self.nodes[node as usize].is_inlined;
            for child in self.children(node) {
                self.steps = self.steps.saturating_sub(1);
                // A jump leaves no frame; calls of what is not inlined do.
                if !is_inlined && !self.nodes[child as usize].is_inlined {
                    continue;
                }
                if keys.contains(&self.nodes[child as usize].key) {
                    return true;
                }
                if self.nodes[child as usize].is_inlined && depth < DEEPEST {
                    open.push((child, depth + 1));
                }
            }
            if self.steps == 0 {
                return false;
            }
        }
        false
    }

    /// Makes `call` part of `node`, its caller.
    fn fold(&mut self, call: u32, node: u32) {
        self.nodes[call as usize].is_folded = true;
        self.child.remove(&(node, self.nodes[call as usize].key));
        self.nodes[node as usize].ends |= self.nodes[call as usize].ends;
        self.move_children(call, node);
    }

    /// Puts the children of `from` below `to`; those that are there already become one.
    fn move_children(&mut self, from: u32, to: u32) {
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            for child in self.children(from) {
                self.steps = self.steps.saturating_sub(1);
                let key = self.nodes[child as usize].key;
                self.child.remove(&(from, key));
                match self.child.get(&(to, key)).copied() {
                    Some(same) => {
                        self.merge(child, same);
                        open.push((child, same));
                    }
                    None => {
                        self.child.insert((to, key), child);
                        self.nodes[child as usize].parent = to;
                        self.nodes[child as usize].next = std::mem::replace(&mut self.nodes[to as usize].first_child, child);
                    }
                }
            }
            self.nodes[from as usize].first_child = NONE;
        }
    }
}
