//! Content encodings of requests.

use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use super::error::BadRequest;

/// The body of a request with this `Content-Encoding`, of at most `most` bytes.
///
/// # Errors
/// Another encoding than gzip, damage, or more than `most` bytes.
pub fn unpack(body: Vec<u8>, encoding: &str, most: u64) -> Result<Vec<u8>, BadRequest> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => return Ok(body),
        "gzip" | "x-gzip" => {}
        _ => return Err(BadRequest::Encoding(encoding.chars().take(40).collect())),
    }
    let mut plain = Vec::new();
    let mut decoder = MultiGzDecoder::new(&body[..]).take(most.saturating_add(1));
    decoder.read_to_end(&mut plain).map_err(|error| BadRequest::Gzip(error.to_string()))?;
    if plain.len() as u64 > most { Err(BadRequest::Bomb(most)) } else { Ok(plain) }
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
        assert_eq!(unpack(packed.clone(), "gzip", 5000).unwrap(), [7; 5000]);
        assert_eq!(unpack(packed.clone(), "gzip", 4999), Err(BadRequest::Bomb(4999)));
        assert!(matches!(unpack(packed[..packed.len() - 9].to_vec(), "gzip", 5000), Err(BadRequest::Gzip(_))));
        assert!(matches!(unpack(b"plain".to_vec(), "gzip", 5000), Err(BadRequest::Gzip(_))));
        assert_eq!(unpack(b"plain".to_vec(), "br", 5000), Err(BadRequest::Encoding("br".into())));
        assert_eq!(unpack(b"plain".to_vec(), "", 3).unwrap(), b"plain");
    }
}
