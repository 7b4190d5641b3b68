//! `api::answer`, which needs no server, and the server: the same status, media type, file name and bytes for the same path.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use heapview::annotate::Code;
use heapview::annotate::{Attached, Files};
use heapview::api::{Attachments, NoFiles, Reply, answer};
use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use heapview::query::{SourcePaths, ViewKind};
use heapview::session::Session;
use heapview::sources::Sources;
use heapview::symbolize;
use heapview::web::{Hosts, Setup, app};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::{folded, path};
use crate::questions;

/// A server of a session, and the files that its owner sees.
struct Server {
    session: Arc<Session>,
    attached: Attached,
    router: Router,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    fn new(profile: Profile, files: Files) -> Self {
        let (session, files) = (Arc::new(Session::new(profile, Vec::new())), Arc::new(files));
        let hosts = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost");
        Server {
            router: app(session.clone(), Setup { files: files.clone(), ..hosts.into() }),
            attached: Attached::new(files, false),
            session,
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
        }
    }

    /// Status, media type, disposition, body.
    fn get(&self, path: &str) -> (u16, String, Option<String>, Vec<u8>) {
        let request = Request::get(path).header(header::HOST, "localhost:8080").body(Body::empty()).unwrap();
        self.runtime.block_on(async {
            let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
            let text = |name| parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
            let body = axum::body::to_bytes(body, 1 << 30).await.unwrap().to_vec();
            (parts.status.as_u16(), text(header::CONTENT_TYPE).unwrap(), text(header::CONTENT_DISPOSITION), body)
        })
    }

    /// Asks both and compares; returns the status.
    fn compare(&self, path: &str) -> u16 {
        let (status, content_type, disposition, body) = self.get(path);
        let reply = answer(&self.session, &self.attached, path);
        let file = reply.file_name.map(|name| format!("attachment; filename=\"{name}\""));
        assert_eq!((reply.status, reply.content_type, file), (status, content_type.as_str(), disposition), "{path}");
        if reply.body != body {
            let at = reply.body.iter().zip(&body).take_while(|(a, b)| a == b).count();
            let near = |body: &[u8]| String::from_utf8_lossy(&body[at.saturating_sub(60)..body.len().min(at + 60)]).into_owned();
            panic!("{path} differs at byte {at}:\nserver: {}\ncore:   {}", near(&body), near(&reply.body));
        }
        status
    }
}

/// An address of the API without characters that addresses cannot have.
fn address(question: &str) -> String {
    let plain = |c: char| if "[]<>^| ".contains(c) { format!("%{:02X}", u32::from(c)) } else { c.to_string() };
    format!("/api/v1/{}", question.chars().map(plain).collect::<String>())
}

#[test]
fn every_report_and_option_is_answered_like_the_server() {
    let mut statuses = std::collections::BTreeMap::new();
    for (name, profile) in questions::profiles() {
        if !["odd", "depots", "series", "builds"].contains(&name) {
            continue;
        }
        let server = Server::new(profile, Files::default());
        for question in questions::QUERIES {
            *statuses.entry(server.compare(&address(question))).or_insert(0) += 1;
        }
    }
    assert!(statuses[&200] > 500 && statuses[&400] > 50 && statuses[&404] > 10, "{statuses:?}");
}

#[test]
fn every_form_and_file_is_answered_like_the_server() {
    let (_, profile) = questions::profiles().into_iter().find(|(name, _)| *name == "depots").unwrap();
    let server = Server::new(profile, Files::default());
    let names = ViewKind::ALL.into_iter().map(ViewKind::name).chain(["explain"]);
    let endings = ["", ".txt", ".dot", ".csv", ".json", ".folded", ".svg", ".md", ".html", "."];
    let mut n_files = 0;
    for name in names {
        for ending in endings {
            for query in ["", "?download", "?f=main&n=3&base=0&dump=1&download=1&peek=.&list=.", "?f=nowhere&download"] {
                let path = format!("/api/v1/{name}{ending}{query}");
                n_files += usize::from(server.compare(&path) == 200);
            }
        }
    }
    assert!(n_files > 150, "{n_files}");
    for path in ["/download", "/ui/download", "/download?f=main&base=0&dump=1", "/download?focuss=x", "/download?f=((", "/download?si=x"] {
        server.compare(path);
    }
}

#[test]
fn unusual_addresses_are_answered_like_the_server() {
    let server = Server::new(folded("main;a+b;c 600\nmain;&é;d 300\n"), Files::default());
    for (path, status) in [
        ("/api/v1/fields", 200),
        ("/api/v1/t%6Fp?f=a%2Bb", 200),
        ("/api/v1/top?f=a+b", 200),
        ("/api/v1/top?&&f=%C3%A9&", 200),
        ("/api/v1/top?f=%FF%zz%", 200),
        ("/api/v1/top?f=c&f=d", 200),
        ("/api/v1/top?n=99999999999&rows=0-4294967295", 200),
        ("/api/v1/top?rows=0-4294967296", 400),
        ("/api/v1/top?dump=4294967295", 400),
        ("/api/v1/top?dump=4294967296", 400),
        ("/api/v1/top?n=9223372036854775808", 400),
        ("/api/v1/top?source_path=/etc", 400),
        ("/api/v1/top?f=(a{999}){999}", 400),
        ("/api/v1/m%65ta", 404),
        ("/api/v1/%FF", 404),
        ("/api/v1/top%2F", 404),
        ("/api/v1/top/", 404),
        ("/api/v1/TOP", 404),
        ("/api/v1/", 404),
        ("/api/v1", 404),
        ("/api/nothing/here?f=x", 404),
    ] {
        assert_eq!(server.compare(path), status, "{path}");
    }
}

#[test]
fn metadata_is_that_of_the_server_without_server_fields() {
    let (_, profile) = questions::profiles().into_iter().find(|(name, _)| *name == "series").unwrap();
    let server = Server::new(profile, Files::default());
    let (_, content_type, _, body) = server.get("/api/v1/meta");
    let mut server_meta: Value = serde_json::from_slice(&body).unwrap();
    let reply = answer(&server.session, &NoFiles, "/api/v1/meta");
    assert_eq!((reply.status, reply.content_type), (200, content_type.as_str()));
    assert!(!server_meta["instance"].as_str().unwrap().is_empty());
    server_meta["instance"] = "".into();
    assert_eq!(serde_json::from_slice::<Value>(&reply.body).unwrap(), server_meta);
}

#[test]
fn without_a_profile_both_report_it() {
    let server = Server::new(Profile::empty(), Files::default());
    for (path, status) in [("/api/v1/top", 409), ("/api/v1/explain?f=((", 409), ("/download", 409), ("/api/v1/nosuch", 404)] {
        assert_eq!(server.compare(path), status, "{path}");
    }
}

#[test]
fn text_and_code_are_answered_like_the_server() {
    let read = |file: &str| std::fs::read(path("testdata").join(file)).unwrap();
    let parsed = parse(&read("gperftools/shop.0003.heap"), &ParseOptions::default()).unwrap().profile;
    let binaries = symbolize::Options { binary: Some(path("testdata/bin/shop")), ..symbolize::Options::default() };
    let named = parsed.clone().renamed(&symbolize::symbolize(&parsed, &binaries, &()).names);
    let rust = path("testdata/programs/rust");
    let given = SourcePaths { search: rust.to_string_lossy().into_owned(), trim: String::new() };
    let files = Files::new(Sources::new(&given, Path::new(&rust), None).confined(), Code::new(binaries));
    let server = Server::new(named, files);
    for question in [
        "source?list=.",
        "source?list=main&line_code=t&line_calls=t",
        "source?list=.&line_code=t&line_calls=t",
        "source.json?list=main&line_code=t&download",
        "source.txt?list=main",
        "disasm?disasm=shop::main",
        "disasm.txt?disasm=shop::main&download",
    ] {
        assert_eq!(server.compare(&address(question)), 200, "{question}");
    }
    assert_eq!(server.compare("/api/v1/disasm?disasm=nowhere"), 404);
    // Without files a sentence says what is missing, and wrong parameters are still wrong.
    for (question, status, error) in [
        ("source?list=main", 501, "this report has no source lines"),
        ("source.csv?list=main&download", 501, "this report has no source lines"),
        ("disasm?disasm=main", 501, "this report has no machine code"),
        ("source?list=((", 400, "list: the expression"),
        ("source?list=nowhere", 404, "no function matches"),
    ] {
        let Reply { status: found, body, content_type, .. } = answer(&server.session, &NoFiles, &address(question));
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((found, content_type), (status, "application/json"), "{question}: {body}");
        assert!(body["error"].as_str().unwrap().starts_with(error), "{question}: {body}");
    }
    assert_eq!(NoFiles.source_paths(), SourcePaths::default());
}
