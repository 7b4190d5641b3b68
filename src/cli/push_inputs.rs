//! Dumps that `heapview push` sends: which files are meant, their parameters, and the bodies of requests.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::push_flags::host_name;
use super::team_flags::Given;
use crate::base::plain::base_name;
use crate::base::units::binary_size;
use crate::open::inputs::{self, Input};
use crate::parse::{is_process_file, sniff};
use crate::symbolize::is_binary;
use crate::terminal::message::say;

/// Longest dump that is sent, bytes.
const LONGEST: u64 = 1 << 30;

/// Dumps longer than this are compressed on the way, bytes.
const MUCH: usize = 4096;

/// First bytes of gzip and zstd.
const PACKED: [&[u8]; 2] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]];

/// Parameters of all dumps.
pub(super) fn query_of(given: &Given) -> Result<Vec<(String, String)>> {
    let Some(service) = given.value("service").filter(|service| !service.is_empty()) else {
        bail!("which service are the dumps from? Add -service=NAME");
    };
    let mut query = vec![("service".to_owned(), service.to_owned())];
    let host = given.value("host").map_or_else(host_name, |host| Some(host.to_owned()));
    query.extend(host.filter(|host| !host.is_empty()).map(|host| ("host".to_owned(), host)));
    for (flag, name) in [("version", "version"), ("env", "env"), ("pod", "pod"), ("pid", "pid"), ("time", "time"), ("build-id", "build_id")]
    {
        query.extend(given.value(flag).filter(|value| !value.is_empty()).map(|value| (name.to_owned(), value.to_owned())));
    }
    for label in given.values("label") {
        let Some((name, value)) = label.split_once('=') else { bail!("-label={label}: expected a name and a value, as in -label=zone=eu") };
        query.push((format!("label.{name}"), value.to_owned()));
    }
    Ok(query)
}

/// Parameters of one dump: those of all, and what its name and its file tell.
pub(super) fn query_for(input: &Input, query: &[(String, String)]) -> Vec<(String, String)> {
    let mut query = query.to_vec();
    let mut add = |name: &str, value: Option<String>| {
        let is_new = query.iter().all(|(known, _)| known != name);
        query.extend(value.filter(|_| is_new).map(|value| (name.to_owned(), value)));
    };
    let is_stdin = input.path == Path::new("-");
    add("name", Some(base_name(&input.path.to_string_lossy()).to_owned()).filter(|_| !is_stdin));
    add("pid", input.pid().map(|pid| pid.to_string()));
    add("seq", input.number.map(|number| number.to_string()));
    add("file_time", Some((input.file_time / 1_000_000).to_string()).filter(|_| input.file_time > 0));
    query
}

/// The files that a word means, those that are dumps as far as their names and first bytes tell; names the others.
pub(super) fn inputs_of(word: &Path) -> Result<Vec<Input>> {
    let expanded = inputs::expand(&[word.to_owned()], &[], false)?;
    expanded.warnings.iter().for_each(|warning| say(warning));
    let skipped = |files: &[PathBuf], what: &str| {
        if let Some(first) = files.first() {
            let more = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
            say(&format!("skipped {}{more}: {what}", first.display()));
        }
    };
    skipped(&expanded.binaries, "a binary; heapview push-symbols sends it");
    skipped(&expanded.process_files, "about the memory of a process, which team servers do not keep");
    Ok(expanded.list)
}

/// The body to send: the dump, compressed.
pub(super) fn body_of(path: &Path) -> Result<Vec<u8>> {
    let shown = shown(path);
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes),
        false => std::fs::File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)),
    };
    if read.with_context(|| format!("cannot read {shown}"))? as u64 > LONGEST {
        bail!("{shown} is longer than {}, the most that push sends", binary_size(LONGEST));
    }
    match () {
        () if bytes.is_empty() => bail!("{shown} is empty; is it still being written?"),
        () if is_binary(&bytes) => bail!("{shown} is a binary; heapview push-symbols sends it"),
        () if is_process_file(&bytes) => bail!("{shown} is about the memory of a process, which team servers do not keep"),
        () if sniff(&bytes).is_none() => bail!("{shown} is not a heap profile that heapview reads"),
        () => {}
    }
    let is_packed = PACKED.iter().any(|magic| bytes.starts_with(magic));
    Ok(if is_packed || bytes.len() < MUCH { bytes } else { crate::store::packed(&bytes) })
}

/// Name of a file in messages.
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
