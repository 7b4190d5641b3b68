//! Rules for blocks that are in use at the end on purpose, as LeakSanitizer and heaptrack have them.

use crate::base::hash::HashMap;
use crate::base::id::{FrameId, Id, StackId, StrId};
use crate::profile::{Profile, Stacks};
use crate::report::SuppressionReport;

/// What glibc and GLib keep until the end; heaptrack has the same list.
const BUILT_IN: [&str; 7] = [
    "__nss_module_allocate",
    "__gconv_read_conf",
    "__new_exitfn",
    "tzset_internal",
    "dl_open_worker",
    "g_main_context_new",
    "g_thread_self",
];

/// The rules of a recording: built-in ones, then its own.
pub(in crate::analyze) struct Suppressions<'a> {
    patterns: Vec<&'a str>,
}

/// What the rules match in a dump.
#[derive(Default)]
pub(super) struct Suppressed {
    pub(super) objects: i64,
    pub(super) bytes: i64,
    /// Rules that match, in their order.
    pub(super) rules: Vec<SuppressionReport>,
}

impl<'a> Suppressions<'a> {
    /// `own`: lines of a suppression file; those that are no rules are left out.
    pub(super) fn new(own: &'a [String]) -> Self {
        Suppressions::with(own, true)
    }

    /// The same, without built-in rules if these are not wanted.
    pub(in crate::analyze) fn with(own: &'a [String], has_built_in: bool) -> Self {
        let own = own.iter().filter_map(|line| line.trim().strip_prefix("leak:")).filter(|pattern| !pattern.is_empty());
        let built_in = BUILT_IN.into_iter().filter(|_| has_built_in);
        Suppressions { patterns: built_in.chain(own).collect() }
    }

    /// The rules' patterns.
    pub(in crate::analyze) fn patterns(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().copied()
    }

    /// Row → the rule that its stack matches in the name, file or module of any frame. Of several rules, that of the outermost frame
    /// counts, and of its rules the first. O(texts × rules + stacks).
    pub(in crate::analyze) fn of_rows(&self, profile: &Profile) -> Vec<Option<usize>> {
        let mut of_text: HashMap<StrId, Option<usize>> = HashMap::default();
        let mut of_frame: HashMap<FrameId, Option<usize>> = HashMap::default();
        let stacks = profile.stacks();
        let mut of_stack: Vec<Option<usize>> = vec![None; stacks.len()];
        for node in (1..stacks.len()).map(StackId::new) {
            let frame = stacks.frame[node];
            let above = of_stack[stacks.parent[node].index()];
            of_stack[node.index()] = above.or_else(|| {
                *of_frame.entry(frame).or_insert_with(|| {
                    let texts = texts(profile, frame).filter(|text| *text != StrId(0));
                    texts.filter_map(|text| *of_text.entry(text).or_insert_with(|| self.first(profile.text(text)))).min()
                })
            });
        }
        profile.samples().stack.iter().map(|stack| of_stack[stack.index()].filter(|_| *stack != Stacks::ROOT)).collect()
    }

    /// Sums of `objects` and `bytes` (row → value) of the stacks that a rule matches.
    pub(super) fn apply(&self, profile: &Profile, objects: &[i64], bytes: &[i64]) -> Suppressed {
        let mut all = Suppressed::default();
        let report = |pattern: &&str| SuppressionReport { pattern: (*pattern).to_owned(), ..SuppressionReport::default() };
        let mut sums: Vec<SuppressionReport> = self.patterns.iter().map(report).collect();
        let mut is_counted = vec![false; profile.stacks().len()];
        for ((row, &stack), rule) in profile.samples().stack.iter().enumerate().zip(self.of_rows(profile)) {
            let Some(rule) = rule else { continue };
            let sum = &mut sums[rule];
            sum.bytes = sum.bytes.saturating_add(bytes[row]);
            sum.n_stacks += i64::from(!std::mem::replace(&mut is_counted[stack.index()], true));
            all.bytes = all.bytes.saturating_add(bytes[row]);
            all.objects = all.objects.saturating_add(objects[row]);
        }
        all.rules = sums.into_iter().filter(|sum| sum.bytes != 0).collect();
        all
    }

    fn first(&self, text: &str) -> Option<usize> {
        self.patterns.iter().position(|pattern| matches(pattern, text))
    }
}

/// Name, file and module of a frame.
fn texts(profile: &Profile, frame: FrameId) -> impl Iterator<Item = StrId> {
    let function = profile.function_of(frame).map(|(_, function)| function);
    let module = profile.mapping_of(profile.code().frames[frame].location).map(|(_, mapping)| mapping.file);
    let of_function = function.map(|function| [function.name, function.system_name, function.filename]);
    of_function.into_iter().flatten().chain(module)
}

/// LeakSanitizer's match: anywhere in the text, `*` is any run, `^` the start, `$` the end. O(text × pattern).
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, is_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let (pattern, is_end) = pattern.strip_suffix('$').map_or((pattern, false), |rest| (rest, true));
    let parts: Vec<&str> = pattern.split('*').collect();
    let Some((first, others)) = parts.split_first() else { return false };
    let Some((last, middle)) = others.split_last() else {
        return match (is_start, is_end) {
            (true, true) => text == *first,
            (true, false) => text.starts_with(first),
            (false, true) => text.ends_with(first),
            (false, false) => text.contains(first),
        };
    };
    let found = if is_start { text.strip_prefix(first) } else { text.find(first).map(|at| &text[at + first.len()..]) };
    let Some(mut rest) = found else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    if is_end { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_leak_sanitizer() {
        for (pattern, text, want) in [
            ("leak_small", "my_leak_small_too", true),
            ("^mix*d$", "mixed", true),
            ("^mix*d$", "remixed", false),
            ("^mix*d$", "mixed up", false),
            ("a*b*c", "xxaxxbxxcxx", true),
            ("a*b*c", "acb", false),
            ("*", "", true),
            ("^libc", "/lib/libc.so", false),
            (".so$", "/lib/libc.so", true),
            ("^x$", "x", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, text), want, "{pattern} {text}");
        }
        let own = ["leak:a".to_owned(), "leak:".to_owned(), "race:b".to_owned()];
        assert_eq!(Suppressions::new(&own).patterns.len(), BUILT_IN.len() + 1);
    }
}
