//! Growth that the owners of a program expect.

/// Growth of a function that is expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedGrowth {
    /// Name of the function or its end; `*` represents anything.
    pub culprit: String,
    /// Most bytes in use; `None`: any.
    pub up_to: Option<i64>,
    /// Conditions and reason, for people.
    pub text: String,
}

impl ExpectedGrowth {
    /// Whether it is about `function`. O(length of both), but for names that almost match often.
    pub fn is_about(&self, function: &str) -> bool {
        let whole = |function: &str| is_match(&self.culprit, function);
        let ends = ["::", "."]
            .into_iter()
            .flat_map(|separator| function.match_indices(separator).map(move |(at, separator)| &function[at + separator.len()..]));
        whole(function) || ends.into_iter().any(whole)
    }
}

/// Whether `name` has the form of `pattern`, in which `*` represents anything.
fn is_match(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let (inner, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in inner.split('*') {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_names_are_enough() {
        let is_about = |culprit: &str, function: &str| ExpectedGrowth { culprit: culprit.into(), ..Default::default() }.is_about(function);
        for (culprit, function) in [
            ("insert", "shop::Cache::insert"),
            ("Cache::insert", "shop::Cache::insert"),
            ("Cache<*>::insert", "shop::Cache<u8>::insert"),
            ("shop::*", "shop::Cache::insert"),
            ("*", "anything"),
            ("main.*", "example.org/main.load"),
            ("a*b*c", "a1b2c"),
            ("a**c", "ac"),
        ] {
            assert!(is_about(culprit, function), "{culprit} {function}");
        }
        for (culprit, function) in
            [("sert", "shop::Cache::insert"), ("Cache", "shop::Cache::insert"), ("a*b*c", "ac"), ("ab*b", "ab"), ("", "x")]
        {
            assert!(!is_about(culprit, function), "{culprit} {function}");
        }
    }
}
