//! Accesses by byte as text: a map of the block of each site, and its fields.

use std::io::{self, Write};

use super::Clock;
use super::labels::head;
use crate::base::plain::one_line;
use crate::base::units::iec_label;
use crate::report::{AccessCounts, AccessField, AccessSite, AccessesReport};

/// Columns of a map.
const WIDTH: u64 = 64;

/// Most fields that are listed for a site.
const MOST_FIELDS: usize = 40;

/// Shades from few to many accesses; bytes that were never accessed are points.
const SHADES: [char; 4] = ['░', '▒', '▓', '█'];

/// Site by site.
pub(super) fn accesses(report: &AccessesReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    head(&report.header, clock, out)?;
    if report.site.is_empty() {
        return writeln!(out, "No accesses by byte");
    }
    writeln!(out, "Reads and writes of each byte of a block: · never, ░ ▒ ▓ █ more and more often within the block")?;
    for site in &report.site {
        writeln!(out)?;
        of_site(site, out)?;
    }
    match report.n_sites - report.site.len() {
        0 => Ok(()),
        n => writeln!(out, "\n({n} other sites)"),
    }
}

fn of_site(site: &AccessSite, out: &mut dyn Write) -> io::Result<()> {
    let bytes = |value: i128| iec_label(i64::try_from(value).unwrap_or(i64::MAX), "bytes", "auto");
    let name = if site.row.name.is_empty() { "(no stack)".into() } else { one_line(&site.row.name) };
    let stacks = if site.n_stacks == 1 { String::new() } else { format!(", {} stacks", site.n_stacks) };
    let plural = if site.blocks == 1 { "" } else { "s" };
    writeln!(out, "{name}: {} block{plural} of {} B{stacks}", site.blocks, site.size)?;
    writeln!(out, "  {}", map(site))?;
    let width = site.size.saturating_sub(1).to_string().len();
    for field in site.field.iter().take(MOST_FIELDS) {
        let last = field.start + field.bytes - 1;
        let range = if field.bytes == 1 { format!("{:>width$}", field.start) } else { format!("{:>width$}-{last}", field.start) };
        let count = if field.count == 0 { "never".to_owned() } else { count(site, field) };
        writeln!(out, "  {range:<of$}  {count}", of = 2 * width + 1)?;
    }
    if let Some(n) = site.field.len().checked_sub(MOST_FIELDS).filter(|n| *n > 0) {
        writeln!(out, "  ({n} more fields)")?;
    }
    if site.untouched > 0 {
        let all = i128::from(site.untouched) * i128::from(site.blocks);
        let most = if site.counts == AccessCounts::Exact { "" } else { "at most " };
        writeln!(out, "  never accessed: {most}{} of {} B of each block, {} in all", site.untouched, site.size, bytes(all))?;
    }
    match site.counts {
        AccessCounts::Exact => Ok(()),
        AccessCounts::Wrapped => {
            let missing = site.accessed.saturating_sub(site.counted);
            writeln!(out, "  counts wrapped around: DHAT writes 16 bits of them, {missing} accesses are missing (a multiple of 65,536)")
        }
        AccessCounts::Incomplete => {
            writeln!(out, "  counts incomplete: {} of {} accesses; DHAT drops those of resized blocks", site.counted, site.accessed)
        }
    }
}

/// Accesses of a field, and how many these are for each block.
fn count(site: &AccessSite, field: &AccessField) -> String {
    let each = field.count as f64 / site.blocks.max(1) as f64;
    let most = if site.is_capped && field.count >= 65_535 { " or more" } else { "" };
    match site.blocks {
        1 => format!("{}{most}", field.count),
        _ => format!("{}{most} ({each:.2} for each block)", field.count),
    }
}

/// The block as a line: a column is a byte, or several of large blocks.
fn map(site: &AccessSite) -> String {
    let most = site.field.iter().map(|field| field.count).max().unwrap_or(0);
    let n_columns = site.size.min(WIDTH);
    let mut fields = site.field.iter().peekable();
    let mut line = String::from("|");
    for column in 0..n_columns {
        let (start, end) = (column * site.size / n_columns, (column + 1) * site.size / n_columns);
        // The most of its bytes.
        let mut count = 0;
        while let Some(field) = fields.peek() {
            if field.start < end && field.start + field.bytes > start {
                count = count.max(field.count);
            }
            if field.start + field.bytes > end {
                break;
            }
            fields.next();
        }
        line.push(shade(count, most));
    }
    line.push('|');
    line
}

/// Shade by the logarithm: counts differ by orders of magnitude.
fn shade(count: u64, most: u64) -> char {
    if count == 0 {
        return '·';
    }
    let bits = |n: u64| u64::from(u64::BITS - n.leading_zeros());
    let (of, all) = (bits(count), bits(most).max(1));
    SHADES[((of * SHADES.len() as u64 - 1) / all) as usize % SHADES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_show_holes_and_steps() {
        let field = |start, bytes, count| AccessField { start, bytes, count };
        let site = AccessSite { size: 12, field: vec![field(0, 4, 1), field(4, 4, 0), field(8, 4, 4000)], ..AccessSite::default() };
        assert_eq!(map(&site), "|░░░░····████|");
        let wide = AccessSite { size: 128, field: vec![field(0, 1, 9), field(1, 126, 0), field(127, 1, 9)], ..AccessSite::default() };
        assert_eq!(map(&wide), format!("|█{}█|", "·".repeat(62)));
        assert_eq!([shade(1, 1), shade(1, 8), shade(2, 8), shade(4, 8), shade(8, 8), shade(0, 8)], ['█', '░', '▒', '▓', '█', '·']);
    }
}
