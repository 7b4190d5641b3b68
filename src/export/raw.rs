//! All tables of a profile as text, in the layout of pprof's `-raw`.

use std::io::{self, Write};

use crate::base::hash::HashMap;
use crate::base::id::{Id, LabelSetId, LocationId, StrId};
use crate::base::plain::one_line;
use crate::profile::{LabelValue, Profile};

/// Writes the first dump's columns with all tables. `clock` prints moments.
pub fn write_raw(profile: &Profile, clock: &dyn Fn(i64) -> String, out: &mut dyn Write) -> io::Result<()> {
    let meta = profile.meta();
    for comment in &meta.comments {
        writeln!(out, "Comment: {}", one_line(comment))?;
    }
    if !meta.doc_url.is_empty() {
        writeln!(out, "Doc: {}", one_line(&meta.doc_url))?;
    }
    let (kind, unit) = meta.period_type.as_ref().map_or(("", ""), |t| (&t.kind, &t.unit));
    writeln!(out, "PeriodType: {} {}", one_line(kind), one_line(unit))?;
    writeln!(out, "Period: {}", meta.period)?;
    if let Some(dump) = profile.dumps().first() {
        if dump.time_nanos != 0 {
            writeln!(out, "Time: {}", clock(dump.time_nanos))?;
        }
        if dump.duration_nanos != 0 {
            writeln!(out, "Duration: {}", crate::base::units::label(dump.duration_nanos, "nanoseconds", "auto"))?;
        }
    }
    writeln!(out, "Samples:")?;
    let types = profile.value_types().iter().map(|t| {
        let default = if t.kind == meta.default_type { "[dflt]" } else { "" };
        format!("{}/{}{default}", one_line(&t.kind), one_line(&t.unit))
    });
    writeln!(out, "{}", types.collect::<Vec<_>>().join(" "))?;
    let columns = &profile.columns()[..profile.value_types().len().min(profile.columns().len())];
    let calls = profile.calls();
    for row in 0..profile.samples().len() {
        for column in columns {
            write!(out, " {:>10}", column.get(row))?;
        }
        write!(out, ": ")?;
        for location in calls.of(profile.samples().stack[row]) {
            write!(out, "{} ", location.index() + 1)?;
        }
        writeln!(out)?;
        labels(profile, profile.samples().labels[row], out)?;
    }
    writeln!(out, "Locations")?;
    for id in profile.code().locations.ids() {
        location(profile, id, out)?;
    }
    writeln!(out, "Mappings")?;
    for (id, m) in profile.code().mappings.enumerate() {
        let flags = [(m.has_functions, "[FN]"), (m.has_filenames, "[FL]"), (m.has_line_numbers, "[LN]"), (m.has_inline_frames, "[IN]")];
        let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect();
        let (file, build_id) = (one_line(profile.text(m.file)), one_line(profile.text(m.build_id)));
        writeln!(out, "{}: {:#x}/{:#x}/{:#x} {file} {build_id} {flags}", id.index() + 1, m.start, m.limit, m.offset)?;
    }
    Ok(())
}

/// Two lines at most: texts, then numbers, each sorted.
fn labels(profile: &Profile, set: LabelSetId, out: &mut dyn Write) -> io::Result<()> {
    let mut lists: [Vec<(&str, Vec<String>)>; 2] = [Vec::new(), Vec::new()];
    // Key and list → place in the list.
    let mut known: HashMap<(StrId, usize), usize> = HashMap::default();
    for label in profile.labels().get(set) {
        let (list, text) = match label.value {
            LabelValue::Text(t) => (0, one_line(profile.text(t)).into_owned()),
            LabelValue::Number(n, unit) => match profile.text(unit) {
                "" => (1, n.to_string()),
                unit => (1, format!("{n} {}", one_line(unit))),
            },
        };
        let key = profile.text(label.key);
        let next = lists[list].len();
        match lists[list].get_mut(*known.entry((label.key, list)).or_insert(next)) {
            Some((_, values)) => values.push(text),
            None => lists[list].push((key, vec![text])),
        }
    }
    for list in lists.into_iter().filter(|l| !l.is_empty()) {
        let mut texts: Vec<String> = list.into_iter().map(|(key, values)| format!("{}:[{}]", one_line(key), values.join(" "))).collect();
        texts.sort();
        writeln!(out, "                {}", texts.join(" "))?;
    }
    Ok(())
}

fn location(profile: &Profile, id: LocationId, out: &mut dyn Write) -> io::Result<()> {
    let location = &profile.code().locations[id];
    write!(out, "{:>6}: {:#x} ", id.index() + 1, location.address)?;
    if let Some(mapping) = location.mapping {
        write!(out, "M={} ", mapping.index() + 1)?;
    }
    if location.is_folded {
        write!(out, "[F] ")?;
    }
    for (i, frame) in location.frames().enumerate() {
        if i > 0 {
            write!(out, "             ")?;
        }
        let f = &profile.code().frames[frame];
        match profile.function_of(frame) {
            Some((_, function)) => {
                let (name, system) = (one_line(profile.text(function.name)), one_line(profile.text(function.system_name)));
                let mangled = if name == system { String::new() } else { format!("({system})") };
                let file = one_line(profile.text(function.filename));
                writeln!(out, "{name} {file}:{}:{} s={}{mangled}", f.line, f.column, function.start_line)?;
            }
            None if location.n_frames > 1 => writeln!(out, "??")?,
            // Looked up without result: pprof writes the line of an empty function, unless a server was queried.
            None if profile.mapping_of(id).is_some_and(|(_, m)| m.has_inline_frames || m.has_line_numbers) => writeln!(out, " :0:0 s=0")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
