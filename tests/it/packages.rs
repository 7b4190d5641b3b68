//! Package and kind of functions compared with debug information: the outermost namespace of a function (the crate, in Rust), its
//! compile unit's language, the directory of its source file, and Cargo.lock.
//!
//! Of any program with debug information, with its Cargo.lock where there is one:
//!
//!     HEAPVIEW_PACKAGES='BINARY,Cargo.lock BINARY' cargo test --test it packages -- --nocapture
//!
//! prints the share of functions that have the right package and kind, and those that have not.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use gimli::{AttributeValue, DebuggingInformationEntry, DwLang, EndianSlice, LittleEndian, UnitRef};
use heapview::base::id::Id;
use heapview::base::kind::PackageKind;
use heapview::profile::{Labels, Mapping, Profile, ProfileBuilder};
use heapview::session::Session;
use heapview::symbolize::{Options, symbolize};
use object::{Object, ObjectSection};

use crate::fixture::path;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// Addresses tested per binary.
const MOST: usize = 30_000;

const CPP: [DwLang; 4] =
    [gimli::DW_LANG_C_plus_plus, gimli::DW_LANG_C_plus_plus_11, gimli::DW_LANG_C_plus_plus_14, gimli::DW_LANG_C_plus_plus_17];

/// Debug information of a function.
#[derive(Clone, Debug, Default)]
struct Written {
    /// Outermost namespace; empty outside of all.
    root: String,
    file: String,
    language: Option<DwLang>,
}

/// Owner of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The language's or the system's.
    Std,
    Others,
    Own,
}

/// Functions by the name in the binary, and where code begins.
#[derive(Default)]
struct Truth {
    written: BTreeMap<String, Written>,
    addresses: BTreeSet<u64>,
}

fn truth(bytes: &[u8]) -> Truth {
    let object = object::File::parse(bytes).unwrap();
    let section = |id: gimli::SectionId| {
        let data = object.section_by_name(id.name()).and_then(|section| section.uncompressed_data().ok());
        Ok::<_, gimli::Error>(data.unwrap_or(Cow::Borrowed(&[])))
    };
    let sections = gimli::DwarfSections::load(section).unwrap();
    let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
    let mut truth = Truth::default();
    let mut units = dwarf.units();
    while let Some(header) = units.next().unwrap() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        read(&unit.unit_ref(&dwarf), &mut truth);
    }
    truth
}

fn text<'a>(unit: &UnitRef<Slice<'a>>, entry: &DebuggingInformationEntry<Slice<'a>>, attribute: gimli::DwAt) -> Option<String> {
    let value = unit.attr_string(entry.attr_value(attribute)?).ok()?;
    Some(value.to_string_lossy().into_owned())
}

fn read<'a>(unit: &UnitRef<Slice<'a>>, truth: &mut Truth) {
    // Depth → the namespace that is outermost there.
    let mut roots: Vec<String> = Vec::new();
    let mut language = None;
    let mut entries = unit.entries();
    while let Ok(Some(entry)) = entries.next_dfs() {
        let depth = usize::try_from(entry.depth()).unwrap_or(0);
        if entry.tag() == gimli::DW_TAG_compile_unit
            && let Some(AttributeValue::Language(of)) = entry.attr_value(gimli::DW_AT_language)
        {
            language = Some(of);
        }
        let above = depth.checked_sub(1).and_then(|d| roots.get(d)).cloned().unwrap_or_default();
        let root = match entry.tag() {
            gimli::DW_TAG_namespace if above.is_empty() => text(unit, entry, gimli::DW_AT_name).unwrap_or_default(),
            _ => above,
        };
        roots.truncate(depth);
        roots.resize(depth, String::new());
        roots.push(root.clone());
        if !matches!(entry.tag(), gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine) {
            continue;
        }
        let mut ranges = unit.die_ranges(entry).unwrap();
        if let Ok(Some(range)) = ranges.next()
            && range.begin > 0
        {
            truth.addresses.insert(range.begin);
        }
        let is_cpp = language.is_some_and(|of| CPP.contains(&of));
        // C++ functions without it have no usable name.
        let plain = || text(unit, entry, gimli::DW_AT_name).filter(|_| !is_cpp);
        let called = text(unit, entry, gimli::DW_AT_linkage_name).or_else(plain);
        if let Some(called) = called.filter(|_| entry.tag() == gimli::DW_TAG_subprogram) {
            let file = file(unit, entry);
            if is_cpp && file.is_empty() {
                // Made by the compiler.
                continue;
            }
            truth.written.entry(called).or_insert_with(|| Written { root, file, language });
        }
    }
}

/// File of a function's declaration.
fn file<'a>(unit: &UnitRef<Slice<'a>>, entry: &DebuggingInformationEntry<Slice<'a>>) -> String {
    let Some(program) = &unit.line_program else { return String::new() };
    let Some(AttributeValue::FileIndex(index)) = entry.attr_value(gimli::DW_AT_decl_file) else { return String::new() };
    let header = program.header();
    let Some(file) = header.file(index) else { return String::new() };
    let part = |value| unit.attr_string(value).map_or(String::new(), |text| text.to_string_lossy().into_owned());
    let folder = file.directory(header).map_or(String::new(), part);
    let base = unit.comp_dir.map_or(String::new(), |dir| dir.to_string_lossy().into_owned());
    [base, folder, part(file.path_name())]
        .into_iter()
        .fold(String::new(), |path, part| if part.starts_with('/') || path.is_empty() { part } else { format!("{path}/{part}") })
}

/// Package → whether it comes from elsewhere, as in Cargo.lock.
fn locked(lock: &str) -> BTreeMap<String, bool> {
    let packages = lock.split("[[package]]").skip(1);
    packages
        .filter_map(|package| {
            let name = package.lines().find_map(|line| line.strip_prefix("name = "))?;
            Some((name.trim_matches('"').replace('-', "_"), package.contains("\nsource = ")))
        })
        .collect()
}

impl Written {
    /// Expected kind and package; `None`: unknown.
    fn expected(&self, locked: &BTreeMap<String, bool>) -> Option<(Whose, String)> {
        match self.language? {
            gimli::DW_LANG_Rust => self.rust(locked),
            gimli::DW_LANG_Go => self.go(),
            of if CPP.contains(&of) => {
                let is_std = self.file.contains("/include/c++/") || ["std", "__gnu_cxx"].contains(&self.root.as_str());
                Some(if is_std { (Whose::Std, "libstdc++".into()) } else { (Whose::Own, self.root.clone()) })
            }
            _ => None,
        }
    }

    /// For Go's own packages the directory; inlined functions are in the units of their callers.
    fn go(&self) -> Option<(Whose, String)> {
        let (_, inside) = self.file.split_once("/go/src/").or_else(|| self.file.split_once("./"))?;
        let folder = inside.rsplit_once('/').map_or("main", |(folder, _)| folder);
        let whose = if folder == "main" { Whose::Own } else { Whose::Std };
        Some((whose, folder.to_owned()))
    }

    fn rust(&self, locked: &BTreeMap<String, bool>) -> Option<(Whose, String)> {
        let crate_name = self.root.clone();
        if crate_name.is_empty() {
            return None;
        }
        if ["std", "core", "alloc", "std_detect", "compiler_builtins", "panic_unwind", "test", "proc_macro"].contains(&crate_name.as_str())
        {
            return Some((Whose::Std, "std".into()));
        }
        let whose = match locked.get(&crate_name) {
            Some(false) => Whose::Own,
            Some(true) => Whose::Others,
            // Dependencies of the standard library, or a library with another name than its package.
            None if self.file.contains("/rust/deps/") || self.file.contains("/rustlib/src/rust/vendor/") => Whose::Std,
            None if ["/registry/src/", "/git/checkouts/", "/cargo/"].iter().any(|folder| self.file.contains(folder)) => Whose::Others,
            None => Whose::Own,
        };
        Some((whose, crate_name))
    }
}

fn fits(whose: Whose, kind: PackageKind) -> bool {
    match whose {
        Whose::Std => matches!(kind, PackageKind::Runtime | PackageKind::Plumbing | PackageKind::Allocator),
        Whose::Others => !matches!(kind, PackageKind::Own | PackageKind::Unknown),
        // Code that returns memory belongs to the allocator, whoever wrote it.
        Whose::Own => matches!(kind, PackageKind::Own | PackageKind::Allocator),
    }
}

/// A profile with one stack for each address.
fn profile(file: &str, addresses: impl Iterator<Item = u64>) -> Profile {
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let name = builder.string(file);
    let mapping = builder.mapping(Mapping { file: name, limit: u64::MAX, ..Mapping::default() });
    for address in addresses {
        let location = builder.location(Some(mapping), address, &[]);
        builder.sample(&[location], Labels::NONE, &[1]);
    }
    let bare = builder.build();
    let names = symbolize(&bare, &Options::default(), &()).names;
    bare.renamed(&names)
}

/// Number of functions tested, and errors.
fn judged(file: &str, lock: &str) -> (usize, Vec<String>) {
    let locked = locked(lock);
    let truth = truth(&std::fs::read(file).unwrap());
    let every = truth.addresses.len().div_ceil(MOST).max(1);
    let profile = profile(file, truth.addresses.iter().copied().step_by(every));
    let (packages, of_frame) = Session::new(profile.clone(), Vec::new()).packages(false);
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for frame in profile.code().frames.ids() {
        let Some((id, function)) = profile.function_of(frame) else { continue };
        let Some(written) = truth.written.get(profile.text(function.system_name)) else { continue };
        let Some((whose, name)) = written.expected(&locked) else { continue };
        // The allocator that a program chooses is called as if it had written the call; what macros derive is plumbing.
        let called = profile.text(function.name);
        if called.contains("__rust_") || called.contains("::_::<impl ") || called.contains("Visitor ") {
            continue;
        }
        if !seen.insert(id) {
            continue;
        }
        let found = &packages[of_frame[frame.index()] as usize];
        // Outside of namespaces the name does not show C++.
        if !fits(whose, found.kind) || !name.is_empty() && found.name != name {
            let at = profile.text(function.filename);
            let is = format!("{} {:?}", found.name, found.kind);
            wrong.push(format!("{} ({at}): {is}, not {name} {whose:?}", profile.text(function.name)));
        }
    }
    (seen.len(), wrong)
}

#[test]
fn packages_agree_with_debug_information() {
    for (file, least) in [("shop", 200), ("shop-v0", 200), ("kitchen", 100), ("libpantry.so", 20)] {
        let (n, wrong) = judged(path(&format!("testdata/bin/{file}")).to_str().unwrap(), "");
        assert!(n >= least, "{file}: {n} functions");
        assert!(wrong.len() * 100 <= n, "{file}: {} of {n} functions:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// Of the binaries that the environment names.
#[test]
fn packages_of_given_binaries_agree_with_debug_information() {
    let Ok(binaries) = std::env::var("HEAPVIEW_PACKAGES") else { return };
    for binary in binaries.split_whitespace() {
        let (file, lock) = binary.split_once(',').unwrap_or((binary, ""));
        let lock = if lock.is_empty() { String::new() } else { std::fs::read_to_string(lock).unwrap() };
        let (n, wrong) = judged(file, &lock);
        println!("{}", wrong.join("\n"));
        println!("{file}: {} of {n} functions are right, {:.2} %", n - wrong.len(), 100.0 * (n - wrong.len()) as f64 / n.max(1) as f64);
        assert!(wrong.len() * 20 <= n, "{file}");
    }
}
