#![no_main]

use heapview::feeds::{self, ingest, otlp, push};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let all = [push::from_protobuf(bytes), push::from_json(bytes), otlp::from_protobuf(bytes, 1 << 20, &mut |_| true)];
    for profile in all.into_iter().flatten().flatten().flat_map(|series| series.profiles) {
        feeds::kind(&profile, 1 << 20);
    }
    let _ = ingest::profile(bytes.to_vec(), "multipart/form-data; boundary=XX", "", "bytes");
    let _ = ingest::labels(&String::from_utf8_lossy(bytes));
});
