//! Command-line arguments to requests (`request.rs`).
//!
//! pprof accepts `-flag`, `--flag`, `-flag=value` and `-flag value`; clap only knows two dashes. [`normalize`] converts, so that
//! one definition of the flags serves parsing, help and suggestions.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::check_flags::{self, Check};
use super::flags::{ACTIONS, Action, NOT_FLAGS, ReportFlag, VALUE_TYPES, clap, command, command_words};
use super::output::Target;
use super::request::{Args, Asked, Request, Sharing, Shell};
use super::tokens::Tokens;
use super::{capture, completions, help, man, subcommands};
use crate::base::units;
use crate::fetch::TlsFiles;
use crate::open::inputs;
use crate::open::options::OpenOptions;
use crate::open::suppressions;
use crate::query::{FIELDS, Granularity, ViewKind, nearest, truth};
use crate::render::Format;
use crate::terminal::style::{Look, When};

/// Parses the arguments after the program's name.
pub(super) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Asked> {
    let definition = clap();
    let words: Vec<OsString> = words.into_iter().collect();
    if words.is_empty() {
        if io::stdout().is_terminal() {
            return Ok(Asked::Print(help::WELCOME.to_owned()));
        }
        // A script that lost its arguments must not look like a success.
        bail!("no profile given; usage: {} (heapview -help shows examples)", help::USAGE);
    }
    if let Some(topic) = topic(&words) {
        let text = match topic.as_str() {
            "jeprof" => super::jeprof::flags::usage("jeprof"),
            super::heaptrack::NAME => super::heaptrack::usage(),
            super::massif::NAME => super::massif::USAGE.to_owned(),
            topic => help::on(topic)?,
        };
        return Ok(Asked::Help(text));
    }
    let spoken = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let takes_regex = |word: &str| command(word).is_some_and(|flag| flag.takes_regex);
    let words = normalize(&definition, subcommands::expand(words, |flag| flag == "to" || takes_value(&definition, flag), takes_regex)?);
    let matches = match definition.clone().try_get_matches_from(std::iter::once("heapview".into()).chain(words)) {
        Ok(matches) => matches,
        Err(error) => bail!("{}", explain(&definition, &error)),
    };
    if matches.get_flag("h") {
        return Ok(Asked::Help(help::short()));
    }
    if matches.get_flag("help") {
        return Ok(Asked::Help(help::long()));
    }
    if matches.get_flag("help-all") {
        return Ok(Asked::Help(help::all()));
    }
    if matches.get_flag("version") {
        return Ok(Asked::Print(version()));
    }
    let mut files: Vec<PathBuf> = matches.get_many::<OsString>("paths").into_iter().flatten().map(PathBuf::from).collect();
    let output = matches.get_many::<OsString>("output").into_iter().flatten().next_back().map(PathBuf::from);
    if let Some(asked) = site(&files, output.as_deref())? {
        return Ok(asked);
    }
    if let Some(request) = capture::parse(&files, output.as_deref())? {
        return Ok(Asked::Capture(request));
    }
    if let Some(asked) = about_itself(&files)? {
        return Ok(asked);
    }
    let mut pairs = pairs(&matches)?;
    let asked = action(&matches, &mut files, &mut pairs)?;
    if asked.is_none()
        && let Some((word, near)) = misspelled(&files)
    {
        bail!("no report or file named {word:?}; did you mean {near}?");
    }
    let action = asked.unwrap_or(Action::Report(ViewKind::Top));
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let paths = |name: &str| matches.get_many::<OsString>(name).into_iter().flatten().map(PathBuf::from).collect::<Vec<_>>();
    let (base, diff_base) = (paths("base"), paths("diff_base"));
    if !base.is_empty() && !diff_base.is_empty() {
        bail!(
            "-base and -diff_base cannot be combined: percentages are relative to the difference with -base, and to the base with -diff_base"
        );
    }
    if matches.get_flag("diff") && !(base.is_empty() && diff_base.is_empty()) {
        bail!("diff cannot be combined with -base or -diff_base: its first profile is the base");
    }
    let is_normalized = pairs.iter().any(|(name, value)| name == "normalize" && truth(value) == Some(true));
    if is_normalized && base.is_empty() && diff_base.is_empty() {
        bail!("-normalize needs a base; add -base or -diff_base");
    }
    let format = format(&matches, action)?;
    let watch = matches.get_flag("watch");
    let every = text("every").map(|text| super::duration::duration("every", &text, 0.1)).transpose()?;
    if every.is_some() && !watch {
        bail!("-every needs -watch");
    }
    let http = text("http").or_else(|| watch.then(|| ":".to_owned()));
    if watch && matches.get_flag("diff") {
        bail!("-watch and diff cannot be combined; the page compares any two dumps");
    }
    if watch && matches.get_flag("merge") {
        bail!("-watch and -merge cannot be combined: -watch shows the newest dump, -merge the sum of all");
    }
    if http.is_some() && ACTIONS.iter().any(|flag| is_given(&matches, flag.name)) {
        bail!("-http cannot be combined with a report or format; the page has all reports");
    }
    if http.is_some() && (format != Format::Text || is_given(&matches, "output")) {
        bail!("-http cannot be combined with -json, -csv or -output");
    }
    let is_open = asked.is_none() && http.is_none() && format == Format::Text && !matches.get_flag("diff");
    let shell = shell(&matches, &files, is_open)?;
    if matches.get_flag("no_browser") && http.is_none() {
        bail!("-no_browser needs -http");
    }
    let sharing = sharing(&matches, http.is_some())?;
    if http.is_none()
        && let Some(flag) = ["token", "token-file", "no_token", "upload_limit"].into_iter().find(|name| is_given(&matches, name))
    {
        bail!("-{flag} needs -http");
    }
    let output = output.filter(|to| to.as_os_str() != "-");
    // Only the page, the prompt and these options can ask for any time.
    let names_time = pairs.iter().any(|(name, _)| ["at", "from", "to"].contains(&name.as_str()));
    let keeps_events = http.is_some() || shell != Shell::Never || names_time;
    Ok(Asked::Run(Box::new(Args {
        request: Request {
            action,
            format,
            pairs,
            output: Target { file: output.clone(), look: look(&matches)?, ..Target::default() },
            redact: redact(&matches, action)?,
            with_sources: with_sources(&matches, action)?,
            check: check(&matches, action)?,
        },
        sources: OpenOptions {
            files,
            percent_of_base: !diff_base.is_empty() || matches.get_flag("diff"),
            first_is_base: matches.get_flag("diff"),
            adds_up: matches.get_flag("merge"),
            base: if base.is_empty() { diff_base } else { base },
            // Sums need no names.
            symbolize: text("symbolize")
                .unwrap_or_else(|| if action == Action::Report(ViewKind::Rss) { "none".into() } else { String::new() })
                .to_lowercase(),
            all_frames: matches.get_flag("all_frames"),
            no_symbol_cache: matches.get_flag("no-symbol-cache"),
            comment: text("add_comment"),
            build_id: text("buildid").filter(|id| !id.is_empty()),
            seconds: seconds(&matches, "seconds")?,
            timeout: seconds(&matches, "timeout")?,
            debug_dirs: paths("debug-dir").iter().flat_map(|list| std::env::split_paths(list).collect::<Vec<_>>()).collect(),
            sysroot: paths("sysroot").pop(),
            remap: paths("remap").iter().map(|pair| remap(pair)).collect::<Result<_>>()?,
            perf_map: paths("perf-map").pop(),
            tls: TlsFiles { cert: paths("tls_cert").pop(), key: paths("tls_key").pop(), ca: paths("tls_ca").pop() },
            watch,
            takes_series: http.is_some()
                || matches!(action, Action::Export | Action::Check | Action::Explain | Action::Report(ViewKind::Rss)),
            is_of_one: action.is_of_one(),
            is_of_all: matches!(action, Action::Report(ViewKind::Growth | ViewKind::Rss)),
            output,
            suppressions: paths("suppressions").pop().map_or(Ok(Vec::new()), |path| suppressions::read(&path))?,
            wants_process_files: http.is_some()
                || shell != Shell::Never
                || matches!(action, Action::Report(ViewKind::Summary | ViewKind::Rss) | Action::Export | Action::Explain),
            keeps_events,
            ..OpenOptions::default()
        },
        shell,
        config: text("config"),
        http,
        no_browser: matches.get_flag("no_browser"),
        every,
        sharing,
        words: spoken,
    })))
}

/// Name and version, one line.
fn version() -> String {
    format!("heapview {}\n", env!("CARGO_PKG_VERSION"))
}

/// A report whose name is close to the first word, if that is neither a report nor a file.
fn misspelled(files: &[PathBuf]) -> Option<(&str, &'static str)> {
    const SHORTEST: usize = 3;
    let path = files.first()?;
    let word = path.to_str().filter(|word| word.len() >= SHORTEST && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_'))?;
    let names = command_words().chain(subcommands::WORDS.iter().chain(subcommands::ABOUT).map(|word| word.name));
    // Cheap tests first: only a word that is close to a report is looked up among the files.
    let near = nearest(word, names).filter(|near| *near != word)?;
    inputs::meant(path).is_empty().then_some((word, near))
}

/// Default limit of uploads, bytes.
const UPLOAD_LIMIT: u64 = 1 << 30;

/// Access options of the page.
fn sharing(matches: &ArgMatches, is_served: bool) -> Result<Sharing> {
    let no_token = matches.get_flag("no_token");
    let by_flag = matches.get_one::<String>("token").cloned();
    let file = matches.get_one::<OsString>("token-file").map(PathBuf::from);
    if no_token && (by_flag.is_some() || file.is_some()) {
        bail!("-no_token cannot be combined with -token and -token-file");
    }
    let tokens = if is_served && !no_token { Tokens::find(by_flag, file.as_deref())? } else { Tokens::default() };
    let upload_limit =
        matches.get_one::<String>("upload_limit").map(|text| memory("upload_limit", text)).transpose()?.unwrap_or(UPLOAD_LIMIT);
    Ok(Sharing { tokens, no_token, upload_limit })
}

/// A flag's size, bytes.
fn memory(flag: &str, text: &str) -> Result<u64> {
    units::memory(text).map_err(|problem| anyhow::anyhow!("-{flag}={text}: {problem}"))
}

/// The two sides of `FROM=TO`.
fn remap(pair: &Path) -> Result<(PathBuf, PathBuf)> {
    let text = pair.to_str().with_context(|| format!("-remap={}: not valid UTF-8", pair.display()))?;
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => Ok((from.into(), to.into())),
        _ => bail!("-remap={text}: expected FROM=TO, as in -remap=/build/job=/home/me/src"),
    }
}

/// Parses the rules of `-redact`, which needs an output file.
fn redact(matches: &ArgMatches, action: Action) -> Result<Option<Vec<String>>> {
    if action == Action::Export && !is_given(matches, "output") {
        bail!("export: missing output file, as in -o report.html (-o - for standard output)");
    }
    let rules: Option<Vec<String>> = matches.get_many::<String>("redact").map(|rules| rules.cloned().collect());
    if rules.is_some() && action != Action::Export {
        bail!("-redact needs export");
    }
    Ok(rules)
}

/// Returns whether export includes source lines.
fn with_sources(matches: &ArgMatches, action: Action) -> Result<bool> {
    let is_given = matches.get_flag("with-sources");
    if is_given && action != Action::Export {
        bail!("-with-sources needs export, as in heapview export -with-sources server dump.heap -o report.html");
    }
    Ok(is_given)
}

/// Parses the flags of `check`.
fn check(matches: &ArgMatches, action: Action) -> Result<Check> {
    if action == Action::Check {
        return Check::of(matches, matches.get_flag("json"));
    }
    match check_flags::FLAGS.into_iter().find(|flag| is_given(matches, flag)) {
        Some(flag) => bail!("-{flag} needs check, as in heapview check -max-inuse=512MiB server.heap"),
        None => Ok(Check::default()),
    }
}

/// Output format of the report.
fn format(matches: &ArgMatches, action: Action) -> Result<Format> {
    let format = match (matches.get_flag("json"), matches.get_flag("csv")) {
        (true, true) => bail!("-json and -csv cannot be combined"),
        (true, false) => Format::Json,
        (false, true) => Format::Csv,
        (false, false) => return Ok(Format::Text),
    };
    match action {
        Action::Report(_) => Ok(format),
        Action::Doctor | Action::Check if format == Format::Json => Ok(format),
        _ => bail!("-json and -csv apply to reports only; pictures, -raw, -proto, -collapsed and other formats are fixed"),
    }
}

/// Shell mode. `is_open`: no report was requested.
fn shell(matches: &ArgMatches, files: &[PathBuf], is_open: bool) -> Result<Shell> {
    let from_input = files.iter().any(|f| f.as_os_str() == "-");
    Ok(match (matches.get_flag("interactive"), is_open) {
        (true, false) => bail!("-interactive cannot be combined with a report or format"),
        (true, true) if from_input => bail!("-interactive reads commands from standard input, so the profile cannot come from there"),
        (true, true) => Shell::Always,
        (false, true) if !is_given(matches, "output") && !from_input => Shell::OnTerminal,
        (false, _) => Shell::Never,
    })
}

/// A number of seconds; below 1 it is as if it were not given.
fn seconds(matches: &ArgMatches, name: &str) -> Result<Option<u64>> {
    let Some(text) = matches.get_one::<String>(name) else { return Ok(None) };
    match text.parse::<i64>() {
        Ok(seconds) => Ok(u64::try_from(seconds).ok().filter(|&s| s > 0)),
        Err(_) => bail!("-{name}={text}: expected a whole number of seconds, as in -{name}=30"),
    }
}

/// Returns whether the flag of this name takes a value that may be the next word.
pub(super) fn takes_value(definition: &Command, name: &str) -> bool {
    flag_named(definition, name).is_some_and(takes_next_word)
}

fn flag_named<'a>(definition: &'a Command, name: &str) -> Option<&'a Arg> {
    let is_alias = |a: &Arg| a.get_all_aliases().is_some_and(|names| names.contains(&name));
    definition.get_arguments().find(|a| a.get_long() == Some(name) || is_alias(a))
}

fn takes_next_word(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) && !arg.is_require_equals_set()
}

/// Words with two dashes, each value joined to its flag by `=`.
fn normalize(definition: &Command, words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let Some(text) = word.to_str().filter(|t| t.len() > 1 && t.starts_with('-')) else {
            out.push(word);
            continue;
        };
        if text == "--" {
            out.push(word);
            out.extend(words.by_ref());
            break;
        }
        let bare = text.trim_start_matches('-');
        let name = bare.split('=').next().unwrap_or(bare);
        let arg = flag_named(definition, name);
        let wants_value = arg.is_some_and(takes_next_word) && !bare.contains('=');
        let is_switch = arg.is_some_and(|a| matches!(a.get_action(), ArgAction::SetTrue));
        match (bare, wants_value.then(|| words.next()).flatten()) {
            ("V", _) => out.push("--version".into()),
            (_, Some(value)) => {
                let mut joined = OsString::from(format!("--{bare}="));
                joined.push(value);
                out.push(joined);
            }
            // A boolean flag may have a value, like Go's flags.
            _ if is_switch && bare.contains('=') => {
                let value = bare.split_once('=').map_or("", |(_, v)| v);
                match truth(value) {
                    Some(false) => {}
                    Some(true) => out.push(format!("--{name}").into()),
                    // clap refuses it.
                    None => out.push(format!("--{bare}").into()),
                }
            }
            _ => out.push(format!("--{bare}").into()),
        }
    }
    out
}

/// One-sentence message for a parse error.
fn explain(definition: &Command, error: &clap::Error) -> String {
    let arg = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(s)) => s.clone(),
        Some(ContextValue::Strings(s)) => s.join(", "),
        _ => String::new(),
    };
    let flag = format!("-{}", arg.trim_start_matches('-').split([' ', '=']).next().unwrap_or_default());
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let near = nearest(&flag[1..], definition.get_arguments().filter_map(|a| a.get_long()));
            let hint = near.map_or("heapview -help-all lists all flags".to_owned(), |n| format!("did you mean -{n}?"));
            format!("unknown flag {flag}; {hint}")
        }
        ErrorKind::InvalidValue | ErrorKind::NoEquals | ErrorKind::WrongNumberOfValues => {
            format!("flag {flag} needs a value, as in {flag}=…")
        }
        ErrorKind::ArgumentConflict => format!("flag {flag} was given twice"),
        ErrorKind::InvalidUtf8 => "a flag is not valid UTF-8".into(),
        _ => error.to_string().lines().next().unwrap_or("invalid flags").trim_start_matches("error: ").to_owned(),
    }
}

fn is_given(matches: &ArgMatches, name: &str) -> bool {
    matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine)
}

/// Style of terminal output.
fn look(matches: &ArgMatches) -> Result<Look> {
    let color = match matches.get_one::<String>("color") {
        Some(when) => When::from_name(when).with_context(|| format!("-color={when}: expected one of {}", When::NAMES.join(", ")))?,
        None => When::Auto,
    };
    let width = match matches.get_one::<String>("width") {
        Some(width) => Some(width.parse().ok().with_context(|| format!("-width={width}: expected a number of columns"))?),
        None => None,
    };
    Ok(Look { color, width })
}

/// The options of the view.
fn pairs(matches: &ArgMatches) -> Result<Vec<(String, String)>> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for field in FIELDS.iter().filter(|f| !NOT_FLAGS.contains(&f.name)) {
        if matches.try_contains_id(field.name).unwrap_or(false)
            && let Ok(Some(value)) = matches.try_get_one::<String>(field.name)
        {
            pairs.push((field.name.into(), value.clone()));
        }
    }
    let one_of = |names: &[&'static str], what: &str| {
        let given: Vec<&str> = names.iter().copied().filter(|n| matches.get_flag(n)).collect();
        match given[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => bail!("only one {what} can be given, found -{}", given.join(" and -")),
        }
    };
    for (field, names, what) in [
        ("granularity", &Granularity::NAMES[..], "granularity"),
        ("sort", &["flat", "cum"], "order"),
        ("sample_index", &VALUE_TYPES, "value type"),
    ] {
        if let Some(name) = one_of(names, what)? {
            if let Some((_, value)) = pairs.iter().find(|(f, v)| f == field && v != name) {
                bail!("only one {what} can be given, found -{name} and -{field}={value}");
            }
            let value = if matches!(name, "total_delay" | "mean_delay") { "delay" } else { name };
            pairs.push((field.into(), value.into()));
            if name == "mean_delay" {
                pairs.push(("mean".into(), "true".into()));
            }
        }
    }
    Ok(pairs)
}

/// Requested help topic: `help -focus`, `convert -h`, `top --help`.
fn topic(words: &[OsString]) -> Option<String> {
    let first = words.first()?.to_str()?;
    if first == "help" && words.len() == 2 {
        return Some(words[1].to_str()?.to_owned());
    }
    let is_topic = command(first).is_some() || subcommands::WORDS.iter().chain(subcommands::ABOUT).any(|word| word.name == first);
    let asks = |word: &OsString| ["-h", "-help", "--h", "--help"].iter().any(|flag| word == flag);
    (is_topic && words[1..].iter().any(asks)).then(|| first.to_owned())
}

/// The answer of a subcommand about the program itself, unless it is the name of an existing file.
fn about_itself(files: &[PathBuf]) -> Result<Option<Asked>> {
    let words: Vec<&str> = files.iter().map_while(|f| f.to_str()).collect();
    if words.len() != files.len() || (files.len() == 1 && files[0].exists()) {
        return Ok(None);
    }
    Ok(Some(match words[..] {
        ["help"] => Asked::Help(help::long()),
        ["completions"] => bail!("missing shell: heapview completions {}", completions::SHELLS.join("|")),
        ["completions", shell] => Asked::Print(completions::script(shell)?),
        ["man"] => Asked::Print(man::page()?),
        ["version"] => Asked::Print(version()),
        _ => return Ok(None),
    }))
}

/// `site -o DIR`. A directory of that name may be there: it is what the command wrote last time.
fn site(files: &[PathBuf], output: Option<&Path>) -> Result<Option<Asked>> {
    let Some((first, others)) = files.split_first() else { return Ok(None) };
    if first.as_os_str() != "site" || first.is_file() || (output.is_none() && first.exists()) {
        return Ok(None);
    }
    if let Some(file) = others.first() {
        bail!(
            "site takes no files, found {}: visitors drop theirs on the page; heapview export writes one profile as a file",
            file.display()
        );
    }
    match output {
        Some(folder) if folder.as_os_str() != "-" => Ok(Some(Asked::Site(folder.to_owned()))),
        _ => bail!("missing directory: heapview site -o DIR"),
    }
}

/// The report, if one is named: from a flag, else from a word that names one, and no file.
fn action(matches: &ArgMatches, files: &mut Vec<PathBuf>, pairs: &mut Vec<(String, String)>) -> Result<Option<Action>> {
    let mut given: Vec<&ReportFlag> = ACTIONS.iter().filter(|flag| is_given(matches, flag.name)).collect();
    for flag in given.iter().filter(|flag| flag.takes_regex) {
        if let Some(regex) = matches.get_one::<String>(flag.name) {
            pairs.push((flag.field().into(), regex.clone()));
        }
    }
    // A file of that name is meant where it is no first word, or all there is.
    let is_report = |at: usize, word: &str| (at == 0 && files.len() > 1) || !Path::new(word).exists();
    let found = files.iter().enumerate().find_map(|(at, file)| {
        let word = file.to_str()?;
        let flag = command(word).filter(|_| is_report(at, word))?;
        Some((at, word.to_owned(), flag))
    });
    if let Some((at, word, flag)) = found {
        files.remove(at);
        // `heapview tree --text`: the flag is the format, the word is the report.
        let peeks = matches!(flag.action, Action::Report(ViewKind::Peek | ViewKind::Tree));
        given.retain(|other| other.name != "text" && !(peeks && other.name == "peek"));
        given.insert(0, flag);
        if flag.takes_regex && !is_given(matches, flag.name) {
            if files.len() <= at {
                bail!("{word} needs a regexp: heapview {word} REGEX [binary] <profile>");
            }
            pairs.push((flag.field().into(), files.remove(at).to_string_lossy().into_owned()));
        }
    }
    if files.is_empty()
        && let Some(flag) = given.iter().find(|flag| flag.takes_regex)
        && let Some((_, regex)) = pairs.iter().find(|(field, _)| field == flag.field())
        && Path::new(regex).is_file()
    {
        bail!("{0} needs a regexp before the files, found the file {regex}: heapview {0} REGEX [binary] <profile>", flag.name);
    }
    let Some(&first) = given.first() else { return Ok(None) };
    match given.iter().find(|other| other.action != first.action) {
        None => Ok(Some(first.action)),
        Some(other) => bail!("only one report can be printed at a time, found {} and {}", first.name, other.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(words: &str) -> Args {
        match parse(words.split_whitespace().map(OsString::from)).unwrap() {
            Asked::Run(args) => *args,
            Asked::Capture(_) | Asked::Site(_) | Asked::Help(_) | Asked::Print(_) => panic!("no report"),
        }
    }

    fn error(words: &str) -> String {
        parse(words.split_whitespace().map(OsString::from)).unwrap_err().to_string()
    }

    #[test]
    fn one_dash_or_two_equals_or_blank_anywhere() {
        let args = run("bin -focus=a --ignore b x.heap -nodecount 7 -noinlines -top");
        assert_eq!(args.sources.files, [PathBuf::from("bin"), "x.heap".into()]);
        let pairs: Vec<String> = args.request.pairs.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(pairs, ["focus=a", "ignore=b", "noinlines=true", "nodecount=7"]);
        assert_eq!(run("-focus -x -").request.pairs, [("focus".to_owned(), "-x".to_owned())]);
        assert_eq!(run("-noinlines=false a").request.pairs, [("noinlines".to_owned(), "false".to_owned())]);
    }

    #[test]
    fn commands_are_words_or_flags() {
        assert_eq!(run("top --text b p").request.action, Action::Report(ViewKind::Top));
        assert_eq!(run("tree b p").request.action, Action::Report(ViewKind::Tree));
        assert_eq!(run("-dot b p").request.action, Action::Report(ViewKind::Graph));
        assert_eq!(run("peek Vec p").request.pairs, [("peek".to_owned(), "Vec".to_owned())]);
        assert_eq!(run("p").request.action, Action::Report(ViewKind::Top));
    }

    #[test]
    fn questions_follow_where_none_is_asked() {
        for (words, shell) in [
            ("p", Shell::OnTerminal),
            ("-nodecount=3 p", Shell::OnTerminal),
            ("-interactive p", Shell::Always),
            ("top p", Shell::Never),
            ("diff p q", Shell::Never),
            ("-output=x p", Shell::Never),
            ("-json p", Shell::Never),
            ("-http=: p", Shell::Never),
            ("-", Shell::Never),
        ] {
            assert_eq!(run(words).shell, shell, "{words}");
        }
        assert!(error("-interactive -top p").contains("cannot be combined with a report"));
        assert!(error("-interactive -").contains("standard input"));
    }

    #[test]
    fn mistakes_name_the_way_out() {
        assert_eq!(error("-focuss=x p"), "unknown flag -focuss; did you mean -focus?");
        assert_eq!(error("-tree -raw p"), "only one report can be printed at a time, found tree and raw");
        assert_eq!(error("-lines -files p"), "only one granularity can be given, found -files and -lines");
        assert!(error("p -focus").contains("-focus needs a value"), "{}", error("p -focus"));
    }
}
