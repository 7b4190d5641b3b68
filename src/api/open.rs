//! Files in memory to a session, for an engine that has no file system.

use super::Refusal;
use super::carried::CarriedFiles;
use crate::parse::{ParseOptions, open_report_data, parse};
use crate::profile::{DumpName, Merger, Profile, are_of_processes, in_series_order, largest_process, show_only};
use crate::query::SourcePaths;
use crate::session::Session;

/// A file with its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedFile {
    /// Base name; warnings contain it, and process and number of a dump are read from it.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
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
    if let [NamedFile { name, bytes }] = &files[..] {
        let report = open_report_data(bytes, &ParseOptions::default());
        let refused = |error| Refusal { error: format!("cannot read {name}: {error}"), hint: String::new() };
        if let Some(report) = report.map_err(refused)? {
            let [search, trim] = report.about.source_paths.clone();
            let carried = CarriedFiles::from_attachments(&report.attachments, SourcePaths { search, trim });
            return Ok((Session::from_report_data(report), carried));
        }
    }
    let mut warnings = Vec::new();
    let mut refused = Vec::new();
    let mut names = Vec::new();
    let mut merger = Merger::default();
    for NamedFile { name, bytes } in files {
        let parsed = match parse(&bytes, &ParseOptions::default()) {
            Ok(parsed) => parsed,
            Err(error) => {
                refused.push(format!("cannot read {name}: {error}"));
                continue;
            }
        };
        warnings.extend(parsed.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let mut profile = parsed.profile;
        profile.set_origin(&name, false);
        profile.mark_foreign();
        let dump_name = DumpName::read(&name);
        profile.set_process(&dump_name.series, dump_name.number, 0);
        names.push(dump_name);
        merger.add(profile);
    }
    if names.is_empty() {
        let hint = "heapview opens gperftools, jemalloc and pprof heap profiles, and reports".into();
        let error = refused.into_iter().next().unwrap_or_else(|| "no file to open".into());
        return Err(Refusal { error, hint });
    }
    warnings.extend(refused);
    let merged = merger.finish().map_err(|error| Refusal { error: error.to_string(), hint: String::new() })?;
    Ok((Session::new(with_one_shown(merged, &names), warnings), CarriedFiles::default()))
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
    fn files_that_are_not_profiles_are_skipped_unless_all_are() {
        let session = open(vec![file("a", "main;a 5\n"), NamedFile { name: "b".into(), bytes: b"\0\0".to_vec() }]).unwrap();
        let warnings = session.snapshot().warnings;
        assert!(warnings.len() == 1 && warnings[0].starts_with("cannot read b: "), "{warnings:?}");
        let refusal = open(vec![NamedFile { name: "b".into(), bytes: Vec::new() }]).err().unwrap();
        assert!(refusal.error.starts_with("cannot read b: "), "{refusal:?}");
        assert_eq!(open(Vec::new()).err().unwrap().error, "no file to open");
    }
}
