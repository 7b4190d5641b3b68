//! Bytes to a [`crate::profile::Profile`].
