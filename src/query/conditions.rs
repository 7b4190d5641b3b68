//! Conditions on the numbers of stacks: `size<=16`, `reads=0`, `reads/byte<=0.4|writes/byte<=0.4`.
//!
//! A list separated by commas, all of which must hold; `|` separates alternatives and binds tighter.

use crate::base::units;

/// Most conditions of one option.
const MOST: usize = 50;

/// Quantities with names of their own. The first value type that a profile has counts; the second part divides.
const NAMES: [(&str, &[&str], &[&str]); 7] = [
    ("size", &["alloc_space", "inuse_space", "space"], &["alloc_objects", "inuse_objects", "objects"]),
    ("lifetime", &["lifetime"], &["alloc_objects"]),
    ("reads", &["read_space"], &[]),
    ("writes", &["write_space"], &[]),
    ("byte", &["alloc_space", "inuse_space", "space"], &[]),
    ("object", &["alloc_objects", "inuse_objects", "objects"], &[]),
    ("temporary", &["temp_objects"], &["alloc_objects"]),
];

/// A sum of a value type over the samples of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// As written.
    pub name: String,
    /// Value types, of which the first one that a profile has counts.
    pub kinds: Vec<String>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
}

/// In the order in which they are looked for.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("!=", Comparison::Unequal),
    ("<", Comparison::Below),
    (">", Comparison::Above),
    ("=", Comparison::Equal),
];

/// A quantity, or the quotient of two, compared with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Dividend.
    pub of: Quantity,
    /// Divisor, if there is one. A quotient by 0 is 0.
    pub by: Option<Quantity>,
    /// How it is compared.
    pub comparison: Comparison,
    /// The number.
    pub number: f64,
    /// Unit of the number; empty: that of the profile.
    pub unit: String,
}

/// Conditions on stacks, compared by their source.
#[derive(Clone, Debug)]
pub struct Conditions {
    source: String,
    /// All must hold; of each list one is enough.
    all: Vec<Vec<Condition>>,
}

impl PartialEq for Conditions {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Conditions {
    /// Parses a list; the error says what is expected.
    pub fn new(source: &str) -> Result<Self, String> {
        let any = |alternatives: &str| alternatives.split('|').map(Condition::new).collect::<Result<Vec<_>, _>>();
        let all = source.split(',').map(any).collect::<Result<Vec<_>, _>>()?;
        if all.iter().map(Vec::len).sum::<usize>() > MOST {
            return Err(format!("a list of at most {MOST} conditions"));
        }
        Ok(Conditions { source: source.to_owned(), all })
    }

    /// Source of the conditions.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Lists of alternatives, all of which must hold.
    pub fn all(&self) -> &[Vec<Condition>] {
        &self.all
    }

    /// Names of quantities that are no value types, each with the value types of which a profile must have one, and those of the
    /// divisor, if there is one.
    pub fn names() -> impl Iterator<Item = (&'static str, [&'static [&'static str]; 2])> {
        NAMES.iter().map(|(name, of, by)| (*name, [*of, *by]))
    }
}

impl Condition {
    fn new(text: &str) -> Result<Self, String> {
        let wrong = || {
            let names: Vec<&str> = Conditions::names().map(|(name, _)| name).collect();
            let names = names.join(", ");
            format!(
                "a condition such as size<=16, reads=0 or lifetime<10ms: a quantity ({names}, or a value type) or two with / between them, then <=, <, =, !=, > or >=, then a number"
            )
        };
        let text = text.trim();
        let at = text.find(['<', '>', '=', '!']).ok_or_else(wrong)?;
        let (left, right) = text.split_at(at);
        let (sign, comparison) = COMPARISONS.iter().find(|(sign, _)| right.starts_with(sign)).ok_or_else(wrong)?;
        let right = right[sign.len()..].trim();
        let digits = right.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(right.len());
        let (number, unit) = right.split_at(digits);
        let number: f64 = number.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(wrong)?;
        let unit = unit.trim();
        if !unit.is_empty() && !units::is_known(&plain_unit(unit)) {
            return Err(format!("a condition in a known unit (B, kB, MB, GB, us, ms, s); {unit:?} is none"));
        }
        let mut parts = left.split('/').map(str::trim);
        let (Some(of), by, None) = (parts.next(), parts.next(), parts.next()) else { return Err(wrong()) };
        let (of, implied) = quantity(of).ok_or_else(wrong)?;
        let by = match by {
            None => implied,
            // Quotients have no divisor.
            Some(_) if implied.is_some() => return Err(wrong()),
            Some(by) => match quantity(by).ok_or_else(wrong)? {
                (by, None) => Some(by),
                _ => return Err(wrong()),
            },
        };
        Ok(Condition { of, by, comparison: *comparison, number, unit: plain_unit(unit) })
    }

    /// Returns whether the comparison holds for a value.
    pub fn holds(&self, value: f64, number: f64) -> bool {
        match self.comparison {
            Comparison::AtMost => value <= number,
            Comparison::AtLeast => value >= number,
            Comparison::Below => value < number,
            Comparison::Above => value > number,
            Comparison::Equal => value == number,
            Comparison::Unequal => value != number,
        }
    }
}

/// Units are powers of 1024 with either name: `KiB` is `kB`.
fn plain_unit(unit: &str) -> String {
    unit.replacen("iB", "B", 1)
}

/// The quantity of this name, and what divides it.
fn quantity(name: &str) -> Option<(Quantity, Option<Quantity>)> {
    // `bytes` is `byte`, `objects` is `object`.
    let known = NAMES.iter().find(|(known, ..)| name == *known || name.strip_suffix('s') == Some(known));
    let of = |kinds: &[&str]| Quantity { name: name.to_owned(), kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect() };
    if let Some((_, kinds, by)) = known {
        return Some((of(kinds), (!by.is_empty()).then(|| of(by))));
    }
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then(|| (of(&[name]), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let conditions = Conditions::new("size<=16, reads/byte<0.4|writes/byte < 0.4,lifetime>=2ms,peak_space!=0").unwrap();
        let shape: Vec<Vec<String>> = conditions
            .all()
            .iter()
            .map(|any| {
                let text = |c: &Condition| {
                    let by = c.by.as_ref().map_or(String::new(), |by| by.kinds[0].clone());
                    format!("{}/{by} {:?} {}{}", c.of.kinds[0], c.comparison, c.number, c.unit)
                };
                any.iter().map(text).collect()
            })
            .collect();
        assert_eq!(
            shape,
            [
                vec!["alloc_space/alloc_objects AtMost 16"],
                vec!["read_space/alloc_space Below 0.4", "write_space/alloc_space Below 0.4"],
                vec!["lifetime/alloc_objects AtLeast 2ms"],
                vec!["peak_space/ Unequal 0"],
            ]
        );
        assert_eq!(Conditions::new("objects=4").unwrap().all()[0][0].of.kinds[0], "alloc_objects");
        assert_eq!(Conditions::new("bytes>=4KiB").unwrap().all()[0][0].unit, "KB");
    }

    #[test]
    fn errors_say_what_is_expected() {
        for (text, part) in [
            ("", "a condition such as"),
            ("size", "a condition such as"),
            ("size<=", "a condition such as"),
            ("size<=x", "a condition such as"),
            ("<=4", "a condition such as"),
            ("size!4", "a condition such as"),
            ("size/reads<4", "a condition such as"),
            ("reads/size<4", "a condition such as"),
            ("a/b/c<4", "a condition such as"),
            ("re ads<4", "a condition such as"),
            ("size<=4parsec", "known unit"),
            ("size<=1,", "a condition such as"),
        ] {
            let error = Conditions::new(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Conditions::new(&["size=1"; 51].join(",")).unwrap_err().contains("at most 50"));
    }

    #[test]
    fn comparisons_include_what_they_say() {
        let holds = |text: &str, value: f64| {
            let conditions = Conditions::new(text).unwrap();
            let condition = &conditions.all()[0][0];
            condition.holds(value, condition.number)
        };
        assert!(holds("size<=16", 16.0) && !holds("size<16", 16.0) && holds("size>=16", 16.0) && !holds("size>16", 16.0));
        assert!(holds("size=16", 16.0) && holds("size!=16", 15.0) && !holds("size!=16", 16.0));
    }
}
