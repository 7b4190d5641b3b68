//! heaptrack_print's command line: its flags, sections and files.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::output;
use super::output::Target;
use crate::analyze::heaptrack::{HeaptrackOptions, less, report};
use crate::open::load;
use crate::open::options::OpenOptions;
use crate::open::suppressions;
use crate::render::{self, HeaptrackSections};
use crate::report::{HeaptrackCost, HeaptrackReport};
use crate::terminal::message::say;
use crate::terminal::progress;

/// The subcommand.
pub(super) const NAME: &str = "heaptrack";

/// Value of a flag.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    /// Yes or no, alone yes.
    Switch,
    Text,
}

/// Letter, name, value, help.
const FLAGS: [(char, &str, Takes, &str); 20] = [
    ('f', "file", Takes::Text, "Recording; also as the only other argument"),
    ('d', "diff", Takes::Text, "Subtract this recording"),
    ('t', "shorten-templates", Takes::Switch, "Leave out template arguments (1)"),
    ('m', "merge-backtraces", Takes::Switch, "Group stacks by the place that allocates (1)"),
    ('a', "print-allocators", Takes::Switch, "Section with the most allocations (1)"),
    ('p', "print-peaks", Takes::Switch, "Section with the most memory at the peak (1)"),
    ('T', "print-temporary", Takes::Switch, "Section with the most temporary allocations (1)"),
    ('l', "print-leaks", Takes::Switch, "Section with the most memory in use at the end (0)"),
    ('n', "peak-limit", Takes::Text, "Groups of a section (10)"),
    ('s', "sub-peak-limit", Takes::Text, "Stacks of a group (5)"),
    ('H', "print-histogram", Takes::Text, "Write a line for each size with its number of allocations to this file"),
    ('F', "print-flamegraph", Takes::Text, "Write collapsed stacks to this file"),
    ('\0', "flamegraph-cost-type", Takes::Text, "allocations, temporary, leaked or peak (allocations)"),
    ('M', "print-massif", Takes::Text, "Write the course of memory to this file, in massif's format"),
    ('\0', "massif-threshold", Takes::Text, "Smallest share of a massif node, percent (1)"),
    ('\0', "massif-detailed-freq", Takes::Text, "Every which massif snapshot has stacks; 0: only the peak (2)"),
    ('\0', "filter-bt-function", Takes::Text, "Only stacks with a function whose name contains this"),
    ('\0', "suppressions", Takes::Text, "File with rules `leak:pattern`, a line each"),
    ('\0', "disable-embedded-suppressions", Takes::Nothing, "Without the rules of the recording"),
    ('\0', "disable-builtin-suppressions", Takes::Nothing, "Without the built-in rules"),
];
const PRINT_SUPPRESSIONS: (char, &str, Takes, &str) = ('\0', "print-suppressions", Takes::Switch, "Add the table of rules that match (0)");

fn flags() -> impl Iterator<Item = (char, &'static str, Takes, &'static str)> {
    FLAGS.into_iter().chain([PRINT_SUPPRESSIONS])
}

/// The help.
pub(super) fn usage() -> String {
    let mut text = "Usage: heapview heaptrack [flags] <recording>\n\nPrints a recording like heaptrack_print.\n\n".to_owned();
    for (letter, name, takes, doc) in flags() {
        let short = if letter == '\0' { String::new() } else { format!("-{letter}, ") };
        let value = match takes {
            Takes::Nothing => "",
            Takes::Switch => "[=0|1]",
            Takes::Text => " VALUE",
        };
        text.push_str(&format!("  {:<40} {doc}\n", format!("{short}--{name}{value}")));
    }
    text.push_str("  -h, --help                               Print this text\n");
    text
}

/// Returns the arguments if the first one is the subcommand.
pub(super) fn is_meant(args: &[OsString]) -> Option<&[OsString]> {
    let (first, rest) = args.split_first()?;
    // A file of that name is meant when it is all there is.
    (first == NAME && (!rest.is_empty() || !Path::new(NAME).exists())).then_some(rest)
}

/// Runs with these arguments.
pub(super) fn run(args: &[OsString]) -> ExitCode {
    let Err(error) = answer(args) else { return ExitCode::SUCCESS };
    if error.downcast_ref::<output::WriteError>().is_some_and(output::WriteError::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    say(&format!("heapview heaptrack: {error:#}"));
    ExitCode::FAILURE
}

/// Parsed arguments.
#[derive(Debug, Default)]
struct Given {
    /// Name and value of each flag.
    flags: Vec<(&'static str, OsString)>,
    files: Vec<PathBuf>,
    wants_help: bool,
}

impl Given {
    fn of(args: &[OsString]) -> Result<Given> {
        let mut given = Given::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let Some(text) = arg.to_str().filter(|text| text.len() > 1 && text.starts_with('-')) else {
                given.files.push(arg.into());
                continue;
            };
            if text == "--" {
                given.files.extend(args.by_ref().map(PathBuf::from));
                break;
            }
            if matches!(text, "-h" | "--help") {
                given.wants_help = true;
                continue;
            }
            let (flag, value) = match text.strip_prefix("--") {
                Some(long) => {
                    let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                    (by_name(name)?, value.map(OsString::from))
                }
                None => {
                    let letter = text[1..].chars().next().unwrap_or_default();
                    let Some(flag) = flags().find(|(known, ..)| *known == letter && letter != '\0') else {
                        bail!("unknown flag -{letter}; heapview heaptrack --help lists all");
                    };
                    let rest = &text[1 + letter.len_utf8()..];
                    (flag, (!rest.is_empty()).then(|| rest.into()))
                }
            };
            let (_, name, takes, _) = flag;
            let value = match (takes, value) {
                (Takes::Nothing, Some(_)) => bail!("--{name} has no value"),
                (_, Some(value)) => value,
                (Takes::Nothing, None) => "1".into(),
                (Takes::Text, None) => args.next().with_context(|| format!("--{name} needs a value"))?.clone(),
                (Takes::Switch, None) => {
                    let next = args.clone().next().filter(|next| truth(next).is_some());
                    if next.is_some() { args.next().cloned().unwrap_or_default() } else { "1".into() }
                }
            };
            given.flags.push((name, value));
        }
        Ok(given)
    }

    fn value(&self, name: &str) -> Option<&OsStr> {
        self.flags.iter().rev().find(|(flag, _)| *flag == name).map(|(_, value)| value.as_os_str())
    }

    fn is_on(&self, name: &str, default: bool) -> Result<bool> {
        let Some(value) = self.value(name) else { return Ok(default) };
        truth(value).with_context(|| format!("--{name}={}: 0 or 1 is expected", value.display()))
    }

    fn number<T: std::str::FromStr>(&self, name: &str, default: T) -> Result<T> {
        let Some(value) = self.value(name) else { return Ok(default) };
        let number = value.to_str().and_then(|text| text.parse().ok());
        number.with_context(|| format!("--{name}={}: a number is expected", value.display()))
    }
}

/// The flag of this name or of this unique beginning of one.
fn by_name(name: &str) -> Result<(char, &'static str, Takes, &'static str)> {
    if let Some(flag) = flags().find(|(_, known, ..)| *known == name) {
        return Ok(flag);
    }
    let mut found = flags().filter(|(_, known, ..)| !name.is_empty() && known.starts_with(name));
    match (found.next(), found.next()) {
        (Some(flag), None) => Ok(flag),
        (Some(_), Some(_)) => bail!("--{name} is ambiguous; heapview heaptrack --help lists all flags"),
        _ => bail!("unknown flag --{name}; heapview heaptrack --help lists all"),
    }
}

fn truth(word: &OsStr) -> Option<bool> {
    match word.to_str()? {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" => Some(false),
        _ => None,
    }
}

fn answer(args: &[OsString]) -> Result<()> {
    let given = Given::of(args)?;
    if given.wants_help {
        return output::write_to(&Target::default(), None, |out| out.write_all(usage().as_bytes()));
    }
    let named = given.flags.iter().filter(|(name, _)| *name == "file").map(|(_, value)| PathBuf::from(value));
    let files: Vec<PathBuf> = named.chain(given.files.iter().cloned()).collect();
    let (program, recording) = match &files[..] {
        [recording] => (None, recording.clone()),
        // A raw recording may need its program.
        [program, recording] => (Some(program.clone()), recording.clone()),
        _ => bail!("one recording is expected: heapview heaptrack [flags] <recording>"),
    };
    let cost = given.value("flamegraph-cost-type").map_or("allocations".into(), OsStr::to_string_lossy);
    let Some((_, cost)) = HeaptrackCost::NAMES.into_iter().find(|(name, _)| *name == cost) else {
        bail!("--flamegraph-cost-type={cost}: one of allocations, temporary, leaked and peak is expected");
    };
    let sections = HeaptrackSections {
        allocators: given.is_on("print-allocators", true)?,
        peaks: given.is_on("print-peaks", true)?,
        leaks: given.is_on("print-leaks", false)?,
        temporary: given.is_on("print-temporary", true)?,
        merge: given.is_on("merge-backtraces", true)?,
        n_groups: given.number("peak-limit", 10)?,
        n_stacks: given.number("sub-peak-limit", 5)?,
        containing: given.value("filter-bt-function").map_or(String::new(), |text| text.to_string_lossy().into_owned()),
        suppressions: given.is_on("print-suppressions", false)?,
    };
    let threshold = given.number("massif-threshold", 1.0)?;
    let massif = given.value("print-massif");
    let every = given.number("massif-detailed-freq", 2)?;
    let options = HeaptrackOptions {
        suppressions: given.value("suppressions").map_or(Ok(Vec::new()), |path| suppressions::read(Path::new(path)))?,
        no_builtin: given.value("disable-builtin-suppressions").is_some(),
        no_embedded: given.value("disable-embedded-suppressions").is_some(),
        shorten: given.is_on("shorten-templates", true)?,
        detailed: massif.map(|_| every),
        threshold,
    };
    let open = |program: Option<PathBuf>, recording: PathBuf, options: &HeaptrackOptions| {
        opened(program.into_iter().chain([recording]).collect(), options)
    };
    let mut all = open(program.clone(), recording, &options)?;
    if let Some(base) = given.value("diff") {
        let base = open(program, base.into(), &HeaptrackOptions { detailed: None, ..options.clone() })?;
        all = less(all, &base);
    }
    output::write_to(&Target::default(), None, |out| render::heaptrack(&all, &sections, out))?;
    let to = |path: &OsStr| Target { file: Some(path.into()), ..Target::default() };
    if let Some(path) = given.value("print-histogram") {
        output::write_to(&to(path), None, |out| render::heaptrack_sizes(&all, out))?;
    }
    if let Some(path) = given.value("print-flamegraph") {
        output::write_to(&to(path), None, |out| render::heaptrack_stacks(&all, &sections, cost, out))?;
    }
    if let Some(path) = massif {
        output::write_to(&to(path), None, |out| render::heaptrack_massif(&all, threshold, out))?;
    }
    Ok(())
}

/// The report of a recording, with names.
fn opened(files: Vec<PathBuf>, options: &HeaptrackOptions) -> Result<HeaptrackReport> {
    let mut sources = OpenOptions { files, as_given: true, symbolize: "demangle=full".to_owned(), ..OpenOptions::default() };
    let loaded = load::load(&sources)?;
    loaded.warnings.iter().for_each(|warning| say(warning));
    let name = || sources.files.last().map_or(String::new(), |file| file.display().to_string());
    match loaded.profile.meta().runs.first() {
        None => bail!("{} is not a recording", name()),
        Some(run) if run.shows_peak => bail!("{} has snapshots, not allocations; heapview massif prints massif's output", name()),
        Some(_) => {}
    }
    // Interpreted recordings have all names that there are.
    if loaded.profile.code().mappings.iter().all(|mapping| mapping.has_functions) {
        sources.symbolize = "none:demangle=full".to_owned();
    }
    let (profile, notes) = progress::during("Resolving names", |line| load::with_names(loaded.profile, &loaded.names, &sources, line))?;
    notes.iter().for_each(|note| say(note));
    Ok(report(&profile, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(words: &str) -> Result<Vec<(&'static str, String)>> {
        let args: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        let Given { flags, files, .. } = Given::of(&args)?;
        let flags = flags.into_iter().map(|(name, value)| (name, value.to_string_lossy().into_owned()));
        Ok(flags.chain(files.iter().map(|file| ("", file.display().to_string()))).collect())
    }

    #[test]
    fn flags_are_read_like_those_of_heaptrack_print() {
        let all = |pairs: &[(&'static str, &str)]| pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect::<Vec<_>>();
        for (words, want) in [
            ("-p0 -a 0 x.zst", vec![("print-peaks", "0"), ("print-allocators", "0"), ("", "x.zst")]),
            ("-l x.zst", vec![("print-leaks", "1"), ("", "x.zst")]),
            ("-n3 -s 2 --print-leaks=1", vec![("peak-limit", "3"), ("sub-peak-limit", "2"), ("print-leaks", "1")]),
            ("--print-fl out -f x", vec![("print-flamegraph", "out"), ("file", "x")]),
            ("-- -x", vec![("", "-x")]),
        ] {
            assert_eq!(given(words).unwrap(), all(&want), "{words}");
        }
        for (words, error) in
            [("-x", "unknown flag -x"), ("--print", "ambiguous"), ("-n", "needs a value"), ("--nothing", "unknown flag --nothing")]
        {
            assert!(given(words).unwrap_err().to_string().contains(error), "{words}");
        }
    }
}
