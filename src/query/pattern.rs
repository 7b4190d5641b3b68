//! Regular expressions in pprof's dialect.
//!
//! pprof uses Go's dialect (RE2). The `regex` crate reads nearly the same, but where Go takes `{{closure}}` or `[[]` literally,
//! it sees an invalid repetition or a nested class. [`Pattern`] converts, and keeps its source.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use crate::base::cancel;

/// Size limit of a compiled expression, bytes.
const SIZE_LIMIT: usize = 8 << 20;

/// Size limit of what matching remembers, bytes: a smaller one is slower, never wrong.
const CACHE_LIMIT: usize = 1 << 20;

/// Longest part of a text that is matched, bytes. Names are rarely longer, and some expressions take time in proportion
/// to length times size.
pub const MATCHED_BYTES: usize = 4096;

/// A compiled expression, compared by its source.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: Arc<str>,
    /// `None`: only its source counts.
    regex: Option<Regex>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Pattern {
    /// Compiles `source`; the error has position and reason.
    pub fn new(source: &str) -> Result<Self, String> {
        Pattern::within(source, SIZE_LIMIT)
    }

    /// Like [`Pattern::new`], with a limit on the compiled size in bytes.
    pub(super) fn within(source: &str, limit: usize) -> Result<Self, String> {
        let mut builder = RegexBuilder::new(&from_go(source));
        let regex = builder.size_limit(limit).dfa_size_limit(CACHE_LIMIT).build().map_err(|error| match error {
            regex::Error::CompiledTooBig(limit) => format!("is too large: compiled it needs more than {} kB", limit >> 10),
            // The crate marks the position over several lines; the last has the reason.
            other => match other.to_string().lines().last() {
                Some(line) => format!("does not compile: {}", line.trim().trim_start_matches("error: ")),
                None => "does not compile".into(),
            },
        })?;
        Ok(Pattern { source: source.into(), regex: Some(regex) })
    }

    /// Equal to this one, but matches nothing and takes no memory: for keys of caches.
    pub fn key(&self) -> Self {
        Pattern { source: self.source.clone(), regex: None }
    }

    /// Returns whether any part of the first [`MATCHED_BYTES`] of `text` matches.
    pub fn is_match(&self, text: &str) -> bool {
        cancel::check();
        let matched = &text[..boundary(text, MATCHED_BYTES)];
        self.regex.as_ref().is_some_and(|regex| regex.is_match(matched))
    }

    /// Source of the regexp.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Largest character boundary that is at most `at`.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// An expression in Go's dialect rewritten for the `regex` crate.
fn from_go(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 8);
    let mut rest = source;
    let mut in_class = false;
    // Whether the text before can be repeated.
    let mut repeatable = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' if !in_class && after.starts_with('Q') => {
                let literal = &after[1..];
                let (literal, next) = literal.split_once("\\E").unwrap_or((literal, ""));
                out.push_str(&regex::escape(literal));
                repeatable = !literal.is_empty();
                rest = next;
                continue;
            }
            '\\' => {
                out.push(c);
                let Some(escaped) = after.chars().next() else { break };
                out.push(escaped);
                repeatable = true;
                rest = &after[escaped.len_utf8()..];
                continue;
            }
            '[' if in_class && !after.starts_with(':') => out.push_str("\\["),
            '[' if in_class => {
                // A named class such as [:alpha:].
                let end = after.find(":]").map_or(after.len(), |i| i + 2);
                out.push('[');
                out.push_str(&after[..end]);
                rest = &after[end..];
                continue;
            }
            '&' | '~' if in_class => {
                out.push('\\');
                out.push(c);
            }
            '[' => {
                in_class = true;
                out.push(c);
                // A bracket right after the opening represents itself.
                let negated = after.starts_with('^');
                let body = if negated { &after[1..] } else { after };
                if negated {
                    out.push('^');
                }
                rest = match body.strip_prefix(']') {
                    Some(next) => {
                        out.push_str("\\]");
                        next
                    }
                    None => body,
                };
                continue;
            }
            ']' if in_class => {
                in_class = false;
                repeatable = true;
                out.push(c);
            }
            '{' if !in_class => match repeat_length(after) {
                Some(n) if repeatable => {
                    out.push('{');
                    out.push_str(&after[..n]);
                    rest = &after[n..];
                    continue;
                }
                _ => {
                    out.push_str("\\{");
                    repeatable = true;
                }
            },
            '}' if !in_class => {
                out.push_str("\\}");
                repeatable = true;
            }
            _ => {
                repeatable = in_class || !matches!(c, '(' | '|' | '^');
                out.push(c);
            }
        }
        rest = after;
    }
    out
}

/// Length of a repetition such as `3}`, `3,}` or `3,5}` at the start of `text`.
fn repeat_length(text: &str) -> Option<usize> {
    let end = text.find('}')?;
    let (from, to) = text[..end].split_once(',').unwrap_or((&text[..end], ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    (!from.is_empty() && digits(from) && digits(to)).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_that_repeat_nothing_are_literal() {
        let closure = Pattern::new("main::{{closure}}").unwrap();
        assert!(closure.is_match("main::{{closure}}"));
        assert!(Pattern::new("{closure#0}").unwrap().is_match("f::{closure#0}"));
        assert!(Pattern::new("^a{2}$").unwrap().is_match("aa"));
        assert!(!Pattern::new("^a{2}$").unwrap().is_match("a{2}"));
        assert!(Pattern::new("|{2}").unwrap().is_match("{2}"));
    }

    #[test]
    fn brackets_in_a_class_are_literal() {
        assert!(Pattern::new("^[[]u8[]]$").unwrap().is_match("[u8]"));
        assert!(Pattern::new("^[[:alpha:]&&]+$").unwrap().is_match("a&b"));
        assert!(Pattern::new(r"\Q<[u8]>::to_vec\E$").unwrap().is_match("<[u8]>::to_vec"));
    }

    #[test]
    fn long_texts_are_matched_at_their_beginning() {
        let text = format!("{}end", "ä".repeat(MATCHED_BYTES / 2 - 1));
        assert_eq!(text.len(), MATCHED_BYTES + 1);
        assert!(Pattern::new("en$").unwrap().is_match(&text));
        assert!(!Pattern::new("end").unwrap().is_match(&text));
        // The cut is between characters.
        assert!(Pattern::new("xä+$").unwrap().is_match(&format!("x{}", "ä".repeat(MATCHED_BYTES))));
        assert!(!Pattern::new(".").unwrap().key().is_match("a"));
    }

    #[test]
    fn large_expressions_are_refused_within_a_limit() {
        let large = r"(?:\pL{10}){10}";
        assert!(Pattern::new(large).is_ok());
        assert!(Pattern::within(large, 256 << 10).unwrap_err().contains("more than 256 kB"));
    }

    #[test]
    fn errors_give_the_reason() {
        assert!(Pattern::new("((").unwrap_err().contains("unclosed group"), "{:?}", Pattern::new("(("));
    }
}
