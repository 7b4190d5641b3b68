//! Closures, those that a state machine is made of included, and what they stand in.

/// The function that a closure stands in; `None`: it is neither.
/// Rust: `a::b::{{closure}}`, `a::b::{closure#0}`, `a::b::{async_fn#0}::{closure#1}`.
pub fn enclosing(name: &str) -> Option<&str> {
    const MARKS: [&str; 5] = ["::{{closure}}", "::{closure", "::{async_", "::{coroutine", "::{gen"];
    let at = MARKS.iter().filter_map(|mark| name.find(mark)).min()?;
    (at > 0).then(|| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_are_called_what_they_stand_in() {
        assert_eq!(enclosing("a::b::{{closure}}::{{closure}}"), Some("a::b"));
        assert_eq!(enclosing("a::b::{async_fn#0}::{closure#1}"), Some("a::b"));
        assert_eq!(enclosing("a::b"), None);
    }
}
