//! Containers of functions, by name.

use super::rules::{Rule, Rules, Take, of_go};
use super::spell::{Form, is_inline_namespace, spell};
use super::text::{Segment, arguments, bracketed, cpp_path, is_word, segments, split_at};
use crate::attribution::classify::names::Language;
use crate::profile::RecordedContainer;

/// Longer names are not taken apart, bytes.
const LONGEST: usize = 20_000;

/// A container with its elements' types.
#[derive(Clone, Debug)]
pub(super) struct Container {
    rule: &'static Rule,
    /// Arguments without defaults, with full paths; `None` when unknown.
    args: Option<Vec<String>>,
    /// The type with its arguments.
    pub(super) text: String,
}

impl Container {
    fn new(rules: &Rules, rule: &'static Rule, args: Option<Vec<&str>>, is_cpp: bool) -> Self {
        let are_known = |args: &Vec<&str>| !args.iter().any(|arg| is_parameter(arg) || *arg == "alloc::alloc::Global");
        let args = args.filter(are_known).map(|args| args.into_iter().map(|arg| spell(rules, arg, Form::Full)).collect::<Vec<_>>());
        let inside = match &args {
            Some(args) if args.is_empty() => String::new(),
            Some(args) => format!("<{}>", args.join(", ")),
            None if is_cpp => "<…>".into(),
            None if rule.take == Take::Two => "<_, _>".into(),
            None => "<_>".into(),
        };
        // How a vector is called inside.
        let path = if rule.path == "alloc::raw_vec::RawVec" { "alloc::vec::Vec" } else { rule.path };
        let text = match path.strip_suffix('>').filter(|_| !inside.is_empty()) {
            Some(outer) => format!("{outer}{inside}>"),
            None => format!("{path}{inside}"),
        };
        Container { rule, args, text }
    }

    pub(super) fn to_record(&self, rules: &Rules) -> RecordedContainer {
        let rule = rules.key_of(self.rule).unwrap_or(GO_RULE.path).to_owned();
        RecordedContainer { rule, args: self.args.clone(), text: self.text.clone() }
    }

    /// A container recorded in the profile; without contents if its rule is unknown.
    pub(super) fn recorded(rules: &Rules, container: &RecordedContainer) -> Self {
        let RecordedContainer { rule, args, text } = container.clone();
        Container { rule: rules.find(&rule).unwrap_or(&GO_RULE), args, text }
    }

    /// The same container with unknown elements.
    pub(super) fn vague(&self, rules: &Rules) -> Self {
        match &self.args {
            Some(args) if !args.is_empty() => Container::new(rules, self.rule, None, false),
            _ => self.clone(),
        }
    }

    /// Container that allocates when `self` allocates through `inner`; `None` if `inner` is an element of its own.
    pub(super) fn around(&self, inner: &Container) -> Option<Container> {
        let is_same = self.rule.path == inner.rule.path;
        if is_same && (self.args == inner.args || self.args.is_none()) {
            return Some(inner.clone());
        }
        if is_same && inner.args.is_none() {
            return Some(self.clone());
        }
        let is_made_of = self.rule.over.contains(&inner.rule.path);
        let is_element = self.args.iter().flatten().any(|arg| arg.contains(inner.text.as_str()));
        // A linker's other name for the same code gives way to what is nearer to the person.
        if !is_made_of && !is_same || is_element {
            return None;
        }
        // What is inside may be known better, when both have as many arguments.
        let is_vague = self.args.is_none();
        match (&inner.args, is_vague) {
            (Some(args), true) if self.rule.take == inner.rule.take => {
                let text = format!("{}<{}>", self.rule.path, args.join(", "));
                Some(Container { rule: self.rule, args: inner.args.clone(), text })
            }
            _ => Some(self.clone()),
        }
    }
}

/// Type evidence in a function's name.
#[derive(Debug)]
pub(super) struct NameEvidence {
    pub(super) container: Option<Container>,
    /// Whether the function is the container's own and not a trait's.
    pub(super) is_inherent: bool,
}

const NOTHING: NameEvidence = NameEvidence { container: None, is_inherent: false };

/// Returns the evidence in `full`, a complete name in `language`; `mangled` is the symbol name. O(length × depth).
pub(super) fn name_evidence(rules: &Rules, language: Language, full: &str, mangled: &str, file: &str) -> NameEvidence {
    if full.len() > LONGEST {
        return NOTHING;
    }
    match language {
        Language::Rust => rust(rules, full, !mangled.starts_with("_R"), file),
        Language::Cpp => cpp(rules, full, mangled, file),
        Language::Go | Language::C => NOTHING,
    }
}

/// Container that a Go function allocates.
pub(super) fn go(rules: &Rules, name: &str) -> Option<Container> {
    let _ = rules;
    of_go(name).map(|made| Container { rule: &GO_RULE, args: Some(Vec::new()), text: made.to_owned() })
}

static GO_RULE: Rule = Rule { path: "go", keys: &[], take: Take::Nothing, over: &[] };

fn cpp(rules: &Rules, full: &str, mangled: &str, file: &str) -> NameEvidence {
    let parts: Vec<Segment> = segments(cpp_path(full)).into_iter().filter(|part| !is_inline_namespace(part.name)).collect();
    if parts.len() == 1 && !mangled.starts_with("_Z") {
        let container = rules.of_file(file).map(|rule| Container::new(rules, rule, None, true));
        return NameEvidence { container, is_inherent: true };
    }
    NameEvidence { container: by_path(rules, &parts, true, |args| args.iter().map(|arg| (*arg).to_owned()).collect()), is_inherent: true }
}

fn rust(rules: &Rules, full: &str, has_parameters: bool, file: &str) -> NameEvidence {
    let parts = segments(full);
    // `push<u8>`: debug information without a linkage name.
    if let [part] = parts[..] {
        let args = part.args.map(arguments).unwrap_or_default();
        // As the function with a path would be found.
        let array = (part.name == "new_uninit").then(|| rules.find("alloc::boxed::Box::new_uninit")?.specialized(rules, &args)).flatten();
        if let Some((rule, specialized)) = array.filter(|_| file.ends_with("alloc/src/boxed.rs")) {
            return NameEvidence { container: Some(Container::new(rules, rule, Some(specialized), false)), is_inherent: true };
        }
        let container = rules.of_file(file).map(|rule| match rule.specialized(rules, &args) {
            Some((rule, specialized)) => Container::new(rules, rule, Some(specialized), false),
            None => Container::new(rules, rule, None, false),
        });
        return NameEvidence { container, is_inherent: true };
    }
    let last = parts.last().and_then(|part| part.args);
    let header = last.map_or(full, |args| full.strip_suffix('>').and_then(|rest| rest.strip_suffix(args)).unwrap_or(full));
    // Arguments of the function are those of the parameters in front of it, in order.
    let values = if has_parameters { last.map(arguments).unwrap_or_default() } else { Vec::new() };
    let parameters = if has_parameters { parameters(header) } else { Vec::new() };
    let known = |text: &str| substituted(text, &parameters, &values);
    let all = |args: &[&str]| args.iter().map(|arg| known(arg)).collect::<Vec<_>>();
    let written = full.starts_with('<').then(|| bracketed(full)).flatten();
    let implied = parts.iter().position(|part| part.name.starts_with("<impl "));
    let (subject, of_trait, rest) = match (written, implied) {
        (Some((inner, rest)), _) => {
            let (subject, of_trait) = split_at(inner, " as ").map_or((inner, None), |(subject, of)| (subject, Some(of)));
            (subject, of_trait, segments(rest.strip_prefix("::").unwrap_or_default()))
        }
        (None, Some(at)) => {
            let inner = parts[at].name.strip_prefix("<impl ").and_then(|rest| rest.strip_suffix('>')).unwrap_or_default();
            let (of_trait, subject) = split_at(inner, " for ").map_or((None, inner), |(of, subject)| (Some(of), subject));
            (subject, of_trait, parts[at + 1..].to_vec())
        }
        (None, None) => return NameEvidence { container: by_path(rules, &parts, false, all), is_inherent: true },
    };
    let known_subject = known(subject);
    let subject = known_subject.trim_start_matches(['&', '*']).trim_start_matches("mut ").trim_start_matches("const ");
    // `[T]` is sorted and copied by way of vectors.
    let slice_element = subject.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(of) = slice_element {
        let of = of.rsplit_once("; ").map_or(of, |(of, _)| of);
        let container = rules.of_container("alloc::vec::Vec").map(|rule| Container::new(rules, rule, Some(vec![of]), false));
        return NameEvidence { container, is_inherent: of_trait.is_none() };
    }
    let owner = segments(subject);
    if of_trait.is_none() {
        let path: Vec<Segment> = owner.into_iter().chain(rest).collect();
        return NameEvidence { container: by_path(rules, &path, false, all), is_inherent: true };
    }
    let exact = of_type(rules, &owner);
    let by_trait = || {
        let path: Vec<Segment> = of_trait.map(segments).unwrap_or_default().into_iter().chain(rest).collect();
        by_path(rules, &path, false, all)
    };
    NameEvidence { container: exact.or_else(by_trait), is_inherent: false }
}

/// Container of a type.
fn of_type(rules: &Rules, parts: &[Segment]) -> Option<Container> {
    let rule = rules.find(&super::rules::joined(parts))?;
    let args = parts.last().and_then(|part| part.args).map(arguments).unwrap_or_default();
    Some(match rule.specialized(rules, &args) {
        Some((rule, specialized)) => Container::new(rules, rule, Some(specialized), false),
        None => Container::new(rules, rule, None, false),
    })
}

/// Container of the function at the end of a path: that of the longest matching prefix.
fn by_path(rules: &Rules, parts: &[Segment], is_cpp: bool, known: impl Fn(&[&str]) -> Vec<String>) -> Option<Container> {
    for end in (1..=parts.len()).rev() {
        let Some(rule) = rules.find(&super::rules::joined(&parts[..end])) else { continue };
        // `Vec` on the way to a function of its own, or a function whose arguments are its type's.
        let own = parts[end - 1].args;
        let others = match (is_cpp, end == parts.len()) {
            (false, true) => end.checked_sub(2).and_then(|before| parts[before].args),
            (false, false) => parts.last().and_then(|last| last.args),
            (true, _) => None,
        };
        let args = known(&own.or(others).map(arguments).unwrap_or_default());
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        match rule.specialized(rules, &args) {
            Some((rule, specialized)) => return Some(Container::new(rules, rule, Some(specialized), is_cpp)),
            None if matches!(rule.take, Take::Array | Take::Whole) => {}
            None => return Some(Container::new(rules, rule, None, is_cpp)),
        }
    }
    None
}

/// Type parameters in the header of a function: `T` and `A` of `alloc::vec::Vec<T,A>::push`.
fn parameters(header: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, word) in words(header) {
        if is_free(header, at, word) && (word == "_" || !found.contains(&word)) {
            found.push(word);
        }
    }
    found
}

/// `text` with its parameters replaced by their values.
fn substituted(text: &str, parameters: &[&str], values: &[&str]) -> String {
    if parameters.len() > values.len() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, word) in words(text) {
        let value = parameters.iter().position(|parameter| *parameter == word).filter(|_| is_free(text, at, word));
        if let Some(value) = value {
            out.push_str(&text[done..at]);
            out.push_str(values[value]);
            done = at + word.len();
        }
    }
    out.push_str(&text[done..]);
    out
}

/// Words and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        at = text[start..].find(|c| !is_word(c)).map_or(text.len(), |end| start + end);
        Some((start, &text[start..at]))
    })
}

/// Whether a word is a parameter and not part of a path.
fn is_free(text: &str, at: usize, word: &str) -> bool {
    is_parameter(word) && !text[..at].ends_with("::") && !text[at + word.len()..].starts_with("::")
}

/// Whether a type is a parameter: a name without a path that begins with a capital.
fn is_parameter(text: &str) -> bool {
    text == "_" || text.starts_with(|c: char| c.is_ascii_uppercase()) && text.len() <= 12 && text.chars().all(is_word)
}
