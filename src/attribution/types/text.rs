//! Names taken apart: brackets, arguments, paths. Of any language, and of any length.

/// A part of a path: `Vec<T>` of `alloc::vec::Vec<T>::push`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment<'a> {
    pub(crate) name: &'a str,
    /// Text between its angle brackets; `None` without any.
    pub(crate) args: Option<&'a str>,
}

/// Brackets deeper than this are not looked into.
const DEEPEST: usize = 200;

/// Iterator over the bracket depth of each byte of `text`; a closing bracket counts as outside. O(length).
struct Depths<'a> {
    bytes: &'a [u8],
    at: usize,
    open: Vec<u8>,
}

impl<'a> Depths<'a> {
    fn new(text: &'a str) -> Self {
        Depths { bytes: text.as_bytes(), at: 0, open: Vec::new() }
    }
}

impl Iterator for Depths<'_> {
    /// Place, byte, depth in front of it.
    type Item = (usize, u8, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let byte = *self.bytes.get(self.at)?;
        let at = self.at;
        self.at += 1;
        let is_arrow = byte == b'>' && at > 0 && matches!(self.bytes[at - 1], b'-' | b'=');
        let depth = self.open.len();
        match byte {
            b'<' | b'(' | b'[' | b'{' if depth < DEEPEST => self.open.push(byte),
            b'>' if !is_arrow && self.open.last() == Some(&b'<') => drop(self.open.pop()),
            b')' | b']' | b'}' => {
                // An angle bracket that is open here was a sign of comparison.
                let opening = if byte == b')' { b'(' } else { byte - 2 };
                if let Some(found) = self.open.iter().rposition(|&open| open == opening) {
                    self.open.truncate(found);
                }
            }
            _ => {}
        }
        Some((at, byte, depth.min(self.open.len())))
    }
}

/// Text between the bracket at the start of `text` and its closing bracket, and the rest.
pub(crate) fn bracketed(text: &str) -> Option<(&str, &str)> {
    text.starts_with(['<', '(', '[', '{']).then_some(())?;
    let end = Depths::new(text).find(|&(at, byte, depth)| at > 0 && depth == 0 && b">)]}".contains(&byte))?.0;
    Some((&text[1..end], &text[end + 1..]))
}

/// `text` in two at the first `mark` outside of brackets.
pub(crate) fn split_at<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let first = mark.as_bytes().first().copied()?;
    let at = Depths::new(text).find(|&(at, byte, depth)| depth == 0 && byte == first && text[at..].starts_with(mark))?.0;
    Some((&text[..at], &text[at + mark.len()..]))
}

/// Parts between commas outside of brackets.
pub(crate) fn arguments(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, byte, depth) in Depths::new(text) {
        if depth == 0 && byte == b',' {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
    }
    parts.push(text[start..].trim());
    // `(A,)` has one.
    parts.retain(|part| !part.is_empty());
    parts
}

/// The parts of a path. Arguments may follow a separate `::`, as in `from_elem::<u8>`.
pub(crate) fn segments(path: &str) -> Vec<Segment<'_>> {
    let mut parts: Vec<Segment> = Vec::new();
    let mut rest = path;
    loop {
        let (part, more) = split_at(rest, "::").map_or((rest, None), |(part, more)| (part, Some(more)));
        let is_type = part.starts_with("<impl ") || part.starts_with("<lambda");
        match part.find('<').filter(|_| !is_type && !part.starts_with("operator")) {
            Some(0) if !parts.is_empty() => {
                if let (Some(last), Some((inner, _))) = (parts.last_mut(), bracketed(part)) {
                    last.args = Some(inner);
                }
            }
            Some(at) if at > 0 => parts.push(Segment { name: &part[..at], args: bracketed(&part[at..]).map(|(inner, _)| inner) }),
            _ => parts.push(Segment { name: part, args: None }),
        }
        match more {
            Some(more) => rest = more,
            None => return parts,
        }
    }
}

/// Path of a C++ function, without return type and parameters.
pub(crate) fn cpp_path(name: &str) -> &str {
    const ANONYMOUS: &str = "(anonymous namespace)";
    let mut start = 0;
    for (at, byte, depth) in Depths::new(name) {
        let at_word = at == start || matches!(name.as_bytes()[at - 1], b':' | b' ');
        match byte {
            b'o' if depth == 0 && at_word && name[at..].starts_with("operator") => break,
            b'(' if depth == 0 && !name[at..].starts_with(ANONYMOUS) && !name[start..at].ends_with("decltype") => {
                return &name[start..at];
            }
            b' ' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    name[start..].trim_start_matches(['*', '&'])
}

/// Whether a letter may be part of a word.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_all_kinds_hold_together() {
        assert_eq!(bracketed("<a<b>, fn(c) -> d>::e"), Some(("a<b>, fn(c) -> d", "::e")));
        assert_eq!(bracketed("<a"), None);
        assert_eq!(split_at("<a as b> as c", " as "), Some(("<a as b>", "c")));
        assert_eq!(arguments("A<B, C>, (D, E), [F; 2]"), ["A<B, C>", "(D, E)", "[F; 2]"]);
        assert_eq!(arguments("A,"), ["A"]);
        assert_eq!(arguments(""), [""; 0]);
        assert_eq!(arguments("(1 < 2), C"), ["(1 < 2)", "C"]);
    }

    #[test]
    fn paths_have_parts_with_arguments() {
        let names = |path| segments(path).into_iter().map(|s| (s.name, s.args.unwrap_or("-"))).collect::<Vec<_>>();
        assert_eq!(names("alloc::vec::Vec<T,A>::push"), [("alloc", "-"), ("vec", "-"), ("Vec", "T,A"), ("push", "-")]);
        assert_eq!(names("a::from_elem::<u8>"), [("a", "-"), ("from_elem", "u8")]);
        assert_eq!(names("a::<impl b::C for [T]>::d"), [("a", "-"), ("<impl b::C for [T]>", "-"), ("d", "-")]);
        assert_eq!(names(""), [("", "-")]);
    }

    #[test]
    fn cpp_paths_have_no_return_type_and_parameters() {
        for (name, path) in [
            ("std::vector<int, std::allocator<int> >::push_back(int&&)", "std::vector<int, std::allocator<int> >::push_back"),
            ("void std::vector<A<B> >::_M_realloc_insert<C>(D, E)", "std::vector<A<B> >::_M_realloc_insert<C>"),
            ("std::shared_ptr<A> std::make_shared<A, int>(int&&)", "std::make_shared<A, int>"),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("main", "main"),
        ] {
            assert_eq!(cpp_path(name), path, "{name}");
        }
    }
}
