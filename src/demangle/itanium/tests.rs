//! Symbols of our own, of compilers, and invalid ones.

use proptest::prelude::*;

use super::Demangle;

fn demangle(symbol: &str, mode: Demangle) -> Option<String> {
    super::demangle(symbol, mode, &mut { u64::MAX })
}

#[track_caller]
fn check(mode: Demangle, cases: &[(&str, &str)]) {
    for (symbol, name) in cases {
        assert_eq!(demangle(symbol, mode).as_deref(), Some(*name), "{symbol}");
    }
}

#[test]
fn arguments_and_parameters_go() {
    check(
        Demangle::Default,
        &[
            ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector::push_back"),
            ("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector::size"),
            ("_ZN12_GLOBAL__N_15auditEm", "(anonymous namespace)::audit"),
            ("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()"),
            ("_ZZN3foo3barEiPKcENKUlvE_clEv", "foo::bar()::{lambda()#1}::operator()"),
            ("_ZN5shelf5labelB5cxx11Em", "shelf::label[abi:cxx11]"),
            ("_ZlsIiERSoS0_RK3BoxIT_E", "operator<<"),
            ("_ZN3BoxIiEltERKS0_", "Box::operator<"),
            ("_ZN3BoxIiEptEv", "Box::operator->"),
            ("_ZNK3BoxIiEcviEv", "Box::operator int"),
            ("_ZN3foo3barEv.cold", "foo::bar"),
            ("_ZN3foo3barEv.isra.0.part.1", "foo::bar"),
            ("_ZNSsC1EPKcRKSaIcE", "std::basic_string::basic_string"),
            ("_ZNSs6appendEPKc", "std::string::append"),
            ("_ZNSi3getEv", "std::istream::get"),
            ("_ZNKR3foo3barEv", "foo::bar"),
            ("_ZThn16_N3foo3barEi", "non-virtual thunk to foo::bar(int)"),
            // Return types of functions are not encoded.
            ("_ZSt11make_sharedIiJRmEESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueES3_E4typeEEDpOT0_", "std::make_shared"),
        ],
    );
}

#[test]
fn template_arguments_stay_on_request() {
    check(
        Demangle::Templates,
        &[
            ("_ZN3FixILm64ELj2EE3putIiEEbRKT_", "Fix<64ul, 2u>::put<int>"),
            ("_ZZN3foo3barEiPKcENKUlvE_clEv", "foo::bar()::{lambda()#1}::operator()"),
            ("_ZNSsC1EPKcRKSaIcE", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string"),
        ],
    );
}

#[test]
fn functions_have_parameters_and_return_types() {
    check(
        Demangle::Full,
        &[
            ("_ZN3FixILm64ELj2EE3putIiEEbRKT_", "bool Fix<64ul, 2u>::put<int>(int const&)"),
            ("_ZN3foo3barEi.cold", "foo::bar(int)"),
            ("_ZNKR3foo3barEz", "foo::bar(...) const &"),
            // A constructor of a template returns nothing.
            (
                "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2IS3_vEEmcRKS3_",
                "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string<std::allocator<char>, void>\
                 (unsigned long, char, std::allocator<char> const&)",
            ),
            ("_ZN4BaseCI24RootIiEET_i", "Base::Base(int, int)"),
            ("_ZN3BoxIiED0Ev", "Box<int>::~Box()"),
            ("_Z4firePFPFicEdE", "fire(int (*(*)(double))(char))"),
            ("_Z4gridRA2_A3_KiPA4_c", "grid(int const (&) [2][3], char (*) [4])"),
            ("_Z4callM5ShelfKFivREMS_i", "call(int (Shelf::*)() const &, int Shelf::*)"),
            ("_Z4quitPDoFvvE", "quit(void (*)() noexcept)"),
            ("_Z4quitILb1EEvPDOT_EFvvE", "void quit<true>(void (*)() noexcept(true))"),
            ("_Z4partCfDv4_fDnDsg", "part(float _Complex, float __vector(4), decltype(nullptr), char16_t, __float128)"),
            ("_Z6vendorPU3AS1iU4nearPc", "vendor(int AS1*, char* near)"),
        ],
    );
}

#[test]
fn parameters_are_those_of_the_template_at_hand() {
    check(
        Demangle::Full,
        &[
            // One reference in two templates.
            ("_Z3oneIiEvT_P3boxIS0_E", "void one<int>(int, box<int>*)"),
            ("_ZN5stack4pushIcEEvRKT_OS1_", "void stack::push<char>(char const&, char&&)"),
            ("_ZZN5outerIiE3runIcEEvT_EN5inner2goIdEEvS2_", "void outer<int>::run<char>(char)::inner::go<double>(double)"),
            // A conversion's type may name arguments that come later.
            ("_ZN3anycvT_IiEEv", "any::operator int<int>()"),
            ("_ZN3anycvPT_IcEEv", "any::operator char*<char>()"),
            ("_ZNK4JsoncvSt6vectorIT_SaIS1_EEIiEEv", "Json::operator std::vector<int, std::allocator<int> ><int>() const"),
            // References collapse, qualifiers merge.
            ("_Z4keepIRiEvOT_", "void keep<int&>(int&)"),
            ("_Z4keepIKiEvRKT_", "void keep<int const>(int const&)"),
            ("_Z4keepIA3_iEvRKT_", "void keep<int [3]>(int const (&) [3])"),
            ("_Z4keepIFivEEvRT_", "void keep<int ()>(int (&)())"),
        ],
    );
}

#[test]
fn packs_expand() {
    check(
        Demangle::Full,
        &[
            ("_Z3allIJicEEvDpOT_", "void all<int, char>(int&&, char&&)"),
            ("_Z3allIJEEvDpT_", "void all<>()"),
            // pprof keeps the second pack whole.
            ("_Z3zipIJicEJldEEvDp4pairIT_T0_E", "void zip<int, char, long, double>(pair<int, long>, pair<char, double>)"),
            ("_Z5countIJicdEE4sizeIXsZT_EEDpT_", "size<3> count<int, char, double>(int, char, double)"),
            ("_Z3sumIJilEEDTfrplfp_EDpT_", "decltype (({parm#1}+...)) sum<int, long>(int, long)"),
            ("_Z3sumIJilEEDTfLplLi0Efp_EDpT_", "decltype (((0)+...+{parm#1})) sum<int, long>(int, long)"),
            ("_Z3sumIJilEEDTflmifp_EDpT_", "decltype ((...-{parm#1})) sum<int, long>(int, long)"),
        ],
    );
}

#[test]
fn expressions_are_demangled() {
    check(
        Demangle::Full,
        &[
            ("_Z3bigI1XEDTgtstT_Li4EES1_", "decltype (((sizeof (X))>(4))) big<X>(X)"),
            ("_Z3getI1XEDTptcldtfp_5beginE1xET_", "decltype ((({parm#1}.begin)())->x) get<X>(X)"),
            ("_Z3valILin3ELb1ELc65ELx7ELy8EEvv", "void val<-3, true, (char)65, 7ll, 8ull>()"),
            ("_Z3valIL4Suit2ELDn0ELf3fc00000EEvv", "void val<(Suit)2, decltype(nullptr), (float)[3fc00000]>()"),
            ("_Z3ptrIXadL_Z4globEEEvv", "void ptr<&glob>()"),
            ("_Z3ptrIXadL_Z4workiEEEvv", "void ptr<&work>()"),
            ("_Z3strIXtl4TexttlA4_cLc104ELc34ELc10ELc7EEEEEvv", "void str<Text{\"h\\\"\\n\\a\"}>()"),
            ("_Z3useI1XEDTcvT_cl7declvalIRS0_EEES1_", "decltype ((X)((declval<X&>)())) use<X>(X)"),
            ("_Z3useI1XEDTnw_T_piLi1EEES1_", "decltype (new X(1)) use<X>(X)"),
            ("_Z3useI1XEDTquLb1ELi1ELi2EET_", "decltype ((true)?(1) : (2)) use<X>(X)"),
            ("_Z3useI1XEDTsrT_5valueES1_", "decltype (X::value) use<X>(X)"),
            ("_Z3useI1XEDTscS0_ppfp_ET_", "decltype (static_cast<X>({parm#1}++)) use<X>(X)"),
        ],
    );
}

#[test]
fn lambdas_and_unnamed_types_have_numbers() {
    check(
        Demangle::Full,
        &[
            ("_ZZ4mainENKUlT_E_clIiEEDaS_", "auto main::{lambda(auto:1)#1}::operator()<int>(int) const"),
            ("_ZZ4mainENKUlDpT_E0_clIJicEEEDaS0_", "auto main::{lambda((auto:1)...)#2}::operator()<int, char>(int, char) const"),
            ("_ZZ4mainENKUlTyT_E_clIiEEDaS_", "auto main::{lambda<typename $T0>($T0)#1}::operator()<int>(int) const"),
            ("_ZN4AnonUt_1fEv", "Anon::{unnamed type#1}::f()"),
            ("_ZZ3defiEd0_NKUlvE_clEv", "def(int)::{default arg#2}::{lambda()#1}::operator()() const"),
            ("_ZZ3oneiE3two_0", "one(int)::two"),
            ("_ZZ3oneiEs", "one(int)::string literal"),
            ("_ZDC1a1bE", "[a, b]"),
        ],
    );
}

#[test]
fn constraints_are_kept() {
    check(
        Demangle::Full,
        &[
            ("_Z3dblI1XEvT_Q8integralIT_E", "void dbl<X>(X) requires integral<T>"),
            ("_Z3dblITk3NumiEvT_", "void dbl<int>(int)"),
            (
                "_Z3dblIiEvT_QrQT__Xplfp_Li1ENR3NumTNT_4typeEQ2okE",
                "void dbl<int>(int) requires requires (T) { {{parm#1}+(1)} noexcept -> Num; typename T::type; requires ok; }",
            ),
        ],
    );
}

#[test]
fn special_names_have_descriptions() {
    check(
        Demangle::Full,
        &[
            ("_ZTV5Shelf", "vtable for Shelf"),
            ("_ZTT5Shelf", "VTT for Shelf"),
            ("_ZTI5Shelf", "typeinfo for Shelf"),
            ("_ZTSPFivE", "typeinfo name for int (*)()"),
            ("_ZTC1D8_1B", "construction vtable for B-in-D"),
            ("_ZTv0_n24_N1B1fEv", "virtual thunk to B::f()"),
            ("_ZTch8_v0_n32_N1B1fEv", "covariant return thunk to B::f()"),
            ("_ZGVZ3onevE3two", "guard variable for one()::two"),
            ("_ZGRN1N1rE_", "reference temporary for N::r"),
            ("_ZGR1r0_", "reference temporary for r"),
            ("_ZTW3tls", "TLS wrapper function for tls"),
            ("_ZTH3tls", "TLS init function for tls"),
            ("_ZGTt3fooi", "transaction clone for foo(int)"),
            ("_ZGIW3foo", "initializer for module foo"),
            ("_ZW3fooWP3bar3runv", "run@foo:bar()"),
            ("_GLOBAL__I__Z3foov", "global constructors keyed to foo()"),
            ("_GLOBAL__D_a.c", "global destructors keyed to _D_a.c"),
            ("___Z3foov_block_invoke_2", "invocation function for block in foo()"),
        ],
    );
}

#[test]
fn other_texts_are_not_demangled() {
    for symbol in
        ["main", "_Z", "_ZN", "_ZTh", "_ZTc", "_ZGT", "_ZGTt", "___Z", "___Z3foov_block", "_GLOBAL_", "_GLOBAL__X_a", "_ZTv0_n24_"]
    {
        assert_eq!(demangle(symbol, Demangle::Full), None, "{symbol}");
    }
    for symbol in ["_ZN3f\u{e4}oE", "_Z3foT_", "_Z3fooS5_", "_Z99foo", "_ZN1AC1", "_Z1fIT_E", "_Zcv", "_ZcvT_", "_Z1fIiEvT0_"] {
        assert_eq!(demangle(symbol, Demangle::Full), None, "{symbol}");
    }
}

/// Parts that open another part inside of them.
const OPENING: [&str; 15] = ["P", "A_", "M1A", "N1aI", "1aI", "DpP", "FP", "DTad", "X", "LZ", "Z1fE", "cvP", "Ul", "J", "U1a"];

#[test]
fn depth_without_end_has_no_name() {
    for part in OPENING {
        for start in ["_Z1fI", "_Z1fA", "_ZN1aI", "_Z1fIXcl", "_ZZ1fI", "_ZTI1aI"] {
            assert!(demangle(&format!("{start}{}", part.repeat(100_000)), Demangle::Full).is_none(), "{start}{part}");
        }
    }
    // Each type is a pointer to the one before, which costs no depth in the symbol.
    let mut chain = String::from("_Z1fPi");
    for n in 0..5000u32 {
        chain.push_str(&format!("P{}", sub(n)));
    }
    assert_eq!(demangle(&chain, Demangle::Full), None);
    assert_eq!(demangle(&format!("_ZN{}E", "1a".repeat(100_000)), Demangle::Default), None);
}

#[test]
fn depth_of_real_programs_is_read() {
    let deep = format!("_Z1fIiEv{}T_{}", "1aI".repeat(150), "E".repeat(150));
    assert_eq!(demangle(&deep, Demangle::Full).map(|name| name.matches("a<").count()), Some(150));
    // Each type is a pointer to the one before, which costs no depth in the symbol.
    for (depth, is_read) in [(400, true), (600, false)] {
        let chain: String = (0..depth).map(|n| format!("P{}", sub(n + 2))).collect();
        assert_eq!(demangle(&format!("_Z1fIiEvPT_{chain}"), Demangle::Full).is_some(), is_read);
    }
}

#[test]
fn length_without_end_has_no_name() {
    // Each type is a pair of the one before; of a template's parameters, then of known types.
    for start in ["_Z1fI1pIicEEv1qIT_S3_E", "_Z1f1qIicE"] {
        let mut bomb = String::from(start);
        let (pair, last) = if start.ends_with("S3_E") { (3, 5) } else { (0, 1) };
        for n in last..last + 60 {
            bomb.push_str(&format!("{0}I{1}{1}E", sub(pair), sub(n)));
        }
        assert!(demangle(&bomb, Demangle::Full).is_none(), "{start}");
        assert_eq!(demangle(&bomb, Demangle::Default).as_deref(), Some("f"));
    }
}

/// The nth reference.
fn sub(n: u32) -> String {
    let digit = |digit| char::from_digit(digit, 36).unwrap().to_ascii_uppercase();
    match n.checked_sub(1) {
        None => "S_".to_string(),
        Some(mut n) => {
            let mut digits = vec![digit(n % 36)];
            while n >= 36 {
                n /= 36;
                digits.push(digit(n % 36));
            }
            format!("S{}_", digits.iter().rev().collect::<String>())
        }
    }
}

/// Parts of the grammar, good and bad ones.
fn part() -> impl Strategy<Value = String> {
    let words = "S_ S0_ S1_ T_ T0_ TL0__ Dp DT sp sZ sP fp_ fL0p_ cl cv Ul UlvE_ Ut_ Li1E LDnE B1x C1 CI1 D0 Do DO Dv4_ DF16_ Da Dk Ty Tk Tn Tt \
                 Tp Q rq rQ on dn sr srN gs nw pi il tl di dx dX fl fR so mc u1f W1m WP1p E_ Ed_ Es 1a 3foo St Sa Ss I E J X LZ L_Z cp dt st H F M \
                 DC1aE Ua9enable_ifI i c v P R O K N A_ Z U _ 0 n \u{e4}";
    let words: Vec<&'static str> = words.split_whitespace().collect();
    // Names that the parser looks into, with multi-byte characters at each position.
    let special = prop::sample::select(vec!["_GLOBAL_", "_GLOBAL__", "_GLOBAL__N", "_GLOBAL_.N", "operator", "_block_invoke"]);
    let special = (special, "[Né\u{4e00}\u{1f600}_.$1]{0,4}").prop_map(|(start, end)| format!("{}{start}{end}", start.len() + end.len()));
    prop_oneof![8 => prop::sample::select(words).prop_map(str::to_owned), 1 => special, 1 => "\\PC{1,3}"]
}

fn symbol() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec!["_Z", "_ZN", "_Z1f", "_Z1fI", "_Z1fIiEv", "_ZZ1fvEN", "_ZTV", "_ZTh0_", "___Z", "_GLOBAL__I__Z"]);
    (start, prop::collection::vec(part(), 0..40)).prop_map(|(start, parts)| format!("{start}{}", parts.concat()))
}

/// A symbol of g++ with a part put in or taken out.
fn broken() -> impl Strategy<Value = String> {
    let symbols = prop::sample::select(vec![
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2IS3_vEEmcRKS3_",
        "_ZSt11make_sharedIiJRmEESt10shared_ptrINSt9enable_ifIXntsrSt8is_arrayIT_E5valueES3_E4typeEEDpOT0_",
        "_ZNKSt8functionIFvRKN4shop4ItemEEEclES3_",
        "_ZZZN3app3runERKSt6vectorIiSaIiEEENKUlT_E_clIiEEDaS4_ENKUlvE0_clEv",
        "_ZNSt5tupleIJPiSt14default_deleteIA_iEEEC1ILb1ELb1EEEv",
        "_Z3dblIiEvT_QrQT__Xplfp_Li1ENR3NumTNT_4typeEQ2okE",
        "_ZNK4JsoncvSt6vectorIT_SaIS1_EEIiEEv",
    ]);
    (symbols, any::<prop::sample::Index>(), 0..4usize, part()).prop_map(|(symbol, at, gone, part)| {
        let at = at.index(symbol.len());
        format!("{}{part}{}", &symbol[..at], &symbol[(at + gone).min(symbol.len())..])
    })
}

proptest! {
    #[test]
    fn anything_may_come(symbol in prop_oneof![symbol(), broken(), "_Z\\PC*"]) {
        for mode in [Demangle::Default, Demangle::Templates, Demangle::Full] {
            let _ = demangle(&symbol, mode);
        }
    }

    /// With less to print there is never less that can be printed.
    #[test]
    fn full_and_short_names_exist_together(symbol in prop_oneof![symbol(), broken()]) {
        if demangle(&symbol, Demangle::Full).is_some() {
            prop_assert!(demangle(&symbol, Demangle::Templates).is_some());
            prop_assert!(demangle(&symbol, Demangle::Default).is_some());
        }
    }
}
