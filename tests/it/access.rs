//! Access rights of every address of the server, from every origin. The addresses come from the router and the API document, so
//! that a new one cannot be forgotten.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use flate2::read::GzDecoder;
use futures_util::StreamExt;
use heapview::api::{Opened, Opener, Refusal};
use heapview::profile::{Function, Labels, Line, Mapping, ProfileBuilder};
use heapview::query::SourcePaths;
use heapview::report::{DoctorModule, DoctorReport};
use heapview::session::Session;
use heapview::sources::Sources;
use heapview::web::{Access, Hosts, OPENAPI, Setup, app};
use tower::ServiceExt;

use crate::fixture::{folded, path, session};

/// Takes every file.
struct Takes;

impl Opener for Takes {
    fn open(&self, _: &str, _: Vec<u8>, _: Option<u64>) -> Result<Opened, Refusal> {
        Ok(Opened::default())
    }
}

const OWNER: &str = "owner-owner-owner";
const READER: &str = "reader-reader-reader";

/// A server with tokens; `true`: one that needs none.
fn router(session: Arc<Session>, is_open: bool) -> Router {
    router_with(session, Arc::default(), is_open)
}

fn router_with(session: Arc<Session>, files: Arc<heapview::annotate::Files>, is_open: bool) -> Router {
    let given = |token: &str| Some(token.to_owned());
    let access = if is_open { Access::default() } else { Access::with_tokens(given(OWNER), given(READER)).unwrap() };
    let hosts = Hosts::new(SocketAddr::from(([127, 0, 0, 1], 8080)), "localhost");
    app(session, Setup { access, files, opener: Some(Arc::new(Takes)), most_uploaded: 1 << 20, ..hosts.into() })
}

/// Every path that the router knows, with what represents its parameters.
fn paths() -> Vec<String> {
    let document: serde_json::Value = serde_json::from_str(OPENAPI).unwrap();
    let documented: Vec<String> = document["paths"].as_object().unwrap().keys().cloned().collect();
    let reports = documented
        .iter()
        .filter(|path| !["files", "meta", "fields", "share", "events", "start", "recent"].iter().any(|name| path.ends_with(name)));
    let reports: Vec<String> = reports.cloned().collect();
    assert!(reports.len() >= 13, "{reports:?}");
    let code = fs::read_to_string(path("src/web/router.rs")).unwrap();
    let routes: Vec<&str> = code.split(".route(").skip(1).map(|rest| rest.split(", ").next().unwrap()).collect();
    assert!(routes.len() >= 10, "{routes:?}");
    let mut all = documented.clone();
    for route in routes {
        match route.trim_matches('"') {
            "/api/v1/{report}" => {
                let forms = ["", ".json", ".txt", ".csv", ".svg", ".md", ".folded", ".dot"];
                all.extend(reports.iter().flat_map(|report| forms.map(|form| format!("{report}{form}"))));
                all.extend(["/api/v1/nosuch".to_owned(), "/api/v1/..%2f..%2fetc%2fpasswd".to_owned()]);
            }
            "/api/{*rest}" => all.push("/api/v2/anything".to_owned()),
            "/assets/{*path}" => all.extend(["/assets/app.js".to_owned(), "/assets/../x".to_owned()]),
            "guard::FILES" => all.push("/api/v1/files".to_owned()),
            "guard::START" => all.push("/api/v1/start".to_owned()),
            "guard::RECENT" => all.push("/api/v1/start/recent".to_owned()),
            "download::REPORT_FILE" => all.push("/api/v1/report.html".to_owned()),
            "DOWNLOADS[0]" => all.push("/download".to_owned()),
            "DOWNLOADS[1]" => all.push("/ui/download".to_owned()),
            literal if literal.starts_with("/api/") && !literal.contains('{') => all.push(literal.to_owned()),
            unknown => panic!("{unknown} is a route that this test does not know; say which addresses it has"),
        }
    }
    // Paths that fall back to the page.
    all.extend(
        ["/", "/top", "/flamegraph", "/ui/", "/ui/top", "/ui/flamegraph", "/anything/else", "/%2e%2e/etc/passwd"].map(str::to_owned),
    );
    all.sort();
    all.dedup();
    all
}

async fn status(router: &Router, method: &Method, to: &str, headers: &[(&str, &str)]) -> (StatusCode, Option<String>) {
    let mut request = Request::builder().method(method).uri(to);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header(header::HOST, "localhost:8080");
    }
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    (response.status(), response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned()))
}

#[test]
fn every_address_requires_access() {
    let session = session(folded("main;serve;cache;alloc 600\nmain;init;alloc 100\n"));
    let bearer = |token: &str| format!("Bearer {token}");
    let (owner, reader) = (bearer(OWNER), bearer(READER));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (closed, open) = (router(session.clone(), false), router(session.clone(), true));
        for path in paths() {
            let is_api = path.starts_with("/api/") || path.ends_with("/download");
            for method in [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
                let status_of = async |router: &Router, to: &str, headers: &[(&str, &str)]| status(router, &method, to, headers).await.0;
                let what = format!("{method} {path}");
                // Without a right one: 401, whatever else is wrong.
                for headers in [
                    &[][..],
                    &[("cookie", "heapview_8080=wrong")],
                    &[("cookie", "heapview_8080=owner-owner-owner")],
                    &[("authorization", "Basic b3duZXI6b3duZXI=")],
                    &[("x-heapview", "1")],
                    &[("x-heapview", "1"), ("origin", "http://evil.example")],
                    &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")],
                ] {
                    assert_eq!(status_of(&closed, &path, headers).await, StatusCode::UNAUTHORIZED, "{what} {headers:?}");
                }
                // Each at a server of its own: answers to wrong tokens are slowed down.
                for (query, headers) in [("?token=wrong", None), ("?code=wrong", None), ("", Some(("authorization", "Bearer wrong")))] {
                    if !matches!(method, Method::GET | Method::POST) || path.contains('.') {
                        continue;
                    }
                    let to = format!("{path}{query}");
                    assert_eq!(
                        status_of(&router(session.clone(), false), &to, headers.as_slice()).await,
                        StatusCode::UNAUTHORIZED,
                        "{what} {query}"
                    );
                }
                // Known, but for another host, for two, or for one that the request line contradicts.
                let known = ("authorization", owner.as_str());
                for (hosts, expected) in [
                    (&["evil.example:8080"][..], StatusCode::FORBIDDEN),
                    (&["localhost:8081"][..], StatusCode::FORBIDDEN),
                    (&["localhost:8080", "localhost:8080"][..], StatusCode::BAD_REQUEST),
                    (&["localhost:8080", "evil.example"][..], StatusCode::BAD_REQUEST),
                ] {
                    for router in [&closed, &open] {
                        let headers: Vec<(&str, &str)> = hosts.iter().map(|host| ("host", *host)).chain([known]).collect();
                        assert_eq!(status_of(router, &path, &headers).await, expected, "{what} {hosts:?}");
                    }
                }
                let absolute = format!("http://evil.example:8080{path}");
                assert_eq!(status_of(&closed, &absolute, &[known]).await, StatusCode::BAD_REQUEST, "{what}");
                // Pages of other sites, in a logged-in browser.
                for site in ["cross-site", "same-site"] {
                    let headers = [
                        known,
                        ("sec-fetch-site", site),
                        ("sec-fetch-mode", "cors"),
                        ("x-heapview", "1"),
                        ("origin", "http://evil.example"),
                    ];
                    let got = status_of(&closed, &path, &headers).await;
                    let is_get = matches!(method, Method::GET | Method::HEAD);
                    match (is_api, is_get) {
                        (true, _) => assert_eq!(got, StatusCode::FORBIDDEN, "{what} {site}"),
                        (false, false) => assert_eq!(got, StatusCode::METHOD_NOT_ALLOWED, "{what} {site}"),
                        (false, true) => {}
                    }
                }
                // Readers look, and only look.
                for (role, is_owner) in [(&reader, false), (&owner, true)] {
                    let headers = [("authorization", role.as_str()), ("x-heapview", "1")];
                    if path.ends_with("/events") && method == Method::GET {
                        continue;
                    }
                    let got = status_of(&closed, &path, &headers).await;
                    let is_upload = path == "/api/v1/files";
                    let is_start = path == "/api/v1/start";
                    let is_recent = path == "/api/v1/start/recent";
                    // These name local files.
                    let is_owners = is_start || path == "/api/v1/report.html";
                    match method {
                        Method::GET | Method::HEAD if is_owners && !is_owner => assert_eq!(got, StatusCode::FORBIDDEN, "{what}"),
                        // There is no such entry.
                        Method::POST if is_start && is_owner => assert_eq!(got, StatusCode::UNPROCESSABLE_ENTITY, "{what}"),
                        Method::POST if is_start => assert_eq!(got, StatusCode::FORBIDDEN, "{what}"),
                        Method::DELETE if is_recent && is_owner => assert_eq!(got, StatusCode::OK, "{what}"),
                        Method::DELETE if is_recent => assert_eq!(got, StatusCode::FORBIDDEN, "{what}"),
                        Method::GET | Method::HEAD => {
                            assert!(!matches!(got, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN), "{what} {role}: {got}");
                        }
                        Method::POST if is_upload && is_owner => assert_eq!(got, StatusCode::OK, "{what}"),
                        Method::POST if is_upload => assert_eq!(got, StatusCode::FORBIDDEN, "{what}"),
                        _ => assert_eq!(got, StatusCode::METHOD_NOT_ALLOWED, "{what} {role}"),
                    }
                }
            }
        }
    });
}

#[test]
fn redirects_stay_on_this_server() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let router = router(session(folded("main;alloc 600\n")), false);
        for path in
            ["//evil.example/", "/\\evil.example/", "/\\/evil.example", "///\\\\evil.example", "/%5cevil.example/", "/.//evil.example"]
        {
            let to = format!("{path}?token={OWNER}&f=a");
            let headers = [("authorization", "Bearer owner-owner-owner")];
            let (got, location) = status(&router, &Method::GET, &to, &headers).await;
            let location = location.unwrap_or_else(|| panic!("{path}: {got}"));
            let second = location.chars().nth(1);
            assert!(location.starts_with('/') && !matches!(second, Some('/' | '\\')) && !location.contains('\\'), "{path} → {location}");
            assert!(!location.contains("token"), "{location}");
        }
    });
}

/// All of an answer, unpacked; the first event of those that have no end.
async fn response_text(router: &Router, to: &str, token: &str) -> String {
    let request = Request::get(to).header(header::HOST, "localhost:8080").header(header::AUTHORIZATION, format!("Bearer {token}"));
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let headers = format!("{:?}\n", response.headers());
    if to.ends_with("/events") {
        let first = response.into_body().into_data_stream().next().await.unwrap().unwrap();
        return headers + &String::from_utf8_lossy(&first);
    }
    let body = axum::body::to_bytes(response.into_body(), 1 << 30).await.unwrap();
    let mut unpacked = Vec::new();
    match body.starts_with(&[0x1f, 0x8b]) {
        true => drop(std::io::Read::read_to_end(&mut GzDecoder::new(&body[..]), &mut unpacked).unwrap()),
        false => unpacked.extend_from_slice(&body),
    }
    headers + &String::from_utf8_lossy(&unpacked)
}

#[test]
fn readers_learn_no_folder_of_this_machine() {
    let disk = tempfile::tempdir().unwrap();
    let root = disk.path().canonicalize().unwrap();
    let at = |file: &str| root.join(file).to_string_lossy().into_owned();
    fs::create_dir_all(root.join("my project/src")).unwrap();
    fs::write(root.join("my project/src/main.c"), "first\nsecond\nthird\n").unwrap();
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let file = b.string(&at("my project/target/shop"));
    let mapping = b.mapping(Mapping { file, start: 0x1000, limit: 0x9000, ..Mapping::default() });
    let closure = format!("{{closure at {}:3}}", at("x.rs"));
    let frames = [("main", at("my project/src/main.c")), ("gone", at("gone.c")), (closure.as_str(), at("x.rs"))];
    let stack: Vec<_> = frames
        .iter()
        .enumerate()
        .map(|(i, (name, file))| {
            let (name, filename) = (b.string(name), b.string(file));
            let function = b.function(Function { name, system_name: name, filename, start_line: 1, ..Function::default() });
            b.location(Some(mapping), 0x1000 + i as u64, &[Line { function: Some(function), line: 2, column: 0 }])
        })
        .collect();
    b.sample(&stack, Labels::NONE, &[4096]);
    b.dump().name = at("dumps/shop.heap");
    let sources = Sources::new(&SourcePaths { search: at("my project"), trim: "/nothing".into() }, &root, None).confined();
    let s = Session::new(b.build(), vec![format!("{}: the dump ends in the middle", at("dumps/shop.heap"))]);
    let files = Arc::new(heapview::annotate::Files::new(sources, heapview::annotate::Code::default()));
    s.set_doctor(DoctorReport {
        verdict: format!("half of {} has names", at("my project/target/shop")),
        module: vec![DoctorModule {
            name: at("my project/target/shop"),
            file: at("my project/target/shop"),
            debug_file: at("my project/target/shop.debug"),
            looked: vec![at("debug")],
            problem: format!("{} is not there", at("my project/target/shop.debug")),
            remedy: vec![format!("strip nothing of {}", at("target/shop"))],
            ..DoctorModule::default()
        }],
        ..DoctorReport::default()
    });
    let router = router_with(Arc::new(s), files, false);
    let folder = root.to_string_lossy().into_owned();
    let base = root.file_name().unwrap().to_string_lossy().into_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut n_hidden = 0;
    runtime.block_on(async {
        for path in paths().into_iter().filter(|path| !path.ends_with("/files")) {
            let queries = ["", "?g=files", "?g=lines", "?g=addresses&trim=f", "?list=.&line_code=t&disasm=.&peek=.", "?base=nosuch"];
            for query in if path.ends_with("/events") { &queries[..1] } else { &queries[..] } {
                let to = format!("{path}{query}");
                n_hidden += usize::from(response_text(&router, &to, OWNER).await.contains(&folder));
                let reader = response_text(&router, &to, READER).await;
                assert!(!reader.contains(&folder) && !reader.contains(&base), "{to}: {reader}");
            }
        }
        // They get the source and the whole profile except its paths.
        let source = response_text(&router, "/api/v1/source?list=main", READER).await;
        assert!(source.contains("second") && source.contains("\"main.c\""), "{source}");
        assert!(response_text(&router, "/download", READER).await.contains("main.c"));
        // Readers get the page itself unchanged.
        assert!(response_text(&router, "/top", READER).await.contains("/assets/app.js"));
        assert!(response_text(&router, "/api/v1/top?g=files", READER).await.contains("main.c"));
    });
    assert!(n_hidden > 30, "only {n_hidden} answers to the owner have the folder");
}

/// Every path of the team server's router, with what represents its parameters.
fn team_paths(dump: &str) -> Vec<String> {
    let code = fs::read_to_string(path("src/web/team/router.rs")).unwrap();
    let routes: Vec<&str> = code.split(".route(").skip(1).map(|rest| rest.split(", ").next().unwrap()).collect();
    assert!(routes.len() >= 15, "{routes:?}");
    let mut all: Vec<String> = Vec::new();
    let profile =
        ["", "top", "api/v1/top", "api/v1/meta", "api/v1/files", "api/v1/start", "api/v1/report.html", "api/v1/share", "download"];
    let paths = fs::read_to_string(path("src/web/team/paths.rs")).unwrap();
    for route in routes {
        if let Some(name) = route.strip_prefix("paths::") {
            let (_, rest) = paths.split_once(&format!("const {name}: &str = \"")).unwrap();
            all.push(rest.split_once('"').unwrap().0.to_owned());
            continue;
        }
        match route.trim_matches('"') {
            "/l/{id}" => all.push("/l/aaaaaaaaaaaaaaaa".to_owned()),
            "/api/v1/dumps/{id}" => all.push(format!("/api/v1/dumps/{dump}")),
            "/buildid/{id}/{file}" => {
                all.extend(["executable", "debuginfo", "..%2f..%2fetc"].map(|file| format!("/buildid/abcdef/{file}")))
            }
            "/services/{service}" => all.push("/services/forest".to_owned()),
            "/s/{service}" => all.push("/s/forest".to_owned()),
            "/s/{service}/{range}" => all.push("/s/forest/..".to_owned()),
            "/s/{service}/{range}/" | "/s/{service}/{range}/{*rest}" => all.extend(profile.map(|rest| format!("/s/forest/../{rest}"))),
            "/d/{ids}" => all.push(format!("/d/{dump}")),
            "/d/{ids}/" | "/d/{ids}/{*rest}" => all.extend(profile.map(|rest| format!("/d/{dump}/{rest}"))),
            "/assets/{*path}" => all.push("/assets/app.js".to_owned()),
            literal if !literal.contains('{') => all.push(literal.to_owned()),
            unknown => panic!("{unknown} is a route that this test does not know; say which addresses it has"),
        }
    }
    all.extend(["/anything", "/api/v1/nosuch"].map(str::to_owned));
    all.sort();
    all.dedup();
    all
}

#[test]
fn every_address_of_the_team_server_requires_access() {
    use heapview::store::{TokenRole, measure, said};

    let folder = tempfile::tempdir().unwrap();
    let store = crate::store::open(folder.path());
    let tokens =
        [("ci", TokenRole::Push), ("team", TokenRole::View), ("bob", TokenRole::Note), ("root", TokenRole::Admin)].map(|(name, role)| {
            let services: &[String] = if role == TokenRole::Push { &["forest".to_owned()] } else { &[] };
            (role, store.add_token(name, role, services).unwrap())
        });
    let measured = measure(b"main;alloc 600\n".to_vec(), &store.settings()).unwrap();
    let said = said(&[("service".into(), "forest".into())], &store.settings()).unwrap();
    let dump = store.upload(measured, said, "ci").unwrap().envelope.sha256.short().to_string();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let router = crate::store::router(&store, false);
        for path in team_paths(&dump) {
            for method in [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
                let what = format!("{method} {path}");
                let is_read = matches!(method, Method::GET | Method::HEAD);
                let is_login = path == "/login" && method == Method::POST;
                let is_link = path == "/api/v1/links" && method == Method::POST;
                let is_open = (path == "/healthz" && is_read) || is_login;
                let is_note = path == "/api/v1/notes" && matches!(method, Method::PUT | Method::POST);
                let is_feed = ["/push.v1.PusherService/Push", "/ingest", "/v1development/profiles"].contains(&path.as_str());
                let is_write = if is_feed {
                    method == Method::POST
                } else {
                    ["/api/v1/dumps", "/api/v1/binaries", "/api/v1/notes"].contains(&path.as_str())
                        && matches!(method, Method::PUT | Method::POST)
                };
                for headers in [&[][..], &[("cookie", "heapview_store=wrong")], &[("x-heapview", "1")], &[("sec-fetch-site", "cross-site")]]
                {
                    let got = status(&router, &method, &path, headers).await.0;
                    assert_eq!(got == StatusCode::UNAUTHORIZED, !is_open, "{what} {headers:?}: {got}");
                    // An empty form logs out.
                    assert_eq!(got == StatusCode::SEE_OTHER, is_login, "{what} {headers:?}: {got}");
                }
                for (role, token) in &tokens {
                    let bearer = format!("Bearer {token}");
                    let got = status(&router, &method, &path, &[("authorization", &bearer)]).await.0;
                    let is_refused = matches!(got, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED);
                    let may = match role {
                        _ if is_open => true,
                        TokenRole::Push => is_write && !is_note,
                        TokenRole::Note => is_read || is_note || is_link,
                        TokenRole::View => is_read || is_link,
                        TokenRole::Admin => is_read || is_write || is_link,
                    };
                    // Profiles of a store take nothing, and nobody owns the machine they are on.
                    let is_owners = is_read && (path.ends_with("/start") || path.ends_with("/report.html"));
                    let is_form = is_feed || path.ends_with("/files") || path.ends_with("/links");
                    if is_login {
                        assert_eq!(got, StatusCode::SEE_OTHER, "{what} {role:?}");
                    } else if is_owners || (is_form && is_read) {
                        assert!(is_refused || got == StatusCode::NOT_FOUND, "{what} {role:?}: {got}");
                    } else {
                        assert_eq!(!is_refused, may, "{what} {role:?}: {got}");
                    }
                    // In a browser that is on another site's page.
                    let headers = [("authorization", bearer.as_str()), ("sec-fetch-site", "cross-site"), ("origin", "http://evil.example")];
                    let got = status(&router, &method, &path, &headers).await.0;
                    if !is_open && !path.starts_with("/assets/") {
                        assert!(matches!(got, StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED), "{what} {role:?}: {got}");
                    }
                }
            }
        }
    });
}
