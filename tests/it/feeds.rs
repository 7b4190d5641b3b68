//! Profiles from clients of other systems: requests that real clients made (`testdata/programs/feeds`), and hostile ones.

use std::io::Write;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::feeds;
use heapview::store::TokenRole;
use prost::encoding::{WireType, encode_key, encode_varint};
use serde_json::Value;
use tower::ServiceExt;

use crate::fixture::path;
use crate::store::{open, router};

const PUSH: &str = "/push.v1.PusherService/Push";

struct Answer {
    status: u16,
    content_type: String,
    body: Vec<u8>,
}

impl Answer {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Code and message of Connect's error.
    fn connect(&self) -> (String, String) {
        let error: Value = serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()));
        assert_eq!(self.content_type, "application/json");
        (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
    }
}

async fn send(router: &Router, method: Method, to: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let request = Request::builder().method(method).uri(to).header(header::HOST, "127.0.0.1:80");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let content_type = response.headers().get(header::CONTENT_TYPE).map_or(String::new(), |of| of.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    Answer { status, content_type, body: axum::body::to_bytes(response.into_body(), 1 << 30).await.unwrap().to_vec() }
}

async fn post(router: &Router, to: &str, content_type: &str, body: &[u8]) -> Answer {
    send(router, Method::POST, to, &[("content-type", content_type)], body.to_vec()).await
}

async fn get(router: &Router, to: &str) -> String {
    send(router, Method::GET, to, &[], Vec::new()).await.text()
}

/// Sends a request that a client made.
async fn replay(router: &Router, name: &str) -> Answer {
    let recorded = std::fs::read(path(&format!("testdata/feeds/{name}.http"))).unwrap();
    let end = recorded.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = std::str::from_utf8(&recorded[..end]).unwrap();
    let mut lines = head.lines();
    let to = lines.next().unwrap().strip_prefix("POST ").unwrap();
    let headers: Vec<(&str, &str)> = lines.map(|line| line.split_once(": ").unwrap()).collect();
    send(router, Method::POST, to, &headers, recorded[end + 4..].to_vec()).await
}

/// Dumps of the store, the latest first.
async fn dumps(router: &Router) -> Vec<Value> {
    serde_json::from_str(&get(router, "/api/v1/dumps").await).unwrap()
}

/// Functions of a dump, as text.
async fn top(router: &Router, dump: &Value) -> String {
    let link = dump["link"].as_str().unwrap().strip_prefix("http://127.0.0.1:80").unwrap();
    get(router, &format!("{link}api/v1/top.csv")).await
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A field of protobuf with bytes.
fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut message = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut message);
    encode_varint(bytes.len() as u64, &mut message);
    [message, bytes.to_vec()].concat()
}

fn series(labels: &[(&str, &[u8])], profiles: &[&[u8]]) -> Vec<u8> {
    let labels = labels.iter().flat_map(|(name, value)| field(1, &[field(1, name.as_bytes()), field(2, value)].concat()));
    let samples = profiles.iter().flat_map(|profile| field(2, &field(1, profile)));
    field(1, &labels.chain(samples).collect::<Vec<u8>>())
}

fn folded(bytes: i64) -> Vec<u8> {
    format!("# inuse_space bytes\nmain;serve;cache_add {bytes}\nmain;init 100\n").into_bytes()
}

#[test]
fn pyroscopes_rust_sdk_can_point_here() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let answer = replay(&router, "pyroscope-rs-memory-1").await;
        assert_eq!((answer.status, answer.content_type.as_str(), answer.body.len()), (200, "application/proto", 0), "{}", answer.text());
        let found = dumps(&router).await;
        let dump = &found[0];
        for (name, value) in [("service", "forest"), ("version", "0.39"), ("env", "test"), ("host", "web-1"), ("format", "pprof")] {
            assert_eq!(dump[name], value, "{dump}");
        }
        assert_eq!((&dump["labels"]["tenant"], &dump["labels"]["process.runtime.name"]), (&"team-a".into(), &"rust".into()));
        let space = dump["totals"]["space"].as_i64().or(dump["totals"]["inuse_space"].as_i64()).unwrap();
        assert!((33_000_000..36_000_000).contains(&space), "32 MiB are kept: {dump}");
        assert!(top(&router, dump).await.contains("fill_cache"));
        // Its profile of processor time is accepted and left out.
        let answer = replay(&router, "pyroscope-rs-cpu-1").await;
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{}", answer.text());
        assert_eq!(dumps(&router).await.len(), 1);
        let metrics = get(&router, "/metrics").await;
        for line in ["{feed=\"push\",outcome=\"cpu\"} 1", "{feed=\"push\",outcome=\"stored\"} 1", "{route=\"/push.v1.\",status=\"200\"} 2"]
        {
            assert!(metrics.contains(line), "{line}: {metrics}");
        }
    });
}

#[test]
fn pyroscopes_node_sdk_can_point_here() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let answer = replay(&router, "pyroscope-node-heap").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(answer.text().starts_with("http://127.0.0.1:80/d/"), "{}", answer.text());
        let found = dumps(&router).await;
        assert_eq!((&found[0]["service"], &found[0]["version"], &found[0]["host"]), (&"forest".into(), &"0.39".into(), &"web-1".into()));
        assert!(top(&router, &found[0]).await.contains("fillCache"));
        let answer = replay(&router, "pyroscope-node-wall").await;
        assert_eq!((answer.status, dumps(&router).await.len()), (200, 1));
        assert!(answer.text().contains("not of memory"), "{}", answer.text());
    });
}

#[test]
fn connects_client_can_push() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        // Packed protobuf with three profiles of memory and one of processor time, then JSON with others.
        for (name, content_type, n) in [("connect-push-1", "application/proto", 3), ("connect-push-2", "application/json", 6)] {
            let answer = replay(&router, name).await;
            assert_eq!((answer.status, answer.content_type.as_str()), (200, content_type), "{name}: {}", answer.text());
            assert_eq!(dumps(&router).await.len(), n, "{name}");
            // Again: nothing is stored twice.
            assert_eq!(replay(&router, name).await.status, 200);
            assert_eq!(dumps(&router).await.len(), n, "{name}");
        }
        let found = dumps(&router).await;
        let mut totals: Vec<i64> = found.iter().map(|dump| dump["totals"]["inuse_space"].as_i64().unwrap()).collect();
        totals.sort_unstable();
        assert_eq!(totals, [10_000, 11_000, 12_000, 20_000, 21_000, 22_000]);
        assert!(found.iter().all(|dump| dump["service"] == "shop.till" && dump["labels"]["service_name"] == "shop/till"));
        assert!(top(&router, &found[0]).await.contains("cache_add"));
        // One of two is damaged: the other is stored.
        let answer = replay(&router, "connect-push-3").await;
        let (code, message) = answer.connect();
        assert_eq!((answer.status, code.as_str()), (400, "invalid_argument"));
        assert!(message.starts_with("1 of 2 profiles were not stored: profile 2: "), "{message}");
        assert_eq!(dumps(&router).await.len(), 7);
        let answer = replay(&router, "connect-push-4").await;
        assert!(answer.connect().1.contains("is no name of a service"), "{}", answer.text());
        assert_eq!(dumps(&router).await.len(), 7);
    });
}

#[test]
fn opentelemetrys_profiles_become_pprof() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let answer = replay(&router, "otlp-1").await;
        assert_eq!((answer.status, answer.content_type.as_str(), answer.body.len()), (200, "application/x-protobuf", 0));
        let found = dumps(&router).await;
        assert_eq!(found.len(), 1, "{found:?}");
        let dump = &found[0];
        assert_eq!(dump["totals"], serde_json::json!({"inuse_objects": 4, "inuse_space": 3100}));
        assert_eq!((&dump["pid"], &dump["host"], &dump["labels"]["zone"]), (&"4711".into(), &"web-1".into(), &"eu".into()));
        assert_eq!(dump["builds"], serde_json::json!([{"file": "/usr/bin/forest", "id": "0123456789abcdef"}]));
        assert_eq!(dump["time"], 1_700_000_000_000i64);
        let functions = top(&router, dump).await;
        assert!(functions.contains("cache_add") && functions.contains("3000"), "{functions}");
        assert!(get(&router, "/metrics").await.contains("{feed=\"otlp\",outcome=\"cpu\"} 1"));
        // Damage, and an index that the dictionary does not have: a status message in protobuf.
        let missing = field(1, &field(2, &field(2, &field(2, &[8, 9]))));
        for (body, says) in [(&b"\x0a\xff"[..], "is damaged"), (&missing, "profile 1: stack 9 is not in the dictionary")] {
            let answer = post(&router, "/v1development/profiles", "application/x-protobuf", body).await;
            assert_eq!((answer.status, answer.content_type.as_str()), (400, "application/x-protobuf"));
            assert!(answer.body.starts_with(&[8, 3]) && answer.text().contains(says), "{}", answer.text());
        }
        let json = post(&router, "/v1development/profiles", "application/json", b"{}").await;
        assert_eq!(json.status, 415);
    });
}

#[test]
fn names_and_forms_of_ingest_are_read() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let name =
            "/ingest?name=forest.heap%7Benv%3Dprod%2Cregion%3Deu%2C__session_id__%3D9f%7D&from=1699999000&until=1700000000&spyName=x";
        let form =
            [&b"--XX\r\nContent-Disposition: form-data; name=\"profile\"; filename=\"p.pprof\"\r\n\r\n"[..], &folded(7000), b"\r\n--XX--"];
        let answer = post(&router, name, "multipart/form-data; boundary=XX", &form.concat()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let found = dumps(&router).await;
        assert_eq!((&found[0]["service"], &found[0]["env"], &found[0]["pid"]), (&"forest.heap".into(), &"prod".into(), &"9f".into()));
        assert_eq!((&found[0]["time"], &found[0]["totals"]["inuse_space"]), (&1_700_000_000_000i64.into(), &7100.into()));
        let stacks = post(&router, "/ingest?name=forest&format=folded&units=bytes", "text/plain", b"main;load 20\nmain;serve 22\n").await;
        assert_eq!((stacks.status, &dumps(&router).await[0]["totals"]["inuse_space"]), (200, &42.into()));
        let others = post(&router, "/ingest?name=forest&format=folded&units=samples", "text/plain", b"main;load 20\n").await;
        assert_eq!((others.status, dumps(&router).await.len()), (200, 2));
        for (to, body, status, says) in [
            ("/ingest", &b"x"[..], 400, "the name of an application"),
            ("/ingest?name=forest%7Benv%3Dprod", b"x", 400, "expected `}`"),
            ("/ingest?name=forest&name=shop", b"x", 400, "given twice"),
            ("/ingest?name=forest&until=now", b"x", 400, "until=now"),
            ("/ingest?name=forest&format=jfr", b"x", 415, "format=jfr"),
            ("/ingest?name=f%1B%5B2J", b"x", 400, "none of which controls a terminal"),
            ("/ingest?name=forest%7Ba%20b%3D1%7D", b"x", 400, "a name of letters"),
            ("/ingest?name=forest", b"", 400, "the body is empty"),
            ("/ingest?name=forest&format=pprof", b"<html>", 415, "not a heap profile"),
        ] {
            let answer = post(&router, to, "", body).await;
            assert_eq!(answer.status, status, "{to}: {}", answer.text());
            assert!(answer.text().contains(says), "{to}: {} lacks {says}", answer.text());
        }
        assert_eq!(dumps(&router).await.len(), 2);
    });
}

#[test]
fn hostile_pushes_leave_nothing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let limits = [("most_body", "1M"), ("most_unpacked", "1M"), ("most_labels", "3"), ("most_services", "1")];
        store.change_settings(&limits.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
        let router = router(&store, true);
        let (proto, json) = ("application/proto", "application/json");
        let forest: (&str, &[u8]) = ("service_name", b"forest");
        let good = series(&[forest], &[&folded(1)]);
        let many_labels: Vec<(&str, &[u8])> = vec![("a", b"1"), ("b", b"1"), ("c", b"1"), ("d", b"1"), forest];
        let flood: Vec<(&str, &[u8])> = vec![("a", b"1"); 1000];
        let ten_thousand = series(&[], &[]).repeat(10_000);
        let bomb = gzip(&vec![0; 2 << 20]);
        for (content_type, body, says) in [
            (proto, good[..good.len() - 3].to_vec(), "the protobuf message is damaged"),
            (proto, b"hello".to_vec(), "the protobuf message is damaged"),
            (proto, [good.clone(), series(&many_labels, &[])].concat(), "series 2: the upload has 4 labels"),
            (proto, [good.clone(), series(&flood, &[])].concat(), "more than 200 labels"),
            (proto, [good.clone(), ten_thousand].concat(), "more than 1000 profiles"),
            (proto, [good.clone(), series(&[("service_name", b"\xff")], &[])].concat(), "the value of a label is not UTF-8"),
            (proto, [good.clone(), series(&[("service_name", b"a\x1bb")], &[])].concat(), "none of which controls a terminal"),
            (proto, [good.clone(), series(&[("service_name", b"../..")], &[])].concat(), "is no name of a service"),
            (proto, [good.clone(), series(&[("env", b"test")], &[])].concat(), "no label `service_name`"),
            (proto, [good.clone(), series(&[forest, ("a\n", b"1")], &[])].concat(), "a name of letters"),
            (proto, vec![0; (1 << 20) + 1], "longer than 1 MiB"),
            (json, b"{\"series\":[".to_vec(), "the JSON is not a push request"),
            (json, b"[".repeat(100_000), "the JSON is not a push request"),
            (proto, series(&[forest], &[b""]), "the body is empty"),
            (proto, series(&[forest], &[b"<html>"]), "not a heap profile"),
            (proto, series(&[forest], &[&bomb]), "unpacks to more than 1 MiB"),
        ] {
            let answer = post(&router, PUSH, content_type, &body).await;
            let (code, message) = answer.connect();
            // Clients do not try this again.
            assert_eq!((answer.status, code.as_str()), (400, "invalid_argument"), "{says}: {message}");
            assert!(message.contains(says), "{message} lacks {says}");
            assert_eq!(dumps(&router).await, [] as [Value; 0], "{says}");
        }
        for (headers, body, status, says) in [
            (&[("content-type", "application/grpc")][..], &good[..], 400, "not gRPC"),
            (&[("content-type", proto), ("connect-protocol-version", "2")], &good, 400, "no version \"2\""),
            (&[("content-type", proto), ("content-encoding", "zstd")], &good, 400, "expected gzip"),
            (&[("content-type", proto), ("content-encoding", "gzip")], &good, 400, "not valid gzip"),
            (&[("content-type", proto), ("content-encoding", "gzip")], &bomb, 400, "unpacks to more than 1 MiB"),
            (&[("content-type", proto), ("content-length", "10737418240")], b"", 400, "longer than 1 MiB"),
        ] {
            let answer = send(&router, Method::POST, PUSH, headers, body.to_vec()).await;
            assert_eq!(answer.status, status, "{}", answer.text());
            assert!(answer.connect().1.contains(says), "{} lacks {says}", answer.text());
        }
        assert_eq!(dumps(&router).await, [] as [Value; 0]);
        assert_eq!(post(&router, PUSH, proto, &good).await.status, 200);
        let second = post(&router, PUSH, proto, &series(&[("service_name", b"shop")], &[&folded(2)])).await;
        assert_eq!((second.status, second.connect().0.as_str()), (429, "resource_exhausted"));
        // The empty request is a way to ask whether a server is there.
        assert_eq!(post(&router, PUSH, proto, b"").await.status, 200);
        assert_eq!(post(&router, PUSH, json, b"{}").await.text(), "{}");
    });
}

#[test]
fn feeds_need_push_tokens_in_each_form() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let push = store.add_token("ci", TokenRole::Push, &["forest".into()]).unwrap();
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let router = router(&store, true);
        let basic = |token: &str| format!("Basic {}", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, format!("any:{token}")));
        let of = |service: &str, n| series(&[("service_name", service.as_bytes())], &[&folded(n)]);
        let with = async |token: &str, body: Vec<u8>| {
            send(&router, Method::POST, PUSH, &[("content-type", "application/proto"), ("authorization", token)], body).await
        };
        for (n, token) in [(1, format!("Bearer {push}")), (2, basic(&push))] {
            assert_eq!(with(&token, of("forest", n)).await.status, 200);
        }
        assert_eq!(store.dumps_of("forest").unwrap().len(), 2);
        // A series of another service: nothing of the request is stored.
        let answer = with(&basic(&push), [of("forest", 3), of("shop", 4)].concat()).await;
        assert_eq!((answer.status, answer.connect().0.as_str()), (403, "permission_denied"));
        assert_eq!(store.dumps_of("forest").unwrap().len(), 2);
        for (token, status, code) in [("Bearer hv_wrong", 401, "unauthenticated"), (&format!("Bearer {view}"), 403, "permission_denied")] {
            let answer = with(token, of("forest", 5)).await;
            assert_eq!((answer.status, answer.connect().0.as_str()), (status, code));
        }
        let answer = send(&router, Method::POST, "/v1development/profiles", &[], Vec::new()).await;
        assert_eq!((answer.status, answer.content_type.as_str()), (StatusCode::UNAUTHORIZED.as_u16(), "application/x-protobuf"));
        assert!(answer.body.starts_with(&[8, 16]), "{:?}", answer.body);
    });
}

#[test]
fn no_bytes_break_the_readers() {
    let body = |name: &str| {
        let recorded = std::fs::read(path(&format!("testdata/feeds/{name}.http"))).unwrap();
        let end = recorded.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        recorded[end + 4..].to_vec()
    };
    for bytes in [body("otlp-1"), body("connect-push-2"), body("connect-push-4"), b"--XX\r\nA: b\r\n\r\nc\r\n--XX--".to_vec()] {
        for at in 0..bytes.len() {
            for flip in [0x01, 0x10, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                for input in [&damaged[..], &damaged[..at]] {
                    let read = [
                        feeds::otlp::from_protobuf(input, 1 << 16, &mut |_| true),
                        feeds::push::from_protobuf(input),
                        feeds::push::from_json(input),
                    ];
                    for profile in read.into_iter().flatten().flatten().flat_map(|series| series.profiles) {
                        feeds::kind(&profile, 1 << 16);
                    }
                    let _ = feeds::ingest::profile(input.to_vec(), "multipart/form-data; boundary=XX", "", "");
                    let _ = feeds::ingest::labels(&String::from_utf8_lossy(input));
                }
            }
        }
    }
}
