//! The command line: arguments to requests, files to profiles, reports to the terminal. Together with `open`, the part that reads
//! the environment, the clock and files.

mod args;
mod capture;
mod check;
mod check_flags;
mod completions;
mod config;
mod doctor;
mod duration;
mod explain;
mod flags;
mod graphviz;
mod heaptrack;
mod help;
mod jeprof;
mod links;
mod local_time;
mod man;
mod massif;
mod moment;
mod output;
mod pager;
mod print;
mod programs;
mod push;
mod push_flags;
mod push_symbols;
mod report_file;
mod request;
mod section;
mod serve;
mod serve_config;
mod shell;
mod site;
mod store;
mod store_guard;
mod subcommands;
mod team;
mod team_flags;
mod tokens;
mod view;
mod viewer;

use crate::doctor::Host;
use std::cell::LazyCell;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use self::flags::Action;
use self::output::Target;
use self::request::{Args, Asked, Shell};
use crate::analyze;
use crate::doctor::diagnose;
use crate::open::load::Loaded;
use crate::profile::Profile;
use crate::terminal::message::say;

/// Runs the program; `words` are its name and arguments.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    crate::terminal::panics::report_in_one_line();
    without_panic(|| run_command(words), crate::open::atomic_file::abandon_all)
}

/// Result of `run`; 2 if it panics, after `last`. The panic itself was printed.
fn without_panic(run: impl FnOnce() -> ExitCode, last: fn()) -> ExitCode {
    crate::terminal::panics::guarded(run).unwrap_or_else(|_| {
        last();
        ExitCode::from(2)
    })
}

fn run_command(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut words = words.into_iter();
    let program = words.next().unwrap_or_default();
    let words: Vec<OsString> = words.collect();
    if let Some(words) = heaptrack::is_meant(&words) {
        return heaptrack::run(words);
    }
    if let Some(words) = massif::is_meant(&words) {
        return massif::run(words);
    }
    if let Some(result) = of_store(&words) {
        return ended(result);
    }
    // Only flags before the jeprof flag matter.
    let definition = LazyCell::new(flags::clap);
    let words = match jeprof::is_meant(&program, words, |name| args::takes_value(&definition, name)) {
        Ok((name, words)) => return jeprof::run(name, words),
        Err(words) => words,
    };
    let result = args::parse(words).and_then(|asked| match asked {
        Asked::Print(text) => output::write_to(&Target::default(), None, |out| out.write_all(text.as_bytes())).map(|()| ExitCode::SUCCESS),
        Asked::Help(text) => pager::print(&text).map(|()| ExitCode::SUCCESS),
        Asked::Site(folder) => site::write(&folder).map(|()| ExitCode::SUCCESS),
        Asked::Capture(request) => capture::run(&request).map(|()| ExitCode::SUCCESS),
        Asked::Run(args) => answer(*args),
    });
    ended(result)
}

/// Runs the commands of team servers; `None`: something else is meant.
fn of_store(words: &[OsString]) -> Option<Result<ExitCode>> {
    let (first, rest) = words.split_first()?;
    let asks_help = rest.iter().any(|word| ["-h", "-help", "--help"].iter().any(|help| word == help));
    // A file of that name is meant where it is all there is.
    match first.to_str()? {
        _ if asks_help => None,
        "serve" if !rest.is_empty() || !Path::new("serve").exists() => Some(team::run(rest).map(|()| ExitCode::SUCCESS)),
        "store" if !rest.is_empty() => Some(store::run(rest)),
        "push" if !rest.is_empty() || !Path::new("push").exists() => Some(push::run(rest)),
        "push-symbols" => Some(push_symbols::run(rest)),
        _ => None,
    }
}

/// Says what went wrong; returns the exit code.
fn ended(result: Result<ExitCode>) -> ExitCode {
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

/// Parses the text of a `heapview.toml`; the error is a message. For the fuzzer.
///
/// # Errors
/// When the text is not a valid configuration.
#[doc(hidden)]
pub fn check_config(text: &str) -> Result<(), String> {
    config::check(text)
}

/// Returns whether standard input is a pipe or a file, as in `echo top5 | heapview server.heap`.
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
        // Ignores the symbol cache and warnings.
        args.sources.no_symbol_cache = true;
        args.sources.symbolize.clear();
    }
    let config = config::of(args.config.as_deref())?;
    args.request.pairs = config.with(std::mem::take(&mut args.request.pairs));
    args.request.check.limits = config.with_limits(std::mem::take(&mut args.request.check.limits));
    let Args { request, sources, http, .. } = &args;
    // Reports wrong options before minutes of reading.
    view::parse_view(request.view_kind(), &request.pairs)?;
    crate::open::load::symbolize_options(&sources.symbolize)?;
    request.check_programs()?;
    report_file::redaction(request)?;
    if request.action == Action::Check {
        request.check.must_limit()?;
    }
    let is_served = http.is_some();
    if is_served && let Some((loaded, waiting)) = without_profile(&args)? {
        let pairs = request.pairs.clone();
        return serve::serve(args, loaded, waiting, &pairs).map(|()| ExitCode::SUCCESS);
    }
    let loaded = match crate::open::load::load(sources) {
        Err(error) if sources.watch && sources.base.is_empty() => {
            let Some(reason) = crate::open::watch_start::unanswered(sources) else { return Err(error) };
            let waiting = crate::open::watch_start::waiting_for(sources);
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
        crate::open::recent::remember(&sources.files);
        return serve::serve(args, loaded, String::new(), &request.pairs).map(|()| ExitCode::SUCCESS);
    }
    loaded.warnings.iter().for_each(|warning| say(warning));
    analyze::validate_options(&loaded.profile, &view::parse_view(request.view_kind(), &request.pairs)?)?;
    let read = matches!(request.action, Action::Doctor | Action::Export | Action::Explain).then(|| loaded.profile.clone());
    let (profile, notes) = crate::terminal::progress::during("Resolving names", |line| {
        crate::open::load::with_names(loaded.profile, &loaded.names, sources, line)
    })?;
    crate::open::load::save_fetched(&profile, &loaded.names);
    loaded.names.said_by_servers().iter().for_each(|note| say(note));
    let binaries = crate::open::load::binaries(&loaded.names, sources)?;
    let (profile, request) = match moment::at_moment(&profile, &request)? {
        Some((at_moment, request)) => (at_moment.unwrap_or(profile), request),
        None => (profile, request),
    };
    // The profile as it was read is as large as the one with names: it is gone before the answer is made.
    let diagnosed = |read: Profile| diagnose(&read, &profile, &binaries, &Host::this());
    if request.action == Action::Export {
        let doctor = read.map(diagnosed);
        notes.iter().for_each(|note| say(note));
        let warnings = loaded.warnings.into_iter().chain(notes).collect();
        return report_file::write(profile, warnings, doctor, &binaries, &request).map(|()| ExitCode::SUCCESS);
    }
    if let Some(read) = read {
        if request.action == Action::Explain {
            let doctor = diagnosed(read);
            return explain::print(&profile, &loaded.warnings, &doctor, &request).map(|()| ExitCode::SUCCESS);
        }
        // Its report contains the notes.
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
            crate::open::recent::remember(&sources.files);
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
    // Missing names may be the reason, but are not the error.
    if result.is_ok() {
        notes.iter().for_each(|note| say(note));
    }
    result.map(|()| ExitCode::SUCCESS)
}

/// Initial state of a server without a profile, and what it waits for: nothing was named, only a program was, or the first dump
/// is still to come.
fn without_profile(args: &Args) -> Result<Option<(Loaded, String)>> {
    let sources = &args.sources;
    if sources.watch {
        if crate::open::watch_start::Waiting::default().settle(sources, args.every)? {
            return Ok(None);
        }
        let waiting = crate::open::watch_start::waiting_for(sources);
        say(&waiting);
        return Ok(Some((Loaded::nothing(sources, None), waiting)));
    }
    if !sources.base.is_empty() {
        return Ok(None);
    }
    match &sources.files[..] {
        [] => Ok(Some((Loaded::nothing(sources, None), String::new()))),
        [program] if crate::open::inputs::is_binary(program) => {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            Ok(Some((Loaded::nothing(sources, Some(program.clone())), crate::attached::program_waits(&name))))
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
        // Actions at the end of `run` would keep all other tests of this process from writing files.
        assert_eq!(shown(without_panic(|| panic!("no report"), || ())), shown(ExitCode::from(2)));
        assert_eq!(shown(without_panic(|| ExitCode::from(1), || ())), shown(ExitCode::from(1)));
    }
}
