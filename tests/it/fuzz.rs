//! Replays inputs of each fuzz target on the stable compiler: seeds, earlier finds (`fuzz/seeds`, `fuzz/corpus`), and hostile
//! inputs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use object::{Object, ObjectSection};

#[path = "../../fuzz/bytehound.rs"]
mod bytehound;
#[path = "../../fuzz/config.rs"]
mod config;
#[path = "../../fuzz/frames.rs"]
mod frames;
#[path = "../../fuzz/heaptrack.rs"]
mod heaptrack;
#[path = "../../fuzz/parse.rs"]
mod parse;
#[path = "../../fuzz/process.rs"]
mod process;
#[path = "../../fuzz/query.rs"]
mod query;
#[path = "../../fuzz/report_data.rs"]
pub(crate) mod report_data;
#[path = "../../fuzz/text.rs"]
mod text;
#[path = "../../fuzz/tracy.rs"]
mod tracy;

/// Largest file of `testdata` that is a seed, bytes.
const MOST: u64 = 33 << 10;

/// All files below `folder`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// Goes through the inputs of `target`; returns how many it took as valid, and how many there are.
fn replay(target: &str, more: &[&str], run: fn(&[u8]) -> bool) -> (usize, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hostile = tempfile::tempdir().unwrap();
    // Machines that test have it: the journeys need it, too.
    let made = Command::new("python3").arg(root.join("fuzz/hostile_seeds.py")).arg(hostile.path()).status();
    let mut paths = Vec::new();
    let folders = more.iter().map(|folder| root.join(folder));
    let kept = ["fuzz/seeds", "fuzz/corpus"].map(|folder| root.join(folder).join(target));
    folders.chain(kept).chain([hostile.path().join(target)]).for_each(|folder| files(&folder, &mut paths));
    paths.retain(|path| path.metadata().is_ok_and(|meta| meta.len() <= MOST || path.starts_with(&hostile)));
    let mut n_valid = 0;
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let started = Instant::now();
        n_valid += usize::from(run(&bytes));
        // On however slow a machine.
        assert!(started.elapsed().as_secs() < 60, "{}", path.display());
    }
    assert!(made.is_ok_and(|status| status.success()), "fuzz/hostile_seeds.py failed");
    (n_valid, paths.len())
}

#[test]
fn dumps_of_every_target_are_read_or_refused() {
    for (target, more, run) in [
        ("parse", &["testdata"][..], parse::parse as fn(&[u8]) -> bool),
        ("bytehound", &[], bytehound::bytehound),
        ("heaptrack", &[], heaptrack::heaptrack),
        ("tracy", &[], tracy::tracy),
        ("process", &["testdata/rss"], process::process),
        ("maps", &[], text::maps),
        ("symbols", &[], text::symbols),
        ("query", &[], query::query),
        ("report_data", &[], report_data::report_data),
        ("config", &[], config::config),
    ] {
        let (n_valid, n) = replay(target, more, run);
        assert!(n_valid >= 4 && n > 10, "{target}: {n_valid} of {n}");
    }
}

#[test]
fn dumps_with_any_byte_changed_are_read_or_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    paths.retain(|path| {
        path.metadata().is_ok_and(|meta| meta.len() < 33 << 10) && path.extension().is_some_and(|e| e == "heap" || e == "gz")
    });
    paths.sort();
    let mut n_valid = 0;
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        // A sample of them, so that all are covered over time.
        for at in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
            let mut changed = bytes.clone();
            changed[at] ^= [0x01, 0x80, 0xff][at % 3];
            n_valid += usize::from(parse::parse(&changed));
        }
    }
    assert!(n_valid > 100, "{n_valid}");
}

#[test]
fn files_about_processes_with_any_byte_changed_are_read_or_refused() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rss"), &mut paths);
    paths.retain(|path| path.to_string_lossy().contains("hoard.0001."));
    let mut n_valid = 0;
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
            let mut changed = bytes.clone();
            changed[at] ^= [0x01, 0x80, 0x10][at % 3];
            n_valid += usize::from(process::process(&changed)) + usize::from(process::process(&bytes[at..]));
        }
    }
    assert!(n_valid > 100, "{n_valid}");
}

/// Programs to begin with and what was found, by name.
fn programs() -> Vec<(String, Vec<u8>)> {
    let files = |folder: &str| std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let mut paths: Vec<PathBuf> =
        files("fuzz/seeds/frames").chain(files("fuzz/corpus/frames")).map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn every_program_of_the_corpus_is_survived_and_the_whole_ones_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let whole = ["dwarf2", "dwarf3", "dwarf4", "dwarf5", "lines", "pie", "wide", "zlib", "zdebug", "id", "symbols"];
    let mut n_whole = 0;
    for (name, bytes) in programs() {
        let started = Instant::now();
        let n_named = frames::frames(&bytes, folder.path());
        // No file of some kilobytes is worth more, on however slow a machine.
        assert!(started.elapsed().as_secs() < 60, "{name}");
        if whole.contains(&name.as_str()) {
            assert!(n_named >= 2, "{name}: {n_named} frames with names");
            n_whole += 1;
        }
    }
    assert_eq!(n_whole, whole.len());
}

#[test]
fn programs_with_any_byte_changed_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in programs().iter().filter(|(name, _)| ["dwarf4", "dwarf5"].contains(&name.as_str())) {
        let mut n_named = 0;
        // Every seventh, so that all are seen with time.
        for at in (0..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            n_named += frames::frames(&changed, folder.path());
        }
        assert!(n_named > 1000, "{name}: {n_named} frames with names");
    }
}

/// The program `bytes` with the section `name` at the end of the file, and 10 GiB long.
fn claiming_much(bytes: &[u8], name: &str, path: &Path) -> bool {
    let object = object::File::parse(bytes).unwrap();
    let Some(section) = object.section_by_name(name) else { return false };
    let (start, size) = section.file_range().unwrap();
    let header = u64::from_le_bytes(bytes[0x28..0x30].try_into().unwrap()) as usize + section.index().0 * 64;
    let mut changed = bytes.to_vec();
    let end = bytes.len().next_multiple_of(4096);
    changed.resize(end, 0);
    changed.extend_from_slice(&bytes[start as usize..(start + size) as usize]);
    if matches!(name, ".debug_info" | ".debug_line" | ".debug_aranges") {
        // The first unit claims all that 32 bits can.
        changed[end..end + 4].copy_from_slice(&0xffff_ffef_u32.to_le_bytes());
    }
    changed[header + 24..header + 32].copy_from_slice(&(end as u64).to_le_bytes());
    changed[header + 32..header + 40].copy_from_slice(&(10u64 << 30).to_le_bytes());
    std::fs::write(path, changed).unwrap();
    // Sparse, so it takes no disk space.
    std::fs::File::options().write(true).open(path).unwrap().set_len(end as u64 + (10 << 30)).unwrap();
    true
}

#[test]
fn sections_of_ten_gibibytes_are_not_read_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    let bytes = programs().into_iter().find(|(name, _)| name == "dwarf4").unwrap().1;
    let names =
        [".debug_info", ".debug_line", ".debug_str", ".debug_abbrev", ".debug_aranges", ".debug_ranges", ".symtab", ".strtab", ".shstrtab"];
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()
    };
    let mut n = 0;
    for name in names {
        if claiming_much(&bytes, name, &path) {
            frames::frames_of(&path);
            // Kilobytes, of all tests that run at the same time.
            #[cfg(target_os = "linux")]
            assert!(peak() < 3 << 20, "{name}: {} kB", peak());
            n += 1;
        }
    }
    assert!(n >= 8, "{n}");
}
