//! A small HTTP server for tests: one response per connection, hand-written so that it can be slow, endless or wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request received.
#[derive(Clone, Debug)]
pub(crate) struct ServedRequest {
    /// `GET /path?query`.
    pub(crate) line: String,
    /// In lower case.
    pub(crate) headers: String,
    pub(crate) body: String,
}

/// A server until the test's end.
pub(crate) struct Server {
    /// `host:port`.
    pub(crate) at: String,
    requests: Arc<Mutex<Vec<ServedRequest>>>,
}

impl Server {
    /// Serves with `answer`, which writes all of an answer.
    pub(crate) fn start(answer: impl Fn(&ServedRequest, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (requests.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (log, answer) = (log.clone(), answer.clone());
                std::thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    let Some(request) = read(&stream) else { return };
                    log.lock().unwrap().push(request.clone());
                    // The client may have gone.
                    let _ = answer(&request, &mut stream);
                });
            }
        });
        Server { at, requests }
    }

    /// Serves files by path; other paths are not found.
    pub(crate) fn of(files: &[(&str, Vec<u8>)]) -> Server {
        let files: Vec<(String, Vec<u8>)> = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.clone())).collect();
        Server::start(move |request, to| {
            let path = request.line.split([' ', '?']).nth(1).unwrap_or_default();
            match files.iter().find(|(p, _)| p == path) {
                Some((_, bytes)) => send(to, "200 OK", "", bytes),
                None => send(to, "404 Not Found", "", b"\n404 page not found\nmore\n"),
            }
        })
    }

    /// First lines of all requests so far, sorted.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.requests().into_iter().map(|request| request.line).collect();
        lines.sort();
        lines
    }

    pub(crate) fn requests(&self) -> Vec<ServedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

/// A whole answer; `headers` each with its line's end.
pub(crate) fn send(to: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> std::io::Result<()> {
    write!(to, "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
    to.write_all(body)
}

fn read(stream: &TcpStream) -> Option<ServedRequest> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let (line, headers) = head.split_once("\r\n")?;
    let headers = headers.to_lowercase();
    let length = headers.lines().find_map(|l| l.strip_prefix("content-length: ")?.trim().parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(ServedRequest { line: line.trim_end_matches(" HTTP/1.1").to_owned(), headers, body: String::from_utf8(body).ok()? })
}
