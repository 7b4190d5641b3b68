//! `heapview.toml` of a project: ownership rules and limits.
//!
//! ```toml
//! [kinds]
//! own = ["forest*"]
//! third_party = ["file:*/vendor/*"]
//!
//! [packages]
//! zlib = ["file:*/vendor/zlib/*"]
//!
//! [check]
//! max-inuse = "512MiB"
//! max-growth = "5%"
//! budget = ["package=serde_json:40MiB"]
//! ```
//!
//! Patterns are those of `-kinds`, limits those of `check`. Flags come before it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::section::{self, Problem, Section};
use crate::base::kind::PackageKind;
use crate::limits::Limit;
use crate::query::{KindRule, KindRules, RuleOn};

/// The file's name.
pub(super) const NAME: &str = "heapview.toml";

/// A list of patterns.
const EXAMPLE: &str = "[\"forest*\"]";

/// Maximum size of the file, bytes.
const MOST: u64 = 1 << 20;

/// Parsed file.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// Rules of `[packages]`, then those of `[kinds]`.
    pub(super) kinds: KindRules,
    /// Limits of `[check]`.
    limits: Vec<Limit>,
}

/// Reads the file named by `setting`: a path, `none`, or else the one in this directory or above.
pub(super) fn of(setting: Option<&str>) -> Result<Config> {
    let file = match setting {
        Some("none" | "") => None,
        Some(file) => Some(PathBuf::from(file)),
        None => found(&std::env::current_dir().unwrap_or_default(), std::env::var_os("HOME").map(PathBuf::from).as_deref()),
    };
    file.map_or_else(|| Ok(Config::default()), |file| read(&file))
}

impl Config {
    /// The options in `pairs`, followed by those of the file.
    pub(super) fn with(&self, mut pairs: Vec<(String, String)>) -> Vec<(String, String)> {
        let rules = self.kinds.to_text();
        if rules.is_empty() {
            return pairs;
        }
        match pairs.iter_mut().find(|(name, _)| name == "kinds") {
            Some((_, of_flags)) if !of_flags.is_empty() => *of_flags = format!("{of_flags},{rules}"),
            _ => pairs.push(("kinds".to_owned(), rules)),
        }
        pairs
    }

    /// The limits in `limits`, and those of the file on what they do not limit.
    pub(super) fn with_limits(self, mut limits: Vec<Limit>) -> Vec<Limit> {
        let inherited = self.limits.into_iter().filter(|limit| !limits.iter().any(|l| l.name == limit.name && l.of == limit.of));
        let inherited: Vec<Limit> = inherited.collect();
        limits.extend(inherited);
        limits
    }
}

/// The nearest one from `here` up to the repository's root or `home`; outside of both only the one that is here.
fn found(here: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let is_root = |folder: &Path| folder.join(".git").exists() || Some(folder) == home;
    let above = here.ancestors().position(is_root).unwrap_or(0);
    here.ancestors().take(above + 1).map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

/// Reads a file.
pub(super) fn read(file: &Path) -> Result<Config> {
    let shown = file.display();
    let size = file.metadata().with_context(|| format!("cannot read {shown} (use -config=none to ignore it)"))?.len();
    if size > MOST {
        bail!("{shown} is too large: {size} bytes (use -config=none to ignore it)");
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown} (use -config=none to ignore it)"))?;
    parse(&text).map_err(|(line, problem)| anyhow!("{shown}:{line}: {problem}"))
}

/// Parses a rule in the syntax of `-kinds`.
fn rule(section: &Section, pattern: &str, at: Range<usize>, kind: PackageKind, package: &str) -> Result<KindRule, Problem> {
    let suffix = if package.is_empty() { String::new() } else { format!("/{package}") };
    let text = format!("{pattern}={}{suffix}", kind.name());
    match KindRules::from_text(&text).map(|rules| rules.0) {
        Ok(mut rules) if rules.len() == 1 => rules.pop().ok_or_else(|| section.problem(at, "expected a pattern".to_owned())),
        _ => {
            let expected = "text with * for anything, perhaps behind function:, file: or library:, without commas";
            section.problem_of(at, &format!("invalid pattern {pattern:?}: {expected}"))
        }
    }
}

/// Returns whether `text` is a valid file; rules and limits are made from it, too.
pub(super) fn check(text: &str) -> Result<(), String> {
    let config = parse(text).map_err(|(line, problem)| format!("line {line}: {problem}"))?;
    let pairs = config.with(Vec::new());
    if let Some((_, rules)) = pairs.first() {
        KindRules::from_text(rules)?;
    }
    config.with_limits(Vec::new());
    Ok(())
}

fn parse(text: &str) -> Result<Config, Problem> {
    let root = section::root(text)?;
    let whole = Section { text, name: NAME.to_owned(), table: root.get_ref() };
    let mut sections: Vec<(&str, Section)> = Vec::new();
    for (key, value) in whole.entries() {
        let known = ["kinds", "packages", "check"];
        let Some(&name) = known.iter().find(|name| *name == key.get_ref()) else { return Err(whole.unknown(key, &known)) };
        sections.push((name, whole.inner(name, value, &format!("[{name}]"))?));
    }
    let section = |name: &str| sections.iter().find(|(known, _)| *known == name).map(|(_, section)| section);
    let of_kinds = section("kinds").map(kinds).transpose()?.unwrap_or_default();
    let mut rules = section("packages").map(|section| packages(section, &of_kinds)).transpose()?.unwrap_or_default();
    rules.extend(of_kinds);
    let limits = section("check").map(limits).transpose()?.unwrap_or_default();
    Ok(Config { kinds: KindRules(rules), limits })
}

/// `[check]`: limits as the flags of `check` have them.
fn limits(section: &Section) -> Result<Vec<Limit>, Problem> {
    const KNOWN: [&str; 3] = ["max-inuse", "max-growth", "budget"];
    let mut limits = Vec::new();
    for (key, value) in section.entries() {
        let name = key.get_ref().replace('_', "-");
        if !KNOWN.contains(&name.as_str()) {
            return Err(section.unknown(key, &KNOWN));
        }
        let texts = match (name.as_str(), value.get_ref().as_str()) {
            ("budget", _) => section.texts(&name, value, EXAMPLE)?,
            (_, Some(text)) => vec![(text, value.span())],
            (_, None) => {
                let found = value.get_ref().type_str();
                return section.problem_of(value.span(), &format!("{name} in [check] must be a string such as \"512MiB\", found {found}"));
            }
        };
        for (text, at) in texts {
            let limit = match name.as_str() {
                "max-inuse" => Limit::max_inuse(text),
                "max-growth" => Limit::max_growth(text),
                _ => Limit::budget(text),
            };
            limits.push(limit.map_err(|problem| section.problem(at, format!("{name} = {text:?}: {problem}")))?);
        }
    }
    Ok(limits)
}

/// `[kinds]`: patterns by kind.
fn kinds(section: &Section) -> Result<Vec<KindRule>, Problem> {
    let mut rules = Vec::new();
    for (key, value) in section.entries() {
        let names = PackageKind::ALL.map(PackageKind::name);
        let Some(kind) = PackageKind::from_name(key.get_ref()) else { return Err(section.unknown(key, &names)) };
        for (pattern, at) in section.texts(key.get_ref(), value, EXAMPLE)? {
            rules.push(rule(section, pattern, at, kind, "")?);
        }
    }
    Ok(rules)
}

/// `[packages]`: patterns by package; `[kinds]` has its kind, default third party.
fn packages(section: &Section, kinds: &[KindRule]) -> Result<Vec<KindRule>, Problem> {
    let mut rules = Vec::new();
    for (key, value) in section.entries() {
        let package = key.get_ref();
        if package.is_empty() || package.contains([',', '=', '/']) {
            return section.problem_of(key.span(), &format!("invalid package {package:?}: expected a name without , = and /"));
        }
        let kind = kinds.iter().find(|rule| rule.on == RuleOn::Package && rule.fits(package));
        for (pattern, at) in section.texts(package, value, EXAMPLE)? {
            rules.push(rule(section, pattern, at, kind.map_or(PackageKind::ThirdParty, |rule| rule.kind), package)?);
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rules: &str) {
        assert_eq!(parse(text).unwrap().kinds.to_text(), rules);
    }

    #[track_caller]
    fn fails(text: &str, line: usize, problem: &str) {
        let (at, found) = parse(text).unwrap_err();
        assert!(at == line && found.contains(problem), "{at}: {found}");
    }

    #[test]
    fn package_rules_come_first_in_file_order() {
        check("", "");
        check(
            "[kinds]\nown = ['forest*', 'function:my::Map<K, V>::*']\nasync = ['mine_rt']\nallocator = ['function:pool_*']\n\
             [packages]\nzlib = ['file:*/vendor/zlib/*']\nforest_vm = ['library:*/libvm.so']\n",
            "file:*/vendor/zlib/*=third_party/zlib,library:*/libvm.so=own/forest_vm,forest*=own,function:my::Map<K, V>::*=own,mine_rt=plumbing,\
             function:pool_*=allocator",
        );
    }

    #[test]
    fn errors_name_the_line() {
        fails("[kinds]\nown = ['a'", 2, "");
        fails("[kind]\nown = ['a']", 1, "heapview.toml has no \"kind\"; did you mean kinds?");
        fails("# mine\nkinds = 3", 2, "kinds must be a section, [kinds], found integer");
        fails("[kinds]\n\nowned = []", 3, "[kinds] has no \"owned\"; did you mean own?");
        fails("[kinds]\nmine = []", 2, "expected allocator, runtime, plumbing, third_party, own, unknown");
        fails("[kinds]\nown = 'a'", 2, "own in [kinds] must be a list of strings such as [\"forest*\"], found string");
        fails("[kinds]\nown = [\n  'a',\n  7,\n]", 4, "found integer");
        fails("[kinds]\nown = ['a,b']", 2, "invalid pattern \"a,b\"");
        fails("[kinds]\nown = ['']", 2, "invalid pattern");
        fails("[packages]\n'a/b' = ['c']", 2, "invalid package");
    }

    #[test]
    fn limits_are_those_of_the_flags() {
        let config = parse("[check]\nmax_inuse = '1GiB'\nmax-growth = '5%'\nbudget = ['package=a:1MB', 'package=a:+1MB']\n").unwrap();
        let names = |limits: &[Limit]| limits.iter().map(|limit| format!("{} {}", limit.name, limit.text)).collect::<Vec<_>>();
        let all = config.with_limits(vec![Limit::max_inuse("2GiB").unwrap()]);
        assert_eq!(names(&all), ["in use 2GiB", "growth 5%", "package=a 1MB", "package=a 1MB"]);
        fails("[check]\nmax-inuse = 5", 2, "must be a string such as \"512MiB\"");
        fails("[check]\nmax-inus = '5'", 2, "did you mean max-inuse?");
        fails("[check]\nbudget = ['package=a']", 2, "WHAT=NAME:AMOUNT");
        fails("[check]\nbudget = 'package=a:1MB'", 2, "must be a list of strings");
    }

    #[test]
    fn parent_directories_are_searched_up_to_the_project_root() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("work/project");
        let inside = project.join("src/deep");
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::write(place.path().join("work").join(NAME), "").unwrap();
        assert_eq!(found(&inside, None), None, "not marked as a project");
        assert_eq!(found(&inside, Some(place.path())), Some(place.path().join("work").join(NAME)));
        std::fs::create_dir(project.join(".git")).unwrap();
        assert_eq!(found(&inside, Some(place.path())), None, "it ends at the root of the repository");
        std::fs::write(project.join(NAME), "").unwrap();
        assert_eq!(found(&inside, None), Some(project.join(NAME)));
        std::fs::write(inside.join(NAME), "").unwrap();
        assert_eq!(found(&inside, None), Some(inside.join(NAME)));
    }

    #[test]
    fn flags_come_before_the_file() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join(NAME);
        std::fs::write(&file, "[kinds]\nown = ['b']").unwrap();
        let setting = file.to_str();
        let kinds = |text: &str| vec![("kinds".to_owned(), text.to_owned())];
        assert_eq!(of(setting).unwrap().with(kinds("a=std")), kinds("a=std,b=own"));
        assert_eq!(of(setting).unwrap().with(Vec::new()), kinds("b=own"));
        assert_eq!(of(Some("none")).unwrap().with(kinds("a=std")), kinds("a=std"));
        let missing = of(place.path().join("x.toml").to_str()).unwrap_err();
        assert!(missing.to_string().contains("-config=none"), "{missing}");
    }
}
