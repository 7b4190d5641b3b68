//! What is counted and logged of a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use futures_util::TryStreamExt;
use percent_encoding::percent_decode_str;

use super::error::TeamError;
use super::log::Level;
use super::metrics::Outcome;
use super::paths;
use super::state::Team;
use crate::web::access;

/// Paths that are asked for all the time: they are logged if they fail.
const QUIET: [&str; 3] = ["/assets/", "/healthz", "/metrics"];

/// A request from its beginning to its answer.
pub(super) struct Record {
    id: String,
    started: Instant,
    method: Method,
    path: String,
    service: String,
    /// Token or user; empty without one.
    who: String,
    received: Arc<AtomicU64>,
}

impl Record {
    pub(super) fn new(team: &Team, request: &Request) -> Record {
        let path = request.uri().path();
        let of_path = || ["/services/", "/s/"].iter().find_map(|start| path.strip_prefix(start)?.split('/').next());
        let service = access::parameter(request.uri(), "service").or_else(of_path).unwrap_or_default();
        Record {
            id: format!("{}-{}", team.run, team.metrics().next_request()),
            started: Instant::now(),
            method: request.method().clone(),
            service: percent_decode_str(service).decode_utf8_lossy().chars().take(60).collect(),
            path: path.to_owned(),
            who: String::new(),
            received: Arc::default(),
        }
    }

    pub(super) fn set_who(&mut self, who: &str) {
        who.clone_into(&mut self.who);
    }

    fn is_upload(&self) -> bool {
        paths::UPLOADS.contains(&self.path.as_str()) && matches!(self.method, Method::PUT | Method::POST)
    }

    /// The request; bytes of an upload are counted when they come.
    pub(super) fn counted(&self, request: Request) -> Request {
        if !self.is_upload() {
            return request;
        }
        let received = self.received.clone();
        request.map(|body| {
            Body::from_stream(body.into_data_stream().inspect_ok(move |piece| {
                received.fetch_add(piece.len() as u64, Ordering::Relaxed);
            }))
        })
    }

    /// Counts and logs the answer; returns the identifier of the request.
    pub(super) fn finish(self, team: &Team, response: &Response) -> String {
        let (status, time) = (response.status(), self.started.elapsed());
        let error = response.extensions().get::<TeamError>();
        team.metrics().answered(&self.path, status, time);
        if error.is_some_and(|error| error.is_of_store) {
            team.metrics().store_error();
        }
        let is_upload = self.is_upload();
        // Strangers are no failed uploads.
        if is_upload && !status.is_success() && status != StatusCode::UNAUTHORIZED {
            let kind = if self.path == paths::BINARIES { "binary" } else { "dump" };
            team.metrics().uploaded(kind, if status.is_server_error() { Outcome::Failed } else { Outcome::Refused });
        }
        let level = match status.as_u16() {
            500.. => Level::Error,
            400.. => Level::Warn,
            _ => Level::Info,
        };
        if level == Level::Info && QUIET.iter().any(|start| self.path.starts_with(start)) {
            return self.id;
        }
        let millis = time.as_micros() as f64 / 1000.0;
        let fields = [
            ("request", self.id.as_str().into()),
            ("who", self.who.into()),
            ("method", self.method.as_str().into()),
            ("path", self.path.into()),
            ("service", self.service.into()),
            ("status", status.as_u16().into()),
            ("received", is_upload.then(|| self.received.load(Ordering::Relaxed)).into()),
            ("sent", response.body().size_hint().exact().into()),
            ("ms", millis.into()),
            ("error", error.map(|error| error.error.as_str()).into()),
        ];
        team.setup.log.write(level, if is_upload { "upload" } else { "request" }, fields);
        self.id
    }
}
