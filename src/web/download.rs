//! The profile as a file, at pprof's address: what the parameters' filters leave of it, with names.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::access::Role;
use super::app::App;
use super::compute::{Size, compute, place, streamed};
use super::embedded_sources::embedded_sources;
use super::error::WebError;
use super::in_flight::Bounded;
use super::report_file::{FileOptions, write_file};
use super::turns::Visitor;
use crate::export::write_pprof;
use crate::query::ViewKind;
use crate::report::Header;
use crate::report_data::source_path;

/// GET /download and /ui/download: pprof's protobuf. Without parameters it is the whole profile.
/// Readers get it without folders of this machine.
pub(super) async fn profile(
    State(app): State<App>,
    visitor: Visitor,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, WebError> {
    let view = super::view::visitors_view(&app, ViewKind::Top, &pairs)?;
    let (session, paths) = (app.session.clone(), app.paths.clone());
    let named = move || {
        let profile = session.filtered(&view)?;
        let profile = if visitor.role < Role::Owner { profile.with_texts(source_path, |text| paths.cut_name(text)) } else { profile };
        let file = crate::api::program(&session.snapshot());
        let has_base = view.weight.base.is_some() || view.weight.diff_base.is_some();
        let parts = [file.as_str(), if has_base { "diff" } else { "" }, "profile"];
        Ok((profile, attachment(&file_name(&parts, "pb.gz"))))
    };
    let (body, file) = if visitor.role == Role::Owner {
        let place = place(&app).await?;
        let (profile, file) = compute(&app, visitor, Size::Streamed, named).await?;
        (streamed(place, move |out| write_pprof(&profile, out)), file)
    } else {
        let most = app.setup.limits.answer_bytes;
        let written = move || {
            let (profile, file) = named()?;
            let mut body = Bounded::new(most);
            match write_pprof(&profile, &mut body) {
                Ok(()) => Ok((body.bytes, file)),
                Err(_) if body.is_full => Err(WebError::TooLong(most)),
                Err(error) => Err(WebError::Internal(error.to_string())),
            }
        };
        let (body, file) = compute(&app, visitor, Size::Bounded, written).await?;
        let body = app.in_flight.send(visitor.role, body).ok_or(WebError::Busy(app.setup.limits.write_timeout))?;
        (body.into(), file)
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/vnd.google.protobuf+gzip")),
        (header::CONTENT_DISPOSITION, file),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, body).into_response())
}

/// Where the page gets itself as a file.
pub(super) const REPORT_FILE: &str = "/api/v1/report.html";

/// Longest address of a first view, bytes.
const LONGEST_ADDRESS: usize = 16 << 10;

/// GET /api/v1/report.html: the page with its data and source lines as one file. `address` is the path and query of the
/// first view; the other parameters are those of its report, which choose the source lines. The owner's only: the file has
/// the paths that the profile has.
pub(super) async fn report_file(
    State(app): State<App>,
    visitor: Visitor,
    Query(mut pairs): Query<Vec<(String, String)>>,
) -> Result<Response, WebError> {
    if visitor.role < Role::Owner {
        return Err(WebError::ReadOnly);
    }
    let address = pairs.iter().find(|(name, _)| name == "address").map_or(String::new(), |(_, address)| address.clone());
    pairs.retain(|(name, _)| name != "address");
    let address = if address.starts_with('/') && address.len() <= LONGEST_ADDRESS { address } else { String::new() };
    let view = super::view::visitors_view(&app, ViewKind::Source, &pairs)?;
    let (place, session, files) = (place(&app).await?, app.session.clone(), app.setup.files.clone());
    let made = jiff::Timestamp::now().as_second();
    let (file, name) = compute(&app, visitor, Size::Streamed, move || {
        let sources = embedded_sources(&session, &files, &view)?;
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let mut file = Vec::new();
        let options =
            FileOptions { path, query, paths: Some(files.sources().given()), sources: sources.as_ref(), made, ..FileOptions::default() };
        write_file(&session, &options, &mut file).map_err(|error| WebError::Internal(error.to_string()))?;
        let program = crate::api::program(&session.snapshot());
        Ok((file, attachment(&file_name(&[&program, "report"], "html"))))
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, streamed(place, move |out| out.write_all(&file))).into_response())
}

/// What the file of a report is called: `forest-inuse_space-top.csv`.
pub(super) fn disposition(header: &Header, view: &str, ending: &str) -> HeaderValue {
    let parts = [header.file.as_str(), &header.value_type, if header.has_base { "diff" } else { "" }, view];
    attachment(&file_name(&parts, ending))
}

fn attachment(name: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).unwrap_or(HeaderValue::from_static("attachment"))
}

/// Longest part of a name, characters.
const PART: usize = 60;

/// A name that every system takes: letters, digits and `._-` of the parts that are not empty, joined by `-`.
fn file_name(parts: &[&str], ending: &str) -> String {
    let plain = |part: &&str| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let text: String = part.chars().take(PART).map(safe).collect();
        // No hidden files, no ways upwards.
        text.trim_matches('.').to_owned()
    };
    let parts: Vec<String> = parts.iter().map(plain).filter(|part| !part.is_empty()).collect();
    format!("{}.{ending}", parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name(&["forest", "inuse_space", "", "top"], "csv"), "forest-inuse_space-top.csv");
        assert_eq!(file_name(&["../a \"b\"\r\n<ü>", "x"], "svg"), "_a__b______-x.svg");
        assert_eq!(file_name(&[&"n".repeat(1000), "x"], "txt").len(), 60 + 6);
        assert!(attachment(&file_name(&["\u{202e}\0"], "txt")).to_str().is_ok());
    }
}
