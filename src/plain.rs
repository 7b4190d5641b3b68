//! Text out of a profile as one printable line: nothing in a profile is trusted.

use std::borrow::Cow;

/// Control characters, which could move a terminal's cursor or forge lines, as `\u{…}`.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_control();
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() }).collect::<String>().into()
}
