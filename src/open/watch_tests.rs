//! `-watch` in its parts.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::load::{self, Loaded};
use super::options::OpenOptions;
use super::watch_start::{First, Waiting, waiting_for};
use super::watched_folders::{Folders, PATIENCE, Seen, or_given_up};
use super::watched_profile::{Stamp, described, parsed};
use super::watched_server::Server;
use super::workspace::Workspace;
use crate::fetch::Address;
use crate::profile::{Dump, Profile};
use crate::query::{QueryError, View, ViewKind};
use crate::report::Report;
use crate::session::Session;

fn dump(bytes: u64) -> String {
    let row = format!("1: {bytes} [1: {bytes}] @ ");
    format!(
        "heap profile: 1: {bytes} [1: {bytes}] @ heapprofile\n{row}0x401234\n\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 1 /bin/x\n"
    )
}

fn watching(files: &[&str]) -> OpenOptions {
    OpenOptions { files: files.iter().map(PathBuf::from).collect(), watch: true, takes_series: true, ..OpenOptions::default() }
}

fn workspace(files: &[&str]) -> Arc<Workspace> {
    let sources = watching(files);
    let Loaded { profile, warnings, names, .. } = load::load(&sources).unwrap();
    Arc::new(Workspace::new(Arc::new(Session::new(profile, warnings)), Arc::default(), names, sources))
}

/// Name, number, sum, whether it is shown.
fn open(workspace: &Workspace) -> Vec<(String, Option<u64>, i64, bool)> {
    let profile: Arc<Profile> = workspace.session.snapshot().profile;
    let n = profile.value_types().len();
    let total = |dump: usize| profile.columns()[dump * n + 3.min(n - 1)].total();
    let name = |dump: &Dump| dump.name.rsplit('/').next().unwrap().to_owned();
    profile.validate().unwrap();
    profile.dumps().iter().enumerate().map(|(i, dump)| (name(dump), dump.number, total(i), dump.counts())).collect()
}

fn watched() -> (tempfile::TempDir, Folders, Arc<Workspace>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.0001.heap"), dump(100)).unwrap();
    let workspace = workspace(&[folder.path().to_str().unwrap()]);
    (folder, Folders::new(workspace.clone()), workspace)
}

fn row(name: &str, number: u64, sum: i64, is_shown: bool) -> (String, Option<u64>, i64, bool) {
    (name.to_owned(), Some(number), sum, is_shown)
}

#[test]
fn a_dump_in_one_of_the_places_is_enough_to_begin() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("full")).unwrap();
    fs::create_dir_all(path("empty")).unwrap();
    fs::write(path("full/x.0001.heap"), dump(100)).unwrap();
    let words = [path("full"), path("empty"), path("later*/*.heap")].map(|path| path.to_str().unwrap().to_owned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert!(Waiting::default().settle(&watching(&words), None).unwrap());
    let workspace = workspace(&words);
    let mut folders = Folders::new(workspace.clone());
    fs::write(path("empty/x.0002.heap"), dump(200)).unwrap();
    (0..3).for_each(|_| folders.look());
    assert_eq!(open(&workspace).len(), 2);
    // A missing named file is an error when it is opened.
    let sources = watching(&[words[2], "no-such-file"]);
    fs::remove_file(path("full/x.0001.heap")).unwrap();
    assert_eq!(Waiting::default().look(&sources).unwrap(), First::Ready);
    assert!(load::load(&sources).err().unwrap().to_string().contains("no-such-file"));
}

#[test]
fn a_dump_joins_when_its_writer_is_done() {
    let (folder, mut folders, workspace) = watched();
    let (path, text) = (folder.path().join("x.0002.heap"), dump(200));
    // A slow writer: a few bytes in each turn, with pauses.
    let mut file = fs::File::create(&path).unwrap();
    for (i, part) in text.as_bytes().chunks(text.len() / 5 + 1).enumerate() {
        (0..=i % 3).for_each(|_| folders.look());
        file.write_all(part).unwrap();
    }
    drop(file);
    assert_eq!(open(&workspace).len(), 1, "it was opened before it was whole");
    (0..3).for_each(|_| folders.look());
    let both = [row("x.0001.heap", 1, 100, false), row("x.0002.heap", 2, 200, true)];
    assert_eq!(open(&workspace), both);
    (0..3).for_each(|_| folders.look());
    assert_eq!(open(&workspace), both);
}

#[test]
fn what_is_renamed_joins_and_what_is_replaced_is_read_anew() {
    let (folder, mut folders, workspace) = watched();
    let hidden = folder.path().join(".x.0003.heap.tmp");
    fs::write(&hidden, dump(300)).unwrap();
    (0..3).for_each(|_| folders.look());
    assert_eq!(open(&workspace).len(), 1);
    fs::rename(hidden, folder.path().join("x.0003.heap")).unwrap();
    (0..2).for_each(|_| folders.look());
    assert_eq!(open(&workspace)[1], row("x.0003.heap", 3, 300, true));
    // An older one that comes late is not the newest.
    fs::write(folder.path().join("x.0002.heap"), dump(200)).unwrap();
    (0..2).for_each(|_| folders.look());
    assert_eq!(open(&workspace)[1..], [row("x.0003.heap", 3, 300, true), row("x.0002.heap", 2, 200, false)]);
    fs::write(folder.path().join("x.0003.heap"), dump(33333)).unwrap();
    (0..2).for_each(|_| folders.look());
    assert_eq!(open(&workspace)[1], row("x.0003.heap", 3, 33333, true));
    assert_eq!(open(&workspace).len(), 3);
}

#[test]
fn what_is_deleted_stays_and_what_is_none_is_left_out() {
    let (folder, mut folders, workspace) = watched();
    fs::write(folder.path().join("notes.txt"), "what I saw").unwrap();
    fs::write(folder.path().join("x.0002.heap"), dump(200)).unwrap();
    folders.look();
    // Gone before it is read.
    fs::remove_file(folder.path().join("x.0002.heap")).unwrap();
    fs::remove_file(folder.path().join("x.0001.heap")).unwrap();
    (0..PATIENCE + 3).for_each(|_| folders.look());
    assert_eq!(open(&workspace), [row("x.0001.heap", 1, 100, true)]);
    // A file that stays incomplete is shown as far as it can be read.
    let text = dump(400);
    fs::write(folder.path().join("x.0004.heap"), &text[..text.find("MAPPED").unwrap() - 3]).unwrap();
    (0..PATIENCE + 3).for_each(|_| folders.look());
    assert_eq!(open(&workspace).len(), 2);
}

#[test]
fn recordings_are_followed_while_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.heaptrack");
    let mut text = String::from("v 10400 3\nX ./it\ns 7 /bin/it\ns 4 main\ni 401235 1 2\nt 1 0\na 64 1\n+ 0\nc a\n+ 0\nc 14\n+");
    fs::write(&path, &text).unwrap();
    let workspace = workspace(&[path.to_str().unwrap()]);
    let mut folders = Folders::new(workspace.clone());
    let profile = || workspace.session.snapshot().profile;
    let n_warnings = || workspace.session.snapshot().warnings.iter().filter(|warning| warning.contains("truncated")).count();
    let number_of = |at: i64| profile().dumps().iter().position(|dump| dump.moment.is_some_and(|moment| moment.at == at)).unwrap();
    assert_eq!((profile().columns()[0].total(), n_warnings()), (2, 1));
    let at_first = number_of(10_000_000);
    let mut known = vec![at_first];
    for n in 3..=12u64 {
        text += &format!(" 0\nc {:x}\n+", 10 * n);
        fs::write(&path, &text).unwrap();
        // A recording that was read rests several times as long as that took.
        let begun = Instant::now();
        while profile().columns()[0].total() < n as i64 && begun.elapsed() < Duration::from_secs(20) {
            folders.look();
        }
        assert_eq!((profile().columns()[0].total(), n_warnings()), (n as i64, 0));
        profile().validate().unwrap();
        known.push(number_of(10_000_000 * n as i64 - 10_000_000));
    }
    // Numbers of moments hold.
    for (place, number) in known.iter().enumerate().skip(1) {
        assert_eq!(profile().dumps()[*number].moment.unwrap().at, 10_000_000 * (place as i64 + 1));
    }
    assert_eq!((number_of(10_000_000), profile().meta().runs.len(), profile().meta().runs[0].allocated.objects), (at_first, 1, 12));
    let view = View::parse(ViewKind::Top, [("at", "15ms")]).unwrap();
    assert!(workspace.session.answer(&view).is_ok());
    // Nothing comes any more: that its end is missing is said once.
    (0..PATIENCE + 3).for_each(|_| folders.look());
    assert_eq!((n_warnings(), profile().columns()[0].total()), (1, 12));
}

#[test]
fn a_named_recording_is_awaited_until_something_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("heaptrack.it.1.gz");
    let sources = watching(&[path.to_str().unwrap()]);
    let text = b"v 10400 3\nX ./it\ns 7 /bin/it\ns 4 main\ni 401235 1 2\nt 1 0\na 64 1\n+ 0\nc a\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let packed = gzip.finish().unwrap();
    // It is missing, empty, and has nothing but a container's header.
    for content in [None, Some(&packed[..0]), Some(&packed[..10])] {
        if let Some(bytes) = content {
            fs::write(&path, bytes).unwrap();
        }
        assert_eq!(Waiting::default().look(&sources).unwrap(), First::Missing, "{content:?}");
        assert_eq!(waiting_for(&sources), format!("Waiting for data in {}", path.display()));
    }
    fs::write(&path, &packed).unwrap();
    assert_eq!(Waiting::default().look(&sources).unwrap(), First::Ready);
    assert_eq!(load::load(&sources).unwrap().profile.columns()[0].total(), 1);
    // Other names are mistakes.
    assert_eq!(Waiting::default().look(&watching(&["no-such.heap"])).unwrap(), First::Ready);
}

#[test]
#[expect(clippy::panic, reason = "what is tested")]
fn a_panic_while_a_dump_is_opened_is_a_warning() {
    let (folder, mut folders, workspace) = watched();
    let path = folder.path().join("x.0002.heap");
    let stamp = Stamp { length: 1, written: 2 };
    let seen = or_given_up(&workspace, &path, stamp, || panic!("no dump"));
    assert!(matches!(seen, Seen::Done(done) if done == stamp));
    let warning = format!("cannot open {}: internal error: no dump", path.display());
    assert!(workspace.session.snapshot().warnings.contains(&warning));
    // Others are opened all the same.
    fs::write(&path, dump(200)).unwrap();
    (0..3).for_each(|_| folders.look());
    assert_eq!(open(&workspace).len(), 2);
}

#[test]
fn a_server_that_fails_is_asked_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/debug/pprof/heap", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (i, connection) in listener.incoming().enumerate() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 4096]);
            let (status, body) = if i == 1 { ("500 Internal Server Error", "sorry".to_owned()) } else { ("200 OK", dump(100 + i as u64)) };
            let _ = write!(connection, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        }
    });
    let workspace = workspace(&[&address]);
    let mut server = Server::new(workspace.clone(), Address::parse(&address).unwrap());
    server.ask();
    assert!(server.is_silent);
    assert_eq!(open(&workspace).len(), 1);
    (0..2).for_each(|_| server.ask());
    assert!(!server.is_silent);
    let sums: Vec<_> = open(&workspace).into_iter().map(|(_, number, sum, is_shown)| (number, sum, is_shown)).collect();
    assert_eq!(sums, [(Some(0), 100, false), (Some(1), 102, false), (Some(2), 103, true)]);
    let profile = workspace.session.snapshot().profile;
    assert!(profile.dumps().iter().all(|dump| dump.series == profile.dumps()[0].series && !dump.series.is_empty()));
}

#[test]
fn many_dumps_are_thinned_out_and_their_numbers_hold() {
    let (_folder, _, workspace) = watched();
    let follow = |n: u64, bytes: u64| {
        let parsed = parsed(&workspace, dump(bytes).as_bytes()).unwrap();
        let profile = described(parsed.profile, |dump| (dump.name, dump.number) = (format!("x.{n}"), Some(n)));
        let series = workspace.session.snapshot().profile.dumps()[0].series.clone();
        let profile = described(profile, |dump| dump.series.clone_from(&series));
        workspace.follow(profile, Vec::new()).unwrap();
    };
    (2..=300).for_each(|n| follow(n, n));
    // A run of equal dumps is its two ends.
    (301..=350).for_each(|n| follow(n, 7));
    let profile = workspace.session.snapshot().profile;
    profile.validate().unwrap();
    let dumps = profile.dumps();
    let kept: Vec<usize> = (0..dumps.len()).filter(|at| !dumps[*at].is_thinned).collect();
    assert_eq!((dumps.len(), kept.len()), (302, 201));
    assert_eq!(kept[..2], [0, 1]);
    assert_eq!((dumps[300].number, dumps[301].number, dumps[301].counts()), (Some(301), Some(350), true));
    let sums: Vec<i64> = open(&workspace).into_iter().map(|(_, _, sum, _)| sum).collect();
    for &at in &kept[1..kept.len() - 2] {
        assert_eq!((dumps[at].number, sums[at]), (Some(at as u64 + 1), at as i64 + 1));
    }
    let gone = (0..dumps.len()).find(|at| dumps[*at].is_thinned).unwrap();
    let ask = |query: &[(&str, &str)]| workspace.session.answer(&View::parse(ViewKind::Top, query.iter().copied()).unwrap());
    for field in ["dump", "base", "diff_base"] {
        let error = ask(&[(field, &gone.to_string())]).unwrap_err();
        assert_eq!(error, QueryError::Thinned { field, value: gone });
    }
    assert!(ask(&[("dump", "0"), ("base", "1")]).is_ok() && ask(&[]).is_ok());
    let growth = View::parse(ViewKind::Growth, []).unwrap();
    let Report::Growth(growth) = workspace.session.answer(&growth).unwrap() else { panic!("no growth") };
    assert_eq!(growth.dump.len(), kept.len());
    let warnings = workspace.session.snapshot().warnings;
    assert_eq!(warnings.iter().filter(|warning| warning.contains("drops older ones")).count(), 1, "{warnings:?}");
}
