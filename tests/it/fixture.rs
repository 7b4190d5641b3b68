//! Profiles drawn as text, and one-line queries.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Profile, merge};
use heapview::query::{View, ViewKind};
use heapview::render::{Format, render};
use heapview::report::Report;
use heapview::session::Session;

/// A profile from collapsed stacks: `main;load;alloc 96` a line.
pub(crate) fn folded(text: &str) -> Profile {
    // The first line marks a stack of one frame as a stack.
    let parsed = parse(format!("# inuse_space bytes\n{text}").as_bytes(), &ParseOptions::default()).unwrap();
    parsed.profile.validate().unwrap();
    parsed.profile
}

/// Dumps of one program, merged.
pub(crate) fn dumps(texts: &[&str]) -> Profile {
    let profile = merge(texts.iter().map(|t| folded(t)).collect()).unwrap();
    profile.validate().unwrap();
    profile
}

/// `top focus=a n=3` and the like.
pub(crate) fn view(question: &str) -> View {
    let mut words = question.split(' ');
    let kind = ViewKind::from_name(words.next().unwrap()).unwrap();
    View::parse(kind, words.map(|w| w.split_once('=').unwrap_or((w, "t")))).unwrap_or_else(|e| panic!("{question}: {e:?}"))
}

pub(crate) fn ask(profile: &Profile, question: &str) -> Report {
    Session::new(profile.clone(), Vec::new()).answer(&view(question)).unwrap_or_else(|e| panic!("{question}: {e}"))
}

/// The report as a terminal shows it.
pub(crate) fn text(profile: &Profile, question: &str) -> String {
    let mut out = Vec::new();
    render(&ask(profile, question), Format::Text, &|n| format!("{n} ns"), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub(crate) fn session(profile: Profile) -> Arc<Session> {
    Arc::new(Session::new(profile, Vec::new()))
}

/// A file below the repository's root.
pub(crate) fn path(relative: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The built program, isolated from the user's environment.
pub(crate) fn program() -> Command {
    apart(Command::new(env!("CARGO_BIN_EXE_heapview")))
}

/// Isolates a command: no cache, no servers, no sources of installed packages.
pub(crate) fn apart(mut command: Command) -> Command {
    command.env("CARGO_HOME", "/dev/null").env("RUSTUP_HOME", "/dev/null").env("GOMODCACHE", "/dev/null");
    command.env("XDG_CACHE_HOME", "/dev/null").env_remove("DEBUGINFOD_URLS");
    command
}
