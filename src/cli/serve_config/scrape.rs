//! `[[scrape]]` of the configuration.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use crate::cli::section::{Problem, Section};
use crate::fetch::Address;
use crate::scrape::{GrowthStep, ScrapeAuth, ScrapeJob, ScrapeKind};
use crate::store::is_name;

/// Keys of a job.
const KEYS: [&str; 19] = [
    "name",
    "service",
    "kind",
    "scheme",
    "path",
    "targets",
    "file_discovery",
    "labels",
    "interval",
    "timeout",
    "growth_step",
    "probe_interval",
    "probe",
    "probe_metric",
    "symbols",
    "bearer_token_file",
    "user",
    "password_file",
    "tls_ca",
];

/// Shortest and longest interval.
const INTERVALS: std::ops::RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(30 * 24 * 3600);

type Value<'a> = &'a Spanned<DeValue<'a>>;

/// The jobs of `scrape`.
pub(super) fn jobs<'a>(whole: &Section<'a>, value: Value<'a>, folder: &Path) -> Result<Vec<ScrapeJob>, Problem> {
    let found = value.get_ref().type_str();
    let wrong = || whole.problem(value.span(), format!("scrape must be a list of sections, [[scrape]], found {found}"));
    let mut jobs: Vec<ScrapeJob> = Vec::new();
    for item in value.get_ref().as_array().ok_or_else(wrong)? {
        let section = whole.inner("scrape", item, "[[scrape]]")?;
        let job = job(&section, item.span(), folder)?;
        if jobs.iter().any(|other| other.name == job.name) {
            return section.problem_of(item.span(), &format!("there are two [[scrape]] with the name {:?}", job.name));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

fn job(section: &Section, at: Range<usize>, folder: &Path) -> Result<ScrapeJob, Problem> {
    let entries = section.entries();
    if let Some((key, _)) = entries.iter().find(|(key, _)| !KEYS.contains(&&**key.get_ref())) {
        return Err(section.unknown(key, &KEYS));
    }
    let value = |name: &str| entries.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| *value);
    let text =
        |name: &str, example: &str| value(name).map(|value| section.text(name, value, example).map(|text| (text, value))).transpose();
    let Some((name, value_of_name)) = text("name", "\"tikv\"")? else {
        return section.problem_of(at, "[[scrape]] needs a name, such as name = \"tikv\"");
    };
    let checked_name = |name: &str, value: Value| match is_name(name) {
        true => Ok(name.to_owned()),
        false => {
            section.problem_of(value.span(), &format!("{name:?} is not a valid name; use letters, digits, `.`, `_` and `-`, at most 60"))
        }
    };
    let mut job = ScrapeJob::new(&checked_name(name, value_of_name)?);
    if let Some((service, value)) = text("service", "\"forest\"")? {
        job.service = checked_name(service, value)?;
    }
    if let Some((kind, value)) = text("kind", "\"jemalloc\"")? {
        let names: Vec<&str> = ScrapeKind::ALL.iter().map(|(_, name)| *name).collect();
        let known = ScrapeKind::ALL.iter().find(|(_, name)| *name == kind);
        let unknown = || section.problem(value.span(), format!("unknown kind {kind:?}; expected {}", names.join(", ")));
        job.kind = known.ok_or_else(unknown)?.0;
        job.path = job.kind.path().to_owned();
        job.symbols = job.kind == ScrapeKind::Gperftools;
    }
    if let Some((scheme, value)) = text("scheme", "\"https\"")? {
        if !["http", "https", "https+insecure"].contains(&scheme) {
            return section.problem_of(value.span(), &format!("scheme = {scheme:?}: expected http, https or https+insecure"));
        }
        job.scheme = scheme.to_owned();
    }
    let checked_path = |name: &str, path: &str, value: Value| match path.starts_with('/') && address(&job.scheme, "h:1", path).is_some() {
        true => Ok(path.to_owned()),
        false => section.problem_of(value.span(), &format!("{name} = {path:?}: expected a path that begins with /")),
    };
    if let Some((path, value)) = text("path", "\"/debug/pprof/heap\"")? {
        job.path = checked_path("path", path, value)?;
    }
    if let Some((path, value)) = text("probe", "\"/metrics\"")? {
        job.probe = Some(checked_path("probe", path, value)?);
    }
    if let Some((metric, _)) = text("probe_metric", "\"process_resident_memory_bytes\"")? {
        job.probe_metric = metric.to_owned();
    }
    for (target, at) in
        value("targets").map(|value| section.texts("targets", value, "[\"10.0.0.7:6060\"]")).transpose()?.unwrap_or_default()
    {
        if target.contains('/') || address(&job.scheme, target, "/").is_none() {
            return section.problem_of(at, &format!("{target:?} is not a target; expected host:port"));
        }
        job.targets.push(target.to_owned());
    }
    let patterns = value("file_discovery").map(|value| section.texts("file_discovery", value, "[\"targets/*.json\"]")).transpose()?;
    for (pattern, at) in patterns.unwrap_or_default() {
        let ends = [".json", ".yml", ".yaml"].iter().any(|end| pattern.ends_with(end));
        let full = folder.join(pattern);
        if !ends || full.to_str().is_none_or(|full| glob::Pattern::new(full).is_err()) {
            return section
                .problem_of(at, &format!("{pattern:?}: expected a path that ends with .json, .yml or .yaml; * matches any text"));
        }
        job.files.push(full);
    }
    if job.targets.is_empty() && job.files.is_empty() {
        return section.problem_of(at, &format!("[[scrape]] {:?} needs targets or file_discovery", job.name));
    }
    if let Some(value) = value("labels") {
        job.labels = labels(&section.inner("labels", value, "[scrape.labels]")?)?;
    }
    for (name, place) in [("interval", &mut job.interval), ("timeout", &mut job.timeout), ("probe_interval", &mut job.probe_interval)] {
        if let Some((text, value)) = text(name, "\"10m\"")? {
            let expected =
                || section.problem(value.span(), format!("{name} = {text:?}: expected a time from 1s to 30d, such as 30s or 10m"));
            *place = duration(text).ok_or_else(expected)?;
        }
    }
    if let Some((text, value)) = text("growth_step", "\"256MiB\"")? {
        job.growth =
            Some(GrowthStep::parse(text).map_err(|problem| section.problem(value.span(), format!("growth_step = {text:?}: {problem}")))?);
    }
    if let Some(value) = value("symbols") {
        job.symbols = section.is_true("symbols", value)?;
    }
    let file = |name: &str| -> Result<Option<std::path::PathBuf>, Problem> {
        let Some((text, value)) = text(name, "\"/etc/heapview/secret\"")? else { return Ok(None) };
        let file = folder.join(text);
        match std::fs::File::open(&file) {
            Ok(_) => Ok(Some(file)),
            Err(error) => section.problem_of(value.span(), &format!("{name}: cannot read {}: {error}", file.display())),
        }
    };
    job.tls_ca = file("tls_ca")?;
    job.auth = match (file("bearer_token_file")?, text("user", "\"heapview\"")?, file("password_file")?) {
        (None, None, None) => ScrapeAuth::None,
        (Some(token), None, None) => ScrapeAuth::BearerFile(token),
        (None, Some((user, _)), Some(password)) => ScrapeAuth::Basic(user.to_owned(), password),
        _ => return section.problem_of(at, "expected either bearer_token_file, or user and password_file"),
    };
    Ok(job)
}

/// The address of a target.
fn address(scheme: &str, target: &str, path: &str) -> Option<Address> {
    Address::parse(&format!("{scheme}://{target}{path}")).filter(|address| !address.host_name().is_empty())
}

fn labels(section: &Section) -> Result<BTreeMap<String, String>, Problem> {
    let mut labels = BTreeMap::new();
    for (key, value) in section.entries() {
        let text = section.text(key.get_ref(), value, "\"production\"")?;
        if !is_name(key.get_ref()) {
            return section.problem_of(
                key.span(),
                &format!("{:?} is not a valid name of a label; use letters, digits, `.`, `_` and `-`", key.get_ref()),
            );
        }
        labels.insert(key.get_ref().to_string(), text.to_owned());
    }
    Ok(labels)
}

/// `30s`, `10m`, `1h 30m`.
fn duration(text: &str) -> Option<Duration> {
    let span: jiff::SignedDuration = text.parse().ok().or_else(|| days(text))?;
    Duration::try_from(span).ok().filter(|duration| INTERVALS.contains(duration))
}

/// `7d`: a day is 24 hours here.
fn days(text: &str) -> Option<jiff::SignedDuration> {
    let days: i64 = text.strip_suffix('d')?.trim().parse().ok()?;
    Some(jiff::SignedDuration::from_hours(days.checked_mul(24).filter(|hours| (0..100_000).contains(hours))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<ScrapeJob>, Problem> {
        super::super::parse(text, &[], Path::new("/etc/heapview")).map(|config| config.scrape)
    }

    #[test]
    fn jobs_have_defaults_by_kind() {
        let jobs = parse(
            "[[scrape]]\nname = 'tikv'\nkind = 'jemalloc'\ntargets = ['h:1', '[::1]:2']\ninterval = '5m'\ngrowth_step = '10%'\n\
             probe = '/metrics'\nlabels = { env = 'production' }\n\
             [[scrape]]\nname = 'shop'\nservice = 'shop-eu'\nkind = 'gperftools'\npath = '/pprof/growth'\nfile_discovery = ['*.json']\n",
        )
        .unwrap();
        let mut tikv = ScrapeJob::new("tikv");
        tikv.kind = ScrapeKind::Jemalloc;
        tikv.path = "/pprof/heap".into();
        tikv.targets = vec!["h:1".into(), "[::1]:2".into()];
        tikv.interval = Duration::from_secs(300);
        tikv.growth = Some(GrowthStep::Share(0.1));
        tikv.probe = Some("/metrics".into());
        tikv.labels = [("env".to_owned(), "production".to_owned())].into();
        assert_eq!(jobs[0], tikv);
        assert_eq!((jobs[1].service.as_str(), jobs[1].symbols, jobs[1].path.as_str()), ("shop-eu", true, "/pprof/growth"));
        assert_eq!(jobs[1].files, [Path::new("/etc/heapview/*.json")]);
    }

    #[test]
    fn errors_name_line_and_key() {
        for (text, line, problem) in [
            ("", 1, "needs a name"),
            ("name = 'a b'\ntargets = ['h:1']", 2, "is not a valid name"),
            ("name = 'a'", 1, "needs targets or file_discovery"),
            ("name = 'a'\ntarget = ['h:1']", 3, "[[scrape]] has no \"target\"; did you mean targets?"),
            ("name = 'a'\ntargets = ['http://h:1/x']", 3, "expected host:port"),
            ("name = 'a'\ntargets = ['h:1']\nkind = 'jmalloc'", 4, "expected jemalloc, gperftools, go, pprof"),
            ("name = 'a'\ntargets = ['h:1']\npath = 'heap'", 4, "begins with /"),
            ("name = 'a'\ntargets = ['h:1']\ninterval = '10'", 4, "such as 30s or 10m"),
            ("name = 'a'\ntargets = ['h:1']\ninterval = '10ms'", 4, "such as 30s or 10m"),
            ("name = 'a'\ntargets = ['h:1']\ngrowth_step = '0'", 4, "expected a size"),
            ("name = 'a'\ntargets = ['h:1']\nscheme = 'ftp'", 4, "expected http"),
            ("name = 'a'\ntargets = ['h:1']\nuser = 'me'", 1, "either bearer_token_file"),
            ("name = 'a'\ntargets = ['h:1']\ntls_ca = '/nosuch'", 4, "cannot read /nosuch"),
            ("name = 'a'\nfile_discovery = ['x.txt']", 3, "ends with .json"),
            ("name = 'a'\ntargets = ['h:1']\nlabels = { 'a b' = 'x' }", 4, "name of a label"),
            ("name = 'a'\ntargets = ['h:1']\n[[scrape]]\nname = 'a'\ntargets = ['h:1']", 4, "two [[scrape]]"),
        ] {
            let (at, found) = parse(&format!("[[scrape]]\n{text}")).unwrap_err();
            assert!(at == line && found.contains(problem), "{text}: {at}: {found}");
        }
        for (text, seconds) in [("30s", 30), ("10m", 600), ("1h 30m", 5400), ("7d", 604_800)] {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
    }
}
