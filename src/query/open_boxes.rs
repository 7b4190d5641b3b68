//! Open boxes of the call tree that a page shows.

/// Selection of the children shown in an open box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Large children.
    Large,
    /// All children.
    All,
    /// The heaviest child is open too, and so on down to a leaf.
    Hottest,
}

/// Open boxes of a call tree.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Opened {
    /// Opens the heaviest child of each open box as long as it has most of its parent's memory.
    pub auto: bool,
    /// Upper 32 bits of the id, and which children are shown.
    pub boxes: Vec<(u32, Opening)>,
    /// State of the first box, which is always open.
    pub first: Option<Opening>,
}

impl Opened {
    /// Maximum number of boxes in one request.
    const MOST: usize = 1000;

    /// Parses `auto`, `none`, or ids separated by points, each optionally followed by `_` (all children) or `*` (hottest
    /// path); `_` and `*` alone apply to the first box.
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

    /// Inverse of [`Opened::from_text`].
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

    /// State of the box with this id; `None` if it is closed.
    pub fn of(&self, id: u64) -> Option<Opening> {
        let half = (id >> 32) as u32;
        self.boxes.iter().find(|(known, _)| *known == half).map(|(_, how)| *how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_boxes_survive_a_round_trip() {
        for text in ["auto", "none", "*", "_", "0000ab01.ffffffff_.12345678*"] {
            assert_eq!(Opened::from_text(text).unwrap().to_text(), text, "{text}");
        }
        for text in ["", ".", "xyz", "123456789"] {
            assert_eq!(Opened::from_text(text), None, "{text}");
        }
    }
}
