#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../query.rs"]
mod query;

fuzz_target!(|bytes: &[u8]| {
    query::query(bytes);
});
