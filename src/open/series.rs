//! Default selection among many dumps: the last dump of the process that grew largest. The others are open too, and shown if a
//! view selects them.

use anyhow::{Result, bail};

use super::inputs::Input;
use super::options::OpenOptions;
use crate::profile::{Dump, Profile, Series, are_of_processes, in_series_order, largest_process, show_only};

/// The view's pair that names the dumps to subtract.
pub(crate) type BasePair = (&'static str, String);

/// Says which dumps are shown. `origins`: dump → what it was read from. Beside the profile: the view's pair that names
/// the dumps to subtract. O(numbers).
pub(crate) fn choose(profile: Profile, mut origins: Vec<Input>, sources: &OpenOptions) -> Result<(Profile, Option<BasePair>)> {
    // Only pprof's own inputs are added up like in pprof.
    let takes_series = sources.takes_series;
    // Moments of a recording are shown where a view names them.
    let moments: Vec<bool> = profile.dumps().iter().map(|dump| dump.moment.is_some()).collect();
    let shown: Vec<&Input> =
        origins.iter().zip(&moments).filter(|(origin, is_moment)| !origin.is_base && !**is_moment).map(|(o, _)| o).collect();
    let is_found = shown.iter().any(|origin| origin.is_found);
    let is_named =
        are_of_processes(shown.iter().map(|input| (&*input.series, input.is_numbered))) && !sources.first_is_base && !sources.as_given;
    if is_named && !is_found && !takes_series && !sources.adds_up && sources.is_of_one {
        tell_sum(&profile, &shown);
    }
    let is_series = !sources.adds_up && (is_found || (takes_series && is_named));
    let (mut profile, order) = if is_series { in_series_order(profile) } else { (profile, (0..origins.len()).collect()) };
    origins = order.iter().map(|&from| origins[from].clone()).collect();
    let is_whole = |dump: usize| profile.dumps()[dump].moment.is_none();
    let all = (0..origins.len()).filter(|&dump| is_whole(dump));
    let last = |dumps: Option<Vec<usize>>| dumps.and_then(|dumps| dumps.last().copied());
    // Several that are named are added up; of those that were found the last one is meant.
    let mut base: Vec<usize> = all.filter(|&dump| origins[dump].is_base && (!origins[dump].is_found || sources.adds_up)).collect();
    if base.is_empty() {
        base.extend(last(largest_process(&profile, |dump| is_whole(dump) && origins[dump].is_base)));
    }
    tell_base(&origins, &base);
    if is_series {
        let process = largest_process(&profile, |dump| is_whole(dump) && !origins[dump].is_base).unwrap_or_default();
        let mut shown = process.last().copied();
        if sources.first_is_base {
            let mut words: Vec<usize> = origins.iter().map(|origin| origin.word).collect();
            words.sort_unstable();
            words.dedup();
            let of_word = |word: usize| last(largest_process(&profile, |dump| is_whole(dump) && origins[dump].word == word));
            (base, shown) = match words[..] {
                [_] if process.len() > 1 => (process[..1].to_vec(), shown),
                [before, after] => (of_word(before).into_iter().collect(), of_word(after)),
                [_] => bail!("diff needs two dumps, found 1: heapview diff [binary] <before> <after>"),
                _ => bail!("diff needs two dumps or two series, found {}: heapview diff [binary] <before> <after>", words.len()),
            };
        }
        if let Some(shown) = shown {
            show_only(&mut profile, shown);
            if !sources.is_of_all {
                crate::terminal::message::say(&told(&profile, shown));
            }
        }
    } else if sources.first_is_base {
        base = (0..profile.dumps().len()).filter(|&dump| profile.dumps()[dump].is_base && is_whole(dump)).collect();
    }
    let field = if sources.percent_of_base { "diff_base" } else { "base" };
    let numbers: Vec<String> = base.iter().map(ToString::to_string).collect();
    Ok((profile, (!numbers.is_empty()).then(|| (field, numbers.join(",")))))
}

/// Warns about sums: several dumps of a process contain the same memory several times.
fn tell_sum(profile: &Profile, given: &[&Input]) {
    let is_in_use = profile.default_value_type().is_some_and(|t| profile.value_types()[t].kind.starts_with("inuse"));
    let Some(last) = given.iter().max_by_key(|input| (&input.series, input.number)).filter(|_| is_in_use) else { return };
    crate::terminal::message::say(&format!(
        "showing the sum of {} dumps, like pprof; {} is the last one; `heapview growth` ranks what grew between them",
        given.len(),
        last.path.display()
    ));
}

/// Says what is subtracted when it was found: it may not be what was meant.
fn tell_base(origins: &[Input], base: &[usize]) {
    let n_found = origins.iter().filter(|origin| origin.is_base && origin.is_found).count();
    let Some(last) = base.last().map(|&dump| &origins[dump]).filter(|origin| origin.is_base && origin.is_found) else { return };
    crate::terminal::message::say(&match (base.len(), n_found) {
        (_, 1) => format!("base: {}", last.path.display()),
        (1, n) => format!("base: {}, the last of {n} dumps", last.path.display()),
        (n, _) => format!("base: the sum of {n} dumps, the last of which is {}", last.path.display()),
    });
}

/// Message with the open dumps and the dump shown.
fn told(profile: &Profile, shown: usize) -> String {
    // A recording is one dump, whatever is kept of its course.
    let whole: Vec<Dump> = profile.dumps().iter().filter(|dump| dump.moment.is_none()).cloned().collect();
    let series = Series::of(&whole);
    let n = series.iter().map(|series| series.dumps.len()).sum::<usize>();
    let dump = &profile.dumps()[shown];
    match &series[..] {
        [_] if n == 1 => format!("1 dump: {}", dump.name),
        [_] => format!("{n} dumps of {}; showing the last one, {}", dump.series, dump.name),
        all => format!("{n} dumps of {} processes; showing the last one of {}, the largest: {}", all.len(), dump.series, dump.name),
    }
}

/// Merges warnings of many dumps: equal ones once, and at most a screen of them.
pub(crate) fn gathered(warnings: Vec<(String, String)>) -> Vec<String> {
    const MOST: usize = 20;
    let mut lines: Vec<(String, String, usize)> = Vec::new();
    for (name, text) in warnings {
        match lines.iter_mut().find(|(_, known, _)| *known == text) {
            Some((.., n)) => *n += 1,
            None => lines.push((name, text, 1)),
        }
    }
    let n_more = lines.len().saturating_sub(MOST);
    let line = |(name, text, n): (String, String, usize)| match n {
        1 => format!("{name}: {text}"),
        n => format!("{name} and {} more: {text}", n - 1),
    };
    let mut messages: Vec<String> = lines.into_iter().take(MOST).map(line).collect();
    if n_more > 0 {
        messages.push(format!("{n_more} more warnings about other dumps"));
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse};
    use crate::profile::merge;

    fn open(dumps: &[(&str, u64, i64)]) -> Profile {
        let one = |(series, number, value): &(&str, u64, i64)| {
            let mut profile = parse(format!("main;work {value}\n").as_bytes(), &ParseOptions::default()).unwrap().profile;
            profile.set_origin(&format!("{series}.{number}"), false);
            for dump in profile.dumps_mut() {
                (dump.series, dump.number) = ((*series).to_owned(), Some(*number));
            }
            profile
        };
        merge(dumps.iter().map(one).collect()).unwrap()
    }

    #[test]
    fn the_last_dump_of_the_largest_process_is_shown() {
        // The last dump may be after everything was freed.
        let dumps = [("b", 10, 1), ("a", 2, 50), ("b", 9, 90), ("b", 2, 5), ("a", 1, 60)];
        let (mut profile, order) = in_series_order(open(&dumps));
        assert_eq!(order, [4, 1, 3, 2, 0]);
        let process = largest_process(&profile, |_| true).unwrap();
        assert_eq!(process, [2, 3, 4]);
        show_only(&mut profile, process[2]);
        let shown: Vec<&str> = profile.dumps().iter().filter(|dump| dump.counts()).map(|dump| dump.name.as_str()).collect();
        assert_eq!(shown, ["b.10"]);
        assert_eq!(profile.columns()[3].total(), 90);
        assert_eq!(told(&profile, 4), "5 dumps of 2 processes; showing the last one of b, the largest: b.10");
        assert_eq!(largest_process(&profile, |dump| dump < 2), Some(vec![0, 1]));
        assert_eq!(largest_process(&profile, |_| false), None);
        profile.validate().unwrap();
    }

    #[test]
    fn the_same_warning_is_said_once() {
        let warning = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(gathered(vec![warning("a", "cut"), warning("b", "odd"), warning("c", "cut")]), ["a and 1 more: cut", "b: odd"]);
        let many = (0..30).map(|n| warning("a", &n.to_string())).collect();
        assert_eq!(gathered(many).last().unwrap(), "10 more warnings about other dumps");
    }
}
