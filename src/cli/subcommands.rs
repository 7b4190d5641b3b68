//! Subcommands. `diff`, `merge`, `convert` and `symbolize` are rewritten to the flags that they are short for, so that they combine
//! with all other flags.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Result, bail};

/// A subcommand.
pub(super) struct Word {
    pub(super) name: &'static str,
    /// Its arguments.
    pub(super) usage: &'static str,
    pub(super) doc: &'static str,
}

/// Subcommands that represent flags.
pub(super) const WORDS: &[Word] = &[
    Word { name: "diff", usage: "[binary] <before> [binary] <after>", doc: "What changed from one dump to another" },
    Word { name: "merge", usage: "[binary] <profile>... -o all.pb.gz", doc: "Add up several profiles into one file" },
    Word {
        name: "convert",
        usage: "[binary] <profile>... -o file",
        doc: "Write .pb.gz, .pb, .collapsed, .symbolized or .json, by the file's extension or -to",
    },
    Word {
        name: "symbolize",
        usage: "[binary] <profile> -o named.pb.gz",
        doc: "Write the profile with names, for machines without the binary",
    },
];

/// Subcommands about the program itself, and other programs.
pub(super) const ABOUT: &[Word] = &[
    Word { name: "help", usage: "[report or flag | all]", doc: "Help for one report or flag; all: every flag" },
    Word { name: "jeprof", usage: "[jeprof's flags] <program> <profile>...", doc: "Behave like jeprof, as through a link of that name" },
    Word { name: "heaptrack", usage: "[heaptrack_print's flags] <recording>", doc: "Print a recording like heaptrack_print" },
    Word { name: "massif", usage: "[--threshold=% --x=columns --y=rows] <massif.out>", doc: "Print massif's output like ms_print" },
    Word {
        name: "capture",
        usage: "<pid> -o directory",
        doc: "Collect what the kernel knows of a running process, for heapview rss and issues",
    },
    Word { name: "completions", usage: "bash|zsh|fish", doc: "Shell completion script" },
    Word { name: "man", usage: "| man -l -", doc: "Manual page" },
    Word { name: "site", usage: "-o directory", doc: "The web page as a directory for any web server: it opens dumps in the browser" },
    Word { name: "serve", usage: "--store=DIR", doc: "Team server: takes dumps by HTTP, keeps them, and opens each by a link" },
    Word {
        name: "store",
        usage: "ls|token|settings|set|pin|gc|check|note|expect|verify|audit",
        doc: "Tokens, lists, checks and retention of a team server's store",
    },
    Word {
        name: "push",
        usage: "-service=NAME [-version=VERSION] <dump or directory>...",
        doc: "Send dumps to a team server, and print their links",
    },
    Word {
        name: "push-symbols",
        usage: "[-service=NAME -version=VERSION] <binary>...",
        doc: "Send binaries to a team server, which names dumps with them",
    },
    Word { name: "version", usage: "", doc: "Print the version" },
];

/// Help of a subcommand after its usage: what it does in detail, and examples.
pub(super) fn details(name: &str) -> &'static str {
    match name {
        "site" => SITE,
        "capture" => CAPTURE,
        _ => "",
    }
}

const CAPTURE: &str = "\
Reads smaps_rollup, smaps, status, maps and the command line of the process from /proc, and the build ids of its
mapped files, at one moment: RSS is read before and after, and the note in capture.json says how far it changed.
Take the heap dump within a second of it. Environment variables are never read. Command lines and paths may be
private: look at the files before you attach them to an issue.

The directory must be new or empty. Its files can be read by you only.

Examples:
  heapview capture 4711 -o capture.4711
      then heapview rss server jeprof.4711.3.i3.heap: a directory with the process id in its name is found
      beside the dumps of this process
  heapview rss server server.0007.heap capture.4711
      name the directory where the dump has no process id in its name

Processes of other users: run it as that user, or with sudo. In a container: run it inside, or with --pid=host.
";

const SITE: &str = "\
The page opens dumps, reports and binaries that are dropped on it. They are read, symbolized and analyzed in
the browser and are not sent anywhere. Any server of plain files will do: nginx, GitHub Pages, a directory
below another site. After the first visit the page also works offline (over https, or on this machine).

The directory must be new or empty, or hold an earlier site, which is replaced; files of others in it stay.

Examples:
  heapview site -o public
      write the page into public/
  python3 -m http.server 8000 --bind 127.0.0.1 -d public
      try it at http://localhost:8000; opened from disk (file://) the page does not run
  heapview site -o ~/pages/docs/heapview
      in a checkout for GitHub Pages: commit and push the directory

Not in the browser: debuginfod, and looking for files. Drop the binary, and its debug files if there are any.
Source lines and machine code are shown by heapview -http and by reports (heapview export -with-sources).
";

/// The forms that `convert` writes: names of -to, endings of files, the flag for each.
const FORMS: [(&[&str], &str); 5] = [
    (&["pb.gz", "pprof", "proto"], "--proto"),
    (&["pb"], "--proto_plain"),
    (&["collapsed", "folded"], "--collapsed"),
    (&["symbolized"], "--symbolized"),
    (&["json"], "--profile_json"),
];

/// Replaces a subcommand of [`WORDS`] by flags. `takes_value`: whether the next word may be a flag's value; `takes_regex`:
/// whether the word after a report's name is its regexp.
pub(super) fn expand(
    words: Vec<OsString>,
    takes_value: impl Fn(&str) -> bool,
    takes_regex: impl Fn(&str) -> bool,
) -> Result<Vec<OsString>> {
    let operands = operands(&words, takes_value);
    let is_expression = |nth: usize| nth > 0 && words[operands[nth - 1]].to_str().is_some_and(&takes_regex);
    let subcommand = |word: &OsString| word.to_str().and_then(|word| WORDS.iter().find(|known| known.name == word));
    let found = operands.iter().enumerate().find_map(|(nth, &at)| {
        let word = subcommand(&words[at]).filter(|_| !is_expression(nth))?;
        // A file of that name is meant where it is no first word, or all there is.
        let is_file = (nth > 0 || operands.len() == 1) && Path::new(word.name).exists();
        (!is_file).then_some((at, word))
    });
    let Some((at, word)) = found else { return Ok(words) };
    let mut rest = words;
    rest.remove(at);
    let flags: &[&str] = match word.name {
        "diff" => &["--diff"],
        "merge" => &["--proto", "--merge"],
        "convert" => &[form(&mut rest)?],
        _ => &["--proto"],
    };
    Ok(flags.iter().map(OsString::from).chain(rest).collect())
}

/// Indexes of the positional arguments.
fn operands(words: &[OsString], takes_value: impl Fn(&str) -> bool) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match words[at].to_str().filter(|text| text.len() > 1 && text.starts_with('-')) {
            None => places.push(at),
            Some("--") => break,
            Some(flag) => {
                let name = flag.trim_start_matches('-');
                at += usize::from(!name.contains('=') && takes_value(name));
            }
        }
        at += 1;
    }
    places
}

/// Flag for the output format of `convert`; removes `-to` from the arguments.
fn form(words: &mut Vec<OsString>) -> Result<&'static str> {
    let known = FORMS.map(|(names, _)| names[0]).join(", ");
    if let Some((from, value)) = value_of(words, &["to"]) {
        let Some((_, flag)) = FORMS.iter().find(|(names, _)| names.contains(&value.trim_start_matches('.'))) else {
            bail!("convert: unknown format -to={value}; use one of {known}");
        };
        words.drain(from);
        return Ok(flag);
    }
    let Some((_, output)) = value_of(words, &["o", "output"]) else {
        bail!("convert: missing output: give -o file.pb.gz, or -to={}", known.replace(", ", "|"));
    };
    let ends = |name: &&str| output.strip_suffix(*name).is_some_and(|stem| stem.ends_with('.'));
    match FORMS.iter().find(|(names, _)| names.iter().any(&ends)) {
        Some((_, flag)) => Ok(flag),
        None => bail!("convert: unknown extension of {output}; use one of {known}, or give -to"),
    }
}

/// Value of a flag, and the arguments that contain it.
fn value_of(words: &[OsString], names: &[&str]) -> Option<(std::ops::Range<usize>, String)> {
    let flag = |word: &OsString| Some(word.to_str()?.strip_prefix('-')?.trim_start_matches('-').to_owned());
    words.iter().enumerate().find_map(|(i, word)| {
        let text = flag(word)?;
        match text.split_once('=') {
            Some((name, value)) => names.contains(&name).then(|| (i..i + 1, value.to_owned())),
            None if names.contains(&text.as_str()) => words.get(i + 1).map(|value| (i..i + 2, value.to_string_lossy().into_owned())),
            None => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(words: &str) -> Result<String> {
        let takes_value = |flag: &str| ["o", "output", "focus", "to"].contains(&flag);
        let words = expand(words.split_whitespace().map(OsString::from).collect(), takes_value, |word| word == "peek")?;
        Ok(words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_become_flags() {
        assert_eq!(expanded("diff a b -lines").unwrap(), "--diff a b -lines");
        assert_eq!(expanded("merge a b -o c").unwrap(), "--proto --merge a b -o c");
        assert_eq!(expanded("peek merge").unwrap(), "peek merge");
        assert_eq!(expanded("convert a -o b.pb.gz").unwrap(), "--proto a -o b.pb.gz");
        assert_eq!(expanded("convert a -output=x.folded").unwrap(), "--collapsed a -output=x.folded");
        assert_eq!(expanded("convert a --to json -o x").unwrap(), "--profile_json a -o x");
    }

    #[test]
    fn a_word_may_be_behind_flags() {
        assert_eq!(expanded("-http=: diff A a B b").unwrap(), "--diff -http=: A a B b");
        assert_eq!(expanded("-csv top diff a b").unwrap(), "--diff -csv top a b");
        assert_eq!(expanded("-focus x diff a b").unwrap(), "--diff -focus x a b");
        assert_eq!(expanded("a b diff").unwrap(), "--diff a b");
        for same in ["-focus diff a b", "peek diff a b", "-cum -- diff a b", "a b -o diff"] {
            assert_eq!(expanded(same).unwrap(), same);
        }
    }

    #[test]
    fn what_to_write_must_be_told() {
        assert!(expanded("convert a").unwrap_err().to_string().contains("-o file.pb.gz"));
        assert!(expanded("convert a -o b.txt").unwrap_err().to_string().contains("b.txt"));
        assert!(expanded("convert a -to=xml").unwrap_err().to_string().contains("-to=xml"));
    }
}
