//! Phrases that help, manual page, README and guide must not use (again). [`banned`] takes any text, so that other texts,
//! such as the page's bundle, can be held to the same list.

use crate::cli::stdout;
use crate::fixture::path;
use crate::guide::documents;

/// Phrases translated word for word from another language, and old wordings that were replaced: one a line. The page's
/// bundle is held to the same list (`web/e2e/language.spec.mjs`).
const BANNED: &str = include_str!("../banned-phrases.txt");

fn phrases() -> impl Iterator<Item = &'static str> {
    BANNED.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The banned phrases in `text`, each with what surrounds it.
pub(crate) fn banned(text: &str) -> Vec<String> {
    // Line ends are blanks: a phrase may be wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = text.to_lowercase();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut found = Vec::new();
    for phrase in phrases() {
        for (at, _) in lower.match_indices(phrase) {
            let end = at + phrase.len();
            if is_word(lower[..at].chars().next_back()) || is_word(lower[end..].chars().next()) {
                continue;
            }
            let context: String = lower[..at].chars().rev().take(40).collect::<Vec<_>>().into_iter().rev().collect();
            found.push(format!("{phrase:?} in: …{context}[{}]{}…", phrase, lower[end..].chars().take(30).collect::<String>()));
        }
    }
    found
}

#[test]
fn help_and_manual_page_use_plain_english() {
    for args in [&["-h"][..], &["-help"], &["help", "all"], &["man"]] {
        let found = banned(&stdout(args).replace("\\-", "-"));
        assert!(found.is_empty(), "{args:?}:\n{}", found.join("\n"));
    }
    for report in ["top", "list", "growth", "diff", "convert", "focus", "granularity", "nodecount", "http"] {
        let found = banned(&stdout(&["help", report]));
        assert!(found.is_empty(), "help {report}:\n{}", found.join("\n"));
    }
}

/// The texts in the sources: string literals of the program, without its tests.
fn messages() -> Vec<(String, String)> {
    let literal = regex::Regex::new(r#"(?s)"((?:[^"\\]|\\.)*)""#).unwrap();
    let comment = regex::Regex::new(r"(?m)^\s*//.*$").unwrap();
    let continued = regex::Regex::new(r"\\\n\s*").unwrap();
    let mut found = Vec::new();
    for file in crate::layers::source_files() {
        let name = file.display().to_string();
        if name.ends_with("tests.rs") || name.ends_with("testing.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let code = comment.replace_all(code, "");
        found.extend(literal.captures_iter(&code).map(|text| (name.clone(), continued.replace_all(&text[1], "").into_owned())));
    }
    found
}

#[test]
fn messages_use_plain_english() {
    let messages = messages();
    assert!(messages.len() > 2000, "the sources were not read: {} texts", messages.len());
    let found: Vec<String> =
        messages.iter().flat_map(|(file, text)| banned(text).into_iter().map(move |found| format!("{file}: {found}"))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_api_document_uses_plain_english() {
    let found = banned(heapview::web::OPENAPI);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn readme_and_guide_use_plain_english() {
    for document in documents().into_iter().chain(["ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "docs/glossary.md"].map(path)) {
        let found = banned(&std::fs::read_to_string(&document).unwrap());
        assert!(found.is_empty(), "{}:\n{}", document.display(), found.join("\n"));
    }
}

#[test]
fn phrases_are_found_across_lines_but_not_inside_of_words() {
    assert_eq!(banned("It is\n  no Profile that").len(), 1);
    assert!(banned("category on, cargo onward, ergo on-line? Let's go online").is_empty());
}
