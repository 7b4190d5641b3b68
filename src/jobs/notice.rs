//! Notices to webhooks: their text, and when they are tried again.

use std::time::Duration;

use serde_json::json;

use crate::fetch::{Address, Guarded, TlsFiles, is_forbidden};
use crate::store::{Check, Notice, Verdict};

/// Attempts after which a notice is given up; about a day.
pub(super) const MOST_ATTEMPTS: u32 = 36;

/// Time for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Broken limits that a text lists.
const LISTED: usize = 5;

/// The body of a notice: `text` is for people and what Slack and its like show, the rest for programs.
pub(super) fn body(service: &str, verdict: &Verdict, url: &str, id: &str, now: i64) -> String {
    let link = |path: &str| format!("{url}{path}");
    let page = link(&format!("/services/{service}"));
    let mut text = match verdict.holds {
        true => format!("heapview: {service} is within its limits again ({}). {page}", verdict.checked),
        false => format!("heapview: {service} exceeds its memory limits. {page}"),
    };
    for broken in verdict.broken.iter().take(LISTED) {
        let of = [&broken.version, &broken.process].into_iter().filter(|part| !part.is_empty()).map(String::as_str);
        let of = of.collect::<Vec<_>>().join(", ");
        let of = if of.is_empty() { of } else { format!(" ({of})") };
        let most = if broken.culprit.is_empty() { String::new() } else { format!(", mostly {}", broken.culprit) };
        text += &format!("\n{}{most}{of}: {}", broken.text, link(&broken.link));
    }
    if verdict.broken.len() > LISTED {
        text += &format!("\nand {} more", verdict.broken.len() - LISTED);
    }
    let broken: Vec<_> = verdict
        .broken
        .iter()
        .map(|broken| {
            json!({
                "limit": broken.limit, "text": broken.text, "value": broken.value, "culprit": broken.culprit,
                "version": broken.version, "process": broken.process, "link": link(&broken.link),
            })
        })
        .collect();
    let event = if verdict.holds { "check_recovered" } else { "check_broken" };
    json!({ "text": text, "event": event, "id": id, "service": service, "time": now, "link": page, "broken": broken }).to_string()
}

/// Name and value of a header.
pub(crate) type Header<'a> = (&'a str, &'a str);

/// Checks the address and header of a webhook.
///
/// # Errors
/// A sentence why they cannot be used.
pub(crate) fn webhook_of(check: &Check) -> Result<(Address, Option<Header<'_>>), String> {
    let url = &check.webhook;
    let is_http = url.starts_with("http://") || url.starts_with("https://");
    let address = Address::parse(url).filter(|_| is_http).ok_or("the webhook must be an address that begins with http:// or https://")?;
    if let Some(ip) = address.host_name().parse().ok().filter(|ip| is_forbidden(*ip)) {
        return Err(format!("the webhook is on {ip}, a link-local or metadata address; these are refused"));
    }
    if address.has_user() {
        return Err("the webhook has a user or password in its address; give them as -header='Authorization: Basic …'".into());
    }
    if check.header.is_empty() {
        return Ok((address, None));
    }
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_value = |value: &str| !value.is_empty() && value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let header = check.header.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
    let header = header.filter(|(name, value)| is_name(name) && is_value(value));
    // The value may be a secret, so it is not shown.
    header.map(|header| (address, Some(header))).ok_or_else(|| "the header must be of the form `Name: value`".into())
}

/// Sends a notice.
///
/// # Errors
/// A sentence why its receiver did not take it.
pub(super) fn send(check: &Check, notice: &Notice) -> Result<(), String> {
    let (address, header) = webhook_of(check)?;
    let tls = TlsFiles::default();
    let request = Guarded { address: &address, authorization: None, tls: &tls, timeout: TIMEOUT, limit: 0 };
    request.send_json(header.as_slice(), &notice.body).map_err(|error| error.to_string())
}

/// Time until the next attempt, milliseconds: 2 s, 4 s and so on to an hour.
pub(super) fn pause(attempts: u32) -> i64 {
    (2000i64 << attempts.saturating_sub(1).min(20)).min(3_600_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Broken;

    #[test]
    fn webhooks_are_checked_and_secrets_are_not_shown() {
        let check = |webhook: &str, header: &str| Check { webhook: webhook.into(), header: header.into(), ..Check::default() };
        assert_eq!(webhook_of(&check("https://h/x", "X-Key:  s3cret ")).unwrap().1, Some(("X-Key", "s3cret")));
        for (webhook, header) in [
            ("ftp://h/x", ""),
            ("h/x", ""),
            ("http://169.254.169.254/latest", ""),
            ("http://[fe80::1]/", ""),
            ("https://me:s3cret@h/", ""),
            ("https://s3cret@h/", ""),
            ("http://h/", "s3cret"),
            ("http://h/", "X Key: s3cret"),
            ("http://h/", "X-Key: s3cret\r\nHost: x"),
        ] {
            let error = webhook_of(&check(webhook, header)).unwrap_err();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn texts_say_what_breaks_and_where() {
        let broken = Broken {
            limit: "growth".into(),
            text: "growth: +12MiB since the base, the limit is +5%".into(),
            value: 12 << 20,
            culprit: "Cache::insert".into(),
            version: "0.39".into(),
            process: "web-1/77".into(),
            link: "/s/forest/a..b/".into(),
        };
        let verdict = Verdict { holds: false, broken: vec![broken; 7], ..Verdict::default() };
        let body: serde_json::Value = serde_json::from_str(&body("forest", &verdict, "https://h", "1", 5)).unwrap();
        let text = body["text"].as_str().unwrap();
        let first = "growth: +12MiB since the base, the limit is +5%, mostly Cache::insert (0.39, web-1/77): https://h/s/forest/a..b/";
        assert_eq!(text.lines().nth(1), Some(first));
        assert_eq!((text.lines().count(), text.lines().last()), (7, Some("and 2 more")));
        assert_eq!((body["event"].as_str(), body["broken"].as_array().unwrap().len()), (Some("check_broken"), 7));
    }

    #[test]
    fn attempts_become_rare() {
        assert_eq!([1, 2, 3, 12, 99].map(pause), [2000, 4000, 8000, 3_600_000, 3_600_000]);
        let day: i64 = (1..MOST_ATTEMPTS).map(pause).sum();
        assert!((20 * 3_600_000..30 * 3_600_000).contains(&day), "{day}");
    }
}
