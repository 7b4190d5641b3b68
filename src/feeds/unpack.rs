//! Content encodings of requests.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use super::error::BadRequest;

/// Bytes that are unpacked at once.
const PIECE: u64 = 1 << 20;

/// The body of a request with this `Content-Encoding`, of at most `most` bytes. `reserve` is called with the number of bytes that are
/// about to be unpacked, and may refuse them.
///
/// # Errors
/// Another encoding than gzip, damage, more than `most` bytes, or those of `reserve`.
pub fn unpack<E: From<BadRequest>>(
    body: Vec<u8>,
    encoding: &str,
    most: u64,
    mut reserve: impl FnMut(u64) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => return Ok(body),
        "gzip" | "x-gzip" => {}
        _ => return Err(BadRequest::Encoding(encoding.chars().take(40).collect()).into()),
    }
    let mut plain = Vec::new();
    let mut decoder = MultiGzDecoder::new(&body[..]);
    loop {
        reserve(PIECE)?;
        let read = decoder.by_ref().take(PIECE).read_to_end(&mut plain).map_err(|error| BadRequest::Gzip(error.to_string()))?;
        if plain.len() as u64 > most {
            return Err(BadRequest::Bomb(most).into());
        }
        if (read as u64) < PIECE {
            return Ok(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn bodies_are_unpacked_within_a_limit() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&[7; 5000]).unwrap();
        let packed = encoder.finish().unwrap();
        let of = |body: &[u8], encoding: &str, most| unpack(body.to_vec(), encoding, most, |_| Ok(()));
        assert_eq!(of(&packed, "gzip", 5000).unwrap(), [7; 5000]);
        assert_eq!(of(&packed, "gzip", 4999), Err(BadRequest::Bomb(4999)));
        assert!(matches!(of(&packed[..packed.len() - 9], "gzip", 5000), Err(BadRequest::Gzip(_))));
        assert!(matches!(of(b"plain", "gzip", 5000), Err(BadRequest::Gzip(_))));
        assert_eq!(of(b"plain", "br", 5000), Err(BadRequest::Encoding("br".into())));
        assert_eq!(of(b"plain", "", 3).unwrap(), b"plain");
        // Memory is asked for before it is taken.
        let full = unpack(packed, "gzip", 5000, |n| Err(BadRequest::Bomb(n)));
        assert_eq!(full, Err(BadRequest::Bomb(PIECE)));
    }
}
