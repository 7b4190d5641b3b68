//! What to know when recordings of different recorders are compared.

use crate::profile::RunSummary;

/// Recorders, by the beginning of their names in [`RunSummary::recorder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recorder {
    Heaptrack,
    Massif,
    Dhat,
    DhatRs,
    Other,
}

impl Recorder {
    fn of(run: &RunSummary) -> Recorder {
        const NAMES: [(&str, Recorder); 4] =
            [("heaptrack", Recorder::Heaptrack), ("massif", Recorder::Massif), ("DHAT", Recorder::Dhat), ("dhat-rs", Recorder::DhatRs)];
        NAMES.iter().find(|(name, _)| run.recorder.starts_with(name)).map_or(Recorder::Other, |(_, recorder)| *recorder)
    }
}

/// Warnings, a sentence each. `kind`: of the value type that is compared.
pub(super) fn warnings(run: &RunSummary, other: &RunSummary, kind: &str) -> Vec<String> {
    let recorders = [Recorder::of(run), Recorder::of(other)];
    if recorders[0] == recorders[1] {
        return Vec::new();
    }
    let has = |recorder: Recorder| recorders.contains(&recorder);
    let mut warnings = Vec::new();
    if has(Recorder::Dhat) || has(Recorder::DhatRs) {
        let n = if has(Recorder::Dhat) { "12 (--num-callers)" } else { "10" };
        warnings.push(format!(
            "DHAT keeps the innermost {n} frames of a stack: functions can be compared, trees from the root only where both have it"
        ));
    }
    if has(Recorder::Heaptrack) && (has(Recorder::Dhat) || has(Recorder::DhatRs)) {
        let which = if kind.ends_with("objects") { "numbers of blocks differ, too" } else { "of resized blocks the stacks differ" };
        warnings.push(format!(
            "heaptrack moves a block that is resized to the stack of realloc, DHAT leaves it where it was allocated: {which}"
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorders_that_count_differently_are_named() {
        let run = |recorder: &str| RunSummary { recorder: recorder.to_owned(), ..RunSummary::default() };
        let of = |a: &str, b: &str, kind: &str| warnings(&run(a), &run(b), kind);
        assert!(of("DHAT of valgrind", "DHAT of valgrind", "peak_space").is_empty());
        assert!(of("heaptrack 1.4.0", "heaptrack 1.5.0", "peak_space").is_empty());
        let warnings = of("heaptrack 1.4.0", "DHAT of valgrind", "peak_objects");
        assert!(warnings[0].contains("12 (--num-callers)") && warnings[1].contains("numbers of blocks"), "{warnings:?}");
        assert!(of("dhat-rs", "massif", "inuse_space")[0].contains("innermost 10 frames"));
    }
}
