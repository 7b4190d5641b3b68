//! The API without a socket.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use heapview::annotate::Files;
use heapview::report::{DoctorModule, DoctorReport};
use heapview::session::{Progress, Session};
use heapview::web::{Hosts, Setup, app};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::{dumps, folded, session};

const SHOP: &str = "main;serve;cache;alloc 600\nmain;serve;parse;alloc 300\nmain;init;alloc 100\n";

/// An open profile, with or without files that its reports may show.
pub(crate) trait Served {
    fn parts(&self) -> (Arc<Session>, Arc<Files>);
}

impl Served for Arc<Session> {
    fn parts(&self) -> (Arc<Session>, Arc<Files>) {
        (self.clone(), Arc::default())
    }
}

impl Served for (Arc<Session>, Arc<Files>) {
    fn parts(&self) -> (Arc<Session>, Arc<Files>) {
        self.clone()
    }
}

fn request(served: &impl Served, request: Request<Body>) -> (Response<()>, Vec<u8>) {
    let (session, files) = served.parts();
    let hosts = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost");
    let setup = Setup { files, ..hosts.into() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let response = app(session, setup).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (Response::from_parts(parts, ()), axum::body::to_bytes(body, 1 << 30).await.unwrap().to_vec())
    })
}

pub(crate) fn get(served: &impl Served, path: &str) -> (Response<()>, Vec<u8>) {
    let to = Request::get(path).header(header::HOST, "localhost:8080").body(Body::empty()).unwrap();
    request(served, to)
}

pub(crate) fn json(served: &impl Served, path: &str) -> (StatusCode, Value) {
    let (response, body) = get(served, path);
    (response.status(), serde_json::from_slice(&body).unwrap_or_else(|e| panic!("{path}: {e}: {}", String::from_utf8_lossy(&body))))
}

#[test]
fn reports_have_their_own_addresses() {
    let s = session(folded(SHOP));
    let (status, top) = json(&s, "/api/v1/top?f=cache");
    assert_eq!(status, StatusCode::OK);
    assert_eq!(top["kind"], "top");
    assert_eq!(top["row"][0]["name"], "alloc");
    assert_eq!(top["flat"][0], 600);
    assert_eq!(top["header"]["total"], 1000);
    assert_eq!(top["header"]["query"], serde_json::json!([["focus", "cache"]]));
    for name in ["tree", "peek?peek=cache", "flame", "graph", "traces", "tags"] {
        assert_eq!(json(&s, &format!("/api/v1/{name}")).0, StatusCode::OK, "{name}");
    }
    let (_, text) = get(&s, "/api/v1/top.txt?n=1");
    assert!(String::from_utf8(text).unwrap().contains("Showing top 1 nodes out of 6"));
    let (response, csv) = get(&s, "/api/v1/top.csv");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/csv; charset=utf-8");
    assert!(String::from_utf8(csv).unwrap().starts_with("flat,cum,flat_base,cum_base,name"));
}

#[test]
fn the_summary_explains_itself() {
    let s = session(folded(SHOP));
    let (status, answer) = json(&s, "/api/v1/explain?f=parse");
    let text = answer["markdown"].as_str().unwrap();
    assert_eq!(status, StatusCode::OK);
    assert!(text.contains("**300 B** in use") && text.contains("only `focus=parse`"), "{text}");
    assert_eq!(answer["headline"], "300 B in use: 100% held by parse.");
    let (response, file) = get(&s, "/api/v1/summary.md?f=parse&download");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/markdown; charset=utf-8");
    assert!(response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().ends_with(".md\""));
    assert_eq!(String::from_utf8(file).unwrap(), text);
    assert_eq!(json(&s, "/api/v1/explain?f=((").0, StatusCode::BAD_REQUEST);
    // Two dumps, one of them the base, have no growth over time; everything else works.
    let mut two = dumps(&["main;more 5\n", "main;more 1\n"]);
    two.mark_base();
    let (status, answer) = json(&session(two), "/api/v1/explain?dump=0&base=1");
    assert!(status == StatusCode::OK && answer["markdown"].as_str().unwrap().contains("**+4 B**"), "{answer}");
}

#[test]
fn errors_name_the_field_and_a_remedy() {
    let s = session(folded(SHOP));
    for (path, status, field) in [
        ("/api/v1/top?f=((", 400, "focus"),
        ("/api/v1/top?focuss=x", 400, "focuss"),
        ("/api/v1/top?n=many", 400, "nodecount"),
        ("/api/v1/top?si=heap", 400, "sample_index"),
        ("/api/v1/top?base=3", 400, "base"),
        ("/api/v1/peek?peek=nosuch", 404, "peek"),
        ("/api/v1/flame?zoom=abc", 404, "zoom"),
        ("/api/v1/nosuch", 404, ""),
        ("/api/nothing/here", 404, ""),
    ] {
        let (got, body) = json(&s, path);
        assert_eq!((got.as_u16(), body["field"].as_str().unwrap()), (status, field), "{path}: {body}");
        assert!(!body["error"].as_str().unwrap().is_empty(), "{path}");
    }
}

#[test]
fn downloads_have_descriptive_file_names() {
    let s = session(dumps(&[SHOP, "main;init;alloc 40\n"]));
    let file = |path: &str| {
        let (response, body) = get(&s, path);
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let name = response.headers().get(header::CONTENT_DISPOSITION).map(|v| v.to_str().unwrap().to_owned());
        (name.unwrap_or_default(), String::from_utf8(body).unwrap())
    };
    let (name, csv) = file("/api/v1/top.csv?download&focus=cache");
    assert_eq!(name, "attachment; filename=\"inuse_space-top.csv\"");
    assert!(csv.contains("\r\n600,600,"), "{csv}");
    assert_eq!(file("/api/v1/top.csv").0, "");
    assert_eq!(file("/api/v1/top?download&base=1").0, "attachment; filename=\"inuse_space-diff-top.json\"");
    assert_eq!(
        file("/api/v1/traces.folded?download&dump=0"),
        (
            "attachment; filename=\"inuse_space-traces.folded\"".into(),
            "main;init;alloc 100\nmain;serve;cache;alloc 600\nmain;serve;parse;alloc 300\n".into()
        )
    );
    // A picture is a file, requested or not: its script must not run here.
    let (name, svg) = file("/api/v1/flame.svg?focus=cache");
    assert_eq!(name, "attachment; filename=\"inuse_space-flame.svg\"");
    assert!(svg.contains("<svg") && svg.contains("<title>cache ") && !svg.contains("<title>parse "));
    assert_eq!(json(&s, "/api/v1/flame.svg?focus=nosuch").0, StatusCode::NOT_FOUND);
    assert_eq!(json(&s, "/api/v1/top.svg").0, StatusCode::NOT_FOUND);
    assert_eq!(json(&s, "/api/v1/flame.folded").0, StatusCode::NOT_FOUND);
}

#[test]
fn labels_are_listed_with_ranges_of_numbers() {
    let text: String = (1..=40).map(|n| format!("main;f{n} {n} thread=t{} size={}\n", n % 2, n * 10)).collect();
    let s = session(folded(&text));
    assert_eq!(json(&s, "/api/v1/meta").1["label_keys"], serde_json::json!(["size", "thread"]));
    let (_, tags) = json(&s, "/api/v1/tags");
    let [size, thread] = [&tags["tag"][0], &tags["tag"][1]];
    assert_eq!((size["n_values"].as_u64(), thread["n_values"].as_u64()), (Some(40), Some(2)));
    let ranges = size["range"].as_array().unwrap();
    assert_eq!(ranges.iter().map(|r| r["value"].as_i64().unwrap()).sum::<i64>(), (1..=40).sum::<i64>());
    assert!(thread["range"].as_array().unwrap().is_empty());
    for range in ranges {
        let (_, only) = json(&s, &format!("/api/v1/top?tagfocus=size={}", range["filter"].as_str().unwrap()));
        assert_eq!(only["header"]["value_total"], range["value"], "{range}");
    }
    let both = "tagfocus=thread%3D%5Et1%24%20%26%26%20size%3D10,20:40";
    assert_eq!(json(&s, &format!("/api/v1/top?{both}")).1["header"]["value_total"], 1 + 3);
}

#[test]
fn a_base_is_a_second_column() {
    let s = session(dumps(&["a;b 10\n", "a;b 30\na;c 5\n"]));
    let (_, top) = json(&s, "/api/v1/top?dump=1&base=0&nf=0");
    assert_eq!(top["header"]["has_base"], true);
    assert_eq!((&top["flat"][0], &top["flat_base"][0]), (&30.into(), &10.into()));
    let (_, meta) = json(&s, "/api/v1/meta");
    assert_eq!(meta["dumps"].as_array().unwrap().len(), 2);
}

#[test]
fn names_that_come_later_are_seen() {
    let s = session(folded("[unknown] 5\n"));
    s.set_progress(Progress { done: 3, total: 9, file: "main".into(), fetching: "a.so: 3MB".into(), ..Progress::default() });
    let (_, before) = json(&s, "/api/v1/meta");
    assert_eq!((&before["symbols"]["state"], &before["symbols"]["fetching"]), (&"working".into(), &"a.so: 3MB".into()));
    assert_eq!(before["symbols"]["file"], "main");
    assert_eq!(json(&s, "/api/v1/top").1["row"][0]["name"], "[unknown]");
    s.replace(folded("main 5\n"), vec!["a note".into()]);
    s.set_progress(Progress { done: 9, total: 9, finished: true, ..Progress::default() });
    let (_, after) = json(&s, "/api/v1/meta");
    assert_eq!((&after["symbols"]["state"], &after["symbols"]["generation"]), (&"done".into(), &1.into()));
    assert_eq!(after["warnings"][0], "a note");
    assert_eq!((&after["symbols"]["verdict"], &after["symbols"]["modules"]), (&"".into(), &serde_json::json!([])));
    let module = DoctorModule { name: "/bin/main".into(), problem: "stripped".into(), ..DoctorModule::default() };
    s.set_doctor(DoctorReport { verdict: "0 %".into(), module: vec![module], ..DoctorReport::default() });
    let (_, meta) = json(&s, "/api/v1/meta");
    assert_eq!((&meta["symbols"]["verdict"], &meta["symbols"]["modules"][0]["problem"]), (&"0 %".into(), &"stripped".into()));
    assert_eq!(json(&s, "/api/v1/top").1["row"][0]["name"], "main");
}

#[test]
fn every_answer_is_guarded() {
    let s = session(folded(SHOP));
    for path in ["/", "/top", "/ui/flamegraph", "/api/v1/top", "/assets/nosuch.js"] {
        let (response, _) = get(&s, path);
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"), "{path}");
        assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN), "{path}");
    }
    for host in ["evil.example:8080", "localhost:1", ""] {
        let to = Request::get("/api/v1/top").header(header::HOST, host).body(Body::empty()).unwrap();
        assert_eq!(request(&s, to).0.status(), StatusCode::FORBIDDEN, "{host}");
    }
    let other_site = Request::get("/api/v1/top").header(header::HOST, "localhost:8080").header("sec-fetch-site", "cross-site");
    assert_eq!(request(&s, other_site.body(Body::empty()).unwrap()).0.status(), StatusCode::FORBIDDEN);
    let post = Request::post("/api/v1/top").header(header::HOST, "localhost:8080").body(Body::empty()).unwrap();
    assert_eq!(request(&s, post).0.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[test]
fn a_hostile_name_cannot_leave_the_page() {
    let s = session(folded("</script><script>alert(1)</script> 7\n"));
    let (response, body) = get(&s, "/");
    let page = String::from_utf8(body).unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(!page.contains("alert(1)"), "{page}");
    assert_eq!(json(&s, "/api/v1/top").1["row"][0]["name"], "</script><script>alert(1)</script>");
}

#[test]
fn files_outside_the_bundle_are_not_served() {
    let s = session(folded(SHOP));
    for path in ["/assets/../Cargo.toml", "/assets/%2e%2e/Cargo.toml", "/assets//etc/passwd"] {
        let (response, body) = get(&s, path);
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(!String::from_utf8_lossy(&body).contains("[package]"), "{path}");
    }
}

#[test]
fn profiles_are_downloaded_from_pprofs_paths() {
    let s = session(folded(SHOP));
    let total = |bytes: &[u8]| {
        let profile = heapview::parse::parse(bytes, &heapview::parse::ParseOptions::default()).unwrap().profile;
        (0..profile.samples().len()).map(|row| profile.columns()[0].get(row)).sum::<i64>()
    };
    let (response, whole) = get(&s, "/ui/download");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/vnd.google.protobuf+gzip");
    assert!(response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().contains("profile.pb.gz"));
    assert_eq!(total(&whole), 1000);
    assert_eq!(total(&get(&s, "/download?focus=cache").1), 600);
    assert_eq!(get(&s, "/download?focuss=cache").0.status(), StatusCode::BAD_REQUEST);
}

/// Id of a box, computed from its parent's id as the API documents.
fn box_id(around: u64, name: &str, inlined: u64) -> u64 {
    let mix = |h: u64, x: u64| (h ^ x).wrapping_mul(0x0100_0000_01b3);
    let name = name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| mix(h, u64::from(b)));
    mix(mix(around, name), inlined + 1)
}

#[test]
fn flame_graphs_for_the_page_are_bounded_and_can_be_opened_further() {
    // Sixteen thousand stacks of three frames, no two equal.
    let stacks: String = (0..16_000).map(|i| format!("main;f{};g{i};h{i} {}\n", i % 16, 1000 + i)).collect();
    let s = session(folded(&stacks));
    let (_, flame) = json(&s, "/api/v1/flame?nf=0");
    let boxes = flame["node"].as_array().unwrap().len();
    assert!((1500..8100).contains(&boxes), "{boxes}");
    assert_eq!(flame["header"]["n_total"].as_u64().unwrap(), boxes as u64 + flame["header"]["dropped_nodes"].as_u64().unwrap());
    // Nothing is lost: what a box holds is in its parts and the folded rest.
    let sum = |depth: u64| -> i64 {
        column(&flame, "cum").zip(column(&flame, "depth")).filter(|(_, d)| *d as u64 == depth).map(|(v, _)| v).sum()
    };
    assert_eq!((sum(0), sum(1), sum(2)), (sum(0), sum(0), sum(0)));
    // Ids are not sent but follow from names.
    assert_eq!(flame["id"], serde_json::json!([""]));
    let everything = 0xcbf2_9ce4_8422_2325u64.wrapping_mul(0x0100_0000_01b3);
    let f15 = box_id(box_id(everything, "main", 0), "f15", 0);
    let (_, zoomed) = json(&s, &format!("/api/v1/flame?zoom={f15:016x}"));
    assert_eq!(zoomed["row"][zoomed["node"][0].as_u64().unwrap() as usize]["name"], "f15");
    assert_eq!(zoomed["id"], serde_json::json!([format!("{f15:016x}")]));
    assert!(column(&zoomed, "cum").count() > 1500, "a thousand stacks of it are sent on request");
    // Long names leave room for fewer.
    let long = session(folded(&stacks.replace(";g", &format!(";{}", "long::".repeat(40)))));
    let (_, bytes) = get(&long, "/api/v1/flame?nf=0");
    assert!((200_000..550_000).contains(&bytes.len()), "{}", bytes.len());
    // A file is whole.
    let (_, file) = json(&s, "/api/v1/flame.json?nf=0");
    assert_eq!((column(&file, "cum").count(), file["id"].as_array().unwrap().len()), (32_018, 32_018));
}

fn column<'a>(report: &'a Value, name: &str) -> impl Iterator<Item = i64> + 'a {
    report[name].as_array().unwrap().iter().map(|v| v.as_i64().unwrap())
}
