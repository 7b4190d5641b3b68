//! Notes about mappings, as messages for users.

use std::fmt;
use std::path::PathBuf;

use crate::base::plain::base_name;
use crate::symbolize::find::fit::Misfit;

/// Note about a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Path of the mapping, as the profile names it.
    pub mapping: String,
    /// Kind of note.
    pub kind: NoteKind,
}

/// Kinds of notes.
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
        /// Paths searched.
        looked: Vec<PathBuf>,
    },
    /// The profile has no name for the file.
    Unnamed,
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Reason.
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
        /// Whether it was used nevertheless, because the user named it.
        used: bool,
    },
    /// The file is used, but may be another than the one that ran.
    Doubtful {
        /// The file.
        path: PathBuf,
        /// Reasons, at least one, strongest first.
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
    /// Parts of the debug information are in missing files.
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
    /// The supplementary debug file is missing.
    MissingAlt {
        /// The file.
        path: PathBuf,
        /// The supplementary file, as the debug information names it.
        name: String,
    },
    /// Object files, where macOS leaves the debug information, are missing.
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

/// What advice may name: where the user gives files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Advice {
    /// Flags, environment variables and commands.
    #[default]
    CommandLine,
    /// Files that are dropped on the page, where there is no server.
    Page,
    /// Files that are sent to the store of a team server.
    Store,
}

impl Advice {
    /// Advice for the page, `drop … on the page`, as it is here.
    pub fn reworded(self, for_page: &str) -> String {
        match self {
            Advice::Store => for_page.replace("drop ", "send ").replace(" on the page", " to the store"),
            _ => for_page.to_owned(),
        }
    }
}

/// Split debug information has no build id to be found by.
pub(crate) const NO_SPLIT: &str = "stores take no split debug information: build with -gno-split-dwarf (Rust: split-debuginfo = \"off\")";

/// Reason to doubt a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// Its contents.
    Misfit(Misfit),
    /// The profile marks the file that ran as deleted.
    Replaced,
    /// Newer than the profile.
    Newer,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Misfit(Misfit::Calls { n_calls, n_checked }) => {
                write!(f, "{n_calls} of {n_checked} return addresses match this binary")
            }
            Doubt::Misfit(Misfit::Layout) => f.write_str("the size of its code differs from the mapping"),
            Doubt::Replaced => f.write_str("it was replaced after the program had started"),
            Doubt::Newer => f.write_str("it is newer than the profile"),
        }
    }
}

impl Note {
    /// Returns whether names are missing or may be wrong.
    pub fn is_problem(&self) -> bool {
        !matches!(self.kind, NoteKind::Found { .. })
    }

    /// The note as a sentence that says what to do.
    pub fn message(&self, advice: Advice) -> String {
        let problem = self.problem();
        let way = match advice {
            Advice::CommandLine => self.way().into(),
            Advice::Page => self.way_on_page().into(),
            Advice::Store if matches!(self.kind, NoteKind::MissingSplits { .. }) => NO_SPLIT.to_owned(),
            Advice::Store => advice.reworded(self.way_on_page()),
        };
        if way.is_empty() { problem } else { format!("{problem}{}{way}", self.link()) }
    }

    /// What was found or is missing.
    fn problem(&self) -> String {
        let name = base_name(&self.mapping);
        match &self.kind {
            NoteKind::Found { path, n_named, n_addresses } => {
                format!("{name}: {n_named} of {n_addresses} addresses named from {}", path.display())
            }
            NoteKind::NotFound { looked } => {
                let at = looked.first().map_or(String::new(), |first| format!(" at {}", first.display()));
                let others = match looked.len() {
                    0 | 1 => String::new(),
                    2 => " or in another place".into(),
                    n => format!(" or in {} other places", n - 1),
                };
                format!("{name} was not found{at}{others}")
            }
            NoteKind::Unnamed => "the profile does not name its program".into(),
            // The path mostly ends with the name.
            NoteKind::Unreadable { path, reason } if base_name(&path.to_string_lossy()) == name => {
                format!("cannot read {}: {reason}", path.display())
            }
            NoteKind::Unreadable { path, reason } => format!("{name}: cannot read {}: {reason}", path.display()),
            NoteKind::OtherBuild { path, expected, found, used: true } => {
                format!("{name}: names may be wrong: {} has build id {found}, the profile {expected}", path.display())
            }
            NoteKind::OtherBuild { path, expected, found, used: false } => {
                format!("{name}: {} is another build ({found}, the profile has {expected})", path.display())
            }
            NoteKind::Doubtful { path, doubts } => {
                let may = if let Some(Doubt::Misfit(_)) = doubts.first() { "is" } else { "may be" };
                let why = doubts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", and ");
                format!("{name}: names may be wrong: {} {may} another build than the one that ran ({why})", path.display())
            }
            NoteKind::OtherLayout { path } => format!(
                "{name}: {} is another binary than the one that ran: its segments do not match the profile's memory map",
                path.display()
            ),
            NoteKind::NoDebugInfo { path, n_named, n_addresses } => format!(
                "{name}: no debug information in {}: {n_named} of {n_addresses} addresses have a function name, none has a line",
                path.display()
            ),
            NoteKind::NoNames { path } => format!("{name}: {} is stripped, so its addresses have no names", path.display()),
            NoteKind::MissingAlt { path, name: alt } => {
                format!("{name}: some names of {} are in {alt}, which was not found", path.display())
            }
            NoteKind::MissingObjects { path, n_missing, n_objects, first } => format!(
                "{name}: {n_missing} of {n_objects} object files with the debug information of {} are missing (such as {first}), and with them lines and inlined functions",
                path.display()
            ),
            NoteKind::MissingSplits { path, n_missing, n_units, first } => format!(
                "{name}: {n_missing} of {n_units} split units of {} are missing (such as {first}), and with them inlined functions",
                path.display()
            ),
        }
    }

    /// Between problem and advice.
    fn link(&self) -> &'static str {
        match self.kind {
            NoteKind::Doubtful { .. } | NoteKind::OtherLayout { .. } | NoteKind::NoDebugInfo { .. } => "; ",
            _ => ": ",
        }
    }

    /// What to do on the command line; empty if there is nothing.
    fn way(&self) -> &'static str {
        match self.kind {
            NoteKind::Found { .. } | NoteKind::Unreadable { .. } | NoteKind::OtherBuild { used: true, .. } => "",
            NoteKind::NotFound { .. } => "give the binary on the command line, or set PPROF_BINARY_PATH to its directory",
            NoteKind::Unnamed => "give the binary on the command line, before the profile",
            NoteKind::OtherBuild { used: false, .. } => "set PPROF_BINARY_PATH to a directory with the right one",
            NoteKind::Doubtful { .. } | NoteKind::OtherLayout { .. } => "give the right build on the command line or in PPROF_BINARY_PATH",
            NoteKind::NoDebugInfo { .. } => "build with debug information or install its debug symbols",
            NoteKind::NoNames { .. } => "give an unstripped build, or its debug file in PPROF_BINARY_PATH",
            NoteKind::MissingAlt { .. } => "install its package, or copy the file to the same path below a directory in PPROF_BINARY_PATH",
            NoteKind::MissingObjects { .. } => "run dsymutil on it where it was built, and put the .dSYM next to the binary",
            NoteKind::MissingSplits { .. } => "put the .dwo files or the .dwp next to the binary or in a directory in PPROF_BINARY_PATH",
        }
    }

    /// What to do on a page without a server; empty if there is nothing.
    fn way_on_page(&self) -> &'static str {
        match self.kind {
            NoteKind::Found { .. } | NoteKind::Unreadable { .. } => "",
            NoteKind::NotFound { .. } => "drop the binary on the page",
            NoteKind::Unnamed => "drop the binary that wrote it on the page",
            NoteKind::OtherBuild { .. } | NoteKind::Doubtful { .. } | NoteKind::OtherLayout { .. } => "drop the right build on the page",
            NoteKind::NoDebugInfo { .. } => "drop its debug file on the page, or build with debug information",
            NoteKind::NoNames { .. } => "drop an unstripped build or its debug file on the page",
            NoteKind::MissingAlt { .. } => "drop that file on the page; it comes with the debug package",
            NoteKind::MissingObjects { .. } => {
                "run dsymutil on it where it was built, and drop the file below Contents/Resources/DWARF of the .dSYM on the page"
            }
            NoteKind::MissingSplits { .. } => "drop the .dwo files or the .dwp on the page",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Advice::CommandLine))
    }
}
