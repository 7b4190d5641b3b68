//! Functions of several builds of one program, matched where their names differ only in form.
//!
//! Another toolchain, another mangling or another level of debug information calls the same function otherwise:
//! `<a::B>::f` and `a::B::f`, `{closure#0}` and `{{closure}}`, `alloc::vec::Vec::push` and `push`. Where builds are
//! compared, such functions get one name; a profile of one build stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::hash::HashMap;

use super::types::text::{Segment, bracketed, segments, split_at};
use crate::id::{FunctionId, Id, MappingId, StackId, StrId};
use crate::profile::Profile;

/// Most builds that are told apart; further ones count as the last.
const MOST_BUILDS: usize = 32;

/// Longer names are compared as they are, bytes.
const LONGEST: usize = 4000;

/// How many functions of several builds were found to be the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedBuilds {
    /// File of each build, functions with samples in it, and how many of those are in another build, too.
    pub builds: Vec<(String, usize, usize)>,
    /// Functions in several builds that were called the same.
    pub by_name: usize,
    /// Functions matched by the normal form of their names.
    pub by_form: usize,
    /// Functions matched by the last part of their names, and file or line.
    pub by_last_part: usize,
}

impl fmt::Display for MatchedBuilds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |(file, n, matched): &(String, usize, usize)| format!("{matched} of {n} functions of {file}");
        let builds: Vec<String> = self.builds.iter().map(of).collect();
        let MatchedBuilds { by_name, by_form, by_last_part, .. } = self;
        write!(f, "matched builds: {}", builds.join(", "))?;
        write!(f, " ({by_name} by name, {by_form} by normal form, {by_last_part} by last part)")
    }
}

/// The profile with one name for functions that are the same in several builds, and how many there were; `None` when
/// it is of one build. `programs` are paths of binaries that are builds of one program, whatever they are called.
/// O(size log size).
pub fn match_builds(profile: Profile, programs: &[String]) -> (Profile, Option<MatchedBuilds>) {
    let Some(builds) = builds(&profile, programs) else { return (profile, None) };
    let mut names = Names::new(&profile, &builds);
    names.by_form();
    names.by_last_part();
    let matched = names.report(&builds);
    let new_names = names.new_name;
    (profile.with_function_names(&new_names), Some(matched))
}

/// Mapping → its build, of the first program that has several; builds in order of their files.
struct Builds {
    of_mapping: Vec<Option<usize>>,
    file: Vec<String>,
}

fn builds(profile: &Profile, programs: &[String]) -> Option<Builds> {
    let mappings = &profile.code().mappings;
    let mut groups: BTreeMap<&str, BTreeMap<(&str, &str), Vec<MappingId>>> = BTreeMap::new();
    for (id, mapping) in mappings.enumerate() {
        let (file, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
        let is_program = programs.iter().any(|program| program == file);
        let base = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_program || !base.is_empty() && !base.starts_with('[') {
            // Programs have a group of their own.
            groups.entry(if is_program { "" } else { base }).or_default().entry((file, build_id)).or_default().push(id);
        }
    }
    groups.retain(|_, builds| builds.len() > 1);
    if groups.is_empty() {
        return None;
    }
    let dumps = dumps_of_mappings(profile);
    // What one process had mapped at the same time are different files of one name.
    let dumps_of = |ids: &[MappingId]| ids.iter().fold(0u64, |all, id| all | dumps[id.index()]);
    groups.retain(|_, builds| {
        builds.retain(|_, ids| dumps_of(ids) != 0);
        let all: Vec<u64> = builds.values().map(|ids| dumps_of(ids)).collect();
        all.len() > 1
            && all.iter().map(|dumps| dumps.count_ones()).sum::<u32>() == all.iter().fold(0, |sum, dumps| sum | dumps).count_ones()
    });
    let mut found = Builds { of_mapping: vec![None; mappings.len()], file: Vec::new() };
    let group = groups.into_values().next()?;
    for ((file, build_id), ids) in group {
        let number = found.file.len().min(MOST_BUILDS - 1);
        if number == found.file.len() {
            let short: String = build_id.chars().take(8).collect();
            found.file.push(if short.is_empty() { file.to_owned() } else { format!("{file} ({short})") });
        }
        ids.iter().for_each(|id| found.of_mapping[id.index()] = Some(number));
    }
    Some(found)
}

/// Mapping → bits of the dumps that have stacks through it; dumps from the 64th on share a bit.
fn dumps_of_mappings(profile: &Profile) -> Vec<u64> {
    let (code, stacks) = (profile.code(), profile.stacks());
    let mut of_stack = vec![0u64; stacks.len()];
    for column in profile.columns() {
        let bit = 1u64 << column.dump.index().min(63);
        column.nonzero().for_each(|(row, _)| of_stack[profile.samples().stack[row].index()] |= bit);
    }
    let mut of_mapping = vec![0u64; code.mappings.len()];
    for node in (1..stacks.len()).rev().map(StackId::new) {
        let bits = of_stack[node.index()];
        of_stack[stacks.parent[node].index()] |= bits;
        if let Some(mapping) = code.locations[code.frames[stacks.frame[node]].location].mapping {
            of_mapping[mapping.index()] |= bits;
        }
    }
    of_mapping
}

/// Names of functions, and the builds that they are in.
struct Names<'a> {
    profile: &'a Profile,
    /// Function → bits of builds.
    of_function: BTreeMap<FunctionId, u32>,
    /// Name → bits of builds, before anything was matched.
    of_name: BTreeMap<&'a str, u32>,
    n_by_form: usize,
    n_by_last_part: usize,
    new_name: HashMap<FunctionId, Arc<str>>,
}

impl<'a> Names<'a> {
    fn new(profile: &'a Profile, builds: &Builds) -> Self {
        let code = profile.code();
        let mut of_function: BTreeMap<FunctionId, u32> = BTreeMap::new();
        for location in code.locations.iter() {
            let Some(build) = location.mapping.and_then(|mapping| builds.of_mapping[mapping.index()]) else { continue };
            for frame in location.frames() {
                if let Some(function) = code.frames[frame].function.filter(|&id| code.functions[id].name != StrId(0)) {
                    *of_function.entry(function).or_default() |= 1 << build;
                }
            }
        }
        let mut of_name: BTreeMap<&str, u32> = BTreeMap::new();
        for (function, builds) in &of_function {
            *of_name.entry(profile.text(code.functions[*function].name)).or_default() |= builds;
        }
        Names { profile, of_function, of_name, n_by_form: 0, n_by_last_part: 0, new_name: HashMap::default() }
    }

    fn text(&self, function: FunctionId) -> &'a str {
        self.profile.text(self.profile.code().functions[function].name)
    }

    /// Gives names that mean the same one name: one that several builds have, else the one of the last build.
    fn by_form(&mut self) {
        let mut renamed = self.by_numbered_form();
        let lone = |(name, builds): &(&&str, &u32)| builds.count_ones() == 1 && !renamed.contains_key(**name);
        let lone: Vec<(&str, u32)> = self.of_name.iter().filter(lone).map(|(n, b)| (*n, *b)).collect();
        let forms: Vec<Form> = lone.iter().map(|(name, _)| Form::of(name)).collect();
        // Legacy names of functions that a trait provides lack the type: `core::iter::Iterator::collect`.
        for by_trait in [false, true] {
            let form = |i: usize| match &forms[i].of_trait {
                Some(of_trait) if by_trait => of_trait.as_str(),
                _ => forms[i].path.as_str(),
            };
            let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            let open = (0..lone.len()).filter(|&i| !renamed.contains_key(lone[i].0));
            open.for_each(|i| groups.entry(form(i)).or_default().push(i));
            for group in groups.into_values() {
                let builds = group.iter().fold(0, |all, &i| all | lone[i].1);
                let newest = group.iter().copied().max_by_key(|&i| (lone[i].1, std::cmp::Reverse(lone[i].0)));
                let of_any_type = group.iter().copied().find(|&i| forms[i].of_trait.is_none());
                if let (true, Some(kept)) = (builds.count_ones() > 1, if by_trait { of_any_type } else { newest }) {
                    renamed.extend(group.into_iter().map(|i| (lone[i].0, lone[kept].0)));
                }
            }
        }
        self.n_by_form = renamed.values().collect::<BTreeSet<_>>().len();
        for &function in self.of_function.keys() {
            if let Some(&name) = renamed.get(self.text(function)) {
                self.new_name.insert(function, name.into());
            }
        }
    }

    /// Name → the name instead, for names that are in one build only and differ from one of another build in form, but
    /// not in the numbers of closures: `<a::B>::f` where others have `a::B<T>::f`, also beside `<a::B>::f`.
    fn by_numbered_form(&self) -> BTreeMap<&'a str, &'a str> {
        let mut groups: BTreeMap<String, Vec<(&str, u32)>> = BTreeMap::new();
        for (&name, &builds) in &self.of_name {
            // Without braces a closure is a part like others, and its number counts.
            groups.entry(Form::of(&name.replace(['{', '}'], "")).path).or_default().push((name, builds));
        }
        let mut renamed = BTreeMap::new();
        for group in groups.into_values().filter(|group| group.len() > 1) {
            let builds = group.iter().fold(0u32, |all, (_, builds)| all | builds);
            let kept = group.iter().copied().max_by_key(|&(name, builds)| (builds.count_ones(), builds, std::cmp::Reverse(name)));
            let (true, Some((kept, _))) = (builds.count_ones() > 1, kept) else { continue };
            let lone = group.into_iter().filter(|(_, builds)| builds.count_ones() == 1);
            renamed.extend(lone.map(|(name, _)| (name, kept)));
        }
        renamed
    }

    /// The name that a function has now.
    fn name(&self, function: FunctionId) -> &str {
        match self.new_name.get(&function) {
            Some(name) => name,
            None => self.text(function),
        }
    }

    /// Gives functions that are called by their last part only, as debug information without linkage names has them,
    /// the whole name that another build has: by file and line, by file, or where there is but one.
    fn by_last_part(&mut self) {
        let code = self.profile.code();
        let place = |id: FunctionId| {
            let function = &code.functions[id];
            let file = self.profile.text(function.filename);
            (file.rsplit(['/', '\\']).next().unwrap_or_default(), function.start_line)
        };
        // Last part → functions with a whole name.
        let mut whole: BTreeMap<String, Vec<FunctionId>> = BTreeMap::new();
        for &function in self.of_function.keys() {
            let name = self.name(function);
            if name.contains("::") {
                whole.entry(Form::of(name).last().to_owned()).or_default().push(function);
            }
        }
        let mut found: Vec<(FunctionId, Arc<str>)> = Vec::new();
        for (&function, &builds) in &self.of_function {
            let name = self.name(function);
            // `main` of C is one build's as it is the other's.
            if name.contains("::") || self.of_name.get(name).is_some_and(|builds| builds.count_ones() > 1) {
                continue;
            }
            let last = Form::of(name);
            let others: Vec<FunctionId> =
                whole.get(last.last()).into_iter().flatten().copied().filter(|o| self.of_function[o] & !builds != 0).collect();
            let (file, line) = place(function);
            let only = |of: &dyn Fn(FunctionId) -> bool| {
                let names: BTreeSet<&str> = others.iter().copied().filter(|&other| of(other)).map(|other| self.name(other)).collect();
                if names.len() == 1 { names.into_iter().next() } else { None }
            };
            let has_place = |other: FunctionId| !file.is_empty() && place(other).0 == file;
            let by_line = only(&|other| has_place(other) && line != 0 && place(other).1 == line);
            let may_be = |other: FunctionId| file.is_empty() || place(other).0.is_empty();
            let name = by_line.or_else(|| only(&has_place)).or_else(|| only(&may_be));
            found.extend(name.map(|name| (function, Arc::from(name))));
        }
        self.n_by_last_part = found.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len();
        self.new_name.extend(found);
    }

    fn report(&self, builds: &Builds) -> MatchedBuilds {
        let mut now: BTreeMap<&str, u32> = BTreeMap::new();
        self.of_function.iter().for_each(|(&function, builds)| *now.entry(self.name(function)).or_default() |= builds);
        let count = |build: usize| {
            let of: Vec<u32> = now.values().copied().filter(|builds| builds >> build & 1 == 1).collect();
            (of.len(), of.iter().filter(|builds| builds.count_ones() > 1).count())
        };
        let of_build = |(build, file): (usize, &String)| (file.clone(), count(build).0, count(build).1);
        MatchedBuilds {
            builds: builds.file.iter().enumerate().map(of_build).collect(),
            by_name: self.of_name.values().filter(|builds| builds.count_ones() > 1).count(),
            by_form: self.n_by_form,
            by_last_part: self.n_by_last_part,
        }
    }
}

/// What a name has in common with those of the same function in other builds.
#[derive(Debug, PartialEq, Eq)]
struct Form {
    /// Without generic arguments, hashes, numbers of closures and the folder of an `impl`: `a::B::f`, `<a::B as c::T>::f`.
    path: String,
    /// Of a function in a trait: the trait and the function, `c::T::f`.
    of_trait: Option<String>,
}

impl Form {
    fn of(name: &str) -> Form {
        let bare = without_hash(name);
        if bare.len() > LONGEST || bare.contains("operator") {
            return Form { path: bare.to_owned(), of_trait: None };
        }
        let parts = segments(bare);
        let implied = parts.iter().position(|part| part.name.starts_with("<impl "));
        let written = bare.starts_with('<').then(|| bracketed(bare)).flatten();
        let (subject, of_trait, rest) = match (written, implied) {
            (Some((inner, rest)), None | Some(0)) if !inner.starts_with("impl ") => {
                let (subject, of_trait) = split_at(inner, " as ").map_or((inner, None), |(subject, of)| (subject, Some(of)));
                (subject, of_trait, segments(rest.strip_prefix("::").unwrap_or_default()))
            }
            (_, Some(at)) => {
                let inner = parts[at].name.strip_prefix("<impl ").and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
                let (of_trait, subject) = split_at(inner, " for ").map_or((None, inner), |(of, subject)| (Some(of), subject));
                (subject, of_trait, parts[at + 1..].to_vec())
            }
            _ => return Form { path: joined(&parts), of_trait: None },
        };
        let (owner, rest) = (type_form(subject, 0), joined(&rest));
        match of_trait.map(|of| type_form(of, 0)) {
            None => Form { path: format!("{owner}::{rest}"), of_trait: None },
            // `<T as a::B>::f` is for any type.
            Some(of) if is_parameter(&owner) => Form { path: format!("{of}::{rest}"), of_trait: None },
            Some(of) => Form { path: format!("<{owner} as {of}>::{rest}"), of_trait: Some(format!("{of}::{rest}")) },
        }
    }

    /// The part behind the last `::`.
    fn last(&self) -> &str {
        self.path.rsplit_once("::").map_or(&self.path, |(_, last)| last)
    }
}

fn joined(parts: &[Segment]) -> String {
    let name = |part: &Segment| match part.name.starts_with('{') {
        // `{{closure}}`, `{closure#0}`, `{closure_env#0}`, `{async_fn#0}`.
        true => {
            let inner = part.name.trim_matches(['{', '}']).split('#').next().unwrap_or_default();
            let inner = if inner.starts_with("async") || inner.starts_with("closure") { "closure" } else { inner };
            format!("{{{inner}}}")
        }
        false => part.name.to_owned(),
    };
    parts.iter().map(name).collect::<Vec<_>>().join("::")
}

/// A type without arguments, references and lifetimes.
fn type_form(text: &str, depth: usize) -> String {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = text.trim_start_matches(['&', '*', ' ']);
        for word in ["mut ", "const ", "dyn "] {
            text = text.strip_prefix(word).unwrap_or(text);
        }
        if let Some((_, rest)) = text.strip_prefix('\'').and_then(|rest| rest.split_once(' ')) {
            text = rest;
        }
        if text.len() == before {
            break;
        }
    }
    match text.as_bytes().first() {
        Some(b'[') => "[_]".to_owned(),
        Some(b'(') => "(_)".to_owned(),
        Some(b'<') if depth < 8 => match bracketed(text) {
            Some((inner, rest)) => {
                let of = split_at(inner, " as ").map_or(inner, |(subject, _)| subject);
                format!("{}{}", type_form(of, depth + 1), if rest.is_empty() { "" } else { "::" })
                    + &joined(&segments(rest.trim_start_matches(':')))
            }
            None => text.to_owned(),
        },
        _ if text.starts_with("fn(") => "fn".to_owned(),
        _ => joined(&segments(text)),
    }
}

/// `T`, `W`, `Self`: a name alone that begins with a capital.
fn is_parameter(text: &str) -> bool {
    text.len() <= 12 && text.starts_with(|c: char| c.is_ascii_uppercase()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Without the hash of legacy names, as some writers leave it: `a::b::h0123456789abcdef`.
fn without_hash(name: &str) -> &str {
    let hash = name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()));
    hash.map_or(name, |(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_function_have_one_form() {
        for group in [
            &[
                "<a::B>::f",
                "a::B::f",
                "a::B<T,A>::f",
                "<a::B<>>::f",
                "<a::B<u8>>::f::<>",
                "a::x::<impl a::B>::f",
                "a::B::f::h0123456789abcdef",
            ][..],
            &["a::f::{{closure}}", "a::f::{closure#0}", "a::f::<>::{closure#3}", "a::f::{closure_env#0}"],
            &["<a::B as c::T>::f", "<a::B<> as c::T<>>::f", "a::_::<impl c::T for a::B>::f", "<&mut a::B as c::T>::f"],
            &["<[u8]>::repeat", "alloc::slice::<impl [T]>::repeat", "<[T]>::repeat::<>"],
            &["<str>::len", "core::str::<impl str>::len"],
            &["<T as c::W>::f", "c::W::f", "<&mut W as c::W>::f"],
            &["<<a::B as c::D>::E as g::H>::f", "<a::B::E as g::H>::f"],
        ] {
            let forms: BTreeSet<String> = group.iter().map(|name| Form::of(name).path).collect();
            assert_eq!(forms.len(), 1, "{group:?}: {forms:?}");
        }
        assert_eq!(Form::of("<a::B as c::T>::f").of_trait.as_deref(), Some("c::T::f"));
        for (one, other) in
            [("a::B::f", "a::C::f"), ("<a::B as c::T>::f", "<a::C as c::T>::f"), ("operator<", "operator<<"), ("main", "a::main")]
        {
            assert_ne!(Form::of(one), Form::of(other));
        }
        for odd in ["", "<", "<<", "<impl ", "é<ü", "::", "<é as ü>::ß", "{", "{}", "'a", "<'a", "a::<impl "] {
            let long = odd.repeat(400);
            let _ = (Form::of(odd), Form::of(&long));
        }
    }
}
