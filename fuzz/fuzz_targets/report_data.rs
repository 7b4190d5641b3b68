#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../report_data.rs"]
mod report_data;

fuzz_target!(|bytes: &[u8]| {
    report_data::report_data(bytes);
});
