//! From any text to the names that it may stand for, at every level.

#![no_main]

use heapview::demangle::{Budget, Demangle, demangled, full_name, name_of};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut budget = Budget::default();
    // Both kinds, with and without the beginning that says which it is.
    for name in [text.clone().into_owned(), format!("_Z{text}"), format!("_R{text}"), format!("_ZN{text}17h0123456789abcdefE")] {
        for level in [Demangle::Default, Demangle::None, Demangle::Templates, Demangle::Full] {
            let read = demangled(&name, level);
            assert!(read.is_none_or(|read| read.len() <= 1 << 20));
            let _ = name_of(&name, level);
        }
        assert_eq!(budget.full_name(&name), full_name(&name));
    }
});
