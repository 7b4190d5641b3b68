//! Stack by stack.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::Header;

/// One row of the profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Trace {
    /// Value; with a base, that of one side.
    pub value: i64,
    /// Labels: key and printed value.
    #[schema(value_type = Vec<(String, String)>)]
    pub labels: Arc<[(String, String)]>,
    /// Frames, leaf first, as reports name them.
    #[schema(value_type = Vec<String>)]
    pub frames: Vec<Arc<str>>,
    /// Frame → 1 when inlined into the next.
    pub inlined: Vec<u8>,
}

/// All stacks, in the profile's order.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TracesReport {
    /// Common header.
    pub header: Header,
    /// The stacks.
    #[schema(value_type = Vec<Trace>)]
    pub trace: Traces,
}

/// Traces whose stacks share their callers: memory grows with the tree of frames, not with the frames of all stacks.
/// [`Traces::iter`] and serialization make one trace at a time.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    frames: Vec<SharedFrame>,
    traces: Vec<StoredTrace>,
}

/// A frame with its caller.
#[derive(Clone, Debug)]
pub struct SharedFrame {
    /// Name, as in reports.
    pub name: Arc<str>,
    /// Index of the caller, smaller than the frame's own; `None` for an outermost frame.
    pub caller: Option<u32>,
    /// Whether it was inlined into its caller.
    pub inlined: bool,
}

/// A trace without its frames.
#[derive(Clone, Debug)]
pub struct StoredTrace {
    /// Value; with a base, of one side.
    pub value: i64,
    /// Labels: key and printed value.
    pub labels: Arc<[(String, String)]>,
    /// Index of the leaf.
    pub leaf: u32,
}

impl Traces {
    /// Adds a frame and returns its index.
    pub fn add_frame(&mut self, frame: SharedFrame) -> u32 {
        self.frames.push(frame);
        self.frames.len() as u32 - 1
    }

    /// Adds a trace.
    pub fn add(&mut self, trace: StoredTrace) {
        self.traces.push(trace);
    }

    /// Number of traces.
    pub fn len(&self) -> usize {
        self.traces.len()
    }

    /// Whether there are no traces.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// All frames, callers before callees.
    pub fn frames(&self) -> &[SharedFrame] {
        &self.frames
    }

    /// All traces without their frames.
    pub fn stored(&self) -> &[StoredTrace] {
        &self.traces
    }

    /// All traces.
    pub fn iter(&self) -> impl Iterator<Item = Trace> {
        self.traces.iter().map(|trace| {
            let (mut frames, mut inlined) = (Vec::new(), Vec::new());
            let mut next = Some(trace.leaf);
            while let Some(frame) = next.and_then(|at| self.frames.get(at as usize)) {
                frames.push(frame.name.clone());
                inlined.push(u8::from(frame.inlined));
                next = frame.caller;
            }
            Trace { value: trace.value, labels: trace.labels.clone(), frames, inlined }
        })
    }
}

impl Serialize for Traces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
