//! One report of a loaded profile, to the terminal or a file.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::args::Request;
use super::flags::Action;
use super::{output, query_errors, say};
use crate::plain::one_line;
use crate::profile::Profile;
use crate::query::{View, ViewKind};
use crate::render::{Format, render};
use crate::report::Report;
use crate::session::Session;
use crate::sources::Sources;
use crate::{analyze, export};

impl Request {
    /// The report whose options the request's pairs are.
    pub(super) fn view_kind(&self) -> ViewKind {
        match self.action {
            Action::Report(kind) => kind,
            Action::Collapsed => ViewKind::Traces,
            Action::Raw | Action::Proto | Action::Comments => ViewKind::Top,
        }
    }
}

/// Prints what `request` asks for of a profile that has its names.
pub(super) fn print(profile: &Profile, request: &Request) -> Result<()> {
    let mut pairs = request.pairs.clone();
    if request.action == Action::Report(ViewKind::Flame) && pairs.iter().all(|(name, _)| name != "granularity") {
        // Paths would leave no room for the tree.
        pairs.push(("granularity".into(), "functions".into()));
    }
    let view = parse_view(request.view_kind(), &pairs)?;
    let output = request.output.as_deref();
    match request.action {
        Action::Report(_) => report(profile, &view, request.format, output),
        Action::Collapsed => report(profile, &view, Format::Folded, output),
        Action::Raw => {
            let shown = filtered(profile, &view)?;
            output::write_to(output, None, |out| export::write_raw(&shown, &precise_time, out))
        }
        Action::Proto => {
            let shown = filtered(profile, &view)?;
            output::write_to(output, Some("pb.gz"), |out| export::write_pprof(&shown, out))
        }
        Action::Comments => {
            output::write_to(output, None, |out| profile.meta().comments.iter().try_for_each(|c| writeln!(out, "{}", one_line(c))))
        }
    }
}

/// The view that a request's pairs mean.
pub(super) fn parse_view(kind: ViewKind, pairs: &[(String, String)]) -> Result<View> {
    View::parse(kind, pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()))).map_err(query_errors)
}

/// The profile that the view shows.
fn filtered(profile: &Profile, view: &View) -> Result<Profile> {
    let filtered = analyze::filtered(profile, view)?;
    filtered.warnings.iter().for_each(|warning| say(warning));
    Ok(filtered.profile)
}

fn report(profile: &Profile, view: &View, format: Format, output: Option<&Path>) -> Result<()> {
    let mut report = Session::answer_once(profile, view)?;
    if let Report::Source(lines) = &mut report {
        sources(view).attach(lines);
    }
    report.header().warnings.iter().for_each(|warning| say(warning));
    output::write_to(output, None, |out| render(&report, format, &local_time, out))
}

/// Where this machine's source files are.
pub(super) fn sources(view: &View) -> Sources {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    Sources::new(&view.shape.paths, &std::env::current_dir().unwrap_or_default(), home.as_deref())
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
