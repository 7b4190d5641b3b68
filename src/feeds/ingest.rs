//! Pyroscope's `/ingest`: a name with tags in the address, and a profile as the body or in a form.

use super::error::BadRequest;
use super::series::MOST_LABELS;
use crate::parse;

/// Formats that Pyroscope knows and heapview does not take.
const REFUSED: [&str; 6] = ["trie", "tree", "lines", "jfr", "speedscope", "perf_script"];

/// Most parts of a form.
const MOST_PARTS: usize = 16;

/// What the body of a request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ingested {
    /// A profile.
    Profile(Vec<u8>),
    /// Collapsed stacks that count something other than bytes.
    OtherUnits,
}

/// Labels of a name: `forest`, or `forest{env=prod,host=web-1}`. The application becomes the label `service_name`, unless a tag has
/// this name.
///
/// # Errors
/// The name is not of this form, or has a tag twice.
pub fn labels(name: &str) -> Result<Vec<(String, String)>, BadRequest> {
    let at = |rest: &str, expected| BadRequest::Name { at: name[..name.len() - rest.len()].chars().count() + 1, expected };
    let (application, mut rest) = name.split_at(name.find('{').unwrap_or(name.len()));
    if application.trim().is_empty() {
        return Err(at(name, "the name of an application"));
    }
    let mut labels: Vec<(String, String)> = Vec::new();
    if let Some(tags) = rest.strip_prefix('{') {
        let Some(close) = tags.find('}') else { return Err(at("", "`}`")) };
        let after = &tags[close + 1..];
        if !after.trim().is_empty() {
            return Err(at(after, "the end"));
        }
        rest = &tags[..close];
        let offset = after.len() + 1;
        let place = |rest: &str, expected| BadRequest::Name { at: name[..name.len() - offset - rest.len()].chars().count() + 1, expected };
        while !rest.trim().is_empty() {
            let (tag, next) = rest.split_once(',').unwrap_or((rest, ""));
            let Some((key, value)) = tag.split_once('=') else { return Err(place(rest, "a tag such as env=prod")) };
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() {
                return Err(place(rest, "the name of a tag"));
            }
            if labels.iter().any(|(known, _)| known == key) {
                return Err(place(rest, "a tag that is not there before"));
            }
            labels.push((key.to_owned(), value.to_owned()));
            if labels.len() > MOST_LABELS {
                return Err(BadRequest::Labels(1));
            }
            rest = next;
        }
    }
    if !labels.iter().any(|(key, _)| key == "service_name") {
        labels.push(("service_name".to_owned(), application.trim().to_owned()));
    }
    Ok(labels)
}

/// The profile of a request.
///
/// # Errors
/// A format that is not supported, or a form without a profile.
pub fn profile(body: Vec<u8>, content_type: &str, format: &str, units: &str) -> Result<Ingested, BadRequest> {
    let format = format.to_ascii_lowercase();
    let known = ["", "pprof", "folded", "groups"];
    if REFUSED.contains(&format.as_str()) || !known.contains(&format.as_str()) {
        return Err(BadRequest::Format(format.chars().take(40).collect()));
    }
    let body = match boundary(content_type) {
        Some(boundary) => {
            let parts = parts(&body, boundary?)?;
            let part = |name: &str| parts.iter().find(|(of, _)| of == name).map(|(_, content)| *content);
            match part("profile") {
                Some(content) => content.to_vec(),
                None if part("jfr").is_some() => return Err(BadRequest::Format("jfr".into())),
                None => return Err(BadRequest::Form("has no part named `profile`")),
            }
        }
        None => body,
    };
    let is_stacks = format == "folded" || format == "groups" || (format.is_empty() && parse::sniff(&body) == Some("folded"));
    Ok(match () {
        () if !is_stacks || body.starts_with(b"#") => Ingested::Profile(body),
        () if units == "bytes" => Ingested::Profile([b"# inuse_space bytes\n", &body[..]].concat()),
        () => Ingested::OtherUnits,
    })
}

/// The boundary of a form; `None` if this is another type.
fn boundary(content_type: &str) -> Option<Result<&str, BadRequest>> {
    let mut parts = content_type.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let value = parts.find_map(|part| part.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("boundary")));
    let value = value.map_or("", |(_, value)| value.trim().trim_matches('"'));
    Some(if (1..=70).contains(&value.len()) { Ok(value) } else { Err(BadRequest::Form("has no boundary of 1 to 70 characters")) })
}

/// Name and content of each part of a form (RFC 7578).
fn parts<'a>(body: &'a [u8], boundary: &str) -> Result<Vec<(String, &'a [u8])>, BadRequest> {
    let delimiter = format!("\r\n--{boundary}").into_bytes();
    // The first delimiter may be the beginning of the body.
    let mut rest = match body.strip_prefix(&delimiter[2..]) {
        Some(rest) => rest,
        None => &body[find(body, &delimiter).ok_or(BadRequest::Form("does not contain its boundary"))? + delimiter.len()..],
    };
    let mut all = Vec::new();
    while !rest.starts_with(b"--") {
        let line_end = find(rest, b"\r\n").ok_or(BadRequest::Form("ends in the middle of a part"))?;
        rest = &rest[line_end..];
        let head_end = find(rest, b"\r\n\r\n").ok_or(BadRequest::Form("ends in the middle of a part"))?;
        let head = String::from_utf8_lossy(&rest[..head_end]).into_owned();
        rest = &rest[head_end + 2..];
        let end = find(rest, &delimiter).ok_or(BadRequest::Form("ends in the middle of a part"))?;
        if all.len() == MOST_PARTS {
            return Err(BadRequest::Form("has more than 16 parts"));
        }
        // An empty content ends where its head does.
        all.push((name(&head), rest.get(2..end).unwrap_or_default()));
        rest = &rest[end + delimiter.len()..];
    }
    Ok(all)
}

/// The name in the head of a part; empty if there is none.
fn name(head: &str) -> String {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let disposition = lines.into_iter().find(|(header, _)| header.trim().eq_ignore_ascii_case("content-disposition"));
    let mut values = disposition.map_or("", |(_, value)| value).split(';').filter_map(|part| part.split_once('='));
    values
        .find(|(key, _)| key.trim().eq_ignore_ascii_case("name"))
        .map_or(String::new(), |(_, name)| name.trim().trim_matches('"').to_owned())
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(name: &str) -> Result<String, String> {
        let labels = labels(name).map_err(|error| error.to_string())?;
        Ok(labels.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn names_have_tags() {
        assert_eq!(tags("forest").unwrap(), "service_name=forest");
        assert_eq!(tags("forest{}").unwrap(), "service_name=forest");
        assert_eq!(tags("forest{env=prod, host=web-1 ,q=a=b}").unwrap(), "env=prod host=web-1 q=a=b service_name=forest");
        assert_eq!(tags("forest.cpu{service_name=shop}").unwrap(), "service_name=shop");
        for (name, says) in [
            ("", "expected the name of an application at character 1"),
            ("{env=prod}", "expected the name of an application at character 1"),
            ("forest{env=prod", "expected `}` at character 16"),
            ("forest{env=prod}x", "expected the end at character 17"),
            ("förest{env=prod,zone}", "expected a tag such as env=prod at character 17"),
            ("forest{=prod}", "expected the name of a tag at character 8"),
            ("forest{a=1,a=2}", "expected a tag that is not there before at character 12"),
        ] {
            let error = tags(name).unwrap_err();
            assert!(error.contains(says), "{name}: {error}");
        }
    }

    #[test]
    fn forms_have_a_profile() {
        let form = "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"sample_type_config\"; filename=\"a.json\"\r\n\r\n{}\r\n--XX\r\n\
            content-type: application/octet-stream\r\nContent-Disposition: form-data; name=profile\r\n\r\nheap\r\n\r\n--X\r\n--XX--\r\n";
        let of = |form: &str, boundary: &str| profile(form.into(), &format!("multipart/form-data; boundary={boundary}"), "", "");
        assert_eq!(of(form, "\"XX\""), Ok(Ingested::Profile(b"heap\r\n\r\n--X".to_vec())));
        assert_eq!(of(form.split_at(10).1, "XX"), of(form, "XX"));
        for end in 0..form.len() - 4 {
            assert!(of(&form[..end], "XX").is_err(), "{end}");
        }
        let empty = "--XX\r\nContent-Disposition: form-data; name=profile\r\n\r\n\r\n--XX--";
        assert_eq!(of(empty, "XX"), Ok(Ingested::Profile(Vec::new())));
        assert_eq!(of(&empty.replace("profile", "jfr"), "XX"), Err(BadRequest::Format("jfr".into())));
        assert_eq!(of(&empty.replace("profile", "x"), "XX"), Err(BadRequest::Form("has no part named `profile`")));
        assert!(of(form, "").is_err());
        let many = format!("{}--XX--", "--XX\r\nA: b\r\n\r\n\r\n".repeat(20));
        assert_eq!(of(&many, "XX"), Err(BadRequest::Form("has more than 16 parts")));
    }

    #[test]
    fn stacks_need_units_of_bytes() {
        let stacks = b"main;serve 10\nmain;load 20\n";
        let of = |format: &str, units: &str| profile(stacks.to_vec(), "", format, units);
        let profiled = Ingested::Profile([b"# inuse_space bytes\n", &stacks[..]].concat());
        assert_eq!(
            (of("folded", "bytes"), of("groups", "bytes"), of("", "bytes")),
            (Ok(profiled.clone()), Ok(profiled.clone()), Ok(profiled))
        );
        assert_eq!((of("folded", "samples"), of("", "")), (Ok(Ingested::OtherUnits), Ok(Ingested::OtherUnits)));
        assert_eq!(of("pprof", ""), Ok(Ingested::Profile(stacks.to_vec())));
        assert_eq!(of("Trie", "bytes"), Err(BadRequest::Format("trie".into())));
        assert_eq!(of("what", "bytes"), Err(BadRequest::Format("what".into())));
    }
}
