//! Ownership of functions: package, version and kind of code.
//!
//! There are three sources, in this order: known names (`rules`), the structure of the name (`names`: the crate of
//! `<a::B as c::D>::e`), and the path of the source file (`paths`). Evidence is shared within a program: a crate with
//! one function in a registry is third party everywhere.

mod closures;
mod modules;
pub(crate) mod names;
mod paths;
mod rules;
#[cfg(test)]
mod tests;
mod wrapper_names;

use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{FunctionId, MappingId, StrId};
use crate::base::kind::PackageKind;
use crate::base::plain::base_name;
use crate::profile::{Function, Profile, is_made_up};
use names::{Language, STD_CRATES};
use paths::{Origin, Source};
use rules::{On, Rule, Rules};

pub(crate) use closures::enclosing;
pub(crate) use wrapper_names::{WrapperName, wrapper_name};

/// Ownership of a function: package, version and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// Crate (as code spells it), Go package, C++ namespace, library or program; empty when unknown.
    pub name: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// Kind of code.
    pub kind: PackageKind,
    /// Module, namespace or Go package as code spells it; empty when unknown.
    pub module: String,
    /// For an allocation wrapper, whose callers are charged: the kind of its package; otherwise `None`.
    pub wrapper_of: Option<PackageKind>,
}

impl Package {
    /// Whether this is the allocator itself, whose callees are internal to it; those of wrappers are not.
    pub(crate) fn is_allocator(&self) -> bool {
        self.kind == PackageKind::Allocator && self.wrapper_of.is_none()
    }
}

/// Names and files of a function in a profile.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol<'a> {
    /// Display name; empty when unknown.
    name: &'a str,
    /// Name in the binary.
    system_name: &'a str,
    /// Source file.
    file: &'a str,
    /// Path of the mapped file.
    object: &'a str,
}

/// Evidence for a crate from all its functions.
#[derive(Clone, Debug, Default)]
struct Crate {
    /// Version from paths with the crate's name; empty if there are several.
    version: String,
    /// Whether a path has the crate's name.
    is_packaged: bool,
    /// Whether a path is outside all package folders.
    is_own: bool,
    /// Version from a path in a package folder with another name.
    other: Option<String>,
}

/// Classifies the functions of one profile.
#[derive(Debug, Default)]
pub(crate) struct Classifier {
    /// Path of the program's file.
    program: String,
    /// The crate with the function `main`; empty when there is none.
    main_crate: String,
    /// Folder `name-1.2.3` that contains `main`: part of the program, not a package.
    own_folder: String,
    /// Whether Rust's runtime started the program.
    is_rust: bool,
    crates: HashMap<String, Crate>,
    rules: Rules,
}

impl Classifier {
    /// Collects the evidence of all functions of a profile. O(functions).
    pub(crate) fn new(profile: &Profile) -> Self {
        let program = profile.code().mappings.get(MappingId(0)).map_or("", |m| profile.text(m.file));
        // Many functions may have one long name.
        let mut known: HashSet<[StrId; 3]> = HashSet::default();
        let functions = profile.code().functions.iter().filter(|f| known.insert([f.name, f.system_name, f.filename]));
        Classifier::of(program, functions.map(|f| symbol(profile, f, "")))
    }

    fn of<'a>(program: &str, symbols: impl Iterator<Item = Symbol<'a>>) -> Self {
        let mut this = Classifier { program: program.to_owned(), rules: Rules::new(), ..Classifier::default() };
        for symbol in symbols {
            if symbol.name == "main" || symbol.name.ends_with("::main") {
                this.note_folder(symbol.file);
            }
            if names::language(symbol.name, symbol.system_name, symbol.file) != Language::Rust {
                continue;
            }
            this.is_rust |= symbol.name.starts_with("std::rt::");
            let name = names::crate_of(symbol.name);
            if name.is_empty() || STD_CRATES.contains(&name) {
                continue;
            }
            if symbol.name.strip_prefix(name) == Some("::main") {
                name.clone_into(&mut this.main_crate);
            }
            if !this.crates.contains_key(name) {
                this.crates.insert(name.to_owned(), Crate::default());
            }
            if let Some(facts) = this.crates.get_mut(name) {
                facts.learn(name, paths::source(symbol.file));
            }
        }
        if this.main_crate.is_empty() {
            this.main_crate = base_name(program).replace('-', "_");
        }
        this
    }

    fn note_folder(&mut self, main: &str) {
        if let Source { origin: Origin::Versioned, package, .. } = paths::source(main) {
            package.clone_into(&mut self.own_folder);
        }
    }

    /// Returns the owner of a function; `None`: code without a name in the file `object`.
    pub(crate) fn package(&self, profile: &Profile, function: Option<FunctionId>, object: &str) -> Package {
        let symbol = function.map_or(Symbol { object, ..Symbol::default() }, |id| symbol(profile, &profile.code().functions[id], object));
        Package { module: modules::module_of(symbol.name, self.language(symbol)).to_owned(), ..self.package_of(symbol) }
    }

    /// Returns the owner of a function judged by its source file only.
    pub(crate) fn package_of_file(&self, profile: &Profile, function: Option<FunctionId>, object: &str) -> Package {
        let file = function.map_or("", |id| profile.text(profile.code().functions[id].filename));
        self.package_of(Symbol { file, object, ..Symbol::default() })
    }

    /// Whether a function is in C or C++.
    pub(crate) fn is_c(&self, profile: &Profile, function: FunctionId) -> bool {
        matches!(self.language(symbol(profile, &profile.code().functions[function], "")), Language::C | Language::Cpp)
    }

    fn package_of(&self, symbol: Symbol) -> Package {
        if is_made_up(symbol.name) {
            // Nobody's.
            return Package::default();
        }
        if symbol.name.is_empty() && symbol.file.is_empty() {
            return self.nameless(symbol.object);
        }
        let library = self.library(symbol.object);
        match (self.rules.find(On::Name, symbol.name), library) {
            (Some(rule), Some(library)) => {
                let is_allocator = library.kind == PackageKind::Allocator;
                Package { kind: if is_allocator { library.kind } else { rule.kind }, ..of_library(library, symbol.object) }
            }
            (Some(rule), None) => {
                let owner = self.by_language(symbol);
                // The name says what it is; whose it is, too, unless the sources lie with others.
                let name = match owner.kind {
                    PackageKind::Own | PackageKind::Unknown if !rule.package.is_empty() => rule.package,
                    PackageKind::Own | PackageKind::Unknown if self.language(symbol) == Language::C => "libc",
                    _ => &owner.name,
                };
                named(name, &owner.version, rule.kind)
            }
            (None, Some(rule)) => of_library(rule, symbol.object),
            (None, None) => self.by_language(symbol),
        }
    }

    /// Language of a function; ambiguous names are Rust in Rust programs.
    fn language(&self, symbol: Symbol) -> Language {
        let language = names::language(symbol.name, symbol.system_name, symbol.file);
        let is_sure = !symbol.file.is_empty() || symbol.system_name.starts_with("_Z") || symbol.name.contains('(');
        if language == Language::Cpp && self.is_rust && !is_sure { Language::Rust } else { language }
    }

    fn by_language(&self, symbol: Symbol) -> Package {
        match self.language(symbol) {
            Language::Rust => self.rust(symbol),
            Language::Cpp => self.cpp(symbol),
            Language::Go => go(&self.rules, symbol),
            Language::C => self.plain(symbol, ""),
        }
    }

    fn rust(&self, symbol: Symbol) -> Package {
        let source = paths::source(symbol.file);
        let name = names::crate_of(symbol.name);
        if name.is_empty() && source.origin != Origin::RustStd {
            return self.plain(symbol, &self.main_crate);
        }
        if name.is_empty() || STD_CRATES.contains(&name) {
            let is_made_with = source.origin == Origin::RustStd && source.package != "std";
            let version = if source.origin == Origin::RustStd && (name.is_empty() || !is_made_with) { source.version } else { "" };
            let kind = self.rules.find(On::StdName, symbol.name).map_or(PackageKind::Runtime, |rule| rule.kind);
            // Dependencies of the standard library are recognized by name.
            let package = if is_made_with && name.is_empty() { source.package } else { "std" };
            return named(package, version, kind);
        }
        // What a trait of the library does for all types by itself.
        if source.origin == Origin::RustStd && source.package == "std" && names::may_be_provided(symbol.name) {
            return named("std", source.version, PackageKind::Runtime);
        }
        let facts = self.crates.get(name);
        let is_called_so =
            is_same_name(source.package, name) && matches!(source.origin, Origin::Packaged | Origin::Versioned | Origin::RustStd);
        let version = if is_called_so { source.version } else { facts.map_or("", |f| f.version.as_str()) };
        if let Some(rule) = self.rules.find(On::Crate, name).filter(|rule| rule.kind != PackageKind::ThirdParty) {
            return named(name, version, rule.kind);
        }
        let is_packaged = is_called_so || facts.is_some_and(|f| f.is_packaged);
        let is_own = facts.is_some_and(|f| f.is_own);
        let other = facts.and_then(|f| f.other.as_deref());
        let is_known = || self.rules.find(On::Crate, name).is_some();
        match () {
            _ if name == self.main_crate => named(name, "", PackageKind::Own),
            _ if source.origin == Origin::RustStd && is_called_so => named(name, version, PackageKind::Runtime),
            _ if is_packaged => named(name, version, PackageKind::ThirdParty),
            _ if is_own => named(name, "", PackageKind::Own),
            _ => match other {
                Some(version) => named(name, version, PackageKind::ThirdParty),
                None if is_known() => named(name, "", PackageKind::ThirdParty),
                None => named(name, "", PackageKind::Own),
            },
        }
    }

    fn cpp(&self, symbol: Symbol) -> Package {
        let source = paths::source(symbol.file);
        let namespace = names::namespace_of(symbol.name);
        if namespace == "std" {
            let is_llvm = source.package == "libc++" || symbol.name.contains("std::__1::");
            return named(if is_llvm { "libc++" } else { "libstdc++" }, "", PackageKind::Runtime);
        }
        // Where the code was written says more than what it is called, but for headers of the language.
        if matches!(source.origin, Origin::CppStd | Origin::System)
            && !namespace.is_empty()
            && self.rules.find(On::Namespace, namespace).is_none()
        {
            return self.plain(Symbol { file: "", ..symbol }, namespace);
        }
        match self.rules.find(On::Namespace, namespace) {
            Some(rule) if !matches!(source.origin, Origin::Packaged) => {
                named(if rule.package.is_empty() { namespace } else { rule.package }, "", rule.kind)
            }
            _ => self.plain(symbol, namespace),
        }
    }

    /// Owner of code whose name has no other evidence than `name`: from its path, then from its mapped file.
    fn plain(&self, symbol: Symbol, name: &str) -> Package {
        let source = paths::source(symbol.file);
        let of_source =
            |kind| named(&source.package.replace('-', if symbol.file.ends_with(".rs") { "_" } else { "-" }), source.version, kind);
        match source.origin {
            Origin::RustStd | Origin::CppStd | Origin::System => return of_source(PackageKind::Runtime),
            Origin::Packaged => {
                let crate_name = source.package.replace('-', "_");
                let kind = self.rules.find(On::Crate, &crate_name).map_or(PackageKind::ThirdParty, |rule| rule.kind);
                return of_source(kind);
            }
            // Rust's packages lie in folders called so, wherever they are.
            Origin::Versioned if symbol.file.ends_with(".rs") && source.package != self.own_folder => {
                let crate_name = source.package.replace('-', "_");
                return self.rust(Symbol { name: &format!("{crate_name}::"), ..symbol });
            }
            Origin::Absent | Origin::Generated | Origin::Plain | Origin::Versioned => {}
        }
        // The shim that calls Rust's `main`.
        if symbol.name == "main" && self.is_rust && symbol.file.is_empty() {
            return named("std", "", PackageKind::Runtime);
        }
        let (library, version) = library_name(symbol.object);
        let is_program = symbol.object.is_empty() || self.is_program(symbol.object);
        let is_known = matches!(source.origin, Origin::Plain | Origin::Versioned);
        let kind = if is_program || is_known || !rules::is_of_others(symbol.object) { PackageKind::Own } else { PackageKind::ThirdParty };
        let name = if !name.is_empty() {
            name
        } else if is_program {
            base_name(&self.program)
        } else {
            library
        };
        named(name, if kind == PackageKind::ThirdParty { version } else { "" }, kind)
    }

    /// Owner of code without a name.
    fn nameless(&self, object: &str) -> Package {
        let (name, version) = library_name(object);
        match self.library(object) {
            Some(rule) => of_library(rule, object),
            None if object.is_empty() => Package::default(),
            None if self.is_program(object) => named(base_name(object), "", PackageKind::Unknown),
            None if !rules::is_of_others(object) => named(name, "", PackageKind::Unknown),
            None => named(name, version, PackageKind::ThirdParty),
        }
    }

    /// Whether a mapped file is the program, or another build of it.
    fn is_program(&self, object: &str) -> bool {
        object == self.program || base_name(object) == base_name(&self.program)
    }

    /// Rule for a mapped file, unless it is the program's.
    fn library(&self, object: &str) -> Option<&'static Rule> {
        if object.is_empty() || self.is_program(object) { None } else { self.rules.find(On::Library, base_name(object)) }
    }
}

impl Crate {
    fn learn(&mut self, name: &str, source: Source) {
        match source.origin {
            Origin::Packaged | Origin::Versioned | Origin::RustStd if is_same_name(source.package, name) => {
                if !self.is_packaged {
                    source.version.clone_into(&mut self.version);
                } else if self.version != source.version {
                    // Two versions side by side: only a path can tell which.
                    self.version.clear();
                }
                self.is_packaged = true;
            }
            Origin::Packaged if self.other.is_none() => self.other = Some(source.version.to_owned()),
            Origin::Plain | Origin::Versioned => self.is_own = true,
            _ => {}
        }
    }
}

fn symbol<'a>(profile: &'a Profile, function: &Function, object: &'a str) -> Symbol<'a> {
    Symbol {
        name: profile.text(function.name),
        system_name: profile.text(function.system_name),
        file: profile.text(function.filename),
        object,
    }
}

fn named(name: &str, version: &str, kind: PackageKind) -> Package {
    Package { name: name.to_owned(), version: version.to_owned(), kind, ..Package::default() }
}

fn of_library(rule: &Rule, object: &str) -> Package {
    let (name, version) = library_name(object);
    named(if rule.package.is_empty() { name } else { rule.package }, version, rule.kind)
}

/// `/usr/lib/liblzma.so.5.4.1` → `liblzma` and `5.4.1`. A single number is an ABI version, not a release.
fn library_name(path: &str) -> (&str, &str) {
    let base = base_name(path);
    let Some(at) = base.find(".so").or_else(|| base.find(".dylib")).or_else(|| base.find(".dll")) else { return (base, "") };
    let version = base[at..].split_once(".so.").map_or("", |(_, version)| version);
    (&base[..at], if version.contains('.') { version } else { "" })
}

/// Whether a folder and a crate have the same name, ignoring case, `-` and `_`.
fn is_same_name(folder: &str, name: &str) -> bool {
    let letters = |text: &'_ str| text.bytes().filter(|b| !matches!(b, b'-' | b'_')).map(|b| b.to_ascii_lowercase()).collect::<Vec<_>>();
    !folder.is_empty() && letters(folder) == letters(name)
}

/// A Go function: the package by its import path, the version by the module's folder.
fn go(rules: &Rules, symbol: Symbol) -> Package {
    let import = names::go_package(symbol.name);
    let module = paths::go_module(symbol.file);
    let path = if import.is_empty() { module.map_or("", |(path, _)| path) } else { import };
    let name = path.replace("%2e", ".");
    if let Some(rule) = rules.find(On::Go, symbol.name) {
        return named(rule.package, "", rule.kind);
    }
    match module {
        Some((_, version)) => named(&name, version, PackageKind::ThirdParty),
        None if symbol.file.contains("/vendor/") && !rules::is_go_std(&name) => named(&name, "", PackageKind::ThirdParty),
        None if rules::is_go_std(&name) => named(&name, "", PackageKind::Runtime),
        // Without a source file, only an import path with a host identifies third-party code.
        None if symbol.file.is_empty() && name.split('/').next().is_some_and(|host| host.contains('.')) => {
            named(&name, "", PackageKind::ThirdParty)
        }
        None => named(&name, "", PackageKind::Own),
    }
}
