//! The body of the target `process`, which the test `tests/it/fuzz.rs` runs on stable compilers.

use heapview::api::{NoFiles, answer};
use heapview::parse::{ParseOptions, parse, process_facts};
use heapview::session::Session;

/// Reads files about a process and explains the memory of a small profile with them. Returns whether there was something to read.
pub(crate) fn process(bytes: &[u8]) -> bool {
    let options = ParseOptions { max_expanded: 1 << 22, ..ParseOptions::default() };
    let Some(found) = process_facts(bytes, &options) else { return false };
    let parsed = parse(b"# inuse_space bytes, inuse_objects count\nmain;work 4096 4\n", &options);
    let Ok(mut parsed) = parsed else { return false };
    parsed.profile.add_process_files(found.into_files("x.4711.smaps", 0, false));
    let session = Session::new(parsed.profile, Vec::new());
    for path in ["/api/v1/rss", "/api/v1/rss.txt", "/api/v1/rss.csv", "/api/v1/summary.txt"] {
        assert_eq!(answer(&session, &NoFiles, path).status, 200, "{path}");
    }
    true
}
