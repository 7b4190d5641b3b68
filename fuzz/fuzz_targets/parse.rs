#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../parse.rs"]
mod parse;

fuzz_target!(|bytes: &[u8]| {
    parse::parse(bytes);
});
