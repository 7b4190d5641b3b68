//! Closures, including those of async functions, and their enclosing functions.

/// Returns the function that encloses a closure; `None` if the name is not a closure's.
///
/// Rust: `a::b::{{closure}}`, `a::b::{closure#0}`, `a::b::{async_fn#0}::{closure#1}`, `<A as B>::c::{{closure}}`;
/// C++: `f(int)::{lambda(int)#1}::operator()(int) const`, `f(int)::'lambda'(int)::operator()`, `f()::$_0::operator()`;
/// Go: `p.f.func1.2`, `p.(*T).m.gowrap1`, `p.f.deferwrap1`. O(length).
pub(crate) fn enclosing(name: &str) -> Option<&str> {
    // Longer names are cut everywhere.
    const MOST: usize = 16_384;
    if name.len() > MOST {
        return None;
    }
    let outer = of_paths(name).or_else(|| of_go(name))?;
    (!outer.is_empty()).then_some(outer)
}

/// Part of a path before the first closure, outside of all brackets.
fn of_paths(name: &str) -> Option<&str> {
    const RUST: [&str; 6] = ["{{closure}}", "{closure", "{async", "{coroutine", "{gen", "{{coroutine"];
    const CPP: [&str; 5] = ["{lambda", "'lambda", "(lambda", "$_", "<lambda"];
    let bytes = name.as_bytes();
    let (mut depth, mut at) = (0i32, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' => depth -= 1,
            b'o' if name[at..].starts_with(OPERATOR) && !name[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                at += OPERATOR.len() + sign(&bytes[at + OPERATOR.len()..]) - 1
            }
            b':' if depth == 0 && name[at..].starts_with("::") => {
                let part = &name[at + 2..];
                if RUST.iter().chain(&CPP).any(|mark| part.starts_with(mark)) {
                    return Some(&name[..at]);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

const OPERATOR: &str = "operator";

/// Bytes of an operator's sign that look like brackets: of `<<`, `->`, `()`, `[]`.
fn sign(rest: &[u8]) -> usize {
    match rest {
        [b'(', b')', ..] | [b'[', b']', ..] => 2,
        _ => rest.iter().take_while(|b| matches!(b, b'<' | b'>' | b'-' | b'=')).count(),
    }
}

/// `p.f` of `p.f.func1.2`; `None` for `p.glob..func1`: initializers of variables are not in a function.
fn of_go(name: &str) -> Option<&str> {
    // Types may have dots and slashes of their own.
    let bare = &name[..name.find('[').unwrap_or(name.len())];
    if name.contains("::") || name.contains('{') {
        return None;
    }
    let start = bare.rfind('/').map_or(0, |at| at + 1);
    let (package, _) = name[start..].split_once('.')?;
    let first = start + package.len() + 1;
    let mut at = first;
    while let Some(dot) = name[at..].find('.').map(|i| at + i) {
        let part = name[dot + 1..].split('.').next().unwrap_or_default();
        if ["func", "gowrap", "deferwrap"].iter().any(|word| part.strip_prefix(word).is_some_and(is_number)) {
            let outer = &name[..dot];
            // `p.(*T).func1` is a method that is called so.
            return (dot > first && !outer.ends_with(['.', ')'])).then_some(outer);
        }
        at = dot + 1;
    }
    None
}

/// Digits, perhaps with a mark that a copy of the function has: `1`, `2-range3`.
fn is_number(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && (digits == text.len() || text[digits..].starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_named_after_the_enclosing_function() {
        for (name, outer) in [
            // Rust, in both manglings.
            ("a::b::{{closure}}::{{closure}}", "a::b"),
            ("a::b::{closure#0}", "a::b"),
            ("a::b::{async_fn#0}::{closure#1}", "a::b"),
            ("a::b::{async_block#0}", "a::b"),
            ("a::b::{closure_env#0}", "a::b"),
            ("<A as B>::c::{{closure}}", "<A as B>::c"),
            ("<a::B>::c::{async_fn#0}", "<a::B>::c"),
            ("a::b::<impl a::C>::d::{{closure}}", "a::b::<impl a::C>::d"),
            ("a::{impl#0}::b::{closure#2}", "a::{impl#0}::b"),
            ("<a::B as core::ops::drop::Drop>::drop::{closure#0}::<u8>", "<a::B as core::ops::drop::Drop>::drop"),
            // C++.
            ("cpp::f(int)::{lambda(int)#1}::operator()(int) const", "cpp::f(int)"),
            ("cpp::A::f::{lambda()#2}::operator()", "cpp::A::f"),
            ("f(int)::'lambda'(int)::operator()(int) const", "f(int)"),
            ("f()::'lambda0'()::operator()() const", "f()"),
            ("f()::$_0::operator()(int) const", "f()"),
            ("A::operator<(A const&) const::{lambda()#1}::operator()() const", "A::operator<(A const&) const"),
            ("A::operator()()::{lambda()#1}::operator()() const", "A::operator()()"),
            // Go.
            ("main.f.func1", "main.f"),
            ("main.f.func1.2", "main.f"),
            ("main.f.func1.gowrap2", "main.f"),
            ("main.f.gowrap1", "main.f"),
            ("main.f.deferwrap3", "main.f"),
            ("main.f.func2-range1", "main.f"),
            ("main.(*T).Run.func1", "main.(*T).Run"),
            ("main.init.func1", "main.init"),
            ("github.com/a/b.v2/c.(*T[...]).Run.func3", "github.com/a/b.v2/c.(*T[...]).Run"),
            ("main.Map[go.shape.int].func1", "main.Map[go.shape.int]"),
        ] {
            assert_eq!(enclosing(name), Some(outer), "{name}");
        }
    }

    #[test]
    fn other_names_are_none() {
        for name in [
            "",
            "a::b",
            "main",
            "core::ops::function::FnOnce::call_once<a::b::{{closure}},()>",
            "<a::b::{closure#0} as core::ops::function::FnOnce<()>>::call_once",
            "std::thread::Builder::spawn_unchecked_<a::run::{{closure}}, ()>",
            "std::_Function_handler<void (), f()::{lambda()#1}>::_M_invoke",
            "{{closure}}",
            "main.glob..func1",
            "main.(*T).func1",
            "main.func1",
            "example.com/a.function",
            "grow.cold",
            "a.func1",
            "main.funcs.x",
            "main.f.function1",
        ] {
            assert_eq!(enclosing(name), None, "{name}");
        }
    }
}
