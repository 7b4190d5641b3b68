//! Names of downloaded files.

use crate::report::Header;

/// Longest part of a name, characters.
const PART: usize = 60;

/// Name of a report's file, such as `forest-inuse_space-top.csv`.
pub(super) fn report_file_name(header: &Header, view: &str, ending: &str) -> String {
    file_name(&[header.file.as_str(), &header.value_type, if header.has_base { "diff" } else { "" }, view], ending)
}

/// A name that every system takes: letters, digits and `._-` of the parts that are not empty, joined by `-`.
pub fn file_name(parts: &[&str], ending: &str) -> String {
    let plain = |part: &&str| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let text: String = part.chars().take(PART).map(safe).collect();
        // No hidden files, no ways upwards.
        text.trim_matches('.').to_owned()
    };
    let parts: Vec<String> = parts.iter().map(plain).filter(|part| !part.is_empty()).collect();
    format!("{}.{ending}", parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name(&["forest", "inuse_space", "", "top"], "csv"), "forest-inuse_space-top.csv");
        assert_eq!(file_name(&["../a \"b\"\r\n<ü>", "x"], "svg"), "_a__b______-x.svg");
        assert_eq!(file_name(&[&"n".repeat(1000), "x"], "txt").len(), 60 + 6);
        assert!(file_name(&["\u{202e}\0"], "txt").is_ascii());
    }
}
