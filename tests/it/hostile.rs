//! Hostile binaries: small files that claim to be huge, or whose parts refer to each other so often that reading them all would
//! take for ever.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use heapview::profile::{Function, Labels, Line, ProfileBuilder};

/// Position of each program's code, in memory and in the file.
const TEXT: u64 = 0x1000;
const TEXT_SIZE: u64 = 0x10000;

const SHT_PROGBITS: u32 = 1;
const SHT_SYMTAB: u32 = 2;
const SHT_STRTAB: u32 = 3;
const SHT_NOTE: u32 = 7;
const SHF_COMPRESSED: u64 = 0x800;

struct Section {
    name: &'static str,
    kind: u32,
    flags: u64,
    bytes: Vec<u8>,
    /// Bytes of a hole in the file that follow.
    hole: u64,
}

fn section(name: &'static str, bytes: Vec<u8>) -> Section {
    Section { name, kind: SHT_PROGBITS, flags: 0, bytes, hole: 0 }
}

/// A symbol table in which all code is the function at `name` of `names`.
fn symbols(name: u32, n_symbols: usize, names: Vec<u8>) -> [Section; 2] {
    let mut table = vec![0; 24];
    for i in 0..n_symbols {
        let size = TEXT_SIZE / n_symbols as u64;
        table.extend((name + i as u32).to_le_bytes());
        table.extend([0x12, 0, 1, 0]);
        table.extend((TEXT + i as u64 * size).to_le_bytes());
        table.extend(size.to_le_bytes());
    }
    [Section { kind: SHT_SYMTAB, ..section(".symtab", table) }, Section { kind: SHT_STRTAB, ..section(".strtab", names) }]
}

fn honest_symbols() -> [Section; 2] {
    symbols(1, 1, b"\0honest\0".to_vec())
}

/// Writes an ELF file with these sections after `.text`.
fn write_program(path: &Path, sections: Vec<Section>) {
    let mut all = vec![section("", Vec::new()), section(".text", vec![0x90; TEXT_SIZE as usize])];
    all.extend(sections);
    let strings = all.iter().position(|s| s.kind == SHT_STRTAB).unwrap_or(0) as u32;
    let mut names = Vec::new();
    let mut headers = Vec::new();
    let mut file = File::create(path).unwrap();
    let mut at = TEXT;
    all.push(Section { kind: SHT_STRTAB, ..section(".shstrtab", Vec::new()) });
    let n_sections = all.len();
    for (i, mut section) in all.into_iter().enumerate() {
        let name = names.len() as u32;
        names.extend([section.name.as_bytes(), b"\0"].concat());
        if i == n_sections - 1 {
            section.bytes.clone_from(&names);
        }
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&section.bytes).unwrap();
        let len = section.bytes.len() as u64 + section.hole;
        let (kind, flags, address) = match i {
            0 => (0, 0, 0),
            1 => (SHT_PROGBITS, 6, TEXT),
            _ => (section.kind, section.flags, 0),
        };
        headers.extend([name.to_le_bytes(), kind.to_le_bytes()].concat());
        headers.extend([flags, address, at, len].map(u64::to_le_bytes).concat());
        headers.extend([if kind == SHT_SYMTAB { strings } else { 0 }, 0].map(u32::to_le_bytes).concat());
        headers.extend([1, if kind == SHT_SYMTAB { 24 } else { 0 }].map(u64::to_le_bytes).concat());
        at = (at + len).next_multiple_of(16);
    }
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&headers).unwrap();
    let mut head = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    head.extend([TEXT, 64, at].map(u64::to_le_bytes).concat());
    head.extend(0u32.to_le_bytes());
    head.extend([64, 56, 1, 64, n_sections as u16, n_sections as u16 - 1].map(u16::to_le_bytes).concat());
    head.extend([1u32, 5].map(u32::to_le_bytes).concat());
    head.extend([TEXT, TEXT, TEXT, TEXT_SIZE, TEXT_SIZE, 0x1000].map(u64::to_le_bytes).concat());
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(&head).unwrap();
}

/// Output of `heapview COMMAND` for a program with these sections and a profile of a thousand addresses in it. Limited to 2 GB of
/// memory and a minute, hundreds of times the need.
#[track_caller]
fn run(command: &str, sections: Vec<Section>) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (program, dump) = (folder.path().join("hostile"), folder.path().join("a.heap"));
    write_program(&program, sections);
    let mut text = "heap profile: 1: 8 [ 1: 8] @ heapprofile\n".to_owned();
    for i in 0..1000 {
        text += &format!(" 1: 8 [ 1: 8] @ {:#x}\n", TEXT + 1 + i * 64);
    }
    std::fs::write(&dump, text).unwrap();
    let script = "ulimit -v 2000000; exec timeout 60 \"$@\"";
    let args = ["-c", script, "sh", env!("CARGO_BIN_EXE_heapview"), command, "--no-symbol-cache"];
    let output = Command::new("sh").args(args).args([&program, &dump]).env_clear().env("PATH", "/usr/bin:/bin").output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {output:?}");
    output
}

/// The debug information is unusable, but symbols are still read.
#[track_caller]
fn assert_symbols_are_read(sections: impl Fn() -> Vec<Section>) {
    let all = || sections().into_iter().chain(honest_symbols()).collect();
    let output = run("top", all());
    assert!(String::from_utf8_lossy(&output.stdout).contains("honest"), "{output:?}");
    run("doctor", all());
}

/// An abbreviation for units: where their code is, and where their lines are.
const UNIT_ABBREVIATION: &[u8] = &[1, 0x11, 0, 0x11, 1, 0x12, 6, 0x10, 0x17, 0, 0];

/// A unit with only a root entry, whose abbreviations begin at `abbreviations`.
fn unit(abbreviations: u32, code: u64) -> Vec<u8> {
    let body = [&4u16.to_le_bytes()[..], &abbreviations.to_le_bytes(), &[8, 1], &code.to_le_bytes(), &0x10000u32.to_le_bytes(), &[0; 4]];
    let body = body.concat();
    [&(body.len() as u32).to_le_bytes()[..], &body].concat()
}

/// Code where no address is.
const FAR: u64 = 0x900_0000;

#[test]
fn sections_that_inflate_to_gigabytes_are_left_packed() {
    let bomb = || {
        let mut packed = [&1u32.to_le_bytes()[..], &[0; 4], &(1u64 << 29).to_le_bytes(), &1u64.to_le_bytes()].concat();
        let mut encoder = ZlibEncoder::new(&mut packed, Compression::fast());
        let zeros = vec![0; 1 << 20];
        (0..1 << 9).for_each(|_| encoder.write_all(&zeros).unwrap());
        encoder.finish().unwrap();
        packed
    };
    let packed = bomb();
    let sections = || {
        [".debug_info", ".debug_abbrev", ".debug_str", ".debug_line"]
            .map(|name| Section { flags: SHF_COMPRESSED, ..section(name, packed.clone()) })
    };
    assert_symbols_are_read(|| sections().into());
}

#[test]
fn a_long_table_of_abbreviations_is_read_once_for_all_units() {
    let mut table = UNIT_ABBREVIATION.to_vec();
    (128u32..16384).for_each(|code| table.extend([code as u8 | 0x80, (code >> 7) as u8, 0x34, 0, 0, 0]));
    table.push(0);
    let units = unit(0, FAR).repeat(10_000);
    assert_symbols_are_read(|| vec![section(".debug_info", units.clone()), section(".debug_abbrev", table.clone())]);
    // Each begins with another entry of the same table.
    let units: Vec<u8> = (0..10_000).flat_map(|i| unit(UNIT_ABBREVIATION.len() as u32 + i * 6, FAR)).collect();
    assert_symbols_are_read(|| vec![section(".debug_info", units.clone()), section(".debug_abbrev", table.clone())]);
}

#[test]
fn units_that_all_claim_all_code_are_not_all_read() {
    let units = unit(0, TEXT).repeat(50_000);
    let table = [UNIT_ABBREVIATION, &[0]].concat();
    assert_symbols_are_read(|| vec![section(".debug_info", units.clone()), section(".debug_abbrev", table.clone())]);
}

#[test]
fn a_long_list_of_source_files_is_not_read_for_every_unit() {
    let files = [&[1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0][..], &b"a\0\0\0\0".repeat(100_000), &[0]].concat();
    let lines = [&4u16.to_le_bytes()[..], &(files.len() as u32).to_le_bytes(), &files].concat();
    let lines = [&(lines.len() as u32).to_le_bytes()[..], &lines].concat();
    let units = unit(0, FAR).repeat(5_000);
    let table = [UNIT_ABBREVIATION, &[0]].concat();
    assert_symbols_are_read(|| {
        vec![section(".debug_info", units.clone()), section(".debug_abbrev", table.clone()), section(".debug_line", lines.clone())]
    });
}

#[test]
fn names_that_do_not_end_name_nothing() {
    let names = [&b"\0"[..], &vec![b'A'; 4 << 20], b"\0"].concat();
    let output = run("top", symbols(1, 4096, names).into());
    assert!(String::from_utf8_lossy(&output.stdout).contains("[hostile]"), "{output:?}");
}

#[test]
fn tables_and_units_as_long_as_a_hole_in_the_file_are_not_read() {
    const HOLE: u64 = 10 << 30;
    let hole = |name| Section { hole: HOLE, ..section(name, Vec::new()) };
    let table = || section(".debug_abbrev", [UNIT_ABBREVIATION, &[0]].concat());
    assert_symbols_are_read(|| vec![hole(".debug_info"), hole(".debug_abbrev"), hole(".debug_str"), hole(".debug_line")]);
    let long = [
        &[0xff; 4][..],
        &(HOLE - 100).to_le_bytes(),
        &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 1],
        &TEXT.to_le_bytes(),
        &[0, 0, 1, 0, 0, 0, 0, 0],
    ];
    assert_symbols_are_read(|| vec![Section { hole: HOLE, ..section(".debug_info", long.concat()) }, table()]);
    run("top", vec![Section { kind: SHT_NOTE, ..hole(".note") }]);
    let [symbols, strings] = honest_symbols();
    run("top", vec![Section { hole: HOLE / 24 * 24, ..symbols }, strings]);
}

/// Twenty functions with this source file, as pprof's protobuf.
fn functions_of(file: &str) -> Vec<u8> {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let filename = b.string(file);
    for i in 0..20 {
        let name = b.string(&format!("a::f{i}"));
        let function = b.function(Function { name, system_name: name, filename, ..Function::default() });
        let at = b.location(None, TEXT + i, &[Line { function: Some(function), line: 1, column: 0 }]);
        b.sample(&[at], Labels::NONE, &[8]);
    }
    let mut bytes = Vec::new();
    heapview::export::write_pprof(&b.build(), &mut bytes).unwrap();
    bytes
}

#[test]
fn paths_that_could_be_packages_at_every_letter_take_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("a.pb.gz");
    for text in ["-", "-1"] {
        for front in ["", "/rust/deps/"] {
            std::fs::write(&dump, functions_of(&format!("{front}{}/a.rs", text.repeat(100_000)))).unwrap();
            for command in ["-json", "-list=f1"] {
                let script = "exec timeout 60 \"$@\"";
                let args = ["-c", script, "sh", env!("CARGO_BIN_EXE_heapview"), command];
                let output = Command::new("sh").args(args).arg(&dump).env_clear().env("PATH", "/usr/bin:/bin").output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{front}{text} {command}: {output:?}");
            }
        }
    }
}
