//! Envelopes: what is known of an upload besides its bytes. Together they are the log that the catalog is read from.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::id::Hash;

/// What came with a dump, and what was read from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Envelope {
    /// Identifier of the upload.
    #[serde(rename = "upload")]
    pub id: String,
    /// The dump.
    pub sha256: Hash,
    /// Where it came from, as its sender says.
    #[serde(flatten)]
    pub origin: Origin,
    /// When it was taken, milliseconds since 1970 UTC: what the sender said, or else the dump, or else when it came.
    pub time: i64,
    /// When it came, milliseconds since 1970 UTC.
    pub received: i64,
    /// The sender's time was in the future, and was replaced by the time it came.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_in_future: bool,
    /// Name of the token it came with; empty without one.
    pub token: String,
    /// Format of the dump.
    pub format: String,
    /// Length of the dump, unpacked, bytes.
    pub bytes: u64,
    /// Value type that is shown first.
    pub value_type: String,
    /// Value type → sum.
    pub totals: BTreeMap<String, i64>,
    /// Distinct stacks.
    pub stacks: u64,
    /// Binaries in its memory map, the program first. Shared by the dumps that have the same.
    #[serde(with = "shared")]
    pub builds: Arc<[Build]>,
}

/// Where a dump came from, as its sender says. Empty texts: not said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// Service.
    pub service: String,
    /// Version of the service.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Environment, such as `production`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub env: String,
    /// Host.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// Pod or container.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pod: String,
    /// Process id.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pid: String,
    /// Number of the dump in its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// File name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Build id of the program, for dumps that have none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub build_id: String,
    /// Further labels.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// A shared list, written like any other.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(list: &Arc<[T]>, serializer: S) -> Result<S::Ok, S::Error> {
        list[..].serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[T]>, D::Error> {
        Vec::deserialize(deserializer).map(Arc::from)
    }
}

/// A binary of a dump's memory map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Build {
    /// Path.
    pub file: String,
    /// Build id, hexadecimal; empty if the dump has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
}

impl Default for Hash {
    fn default() -> Self {
        Hash::of(b"")
    }
}

impl Envelope {
    /// The process it is of, as far as the sender or the file's name tells: `host/pod/pid`.
    pub fn process(&self) -> String {
        let Origin { host, pod, pid, name, .. } = &self.origin;
        let told: Vec<&str> = [host, pod, pid].into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let named = || crate::profile::DumpName::read(name).series;
        match (told.join("/"), pid.is_empty()) {
            (told, false) => told,
            (told, true) => [told, named()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/"),
        }
    }

    /// Bytes in use, or the sum of the value type that is shown first.
    pub fn total(&self) -> i64 {
        self.totals.get("inuse_space").or_else(|| self.totals.get(&self.value_type)).copied().unwrap_or(0)
    }

    /// Values of a label, by the name it has in queries.
    pub fn label(&self, name: &str) -> Option<&str> {
        let Origin { service, version, env, host, pod, pid, labels, .. } = &self.origin;
        match name {
            "service" => Some(service),
            "version" => Some(version),
            "env" => Some(env),
            "host" => Some(host),
            "pod" => Some(pod),
            "pid" => Some(pid),
            _ => labels.get(name),
        }
        .map(String::as_str)
    }
}
