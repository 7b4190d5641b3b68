//! The accept loop: HTTP on sockets, within limits.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures_util::future::select;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use super::connections::{Connections, Full};
use super::limits::Limits;
use super::setup::Setup;
use super::slow_client::ReadingClient;
use crate::session::Session;

/// Pause before the next attempt when there is no room for a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Interval at which unused results are dropped.
const TIDY: Duration = Duration::from_secs(20);

/// Serves the connections of `listener` until dropped.
pub async fn serve(listener: TcpListener, session: Arc<Session>, setup: impl Into<Setup>) -> Infallible {
    let setup: Setup = setup.into();
    let limits = setup.limits.clone();
    tokio::spawn(tidy(Arc::downgrade(&session)));
    accept(listener, super::app(session, setup), limits).await
}

/// Answers the connections of `listener` by `router` until dropped.
pub(super) async fn accept(listener: TcpListener, router: axum::Router, limits: Limits) -> Infallible {
    let connections = Connections::new(&limits);
    let router = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // No more files may be opened, or the other side went away already.
            connections.close_one();
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let connection = loop {
            match connections.add(peer.ip()) {
                Err(Full::Wait) => tokio::time::sleep(PAUSE).await,
                added => break added.map(Arc::new),
            }
        };
        let Ok(connection) = connection else { continue };
        let stream = TokioIo::new(ReadingClient::new(stream, limits.write_timeout, limits.write_least));
        let (http, router) = (http.clone(), router.clone());
        tokio::spawn(async move {
            let of = connection.clone();
            let answer = service_fn(move |request: hyper::Request<Incoming>| {
                let mut request: Request = request.map(Body::new);
                request.extensions_mut().insert(of.clone());
                answer(router.clone(), request)
            });
            // An error is of the other side: there is nobody to tell.
            let answered = pin!(http.serve_connection(stream, answer));
            select(pin!(connection.closing()), answered).await;
        });
    }
}

/// Drops unused results at intervals while the session is open.
async fn tidy(session: Weak<Session>) {
    loop {
        tokio::time::sleep(TIDY).await;
        let Some(session) = session.upgrade() else { return };
        session.drop_unused();
    }
}

async fn answer(router: TowerToHyperService<axum::Router>, request: Request) -> Result<Response, Infallible> {
    router.call(request).await
}
