//! Checks that run by themselves, webhooks, notes and expected growth, with real servers and a receiver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::fixture::program;
use crate::team_names::ask;

/// A running server; ends with its value.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut command = program();
        command.env("XDG_CACHE_HOME", folder.join("cache")).args(["serve", "--http=127.0.0.1:0", "--store"]).arg(folder.join("store"));
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}")).trim_end_matches('/').to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }

    /// Sends a dump of one process: a cache that holds `bytes`, taken `ago` seconds before now.
    fn put(&self, bytes: i64, ago: u64) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        let body = format!("# inuse_space bytes\nmain;serve;cache_add {bytes}\nmain;init 1000000\n");
        let to = format!("/api/v1/dumps?service=forest&version=0.39&host=web-1&pid=77&time={}", now - ago);
        let (status, text) = ask(&self.address, "PUT", &to, "", body.as_bytes());
        assert_eq!(status, 201, "{text}");
    }
}

/// A webhook: requests with head and body, and whether it takes them.
struct Receiver {
    address: String,
    got: Arc<Mutex<Vec<(String, Value)>>>,
    refused: Arc<Mutex<usize>>,
    is_down: Arc<AtomicBool>,
}

impl Receiver {
    fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let receiver = Receiver { address, got: Arc::default(), refused: Arc::default(), is_down: Arc::default() };
        let (got, refused, is_down) = (receiver.got.clone(), receiver.refused.clone(), receiver.is_down.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
                }
                let n = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok()).unwrap();
                let mut body = vec![0; n];
                reader.read_exact(&mut body).unwrap();
                let status = if is_down.load(Ordering::SeqCst) { "503 Service Unavailable" } else { "204 No Content" };
                match status.starts_with('2') {
                    true => got.lock().unwrap().push((head, serde_json::from_slice(&body).unwrap())),
                    false => *refused.lock().unwrap() += 1,
                }
                let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        });
        receiver
    }

    fn n(&self) -> usize {
        self.got.lock().unwrap().len()
    }

    /// The message that comes as number `n`, and nothing after it.
    fn expect(&self, n: usize) -> (String, Value) {
        until(&format!("message {n}"), || self.n() >= n);
        std::thread::sleep(Duration::from_millis(2500));
        let got = self.got.lock().unwrap();
        assert_eq!(got.len(), n, "{got:?}");
        got[n - 1].clone()
    }
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Runs `heapview store`: exit status, output, messages.
fn store(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = program();
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("HEAPVIEW_STORE", folder.join("store")).env("USER", "alice");
    let output = command.arg("store").args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn two_servers_send_one_message_for_each_change() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let receiver = Receiver::start();
    let servers = [Server::start(folder), Server::start(folder)];
    let server = &servers[0];
    server.put(10_000_000, 30);
    server.put(10_100_000, 20);
    let webhook = format!("--webhook=http://{}/hook", receiver.address);
    let set = store(folder, &["check", "forest", "-every=1s", "-max-growth=10%", &webhook, "-header=X-Key: s3cret-s3cret"]);
    assert!(set.0 == 0 && set.1.contains("max-growth=10%") && !format!("{set:?}").contains("s3cret"), "{set:?}");
    assert!(set.1.contains("webhook to 127.0.0.1") && !set.1.contains("/hook"), "{set:?}");
    until("a verdict", || store(folder, &["check"]).1.contains("passed since"));
    assert_eq!(receiver.n(), 0, "what holds is not news");

    // It begins to fail: one message.
    server.put(20_000_000, 10);
    let (head, broken) = receiver.expect(1);
    assert!(head.starts_with("POST /hook HTTP/1.1\r\n") && head.to_lowercase().contains("x-key: s3cret-s3cret"), "{head}");
    assert_eq!((&broken["event"], &broken["service"]), (&"check_broken".into(), &"forest".into()));
    let limit = &broken["broken"][0];
    assert_eq!((&limit["limit"], &limit["value"], &limit["version"]), (&"growth".into(), &10_000_000.into(), &"0.39".into()));
    let culprit = limit["culprit"].as_str().unwrap().to_owned();
    let text = broken["text"].as_str().unwrap();
    assert!(culprit == "cache_add" && text.contains("forest exceeds") && text.contains("mostly cache_add"), "{text}");
    // The permalink opens.
    let link = limit["link"].as_str().unwrap().strip_prefix(&format!("http://{}", server.address));
    let link = link.or_else(|| limit["link"].as_str().unwrap().strip_prefix(&format!("http://{}", servers[1].address))).unwrap();
    let (status, growth) = ask(&server.address, "GET", &format!("{link}api/v1/growth.txt"), "", b"");
    assert!(status == 200 && growth.contains("cache_add"), "{status} {growth}");
    let run = store(folder, &["check", "forest", "-run"]);
    assert!(run.0 == 1 && run.1.contains("BROKEN") && run.1.contains("cache_add"), "{run:?}");
    let page = ask(&server.address, "GET", "/services/forest", "", b"").1;
    assert!(page.contains("failed</strong> since") && page.contains("mostly <code>cache_add</code>") && page.contains(link), "{page}");

    // A receiver that is down gets it later, once.
    receiver.is_down.store(true, Ordering::SeqCst);
    server.put(10_200_000, 5);
    until("an attempt", || *receiver.refused.lock().unwrap() >= 2);
    let shown = store(folder, &["check", "forest"]).1;
    assert!(shown.contains("passed since") && shown.contains("messages to the webhook that wait: 1 (") && shown.contains("503"), "{shown}");
    receiver.is_down.store(false, Ordering::SeqCst);
    let (_, recovered) = receiver.expect(2);
    assert_eq!(recovered["event"], "check_recovered");
    assert_ne!(recovered["id"], broken["id"]);
    assert!(recovered["text"].as_str().unwrap().contains("within its limits again"), "{recovered}");

    // What is expected does not break it, and is said.
    assert_eq!(store(folder, &["expect", "forest", "cache_add", "the catalogue is larger", "-up-to=24M"]).0, 0);
    server.put(22_000_000, 3);
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(receiver.n(), 2);
    let run = store(folder, &["check", "forest", "-run"]);
    assert!(run.0 == 0 && run.1.contains("expected, not counted") && run.1.contains("the catalogue is larger"), "{run:?}");
    let page = ask(&server.address, "GET", "/services/forest", "", b"").1;
    assert!(page.contains("passed</strong> since") && page.contains("expected, not counted"), "{page}");
    assert!(page.contains("alice (command line)") && page.contains("growth expected up to"), "{page}");
    let growth = ask(&server.address, "GET", &format!("{}api/v1/growth.txt", series(&page)), "", b"").1;
    assert!(growth.contains("(expected)") && growth.contains("Expected: +"), "{growth}");
    // Also for commands that open the series by its address.
    let mut command = program();
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("HEAPVIEW_SERVER", format!("http://{}", server.address));
    let output = command.args(["check", "-max-growth=10%", "store://forest"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("expected, not counted"), "{text} {output:?}");
    // Until there is more of it.
    server.put(40_000_000, 1);
    let (_, broken) = receiver.expect(3);
    assert!(broken["broken"][0]["culprit"] == "cache_add", "{broken}");
    let run = store(folder, &["check", "forest", "-run"]);
    assert!(run.0 == 1 && run.1.contains("more than expected"), "{run:?}");

    let audit = store(folder, &["audit"]).1;
    for (what, n) in [("check broken", 2), ("check recovered", 1), ("webhook sent", 3), ("expect ", 1)] {
        assert_eq!(audit.matches(what).count(), n, "{what}: {audit}");
    }
    assert!(!audit.contains("s3cret"), "{audit}");
    assert_eq!(store(folder, &["check", "forest", "-off"]).0, 0);
    assert!(!store(folder, &["check"]).1.contains("forest"));
}

/// Address of the series on the page of a service.
fn series(page: &str) -> String {
    let at = page.find("\">Open as a series").unwrap();
    page[..at].rsplit('"').next().unwrap().to_owned()
}

#[test]
fn notes_are_written_by_tokens_that_may() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = Server::start(folder);
    server.put(10_000_000, 60);
    server.put(20_000_000, 30);
    let note = br#"{"service": "forest", "function": "cache_add", "text": "see <ticket> 12", "expected": {"until_version": "0.40"}}"#;
    // Without tokens it is as open as uploads, but not to pages elsewhere.
    let write = |headers: &str, body: &[u8]| ask(&server.address, "POST", "/api/v1/notes", headers, body);
    assert_eq!(write("Origin: http://evil.example\r\n", note).0, 403);
    assert_eq!(write("Sec-Fetch-Site: cross-site\r\n", note).0, 403);
    let token = |name: &str, role: &[&str]| store(folder, &[&["token", "add", name][..], role].concat()).1.trim().to_owned();
    let (push, view, notes) = (token("ci", &["push", "forest"]), token("team", &["view"]), token("bob", &["note"]));
    until("tokens", || ask(&server.address, "GET", "/api/v1/checks", "", b"").0 == 401);
    for (secret, status) in [(&push, 403), (&view, 403), (&notes, 201)] {
        let (got, text) = write(&format!("Authorization: Bearer {secret}\r\n"), note);
        assert_eq!(got, status, "{text}");
    }
    // A browser's cookie only reads.
    let cookie = format!("Cookie: heapview_store={}\r\n", heapview::store::cookie_of(&notes));
    assert_eq!(ask(&server.address, "GET", "/api/v1/notes?service=forest", &cookie, b"").0, 200);
    assert_eq!(write(&cookie, note).0, 401);
    let bearer = format!("Authorization: Bearer {notes}\r\n");
    let listed = ask(&server.address, "GET", "/api/v1/notes?service=forest", &bearer, b"").1;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["by"], &listed[0]["culprit"]), (1, &"bob".into(), &"cache_add".into()));
    let page = ask(&server.address, "GET", "/services/forest", &bearer, b"").1;
    assert!(page.contains("ticket") && !page.contains("<ticket>") && page.contains("until version 0.40"), "{page}");
    let to = format!("{}api/v1/growth", series(&page));
    let growth: Value = serde_json::from_str(&ask(&server.address, "GET", &to, &bearer, b"").1).unwrap();
    let row = growth["row"].as_array().unwrap().iter().find(|row| row["row"]["name"] == "cache_add").unwrap();
    assert_eq!((&row["expected"]["is_exceeded"], &row["expected"]["value"]), (&false.into(), &20_000_000.into()));
    // Mistakes have sentences.
    for (body, why) in [
        (&b"{"[..], "not the JSON of a note"),
        (br#"{"service": "nosuch", "function": "f", "text": "t"}"#, "no dumps of a service"),
        (br#"{"service": "forest", "function": "", "text": "t"}"#, "a note has a function"),
        (br#"{"service": "forest", "function": "f", "text": "t", "expected": {"until": "soon"}}"#, "until=soon"),
        (br#"{"service": "forest", "remove": "nosuch"}"#, "no note nosuch"),
    ] {
        let (status, text) = write(&bearer, body);
        assert!(matches!(status, 400 | 404) && text.contains(why), "{status} {text}");
    }
    let remove = format!(r#"{{"service": "forest", "remove": {}}}"#, listed[0]["id"]);
    assert_eq!(write(&bearer, remove.as_bytes()).0, 200);
    let audit = store(folder, &["audit"]).1;
    let lines: Vec<&str> = audit.lines().filter(|line| line.contains("bob")).collect();
    assert!(lines.iter().any(|line| line.contains("expect")) && lines.iter().any(|line| line.contains("note remove")), "{audit}");
}

#[test]
fn commands_refuse_what_no_check_can_mean() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = Server::start(folder);
    server.put(10_000_000, 60);
    for (words, why) in [
        (&["check", "forest", "-every=1h"][..], "a check needs a limit"),
        (&["check", "forest", "-max-growth=much"], "max-growth=much"),
        (&["check", "forest", "-max-inuse=1G", "-every=1"], "is no duration"),
        (&["check", "forest", "-max-inuse=1G", "-webhook=http://169.254.169.254/x"], "link-local"),
        (&["check", "forest", "-max-inuse=1G", "-webhook=hooks.example.org"], "http:// or https://"),
        (&["check", "forest", "-max-inuse=1G", "-webhook=http://h/", "-header=s3cret"], "Name: value"),
        (&["check", "forest", "-run"], "there is no check of forest"),
        (&["check", "forest", "-off"], "there is no check of forest"),
        (&["check", "-run"], "which service"),
        (&["check", "a/b", "-max-inuse=1G"], "is no name of a service"),
        (&["notes", "forest", "-run"], "--run is for heapview store check"),
        (&["expect", "forest", "f", "why", "-until=soon"], "--until=soon"),
        (&["unnote", "forest", "nosuch"], "no note nosuch"),
        (&["set", "gc_every=often"], "is no duration"),
    ] {
        let (code, _, error) = store(folder, words);
        assert!(code == 2 && error.contains(why) && !error.contains("s3cret"), "{words:?}: {code} {error}");
    }
    // Limits on amounts need one dump only.
    assert_eq!(store(folder, &["check", "forest", "-max-inuse=20M", "-budget=culprit=cache_add:1M", "-budget=culprit=init:2M"]).0, 0);
    let (code, text, _) = store(folder, &["check", "forest", "-run"]);
    assert!(code == 1 && text.contains("1 of 3 limits exceeded"), "{text}");
    assert_eq!(
        store(folder, &["set", "gc_every=12h"]).1.lines().find(|line| line.starts_with("gc_every")).unwrap().split_whitespace().nth(1),
        Some("12h")
    );
}

#[test]
fn retention_runs_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = Server::start(folder);
    server.put(10_000_000, 60);
    assert_eq!(store(folder, &["set", "gc_every=1s"]).0, 0);
    let ran = || std::fs::read_dir(folder.join("store/jobs/gc")).map_or(0, Iterator::count);
    // The first start only notes the time; changes of the setting are seen within some minutes, so it is started again.
    drop(server);
    let _server = Server::start(folder);
    until("two runs", || ran() >= 3);
    // Nothing is old enough.
    assert!(store(folder, &["ls"]).1.contains("forest"));
}
