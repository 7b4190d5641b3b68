//! `heapview push-symbols`: sends binaries and their debug files to a team server.

use std::ffi::OsString;
use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::output::{Target, write_to};
use super::push_flags::{self as common, PushTo};
use super::team_flags::{Flag, Given};
use crate::base::plain::base_name;
use crate::base::units::binary_size;
use crate::open::inputs::{is_binary, meant};
use crate::open::team::delivery::Counted;
use crate::open::team::server::{Sent, TakenBinary};
use crate::symbolize::{BuildFacts, NO_SPLIT, Options, build_facts, separate_debug_file};
use crate::terminal::message::say;
use crate::terminal::progress;

/// Flags.
pub(super) const FLAGS: [Flag; 11] = [
    common::SERVER,
    common::TOKEN,
    common::TOKEN_FILE,
    ("service", "NAME", "Service that runs the binaries: names dumps without build ids, together with -version"),
    ("version", "VERSION", "Version of the service"),
    ("debug-dir", "DIR…", "Directory with separate debug files; may be given several times"),
    ("wait", "TIME", "Time to try again while the server is away or busy, all files together, such as 5m (30s)"),
    common::TIMEOUT,
    common::TLS_CA,
    common::TLS_CERT,
    common::TLS_KEY,
];

/// Details and examples for help.
pub(super) const DETAILS: &str = "
Sends programs, libraries and their separate debug files (found by build id or .gnu_debuglink), each once: what the server
has is not sent again. Prints a line for each file: build id, path, and sent or known. Dumps that came before get names, too.
Dumps of jemalloc and gperftools have no build ids: for these, give -service and -version as with heapview push.

Exit status: 0 the server has all files; 1 it does not; 2 wrong usage.

Examples:
  export HEAPVIEW_SERVER=https://heap.example.org HEAPVIEW_SERVER_TOKEN=…
  heapview push-symbols -service=forest -version=0.39 target/release/forest
      in CI, after the build
  heapview push-symbols -debug-dir=debug lib/
      all binaries in a directory
";

/// Runs the command.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode> {
    let given = Given::parse("push-symbols", &FLAGS, words)?;
    if given.words.is_empty() {
        bail!("no binary given: heapview push-symbols [-service=NAME -version=VERSION] BINARY…");
    }
    let mut run_by = Vec::new();
    match (given.value("service"), given.value("version")) {
        (Some(service), Some(version)) => {
            run_by = vec![("service".to_owned(), service.to_owned()), ("version".to_owned(), version.to_owned())];
        }
        (None, None) => {}
        _ => bail!("-service and -version go together: dumps of this version then get names from the binaries"),
    }
    let debug_dirs = given.values("debug-dir").map(PathBuf::from).collect();
    let options = Options { debug_dirs, home: std::env::home_dir(), ..Options::default() };
    let mut push = PushSymbols { to: PushTo::of(&given)?, run_by, options, done: Vec::new(), failed: 0 };
    for word in &given.words {
        for path in push.binaries(Path::new(word)) {
            push.send_build(&path)?;
        }
    }
    Ok(if push.failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

struct PushSymbols {
    to: PushTo,
    /// Service and version, as parameters.
    run_by: Vec<(String, String)>,
    options: Options,
    /// Files that were sent.
    done: Vec<PathBuf>,
    failed: usize,
}

impl PushSymbols {
    fn fail(&mut self, why: &str) {
        say(&format!("error: {why}"));
        self.failed += 1;
    }

    /// The binaries that a word means.
    fn binaries(&mut self, word: &Path) -> Vec<PathBuf> {
        if word.is_file() {
            return vec![word.to_owned()];
        }
        let found: Vec<PathBuf> = meant(word).into_iter().filter(|path| is_binary(path)).collect();
        if found.is_empty() {
            self.fail(&format!("no binary in {}", word.display()));
        }
        found
    }

    /// Sends a binary and its debug file.
    fn send_build(&mut self, path: &Path) -> Result<()> {
        self.send_file(path)?;
        if let Some(debug) = separate_debug_file(path, &self.options) {
            self.send_file(&debug)?;
        }
        let package = PathBuf::from(format!("{}.dwp", path.display()));
        if package.is_file() {
            say(&format!("{} is not sent: {NO_SPLIT}; functions have names, but no lines", package.display()));
        }
        Ok(())
    }

    /// Sends a file that the server does not have, and says so.
    fn send_file(&mut self, path: &Path) -> Result<()> {
        if self.done.iter().any(|done| done == path) {
            return Ok(());
        }
        self.done.push(path.to_owned());
        let shown = path.display().to_string();
        if path.extension().is_some_and(|ending| ending == "dwp" || ending == "dwo") {
            self.fail(&format!("{shown} is not sent: {NO_SPLIT}"));
            return Ok(());
        }
        let facts = match build_facts(path) {
            Ok(facts) => facts,
            Err(error) => {
                self.fail(&format!("{shown} is not a binary that heapview reads: {error}"));
                return Ok(());
            }
        };
        if facts.build_id.is_empty() {
            self.fail(&format!(
                "{shown} has no build id, so the server cannot keep it; link it with -Wl,--build-id (Rust: RUSTFLAGS=-Clink-arg=-Wl,--build-id). \
                 Dumps need not have the build id: those of jemalloc and gperftools get names by -service and -version"
            ));
            return Ok(());
        }
        match self.send_unknown(path, &facts)? {
            Sent::Done(is_new) => {
                let what = if is_new { "sent" } else { "known" };
                write_to(&Target::default(), None, |out| writeln!(out, "{} {shown} {what}", facts.build_id))
            }
            Sent::Later { why, .. } => {
                self.fail(&format!("{shown} is not delivered: {why}; run the command again"));
                Ok(())
            }
            Sent::Refused(why) | Sent::NoAccess(why) => {
                self.fail(&format!("{shown}: {why}"));
                Ok(())
            }
        }
    }

    /// Asks for the build, and sends the file if it has more; returns whether it was sent.
    fn send_unknown(&mut self, path: &Path, facts: &BuildFacts) -> Result<Sent<bool>> {
        let PushTo { server, patience } = &mut self.to;
        let mut query = self.run_by.clone();
        query.push(("name".to_owned(), base_name(&path.to_string_lossy()).to_owned()));
        let question = [&query[..], &[("build_id".to_owned(), facts.build_id.clone())]].concat();
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let length = file.metadata().with_context(|| format!("cannot open {}", path.display()))?.len();
        let what = format!("Sending {} ({})", base_name(&path.to_string_lossy()), binary_size(length));
        Ok(progress::during(&what, |line| {
            let asked = patience.send(line, || server.send_binary(&question, &mut std::io::empty(), 0));
            asked.then(|known: TakenBinary| {
                let has_more = (facts.has_code && !known.has_code) || (facts.has_debug_information && !known.has_debug_information);
                if known.known && !has_more {
                    return Sent::Done(false);
                }
                let send = || match (&file).rewind() {
                    Ok(()) => server.send_binary(&query, &mut Counted::new(&file, length, line), length),
                    Err(error) => Sent::Refused(format!("cannot read it: {error}")),
                };
                patience.send(line, send).then(|_| Sent::Done(true))
            })
        }))
    }
}
