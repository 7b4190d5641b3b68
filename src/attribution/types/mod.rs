//! Container types of memory by stack: `Vec<Block>`, `HashMap<K, V>`, `std::string`.
//!
//! Library functions between own code and the allocator show by their names which container allocated:
//! `HashMap::insert` through `hashbrown`'s tables, `String::push_str` through `Vec<u8>`. The innermost container
//! counts; containers that it is built on count as itself (`rules`). Without such a name the type is unknown: nothing is
//! guessed from sizes or callers.

mod called;
mod rules;
mod spell;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::rc::Rc;

use super::classify::names::{Language, crate_of, go_package, language};
use super::facts;
use super::owners::Owners;
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, FunctionId, Id, StackId};
use crate::base::kind::PackageKind;
use crate::demangle::Budget;
use crate::profile::{Function, NameFacts, NameFlags, Profile, RecordedContainer, RecordedNames, Stacks};
use called::{Container, NameEvidence, name_evidence};
use rules::{Rules, is_of_containers};
use spell::{Form, spell};

/// A type's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeName {
    /// Short, unique name: `Vec<Block>`.
    pub name: String,
    /// Name with module paths: `alloc::vec::Vec<ledger::Block>`.
    pub full_name: String,
}

/// Number of the unknown type.
pub(crate) const UNKNOWN: u32 = 0;

/// The types of a profile's rows.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Type → its name; the first is `UNKNOWN`'s.
    pub name: Vec<TypeName>,
    /// Row → its type.
    pub of_row: Vec<u32>,
    /// Reason why types may be unknown although a name has them.
    pub warning: Option<String>,
}

impl Types {
    /// Bytes on the heap. O(types).
    pub(crate) fn heap_bytes(&self) -> usize {
        let texts = |name: &TypeName| name.name.len() + name.full_name.len() + size_of::<TypeName>();
        self.name.iter().map(texts).sum::<usize>() + self.of_row.capacity() * size_of::<u32>()
    }
}

/// Type evidence of a function name, whatever its package is.
#[derive(Debug, Default)]
struct NameTypes {
    container: Option<Container>,
    /// Whether the function is the container's own and not a trait's.
    is_inherent: bool,
    /// Whether the function is internal to a library; `None`: its package decides.
    is_library: Option<bool>,
}

/// Type evidence of a function name as it is recorded in report data.
pub(crate) struct TypeFacts {
    pub(crate) container: Option<RecordedContainer>,
    pub(crate) flags: NameFlags,
}

/// Type evidence of a frame.
enum Evidence {
    /// Belongs to this container.
    Container(Container),
    /// Internal to a library.
    Within,
    /// Code that uses a library.
    Outside,
}

/// Determines the types of all rows from the owners of their frames. O(nodes + functions near the ends of stacks × name).
pub(crate) fn of_rows(profile: &Profile, owners: &Owners) -> Types {
    of_rows_with_names(profile, owners).0
}

/// Like [`of_rows`]; also returns the evidence of the names that were examined.
pub(crate) fn of_rows_with_names(profile: &Profile, owners: &Owners) -> (Types, HashMap<FunctionId, TypeFacts>) {
    let rules = Rules::new();
    let (known, by_texts, budget) = (HashMap::default(), HashMap::default(), Budget::default());
    let mut reader = Reader { profile, owners, rules: &rules, known, by_texts, budget };
    let closed = reader.closed();
    let mut types = Types { name: vec![TypeName { name: "unknown".into(), full_name: String::new() }], of_row: Vec::new(), warning: None };
    let mut numbers: HashMap<String, u32> = HashMap::default();
    let mut of_stack: HashMap<StackId, u32> = HashMap::default();
    types.of_row.reserve(profile.samples().len());
    for &stack in &profile.samples().stack {
        let number = *of_stack.entry(stack).or_insert_with(|| match reader.container(stack, &closed) {
            None => UNKNOWN,
            Some(container) => *numbers.entry(container.text).or_insert_with_key(|text| {
                types.name.push(TypeName { name: spell(&rules, text, Form::Short), full_name: text.clone() });
                types.name.len() as u32 - 1
            }),
        });
        types.of_row.push(number);
    }
    disambiguate(&mut types.name);
    let warning = reader.budget.warning().map(|warning| format!("types may be unknown: {warning}"));
    types.warning = warning.or_else(|| facts::recorded(profile).and_then(|names| names.warning.clone()));
    let names = reader.known.into_iter().map(|(id, types)| (id, types.to_record(&rules))).collect();
    (types, names)
}

impl NameTypes {
    fn to_record(&self, rules: &Rules) -> TypeFacts {
        let flags = NameFlags::default()
            .with(NameFlags::INHERENT, self.is_inherent)
            .with(NameFlags::WITHIN, self.is_library == Some(true))
            .with(NameFlags::OUTSIDE, self.is_library == Some(false));
        TypeFacts { container: self.container.as_ref().map(|container| container.to_record(rules)), flags }
    }

    fn recorded(rules: &Rules, names: &RecordedNames, facts: &NameFacts) -> Self {
        let container = facts.container.checked_sub(1).and_then(|at| names.containers.get(at as usize));
        let is_library = match facts.flags {
            flags if flags.has(NameFlags::WITHIN) => Some(true),
            flags if flags.has(NameFlags::OUTSIDE) => Some(false),
            _ => None,
        };
        let container = container.map(|container| Container::recorded(rules, container));
        NameTypes { container, is_inherent: facts.flags.has(NameFlags::INHERENT), is_library }
    }

    /// Returns the evidence for a frame; `is_library`: whether its package is a library.
    fn evidence(&self, is_library: bool) -> Evidence {
        let is_library = self.is_library.unwrap_or(is_library);
        match &self.container {
            Some(container) if is_library || self.is_inherent => Evidence::Container(container.clone()),
            _ if is_library => Evidence::Within,
            _ => Evidence::Outside,
        }
    }
}

/// Replaces short names that several types share with full names.
fn disambiguate(names: &mut [TypeName]) {
    let mut count: HashMap<String, usize> = HashMap::default();
    names.iter().for_each(|name| *count.entry(name.name.clone()).or_default() += 1);
    for name in names {
        if count[&name.name] > 1 && !name.full_name.is_empty() {
            name.name.clone_from(&name.full_name);
        }
    }
}

struct Reader<'a> {
    profile: &'a Profile,
    owners: &'a Owners,
    rules: &'a Rules,
    known: HashMap<FunctionId, Rc<NameTypes>>,
    /// Texts of a function → evidence: many functions may share a long name.
    by_texts: HashMap<Function, Rc<NameTypes>>,
    /// Budget for all full names.
    budget: Budget,
}

impl Reader<'_> {
    /// `StackId` → whether an allocator is among its callers: callees of allocators are internal. O(nodes).
    fn closed(&self) -> Vec<bool> {
        let stacks = self.profile.stacks();
        let mut closed = vec![false; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let parent = stacks.parent[node];
            let is_allocator = |node| node != Stacks::ROOT && self.owners.of(self.profile, stacks.frame[node], false).is_allocator();
            closed[node.index()] = closed[parent.index()] || is_allocator(parent);
        }
        closed
    }

    /// Container that the stack's memory belongs to. O(library frames at its end).
    fn container(&mut self, stack: StackId, closed: &[bool]) -> Option<Container> {
        let stacks = self.profile.stacks();
        let mut node = stack;
        while closed[node.index()] {
            node = stacks.parent[node];
        }
        let mut found: Option<Container> = None;
        while node != Stacks::ROOT {
            let frame = stacks.frame[node];
            match self.evidence(frame) {
                Evidence::Outside => break,
                Evidence::Within => {}
                Evidence::Container(container) => {
                    let container = self.trusted(node, container);
                    found = Some(match found {
                        None => container,
                        Some(inner) => match container.around(&inner) {
                            Some(outer) => outer,
                            None => return Some(inner),
                        },
                    });
                }
            }
            node = stacks.parent[node];
        }
        found
    }

    /// Drops element types that may be wrong. Functions with identical code share one name, perhaps of another type. The
    /// same applies to precompiled functions of Rust's library: v0 names called by a function with a legacy name.
    fn trusted(&self, node: StackId, container: Container) -> Container {
        let (code, stacks) = (self.profile.code(), self.profile.stacks());
        let frame = &code.frames[stacks.frame[node]];
        if frame.inlined {
            return container;
        }
        let matches = |of: fn(&Profile, &Function) -> bool, node: StackId| {
            self.profile.function_of(stacks.frame[node]).is_some_and(|(_, function)| of(self.profile, function))
        };
        let caller = stacks.parent[node];
        let is_delivered = || matches(facts::is_v0, node) && caller != Stacks::ROOT && matches(facts::has_no_generics, caller);
        if code.locations[frame.location].is_folded || is_delivered() { container.vague(self.rules) } else { container }
    }

    fn evidence(&mut self, frame: FrameId) -> Evidence {
        let package = self.owners.of(self.profile, frame, false);
        let is_library = matches!(package.kind, PackageKind::Allocator | PackageKind::Runtime)
            || package.kind == PackageKind::Plumbing && package.name == "std";
        let Some((id, function)) = self.profile.function_of(frame) else {
            return if is_library { Evidence::Within } else { Evidence::Outside };
        };
        if let Some(types) = self.known.get(&id) {
            return types.evidence(is_library);
        }
        let texts = Function { start_line: 0, ..*function };
        let types = match self.by_texts.get(&texts) {
            Some(types) => types.clone(),
            None => Rc::new(self.name_types(function)),
        };
        let evidence = types.evidence(is_library);
        self.known.insert(id, types.clone());
        self.by_texts.insert(texts, types);
        evidence
    }

    fn name_types(&mut self, function: &Function) -> NameTypes {
        if let Some((names, facts)) = facts::recorded(self.profile).zip(facts::of_function(self.profile, function)) {
            return NameTypes::recorded(self.rules, names, facts);
        }
        let text = |id| self.profile.text(id);
        let (name, mangled, file) = (text(function.name), text(function.system_name), text(function.filename));
        let language = language(name, mangled, file);
        if language == Language::Go {
            return go_name_types(self.rules, name);
        }
        let full = match text(function.short_name) {
            "" if mangled.is_empty() => name.to_owned(),
            "" => self.budget.full_name(mangled),
            short => self.budget.full_name(&format!("{mangled} {short}")),
        };
        let NameEvidence { container, is_inherent } = name_evidence(self.rules, language, &full, mangled, file);
        let is_library = (language == Language::Rust && is_of_containers(crate_of(name))).then_some(true);
        NameTypes { container, is_inherent, is_library }
    }
}

/// In Go the function nearest to the runtime decides.
fn go_name_types(rules: &Rules, name: &str) -> NameTypes {
    let package = go_package(name);
    let is_runtime = package == "runtime" || package.starts_with("internal/runtime");
    NameTypes { container: called::go(rules, name), is_inherent: true, is_library: Some(is_runtime) }
}
