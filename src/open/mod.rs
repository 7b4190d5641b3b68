//! Opens files and addresses as one symbolized profile, and adds dumps and binaries to it later.

pub(crate) mod atomic_file;
pub(crate) mod builds;
pub(crate) mod cache_folder;
pub(crate) mod capture;
pub(crate) mod debuginfod;
pub(crate) mod fetching;
pub(crate) mod inputs;
pub(crate) mod known_names;
pub(crate) mod libraries;
pub(crate) mod live;
pub(crate) mod load;
pub(crate) mod options;
pub(crate) mod process_files;
pub(crate) mod read;
pub(crate) mod recent;
pub(crate) mod remote;
pub(crate) mod save;
pub(crate) mod series;
pub(crate) mod start_list;
pub(crate) mod state_folder;
pub(crate) mod stored;
pub(crate) mod stored_dump;
pub(crate) mod suppressions;
pub(crate) mod team;
pub(crate) mod watch;
pub(crate) mod watch_start;
#[cfg(test)]
mod watch_tests;
pub(crate) mod watched_dumps;
mod watched_folders;
mod watched_profile;
mod watched_recordings;
mod watched_server;
pub(crate) mod workspace;
