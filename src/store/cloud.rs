//! A store in a bucket: S3 and what speaks its protocol, Google Cloud Storage, Azure.
//!
//! Credentials, region and endpoint are those of the providers' own environment variables (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT`,
//! `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_KEY` and so on). Objects are created with `If-None-Match: *`.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path as Key;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, WriteMultipart, parse_url_opts};
use tempfile::TempDir;
use tokio::runtime::{Handle, Runtime};

use super::by_key::ByKey;
use super::error::StoreError;
use super::objects::{Content, Created, Listed, Objects, is_key};

/// A file longer than this is sent in parts, bytes.
const AT_ONCE: u64 = 64 << 20;

/// Bytes of a part.
const PART: usize = 16 << 20;

/// Bytes of binaries that are kept on this machine.
const KEPT: u64 = 16 << 30;

/// Time for a request and its repetitions: as long as a client waits for the answer to an upload.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes a second that more time is given for.
const SLOWEST: u64 = 1 << 20;

/// Bytes whose time a list may take.
const LONG_LIST: u64 = 600 * SLOWEST;

/// Beginnings of the environment variables that configure access.
const VARIABLES: [&str; 3] = ["AWS_", "GOOGLE_", "AZURE_"];

/// A bucket, or a part of one.
#[derive(Debug)]
pub(super) struct Cloud {
    objects: Box<dyn ObjectStore>,
    /// Where the store's keys begin.
    prefix: Key,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    /// Files that are received, and binaries that were fetched; deleted with the program.
    folder: TempDir,
    spool: PathBuf,
    fetching: ByKey,
    place: String,
}

impl Drop for Cloud {
    fn drop(&mut self) {
        // Also where nothing may block.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Cloud {
    /// The bucket at an address such as `s3://bucket/prefix`.
    pub(super) fn open(place: &str) -> Result<Self, StoreError> {
        let refused = |error: &dyn std::fmt::Display| StoreError::Refused(format!("{place}: {error}"));
        let url: url::Url = place.parse().map_err(|error| refused(&error))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused(&"give credentials by environment variables, such as AWS_ACCESS_KEY_ID"));
        }
        let options = std::env::vars().filter(|(name, _)| VARIABLES.iter().any(|start| name.starts_with(start)));
        let options = options.map(|(name, value)| (name.to_ascii_lowercase(), value));
        let (objects, prefix) = parse_url_opts(&url, options).map_err(|error| refused(&error))?;
        let cannot = || StoreError::file("cannot make a temporary folder");
        let folder = tempfile::Builder::new().prefix("heapview-store-").tempdir().map_err(cannot())?;
        ["spool", "bin"].iter().try_for_each(|name| fs::create_dir(folder.path().join(name))).map_err(cannot())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(StoreError::file("cannot start threads"))?;
        let spool = folder.path().join("spool");
        Ok(Cloud { objects, prefix, runtime: Some(runtime), folder, spool, fetching: ByKey::default(), place: place.to_owned() })
    }

    /// Waits for `work`, with its repetitions, as long as `bytes` may take.
    fn wait_for<T: Send>(&self, bytes: u64, work: impl Future<Output = Result<T, Error>> + Send) -> Result<Result<T, Error>, StoreError> {
        let ended = || StoreError::Away("the program ends".into());
        let runtime = self.runtime.as_ref().ok_or_else(ended)?;
        let most = PATIENCE + Duration::from_secs(bytes / SLOWEST);
        let late = |_| Error::Generic { store: "bucket", source: format!("no answer in {} s", most.as_secs()).into() };
        let work = async { tokio::time::timeout(most, work).await.unwrap_or_else(|elapsed| Err(late(elapsed))) };
        if Handle::try_current().is_err() {
            return Ok(runtime.block_on(work));
        }
        // A thread of another runtime may not wait for this one.
        std::thread::scope(|scope| scope.spawn(|| runtime.block_on(work)).join()).map_err(|_| ended())
    }

    /// Waits for `work` on what is small.
    fn wait<T: Send>(&self, work: impl Future<Output = Result<T, Error>> + Send) -> Result<Result<T, Error>, StoreError> {
        self.wait_for(0, work)
    }

    fn key(&self, key: &str) -> Result<Key, StoreError> {
        if !is_key(key) {
            return Err(StoreError::Refused(format!("{key:?} is no key of a store")));
        }
        let prefix = self.prefix.as_ref();
        Ok(Key::from(if prefix.is_empty() { key.to_owned() } else { format!("{prefix}/{key}") }))
    }

    /// Sends a long file in parts; a reader sees the whole or nothing.
    async fn send(&self, to: &Key, path: &Path) -> Result<(), Error> {
        let failed = |error: io::Error| Error::Generic { store: "file", source: Box::new(error) };
        let mut file = File::open(path).map_err(failed)?;
        let mut upload = WriteMultipart::new_with_chunk_size(self.objects.put_multipart(to).await?, PART);
        let mut piece = vec![0; 1 << 20];
        loop {
            match file.read(&mut piece).map_err(failed)? {
                0 => break,
                n => {
                    upload.wait_for_capacity(4).await?;
                    upload.write(&piece[..n]);
                }
            }
        }
        upload.finish().await.map(|_| ())
    }

    /// Deletes fetched binaries, the oldest first, until `more` bytes fit.
    fn make_room(&self, more: u64) {
        let entries = fs::read_dir(self.folder.path().join("bin")).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let meta = entry.metadata().ok()?;
                Some((meta.modified().ok()?, meta.len(), entry.path()))
            })
            .collect();
        files.sort();
        let mut sum = files.iter().fold(more, |sum, (_, len, _)| sum.saturating_add(*len));
        for (_, len, path) in files {
            if sum <= KEPT {
                return;
            }
            let _ = fs::remove_file(path);
            sum = sum.saturating_sub(len);
        }
    }
}

/// An error with what it means for the store. Refused credentials pass: they run out, and are renewed.
fn explained(error: Error) -> StoreError {
    match error {
        Error::NotImplemented { .. } | Error::NotSupported { .. } => StoreError::Refused(format!("the store refuses: {error}")),
        error => StoreError::Away(error.to_string()),
    }
}

impl Objects for Cloud {
    fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
        let key = self.key(key)?;
        let payload = match content {
            Content::Bytes(bytes) => PutPayload::from(bytes.to_vec()),
            Content::File(path) => {
                let length = fs::metadata(path).map_err(StoreError::file("cannot read a file to send"))?.len();
                if length > AT_ONCE {
                    // In parts there is no condition; of a hash or build id all have the same bytes.
                    return match self.wait(self.objects.head(&key))? {
                        Ok(_) => Ok(Created::Exists),
                        Err(Error::NotFound { .. }) => {
                            self.wait_for(length, self.send(&key, path))?.map(|()| Created::New).map_err(explained)
                        }
                        Err(error) => Err(explained(error)),
                    };
                }
                PutPayload::from(fs::read(path).map_err(StoreError::file("cannot read a file to send"))?)
            }
        };
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let length = payload.content_length() as u64;
        match self.wait_for(length, self.objects.put_opts(&key, payload, options))? {
            Ok(_) => Ok(Created::New),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(Created::Exists),
            Err(error) => Err(explained(error)),
        }
    }

    fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.key(key)?;
        let got = match self.wait(self.objects.get(&path))? {
            Ok(got) => got,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(explained(error)),
        };
        match got.meta.size {
            length if length > most => Err(StoreError::TooLong { key: key.to_owned(), most }),
            length => Ok(Some(self.wait_for(length, got.bytes())?.map_err(explained)?.to_vec())),
        }
    }

    fn length(&self, key: &str) -> Result<Option<u64>, StoreError> {
        let key = self.key(key)?;
        match self.wait(self.objects.head(&key))? {
            Ok(meta) => Ok(Some(meta.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(explained(error)),
        }
    }

    fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError> {
        let place = self.folder.path().join("bin").join(key.replace('/', "-"));
        if place.is_file() {
            return Ok(Some(place));
        }
        // Whoever wants the same waits, and finds it.
        let _turn = self.fetching.turn(key);
        if place.is_file() {
            return Ok(Some(place));
        }
        let Some(length) = self.length(key)? else { return Ok(None) };
        self.make_room(length);
        let cannot = || StoreError::file("cannot keep a binary of the store here");
        let mut file = tempfile::Builder::new().tempfile_in(self.spool()).map_err(cannot())?;
        let path = self.key(key)?;
        let fetched = self.wait_for(length, async {
            let mut pieces = self.objects.get(&path).await?.into_stream();
            while let Some(piece) = pieces.next().await {
                file.write_all(&piece?).map_err(|error| Error::Generic { store: "file", source: Box::new(error) })?;
            }
            Ok(())
        })?;
        fetched.map_err(explained)?;
        file.persist(&place).map_err(|error| cannot()(error.error))?;
        Ok(Some(place))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        let start = self.key(prefix.trim_end_matches('/'))?;
        let own = self.prefix.as_ref();
        // A thousand objects an answer.
        let listed = self.wait_for(LONG_LIST, self.objects.list(Some(&start)).try_collect::<Vec<_>>())?.map_err(explained)?;
        let mut found: Vec<Listed> = listed
            .into_iter()
            .filter_map(|meta| {
                let key = meta.location.as_ref().strip_prefix(own)?.trim_start_matches('/').to_owned();
                let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(meta.last_modified.timestamp_millis()).ok()?);
                Some(Listed { key, len: meta.size, modified })
            })
            .collect();
        found.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(found)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        let path = self.key(key)?;
        match self.wait(self.objects.delete(&path))? {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(explained(error)),
        }
    }

    fn spool(&self) -> &Path {
        &self.spool
    }

    fn linger(&self) -> Duration {
        Duration::from_millis(200)
    }

    fn place(&self) -> String {
        self.place.clone()
    }
}
