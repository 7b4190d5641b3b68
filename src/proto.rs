//! The messages of `proto/profile.proto`, written by prost at build time.
//! Read by `parse`, written by `export`; nobody else knows them.

#![allow(missing_docs, unreachable_pub, clippy::all)]

include!(concat!(env!("OUT_DIR"), "/perftools.profiles.rs"));
