//! Syntax of limits: `512MiB`, `+5%`, `package=serde_json:40MiB`.

use crate::base::units;
use crate::query::nearest;
use crate::report::CheckOf;

/// Upper bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Most {
    /// In the unit of the value type.
    Amount(u64),
    /// Of the base, 0.05 for 5 %.
    Share(f64),
}

/// A limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Options of the view that choose what is measured: field and value.
    pub pairs: Vec<(String, String)>,
    /// Quantity that is limited.
    pub of: CheckOf,
    /// Upper bound.
    pub most: Most,
    /// Display name.
    pub name: String,
    /// Upper bound as written by the user.
    pub text: String,
}

/// Subjects of budgets: the prefix, and the option that filters by it. Prefixes with a star take names (in which `*` matches
/// anything), the others regexps.
const OF: [(&str, &str); 6] =
    [("package*", "package"), ("culprit*", "blame"), ("type*", "type"), ("blame", "blame"), ("focus", "focus"), ("label", "tagfocus")];

impl Limit {
    /// Limit on all memory in use.
    pub fn max_inuse(text: &str) -> Result<Self, String> {
        let pairs = vec![("sample_index".into(), "inuse_space".into())];
        Ok(Limit { pairs, of: CheckOf::Value, most: amount(text, false)?, name: "in use".into(), text: text.into() })
    }

    /// By how much all may grow.
    pub fn max_growth(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('+');
        Ok(Limit { pairs: Vec::new(), of: CheckOf::Growth, most: amount(text, true)?, name: "growth".into(), text: text.into() })
    }

    /// `max_bytes:1MiB`: a total of all stacks; with `+` before the amount, by how much it may grow.
    fn total(name: &str, most: &str) -> Result<Self, String> {
        let words = || TOTALS.iter().map(|(word, _)| *word);
        let (_, value_type) = TOTALS.iter().find(|(word, _)| *word == name).ok_or_else(|| {
            let near = nearest(name, words()).map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("unknown total {name:?}, expected one of {}, or WHAT=NAME:AMOUNT{near}", words().collect::<Vec<_>>().join(", "))
        })?;
        let (of, text) = most.strip_prefix('+').map_or((CheckOf::Value, most), |growth| (CheckOf::Growth, growth));
        let pairs = vec![("sample_index".into(), (*value_type).into())];
        Ok(Limit { pairs, of, most: amount(text, of == CheckOf::Growth)?, name: name.into(), text: text.into() })
    }

    /// `package=serde_json:40MiB`: what stacks of that package may hold; with `+` before the amount, by how much
    /// they may grow.
    pub fn budget(text: &str) -> Result<Self, String> {
        const SHAPE: &str =
            "expected WHAT=NAME:AMOUNT, as in package=serde_json:40MiB or culprit=Cache::insert:+5%, or TOTAL:AMOUNT, as in max_bytes:1MiB";
        let (name, most) = text.rsplit_once(':').ok_or(SHAPE)?;
        if !name.contains('=') {
            return Limit::total(name, most);
        }
        let (what, value) = name.split_once('=').ok_or(SHAPE)?;
        if value.is_empty() {
            return Err(SHAPE.into());
        }
        let words = || OF.iter().map(|(word, _)| word.trim_end_matches('*'));
        let (word, field) = OF.iter().find(|(word, _)| word.trim_end_matches('*') == what).ok_or_else(|| {
            let near = nearest(what, words()).map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!("unknown {what:?}, expected one of {}{near}", words().collect::<Vec<_>>().join(", "))
        })?;
        let value = match *word {
            // Names of functions are long: their end is enough.
            "culprit*" => format!("(^|::|[.]){}", &of_name(value)[1..]),
            word if word.ends_with('*') => of_name(value),
            _ => value.to_owned(),
        };
        let of = if most.starts_with('+') { CheckOf::Growth } else { CheckOf::Value };
        let amount = amount(most.trim_start_matches('+'), of == CheckOf::Growth)?;
        Ok(Limit { pairs: vec![((*field).into(), value)], of, most: amount, name: name.into(), text: most.trim_start_matches('+').into() })
    }
}

/// Totals by dhat-rs's names: the fields of its `HeapStats` and `AdHocStats`, and the value types that have them.
const TOTALS: [(&str, &str); 8] = [
    ("total_bytes", "alloc_space"),
    ("total_blocks", "alloc_objects"),
    ("max_bytes", "peak_space"),
    ("max_blocks", "peak_objects"),
    ("curr_bytes", "inuse_space"),
    ("curr_blocks", "inuse_objects"),
    ("total_units", "units"),
    ("total_events", "events"),
];

/// An expression for a whole name in which `*` represents anything.
fn of_name(name: &str) -> String {
    let parts: Vec<String> = name.split('*').map(quoted).collect();
    format!("^{}$", parts.join(".*"))
}

/// A text as an expression that matches nothing else.
fn quoted(text: &str) -> String {
    text.chars().flat_map(|c| r"\.+*?()|[]{}^$".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

fn amount(text: &str, may_be_share: bool) -> Result<Most, String> {
    match text.strip_suffix('%') {
        None => units::memory(text).map(Most::Amount),
        Some(_) if !may_be_share => Err("a percentage limits growth over a base: write +5%".into()),
        Some(number) => match number.trim().parse::<f64>() {
            Ok(share) if share.is_finite() && share >= 0.0 => Ok(Most::Share(share / 100.0)),
            _ => Err(format!("{text:?} is not a percentage such as 5%")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let limit = Limit::budget("package=serde_json:40MiB").unwrap();
        assert_eq!(limit.pairs, [("package".into(), "^serde_json$".into())]);
        assert_eq!((limit.of, limit.most), (CheckOf::Value, Most::Amount(40 << 20)));
        let limit = Limit::budget("culprit=a::B<*>::c:+5%").unwrap();
        assert_eq!(limit.pairs, [("blame".into(), r"(^|::|[.])a::B<.*>::c$".into())]);
        assert_eq!((limit.of, limit.most), (CheckOf::Growth, Most::Share(0.05)));
        assert_eq!(Limit::budget("label=thread=io:1GB").unwrap().pairs, [("tagfocus".into(), "thread=io".into())]);
        for (wrong, why) in [
            ("serde_json:40MiB", "WHAT=NAME:AMOUNT"),
            ("max_byte:40MiB", "did you mean max_bytes?"),
            ("max_bytes:5%", "+5%"),
            ("package=serde_json", "WHAT=NAME:AMOUNT"),
            ("package=:1MB", "WHAT=NAME:AMOUNT"),
            ("pakage=a:1MB", "did you mean package?"),
            ("package=a:5%", "+5%"),
            ("package=a:+x%", "not a percentage"),
            ("package=a:much", "unknown unit"),
        ] {
            let error = Limit::budget(wrong).unwrap_err();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }

    #[test]
    fn totals_have_the_names_of_the_crate_dhat() {
        let limit = Limit::budget("max_bytes:1MiB").unwrap();
        assert_eq!(limit.pairs, [("sample_index".into(), "peak_space".into())]);
        assert_eq!((limit.of, limit.most, limit.name.as_str()), (CheckOf::Value, Most::Amount(1 << 20), "max_bytes"));
        let limit = Limit::budget("total_blocks:+10%").unwrap();
        assert_eq!((limit.of, limit.most), (CheckOf::Growth, Most::Share(0.1)));
        assert_eq!(Limit::budget("curr_blocks:0").unwrap().most, Most::Amount(0));
    }

    #[test]
    fn the_whole_is_limited_too() {
        assert_eq!(Limit::max_growth("+5%").unwrap().most, Most::Share(0.05));
        assert_eq!(Limit::max_inuse("512MiB").unwrap().most, Most::Amount(512 << 20));
        assert!(Limit::max_inuse("5%").is_err());
    }
}
