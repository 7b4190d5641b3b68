//! Evidence in function names: language, and crate, namespace or Go package.
//!
//! Names are demangled, with or without generic arguments and parameters.

/// Language of a function, as far as classification needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Cpp,
    Go,
    /// Or anything else that has plain names.
    C,
}

/// Names are looked at no further than this, bytes.
const MOST: usize = 2000;

/// The crates that come with rustc.
pub(super) const STD_CRATES: [&str; 12] = [
    "std",
    "core",
    "alloc",
    "proc_macro",
    "test",
    "compiler_builtins",
    "std_detect",
    "panic_unwind",
    "panic_abort",
    "unwind",
    "rustc_std_workspace_core",
    "__rustc",
];

/// Modules of Rust's `std` that do not exist in C++ under this name.
const RUST_MODULES: [&str; 21] = [
    "rt",
    "sys",
    "io",
    "fs",
    "net",
    "panicking",
    "panic",
    "collections",
    "alloc",
    "backtrace",
    "env",
    "process",
    "path",
    "ffi",
    "time",
    "sync",
    "os",
    "hash",
    "thread_local",
    "backtrace_rs",
    "sys_common",
];

/// Ends that compilers give to parts and copies of functions.
const COPIES: [&str; 9] = ["cold", "part", "constprop", "isra", "llvm", "lto_priv", "localalias", "resolver", "clone"];

/// The language of a function, by its name in the binary, its source file, or its looks.
pub(crate) fn language(name: &str, system_name: &str, file: &str) -> Language {
    if system_name.starts_with("_R") || is_legacy_rust(system_name) {
        return Language::Rust;
    }
    if system_name.starts_with("_Z") {
        return Language::Cpp;
    }
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs") => return Language::Rust,
        Some("go") => return Language::Go,
        // Go has assembly of its own.
        Some("S" | "s") if go_package(name).is_empty() => return Language::C,
        Some("S" | "s") => return Language::Go,
        Some("c" | "y") => return Language::C,
        Some("cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "tcc" | "mm") => return Language::Cpp,
        _ => {}
    }
    let name = capped(name);
    if name.contains("::") {
        let first = crate_of(name);
        let rusty =
            ["{closure", "{{closure", "<impl ", " as ", "{impl#", "{async"].iter().any(|mark| name.contains(mark)) || name.starts_with('<');
        let is_rust_std = first == "std" && !name.contains("std::__") && RUST_MODULES.contains(&second(name));
        let std_crate = first != "std" && first != "test" && STD_CRATES.contains(&first);
        return if rusty || is_rust_std || std_crate { Language::Rust } else { Language::Cpp };
    }
    if !go_package(name).is_empty() { Language::Go } else { Language::C }
}

/// The second part of a path.
fn second(name: &str) -> &str {
    name.split("::").nth(1).unwrap_or_default()
}

/// Bytes at the end of a name that are looked through for the hash: some compilers put a suffix behind it.
const TAIL: usize = 256;

/// `_ZN…17h<16 hexadecimal digits>E`.
fn is_legacy_rust(name: &str) -> bool {
    if !name.starts_with("_ZN") && !name.starts_with("__ZN") {
        return false;
    }
    let tail = &name.as_bytes()[name.len().saturating_sub(TAIL)..];
    let Some(at) = tail.windows(3).rposition(|part| part == b"17h") else { return false };
    let rest = &tail[at + 3..];
    rest.len() > 16 && rest[..16].iter().all(u8::is_ascii_hexdigit) && rest[16] == b'E'
}

/// The beginning of a name that may be of any length.
fn capped(name: &str) -> &str {
    let mut end = name.len().min(MOST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// Crate of a Rust function; empty if its name has none. Of `<a::B as c::D>::e` it is
/// the type's; types of the standard library and such without a crate (`u32`, `T`) give way to the trait's.
pub(crate) fn crate_of(name: &str) -> &str {
    let name = capped(name);
    let mut name = name.strip_prefix('_').filter(|rest| rest.starts_with('<')).unwrap_or(name);
    // `<<a::B as c::D>::e::F as g::H>::i`: the type decides, however deep it stands.
    let mut other = "";
    for _ in 0..8 {
        let Some((of, with)) = split_impl(name) else {
            let own = first_part(name);
            return if own.is_empty() || STD_CRATES.contains(&own) && !other.is_empty() { other } else { own };
        };
        let of_trait = with.map_or("", first_crate);
        // What calls a closure is the library's, whoever wrote the closure.
        let only_calls = with.is_some_and(|with| with.starts_with("core::ops::function::"));
        if is_builtin(of) || only_calls {
            // Only `core` and the trait's crate can give slices, pointers and tuples functions.
            return if of_trait.is_empty() && with.is_some() { other } else { or_core(of_trait) };
        }
        let is_weak = |c: &str| c.is_empty() || STD_CRATES.contains(&c);
        if is_weak(other) && !of_trait.is_empty() {
            other = of_trait;
        }
        name = bare(of);
    }
    other
}

/// Whether a type is none that a crate could own: a slice, an array, a tuple, a pointer, a number.
fn is_builtin(of: &str) -> bool {
    const PLAIN: [&str; 17] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "bool", "char", "str"];
    of.starts_with(['[', '(', '*']) || PLAIN.contains(&of)
}

fn or_core(name: &str) -> &str {
    if name.is_empty() { "core" } else { name }
}

/// Whether a function may be one that a trait of Rust's library has for all types: `<a::B as core::cmp::PartialOrd>::lt`.
pub(super) fn may_be_provided(name: &str) -> bool {
    // These every type has to write for itself.
    const REQUIRED: [&str; 12] = [
        "::drop",
        "::poll",
        "::clone",
        "::fmt",
        "::next",
        "::default",
        "::hash",
        "::eq",
        "::cmp",
        "::partial_cmp",
        "::from",
        "::from_iter",
    ];
    if REQUIRED.iter().any(|function| name.ends_with(function)) {
        return false;
    }
    split_impl(capped(name)).and_then(|(_, with)| with).is_some_and(|with| STD_CRATES.contains(&first_crate(with)))
}

/// The crate of a trait or of a type inside brackets.
fn first_crate(text: &str) -> &str {
    let text = bare(text);
    match split_impl(text) {
        Some((of, _)) if is_builtin(of) => "core",
        Some((of, _)) => first_part(bare(of)),
        None => first_part(text),
    }
}

/// `a` of `a::b`; empty when there is no path.
fn first_part(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if end > 0 && text[end..].starts_with("::") { &text[..end] } else { "" }
}

/// A type without what precedes its name: references, pointers, `dyn`, lifetimes, brackets of
/// slices and tuples.
fn bare(mut text: &str) -> &str {
    const WORDS: [&str; 6] = ["mut ", "const ", "dyn ", "impl ", "unsafe ", "extern "];
    loop {
        let before = text.len();
        text = text.trim_start_matches(['&', '*', '(', '[', ' ']);
        for word in WORDS {
            text = text.strip_prefix(word).unwrap_or(text);
        }
        if let Some((life, rest)) = text.strip_prefix('\'').and_then(|rest| rest.split_once(' ')) {
            text = if life.len() < 32 { rest } else { text };
        }
        if let Some(rest) = text.strip_prefix("for<").and_then(|rest| rest.split_once("> ")) {
            text = rest.1;
        }
        if text.len() == before {
            return text;
        }
    }
}

/// `<A as B>…` → A and B, `<A>…` → A.
fn split_impl(text: &str) -> Option<(&str, Option<&str>)> {
    let inside = text.strip_prefix('<')?;
    let bytes = inside.as_bytes();
    let (mut depth, mut at_as) = (0usize, None);
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if i > 0 && bytes[i - 1] == b'-' => {}
            b'>' if depth == 0 => return Some(cut(inside, i, at_as)),
            b'>' | b')' | b']' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 && at_as.is_none() && inside[i..].starts_with(" as ") => at_as = Some(i),
            _ => {}
        }
    }
    // Cut off: what is there says enough.
    Some(cut(inside, inside.len(), at_as))
}

fn cut(inside: &str, end: usize, at_as: Option<usize>) -> (&str, Option<&str>) {
    match at_as {
        Some(at) => (&inside[..at], Some(&inside[at + " as ".len()..end])),
        None => (&inside[..end], None),
    }
}

/// The outermost C++ namespace; empty if there is none that can be distinguished from a class.
pub(super) fn namespace_of(name: &str) -> &str {
    const ANONYMOUS: &str = "(anonymous namespace)";
    let name = capped(name);
    let bytes = name.as_bytes();
    let (mut start, mut depth, mut i) = (0, 0usize, 0);
    while i < bytes.len() {
        let at_word = i == start || matches!(bytes[i - 1], b':' | b' ');
        match bytes[i] {
            b'o' if depth == 0 && at_word && name[i..].starts_with("operator") => break,
            b'(' if depth == 0 && name[i..].starts_with(ANONYMOUS) => i += ANONYMOUS.len() - 1,
            b'(' if depth == 0 && !name[start..i].ends_with("decltype") => break,
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => start = i + 1,
            _ => {}
        }
        i += 1;
    }
    let scope = name[start..].trim_start_matches(['*', '&', ':']);
    match first_part(scope) {
        "main" => "",
        // `Shop::add`: a class.
        part if part.starts_with(|c: char| c.is_uppercase()) => "",
        part => part,
    }
}

/// The import path of a Go function's package; empty when the name is not Go's.
pub(crate) fn go_package(name: &str) -> &str {
    let name = capped(name);
    // `slices.Sort[go.shape.int]`: types may have paths, too.
    let bare = &name[..name.find(['[', '(']).unwrap_or(name.len())];
    let last = bare.rfind('/').map_or(0, |at| at + 1);
    let Some(dot) = bare[last..].find('.').map(|at| last + at) else { return "" };
    let (package, member) = (&name[..dot], &name[dot + 1..]);
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "_-./~%@".contains(c);
    let is_copy =
        last == 0 && COPIES.iter().any(|copy| member.strip_prefix(copy).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')));
    let is_member = member.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '(');
    let is_package = package.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && package.chars().all(is_valid);
    if is_package && is_member && !is_copy && !name.contains("::") { package } else { "" }
}
