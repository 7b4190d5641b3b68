//! The team server in operation: who a proxy says is asking, quotas of tokens, the log, and metrics.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use heapview::store::{Quota, Store, TokenRole};
use heapview::web::{Log, LogFormat, Proxies, TeamSetup, serve_team, team_app};
use tower::ServiceExt;

use crate::store::{open, setup};

pub(crate) fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

/// Sends a request over a socket from 127.0.0.1, for this address unless the first header is another `host`; the whole answer.
pub(crate) async fn ask(port: u16, request: &str, headers: &[&str], body: &str) -> String {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let length = body.len();
    let host = if headers.starts_with("host:") { String::new() } else { format!("host: 127.0.0.1:{port}\r\n") };
    let text = format!("{request} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    asked.await.unwrap()
}

pub(crate) fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Serves a store until the result is dropped; also returns the port.
pub(crate) async fn served(setup: TeamSetup) -> (u16, tokio::sync::oneshot::Sender<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    tokio::spawn(serve_team(listener, setup, async move { drop(stopped.await) }));
    (port, stop)
}

#[test]
fn only_a_named_proxy_says_who_is_asking() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let proxies = |address: &str| Proxies::new(address, "", "root").unwrap();
        let url = "https://heap.example.org".to_owned();
        let (behind, _stop) = served(TeamSetup { proxies: proxies("127.0.0.0/8"), url, ..setup(&store, false) }).await;
        let ask = async |port: u16, request: &str, headers: &[&str], body: &str| {
            let host = if port == behind { &["host: heap.example.org"][..] } else { &[] };
            ask(port, request, &[host, headers].concat(), body).await
        };
        let (elsewhere, _stop) = served(TeamSetup { proxies: proxies("10.0.0.1"), ..setup(&store, false) }).await;
        let (without, _stop) = served(setup(&store, false)).await;
        let (alice, root) = ("x-forwarded-user: alice", "x-forwarded-user: root");
        assert_eq!(status(&ask(behind, "GET /", &[alice], "").await), 200);
        assert_eq!(status(&ask(behind, "GET /", &[], "").await), 401, "the proxy logged nobody in");
        // Anybody else who sends the header.
        for port in [elsewhere, without] {
            for user in [alice, root] {
                assert_eq!(status(&ask(port, "GET /", &[user], "").await), 401);
                assert_eq!(status(&ask(port, "PUT /api/v1/dumps?service=forest", &[user], "main;grow 5\n").await), 401);
            }
        }
        // Two names: the proxy adds to what the visitor sent.
        for spoofed in [&[root, alice][..], &["x-forwarded-user: root, alice"], &["x-forwarded-user: \u{e9}"]] {
            assert_eq!(status(&ask(behind, "GET /", spoofed, "").await), 400, "{spoofed:?}");
        }
        let bearer = format!("authorization: Bearer {view}");
        assert_eq!(status(&ask(elsewhere, "GET /", &[&bearer, root], "").await), 200);
        // Users look; the named ones may do everything, but not for another site's page.
        let upload = "PUT /api/v1/dumps?service=forest";
        let refused = ask(behind, upload, &[alice], "main;grow 5\n").await;
        assert!(status(&refused) == 403 && refused.contains("user alice may not upload"), "{refused}");
        assert_eq!(status(&ask(behind, upload, &[root, "sec-fetch-site: cross-site"], "main;grow 5\n").await), 403);
        assert_eq!(status(&ask(behind, upload, &[root, "origin: https://evil.example"], "main;grow 5\n").await), 403);
        assert_eq!(status(&ask(behind, upload, &[root], "main;grow 5\n").await), 201);
        assert_eq!(store.dumps_of("forest").unwrap()[0].token, "user root");
        // Where links lead.
        let forwarded = ["x-forwarded-host: heap.example.org", "x-forwarded-proto: https"];
        let link = |answer: String| answer.split("\r\n\r\n").nth(1).unwrap().trim().to_owned();
        let by_proxy = ask(behind, upload, &[&[root][..], &forwarded].concat(), "main;grow 5\n").await;
        assert!(link(by_proxy.clone()).starts_with("https://heap.example.org/d/"), "{by_proxy}");
        let admin = store.add_token("admin", TokenRole::Admin, &[]).unwrap();
        let bearer = format!("authorization: Bearer {admin}");
        let spoofed = ask(elsewhere, upload, &[&[bearer.as_str()][..], &forwarded].concat(), "main;grow 5\n").await;
        assert!(link(spoofed.clone()).starts_with(&format!("http://127.0.0.1:{elsewhere}/d/")), "{spoofed}");
        let page = ask(behind, "GET /", &[alice, "accept: text/html"], "").await;
        assert!(page.contains("Logged in as user alice"), "{page}");
    });
}

struct Answer {
    status: StatusCode,
    retry: Option<u64>,
    text: String,
}

async fn put(router: &axum::Router, to: &str, token: &str, body: String) -> Answer {
    let request = Request::put(to).header(header::HOST, "127.0.0.1").header(header::AUTHORIZATION, format!("Bearer {token}"));
    let response = router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let retry = response.headers().get(header::RETRY_AFTER).map(|after| after.to_str().unwrap().parse().unwrap());
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 30).await.unwrap();
    Answer { status, retry, text: String::from_utf8_lossy(&bytes).into_owned() }
}

#[test]
fn tokens_have_quotas() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let token = store.add_token("ci", TokenRole::Push, &["*".into()]).unwrap();
        let other = store.add_token("other", TokenRole::Push, &["*".into()]).unwrap();
        let view = store.add_token("team", TokenRole::View, &[]).map(|_| store.set_quota("team", Quota::default()));
        assert!(view.unwrap().is_err(), "a view token sends nothing");
        store.set_quota("ci", Quota { bytes_a_day: 1000, dumps_a_minute: 0 }).unwrap();
        let router = |store: &Arc<Store>| team_app(setup(store, false));
        let dump = |n: usize| format!("main;f{n}{} 5\n", "x".repeat(380));
        let to = "/api/v1/dumps?service=forest";
        let first = router(&store);
        for n in 0..2 {
            assert_eq!(put(&first, to, &token, dump(n)).await.status, StatusCode::CREATED);
        }
        let over = put(&first, to, &token, dump(2)).await;
        assert_eq!(over.status, StatusCode::TOO_MANY_REQUESTS, "{}", over.text);
        assert!(over.text.contains("the token ci has sent 780 bytes of the 1000 bytes that it may send a day"), "{}", over.text);
        assert!(over.retry.is_some_and(|after| (86_000..=86_460).contains(&after)), "{:?}", over.retry);
        // The same bytes again need nothing, and others have their own.
        assert_eq!(put(&first, to, &token, dump(0)).await.status, StatusCode::OK);
        assert_eq!(put(&first, to, &other, dump(3)).await.status, StatusCode::CREATED);
        // After a restart, and in another replica.
        let second = router(&open(folder.path()));
        assert_eq!(put(&second, to, &token, dump(2)).await.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(store.dumps_of("forest").unwrap().len(), 3);
        // Dumps a minute: many at once, and never one too many.
        store.set_quota("ci", Quota { bytes_a_day: 0, dumps_a_minute: 7 }).unwrap();
        let answers = futures_util::future::join_all((10..40).map(|n| put(&first, to, &token, dump(n)))).await;
        let n_taken = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
        let retries: Vec<u64> = answers.iter().filter_map(|answer| answer.retry).collect();
        // Two were sent before; a minute of the clock may have ended meanwhile.
        assert!((5..=14).contains(&n_taken), "{n_taken}");
        assert!(!retries.is_empty() && retries.iter().all(|after| (1..=61).contains(after)), "{retries:?}");
        assert!(answers.iter().all(|answer| [201, 429].contains(&answer.status.as_u16())));
    });
}

#[test]
fn short_links_lead_below_this_server() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let router = team_app(setup(&store, true));
        let ask = async |method: &str, to: &str, headers: &[(&str, &str)], body: &str| {
            let request = Request::builder().method(method).uri(to).header(header::HOST, "127.0.0.1:80");
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            let response = router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
            let location = response.headers().get(header::LOCATION).map_or("", |to| to.to_str().unwrap()).to_owned();
            (response.status().as_u16(), location)
        };
        let view = "/s/forest/..;version=1/flamegraph?f=cache%20add&h=x";
        let (made, link) = ask("POST", "/api/v1/links", &[], view).await;
        assert_eq!(made, 201);
        let path = link.strip_prefix("http://127.0.0.1:80").unwrap().to_owned();
        assert_eq!(
            ask("POST", "/api/v1/links", &[], &format!("http://127.0.0.1:80{view}&token=hv_secret")).await.1,
            link,
            "without secrets"
        );
        assert_eq!(ask("GET", &path, &[], "").await, (303, view.to_owned()));
        assert_eq!(ask("GET", "/l/aaaaaaaaaaaaaaaa", &[], "").await.0, 404);
        assert_eq!(ask("GET", "/l/..%2f..%2fauth", &[], "").await.0, 404);
        let long = format!("/d/{}", "x".repeat(9000));
        for foreign in [
            "https://evil.example/d/x",
            "//evil.example/d/x",
            "/\\evil.example/d/x",
            "/d/../../evil",
            "/d/%2e%2e/login",
            "/d/.%2e/login",
            "/d/%2E./login",
            "/d/x/%2e/login",
            "/login?to=x",
            "/d/a\r\nset-cookie: x",
            "/d/a b",
            "/d/a#b",
            "http://127.0.0.1:80@evil.example/d/x",
            "javascript:alert(1)",
            "",
            &long,
        ] {
            assert_eq!(ask("POST", "/api/v1/links", &[], foreign).await.0, 400, "{foreign}");
        }
        // What somebody else puts into the store leads nowhere.
        if let Ok(bad) = std::fs::read_dir(folder.path().join("links")) {
            let file = bad.map(|entry| entry.unwrap().path()).next().unwrap();
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, "https://evil.example/").unwrap();
            assert_eq!(ask("GET", &path, &[], "").await.0, 404);
        }
        assert_eq!(ask("POST", "/api/v1/links", &[("sec-fetch-site", "cross-site")], view).await.0, 403);
        assert_eq!(ask("POST", "/api/v1/links", &[("origin", "http://evil.example")], view).await.0, 403);
        store.change_settings(&[("most_links".into(), "2".into())]).unwrap();
        assert_eq!(ask("POST", "/api/v1/links", &[], "/d/one/").await.0, 201);
        assert_eq!(ask("POST", "/api/v1/links", &[], "/d/two/").await.0, 409);
    });
}

#[test]
fn an_upload_under_way_ends_before_the_server() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let (port, stop) = served(setup(&store, true)).await;
        let body = "main;serve 500\n";
        let (sender, half) = std::sync::mpsc::channel::<()>();
        let sending = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let head = format!(
                "PUT /api/v1/dumps?service=forest HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body[..5]).as_bytes()).unwrap();
            half.recv().unwrap();
            stream.write_all(&body.as_bytes()[5..]).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        });
        let pause = || tokio::time::sleep(std::time::Duration::from_millis(300));
        pause().await;
        drop(stop);
        pause().await;
        // No new ones, and balancers know.
        assert_eq!(status(&ask(port, "PUT /api/v1/dumps?service=forest", &[], "main 7\n").await), 503);
        assert_eq!(status(&ask(port, "GET /healthz", &[], "").await), 503);
        sender.send(()).unwrap();
        let answer = sending.await.unwrap();
        assert_eq!(status(&answer), 201, "{answer}");
        assert_eq!(store.dumps_of("forest").unwrap().len(), 1);
        pause().await;
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "the server has ended");
    });
}

/// What a log wrote.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn requests_are_logged_without_secrets_and_counted() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let push = store.add_token("ci", TokenRole::Push, &["forest".into()]).unwrap();
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let kept = Kept::default();
        let log = Log::to(kept.clone(), LogFormat::Json).unwrap();
        let (port, stop) = served(TeamSetup { log: log.clone(), ..setup(&store, false) }).await;
        let bearer = format!("authorization: Bearer {push}");
        let body = "main;secret_function 500\n";
        let sent = ask(port, "PUT /api/v1/dumps?service=forest&version=1", &[&bearer], body).await;
        assert_eq!(status(&sent), 201);
        assert_eq!(status(&ask(port, "PUT /api/v1/dumps?service=shop", &[&bearer], body).await), 403);
        assert_eq!(status(&ask(port, &format!("GET /services/forest?token={view}"), &[], "").await), 303);
        assert_eq!(status(&ask(port, "GET /d/nosuch?token=hv_guess", &["authorization: Bearer hv_guess"], "").await), 401);
        assert_eq!(status(&ask(port, "POST /ingest?name=forest", &["authorization: Bearer hv_guess"], body).await), 401);
        let metrics = ask(port, "GET /metrics", &[&format!("authorization: Bearer {view}")], "").await;
        for row in [
            "heapview_uploads_total{kind=\"dump\",outcome=\"stored\"} 1\n",
            "heapview_uploads_total{kind=\"dump\",outcome=\"refused\"} 1\n",
            "heapview_http_requests_total{route=\"/api/v1/dumps\",status=\"201\"} 1\n",
            "heapview_http_request_duration_seconds_bucket{route=\"/api/v1/dumps\",le=\"+Inf\"} 2\n",
            "heapview_http_request_duration_seconds_count{route=\"/services/\"} 1\n",
            "heapview_dumps{service=\"forest\"} 1\n",
            "heapview_store_up 1\n",
        ] {
            assert!(metrics.contains(row), "{row} is not in {metrics}");
        }
        drop(stop);
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        log.flush();
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        for secret in [&push[..], &view, "hv_guess", "secret_function"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
        assert_eq!(events, ["start", "upload", "upload", "request", "request", "upload", "stop"], "{text}");
        let upload = &lines[1];
        assert_eq!((upload["who"].as_str(), upload["service"].as_str()), (Some("ci"), Some("forest")));
        assert_eq!((upload["status"].as_u64(), upload["received"].as_u64()), (Some(201), Some(body.len() as u64)));
        assert!(upload["ms"].as_f64().unwrap() > 0.0 && upload["level"] == "info");
        let id = upload["request"].as_str().unwrap();
        assert!(sent.contains(&format!("x-request-id: {id}\r\n")), "{sent}");
        assert!(lines[2]["level"] == "warn" && lines[2]["error"].as_str().unwrap().contains("may not push"), "{}", lines[2]);
    });
}
