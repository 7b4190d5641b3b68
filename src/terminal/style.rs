//! Terminal style: colour and width.

use std::env;
use std::io::{self, IsTerminal};

/// When to do something for the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum When {
    /// On terminals, unless disabled (NO_COLOR, TERM=dumb).
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    pub(crate) const NAMES: [&'static str; 3] = ["auto", "always", "never"];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [When::Auto, When::Always, When::Never].into_iter().zip(Self::NAMES).find(|(_, n)| *n == name).map(|(when, _)| when)
    }
}

/// Requested style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) color: When,
    /// Columns; 0 means as long as rows are, `None` what the terminal has.
    pub(crate) width: Option<usize>,
}

/// Effective style on this standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) color: bool,
    /// Columns that a row may take; `None` means any number.
    pub(crate) width: Option<usize>,
}

impl Look {
    /// Style for standard output.
    pub(crate) fn style(self) -> Style {
        let is_terminal = io::stdout().is_terminal();
        let is_set = |name: &str| env::var_os(name).is_some_and(|v| !v.is_empty());
        let is_dumb = || env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        let color = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb(),
        };
        let width = match self.width {
            Some(0) => None,
            Some(width) => Some(width),
            None if is_terminal => terminal_width(),
            None => None,
        };
        Style { color, width }
    }
}

/// Columns of the terminal: COLUMNS if exported, otherwise the terminal's own.
pub(crate) fn terminal_width() -> Option<usize> {
    let columns = env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))).filter(|&width| width > 0)
}
