//! Stacks as rows of a profile.

use super::super::frame_text::Frames;
use super::tree::Stacks;
use crate::base::id::LocationId;
use crate::profile::{Labels, ProfileBuilder};

/// Makes rows of stacks.
pub(super) struct Rows<'s, 'a> {
    stacks: &'s Stacks<'a>,
    frames: Frames,
    numbers: Vec<u32>,
    locations: Vec<LocationId>,
}

impl<'s, 'a> Rows<'s, 'a> {
    pub(super) fn new(stacks: &'s Stacks<'a>, builder: &mut ProfileBuilder) -> Self {
        let frames = Frames::new(stacks.texts().iter().copied(), builder);
        Rows { stacks, frames, numbers: Vec::new(), locations: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, stack: u32, values: &[i64], builder: &mut ProfileBuilder) {
        self.stacks.frames_of(stack, &mut self.numbers);
        self.locations.clear();
        self.frames.locations(&self.numbers, builder, &mut self.locations);
        builder.sample(&self.locations, Labels::NONE, values);
    }
}
