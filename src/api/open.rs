//! Files in memory to a session, for an engine that has no file system.

use serde::Serialize;

use super::answer::Reply;
use super::carried::CarriedFiles;
use super::error::ApiError;
use super::opener::Refusal;
use crate::base::id::LocationId;
use crate::parse::{KeepEvents, ParseOptions, open_report_data, parse, process_facts};
use crate::profile::{DumpName, Merger, Profile, are_of_processes, in_series_order, largest_process, merge_into, show_only};
use crate::query::SourcePaths;
use crate::report_data::Decoded;
use crate::session::Session;

/// A file with its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedFile {
    /// Base name; warnings contain it, and process and number of a dump are read from it.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

/// A session with what came along.
pub struct OpenedFiles {
    /// The session.
    pub session: Session,
    /// Source text and machine code that came with a report's data.
    pub carried: CarriedFiles,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
}

/// Why no session was opened.
pub struct Unopened {
    /// The reason.
    pub refusal: Refusal,
    /// Files that could not be read.
    pub refused: Vec<RefusedFile>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedFile {
    /// Index among the given files, the added ones after the first ones.
    pub file: usize,
    /// The reason, a sentence.
    pub error: String,
}

/// What is sent about files that were opened, or not.
#[derive(Serialize)]
struct About<'a> {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    error: Option<ApiError>,
    refused: &'a [RefusedFile],
}

impl About<'_> {
    fn reply(&self, status: u16) -> Reply {
        Reply::json(status, self)
    }
}

/// What is sent to the page when files are open: status 200, and those that could not be read.
pub fn opened_reply(refused: &[RefusedFile]) -> Reply {
    About { error: None, refused }.reply(200)
}

impl From<Unopened> for Reply {
    fn from(Unopened { refusal: Refusal { error, hint }, refused }: Unopened) -> Self {
        About { error: Some(ApiError::plain(error, hint)), refused: &refused }.reply(422)
    }
}

/// Opens a report's data, or dumps of any format. Several are merged: if their names are those of a process's dumps, the last dump
/// of the process that grew largest is shown, else the first file. The others are open beside it. Files that cannot be read are
/// skipped with a warning. O(size).
///
/// # Errors
/// No file is a profile, or they have no value type in common.
pub fn open(files: Vec<NamedFile>) -> Result<Session, Refusal> {
    open_with_files(files).map(|(session, _)| session)
}

/// The same with source text that came with a report's data.
///
/// # Errors
/// Those of [`open`].
pub fn open_with_files(files: Vec<NamedFile>) -> Result<(Session, CarriedFiles), Refusal> {
    let OpenedFiles { session, carried, refused } = open_files(files, Vec::new()).map_err(|unopened| unopened.refusal)?;
    refused.into_iter().for_each(|file| session.warn(file.error));
    Ok((session, carried))
}

/// The same with dumps that were `added` to the first ones later: each is open beside them, after those before it.
///
/// # Errors
/// None of the first files is a profile, or they have no value type in common.
pub fn open_files(first: Vec<NamedFile>, added: Vec<NamedFile>) -> Result<OpenedFiles, Unopened> {
    let n_first = first.len();
    let mut warnings = Vec::new();
    let mut refused = Vec::new();
    let mut carried = CarriedFiles::default();
    if let Some(report) = report_in(&first)? {
        carried = carried_by(&report);
        if added.is_empty() {
            return Ok(OpenedFiles { session: Session::from_report_data(report), carried, refused });
        }
    }
    let (process_files, first): (Vec<_>, Vec<_>) = first.into_iter().enumerate().partition(|(_, file)| is_process_file(&file.bytes));
    if let (true, Some((_, file))) = (first.is_empty(), process_files.first()) {
        return Err(unopened(format!("{} is about the memory of a process: open its heap profile together with it", file.name)));
    }
    let mut profile = read_first(first, &mut warnings, &mut refused)?;
    process_files.into_iter().for_each(|(_, file)| add_process_file(&mut profile, file, &mut warnings));
    for (at, file) in added.into_iter().enumerate() {
        if is_process_file(&file.bytes) {
            add_process_file(&mut profile, file, &mut warnings);
            continue;
        }
        let joined = read(file, &mut warnings).and_then(|mut next| {
            next.mark_added();
            join(profile.clone(), next, &mut warnings).map_err(|refusal| refusal.error)
        });
        match joined {
            Ok((merged, _)) => profile = merged,
            Err(error) => refused.push(RefusedFile { file: n_first + at, error }),
        }
    }
    Ok(OpenedFiles { session: Session::new(profile, warnings), carried, refused })
}

/// Opens a report's data, which is the only file. This and the answers are all that a report file needs: an engine that calls nothing
/// else has no parsers of dumps in it.
///
/// # Errors
/// The file is no report, or is damaged.
pub fn open_report(files: &[NamedFile]) -> Result<OpenedFiles, Unopened> {
    let report = report_in(files)?.ok_or_else(|| unopened("this file has no report's data".into()))?;
    Ok(OpenedFiles { carried: carried_by(&report), session: Session::from_report_data(report), refused: Vec::new() })
}

/// The report in the only one of `files`, if it is one.
fn report_in(files: &[NamedFile]) -> Result<Option<Decoded>, Unopened> {
    let [NamedFile { name, bytes }] = files else { return Ok(None) };
    open_report_data(bytes, &ParseOptions::default()).map_err(|error| unopened(format!("cannot read {name}: {error}")))
}

fn carried_by(report: &Decoded) -> CarriedFiles {
    let [search, trim] = report.about.source_paths.clone();
    CarriedFiles::from_attachments(&report.attachments, SourcePaths { search, trim })
}

fn unopened(error: String) -> Unopened {
    Unopened { refusal: Refusal { error, hint: String::new() }, refused: Vec::new() }
}

/// The dumps in `files` as one profile.
fn read_first(files: Vec<(usize, NamedFile)>, warnings: &mut Vec<String>, refused: &mut Vec<RefusedFile>) -> Result<Profile, Unopened> {
    let mut names = Vec::new();
    let mut merger = Merger::default();
    for (at, file) in files {
        let name = DumpName::read(&file.name);
        match read(file, warnings) {
            Ok(profile) => merger.add(profile),
            Err(error) => {
                refused.push(RefusedFile { file: at, error });
                continue;
            }
        }
        names.push(name);
    }
    if names.is_empty() {
        let hint = "heapview opens gperftools, jemalloc and pprof heap profiles, and reports".into();
        let error = refused.first().map_or_else(|| "no file to open".into(), |file| file.error.clone());
        return Err(Unopened { refusal: Refusal { error, hint }, refused: std::mem::take(refused) });
    }
    let merged = merger.finish().map_err(|error| Unopened {
        refusal: Refusal { error: error.to_string(), hint: String::new() },
        refused: std::mem::take(refused),
    })?;
    Ok(with_one_shown(merged, &names))
}

/// Whether a file is about the memory of a process.
fn is_process_file(bytes: &[u8]) -> bool {
    process_facts(bytes, &ParseOptions::default()).is_some()
}

/// Adds what a file says about the process of the profile.
fn add_process_file(profile: &mut Profile, NamedFile { name, bytes }: NamedFile, warnings: &mut Vec<String>) {
    if let Some(found) = process_facts(&bytes, &ParseOptions::default()) {
        warnings.extend(found.warnings.iter().map(|warning| format!("{name}: {warning}")));
        profile.add_process_files(found.into_files(&name, 0, false));
    }
}

/// The profile in a file; the error is a sentence.
fn read(NamedFile { name, bytes }: NamedFile, warnings: &mut Vec<String>) -> Result<Profile, String> {
    let options = ParseOptions { events: Some(KeepEvents { file: None }), ..ParseOptions::default() };
    let parsed = parse(&bytes, &options).map_err(|error| format!("cannot read {name}: {error}"))?;
    warnings.extend(parsed.warnings.iter().map(|warning| format!("{name}: {warning}")));
    let mut profile = parsed.profile;
    profile.mark_foreign();
    // The dumps of a report have their names.
    if !profile.is_of_report() {
        profile.set_origin(&name, false);
        let dump_name = DumpName::read(&name);
        profile.set_process(&dump_name.series, dump_name.number, 0);
    }
    Ok(profile)
}

/// Adds a profile to those that are open; returns what its locations became. `notes` gets warnings, a sentence each.
///
/// # Errors
/// They have no value type in common.
pub fn join(before: Profile, profile: Profile, notes: &mut Vec<String>) -> Result<(Profile, Vec<LocationId>), Refusal> {
    let name = profile.dumps().first().map_or(String::new(), |dump| dump.name.clone());
    let kinds = |profile: &Profile| profile.value_types().iter().map(|t| t.kind.clone()).collect::<Vec<_>>();
    let (old, new) = (kinds(&before), kinds(&profile));
    // The shown value type stays the default.
    let joined = merge_into(before, profile)
        .map_err(|error| Refusal { error: format!("{name} cannot be combined with the open profile: {error}"), hint: String::new() })?;
    let only_in = |some: &[String], other: &[String]| some.iter().filter(|kind| !other.contains(kind)).cloned().collect::<Vec<_>>();
    let (lacking, more) = (only_in(&old, &new), only_in(&new, &old));
    if !lacking.is_empty() {
        notes.push(format!("{name} has no {}; shown as 0", lacking.join(", ")));
    }
    if !more.is_empty() {
        notes.push(format!("{} of {name} is not shown: the profile opened first does not have it", more.join(", ")));
    }
    Ok(joined)
}

/// The profile with one of its dumps shown; the dumps of the file `i` are named `names[i]`.
fn with_one_shown(mut profile: Profile, names: &[DumpName]) -> Profile {
    if names.len() < 2 {
        return profile;
    }
    let shown = if are_of_processes(names.iter().map(|name| (&*name.series, name.is_numbered()))) {
        profile = in_series_order(profile).0;
        largest_process(&profile, |dump| profile.dumps()[dump].moment.is_none()).and_then(|dumps| dumps.last().copied())
    } else {
        None
    };
    show_only(&mut profile, shown.unwrap_or(0));
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> NamedFile {
        NamedFile { name: name.into(), bytes: format!("# inuse_space bytes\n{text}").into_bytes() }
    }

    fn shown(session: &Session) -> Vec<String> {
        session.snapshot().profile.dumps().iter().filter(|dump| dump.counts()).map(|dump| dump.name.clone()).collect()
    }

    #[test]
    fn dumps_of_a_process_are_a_series_and_the_last_one_is_shown() {
        let session = open(vec![file("shop.0002.heap", "main;a 5\n"), file("shop.0001.heap", "main;a 7\n")]).unwrap();
        assert_eq!(shown(&session), ["shop.0002.heap"]);
        assert_eq!(session.snapshot().profile.dumps()[0].name, "shop.0001.heap");
    }

    #[test]
    fn files_of_other_names_are_open_beside_the_first() {
        let session = open(vec![file("before", "main;a 5\n"), file("after", "main;a 7\n")]).unwrap();
        assert_eq!(shown(&session), ["before"]);
        assert_eq!(session.snapshot().profile.dumps().len(), 2);
    }

    #[test]
    fn dumps_that_come_later_are_open_after_the_first() {
        let first = || vec![file("shop.0002.heap", "main;a 5\n"), file("shop.0001.heap", "main;a 7\n"), file("broken", "x")];
        let added = vec![file("notes.txt", "hello"), file("shop.0000.heap", "main;b 3\n")];
        let opened = open_files(first(), added).ok().unwrap();
        assert_eq!(shown(&opened.session), ["shop.0002.heap"]);
        let profile = opened.session.snapshot().profile;
        let names: Vec<&str> = profile.dumps().iter().map(|dump| &*dump.name).collect();
        assert_eq!(names, ["shop.0001.heap", "shop.0002.heap", "shop.0000.heap"]);
        assert_eq!(opened.refused.iter().map(|file| file.file).collect::<Vec<_>>(), [2, 3]);
        assert!(opened.refused[1].error.starts_with("cannot read notes.txt: "), "{:?}", opened.refused);
        let unopened = open_files(vec![file("broken", "x")], vec![file("a", "main;a 5\n")]).err().unwrap();
        assert_eq!((unopened.refused.len(), unopened.refused[0].error == unopened.refusal.error), (1, true));
    }

    #[test]
    fn files_that_are_not_profiles_are_skipped_unless_all_are() {
        let session = open(vec![file("a", "main;a 5\n"), NamedFile { name: "b".into(), bytes: b"\0\0".to_vec() }]).unwrap();
        let warnings = session.snapshot().warnings;
        assert!(warnings.len() == 1 && warnings[0].starts_with("cannot read b: "), "{warnings:?}");
        let refusal = open(vec![NamedFile { name: "b".into(), bytes: Vec::new() }]).err().unwrap();
        assert!(refusal.error.starts_with("cannot read b: "), "{refusal:?}");
        assert_eq!(open(Vec::new()).err().unwrap().error, "no file to open");
    }
}
