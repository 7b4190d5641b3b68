//! A check of the series of a service: the same limits as `heapview check`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::limits::{self, Limit, LimitError};
use crate::open::stored::StoredDumps;
use crate::render::{check_sentence, expected_sentence};
use crate::report::{CheckOf, CheckReport};
use crate::session::Session;
use crate::store::{Broken, Check, Envelope, Selection, Store, Verdict, Wanted, duration_text, series_address};

/// Processes that are checked, those with the largest total.
const PROCESSES: usize = 20;

/// Broken limits and remarks that a verdict lists.
const LISTED: usize = 20;

/// What came of a check.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// The verdict; `None`: there is nothing to judge.
    pub(crate) verdict: Option<Verdict>,
    /// Why there is no verdict, or why it is not about everything.
    pub(crate) problem: String,
    /// Process and version, and the report on it.
    pub(crate) reports: Vec<(String, CheckReport)>,
}

/// Dumps of one process and version, in order of time.
struct Process {
    version: String,
    name: String,
    dumps: Vec<Arc<Envelope>>,
}

/// The limits of a check.
///
/// # Errors
/// The limit that cannot be read, and why.
pub(crate) fn limits_of(check: &Check) -> Result<Vec<Limit>, String> {
    let read = |(kind, text): &(String, String)| {
        let limit = match kind.as_str() {
            "max-inuse" => Limit::max_inuse(text),
            "max-growth" => Limit::max_growth(text),
            "budget" => Limit::budget(text),
            _ => Err("expected max-inuse, max-growth or budget".into()),
        };
        limit.map_err(|problem| format!("-{kind}={text}: {problem}"))
    };
    check.limits.iter().map(read).collect()
}

/// Checks the dumps of the last window before `now`, milliseconds since 1970 UTC: for each process and version the last dump, and
/// growth since the first one.
pub(crate) fn checked(store: &Store, opener: &StoredDumps, service: &str, check: &Check, now: i64) -> Checked {
    let without = |problem: String| Checked { problem, ..Checked::default() };
    let limits = match limits_of(check) {
        Ok(limits) => limits,
        Err(problem) => return without(problem),
    };
    let from = now.saturating_sub(i64::try_from(check.window.saturating_mul(1000)).unwrap_or(i64::MAX));
    let selection = Selection { from: Some(from), ..Selection::default() };
    let dumps = selection.of(&store.dumps_of(service).unwrap_or_default());
    if dumps.is_empty() {
        return without(format!("there are no dumps of {service} of the last {}", duration_text(check.window)));
    }
    let (processes, n_all) = processes(dumps);
    let mut verdict = Verdict { holds: true, ..Verdict::default() };
    let mut checked = Checked::default();
    if processes.len() < n_all {
        verdict.notes.push(format!("the {} largest of {n_all} processes were checked", processes.len()));
    }
    let mut n_single = 0;
    let mut n_checked = 0;
    for process in &processes {
        let is_single = process.dumps.len() < 2;
        let limits: Vec<Limit> = limits.iter().filter(|limit| !is_single || limit.of == CheckOf::Value).cloned().collect();
        n_single += usize::from(is_single);
        if limits.is_empty() {
            continue;
        }
        match report_on(opener, process, &limits) {
            Ok(report) => {
                n_checked += 1;
                add(&mut verdict, service, process, &report);
                let title = [service, &process.version, &process.name].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
                checked.reports.push((title.join(" "), report));
            }
            Err(problem) => checked.problem = problem,
        }
    }
    if n_single > 0 && limits.iter().any(|limit| limit.of == CheckOf::Growth) {
        verdict.notes.push(format!("growth was not checked in {n_single} processes, which have one dump"));
    }
    if n_checked == 0 {
        let problem = match checked.problem.is_empty() {
            true => format!("growth needs two dumps of a process of {service} in the last {}", duration_text(check.window)),
            false => checked.problem,
        };
        return without(problem);
    }
    verdict.checked = format!("{} limits in {n_checked} processes", limits.len());
    verdict.broken.truncate(LISTED);
    verdict.notes.truncate(LISTED);
    // A part that cannot be judged is said, too.
    verdict.notes.extend(Some(checked.problem.clone()).filter(|problem| !problem.is_empty()));
    checked.verdict = Some(verdict);
    checked
}

/// Dumps by process and version, those with the largest last total first; and how many there are in all.
fn processes(dumps: Vec<Arc<Envelope>>) -> (Vec<Process>, usize) {
    let mut groups: BTreeMap<(String, String), Vec<Arc<Envelope>>> = BTreeMap::new();
    for envelope in dumps {
        groups.entry((envelope.origin.version.clone(), envelope.process())).or_default().push(envelope);
    }
    let mut processes: Vec<Process> = groups.into_iter().map(|((version, name), dumps)| Process { version, name, dumps }).collect();
    processes.sort_by_key(|process| std::cmp::Reverse(process.dumps.last().map_or(0, |last| last.total())));
    let n_all = processes.len();
    processes.truncate(PROCESSES);
    (processes, n_all)
}

/// Growth is a difference: the first and the last dump are enough.
fn report_on(opener: &StoredDumps, process: &Process, limits: &[Limit]) -> Result<CheckReport, String> {
    let dumps = match &process.dumps[..] {
        [first, .., last] => vec![first.clone(), last.clone()],
        dumps => dumps.to_vec(),
    };
    let wanted = Wanted { is_series: dumps.len() > 1, dumps, ..Wanted::default() };
    let (profile, warnings) = opener.named(&wanted).map_err(|refusal| refusal.error)?;
    let pairs: Vec<(String, String)> = limits::since_the_first(&profile, &[]).into_iter().collect();
    let errors = |errors: Vec<LimitError>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    limits::check(&Session::new(profile, warnings), &pairs, limits).map_err(errors)
}

fn add(verdict: &mut Verdict, service: &str, process: &Process, report: &CheckReport) {
    let Process { version, name, dumps } = process;
    let named = [("version", version), ("process", name)].into_iter().filter(|(_, value)| !value.is_empty());
    let labels = named.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let link = match &dumps[..] {
        [first, .., last] => series_address(service, &Selection { labels, ..Selection::default() }, first.time, last.time + 1),
        dumps => dumps.first().map_or(String::new(), |dump| format!("/d/{}/", dump.sha256.short())),
    };
    verdict.holds &= report.holds;
    for row in report.row.iter().filter(|row| !row.holds) {
        verdict.broken.push(Broken {
            limit: row.name.clone(),
            text: check_sentence(row),
            value: row.actual,
            culprit: row.culprit.first().map_or(String::new(), |culprit| culprit.row.name.clone()),
            version: version.clone(),
            process: name.clone(),
            link: link.clone(),
        });
    }
    for row in &report.row {
        let expected = row.expected.iter().map(|expected| expected_sentence(expected, &row.unit));
        let unmet = row.is_unmet.then(|| format!("nothing matches {}", row.name));
        for note in expected.chain(unmet) {
            if !verdict.notes.contains(&note) {
                verdict.notes.push(note);
            }
        }
    }
}
