//! What is open: dumps, value types, mappings, how far names have come.

use serde::Serialize;

use crate::analyze::moment_report;
use crate::base::plain::base_name;
use crate::report::{DoctorModule, MatchedBuilds, MomentReport, RunReport};
use crate::session::{Session, Snapshot};

/// Metadata of the open profile.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Meta {
    /// heapview's version.
    pub version: String,
    /// Random text, different for each run of the server.
    pub instance: String,
    /// Parameters of the view that a bare `/` shows.
    pub query: Vec<(String, String)>,
    /// Whether this client may open files.
    pub may_open: bool,
    /// Whether this client may open another profile in place of the open one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_replace: bool,
    /// Number of the open profile: grows when another one takes its place.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub profile_number: u64,
    /// Bytes left for opening files.
    pub room: u64,
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// The dumps, in the order given.
    pub dumps: Vec<DumpMeta>,
    /// Value types.
    pub value_types: Vec<ValueTypeMeta>,
    /// Default value type.
    pub default_value_type: String,
    /// Distinct stacks.
    pub n_stacks: usize,
    /// Rows: distinct stacks with labels.
    pub n_samples: usize,
    /// Keys of labels, in alphabetical order.
    pub label_keys: Vec<String>,
    /// The profile has accesses of single bytes (`/api/v1/accesses`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_accesses: bool,
    /// Mappings.
    pub mappings: Vec<MappingMeta>,
    /// Progress of symbolization.
    pub symbols: Symbols,
    /// Locations with a function name, in permille.
    pub named_permille: u32,
    /// How functions of several builds were matched; absent when all dumps are of one build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builds: Option<MatchedBuilds>,
    /// Recordings among the dumps, as a whole; absent without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunReport>,
    /// Warnings, a sentence each.
    pub warnings: Vec<String>,
    /// Without a profile: what the server waits for, a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub waiting: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A dump.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct DumpMeta {
    /// Path or URL of the dump.
    pub name: String,
    /// End of collection, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Length of collection, nanoseconds.
    pub duration_nanos: i64,
    /// Mean sampling distance in bytes; 0 if every allocation was recorded or it is unknown.
    pub period: i64,
    /// Process of the dump, such as `jeprof.13992`; empty if its name does not tell.
    pub series: String,
    /// Number of the dump within its process.
    pub number: Option<u64>,
    /// Modification time of its file, nanoseconds since 1970 UTC; 0 when unknown.
    pub file_time: i64,
    /// Total of each value type.
    pub totals: Vec<i64>,
    /// Whether it was given as a base.
    pub is_base: bool,
    /// Whether it is shown only if a view names it: another dump of the series is the default, or it was opened later.
    pub is_added: bool,
    /// Whether `-watch` dropped its numbers to save memory, so that it can no longer be shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_thinned: bool,
    /// Moment of the recording named by `series` that it is; absent for dumps and for whole recordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<MomentReport>,
}

/// A value type.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ValueTypeMeta {
    /// Kind, such as `inuse_space`.
    pub kind: String,
    /// Unit, such as `bytes`.
    pub unit: String,
}

/// A mapping.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MappingMeta {
    /// Path as in the profile.
    pub file: String,
    /// Build id in hexadecimal; empty when unknown.
    pub build_id: String,
    /// First address, hexadecimal.
    pub start: String,
    /// One past the last address, hexadecimal.
    pub limit: String,
}

/// Progress of symbolization.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Symbols {
    /// `working` or `done`.
    pub state: SymbolState,
    /// Number of addresses looked up.
    pub done: usize,
    /// Number of addresses to look up.
    pub total: usize,
    /// Base name of the file being searched; empty if none is.
    pub file: String,
    /// Download in progress and how far it is; empty if there is none.
    pub fetching: String,
    /// Increases whenever reports may have changed.
    pub generation: u64,
    /// Quality of the names, a sentence; empty until known.
    pub verdict: String,
    /// Diagnosis of each mapping: what was found, what is missing and how to fix it. Empty until
    /// known.
    pub modules: Vec<DoctorModule>,
}

/// State of symbolization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SymbolState {
    /// Running: some addresses have no names yet.
    Working,
    /// Finished.
    Done,
}

/// Base name of the main binary; empty when unknown.
pub fn program(snapshot: &Snapshot) -> String {
    let main = snapshot.profile.code().mappings.iter().next();
    main.map_or(String::new(), |m| base_name(snapshot.profile.text(m.file)).into())
}

/// The same without a server: nothing can be opened.
pub fn of_session(session: &Session) -> Meta {
    // Progress first: when it says that all names are there, they are.
    let progress = session.progress();
    let doctor = session.doctor();
    let snapshot = session.snapshot();
    let file = program(&snapshot);
    let Snapshot { profile, generation, number, warnings, facts, waiting, first_view } = snapshot;
    let code = profile.code();
    let n_types = profile.value_types().len();
    Meta {
        version: env!("CARGO_PKG_VERSION").into(),
        instance: String::new(),
        query: first_view,
        may_open: false,
        may_replace: false,
        profile_number: number,
        room: 0,
        file,
        dumps: profile
            .dumps()
            .iter()
            .enumerate()
            .map(|(i, d)| DumpMeta {
                series: d.series.clone(),
                number: d.number,
                file_time: d.file_time,
                totals: facts.totals[i * n_types..][..n_types].to_vec(),
                name: d.name.clone(),
                time_nanos: d.time_nanos,
                duration_nanos: d.duration_nanos,
                period: d.period,
                is_base: d.is_base,
                is_added: d.is_added,
                is_thinned: d.is_thinned,
                moment: d.moment.map(moment_report),
            })
            .collect(),
        value_types: profile.value_types().iter().map(|t| ValueTypeMeta { kind: t.kind.clone(), unit: t.unit.clone() }).collect(),
        default_value_type: profile.default_value_type().map_or(String::new(), |i| profile.value_types()[i].kind.clone()),
        n_stacks: facts.n_stacks,
        n_samples: profile.samples().len(),
        label_keys: facts.label_keys.to_vec(),
        has_accesses: !profile.accesses().is_empty(),
        mappings: code
            .mappings
            .iter()
            .map(|m| MappingMeta {
                file: profile.text(m.file).into(),
                build_id: profile.text(m.build_id).into(),
                start: format!("{:#x}", m.start),
                limit: format!("{:#x}", m.limit),
            })
            .collect(),
        symbols: Symbols {
            state: if progress.finished { SymbolState::Done } else { SymbolState::Working },
            done: progress.done,
            total: progress.total,
            file: progress.file,
            fetching: progress.fetching,
            generation,
            verdict: doctor.as_ref().map_or(String::new(), |doctor| doctor.verdict.clone()),
            modules: doctor.map_or(Vec::new(), |doctor| doctor.module.clone()),
        },
        named_permille: facts.named_permille,
        builds: facts.builds,
        runs: facts.runs.to_vec(),
        warnings,
        waiting: if profile.is_empty() { waiting } else { String::new() },
    }
}
