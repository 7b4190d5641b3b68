//! What a server that may open files is given to open them with.

use serde::Serialize;

use super::start_list::StartList;

/// Opens what comes.
pub trait Opener: Send + Sync {
    /// Opens the file with these bytes, which somebody calls `name`: beside what is open, or in place of the profile with the
    /// number `replace`. May take long.
    fn open(&self, name: &str, bytes: Vec<u8>, replace: Option<u64>) -> Result<Opened, Refusal>;

    /// Whether another profile may take the place of the open one.
    fn may_replace(&self) -> bool {
        false
    }

    /// Lists what the start page may open by identifier. May take long.
    fn start_list(&self) -> StartList {
        StartList::default()
    }

    /// Forgets recent files; returns the new list. May take long.
    fn clear_recent(&self) -> Result<StartList, Refusal> {
        Ok(self.start_list())
    }

    /// Opens an entry of the latest list: while no profile is open, or in place of the one with the number `replace`. May
    /// take long.
    fn open_listed(&self, _id: &str, _replace: Option<u64>) -> Result<Opened, Refusal> {
        Err(Refusal { error: "this list is out of date".into(), hint: "reload the page".into() })
    }
}

/// Result of opening a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Opened {
    /// Indexes of its dumps, as in `dump` and `base`; empty for a binary.
    pub dumps: Vec<usize>,
    /// Paths of the mappings that it matches, for a binary.
    pub fits: Vec<String>,
    /// Warnings, a sentence each.
    pub notes: Vec<String>,
}

/// Why a file is not opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// What happened, a sentence.
    pub error: String,
    /// What to do; empty if the sentence says it.
    pub hint: String,
}
