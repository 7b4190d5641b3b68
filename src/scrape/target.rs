//! Targets: one address of a job, with its labels.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::job::ScrapeJob;
use crate::fetch::Address;
use crate::store::Hash;

/// Labels that are parts of an upload's origin.
const ORIGIN: [&str; 7] = ["service", "version", "env", "host", "pod", "pid", "build_id"];

/// Most characters of a label's value.
const MOST_VALUE: usize = 200;

/// An address to fetch dumps from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub(super) job: Arc<ScrapeJob>,
    /// File that lists it; `None`: the configuration does.
    pub(super) file: Option<Arc<Path>>,
    /// Label `instance`: by default `host:port`.
    pub(super) instance: String,
    /// Address of the profile.
    pub(super) address: Address,
    /// Address that says how much memory is in use.
    pub(super) probe: Option<Address>,
    /// Parameters of the upload, without `time`.
    pub(super) pairs: Vec<(String, String)>,
}

impl Target {
    /// A target of `job` at `host:port`. `labels` are those of discovery: `__address__`, `__scheme__`, `__profile_path__` and
    /// `__metrics_path__` change where it is asked, others that begin with `__` are dropped.
    ///
    /// # Errors
    /// The labels make no address.
    pub(super) fn new(job: &Arc<ScrapeJob>, host: &str, labels: &BTreeMap<String, String>) -> Result<Target, String> {
        let special = |name: &str, default: &str| labels.get(name).cloned().unwrap_or_else(|| default.to_owned());
        let host = special("__address__", host);
        let scheme = special("__scheme__", &job.scheme);
        let at = |path: &str| {
            let is_plain = !host.is_empty() && !host.contains(['/', '@', '?', '#']) && path.starts_with('/');
            let address = Address::parse(&format!("{scheme}://{host}{path}")).filter(|address| is_plain && !address.host_name().is_empty());
            let is_http = |address: &Address| ["http", "https", "https+insecure"].contains(&address.scheme());
            address.filter(is_http).ok_or_else(|| format!("{scheme}://{host}{path} is not an address; expected host:port"))
        };
        let mut all = job.labels.clone();
        all.extend(labels.iter().map(|(name, value)| (name.clone(), value.clone())));
        all.entry("service".into()).or_insert_with(|| job.service.clone());
        all.entry("host".into()).or_insert_with(|| host.clone());
        let instance = all.entry("instance".into()).or_insert_with(|| host.clone()).clone();
        all.insert("job".into(), job.name.clone());
        let mut pairs = Vec::new();
        for (name, value) in all {
            let value: String = value.chars().filter(|c| !c.is_control()).take(MOST_VALUE).collect();
            if ORIGIN.contains(&name.as_str()) {
                pairs.push((name, value));
            } else if crate::store::is_name(&name) {
                pairs.push((format!("label.{name}"), value));
            }
        }
        let probe = job.probe.as_ref().map(|path| at(&special("__metrics_path__", path))).transpose()?;
        Ok(Target { job: job.clone(), file: None, instance, address: at(&special("__profile_path__", &job.path))?, probe, pairs })
    }

    /// What distinguishes targets.
    pub(super) fn key(&self) -> (String, String, String) {
        (self.job.name.clone(), self.address.to_string(), self.instance.clone())
    }

    /// A number by which the times of targets are spread; the same on all servers.
    pub(super) fn spread(&self) -> u64 {
        let (job, address, instance) = self.key();
        let hash = Hash::of(format!("{job} {address} {instance}").as_bytes()).to_string();
        hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(0)
    }

    /// A parameter of the upload.
    pub(super) fn value(&self, name: &str) -> &str {
        self.pairs.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_discovery_change_where_a_target_is_asked() {
        let mut job = ScrapeJob::new("shop");
        job.probe = Some("/metrics".into());
        job.labels = [("env", "test"), ("zone", "eu")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let job = Arc::new(job);
        let labels = |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let target =
            Target::new(&job, "10.0.0.7:80", &labels(&[("version", "7"), ("env", "live"), ("__meta_x", "1"), ("_x", "2")])).unwrap();
        assert_eq!(target.address.to_string(), "http://10.0.0.7:80/debug/pprof/heap");
        let pairs: Vec<String> = target.pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let expected =
            "env=live host=10.0.0.7:80 label.instance=10.0.0.7:80 label.job=shop service=shop version=7 label.zone=eu".split(' ');
        assert_eq!(pairs, expected.collect::<Vec<_>>());
        let special =
            [("__address__", "h:1"), ("__scheme__", "https"), ("__profile_path__", "/heap"), ("__metrics_path__", "/m"), ("instance", "a")];
        let target = Target::new(&job, "10.0.0.7:80", &labels(&special)).unwrap();
        assert_eq!((target.address.to_string().as_str(), target.instance.as_str()), ("https://h:1/heap", "a"));
        assert_eq!(target.probe.unwrap().to_string(), "https://h:1/m");
        for wrong in [
            [("__address__", "h:1/x")],
            [("__address__", "me@h:1")],
            [("__scheme__", "file")],
            [("__profile_path__", "heap")],
            [("__address__", "")],
        ] {
            assert!(Target::new(&job, "h:1", &labels(&wrong)).is_err(), "{wrong:?}");
        }
    }
}
