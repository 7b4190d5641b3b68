//! Messages to the user, on standard error.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::base::plain::{no_command, one_line};

/// Prints a line on standard error, apart from the answer; it may quote anything.
pub(crate) fn say(line: &str) {
    // Errors are ignored: no one can read them.
    let _ = writeln!(io::stderr(), "{}", no_command(&shortened(&one_line(line))));
}

/// Words of a message are shortened from this, the message itself from the other: names in it may be megabytes long.
const LONGEST_WORD: usize = 200;
const LONGEST_MESSAGE: usize = 2000;

fn shortened(line: &str) -> Cow<'_, str> {
    if line.len() <= LONGEST_WORD {
        return Cow::Borrowed(line);
    }
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let head: String = text.chars().take(most / 2).collect();
            let tail: String = text.chars().rev().take(most / 2).collect::<Vec<_>>().into_iter().rev().collect();
            format!("{head}…{tail}")
        }
    };
    let words: Vec<String> = line.split(' ').map(|word| cut(word, LONGEST_WORD)).collect();
    Cow::Owned(cut(&words.join(" "), LONGEST_MESSAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_bounded() {
        let name = "ö".repeat(100_000);
        let line = shortened(&format!("{name} was not found at /bin/{name}: give the program")).into_owned();
        assert!(line.chars().count() < 450 && line.ends_with(": give the program") && line.contains(" was not found at /bin/"), "{line}");
        assert!(shortened(&"ab ".repeat(100_000)).chars().count() <= LONGEST_MESSAGE + 1);
        assert_eq!(shortened("short"), "short");
    }
}
