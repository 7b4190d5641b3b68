//! Code used by stacks: a profile may have many functions and names without a stack.

use crate::base::id::{FrameId, FunctionId, Id, LocationId};
use crate::profile::{Frame, Function, Location, Profile};

/// The code that stacks run through, in the profile's order.
pub(super) struct Used<'a> {
    profile: &'a Profile,
    locations: Vec<usize>,
    functions: Vec<usize>,
}

/// Numbers of what is used.
fn kept(is_used: &[bool]) -> Vec<usize> {
    (0..is_used.len()).filter(|&i| is_used[i]).collect()
}

impl<'a> Used<'a> {
    /// O(size).
    pub(super) fn new(profile: &'a Profile) -> Self {
        let code = profile.code();
        let mut is_used = vec![false; code.locations.len()];
        let tree = profile.stacks();
        tree.parent.ids().skip(1).for_each(|node| is_used[code.frames[tree.frame[node]].location.index()] = true);
        let mut is_called = vec![false; code.functions.len()];
        let frames = code.frames.iter().filter(|frame| is_used[frame.location.index()]);
        frames.filter_map(|frame| frame.function).for_each(|function| is_called[function.index()] = true);
        Used { profile, locations: kept(&is_used), functions: kept(&is_called) }
    }

    pub(super) fn locations(&self) -> impl Iterator<Item = &'a Location> {
        let all = &self.profile.code().locations;
        self.locations.iter().map(|&location| &all[LocationId::new(location)])
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = &'a Function> {
        let all = &self.profile.code().functions;
        self.functions.iter().map(|&function| &all[FunctionId::new(function)])
    }

    /// Location by location.
    pub(super) fn frames(&self) -> impl Iterator<Item = (FrameId, &'a Frame)> {
        let all = &self.profile.code().frames;
        self.frame_numbers().map(|frame| (frame, &all[frame]))
    }

    fn frame_numbers(&self) -> impl Iterator<Item = FrameId> {
        self.locations().flat_map(|location| {
            let first = location.first_frame.index();
            (first..first + location.n_frames as usize).map(FrameId::new)
        })
    }

    /// Frame → its new number; 0 for those that are not used.
    pub(super) fn frame_of(&self) -> Vec<u32> {
        let mut number = vec![0; self.profile.code().frames.len()];
        self.frame_numbers().enumerate().for_each(|(new, old)| number[old.index()] = new as u32);
        number
    }
}
