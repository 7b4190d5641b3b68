//! Profiles of OpenTelemetry (`v1development`, OTLP 1.10): a request to pprof.
//!
//! ```text
//! Request     1 resource_profiles: [Resource], 2 dictionary
//! Resource    1 resource: 1 attributes: [KeyValue], 2 scope_profiles: [2 profiles: [Profile]]
//! Profile     1 sample_type, 2 samples: [Sample], 3 time_unix_nano: fixed64, 4 duration_nano, 5 period_type, 6 period
//! Sample      1 stack_index, 2 attribute_indices, 4 values, 5 timestamps
//! Dictionary  1 mappings, 2 locations, 3 functions, 5 strings, 6 attributes, 7 stacks
//! ```
//!
//! Each profile has one value type. Those of one scope and time are what one dump of pprof has: they become one profile again.

mod answers;
mod convert;
mod dictionary;

pub use answers::{partly_stored, status};

use super::push::walk;
use super::{BadRequest, MOST_LABELS, MOST_PROFILES, Series};
use crate::parse::wire::Value;
use convert::Converter;
use dictionary::{Dictionary, any_value};

/// Most value types of a profile; further ones become another profile.
const MOST_TYPES: usize = 16;

/// A profile that was not converted: its message, and what groups it.
struct Message<'a> {
    scope: usize,
    time: u64,
    bytes: &'a [u8],
}

/// Reads a request in protobuf: a series for each resource. The profiles together have at most `most` bytes.
///
/// # Errors
/// It is damaged, names what its dictionary does not have, or becomes too large.
pub fn from_protobuf(message: &[u8], most: u64) -> Result<Vec<Series>, BadRequest> {
    let mut resources: Vec<&[u8]> = Vec::new();
    let mut dictionary = Dictionary::default();
    walk("request", message, |number, value| {
        match (number, value) {
            (1, Value::Bytes(_)) if resources.len() == MOST_PROFILES => return Err(BadRequest::Profiles),
            (1, Value::Bytes(bytes)) => resources.push(bytes),
            (2, Value::Bytes(bytes)) => dictionary.read(bytes)?,
            _ => {}
        }
        Ok(())
    })?;
    let mut converter = Converter::new(&dictionary, most);
    let mut n_profiles = 0;
    let read = |(at, resource)| one_resource(resource, at + 1, &mut converter, &mut n_profiles);
    resources.into_iter().enumerate().map(read).collect()
}

fn one_resource(message: &[u8], number: usize, converter: &mut Converter, n_profiles: &mut usize) -> Result<Series, BadRequest> {
    let mut series = Series::default();
    let mut profiles: Vec<Message> = Vec::new();
    let mut n_scopes = 0;
    walk("resource", message, |field, value| {
        match (field, value) {
            (1, Value::Bytes(resource)) => walk("resource", resource, |field, value| {
                if let (1, Value::Bytes(attribute)) = (field, value) {
                    if series.labels.len() == MOST_LABELS {
                        return Err(BadRequest::Labels(number));
                    }
                    series.labels.extend(label(attribute, number)?);
                }
                Ok(())
            })?,
            (2, Value::Bytes(scope)) => {
                n_scopes += 1;
                walk("scope", scope, |field, value| {
                    if let (2, Value::Bytes(bytes)) = (field, value) {
                        *n_profiles += 1;
                        if *n_profiles > MOST_PROFILES {
                            return Err(BadRequest::Profiles);
                        }
                        let mut time = 0;
                        walk("profile", bytes, |field, value| {
                            if let (3, Value::Fixed(nanos)) = (field, value) {
                                time = nanos;
                            }
                            Ok(())
                        })?;
                        profiles.push(Message { scope: n_scopes, time, bytes });
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    // The order of their first ones stays.
    let mut groups: Vec<Vec<Message>> = Vec::new();
    for profile in profiles {
        let same = |group: &&mut Vec<Message>| (group[0].scope, group[0].time) == (profile.scope, profile.time);
        match groups.iter_mut().filter(|group| group.len() < MOST_TYPES).find(same) {
            Some(group) => group.push(profile),
            None => groups.push(vec![profile]),
        }
    }
    for group in groups {
        let messages: Vec<&[u8]> = group.iter().map(|profile| profile.bytes).collect();
        series.profiles.push(converter.pprof(&messages, group[0].time)?);
    }
    Ok(series)
}

/// An attribute as a label; `None`: its value is a list, or nothing.
fn label(attribute: &[u8], series: usize) -> Result<Option<(String, String)>, BadRequest> {
    let (mut name, mut text) = (String::new(), None);
    walk("attribute", attribute, |field, value| {
        match (field, value) {
            (1, Value::Bytes(key)) => {
                name = std::str::from_utf8(key).map_err(|_| BadRequest::Text { series, what: "the name of an attribute" })?.to_owned();
            }
            (2, Value::Bytes(value)) => text = any_value(value)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(text.map(|text| (name, text)))
}
