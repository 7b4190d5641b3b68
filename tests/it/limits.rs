//! Limits of the server: connections, slow clients, bytes, time.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use heapview::api::{Opened, Opener, Refusal};
use heapview::profile::Profile;
use heapview::web::{Access, Hosts, Limits, Setup, app, serve};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::{folded, session};

const SHOP: &str = "main;serve;cache;alloc 600\nmain;serve;parse;alloc 300\nmain;init;alloc 100\n";

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A server on a real socket with these limits.
fn served(profile: Profile, limits: Limits) -> (tokio::runtime::Runtime, SocketAddr) {
    let runtime = runtime();
    let address = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let setup = Setup { limits, ..Hosts::new(address, "localhost").into() };
        tokio::spawn(serve(listener, session(profile), setup));
        address
    });
    (runtime, address)
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

fn send(address: SocketAddr, path: &str, header: &str) -> TcpStream {
    let mut stream = connect(address);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n{header}\r\n").unwrap();
    stream
}

/// The answer to the end of the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error}"),
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, path: &str) -> String {
    rest(send(address, path, "Connection: close\r\n"))
}

fn is_ok(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 200")
}

#[test]
fn connections_without_a_request_header_are_closed() {
    let limits = Limits { header_timeout: Duration::from_millis(300), ..Limits::default() };
    let (_runtime, address) = served(folded(SHOP), limits);
    let mut half = connect(address);
    half.write_all(b"GET /api/v1/meta HT").unwrap();
    // Another keeps sending, a byte at a time.
    let mut drip = connect(address);
    let dripping = std::thread::spawn(move || {
        for _ in 0..200 {
            if drip.write_all(b"G").is_err() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    });
    let silent = connect(address);
    // An idle keep-alive connection.
    let idle = send(address, "/api/v1/meta", "");
    for stream in [half, silent, idle] {
        rest(stream);
    }
    assert!(dripping.join().unwrap(), "the server read on for ten seconds");
}

#[test]
fn silent_connections_shut_nobody_out() {
    // The timeout is not the reason.
    let limits = Limits { connections: 20, connections_for_owner: 2, header_timeout: Duration::from_secs(600), ..Limits::default() };
    let (_runtime, address) = served(folded(SHOP), limits);
    let kept = send(address, "/api/v1/events", "");
    kept.peek(&mut [0]).unwrap();
    let silent: Vec<TcpStream> = (0..100)
        .map(|i| {
            let mut stream = connect(address);
            // The server may have closed it already.
            let _ = stream.write_all(if i % 2 == 0 { b"G" } else { b"GET / HTTP/1.1\r\n" });
            stream
        })
        .collect();
    for _ in 0..10 {
        assert!(is_ok(&get(address, "/api/v1/top")));
    }
    // A connection with a pending response is never closed for another.
    kept.set_nonblocking(true).unwrap();
    let mut first = [0; 1 << 16];
    assert!((&kept).read(&mut first).unwrap() > 0);
    match (&kept).read(&mut first) {
        Ok(n) => assert!(n > 0, "the stream of updates was closed"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
    }
    drop(silent);
}

/// Stacks whose names make responses large.
fn large(n: usize) -> Profile {
    folded(&(0..n).map(|i| format!("main;{}{i};alloc {}\n", "long_name_".repeat(100), i + 1)).collect::<String>())
}

#[test]
fn slow_readers_are_dropped_and_responses_in_flight_are_bounded() {
    let limits = Limits { write_timeout: Duration::from_secs(2), bytes_in_flight: 8 << 20, bytes_for_owner: 1 << 20, ..Limits::default() };
    let (_runtime, address) = served(large(5_000), limits);
    // Some five megabytes, of which the system takes a part.
    let slow = send(address, "/api/v1/traces?n=5000", "");
    // The first bytes are there: it is on its way.
    slow.peek(&mut [0]).unwrap();
    let started = Instant::now();
    let mut is_refused = false;
    loop {
        let answer = get(address, "/api/v1/traces?n=4999");
        if is_ok(&answer) {
            break;
        }
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after: "), "{answer}");
        is_refused = true;
        assert!(started.elapsed() < Duration::from_secs(120), "the slow one is kept for ever");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(is_refused, "the answer that nobody read was not counted");
    let read = rest(slow);
    assert!(is_ok(&read) && read.len() < 5_000_000, "{} bytes came", read.len());
    // One that reads slowly but steadily gets all.
    let mut steady = send(address, "/api/v1/traces?n=5000", "Connection: close\r\n");
    let (mut n, mut piece) = (0, vec![0; 1 << 18]);
    loop {
        let more = steady.read(&mut piece).unwrap();
        n += more;
        if more == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(n > 5_000_000, "{n} bytes came");
}

fn request(method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body).unwrap()
}

const OWNER: &str = "Bearer the-owner-s-token";

/// A server with tokens, without a socket, and what a reader sends.
fn with_tokens(profile: Profile, limits: Limits) -> (axum::Router, String) {
    let access = Access::with_tokens(Some("the-owner-s-token".into()), None).unwrap();
    let reader = format!("Bearer {}", access.reader().unwrap());
    let setup: Setup = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost").into();
    (app(session(profile), Setup { access, limits, ..setup }), reader)
}

async fn answered(router: &axum::Router, path: &str, token: &str) -> (StatusCode, Vec<u8>) {
    let response = router.clone().oneshot(request(Method::GET, path, &[("authorization", token)], Body::empty())).await.unwrap();
    let status = response.status();
    (status, axum::body::to_bytes(response.into_body(), 1 << 30).await.unwrap().to_vec())
}

#[test]
fn some_streams_of_updates_are_for_the_owner() {
    let limits = Limits { streams: 5, streams_for_owner: 1, streams_per_visitor: 3, ..Limits::default() };
    let (router, reader) = with_tokens(folded(SHOP), limits);
    runtime().block_on(async {
        let mut open = Vec::new();
        let mut listen = async |token: &str| {
            let response = router.clone().oneshot(request(Method::GET, "/api/v1/events", &[("authorization", token)], Body::empty()));
            let response = response.await.unwrap();
            let status = response.status();
            open.push(response);
            status
        };
        for _ in 0..3 {
            assert_eq!(listen(&reader).await, StatusCode::OK);
        }
        assert_eq!(listen(&reader).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(listen(OWNER).await, StatusCode::OK);
        assert_eq!(listen(OWNER).await, StatusCode::OK);
        assert_eq!(listen(OWNER).await, StatusCode::SERVICE_UNAVAILABLE);
        open.clear();
        let response = router.clone().oneshot(request(Method::GET, "/api/v1/events", &[("authorization", &reader)], Body::empty()));
        assert_eq!(response.await.unwrap().status(), StatusCode::OK);
    });
}

#[test]
fn large_answers_are_downloads_of_the_owner() {
    let (router, reader) = with_tokens(large(3_000), Limits { answer_bytes: 1 << 20, ..Limits::default() });
    runtime().block_on(async {
        for (path, token) in [
            ("traces?n=3000", &*reader),
            ("traces.json?n=3000", &*reader),
            ("traces.txt?n=3000&download", &*reader),
            ("traces?n=3000", OWNER),
        ] {
            let (status, body) = answered(&router, &format!("/api/v1/{path}"), token).await;
            let error: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
            assert_eq!(error["error"], "the response would exceed 1 MiB");
            let hint = error["hint"].as_str().unwrap();
            assert!(hint.contains("trim") && hint.contains("nodecount"), "{hint}");
            assert_eq!(answered(&router, "/api/v1/traces?n=30", token).await.0, StatusCode::OK);
        }
        for path in ["traces.json?n=3000", "traces?n=3000&download"] {
            let (status, body) = answered(&router, &format!("/api/v1/{path}"), OWNER).await;
            assert_eq!(status, StatusCode::OK);
            let report: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(report["trace"].as_array().unwrap().len(), 3000, "{path}");
        }
        let (whole, body) = answered(&router, "/download", OWNER).await;
        assert!(whole == StatusCode::OK && body.starts_with(&[0x1f, 0x8b]));
        assert_eq!(answered(&router, "/download?f=name", &reader).await, (StatusCode::OK, body.clone()));
    });
    let (router, reader) = with_tokens(large(3_000), Limits { answer_bytes: 2000, ..Limits::default() });
    runtime().block_on(async {
        assert_eq!(answered(&router, "/download", &reader).await.0, StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(answered(&router, "/download", OWNER).await.0, StatusCode::OK);
    });
}

#[test]
fn expressions_of_visitors_are_bounded() {
    let (router, reader) = with_tokens(folded(SHOP), Limits::default());
    runtime().block_on(async {
        let large = "(?:%5CpL%7B50%7D)%7B20%7D";
        let (many, keys) = ("a,".repeat(200), "k,".repeat(100));
        for query in [
            format!("focus={large}"),
            format!("hide={large}"),
            format!("list={large}"),
            format!("tagfocus=key%3D{large}"),
            format!("tagignore={many}"),
            format!("tagroot={keys}"),
        ] {
            for path in ["/api/v1/top", "/download"] {
                let (status, body) = answered(&router, &format!("{path}?{query}"), &reader).await;
                let error: Value = serde_json::from_slice(&body).unwrap();
                assert_eq!(status, StatusCode::BAD_REQUEST, "{query}: {error}");
                assert_eq!(error["field"], query.split('=').next().unwrap());
            }
        }
        assert_eq!(answered(&router, "/api/v1/top?focus=%5CpL%7B5%7D", &reader).await.0, StatusCode::OK);
    });
}

/// Matching these names takes minutes.
fn slow() -> (Profile, &'static str) {
    let profile = folded(&(0..2_000).map(|i| format!("main;{}{i};alloc {}\n", "abcdefghij".repeat(400), i + 1)).collect::<String>());
    // (?:[a-j0-9]{1,30}){30}[\x{4e00}-\x{9fff}]
    (profile, "(?:%5Ba-j0-9%5D%7B1,30%7D)%7B30%7D%5B%5Cx%7B4e00%7D-%5Cx%7B9fff%7D%5D")
}

#[test]
fn computations_have_a_deadline() {
    let (profile, pattern) = slow();
    let limits = Limits { reader_deadline: Duration::from_millis(500), ..Limits::default() };
    let (router, reader) = with_tokens(profile, limits);
    let runtime = runtime();
    let started = Instant::now();
    runtime.block_on(async {
        let (status, body) = answered(&router, &format!("/api/v1/top?f={pattern}"), &reader).await;
        let error: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{error}");
        assert!(error["error"].as_str().unwrap().contains("was cancelled"));
    });
    // The turns are free again.
    runtime.block_on(async {
        for n in 1..5 {
            answered(&router, &format!("/api/v1/top?n={n}"), &reader).await;
        }
        assert_eq!(answered(&router, "/api/v1/top?n=1", OWNER).await.0, StatusCode::OK);
    });
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn computations_without_waiting_clients_are_cancelled() {
    let (profile, pattern) = slow();
    let limits = Limits { owner_deadline: Duration::from_secs(600), turns: 2, ..Limits::default() };
    let (runtime, address) = served(profile, limits);
    let connections: Vec<TcpStream> = (0..4).map(|n| send(address, &format!("/api/v1/top?n={n}&f={pattern}"), "")).collect();
    std::thread::sleep(Duration::from_millis(500));
    drop(connections);
    let started = Instant::now();
    assert!(is_ok(&get(address, "/api/v1/top?n=3")));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    runtime.shutdown_background();
}

/// Takes any file.
struct Takes;

impl Opener for Takes {
    fn open(&self, _: &str, _: Vec<u8>, _: Option<u64>) -> Result<Opened, Refusal> {
        Ok(Opened::default())
    }
}

#[test]
fn slow_uploads_are_rejected() {
    let limits = Limits { upload_grace: Duration::from_millis(500), upload_rate: 1000, ..Limits::default() };
    let setup: Setup = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost").into();
    let router = app(session(folded(SHOP)), Setup { limits, opener: Some(Arc::new(Takes)), most_uploaded: 1 << 20, ..setup });
    let sent = |piece: usize| {
        let pieces = futures_util::stream::unfold(0, move |n| async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            (n < 30).then(|| (Ok::<_, std::io::Error>(vec![b'7'; piece]), n + 1))
        });
        let request = request(Method::POST, "/api/v1/files?name=a", &[("x-heapview", "1")], Body::from_stream(pieces));
        runtime().block_on(async { router.clone().oneshot(request).await.unwrap().status() })
    };
    assert_eq!(sent(1), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(sent(2000), StatusCode::OK);
}
