//! `heapview store`: tokens, lists, checks and retention of a store.

use std::ffi::OsString;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Result, bail};

use super::output::{Target, write_to};
use super::store_guard;
use super::team_flags::{Flag, Given, STORE};
use crate::api::utc;
use crate::base::units::{binary_size, label};
use crate::open::atomic_file;
use crate::store::{Envelope, Hash, Removal, ShortId, Store, StoreOptions, TokenRole, duration_text};
use crate::terminal::message::say;
use crate::terminal::progress;

/// Flags.
pub(super) const FLAGS: [Flag; 2] = [STORE, ("dry-run", "", "gc: only list what would be deleted")];

/// Commands: name, arguments, help.
pub(super) const COMMANDS: [(&str, &str, &str); 15] = [
    ("ls", "[SERVICE]", "Services, or the dumps of one"),
    ("token add", "NAME push SERVICE… | NAME view|note|admin", "Make a token and print its secret, once; SERVICE may end with *"),
    ("token list", "", "Tokens, without their secrets"),
    ("token remove", "NAME", "Remove a token"),
    ("settings", "", "Limits and retention"),
    ("set", "NAME=VALUE…", "Change settings, such as keep_days=30 keep_days.forest=90 most_body=512M"),
    ("pin", "DUMP", "Keep a dump whatever its age; unpin takes that back"),
    ("gc", "", "Delete dumps older than keep_days, and binaries that no dump needs"),
    ("check", "[SERVICE]", "Checks that servers run by themselves; with limits: set that of SERVICE"),
    ("note", "SERVICE FUNCTION TEXT", "Write a note on a function, or the end of its name; * matches anything"),
    ("expect", "SERVICE FUNCTION REASON", "Say that its growth is expected: checks do not count it, growth says so"),
    ("notes", "SERVICE", "List notes and expected growth"),
    ("unnote", "SERVICE NOTE", "Remove a note or an expectation"),
    ("verify", "", "Read everything: each upload must have its bytes"),
    ("audit", "", "Who changed what"),
];

/// Examples for help.
pub(super) const EXAMPLES: &str = "
Examples:
  heapview store token add ci push forest 'shop-*' -store=/var/lib/heapview
      a token that sends dumps of some services
  heapview store set keep_days=30 keep_days.forest=90
  heapview store gc -dry-run
      what retention would delete
";

/// Entries of the audit log that are printed.
const ENTRIES: usize = 1000;

/// Runs a command.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode> {
    let flags = [&FLAGS[..], &store_guard::FLAGS].concat();
    let given = Given::parse("store", &flags, words)?;
    let words: Vec<&str> = given.words.iter().map(String::as_str).collect();
    if given.has("dry-run") && words.first() != Some(&"gc") {
        bail!("--dry-run is for heapview store gc");
    }
    store_guard::check_flags(&given, words.first().copied().unwrap_or_default())?;
    atomic_file::survive_size_limit();
    // A token comes before the first server.
    let options = StoreOptions { may_create: matches!(words[..], ["token", "add", ..]), is_single_writer: true };
    let open = || -> Result<Store> { Ok(Store::open(&given.store()?, options)?) };
    let mut code = ExitCode::SUCCESS;
    let text = match words[..] {
        ["ls"] => services(&open()?),
        ["ls", service] => dumps(&open()?, service)?,
        ["token", "add", name, role, ref services @ ..] => add_token(&open()?, name, role, services)?,
        ["token", "list"] => tokens(&open()?),
        ["token", "remove", name] => {
            let store = open()?;
            store.remove_token(name)?;
            store.log(&who(), "token remove", name)?;
            String::new()
        }
        ["settings"] => settings(&open()?)?,
        ["set", ref pairs @ ..] if !pairs.is_empty() => set(&open()?, pairs)?,
        ["pin", dump] => pin(&open()?, dump, true)?,
        ["unpin", dump] => pin(&open()?, dump, false)?,
        ["gc"] => gc(&open()?, given.has("dry-run"))?,
        ["check", ref words @ ..] => {
            let (text, outcome) = store_guard::check(Arc::new(open()?), &given, words)?;
            code = outcome;
            text
        }
        ["note", service, function, text] => store_guard::note(&open()?, &given, [service, function, text], false)?,
        ["expect", service, function, text] => store_guard::note(&open()?, &given, [service, function, text], true)?,
        ["notes", service] => store_guard::notes(&open()?, service)?,
        ["unnote", service, note] => store_guard::remove_note(&open()?, service, note)?,
        ["verify"] => {
            let (text, is_good) = verify(&open()?)?;
            code = if is_good { ExitCode::SUCCESS } else { ExitCode::from(1) };
            text
        }
        ["audit"] => audit(&open()?)?,
        _ => {
            let commands: Vec<String> =
                COMMANDS.iter().map(|(name, arguments, _)| format!("{name} {arguments}").trim().to_owned()).collect();
            bail!("heapview store {}: expected one of: {}", words.join(" "), commands.join("; "));
        }
    };
    write_to(&Target::default(), None, |out| out.write_all(text.as_bytes()))?;
    Ok(code)
}

/// Who runs the command, for the audit log.
pub(super) fn who() -> String {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    format!("{} (command line)", name.unwrap_or_else(|| "somebody".into()))
}

fn size(bytes: i64) -> String {
    label(bytes, "bytes", "auto")
}

pub(super) fn time_text(millis: i64) -> String {
    utc(millis.saturating_mul(1_000_000))
}

/// Rows as columns that are as wide as their texts.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..n).map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}

fn services(store: &Store) -> String {
    let mut rows = vec![["service", "dumps", "latest", "total"].map(str::to_owned).to_vec()];
    for (service, dumps) in store.services() {
        let (latest, total) = dumps.last().map_or((String::new(), String::new()), |last| (time_text(last.time), size(last.total())));
        rows.push(vec![service, dumps.len().to_string(), latest, total]);
    }
    table(&rows)
}

fn dumps(store: &Store, service: &str) -> Result<String> {
    let Some(dumps) = store.dumps_of(service) else { bail!("there are no dumps of a service {service:?}") };
    let mut rows = vec![["dump", "time", "total", "version", "process", "file"].map(str::to_owned).to_vec()];
    rows.extend(dumps.iter().map(|envelope| {
        let Envelope { sha256, origin, .. } = &**envelope;
        vec![
            sha256.short().to_string(),
            time_text(envelope.time),
            size(envelope.total()),
            origin.version.clone(),
            envelope.process(),
            origin.name.clone(),
        ]
    }));
    Ok(table(&rows))
}

fn add_token(store: &Store, name: &str, role: &str, services: &[&str]) -> Result<String> {
    let role = match role {
        "push" => TokenRole::Push,
        "view" => TokenRole::View,
        "note" => TokenRole::Note,
        "admin" => TokenRole::Admin,
        _ => bail!("{role:?} is no role; expected push, view, note or admin"),
    };
    let services: Vec<String> = services.iter().map(|service| (*service).to_owned()).collect();
    let secret = store.add_token(name, role, &services)?;
    if let Err(error) = store.log(&who(), "token add", name) {
        say(&format!("The audit log lacks this: {error}"));
    }
    say("This is the only time that the token is shown.");
    Ok(format!("{secret}\n"))
}

fn tokens(store: &Store) -> String {
    let mut rows = vec![["name", "role", "services", "made"].map(str::to_owned).to_vec()];
    rows.extend(store.tokens().iter().map(|token| {
        let role = match token.role {
            TokenRole::Push => "push",
            TokenRole::View => "view",
            TokenRole::Note => "note",
            TokenRole::Admin => "admin",
        };
        vec![token.name.clone(), role.to_owned(), token.services.join(" "), time_text(token.created)]
    }));
    table(&rows)
}

fn settings(store: &Store) -> Result<String> {
    let value = serde_json::to_value(store.settings())?;
    let mut rows = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        match value.as_object() {
            Some(services) => rows.extend(services.iter().map(|(service, days)| vec![format!("keep_days.{service}"), days.to_string()])),
            None if name == "gc_every" => {
                let every = value.as_u64().filter(|&every| every > 0);
                rows.push(vec![name.clone(), every.map_or("off".into(), duration_text)]);
            }
            None => rows.push(vec![name.clone(), value.to_string()]),
        }
    }
    Ok(table(&rows))
}

fn set(store: &Store, pairs: &[&str]) -> Result<String> {
    let split = |pair: &&str| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let Some(pairs_read) = pairs.iter().map(split).collect::<Option<Vec<_>>>() else {
        bail!("expected NAME=VALUE, found {}", pairs.join(" "));
    };
    store.change_settings(&pairs_read)?;
    store.log(&who(), "set", &pairs.join(" "))?;
    settings(store)
}

fn pin(store: &Store, dump: &str, is_pinned: bool) -> Result<String> {
    // As in a link.
    let id = dump.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let found = match (id.parse::<ShortId>(), id.parse::<Hash>()) {
        (Ok(id), _) => store.linked(&id)?.map(|envelope| envelope.sha256),
        (_, Ok(hash)) => Some(hash),
        _ => bail!("{dump:?} is no dump; expected what `heapview store ls SERVICE` lists, or a link"),
    };
    let Some(hash) = found else { bail!("there is no dump {id}") };
    store.pin(&hash, is_pinned)?;
    store.log(&who(), if is_pinned { "pin" } else { "unpin" }, &hash.to_string())?;
    Ok(String::new())
}

fn gc(store: &Store, is_dry: bool) -> Result<String> {
    let report = store.gc(SystemTime::now(), is_dry)?;
    let mut rows = Vec::new();
    let mut counts = [0usize; 4];
    for removal in &report.removals {
        let (kind, row) = match removal {
            Removal::Dump(envelope) => {
                (0, vec!["dump".into(), envelope.sha256.short().to_string(), envelope.origin.service.clone(), time_text(envelope.time)])
            }
            Removal::Bytes(hash, bytes) => (1, vec!["bytes".into(), hash.short().to_string(), binary_size(*bytes)]),
            Removal::Binary(id, bytes) => (2, vec!["binary".into(), id.clone(), binary_size(*bytes)]),
            Removal::Log(key) => (3, vec!["log".into(), key.clone()]),
        };
        counts[kind] += 1;
        rows.push(row);
    }
    let [dumps, bytes, binaries, log] = counts;
    if !is_dry && !report.removals.is_empty() {
        store.log(&who(), "gc", &format!("{dumps} dumps, {binaries} binaries"))?;
    }
    let done = if is_dry { "would be deleted" } else { "deleted" };
    say(&format!(
        "{done}: {dumps} dumps, bytes of {bytes} without an upload, {binaries} binaries, {log} objects of the log; {} free. The bytes of a \
         dump follow a day after it. Small objects of the log for large ones: {}.",
        binary_size(report.bytes),
        report.merged
    ));
    Ok(table(&rows))
}

fn verify(store: &Store) -> Result<(String, bool)> {
    let report = progress::during("Reading the store", |line| store.verify(&|n, of| line.set(|| format!("{n} of {of}"))))?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    rows.extend(report.missing.iter().map(|(id, hash)| vec!["missing".into(), hash.to_string(), format!("upload {id}")]));
    rows.extend(report.damaged.iter().map(|(hash, why)| vec!["damaged".into(), hash.to_string(), why.clone()]));
    rows.extend(report.unfiled.iter().map(|hash| vec!["unfiled".into(), hash.to_string()]));
    rows.extend(report.log.iter().map(|warning| vec!["log".into(), warning.clone()]));
    rows.push(vec![format!(
        "{} dumps are whole, {} missing, {} damaged, {} unfiled",
        report.good,
        report.missing.len(),
        report.damaged.len(),
        report.unfiled.len()
    )]);
    let summary = rows.pop().map_or(String::new(), |row| row.join(" "));
    Ok((table(&rows) + &summary + "\n", report.is_good()))
}

fn audit(store: &Store) -> Result<String> {
    let rows: Vec<Vec<String>> =
        store.audit(ENTRIES)?.into_iter().map(|event| vec![time_text(event.time), event.who, event.what, event.of]).collect();
    Ok(table(&rows))
}
