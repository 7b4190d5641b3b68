//! `heapview.json`: what says that a place is a store, and of which version; and the test whether a store keeps its promises.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::id;
use super::objects::{Content, Created, Objects};

/// Version of the layout.
const VERSION: u32 = 1;

/// Key of the document.
const KEY: &str = "heapview.json";

/// Longest document that is read, bytes.
const LONGEST: u64 = 1 << 16;

#[derive(Serialize, Deserialize)]
struct About {
    /// Version of the layout.
    heapview_store: u32,
    /// When it was made, milliseconds since 1970.
    created: i64,
}

/// Opens a store; a place that is empty becomes one if it may.
pub(super) fn open(objects: &dyn Objects, may_create: bool) -> Result<(), StoreError> {
    let place = objects.place();
    if let Some(bytes) = objects.read(KEY, LONGEST)? {
        return check(&bytes, &place);
    }
    if !may_create {
        return Err(StoreError::NotAStore(format!("{place} has no heapview.json, so it is no store; `heapview serve --store` makes one")));
    }
    let about = About { heapview_store: VERSION, created: id::millis(SystemTime::now()) };
    let text = serde_json::to_vec(&about).map_err(|error| StoreError::Refused(error.to_string()))?;
    match objects.create(KEY, Content::Bytes(&text))? {
        Created::New => Ok(()),
        // Another replica was first.
        Created::Exists => check(&objects.read(KEY, LONGEST)?.unwrap_or_default(), &place),
    }
}

fn check(bytes: &[u8], place: &str) -> Result<(), StoreError> {
    let Ok(about) = serde_json::from_slice::<About>(bytes) else {
        return Err(StoreError::NotAStore(format!("{place} has a heapview.json that no heapview wrote; choose another place")));
    };
    match about.heapview_store {
        VERSION => Ok(()),
        version => Err(StoreError::NotAStore(format!(
            "the store in {place} has version {version}, and this heapview reads version {VERSION}; use the heapview that wrote it"
        ))),
    }
}

/// Whether the store refuses to create an object twice. One that does not would lose writes of several servers.
pub(super) fn keeps_first(objects: &dyn Objects) -> Result<bool, StoreError> {
    let key = format!("probe/{}", id::unique(SystemTime::now())?);
    let first = objects.create(&key, Content::Bytes(b"first"))?;
    let second = objects.create(&key, Content::Bytes(b"second"));
    let kept = objects.read(&key, 16);
    objects.remove(&key)?;
    Ok(first == Created::New && matches!(second, Ok(Created::Exists)) && kept?.as_deref() == Some(b"first"))
}
