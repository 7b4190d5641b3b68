//! Names as recorders leave them: mangled, or Rust's after a demangler of C++.

/// The mangled name, if `name` is one, or one of Rust's legacy names that a demangler of C++ took apart without decoding its parts, such
/// as `alloc::vec::Vec$LT$T$GT$::push::h16818233a144e086`. Names are demangled later, like those of binaries.
pub(super) fn mangled(name: &str) -> Option<String> {
    if ["_Z", "__Z", "_R", "__R"].iter().any(|start| name.starts_with(start)) {
        return Some(name.to_owned());
    }
    // A part that the compiler split off: `a::b::h0123456789abcdef (.llvm.12)`.
    let name = name.split_once(" (.").or_else(|| name.split_once(" [clone ")).map_or(name, |(name, _)| name);
    let (path, hash) = name.rsplit_once("::h")?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    // Whatever has arguments or templates is of C++.
    if !is_hash || path.contains(['<', '(', ' ']) {
        return None;
    }
    let parts: String = path.split("::").map(|part| format!("{}{part}", part.len())).collect();
    Some(format!("_ZN{parts}17h{hash}E"))
}

#[cfg(test)]
mod tests {
    use super::mangled;
    use crate::demangle::full_name;

    #[test]
    fn rust_names_are_put_together_again() {
        let whole = |name: &str| mangled(name).map(|name| full_name(&name));
        for (name, expected) in [
            ("ledger::chain::pin_header::h778938a30ab9cb78", "ledger::chain::pin_header"),
            ("alloc::vec::Vec$LT$T$C$A$GT$::push::h16818233a144e086", "alloc::vec::Vec<T,A>::push"),
            (
                "_$LT$x..Heap$LT$A$GT$$u20$as$u20$core..alloc..global..GlobalAlloc$GT$::alloc::ha82bda00168a77eb",
                "<x::Heap<A> as core::alloc::global::GlobalAlloc>::alloc",
            ),
            ("x::main::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "x::main::{{closure}}"),
            ("_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            ("a::b::h0123456789abcdef (.llvm.12)", "a::b"),
            ("a::b::h0123456789abcdef [clone .cold]", "a::b"),
        ] {
            assert_eq!(whole(name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn other_names_stay() {
        for name in
            ["", "main", "a::h123", "a::hash", "std::vector<int>::h0123456789abcdef", "f(int)::h0123456789abcdef", "a::h0123456789ABCDEF"]
        {
            assert_eq!(mangled(name), None, "{name}");
        }
    }
}
