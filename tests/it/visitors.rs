//! Visitors of the team server: strangers, people with a link or a cookie, and people whom a proxy logged in.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use heapview::store::TokenRole;
use heapview::web::{Limits, TeamSetup};

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
