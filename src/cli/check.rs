//! `heapview check`: limits for a build, kept or broken.

use anyhow::{Result, anyhow, bail};
use clap::ArgMatches;

use super::args::Request;
use super::look::Style;
use super::printable::Content;
use super::{output, progress, say};
use crate::demangle::Budget;
use crate::gate::{self, GateError, Limit};
use crate::profile::{Profile, Series};
use crate::render::{self, CheckFormat};
use crate::session::Session;

/// What is checked, and how the answer is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    pub(super) limits: Vec<Limit>,
    pub(super) format: CheckFormat,
}

/// Flags that are of `check` only.
pub(super) const FLAGS: [&str; 5] = ["max-inuse", "max-growth", "budget", "markdown", "github"];

impl Check {
    /// What the flags ask for.
    pub(super) fn of(matches: &ArgMatches, is_json: bool) -> Result<Self> {
        let wrong = |flag: &str, text: &str, problem: String| anyhow!("-{flag}={text}: {problem}");
        let given = |flag: &str| matches.get_many::<String>(flag).into_iter().flatten().cloned().collect::<Vec<_>>();
        let mut limits = Vec::new();
        type Read = fn(&str) -> Result<Limit, String>;
        let flags: [(&str, Read); 3] = [("max-inuse", Limit::max_inuse), ("max-growth", Limit::max_growth), ("budget", Limit::budget)];
        for (flag, read) in flags {
            for text in given(flag) {
                limits.push(read(&text).map_err(|problem| wrong(flag, &text, problem))?);
            }
        }
        let format = match (is_json, matches.get_flag("markdown"), matches.get_flag("github")) {
            (false, false, false) => CheckFormat::Text,
            (true, false, false) => CheckFormat::Json,
            (false, true, false) => CheckFormat::Markdown,
            (false, false, true) => CheckFormat::Github,
            _ => bail!("-json, -markdown and -github cannot be combined"),
        };
        Ok(Check { limits, format })
    }

    /// Something must be limited.
    pub(super) fn must_limit(&self) -> Result<()> {
        match self.limits.is_empty() {
            true => {
                bail!(
                    "check: no limit given; use -max-inuse=512MiB, -max-growth=5% with -base, -budget=package=serde_json:40MiB, or [check] in heapview.toml"
                )
            }
            false => Ok(()),
        }
    }
}

/// Prints how `profile` keeps the limits; whether all are kept.
pub(super) fn print(profile: Profile, request: &Request) -> Result<bool> {
    let mut pairs = request.pairs.clone();
    pairs.extend(since_the_first(&profile, &pairs));
    let session = Session::new(profile, Vec::new());
    let errors = |errors: Vec<GateError>| anyhow::Error::msg(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    let mut report = progress::during("Adding up", |_| gate::check(&session, &pairs, &request.check.limits)).map_err(errors)?;
    let mut budget = Budget::default();
    for culprit in report.row.iter_mut().flat_map(|row| &mut row.culprit) {
        culprit.row.full_name = budget.full_name(&culprit.row.full_name);
    }
    report.warnings.extend(budget.warning());
    report.warnings.iter().for_each(|warning| say(warning));
    let is_safe = matches!(request.check.format, CheckFormat::Github | CheckFormat::Json);
    let content = if is_safe { Content::Safe } else { Content::Text };
    output::write_styled(&request.output, None, content, Style::default(), |out| render::check(&report, request.check.format, out))?;
    Ok(report.holds)
}

/// Without a base growth is since the first dump of the process that is shown.
fn since_the_first(profile: &Profile, pairs: &[(String, String)]) -> Option<(String, String)> {
    let has_base = pairs.iter().any(|(name, _)| ["base", "diff_base"].contains(&name.as_str()));
    let dumps = profile.dumps();
    let series = Series::of(dumps).into_iter().find(|series| series.dumps.iter().any(|&dump| dumps[dump].counts()));
    let first = *series?.dumps.first().filter(|_| !has_base)?;
    // What is shown is not its own base.
    (!dumps[first].counts()).then(|| ("base".to_owned(), first.to_string()))
}
