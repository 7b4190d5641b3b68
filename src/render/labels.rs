//! Header lines of text reports, like pprof's.

use std::io::{self, Write};

use super::Clock;
use crate::base::plain::base_name;
use crate::base::plain::one_line;
use crate::base::units;
use crate::report::{Header, MatchedBuild, MatchedBuilds};

/// Value of a column at `i` minus its base; `base` may be empty.
pub(super) fn minus(values: &[i64], base: &[i64], i: usize) -> i64 {
    values[i].saturating_sub(base.get(i).copied().unwrap_or(0))
}

/// Prints values of one report, all in its unit.
pub(super) struct Numbers<'a> {
    header: &'a Header,
    label: fn(i64, &str, &str) -> String,
}

impl<'a> Numbers<'a> {
    /// As pprof prints them.
    pub(super) fn new(header: &'a Header) -> Self {
        Numbers { header, label: units::label }
    }

    /// As reports that pprof does not have print them.
    pub(super) fn iec(header: &'a Header) -> Self {
        Numbers { header, label: units::iec_label }
    }

    /// A value with its unit.
    pub(super) fn value(&self, value: i64) -> String {
        let Header { unit, output_unit, divide_by, .. } = self.header;
        let value = if *divide_by == 1.0 { value } else { (value as f64 / divide_by) as i64 };
        one_line(&(self.label)(value, unit, output_unit)).into_owned()
    }

    /// A value's share of the total, six columns wide.
    pub(super) fn percent(&self, value: i64) -> String {
        units::percentage(value, self.header.total)
    }
}

/// Lines about the profile: file, type, time.
pub fn profile_labels(header: &Header, time: &dyn Fn(i64) -> String) -> Vec<String> {
    let mut labels = Vec::new();
    let mut push = |name: &str, value: &str| {
        if !value.is_empty() {
            labels.push(format!("{name}{}", one_line(value)));
        }
    };
    push("File: ", &header.file);
    push("Build ID: ", &header.build_id);
    for comment in header.comments.iter().filter(|c| !c.starts_with('#')) {
        push("", comment);
    }
    match &*header.value_note {
        "" => push("Type: ", &header.value_type),
        note => push("Type: ", &format!("{} ({note})", header.value_type)),
    }
    push("Doc: ", &header.doc_url);
    if header.time_nanos != 0 {
        push("Time: ", &time(header.time_nanos));
    }
    if header.duration_nanos != 0 {
        let numbers = Numbers::new(header);
        let ratio = match units::factor(&header.unit, "nanoseconds") {
            Some(factor) if header.total != 0 => {
                format!("({})", units::percentage((header.total as f64 * factor) as i64, header.duration_nanos))
            }
            _ => String::new(),
        };
        let duration = units::label(header.duration_nanos, "nanoseconds", "auto");
        push("Duration: ", &format!("{duration}, Total samples = {} {ratio}", numbers.value(header.total)));
    }
    labels
}

/// Header of our own reports: the same lines, and the active filters.
pub(super) fn head(header: &Header, time: Clock, out: &mut dyn Write) -> io::Result<()> {
    if !header.compact {
        for label in profile_labels(header, time) {
            writeln!(out, "{label}")?;
        }
    }
    if !header.filters.is_empty() {
        writeln!(out, "Active filters:")?;
        for filter in &header.filters {
            writeln!(out, "   {}", one_line(filter))?;
        }
    }
    for line in matched_builds(header).into_iter().chain(wrappers(header)) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Line about the number of functions matched between builds.
pub(super) fn matched_builds(header: &Header) -> Option<String> {
    let MatchedBuilds { build, n_by_name, n_by_form, n_by_last_part, n_by_place, n_folded_calls } = header.builds.as_ref()?;
    let of_build = |b: &MatchedBuild| format!("{} of {} in {}", b.n_matched, b.n_functions, one_line(base_name(&b.file)));
    let builds: Vec<String> = build.iter().map(of_build).collect();
    let both = if build.len() == 2 { "both" } else { "several" };
    let how = match n_by_form + n_by_last_part + n_by_place {
        0 => String::new(),
        n => format!(" ({n_by_name} with the same name, {n} spelled differently)"),
    };
    let folded = match n_folded_calls {
        0 => String::new(),
        1 => "; 1 inlined call that has a name in one build only is counted for its caller".into(),
        n => format!("; {n} inlined calls that have a name in one build only are counted for their callers"),
    };
    Some(format!("Functions in {both} builds: {}{how}{folded}", builds.join(", ")))
}

/// Line about allocation wrappers whose callers are charged, and how to charge the first of them instead.
pub(super) fn wrappers(header: &Header) -> Option<String> {
    let first = header.wrappers.first()?;
    Some(format!("Charged to callers: {} (allocation wrappers; -kinds=function:{}=own to undo)", wrapper_names(header), one_line(first)))
}

/// The first allocation wrappers, and how many more there are.
pub(super) fn wrapper_names(header: &Header) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<String> = header.wrappers.iter().take(SHOWN).map(|name| one_line(name).into_owned()).collect();
    if header.wrappers.len() > SHOWN {
        names.push(format!("{} more", header.wrappers.len() - SHOWN));
    }
    names.join(", ")
}

/// Unit of reports whose numbers are printed individually: automatic, unless one was requested.
pub(super) fn fitting_unit(header: &Header) -> &str {
    if header.output_unit == "minimum" { "auto" } else { &header.output_unit }
}

/// Everything above a table or inside a graph's legend.
pub(super) fn report_labels(header: &Header, time: &dyn Fn(i64) -> String, graph: bool) -> Vec<String> {
    let numbers = Numbers::new(header);
    let mut labels = if graph || !header.compact { profile_labels(header, time) } else { Vec::new() };
    if !header.filters.is_empty() {
        labels.push("Active filters:".into());
        labels.extend(header.filters.iter().map(|f| format!("   {}", shorten(f))));
    }
    labels.extend(matched_builds(header));
    labels.extend(wrappers(header));
    let share = numbers.percent(header.shown);
    labels.push(format!(
        "Showing nodes accounting for {}, {} of {} total",
        numbers.value(header.shown),
        share.trim(),
        numbers.value(header.total)
    ));
    if header.total != 0 {
        let dropped = |n: usize, what: &str, by: &str, cutoff: i64| {
            let plural = if n > 1 { "s" } else { "" };
            format!("Dropped {n} {what}{plural} ({by} <= {})", numbers.value(cutoff))
        };
        if header.dropped_nodes > 0 {
            labels.push(dropped(header.dropped_nodes, "node", "cum", header.node_cutoff));
        }
        if header.dropped_edges > 0 && graph {
            labels.push(dropped(header.dropped_edges, "edge", "freq", header.edge_cutoff));
        }
        if header.n_shown > 0 && header.n_shown < header.n_total {
            labels.push(format!("Showing top {} nodes out of {}", header.n_shown, header.n_total));
        }
    }
    if graph {
        labels.push("\nSee https://git.io/JfYMW for how to read the graph".into());
    }
    labels
}

/// At most 80 bytes of a filter, as pprof's legend has it.
fn shorten(filter: &str) -> String {
    match filter.len() {
        0..=80 => filter.to_owned(),
        _ => {
            let end = (0..=80).rev().find(|&i| filter.is_char_boundary(i)).unwrap_or(0);
            format!("{}…", &filter[..end])
        }
    }
}
