//! Samples as stack traces.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::Header;

/// One row of the profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Trace {
    /// Value; with a base, that of one side.
    pub value: i64,
    /// Labels: key and printed value.
    #[cfg_attr(test, schema(value_type = Vec<(String, String)>))]
    pub labels: Arc<[(String, String)]>,
    /// Frames, leaf first, as reports name them.
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub frames: Vec<Arc<str>>,
    /// Frame → 1 when inlined into the next.
    pub inlined: Vec<u8>,
}

/// All stacks, in the profile's order.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TracesReport {
    /// Common header.
    pub header: Header,
    /// The stacks.
    #[cfg_attr(test, schema(value_type = Vec<Trace>))]
    pub trace: Traces,
}

/// Traces whose stacks share their callers: memory grows with the tree of frames, not with the frames of all stacks.
/// [`Traces::iter`] and serialization make one trace at a time.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    names: Vec<Arc<str>>,
    /// Frame → index of its name, and [`INLINED`] where it was inlined into its caller.
    name: Vec<u32>,
    /// Frame → its caller; [`NONE`] for an outermost frame.
    caller: Vec<u32>,
    labels: Vec<Arc<[(String, String)]>>,
    traces: Vec<StoredTrace>,
}

const INLINED: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// A trace without its frames.
#[derive(Clone, Debug)]
pub struct StoredTrace {
    /// Value; with a base, of one side.
    pub value: i64,
    /// Index of its list of labels.
    pub labels: u32,
    /// Index of the leaf.
    pub leaf: u32,
}

impl Traces {
    /// Adds a name and returns its index; there are fewer than 2³¹.
    pub fn add_name(&mut self, name: Arc<str>) -> u32 {
        self.names.push(name);
        self.names.len() as u32 - 1
    }

    /// Adds a frame of this name and returns its index; `inlined` into its caller.
    pub fn add_frame(&mut self, name: u32, inlined: bool, caller: Option<u32>) -> u32 {
        self.name.push(if inlined { name | INLINED } else { name });
        self.caller.push(caller.unwrap_or(NONE));
        self.name.len() as u32 - 1
    }

    /// Names of frames, each once.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The frames of a trace, leaf first: index of the name, and whether it was inlined into the next. O(depth).
    pub fn stack(&self, trace: &StoredTrace) -> impl Iterator<Item = (u32, bool)> {
        let mut at = trace.leaf;
        std::iter::from_fn(move || {
            let (name, caller) = (*self.name.get(at as usize)?, *self.caller.get(at as usize)?);
            at = caller;
            Some((name & !INLINED, name & INLINED != 0))
        })
    }

    /// Adds a list of labels (key and printed value) and returns its index.
    pub fn add_labels(&mut self, labels: Arc<[(String, String)]>) -> u32 {
        self.labels.push(labels);
        self.labels.len() as u32 - 1
    }

    /// Makes room for `n` more traces.
    pub fn reserve(&mut self, n: usize) {
        self.traces.reserve_exact(n);
    }

    /// Adds a trace.
    pub fn add(&mut self, trace: StoredTrace) {
        self.traces.push(trace);
    }

    /// Number of traces.
    pub fn len(&self) -> usize {
        self.traces.len()
    }

    /// Returns whether there are no traces.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// All traces without their frames.
    pub fn stored(&self) -> &[StoredTrace] {
        &self.traces
    }

    /// All traces.
    pub fn iter(&self) -> impl Iterator<Item = Trace> {
        self.traces.iter().map(|trace| {
            let (frames, inlined) = self.stack(trace).map(|(name, inlined)| (self.names[name as usize].clone(), u8::from(inlined))).unzip();
            let labels = self.labels.get(trace.labels as usize).cloned().unwrap_or_else(|| [].into());
            Trace { value: trace.value, labels, frames, inlined }
        })
    }
}

impl Serialize for Traces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
