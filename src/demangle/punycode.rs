//! Punycode (RFC 3492) as Rust's v0 symbols use it: `_` for `-`, digits after letters.

/// Longest identifier that is decoded, bytes: each character is inserted in the middle of the others.
const LONGEST: usize = 1 << 12;

/// The text that `encoded` represents.
pub(super) fn decode(encoded: &str) -> Option<String> {
    if encoded.len() > LONGEST {
        return None;
    }
    let (plain, digits) = encoded.rsplit_once('_').unwrap_or(("", encoded));
    let mut out: Vec<char> = plain.chars().collect();
    let (mut code, mut at, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = digits.bytes().peekable();
    let mut is_first = true;
    while digits.peek().is_some() {
        let start = at;
        let mut weight = 1u32;
        for k in (1u32..).map(|i| i * 36) {
            let digit = match digits.next()? {
                b @ b'a'..=b'z' => b - b'a',
                b @ b'A'..=b'Z' => b - b'A',
                b @ b'0'..=b'9' => b - b'0' + 26,
                _ => return None,
            };
            at = at.checked_add(u32::from(digit).checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if u32::from(digit) < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
        }
        let n = out.len() as u32 + 1;
        bias = adapt(at - start, n, is_first);
        is_first = false;
        code = code.checked_add(at / n)?;
        at %= n;
        out.insert(at as usize, char::from_u32(code)?);
        at += 1;
    }
    Some(out.into_iter().collect())
}

fn adapt(delta: u32, n: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / 700 } else { delta / 2 };
    delta += delta / n;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, decode};

    #[test]
    fn decodes_what_rustc_encodes() {
        assert_eq!(decode("gre_6ka8i").as_deref(), Some("größe"));
        assert_eq!(decode("-"), None);
        assert_eq!(decode("99999999"), None);
        assert_eq!(decode(&"a".repeat(LONGEST + 1)), None);
    }
}
