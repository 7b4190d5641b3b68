#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../config.rs"]
mod config;

fuzz_target!(|bytes: &[u8]| {
    config::config(bytes);
});
