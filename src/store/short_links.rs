//! Short links: an address of the server by a short name, made of the address itself, so that the same one is stored once.

use std::sync::atomic::Ordering;

use super::Store;
use super::error::StoreError;
use super::id::{Hash, ShortId};
use super::objects::{Content, Created};

/// Folder of links.
const FOLDER: &str = "links";

/// Longest address, bytes.
pub const LONGEST_LINK: usize = 8 << 10;

fn key(id: &ShortId) -> String {
    format!("{FOLDER}/{id}")
}

impl Store {
    /// Shortens a path with its query; the caller has checked that it is an address of this server.
    ///
    /// # Errors
    /// The store does not answer, or it has as many links as its setting `most_links` allows.
    pub fn shorten(&self, path: &str) -> Result<ShortId, StoreError> {
        let id = Hash::of(path.as_bytes()).short();
        if self.objects.length(&key(&id))?.is_some() {
            return Ok(id);
        }
        // Counted once; those that other servers make meanwhile are not.
        if self.links.load(Ordering::Relaxed) == 0 {
            self.links.store(1 + self.objects.list(&format!("{FOLDER}/"))?.len() as u64, Ordering::Relaxed);
        }
        let most = self.settings().most_links;
        if self.links.load(Ordering::Relaxed) > most {
            return Err(StoreError::Refused(format!(
                "this store has {most} short links already, its limit `most_links`; use the long one"
            )));
        }
        if self.objects.create(&key(&id), Content::Bytes(path.as_bytes()))? == Created::New {
            self.links.fetch_add(1, Ordering::Relaxed);
        }
        Ok(id)
    }

    /// The path of a short link; `None`: there is none.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn shortened(&self, id: &ShortId) -> Result<Option<String>, StoreError> {
        let bytes = self.objects.read(&key(id), LONGEST_LINK as u64)?;
        // What somebody else wrote there may lead anywhere.
        let path = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(path.filter(|path| Hash::of(path.as_bytes()).short() == *id))
    }
}
