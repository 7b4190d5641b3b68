//! From options as text to a view and an answer.

use std::sync::LazyLock;

use heapview::attribution::RowDetail;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use heapview::query::{KindRules, KindSet, Pattern, TagFilter, View, ViewKind};
use heapview::session::Session;

/// A small profile with packages, files, labels and two dumps' worth of names to match.
static PROFILE: LazyLock<Profile> = LazyLock::new(|| {
    let text = b"main;app::load;serde_json::de::from_str;alloc::vec::Vec<T>::push 96\nmain;app::store;std::map::insert 32\nmain;\xc3\xb6ffnen;malloc 7\n";
    parse(text, &ParseOptions::default()).expect("stacks are a profile").profile
});

/// Reads the first byte as a kind of report and the lines behind it as `name=value`. Returns whether they are a view.
pub(crate) fn query(bytes: &[u8]) -> bool {
    let Some((&kind, rest)) = bytes.split_first() else { return false };
    let kind = ViewKind::ALL[usize::from(kind) % ViewKind::ALL.len()];
    let text = String::from_utf8_lossy(rest);
    let pairs: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('=')).collect();
    for (_, value) in &pairs {
        let _ = (
            Pattern::new(value).map(|p| p.is_match("main")),
            TagFilter::new(value),
            KindSet::from_text(value),
            KindRules::from_text(value),
        );
    }
    let view = match View::parse(kind, pairs.iter().copied()) {
        Ok(view) => view,
        Err(errors) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(|error| assert!(!error.to_string().is_empty()));
            return false;
        }
    };
    // What is written as an address reads as the same.
    let canonical = view.pairs();
    let again = View::parse(kind, canonical.iter().map(|(name, value)| (*name, value.as_str()))).expect("canonical pairs are valid");
    assert_eq!(again.pairs(), canonical);
    let _ = Session::answer_once(&PROFILE, &view, RowDetail::Full);
    true
}
