//! Report data in a report file: the element of the page that has it.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::base85;

/// `id` of the element with the data: gzip in base 85.
pub const DATA_ELEMENT: &str = "data";

/// Bytes of a file in which its kind must show.
const HEAD: usize = 1 << 11;

/// Most blank bytes in front of a document.
const MOST_BLANK: usize = 64;

/// Whether `bytes` begin like a report file of heapview.
pub fn is_report_file(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    is_html(head) && find(head, b"<meta name=\"generator\" content=\"heapview ").is_some()
}

fn is_html(head: &[u8]) -> bool {
    let blank = head.iter().take(MOST_BLANK).take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = b"<!doctype html";
    head.get(blank..blank + start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// The compressed data in a report file, and where its element is. `None`: it has no such element.
///
/// # Errors
/// Offset of a character that is no digit of base 85, or of the end of a file that is cut off.
pub fn data_element(bytes: &[u8]) -> Option<Result<Vec<u8>, usize>> {
    let mark = format!("id=\"{DATA_ELEMENT}\">");
    let start = find(bytes, mark.as_bytes())? + mark.len();
    let text = &bytes[start..];
    let Some(length) = text.iter().position(|byte| *byte == b'<') else { return Some(Err(bytes.len())) };
    let text = &text[..length];
    Some(base85::decode(text).map_err(|at| start + at))
}

/// Content of the element for this data.
pub fn pack(data: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Memory takes all that is written.
    let packed = encoder.write_all(data).and_then(|()| encoder.finish());
    base85::encode(&packed.unwrap_or_default())
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_element_with_the_data_is_found() {
        let page = |data: &str| {
            format!(
                "<!doctype html>\n<meta name=\"generator\" content=\"heapview 1\">\n<script type=\"application/gzip\" id=\"data\">{data}"
            )
        };
        assert!(
            is_report_file(page("").as_bytes())
                && is_report_file(
                    page("")
                        .to_uppercase()
                        .replace("META NAME=\"GENERATOR\" CONTENT=\"HEAPVIEW", "meta name=\"generator\" content=\"heapview")
                        .as_bytes()
                )
        );
        assert!(!is_report_file(b"<!doctype html><title>heapview</title>") && !is_report_file(b""));
        let found = |data: &str| data_element(page(data).as_bytes());
        let start = page("").len();
        assert_eq!(found("!!-0</script>"), Some(Ok(vec![0, 1, 2])));
        assert_eq!(found("!!\n-0\n</script>"), Some(Ok(vec![0, 1, 2])));
        assert_eq!(found("!!&0</script>"), Some(Err(start + 2)));
        assert_eq!(found("!!-0"), Some(Err(start + 4)));
        assert_eq!(data_element(b"<!doctype html>"), None);
    }
}
