//! Servers that come between the steps of another one.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use super::directory::Directory;
use super::journal::Journal;
use super::{Content, Created, Envelope, Hash, Listed, Objects, Origin, RunBy, Said, Store, StoreError, StoreOptions, measure};
use super::{documents, id};
use crate::symbolize::{BuildFacts, BuildFile};

/// Called before each operation with its name and key.
type Hook = Box<dyn FnMut(&str, &str) -> Result<(), StoreError> + Send>;

/// A directory where something happens between two operations.
struct Hooked {
    inner: Directory,
    hook: Mutex<Hook>,
    linger: Duration,
}

impl Hooked {
    fn new(folder: &Path, linger: Duration) -> Arc<Hooked> {
        Arc::new(Hooked { inner: Directory::open(folder).unwrap(), hook: Mutex::new(Box::new(|_, _| Ok(()))), linger })
    }

    fn before(&self, hook: impl FnMut(&str, &str) -> Result<(), StoreError> + Send + 'static) {
        *self.hook.lock().unwrap() = Box::new(hook);
    }

    fn at(&self, operation: &str, key: &str) -> Result<&Directory, StoreError> {
        (self.hook.lock().unwrap())(operation, key).map(|()| &self.inner)
    }
}

impl fmt::Debug for Hooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl Objects for Hooked {
    fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
        self.at("create", key)?.create(key, content)
    }

    fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.at("read", key)?.read(key, most)
    }

    fn length(&self, key: &str) -> Result<Option<u64>, StoreError> {
        self.at("length", key)?.length(key)
    }

    fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError> {
        self.at("local", key)?.local(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        self.at("list", prefix)?.list(prefix)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.at("remove", key)?.remove(key)
    }

    fn spool(&self) -> &Path {
        self.inner.spool()
    }

    fn linger(&self) -> Duration {
        self.linger
    }

    fn place(&self) -> String {
        self.inner.place()
    }
}

const OPTIONS: StoreOptions = StoreOptions { may_create: true, is_single_writer: true };

fn open(folder: &Path) -> (Arc<Hooked>, Store) {
    let objects = Hooked::new(folder, Duration::ZERO);
    (objects.clone(), Store::of(objects, OPTIONS).unwrap())
}

fn upload(store: &Store, dump: &str) -> super::Uploaded {
    let said = Said { origin: Origin { service: "forest".into(), ..Origin::default() }, ..Said::default() };
    store.upload(measure(dump.into(), &store.settings()).unwrap(), said, "").unwrap()
}

fn in_hours(hours: u64) -> SystemTime {
    SystemTime::now() + Duration::from_secs(hours * 3600)
}

fn bytes_of(objects: &Hooked) -> usize {
    objects.inner.list("raw/").unwrap().len()
}

#[test]
fn a_dump_that_another_server_deleted_is_not_known() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    let first = upload(&store, "main;a 1\n").envelope;
    let key = format!("gone/{}/x.jsonl", id::hour(id::millis(SystemTime::now())));
    objects.inner.create(&key, Content::Bytes(format!("{}\n", first.id).as_bytes())).unwrap();
    let second = upload(&store, "main;a 1\n");
    assert!(!second.was_known);
    assert!(open(folder.path()).1.linked(&first.sha256.short()).unwrap().is_some(), "a link that lives");
    objects.inner.remove(&first.sha256.raw_key()).unwrap();
    let third = upload(&store, "main;a 1\n");
    assert_eq!((third.was_known, third.envelope.id), (true, second.envelope.id));
    assert!(store.verify(&|_, _| ()).unwrap().is_good(), "the bytes are back");
}

#[test]
fn bytes_go_a_day_after_their_dump() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    store.change_settings(&[("keep_days".into(), "30".into())]).unwrap();
    upload(&store, "main;a 1\n");
    for (hours, left) in [(31 * 24, 1), (31 * 24 + 22, 1), (32 * 24 + 2, 0)] {
        assert!(store.gc(in_hours(hours), true).unwrap().bytes <= u64::from(left == 0) * 1000);
        store.gc(in_hours(hours), false).unwrap();
        assert_eq!((bytes_of(&objects), store.dump_counts().len()), (left, 0), "after {hours} h");
    }
}

#[test]
fn bytes_that_an_upload_names_meanwhile_come_back_whatever_fails() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    store.change_settings(&[("keep_days".into(), "30".into())]).unwrap();
    let texts: Vec<String> = (1..=20).map(|n| format!("main;a {n}\n")).collect();
    texts.iter().for_each(|text| drop(upload(&store, text)));
    store.gc(in_hours(31 * 24), false).unwrap();
    let (_, other) = open(folder.path());
    let (mut n_removed, mut is_first) = (0, true);
    objects.before(move |operation, key| {
        let is_bytes = operation == "remove" && key.starts_with("raw/");
        if is_bytes && std::mem::take(&mut is_first) {
            texts[..10].iter().for_each(|text| drop(upload(&other, text)));
        }
        n_removed += usize::from(is_bytes);
        match operation == "list" && n_removed > 0 {
            true => Err(StoreError::Away("cut".into())),
            false => Ok(()),
        }
    });
    assert!(store.gc(in_hours(33 * 24), false).is_err());
    assert!(open(folder.path()).1.verify(&|_, _| ()).unwrap().is_good());
    let n_lists = Arc::new(Mutex::new(0));
    let count = n_lists.clone();
    objects.before(move |operation, _| {
        *count.lock().unwrap() += usize::from(operation == "list");
        Ok(())
    });
    store.gc(in_hours(33 * 24), false).unwrap();
    assert_eq!(bytes_of(&objects), 10);
    // A look has 13 lists; before, each of the ten had one.
    assert!(*n_lists.lock().unwrap() < 60, "{n_lists:?}");
}

#[test]
fn a_line_that_cannot_be_read_brings_no_deleted_upload_back() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    let origin = Origin { service: "forest".into(), ..Origin::default() };
    let envelope = Envelope { id: "x".into(), sha256: Hash::of(b"x"), origin, ..Envelope::default() };
    let text = serde_json::to_string(&envelope).unwrap() + "\nnothing\n";
    objects.inner.create("inbox/2026-01-01T00/x.jsonl", Content::Bytes(text.as_bytes())).unwrap();
    objects.inner.create("gone/2026-01-01T00/x.jsonl", Content::Bytes(b"x\n")).unwrap();
    store.gc(in_hours(48), false).unwrap();
    assert_eq!(open(folder.path()).1.dump_counts(), []);
}

#[test]
fn an_object_of_the_log_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let objects = Hooked::new(folder.path(), Duration::from_millis(700));
    let journal = Journal::new(objects.clone());
    let envelope = Envelope { token: "x".repeat(3 << 20), ..Envelope::default() };
    std::thread::scope(|scope| {
        (0..10).for_each(|_| drop(scope.spawn(|| journal.append(&envelope).unwrap())));
    });
    let listed = objects.list("inbox/").unwrap();
    assert!(listed.iter().all(|object| object.len < 12 << 20), "{listed:?}");
}

#[test]
fn a_change_that_comes_late_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let objects = Hooked::new(folder.path(), Duration::ZERO);
    let add = |objects: &dyn Objects, name: &str| {
        documents::change_keeping(objects, "notes/forest", 3, |all: &mut BTreeSet<String>| {
            all.insert(name.to_owned());
            Ok(Some(()))
        })
    };
    let (others, mut is_first) = (Directory::open(folder.path()).unwrap(), true);
    objects.before(move |operation, _| {
        if operation == "create" && std::mem::take(&mut is_first) {
            ["a", "b", "c", "d"].iter().for_each(|name| assert!(add(&others, name).unwrap().is_some()));
        }
        Ok(())
    });
    add(&*objects, "late").unwrap();
    let all = documents::read::<BTreeSet<String>>(&*objects, "notes/forest").unwrap();
    assert_eq!(all, (["a", "b", "c", "d", "late"].map(str::to_owned).into(), 5));
    assert_eq!(objects.list("notes/").unwrap().len(), 3);
}

#[test]
fn binaries_that_another_server_deleted_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    let put = |id: &str| {
        let file = store.spool().join(id);
        std::fs::write(&file, "program").unwrap();
        let facts = BuildFacts { build_id: id.into(), has_code: true, ..BuildFacts::default() };
        let run_by = RunBy { service: "forest".into(), version: "1".into(), name: "forest".into() };
        store.put_binary(&file, &facts, &super::BinaryInfo { bytes: 7, ..Default::default() }, Some(&run_by)).unwrap();
    };
    put("abcd");
    put("ef01");
    let (_, other) = open(folder.path());
    assert_eq!(other.binaries().len(), 2);
    let generation = other.binaries_generation();
    objects.inner.list("bin/abcd/").unwrap().iter().for_each(|file| objects.inner.remove(&file.key).unwrap());
    other.refresh(true).unwrap();
    assert_eq!(other.binaries(), [("ef01".to_owned(), vec!["executable"])]);
    assert_eq!(other.run_by("forest", "1"), [("forest".to_owned(), "ef01".to_owned())]);
    assert!(other.binaries_generation() > generation);
    assert_eq!(["abcd", "ef01"].map(|id| other.has_binary(id, BuildFile::DebugInfo).unwrap()), [false, true]);
    put("abcd");
    other.refresh(true).unwrap();
    assert_eq!((other.binaries().len(), other.run_by("forest", "1").len()), (2, 2));
}

#[test]
fn folders_that_are_deleted_meanwhile_are_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let objects = Directory::open(folder.path()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let objects = &objects;
            scope.spawn(move || {
                for n in 0..300 {
                    let key = format!("a/b/c/{thread}-{n}");
                    objects.create(&key, Content::Bytes(b"x")).unwrap();
                    objects.remove(&key).unwrap();
                }
            });
        }
    });
}
