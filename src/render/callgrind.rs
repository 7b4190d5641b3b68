//! callgrind format for KCachegrind, like pprof's.
//!
//! Names are written once and numbered. Addresses are relative to the previous place if that is shorter. A call names its callee
//! by file and function, so functions that share both get suffixes ` [1/2]`, ` [2/2]`.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::base::hash::HashMap;
use crate::base::units;
use crate::report::{CallsReport, Place};

/// Writes `report`.
pub fn callgrind(report: &CallsReport, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let cost = |value: i64| {
        let divided = (value as f64 / header.divide_by) as i64;
        units::scale(divided, &header.unit, &header.output_unit).0 as i64
    };
    writeln!(out, "positions: instr line")?;
    writeln!(out, "events: {}({})", plain(&header.value_type), plain(&header.output_unit))?;
    let callees = callee_names(&report.place);
    let (mut objects, mut files, mut functions) = (Names::default(), Names::default(), Names::default());
    let mut before: Option<&Place> = None;
    for (i, place) in report.place.iter().enumerate() {
        let same = |b: &Place| (&b.object, &b.file, &b.function) == (&place.object, &place.file, &place.function);
        if !before.is_some_and(same) {
            writeln!(out)?;
            writeln!(out, "ob={}", objects.short(&place.object))?;
            writeln!(out, "fl={}", files.short(&place.file))?;
            writeln!(out, "fn={}", functions.short(&place.function))?;
        }
        writeln!(out, "{} {} {}", address(before, place), place.line, cost(report.flat[i]))?;
        for call in &report.calls[i] {
            let callee = &report.place[call.to as usize];
            writeln!(out, "cfl={}", files.short(&callee.file))?;
            writeln!(out, "cfn={}", functions.short(&callees[call.to as usize]))?;
            // The number of calls is unknown.
            writeln!(out, "calls=0 {} {}", address(before, callee), callee.line)?;
            writeln!(out, "* * {}", cost(call.value))?;
        }
        before = Some(place);
    }
    Ok(())
}

/// Place → the name that calls to it use.
fn callee_names<'a>(places: &'a [Place]) -> Vec<Cow<'a, str>> {
    type Twins<'t> = HashMap<(&'t str, i64, Option<u32>), usize>;
    let mut twins: HashMap<(&str, &str), Twins> = HashMap::default();
    for place in places {
        let same_name = twins.entry((&place.file, &place.function)).or_default();
        let next = same_name.len() + 1;
        same_name.entry(identity(place)).or_insert(next);
    }
    let name = |place: &'a Place| {
        let same_name = &twins[&(place.file.as_str(), place.function.as_str())];
        match same_name.len() {
            1 => Cow::Borrowed(place.function.as_str()),
            n => format!("{} [{}/{n}]", place.function, same_name[&identity(place)]).into(),
        }
    };
    places.iter().map(name).collect()
}

/// Distinguishes functions of one name and file.
fn identity(place: &Place) -> (&str, i64, Option<u32>) {
    (&place.object, place.start_line, place.caller)
}

/// Names by number.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    /// The number, with the name when it comes for the first time.
    fn short(&mut self, name: &str) -> String {
        if name.is_empty() {
            return String::new();
        }
        if let Some(number) = self.0.get(name) {
            return format!("({number})");
        }
        let number = self.0.len() + 1;
        self.0.insert(name.to_owned(), number);
        format!("({number}) {}", plain(name))
    }
}

/// A name that ends no line.
fn plain(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// The address as a distance from the place before, where that is shorter.
fn address(before: Option<&Place>, place: &Place) -> String {
    let absolute = format!("{:#x}", place.address);
    let Some(before) = before else { return absolute };
    if before.address == place.address {
        return "*".into();
    }
    let relative = format!("{:+}", place.address.wrapping_sub(before.address) as i64);
    if relative.len() < absolute.len() { relative } else { absolute }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, address: u64) -> Place {
        Place { function: function.into(), address, ..Place::default() }
    }

    #[test]
    fn addresses_are_relative_where_that_is_shorter() {
        let at = |before, now| address(Some(&place("", before)), &place("", now));
        assert_eq!(address(None, &place("", 0x1000)), "0x1000");
        assert_eq!(at(0x1000, 0x1000), "*");
        assert_eq!(at(0x1000, 0x1010), "+16");
        assert_eq!(at(0x7f00_0000_0000, 0x1000), "0x1000");
        assert_eq!(at(0, u64::MAX), "-1");
    }

    #[test]
    fn functions_with_the_same_name_are_distinguished() {
        let twin = |start_line| Place { start_line, ..place("f", 0) };
        assert_eq!(callee_names(&[twin(1), place("g", 0), twin(7), twin(1)]), ["f [1/2]", "g", "f [2/2]", "f [1/2]"]);
    }
}
