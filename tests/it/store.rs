//! The team server: what comes in, what it is found by, and who may do what.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::annotate::Files;
use heapview::api::Refusal;
use heapview::parse::{ParseOptions, parse};
use heapview::scrape::Scraper;
use heapview::session::Session;
use heapview::store::{Hash, OpenDumps, OpenedDumps, Removal, Store, StoreOptions, TokenRole, Wanted};
use heapview::web::{Limits, Log, Proxies, TeamSetup, team_app};
use tower::ServiceExt;

pub(crate) const SERVER: StoreOptions = StoreOptions { may_create: true, is_single_writer: false };

/// Opens dumps without names: the first that is wanted.
struct Plain(Arc<Store>);

impl OpenDumps for Plain {
    fn open(&self, wanted: &Wanted) -> Result<OpenedDumps, Refusal> {
        let read = |dump: &Hash| {
            let bytes = self.0.dump(dump).unwrap().unwrap();
            parse(&bytes, &ParseOptions::default()).unwrap().profile
        };
        let profiles = wanted.dumps.iter().map(|envelope| read(&envelope.sha256)).collect();
        let session = Arc::new(Session::new(heapview::profile::merge(profiles).unwrap(), wanted.notes.clone()));
        Ok(OpenedDumps { session, files: Arc::<Files>::default(), find_names: Box::new(|| {}) })
    }
}

/// A server on a store; `is_open`: without tokens everybody may do everything.
pub(crate) fn router(store: &Arc<Store>, is_open: bool) -> Router {
    router_with(store, is_open, None)
}

/// The same, with a scraper.
pub(crate) fn router_with(store: &Arc<Store>, is_open: bool, scraper: Option<Scraper>) -> Router {
    team_app(TeamSetup { scraper, ..setup(store, is_open) })
}

/// Configuration of such a server.
pub(crate) fn setup(store: &Arc<Store>, is_open: bool) -> TeamSetup {
    TeamSetup {
        store: store.clone(),
        opener: Arc::new(Plain(store.clone())),
        url: String::new(),
        proxies: Proxies::default(),
        log: Log::default(),
        is_open,
        most_memory: 1 << 30,
        most_received: 64 << 20,
        limits: Limits::default(),
        scraper: None,
    }
}

/// A bucket to test with, from tests/store/s3.py.
fn bucket() -> Option<String> {
    std::env::var("HEAPVIEW_TEST_STORE").ok()
}

/// The store of a test: in its folder, or by the folder's name in the bucket.
pub(crate) fn open(folder: &Path) -> Arc<Store> {
    let own = || folder.file_name().unwrap().to_string_lossy().trim_start_matches('.').to_owned();
    let place = bucket().map_or_else(|| folder.to_str().unwrap().to_owned(), |bucket| format!("{bucket}/{}", own()));
    Arc::new(Store::open(&place, SERVER).unwrap())
}

pub(crate) struct Answer {
    status: StatusCode,
    location: String,
    pub(crate) text: String,
}

async fn ask_with(router: &Router, method: Method, to: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let request = Request::builder().method(method).uri(to).header(header::HOST, "127.0.0.1:80");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let location = response.headers().get(header::LOCATION).map_or(String::new(), |to| to.to_str().unwrap().to_owned());
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 30).await.unwrap();
    Answer { status, location, text: String::from_utf8_lossy(&bytes).into_owned() }
}

pub(crate) async fn get(router: &Router, to: &str) -> Answer {
    ask_with(router, Method::GET, to, &[], Vec::new()).await
}

async fn put(router: &Router, to: &str, body: &[u8]) -> Answer {
    ask_with(router, Method::PUT, to, &[], body.to_vec()).await
}

#[test]
fn errors_are_json_wherever_they_come_from() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        for (method, to, status, said) in [
            (Method::GET, "/api/v1/notes", 400, "service"),
            (Method::GET, "/api/v1/notes?service=a&other=b", 400, "other"),
            (Method::GET, "/services/%ff", 400, "UTF-8"),
            (Method::GET, "/s/%ff", 400, "UTF-8"),
            (Method::GET, "/buildid/%ff/executable", 400, "UTF-8"),
            (Method::GET, "/api/v1/dumps/%ff", 400, "UTF-8"),
            (Method::GET, "/l/%ff", 400, "UTF-8"),
            (Method::GET, "/d/%ff/", 404, "names no dumps"),
            (Method::GET, "/ingest", 405, "GET is not supported"),
            (Method::GET, "/api/v1/links", 405, "GET is not supported"),
            (Method::PUT, "/v1/traces", 405, "PUT is not supported"),
            (Method::PUT, "/ingest?name=forest", 405, "PUT is not supported"),
            (Method::PUT, "/api/v1/binaries?nosuch=1", 400, "expected service, version"),
            (Method::GET, "/nosuch", 404, "nothing at this address"),
        ] {
            let answer = ask_with(&router, method, to, &[], Vec::new()).await;
            let read: serde_json::Value = serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{to}: {}", answer.text));
            assert_eq!(answer.status.as_u16(), status, "{to}: {read}");
            assert!(read["error"].as_str().unwrap().contains(said), "{to}: {read}");
        }
    });
}

#[test]
fn an_upload_that_never_fits_is_not_put_off() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let router = team_app(TeamSetup { most_received: 1 << 20, ..setup(&store, true) });
        let long = vec![b'x'; (1 << 20) + 1];
        let packed = gzip(&long);
        // 70,000 empty stacks of a dictionary.
        let tables = [&[0x12, 0xe0, 0xc5, 0x08][..], &[0x3a, 0].repeat(70_000)].concat();
        for (to, headers, body) in [
            ("/api/v1/dumps?service=forest", &[][..], &long),
            ("/api/v1/dumps?service=forest", &[("content-length", "1048577")], &long),
            ("/ingest?name=forest", &[("content-encoding", "gzip")], &packed),
            ("/v1development/profiles", &[("content-type", "application/x-protobuf")], &tables),
        ] {
            let answer = ask_with(&router, Method::POST, to, headers, body.clone()).await;
            assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
            assert!(answer.text.contains("needs more than") && answer.text.contains("the memory that this server has"), "{}", answer.text);
        }
        assert_eq!(put(&router, "/api/v1/dumps?service=forest", &folded(1)).await.status, StatusCode::CREATED);
        let metrics = get(&router, "/metrics").await.text;
        assert!(metrics.contains("heapview_uploads_received_bytes 0\n"), "{metrics}");
    });
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

fn folded(bytes: i64) -> Vec<u8> {
    format!("# inuse_space bytes\nmain;serve;cache_add {bytes}\nmain;init 100\n").into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Path of a link.
fn path(link: &str) -> String {
    link.trim().strip_prefix("http://127.0.0.1:80").unwrap_or_else(|| panic!("{link}")).to_owned()
}

#[test]
fn an_upload_is_answered_with_a_link_that_opens_it() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let to = "/api/v1/dumps?service=forest&version=0.39&host=web-1&pid=7&name=a.folded";
        let first = put(&router, to, &folded(5000)).await;
        assert_eq!(first.status, StatusCode::CREATED, "{}", first.text);
        assert_eq!(first.text.trim(), first.location);
        let link = path(&first.text);
        assert!(link.starts_with("/d/") && link.len() == "/d/".len() + 16 + 1, "{link}");
        // The same bytes, packed or not, by PUT or POST, again: the same link.
        let again = ask_with(&router, Method::POST, to, &[], gzip(&folded(5000))).await;
        assert_eq!((again.status, path(&again.text)), (StatusCode::OK, link.clone()));
        let page = get(&router, &link).await;
        assert!(page.text.contains(&format!("<meta name=\"prefix\" content=\"{}\">", link.trim_end_matches('/'))), "{}", page.text);
        let top = get(&router, &format!("{link}api/v1/top.csv")).await;
        assert!(top.text.contains("cache_add") && top.text.contains("5000"), "{}", top.text);
        assert_eq!(get(&router, link.trim_end_matches('/')).await.location, link);
        let view = get(&router, &format!("{link}flamegraph?f=cache")).await;
        assert!(view.text.contains("prefix"), "{}", view.text);
        // It outlives the server.
        let next = self::router(&open(folder.path()), true);
        assert!(get(&next, &format!("{link}api/v1/top.txt")).await.text.contains("cache_add"));
        let stored = get(&next, &format!("/api/v1/dumps/{}", &link[3..19])).await;
        assert_eq!(stored.status, StatusCode::OK);
    });
}

#[test]
fn dumps_are_found_by_label_time_and_size() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        for (n, version) in [(1, "0.38"), (2, "0.38"), (3, "0.39"), (4, "0.39")] {
            let to = format!("/api/v1/dumps?service=forest&version={version}&time=2026-01-2{n}T10:00:00Z&label.zone=eu&pid={}", n % 2);
            assert_eq!(put(&router, &to, &folded(n * 1000)).await.status, StatusCode::CREATED);
        }
        put(&router, "/api/v1/dumps?service=shop", &folded(77)).await;
        let found = async |query: &str| {
            let list: serde_json::Value = serde_json::from_str(&get(&router, &format!("/api/v1/dumps?{query}")).await.text).unwrap();
            let totals = list.as_array().unwrap().iter().map(|dump| dump["totals"]["inuse_space"].as_i64().unwrap() - 100);
            totals.collect::<Vec<_>>()
        };
        assert_eq!(found("service=forest").await, [4000, 3000, 2000, 1000], "the latest first");
        assert_eq!(found("service=forest&limit=2").await, [4000, 3000]);
        assert_eq!(found("service=forest&version=0.38").await, [2000, 1000]);
        assert_eq!(found("service=forest&from=2026-01-22T10:00:00Z&to=2026-01-24T10:00:00Z").await, [3000, 2000]);
        assert_eq!(found("service=forest&least=3100").await, [4000, 3000]);
        assert_eq!(found("service=forest&zone=eu&process=1").await, [3000, 1000]);
        assert_eq!(found("label.zone=us").await, [0i64; 0]);
        assert_eq!(found("").await.len(), 5);
        let services: serde_json::Value = serde_json::from_str(&get(&router, "/api/v1/services").await.text).unwrap();
        assert_eq!(services[0]["service"], "forest");
        assert_eq!(services[0]["versions"][0]["version"], "0.39");
        assert_eq!(services[1]["dumps"], 1);
        // The pages name them, too.
        assert!(get(&router, "/").await.text.contains("<a href=\"/services/forest\">"));
        let page = get(&router, "/services/forest?version=0.39").await.text;
        assert!(page.contains("<polyline") && page.contains("2 of 4 dumps") && page.contains("0.39"), "{page}");
        assert!(get(&router, "/services/forest?label=zone%3Dus").await.text.contains("0 of 4 dumps"));
        assert_eq!(get(&router, "/services/nosuch").await.status, StatusCode::NOT_FOUND);
        assert_eq!(get(&router, "/api/v1/dumps?from=yesterday").await.status, StatusCode::BAD_REQUEST);
    });
}

#[test]
fn pages_may_have_their_own_style_and_nothing_else() {
    use base64::prelude::*;
    use sha2::{Digest, Sha256};

    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        put(&router, "/api/v1/dumps?service=forest&name=%3Cscript%3E", &folded(1)).await;
        for page in ["/", "/services/forest"] {
            let request = Request::get(page).header(header::HOST, "127.0.0.1:80").body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
            let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let style = text.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
            assert!(policy.contains(&format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(style)))), "{policy}");
            assert!(policy.starts_with("default-src 'none'") && !text.contains("<script"), "{text}");
        }
    });
}

#[test]
fn series_and_pairs_have_links_of_their_own() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let router = router(&open(folder.path()), true);
        let mut ids = Vec::new();
        for n in 1..=3 {
            let to = format!("/api/v1/dumps?service=forest&time=2026-01-2{n}T10:00:00Z");
            ids.push(path(&put(&router, &to, &folded(n * 1000)).await.text)[3..19].to_owned());
        }
        let all = get(&router, "/s/forest").await;
        assert_eq!(all.status, StatusCode::SEE_OTHER);
        assert_eq!(all.location, "/s/forest/2026-01-21T10:00:00Z..2026-01-23T10:00:01Z/");
        let n_dumps = async |prefix: &str| {
            let meta: serde_json::Value = serde_json::from_str(&get(&router, &format!("{prefix}api/v1/meta")).await.text).unwrap();
            meta["dumps"].as_array().map_or(0, Vec::len)
        };
        assert_eq!(n_dumps(&all.location).await, 3);
        let some = get(&router, "/s/forest?from=2026-01-22T00:00:00Z").await;
        assert_eq!(n_dumps(&some.location).await, 2);
        assert_eq!(n_dumps(&format!("/d/{},{}/", ids[0], ids[2])).await, 2);
        assert_eq!(n_dumps(&format!("/d/{}..{}/", ids[0], ids[2])).await, 2);
        for nothing in [
            "/s/nosuch",
            "/s/forest?from=2030-01-01T00:00:00Z",
            "/s/forest/x/",
            "/s/forest/x..y/",
            "/d/x/",
            "/d/aaaaaaaaaaaaaaaa/",
            "/d/a..b/top",
        ] {
            let answer = get(&router, nothing).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{nothing}");
            assert!(answer.text.contains("\"error\""), "{}", answer.text);
        }
    });
}

#[test]
fn bad_uploads_have_their_own_status_and_leave_nothing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let limits = [("most_body", "1M"), ("most_unpacked", "2M"), ("most_stacks", "3"), ("most_services", "1"), ("most_labels", "1")];
        store.change_settings(&limits.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
        let router = router(&store, true);
        let before = list(folder.path());
        let dump = folded(5);
        let stacks: String = (0..4).map(|n| format!("main;f{n} 1\n")).collect();
        let bomb = gzip(&vec![b'\n'; 3 << 20]);
        let big = vec![b'x'; (1 << 20) + 1];
        // An ELF file of this kind has a header and nothing else.
        let no_build_id = [&b"\x7fELF\x02\x01\x01"[..], &[0; 9], &[3, 0, 62, 0, 1], &[0; 31], &[64, 0, 56, 0, 0, 0, 64], &[0; 5]].concat();
        let to = "/api/v1/dumps?service=forest";
        for (to, body, status, says) in [
            ("/api/v1/dumps", &dump[..], 400, "`service` is missing"),
            ("/api/v1/dumps?service=a/b", &dump, 400, "is no name of a service"),
            ("/api/v1/dumps?service=forest&verison=1", &dump, 400, "unknown parameter"),
            ("/api/v1/dumps?service=forest&time=soon", &dump, 400, "expected a time"),
            ("/api/v1/dumps?service=forest&label.a=1&label.b=1", &dump, 400, "2 labels"),
            (to, b"", 400, "the body is empty"),
            (to, b"<html>hello</html>", 415, "not a heap profile"),
            (to, b"\x7fELF\x02\x01\x01", 415, "send binaries to"),
            (to, b"heap profile: 1: 1 [1: 1] @ what\n", 422, "damaged"),
            (to, &gzip(&dump)[..12], 422, "damaged"),
            (to, &bomb, 413, "unpacks to more than 2 MiB"),
            (to, &big, 413, "longer than 1 MiB"),
            (to, stacks.as_bytes(), 413, "4 stacks"),
            ("/api/v1/binaries", b"", 400, "the body is empty"),
            ("/api/v1/binaries", b"text", 415, "not a binary"),
            ("/api/v1/binaries", &no_build_id, 422, "no build id"),
            ("/api/v1/binaries?service=forest", b"text", 400, "go together"),
            ("/api/v1/binaries?what=1", b"text", 400, "what"),
        ] {
            let answer = put(&router, to, body).await;
            assert_eq!(answer.status.as_u16(), status, "{to}: {}", answer.text);
            assert!(answer.text.contains(says), "{to}: {} lacks {says}", answer.text);
        }
        // A length that is announced is refused before anything is sent.
        let announced = ask_with(&router, Method::PUT, to, &[("content-length", "10737418240")], Vec::new()).await;
        assert_eq!(announced.status, StatusCode::PAYLOAD_TOO_LARGE);
        // One without a length is refused when it is too long, and not read to its end: this one has none.
        let endless = futures_util::stream::repeat_with(|| std::io::Result::Ok(vec![b'x'; 64 << 10]));
        let request = Request::put(to).header(header::HOST, "127.0.0.1:80").body(Body::from_stream(endless)).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), StatusCode::PAYLOAD_TOO_LARGE);
        // One that breaks off.
        let pieces = futures_util::stream::iter([Ok(folded(5)), Err(std::io::Error::other("reset"))]);
        let request = Request::put(to).header(header::HOST, "127.0.0.1:80").body(Body::from_stream(pieces)).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), StatusCode::BAD_REQUEST);
        assert_eq!(list(folder.path()), before);
        assert_eq!(put(&router, to, &dump).await.status, StatusCode::CREATED);
        let second = put(&router, "/api/v1/dumps?service=other", &dump).await;
        assert_eq!(second.status, StatusCode::TOO_MANY_REQUESTS, "{}", second.text);
        // The clock of a sender that is ahead.
        let future = put(&router, "/api/v1/dumps?service=forest&time=2100-01-01T00:00:00Z", &folded(6)).await;
        assert!(future.status == StatusCode::CREATED && future.text.contains("# the time is in the future"), "{}", future.text);
        // Any age.
        assert_eq!(put(&router, "/api/v1/dumps?service=forest&time=1", &folded(7)).await.status, StatusCode::CREATED);
    });
}

/// Files of a store, with their lengths.
fn list(folder: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap()) {
            let meta = entry.metadata().unwrap();
            if meta.is_dir() { folders.push(entry.path()) } else { found.push((entry.path().display().to_string(), meta.len())) }
        }
    }
    found.sort();
    found
}

#[test]
fn tokens_say_who_may_do_what() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let push = store.add_token("ci", TokenRole::Push, &["forest".into()]).unwrap();
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let admin = store.add_token("root", TokenRole::Admin, &[]).unwrap();
        let router = router(&store, true);
        let bearer = |token: &str| format!("Bearer {token}");
        let basic = |token: &str| format!("Basic {}", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, format!("any:{token}")));
        let to = "/api/v1/dumps?service=forest";
        let with = async |method: Method, to: &str, value: &str| {
            ask_with(&router, method, to, &[("authorization", value)], folded(9)).await.status.as_u16()
        };
        for (token, statuses) in [
            (bearer(&push), [200, 403, 403]),
            (basic(&push), [200, 403, 403]),
            (bearer(&admin), [200, 200, 200]),
            (bearer(&view), [403, 403, 200]),
            (basic(&view), [403, 403, 200]),
        ] {
            let first = with(Method::PUT, to, &token).await;
            assert_eq!(if first == 201 { 200 } else { first }, statuses[0], "{token}");
            let other = with(Method::PUT, "/api/v1/dumps?service=shop", &token).await;
            assert_eq!(if other == 201 { 200 } else { other }, statuses[1], "{token}");
            assert_eq!(with(Method::GET, "/api/v1/services", &token).await, statuses[2], "{token}");
        }
        for wrong in ["Bearer hv_wrong", "Bearer", "Basic !", &bearer(&view[1..])] {
            assert_eq!(with(Method::GET, "/api/v1/services", wrong).await, 401, "{wrong}");
        }
        // A link logs in; the cookie reads, and never writes.
        let linked = Request::get(format!("/services/forest?token={view}&from=1")).header(header::HOST, "heap.example.org");
        let linked = router.clone().oneshot(linked.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(linked.headers()[header::LOCATION], "/services/forest?from=1");
        let cookie = linked.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
        assert!(cookie.contains("HttpOnly") && !cookie.contains(&view), "{cookie}");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let by_cookie =
            async |method: Method, to: &str| ask_with(&router, method, to, &[("cookie", &cookie)], folded(9)).await.status.as_u16();
        assert_eq!(by_cookie(Method::GET, "/").await, 200);
        assert_eq!(by_cookie(Method::PUT, to).await, 401);
        assert_eq!(ask_with(&router, Method::GET, &format!("/?token={push}"), &[], Vec::new()).await.status, StatusCode::UNAUTHORIZED);
        // The form.
        let form = |token: &str, to: &str| format!("token={token}&to={to}").into_bytes();
        let logged_in = ask_with(&router, Method::POST, "/login", &[], form(&view, "%2Fservices%2Fforest")).await;
        assert_eq!((logged_in.status, logged_in.location.as_str()), (StatusCode::SEE_OTHER, "/services/forest"));
        for evil in ["https:%2F%2Fevil.example%2F", "%2F%2Fevil.example%2F", "%2F%5Cevil.example"] {
            let location = ask_with(&router, Method::POST, "/login", &[], form(&view, evil)).await.location;
            assert!(location.starts_with('/') && !location.starts_with("//") && !location.contains('\\'), "{evil}: {location}");
        }
        assert_eq!(ask_with(&router, Method::POST, "/login", &[], form(&push, "%2F")).await.status, StatusCode::UNAUTHORIZED);
        // What is removed is refused.
        store.remove_token("team").unwrap();
        assert_eq!(with(Method::GET, "/api/v1/services", &bearer(&view)).await, 401);
        assert_eq!(by_cookie(Method::GET, "/").await, 401);
        let who: Vec<String> = store.dumps_of("forest").unwrap().iter().map(|envelope| envelope.token.clone()).collect();
        assert_eq!(who, ["ci"]);
    });
}

#[test]
fn old_dumps_are_deleted_unless_they_are_pinned() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let router = router(&store, true);
        let mut links = Vec::new();
        for (n, service) in [(1, "forest"), (2, "forest"), (3, "shop")] {
            links.push(path(&put(&router, &format!("/api/v1/dumps?service={service}"), &folded(n)).await.text));
        }
        let in_days = |days: u64| SystemTime::now() + Duration::from_secs(days * 24 * 3600);
        assert_eq!(store.gc(in_days(1000), true).unwrap().removals, [], "kept for ever by default");
        store.change_settings(&[("keep_days".into(), "30".into()), ("keep_days.shop".into(), "0".into())]).unwrap();
        store.pin(&store.linked(&links[1][3..19].parse().unwrap()).unwrap().unwrap().sha256, true).unwrap();
        assert_eq!(store.gc(in_days(29), false).unwrap().removals, []);
        let files = list(folder.path());
        let dry = store.gc(in_days(31), true).unwrap();
        assert_eq!(list(folder.path()), files, "a dry run deletes nothing");
        let report = store.gc(in_days(31), false).unwrap();
        // What the log then says of nothing goes with it.
        let of_log = |removal: &Removal| matches!(removal, Removal::Log(_));
        let others: Vec<Removal> = report.removals.into_iter().filter(|removal| !of_log(removal)).collect();
        assert_eq!(others, dry.removals);
        assert!(matches!(others[..], [Removal::Dump(_)]), "{others:?}");
        assert_eq!(get(&router, &format!("{}top", links[0])).await.status, StatusCode::NOT_FOUND);
        for kept in &links[1..] {
            assert_eq!(get(&router, kept).await.status, StatusCode::OK);
        }
        assert!(store.verify(&|_, _| ()).unwrap().is_good());
        let later = store.gc(in_days(33), false).unwrap().removals;
        assert!(later.iter().any(|removal| matches!(removal, Removal::Bytes(..))), "its bytes: {later:?}");
        assert!(store.verify(&|_, _| ()).unwrap().is_good());
        // It can come back, also in a server that reads the log anew.
        assert_eq!(put(&router, "/api/v1/dumps?service=forest", &folded(1)).await.status, StatusCode::CREATED);
        let next = open(folder.path());
        assert_eq!(next.dumps_of("forest").unwrap().len(), 2);
        let verified = next.verify(&|_, _| ()).unwrap();
        assert!(verified.is_good() && verified.good == 3 && verified.unfiled.is_empty(), "{verified:?}");
    });
}

#[test]
fn small_objects_of_the_log_become_large_ones() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let router = router(&store, true);
        let mut links = Vec::new();
        for n in 1..=5 {
            links.push(path(&put(&router, "/api/v1/dumps?service=forest", &folded(n)).await.text));
        }
        let reader = open(folder.path());
        let in_days = |days: u64| SystemTime::now() + Duration::from_secs(days * 24 * 3600);
        assert_eq!(store.gc(SystemTime::now(), false).unwrap().merged, 0, "an upload may be under way");
        assert_eq!(store.gc(in_days(2), true).unwrap().merged, 5);
        assert_eq!(store.gc(in_days(2), false).unwrap().merged, 5);
        assert_eq!(store.gc(in_days(2), false).unwrap().merged, 0, "one object is left");
        // Who read the small ones, who reads the large one, and who comes anew see the same.
        reader.refresh(true).unwrap();
        let anew = open(folder.path());
        for store in [&store, &reader, &anew] {
            assert_eq!(store.dumps_of("forest").unwrap(), anew.dumps_of("forest").unwrap());
            assert_eq!(store.dump_counts(), [("forest".to_owned(), 5)]);
        }
        for link in links {
            assert_eq!(get(&router, &format!("{link}top")).await.status, StatusCode::OK);
        }
        assert!(anew.verify(&|_, _| ()).unwrap().is_good());
    });
}

#[test]
fn a_store_that_is_away_is_said_to_be_away() {
    // A bucket is away in tests/store/faults.py.
    if bucket().is_some() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (place, elsewhere) = (folder.path().join("store"), folder.path().join("elsewhere"));
        let store = open(&place);
        let view = store.add_token("team", TokenRole::View, &[]).unwrap();
        let admin = store.add_token("root", TokenRole::Admin, &[]).unwrap();
        let router = router(&store, true);
        let ask = async |method: Method, to: &str, token: &str, body: &[u8]| {
            let bearer = format!("Bearer {token}");
            let headers: &[(&str, &str)] = if token.is_empty() { &[] } else { &[("authorization", &bearer)] };
            ask_with(&router, method, to, headers, body.to_vec()).await
        };
        let to = "/api/v1/dumps?service=forest";
        let opened = path(&ask(Method::PUT, to, &admin, &folded(1)).await.text);
        let other = path(&ask(Method::PUT, to, &admin, &folded(2)).await.text);
        assert_eq!(ask(Method::GET, &format!("{opened}top"), &view, b"").await.status, StatusCode::OK);
        std::fs::rename(&place, &elsewhere).unwrap();
        assert!(store.refresh(true).unwrap_err().is_passing());
        for (to, body) in [(to, &folded(3)), ("/api/v1/binaries", &b"\x7fELF".to_vec())] {
            let answer = ask(Method::PUT, to, &admin, body).await;
            assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{to}: {}", answer.text);
        }
        // What is known stays known: who may do what, too.
        assert_eq!(ask(Method::GET, "/api/v1/services", "", b"").await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(ask(Method::GET, &format!("{opened}top?n=3"), &view, b"").await.status, StatusCode::OK);
        let id = other.trim_matches('/').trim_start_matches("d/").to_owned();
        let download = ask(Method::GET, &format!("/api/v1/dumps/{id}"), &view, b"").await;
        assert_eq!(download.status, StatusCode::SERVICE_UNAVAILABLE, "{}", download.text);
        assert!(!place.exists(), "nothing is made in its place");
        // It comes back, and the server needs no restart.
        std::fs::rename(&elsewhere, &place).unwrap();
        assert_eq!(ask(Method::PUT, to, &admin, &folded(3)).await.status, StatusCode::CREATED);
        assert_eq!(ask(Method::GET, &format!("{other}top"), &view, b"").await.status, StatusCode::OK);
    });
}

#[test]
fn damage_is_found() {
    // What damages it are files.
    if bucket().is_some() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let router = router(&store, true);
        for n in 1..=3 {
            put(&router, "/api/v1/dumps?service=forest", &folded(n)).await;
        }
        let raw: Vec<String> = list(folder.path()).into_iter().map(|(path, _)| path).filter(|path| path.contains("/raw/")).collect();
        std::fs::remove_file(&raw[0]).unwrap();
        std::fs::write(&raw[1], gzip(b"something else")).unwrap();
        let report = store.verify(&|_, _| ()).unwrap();
        assert_eq!((report.good, report.missing.len(), report.damaged.len(), report.is_good()), (1, 1, 1, false));
    });
}

#[test]
fn several_servers_see_what_each_takes() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (open(folder.path()), open(folder.path()));
        let (first, second) = (router(&one, true), router(&two, true));
        let to = "/api/v1/dumps?service=forest";
        // The same bytes to both at once: one link, listed once.
        let body = folded(42);
        let (a, b) = tokio::join!(put(&first, to, &body), put(&second, to, &body));
        assert_eq!(a.text, b.text);
        one.refresh(true).unwrap();
        two.refresh(true).unwrap();
        assert_eq!((one.dumps_of("forest").unwrap().len(), two.dumps_of("forest").unwrap().len()), (1, 1));
        let link = path(&put(&first, to, &folded(43)).await.text);
        assert_eq!(get(&second, &format!("{link}top")).await.status, StatusCode::OK, "at once");
    });
}

#[test]
fn a_place_that_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let error = |options| Store::open(place, options).unwrap_err().to_string();
    assert!(error(StoreOptions::default()).contains("is no store"));
    std::fs::write(folder.path().join("heapview.json"), "{}").unwrap();
    assert!(error(SERVER).contains("no heapview wrote"));
    std::fs::write(folder.path().join("heapview.json"), "{\"heapview_store\":2,\"created\":0}").unwrap();
    assert!(error(SERVER).contains("version 2"));
    let away = Store::open("s3://nosuch/store", SERVER).unwrap_err().to_string();
    assert!(!away.is_empty());
}

#[test]
fn without_tokens_only_this_machine_is_served() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let closed = router(&store, false);
        assert_eq!(get(&closed, "/").await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(get(&closed, "/healthz").await.status, StatusCode::OK);
        let open = router(&store, true);
        let of_host = async |host: &str| {
            let request = Request::get("/").header(header::HOST, host).body(Body::empty()).unwrap();
            open.clone().oneshot(request).await.unwrap().status().as_u16()
        };
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST).to_string();
        assert_eq!((of_host(&local).await, of_host("localhost:8080").await, of_host("evil.example").await), (200, 200, 403));
        // Pages of other sites in a browser of this machine.
        for headers in [&[("origin", "http://evil.example")][..], &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]] {
            let answer = ask_with(&open, Method::POST, "/api/v1/dumps?service=x", headers, folded(1)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{headers:?}");
        }
    });
}
