//! Escapes text for Markdown, so that function names are shown as text.

use crate::base::plain::one_line;

/// A text in a line or a table's cell.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '@' | '!' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// A name as code in a line or a table's cell. Between bars of a table even code may not have one.
pub(super) fn code(name: &str) -> String {
    let name = one_line(name).replace('|', "\u{2223}");
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if name.starts_with('`') || name.ends_with('`') { " " } else { "" };
    if name.is_empty() { "(no name)".into() } else { format!("{fence}{pad}{name}{pad}{fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        assert_eq!(text("a<b>*c*|d\n# e"), "a&lt;b&gt;\\*c\\*\\|d\\\\n\\# e");
        assert_eq!(code("Vec<T>::push"), "`Vec<T>::push`");
        assert_eq!(code("a`b|c"), "``a`b\u{2223}c``");
        assert_eq!(code("`"), "`` ` ``");
    }
}
