#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../process.rs"]
mod process;

fuzz_target!(|bytes: &[u8]| {
    process::process(bytes);
});
