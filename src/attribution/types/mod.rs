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

use super::classify::names::{Language, crate_of, go_package, language};
use super::owners::Owners;
use crate::base::hash::HashMap;
use crate::base::id::{FrameId, FunctionId, Id, StackId};
use crate::base::kind::PackageKind;
use crate::demangle::{Budget, loses_generics};
use crate::profile::{Function, Profile, Stacks};
use called::{Container, name_evidence};
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

/// What a frame says.
#[derive(Clone, Debug)]
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
    types.warning = reader.budget.warning().map(|warning| format!("types may be unknown: {warning}"));
    types
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
    known: HashMap<FunctionId, Evidence>,
    /// Texts of a function and whether it is of a library → the same: many functions may have one long name.
    by_texts: HashMap<(Function, bool), Evidence>,
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
        let mangled = |frame: FrameId| self.profile.function_of(frame).map_or("", |(_, f)| self.profile.text(f.system_name));
        let caller = stacks.parent[node];
        let is_delivered =
            || mangled(stacks.frame[node]).starts_with("_R") && caller != Stacks::ROOT && loses_generics(mangled(stacks.frame[caller]));
        if code.locations[frame.location].is_folded || is_delivered() { container.vague(self.rules) } else { container }
    }

    fn said(&mut self, frame: FrameId) -> Evidence {
        let package = self.owners.of(self.profile, frame, false);
        let is_library = matches!(package.kind, PackageKind::Allocator | PackageKind::Runtime)
            || package.kind == PackageKind::Plumbing && package.name == "std";
        let Some((id, function)) = self.profile.function_of(frame) else {
            return if is_library { Evidence::Within } else { Evidence::Outside };
        };
        if let Some(said) = self.known.get(&id) {
            return said.clone();
        }
        let texts = (Function { start_line: 0, ..*function }, is_library);
        if let Some(said) = self.by_texts.get(&texts) {
            self.known.insert(id, said.clone());
            return said.clone();
        }
        let text = |id| self.profile.text(id);
        let (name, mangled, file) = (text(function.name), text(function.system_name), text(function.filename));
        let said = match language(name, mangled, file) {
            Language::Go => said_in_go(self.rules, name),
            language => {
                let full = match text(function.short_name) {
                    "" if mangled.is_empty() => name.to_owned(),
                    "" => self.budget.full_name(mangled),
                    short => self.budget.full_name(&format!("{mangled} {short}")),
                };
                let is_library = is_library || language == Language::Rust && is_of_containers(crate_of(name));
                let told = name_evidence(self.rules, language, &full, mangled, file);
                match told.container {
                    Some(container) if is_library || told.is_inherent => Evidence::Container(container),
                    _ if is_library => Evidence::Within,
                    _ => Evidence::Outside,
                }
            }
        };
        self.known.insert(id, said.clone());
        self.by_texts.insert(texts, said.clone());
        said
    }
}

/// In Go the function nearest to the runtime decides.
fn said_in_go(rules: &Rules, name: &str) -> Evidence {
    let package = go_package(name);
    let is_runtime = package == "runtime" || package.starts_with("internal/runtime");
    match called::go(rules, name) {
        Some(container) => Evidence::Container(container),
        None if is_runtime => Evidence::Within,
        None => Evidence::Outside,
    }
}
