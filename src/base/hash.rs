//! Hash tables with a secret key, the only ones in this program.
//!
//! Files choose the keys of most tables: addresses, ids, names, stacks. With an unkeyed hash function an attacker can compute
//! colliding keys, and a megabyte of them takes minutes. rustc-hash does not help even with a random seed, because it only adds
//! the seed. foldhash multiplies by its key, which the operating system provides once per process. WebAssembly has no system to
//! ask: whoever starts the engine provides one ([`set_key`]).
//!
//! The iteration order differs from run to run, so no output may depend on it.

use std::hash::{BuildHasher, RandomState};
use std::sync::{LazyLock, OnceLock};

use foldhash::SharedSeed;
use foldhash::quality::{FoldHasher, SeedableRandomState};

/// A hash table.
pub type HashMap<K, V> = std::collections::HashMap<K, V, Keyed>;

/// A set of hashed keys.
pub type HashSet<K> = std::collections::HashSet<K, Keyed>;

/// Key of the process.
static KEY: LazyLock<SharedSeed> = LazyLock::new(|| SharedSeed::from_u64(random()));

/// A hash function with the key of the process and one of its own.
#[derive(Clone, Debug)]
pub struct Keyed(SeedableRandomState);

impl Default for Keyed {
    fn default() -> Self {
        Keyed(SeedableRandomState::with_seed(random(), &KEY))
    }
}

impl BuildHasher for Keyed {
    type Hasher = FoldHasher<'static>;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        self.0.build_hasher()
    }
}

/// Secret number of [`set_key`].
static GIVEN: OnceLock<u64> = OnceLock::new();

/// Mixes a secret number into the keys of all tables, for systems that provide none. Call it before the first table is made;
/// later calls have no effect.
pub fn set_key(secret: u64) {
    let _ = GIVEN.set(secret);
}

/// An unpredictable number: the standard library's keys come from the operating system.
fn random() -> u64 {
    RandomState::new().hash_one(GIVEN.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_its_own_hash_function() {
        let hashes: std::collections::BTreeSet<u64> = (0..100).map(|_| Keyed::default().hash_one(7u64)).collect();
        assert_eq!(hashes.len(), 100);
    }

    #[test]
    fn computed_collisions_of_an_unkeyed_hash_spread() {
        // Keys that rustc-hash puts into one bucket: multiples of the inverse of its factor, modulo 2⁶⁴.
        const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;
        let inverse = (0..6).fold(FACTOR, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(FACTOR.wrapping_mul(inverse))));
        assert_eq!(FACTOR.wrapping_mul(inverse), 1);
        let keyed = Keyed::default();
        let buckets: std::collections::BTreeSet<u64> =
            (0..1000u64).map(|i| keyed.hash_one((i << 40).wrapping_mul(inverse)) & 0xffff).collect();
        assert!(buckets.len() > 950, "{} buckets", buckets.len());
    }
}
