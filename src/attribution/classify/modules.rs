//! Modules of functions.

use super::closures::enclosing;
use super::names::{self, Language};

/// Module of Rust, namespace of C++, package of Go, as in source code; empty if the name has none.
pub(super) fn module_of(name: &str, language: Language) -> &str {
    match language {
        Language::Rust => path_of(name),
        Language::Cpp => names::namespace_of(name),
        Language::Go => names::go_package(name),
        Language::C => "",
    }
}

/// `a::b` of `a::b::C::d`: types begin with a capital.
fn path_of(name: &str) -> &str {
    let name = enclosing(name).unwrap_or(name);
    let of = names::crate_of(name);
    let Some(start) = (!of.is_empty()).then(|| name.find(of)).flatten() else { return "" };
    let path = &name[start..];
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
    let mut parts = path[..end].split("::").collect::<Vec<_>>();
    // What the path leads to is a function or a type.
    parts.pop();
    let n = parts.iter().take_while(|part| part.starts_with(|c: char| c.is_lowercase() || c == '_')).count();
    let length = parts[..n].iter().map(|part| part.len() + 2).sum::<usize>();
    &path[..length.saturating_sub(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_end_where_types_begin() {
        for (name, module) in [
            ("ledger::cache::SeenCache::remember", "ledger::cache"),
            ("<ledger::cache::Lru<K,V> as core::ops::drop::Drop>::drop", "ledger::cache"),
            ("ledger::main", "ledger"),
            ("main", ""),
            ("ledger::chain::put::{{closure}}", "ledger::chain"),
        ] {
            assert_eq!(module_of(name, Language::Rust), module, "{name}");
        }
    }
}
