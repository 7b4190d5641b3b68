//! What requests consist of.

/// Most profiles of a request.
pub const MOST_PROFILES: usize = 1000;

/// Most labels of a series that are read; the store keeps fewer.
pub const MOST_LABELS: usize = 200;

/// Profiles with the same labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Name and value of each label, as they were sent.
    pub labels: Vec<(String, String)>,
    /// When they were taken, milliseconds since 1970 UTC; `None`: the profiles say so, or nobody.
    pub time: Option<i64>,
    /// The profiles: pprof, packed or not, or another format that heapview opens.
    pub profiles: Vec<Vec<u8>>,
}
