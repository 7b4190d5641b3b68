#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../tracy.rs"]
mod tracy;
#[path = "../parse.rs"]
mod parse;

fuzz_target!(|bytes: &[u8]| {
    tracy::tracy(bytes);
});
