//! `heapview push`: sends dumps to a team server, and keeps what cannot be delivered.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::output::{Target, WriteError, write_to};
use super::push_flags::{self as common, PushTo};
use super::push_inputs::{body_of, inputs_of, query_for, query_of, shown};
use super::team_flags::{Flag, Given, bytes};
use crate::base::plain::base_name;
use crate::open::state_folder;
use crate::open::team::delivery::Counted;
use crate::open::team::server::{Sent, TakenDump};
use crate::open::team::spool::{Parcel, Spool};
use crate::terminal::message::say;
use crate::terminal::progress;

/// Flags.
pub(super) const FLAGS: [Flag; 21] = [
    common::SERVER,
    common::TOKEN,
    common::TOKEN_FILE,
    ("service", "NAME", "Service that the dumps are from; required"),
    ("version", "VERSION", "Version of the service"),
    ("env", "NAME", "Environment, such as production"),
    ("host", "NAME", "Host (this machine's name); -host= sends none"),
    ("pod", "NAME", "Pod or container"),
    ("pid", "NUMBER", "Process id (from names such as jeprof.4711.3.f.heap)"),
    ("time", "TIME", "When the dumps were taken, as 2026-11-22T10:04:05Z (the time in the dump, or else of the file)"),
    ("build-id", "ID", "Build id of the program, for dumps that have none"),
    ("label", "NAME=VALUE…", "Further label; may be given several times"),
    ("wait", "TIME", "Time to try again while the server is away or busy, all files together, such as 5m (30s)"),
    ("spool", "DIR", "Directory for dumps that could not be delivered (~/.local/state/heapview/spool); none: keep nothing"),
    ("spool-limit", "BYTES", "Most bytes of the spool (1G)"),
    ("spool-only", "", "Only send what the spool has"),
    common::TIMEOUT,
    common::TLS_CA,
    common::TLS_CERT,
    common::TLS_KEY,
    ("dry-run", "", "Print what would be sent"),
];

/// Details and examples for help.
pub(super) const DETAILS: &str = "
Prints a permalink for each dump, in the order of the arguments. A directory stands for the dumps in it; files that are not
dumps are named and left out. Process id and number of a dump come from names of jemalloc and gperftools.
A dump that was sent before gets the same link. Files are never deleted.

While the server is away or busy, or refuses the token, dumps are kept in the spool, and sent by the next heapview push.

Exit status: 0 all delivered; 1 some were refused, as the token may be, or could not be read; 3 some are in the spool, and none was refused;
2 wrong usage.

Examples:
  export HEAPVIEW_SERVER=https://heap.example.org
  heapview push -service=forest -version=0.39 server.0007.heap
      a dump
  heapview push -service=forest -version=0.39 -label zone=eu -token-file=token dumps/
      all dumps in a directory
  heapview push
      what is in the spool, for a cron job
";

/// What became of the dumps of a run.
#[derive(Debug, Default)]
struct Tally {
    delivered: usize,
    refused: usize,
    kept: usize,
    /// The reader of standard output went away; the rest is sent nevertheless.
    is_unread: bool,
}

/// Runs the command.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode> {
    let given = Given::parse("push", &FLAGS, words)?;
    let only_spool = given.has("spool-only") || given.words.is_empty();
    if given.has("spool-only") && !given.words.is_empty() {
        bail!("-spool-only sends what is in the spool, and takes no files");
    }
    let query = if only_spool { Vec::new() } else { query_of(&given)? };
    let limit = given.value("spool-limit").map_or(Ok(1 << 30), |text| bytes("spool-limit", text))?;
    let spool = spool_of(&given, limit);
    if given.has("dry-run") {
        return dry_run(&given.words, &query);
    }
    crate::open::atomic_file::survive_size_limit();
    let mut push = Push { to: PushTo::of(&given)?, spool, tally: Tally::default(), no_access: BTreeMap::new() };
    // What is given now is sent in any case.
    if let Err(error) = push.send_spool() {
        match error.is::<WriteError>() {
            true => return Err(error),
            false => push.refuse(&format!("{error:#}")),
        }
    }
    if only_spool {
        return Ok(push.ended(true));
    }
    for word in &given.words {
        push.send_word(Path::new(word), &query)?;
    }
    Ok(push.ended(false))
}

/// The folder of the spool; `None`: nothing is kept.
fn spool_of(given: &Given, limit: u64) -> Option<Spool> {
    let folder = match given.value("spool") {
        Some("none") => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => state_folder::folder().map(|folder| folder.join("heapview/spool")),
    };
    folder.map(|folder| Spool::new(folder, limit))
}

/// Prints the files and their parameters.
fn dry_run(words: &[String], query: &[(String, String)]) -> Result<ExitCode> {
    let mut lines = Vec::new();
    for word in words {
        for input in inputs_of(Path::new(word))? {
            let pairs: Vec<String> = query_for(&input, query).iter().map(|(name, value)| format!("{name}={value}")).collect();
            lines.push(format!("{} {}", input.path.display(), pairs.join(" ")));
        }
    }
    write_to(&Target::default(), None, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(ExitCode::SUCCESS)
}

struct Push {
    to: PushTo,
    spool: Option<Spool>,
    tally: Tally,
    /// Services of which the server takes nothing from us, and why.
    no_access: BTreeMap<String, String>,
}

impl Push {
    /// Sends the dumps that a word means.
    fn send_word(&mut self, word: &Path, query: &[(String, String)]) -> Result<()> {
        let inputs = match inputs_of(word) {
            Ok(inputs) => inputs,
            Err(error) => {
                self.refuse(&format!("{error:#}"));
                return Ok(());
            }
        };
        for input in inputs {
            let parcel = Parcel { server: self.to.server.name(), query: query_for(&input, query), file: shown(&input.path) };
            match body_of(&input.path) {
                Ok(body) => self.deliver(&parcel, &body)?,
                Err(error) => self.refuse(&format!("{error:#}")),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, why: &str) {
        say(&format!("error: {why}"));
        self.tally.refused += 1;
    }

    /// Sends a dump; keeps it if that does not work now.
    fn deliver(&mut self, parcel: &Parcel, body: &[u8]) -> Result<()> {
        match self.send(parcel, body) {
            Sent::Done(taken) => self.print(&parcel.file, &taken)?,
            Sent::Refused(why) => self.refuse(&format!("{}: {why}", parcel.file)),
            // A token may become right again, and the dump may be gone then.
            Sent::NoAccess(why) | Sent::Later { why, .. } => match &self.spool {
                None => self.refuse(&format!("{} is not delivered: {why}", parcel.file)),
                Some(spool) => match spool.keep(parcel, body) {
                    Ok(()) => {
                        say(&format!("{} is kept in {}: {why}", parcel.file, spool.folder().display()));
                        self.tally.kept += 1;
                    }
                    Err(error) => self.refuse(&format!("{} is neither delivered ({why}) nor kept: {error:#}", parcel.file)),
                },
            },
        }
        Ok(())
    }

    /// Sends a dump, unless another one of its service had no access.
    fn send(&mut self, parcel: &Parcel, body: &[u8]) -> Sent<TakenDump> {
        let service = parcel.query.iter().find(|(name, _)| name == "service").map_or("", |(_, service)| service);
        if let Some(why) = self.no_access.get(service) {
            return Sent::NoAccess(why.clone());
        }
        let PushTo { server, patience } = &mut self.to;
        let sent = progress::during(&format!("Sending {}", base_name(&parcel.file)), |line| {
            patience.send(line, || server.send_dump(&parcel.query, &mut Counted::of(body, line), body.len() as u64))
        });
        if let Sent::NoAccess(why) = &sent {
            self.no_access.insert(service.to_owned(), why.clone());
        }
        sent
    }

    /// Prints the link; warnings go to standard error.
    fn print(&mut self, file: &str, taken: &TakenDump) -> Result<()> {
        taken.warnings.iter().for_each(|warning| say(&format!("{file}: {warning}")));
        self.tally.delivered += 1;
        if self.tally.is_unread {
            return Ok(());
        }
        match write_to(&Target::default(), None, |out| writeln!(out, "{}", taken.link)) {
            Err(error) if error.downcast_ref().is_some_and(WriteError::is_closed_pipe) => {
                self.tally.is_unread = true;
                Ok(())
            }
            written => written,
        }
    }

    /// Sends what earlier runs kept for this server.
    fn send_spool(&mut self) -> Result<()> {
        let Some(spool) = self.spool.clone() else { return Ok(()) };
        let mut of_others = 0;
        for path in spool.list()? {
            let (parcel, body) = match spool.read(&path) {
                Ok(Some(read)) => read,
                Ok(None) => continue,
                Err(error) => {
                    self.refuse(&format!("{error:#}"));
                    continue;
                }
            };
            if parcel.server != self.to.server.name() {
                of_others += 1;
                continue;
            }
            match self.send(&parcel, &body) {
                Sent::Done(taken) => {
                    self.print(&parcel.file, &taken)?;
                    if let Err(error) = spool.remove(&path) {
                        self.refuse(&format!("{error:#}"));
                    }
                }
                // A dump that is wrong will not become right; a token may.
                Sent::NoAccess(why) => {
                    say(&format!("{} stays in the spool: {why}", parcel.file));
                    self.tally.kept += 1;
                }
                Sent::Refused(why) => match spool.put_aside(&path) {
                    Ok(aside) => self.refuse(&format!("{}: {why}; it is now {}", parcel.file, aside.display())),
                    Err(error) => self.refuse(&format!("{}: {why}; {error:#}", parcel.file)),
                },
                Sent::Later { .. } => self.tally.kept += 1,
            }
        }
        if of_others > 0 {
            let dumps = dumps(of_others);
            say(&format!("for other servers there is {dumps} in {}; send with their -server", spool.folder().display()));
        }
        Ok(())
    }

    /// Says what is left; returns the exit code.
    fn ended(&self, is_of_spool: bool) -> ExitCode {
        let Tally { delivered, refused, kept, .. } = self.tally;
        if is_of_spool && delivered + refused + kept == 0 {
            say("nothing to send: the spool is empty; to send dumps: heapview push -service=NAME FILES");
        }
        let (server, is_refused) = (self.to.server.name(), !self.no_access.is_empty());
        if is_refused {
            let there =
                if kept > 0 { format!("; in the spool: {}, sent by heapview push when it has access", dumps(kept)) } else { String::new() };
            say(&format!("error: {server} refuses this sender{there}"));
        } else if kept > 0 {
            say(&format!("in the spool: {}; heapview push sends it when {server} answers", dumps(kept)));
        }
        match (refused, kept) {
            (0, 0) => ExitCode::SUCCESS,
            (0, _) if !is_refused => ExitCode::from(3),
            _ => ExitCode::from(1),
        }
    }
}

fn dumps(n: usize) -> String {
    if n == 1 { "1 dump".to_owned() } else { format!("{n} dumps") }
}
