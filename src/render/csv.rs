//! Tables as CSV (RFC 4180), with raw values in the profile's unit.

use std::borrow::Cow;
use std::io::{self, Write};

use super::ratios::Ratios;
use crate::base::plain::{no_command, one_line};
use crate::report::{
    AccessCounts, AccessesReport, DisasmReport, FlameReport, GraphReport, Gross, GrowthReport, GrowthRow, Header, PeekReport, Report, Row,
    SizeSum, SizesReport, SourceReport, Spread, SummaryReport, SummarySum, TagsReport, TopReport, TracesReport, TypesReport,
};

/// Any report as a table.
pub(super) fn csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    match report {
        Report::Summary(r) => summary(r, out),
        Report::Top(r) => top(r, out),
        Report::Peek(r) => peek(r, out),
        Report::Flame(r) => flame(r, out),
        Report::Graph(r) => graph(r, out),
        Report::Traces(r) => traces(r, out),
        Report::Tags(r) => tags(r, out),
        Report::Sizes(r) => sizes(r, out),
        Report::Source(r) => source(r, out),
        Report::Disasm(r) => disasm(r, out),
        Report::Types(r) => types(r, out),
        Report::Growth(r) => growth(r, out),
        Report::Accesses(r) => accesses(r, out),
    }
}

fn record(out: &mut dyn Write, fields: &[String]) -> io::Result<()> {
    let cells: Vec<String> = fields.iter().map(|field| cell(field)).collect();
    write!(out, "{}\r\n", cells.join(","))
}

/// A number as it is; a text as one line that no spreadsheet takes for a formula and no build
/// server for a command.
fn cell(field: &str) -> String {
    if is_number(field) {
        return field.to_owned();
    }
    let text = one_line(field);
    // Full width forms count where the spreadsheet's language has them.
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    let text = if is_formula { format!("'{text}") } else { text.into_owned() };
    let is_command = matches!(no_command(&text), Cow::Owned(_));
    match is_command || text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn is_number(field: &str) -> bool {
    let is_plain = field.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    is_plain && field.parse::<f64>().is_ok()
}

/// A line for each culprit of each type: lines of one type add up to it.
fn types(r: &TypesReport, out: &mut dyn Write) -> io::Result<()> {
    let names = ["type", "full_type", "value", "base", "companion", "companion_base", "package", "version", "kind"];
    head(out, &[&names[..], &["name", "file", "line", "object"]].concat())?;
    let line = |out: &mut dyn Write, of: [&str; 2], sum: &SummarySum, row: &Row| {
        let of = of.map(str::to_owned);
        let kind = if row.name == "(others)" { "" } else { row.kind.name() };
        let ownership = [row.package.clone(), row.version.clone(), kind.to_owned()];
        record(out, &[&of[..], &sum_cells(&r.header, sum), &ownership, &place(row)].concat())
    };
    let others = Row { name: "(others)".into(), ..Row::default() };
    for of in &r.row {
        let name = type_name(&of.name);
        let names = [&*name, &of.full_name];
        of.culprit.iter().try_for_each(|culprit| line(out, names, &culprit.sum, &culprit.row))?;
        let rest = of.culprit.iter().fold(of.sum, |rest, culprit| difference(rest, culprit.sum));
        if rest != SummarySum::default() {
            line(out, names, &rest, &others)?;
        }
    }
    if r.rest != SummarySum::default() { line(out, ["(others)", ""], &r.rest, &others) } else { Ok(()) }
}

/// Name of a type; empty for unknown types.
fn type_name(name: &str) -> String {
    if name.is_empty() { "unknown".into() } else { name.to_owned() }
}

fn difference(a: SummarySum, b: SummarySum) -> SummarySum {
    SummarySum {
        value: a.value.saturating_sub(b.value),
        base: a.base.saturating_sub(b.base),
        companion: a.companion.saturating_sub(b.companion),
        companion_base: a.companion_base.saturating_sub(b.companion_base),
    }
}

/// The four numbers of a sum, empty where there is none.
fn sum_cells(header: &Header, sum: &SummarySum) -> [String; 4] {
    let cell = |value: i64, is_there: bool| if is_there { value.to_string() } else { String::new() };
    let (has_base, has_companion) = (header.has_base, !header.companion_type.is_empty());
    [
        cell(sum.value, true),
        cell(sum.base, has_base),
        cell(sum.companion, has_companion),
        cell(sum.companion_base, has_base && has_companion),
    ]
}

/// A line for each field of each site.
fn accesses(r: &AccessesReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["size", "blocks", "start", "bytes", "accesses", "counts", "name", "file", "line", "object"])?;
    for site in &r.site {
        let counts = match site.counts {
            AccessCounts::Exact => "exact",
            AccessCounts::Wrapped => "wrapped",
            AccessCounts::Incomplete => "incomplete",
        };
        for field in &site.field {
            let numbers = [site.size.to_string(), site.blocks.to_string(), field.start.to_string(), field.bytes.to_string()];
            record(out, &[&numbers[..], &[field.count.to_string(), counts.to_owned()], &place(&site.row)].concat())?;
        }
    }
    Ok(())
}

fn growth(report: &GrowthReport, out: &mut dyn Write) -> io::Result<()> {
    let axis = match report.axis.as_str() {
        "s" => "second",
        "Minstr" => "million_instructions",
        "MiB" => "mib_allocated",
        "Munit" => "million_units",
        _ => "dump",
    };
    let names = ["first", "last", "peak"].map(str::to_owned);
    let slopes = ["slope", "slope_low", "slope_high"].map(|name| format!("{name}_per_{axis}"));
    let facts = ["p", "share", "shape", "in_steps", "since_dump", "package", "version", "kind", "name", "file", "line", "object", "stack"];
    let dumps = report.dump.iter().map(|dump| dump.name.clone());
    record(out, &[&names[..], &slopes, &facts.map(str::to_owned), &dumps.collect::<Vec<_>>()].concat())?;
    for GrowthRow { row, stack, value, trend, share, .. } in &report.row {
        let numbers = [trend.first, trend.last, trend.peak].map(|v| v.to_string());
        let slopes = [trend.slope, trend.slope_low, trend.slope_high, trend.p, *share].map(|v| v.to_string());
        let began = trend.began.map_or(String::new(), |place| (place + 1).to_string());
        let shape = [trend.shape.name().to_owned(), trend.in_steps.to_string(), began];
        let ownership = [row.package.clone(), row.version.clone(), row.kind.name().to_owned()];
        let values: Vec<String> = value.iter().map(i64::to_string).collect();
        record(out, &[&numbers[..], &slopes, &shape, &ownership, &place(row), &[stack.join(";")], &values].concat())?;
    }
    let n_others = report.n_rows.saturating_sub(report.row.len());
    if n_others == 0 {
        return Ok(());
    }
    // Columns add up to the totals.
    let rest = &report.rest;
    let numbers = [rest.first(), rest.last(), rest.iter().max()].map(|v| v.map_or(String::new(), i64::to_string));
    let (empty, name) = (vec![String::new(); 11], format!("({n_others} others)"));
    let values: Vec<String> = rest.iter().map(i64::to_string).collect();
    record(out, &[&numbers[..], &empty, &[name], &vec![String::new(); 4], &values].concat())
}

fn head(out: &mut dyn Write, names: &[&str]) -> io::Result<()> {
    record(out, &names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>())
}

fn at(values: &[i64], i: usize) -> String {
    values.get(i).map_or(String::new(), i64::to_string)
}

fn place(row: &Row) -> [String; 4] {
    [row.name.clone(), row.file.clone(), if row.line == 0 { String::new() } else { row.line.to_string() }, row.object.clone()]
}

/// Headings of the columns for sampling error and gross growth, with prefixes such as `cum_`.
fn error_names(header: &Header, of: &[&str]) -> Vec<String> {
    let sure: &[&str] = match (header.spread, header.has_base) {
        (None, _) => &[],
        (Some(_), false) => &["samples", "error"],
        (Some(_), true) => &["samples", "samples_base", "error", "change_error"],
    };
    let gross: &[&str] = if header.gross.is_some() { &["grown", "shrunk"] } else { &[] };
    of.iter().flat_map(|of| sure.iter().chain(gross).map(move |name| format!("{of}{name}"))).collect()
}

/// Cells of these columns.
fn error_cells(header: &Header, spread: Option<&Spread>, gross: Option<&Gross>) -> Vec<String> {
    let sure = header.spread.and(spread).map_or(Vec::new(), |s| match header.has_base {
        false => vec![s.samples, s.error],
        true => vec![s.samples, s.samples_base, s.error, s.change_error],
    });
    let gross = header.gross.and(gross).map_or(Vec::new(), |g| vec![g.grown, g.shrunk]);
    sure.into_iter().chain(gross).map(|number| number.to_string()).collect()
}

fn top(r: &TopReport, out: &mut dyn Write) -> io::Result<()> {
    let mut names: Vec<String> = ["flat", "cum", "flat_base", "cum_base"].map(str::to_owned).into();
    let has_companion = !r.header.companion_type.is_empty();
    if has_companion {
        names.extend(["flat", "cum"].map(|of| format!("{of}_{}", r.header.companion_type)));
    }
    names.extend(error_names(&r.header, &["flat_", "cum_"]));
    names.extend(["name", "file", "line", "object"].map(str::to_owned));
    if !r.held.is_empty() {
        names.extend(["type", "type_value"].map(str::to_owned));
    }
    let ratios = Ratios::of(r);
    names.extend(ratios.names().into_iter().map(str::to_owned));
    record(out, &names)?;
    for (i, row) in r.row.iter().enumerate() {
        let mut fields: Vec<String> = [&r.flat, &r.cum, &r.flat_base, &r.cum_base].map(|of| at(of, i)).into();
        if has_companion {
            fields.extend([at(&r.flat_companion, i), at(&r.cum_companion, i)]);
        }
        fields.extend(error_cells(&r.header, r.flat_spread.get(i), r.flat_gross.get(i)));
        fields.extend(error_cells(&r.header, r.cum_spread.get(i), r.cum_gross.get(i)));
        fields.extend(place(row));
        fields.extend(r.held.get(i).into_iter().flat_map(|held| [type_name(&held.name), held.value.saturating_sub(held.base).to_string()]));
        fields.extend(ratios.values(i));
        record(out, &fields)?;
    }
    Ok(())
}

fn peek(r: &PeekReport, out: &mut dyn Write) -> io::Result<()> {
    let names = ["function", "relation", "other", "value", "base", "flat", "flat_base"].map(str::to_owned);
    record(out, &[&names[..], &error_names(&r.header, &[""])].concat())?;
    for entry in r.entry.iter() {
        let (cum, cum_base) = (entry.cum.to_string(), entry.cum_base.to_string());
        let own = [entry.flat.to_string(), entry.flat_base.to_string()];
        let sure = error_cells(&r.header, entry.cum_spread.as_ref(), entry.cum_gross.as_ref());
        record(out, &[&[entry.row.name.clone(), "itself".into(), String::new(), cum, cum_base][..], &own, &sure].concat())?;
        for (relation, links) in [("caller", entry.callers), ("callee", entry.callees)] {
            for link in links.iter() {
                let fields = [
                    entry.row.name.clone(),
                    relation.into(),
                    link.row.name.clone(),
                    link.value.to_string(),
                    link.base.to_string(),
                    String::new(),
                    String::new(),
                ];
                record(out, &[&fields[..], &error_cells(&r.header, link.spread.as_ref(), link.gross.as_ref())].concat())?;
            }
        }
    }
    Ok(())
}

fn flame(r: &FlameReport, out: &mut dyn Write) -> io::Result<()> {
    let optional = [
        ("cum_samples", &r.cum_samples),
        ("cum_error", &r.cum_error),
        ("cum_change_error", &r.cum_change_error),
        ("cum_grown", &r.cum_grown),
        ("cum_shrunk", &r.cum_shrunk),
    ];
    let columns = || optional.iter().filter(|(_, column)| !column.is_empty());
    let names: Vec<&str> = columns().map(|(name, _)| *name).collect();
    head(out, &[&["depth", "cum", "flat", "cum_base", "flat_base"], &names[..], &["name", "file", "line", "object"]].concat())?;
    for (i, &node) in r.node.iter().enumerate() {
        let unnamed = Row::default();
        let row = usize::try_from(node).map_or(&unnamed, |n| &r.row[n]);
        let numbers = [r.depth[i].to_string(), at(&r.cum, i), at(&r.flat, i), at(&r.cum_base, i), at(&r.flat_base, i)];
        let more: Vec<String> = columns().map(|(_, column)| at(column, i)).collect();
        record(out, &[&numbers[..], &more, &place(row)].concat())?;
    }
    Ok(())
}

fn graph(r: &GraphReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["caller", "callee", "value", "base", "residual", "inlined"])?;
    let e = &r.edges;
    for i in 0..e.from.len() {
        let (from, to) = (r.row[e.from[i] as usize].name.clone(), r.row[e.to[i] as usize].name.clone());
        record(out, &[from, to, at(&e.value, i), at(&e.base, i), e.residual[i].to_string(), e.inlined[i].to_string()])?;
    }
    Ok(())
}

fn traces(r: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["value", "labels", "stack"])?;
    for trace in r.trace.iter() {
        let labels: Vec<String> = trace.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
        record(out, &[trace.value.to_string(), labels.join(";"), trace.frames.join(";")])?;
    }
    Ok(())
}

fn tags(r: &TagsReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["key", "value", "weight", "base", "number", "unit"])?;
    let base = |base: i64| if r.header.has_base { base.to_string() } else { String::new() };
    for tag in &r.tag {
        for value in &tag.values {
            let key_and_value = [tag.key.clone(), value.name.clone()];
            if value.numbers.is_empty() {
                record(out, &[&key_and_value[..], &[value.value.to_string(), base(value.base), String::new(), String::new()]].concat())?;
            }
            // Values that text output rounds to the same number differ here.
            for n in &value.numbers {
                let parts = [n.value.to_string(), base(n.base), n.number.to_string(), n.unit.clone()];
                record(out, &[&key_and_value[..], &parts].concat())?;
            }
        }
    }
    Ok(())
}

/// A line for each culprit and one for all others; they add up.
fn summary(r: &SummaryReport, out: &mut dyn Write) -> io::Result<()> {
    let names = ["value", "base", "companion", "companion_base", "package", "version", "kind", "name", "file", "line", "object", "type"];
    let more = error_names(&r.header, &[""]);
    record(out, &[&names.map(str::to_owned)[..], &more].concat())?;
    let numbers = |sum: &SummarySum| sum_cells(&r.header, sum);
    for culprit in &r.culprit {
        let row = &culprit.row;
        let ownership = [row.package.clone(), row.version.clone(), row.kind.name().to_owned()];
        let sure = error_cells(&r.header, culprit.spread.as_ref(), culprit.gross.as_ref());
        record(out, &[&numbers(&culprit.sum)[..], &ownership, &place(row), &[type_name(&culprit.held.name)], &sure].concat())?;
    }
    if r.rest != SummarySum::default() {
        let others = place(&Row { name: "(others)".into(), ..Row::default() });
        let unknown = vec![String::new(); more.len()];
        record(out, &[&numbers(&r.rest)[..], &[const { String::new() }; 3], &others, &[String::new()], &unknown].concat())?;
    }
    Ok(())
}

/// A line for each function of each class: lines of one class add up to it.
fn sizes(r: &SizesReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["from", "to", "bytes", "objects", "bytes_base", "objects_base", "name", "file", "line", "object"])?;
    let numbers = |sum: &SizeSum| {
        let cell = |value: i64, kind: &str, is_there: bool| if kind.is_empty() || !is_there { String::new() } else { value.to_string() };
        let (has_base, bytes, objects) = (r.header.has_base, &r.bytes_type, &r.objects_type);
        [
            cell(sum.bytes, bytes, true),
            cell(sum.objects, objects, true),
            cell(sum.bytes_base, bytes, has_base),
            cell(sum.objects_base, objects, has_base),
        ]
    };
    let others = |name: &str| place(&Row { name: name.into(), ..Row::default() });
    for class in &r.class {
        let range = [class.low.to_string(), class.high.to_string()];
        for part in &class.part {
            record(out, &[&range[..], &numbers(&part.sum), &place(&r.row[part.row])].concat())?;
        }
        if class.rest != SizeSum::default() {
            record(out, &[&range[..], &numbers(&class.rest), &others("(others)")].concat())?;
        }
    }
    if r.of_unknown != SizeSum::default() {
        let range = [String::new(), String::new()];
        record(out, &[&range[..], &numbers(&r.of_unknown), &others("(size unknown)")].concat())?;
    }
    Ok(())
}

fn source(r: &SourceReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["function", "file", "line", "flat", "cum", "flat_base", "cum_base", "text"])?;
    for entry in &r.entry {
        let lines = &entry.lines;
        for (i, number) in lines.number.iter().enumerate() {
            let place = [entry.name.clone(), entry.file.clone(), if *number == 0 { String::new() } else { number.to_string() }];
            let numbers = [at(&lines.flat, i), at(&lines.cum, i), at(&lines.flat_base, i), at(&lines.cum_base, i)];
            record(out, &[&place[..], &numbers, &[lines.text[i].clone().unwrap_or_default()]].concat())?;
        }
    }
    Ok(())
}

fn disasm(r: &DisasmReport, out: &mut dyn Write) -> io::Result<()> {
    head(out, &["symbol", "address", "flat", "cum", "flat_base", "cum_base", "instruction", "function", "file", "line", "object"])?;
    for routine in &r.routine {
        for row in &routine.row {
            let base = |value: i64| if r.header.has_base { value.to_string() } else { String::new() };
            let numbers = [row.flat.to_string(), row.cum.to_string(), base(row.flat_base), base(row.cum_base)];
            let (function, file, line) =
                routine.place.get(row.place).map_or((String::new(), String::new(), 0), |p| (p.function.clone(), p.file.clone(), p.line));
            let line = if line == 0 { String::new() } else { line.to_string() };
            let code = [routine.name.clone(), format!("{:#x}", row.address)];
            record(out, &[&code[..], &numbers, &[row.text.clone(), function, file, line, routine.object.clone()]].concat())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_line_and_no_formulas() {
        assert_eq!(cell("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(cell("-[NSObject init]"), "'-[NSObject init]");
        assert_eq!(cell("@SUM(1,2)"), "\"'@SUM(1,2)\"");
        assert_eq!(cell(" +1+1"), "' +1+1");
        assert_eq!(cell("\t=1"), "\\t=1");
        assert_eq!(cell("a\r\n::error::b\u{9b}"), "a\\r\\n::error::b\\u{9b}");
        assert_eq!(cell("::error::b"), "\"::error::b\"");
        assert_eq!(cell("a \"b\""), "\"a \"\"b\"\"\"");
    }

    #[test]
    fn numbers_stay_numbers() {
        for number in ["-5", "-0.25", "1e-7", "0", "", "+3"] {
            assert_eq!(cell(number), number);
        }
        assert_eq!(cell("-5-5"), "'-5-5");
        assert_eq!(cell("-inf"), "'-inf");
    }
}
