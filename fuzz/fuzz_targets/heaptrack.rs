#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../heaptrack.rs"]
mod heaptrack;
#[path = "../parse.rs"]
mod parse;

fuzz_target!(|bytes: &[u8]| {
    heaptrack::heaptrack(bytes);
});
