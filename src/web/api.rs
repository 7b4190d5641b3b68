//! The JSON API under `/api/v1/`: one address for each report, with the options of
//! FIELDS as parameters, and what the page needs to know beside.

use std::io::{self, Write};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::access::Role;
use super::compute::{Size, compute, place, streamed};
use super::download;
use super::error::WebError;
use super::form::Form;
use super::in_flight::Bounded;
use super::lines;
use super::turns::Visitor;
use crate::base::plain::base_name;
use crate::demangle::Budget;
use crate::disasm::Order;
use crate::query::{FIELDS, Granularity, Kind, LOCAL, QueryError, View, ViewKind, applies, check_limits, field};
use crate::render::{Explained, Format, explain, flame_svg, has_flames, headline, render};
use crate::report::{DoctorModule, FlameReport, MatchedBuilds, Report, SummaryReport};
use crate::session::{Session, Snapshot, growth_if_told};
use crate::sources;

/// Stacks sent when no number is asked for: all of a big profile would be gigabytes.
const TRACES: i64 = 1000;

/// Most functions sent with their code, as pprof's page has it.
const ROUTINES: usize = 50;

/// Most functions sent with all their callers and callees.
const ENTRIES: usize = 500;

/// Most boxes of a flame graph sent; what is smaller comes when somebody zooms there.
const BOXES: usize = 4000;

/// Most bytes of a flame graph sent, give or take: where names are long there are fewer boxes.
const FLAME_BYTES: usize = 480_000;

/// How often a flame graph is made again with fewer boxes.
const FEWER_BOXES: usize = 3;

/// Most values of one label sent; a filter finds the others.
const LABEL_VALUES: usize = 1000;

/// Most stacks in a file of collapsed stacks: a big profile's would be gigabytes.
const COLLAPSED: i64 = 50_000;

/// Most source files sent, as pprof's page has it.
const FILES: usize = 50;

/// Most source files in a file to keep.
const FILES_KEPT: usize = 1000;

/// Metadata of the open profile.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Meta {
    /// heapview's version.
    pub version: String,
    /// Random text, different for each run of the server.
    pub instance: String,
    /// Parameters of the view that a bare `/` shows.
    pub query: Vec<(String, String)>,
    /// Whether this client may open files.
    pub may_open: bool,
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
    /// Mappings.
    pub mappings: Vec<MappingMeta>,
    /// Progress of symbolization.
    pub symbols: Symbols,
    /// Locations with a function name, in permille.
    pub named_permille: u32,
    /// How functions of several builds were matched; absent when all dumps are of one build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builds: Option<MatchedBuilds>,
    /// Warnings, a sentence each.
    pub warnings: Vec<String>,
    /// Without a profile: what the server waits for, a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub waiting: String,
}

/// A dump.
#[derive(Clone, Debug, Serialize, ToSchema)]
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
}

/// A value type.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ValueTypeMeta {
    /// Kind, such as `inuse_space`.
    pub kind: String,
    /// Unit, such as `bytes`.
    pub unit: String,
}

/// A mapping.
#[derive(Clone, Debug, Serialize, ToSchema)]
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
#[derive(Clone, Debug, Serialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SymbolState {
    /// Running: some addresses have no names yet.
    Working,
    /// Finished.
    Done,
}

/// An option of reports.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldDoc {
    /// Name.
    pub name: &'static str,
    /// pprof's short name; empty when there is none.
    pub alias: &'static str,
    /// `bool`, `text`, `regex`, `int`, `float` or `choice`.
    pub kind: &'static str,
    /// Allowed values of a choice.
    pub choices: Vec<&'static str>,
    /// Default, as text.
    pub default: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// `shape`, `weight`, `cut` or `show`.
    pub part: &'static str,
    /// Reports that use it.
    pub views: Vec<&'static str>,
}

/// The options, for the page's menus.
pub(super) fn field_docs() -> Vec<FieldDoc> {
    FIELDS
        .iter()
        .filter(|f| !LOCAL.contains(&f.name))
        .map(|f| FieldDoc {
            name: f.name,
            alias: f.alias,
            kind: f.kind.name(),
            choices: if let Kind::Choice(words) = f.kind { words.to_vec() } else { Vec::new() },
            default: f.default,
            doc: f.doc,
            part: f.part.name(),
            views: ViewKind::ALL.into_iter().filter(|k| applies(f, *k)).map(ViewKind::name).collect(),
        })
        .collect()
}

/// Base name of the main binary; empty when unknown.
pub(super) fn program(snapshot: &Snapshot) -> String {
    let main = snapshot.profile.code().mappings.iter().next();
    main.map_or(String::new(), |m| base_name(snapshot.profile.text(m.file)).into())
}

/// What is open, as it is now.
pub(super) fn describe(app: &App, role: Role) -> Meta {
    let meta = of_session(&app.session);
    let mut meta = Meta {
        instance: app.instance.to_string(),
        query: [app.setup.query.clone(), meta.query.clone()].concat(),
        may_open: role == Role::Owner && app.setup.opener.is_some(),
        room: app.quota.left(),
        ..meta
    };
    if role < Role::Owner {
        app.paths.cut_meta(&mut meta);
    }
    meta
}

/// The same without a server: nothing can be opened.
pub(super) fn of_session(session: &Session) -> Meta {
    // Progress first: when it says that all names are there, they are.
    let progress = session.progress();
    let doctor = session.doctor();
    let snapshot = session.snapshot();
    let file = program(&snapshot);
    let Snapshot { profile, generation, warnings, facts, waiting, first_view } = snapshot;
    let code = profile.code();
    let n_types = profile.value_types().len();
    Meta {
        version: env!("CARGO_PKG_VERSION").into(),
        instance: String::new(),
        query: first_view,
        may_open: false,
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
            })
            .collect(),
        value_types: profile.value_types().iter().map(|t| ValueTypeMeta { kind: t.kind.clone(), unit: t.unit.clone() }).collect(),
        default_value_type: profile.default_value_type().map_or(String::new(), |i| profile.value_types()[i].kind.clone()),
        n_stacks: facts.n_stacks,
        n_samples: profile.samples().len(),
        label_keys: facts.label_keys.to_vec(),
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
        warnings,
        waiting: if profile.is_empty() { waiting } else { String::new() },
    }
}

/// GET /api/v1/meta
pub(super) async fn meta(State(app): State<App>, Extension(role): Extension<Role>) -> Json<Meta> {
    Json(describe(&app, role))
}

/// GET /api/v1/fields
pub(super) async fn fields() -> Json<Vec<FieldDoc>> {
    Json(field_docs())
}

/// Where files are on this machine is not for visitors to say.
pub(super) fn refuse_local(pairs: &[(String, String)]) -> Result<(), WebError> {
    match pairs.iter().filter_map(|(name, _)| field(name)).find(|f| LOCAL.contains(&f.name)) {
        Some(field) => Err(QueryError::Local { field: field.name }.into()),
        None => Ok(()),
    }
}

/// GET /api/v1/{report}, with `.txt`, `.csv`, `.json`, `.folded` (traces), `.svg` (flame) or `.md` (summary) behind it for these;
/// with the parameter `download` as a file to keep.
pub(super) async fn report(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(mut pairs): Query<Vec<(String, String)>>,
    RawQuery(query): RawQuery,
) -> Result<Response, WebError> {
    let (stem, form) = Form::of(&name);
    let n_pairs = pairs.len();
    pairs.retain(|(name, _)| name != "download");
    // A picture has a script of its own, which only runs outside of this server.
    let attached = pairs.len() < n_pairs || form == Form::Picture;
    let ending = name.rsplit_once('.').map_or("json", |(_, ending)| ending).to_owned();
    let kind = ViewKind::from_name(stem).ok_or_else(|| WebError::NoSuchReport(stem.to_owned()))?;
    let mut view = visitors_view(&app, kind, &pairs)?;
    view.shape.paths = app.session.sources().given().clone();
    if kind == ViewKind::Traces {
        let most = if form == Form::As(Format::Folded) { COLLAPSED } else { TRACES };
        view.cut.nodecount = match view.cut.nodecount {
            n if n < 0 => most,
            n => n,
        };
    }
    view.cut.entries = ENTRIES;
    if form == Form::Picture && view.shape.granularity.is_none() {
        // Paths would leave no room for the boxes.
        view.shape.granularity = Some(Granularity::Functions);
    }
    // What has an ending is a file to keep: whole, or as much as anybody can open.
    let for_page = stem == name && !attached;
    if for_page {
        view.cut.boxes = BOXES;
    }
    let is_file = attached || name.contains('.');
    let asked = Asked { view, role: visitor.role, form, for_page, ending: attached.then_some(ending) };
    let (body, file) = if is_file && visitor.role == Role::Owner {
        download(&app, visitor, asked).await?
    } else {
        // What is asked when names are further along is another question.
        let question = format!("{} {:?} {name}?{}", app.session.snapshot().generation, visitor.role, query.unwrap_or_default());
        let (body, file) = app.answers.answer(&question, answer(app.clone(), visitor, asked)).await?;
        (body.into(), file)
    };
    let mut response = ([(header::CONTENT_TYPE, form.content_type()), (header::CACHE_CONTROL, "no-store")], body).into_response();
    if let Some(file) = file {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    }
    Ok(response)
}

/// The view that a visitor asks for; expressions may be no larger than visitors' may.
pub(super) fn visitors_view(app: &App, kind: ViewKind, pairs: &[(String, String)]) -> Result<View, WebError> {
    if app.session.is_empty() {
        return Err(WebError::NoProfile);
    }
    refuse_local(pairs)?;
    let pairs = || pairs.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    check_limits(pairs(), app.setup.limits.pattern_bytes).map_err(WebError::Query)?;
    View::parse(kind, pairs()).map_err(WebError::Query)
}

/// A report, and how it is to be sent.
struct Asked {
    view: View,
    role: Role,
    form: Form,
    /// For the page, not for a file.
    for_page: bool,
    /// Of the file's name, when it is one to keep.
    ending: Option<String>,
}

/// The body, and what the file is called when it is one to keep.
pub(super) type Answer = (Bytes, Option<HeaderValue>);

/// A report ready to be written.
enum Made {
    Report(Box<Report>),
    Text(String),
}

/// The report as it is sent, whole.
async fn answer(app: App, visitor: Visitor, asked: Asked) -> Result<Answer, WebError> {
    let (session, most) = (app.session.clone(), app.setup.limits.answer_bytes);
    let (body, file) = compute(&app, visitor, Size::Bounded, move || {
        let (mut made, file) = make(&session, &asked)?;
        let Asked { mut view, form, for_page, .. } = asked;
        let written = |made: &Made| {
            let mut body = Bounded::new(most);
            match write(made, form, &mut body) {
                Ok(()) => Ok(body.bytes),
                Err(_) if body.is_full => Err(WebError::TooLong(most)),
                Err(error) => Err(WebError::Internal(error.to_string())),
            }
        };
        let mut body = written(&made)?;
        // Boxes that stay share fewer names than those that go: once may not be enough.
        for _ in 0..FEWER_BOXES {
            let Made::Report(report) = &made else { break };
            let Report::Flame(flame) = &**report else { break };
            if !for_page || body.len() <= FLAME_BYTES || !flame.closed.is_empty() {
                break;
            }
            view.cut.boxes = (flame.node.len().min(view.cut.boxes) * FLAME_BYTES / body.len() * 9 / 10).max(1);
            let mut report = session.answer(&view)?;
            if let Report::Flame(flame) = &mut report {
                lighten(flame);
            }
            made = Made::Report(Box::new(report));
            body = written(&made)?;
        }
        if let (true, Made::Report(report)) = (for_page && lines::is_too_long(&body), &mut made)
            && lines::leave_heaviest(report)
        {
            body = written(&made)?;
        }
        Ok((body, file))
    })
    .await?;
    let body = app.in_flight.send(visitor.role, body).ok_or(WebError::Busy(app.setup.limits.write_timeout))?;
    Ok((body, file))
}

/// The report as a file of any length, sent while it is written.
async fn download(app: &App, visitor: Visitor, asked: Asked) -> Result<(Body, Option<HeaderValue>), WebError> {
    let place = place(app).await?;
    let (session, form) = (app.session.clone(), asked.form);
    let (made, file) = compute(app, visitor, Size::Streamed, move || make(&session, &asked)).await?;
    Ok((streamed(place, move |out| write(&made, form, out)), file))
}

/// The report, and the name of its file when it is one to keep.
fn make(session: &Session, asked: &Asked) -> Result<(Made, Option<HeaderValue>), WebError> {
    let Asked { view, role, form, for_page, ending } = asked;
    let mut report = session.answer(view)?;
    shorten(&mut report, *for_page);
    if let Report::Disasm(disasm) = &mut report {
        session.code().attach(&session.snapshot().profile, view, Order::Heaviest(ROUTINES), disasm).map_err(WebError::Code)?;
    }
    if let (Report::Flame(flame), true) = (&mut report, *for_page) {
        lighten(flame);
    }
    let mut budget = Budget::default();
    report.for_each_row(|row| row.full_name = budget.full_name(&row.full_name));
    report.warn(budget.warning());
    if let Report::Source(source) = &mut report {
        lines::attach(session, view, source, if *for_page { &lines::PAGE } else { &lines::FILE }, *role)?;
    }
    let file = ending.as_ref().map(|ending| download::disposition(report.header(), view.kind.name(), ending));
    let made = match (form, report) {
        (Form::Explained | Form::ExplainedJson, Report::Summary(summary)) => {
            let (markdown, headline) = explained(session, view, &summary)?;
            let json = || serde_json::json!({ "markdown": markdown, "headline": headline }).to_string();
            Made::Text(if *form == Form::ExplainedJson { json() } else { markdown })
        }
        (Form::Explained | Form::ExplainedJson, _) => return Err(WebError::Internal("only the summary has this form".into())),
        (Form::Picture, Report::Flame(flame)) if !has_flames(&flame) => return Err(WebError::NothingToDraw),
        (Form::Picture, report) if !matches!(report, Report::Flame(_)) => return Err(WebError::NothingToDraw),
        (_, report) => Made::Report(Box::new(report)),
    };
    Ok((made, file))
}

/// Writes the report in its form.
fn write(made: &Made, form: Form, out: &mut dyn Write) -> io::Result<()> {
    match (form, made) {
        (_, Made::Text(text)) => out.write_all(text.as_bytes()),
        (Form::As(format), Made::Report(report)) => render(report, format, &utc, out),
        (form, Made::Report(report)) => match (form, &**report) {
            (Form::Picture, Report::Flame(flame)) => flame_svg(flame, out),
            _ => Err(io::Error::other("this report has no such form")),
        },
    }
}

/// The summary in a few sentences of Markdown, and in one of plain text, with what grows where there are several dumps.
pub(super) fn explained(session: &Session, view: &View, summary: &SummaryReport) -> Result<(String, String), WebError> {
    let snapshot = session.snapshot();
    let growth = growth_if_told(session.answer(&View { kind: ViewKind::Growth, ..view.clone() }))?;
    let doctor = session.doctor();
    let explained = Explained { summary, growth: growth.as_ref(), doctor: doctor.as_deref(), warnings: &snapshot.warnings };
    Ok((explain(&explained, &utc), headline(&explained)))
}

/// Takes out what is half of an answer and what nobody needs before they look at one box: ids follow from names, and
/// generic arguments are in the answer about a function.
fn lighten(flame: &mut FlameReport) {
    // What is open is said by ids.
    if flame.closed.is_empty() {
        flame.id.truncate(1);
    }
    flame.row.iter_mut().for_each(|row| row.full_name.clear());
}

/// Leaves the lightest functions out of an answer that would be hundreds of megabytes.
fn shorten(report: &mut Report, for_page: bool) {
    match report {
        Report::Tags(tags) => tags.tag.iter_mut().for_each(|tag| tag.values.truncate(LABEL_VALUES)),
        Report::Source(source) => sources::keep_heaviest(source, if for_page { FILES } else { FILES_KEPT }),
        _ => {}
    }
}

/// A moment in UTC: a server does not know where its reader is.
fn utc(nanos: i64) -> String {
    jiff::Timestamp::from_nanosecond(i128::from(nanos)).map_or(String::new(), |t| t.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}
