//! The server from outside: events, tokens, uploads, concurrent requests.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use futures_util::StreamExt;
use heapview::api::{Opened, Opener, Refusal};
use heapview::session::{Progress, Session};
use heapview::web::{Access, Hosts, LoginEvent, Setup, app, serve};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::{folded, program, session};

const SHOP: &str = "main;serve;cache;alloc 600\nmain;serve;parse;alloc 300\nmain;init;alloc 100\n";

fn setup() -> Setup {
    Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost").into()
}

fn request(method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).body(body).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn send(router: &Router, request: Request<Body>) -> (Response<()>, String) {
    runtime().block_on(async {
        let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, 1 << 30).await.unwrap();
        (Response::from_parts(parts, ()), String::from_utf8_lossy(&body).into_owned())
    })
}

fn get(router: &Router, path: &str, headers: &[(&str, &str)]) -> (Response<()>, String) {
    send(router, request(Method::GET, path, headers, Body::empty()))
}

#[test]
fn changes_are_streamed_without_buffering() {
    let session = session(folded(SHOP));
    let router = app(session.clone(), setup());
    runtime().block_on(async {
        let request = request(Method::GET, "/api/v1/events", &[("accept-encoding", "gzip")], Body::empty());
        // A stream keeps no profile open: the router does.
        let response = router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
        let mut events = response.into_body().into_data_stream();
        let mut next = async || {
            let event = tokio::time::timeout(Duration::from_secs(5), events.next()).await.unwrap().unwrap().unwrap();
            let text = String::from_utf8(event.to_vec()).unwrap();
            let data = text.strip_prefix("event: meta\ndata: ").unwrap_or_else(|| panic!("{text}"));
            serde_json::from_str::<Value>(data.trim_end()).unwrap()
        };
        let first = next().await;
        assert_eq!((&first["symbols"]["state"], &first["n_stacks"]), (&"done".into(), &3.into()));
        // Many changes at once are one event, with the last of them in it.
        for done in 0..100 {
            session.set_progress(Progress { done, total: 100, ..Progress::default() });
        }
        session.replace(folded("a;b 5\n"), vec!["a note".into()]);
        let second = next().await;
        assert_eq!((&second["symbols"]["done"], &second["symbols"]["generation"]), (&99.into(), &1.into()));
        assert_eq!((&second["warnings"][0], &second["n_stacks"]), (&"a note".into(), &1.into()));
        assert_eq!(second["instance"], first["instance"]);
        // A change that changes nothing is no news.
        session.set_progress(session.progress());
        assert!(tokio::time::timeout(Duration::from_millis(600), events.next()).await.is_err());
    });
}

#[test]
fn event_streams_are_limited_and_released() {
    let router = app(session(folded(SHOP)), setup());
    runtime().block_on(async {
        let listen = async || router.clone().oneshot(request(Method::GET, "/api/v1/events", &[], Body::empty())).await.unwrap();
        let mut open = Vec::new();
        for _ in 0..256 {
            open.push(listen().await);
        }
        assert!(open.iter().all(|response| response.status() == StatusCode::OK));
        let refused = listen().await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        open.pop();
        assert_eq!(listen().await.status(), StatusCode::OK);
    });
}

fn with_tokens() -> (Router, String, String) {
    let access = Access::with_tokens(Some("the-owner-s-token".into()), None).unwrap();
    let (owner, reader) = (access.owner().unwrap().to_owned(), access.reader().unwrap().to_owned());
    let setup = Setup { access, opener: Some(Arc::new(Counts::default())), most_uploaded: 1000, ..setup() };
    (app(session(folded(SHOP)), setup), owner, reader)
}

#[test]
fn without_a_token_nothing_is_seen() {
    let (router, owner, reader) = with_tokens();
    for path in ["/", "/top?f=x", "/api/v1/top", "/api/v1/meta", "/api/v1/events", "/assets/app.js", "/download"] {
        for query in ["", "token=wrong", "token=", &format!("token={}", &owner[1..]), "code=wrong"] {
            let to = if path.contains('?') { format!("{path}&{query}") } else { format!("{path}?{query}") };
            // A router of its own: wrong tokens are slowed down.
            let (router, ..) = with_tokens();
            for accept in ["text/html", "*/*"] {
                let (response, body) = get(&router, &to, &[("cookie", "heapview_8080=wrong"), ("accept", accept)]);
                assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{to}");
                assert!(response.headers()[header::WWW_AUTHENTICATE].to_str().unwrap().starts_with("Bearer"), "{to}");
                assert!(
                    body.contains("ddress needs the link that heapview printed in its terminal") || body.contains("needs the link"),
                    "{to}: {body}"
                );
                assert!(body.contains("HEAPVIEW_TOKEN") && !body.contains(&owner) && !body.contains(&reader), "{to}: {body}");
                assert!(!response.headers().contains_key(header::SET_COOKIE), "{to}");
            }
        }
    }
    let (_, body) = get(&router, "/api/v1/top?token=wrong", &[]);
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap()["error"],
        "this address needs the link that heapview printed in its terminal; \
         The token or code in this request is not valid for this run of the server"
            .replace("; The", "; the")
    );
    // Data that would leave the page with the browser.
    let (_, body) = get(&router, "/top?f=%22%3E%3Cscript%3E&x='onload='alert(1)", &[("accept", "text/html")]);
    assert!(!body.contains("<script>") && !body.contains("='"), "{body}");
    // Without a browser there is no page, but a text with the way in.
    let (response, body) = get(&router, "/", &[("accept", "*/*")]);
    assert!(response.headers()[header::CONTENT_TYPE].to_str().unwrap().starts_with("text/plain"));
    assert!(body.starts_with("401: this address needs the link") && body.contains("Authorization: Bearer TOKEN"), "{body}");
}

/// Name and value of the cookie that an address leads to.
fn cookie_by(router: &Router, path: &str) -> String {
    let (response, body) = get(router, path, &[]);
    let cookie = response.headers().get(header::SET_COOKIE).unwrap_or_else(|| panic!("{path}: {body}"));
    cookie.to_str().unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn a_token_in_the_address_becomes_a_cookie() {
    let (router, owner, reader) = with_tokens();
    let (response, body) = get(&router, &format!("/top?f=a%26b&token={reader}&n=3"), &[]);
    assert_eq!(response.status(), StatusCode::OK);
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("heapview_8080=") && cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&reader));
    assert!(body.contains(r#"http-equiv="refresh" content="0; url=/top?f=a%26b&#38;n=3""#), "{body}");
    assert_eq!(response.headers()[header::REFERRER_POLICY], "no-referrer");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(get(&router, "/api/v1/top", &[("cookie", cookie)]).0.status(), StatusCode::OK);
    // Programs get a redirect, or send the token as a header.
    let (response, _) = get(&router, &format!("/api/v1/top?token={owner}&n=3"), &[]);
    assert_eq!((response.status(), response.headers()[header::LOCATION].to_str().unwrap()), (StatusCode::SEE_OTHER, "/api/v1/top?n=3"));
    assert_eq!(get(&router, "/api/v1/top", &[("authorization", &format!("Bearer {reader}"))]).0.status(), StatusCode::OK);
    // With a valid cookie, the token is only removed from the address.
    let (response, _) = get(&router, &format!("/top?token={reader}"), &[("cookie", cookie)]);
    assert_eq!((response.status(), response.headers()[header::LOCATION].to_str().unwrap()), (StatusCode::SEE_OTHER, "/top"));
    assert!(!response.headers().contains_key(header::SET_COOKIE));
}

#[test]
fn a_code_in_the_address_becomes_a_cookie_once() {
    let access = Access::with_tokens(None, None).unwrap();
    let announced: Arc<std::sync::Mutex<Vec<LoginEvent>>> = Arc::default();
    let log = announced.clone();
    access.on_event(move |event| log.lock().unwrap().push(event));
    let code = access.printed_code().unwrap().unwrap();
    let router = app(session(folded(SHOP)), Setup { access, ..setup() });
    let link = format!("/top?f=cache&code={code}");
    // HEAD requests, prefetches and scripts of other sites do not consume it.
    let head = send(&router, request(Method::HEAD, &link, &[], Body::empty())).0;
    let ahead = get(&router, &link, &[("sec-purpose", "prefetch;prerender")]).0;
    let script = get(&router, &format!("/api/v1/top?code={code}"), &[("sec-fetch-site", "cross-site")]).0;
    let posted = send(&router, request(Method::POST, &format!("/api/v1/files?code={code}"), &[("x-heapview", "1")], Body::empty())).0;
    for response in [head, ahead, script, posted] {
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    }
    let (response, body) = get(&router, &link, &[("accept", "text/html")]);
    assert!(response.status() == StatusCode::OK && body.contains("url=/top?f=cache\""), "{body}");
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert!(!cookie.contains(&code));
    // Reloaded, or opened again in the same browser, it leads on; elsewhere it has become useless.
    let (response, _) = get(&router, &link, &[("cookie", &cookie)]);
    assert_eq!((response.status(), response.headers()[header::LOCATION].to_str().unwrap()), (StatusCode::SEE_OTHER, "/top?f=cache"));
    let (response, body) = get(&router, &link, &[("accept", "text/html")]);
    assert!(response.status() == StatusCode::UNAUTHORIZED && body.contains("This link has already been used"), "{body}");
    // The next one is in the terminal.
    let LoginEvent::NewCode(next) = announced.lock().unwrap()[0].clone() else { panic!() };
    assert_eq!(cookie_by(&router, &format!("/?code={next}")), cookie);
}

#[test]
fn readers_look_and_owners_open() {
    let (router, owner, reader) = with_tokens();
    let cookie =
        |token: &str| if token == "wrong" { "heapview_8080=wrong".into() } else { cookie_by(&router, &format!("/?token={token}")) };
    let meta = |token: &str| -> Value {
        let (_, body) = get(&router, "/api/v1/meta", &[("cookie", &cookie(token))]);
        serde_json::from_str(&body).unwrap()
    };
    assert_eq!((&meta(&owner)["may_open"], &meta(&reader)["may_open"]), (&true.into(), &false.into()));
    let post = |token: &str| {
        let headers = [("cookie", cookie(token)), ("x-heapview", "1".to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        send(&router, request(Method::POST, "/api/v1/files?name=a", &headers, Body::from("12345")))
    };
    assert_eq!(post("wrong").0.status(), StatusCode::UNAUTHORIZED);
    let (refused, body) = post(&reader);
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert!(body.contains("this link is read-only"), "{body}");
    assert_eq!(post(&owner).0.status(), StatusCode::OK);
    // Everyone may get the reader's token, never the owner's.
    let (_, share) = get(&router, "/api/v1/share", &[("cookie", &cookie(&reader))]);
    assert!(share.contains(&reader) && !share.contains(&owner), "{share}");
}

/// Takes files of digits.
#[derive(Default)]
struct Counts {
    n_opened: AtomicUsize,
}

impl Opener for Counts {
    fn open(&self, name: &str, bytes: Vec<u8>, _: Option<u64>) -> Result<Opened, Refusal> {
        if !bytes.iter().all(u8::is_ascii_digit) {
            return Err(Refusal { error: format!("{name} is no number"), hint: "take another file".into() });
        }
        Ok(Opened { dumps: vec![self.n_opened.fetch_add(1, Ordering::Relaxed)], ..Opened::default() })
    }
}

fn opening() -> Router {
    app(session(folded(SHOP)), Setup { opener: Some(Arc::new(Counts::default())), most_uploaded: 1000, ..setup() })
}

fn post(router: &Router, headers: &[(&str, &str)], body: Body) -> (StatusCode, Value) {
    let (response, body) = send(router, request(Method::POST, "/api/v1/files?name=dir/a.heap", headers, body));
    (response.status(), serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}")))
}

#[test]
fn files_come_from_pages_of_this_server_only() {
    let router = opening();
    let header_pair = ("x-heapview", "1");
    for headers in [
        vec![],
        vec![("content-type", "application/x-www-form-urlencoded")],
        vec![header_pair, ("origin", "http://evil.example")],
        vec![header_pair, ("origin", "null")],
        vec![header_pair, ("origin", "https://localhost:8080")],
        vec![header_pair, ("origin", "http://localhost:8081")],
        vec![header_pair, ("sec-fetch-site", "cross-site")],
        vec![header_pair, ("sec-fetch-site", "same-site")],
    ] {
        assert_eq!(post(&router, &headers, Body::from("1")).0, StatusCode::FORBIDDEN, "{headers:?}");
    }
    let same_origin = [header_pair, ("origin", "http://localhost:8080"), ("sec-fetch-site", "same-origin")];
    let (status, opened) = post(&router, &same_origin, Body::from("1"));
    assert_eq!((status, &opened["dumps"]), (StatusCode::OK, &serde_json::json!([0])));
    // No other site's page learns that it might.
    let (response, _) = send(&router, request(Method::OPTIONS, "/api/v1/files", &[("origin", "http://evil.example")], Body::empty()));
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        let (response, _) = send(&router, request(method.clone(), "/api/v1/top", &[header_pair], Body::empty()));
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    assert_eq!(get(&router, "/api/v1/files", &[]).0.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(post(&app(session(folded(SHOP)), setup()), &same_origin, Body::from("1")).0, StatusCode::METHOD_NOT_ALLOWED);
}

#[test]
fn files_have_so_much_room_together() {
    let router = opening();
    let send = |n: usize| post(&router, &[("x-heapview", "1")], Body::from("7".repeat(n)));
    let endless = || {
        let pieces = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'7'; 100]));
        post(&router, &[("x-heapview", "1")], Body::from_stream(pieces))
    };
    assert_eq!(send(600).0, StatusCode::OK);
    let (status, body) = send(401);
    assert_eq!(
        (status, body["error"].as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, Some("the file is too large: of 1000 bytes for all files, 400 bytes are left"))
    );
    assert!(body["hint"].as_str().unwrap().contains("-upload_limit"));
    assert_eq!(endless().0, StatusCode::PAYLOAD_TOO_LARGE);
    // Rejected uploads use no quota.
    let (status, body) = post(&router, &[("x-heapview", "1")], Body::from("no".repeat(200)));
    assert_eq!(
        (status, body["error"].as_str(), body["hint"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("a.heap is no number"), Some("take another file"))
    );
    assert_eq!(send(400).0, StatusCode::OK);
    assert_eq!(send(1).0, StatusCode::PAYLOAD_TOO_LARGE);
}

/// Takes any file, but slowly.
#[derive(Clone, Default)]
struct Slow {
    n_begun: Arc<AtomicUsize>,
    n_opened: Arc<AtomicUsize>,
}

impl Opener for Slow {
    fn open(&self, _: &str, _: Vec<u8>, _: Option<u64>) -> Result<Opened, Refusal> {
        self.n_begun.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(300));
        self.n_opened.fetch_add(1, Ordering::SeqCst);
        Ok(Opened::default())
    }
}

#[test]
fn uploads_count_against_the_quota_after_a_disconnect() {
    let slow = Slow::default();
    let setup = Setup { opener: Some(Arc::new(slow.clone())), most_uploaded: 1000, ..setup() };
    let router = app(session(folded(SHOP)), setup);
    let runtime = runtime();
    let request = request(Method::POST, "/api/v1/files?name=a", &[("x-heapview", "1")], Body::from("7".repeat(600)));
    let sender = runtime.spawn(router.clone().oneshot(request));
    let until = |n: &AtomicUsize| {
        while n.load(Ordering::SeqCst) == 0 {
            std::thread::sleep(Duration::from_millis(5))
        }
    };
    until(&slow.n_begun);
    sender.abort();
    assert!(runtime.block_on(sender).is_err());
    until(&slow.n_opened);
    let (status, body) = post(&router, &[("x-heapview", "1")], Body::from("7".repeat(401)));
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{body}");
}

#[test]
fn other_sites_can_link_to_downloads_but_not_embed_them() {
    let router = app(session(folded(SHOP)), setup());
    let status = |path: &str, site: &'static str, mode: &'static str, dest: &'static str| {
        get(&router, path, &[("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)]).0.status()
    };
    for path in ["/download?f=cache", "/ui/download"] {
        for site in ["cross-site", "same-site"] {
            assert_eq!(status(path, site, "no-cors", "image"), StatusCode::FORBIDDEN);
            assert_eq!(status(path, site, "navigate", "iframe"), StatusCode::FORBIDDEN);
            assert_eq!(status(path, site, "navigate", "document"), StatusCode::OK);
        }
        assert_eq!(status(path, "same-origin", "cors", "empty"), StatusCode::OK);
        assert_eq!(get(&router, path, &[]).0.status(), StatusCode::OK);
    }
    assert_eq!(status("/api/v1/top", "cross-site", "navigate", "document"), StatusCode::FORBIDDEN);
    for field in ["source_path", "trim_path"] {
        let (response, body) = get(&router, &format!("/download?{field}=/etc"), &[]);
        assert!(response.status() == StatusCode::BAD_REQUEST && body.contains(&format!(r#""field":"{field}""#)), "{body}");
    }
}

#[test]
fn addresses_of_pprof_lead_to_the_page() {
    let router = app(session(folded(SHOP)), setup());
    for path in [
        "/ui",
        "/ui/",
        "/ui/flamegraph",
        "/ui/flamegraph2",
        "/ui/flamegraphold",
        "/ui/top?f=cache&si=inuse_space",
        "/ui/graph",
        "/ui/peek?f=cache",
        "/ui/source?f=cache",
        "/ui/disasm?f=cache",
        "/flamegraph",
        "/top",
        "/graph",
        "/peek",
        "/source",
        "/disasm",
    ] {
        let (response, body) = get(&router, path, &[]);
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert!(body.contains("/assets/app.js") && body.contains(r#"id="boot""#), "{path}");
    }
    // pprof's own parameters still have their meaning.
    assert_eq!(
        get(&router, "/api/v1/top?f=cache&si=inuse_space&nf=0&n=10&sort=cum&g=functions&rel=t&trim=f", &[]).0.status(),
        StatusCode::OK
    );
    let (response, _) = get(&router, "/ui/download?f=cache", &[]);
    assert!(response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().contains("profile.pb.gz"));
}

#[test]
fn compressed_files_of_the_page_are_served_plain() {
    let folder = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("web/static/assets")).unwrap();
    let name = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).find(|name| name.ends_with(".js.zst")).unwrap();
    let (response, script) = get(&app(session(folded(SHOP)), setup()), &format!("/assets/{}", name.trim_end_matches(".zst")), &[]);
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    assert!(script.len() > 1 << 20 && script.contains("postMessage"), "{} bytes", script.len());
}

#[test]
fn meta_has_the_query_of_the_command_line() {
    let query = vec![("base".to_owned(), "1".to_owned())];
    let router = app(session(folded(SHOP)), Setup { query, ..setup() });
    let meta: Value = serde_json::from_str(&get(&router, "/api/v1/meta", &[]).1).unwrap();
    assert_eq!(meta["query"], serde_json::json!([["base", "1"]]));
    let again: Value = serde_json::from_str(&get(&app(session(folded(SHOP)), setup()), "/api/v1/meta", &[]).1).unwrap();
    assert_ne!(meta["instance"], again["instance"]);
}

/// A server on a real socket.
fn served(session: Arc<Session>) -> (tokio::runtime::Runtime, SocketAddr) {
    let runtime = runtime();
    let address = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(serve(listener, session, Hosts::new(address, "localhost")));
        address
    });
    (runtime, address)
}

/// Status and length of what is answered.
fn fetch(address: SocketAddr, path: &str) -> (String, usize) {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let status = String::from_utf8_lossy(&answer[..15.min(answer.len())]).into_owned();
    (status, answer.len())
}

#[test]
fn two_hundred_requests_at_once_during_symbolization() {
    // Some 30,000 stacks of some depth.
    let profile = folded(&many_stacks());
    let session = session(profile.clone());
    session.set_progress(Progress::default());
    let (runtime, address) = served(session.clone());
    let naming = {
        let session = session.clone();
        std::thread::spawn(move || {
            for done in 0..20 {
                session.set_progress(Progress { done, total: 20, ..Progress::default() });
                session.replace(profile.clone(), Vec::new());
                std::thread::sleep(Duration::from_millis(50));
            }
            session.set_progress(Progress { finished: true, ..session.progress() });
        })
    };
    let paths = ["top?n=0", "tree?f=b1", "peek?peek=alloc", "flame", "graph?n=80", "traces?n=100", "tags", "top?f=c7"];
    let answers = std::thread::scope(|scope| {
        let asking: Vec<_> =
            (0..200).map(|i| scope.spawn(move || fetch(address, &format!("/api/v1/{}", paths[i % paths.len()])))).collect();
        // Read-only requests do not wait.
        let meta = std::time::Instant::now();
        assert_eq!(fetch(address, "/api/v1/meta").0, "HTTP/1.1 200 OK");
        assert!(meta.elapsed() < Duration::from_secs(20), "{:?}", meta.elapsed());
        asking.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    naming.join().unwrap();
    for (i, (status, len)) in answers.iter().enumerate() {
        assert!(status == "HTTP/1.1 200 OK" && *len > 500, "{}: {status}, {len} bytes", paths[i % paths.len()]);
    }
    runtime.shutdown_background();
}

/// Some 30,000 stacks of some depth.
fn many_stacks() -> String {
    (0..30_000).map(|i| format!("main;a{};b{};c{};d{};alloc {}\n", i % 7, i % 91, i % 1009, i, i + 1)).collect()
}

/// A program that ends with the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// heapview with these arguments, and the first lines of its output.
    fn start(args: &[&str], n_lines: usize) -> (Running, Vec<String>) {
        // Test clients send no cookie; those with a token pass it in the address.
        let open: &[&str] = if args.iter().any(|word| word.starts_with("-token")) { &[] } else { &["-no_token"] };
        let mut child = program().args(args).args(open).stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let is_expected = |line: &String| !line.starts_with("-token is visible");
        let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).filter(is_expected).take(n_lines).collect();
        (Running(child), lines)
    }

    /// Peak memory, bytes; `None` if the system does not report it.
    fn peak(&self) -> Option<usize> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kb| kb << 10)
    }
}

/// The address in a line.
fn address_in(line: &str) -> SocketAddr {
    let start = line.find("http://").unwrap() + "http://".len();
    line[start..].split('/').next().unwrap().replace("localhost", "127.0.0.1").parse().unwrap()
}

#[test]
fn two_hundred_requests_use_the_memory_of_a_few() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.folded");
    std::fs::write(&file, many_stacks()).unwrap();
    let (running, startup) = Running::start(&["-http=localhost:0", "-no_browser", file.to_str().unwrap()], 1);
    let address = address_in(&startup[0]);
    assert_eq!(fetch(address, "/api/v1/tree?f=c1&n=0").0, "HTTP/1.1 200 OK");
    let few = running.peak();
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..200).map(|i| scope.spawn(move || fetch(address, &format!("/api/v1/tree?f=c{}&n=0", i % 190)))).collect();
        asking.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap().0, "HTTP/1.1 200 OK"));
    });
    if let Some((few, many)) = few.zip(running.peak()) {
        // Twelve totals and six trees are cached, for all clients together.
        assert!(many < few + (200 << 20), "{} MB for one, {} MB for 200", few >> 20, many >> 20);
    }
}

#[test]
fn sharing_prints_links_and_what_they_open() {
    let dump = crate::fixture::path("testdata/gperftools/shop.0003.heap");
    let args = ["-http=0.0.0.0:0", "-no_browser", "-token=a-word-of-my-own", "-focus=main", dump.to_str().unwrap()];
    let (_running, startup) = Running::start(&args, 4);
    let startup = startup.join("\n");
    let address = address_in(&startup);
    let start = format!("Serving web UI on http://localhost:{}/?focus=main&code=", address.port());
    assert!(startup.starts_with(&start) && !startup.contains("a-word-of-my-own"), "{startup}");
    let link = startup.lines().find(|line| line.starts_with("  http://"));
    // Without a network there is no one to share with.
    if let Some(link) = link {
        assert!(link.contains(&format!(":{}/?focus=main&token=", address.port())) && !link.contains("a-word-of-my-own"), "{startup}");
    }
    assert!(startup.contains("not encrypted") || startup.contains("no network address"), "{startup}");
    assert_eq!(fetch(address, "/api/v1/meta").0, "HTTP/1.1 401 Un");
}

#[test]
fn flags_of_sharing_are_checked() {
    let dump = crate::fixture::path("testdata/gperftools/shop.0003.heap");
    for (flags, error) in [
        (vec!["-http=:", "-token=short"], "-token: the token has 5 characters; use at least 12"),
        (vec!["-http=:", "-token=a/b?c&d=e=f=g"], "invalid character '/' in the token"),
        (vec!["-http=:", "-token=long-enough-word", "-no_token"], "-no_token cannot be combined with -token and -token-file"),
        (vec!["-http=:", "-token=long-enough-word", "-token-file=/dev/null"], "-token and -token-file cannot be combined"),
        (vec!["-http=:", "-token-file=/no/such/file"], "-token-file=/no/such/file: No such file"),
        (vec!["-http=:", "-upload_limit=5bananas"], "unknown unit \"bananas\""),
        (vec!["-http=:", "-upload_limit=GB"], "expected a size such as 500MB or 2GB"),
        (vec!["-top", "-no_token"], "-no_token needs -http"),
    ] {
        let out = program().args(&flags).arg(&dump).output().unwrap();
        let text = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.code() == Some(2) && text.contains(error), "{flags:?}: {text}");
    }
}

/// Sends a file and returns what is answered.
fn upload(address: SocketAddr, name: &str, bytes: &[u8]) -> (String, Value) {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /api/v1/files?name={name} HTTP/1.1\r\nHost: {address}\r\nx-heapview: 1\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // It may be rejected before it is sent completely.
    let _ = stream.write_all(bytes);
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer}"));
    (head.lines().next().unwrap().to_owned(), serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {answer}")))
}

fn json_of(address: SocketAddr, path: &str) -> Value {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|e| panic!("{path}: {e}: {answer}"))
}

/// Waits until all names were looked up.
fn named(address: SocketAddr) -> Value {
    for _ in 0..600 {
        let meta = json_of(address, "/api/v1/meta");
        if meta["symbols"]["state"] == "done" && meta["symbols"]["verdict"] != "" {
            return meta;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("names do not come to an end");
}

#[test]
fn opened_profiles_are_further_dumps_and_change_nothing_else() {
    let testdata = |path: &str| crate::fixture::path("testdata").join(path);
    let args = [testdata("bin/shop"), testdata("gperftools/shop.0001.heap")].map(|path| path.to_str().unwrap().to_owned());
    let (_running, startup) = Running::start(&["-http=localhost:0", "-no_browser", &args[0], &args[1]], 1);
    let address = address_in(&startup[0]);
    named(address);
    let before = json_of(address, "/api/v1/top?n=0");
    let (status, opened) = upload(address, "later.heap", &std::fs::read(testdata("gperftools/shop.0003.heap")).unwrap());
    assert_eq!((status.as_str(), &opened["dumps"]), ("HTTP/1.1 200 OK", &serde_json::json!([1])), "{opened}");
    let meta = named(address);
    assert_eq!((&meta["dumps"][1]["name"], &meta["dumps"][1]["is_added"]), (&"later.heap".into(), &true.into()));
    let after = json_of(address, "/api/v1/top?n=0");
    assert_eq!((&before["header"]["total"], &before["flat"], &before["row"]), (&after["header"]["total"], &after["flat"], &after["row"]));
    // The new dump has what the program prints of it.
    let printed = program().args(["-top", "-json", "-nodecount=0", &args[0]]).arg(testdata("gperftools/shop.0003.heap")).output().unwrap();
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let opened = json_of(address, "/api/v1/top?n=0&dump=1");
    assert_eq!(
        (&opened["header"]["total"], &opened["flat"], &opened["cum"]),
        (&printed["header"]["total"], &printed["flat"], &printed["cum"])
    );
    let names = |report: &Value| report["row"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&opened), names(&printed));
    assert_eq!(json_of(address, "/api/v1/top?base=1")["header"]["base_total"], printed["header"]["total"]);
    // Known names are not looked up again.
    let again = |name: &str| {
        let (status, opened) = upload(address, "again.heap", &std::fs::read(testdata(name)).unwrap());
        assert!(status.contains("200"), "{opened}");
        named(address)["symbols"]["total"].as_u64().unwrap()
    };
    assert_eq!(again("gperftools/shop.0003.heap"), 0);
    assert_eq!(names(&json_of(address, "/api/v1/top?n=0&dump=2")), names(&printed));
    // Other files open nothing.
    for (name, bytes, error) in [
        ("a.txt", b"hello".to_vec(), "cannot read a.txt"),
        ("empty", Vec::new(), "cannot read empty"),
        (
            "b.folded",
            b"# bananas count\na;b 5\n".to_vec(),
            "b.folded cannot be combined with the open profile: the profiles have no value type in common",
        ),
        ("elf", b"\x7fELF and nothing more".to_vec(), "cannot read the binary elf"),
        ("other", std::fs::read(testdata("bin/shop-v0")).unwrap(), "other does not match any binary in this profile"),
    ] {
        let (status, answer) = upload(address, name, &bytes);
        assert!(status.contains("422") && answer["error"].as_str().unwrap().starts_with(error), "{name}: {status} {answer}");
    }
    assert_eq!(json_of(address, "/api/v1/meta")["dumps"].as_array().unwrap().len(), 3);
}

#[test]
fn opening_another_profile_keeps_value_types() {
    let depot = crate::fixture::path("testdata/pprof/depot.0.pb.gz");
    let (_running, startup) = Running::start(&["-http=localhost:0", "-no_browser", depot.to_str().unwrap()], 1);
    let address = address_in(&startup[0]);
    let before = named(address);
    let (status, opened) = upload(address, "small.folded", b"main;work;alloc 96\n");
    assert!(status.contains("200"), "{status} {opened}");
    assert_eq!(opened["notes"], serde_json::json!(["small.folded has no alloc_objects, alloc_space, inuse_objects; shown as 0"]));
    let meta = named(address);
    assert_eq!((&meta["value_types"], meta["value_types"].as_array().map(Vec::len)), (&before["value_types"], Some(4)));
    let total = |question: &str| json_of(address, &format!("/api/v1/top?{question}"))["header"]["total"].clone();
    assert!(total("si=alloc_space").as_i64() > Some(0));
    assert_eq!((total("si=alloc_space&dump=1"), total("si=inuse_space&dump=1")), (0.into(), 96.into()));
}

#[test]
fn opened_binaries_supply_missing_names() {
    let testdata = |path: &str| crate::fixture::path("testdata").join(path);
    let dump = testdata("gperftools/shop.0003.heap");
    let (_running, startup) = Running::start(&["-http=localhost:0", "-no_browser", dump.to_str().unwrap()], 1);
    let address = address_in(&startup[0]);
    let before = named(address);
    let (status, opened) = upload(address, "shop", &std::fs::read(testdata("bin/shop")).unwrap());
    assert!(status.contains("200") && opened["fits"][0].as_str().unwrap().ends_with("/shop"), "{status} {opened}");
    let mut meta = named(address);
    for _ in 0..100 {
        if meta["named_permille"] != before["named_permille"] {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
        meta = named(address);
    }
    assert!(meta["named_permille"].as_u64() > before["named_permille"].as_u64(), "{before} {meta}");
    let printed = program().args(["-top", "-json", testdata("bin/shop").to_str().unwrap()]).arg(&dump).output().unwrap();
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let top = json_of(address, "/api/v1/top");
    assert_eq!((&top["row"][0]["name"], &top["flat"][0]), (&printed["row"][0]["name"], &printed["flat"][0]));
    // Its code can be shown, too.
    let code = json_of(address, "/api/v1/disasm?disasm=remember");
    assert!(code["routine"].as_array().is_some_and(|routines| !routines.is_empty()), "{code}");
}
