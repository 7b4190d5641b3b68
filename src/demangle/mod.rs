//! Demangling, like pprof's.
//!
//! pprof demangles with `github.com/ianlancetaylor/demangle` and groups by the result: names must be identical, or one function
//! is two in the two tools. Complete names come from [`full_name`].

mod budget;
mod itanium;
mod legacy;
mod level;
mod names;
mod punycode;
mod v0;

use std::sync::Arc;

use crate::base::hash::HashMap;

pub use budget::Budget;
pub use level::Demangle;
pub use names::loses_generics;

use names::{demangle, full_name_within, name_within};

/// Returns the name with generic and template arguments and parameters. A name without its generic arguments may be followed by a
/// blank and the short name, which has them. Names that are not mangled are returned unchanged.
pub fn full_name(system_name: &str) -> String {
    full_name_within(system_name, &mut { budget::ONE_NAME })
}

/// A mangled display name; `None` when it is not mangled.
pub fn demangled(system_name: &str, mode: Demangle) -> Option<String> {
    demangle(system_name, mode, &mut { budget::ONE_NAME })
}

/// Demangles many names; each only once, and all within one [`Budget`].
#[derive(Debug)]
pub struct Demangler {
    mode: Demangle,
    known: HashMap<Arc<str>, Arc<str>>,
    budget: Budget,
}

impl Demangler {
    pub fn new(mode: Demangle) -> Self {
        Demangler { mode, known: HashMap::default(), budget: Budget::default() }
    }

    /// The display name.
    pub fn name(&mut self, system_name: &Arc<str>) -> Arc<str> {
        if self.mode == Demangle::None || system_name.is_empty() {
            return system_name.clone();
        }
        let Demangler { mode, known, budget } = self;
        known.entry(system_name.clone()).or_insert_with(|| budget.name(system_name, *mode).into()).clone()
    }

    /// A warning, if names stayed mangled because they were too much work.
    pub fn warning(&self) -> Option<String> {
        self.budget.warning()
    }
}

/// The demangled name in this mode.
pub fn name_of(system_name: &str, mode: Demangle) -> String {
    name_within(system_name, mode, &mut { budget::ONE_NAME })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Demangle, demangled, full_name, name_of};

    /// Beginnings, parts and ends of names, with characters of one to four bytes between them.
    fn name() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "_Z",
            "___Z",
            "__Z",
            "_R",
            "_GLOBAL_",
            "_GLOBAL__I_",
            "_ZN",
            "11_GLOBAL__",
            "1",
            "2",
            "3",
            "17h0123456789abcdef",
            "E",
            "E.",
            "$",
            "$LT$",
            "$u7b$",
            "..",
            "_$",
            ".llvm.",
            "_block_invoke",
            "operator",
            "<",
            ">",
            "(",
            ")",
            "[",
            "]",
            "::",
            " as ",
            "C",
            "Nv",
            "Cs_",
            "u3",
            "B_",
            "I",
            "_",
            " ",
            "é",
            "\u{4e00}",
            "\u{1f600}",
            "a",
            "N",
            "v",
        ]);
        prop::collection::vec(prop_oneof![9 => part.prop_map(str::to_owned), 1 => "\\PC"], 0..16).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn any_name_may_come(name in name()) {
            for mode in [Demangle::Default, Demangle::None, Demangle::Templates, Demangle::Full] {
                let _ = (name_of(&name, mode), demangled(&name, mode));
            }
            let _ = full_name(&name);
        }
    }

    #[test]
    fn names_may_have_characters_of_several_bytes() {
        for (name, short) in [
            ("_Z11_GLOBAL__év", "_GLOBAL__é"),
            ("_Z12_GLOBAL_.Né", "(anonymous namespace)"),
            ("_Z10_GLOBAL_é", "_GLOBAL_é"),
            ("_ZN12_GLOBAL__N_1é", "_ZN12_GLOBAL__N_1é"),
            ("_Z2é", "é"),
            ("_Z1é", "_Z1é"),
            ("_ZN3é17h0123456789abcdefE", "_ZN3é17h0123456789abcdefE"),
            ("_RNvC1aé", "_RNvC1aé"),
        ] {
            assert_eq!(name_of(name, Demangle::Default), short, "{name}");
        }
    }

    #[test]
    fn names_demangled_before_are_shortened() {
        for (name, short) in [
            ("from_elem<u64, alloc::alloc::Global>", "from_elem"),
            // The arrow closes a bracket for pprof.
            ("{closure#0}<fn(u8) -> u8>", "{closure#0} u8>"),
            ("std::vector<int>::push_back(int const&)", "std::vector::push_back"),
            ("main.(*Pool[...]).Get", "main.(*Pool[...]).Get"),
            ("java.util.Map.<init>", "java.util.Map.<init>"),
            ("a::b>(c", "a::b>(c"),
            ("malloc", "malloc"),
            ("__ZN3foo3barEi", "foo::bar"),
            // Objective-C, Swift, D and Visual C++.
            ("-[NSString(Shop) item:at:]", "-[NSString(Shop) item:at:]"),
            ("__21+[Shop(Items) restock]_block_invoke", "__21+[Shop(Items) restock]_block_invoke"),
            ("$s4shop4ItemV5priceSivg", "$s4shop4ItemV5priceSivg"),
            ("_$s4shop4ItemV5priceSivg", "_$s4shop4ItemV5priceSivg"),
            ("_T04shop4ItemV5priceSivg", "_T04shop4ItemV5priceSivg"),
            ("_D4shop4Item5priceMFZi", "_D4shop4Item5priceMFZi"),
            ("?price@Item@@QAEHXZ", "?price@Item@@QAEHXZ"),
            ("", ""),
        ] {
            assert_eq!(name_of(name, Demangle::Default), short, "{name}");
        }
    }

    #[test]
    fn lost_generic_arguments_come_from_the_short_name() {
        let string = "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE";
        for (system_name, short, full) in [
            (
                "_ZN5alloc7raw_vec11finish_grow17h0123456789abcdefE",
                "finish_grow<alloc::alloc::Global>",
                "alloc::raw_vec::finish_grow<alloc::alloc::Global>",
            ),
            ("_ZN4shop5serve28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "{closure#2}<u8>", "shop::serve::{closure#2}<u8>"),
            // The path has them already, or the names belong to two functions.
            (string, "drop_in_place<alloc::string::String>", "core::ptr::drop_in_place<alloc::string::String>"),
            ("_ZN4shop5serve17h0123456789abcdefE", "other<u8>", "shop::serve"),
            ("_ZN4shop5serve17h0123456789abcdefE", "", "shop::serve"),
        ] {
            assert_eq!(full_name(&format!("{system_name} {short}")), full, "{system_name}");
        }
    }

    #[test]
    fn full_names_have_everything() {
        assert_eq!(full_name("_RNvMNtCsj6gjteTz5uu_1b5innerINtB2_4WrapcKj3_E4growB4_"), "<b::inner::Wrap<char, 3>>::grow");
        assert_eq!(full_name("_ZNSt6vectorIiSaIiEE9push_backEOi"), "std::vector<int, std::allocator<int> >::push_back(int&&)");
        assert_eq!(full_name("_ZN6ledger4main17hc52f0000ee1c066aE"), "ledger::main");
        assert_eq!(full_name("main"), "main");
    }
}
