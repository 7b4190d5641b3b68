//! Units of numeric labels.

/// The unit of a numeric label: the writer's, else what the key implies.
pub(crate) fn unit_of<'a>(key: &'a str, unit: &'a str) -> &'a str {
    match (unit, key) {
        ("", "alignment" | "request") => "bytes",
        ("", key) => key,
        (unit, _) => unit,
    }
}
