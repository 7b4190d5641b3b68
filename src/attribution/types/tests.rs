//! Real names, as compilers write them.

use super::called::{Container, name_evidence};
use super::rules::Rules;
use super::spell::{Form, spell};
use crate::attribution::classify::names::Language;
use proptest::prelude::*;

/// Container found from function names, from the allocator outwards; `legacy::path short<args>` has lost its own.
fn held(names: &[&str]) -> String {
    let rules = Rules::new();
    let mut found: Option<Container> = None;
    for name in names {
        let (name, mangled) = name.strip_prefix("v0 ").map_or((*name, "_ZN"), |name| (name, "_R"));
        let (name, file) = name.split_once(" @").unwrap_or((name, ""));
        let language = if name.contains("std::") && !name.contains("alloc::") && !name.contains("collections") || file.ends_with(".h") {
            Language::Cpp
        } else {
            Language::Rust
        };
        let mangled = if file.is_empty() { mangled } else { "" };
        let Some(container) = name_evidence(&rules, language, name, mangled, file).container else { continue };
        found = Some(match found {
            None => container,
            Some(inner) => match container.around(&inner) {
                Some(outer) => outer,
                None => inner,
            },
        });
    }
    found.map_or("unknown".into(), |container| format!("{} = {}", spell(&rules, &container.text, Form::Short), container.text))
}

#[track_caller]
fn check(names: &[&str], expected: &str) {
    let held = held(names);
    let short = held.split(" = ").next().unwrap();
    assert_eq!(if expected.contains(" = ") { held.as_str() } else { short }, expected, "{names:?}");
}

#[test]
fn types_of_rust_containers() {
    // Legacy names with the last part from debug information.
    check(
        &[
            "alloc::raw_vec::RawVecInner<A>::grow_one<alloc::alloc::Global>",
            "alloc::raw_vec::RawVec<T,A>::grow_one<shop::Event, alloc::alloc::Global>",
            "alloc::vec::Vec<T,A>::push<shop::Event, alloc::alloc::Global>",
        ],
        "Vec<Event> = alloc::vec::Vec<shop::Event>",
    );
    check(&["alloc::boxed::Box<T>::new<alloc::sync::ArcInner<shop::TxMeta>>", "alloc::sync::Arc<T>::new<shop::TxMeta>"], "Arc<TxMeta>");
    check(
        &[
            "hashbrown::raw::RawTable<T,A>::reserve<(alloc::string::String, shop::Meta), alloc::alloc::Global, F>",
            "std::collections::hash::map::HashMap<K,V,S,A>::insert<alloc::string::String, shop::Meta, core::hash::BuildHasherDefault<x::H>, alloc::alloc::Global>",
        ],
        "HashMap<String, Meta>",
    );
    check(&["hashbrown::raw::RawTable<T,A>::reserve<(u64, ()), alloc::alloc::Global>"], "HashSet<u64>");
    check(
        &[
            "alloc::boxed::Box<T,A>::new_uninit_in<alloc::collections::btree::node::LeafNode<u64, alloc::vec::Vec<usize, alloc::alloc::Global>>, alloc::alloc::Global>",
            "alloc::collections::btree::map::entry::VacantEntry<K,V,A>::insert_entry<u64, alloc::vec::Vec<usize, alloc::alloc::Global>, alloc::alloc::Global>",
        ],
        "BTreeMap<u64, Vec<usize>>",
    );
    check(
        &[
            "alloc::vec::Vec<T>::with_capacity<shop::Level>",
            "<alloc::vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter<shop::Level, core::iter::adapters::map::Map<R, F>>",
            "core::iter::traits::iterator::Iterator::collect<core::iter::adapters::map::Map<R, F>, alloc::boxed::Box<[shop::Level], alloc::alloc::Global>>",
        ],
        "Box<[Level]>",
    );
    check(&["alloc::vec::from_elem<u8>"], "Vec<u8>");
    check(&["alloc::boxed::Box<T>::new_uninit<[u64; 2]>"], "Vec<u64>");
    // Without debug information the elements are not known.
    check(&["alloc::vec::Vec<T,A>::push"], "Vec<_>");
    check(&["std::collections::hash::map::HashMap<K,V,S>::insert"], "HashMap<_, _>");
    check(&["alloc::raw_vec::finish_grow<alloc::alloc::Global>"], "unknown");
}

#[test]
fn string_buffers_count_as_strings() {
    let bytes = "alloc::vec::Vec<T,A>::with_capacity_in<u8, alloc::alloc::Global>";
    check(&[bytes, "<str as alloc::borrow::ToOwned>::to_owned"], "String");
    check(&[bytes, "<T as alloc::string::ToString>::to_string<str>"], "String");
    check(&["v0 <alloc::vec::Vec<u8>>::reserve", "v0 <alloc::string::String>::push_str", "v0 alloc::fmt::format"], "String");
    check(&["v0 <alloc::vec::Vec<u8>>::shrink_to_fit", "v0 <alloc::string::String>::into_boxed_str"], "Box<str>");
    check(&[bytes, "alloc::str::join_generic_copy<str, u8, alloc::string::String>"], "String");
}

#[test]
fn elements_are_distinguished_from_containers() {
    // The text of a vector's strings is the strings'.
    check(
        &[
            "v0 <alloc::vec::Vec<u8> as core::clone::Clone>::clone",
            "v0 <alloc::string::String as core::clone::Clone>::clone",
            "v0 <alloc::vec::Vec<alloc::string::String> as core::clone::Clone>::clone",
        ],
        "String",
    );
    check(
        &[
            "v0 <alloc::vec::Vec<u64> as core::clone::Clone>::clone",
            "v0 <alloc::vec::Vec<alloc::vec::Vec<u64>> as core::clone::Clone>::clone",
        ],
        "Vec<u64>",
    );
    check(
        &[
            "v0 <alloc::boxed::Box<shop::Node>>::new",
            "v0 <alloc::collections::linked_list::LinkedList<alloc::boxed::Box<shop::Node>> as core::clone::Clone>::clone",
        ],
        "Box<Node>",
    );
}

#[test]
fn names_of_shared_code_give_way() {
    check(
        &[
            "v0 <alloc::collections::vec_deque::VecDeque<std::ffi::os_str::OsString>>::grow",
            "alloc::collections::vec_deque::VecDeque<T,A>::push_back<alloc::string::String, alloc::alloc::Global>",
        ],
        "VecDeque<String>",
    );
}

#[test]
fn v0_names_have_type_arguments() {
    check(&["v0 <alloc::vec::Vec<ledger::peers::Event>>::push"], "Vec<Event>");
    check(&["v0 alloc::vec::from_elem::<u8>"], "Vec<u8>");
    check(&["v0 <alloc::boxed::Box<[u64; 2]>>::new_uninit"], "Vec<u64>");
    check(
        &["v0 <core::iter::adapters::map::Map<R, F> as core::iter::traits::iterator::Iterator>::collect::<alloc::vec::Vec<u16>>"],
        "Vec<u16>",
    );
    check(
        &[
            "v0 <alloc::boxed::Box<tokio::runtime::task::core::Cell<shop::F, shop::S>>>::new",
            "v0 <tokio::runtime::task::core::Cell<shop::F, shop::S>>::new",
        ],
        "Task<F>",
    );
}

#[test]
fn types_of_short_names_come_from_source_files() {
    check(&["push<shop::Event, alloc::alloc::Global> @/rustc/1/library/alloc/src/vec/mod.rs"], "Vec<Event>");
    check(
        &["new<alloc::sync::ArcInner<shop::Meta>> @library/alloc/src/boxed.rs", "new<shop::Meta> @library/alloc/src/sync.rs"],
        "Arc<Meta>",
    );
    check(&["from_iter_in_place<I, T> @library/alloc/src/vec/in_place_collect.rs"], "unknown");
    check(&["emplace_back<(anonymous namespace)::Crumb> @/usr/include/c++/14/bits/stl_vector.h"], "std::vector<…>");
}

#[test]
fn types_of_cpp_containers() {
    const STRING: &str = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    let of = |name: &str| name.replace("STRING", STRING);
    let check = |names: &[&str], expected: &str| {
        let names: Vec<String> = names.iter().map(|name| of(name)).collect();
        check(&names.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    };
    check(
        &["void std::vector<a::Jar<int>, std::allocator<a::Jar<int> > >::_M_realloc_insert<a::Jar<int> >(int)"],
        "std::vector<Jar<int>> = std::vector<a::Jar<int>>",
    );
    check(&["void STRING::_M_construct<char*>(char*, char*, std::forward_iterator_tag)"], "std::string");
    check(
        &["STRING::_M_append(char const*, unsigned long)", "std::vector<STRING, std::allocator<STRING > >::push_back(STRING&&)"],
        "std::string",
    );
    check(
        &[
            "std::_Rb_tree<STRING, std::pair<STRING const, std::shared_ptr<a::R> >, std::_Select1st<std::pair<STRING const, std::shared_ptr<a::R> > >, std::less<STRING >, std::allocator<int> >::_M_get_node()",
            "std::map<STRING, std::shared_ptr<a::R>, std::less<STRING >, std::allocator<int> >::emplace<int>(int)",
        ],
        "std::map<std::string, std::shared_ptr<R>>",
    );
    check(&["std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>, std::allocator<int> >::_M_get_node()"], "std::set<int>");
    check(
        &[
            "std::_Hashtable<int, std::pair<int const, a::V>, A, std::__detail::_Select1st, E>::_M_insert(int)",
            "std::unordered_map<int, a::V>::operator[](int)",
        ],
        "std::unordered_map<int, V>",
    );
    check(
        &["std::shared_ptr<std::enable_if<!std::is_array<a::F<64ul> >::value, a::F<64ul> >::type> std::make_shared<a::F<64ul>, int>(int)"],
        "std::shared_ptr<F<64>>",
    );
    check(&["std::__detail::_MakeUniq<a::T>::__single_object std::make_unique<a::T, int>(int&&)"], "std::unique_ptr<T>");
    check(&["std::__1::__tree<std::__1::__value_type<int, a::V>, C, A>::__construct_node(int)"], "std::map<int, V>");
    check(&["std::vector::push_back"], "std::vector<…>");
    check(&["operator new(unsigned long)"], "unknown");
}

#[test]
fn types_are_formatted_as_in_source_code() {
    let rules = Rules::new();
    let short = |text: &str| spell(&rules, text, Form::Short);
    for (text, expected) in [
        (
            "alloc::boxed::Box<(dyn core::ops::function::Fn<(&a::Block), Output=u64> + core::marker::Send), alloc::alloc::Global>",
            "Box<dyn Fn(&Block) -> u64 + Send>",
        ),
        ("dyn core::ops::function::FnOnce<(), Output = ()> + core::marker::Send", "dyn FnOnce() + Send"),
        ("a::events::{impl#0}::subscribe::{closure_env#1}<a::B>", "{closure#1 in subscribe}"),
        ("a::peers::import::{async_fn_env#0}", "{async fn in import}"),
        ("<a::Bus>::subscribe::{closure#0}", "{closure in subscribe}"),
        ("core::pin::Pin<alloc::boxed::Box<dyn a::Future<Output = ()>>>", "Pin<Box<dyn Future<Output = ()>>>"),
        ("(a::B, &'static [c::D; 3])", "(B, &'static [D; 3])"),
        ("std::pair<int const, std::unique_ptr<a::T, std::default_delete<a::T> > >", "std::pair<int const, std::unique_ptr<T>>"),
        ("fn(a::B) -> c::D", "fn(B) -> D"),
        ("", ""),
    ] {
        assert_eq!(short(text), expected, "{text}");
    }
    // However long and deep: something comes back, and soon.
    let deep = format!("{}u8{}", "alloc::vec::Vec<".repeat(3000), ">".repeat(3000));
    assert!(short(&deep).contains('…') && spell(&rules, &deep, Form::Full).len() < 2100);
}

proptest! {
    #[test]
    fn any_name_is_handled(parts in prop::collection::vec(prop::sample::select(PIECES), 0..24), file in prop::sample::select(PIECES)) {
        let rules = Rules::new();
        let name = parts.concat();
        spell(&rules, &name, Form::Short);
        spell(&rules, &name, Form::Full);
        for (language, mangled) in [(Language::Rust, "_R"), (Language::Rust, "_ZN"), (Language::Cpp, "_Z"), (Language::Cpp, "")] {
            name_evidence(&rules, language, &name, mangled, file);
        }
    }
}

/// Pieces of valid and invalid names.
const PIECES: &[&str] = &[
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "::",
    ",",
    " ",
    "&",
    "*",
    "; ",
    " as ",
    " for ",
    "<impl ",
    "dyn ",
    "->",
    "é",
    "ü∂",
    "T",
    "_",
    "a",
    "u8",
    "alloc::vec::Vec",
    "alloc::boxed::Box",
    "std::_Rb_tree",
    "std::basic_string",
    "hashbrown::raw::RawTable",
    "operator",
    "operator<",
    "collect",
    "core::iter::traits::iterator::Iterator",
    "{closure#0}",
    "Fn",
    "Output=",
    "'a ",
    "alloc/src/boxed.rs",
    "new_uninit",
    "std::__1::",
    "#",
    "\0",
];
