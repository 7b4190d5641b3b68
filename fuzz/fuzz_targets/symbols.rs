#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../parse.rs"]
mod parse;
#[allow(dead_code)] // The other targets' bodies.
#[path = "../text.rs"]
mod text;

fuzz_target!(|bytes: &[u8]| {
    text::symbols(bytes);
});
