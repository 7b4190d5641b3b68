//! Names that a target has for the addresses of its dump, put in front of it as a symbol table, so that the dump keeps them.

use std::fmt::Write;

use crate::base::plain::one_line;
use crate::demangle::{Demangle, Demangler};
use crate::fetch;
use crate::parse;
use crate::store::Settings;

/// Most addresses that are asked for.
const MOST: usize = 200_000;

/// Addresses in a text dump that has no names; empty: there is nothing to ask for. Reads the dump, which takes several times its size.
pub(super) fn addresses(dump: &[u8], settings: &Settings) -> Vec<u64> {
    let is_text = dump.starts_with(b"heap profile:") || dump.starts_with(b"heap_v2/");
    if !is_text {
        return Vec::new();
    }
    // What cannot be read is refused when it is stored.
    let Ok(parsed) = parse::parse(dump, &settings.parse_options()) else { return Vec::new() };
    let mut addresses: Vec<u64> = parsed.profile.code().locations.iter().map(|location| location.address).filter(|&at| at != 0).collect();
    addresses.sort_unstable();
    addresses.dedup();
    addresses.truncate(MOST);
    addresses
}

/// The dump with the names in `answer`; the dump alone if there are none.
pub(super) fn with_names(dump: Vec<u8>, answer: &[u8], program: Option<&str>) -> Vec<u8> {
    let mut table = String::from("--- symbol\n");
    if let Some(program) = program {
        let _ = writeln!(table, "binary={}", one_line(program));
    }
    let mut n = 0;
    let mut demangler = Demangler::new(Demangle::Default);
    for (address, name) in fetch::answers(answer) {
        let name = demangler.name(&name.into());
        // Writing to a text does not fail.
        let _ = writeln!(table, "{address:#018x} {}", one_line(&name));
        n += 1;
    }
    if n == 0 {
        return dump;
    }
    table += "---\n--- heap\n";
    [table.into_bytes(), dump].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_keep_the_names_of_their_process() {
        let dump = b"heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234 0x402345\n".to_vec();
        let settings = Settings::default();
        let asked = addresses(&dump, &settings);
        assert_eq!(asked.len(), 2);
        let answer: String = asked.iter().zip(["_ZN4shop4loadEm", "main"]).map(|(at, name)| format!("{at:#x}\t{name}\n")).collect();
        let named = with_names(dump.clone(), answer.as_bytes(), Some("/usr/bin/shop"));
        let parsed = parse::parse(&named, &settings.parse_options()).unwrap();
        let profile = parsed.profile;
        let names: Vec<&str> = profile.code().functions.iter().map(|function| profile.text(function.name)).collect();
        assert!(names.contains(&"shop::load") && names.contains(&"main"), "{names:?}");
        assert!(addresses(&named, &settings).is_empty(), "it has names");
        assert_eq!(with_names(dump.clone(), b"num_symbols: 0\n", None), dump);
        assert!(addresses(b"main;load 5\n", &settings).is_empty());
    }
}
