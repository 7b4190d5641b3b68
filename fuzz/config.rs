//! The text of a `heapview.toml`.

/// Whether `bytes` are a valid configuration.
pub(crate) fn config(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match heapview::cli::check_config(text) {
        Ok(()) => true,
        Err(problem) => {
            assert!(!problem.is_empty());
            false
        }
    }
}
