//! Command lines of the commands of team servers: flags with values, and words.

use std::ffi::OsString;

use anyhow::{Result, bail};

/// Environment variable with the place of the store.
const VARIABLE: &str = "HEAPVIEW_STORE";

/// A flag: name, value for help, help. Without a value: a switch. A value that ends with `…` may be given several times.
pub(super) type Flag = (&'static str, &'static str, &'static str);

/// The flag of all commands.
pub(super) const STORE: Flag = ("store", "PLACE", "Store: a directory, or s3://bucket/prefix (gs, az) in builds for it (HEAPVIEW_STORE)");

/// Parsed words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    flags: Vec<(&'static str, String)>,
    /// What is no flag.
    pub(super) words: Vec<String>,
}

impl Given {
    /// Reads words by these flags, with one or two dashes.
    pub(super) fn parse(command: &str, flags: &[Flag], words: &[OsString]) -> Result<Given> {
        let mut given = Given::default();
        let mut words = words.iter().map(|word| word.to_string_lossy().into_owned());
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix('-').filter(|flag| !flag.is_empty()) else {
                given.words.push(word);
                continue;
            };
            let flag = flag.trim_start_matches('-');
            let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value.to_owned())));
            let name = name.replace('_', "-");
            let Some((known, takes, _)) = flags.iter().find(|(known, ..)| *known == name) else {
                let names: Vec<String> = flags.iter().map(|(name, ..)| format!("--{name}")).collect();
                bail!("heapview {command} has no flag --{name}; it has {}", names.join(", "));
            };
            let value = match (takes.is_empty(), value) {
                (true, None) => String::new(),
                (true, Some(value)) => bail!("--{known}={value}: this flag has no value"),
                (false, Some(value)) => value,
                (false, None) => match words.next() {
                    Some(value) => value,
                    None => bail!("--{known} needs a value: --{known}={takes}"),
                },
            };
            // A flag whose value ends with … can be repeated.
            if given.has(known) && !takes.ends_with('…') {
                bail!("--{known} is given twice");
            }
            given.flags.push((known, value));
        }
        Ok(given)
    }

    /// Adds flags of a configuration file; those that were given stay.
    pub(super) fn or(mut self, flags: &[(&'static str, String)]) -> Given {
        let new: Vec<_> = flags.iter().filter(|(name, _)| !self.has(name)).cloned().collect();
        self.flags.extend(new);
        self
    }

    /// Whether a flag is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|(known, _)| *known == name)
    }

    /// Value of a flag.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.flags.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// All values of a flag.
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.flags.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Place of the store: the flag's, or the environment's.
    pub(super) fn store(&self) -> Result<String> {
        let by_environment = || std::env::var(VARIABLE).ok().filter(|place| !place.is_empty());
        match self.value("store").map(str::to_owned).or_else(by_environment) {
            Some(place) if !place.is_empty() => Ok(place),
            _ => bail!("which store? Add --store=DIR, or set {VARIABLE}"),
        }
    }
}

/// A number of bytes, as in `512M`.
pub(super) fn bytes(name: &str, text: &str) -> Result<u64> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'K')) => (&text[..at], 1 << 10),
        Some((at, 'M')) => (&text[..at], 1 << 20),
        Some((at, 'G')) => (&text[..at], 1u64 << 30),
        _ => (text, 1),
    };
    match digits.parse::<u64>().ok().and_then(|n| n.checked_mul(factor)).filter(|&n| n > 0) {
        Some(n) => Ok(n),
        None => bail!("--{name}={text}: expected a number of bytes, such as 512M or 2G"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Given> {
        let words: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        Given::parse("store", &[STORE, ("dry-run", "", "")], &words)
    }

    #[test]
    fn flags_have_one_or_two_dashes() {
        for words in ["gc --store=d --dry-run x", "-store d gc -dry_run x", "gc x --dry-run -store=d"] {
            let given = parse(words).unwrap();
            assert_eq!((given.value("store"), given.has("dry-run")), (Some("d"), true), "{words}");
            assert_eq!(given.words, ["gc", "x"], "{words}");
        }
        for (words, error) in [
            ("--stor=d", "has no flag --stor"),
            ("--store", "--store needs a value"),
            ("--dry-run=yes", "has no value"),
            ("--store=a --store=b", "given twice"),
        ] {
            assert!(parse(words).unwrap_err().to_string().contains(error), "{words}");
        }
        assert_eq!((bytes("memory", "512M").unwrap(), bytes("memory", "7").unwrap()), (512 << 20, 7));
        for wrong in ["", "0", "M", "-1", "1T", "99999999999G"] {
            assert!(bytes("memory", wrong).is_err(), "{wrong}");
        }
    }
}
