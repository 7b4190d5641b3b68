//! A dump of a store as a profile: its process and time are those of its envelope, its mappings get the build ids that are known.

use crate::base::plain::base_name;
use crate::profile::{Names, Profile};
use crate::store::{Envelope, is_build_id};

/// The profile with process and time of its envelope, the `nth` of its process. `run`: binaries that its version runs, file name
/// and build id.
pub(crate) fn placed(mut profile: Profile, envelope: &Envelope, nth: u64, run: &[(String, String)]) -> Profile {
    profile.mark_foreign();
    let time = envelope.time.saturating_mul(1_000_000);
    if !profile.is_of_report() {
        profile.set_process(&series(envelope), Some(envelope.origin.seq.unwrap_or(nth)), time);
    }
    for dump in profile.dumps_mut().iter_mut().filter(|dump| dump.time_nanos == 0) {
        dump.time_nanos = time;
    }
    with_build_ids(profile, envelope, run)
}

/// Name of the series that a dump belongs to: its process, or else its service.
pub(crate) fn series(envelope: &Envelope) -> String {
    let process = envelope.process();
    if process.is_empty() { envelope.origin.service.clone() } else { process }
}

/// Name of a dump, for display.
pub(crate) fn name_of(envelope: &Envelope) -> String {
    let origin = &envelope.origin;
    let what = if origin.name.is_empty() { envelope.sha256.short().to_string() } else { origin.name.clone() };
    let parts = [origin.service.as_str(), origin.version.as_str(), what.as_str()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Names the builds of mappings without build id: those that the sender told, and those that CI uploaded for the version.
fn with_build_ids(profile: Profile, envelope: &Envelope, run: &[(String, String)]) -> Profile {
    let told = Some(&envelope.origin.build_id).filter(|id| is_build_id(id));
    let mappings = &profile.code().mappings;
    let is_lacking = |of: &str| mappings.iter().any(|mapping| base_name(profile.text(mapping.file)) == of);
    // A binary that no mapping has the name of was renamed: it is the program, if there is one such.
    let mut renamed = run.iter().filter(|(name, _)| !is_lacking(name)).map(|(_, id)| id);
    let program = told.or_else(|| renamed.next().filter(|_| renamed.next().is_none()));
    let mut files = Vec::new();
    for (at, (id, mapping)) in mappings.enumerate().enumerate() {
        let file = profile.text(mapping.file);
        if file.is_empty() || !profile.text(mapping.build_id).is_empty() {
            continue;
        }
        let by_name = run.iter().find(|(name, _)| name == base_name(file)).map(|(_, build)| build);
        let is_main = at == 0 || file == profile.text(mappings.iter().next().map_or(mapping.file, |main| main.file));
        let build = if is_main { told.or(by_name).or(program) } else { by_name };
        files.extend(build.map(|build| (id, file.to_owned(), build.clone())));
    }
    if files.is_empty() { profile } else { profile.renamed(&Names { files, ..Names::default() }) }
}
