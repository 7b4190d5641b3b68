//! Stacks as `root;…;leaf value` lines, for flame graph tools; `_[i]` marks inlined frames.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::report::TracesReport;

/// Equal stacks are added up; lines come in alphabetical order.
pub(super) fn folded(report: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for trace in &report.trace {
        // The format gives `;` and line ends a meaning.
        let name = |(name, inlined): (&String, &u8)| {
            let plain = name.replace(';', ":").replace(char::is_control, " ");
            if *inlined == 1 { plain + "_[i]" } else { plain }
        };
        let names = trace.frames.iter().zip(&trace.inlined).rev().map(name);
        let sum = sums.entry(names.collect::<Vec<_>>().join(";")).or_default();
        *sum = sum.saturating_add(trace.value);
    }
    sums.iter().filter(|(_, value)| **value != 0).try_for_each(|(stack, value)| writeln!(out, "{stack} {value}"))
}
