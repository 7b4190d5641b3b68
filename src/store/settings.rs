//! Settings of a store: limits, and how long dumps are kept. They are in the store, so that all replicas have the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::documents;
use super::error::StoreError;
use super::objects::Objects;
use crate::parse::ParseOptions;

/// Folder of the document.
pub(super) const FOLDER: &str = "config";

/// Settings; each has a name for `heapview store set`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Most bytes of an uploaded dump.
    pub most_body: u64,
    /// Most bytes that a dump may unpack to.
    pub most_unpacked: u64,
    /// Most distinct stacks of a dump.
    pub most_stacks: u64,
    /// Most labels of an upload besides those with names of their own.
    pub most_labels: u64,
    /// Most services.
    pub most_services: u64,
    /// Most short links.
    pub most_links: u64,
    /// Most bytes of an uploaded binary.
    pub most_binary: u64,
    /// Interval at which a server deletes what is old, seconds; 0: never by itself.
    pub gc_every: u64,
    /// Days that dumps are kept; 0: for ever.
    pub keep_days: u64,
    /// Service → days that its dumps are kept; 0: for ever.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub keep_days_of: BTreeMap<String, u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            most_body: 256 << 20,
            most_unpacked: 700 << 20,
            most_stacks: 200_000,
            most_labels: 30,
            most_services: 10_000,
            most_links: 100_000,
            most_binary: 2 << 30,
            gc_every: 86_400,
            keep_days: 0,
            keep_days_of: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Days that dumps of a service are kept; `None`: for ever.
    pub fn days_of(&self, service: &str) -> Option<u64> {
        Some(*self.keep_days_of.get(service).unwrap_or(&self.keep_days)).filter(|&days| days > 0)
    }

    /// Options for reading a dump within the limits.
    pub fn parse_options(&self) -> ParseOptions {
        let max_expanded = usize::try_from(self.most_unpacked).unwrap_or(usize::MAX);
        ParseOptions { max_expanded, ..ParseOptions::default() }
    }

    /// Sets one by name, as in `keep_days=30`, `keep_days.forest=90` and `most_body=64M`.
    fn set(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        let refuse = |expected: &str| Err(StoreError::Refused(format!("{name}={value}: expected {expected}")));
        let number: Option<u64> = match value.char_indices().last() {
            Some((at, unit @ ('K' | 'M' | 'G'))) => {
                let factor = 1u64 << (10 * (1 + "KMG".find(unit).unwrap_or(0)));
                value[..at].parse::<u64>().ok().and_then(|n| n.checked_mul(factor))
            }
            _ => value.parse().ok(),
        };
        if name == "gc_every" {
            self.gc_every = match value {
                "off" => 0,
                "on" => Settings::default().gc_every,
                value => super::duration(value)?,
            };
            return Ok(());
        }
        let place = match name {
            "most_body" => &mut self.most_body,
            "most_unpacked" => &mut self.most_unpacked,
            "most_stacks" => &mut self.most_stacks,
            "most_labels" => &mut self.most_labels,
            "most_services" => &mut self.most_services,
            "most_links" => &mut self.most_links,
            "most_binary" => &mut self.most_binary,
            "keep_days" => &mut self.keep_days,
            _ => match name.strip_prefix("keep_days.") {
                Some(service) if value == "default" => {
                    self.keep_days_of.remove(service);
                    return Ok(());
                }
                Some(service) => self.keep_days_of.entry(service.to_owned()).or_default(),
                None => return refuse("a setting that `heapview store settings` lists, or keep_days.SERVICE"),
            },
        };
        match number {
            Some(number) => *place = number,
            None => return refuse("a number, with K, M or G for bytes"),
        }
        Ok(())
    }
}

/// Changes settings: pairs of name and value.
pub(super) fn change(objects: &dyn Objects, pairs: &[(String, String)]) -> Result<Settings, StoreError> {
    documents::change(objects, FOLDER, |settings: &mut Settings| {
        pairs.iter().try_for_each(|(name, value)| settings.set(name, value))?;
        Ok(settings.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_names_and_units() {
        let mut settings = Settings::default();
        for (name, value) in [("most_body", "64M"), ("keep_days", "30"), ("keep_days.forest", "0"), ("keep_days.shop", "90")] {
            settings.set(name, value).unwrap();
        }
        assert_eq!((settings.most_body, settings.keep_days), (64 << 20, 30));
        assert_eq!(["forest", "shop", "other"].map(|service| settings.days_of(service)), [None, Some(90), Some(30)]);
        settings.set("keep_days.forest", "default").unwrap();
        assert_eq!(settings.days_of("forest"), Some(30));
        for (name, value) in [("most", "1"), ("most_body", ""), ("most_body", "M"), ("most_body", "-1"), ("most_body", "99999999999G")] {
            assert!(settings.set(name, value).is_err(), "{name}={value}");
        }
    }
}
