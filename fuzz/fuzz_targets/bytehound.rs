#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../bytehound.rs"]
mod bytehound;
#[path = "../parse.rs"]
mod parse;

fuzz_target!(|bytes: &[u8]| {
    bytehound::bytehound(bytes);
});
