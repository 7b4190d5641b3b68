//! What rows reach: a profile may carry much code that no stack runs through, and names of it.

use crate::base::id::{FrameId, FunctionId, Id, LocationId};
use crate::profile::{Frame, Function, Location, Profile};

/// What is told of the code, in the profile's order, and the number by which each thing is told.
pub(super) struct Used<'a> {
    profile: &'a Profile,
    locations: Numbers,
    functions: Numbers,
}

/// Old number → new one, for those that are kept.
struct Numbers {
    kept: Vec<usize>,
    number: Vec<u32>,
}

impl Numbers {
    fn of(is_used: &[bool]) -> Self {
        let mut number = vec![0; is_used.len()];
        let kept: Vec<usize> = (0..is_used.len()).filter(|&i| is_used[i]).collect();
        kept.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
        Numbers { kept, number }
    }
}

impl<'a> Used<'a> {
    /// O(size).
    pub(super) fn new(profile: &'a Profile) -> Self {
        let code = profile.code();
        let mut is_used = vec![false; code.locations.len()];
        let tree = profile.stacks();
        tree.parent.ids().skip(1).for_each(|node| is_used[code.frames[tree.frame[node]].location.index()] = true);
        let locations = Numbers::of(&is_used);
        let mut is_called = vec![false; code.functions.len()];
        let frames = code.frames.iter().filter(|frame| is_used[frame.location.index()]);
        frames.filter_map(|frame| frame.function).for_each(|function| is_called[function.index()] = true);
        Used { profile, locations, functions: Numbers::of(&is_called) }
    }

    pub(super) fn locations(&self) -> impl Iterator<Item = &'a Location> {
        let all = &self.profile.code().locations;
        self.locations.kept.iter().map(|&location| &all[LocationId::new(location)])
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = &'a Function> {
        let all = &self.profile.code().functions;
        self.functions.kept.iter().map(|&function| &all[FunctionId::new(function)])
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

    pub(super) fn location(&self, location: LocationId) -> i64 {
        i64::from(self.locations.number[location.index()])
    }

    pub(super) fn function(&self, function: FunctionId) -> i64 {
        i64::from(self.functions.number[function.index()])
    }

    /// Frame → its new number; 0 of those that are not told.
    pub(super) fn frame_of(&self) -> Vec<u32> {
        let mut number = vec![0; self.profile.code().frames.len()];
        self.frame_numbers().enumerate().for_each(|(new, old)| number[old.index()] = new as u32);
        number
    }
}
