//! Matching of function names between builds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::hash::HashMap;

use super::build::Matching;
use crate::attribution::types::text::{Segment, bracketed, segments, split_at};
use crate::base::id::FunctionId;
use crate::base::plain::base_name_of_any_system;
use crate::profile::Profile;

/// Longer names are compared as they are, bytes.
const LONGEST: usize = 4000;

/// Names of functions, and the builds that they are in.
pub(super) struct Names<'a> {
    profile: &'a Profile,
    /// Function → bits of builds.
    of_function: BTreeMap<FunctionId, u32>,
    /// Name → bits of builds, before anything was matched.
    of_name: BTreeMap<&'a str, u32>,
    /// Function → its name instead, and how that was found.
    new_name: HashMap<FunctionId, (Arc<str>, Matching)>,
}

impl<'a> Names<'a> {
    /// `of_function`: functions that have a name → bits of builds.
    pub(super) fn new(profile: &'a Profile, of_function: BTreeMap<FunctionId, u32>) -> Self {
        let mut builds_by_name: BTreeMap<&str, u32> = BTreeMap::new();
        for (function, builds) in &of_function {
            *builds_by_name.entry(profile.text(profile.code().functions[*function].name)).or_default() |= builds;
        }
        Names { profile, of_function, of_name: builds_by_name, new_name: HashMap::default() }
    }

    /// Function → its name instead.
    pub(super) fn into_new_names(self) -> HashMap<FunctionId, Arc<str>> {
        self.new_name.into_iter().map(|(function, (name, _))| (function, name)).collect()
    }

    fn text(&self, function: FunctionId) -> &'a str {
        self.profile.text(self.profile.code().functions[function].name)
    }

    /// Gives names that mean the same one name: one that several builds have, else the one of the last build.
    pub(super) fn by_form(&mut self) {
        let mut renamed = self.by_numbered_form();
        let unmatched = |(name, builds): &(&&str, &u32)| builds.count_ones() == 1 && !renamed.contains_key(**name);
        let unmatched: Vec<(&str, u32)> = self.of_name.iter().filter(unmatched).map(|(n, b)| (*n, *b)).collect();
        let forms: Vec<Form> = unmatched.iter().map(|(name, _)| Form::of(name)).collect();
        // Legacy names of functions that a trait provides lack the type: `core::iter::Iterator::collect`.
        for by_trait in [false, true] {
            let form = |i: usize| match &forms[i].of_trait {
                Some(of_trait) if by_trait => of_trait.as_str(),
                _ => forms[i].path.as_str(),
            };
            let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            let open = (0..unmatched.len()).filter(|&i| !renamed.contains_key(unmatched[i].0));
            open.for_each(|i| groups.entry(form(i)).or_default().push(i));
            for group in groups.into_values() {
                let builds = group.iter().fold(0, |all, &i| all | unmatched[i].1);
                let newest = group.iter().copied().max_by_key(|&i| (unmatched[i].1, std::cmp::Reverse(unmatched[i].0)));
                let without_trait = group.iter().copied().find(|&i| forms[i].of_trait.is_none());
                if let (true, Some(kept)) = (builds.count_ones() > 1, if by_trait { without_trait } else { newest }) {
                    renamed.extend(group.into_iter().map(|i| (unmatched[i].0, unmatched[kept].0)));
                }
            }
        }
        for &function in self.of_function.keys() {
            if let Some(&name) = renamed.get(self.text(function)) {
                self.new_name.insert(function, (name.into(), Matching::Form));
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
            let unmatched = group.into_iter().filter(|(_, builds)| builds.count_ones() == 1);
            renamed.extend(unmatched.map(|(name, _)| (name, kept)));
        }
        renamed
    }

    /// The name that a function has now.
    fn name(&self, function: FunctionId) -> &str {
        match self.new_name.get(&function) {
            Some((name, _)) => name,
            None => self.text(function),
        }
    }

    /// Gives functions that are called by their last part only, as debug information without linkage names has them,
    /// the whole name that another build has: by file and line, by file, or where there is but one.
    pub(super) fn by_last_part(&mut self) {
        let code = self.profile.code();
        let place = |id: FunctionId| {
            let function = &code.functions[id];
            let file = self.profile.text(function.filename);
            (base_name_of_any_system(file), function.start_line)
        };
        // Last part → functions with a whole name.
        let mut whole: BTreeMap<String, Vec<FunctionId>> = BTreeMap::new();
        for &function in self.of_function.keys() {
            let name = self.name(function);
            let form = Form::of(name);
            if form.is_whole() {
                whole.entry(form.last().to_owned()).or_default().push(function);
            }
        }
        let mut found: Vec<(FunctionId, Arc<str>)> = Vec::new();
        for (&function, &builds) in &self.of_function {
            let name = self.name(function);
            let last = Form::of(name);
            // `main` of C is one build's as it is the other's.
            if last.is_whole() || self.of_name.get(name).is_some_and(|builds| builds.count_ones() > 1) {
                continue;
            }
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
        self.new_name.extend(found.into_iter().map(|(function, name)| (function, (name, Matching::LastPart))));
    }

    /// Name → its builds, as bits, and the last step that matched several. O(functions).
    pub(super) fn matched(&self) -> Vec<(u32, Option<Matching>)> {
        // New name → builds by the step that it took: none, the form, the last part.
        let mut steps_by_name: BTreeMap<&str, (u32, u32, bool)> = BTreeMap::new();
        for (&function, &builds) in &self.of_function {
            let (all, without_last_part, has_same) = steps_by_name.entry(self.name(function)).or_default();
            *all |= builds;
            let is_by_last_part = self.new_name.get(&function).is_some_and(|(_, matching)| *matching == Matching::LastPart);
            *without_last_part |= if is_by_last_part { 0 } else { builds };
            *has_same |= self.of_name.get(self.text(function)).is_some_and(|builds| builds.count_ones() > 1);
        }
        let matching = |(all, without_last_part, has_same): (u32, u32, bool)| match () {
            () if all.count_ones() < 2 => None,
            () if has_same => Some(Matching::Name),
            () if without_last_part.count_ones() > 1 => Some(Matching::Form),
            () => Some(Matching::LastPart),
        };
        steps_by_name.into_values().map(|sums| (sums.0, matching(sums))).collect()
    }
}

/// Normal form of a name, equal in all builds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Without generic arguments, hashes, numbers of closures and the folder of an `impl`: `a::B::f`, `<a::B as c::T>::f`.
    pub(super) path: String,
    /// For a function in a trait: the trait and the function, `c::T::f`.
    pub(super) of_trait: Option<String>,
}

impl Form {
    pub(super) fn of(name: &str) -> Form {
        let bare = without_hash(name);
        if bare.len() > LONGEST || bare.contains("operator") {
            return Form { path: bare.to_owned(), of_trait: None };
        }
        // Removing arguments with `->` leaves their end: `collect, alloc::boxed::Box>`, `from_iter>`.
        let bare = match bare.find([',', '>']) {
            Some(at) if bare.ends_with('>') && !bare.contains('<') => &bare[..at],
            _ => bare,
        };
        // Legacy names have `call_once{{vtable.shim}}` where others have `call_once::{shim:vtable#0}`.
        let shim = bare.find("{{").filter(|&at| at > 0 && !bare[..at].ends_with("::") && bare.ends_with(".shim}}"));
        let split = shim.map(|at| format!("{}::{}", &bare[..at], &bare[at..]));
        let bare = split.as_deref().unwrap_or(bare);
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

    /// Returns whether the name has a scope, not only its last part.
    pub(super) fn is_whole(&self) -> bool {
        self.path.contains("::")
    }

    /// Part after the last `::`.
    pub(super) fn last(&self) -> &str {
        self.path.rsplit_once("::").map_or(&self.path, |(_, last)| last)
    }
}

fn joined(parts: &[Segment]) -> String {
    let name = |part: &Segment| match part.name.starts_with('{') {
        // `{{closure}}`, `{closure#0}`, `{closure_env#0}`, `{async_fn#0}`.
        true => {
            let inner = part.name.trim_matches(['{', '}']).split('#').next().unwrap_or_default();
            match inner.strip_prefix("shim:") {
                Some(shim) => format!("{{{shim}.shim}}"),
                // Of a constant: `{{constant}}`, `{K#0}`.
                None if matches!(inner, "K" | "constant") => "{constant}".to_owned(),
                None if inner.starts_with("async") || inner.starts_with("closure") => "{closure}".to_owned(),
                None => format!("{{{inner}}}"),
            }
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
        _ => {
            let parts = segments(text);
            // `a::_::<impl c::D for a::B>::f::E`, a type in a function.
            let implied = parts.iter().enumerate().find_map(|(at, part)| Some((at, part.name.strip_prefix("<impl ")?.strip_suffix('>')?)));
            match implied.filter(|_| depth < 8) {
                Some((at, inner)) => {
                    let subject = split_at(inner, " for ").map_or(inner, |(_, subject)| subject);
                    format!("{}::{}", type_form(subject, depth + 1), joined(&parts[at + 1..]))
                }
                None => joined(&parts),
            }
        }
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
            &["c::F::call_once{{vtable.shim}}", "c::F::call_once::{shim:vtable#0}", "<T as c::F>::call_once::{shim:vtable#0}"],
            &["<T as c::W>::f", "c::W::f", "<&mut W as c::W>::f"],
            &["<<a::B as c::D>::E as g::H>::f", "<a::B::E as g::H>::f", "<a::_::<impl c::D for a::B>::E as g::H>::f"],
            &["<u8 as <[_]>::g::C>::f::<>", "<u8 as a::<impl [T]>::g::C>::f"],
            &["a::X::{K#0}::{closure#0}", "a::X::{{constant}}::{{closure}}"],
            &["collect", "collect, alloc::boxed::Box>", "collect>", "collect<u8>"],
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
        for malformed in ["", "<", "<<", "<impl ", "é<ü", "::", "<é as ü>::ß", "{", "{}", "'a", "<'a", "a::<impl "] {
            let long = malformed.repeat(400);
            let _ = (Form::of(malformed), Form::of(&long));
        }
    }
}
