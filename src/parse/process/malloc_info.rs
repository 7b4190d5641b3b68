//! glibc's `malloc_info`: XML of a fixed form.

use super::problems::{Problem, Problems};
use super::section::Section;
use crate::parse::lines::find;
use crate::profile::{GlibcStats, ProcessFacts};

const END: &[u8] = b"</malloc>";

/// Sums of one arena, or of all.
#[derive(Clone, Copy, Default)]
struct Sums {
    system: i64,
    fast: i64,
    rest: i64,
    binned: i64,
}

/// Reads the element that begins at `at` of the first line.
pub(super) fn read(section: &mut Section, at: usize, problems: &mut Problems) -> Option<ProcessFacts> {
    let line = section.line;
    let text = &section.text[at..];
    let end = find(text, END, 0);
    let xml = &text[..end.unwrap_or(text.len())];
    let (mut of_heaps, mut total) = (Sums::default(), Sums::default());
    let mut mapped = 0;
    let mut in_heap = false;
    let mut has_total = false;
    for tag in tags(xml) {
        let name = &tag[..tag.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'/').unwrap_or(tag.len())];
        let sums = if in_heap { &mut of_heaps } else { &mut total };
        let add = |sum: &mut i64, name: &[u8]| *sum = sum.saturating_add(number(tag, name).unwrap_or(0));
        match name {
            b"heap" => in_heap = true,
            _ if tag.starts_with(b"/heap") => in_heap = false,
            b"size" | b"unsorted" => add(&mut sums.binned, b"total"),
            b"system" if attribute(tag, b"type") == Some(b"current") => {
                has_total |= !in_heap;
                add(&mut sums.system, b"size");
            }
            b"total" => match attribute(tag, b"type") {
                Some(b"fast") => add(&mut sums.fast, b"size"),
                Some(b"rest") => add(&mut sums.rest, b"size"),
                Some(b"mmap") => add(&mut mapped, b"size"),
                _ => {}
            },
            _ => {}
        }
    }
    match end {
        Some(end) => section.skip(at + end + END.len()),
        None => {
            problems.add(Problem::Cut, line);
            section.skip(section.text.len());
        }
    }
    // The totals at the end are the sums of the arenas.
    let Sums { system, fast, rest, .. } = if has_total { total } else { of_heaps };
    if system == 0 {
        problems.add(Problem::NoTotal, line);
        return None;
    }
    Some(ProcessFacts::Glibc(GlibcStats { system, fast, rest, binned: of_heaps.binned, mapped }))
}

/// What is between `<` and `>`, tag by tag.
fn tags(xml: &[u8]) -> impl Iterator<Item = &[u8]> {
    xml.split(|byte| *byte == b'<').skip(1).map(|tag| &tag[..tag.iter().position(|byte| *byte == b'>').unwrap_or(tag.len())])
}

/// The value of ` name="value"`.
fn attribute<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut parts = tag.split(|byte| *byte == b'"');
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        let key = key.trim_ascii().strip_suffix(b"=")?;
        if key.rsplit(|byte| byte.is_ascii_whitespace()).next() == Some(name) {
            return Some(value);
        }
    }
    None
}

fn number(tag: &[u8], name: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(attribute(tag, name)?).ok()?;
    text.parse::<u64>().ok().map(|number| i64::try_from(number).unwrap_or(i64::MAX))
}
