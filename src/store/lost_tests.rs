//! A store whose answers are lost, or that does not answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::directory::Directory;
use super::{Content, Created, Listed, Objects, Said, Settings, Store, StoreError, StoreOptions, TokenRole, measure, said};

/// A directory between which and the server something goes wrong.
#[derive(Debug)]
struct Lossy {
    inner: Directory,
    /// Writes succeed and are said to have been somebody else's, as after a repetition.
    loses_answers: AtomicBool,
    /// Writes that fail and are said to be somebody else's, which is what a bucket says while another one writes.
    conflicts: AtomicUsize,
    is_away: AtomicBool,
}

impl Lossy {
    fn ask(&self) -> Result<&Directory, StoreError> {
        match self.is_away.load(Ordering::Relaxed) {
            true => Err(StoreError::Away("cut".into())),
            false => Ok(&self.inner),
        }
    }
}

impl Objects for Lossy {
    fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
        let is_one_less = |n: usize| n.checked_sub(1);
        if self.conflicts.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_one_less).is_ok() {
            return Ok(Created::Exists);
        }
        let created = self.ask()?.create(key, content)?;
        Ok(if self.loses_answers.load(Ordering::Relaxed) { Created::Exists } else { created })
    }

    fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask()?.read(key, most)
    }

    fn length(&self, key: &str) -> Result<Option<u64>, StoreError> {
        self.ask()?.length(key)
    }

    fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError> {
        self.ask()?.local(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        self.ask()?.list(prefix)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.ask()?.remove(key)
    }

    fn spool(&self) -> &Path {
        self.inner.spool()
    }

    fn linger(&self) -> Duration {
        self.inner.linger()
    }

    fn place(&self) -> String {
        self.inner.place()
    }
}

fn open(folder: &Path) -> (Arc<Lossy>, Store) {
    let (loses_answers, conflicts, is_away) = Default::default();
    let objects = Arc::new(Lossy { inner: Directory::open(folder).unwrap(), loses_answers, conflicts, is_away });
    let store = Store::of(objects.clone(), StoreOptions { may_create: true, is_single_writer: true }).unwrap();
    (objects, store)
}

fn upload(store: &Store, dump: &str) -> Result<super::Uploaded, StoreError> {
    let origin: Said = said(&[("service".into(), "forest".into())], &Settings::default()).unwrap();
    store.upload(measure(dump.into(), &Settings::default()).unwrap(), origin, "")
}

#[test]
fn writes_whose_answers_are_lost_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    objects.loses_answers.store(true, Ordering::Relaxed);
    assert!(!upload(&store, "main;a 1\n").unwrap().was_known);
    let secret = store.add_token("ci", TokenRole::View, &[]).unwrap();
    assert_eq!(store.token_of(Some(&secret), None).unwrap().name, "ci");
    assert_eq!(store.change_settings(&[("keep_days".into(), "3".into())]).unwrap().keep_days, 3);
    store.remove_token("ci").unwrap();
    assert_eq!((store.tokens().len(), store.dump_counts()), (0, vec![("forest".to_owned(), 1)]));
    assert!(store.verify(&|_, _| ()).unwrap().is_good());
}

#[test]
fn a_conflict_is_no_proof_that_somebody_else_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    objects.conflicts.store(2, Ordering::Relaxed);
    upload(&store, "main;a 1\n").unwrap();
    assert!(store.verify(&|_, _| ()).unwrap().is_good(), "the bytes are there");
    objects.conflicts.store(1000, Ordering::Relaxed);
    assert!(upload(&store, "main;b 1\n").unwrap_err().is_passing());
}

#[test]
fn a_store_that_is_away_is_not_one_without_the_dump() {
    let folder = tempfile::tempdir().unwrap();
    let (objects, store) = open(folder.path());
    let (_, other) = open(folder.path());
    let link = upload(&other, "main;a 1\n").unwrap().envelope.sha256.short();
    objects.is_away.store(true, Ordering::Relaxed);
    assert!(store.linked(&link).unwrap_err().is_passing());
    assert!(store.refresh(false).is_err(), "the last look failed");
    objects.is_away.store(false, Ordering::Relaxed);
    assert!(store.linked(&link).unwrap().is_some(), "at once");
}
