//! Symbolization of the test program itself.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::find::note::NoteKind;
use super::names::symbolize;
use super::options::{Mode, Options};
use super::progress::Progress;
use super::read::image::is_binary;
use crate::base::id::LocationId;
use crate::demangle::Demangle;
use crate::profile::{Function, Labels, Line, Mapping, NamedLine, Profile, ProfileBuilder};

/// Just above the landmark.
const ABOVE_LANDMARK: i64 = line!() as i64;

/// Stands in the program with debug information.
#[inline(never)]
fn landmark(x: u64) -> u64 {
    std::hint::black_box(x) + 1
}

fn program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// The landmark's address in the file, by the program's own symbol table.
fn landmark_address() -> u64 {
    symbol_address("8landmark")
}

/// One byte into the first function with `part` in its name.
fn symbol_address(part: &str) -> u64 {
    use object::{Object, ObjectSymbol};
    let bytes = std::fs::read(program()).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let found = object.symbols().find(|s| s.name().is_ok_and(|name| name.contains(part)));
    found.unwrap().address() + 1
}

fn profile_of(mapping: Mapping, file: &str, build_id: &str, address: u64) -> Profile {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let (file, build_id) = (b.string(file), b.string(build_id));
    let mapping = b.mapping(Mapping { file, build_id, ..mapping });
    let at = b.location(Some(mapping), address, &[]);
    b.sample(&[at], Labels::NONE, &[1]);
    b.build()
}

const WHOLE: Mapping = Mapping {
    start: 0,
    limit: u64::MAX,
    offset: 0,
    file: crate::base::id::StrId(0),
    build_id: crate::base::id::StrId(0),
    bias: None,
    is_deleted: false,
    has_functions: false,
    has_filenames: false,
    has_line_numbers: false,
    has_inline_frames: false,
    facts: 0,
};

#[derive(Default)]
struct Watch(Mutex<Vec<(usize, usize)>>);

impl Progress for Watch {
    fn done(&self, done: usize, total: usize, _: &str) {
        self.0.lock().unwrap().push((done, total));
    }
}

#[test]
fn functions_are_found_with_their_lines() {
    assert_eq!(landmark(1), 2);
    let profile = profile_of(WHOLE, &program().to_string_lossy(), "", landmark_address());
    let watch = Watch::default();
    let out = symbolize(&profile, &Options::default(), &watch);
    let line = &out.names.lines[&LocationId(0)][0];
    assert!(line.name.ends_with("symbolize::tests::landmark"), "{line:?}");
    assert!(line.filename.ends_with("symbolize/tests.rs"), "{line:?}");
    assert!((ABOVE_LANDMARK + 1..ABOVE_LANDMARK + 8).contains(&line.line), "{line:?}");
    assert!(matches!(out.notes[0].kind, NoteKind::Found { n_named: 1, n_addresses: 1, .. }), "{:?}", out.notes);
    assert_eq!(watch.0.into_inner().unwrap().last(), Some(&(1, 1)));
    assert!(profile.renamed(&out.names).validate().is_ok());
}

#[test]
fn known_names_are_skipped_and_cancelled_callers_get_nothing() {
    let profile = profile_of(WHOLE, &program().to_string_lossy(), "", landmark_address());
    let known = std::sync::Arc::new([LocationId(0)].into_iter().collect());
    let watch = Watch::default();
    let out = symbolize(&profile, &Options { known, ..Options::default() }, &watch);
    assert!(out.names.lines.is_empty() && out.notes.is_empty() && watch.0.into_inner().unwrap().is_empty(), "{out:?}");

    /// Cancels when the first file is read, but not before.
    #[derive(Default)]
    struct Gone(std::sync::atomic::AtomicUsize);
    impl Progress for Gone {
        fn done(&self, _: usize, _: usize, _: &str) {}
        fn is_over(&self) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst) > 0
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = super::options::Cache { folder: folder.path().to_owned(), limit: 1 << 20, now: std::time::SystemTime::now() };
    let options = Options { cache: Some(cache), ..Options::default() };
    let lines = |progress: &dyn Progress| symbolize(&profile, &options, progress).names.lines.remove(&LocationId(0)).unwrap_or_default();
    let n_lines = |lines: &[NamedLine]| lines.iter().filter(|line| line.line > 0).count();
    assert_eq!(n_lines(&lines(&Gone::default())), 0);
    // Cancelled results are not cached.
    assert!(n_lines(&lines(&())) > 0);
}

/// Wants names as they come.
#[derive(Default)]
struct Impatient(Mutex<Vec<(LocationId, Vec<NamedLine>)>>);

impl Progress for Impatient {
    fn done(&self, _: usize, _: usize, _: &str) {}

    fn wants_names(&self) -> bool {
        true
    }

    fn found(&self, location: LocationId, lines: &[NamedLine]) {
        self.0.lock().unwrap().push((location, lines.to_vec()));
    }
}

#[test]
fn symbols_come_first_and_then_the_frames_of_the_heaviest_stacks() {
    let mut b = ProfileBuilder::new(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
    let file = b.string(&program().to_string_lossy());
    let mapping = b.mapping(Mapping { file, ..WHOLE });
    // Two functions of two units: this one, and one of the standard library.
    let std = symbol_address("__rust_begin_short_backtrace");
    let light = b.location(Some(mapping), std, &[]);
    let heavy = b.location(Some(mapping), landmark_address(), &[]);
    b.sample(&[light], Labels::NONE, &[100, 1]);
    b.sample(&[heavy], Labels::NONE, &[1, -100]);
    let watch = Impatient::default();
    let out = symbolize(&b.build(), &Options::default(), &watch);
    let found = watch.0.into_inner().unwrap();
    let (first, then) = found.split_at(2);
    assert!(first.iter().all(|(_, lines)| lines.len() == 1 && lines[0].line == 0 && !lines[0].name.is_empty()), "{first:?}");
    let frames = |id| then.iter().rposition(|(location, lines)| *location == id && *lines == out.names.lines[&id]);
    assert!(frames(heavy).is_some() && out.names.lines[&heavy][0].line > 0, "{then:?}");
    // With two processors both may come at once.
    if std::thread::available_parallelism().is_ok_and(|n| n.get() == 1) {
        assert!(frames(light) > frames(heavy), "{then:?}");
    }
    let weights = super::provisional_names::Weights::of(&profile_of_weights());
    assert_eq!(weights.0, [7, 5, 2]);
}

/// `a` calls `b` (5 bytes) and `c` (2 bytes less than before).
fn profile_of_weights() -> Profile {
    let mut b = ProfileBuilder::new(&[("objects", "count"), ("space", "bytes")]);
    let [a, c, d] = [1, 2, 3].map(|address| b.location(None, address, &[]));
    b.sample(&[c, a], Labels::NONE, &[100, 5]);
    b.sample(&[d, a], Labels::NONE, &[100, -2]);
    b.build()
}

#[test]
fn symbol_tables_alone_give_no_lines() {
    let profile = profile_of(WHOLE, &program().to_string_lossy(), "", landmark_address());
    let options = Options { mode: Mode::Symbols, demangle: Demangle::None, ..Options::default() };
    let out = symbolize(&profile, &options, &());
    let line = &out.names.lines[&LocationId(0)][0];
    assert!(line.name.starts_with('_') && line.name.contains("8landmark"), "{line:?}");
    assert_eq!(line.line, 0);
}

#[test]
fn no_options_change_nothing() {
    let profile = profile_of(WHOLE, &program().to_string_lossy(), "", landmark_address());
    let out = symbolize(&profile, &Options { mode: Mode::None, ..Options::default() }, &());
    assert!(out.names.lines.is_empty() && out.notes.is_empty());
}

#[test]
fn given_program_is_used_for_the_main_mapping() {
    let profile = profile_of(WHOLE, "/no/such/program", "", landmark_address());
    let missing = symbolize(&profile, &Options::default(), &());
    assert!(matches!(&missing.notes[0].kind, NoteKind::NotFound { looked } if looked == &[PathBuf::from("/no/such/program")]));
    assert!(missing.notes[0].to_string().contains("PPROF_BINARY_PATH"));
    let found = symbolize(&profile, &Options { binary: Some(program()), ..Options::default() }, &());
    assert_eq!(found.names.lines.len(), 1);
    assert_eq!(found.names.files[0].1, program().to_string_lossy());
}

#[test]
fn programs_are_found_by_name_in_search_folders() {
    let folder = program().parent().unwrap().to_path_buf();
    let path = Path::new("/build").join(program().file_name().unwrap());
    let profile = profile_of(WHOLE, &path.to_string_lossy(), "", landmark_address());
    let out = symbolize(&profile, &Options { search: vec![folder], ..Options::default() }, &());
    assert_eq!(out.names.lines.len(), 1);
}

#[test]
fn other_builds_are_refused_unless_given() {
    let folder = program().parent().unwrap().to_path_buf();
    let path = Path::new("/build").join(program().file_name().unwrap());
    let profile = profile_of(WHOLE, &path.to_string_lossy(), "abcdef0123", landmark_address());
    let out = symbolize(&profile, &Options { search: vec![folder], ..Options::default() }, &());
    let is_refused = matches!(out.notes[0].kind, NoteKind::OtherBuild { used: false, .. });
    // Linkers may be set up to write no build id.
    assert!(is_refused || out.names.lines.len() == 1, "{:?}", out.notes);
    let out = symbolize(&profile, &Options { binary: Some(program()), ..Options::default() }, &());
    assert_eq!(out.names.lines.len(), 1);
}

#[test]
fn damaged_programs_are_survived() {
    let whole = std::fs::read(program()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    for len in [0, 3, 64, 1000, whole.len() / 2, whole.len() - 100] {
        std::fs::write(&path, &whole[..len]).unwrap();
        let profile = profile_of(WHOLE, &path.to_string_lossy(), "", landmark_address());
        let out = symbolize(&profile, &Options::default(), &());
        assert_eq!(out.notes.len(), 1);
        assert!(out.notes[0].is_problem(), "{len}: {}", out.notes[0]);
    }
}

#[test]
fn names_that_came_along_are_demangled() {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let name = b.string("_ZN3foo3barEi");
    let function = b.function(Function { name, system_name: name, ..Function::default() });
    let at = b.location(None, 1, &[Line { function: Some(function), line: 7, column: 0 }]);
    b.sample(&[at], Labels::NONE, &[1]);
    let out = symbolize(&b.build(), &Options::default(), &());
    let line = &out.names.lines[&at][0];
    assert_eq!((&*line.name, &*line.system_name, line.line), ("foo::bar", "_ZN3foo3barEi", 7));
}

#[test]
fn binaries_are_known_by_their_first_bytes() {
    assert!(is_binary(b"\x7fELF\x02\x01\x01"));
    assert!(is_binary(b"\xcf\xfa\xed\xfe"));
    assert!(!is_binary(b"heap profile: "));
    assert!(!is_binary(b"\x1f\x8b\x08\x00"));
    assert!(!is_binary(b""));
}
