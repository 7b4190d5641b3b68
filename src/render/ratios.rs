//! Columns of means and quotients in Top.

use crate::base::units::label;
use crate::report::TopReport;

/// The columns that a report has.
pub(super) struct Ratios<'a> {
    report: &'a TopReport,
    columns: Vec<Column<'a>>,
}

/// A column: its name, its values, and how one is printed.
type Column<'a> = (&'static str, &'a [f64], fn(&TopReport, f64) -> String);

impl<'a> Ratios<'a> {
    pub(super) fn of(report: &'a TopReport) -> Self {
        let all: [Column<'a>; 4] = [
            ("size", &report.mean_size, |_, size| amount(size, "bytes")),
            ("lifetime", &report.mean_lifetime, |report, lifetime| amount(lifetime, &report.lifetime_unit)),
            ("reads/B", &report.reads_per_byte, |_, reads| quotient(reads)),
            ("writes/B", &report.writes_per_byte, |_, writes| quotient(writes)),
        ];
        Ratios { report, columns: all.into_iter().filter(|(_, values, _)| !values.is_empty()).collect() }
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.columns.iter().map(|(name, ..)| *name).collect()
    }

    /// The cells of a row.
    pub(super) fn cells(&self, row: usize) -> impl Iterator<Item = String> + '_ {
        self.columns.iter().map(move |(_, values, text)| values.get(row).map_or(String::new(), |value| text(self.report, *value)))
    }

    /// The values of a row as they are.
    pub(super) fn values(&self, row: usize) -> impl Iterator<Item = String> + '_ {
        self.columns.iter().map(move |(_, values, _)| values.get(row).map_or(String::new(), f64::to_string))
    }
}

/// A mean with its unit: two decimals where the smallest unit has them.
fn amount(mean: f64, unit: &str) -> String {
    let whole = label(mean.round() as i64, unit, "auto");
    let symbol = whole.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    // Digits only: the smallest unit.
    if mean.fract() == 0.0 || symbol.contains('.') || symbol.is_empty() || mean.abs() >= 1000.0 {
        whole
    } else {
        format!("{}{symbol}", quotient(mean))
    }
}

/// Two decimals at most.
fn quotient(value: f64) -> String {
    let text = format!("{value:.2}");
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}
