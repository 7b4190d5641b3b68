//! A server without a profile: its answers, the right to open files, and the first profile.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use heapview::api::{Opened, Opener, Refusal, StartEntry, StartList};
use heapview::profile::Profile;
use heapview::web::{Access, Hosts, Setup, app};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::{path, program, session};
use crate::served::{Server, send};

const OWNER: &str = "owner-owner-owner";
const READER: &str = "reader-reader-reader";

/// Offers one entry.
struct Offers;

impl Opener for Offers {
    fn open(&self, _: &str, _: Vec<u8>, _: Option<u64>) -> Result<Opened, Refusal> {
        Ok(Opened::default())
    }

    fn start_list(&self) -> StartList {
        let entry = StartEntry { id: "1".into(), name: "x.heap".into(), ..StartEntry::default() };
        StartList { folder: "/home/ann/dumps".into(), here: vec![entry], ..StartList::default() }
    }

    fn open_listed(&self, id: &str, _: Option<u64>) -> Result<Opened, Refusal> {
        match id {
            "1" => Ok(Opened { dumps: vec![0], ..Opened::default() }),
            _ => Err(Refusal { error: "this list is out of date".into(), hint: String::new() }),
        }
    }
}

fn router() -> Router {
    let access = Access::with_tokens(Some(OWNER.into()), Some(READER.into())).unwrap();
    let hosts = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost");
    let empty = session(Profile::empty());
    empty.set_waiting("Waiting for the first dump in /home/ann/dumps".into());
    app(empty, Setup { access, opener: Some(Arc::new(Offers)), most_uploaded: 1 << 20, ..hosts.into() })
}

fn fetch(router: &Router, method: Method, to: &str, token: &str, headers: &[(&str, &str)]) -> (StatusCode, String) {
    let request = Request::builder().method(method).uri(to).header(header::HOST, "localhost:8080");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let (parts, body) = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        (parts.status, String::from_utf8_lossy(&body).into_owned())
    })
}

#[test]
fn without_a_profile_there_are_no_reports_and_no_panic() {
    let router = router();
    for report in ["summary", "top", "flame?zoom=1", "source?list=x", "growth", "traces.folded", "flame.svg", "summary.md", "share"] {
        let (status, body) = fetch(&router, Method::GET, &format!("/api/v1/{report}"), OWNER, &[]);
        // A link for others needs no profile.
        if report != "share" {
            assert_eq!(status, StatusCode::CONFLICT, "{report}: {body}");
            assert!(body.contains("no profile is open yet"), "{report}: {body}");
        }
    }
    for file in ["/download", "/api/v1/report.html"] {
        assert_eq!(fetch(&router, Method::GET, file, OWNER, &[]).0, StatusCode::CONFLICT, "{file}");
    }
    let (status, page) = fetch(&router, Method::GET, "/", OWNER, &[]);
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("<title>heapview</title>"), "{page}");
}

#[test]
fn start_list_requires_owner_and_own_page() {
    let router = router();
    let header_pair = ("x-heapview", "1");
    let (status, list) = fetch(&router, Method::GET, "/api/v1/start", OWNER, &[]);
    assert_eq!((status, list.contains("x.heap")), (StatusCode::OK, true));
    let (status, list) = fetch(&router, Method::GET, "/api/v1/start", READER, &[]);
    assert_eq!((status, list.contains("x.heap"), list.contains("/home")), (StatusCode::FORBIDDEN, false, false));
    assert_eq!(fetch(&router, Method::POST, "/api/v1/start?id=1", READER, &[header_pair]).0, StatusCode::FORBIDDEN);
    for headers in [&[][..], &[header_pair, ("origin", "http://evil.example")], &[header_pair, ("sec-fetch-site", "cross-site")]] {
        assert_eq!(fetch(&router, Method::POST, "/api/v1/start?id=1", OWNER, headers).0, StatusCode::FORBIDDEN, "{headers:?}");
    }
    assert_eq!(fetch(&router, Method::POST, "/api/v1/start?id=1", OWNER, &[header_pair]).0, StatusCode::OK);
    assert_eq!(fetch(&router, Method::DELETE, "/api/v1/start/recent", READER, &[header_pair]).0, StatusCode::FORBIDDEN);
    for headers in [&[][..], &[header_pair, ("origin", "http://evil.example")], &[header_pair, ("sec-fetch-site", "cross-site")]] {
        assert_eq!(fetch(&router, Method::DELETE, "/api/v1/start/recent", OWNER, headers).0, StatusCode::FORBIDDEN, "{headers:?}");
    }
    let (status, list) = fetch(&router, Method::DELETE, "/api/v1/start/recent", OWNER, &[header_pair]);
    assert_eq!((status, list.contains("x.heap")), (StatusCode::OK, true));
    for id in ["2", "", "../x.heap", "%2Fetc%2Fpasswd"] {
        let (status, body) = fetch(&router, Method::POST, &format!("/api/v1/start?id={id}"), OWNER, &[header_pair]);
        assert_eq!((status, body.contains("out of date")), (StatusCode::UNPROCESSABLE_ENTITY, true), "{id}: {body}");
    }
    // Readers learn that something is waited for, but no folder.
    let (_, meta) = fetch(&router, Method::GET, "/api/v1/meta", READER, &[]);
    assert!(meta.contains("Waiting for the first dump in dumps") && !meta.contains("/home"), "{meta}");
}

#[test]
fn report_files_are_the_owners() {
    assert_eq!(fetch(&router(), Method::GET, "/api/v1/report.html", READER, &[]).0, StatusCode::FORBIDDEN);
}

/// A program that is killed at the end of the test.
struct Running {
    child: Child,
    address: SocketAddr,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(folder: &std::path::Path, args: &[&str]) -> Running {
        let mut command = program();
        command.current_dir(folder).env("XDG_CACHE_HOME", folder.join(".cache")).args(["-http=localhost:0", "-no_browser", "-no_token"]);
        let mut child = command.args(args).stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let line = lines.find(|line| line.starts_with("Serving web UI on")).unwrap();
        // A reader is needed for the remaining output.
        std::thread::spawn(move || lines.for_each(drop));
        let at = line.split("localhost:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap();
        Running { child, address: SocketAddr::from(([127, 0, 0, 1], at)) }
    }

    fn fetch(&self, line: &str) -> (String, Value) {
        self.send(line, b"")
    }

    fn send(&self, line: &str, body: &[u8]) -> (String, Value) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let port = self.address.port();
        let head = format!("Host: localhost:{port}\r\nx-heapview: 1\r\nContent-Length: {}\r\nConnection: close", body.len());
        write!(stream, "{line} HTTP/1.1\r\n{head}\r\n\r\n").unwrap();
        stream.write_all(body).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.lines().next().unwrap().to_owned();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// Metadata, once this many dumps are open.
    fn with_dumps(&self, n: usize) -> Value {
        let begin = Instant::now();
        loop {
            let (_, meta) = self.fetch("GET /api/v1/meta");
            if meta["dumps"].as_array().unwrap().len() == n {
                return meta;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{meta}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn dumps_of_the_folder_open_once_by_entry() {
    let folder = tempfile::tempdir().unwrap();
    for n in [1, 2, 3] {
        let name = format!("shop.000{n}.heap");
        std::fs::copy(path("testdata/gperftools").join(&name), folder.path().join(&name)).unwrap();
    }
    let running = Running::start(folder.path(), &[]);
    assert_eq!(running.fetch("POST /api/v1/start?id=1-1").0, "HTTP/1.1 422 Unprocessable Entity", "before there was a list");
    let (_, list) = running.fetch("GET /api/v1/start");
    assert_eq!((list["here"].as_array().unwrap().len(), &list["here"][0]["n_dumps"]), (1, &Value::from(3)));
    let id = list["here"][0]["id"].as_str().unwrap();
    assert_eq!(running.fetch("POST /api/v1/start?id=shop.0001.heap").0, "HTTP/1.1 422 Unprocessable Entity");
    assert_eq!(running.fetch(&format!("POST /api/v1/start?id={id}")).0, "HTTP/1.1 200 OK");
    let meta = running.with_dumps(3);
    assert_eq!((&meta["dumps"][0]["is_added"], &meta["dumps"][2]["is_added"]), (&Value::from(true), &Value::from(false)));
    let (status, again) = running.fetch(&format!("POST /api/v1/start?id={id}"));
    assert_eq!((status.as_str(), again["error"].as_str()), ("HTTP/1.1 422 Unprocessable Entity", Some("a profile is already open")));
    drop(running);
    let (_, list) = Running::start(folder.path(), &[]).fetch("GET /api/v1/start");
    assert_eq!(list["recent"][0]["name"], "shop.0001.heap shop.0002.heap shop.0003.heap");
}

#[test]
fn owners_can_clear_recent_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(path("testdata/gperftools/shop.0001.heap"), folder.path().join("shop.0001.heap")).unwrap();
    let running = Running::start(folder.path(), &["shop.0001.heap"]);
    let names = |list: &Value, of: &str| list[of].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&running.fetch("GET /api/v1/start").1, "recent"), ["shop.0001.heap"]);
    let (status, list) = running.fetch("DELETE /api/v1/start/recent");
    assert_eq!((status.as_str(), names(&list, "recent")), ("HTTP/1.1 200 OK", Vec::new()));
    // Files of the folder are still listed.
    assert_eq!(names(&list, "here"), ["shop.0001.heap"]);
    drop(running);
    let running = Running::start(folder.path(), &[]);
    let (_, list) = running.fetch("GET /api/v1/start");
    assert_eq!(names(&list, "recent"), Vec::<Value>::new());
    assert_eq!(running.fetch("DELETE /api/v1/start/recent").0, "HTTP/1.1 200 OK");
}

/// The error of an answer.
fn error((status, body): &(String, Value)) -> (&str, &str) {
    (status.as_str(), body["error"].as_str().unwrap_or_default())
}

#[test]
fn an_open_profile_is_replaced_only_on_request() {
    const REFUSED: &str = "HTTP/1.1 422 Unprocessable Entity";
    let folder = tempfile::tempdir().unwrap();
    for n in [1, 2, 3] {
        let name = if n == 3 { "before.heap".to_owned() } else { format!("shop.000{n}.heap") };
        std::fs::copy(path(&format!("testdata/gperftools/shop.000{n}.heap")), folder.path().join(name)).unwrap();
    }
    let running = Running::start(folder.path(), &["-symbolize=none", "-upload_limit=1MB"]);
    let (_, list) = running.fetch("GET /api/v1/start");
    let id =
        |n_dumps: usize| list["here"].as_array().unwrap().iter().find(|entry| entry["n_dumps"] == n_dumps).unwrap()["id"].as_str().unwrap();
    let open = |n_dumps: usize, rest: &str| running.fetch(&format!("POST /api/v1/start?id={}{rest}", id(n_dumps)));
    assert_eq!(open(2, "").0, "HTTP/1.1 200 OK");
    let room = |meta: &Value| meta["room"].as_u64().unwrap();
    let meta = running.with_dumps(2);
    assert_eq!((&meta["may_replace"], &meta["profile_number"]), (&Value::from(true), &Value::Null));
    let empty_room = room(&meta);
    // A dump beside it, which is closed with it.
    let dump = std::fs::read(folder.path().join("before.heap")).unwrap();
    assert_eq!(running.send("POST /api/v1/files?name=added.heap", &dump).0, "HTTP/1.1 200 OK");
    let meta = running.with_dumps(3);
    assert_eq!(room(&meta), empty_room - dump.len() as u64);
    // Without the number, with that of another profile, and with none at all.
    assert_eq!(error(&open(1, "")), (REFUSED, "a profile is already open"));
    for other in ["1", "x", "-1", "18446744073709551615"] {
        assert_eq!(error(&open(1, &format!("&replace={other}"))), (REFUSED, "another profile was opened meanwhile"), "{other}");
    }
    // A file that is no profile closes nothing.
    assert_eq!(running.send("POST /api/v1/files?name=x&replace=0", b"no profile").0, REFUSED);
    assert_eq!(running.fetch("GET /api/v1/meta").1["profile_number"], Value::Null);
    assert_eq!(open(1, "&replace=0").0, "HTTP/1.1 200 OK");
    let meta = running.with_dumps(1);
    assert_eq!((&meta["dumps"][0]["is_added"], &meta["profile_number"]), (&Value::from(false), &Value::from(1)));
    assert!(meta["dumps"][0]["name"].as_str().unwrap().ends_with("before.heap") && room(&meta) == empty_room, "{meta}");
    // By a file that is sent.
    assert_eq!(running.send("POST /api/v1/files?name=main.folded&replace=1", b"main;serve 96\n").0, "HTTP/1.1 200 OK");
    let meta = running.with_dumps(1);
    assert_eq!((&meta["dumps"][0]["name"], &meta["profile_number"]), (&Value::from("main.folded"), &Value::from(2)));
    assert_eq!(running.fetch("GET /api/v1/top").1["row"][0]["name"], "serve");
    // By a program, which waits for a dump; that takes nothing's place.
    let program = std::fs::read(path("testdata/bin/shop")).unwrap();
    let (status, opened) = running.send("POST /api/v1/files?name=shop&replace=2", &program);
    assert_eq!(
        (status.as_str(), opened["notes"][0].as_str()),
        ("HTTP/1.1 200 OK", Some("shop is a program. Now open a heap dump that it wrote."))
    );
    let meta = running.with_dumps(0);
    assert_eq!((&meta["profile_number"], &meta["symbols"]["state"]), (&Value::from(3), &Value::from("done")));
    assert_eq!(open(2, "").0, "HTTP/1.1 200 OK");
    assert_eq!(running.with_dumps(2)["profile_number"], Value::from(3));
    drop(running);
    // Dumps from the command line stay.
    let running = Running::start(folder.path(), &["-symbolize=none", "before.heap"]);
    assert_eq!(running.with_dumps(1)["may_replace"], Value::Null);
    let answer = running.send("POST /api/v1/files?name=main.folded&replace=0", b"main;serve 96\n");
    assert_eq!(error(&answer), (REFUSED, "this server shows the files of its command line"));
}

#[test]
fn watching_servers_may_have_no_profile_yet() {
    let (is_up, folder) = (Arc::new(AtomicBool::new(false)), tempfile::tempdir().unwrap());
    let dump = std::fs::read(path("testdata/gperftools/shop.0001.heap")).unwrap();
    let switch = is_up.clone();
    let server = Server::start(move |_, to| match switch.load(Ordering::SeqCst) {
        true => send(to, "200 OK", "", &dump),
        false => send(to, "404 Not Found", "", b"no profile yet"),
    });
    let address = format!("http://{}/heap", server.at);
    let running = Running::start(folder.path(), &["-watch", "-every=100ms", "-symbolize=none", &address]);
    let meta = running.with_dumps(0);
    let waiting = meta["waiting"].as_str().unwrap();
    assert!(waiting.starts_with(&format!("Waiting for the first dump from {address}")) && waiting.contains("404"), "{waiting}");
    is_up.store(true, Ordering::SeqCst);
    running.with_dumps(2);
}

#[test]
fn first_watched_dump_keeps_the_base() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("dumps")).unwrap();
    let copy = |n: u32, to: &str| std::fs::copy(path(&format!("testdata/gperftools/shop.000{n}.heap")), folder.path().join(to)).unwrap();
    copy(1, "before.heap");
    for args in
        [&["-watch", "-every=100ms", "-base=before.heap", "dumps"][..], &["-watch", "-every=100ms", "-base=before.heap", "dumps/*.heap"]]
    {
        let _ = std::fs::remove_file(folder.path().join("dumps/shop.0003.heap"));
        let running = Running::start(folder.path(), args);
        assert_eq!(running.with_dumps(0)["query"], serde_json::json!([]));
        copy(3, "dumps/shop.0003.heap");
        assert_eq!(running.with_dumps(2)["query"], serde_json::json!([["base", "1"]]), "{args:?}");
    }
}
