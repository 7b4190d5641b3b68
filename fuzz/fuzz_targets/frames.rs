//! From the bytes of a program to the frames at its addresses.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../frames.rs"]
mod frames;

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder for the program");
}

fuzz_target!(|bytes: &[u8]| {
    FOLDER.with(|folder| frames::frames(bytes, folder.path()));
});
