//! Visitors of the team server: strangers, people with a link or a cookie, and people whom a proxy logged in.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use base64::prelude::*;
use heapview::store::TokenRole;
use heapview::web::{Limits, Proxies, TeamSetup};

use crate::fixture::program;
use crate::operations::{ask, run, served, status};
use crate::store::{open, setup};

/// Sends a request of 4000 bytes without its end.
fn unfinished(port: u16, request: &str, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // The server may have closed it already.
    let _ = write!(stream, "{request} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-length: 4000\r\n{headers}\r\ntoken=");
    stream
}

#[test]
fn strangers_shut_nobody_out() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        // The time for a body is not the reason.
        let (grace, header_timeout) = (Duration::from_millis(100), Duration::from_secs(600));
        let limits = Limits { connections: 8, connections_for_owner: 0, grace, header_timeout, ..Limits::default() };
        let (port, _stop) = served(TeamSetup { limits, ..setup(&store, false) }).await;
        let sent = tokio::task::spawn_blocking(move || (0..30).map(|_| unfinished(port, "POST /login", "")).collect::<Vec<_>>());
        let strangers = sent.await.unwrap();
        let bearer = [&*format!("authorization: Bearer {view}")];
        let answer = tokio::time::timeout(Duration::from_secs(20), ask(port, "GET /", &bearer, ""));
        let answer = answer.await.expect("there is no place for others");
        assert_eq!(status(&answer), 200, "{answer}");
        drop(strangers);
    });
}

#[test]
fn forms_and_addresses_come_in_time() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let admin = store.add_token("admin", TokenRole::Admin, &[]).unwrap();
        let limits = Limits { header_timeout: Duration::from_millis(300), ..Limits::default() };
        let (port, _stop) = served(TeamSetup { limits, ..setup(&store, false) }).await;
        let bearer = format!("authorization: Bearer {admin}");
        for (request, what) in [("POST /login", "form"), ("POST /api/v1/links", "address"), ("POST /api/v1/notes", "note")] {
            let headers = format!("{bearer}\r\n");
            let answered = tokio::task::spawn_blocking(move || {
                let mut answer = vec![0; 4000];
                let n = unfinished(port, request, &headers).read(&mut answer).unwrap();
                String::from_utf8_lossy(&answer[..n]).into_owned()
            });
            let answer = answered.await.unwrap();
            assert!(status(&answer) == 408 && answer.contains(&format!("the {what} did not come in time")), "{answer}");
        }
        // What is too long is no wrong address.
        let long = ask(port, "POST /api/v1/links", &[&bearer], &"x".repeat(20_000)).await;
        assert!(status(&long) == 400 && long.contains("is longer than 9192 bytes"), "{long}");
    });
}

fn location(answer: &str) -> &str {
    answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_default()
}

#[test]
fn users_of_a_proxy_count_for_the_host_of_the_server() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let push = store.add_token("ci", TokenRole::Push, &["forest".into()]).unwrap();
        let (proxies, url) = (Proxies::new("127.0.0.1", "", "root").unwrap(), "https://heap.example.org".to_owned());
        let (port, _stop) = served(TeamSetup { proxies, url, ..setup(&store, false) }).await;
        let upload = "PUT /api/v1/dumps?service=forest";
        let (root, own, forwarded) = ("x-forwarded-user: root", "host: heap.example.org", "x-forwarded-host: heap.example.org");
        // A page elsewhere whose name leads to this machine sends what it likes, but its own name as host.
        for host in ["host: evil.example", "host: evil.example:8080", "host: heap.example.org.evil.example"] {
            for headers in [&[host, root][..], &[host, root, forwarded]] {
                let refused = ask(port, upload, headers, "main;grow 5\n").await;
                assert!(status(&refused) == 403 && refused.contains("which is not that of -url"), "{headers:?} {refused}");
                assert_eq!(status(&ask(port, "GET /", headers, "").await), 403, "{headers:?}");
            }
        }
        assert_eq!(status(&ask(port, "GET /", &[root], "").await), 403, "the proxy does not say which host was asked for");
        assert_eq!(status(&ask(port, "GET /", &[root, forwarded], "").await), 200);
        assert_eq!(status(&ask(port, upload, &[own, root], "main;grow 5\n").await), 201);
        // Tokens count for every host, also beside a user.
        let bearer = format!("authorization: Bearer {push}");
        assert_eq!(status(&ask(port, upload, &["host: inside:8080", &bearer, "x-forwarded-user: alice"], "main;grow 6\n").await), 201);
        // What the proxy logged the user in with is no token of the store.
        let basic = format!("authorization: Basic {}", BASE64_STANDARD.encode("alice:secret"));
        for password in [&*basic, "authorization: Bearer eyJhbGciOi"] {
            assert_eq!(status(&ask(port, "GET /", &[own, password, "x-forwarded-user: alice"], "").await), 200, "{password}");
            assert_eq!(status(&ask(port, "GET /", &[own, password], "").await), 401, "{password}");
        }
    });
}

#[test]
fn trusted_proxies_need_the_address_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["-check"][..], &[]] {
        let mut command = program();
        command.args(["serve", "-http=127.0.0.1:0", "-trusted-proxy=127.0.0.1", "-store"]).arg(folder.path()).args(words);
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains("--trusted-proxy needs --url=https://HOST"), "{words:?}: {error}");
    }
    let mut command = program();
    command.args(["serve", "-check", "-trusted-proxy=127.0.0.1", "-url=https://heap.example.org", "-store"]).arg(folder.path());
    assert!(command.output().unwrap().status.success());
}

#[test]
fn links_with_a_token_work_for_those_who_are_in() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let [view, other] = ["team", "other"].map(|name| store.add_token(name, TokenRole::View, &[]).unwrap());
        let (proxies, url) = (Proxies::new("127.0.0.1", "", "").unwrap(), "https://heap.example.org".to_owned());
        let (port, _stop) = served(TeamSetup { proxies, url, ..setup(&store, false) }).await;
        let own = "host: heap.example.org";
        let first = ask(port, &format!("GET /?token={view}"), &[own], "").await;
        let cookie = first.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().split(';').next().unwrap();
        let cookie = format!("cookie: {cookie}");
        // The page sends paths: it may be open under another name than the server's.
        let bearer = format!("authorization: Bearer {view}");
        let short = ask(port, "POST /api/v1/links", &["host: inside:8080", &bearer], "/d/abc/top?f=x").await;
        assert!(status(&short) == 201 && location(&short).starts_with("https://heap.example.org/l/"), "{short}");
        for known in [&*cookie, "x-forwarded-user: alice"] {
            for (to, led) in [
                (format!("/services/forest?version=1&token={other}"), "/services/forest?version=1"),
                (format!("/s/forest?token={view}&from=1"), "/s/forest?from=1"),
                ("/d/abc/top?token=hv_wrong".to_owned(), "/d/abc/top"),
                (format!("//evil.example/?token={view}"), "/evil.example/"),
            ] {
                let answer = ask(port, &format!("GET {to}"), &[own, known], "").await;
                assert_eq!((status(&answer), location(&answer)), (303, led), "{to} {answer}");
                assert!(!answer.contains("hv_"), "{answer}");
            }
        }
    });
}

#[test]
fn the_form_leads_to_the_first_page() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let (port, _stop) = served(setup(&store, false)).await;
        let html = "accept: text/html";
        let form = ask(port, "GET /login?x=1", &[html], "").await;
        assert!(status(&form) == 401 && form.contains("name=\"to\" value=\"/\""), "{form}");
        let form = ask(port, "GET /services/forest?version=1&token=hv_wrong", &[html], "").await;
        assert!(form.contains("name=\"to\" value=\"/services/forest?version=1\""), "{form}");
        let sent = ask(port, "POST /login", &[], &format!("token={view}&to=%2Flogin")).await;
        assert_eq!((status(&sent), location(&sent)), (303, "/"), "{sent}");
    });
}
