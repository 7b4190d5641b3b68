//! Addresses to names.
