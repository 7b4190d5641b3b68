//! Removes the allocator's own frames from the leaf end of stacks.

use regex::Regex;

use crate::profile::{Profile, is_allocator_library, simple_name};

/// The profile without the frames that its `drop_frames` names (but for `keep_frames`)
/// and all that they call. Expressions that do not compile are left out, as pprof does.
pub fn without_allocator(profile: Profile) -> Profile {
    let whole = |expression: &str| Regex::new(&format!("^(?:{expression})$")).ok();
    let meta = profile.meta();
    if meta.drop_frames.is_empty() {
        return profile;
    }
    let Some(drop) = whole(&meta.drop_frames) else { return profile };
    let keep = Some(&meta.keep_frames).filter(|k| !k.is_empty()).and_then(|k| whole(k));
    let drops = |name: &str| {
        let name = simple_name(name);
        drop.is_match(name) && !keep.as_ref().is_some_and(|k| k.is_match(name))
    };
    profile.pruned(drops, is_allocator_library)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Labels, Line, ProfileBuilder};

    /// Stacks of one location for each word; `a+b` is one location with `a` inlined into `b`.
    fn left(drop: &str, stacks: &[&str]) -> Vec<String> {
        let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        b.meta().drop_frames = drop.into();
        for (i, stack) in stacks.iter().enumerate() {
            let locations: Vec<_> = stack
                .split(' ')
                .map(|word| {
                    let lines: Vec<_> = word
                        .split('+')
                        .map(|name| {
                            let name = b.string(name);
                            Line { function: Some(b.function_named(name)), line: 0, column: 0 }
                        })
                        .collect();
                    b.location(None, 1, &lines)
                })
                .collect();
            b.sample(&locations, Labels::NONE, &[1 + i as i64]);
        }
        let profile = without_allocator(b.build());
        profile.validate().unwrap();
        let name = |f| profile.function_of(f).map_or("?", |(_, f)| profile.text(f.name));
        let stacks = profile.samples().stack.iter();
        stacks.map(|&s| profile.stacks().frames(s).map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn the_stack_ends_at_the_outermost_match_below_a_frame_that_stays() {
        assert_eq!(left("malloc|calloc", &["prof calloc malloc f main", "g main"]), ["f main", "g main"]);
        // From the root on everything matches until a frame stays.
        assert_eq!(left("malloc", &["malloc f malloc"]), ["f malloc"]);
    }

    #[test]
    fn inlined_frames_are_cut_off_their_location() {
        assert_eq!(left("new", &["prof new+f main", "h new+f g main"]), ["f main", "f g main"]);
        assert_eq!(left("new", &["new+f"]), ["f"]);
    }
}
