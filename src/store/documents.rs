//! Small documents that change: tokens and settings. Each change is a new object with the next number, created unless it exists, so
//! that of two changes made at once one is refused and made again on top of the other.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::StoreError;
use super::objects::{Content, Created, Objects};

/// Longest document, bytes.
const LONGEST: u64 = 16 << 20;

/// Versions that are kept; enough that nobody writes a number a second time.
const KEPT: usize = 100;

/// Attempts of a change that others are faster than.
const ATTEMPTS: usize = 20;

/// The current version of a document and its number; the default and 0 if there is none yet.
pub(super) fn read<T: DeserializeOwned + Default>(objects: &dyn Objects, folder: &str) -> Result<(T, u64), StoreError> {
    let versions = objects.list(&format!("{folder}/"))?;
    let Some((last, number)) = versions.iter().rev().find_map(|version| Some((version, number(&version.key)?))) else {
        return Ok((T::default(), 0));
    };
    // Deleted meanwhile: there are many later ones.
    let Some(bytes) = objects.read(&last.key, LONGEST)? else { return read(objects, folder) };
    let document = serde_json::from_slice(&bytes);
    Ok((document.map_err(|error| StoreError::Damaged { key: last.key.clone(), why: error.to_string() })?, number))
}

/// Changes a document; `change` may be called several times, and its error ends it.
pub(super) fn change<T: DeserializeOwned + Serialize + Default, R>(
    objects: &dyn Objects,
    folder: &str,
    change: impl Fn(&mut T) -> Result<R, StoreError>,
) -> Result<R, StoreError> {
    let changed = change_keeping(objects, folder, KEPT, |document| change(document).map(Some))?;
    changed.ok_or_else(|| StoreError::Away(format!("{folder} is not changed")))
}

/// Changes a document of which `kept` versions stay; where `change` returns `None`, nothing is written.
pub(super) fn change_keeping<T: DeserializeOwned + Serialize + Default, R>(
    objects: &dyn Objects,
    folder: &str,
    kept: usize,
    change: impl Fn(&mut T) -> Result<Option<R>, StoreError>,
) -> Result<Option<R>, StoreError> {
    for _ in 0..ATTEMPTS {
        let (mut document, number) = read::<T>(objects, folder)?;
        let Some(result) = change(&mut document)? else { return Ok(None) };
        let text = serde_json::to_string_pretty(&document).map_err(|error| StoreError::Refused(error.to_string()))? + "\n";
        let key = format!("{folder}/{:012}.json", number + 1);
        let created = objects.create(&key, Content::Bytes(text.as_bytes()))?;
        // An attempt whose answer was lost on its way finds itself.
        if created == Created::New || objects.read(&key, LONGEST)?.is_some_and(|written| written == text.as_bytes()) {
            let versions = objects.list(&format!("{folder}/"))?;
            let latest = versions.iter().rev().find_map(|version| self::number(&version.key)).unwrap_or(0);
            // So many others were faster that they have deleted the version of this number: nobody will read this one.
            if latest > number + kept as u64 {
                objects.remove(&key)?;
                continue;
            }
            // The change is made; the next one deletes what stays.
            let _ = versions.iter().rev().skip(kept).try_for_each(|old| objects.remove(&old.key));
            return Ok(Some(result));
        }
    }
    Err(StoreError::Away(format!("others change {folder} all the time; try again")))
}

/// Number of a version.
fn number(key: &str) -> Option<u64> {
    key.rsplit('/').next()?.strip_suffix(".json")?.parse().ok()
}
