//! Calls for callgrind, and stacks for flame graph tools.

use std::collections::BTreeMap;

use super::selection::{Selection, name, outermost};
use crate::base::id::LocationId;
use crate::report::{JeprofCalls, JeprofPlace, JeprofStacks};

/// `ExtractCalls`: addresses by their outermost function; sorted by file and line.
pub fn calls(selection: &Selection<'_>) -> JeprofCalls {
    let mut calls: BTreeMap<(JeprofPlace, Option<JeprofPlace>), i64> = BTreeMap::new();
    for path in &selection.stacks {
        let mut callee = None;
        for &location in &path.locations {
            let at = place(selection, location);
            let sum = calls.entry((at.clone(), callee)).or_default();
            *sum = sum.saturating_add(path.value);
            callee = Some(at);
        }
    }
    let call = calls.into_iter().map(|((from, to), value)| (from, to, value)).collect();
    JeprofCalls { header: selection.header, call }
}

fn place(selection: &Selection<'_>, location: LocationId) -> JeprofPlace {
    let profile = selection.profile;
    let frame = profile.code().locations[location].frames().next_back();
    let function = frame.and_then(|f| profile.function_of(f));
    let file = function.map(|(_, f)| profile.text(f.filename)).filter(|f| !f.is_empty());
    JeprofPlace {
        file: file.unwrap_or("??").to_owned(),
        line: frame.filter(|_| file.is_some()).map_or(0, |f| profile.code().frames[f].line),
        function: if function.is_some() { outermost(profile, location) } else { "unknown".into() },
    }
}

/// `PrintCollapsedStacks`: names joined by `;`, root first, with the value. Stacks of the
/// same names are one line; lines come in alphabetical order.
pub fn collapsed(selection: &Selection<'_>) -> JeprofStacks {
    let frames = &selection.profile.code().frames;
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for path in &selection.stacks {
        let mut names: Vec<String> = selection
            .frames(path)
            .map(|frame| {
                let mark = if frames[frame].inlined { "[inline]" } else { "" };
                // The format gives `;` and line ends a meaning.
                name(selection.profile, frame).replace(';', ":").replace(char::is_control, " ") + mark
            })
            .collect();
        names.reverse();
        let sum = sums.entry(names.join(";")).or_default();
        *sum = sum.saturating_add(path.value);
    }
    let stack = sums.into_iter().filter(|(stack, value)| !stack.is_empty() && *value != 0).collect();
    JeprofStacks { header: selection.header, stack }
}
