//! `heapview store check|note|expect`: checks that run by themselves, notes on functions, growth that is expected.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Result, bail};

use super::store_text::{table, time_text, who};
use super::team_flags::{Flag, Given, bytes};
use crate::fetch::Address;
use crate::jobs::{checked, limits_of, webhook_of};
use crate::open::stored::StoredDumps;
use crate::render::{self, CheckFormat};
use crate::store::{Check, CheckResult, Expectation, Note, Store, duration, duration_text, time};
use crate::terminal::message::say;

/// Flags of checks and notes.
pub(super) const FLAGS: [Flag; 12] = [
    ("every", "DURATION", "check: interval, such as 30m (1h)"),
    ("window", "DURATION", "check: check the dumps of this time (24h)"),
    ("max-inuse", "SIZE", "check: limit on memory in use, as in heapview check"),
    ("max-growth", "SIZE|PERCENT", "check: limit on growth since the first dump of the window"),
    ("budget", "WHAT=NAME:AMOUNT…", "check: budget, as in heapview check; can be repeated"),
    ("webhook", "URL", "check: gets a message when the check begins to fail and when it passes again; empty: none"),
    ("header", "'NAME: VALUE'|@FILE", "check: header of these messages, which may be a secret; @FILE reads it from a file"),
    ("run", "", "check: run it now; nothing is stored or sent"),
    ("off", "", "check: remove it"),
    ("up-to", "SIZE", "expect: most memory in use that is expected"),
    ("until", "TIME", "expect: in dumps before this time, such as 2026-12-31T00:00:00Z"),
    ("until-version", "VERSION", "expect: in versions before this one"),
];

/// Flags of `check` that set something.
const SETTING: [&str; 7] = ["every", "window", "max-inuse", "max-growth", "budget", "webhook", "header"];

/// Flags that are limits.
const LIMITS: [&str; 3] = ["max-inuse", "max-growth", "budget"];

/// Refuses flags that are for other commands.
pub(super) fn check_flags(given: &Given, command: &str) -> Result<()> {
    let of = |name: &str| FLAGS.iter().find(|(known, ..)| *known == name).and_then(|(.., doc)| doc.split_once(':')).map(|(of, _)| of);
    match FLAGS.iter().find(|(name, ..)| given.has(name) && of(name) != Some(command)) {
        Some((name, ..)) => bail!("--{name} is for heapview store {}", of(name).unwrap_or_default()),
        None => Ok(()),
    }
}

/// `store check`: lists, shows, sets, runs or removes checks.
pub(super) fn check(store: Arc<Store>, given: &Given, words: &[&str]) -> Result<(String, ExitCode)> {
    let is_set = SETTING.iter().any(|name| given.has(name));
    let done = |text: String| Ok((text, ExitCode::SUCCESS));
    match *words {
        [] if is_set || given.has("run") || given.has("off") => bail!("which service? heapview store check SERVICE …"),
        [] => done(list(&store)?),
        [service] if given.has("run") && !is_set => run(&store, service),
        [service] if given.has("off") && !is_set => {
            store.set_check(service, None)?;
            store.log(&who(), "check remove", service)?;
            done(String::new())
        }
        [service] if is_set && !given.has("run") && !given.has("off") => {
            let check = changed(store.checks()?.remove(service).unwrap_or_default(), given)?;
            store.set_check(service, Some(&check))?;
            store.log(&who(), "check", &format!("{service} {}", described(&check)))?;
            if store.dumps_of(service).is_none() {
                say(&format!("There are no dumps of {service} yet."));
            }
            done(shown(&store, service)?)
        }
        [service] if !is_set && !given.has("run") && !given.has("off") => done(shown(&store, service)?),
        _ => bail!("expected heapview store check [SERVICE], with limits to set it, or with one of --run and --off"),
    }
}

/// A check with what the flags change.
fn changed(mut check: Check, given: &Given) -> Result<Check> {
    let seconds = |name: &str, now: u64, default: u64| match given.value(name) {
        Some(text) => Ok(duration(text)?),
        None if now > 0 => Ok(now),
        None => anyhow::Ok(default),
    };
    (check.every, check.window) = (seconds("every", check.every, 3600)?, seconds("window", check.window, 24 * 3600)?);
    if LIMITS.iter().any(|name| given.has(name)) {
        let of = |name: &&str| given.values(name).map(|text| ((*name).to_owned(), text.to_owned())).collect::<Vec<_>>();
        check.limits = LIMITS.iter().flat_map(of).collect();
    }
    if check.limits.is_empty() {
        bail!("a check needs a limit: --max-inuse, --max-growth or --budget");
    }
    limits_of(&check).map_err(anyhow::Error::msg)?;
    if let Some(url) = given.value("webhook") {
        url.clone_into(&mut check.webhook);
    }
    if let Some(header) = given.value("header") {
        check.header = match header.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file).map_err(|error| anyhow::anyhow!("--header=@{file}: {error}"))?.trim().to_owned(),
            None => header.to_owned(),
        };
    }
    if check.webhook.is_empty() {
        check.header.clear();
    } else {
        webhook_of(&check).map_err(anyhow::Error::msg)?;
    }
    Ok(check)
}

/// What a check does, without secrets: addresses of webhooks are some, too.
fn described(check: &Check) -> String {
    let limits = check.limits.iter().map(|(kind, text)| format!("{kind}={text}"));
    let every = [format!("every {}", duration_text(check.every)), format!("window {}", duration_text(check.window))];
    let webhook = Address::parse(&check.webhook).map(|address| format!("webhook to {}", address.host_name()));
    every.into_iter().chain(limits).chain(webhook).collect::<Vec<_>>().join(", ")
}

fn state(result: &CheckResult) -> String {
    let CheckResult { since, verdict, problem, .. } = result;
    match verdict {
        None if problem.is_empty() => "not run yet".into(),
        None => problem.clone(),
        Some(verdict) => format!("{} since {}", if verdict.holds { "passed" } else { "failed" }, time_text(*since)),
    }
}

fn list(store: &Store) -> Result<String> {
    let mut rows = vec![["service", "verdict", "check"].map(str::to_owned).to_vec()];
    for (service, check) in store.checks()? {
        let result = store.check_result(&service)?;
        rows.push(vec![service, state(&result), described(&check)]);
    }
    Ok(table(&rows))
}

fn shown(store: &Store, service: &str) -> Result<String> {
    let Some(check) = store.checks()?.remove(service) else { bail!("there is no check of {service}; set one with a limit") };
    let result = store.check_result(service)?;
    let mut lines = vec![format!("{service}: {}", state(&result)), described(&check)];
    if let Some(verdict) = &result.verdict {
        lines.extend(verdict.broken.iter().map(|broken| format!("{} {}", broken.text, broken.link)));
        lines.extend(verdict.notes.iter().cloned());
    }
    lines.extend(Some(result.problem).filter(|problem| !problem.is_empty()));
    if !result.pending.is_empty() {
        lines.push(format!("messages to the webhook that wait: {} ({})", result.pending.len(), result.undelivered));
    }
    Ok(lines.join("\n") + "\n")
}

fn run(store: &Arc<Store>, service: &str) -> Result<(String, ExitCode)> {
    let Some(check) = store.checks()?.remove(service) else { bail!("there is no check of {service}; set one with a limit") };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    let found = checked(store, &StoredDumps::new(store.clone()), service, &check, now);
    let Some(verdict) = found.verdict else { bail!("{}", found.problem) };
    let mut text = Vec::new();
    for (title, report) in &found.reports {
        text.extend_from_slice(format!("{title}: ").as_bytes());
        render::check(report, CheckFormat::Text, &mut text)?;
        text.push(b'\n');
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    // What is expected is in the reports already.
    verdict.notes.iter().filter(|note| !text.contains(note.as_str())).for_each(|note| say(note));
    let code = if verdict.holds { ExitCode::SUCCESS } else { ExitCode::from(1) };
    Ok((text, code))
}

/// `store note` and `store expect`: adds a note.
pub(super) fn note(store: &Store, given: &Given, [service, function, text]: [&str; 3], is_expected: bool) -> Result<String> {
    let until = given.value("until").map(|text| match time(text) {
        Some(until) => Ok(until),
        None => bail!("--until={text}: expected a time such as 2026-12-31T00:00:00Z"),
    });
    let expected = Expectation {
        up_to: given.value("up-to").map(|text| bytes("up-to", text)).transpose()?,
        until: until.transpose()?,
        until_version: given.value("until-version").unwrap_or_default().to_owned(),
    };
    let expected = is_expected.then_some(expected);
    let note = Note { culprit: function.into(), text: text.into(), by: who(), expected, ..Note::default() };
    let note = store.add_note(service, note)?;
    store.log(&who(), if is_expected { "expect" } else { "note" }, &format!("{service} {function}"))?;
    if store.dumps_of(service).is_none() {
        say(&format!("There are no dumps of {service} yet."));
    }
    Ok(format!("{}\n", note.id))
}

/// `store notes`: lists notes.
pub(super) fn notes(store: &Store, service: &str) -> Result<String> {
    let mut rows = vec![["note", "function", "text", "by", "time"].map(str::to_owned).to_vec()];
    for note in store.notes(service)? {
        let expectation = note.expectation();
        let text = if expectation.is_empty() { note.text } else { format!("{} ({expectation})", note.text) };
        rows.push(vec![note.id, note.culprit, text, note.by, time_text(note.time)]);
    }
    Ok(table(&rows))
}

/// `store unnote`: removes a note or an expectation.
pub(super) fn remove_note(store: &Store, service: &str, id: &str) -> Result<String> {
    store.remove_note(service, id)?;
    store.log(&who(), "note remove", &format!("{service} {id}"))?;
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_webhooks_are_not_described() {
        for webhook in
            ["https://h.example?key=s3cret", "https://h.example:8443/s3cret", "https://h.example#s3cret", "https://u:s3cret@h.example"]
        {
            let text = described(&Check { every: 60, window: 60, webhook: webhook.into(), ..Check::default() });
            assert!(text.ends_with("webhook to h.example"), "{text}");
        }
        assert!(!described(&Check::default()).contains("webhook"));
    }
}
