//! Positional arguments of jeprof: program and profiles.

use std::path::{Path, PathBuf};

use super::getopt::Given;
use super::options::{Mode, OfThreads, Options};
use crate::open::options::OpenOptions;
use crate::parse::Threads;

/// jeprof sums fractions of bytes; this many parts per byte give the same result.
const PARTS: i64 = 1 << 12;

/// Most machines that `host@N` may name.
const MOST_MACHINES: usize = 1000;

/// Files, base and folders to look for names in.
pub(super) fn sources(options: &Options, given: &Given) -> OpenOptions {
    let folders = given.text("lib_prefix").unwrap_or_default();
    let mut search: Vec<PathBuf> = folders.split(',').filter(|f| !f.is_empty()).map(PathBuf::from).collect();
    let library = given.value("add_lib").map(PathBuf::from);
    search.extend(library.as_deref().and_then(Path::parent).map(Path::to_owned));
    let files: Vec<PathBuf> = given.positional.iter().flat_map(|word| inputs(Path::new(word))).collect();
    let base: Vec<PathBuf> = given.value("base").into_iter().flat_map(|word| inputs(Path::new(word))).collect();
    // Output must equal the input, and fetched profiles are saved.
    let plain = matches!(options.mode, Mode::Raw | Mode::Interactive);
    let whole = plain || files.iter().chain(&base).any(|f| !is_here(f));
    OpenOptions {
        symbolize: if options.whole_names { "demangle=templates".into() } else { String::new() },
        // The cut at the allocator is jeprof's own here.
        all_frames: options.mode != Mode::Interactive,
        search,
        seconds: given.text("seconds").and_then(|s| s.parse().ok()),
        parts: if whole { 1 } else { PARTS },
        threads: if options.threads == OfThreads::All || plain { Threads::Shared } else { Threads::Apart },
        files,
        base,
        as_given: true,
        ..OpenOptions::default()
    }
}

fn is_here(file: &Path) -> bool {
    file == Path::new("-") || file.exists()
}

/// Inputs of an argument: a file, an address, or several of them.
fn inputs(word: &Path) -> Vec<PathBuf> {
    match word.to_str().filter(|_| !is_here(word)) {
        Some(text) => machines(text).unwrap_or_else(|| vec![text.to_owned()]).iter().map(|text| with_page(text).into()).collect(),
        None => vec![word.to_owned()],
    }
}

/// `host@3/path` is `0.host/path`, `1.host/path` and `2.host/path`.
fn machines(word: &str) -> Option<Vec<String>> {
    let (host, rest) = word.rsplit_once('@')?;
    let (number, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let number: usize = number.parse().ok().filter(|&n| n <= MOST_MACHINES)?;
    Some((0..number).map(|i| format!("{i}.{host}{path}")).collect())
}

/// Adds the default path `/pprof/heap`. (jeprof would request a CPU profile, which heapview does not read.)
fn with_page(word: &str) -> String {
    let (scheme, rest) = word.split_once("://").map_or(("", word), |(scheme, rest)| (scheme, rest));
    let (host, page) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_server = !scheme.is_empty() || host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if is_server && matches!(page, "" | "/") { format!("{}/pprof/heap", word.trim_end_matches('/')) } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_machines_is_counted_out() {
        assert_eq!(machines("host@3/pprof/heap").unwrap(), ["0.host/pprof/heap", "1.host/pprof/heap", "2.host/pprof/heap"]);
        assert_eq!(machines("me@host/pprof/heap"), None);
        assert_eq!(machines("host@99999999"), None);
    }

    #[test]
    fn servers_without_a_path_use_the_heap_endpoint() {
        assert_eq!(with_page("host:80"), "host:80/pprof/heap");
        assert_eq!(with_page("https://host/"), "https://host/pprof/heap");
        assert_eq!(with_page("host:80/pprof/growth"), "host:80/pprof/growth");
        assert_eq!(with_page("no-such-file"), "no-such-file");
        assert_eq!(with_page("a/b:c"), "a/b:c");
    }
}
