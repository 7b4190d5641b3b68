//! Dumps and binaries that a page without a server has: what `open` does with the files of a machine, for files in memory or
//! read through the caller.

use std::sync::Arc;

use crate::api::{self, CarriedFiles, NamedFile, OpenedFiles, RefusedFile, Unopened};
use crate::doctor::{Host, diagnose, messages};
use crate::profile::Profile;
use crate::session::Session;
use crate::symbolize::{Advice, AttachedFile, Options, Progress, Symbolized, symbolize, without_allocator};

/// An open profile whose names come from attached files.
pub struct NamedSession {
    /// Answers questions.
    pub session: Session,
    /// Source text that came with a report.
    pub carried: CarriedFiles,
    /// The profile as it was read.
    read: Arc<Profile>,
    /// Warnings about missing names, which further files may make untrue.
    notes: Vec<String>,
}

impl NamedSession {
    /// Opens dumps or a report, like [`api::open_files`]; returns also the files that could not be read. Names in dumps are
    /// demangled, and frames of the allocator removed; `progress` hears of that.
    ///
    /// # Errors
    /// None of the first files is a profile, or they have no value type in common.
    pub fn open(first: Vec<NamedFile>, added: Vec<NamedFile>, progress: &dyn Progress) -> Result<(Self, Vec<RefusedFile>), Unopened> {
        let OpenedFiles { session, carried, refused } = api::open_files(first, added)?;
        let read = session.snapshot().profile;
        let mut opened = NamedSession { session, carried, read, notes: Vec::new() };
        // A report shows what it was made to show.
        if !opened.read.is_of_report() {
            opened.symbolize(&[], progress);
        }
        Ok((opened, refused))
    }

    /// Names the addresses of the profile by all `files`, in place of the names before. The notes say which names are missing,
    /// and what to drop on the page.
    pub fn symbolize(&mut self, files: &[Arc<AttachedFile>], progress: &dyn Progress) -> api::Opened {
        let read = &self.read;
        let options = Options { attached: files.to_vec(), ignores_paths: true, ..Options::default() };
        let main = read.code().mappings.iter().next().map_or(String::new(), |main| read.text(main.file).to_owned());
        let Symbolized { names, notes, warnings } = symbolize(read, &options, progress);
        let profile = without_allocator(Profile::clone(read).renamed(&names));
        drop(names);
        let doctor = diagnose(read, &profile, &options, &Host::page());
        let notes: Vec<String> = warnings.into_iter().chain(messages(&notes, &main, &[], None, Advice::Page)).collect();
        self.session.withdraw(&self.notes);
        self.session.replace(profile, notes.clone());
        self.session.set_doctor(doctor);
        self.notes.clone_from(&notes);
        api::Opened { notes, ..api::Opened::default() }
    }

    /// Describes what `file` is to the profile.
    pub fn describe(&self, file: &AttachedFile) -> api::Opened {
        let fits = file.fits(&self.read);
        // Which binary the units of a .dwp file belong to shows when names are looked up.
        let is_misfit = fits.is_empty() && !file.is_debug_only();
        let notes = is_misfit.then(|| misfit(&file.name().to_string_lossy())).into_iter().collect();
        api::Opened { fits, notes, ..api::Opened::default() }
    }
}

/// Warning about a binary that was opened for another profile.
pub fn misfit(name: &str) -> String {
    format!("{name} does not match any binary in this profile")
}

/// Message about a program without a profile.
pub fn program_waits(name: &str) -> String {
    format!("{name} is a program. Now open a heap dump that it wrote.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(name: &str) -> Vec<u8> {
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/").to_owned() + name).unwrap()
    }

    fn open(bytes: Vec<u8>) -> NamedSession {
        NamedSession::open(vec![NamedFile { name: "a.heap".into(), bytes }], Vec::new(), &()).ok().unwrap().0
    }

    fn attached(name: &str, bytes: Vec<u8>) -> Arc<AttachedFile> {
        Arc::new(AttachedFile::new(name.into(), Arc::new(bytes)).unwrap())
    }

    fn functions(opened: &NamedSession) -> Vec<String> {
        let profile = opened.session.snapshot().profile;
        profile.code().functions.iter().map(|function| profile.text(function.name).to_owned()).collect()
    }

    #[test]
    fn dumps_are_demangled_and_lose_the_allocator() {
        let opened = open(b"# inuse_space bytes\nmain;_ZN4shop5serve17h0123456789abcdefE 99\n".to_vec());
        assert!(functions(&opened).contains(&"shop::serve".to_owned()), "{:?}", functions(&opened));
        // Its writer noted which frames are the allocator's.
        let opened = open(data("pprof/shop.0003.pb.gz"));
        let profile = opened.session.snapshot().profile;
        let leaves = profile.samples().stack.iter().filter_map(|&stack| profile.stacks().frames(stack).next());
        let names: Vec<&str> = leaves.filter_map(|frame| profile.function_of(frame)).map(|(_, f)| profile.text(f.name)).collect();
        assert!(names.iter().all(|name| *name != "malloc"), "{names:?}");
    }

    #[test]
    fn notes_say_what_to_drop_and_go_when_it_is_there() {
        let mut opened = open(data("gperftools/shop.0003.heap"));
        let warnings = |opened: &NamedSession| opened.session.snapshot().warnings.join("\n");
        assert!(warnings(&opened).contains("shop was not found: drop the binary on the page"), "{}", warnings(&opened));
        assert!(
            !warnings(&opened).contains("PPROF_BINARY_PATH") && !warnings(&opened).contains("heapview doctor"),
            "{}",
            warnings(&opened)
        );
        let shop = attached("shop", data("bin/shop"));
        assert_eq!(opened.describe(&shop).fits.len(), 1);
        let told = opened.symbolize(&[shop], &());
        assert!(told.notes.iter().all(|note| note.starts_with("not found: libc.so.6")), "{told:?}");
        assert!(!warnings(&opened).contains("shop was not found"), "{}", warnings(&opened));
        assert!(functions(&opened).iter().any(|name| name.contains("try_allocate_in")));
        let doctor = opened.session.doctor().unwrap();
        assert!(doctor.module.iter().any(|module| module.name.ends_with("/shop") && module.problem.is_empty()), "{doctor:?}");
        let remedies = doctor.module.iter().flat_map(|module| &module.remedy);
        assert!(remedies.clone().count() > 0 && remedies.clone().all(|way| way.contains("on the page")), "{doctor:?}");
    }

    #[test]
    fn binaries_of_other_profiles_and_builds_are_named() {
        let mut opened = open(data("gperftools/shop.0003.heap"));
        let mill = attached("mill", data("bin/mill"));
        assert_eq!(opened.describe(&mill).notes, ["mill does not match any binary in this profile"]);
        // Of the right name, and another build.
        let other = attached("shop", data("bin/shop-v0"));
        let told = opened.symbolize(&[mill, other], &());
        assert!(told.notes.iter().any(|note| note.contains("another build than the one that ran")), "{told:?}");
    }
}
