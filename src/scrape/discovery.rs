//! Targets of a job: those that it names, and those in files of Prometheus' `file_sd` format, JSON or YAML.
//!
//! ```json
//! [{"targets": ["10.0.0.7:6060"], "labels": {"env": "production", "version": "7"}}]
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::job::ScrapeJob;
use super::target::Target;
use super::yaml;

/// Maximum size of a file, bytes.
const MOST_BYTES: u64 = 4 << 20;

/// Most files of a job.
const MOST_FILES: usize = 1000;

/// Most targets of a job.
const MOST_TARGETS: usize = 10_000;

/// Targets of a job.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Discovered {
    pub(super) targets: Vec<Target>,
    /// What could not be read, a sentence each.
    pub(super) problems: Vec<String>,
    /// Files and folders that are there but could not be read.
    pub(super) unread: Vec<PathBuf>,
}

impl ScrapeJob {
    /// Addresses of its targets with their services, and what could not be read, a sentence each. Reads its files.
    pub fn addresses(&self) -> (Vec<(String, String)>, Vec<String>) {
        let found = discover(&Arc::new(self.clone()));
        let address = |target: &Target| (target.address.to_string(), target.value("service").to_owned());
        (found.targets.iter().map(address).collect(), found.problems)
    }
}

/// Finds the targets of a job. Reads its files.
pub(super) fn discover(job: &Arc<ScrapeJob>) -> Discovered {
    let mut found = Discovered::default();
    let none = BTreeMap::new();
    job.targets.iter().for_each(|host| found.add(job, host, &none, None));
    let mut files = Vec::new();
    for pattern in job.files.iter().filter_map(|pattern| pattern.to_str()) {
        let before = files.len();
        let mut is_read = true;
        for file in glob::glob(pattern).into_iter().flatten().take(MOST_FILES) {
            match file {
                Ok(file) => files.push(file),
                Err(error) => {
                    is_read = false;
                    found.problems.push(format!("file_discovery: {error}"));
                    found.unread.push(error.path().to_owned());
                }
            }
        }
        if is_read && files.len() == before {
            found.problems.push(format!("file_discovery: no file is called {pattern}"));
        }
    }
    files.sort();
    files.dedup();
    for file in files.iter().take(MOST_FILES) {
        match read(file) {
            Err(problem) => {
                found.problems.push(format!("{}: {problem}", file.display()));
                found.unread.push(file.clone());
            }
            Ok(groups) => {
                let file = Arc::from(file.as_path());
                for (hosts, labels) in groups {
                    hosts.iter().for_each(|host| found.add(job, host, &labels, Some(&file)));
                }
            }
        }
    }
    if found.targets.len() > MOST_TARGETS {
        found.problems.push(format!("{}: {} targets; only the first {MOST_TARGETS} are asked", job.name, found.targets.len()));
        found.targets.truncate(MOST_TARGETS);
    }
    found
}

impl Discovered {
    fn add(&mut self, job: &Arc<ScrapeJob>, host: &str, labels: &BTreeMap<String, String>, file: Option<&Arc<Path>>) {
        match (Target::new(job, host, labels), file) {
            (Ok(target), file) => self.targets.push(Target { file: file.cloned(), ..target }),
            (Err(problem), None) => self.problems.push(problem),
            (Err(problem), Some(file)) => self.problems.push(format!("{}: {problem}", file.display())),
        }
    }
}

type Group = (Vec<String>, BTreeMap<String, String>);

fn read(file: &Path) -> Result<Vec<Group>, String> {
    let cannot = |error: std::io::Error| format!("cannot be read: {error}");
    if file.metadata().map_err(cannot)?.len() > MOST_BYTES {
        return Err(format!("is larger than {} MiB", MOST_BYTES >> 20));
    }
    let text = std::fs::read_to_string(file).map_err(cannot)?;
    let value = match file.extension().is_some_and(|extension| extension == "json") {
        true => serde_json::from_str(&text).map_err(|error| error.to_string())?,
        false => yaml::read(&text)?,
    };
    groups(&value)
}

fn groups(value: &Value) -> Result<Vec<Group>, String> {
    let groups = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(groups) => groups,
        _ => return Err("expected a list of {targets, labels}".into()),
    };
    let group = |(nth, group): (usize, &Value)| {
        let wrong = |expected: &str| format!("entry {}: expected {expected}", nth + 1);
        let table = group.as_object().ok_or_else(|| wrong("targets and labels"))?;
        if let Some(other) = table.keys().find(|key| !["targets", "labels"].contains(&key.as_str())) {
            return Err(wrong(&format!("targets and labels, found {other:?}")));
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let hosts = table.get("targets").and_then(Value::as_array).and_then(|hosts| hosts.iter().map(text).collect());
        let labels = match table.get("labels") {
            None => Some(BTreeMap::new()),
            Some(labels) => {
                labels.as_object().and_then(|labels| labels.iter().map(|(name, value)| Some((name.clone(), text(value)?))).collect())
            }
        };
        Ok((hosts.ok_or_else(|| wrong("targets = a list of host:port"))?, labels.ok_or_else(|| wrong("labels = texts by name"))?))
    };
    groups.iter().enumerate().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_prometheus_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.json", r#"[{"targets": ["a:1", "a:2"], "labels": {"env": "live", "__meta_x": "y"}}, {"targets": []}]"#);
        write("b.yml", "- targets: [b:1]\n  labels: {version: 1.10}\n");
        write("c.yml", "- target: [c:1]\n");
        write("d.json", "[{");
        write("e.json", r#"[{"targets": ["x/y", "e:1"], "labels": {"a": "b"}}, {"targets": "a:1"}]"#);
        let mut job = ScrapeJob::new("shop");
        job.targets = vec!["s:1".into()];
        job.files = ["*.json", "*.yml", "nosuch/*.json"].map(|pattern| folder.path().join(pattern)).into();
        let found = discover(&Arc::new(job));
        let hosts: Vec<&str> = found.targets.iter().map(|target| target.instance.as_str()).collect();
        assert_eq!(hosts, ["s:1", "a:1", "a:2", "b:1"]);
        assert_eq!((found.targets[1].value("env"), found.targets[3].value("version")), ("live", "1.10"));
        let unread: Vec<_> = found.unread.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(unread, ["c.yml", "d.json", "e.json"]);
        assert!(found.targets[0].file.is_none() && found.targets[3].file.as_ref().unwrap().ends_with("b.yml"));
        let problems = found.problems.join("\n");
        for problem in ["nosuch/*.json", "c.yml: entry 1: expected targets and labels, found \"target\"", "d.json: EOF", "e.json: entry 2"]
        {
            assert!(problems.contains(problem), "{problems}");
        }
    }
}
