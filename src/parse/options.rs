//! Options of parsing.

/// How to read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Most bytes that a compressed dump may unpack to.
    pub max_expanded: usize,
    /// What becomes of jemalloc's rows of threads.
    pub threads: Threads,
    /// Values are in so many parts of their unit: un-sampling leaves fractions, which add up.
    /// At least 1.
    pub parts: i64,
}

/// What becomes of jemalloc's rows of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// They share out their stack's sum, so that all of them add up to it; labels have
    /// the threads' names.
    #[default]
    Shared,
    /// Each is un-sampled by itself, as jeprof does, and their stack's sum is left out;
    /// labels have the threads' numbers: `t0`, `t1` and so on.
    Apart,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { max_expanded: 700 << 20, threads: Threads::default(), parts: 1 }
    }
}
