//! The team server as a program: names from uploaded binaries, and how it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::fixture::{path, program};

/// A running server; ends with its value.
pub(crate) struct Server {
    child: Child,
    /// `host:port`.
    pub(crate) address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status and body of a server's answer; `headers`: whole lines.
pub(crate) fn ask(address: &str, method: &str, to: &str, headers: &str, body: &[u8]) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let n = body.len();
    let head = format!("{method} {to} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}Content-Length: {n}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

impl Server {
    fn start(folder: &std::path::Path) -> Server {
        Server::start_at(folder, 0)
    }

    /// On this port; 0: on any.
    pub(crate) fn start_at(folder: &std::path::Path, port: u16) -> Server {
        let mut command = program();
        let listen = format!("--http=127.0.0.1:{port}");
        command.env("XDG_CACHE_HOME", folder.join("cache")).args(["serve", &listen, "--store"]).arg(folder.join("store"));
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}")).trim_end_matches('/').to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }

    /// Status and body of an answer.
    pub(crate) fn ask(&self, method: &str, to: &str, body: &[u8]) -> (u16, String) {
        ask(&self.address, method, to, "", body)
    }

    /// Path of the dump's link.
    fn put_dump(&self, query: &str, file: &str) -> String {
        let (status, text) = self.ask("PUT", &format!("/api/v1/dumps?{query}"), &fs::read(path(file)).unwrap());
        assert!(matches!(status, 200 | 201), "{status} {text}");
        let link = text.lines().find_map(|line| line.split_once("/d/")).unwrap_or_else(|| panic!("{text}")).1;
        format!("/d/{}", &link[..17])
    }

    /// The top report when it has `name`.
    fn top_with(&self, link: &str, name: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let (status, top) = self.ask("GET", &format!("{link}api/v1/top.txt"), b"");
            assert_eq!(status, 200, "{top}");
            if top.contains(name) || Instant::now() > until {
                assert!(top.contains(name), "{top}");
                return top;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

const DUMP: &str = "testdata/jemalloc/shop-sampled.2000.2.m2.heap";

#[test]
fn a_binary_that_comes_late_names_earlier_dumps() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let link = server.put_dump("service=shop&version=1.0&name=shop.heap", DUMP);
    let (_, top) = server.ask("GET", &format!("{link}api/v1/top.txt"), b"");
    assert!(top.contains("[shop]") && !top.contains("shop::"), "{top}");
    // The dump has no build ids: the version says which binary ran.
    let binary = fs::read(path("testdata/bin/shop")).unwrap();
    let (status, id) = server.ask("PUT", "/api/v1/binaries?service=shop&version=1.0&name=shop", &binary);
    assert_eq!(status, 201, "{id}");
    let id = id.trim();
    assert_eq!(server.ask("PUT", "/api/v1/binaries?service=shop&version=1.0&name=shop", &binary).0, 200, "known");
    // The page that is open gets names, and so does one that is opened later.
    let named = server.top_with(&link, "shop::");
    assert!(!named.contains("[shop]") && named.contains("File: shop"), "{named}");
    // Dumps of another version have other addresses.
    let other = server.put_dump("service=shop&version=2.0&name=shop.heap", "testdata/jemalloc/shop-sampled.2000.0.m0.heap");
    std::thread::sleep(Duration::from_millis(300));
    assert!(!server.ask("GET", &format!("{other}api/v1/top.txt"), b"").1.contains("shop::"));
    // The sender may tell the build, too.
    let told = server.put_dump(&format!("service=shop&version=3.0&build_id={id}"), "testdata/jemalloc/shop-exact.1000.3.f.heap");
    server.top_with(&told, "shop::");
    // debuginfod's addresses have the file.
    for file in ["executable", "debuginfo"] {
        let (status, got) = server.ask("GET", &format!("/buildid/{id}/{file}"), b"");
        assert_eq!((status, got.len() > 1000), (200, true), "{file}");
    }
    for nothing in [format!("/buildid/{id}/source"), "/buildid/00112233/executable".into(), "/buildid/../executable".into()] {
        assert_eq!(server.ask("GET", &nothing, b"").0, 404, "{nothing}");
    }
    // Paths of the machine that wrote the dump are not opened here, and it is told where names come from.
    let (_, doctor) = server.ask("GET", &format!("{other}api/v1/meta"), b"");
    assert!(doctor.contains("send the binary") && !doctor.contains("on the page"), "{doctor}");
}

#[cfg(unix)]
#[test]
fn what_is_under_way_is_answered_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let link = server.put_dump("service=shop", DUMP);
    let mut upload = TcpStream::connect(&server.address).unwrap();
    let body = fs::read(path("testdata/jemalloc/shop-sampled.2000.0.m0.heap")).unwrap();
    let head = format!("PUT /api/v1/dumps?service=shop HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n", server.address, body.len());
    upload.write_all(head.as_bytes()).unwrap();
    upload.write_all(&body[..1000]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert!(Command::new("kill").arg(server.child.id().to_string()).status().unwrap().success());
    std::thread::sleep(Duration::from_millis(200));
    upload.write_all(&body[1000..]).unwrap();
    let mut answer = [0; 1000];
    let n = upload.read(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer[..n]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    assert!(server.child.wait().unwrap().success());
    let next = Server::start(folder.path());
    assert_eq!(next.ask("GET", &format!("{link}top"), b"").0, 200);
    assert!(next.ask("GET", "/api/v1/services", b"").1.contains("\"dumps\":2"));
}

#[test]
fn the_store_is_looked_after_by_commands() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let run = |words: &[&str]| {
        let output = program().arg("store").args(words).env("HEAPVIEW_STORE", &store).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(run(&["ls"]).0, 2);
    let (code, secret, said) = run(&["token", "add", "ci", "push", "shop"]);
    assert!(code == 0 && secret.starts_with("hv_") && said.contains("only time"), "{secret} {said}");
    assert!(run(&["token", "list"]).1.contains("push  shop"));
    assert!(run(&["token", "add", "x", "owner"]).2.contains("expected push, view, note or admin"));
    assert!(run(&["set", "keep_days=30"]).1.lines().any(|line| line.starts_with("keep_days ") && line.ends_with(" 30")));
    assert!(run(&["set", "keep=30"]).2.contains("keep=30"));
    assert_eq!(run(&["verify"]).1, "0 dumps are whole, 0 missing, 0 damaged, 0 unfiled\n");
    assert!(run(&["gc", "--dry-run"]).2.contains("would be deleted: 0 dumps"));
    assert!(run(&["ls", "nosuch"]).2.contains("no dumps of a service"));
    assert!(run(&["pin", "nosuch"]).2.contains("is no dump"));
    assert!(run(&["token", "remove", "ci"]).0 == 0 && !run(&["token", "list"]).1.contains("ci"));
    let audit = run(&["audit"]).1;
    let done: Vec<bool> = ["token add", "set", "token remove"].iter().map(|what| audit.contains(what)).collect();
    assert_eq!(done, [true; 3], "{audit}");
    assert!(run(&["nosuch"]).2.contains("expected one of"));
    // A server on other addresses than this machine's needs a token.
    let serve = |words: &[&str]| {
        let output = program().arg("serve").args(words).env("HEAPVIEW_STORE", &store).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(serve(&["--http=0.0.0.0:0"]).contains("the store has no token"));
    assert!(serve(&["--nosuch"]).contains("has no flag --nosuch"));
    assert!(serve(&["--url=heap.example.org"]).contains("http:// or https://"));
    assert!(serve(&["dump.heap"]).contains("takes no"));
}
