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
//! Each profile has one value type. Those of one scope, time and kind of period are what one dump of pprof has: they become one profile
//! again.

mod answers;
mod budget;
mod convert;
mod dictionary;

pub use answers::{partly_stored, status};

use std::borrow::Cow;

use super::error::BadRequest;
use super::push::walk;
use super::series::{MOST_LABELS, MOST_PROFILES, Series};
use crate::parse::wire::Value;
use budget::Budget;
use convert::Converter;
use dictionary::{Dictionary, any_value, indices};

/// Most value types of a profile; further ones become another profile.
const MOST_TYPES: usize = 16;

/// A profile that was not converted: its message, and what groups it.
struct Message<'a> {
    scope: usize,
    time: u64,
    /// Indices of its type and unit.
    period_type: [u64; 2],
    bytes: &'a [u8],
}

/// Reads a request in protobuf: a series for each resource. The profiles, and what it takes to convert them, have at most `most`
/// bytes together; `reserve` reserves them piece by piece, and returns whether it could.
///
/// # Errors
/// It is damaged, names what its dictionary does not have or the same of it too often, becomes too large, or cannot be kept at the moment.
pub fn from_protobuf(message: &[u8], most: u64, reserve: &mut dyn FnMut(u64) -> bool) -> Result<Vec<Series>, BadRequest> {
    let mut budget = Budget::new(message.len(), most, reserve);
    let mut resources: Vec<&[u8]> = Vec::new();
    let mut dictionary = Dictionary::default();
    walk("request", message, |number, value| {
        match (number, value) {
            (1, Value::Bytes(_)) if resources.len() == MOST_PROFILES => return Err(BadRequest::Profiles),
            (1, Value::Bytes(bytes)) => resources.push(bytes),
            (2, Value::Bytes(bytes)) => dictionary.read(bytes, &mut budget)?,
            _ => {}
        }
        Ok(())
    })?;
    let mut converter = Converter::new(&dictionary, budget);
    let mut n_profiles = 0;
    let read = |(at, resource)| one_resource(resource, at + 1, &mut converter, &mut n_profiles);
    resources.into_iter().enumerate().map(read).collect()
}

fn one_resource<'a>(message: &'a [u8], number: usize, converter: &mut Converter, n_profiles: &mut usize) -> Result<Series, BadRequest> {
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
                        let (mut time, mut period_type) = (0, [0; 2]);
                        walk("profile", bytes, |field, value| {
                            match (field, value) {
                                (3, Value::Fixed(nanos)) => time = nanos,
                                (5, Value::Bytes(of)) => period_type = indices("value type", of)?,
                                _ => {}
                            }
                            Ok(())
                        })?;
                        profiles.push(Message { scope: n_scopes, time, period_type, bytes });
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
        let key = |of: &Message<'a>| (of.scope, of.time, of.period_type);
        let same = |group: &&mut Vec<Message<'a>>| key(&group[0]) == key(&profile);
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
            (2, Value::Bytes(value)) => text = any_value(value)?.map(Cow::into_owned),
            _ => {}
        }
        Ok(())
    })?;
    Ok(text.map(|text| (name, text)))
}

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use prost::encoding::{WireType, encode_key, encode_varint};

    use super::*;
    use crate::proto;

    /// The request, as long as there is memory.
    fn from_protobuf(message: &[u8], most: u64) -> Result<Vec<Series>, BadRequest> {
        super::from_protobuf(message, most, &mut |_| true)
    }

    fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
        let mut message = Vec::new();
        encode_key(number, WireType::LengthDelimited, &mut message);
        encode_varint(bytes.len() as u64, &mut message);
        [message, bytes.to_vec()].concat()
    }

    /// A request of one resource and scope.
    fn request(profiles: &[Vec<u8>], dictionary: &[(u32, &[u8])]) -> Vec<u8> {
        let profiles: Vec<u8> = profiles.iter().flat_map(|profile| field(2, profile)).collect();
        let dictionary: Vec<u8> = dictionary.iter().flat_map(|(table, entry)| field(*table, entry)).collect();
        [field(1, &field(2, &profiles)), field(2, &dictionary)].concat()
    }

    /// A profile of one sample, on stack 1.
    fn profile(value_type: &[u8], period_type: &[u8], value: u8) -> Vec<u8> {
        [field(1, value_type), field(2, &[8, 1, 32, value]), field(5, period_type)].concat()
    }

    const NAMES: [(u32, &[u8]); 5] = [(5, b""), (5, b"inuse_space"), (5, b"bytes"), (5, b"cpu"), (5, b"main")];
    /// Function 1 is called `main`; location 1 is in it; stack 1 is location 1.
    const TABLES: [(u32, &[u8]); 6] = [(3, b""), (3, &[8, 4]), (2, b""), (2, &[26, 2, 8, 1]), (7, b""), (7, &[10, 1, 1])];

    #[test]
    fn value_types_of_one_dump_are_joined() {
        let (space, cpu) = (&[8, 1, 16, 2], &[8, 3]);
        let message = request(&[profile(space, space, 5), profile(cpu, cpu, 6), profile(cpu, space, 7)], &[&NAMES[..], &TABLES].concat());
        let read = from_protobuf(&message, 1 << 20).unwrap();
        let profiles: Vec<proto::Profile> = read[0].profiles.iter().map(|bytes| proto::Profile::decode(&bytes[..]).unwrap()).collect();
        let values = |at: usize| profiles[at].sample.iter().map(|sample| sample.value.clone()).collect::<Vec<_>>();
        assert_eq!((profiles.len(), values(0), values(1)), (2, vec![vec![5, 7]], vec![vec![6]]));
        assert_eq!((profiles[0].location.len(), profiles[0].function.len(), profiles[0].sample[0].location_id[0]), (1, 1, 1));
        assert_eq!(profiles[0].string_table[profiles[0].function[0].name as usize], b"main");
    }

    #[test]
    fn small_requests_do_not_become_large_ones() {
        // One deep stack that many profiles share.
        let deep = field(1, &[1; 10_000]);
        let tables = [(3, &b""[..]), (3, &[8, 4]), (2, b""), (2, &[26, 2, 8, 1]), (7, b""), (7, &deep)];
        let sample = &[8, 1, 16, 2];
        let many = vec![profile(sample, sample, 5); 900];
        let message = request(&many, &[&NAMES[..], &tables].concat());
        assert!(message.len() < 40_000, "{}", message.len());
        assert_eq!(from_protobuf(&message, 100_000), Err(BadRequest::References));
        assert!(from_protobuf(&message, 4 << 20).is_ok());
        let longer = field(1, &[1; 10_001]);
        let tables = [(7, &b""[..]), (7, &longer)];
        assert!(matches!(from_protobuf(&request(&many[..1], &[&NAMES[..], &tables].concat()), 1 << 20), Err(BadRequest::Protobuf { .. })));
        assert_eq!(from_protobuf(&request(&vec![Vec::new(); 1001], &[]), 1 << 20), Err(BadRequest::Profiles));
        // Attributes, lines and samples: references of a byte or two.
        let attribute = [&[8, 4][..], &field(2, &field(1, &[b'x'; 4000]))].concat();
        let tables = [(6, &b""[..]), (6, &attribute), (2, b""), (2, &[26, 0].repeat(2000)), (7, b""), (7, &[10, 1, 1])];
        let labelled = |n: usize| field(2, &[&[8, 1, 32, 1][..], &field(2, &vec![1; n])].concat());
        let samples = field(1, sample).into_iter().chain((1..=200).flat_map(labelled)).collect::<Vec<_>>();
        let message = request(&[samples], &[&NAMES[..], &tables].concat());
        let read = from_protobuf(&message, 1 << 20).unwrap();
        let read = proto::Profile::decode(&read[0].profiles[0][..]).unwrap();
        assert_eq!((read.sample.len(), read.sample[199].label.len(), read.location[0].line.len()), (200, 200, 2000));
        // 200 rows of 100 attributes, 2000 lines.
        let kept = 200 * (8 * 100 + 128) + 2000 * 24;
        assert_eq!(from_protobuf(&message, kept), Err(BadRequest::Large(kept)));
        let more = request(&[labelled(201)], &[&NAMES[..], &tables].concat());
        assert!(from_protobuf(&more, 1 << 20).unwrap_err().to_string().contains("attributes of a sample: there are more than 200"));
    }

    #[test]
    fn a_reference_costs_the_same_whatever_it_refers_to() {
        let long = vec![b'x'; 1 << 20];
        let value = field(2, &field(1, &long));
        // Attributes 1 and 2 have a long value, 3 to 202 a long name; the mapping has the long value 200 times.
        let mut attributes = vec![Vec::new(), [&[8, 4][..], &value].concat(), [&[8, 4][..], &value].concat()];
        attributes.extend((0..200).map(|_| vec![8, 5]));
        let mut tables: Vec<(u32, &[u8])> = attributes.iter().map(|attribute| (6, &attribute[..])).collect();
        let mapping = field(5, &[1; 200]);
        tables.extend([(5, &long[..]), (1, b""), (1, &mapping), (2, b""), (2, &[8, 1]), (7, b""), (7, &[10, 1, 1])]);
        let labelled = |indices: &[u8]| field(2, &[&[8, 1, 32, 1][..], &field(2, indices)].concat());
        let samples: Vec<u8> = (1..=200).flat_map(|n| labelled(&vec![2; n])).chain(labelled(&Vec::from_iter(3..127))).collect();
        let profile = [field(1, &[8, 1, 16, 2]), samples].concat();
        let message = request(&[profile], &[&NAMES[..], &tables].concat());
        // The mapping decodes its attribute 200 times; labels and names are known after the first time.
        assert_eq!(from_protobuf(&message, 780 << 20), Err(BadRequest::References));
        assert!(from_protobuf(&message, 820 << 20).is_ok());
        assert_eq!(super::from_protobuf(&message, 820 << 20, &mut |_| false), Err(BadRequest::Busy));
    }

    #[test]
    fn missing_entries_are_named() {
        let of = |tables: &[(u32, &[u8])]| from_protobuf(&request(&[profile(&[8, 1], b"", 1)], tables), 1000).unwrap_err().to_string();
        assert_eq!(of(&[]), "profile 1: string 1 is not in the dictionary");
        assert_eq!(of(&NAMES), "profile 1: stack 1 is not in the dictionary");
        assert_eq!(of(&[&TABLES[4..], &NAMES].concat()), "profile 1: location 1 is not in the dictionary");
        assert_eq!(of(&[&TABLES[2..], &NAMES].concat()), "profile 1: function 1 is not in the dictionary");
        assert_eq!(of(&TABLES), "profile 1: string 1 is not in the dictionary");
    }
}
