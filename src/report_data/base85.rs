//! Bytes as text inside HTML: four bytes are five characters, where base64 has four for three.
//!
//! The digits are printable ASCII without `"`, `&`, `'`, `<`, `>`, `\` and `` ` ``, so that no element or string can end early.
//! The page's reader is `web/src/engine/base85.ts`.

/// The digits, by value.
const DIGITS: &[u8; 85] = b"!#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|";

/// No digit.
const NONE: u8 = 85;

/// Byte → value of the digit.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Encodes bytes. n bytes at the end, fewer than four, take n + 1 characters.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for group in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes(word);
        let powers = [52_200_625, 614_125, 7225, 85, 1];
        text.extend(powers[..=group.len()].iter().map(|power| char::from(DIGITS[(word / power % 85) as usize])));
    }
    text
}

/// Decodes text; blanks and line breaks are skipped.
///
/// # Errors
/// Offset of a character that is no digit, or of the end where digits are missing or too large.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len() / 5 * 4 + 4);
    let (mut word, mut n) = (0u64, 0);
    for (at, &byte) in text.iter().enumerate() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        let value = VALUES[usize::from(byte)];
        if value == NONE {
            return Err(at);
        }
        word = word * 85 + u64::from(value);
        n += 1;
        if n == 5 {
            bytes.extend(u32::try_from(word).map_err(|_| at)?.to_be_bytes());
            (word, n) = (0, 0);
        }
    }
    if n == 1 {
        return Err(text.len());
    }
    if n > 1 {
        // The largest digits round up to the bytes that were cut off.
        word = (n..5).fold(word, |word, _| word * 85 + 84);
        bytes.extend(&u32::try_from(word).map_err(|_| text.len())?.to_be_bytes()[..n - 1]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn damage_is_found() {
        assert_eq!(encode(&[0, 0, 0, 0, 255]), "!!!!!yy");
        assert_eq!(decode(b"!!!!!\n yy "), Ok(vec![0, 0, 0, 0, 255]));
        assert_eq!(decode(b"!!<!!"), Err(2));
        assert_eq!(decode(b"|||||"), Err(4));
        assert_eq!(decode(b"!!!!!!"), Err(6));
        assert_eq!(decode(b"!!!!!||"), Err(7));
    }

    proptest! {
        #[test]
        fn bytes_survive(bytes: Vec<u8>) {
            let text = encode(&bytes);
            prop_assert!(!text.contains(['"', '&', '\'', '<', '>', '\\', '`']));
            prop_assert_eq!(decode(text.as_bytes()), Ok(bytes));
        }
    }
}
