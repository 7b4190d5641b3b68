//! What tables on a page ask for: an order, a window of rows, the rows of a tree that are open.

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// What they hold themselves.
    Flat,
    /// With all that they call.
    Cum,
    /// The same of the base.
    Base,
    /// The same of the base.
    Cumbase,
    /// Flat, value less base.
    Delta,
    /// Cum, value less base.
    Cumdelta,
    /// The other one of bytes and objects, with all that they call.
    Objects,
    /// The other one of bytes and objects, of the rows themselves.
    Ownobjects,
    /// Bytes of an object, with all that they call.
    Mean,
    /// What of it grew since the base, with all that they call.
    Grown,
    /// What of it shrank.
    Shrunk,
    /// What grew of the rows themselves.
    Owngrown,
    /// What shrank of the rows themselves.
    Ownshrunk,
    /// Label.
    Name,
    /// Source file and line.
    Place,
    /// Package.
    Package,
    /// The type that most of what they hold is of.
    Type,
}

impl OrderBy {
    /// Their names.
    pub const NAMES: [&'static str; 17] = [
        "flat",
        "cum",
        "base",
        "cumbase",
        "delta",
        "cumdelta",
        "objects",
        "ownobjects",
        "mean",
        "grown",
        "shrunk",
        "owngrown",
        "ownshrunk",
        "name",
        "place",
        "package",
        "type",
    ];

    const ALL: [OrderBy; 17] = [
        OrderBy::Flat,
        OrderBy::Cum,
        OrderBy::Base,
        OrderBy::Cumbase,
        OrderBy::Delta,
        OrderBy::Cumdelta,
        OrderBy::Objects,
        OrderBy::Ownobjects,
        OrderBy::Mean,
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

/// An order of rows: numbers largest first without their sign, text from A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// What rows are sorted by.
    pub by: OrderBy,
    /// The other way round.
    pub reversed: bool,
}

impl Order {
    /// Reads `name`, or `-name` for the other way round.
    pub fn from_text(text: &str) -> Option<Self> {
        let name = text.strip_prefix('-');
        let at = OrderBy::NAMES.iter().position(|n| *n == name.unwrap_or(text))?;
        Some(Order { by: OrderBy::ALL[at], reversed: name.is_some() })
    }

    /// As `from_text` reads it.
    pub fn to_text(self) -> String {
        format!("{}{}", if self.reversed { "-" } else { "" }, OrderBy::NAMES[self.by as usize])
    }
}

/// Some rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first one, from 0.
    pub first: usize,
    /// How many.
    pub count: usize,
}

impl Window {
    /// Reads `FIRST-COUNT`.
    pub fn from_text(text: &str) -> Option<Self> {
        let (first, count) = text.split_once('-')?;
        // 32 bits, so that all systems take the same numbers.
        let number = |text: &str| text.parse().ok().map(|n: u32| n as usize);
        Some(Window { first: number(first)?, count: number(count).filter(|&n| n > 0)? })
    }

    /// As `from_text` reads it.
    pub fn to_text(self) -> String {
        format!("{}-{}", self.first, self.count)
    }
}

/// How far a box of the tree is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Its large children are seen.
    Large,
    /// Small ones, too.
    All,
    /// Its heaviest child is open, and the heaviest child of that, to the end.
    Hottest,
}

/// The boxes of a tree that are open.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Opened {
    /// The heaviest child is open, and the heaviest child of that, as long as they hold most of what is above.
    pub auto: bool,
    /// First half of an id, and how far.
    pub boxes: Vec<(u32, Opening)>,
    /// The same of the first box, which is always open.
    pub first: Option<Opening>,
}

impl Opened {
    /// Most boxes that one question may name.
    const MOST: usize = 1000;

    /// Reads `auto`, `none`, or ids with points between them, each with `_` behind it for all
    /// children and `*` for the hottest path; `_` and `*` alone mean the first box.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut opened = Opened { auto: text == "auto", ..Opened::default() };
        if opened.auto || text == "none" {
            return Some(opened);
        }
        for word in text.split('.') {
            let (id, how) = match (word.strip_suffix('_'), word.strip_suffix('*')) {
                (Some(id), _) => (id, Opening::All),
                (_, Some(id)) => (id, Opening::Hottest),
                _ => (word, Opening::Large),
            };
            match (id, how) {
                ("", Opening::Large) => return None,
                ("", how) => opened.first = Some(how),
                (id, how) if id.len() <= 8 => opened.boxes.push((u32::from_str_radix(id, 16).ok()?, how)),
                _ => return None,
            }
        }
        (opened.boxes.len() <= Self::MOST).then_some(opened)
    }

    /// As `from_text` reads it.
    pub fn to_text(&self) -> String {
        if self.auto {
            return "auto".into();
        }
        let mark = |how: Opening| match how {
            Opening::Large => "",
            Opening::All => "_",
            Opening::Hottest => "*",
        };
        let first = self.first.iter().map(|&how| mark(how).to_owned());
        let words: Vec<String> = first.chain(self.boxes.iter().map(|&(id, how)| format!("{id:08x}{}", mark(how)))).collect();
        if words.is_empty() { "none".into() } else { words.join(".") }
    }

    /// How far the box with this id is open.
    pub fn of(&self, id: u64) -> Option<Opening> {
        let half = (id >> 32) as u32;
        self.boxes.iter().find(|(known, _)| *known == half).map(|(_, how)| *how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_windows_and_open_boxes_are_read_as_they_are_written() {
        for text in ["flat", "-name", "cumdelta", "mean"] {
            assert_eq!(Order::from_text(text).unwrap().to_text(), text);
        }
        assert_eq!(Order::from_text("--flat"), None);
        assert_eq!(Window::from_text("200-50").unwrap().to_text(), "200-50");
        assert_eq!(Window::from_text("0-0"), None);
        for text in ["auto", "none", "*", "_", "0000ab01.ffffffff_.12345678*"] {
            assert_eq!(Opened::from_text(text).unwrap().to_text(), text, "{text}");
        }
        for text in ["", ".", "xyz", "123456789"] {
            assert_eq!(Opened::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn every_order_has_its_name() {
        for name in OrderBy::NAMES {
            assert_eq!(Order::from_text(name).unwrap().to_text(), name);
        }
    }
}
