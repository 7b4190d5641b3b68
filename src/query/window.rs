//! Windows of tables: the rows that a page requests.

/// A range of rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Index of the first row.
    pub first: usize,
    /// Number of rows; at least 1.
    pub count: usize,
}

impl Window {
    /// Parses `FIRST-COUNT`.
    pub fn from_text(text: &str) -> Option<Self> {
        let (first, count) = text.split_once('-')?;
        // 32 bits, so that all systems take the same numbers.
        let number = |text: &str| text.parse().ok().map(|n: u32| n as usize);
        Some(Window { first: number(first)?, count: number(count).filter(|&n| n > 0)? })
    }

    /// Inverse of [`Window::from_text`].
    pub fn to_text(self) -> String {
        format!("{}-{}", self.first, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_are_written() {
        assert_eq!(Window::from_text("200-50").unwrap().to_text(), "200-50");
        assert_eq!(Window::from_text("0-0"), None);
    }
}
