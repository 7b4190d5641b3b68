//! The command line: words to a question, files to a profile, answers to the terminal.
//! The only part that reads the environment, the clock and files.

mod args;
mod builds;
mod cache;
mod check;
mod completions;
mod config;
mod debuginfod;
mod doctor;
mod explain;
mod fetch;
mod flags;
mod followed;
mod guard;
mod help;
mod inputs;
mod jeprof;
mod known;
mod libraries;
mod lines;
mod live;
mod load;
mod look;
mod man;
mod open;
mod output;
mod page;
mod pager;
mod paint;
mod part;
mod picture;
mod print;
mod printable;
mod programs;
mod progress;
mod read;
mod recent;
mod remote;
mod save;
mod series;
mod serve;
mod shell;
mod start;
mod tokens;
mod viewer;
mod watch;
mod words;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;

use self::args::{Args, Asked, Shell};
use self::flags::Action;
use self::load::Loaded;
use self::output::Target;
use crate::analyze;
use crate::base::plain::{no_command, one_line};
use crate::doctor::diagnose;
use crate::profile::Profile;
use crate::query::QueryError;

/// Runs the program with its name and the words behind it.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    guard::report_in_one_line();
    without_panic(|| run_command(words), part::abandon_all)
}

/// What `run` returns; 2 when it panics, after `last`. The panic itself was printed.
fn without_panic(run: impl FnOnce() -> ExitCode, last: fn()) -> ExitCode {
    guard::guarded(run).unwrap_or_else(|_| {
        last();
        ExitCode::from(2)
    })
}

fn run_command(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_default();
    // Only flags before what tells jeprof need it.
    let definition = LazyCell::new(flags::clap);
    let words = match jeprof::is_meant(&program, words.collect(), |name| args::takes_value(&definition, name)) {
        Ok((name, words)) => return jeprof::run(name, words),
        Err(words) => words,
    };
    let result = args::parse(words).and_then(|asked| match asked {
        Asked::Print(text) => output::write_to(&Target::default(), None, |out| out.write_all(text.as_bytes())).map(|()| ExitCode::SUCCESS),
        Asked::Help(text) => pager::print(&text).map(|()| ExitCode::SUCCESS),
        Asked::Run(args) => answer(*args),
    });
    let error = match result {
        Ok(code) => return code,
        Err(error) => error,
    };
    let writing = error.downcast_ref::<output::WriteError>();
    if writing.is_some_and(output::WriteError::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    say(&format!("heapview: {error:#}"));
    ExitCode::from(if writing.is_some() { 1 } else { 2 })
}

/// Reads the text of a `heapview.toml`; the error is for people. For the fuzzer.
///
/// # Errors
/// When the text is not a valid configuration.
#[doc(hidden)]
pub fn check_config(text: &str) -> Result<(), String> {
    config::check(text)
}

/// A line for the person, apart from the answer; it may have anybody's words in it.
fn say(line: &str) {
    // With nobody to read it there is nothing to do about it.
    let _ = writeln!(io::stderr(), "{}", no_command(&shortened(&one_line(line))));
}

/// Words of a message are shortened from this, the message itself from the other: names in it may be megabytes long.
const LONGEST_WORD: usize = 200;
const LONGEST_MESSAGE: usize = 2000;

fn shortened(line: &str) -> Cow<'_, str> {
    if line.len() <= LONGEST_WORD {
        return Cow::Borrowed(line);
    }
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let head: String = text.chars().take(most / 2).collect();
            let tail: String = text.chars().rev().take(most / 2).collect::<Vec<_>>().into_iter().rev().collect();
            format!("{head}…{tail}")
        }
    };
    let words: Vec<String> = line.split(' ').map(|word| cut(word, LONGEST_WORD)).collect();
    Cow::Owned(cut(&words.join(" "), LONGEST_MESSAGE))
}

/// All that is wrong with a question, in one line.
fn query_errors(errors: Vec<QueryError>) -> anyhow::Error {
    anyhow::Error::msg(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

/// Whether standard input is a pipe or a file, as in `echo top5 | heapview server.heap`.
#[cfg(unix)]
fn someone_writes_to_us() -> bool {
    use std::os::{fd::AsFd, unix::fs::FileTypeExt};
    let input = io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    input.and_then(|file| file.metadata()).is_ok_and(|meta| meta.is_file() || meta.file_type().is_fifo())
}

#[cfg(not(unix))]
fn someone_writes_to_us() -> bool {
    false
}

fn answer(mut args: Args) -> Result<ExitCode> {
    if args.request.action == Action::Doctor {
        // It looks afresh, whatever was remembered or is not wanted.
        args.sources.no_symbol_cache = true;
        args.sources.symbolize.clear();
    }
    let config = config::of(args.config.as_deref())?;
    args.request.pairs = config.with(std::mem::take(&mut args.request.pairs));
    args.request.check.limits = config.with_limits(std::mem::take(&mut args.request.check.limits));
    let Args { request, sources, http, .. } = &args;
    // A wrong option is said before minutes of reading.
    print::parse_view(request.view_kind(), &request.pairs)?;
    load::symbolize_options(&sources.symbolize)?;
    request.check_programs()?;
    page::redaction(request)?;
    if request.action == Action::Check {
        request.check.must_limit()?;
    }
    let is_served = http.is_some();
    if is_served && let Some((loaded, waiting)) = without_profile(&args)? {
        let pairs = request.pairs.clone();
        return serve::serve(args, loaded, waiting, &pairs).map(|()| ExitCode::SUCCESS);
    }
    let loaded = match load::load(&args) {
        Err(error) if args.watch && sources.base.is_empty() => {
            let Some(reason) = watch::unanswered(sources) else { return Err(error) };
            let waiting = watch::waiting_for(sources);
            say(&format!("{waiting} ({reason})"));
            let pairs = request.pairs.clone();
            let loaded = Loaded::nothing(sources, None);
            return serve::serve(args, loaded, format!("{waiting} ({reason})"), &pairs).map(|()| ExitCode::SUCCESS);
        }
        loaded => loaded?,
    };
    let mut request = request.clone();
    request.pairs.extend(loaded.base.iter().map(|(name, dumps)| ((*name).to_owned(), dumps.clone())));
    if is_served {
        // The page shows them, too, but whoever starts a server may never open it.
        loaded.warnings.iter().for_each(|warning| say(warning));
        recent::remember(&sources.files);
        return serve::serve(args, loaded, String::new(), &request.pairs).map(|()| ExitCode::SUCCESS);
    }
    loaded.warnings.iter().for_each(|warning| say(warning));
    analyze::check(&loaded.profile, &print::parse_view(request.view_kind(), &request.pairs)?)?;
    let read = matches!(request.action, Action::Doctor | Action::Page | Action::Explain).then(|| loaded.profile.clone());
    let (profile, notes) = progress::during("Resolving names", |line| load::with_names(loaded.profile, &loaded.names, sources, line))?;
    load::save_fetched(&profile, &loaded.names);
    loaded.names.said_by_servers().iter().for_each(|note| say(note));
    let binaries = load::binaries(&loaded.names, sources)?;
    // The profile as it was read is as large as the one with names: it is gone before the answer is made.
    let diagnosed = |read: Profile| diagnose(&read, &profile, &binaries, &doctor::place());
    if request.action == Action::Page {
        let doctor = read.map(diagnosed);
        notes.iter().for_each(|note| say(note));
        let warnings = loaded.warnings.into_iter().chain(notes).collect();
        return page::write(profile, warnings, doctor, &request).map(|()| ExitCode::SUCCESS);
    }
    if let Some(read) = read {
        if request.action == Action::Explain {
            let doctor = diagnosed(read);
            return explain::print(&profile, &loaded.warnings, &doctor, &request).map(|()| ExitCode::SUCCESS);
        }
        // Its answer says all that the notes do.
        let is_well = doctor::print(&read, &profile, &binaries, &request)?;
        return Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) });
    }
    if request.action == Action::Check {
        notes.iter().for_each(|note| say(note));
        return Ok(if check::print(profile, &request)? { ExitCode::SUCCESS } else { ExitCode::from(1) });
    }
    let in_shell = match args.shell {
        Shell::Always => true,
        Shell::OnTerminal => io::stdin().is_terminal() && io::stdout().is_terminal(),
        Shell::Never => false,
    };
    if in_shell {
        notes.iter().for_each(|note| say(note));
        let with_summary = args.shell == Shell::OnTerminal;
        if with_summary {
            recent::remember(&sources.files);
        }
        return shell::run(profile, &request, sources, binaries, with_summary).map(|()| ExitCode::SUCCESS);
    }
    if args.shell == Shell::OnTerminal && someone_writes_to_us() {
        say(
            "standard input is ignored: add -interactive to read commands from it (`heapview top` prints this report without this warning)",
        );
    }
    let result = print::print(&profile, &request, &binaries);
    // The program ends here: giving memory back piece by piece would only take time.
    std::mem::forget(profile);
    // Why names are missing may be why there is no answer, but it is not the answer.
    if result.is_ok() {
        notes.iter().for_each(|note| say(note));
    }
    result.map(|()| ExitCode::SUCCESS)
}

/// What a server begins with that has no profile yet, and what it waits for: nothing was named, only a program was, or
/// the first dump is still to come.
fn without_profile(args: &Args) -> Result<Option<(Loaded, String)>> {
    let sources = &args.sources;
    if args.watch {
        if watch::Waiting::default().settle(sources, args.every)? {
            return Ok(None);
        }
        let waiting = watch::waiting_for(sources);
        say(&waiting);
        return Ok(Some((Loaded::nothing(sources, None), waiting)));
    }
    if !sources.base.is_empty() {
        return Ok(None);
    }
    match &sources.files[..] {
        [] => Ok(Some((Loaded::nothing(sources, None), String::new()))),
        [program] if inputs::is_binary(program) => {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            Ok(Some((Loaded::nothing(sources, Some(program.clone())), open::program_waits(&name))))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn a_panic_ends_with_2() {
        let shown = |code: ExitCode| format!("{code:?}");
        // What `run` does last keeps all other tests of this process from writing files.
        assert_eq!(shown(without_panic(|| panic!("no report"), || ())), shown(ExitCode::from(2)));
        assert_eq!(shown(without_panic(|| ExitCode::from(1), || ())), shown(ExitCode::from(1)));
    }

    #[test]
    fn messages_are_bounded() {
        let name = "ö".repeat(100_000);
        let line = shortened(&format!("{name} was not found at /bin/{name}: give the program")).into_owned();
        assert!(line.chars().count() < 450 && line.ends_with(": give the program") && line.contains(" was not found at /bin/"), "{line}");
        assert!(shortened(&"ab ".repeat(100_000)).chars().count() <= LONGEST_MESSAGE + 1);
        assert_eq!(shortened("short"), "short");
    }
}
