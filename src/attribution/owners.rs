//! Owners of the frames of a profile: computed when first needed, then cached.

use std::cell::RefCell;
use std::sync::OnceLock;

use super::classify::{Classifier, Package};
use super::facts;
use super::wrappers::{is_of_language, may_wrap, wrappers};
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{FrameId, FunctionId, Id, StrId};
use crate::base::kind::PackageKind;
use crate::profile::{Function, NameFlags, Profile, Strings};
use crate::query::{KindRules, RuleOn};

/// Approximate size of a package with its texts.
const PACKAGE_BYTES: usize = size_of::<Package>() + 48;

/// Owners of the frames of one profile; never used with another profile.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    rules: KindRules,
    /// Keys of the labels that became frames.
    label_keys: Vec<String>,
    classifier: OnceLock<Classifier>,
    by_function: OnceLock<FoundOwners>,
    by_file: OnceLock<FoundOwners>,
    wrappers: OnceLock<Vec<StrId>>,
}

#[derive(Debug)]
struct FoundOwners {
    package: Vec<Package>,
    /// `FrameId` → its package.
    of_frame: Vec<u32>,
}

impl Owners {
    /// Owners under the user's rules; `label_keys` are keys of labels that became frames.
    pub(crate) fn new(rules: &KindRules, label_keys: Vec<String>) -> Self {
        Owners { rules: rules.clone(), label_keys, ..Owners::default() }
    }

    /// Whether the user has no rules.
    pub(crate) fn has_no_rules(&self) -> bool {
        self.rules.is_empty()
    }

    /// Bytes on the heap for what is computed so far.
    pub(crate) fn heap_bytes(&self) -> usize {
        let bytes = |owners: &OnceLock<FoundOwners>| {
            owners.get().map_or(0, |owners| owners.package.capacity() * PACKAGE_BYTES + owners.of_frame.capacity() * size_of::<u32>())
        };
        bytes(&self.by_function) + bytes(&self.by_file)
    }

    /// Whether a frame is a label and not code (`Profile::with_label_frames`).
    pub(crate) fn is_label(&self, profile: &Profile, frame: FrameId) -> bool {
        let location = &profile.code().locations[profile.code().frames[frame].location];
        let is_nowhere = !self.label_keys.is_empty() && location.mapping.is_none() && location.address == 0;
        let file = || profile.function_of(frame).map(|(_, function)| profile.text(function.filename));
        is_nowhere && file().is_some_and(|file| self.label_keys.iter().any(|key| key == file))
    }

    /// Returns the owner of a frame; `by_file`: only its source file counts. The first time O(frames).
    pub(crate) fn of(&self, profile: &Profile, frame: FrameId, by_file: bool) -> &Package {
        self.found_owners(profile, by_file).of(frame)
    }

    /// Names of the allocation wrappers whose callers are charged, those with most bytes first, without those to which the
    /// user's rules give another owner. The first time O(nodes × layers of wrappers).
    pub(crate) fn wrappers<'a>(&self, profile: &'a Profile) -> Vec<&'a str> {
        let by_function_owners = self.found_owners(profile, false);
        let names = self.wrappers.get().map_or(&[][..], Vec::as_slice);
        if names.is_empty() {
            return Vec::new();
        }
        let frames = profile.code().frames.ids().filter(|frame| by_function_owners.of(*frame).wrapper_of.is_some());
        let charged: HashSet<StrId> = frames.filter_map(|frame| Some(profile.function_of(frame)?.1.name)).collect();
        names.iter().filter(|name| charged.contains(name)).map(|name| profile.text(*name)).collect()
    }

    /// Packages, and `FrameId` → index of its package, for rows made elsewhere.
    pub(crate) fn all(&self, profile: &Profile, by_file: bool) -> (Vec<Package>, Vec<u32>) {
        let found = self.found_owners(profile, by_file);
        (found.package.clone(), found.of_frame.clone())
    }

    fn found_owners(&self, profile: &Profile, by_file: bool) -> &FoundOwners {
        // Not needed where facts are recorded.
        let classifier = &|| self.classifier.get_or_init(|| Classifier::new(profile));
        match by_file {
            true => self.by_file.get_or_init(|| FoundOwners::new(profile, self, classifier, true)),
            false => self.by_function.get_or_init(|| FoundOwners::new(profile, self, classifier, false)),
        }
    }
}

impl FoundOwners {
    fn of(&self, frame: FrameId) -> &Package {
        &self.package[self.of_frame[frame.index()] as usize]
    }

    /// Classifies each function once per mapping. O(frames).
    fn new<'c>(profile: &Profile, owners: &Owners, classifier: &impl Fn() -> &'c Classifier, by_file: bool) -> Self {
        let classify = |function: Option<FunctionId>, object: StrId, facts: u32| {
            let recorded = facts::recorded(profile).and_then(|names| Some((names, names.get(facts)?)));
            match recorded {
                Some((names, facts)) => facts::package(names, facts, by_file),
                None if by_file => classifier().package_of_file(profile, function, profile.text(object)),
                None => classifier().package(profile, function, profile.text(object)),
            }
        };
        let mut known: HashMap<(Option<FunctionId>, StrId, u32), u32> = HashMap::default();
        let mut by_texts: HashMap<(Option<Function>, StrId, u32, bool), u32> = HashMap::default();
        let mut result = FoundOwners { package: Vec::new(), of_frame: Vec::with_capacity(profile.code().frames.len()) };
        // `None`: a label.
        let mut package_sources: Vec<Option<(Option<FunctionId>, StrId)>> = Vec::new();
        for frame in profile.code().frames.ids() {
            let function = profile.function_of(frame).map(|(id, _)| id);
            let mapping = profile.mapping_of(profile.code().frames[frame].location);
            let object = mapping.map_or(Strings::EMPTY, |(_, m)| m.file);
            let facts = facts::number_of(profile, frame);
            let number = *known.entry((function, object, facts)).or_insert_with(|| {
                // Functions that differ in their lines only are one: many may have one long name.
                let texts = function.map(|id| Function { start_line: 0, ..profile.code().functions[id] });
                let is_label = owners.is_label(profile, frame);
                *by_texts.entry((texts, object, facts, is_label)).or_insert_with(|| {
                    result.package.push(if is_label { Package::default() } else { classify(function, object, facts) });
                    package_sources.push((!is_label).then_some((function, object)));
                    result.package.len() as u32 - 1
                })
            });
            result.of_frame.push(number);
        }
        if !by_file {
            result.mark_wrappers(profile, owners, classifier, &package_sources);
        }
        if !owners.rules.is_empty() {
            for (package, of) in result.package.iter_mut().zip(package_sources) {
                let Some((function, object)) = of else { continue };
                let found = std::mem::take(package);
                *package = by_rules(&owners.rules, profile, function, profile.text(object), found);
            }
        }
        result
    }

    /// Makes allocation wrappers allocators. They are found before the user's rules count, so that a rule for one function
    /// changes that function only.
    fn mark_wrappers<'c>(
        &mut self,
        profile: &Profile,
        owners: &Owners,
        classifier: &impl Fn() -> &'c Classifier,
        of_package: &[Option<(Option<FunctionId>, StrId)>],
    ) {
        // Many functions may have one long name.
        let known: RefCell<HashMap<[StrId; 3], bool>> = RefCell::default();
        let is_c = |id: FunctionId| {
            let f = &profile.code().functions[id];
            let texts = [f.name, f.system_name, f.filename];
            match facts::of_function(profile, f) {
                Some(facts) => facts.flags.has(NameFlags::C),
                None => *known.borrow_mut().entry(texts).or_insert_with(|| classifier().is_c(profile, id)),
            }
        };
        let is_c_frame = |frame| profile.function_of(frame).is_some_and(|(id, _)| is_c(id));
        let found = owners.wrappers.get_or_init(|| wrappers(profile, |frame| self.of(frame), is_c_frame));
        if found.is_empty() {
            return;
        }
        let names: HashSet<StrId> = found.iter().copied().collect();
        for (package, of) in self.package.iter_mut().zip(of_package) {
            let Some((Some(function), _)) = of else { continue };
            let is_candidate = may_wrap(package.kind) && !(package.kind == PackageKind::Runtime && is_of_language(package));
            if is_candidate && names.contains(&profile.code().functions[*function].name) && is_c(*function) {
                package.wrapper_of = Some(package.kind);
                package.kind = PackageKind::Allocator;
            }
        }
    }
}

/// Applies the user's rules to a package: the first that matches decides. O(rules).
fn by_rules(rules: &KindRules, profile: &Profile, function: Option<FunctionId>, object: &str, package: Package) -> Package {
    let function = function.map(|id| &profile.code().functions[id]);
    let [name, file] = [function.map(|f| f.name), function.map(|f| f.filename)].map(|id| id.map_or("", |id| profile.text(id)));
    let fits = rules.0.iter().find(|rule| {
        rule.fits(match rule.on {
            RuleOn::Package => &package.name,
            RuleOn::Function => name,
            RuleOn::File => file,
            RuleOn::Library => object,
        })
    });
    match fits {
        // What wraps the allocator does so in code of any kind; only a rule for the function itself makes it something else.
        Some(rule) if package.wrapper_of.is_some() && rule.on != RuleOn::Function && rule.kind != PackageKind::Allocator => {
            let (name, version) = match rule.package.is_empty() {
                true => (package.name, package.version),
                false => (rule.package.clone(), String::new()),
            };
            Package { kind: PackageKind::Allocator, name, version, wrapper_of: Some(rule.kind), ..package }
        }
        Some(rule) if rule.package.is_empty() => Package { kind: rule.kind, wrapper_of: None, ..package },
        Some(rule) => Package { kind: rule.kind, name: rule.package.clone(), version: String::new(), wrapper_of: None, ..package },
        None => package,
    }
}
