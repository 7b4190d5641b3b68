//! Paths and queries of addresses.

use percent_encoding::percent_decode_str;

/// A part of an address without percent encoding; bytes that are not UTF-8 are replaced.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Names and values of a query as browsers write those of forms: `f=a+b&n=3`. O(bytes).
pub(super) fn parameters(query: &str) -> Vec<(String, String)> {
    let text = |text: &str| decoded(&text.replace('+', " "));
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(name, value)| (text(name), text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let read = |query: &str| parameters(query).iter().map(|(name, value)| format!("{name}→{value}")).collect::<Vec<_>>().join(" ");
        assert_eq!(read(""), "");
        assert_eq!(read("f=a%26b&n=3"), "f→a&b n→3");
        assert_eq!(read("&&download&=x&f=a=b&"), "download→ →x f→a=b");
        assert_eq!(read("f=a+b%2Bc"), "f→a b+c");
        assert_eq!(read("f=%FF%zz%"), "f→\u{fffd}%zz%");
    }
}
