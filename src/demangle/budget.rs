//! Limits for demangling, per name and for all names of a profile together.
//!
//! A name of a hundred bytes can expand to a hundred thousand, and a small file can have many such names.

use super::level::Demangle;
use super::names::{demangle, full_name_within, name_within};

/// Work for all names of a profile: parts that are read or printed, and bytes of output.
const WORK: u64 = 1 << 26;

/// Work limit for a single name.
pub(super) const ONE_NAME: u64 = 1 << 21;

/// Work that is left for the names of a profile.
#[derive(Debug)]
pub struct Budget {
    left: u64,
    n_plain: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: WORK, n_plain: 0 }
    }
}

impl Budget {
    /// Like [`full_name`](super::full_name); once the budget is spent, returns names mangled.
    pub fn full_name(&mut self, system_name: &str) -> String {
        self.spend(system_name, |work| full_name_within(system_name, work))
    }

    /// Like [`name_of`](super::name_of); once the budget is spent, returns names mangled.
    pub fn name(&mut self, system_name: &str, mode: Demangle) -> String {
        self.spend(system_name, |work| name_within(system_name, mode, work))
    }

    /// Like [`demangled`](super::demangled); `None` once the budget is spent.
    pub fn demangled(&mut self, system_name: &str, mode: Demangle) -> Option<String> {
        let mut work = self.left.min(ONE_NAME);
        let before = work;
        let name = demangle(system_name, mode, &mut work);
        self.left -= before - work;
        name
    }

    fn spend(&mut self, system_name: &str, demangled: impl FnOnce(&mut u64) -> String) -> String {
        let mut work = self.left.min(ONE_NAME);
        let before = work;
        let name = demangled(&mut work);
        self.left -= before - work;
        // This may be the last name, parsed only in part.
        if self.left == 0 && name == system_name && is_mangled(system_name) {
            self.n_plain += 1;
        }
        name
    }

    /// A warning, if names stayed mangled because the budget was spent.
    pub fn warning(&self) -> Option<String> {
        match self.n_plain {
            0 => None,
            1 => Some("1 name was left mangled: demangling all names would take too long".into()),
            n => Some(format!("{n} names were left mangled: demangling all names would take too long")),
        }
    }
}

fn is_mangled(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    ["Z", "R", "GLOBAL_"].iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demangle::{full_name, name_of};

    /// Symbols whose full name doubles with each pair.
    fn cpp(n: usize) -> String {
        let pairs: String =
            (1..12).map(|i| format!("S0_IS{0}_S{0}_E", char::from(if i < 10 { b'0' + i } else { b'A' + i - 10 }))).collect();
        format!("_Z8f{n:07}I4pairIiiE{pairs}Evv")
    }

    fn rust(n: usize) -> String {
        let mut name = format!("_RINvC1a8f{n:07}");
        let mut before = name.len() - 2;
        name.push_str("TuuE");
        for _ in 0..14 {
            let at = |at: usize| -> String {
                let digits = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
                let at = at - 1;
                if at < 62 {
                    char::from(digits[at]).to_string()
                } else {
                    [at / 62, at % 62].map(|d| char::from(digits[d])).iter().collect()
                }
            };
            let next = name.len() - 2;
            name.push_str(&format!("TB{0}_B{0}_E", at(before)));
            before = next;
        }
        name + "E"
    }

    #[test]
    fn demangling_stops_at_the_budget() {
        for make in [cpp, rust] {
            assert!(full_name(&make(7)).len() > 10_000, "{}", make(7));
            let mut budget = Budget::default();
            let lengths: Vec<usize> = (0..20_000).map(|n| budget.full_name(&make(n)).len()).collect();
            assert!(lengths.iter().sum::<usize>() < WORK as usize);
            let n_full = lengths.iter().take_while(|&&length| length > 10_000).count();
            assert!(n_full > 100 && lengths[n_full + 1..].iter().all(|&length| length < 300), "{n_full}");
            assert_eq!(budget.left, 0);
            assert_eq!(
                budget.warning().unwrap(),
                format!("{} names were left mangled: demangling all names would take too long", 20_000 - n_full)
            );
        }
    }

    #[test]
    fn names_of_programs_are_all_demangled() {
        let mut budget = Budget::default();
        let names = [
            "_ZNSt6vectorIiSaIiEE9push_backEOi",
            "_RNvMNtCsj6gjteTz5uu_1b5innerINtB2_4WrapcKj3_E4growB4_",
            "_ZN6ledger4main17hc52f0000ee1c066aE",
            "main",
        ];
        for _ in 0..25_000 {
            names.iter().for_each(|name| assert_eq!(budget.full_name(name).is_empty(), name.is_empty()));
        }
        assert_eq!(budget.warning(), None);
        for name in names {
            assert_eq!(budget.full_name(name), full_name(name));
            assert_eq!(budget.name(name, Demangle::Templates), name_of(name, Demangle::Templates));
        }
    }

    #[test]
    fn plain_names_use_no_budget() {
        let mut budget = Budget { left: 0, n_plain: 0 };
        assert_eq!(budget.full_name("main"), "main");
        assert_eq!(budget.name("a::b<c>", Demangle::Default), "a::b");
        assert_eq!(budget.warning(), None);
        assert_eq!(budget.full_name("_ZN1a1bEv"), "_ZN1a1bEv");
        assert_eq!(budget.warning().unwrap(), "1 name was left mangled: demangling all names would take too long");
    }
}
