//! Numbers of files below `/proc`.

use super::problems::{Problem, Problems};
use crate::parse::lines::{Decimal, Scan};

/// `12 kB` in bytes; 0 where it is something else.
pub(super) fn kilobytes(text: &[u8], line: usize, problems: &mut Problems) -> i64 {
    let mut scan = Scan::new(text);
    match scan.decimal() {
        Some(Decimal::Fits(number)) if (0..i64::MAX / 1024).contains(&number) => {
            if scan.rest().trim_ascii() != b"kB" {
                problems.add(Problem::NoNumber, line);
            }
            number * 1024
        }
        Some(_) => {
            problems.add(Problem::OutOfRange, line);
            0
        }
        None => {
            problems.add(Problem::NoNumber, line);
            0
        }
    }
}
