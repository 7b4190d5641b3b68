//! Stacks as `root;…;leaf value` lines, for flame graph tools.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::report::TracesReport;

/// Equal stacks are added up; lines come in alphabetical order.
pub(super) fn folded(report: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for trace in &report.trace {
        // The format gives `;` and line ends a meaning.
        let names = trace.frames.iter().rev().map(|name| name.replace([';', '\n', '\r'], ","));
        let sum = sums.entry(names.collect::<Vec<_>>().join(";")).or_default();
        *sum = sum.saturating_add(trace.value);
    }
    sums.iter().filter(|(_, value)| **value != 0).try_for_each(|(stack, value)| writeln!(out, "{stack} {value}"))
}
