//! The JSON API under `/api/v1/`: one address for each report, with the options of
//! FIELDS as parameters, and what the page needs to know beside.

use axum::body::Body;
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::access::Role;
use super::answer::{Made, ReportRequest, lighten, make, write};
use super::app::{Answer, App};
use super::attachments;
use super::compute::{Size, compute, place, streamed};
use super::error::WebError;
use super::form::Form;
use super::in_flight::Bounded;
use super::turns::Visitor;
use super::view::visitors_view;
use crate::query::{Granularity, ViewKind};
use crate::render::Format;
use crate::report::Report;

/// Stacks sent when no number is asked for: all of a big profile would be gigabytes.
const TRACES: i64 = 1000;

/// Most functions sent with all their callers and callees.
const ENTRIES: usize = 500;

/// Most boxes of a flame graph sent; what is smaller comes when somebody zooms there.
const BOXES: usize = 4000;

/// Most bytes of a flame graph sent, give or take: where names are long there are fewer boxes.
const FLAME_BYTES: usize = 480_000;

/// How often a flame graph is made again with fewer boxes.
const FEWER_BOXES: usize = 3;

/// Most stacks in a file of collapsed stacks: a big profile's would be gigabytes.
const COLLAPSED: i64 = 50_000;

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
    view.shape.paths = app.setup.files.sources().given().clone();
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
    let asked = ReportRequest { view, role: visitor.role, form, for_page, ending: attached.then_some(ending) };
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

/// The report as it is sent, whole.
async fn answer(app: App, visitor: Visitor, asked: ReportRequest) -> Result<Answer, WebError> {
    let (session, files, most) = (app.session.clone(), app.setup.files.clone(), app.setup.limits.answer_bytes);
    let (body, file) = compute(&app, visitor, Size::Bounded, move || {
        let (mut made, file) = make(&session, &files, &asked)?;
        let ReportRequest { mut view, form, for_page, .. } = asked;
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
        if let (true, Made::Report(report)) = (for_page && attachments::is_too_long(&body), &mut made)
            && attachments::leave_heaviest(report)
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
async fn download(app: &App, visitor: Visitor, asked: ReportRequest) -> Result<(Body, Option<HeaderValue>), WebError> {
    let place = place(app).await?;
    let (session, files, form) = (app.session.clone(), app.setup.files.clone(), asked.form);
    let (made, file) = compute(app, visitor, Size::Streamed, move || make(&session, &files, &asked)).await?;
    Ok((streamed(place, move |out| write(&made, form, out)), file))
}
