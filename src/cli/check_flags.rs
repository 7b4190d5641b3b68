//! Flags of `check`: limits and output format.

use anyhow::{Result, anyhow, bail};
use clap::ArgMatches;

use crate::limits::Limit;
use crate::render::CheckFormat;

/// Limits and output format.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    pub(super) limits: Vec<Limit>,
    pub(super) format: CheckFormat,
}

/// Flags of `check` only.
pub(super) const FLAGS: [&str; 5] = ["max-inuse", "max-growth", "budget", "markdown", "github"];

impl Check {
    /// Parses the flags.
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
