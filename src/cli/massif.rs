//! ms_print's command line: its flags, chart and table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::output;
use super::output::Target;
use crate::parse::{self, MassifFile, ParseOptions};
use crate::render;
use crate::report::{MassifLine, MassifReport, MassifRow};
use crate::terminal::message::say;

/// The subcommand.
pub(super) const NAME: &str = "massif";

/// The help.
pub(super) const USAGE: &str = "\
Usage: heapview massif [flags] <massif.out>

Prints massif's output like ms_print: a chart of all snapshots, a table, and the stacks of those that have some.

  --threshold=PERCENT      Add up nodes with less than this share (1)
  --x=COLUMNS              Width of the chart, 4 to 1000 (72)
  --y=ROWS                 Height of the chart, 4 to 1000 (20)
  --percent-of=total|heap  Shares of all memory, or of requested bytes (total)
  -h, --help               Print this text
";

/// Returns the arguments if the first one is the subcommand.
pub(super) fn is_meant(args: &[OsString]) -> Option<&[OsString]> {
    let (first, rest) = args.split_first()?;
    // A file of that name is meant when it is all there is.
    (first == NAME && (!rest.is_empty() || !Path::new(NAME).exists())).then_some(rest)
}

/// Runs with these arguments.
pub(super) fn run(args: &[OsString]) -> ExitCode {
    let Err(error) = answer(args) else { return ExitCode::SUCCESS };
    let writing = error.downcast_ref::<output::WriteError>();
    if writing.is_some_and(output::WriteError::is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    let code = if writing.is_some() { 1 } else { 2 };
    say(&format!("heapview massif: {error:#}"));
    ExitCode::from(code)
}

/// Parsed arguments.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    threshold: f64,
    columns: usize,
    rows: usize,
    is_of_heap: bool,
    file: Option<PathBuf>,
    wants_help: bool,
    /// All of them, as they were given.
    text: String,
}

impl Given {
    fn of(args: &[OsString]) -> Result<Given> {
        let mut given =
            Given { threshold: 1.0, columns: 72, rows: 20, is_of_heap: false, file: None, wants_help: false, text: String::new() };
        let mut only_files = false;
        for arg in args {
            given.text.push(' ');
            given.text.push_str(&arg.to_string_lossy());
            let flag = arg.to_str().filter(|text| !only_files && text.len() > 1 && text.starts_with('-'));
            let Some(flag) = flag else {
                if given.file.replace(arg.into()).is_some() {
                    bail!("one file is expected: heapview massif [flags] <massif.out>");
                }
                continue;
            };
            // One dash is enough everywhere in heapview.
            let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            let value = || value.with_context(|| format!("{name} needs a value: {name}=…"));
            match format!("-{}", name.trim_start_matches('-')).as_str() {
                "-" => only_files = true,
                "-h" | "-help" => given.wants_help = true,
                "-threshold" => given.threshold = percent(value()?).with_context(|| format!("{flag}: 0 to 100 is expected"))?,
                "-x" => given.columns = size(value()?).with_context(|| format!("{flag}: 4 to 1000 is expected"))?,
                "-y" => given.rows = size(value()?).with_context(|| format!("{flag}: 4 to 1000 is expected"))?,
                "-percent-of" => {
                    given.is_of_heap = match value()? {
                        "heap" => true,
                        "total" => false,
                        _ => bail!("{flag}: total or heap is expected"),
                    }
                }
                _ => bail!("unknown flag {flag}; heapview massif --help lists all"),
            }
        }
        Ok(given)
    }
}

fn percent(text: &str) -> Option<f64> {
    let text = text.strip_suffix('%').unwrap_or(text);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|share| is_plain && (0.0..=100.0).contains(share))
}

fn size(text: &str) -> Option<usize> {
    text.parse().ok().filter(|size| (4..=1000).contains(size))
}

fn answer(args: &[OsString]) -> Result<()> {
    let given = Given::of(args)?;
    if given.wants_help {
        return output::write_to(&Target::default(), None, |out| out.write_all(USAGE.as_bytes()));
    }
    let Some(file) = &given.file else { bail!("one file is expected: heapview massif [flags] <massif.out>") };
    let name = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {name}"))?;
    let text = parse::unpacked(&bytes, &ParseOptions::default()).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    let massif = parse::massif_file(&text).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    massif.warnings().for_each(|warning| say(&format!("{name}: {warning}")));
    let report = report(&massif);
    output::write_to(&Target::default(), None, |out| {
        render::massif_head(&report, &given.text, out)?;
        render::massif_chart(&report, given.columns, given.rows, out)?;
        massif.snapshots.iter().enumerate().try_for_each(|(place, snapshot)| {
            let whole = if given.is_of_heap { snapshot.heap } else { snapshot.total() };
            let tree = snapshot.tree.map_or_else(Vec::new, |tree| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let nodes = tree.nodes();
                nodes
                    .map(|node| MassifLine { depth: node.depth, n_children: node.n_children, bytes: node.bytes, detail: text(node.detail) })
                    .collect()
            });
            render::massif_snapshot(&report, place, &tree, whole, given.threshold, out)
        })
    })
}

/// The file without its stacks.
fn report(file: &MassifFile<'_>) -> MassifReport {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let row = |snapshot: &parse::MassifSnapshot<'_>| MassifRow {
        number: snapshot.number,
        time: text(snapshot.time),
        heap: snapshot.heap,
        extra: snapshot.extra,
        stacks: snapshot.stacks,
        is_detailed: snapshot.tree.is_some(),
        is_peak: snapshot.is_peak,
    };
    MassifReport {
        command: text(file.command),
        arguments: file.description.iter().map(|line| text(line)).collect(),
        time_unit: text(file.time_unit),
        snapshots: file.snapshots.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(words: &str) -> Result<Given> {
        Given::of(&words.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn flags_are_those_of_ms_print() {
        let of = given("--threshold=0.5% --x=20 -y=5 --percent-of=heap massif.out.1").unwrap();
        assert_eq!((of.threshold, of.columns, of.rows, of.is_of_heap), (0.5, 20, 5, true));
        assert_eq!(of.file, Some("massif.out.1".into()));
        assert_eq!(of.text, " --threshold=0.5% --x=20 -y=5 --percent-of=heap massif.out.1");
        assert!(given("-- -x").unwrap().file == Some("-x".into()) && given("--help").unwrap().wants_help);
        for (words, error) in [
            ("--x=3", "4 to 1000"),
            ("--y=1001", "4 to 1000"),
            ("--threshold=101", "0 to 100"),
            ("--threshold=-1", "0 to 100"),
            ("--threshold", "needs a value"),
            ("--foo", "unknown flag"),
            ("--version", "unknown flag"),
            ("a b", "one file"),
        ] {
            assert!(format!("{:#}", given(words).unwrap_err()).contains(error), "{words}");
        }
    }
}
