//! Ownership rules read, changed and written, for menus that edit them.

use serde::Serialize;

use super::error::AnswerError;
use crate::base::kind::PackageKind;
use crate::query::{KindRule, KindRules, QueryError, RuleOn};

/// Ownership rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Rules {
    /// The rules as the option `kinds` has them.
    pub kinds: String,
    /// The rules; the first that matches decides.
    pub rule: Vec<Rule>,
    /// The rules as in `heapview.toml`.
    pub toml: String,
}

/// A rule: matching code has this kind, and a package if one is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Rule {
    /// What the pattern is compared with and the pattern, such as `file:*/vendor/*`; a bare one is of packages.
    pub target: String,
    /// Kind of matching code.
    pub kind: PackageKind,
    /// Package of matching code; empty: the inferred one.
    pub package: String,
}

/// The rules of `kinds` after one change: `add` puts rules first, `package` or `function` a rule for this name with the kind `to`;
/// `at` is the number of a rule which gets the kind `to`, or is removed without one.
///
/// # Errors
/// Parameters are wrong.
pub(super) fn rules(pairs: &[(String, String)]) -> Result<Rules, AnswerError> {
    let value = |name: &str| pairs.iter().rfind(|(of, _)| of == name).map(|(_, value)| value.as_str());
    let invalid =
        |field: &'static str, expected: String| QueryError::Value { field, value: value(field).unwrap_or_default().into(), expected };
    let read = |field: &'static str| KindRules::from_text(value(field).unwrap_or_default()).map_err(|expected| invalid(field, expected));
    let rules = read("kinds")?;
    let to = value("to").map(|word| PackageKind::from_name(word).ok_or_else(|| invalid("to", "a kind".into()))).transpose()?;
    let rules = match (value("at"), to) {
        (Some(at), to) => {
            let at = at.parse().ok().filter(|at| *at < rules.0.len()).ok_or_else(|| invalid("at", "the number of a rule".into()))?;
            match to {
                Some(kind) => rules.with_kind(at, kind),
                None => rules.without(at),
            }
        }
        (None, Some(kind)) => match (value("package"), value("function")) {
            (Some(name), _) => rules.with_first(vec![KindRule::new(RuleOn::Package, name, kind, "")]),
            (_, Some(name)) => rules.with_function(name, kind),
            _ => return Err(invalid("to", "used without a package, a function or the number of a rule".into()).into()),
        },
        (None, None) => rules.with_first(read("add")?.0),
    };
    // What a name led to must be something that is read again.
    let rules = KindRules::from_text(&rules.to_text()).map_err(|expected| invalid("kinds", expected))?;
    Ok(Rules {
        rule: rules.0.iter().map(|rule| Rule { target: rule.target(), kind: rule.kind, package: rule.package.clone() }).collect(),
        toml: rules.to_toml(),
        kinds: rules.to_text(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::address::parameters;
    use super::*;

    fn edited(query: &str) -> Rules {
        rules(&parameters(query)).unwrap()
    }

    #[test]
    fn a_package_is_moved_once_and_before_all_others() {
        assert_eq!(edited("package=serde&to=own").kinds, "serde=own");
        let kinds = "file:*/vendor/*=third_party,serde=own";
        assert_eq!(edited(&format!("kinds={kinds}&package=serde&to=plumbing")).kinds, "serde=plumbing,file:*/vendor/*=third_party");
    }

    #[test]
    fn rules_are_added_changed_and_removed() {
        assert_eq!(edited("kinds=a=own&add=b=std,a=alloc").kinds, "b=runtime,a=allocator");
        assert_eq!(edited("kinds=a=own,b=own&at=1&to=runtime").kinds, "a=own,b=runtime");
        assert_eq!(edited("kinds=a=own,b=own&at=0").kinds, "b=own");
        let Rule { target, kind, package } = edited("kinds=file:*/zlib/*=third_party/zlib").rule.remove(0);
        assert_eq!((target.as_str(), kind, package.as_str()), ("file:*/zlib/*", PackageKind::ThirdParty, "zlib"));
    }

    #[test]
    fn wrappers_are_made_and_undone() {
        let name = "Pool<A, B>::take(char*)";
        let kinds = edited(&format!("kinds=serde=own&function={name}&to=allocator")).kinds;
        assert_eq!(kinds, format!("function:{name}=allocator,serde=own"));
        assert_eq!(edited(&format!("kinds={kinds}&function={name}&to=own")).kinds, "serde=own");
        assert_eq!(edited("function=zmalloc&to=own").kinds, "function:zmalloc=own");
        assert_eq!(edited("kinds=function:zmalloc=own&function=zmalloc&to=allocator").kinds, "function:zmalloc=allocator");
        let long = edited(&format!("function={}&to=allocator", "é".repeat(2000))).kinds;
        assert_eq!(long, format!("function:{}*=allocator", "é".repeat(250)));
        let stars = edited(&format!("function=f({})&to=allocator", "char*,".repeat(100))).kinds;
        assert_eq!(stars.split('*').count(), 12);
    }

    #[test]
    fn errors_name_the_field() {
        for (query, field) in [
            ("kinds=a", "kinds"),
            ("add=a=mine", "add"),
            ("kinds=a=own&at=1", "at"),
            ("kinds=a=own&at=0&to=x", "to"),
            ("to=own", "to"),
            ("package=&to=own", "kinds"),
        ] {
            let AnswerError::Query(errors) = rules(&parameters(query)).unwrap_err() else { panic!("{query}") };
            assert_eq!(errors[0].field(), Some(field), "{query}");
        }
    }
}
