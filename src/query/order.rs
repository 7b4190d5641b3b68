//! Sort orders of tables.

/// Column that rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// Flat value.
    Flat,
    /// Cumulative value.
    Cum,
    /// Flat value of the base.
    Base,
    /// Cumulative value of the base.
    Cumbase,
    /// Flat difference, value − base.
    Delta,
    /// Cumulative difference, value − base.
    Cumdelta,
    /// Cumulative value of the companion type: objects for bytes, bytes for objects.
    Objects,
    /// Flat value of the companion type.
    Ownobjects,
    /// Mean size of an object, cumulative.
    Mean,
    /// Mean lifetime of a block, cumulative.
    Lifetime,
    /// Bytes read for each allocated byte, cumulative.
    Reads,
    /// Bytes written for each allocated byte, cumulative.
    Writes,
    /// Cumulative gross growth since the base.
    Grown,
    /// Cumulative shrinkage since the base.
    Shrunk,
    /// Flat gross growth.
    Owngrown,
    /// Flat shrinkage.
    Ownshrunk,
    /// Label.
    Name,
    /// Source file and line.
    Place,
    /// Package.
    Package,
    /// Container type of most of the memory.
    Type,
}

impl OrderBy {
    /// Names in flags and URLs, in the order of the variants.
    pub const NAMES: [&'static str; 20] = [
        "flat",
        "cum",
        "base",
        "cumbase",
        "delta",
        "cumdelta",
        "objects",
        "ownobjects",
        "mean",
        "lifetime",
        "reads",
        "writes",
        "grown",
        "shrunk",
        "owngrown",
        "ownshrunk",
        "name",
        "place",
        "package",
        "type",
    ];

    const ALL: [OrderBy; 20] = [
        OrderBy::Flat,
        OrderBy::Cum,
        OrderBy::Base,
        OrderBy::Cumbase,
        OrderBy::Delta,
        OrderBy::Cumdelta,
        OrderBy::Objects,
        OrderBy::Ownobjects,
        OrderBy::Mean,
        OrderBy::Lifetime,
        OrderBy::Reads,
        OrderBy::Writes,
        OrderBy::Grown,
        OrderBy::Shrunk,
        OrderBy::Owngrown,
        OrderBy::Ownshrunk,
        OrderBy::Name,
        OrderBy::Place,
        OrderBy::Package,
        OrderBy::Type,
    ];
}

/// Sort order of rows: numbers by magnitude, largest first; text ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Column to sort by.
    pub by: OrderBy,
    /// Reverses the order.
    pub reversed: bool,
}

impl Order {
    /// Parses `name`, or `-name` for the reverse order.
    pub fn from_text(text: &str) -> Option<Self> {
        let name = text.strip_prefix('-');
        let at = OrderBy::NAMES.iter().position(|n| *n == name.unwrap_or(text))?;
        Some(Order { by: OrderBy::ALL[at], reversed: name.is_some() })
    }

    /// Inverse of [`Order::from_text`].
    pub fn to_text(self) -> String {
        format!("{}{}", if self.reversed { "-" } else { "" }, OrderBy::NAMES[self.by as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_they_are_written() {
        for text in ["flat", "-name", "cumdelta", "mean"] {
            assert_eq!(Order::from_text(text).unwrap().to_text(), text);
        }
        assert_eq!(Order::from_text("--flat"), None);
    }

    #[test]
    fn every_order_has_its_name() {
        for name in OrderBy::NAMES {
            assert_eq!(Order::from_text(name).unwrap().to_text(), name);
        }
    }
}
