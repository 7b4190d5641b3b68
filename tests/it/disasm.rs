//! Code as text, beside what objdump prints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use heapview::disasm::{Disassembler, Syntax};
use heapview::symbolize::{Binary, Options};

/// Every instruction of the program's code: address → text.
fn ours(path: &Path, syntax: Syntax) -> BTreeMap<u64, String> {
    let binary = Binary::open(path, &Options::default()).unwrap();
    let mut disassembler = Disassembler::new(&binary, syntax).unwrap();
    let code = binary.regions().iter().filter(|r| r.is_code && r.name == ".text").map(|r| r.range.clone());
    let listings = code.map(|range| disassembler.instructions(range, u64::MAX).unwrap());
    listings.flat_map(|l| l.instructions).map(|i| (i.address, i.text)).collect()
}

/// The same from llvm-objdump.
fn theirs(path: &Path, syntax: Syntax) -> BTreeMap<u64, String> {
    let intel: &[&str] = if syntax == Syntax::Intel { &["--x86-asm-syntax=intel"] } else { &[] };
    let out = Command::new("llvm-objdump")
        .args(["--disassemble", "--demangle", "--no-show-raw-insn", "--section=.text"])
        .args(intel)
        .arg(path)
        .output()
        .expect("llvm-objdump");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let row = |line: &str| {
        let (address, text) = line.split_once(':')?;
        Some((u64::from_str_radix(address.trim(), 16).ok()?, text.trim().to_owned())).filter(|(_, t)| !t.is_empty())
    };
    text.lines().filter_map(row).collect()
}

/// Without what is known to be spelled otherwise: names in angle brackets.
fn bare(text: &str) -> String {
    let cut = text.find(" <").unwrap_or(text.len());
    text[..cut].to_owned()
}

/// Set HEAPVIEW_OBJDUMP to programs (with colons between them) to compare all of their code;
/// prints what differs most.
#[test]
fn whole_programs_agree_with_objdump() {
    let Some(paths) = std::env::var_os("HEAPVIEW_OBJDUMP") else { return };
    for path in std::env::split_paths(&paths).collect::<Vec<PathBuf>>() {
        for syntax in [Syntax::Att, Syntax::Intel] {
            let (ours, theirs) = (ours(&path, syntax), theirs(&path, syntax));
            let mut different: BTreeMap<String, (usize, String)> = BTreeMap::new();
            let mut n_other = 0;
            for (address, text) in &theirs {
                let mine = ours.get(address).map_or("(no row)", String::as_str);
                if bare(mine) == bare(text) {
                    continue;
                }
                n_other += 1;
                let kind = format!("{} / {}", bare(text).split('\t').next().unwrap_or(""), mine.split('\t').next().unwrap_or(""));
                let entry = different.entry(kind).or_insert((0, format!("{address:x}: {text:?}\n        {mine:?}")));
                entry.0 += 1;
            }
            let more = ours.keys().filter(|a| !theirs.contains_key(a)).count();
            println!("{} {syntax:?}: {} rows, {n_other} differ, {more} only here", path.display(), theirs.len());
            let mut different: Vec<_> = different.into_iter().collect();
            different.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
            for (kind, (n, example)) in different.iter().take(40) {
                println!("{n:6} {kind}\n        {example}");
            }
        }
    }
}
