//! Value types of recordings.

/// Kinds and units of the numbers. `inuse` is at the end, of moments then; `peak` is at the peak, of moments then, too.
pub(in crate::parse) const VALUE_TYPES: [(&str, &str); 8] = [
    ("alloc_objects", "count"),
    ("alloc_space", "bytes"),
    ("inuse_objects", "count"),
    ("inuse_space", "bytes"),
    ("peak_objects", "count"),
    ("peak_space", "bytes"),
    ("temp_objects", "count"),
    ("temp_space", "bytes"),
];

/// Kind and unit of the sum of lifetimes, behind [`VALUE_TYPES`].
const LIFETIME: (&str, &str) = ("lifetime", "microseconds");

/// Kinds and units of the numbers of a format with lifetimes, and further ones.
pub(in crate::parse) fn value_types(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    VALUE_TYPES.iter().copied().chain([LIFETIME]).chain(more.iter().copied()).collect()
}
