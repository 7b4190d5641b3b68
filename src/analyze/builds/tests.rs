//! Two builds of one program, one with fewer inlined calls recorded.

use proptest::prelude::*;

use super::match_builds;
use crate::profile::{Labels, Line, Profile, ProfileBuilder, merge};

/// A call: a function, and those inlined into it, outermost first.
type Call<'a> = &'a [&'a str];

/// Rows of calls, root first, with their bytes.
fn dump(build: u64, rows: &[(Vec<Call>, i64)]) -> Profile {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let file = b.string(&format!("/srv/build-{build}"));
    let mapping = b.mapping(crate::profile::Mapping { start: 0x1000, limit: 0xf_ffff, file, ..Default::default() });
    let source = b.string("a.rs");
    for (calls, bytes) in rows {
        let mut stack = Vec::new();
        for call in calls.iter().rev() {
            let lines: Vec<Line> = call
                .iter()
                .rev()
                .map(|name| {
                    let name = b.string(name);
                    let function = b.function(crate::profile::Function { name, filename: source, ..Default::default() });
                    Line { function: Some(function), line: 7, column: 0 }
                })
                .collect();
            // An address for each call.
            let address =
                0x2000 + build * 0x1000 + call.iter().flat_map(|name| name.bytes()).fold(0u64, |sum, b| (sum * 31 + u64::from(b)) % 4096);
            stack.push(b.location(Some(mapping), address, &lines));
        }
        b.sample(&stack, Labels::NONE, &[*bytes]);
    }
    b.build()
}

/// Stacks as text with the bytes in each dump, in order of the text.
fn stacks(profile: &Profile) -> Vec<(String, Vec<i64>)> {
    let mut found = std::collections::BTreeMap::<String, Vec<i64>>::new();
    let n = profile.dumps().len();
    for dump in 0..n {
        for (row, value) in profile.values(dump, 0).into_iter().enumerate().filter(|(_, value)| *value != 0) {
            let frames: Vec<_> = profile.stacks().frames(profile.samples().stack[row]).collect();
            let name = |frame: &crate::base::id::FrameId| profile.function_of(*frame).map_or("", |(_, f)| profile.text(f.name));
            let text = frames.iter().rev().map(name).collect::<Vec<_>>().join(";");
            found.entry(text).or_insert_with(|| vec![0; n])[dump] += value;
        }
    }
    found.into_iter().collect()
}

fn matched(old: &[(Vec<Call>, i64)], new: &[(Vec<Call>, i64)]) -> (Vec<(String, Vec<i64>)>, usize) {
    let profile = match_builds(merge(vec![dump(0, old), dump(1, new)]).unwrap(), &[]);
    profile.validate().unwrap();
    let n_folded = profile.meta().matched_builds.as_ref().unwrap().n_folded_calls;
    (stacks(&profile), n_folded)
}

#[test]
fn calls_that_one_build_lacks_are_part_of_their_callers() {
    let old: &[(Vec<Call>, i64)] =
        &[(vec![&["main"], &["a::serve", "v::push", "v::reserve"], &["v::grow"]], 10), (vec![&["main"], &["a::log"]], 3)];
    let new: &[(Vec<Call>, i64)] = &[(vec![&["main"], &["a::serve"], &["v::grow"]], 16), (vec![&["main"], &["a::log"]], 4)];
    for (old, new, bytes) in [(old, new, [10, 16]), (new, old, [16, 10])] {
        let (stacks, n_folded) = matched(old, new);
        assert_eq!(stacks[1], ("main;a::serve;v::grow".to_owned(), bytes.to_vec()));
        assert_eq!((stacks.len(), n_folded), (2, 2));
    }
    // Stacks that end in an inlined call end in its caller where the other build has no more.
    let (stacks, _) = matched(&[(vec![&["main"], &["a::serve", "v::push"]], 5)], &[(vec![&["main"], &["a::serve"]], 6)]);
    assert_eq!(stacks, [("main;a::serve".to_owned(), vec![5, 6])]);
}

#[test]
fn new_code_is_not_taken_for_a_call_that_a_build_lacks() {
    let old: &[(Vec<Call>, i64)] = &[(vec![&["main"], &["a::serve", "a::read"], &["v::grow"]], 10)];
    // Calls a function that was not called before; or both variants are there.
    let new: &[(Vec<Call>, i64)] =
        &[(vec![&["main"], &["a::serve", "a::read"], &["v::grow"]], 10), (vec![&["main"], &["a::serve", "a::leak"], &["m::insert"]], 90)];
    let (stacks, n_folded) = matched(old, new);
    assert_eq!((stacks.len(), n_folded), (2, 0));
    let both: &[(Vec<Call>, i64)] =
        &[(vec![&["main"], &["a::serve", "a::leak"], &["v::grow"]], 90), (vec![&["main"], &["a::serve"], &["v::grow"]], 5)];
    let (stacks, n_folded) = matched(&[(vec![&["main"], &["a::serve"], &["v::grow"]], 5)], both);
    assert_eq!((stacks.len(), n_folded), (2, 0));
    // Another function in the same place is another function.
    let (stacks, n_folded) =
        matched(&[(vec![&["main"], &["a::serve", "a::b"], &["v::grow"]], 5)], &[(vec![&["main"], &["a::serve", "a::c"], &["v::grow"]], 5)]);
    assert_eq!((stacks.len(), n_folded), (2, 0));
}

#[test]
fn ambiguous_last_parts_are_matched_by_callers() {
    let old: &[(Vec<Call>, i64)] = &[(vec![&["main"], &["a::one", "new"]], 1), (vec![&["main"], &["a::two", "new"]], 2)];
    let new: &[(Vec<Call>, i64)] = &[(vec![&["main"], &["a::one", "x::X::new"]], 3), (vec![&["main"], &["a::two", "y::Y::new"]], 4)];
    let (stacks, _) = matched(old, new);
    assert_eq!(stacks, [("main;a::one;x::X::new".to_owned(), vec![1, 3]), ("main;a::two;y::Y::new".to_owned(), vec![2, 4])]);
}

proptest! {
    /// Whatever a build lacks of what was inlined: values stay, functions that are not inlined stay, and trees of builds that
    /// differ in that only become one.
    #[test]
    fn values_stay(rows in prop::collection::vec((prop::collection::vec(prop::collection::vec(0usize..6, 1..4), 1..5), 1i64..100), 1..12), bare in any::<bool>(), kept in any::<u64>()) {
        const NAMES: [&str; 6] = ["a::f", "a::g", "a::h", "b::f", "b::g", "c"];
        let calls: Vec<(Vec<Vec<&str>>, i64)> =
            rows.iter().map(|(calls, bytes)| (calls.iter().map(|call| call.iter().map(|&i| NAMES[i]).collect()).collect(), *bytes)).collect();
        fn whole<'a>(rows: &'a [(Vec<Vec<&'a str>>, i64)]) -> Vec<(Vec<Call<'a>>, i64)> {
            rows.iter().map(|(calls, bytes)| (calls.iter().map(Vec::as_slice).collect(), *bytes)).collect()
        }
        let less: Vec<(Vec<Vec<&str>>, i64)> = calls
            .iter()
            .map(|(calls, bytes)| {
                let keeps = |i: usize, j: usize| j == 0 || !bare && kept >> ((i * 5 + j) % 64) & 1 == 1;
                let less = |(i, call): (usize, &Vec<&'static str>)| call.iter().enumerate().filter(|(j, _)| keeps(i, *j)).map(|(_, n)| *n).collect();
                (calls.iter().enumerate().map(less).collect(), *bytes)
            })
            .collect();
        let profile = match_builds(merge(vec![dump(0, &whole(&calls)), dump(1, &whole(&less))]).unwrap(), &[]);
        prop_assert!(profile.validate().is_ok(), "{:?}", profile.validate());
        let total: i64 = calls.iter().map(|row| row.1).sum();
        for dump in 0..2 {
            prop_assert_eq!(profile.values(dump, 0).iter().sum::<i64>(), total);
        }
        // Each row ends with the calls that are not inlined, in order.
        for (text, values) in stacks(&profile) {
            prop_assert!(values.iter().all(|value| *value >= 0), "{} {:?}", text, values);
        }
    }
}
