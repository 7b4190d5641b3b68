//! Which container's memory a stack holds: `Vec<Block>`, `HashMap<K, V>`, `std::string`.
//!
//! Between the code that a person wrote and the allocator lie functions of libraries, and their names tell
//! what was growing: `HashMap::insert` asks by way of `hashbrown`'s tables, `String::push_str` by way of
//! `Vec<u8>`. The innermost container counts, with what it is made of taken for itself (`rules`). What no
//! name tells is unknown: nothing is guessed from sizes or from who called.

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
    /// As people write it, of no two types the same: `Vec<Block>`.
    pub name: String,
    /// With the folders that things lie in: `alloc::vec::Vec<ledger::Block>`.
    pub full_name: String,
}

/// The number of what no name tells.
pub(crate) const UNKNOWN: u32 = 0;

/// The types of a profile's rows.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Type → its name; the first is `UNKNOWN`'s.
    pub name: Vec<TypeName>,
    /// Row → its type.
    pub of_row: Vec<u32>,
    /// Why types may be unknown that a name would tell.
    pub warning: Option<String>,
}

impl Types {
    /// Bytes on the heap. O(types).
    pub(crate) fn heap_bytes(&self) -> usize {
        let texts = |name: &TypeName| name.name.len() + name.full_name.len() + size_of::<TypeName>();
        self.name.iter().map(texts).sum::<usize>() + self.of_row.capacity() * size_of::<u32>()
    }
}

/// What a name says, whatever its package is.
#[derive(Debug, Default)]
struct NameSays {
    container: Option<Container>,
    /// It is the container's own function, not a trait's.
    is_inherent: bool,
    /// Whether it is a library's affair; `None`: its package decides.
    is_library: Option<bool>,
}

/// What the name of a function says, as it is recorded.
pub(crate) struct TypeFacts {
    pub(crate) container: Option<RecordedContainer>,
    pub(crate) flags: NameFlags,
}

/// What a frame says.
enum Evidence {
    /// It is of this container.
    Container(Container),
    /// It is a library's affair.
    Within,
    /// Here somebody used a library.
    Outside,
}

/// Tells types by whose code frames are. O(nodes + functions near the ends of stacks × name).
pub(crate) fn of_rows(profile: &Profile, owners: &Owners) -> Types {
    of_rows_with_names(profile, owners).0
}

/// The same with what the names said that were asked.
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
    tell_apart(&mut types.name);
    let warning = reader.budget.warning().map(|warning| format!("types may be unknown: {warning}"));
    types.warning = warning.or_else(|| facts::recorded(profile).and_then(|names| names.warning.clone()));
    let names = reader.known.into_iter().map(|(id, says)| (id, says.to_record(&rules))).collect();
    (types, names)
}

impl NameSays {
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
        NameSays { container, is_inherent: facts.flags.has(NameFlags::INHERENT), is_library }
    }

    /// `is_library`: what the package says.
    fn evidence(&self, is_library: bool) -> Evidence {
        let is_library = self.is_library.unwrap_or(is_library);
        match &self.container {
            Some(container) if is_library || self.is_inherent => Evidence::Container(container.clone()),
            _ if is_library => Evidence::Within,
            _ => Evidence::Outside,
        }
    }
}

/// Names that several types share give way to full ones.
fn tell_apart(names: &mut [TypeName]) {
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
    known: HashMap<FunctionId, Rc<NameSays>>,
    /// Texts of a function → the same: many functions may have one long name.
    by_texts: HashMap<Function, Rc<NameSays>>,
    /// For all full names.
    budget: Budget,
}

impl Reader<'_> {
    /// `StackId` → an allocator was called on the way to it: what that calls is its own affair. O(nodes).
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

    /// What the stack's memory is for. O(frames of libraries at its end).
    fn container(&mut self, stack: StackId, closed: &[bool]) -> Option<Container> {
        let stacks = self.profile.stacks();
        let mut node = stack;
        while closed[node.index()] {
            node = stacks.parent[node];
        }
        let mut found: Option<Container> = None;
        while node != Stacks::ROOT {
            let frame = stacks.frame[node];
            match self.said(frame) {
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

    /// Functions that share their code have the name of one of them: another type's, perhaps. So have those of Rust's
    /// library as it was delivered, with names of the new scheme, where a function with a name of the old one calls them:
    /// its own would have been compiled with it.
    fn trusted(&self, node: StackId, container: Container) -> Container {
        let (code, stacks) = (self.profile.code(), self.profile.stacks());
        let frame = &code.frames[stacks.frame[node]];
        if frame.inlined {
            return container;
        }
        let holds = |of: fn(&Profile, &Function) -> bool, node: StackId| {
            self.profile.function_of(stacks.frame[node]).is_some_and(|(_, function)| of(self.profile, function))
        };
        let caller = stacks.parent[node];
        let is_delivered = || holds(facts::is_v0, node) && caller != Stacks::ROOT && holds(facts::has_no_generics, caller);
        if code.locations[frame.location].is_folded || is_delivered() { container.vague(self.rules) } else { container }
    }

    fn said(&mut self, frame: FrameId) -> Evidence {
        let package = self.owners.of(self.profile, frame, false);
        let is_library = matches!(package.kind, PackageKind::Allocator | PackageKind::Runtime)
            || package.kind == PackageKind::Plumbing && package.name == "std";
        let Some((id, function)) = self.profile.function_of(frame) else {
            return if is_library { Evidence::Within } else { Evidence::Outside };
        };
        if let Some(says) = self.known.get(&id) {
            return says.evidence(is_library);
        }
        let texts = Function { start_line: 0, ..*function };
        let says = match self.by_texts.get(&texts) {
            Some(says) => says.clone(),
            None => Rc::new(self.says(function)),
        };
        let evidence = says.evidence(is_library);
        self.known.insert(id, says.clone());
        self.by_texts.insert(texts, says);
        evidence
    }

    fn says(&mut self, function: &Function) -> NameSays {
        if let Some((names, facts)) = facts::recorded(self.profile).zip(facts::of_function(self.profile, function)) {
            return NameSays::recorded(self.rules, names, facts);
        }
        let text = |id| self.profile.text(id);
        let (name, mangled, file) = (text(function.name), text(function.system_name), text(function.filename));
        let language = language(name, mangled, file);
        if language == Language::Go {
            return says_in_go(self.rules, name);
        }
        let full = match text(function.short_name) {
            "" if mangled.is_empty() => name.to_owned(),
            "" => self.budget.full_name(mangled),
            short => self.budget.full_name(&format!("{mangled} {short}")),
        };
        let NameEvidence { container, is_inherent } = name_evidence(self.rules, language, &full, mangled, file);
        let is_library = (language == Language::Rust && is_of_containers(crate_of(name))).then_some(true);
        NameSays { container, is_inherent, is_library }
    }
}

/// In Go the function nearest to the runtime decides.
fn says_in_go(rules: &Rules, name: &str) -> NameSays {
    let package = go_package(name);
    let is_runtime = package == "runtime" || package.starts_with("internal/runtime");
    NameSays { container: called::go(rules, name), is_inherent: true, is_library: Some(is_runtime) }
}
