//! The command line: words to a question, files to a profile, answers to the terminal.
//! The only part that reads the environment, the clock and files.

mod args;
mod flags;
mod load;
mod output;
mod serve;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;

use self::args::{Args, Asked};
use self::flags::Action;
use self::load::TerminalProgress;
use crate::analyze;
use crate::export;
use crate::plain::one_line;
use crate::profile::Profile;
use crate::query::{QueryError, View, ViewKind};
use crate::render::{Format, render};
use crate::session::Session;

/// Runs the program with the words behind its name.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let result = args::parse(words).and_then(|asked| match asked {
        Asked::Help(text) => output::write_to(None, None, |out| out.write_all(text.as_bytes())),
        Asked::Run(args) => answer(*args),
    });
    let Err(error) = result else { return ExitCode::SUCCESS };
    let writing = error.downcast_ref::<output::WriteError>();
    if writing.is_some_and(output::WriteError::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    say(&format!("heapview: {error:#}"));
    ExitCode::from(if writing.is_some() { 1 } else { 2 })
}

/// A line for the person, apart from the answer.
fn say(line: &str) {
    // With nobody to read it there is nothing to do about it.
    let _ = writeln!(io::stderr(), "{line}");
}

/// All that is wrong with a question, in one line.
fn query_errors(errors: Vec<QueryError>) -> anyhow::Error {
    anyhow::Error::msg(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn answer(args: Args) -> Result<()> {
    let kind = match args.action {
        Action::Report(kind) => kind,
        Action::Collapsed => ViewKind::Traces,
        Action::Raw | Action::Proto | Action::Comments => ViewKind::Top,
    };
    // A wrong option is said before minutes of reading.
    parse_view(kind, &args.pairs)?;
    load::symbolize_options(&args.symbolize)?;
    let loaded = load::load(&args)?;
    let mut pairs = args.pairs.clone();
    if args.action == Action::Report(ViewKind::Flame) && args.http.is_none() && pairs.iter().all(|(name, _)| name != "granularity") {
        // Paths would leave no room for the tree.
        pairs.push(("granularity".into(), "functions".into()));
    }
    pairs.extend(loaded.base.iter().map(|(name, dumps)| ((*name).to_owned(), dumps.clone())));
    if args.http.is_some() {
        return serve::serve(args, loaded, &pairs);
    }
    loaded.warnings.iter().for_each(|warning| say(warning));
    let view = parse_view(kind, &pairs)?;
    analyze::check(&loaded.profile, &view)?;
    let progress = TerminalProgress::new();
    let (profile, notes) = load::with_names(loaded.profile, loaded.binary.as_deref(), &args, &progress)?;
    progress.finish();

    let output = args.output.as_deref();
    let result = match args.action {
        Action::Report(_) => print_report(&profile, &view, args.format, output),
        Action::Collapsed => print_report(&profile, &view, Format::Folded, output),
        Action::Raw => {
            let shown = analyze::filtered(&profile, &view)?;
            output::write_to(output, None, |out| export::write_raw(&shown, &precise_time, out))
        }
        Action::Proto => {
            let shown = analyze::filtered(&profile, &view)?;
            output::write_to(output, Some("pb.gz"), |out| export::write_pprof(&shown, out))
        }
        Action::Comments => {
            output::write_to(output, None, |out| profile.meta().comments.iter().try_for_each(|c| writeln!(out, "{}", one_line(c))))
        }
    };
    // The program ends here: giving memory back piece by piece would only take time.
    std::mem::forget(profile);
    // Why names are missing may be why there is no answer, but it is not the answer.
    if result.is_ok() {
        notes.iter().for_each(|note| say(note));
    }
    result
}

fn parse_view(kind: ViewKind, pairs: &[(String, String)]) -> Result<View> {
    View::parse(kind, pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()))).map_err(query_errors)
}

fn print_report(profile: &Profile, view: &View, format: Format, output: Option<&std::path::Path>) -> Result<()> {
    let report = Session::answer_once(profile, view)?;
    report.header().warnings.iter().for_each(|warning| say(warning));
    output::write_to(output, None, |out| render(&report, format, &local_time, out))
}

/// A moment in the person's zone, as pprof prints it above tables.
fn local_time(nanos: i64) -> String {
    zoned(nanos, "%Y-%m-%d %H:%M:%S %Z")
}

/// The same to the nanosecond, as `-raw` prints it.
fn precise_time(nanos: i64) -> String {
    zoned(nanos, "%Y-%m-%d %H:%M:%S%.f %z %Z")
}

fn zoned(nanos: i64, format: &str) -> String {
    let moment = jiff::Timestamp::from_nanosecond(i128::from(nanos));
    moment.map_or(String::new(), |t| t.to_zoned(jiff::tz::TimeZone::system()).strftime(format).to_string())
}
