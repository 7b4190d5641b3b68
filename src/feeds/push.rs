//! Pyroscope's `push.v1.PushRequest`, as protobuf and as JSON.
//!
//! ```text
//! PushRequest   1 series: [Series]
//! Series        1 labels: [Label], 2 samples: [Sample]
//! Label         1 name, 2 value
//! Sample        1 raw_profile: bytes, 2 ID
//! ```
//!
//! Read without an intermediate tree: a message of a few bytes for each entry would take a hundred times its length.

use std::fmt;
use std::marker::PhantomData;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::error::BadRequest;
use super::series::{MOST_LABELS, MOST_PROFILES, Series};
use crate::parse::wire::{Fields, Value};

/// Reads a request in protobuf.
///
/// # Errors
/// It is damaged, or has too many profiles or labels.
pub fn from_protobuf(message: &[u8]) -> Result<Vec<Series>, BadRequest> {
    let mut all = Vec::new();
    let mut n_profiles = 0;
    walk("request", message, |number, value| {
        if let (1, Value::Bytes(series)) = (number, value) {
            all.push(one_series(series, all.len() + 1, &mut n_profiles)?);
            // A series without profiles counts, too.
            if all.len() > MOST_PROFILES {
                return Err(BadRequest::Profiles);
            }
        }
        Ok(())
    })?;
    Ok(all)
}

fn one_series(message: &[u8], number_of_series: usize, n_profiles: &mut usize) -> Result<Series, BadRequest> {
    let mut series = Series::default();
    walk("series", message, |number, value| {
        match (number, value) {
            (1, Value::Bytes(label)) => {
                if series.labels.len() == MOST_LABELS {
                    return Err(BadRequest::Labels(number_of_series));
                }
                series.labels.push(one_label(label, number_of_series)?);
            }
            (2, Value::Bytes(sample)) => {
                *n_profiles += 1;
                if *n_profiles > MOST_PROFILES {
                    return Err(BadRequest::Profiles);
                }
                let mut profile = Vec::new();
                walk("sample", sample, |number, value| {
                    if let (1, Value::Bytes(bytes)) = (number, value) {
                        profile = bytes.to_vec();
                    }
                    Ok(())
                })?;
                series.profiles.push(profile);
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(series)
}

fn one_label(message: &[u8], series: usize) -> Result<(String, String), BadRequest> {
    let text = |bytes: &[u8], what| match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(BadRequest::Text { series, what }),
    };
    let mut label = (String::new(), String::new());
    walk("label", message, |number, value| {
        match (number, value) {
            (1, Value::Bytes(bytes)) => label.0 = text(bytes, "the name of a label")?,
            (2, Value::Bytes(bytes)) => label.1 = text(bytes, "the value of a label")?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(label)
}

/// Calls `visit` with the number and value of each field.
pub(super) fn walk<'a>(
    name: &'static str,
    message: &'a [u8],
    mut visit: impl FnMut(u32, Value<'a>) -> Result<(), BadRequest>,
) -> Result<(), BadRequest> {
    let mut fields = Fields::new(message);
    loop {
        match fields.next() {
            Ok(Some(field)) => visit(field.number, field.value)?,
            Ok(None) => return Ok(()),
            Err((at, reason)) => return Err(BadRequest::Protobuf { message: name, at, reason }),
        }
    }
}

#[derive(Deserialize)]
struct JsonRequest {
    #[serde(default)]
    series: Option<Bounded<JsonSeries, MOST_PROFILES>>,
}

#[derive(Deserialize)]
struct JsonSeries {
    #[serde(default)]
    labels: Option<Bounded<JsonLabel, MOST_LABELS>>,
    #[serde(default)]
    samples: Option<Bounded<JsonSample, MOST_PROFILES>>,
}

#[derive(Deserialize)]
struct JsonLabel {
    #[serde(default)]
    name: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
struct JsonSample {
    #[serde(default, rename = "rawProfile", alias = "raw_profile")]
    raw_profile: String,
}

/// A list that is refused when it is longer than `N`.
struct Bounded<T, const N: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Bounded<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<T, const N: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for List<T, N> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "a list of at most {N}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(next) = list.next_element()? {
                    if all.len() == N {
                        return Err(A::Error::custom(format_args!("a list has more than {N} entries")));
                    }
                    all.push(next);
                }
                Ok(all)
            }
        }
        deserializer.deserialize_seq(List::<T, N>(PhantomData)).map(Bounded)
    }
}

/// Reads a request in JSON; profiles are base 64, of either alphabet, with or without padding.
///
/// # Errors
/// It is damaged, or has too many profiles or labels.
pub fn from_json(text: &[u8]) -> Result<Vec<Series>, BadRequest> {
    let request: JsonRequest = serde_json::from_slice(text).map_err(|error| BadRequest::Json(error.to_string()))?;
    let any_padding = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engines = [alphabet::STANDARD, alphabet::URL_SAFE].map(|alphabet| GeneralPurpose::new(&alphabet, any_padding));
    let mut n_profiles = 0;
    let mut all = Vec::new();
    for (at, series) in request.series.map_or_else(Vec::new, |list| list.0).into_iter().enumerate() {
        let labels = series.labels.map_or_else(Vec::new, |list| list.0).into_iter().map(|label| (label.name, label.value)).collect();
        let mut profiles = Vec::new();
        for JsonSample { raw_profile } in series.samples.map_or_else(Vec::new, |list| list.0) {
            n_profiles += 1;
            if n_profiles > MOST_PROFILES {
                return Err(BadRequest::Profiles);
            }
            let decoded = engines.iter().find_map(|engine| engine.decode(&raw_profile).ok());
            profiles.push(decoded.ok_or_else(|| BadRequest::Json(format!("series {}: `rawProfile` is not base 64", at + 1)))?);
        }
        all.push(Series { labels, time: None, profiles });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        assert!(bytes.len() < 128);
        [&[number << 3 | 2, bytes.len() as u8][..], bytes].concat()
    }

    #[test]
    fn both_forms_mean_the_same() {
        let label = field(1, &[field(1, b"service_name"), field(2, b"forest")].concat());
        let samples = [b"one", b"two"].map(|profile| field(2, &[field(1, profile), field(2, b"id")].concat())).concat();
        let message = field(1, &[label, samples].concat());
        let json = br#"{"series":[{"labels":[{"name":"service_name","value":"forest"}],
            "samples":[{"rawProfile":"b25l","ID":"id"},{"raw_profile":"dHdv"}],"annotations":null}]}"#;
        let series =
            Series { labels: vec![("service_name".into(), "forest".into())], time: None, profiles: vec![b"one".to_vec(), b"two".to_vec()] };
        let series = [series];
        assert_eq!((from_protobuf(&message).unwrap(), from_json(json).unwrap()), (series.to_vec(), series.to_vec()));
        assert_eq!((from_protobuf(b"").unwrap(), from_json(b"{}").unwrap()), (Vec::new(), Vec::new()));
        for end in 1..message.len() {
            assert!(matches!(from_protobuf(&message[..end]), Err(BadRequest::Protobuf { .. })), "{end}");
        }
    }

    #[test]
    fn floods_are_refused() {
        let label = field(1, &field(1, b"a"));
        let series = [label.repeat(MOST_LABELS), field(2, b"")].concat();
        let of = |n: usize, message: &[u8]| {
            let mut head = vec![0x0a];
            let mut length = message.len();
            while length > 127 {
                head.push((length & 127 | 128) as u8);
                length >>= 7;
            }
            head.push(length as u8);
            from_protobuf(&[&head, message].concat().repeat(n))
        };
        assert_eq!(of(2, &series).unwrap().len(), 2);
        assert_eq!(of(1, &[series, label].concat()), Err(BadRequest::Labels(1)));
        assert_eq!(of(10_000, b""), Err(BadRequest::Profiles));
        assert_eq!(of(1, &field(2, b"").repeat(MOST_PROFILES + 1)), Err(BadRequest::Profiles));
        assert_eq!(of(1, &field(1, &field(1, b"\xff"))), Err(BadRequest::Text { series: 1, what: "the name of a label" }));
        let json = format!("{{\"series\":[{}{{}}]}}", "{},".repeat(MOST_PROFILES));
        assert!(from_json(json.as_bytes()).unwrap_err().to_string().contains("more than 1000"));
        assert!(from_json(br#"{"series":[{"samples":[{"rawProfile":"%"}]}]}"#).is_err());
        assert!(from_json(&b"[".repeat(100_000)).is_err());
    }
}
