//! Configuration file of `heapview serve`: its flags by their names, and scrape jobs.
//!
//! ```toml
//! store = "/var/lib/heapview"
//! http = "0.0.0.0:8080"
//! single-writer = true
//!
//! [[scrape]]
//! name = "tikv"
//! kind = "jemalloc"
//! targets = ["10.0.0.7:20180"]
//! ```

mod reload;
mod scrape;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};

use super::section::{self, Entry, Problem, Section};
use super::team_flags::Flag;
use crate::scrape::{ScrapeJob, Scraper};
use crate::store::Store;
use crate::terminal::message::say;

/// Maximum size of the file, bytes.
const MOST: u64 = 4 << 20;

/// Flags that are for the command line only.
const ON_THE_COMMAND_LINE: [&str; 2] = ["config", "check"];

/// Sections of the file.
const SECTIONS: [&str; 1] = ["scrape"];

/// Parsed file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ServeConfig {
    /// Flags and their values; of switches, those that are on.
    pub(super) flags: Vec<(&'static str, String)>,
    /// `[[scrape]]`.
    pub(super) scrape: Vec<ScrapeJob>,
}

/// Reads the file; `flags` are those of `heapview serve`.
pub(super) fn read(file: &Path, flags: &[Flag]) -> Result<ServeConfig> {
    let shown = file.display();
    let size = file.metadata().with_context(|| format!("cannot read {shown}"))?.len();
    if size > MOST {
        bail!("{shown} is too large: {size} bytes");
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    parse(&text, flags, &folder).map_err(|(line, problem)| anyhow!("{shown}:{line}: {problem}"))
}

/// `folder`: where relative paths in sections begin.
fn parse(text: &str, flags: &[Flag], folder: &Path) -> Result<ServeConfig, Problem> {
    let root = section::root(text)?;
    let whole = Section { text, name: "the configuration".to_owned(), table: root.get_ref() };
    let mut config = ServeConfig::default();
    let mut known: Vec<&str> = flags.iter().map(|(name, ..)| *name).filter(|name| !ON_THE_COMMAND_LINE.contains(name)).collect();
    for (key, value) in whole.entries() {
        let name = key.get_ref().replace('_', "-");
        match flags.iter().find(|(flag, ..)| *flag == name && known.contains(flag)) {
            Some((flag, takes, _)) => config.flags.extend(flag_value(&whole, (key, value), takes)?.map(|value| (*flag, value))),
            None if name == "scrape" => config.scrape = scrape::jobs(&whole, value, folder)?,
            None => {
                known.extend(SECTIONS);
                return Err(whole.unknown(key, &known));
            }
        }
    }
    Ok(config)
}

/// Value of a flag, which is empty for a switch; `None`: the switch is off.
fn flag_value(whole: &Section, (key, value): Entry, takes: &str) -> Result<Option<String>, Problem> {
    if takes.is_empty() {
        return Ok(whole.is_true(key.get_ref(), value)?.then(String::new));
    }
    let number = value.get_ref().as_integer().map(|number| number.as_str().to_owned());
    match number {
        Some(number) => Ok(Some(number)),
        None => whole.text(key.get_ref(), value, &format!("\"{takes}\"")).map(|text| Some(text.to_owned())),
    }
}

/// Starts to scrape; the jobs are replaced when the file changes or SIGHUP comes.
pub(super) fn scrape(file: PathBuf, flags: &'static [Flag], config: ServeConfig, store: Arc<Store>) -> Scraper {
    let scraper = Scraper::start(store, config.scrape.clone());
    let own = scraper.clone();
    std::thread::spawn(move || {
        reload::watch(&file, || match read(&file, flags) {
            Err(error) => say(&format!("The configuration was not reloaded: {error:#}")),
            Ok(new) => {
                if new.flags != config.flags {
                    say(&format!("{}: flags changed; restart the server to use them", file.display()));
                }
                say(&format!("Reloaded {}: {} scrape jobs", file.display(), new.scrape.len()));
                own.reload(new.scrape);
            }
        });
    });
    scraper
}

/// What the jobs would do, a line each.
pub(super) fn plan(jobs: &[ScrapeJob]) -> Result<String> {
    let mut text = String::new();
    for job in jobs {
        let every = format!("every {} s", job.interval.as_secs());
        // Writing to a text does not fail.
        let (addresses, problems) = job.addresses();
        if let Some(problem) = problems.first() {
            bail!("[[scrape]] {}: {problem}", job.name);
        }
        let _ = writeln!(text, "scrape  {}: {} targets {every}", job.name, addresses.len());
        for (address, service) in addresses {
            let _ = writeln!(text, "  {service}  {address}");
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: [Flag; 4] = [("store", "PLACE", ""), ("memory", "BYTES", ""), ("single-writer", "", ""), ("config", "FILE", "")];

    #[test]
    fn flags_have_the_names_of_the_command_line() {
        let config = parse("store = '/var/lib/heapview'\nmemory = 1073741824\nsingle_writer = true\n", &FLAGS, Path::new("/etc")).unwrap();
        let flags: Vec<(&str, &str)> = config.flags.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(flags, [("store", "/var/lib/heapview"), ("memory", "1073741824"), ("single-writer", "")]);
        assert_eq!(parse("single-writer = false", &FLAGS, Path::new("")).unwrap(), ServeConfig::default());
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, problem) in [
            ("store = 'a'\nmemroy = '1G'", 2, "the configuration has no \"memroy\"; did you mean memory?"),
            ("config = 'x'", 1, "has no \"config\""),
            ("single-writer = 'yes'", 1, "must be true or false, found string"),
            ("store = true", 1, "must be a string such as \"PLACE\", found boolean"),
            ("\nstore =", 2, ""),
            ("scrape = 1", 1, "must be a list of sections, [[scrape]], found integer"),
        ] {
            let (at, found) = parse(text, &FLAGS, Path::new("")).unwrap_err();
            assert!(at == line && found.contains(problem), "{text}: {at}: {found}");
        }
    }
}
