//! Locates the files of a profile's mappings and their debug information.

pub(crate) mod attached;
pub(crate) mod attached_fit;
pub(crate) mod binary_folders;
pub(crate) mod bundle;
pub(crate) mod contents;
pub(crate) mod debug_roots;
pub(crate) mod fit;
pub(crate) mod locate;
pub(crate) mod mapping_groups;
pub(crate) mod note;
pub(crate) mod recorded_paths;
pub(crate) mod remote;
pub(crate) mod separate_debug;
pub(crate) mod split;
