//! Function name without parameters, for matching pruned frames.

/// A name without leading dots and arguments: up to the first parenthesis that opens an
/// argument list, not `(anonymous namespace)` or `operator()` (pprof's `simplifyFunc`).
pub fn simple_name(name: &str) -> &str {
    let name = name.trim_start_matches('.');
    let opens = name.match_indices('(').map(|(i, _)| i);
    let is_name =
        |i: usize| name[i..].starts_with("(anonymous namespace)") || (name[..i].ends_with("operator") && name[i..].starts_with("()"));
    opens.into_iter().find(|&i| !is_name(i)).map_or(name, |i| &name[..i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_ignored() {
        assert_eq!(simple_name("operator new(unsigned long)"), "operator new");
        assert_eq!(simple_name("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
        assert_eq!(simple_name("A::operator()(int)"), "A::operator()");
        assert_eq!(simple_name(".malloc"), "malloc");
    }
}
