//! Disassembly compared with objdump.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use axum::http::StatusCode;
use expect_test::expect_file;
use heapview::annotate::Code;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use heapview::session::Session;
use heapview::symbolize::code::{Disassembler, Syntax};
use heapview::symbolize::{Binary, Options, symbolize, without_allocator};

use crate::api::{get, json};
use crate::cli::{SHOP, error, stdout};
use crate::fixture::path;

/// Every instruction of the program's code: address → text.
fn heapview_rows(path: &Path, syntax: Syntax) -> BTreeMap<u64, String> {
    let binary = Binary::open(path, &Options::default()).unwrap();
    let mut disassembler = Disassembler::new(&binary, syntax).unwrap();
    let code = binary.regions().iter().filter(|r| r.is_code && r.name == ".text").map(|r| r.range.clone());
    let listings = code.map(|range| disassembler.instructions(range, u64::MAX).unwrap());
    listings.flat_map(|l| l.instructions).map(|i| (i.address, i.text)).collect()
}

/// Instructions from llvm-objdump.
fn objdump_rows(path: &Path, syntax: Syntax) -> BTreeMap<u64, String> {
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

/// The mnemonic without what spellings differ in: prefixes and AT&T's suffixes of size.
fn bare(text: &str) -> String {
    const PREFIXES: [&str; 9] = ["lock", "rep", "repz", "repnz", "repe", "repne", "bnd", "notrack", "data16"];
    let mnemonic = text.split_whitespace().find(|word| !PREFIXES.contains(word)).unwrap_or("");
    mnemonic.trim_end_matches(['b', 'w', 'l', 'q']).to_owned()
}

/// Set HEAPVIEW_OBJDUMP to programs (with colons between them) to compare all of their code;
/// prints what differs most.
#[test]
fn whole_programs_agree_with_objdump() {
    let Some(paths) = std::env::var_os("HEAPVIEW_OBJDUMP") else { return };
    for path in std::env::split_paths(&paths).collect::<Vec<PathBuf>>() {
        for syntax in [Syntax::Att, Syntax::Intel] {
            let (heapview_rows, objdump_rows) = (heapview_rows(&path, syntax), objdump_rows(&path, syntax));
            let mut different: BTreeMap<String, (usize, String)> = BTreeMap::new();
            let mut n_other = 0;
            for (address, text) in &objdump_rows {
                let heapview_row = heapview_rows.get(address).map_or("(no row)", String::as_str);
                if bare(heapview_row) == bare(text) {
                    continue;
                }
                n_other += 1;
                let kind = format!("{} / {}", bare(text).split('\t').next().unwrap_or(""), heapview_row.split('\t').next().unwrap_or(""));
                let entry = different.entry(kind).or_insert((0, format!("{address:x}: {text:?}\n        {heapview_row:?}")));
                entry.0 += 1;
            }
            let more = heapview_rows.keys().filter(|a| !objdump_rows.contains_key(a)).count();
            println!("{} {syntax:?}: {} rows, {n_other} differ, {more} only here", path.display(), objdump_rows.len());
            let mut different: Vec<_> = different.into_iter().collect();
            different.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
            for (kind, (n, example)) in different.iter().take(40) {
                println!("{n:6} {kind}\n        {example}");
            }
        }
    }
}

#[test]
fn code_prints_as_in_pprof() {
    let text = stdout(&["-disasm=Slab.*insert", SHOP[0], SHOP[1]]);
    expect_file!["../../testdata/gperftools/shop.0003.disasm.txt"].assert_eq(&text);
    // Every way to request it.
    assert_eq!(stdout(&["disasm", "Slab.*insert", SHOP[0], SHOP[1]]), text);
    let intel = stdout(&["-disasm=remember$|audit::remember", "-intel_syntax", SHOP[0], SHOP[1]]);
    assert!(intel.contains("mov\tr") && !intel.contains("%r"), "{intel}");
}

#[test]
fn code_of_libraries_prints_beside_that_of_the_program() {
    let text = stdout(&["-disasm=Cake|stock", "bin/kitchen", "gperftools/kitchen.0001.heap"]);
    let routines: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("ROUTINE ======================== ")).collect();
    assert_eq!(routines, ["_ZN12_GLOBAL__N_14Cake4cookEm", "_ZN6pantry6Pantry5stockEm"]);
    assert!(text.contains("call\t0x1080 <operator new(unsigned long)@plt>"), "{text}");
}

#[test]
fn code_adds_up_to_the_function() {
    let value: serde_json::Value = serde_json::from_str(&stdout(&["-disasm=audit::remember", "--json", SHOP[0], SHOP[1]])).unwrap();
    let routines = value["routine"].as_array().unwrap();
    assert_eq!(routines.len(), 1);
    let sum = |column: &str| -> i64 { routines[0]["row"].as_array().unwrap().iter().map(|row| row[column].as_i64().unwrap()).sum() };
    for column in ["flat", "cum", "flat_base", "cum_base"] {
        assert_eq!(sum(column), routines[0][column].as_i64().unwrap(), "{column}");
    }
    assert!(sum("cum") > 0 && sum("cum_base") == 0);
    // Inlined code lists its whole chain.
    let places = routines[0]["place"].as_array().unwrap();
    let inlined = places.iter().find(|p| !p["inlined"].as_array().unwrap().is_empty()).unwrap();
    assert_eq!(inlined["inlined"].as_array().unwrap().last().unwrap()["function"], inlined["function"]);
    let csv = stdout(&["-disasm=audit::remember", "--csv", SHOP[0], SHOP[1]]);
    assert!(csv.starts_with("symbol,address,flat,cum,flat_base,cum_base,instruction,function,file,line,object\r\n"), "{csv}");
}

#[test]
fn addresses_select_the_enclosing_routine() {
    // In the file, and where the process had it.
    let [in_file, at_run_time] = ["0x188d5", "0x55555556c8d5"].map(|address| stdout(&[&format!("-disasm={address}"), SHOP[0], SHOP[1]]));
    assert_eq!(in_file, at_run_time);
    assert_eq!(in_file, stdout(&["-disasm=shop4main", SHOP[0], SHOP[1]]));
    // Those that share the address are named as well.
    let text = stdout(&["-disasm=0x34f00", SHOP[0], SHOP[1]]);
    assert!(text.lines().nth(2).unwrap().starts_with("    AKA ======================== "), "{text}");
}

#[test]
fn missing_functions_are_errors() {
    assert!(
        error(&["-disasm=nobody", SHOP[0], SHOP[1]]).starts_with("heapview: no matches found for regexp nobody; could not read libc.so.6")
    );
    // Files are no names.
    assert!(error(&["-disasm=main.rs", SHOP[0], SHOP[1]]).starts_with("heapview: no matches found for regexp main.rs"));
    assert!(error(&["-disasm=0x10", SHOP[0], SHOP[1]]).starts_with("heapview: no matches found for address 0x10"));
    assert!(error(&["-disasm=main", "pprof/depot.1.pb.gz"]).contains("file not found; pass the binary"));
}

fn shop() -> (Profile, Options) {
    let bytes = std::fs::read(path("testdata/gperftools/shop.0003.heap")).unwrap();
    let profile = parse(&bytes, &ParseOptions::default()).unwrap().profile;
    let options = Options { binary: Some(path("testdata/bin/shop")), ..Options::default() };
    let names = symbolize(&profile, &options, &()).names;
    (without_allocator(profile.renamed(&names)), options)
}

#[test]
fn the_api_answers_with_code() {
    let (profile, options) = shop();
    let files = heapview::annotate::Files::new(heapview::sources::Sources::default(), Code::new(options));
    let session = (Arc::new(Session::new(profile.clone(), Vec::new())), Arc::new(files));
    let (status, report) = json(&session, "/api/v1/disasm?disasm=shop::main");
    assert_eq!(status, StatusCode::OK);
    assert_eq!(report["kind"], "disasm");
    let routine = &report["routine"][0];
    assert_eq!((routine["start"].as_str(), routine["row"][0]["text"].as_str()), (Some("0x188a0"), Some("push\t%rbp")));
    let (_, text) = get(&session, "/api/v1/disasm.txt?disasm=shop::main&intel=t");
    assert!(String::from_utf8(text).unwrap().contains(" 188a1: mov\trbp,rsp\n"));
    // All that hold something; the heaviest first.
    let (_, all) = json(&session, "/api/v1/disasm");
    let flat: Vec<i64> = all["routine"].as_array().unwrap().iter().map(|r| r["flat"].as_i64().unwrap()).collect();
    assert!(flat.len() == 50 && flat.is_sorted_by(|a, b| a >= b), "{flat:?}");
    let (status, missing) = json(&session, "/api/v1/disasm?disasm=nobody");
    assert_eq!((status, missing["field"].as_str()), (StatusCode::NOT_FOUND, Some("disasm")));
    // Without options no binary is read.
    let session = Arc::new(Session::new(profile, Vec::new()));
    assert_eq!(json(&session, "/api/v1/disasm?disasm=shop::main").0, StatusCode::NOT_FOUND);
}

/// Damaged programs give an error or some code, never a panic or a long wait.
#[test]
fn damaged_programs_are_no_danger() {
    let whole = std::fs::read(path("testdata/bin/libpantry.so")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("damaged");
    let mut state = 7u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    let mut n_read = 0;
    for round in 0..300 {
        let mut bytes = whole.clone();
        // Headers are at both ends; every third file is truncated as well.
        for _ in 0..8 {
            let at = if next() % 2 == 0 { next() % 0x400 } else { bytes.len() - 1 - next() % 0x1000 };
            bytes[at] = next() as u8;
        }
        if round % 3 == 0 {
            bytes.truncate(next() % bytes.len());
        }
        std::fs::write(&file, &bytes).unwrap();
        let Ok(binary) = Binary::open(&file, &Options::default()) else { continue };
        let Ok(mut disassembler) = Disassembler::new(&binary, Syntax::Att) else { continue };
        for routine in binary.routines().take(100) {
            let Ok(listing) = disassembler.instructions(routine.range.clone(), 4096) else { continue };
            let addresses: Vec<u64> = listing.instructions.iter().map(|i| i.address).collect();
            assert!(addresses.is_sorted() && addresses.iter().all(|a| routine.range.contains(a)));
            n_read += addresses.len();
        }
        binary.frames(&[0x15ac, 0x1633]);
    }
    assert!(n_read > 1000, "{n_read}");
}
