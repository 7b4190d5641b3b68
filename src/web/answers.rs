//! Answers of the API that the core computes: reports, and the profile as a file. Here they get a turn, a deadline, and a
//! bound of bytes; equal questions at the same moment are computed once, and the owner's files are sent while they are written.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};

use super::access::Role;
use super::app::{Answer, App};
use super::compute::{Size, compute, place, streamed};
use super::error::WebError;
use super::turns::Visitor;
use crate::annotate::Attached;
use crate::api::{Prepared, Question, Reply};
use crate::report_data::source_path;

/// GET /api/v1/{report}, /download and /ui/download. Readers get a profile without folders of this machine.
pub(super) async fn answer(State(app): State<App>, visitor: Visitor, uri: Uri) -> Result<Response, WebError> {
    let path_and_query = uri.path_and_query().map_or("/", |path| path.as_str());
    let attached = Attached::new(app.setup.files.clone(), visitor.role < Role::Owner);
    let question = Question::parse(&app.session, &attached, path_and_query, app.setup.limits.pattern_bytes)?;
    if question.is_file() && visitor.role == Role::Owner {
        let place = place(&app).await?;
        let session = app.session.clone();
        let prepared = compute(&app, visitor, Size::Streamed, move || Ok(question.prepare(&session, &attached)?)).await?;
        let (content_type, file_name) = (prepared.content_type(), prepared.file_name().map(str::to_owned));
        let body = streamed(place, move |out| prepared.write(out));
        return Ok(response(content_type, file_name.as_deref(), body));
    }
    // The same query with more names is another question.
    let key = format!("{} {:?} {path_and_query}", app.session.snapshot().generation, visitor.role);
    let answer = app.answers.answer(&key, whole(app.clone(), visitor, question, attached)).await?;
    Ok(response(answer.content_type, answer.file_name.as_deref(), answer.body.into()))
}

/// The answer in memory.
async fn whole(app: App, visitor: Visitor, question: Question, attached: Attached) -> Result<Answer, WebError> {
    let (session, paths, most) = (app.session.clone(), app.paths.clone(), app.setup.limits.answer_bytes);
    let reply = compute(&app, visitor, Size::Bounded, move || {
        let prepared = question.prepare(&session, &attached)?;
        let cut = |prepared: Prepared| prepared.map_profile(|profile| profile.with_texts(source_path, |text| paths.cut_name(text)));
        let prepared = if visitor.role < Role::Owner { cut(prepared) } else { prepared };
        Ok(question.write(&session, prepared, most)?)
    });
    let Reply { content_type, file_name, body, .. } = reply.await?;
    let body = app.shared.in_flight.send(visitor.role, body).ok_or(WebError::Busy(app.setup.limits.write_timeout))?;
    Ok(Answer { content_type, file_name, body })
}

fn response(content_type: &'static str, file_name: Option<&str>, body: Body) -> Response {
    let mut response = ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "no-store")], body).into_response();
    if let Some(name) = file_name {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment(name));
    }
    response
}

/// The header of a file to keep.
pub(super) fn attachment(name: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).unwrap_or(HeaderValue::from_static("attachment"))
}
