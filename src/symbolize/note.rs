//! What became of each mapping, said for people.

use std::fmt;
use std::path::PathBuf;

use super::Misfit;

/// What became of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Path of the mapping, as the profile names it.
    pub mapping: String,
    /// What happened.
    pub kind: NoteKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// Names were found.
    Found {
        /// The file they are from.
        path: PathBuf,
        /// Addresses that have a name now.
        n_named: usize,
        /// Addresses that were looked up.
        n_addresses: usize,
    },
    /// There is no such file.
    NotFound {
        /// Where it was looked for.
        looked: Vec<PathBuf>,
    },
    /// The profile does not say which file it is.
    Unnamed,
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The file is another build than the one that ran.
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// Build id in the profile.
        expected: String,
        /// Build id of the file.
        found: String,
        /// It was used nevertheless, because the person named it.
        used: bool,
    },
    /// The file is used, but may be another than the one that ran.
    Doubtful {
        /// The file.
        path: PathBuf,
        /// Why; at least one, the strongest first.
        doubts: Vec<Doubt>,
    },
    /// The file cannot have been mapped like this.
    OtherLayout {
        /// The file.
        path: PathBuf,
    },
    /// There are function names, but no files, lines or inlined functions.
    NoDebugInfo {
        /// The file.
        path: PathBuf,
        /// Addresses that have a name now.
        n_named: usize,
        /// Addresses that were looked up.
        n_addresses: usize,
    },
    /// There are no names at all.
    NoNames {
        /// The file.
        path: PathBuf,
    },
    /// Parts of the debug information lie in files that are not there.
    MissingSplits {
        /// The file.
        path: PathBuf,
        /// Parts that are missing.
        n_missing: usize,
        /// Parts that were needed.
        n_units: usize,
        /// Name of one of them.
        first: String,
    },
    /// What the debug information has in common with that of other files is not there.
    MissingAlt {
        /// The file.
        path: PathBuf,
        /// The supplementary file, as the debug information names it.
        name: String,
    },
    /// Object files, in which macOS leaves the debug information, are not there.
    MissingObjects {
        /// The file.
        path: PathBuf,
        /// Object files that are missing.
        n_missing: usize,
        /// Object files that were needed.
        n_objects: usize,
        /// Name of one of them.
        first: String,
    },
}

/// What speaks against a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// What is in it.
    Misfit(Misfit),
    /// The profile says that the file which ran is gone from its path.
    Replaced,
    /// It is younger than the profile.
    Newer,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Misfit(Misfit::Calls { n_calls, n_checked }) => {
                write!(f, "only {n_calls} of {n_checked} return addresses follow a call in it")
            }
            Doubt::Misfit(Misfit::Layout) => f.write_str("its code is of another size than what was mapped"),
            Doubt::Replaced => f.write_str("it was replaced after the program had started"),
            Doubt::Newer => f.write_str("it is newer than the profile"),
        }
    }
}

impl Note {
    /// Whether names are missing or may be wrong.
    pub fn is_problem(&self) -> bool {
        !matches!(self.kind, NoteKind::Found { .. })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.mapping.rsplit('/').next().unwrap_or(&self.mapping);
        match &self.kind {
            NoteKind::Found { path, n_named, n_addresses } => {
                write!(f, "{name}: {n_named} of {n_addresses} addresses named from {}", path.display())
            }
            NoteKind::NotFound { looked } => {
                write!(f, "{name} was not found")?;
                if let Some(first) = looked.first() {
                    write!(f, " at {}", first.display())?;
                }
                match looked.len() {
                    0 | 1 => {}
                    2 => f.write_str(", nor in another place")?,
                    n => write!(f, ", nor in {} other places", n - 1)?,
                }
                f.write_str(": give the program on the command line, or set PPROF_BINARY_PATH to the folder that holds it")
            }
            NoteKind::Unnamed => f.write_str("the profile does not name the program: give it on the command line, before the profile"),
            NoteKind::Unreadable { path, reason } => {
                write!(f, "{name}: cannot read {}: {reason}", path.display())
            }
            NoteKind::OtherBuild { path, expected, found, used: true } => {
                write!(f, "{name}: names may be wrong: {} has build id {found}, the profile was taken of {expected}", path.display())
            }
            NoteKind::OtherBuild { path, expected, found, used: false } => write!(
                f,
                "{name}: {} is another build ({found}, the profile was taken of {expected}): set PPROF_BINARY_PATH to a folder with the right one",
                path.display()
            ),
            NoteKind::Doubtful { path, doubts } => {
                let path = path.display();
                match doubts.first() {
                    Some(Doubt::Misfit(_)) => write!(f, "{name}: names are probably wrong: {path} is another build than the one that ran")?,
                    _ => write!(f, "{name}: names may be wrong: {path} may be another build than the one that ran")?,
                }
                let why = doubts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", and ");
                write!(f, " ({why}); give the right one on the command line or in PPROF_BINARY_PATH")
            }
            NoteKind::OtherLayout { path } => write!(
                f,
                "{name}: {} cannot be the file that was running: its segments do not fit the profile's memory map; give the right build on the command line or in PPROF_BINARY_PATH",
                path.display()
            ),
            NoteKind::NoDebugInfo { path, n_named, n_addresses } => write!(
                f,
                "{name}: no debug information in {}: {n_named} of {n_addresses} addresses have a function name, none a line; build with debug information or install the package with it",
                path.display()
            ),
            NoteKind::NoNames { path } => write!(
                f,
                "{name}: {} is stripped and none of its addresses has a name: give an unstripped build or its debug file (in PPROF_BINARY_PATH)",
                path.display()
            ),
            NoteKind::MissingAlt { path, name: alt } => write!(
                f,
                "{name}: the names of {} are partly in {alt}, which was not found: install the package with it, or copy it to the same place below a folder of PPROF_BINARY_PATH",
                path.display()
            ),
            NoteKind::MissingObjects { path, n_missing, n_objects, first } => write!(
                f,
                "{name}: {n_missing} of {n_objects} object files with the debug information of {} are missing (one is {first}), so lines and inlined functions are, too: run dsymutil on it where it was built, and put the .dSYM beside the program",
                path.display()
            ),
            NoteKind::MissingSplits { path, n_missing, n_units, first } => write!(
                f,
                "{name}: {n_missing} of {n_units} split units of {} are missing (one is {first}), so inlined functions are, too: put the .dwo files or the .dwp beside the program or in a folder of PPROF_BINARY_PATH",
                path.display()
            ),
        }
    }
}
