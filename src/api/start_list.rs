//! The list of a start page: profiles that may be opened by name.

use serde::Serialize;

/// Profiles to open from the start page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct StartList {
    /// The folder in which heapview was started.
    pub folder: String,
    /// Profiles in that folder, the newest first. Folders in it are not searched.
    pub here: Vec<StartEntry>,
    /// Whether the folder has more files than are examined.
    pub is_cut: bool,
    /// What was opened before, the latest first.
    pub recent: Vec<StartEntry>,
}

/// Files that are opened together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct StartEntry {
    /// Identifier, to be sent back; it means nothing to another run of the server.
    pub id: String,
    /// Names of the files, without their folders where these are all the same.
    pub name: String,
    /// The folder, when it is another one than that of the server.
    pub folder: String,
    /// Number of dumps; 0 when unknown.
    pub n_dumps: usize,
    /// Size of the files together, bytes; 0 when unknown.
    pub bytes: u64,
    /// When the newest file was written or the entry was opened, nanoseconds since 1970 UTC.
    pub time_nanos: i64,
}
