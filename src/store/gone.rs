//! Lists of deleted uploads: a line has the identifier of the upload and the hash of its dump.

use std::fmt::Write;

use super::envelope::Envelope;
use super::id::Hash;

/// Most lines of a list, which is then about 9 MB.
const MOST: usize = 100_000;

/// Lists of these uploads.
pub(super) fn lists(uploads: &[Envelope]) -> impl Iterator<Item = String> {
    uploads.chunks(MOST).map(|uploads| {
        let mut text = String::new();
        for Envelope { id, sha256, .. } in uploads {
            // A text takes all.
            let _ = writeln!(text, "{id} {sha256}");
        }
        text
    })
}

/// The upload of a line.
pub(super) fn upload(line: &str) -> &str {
    line.split_once(' ').map_or(line, |(id, _)| id)
}

/// The dump of a line.
pub(super) fn dump(line: &str) -> Option<Hash> {
    line.split_once(' ')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_several() {
        let upload_of = |n: usize| Envelope { id: format!("{n:026}"), sha256: Hash::of(b"x"), ..Envelope::default() };
        let uploads: Vec<Envelope> = (0..MOST + 1).map(upload_of).collect();
        let lists: Vec<String> = lists(&uploads).collect();
        assert_eq!(lists.iter().map(|list| list.lines().count()).collect::<Vec<_>>(), [MOST, 1]);
        assert!(lists[0].len() < 10 << 20);
        let last = lists[1].trim_end();
        assert_eq!((upload(last), dump(last)), (uploads[MOST].id.as_str(), Some(Hash::of(b"x"))));
        assert_eq!((upload("x"), dump("x")), ("x", None));
    }
}
