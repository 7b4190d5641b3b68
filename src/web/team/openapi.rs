//! Makes `openapi.json` of the team server, as `src/web/openapi.rs` does for the server of one profile.

use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Array, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    ResponseBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use expect_test::expect_file;

use super::{binaries, dumps, lists, paths};
use crate::api::ApiError;
use crate::store::{Build, Envelope, Origin};
use crate::web::openapi::schemas;

/// What an operation answers with.
#[derive(Clone, Copy)]
enum Body {
    /// A type of the document.
    Json(&'static str),
    /// A list of them.
    List(&'static str),
    Bytes,
    Text,
    /// A page, or an address of the API of a profile (`/api/v1/openapi.json` of a server for one profile).
    Page,
    /// A redirection.
    To,
}

/// Method, path, name, summary, parameters of the query, answer.
type Row = (HttpMethod, &'static str, &'static str, &'static str, &'static [(&'static str, &'static str)], Body);

const SELECTION: &[(&str, &str)] = &[
    ("service", "Name of the service"),
    ("from", "Taken at this time or later: RFC 3339, or seconds since 1970"),
    ("to", "Taken before this time"),
    ("least", "Least total, bytes"),
    ("limit", "Most dumps, the latest first (100); more than 10000 are the latest 10000"),
    ("version", "Version; so for env, host, pod, pid, process and other labels"),
];

const SERIES: &[(&str, &str)] =
    &[("from", "Taken at this time or later"), ("to", "Taken before this time"), ("version", "Version; so for other labels")];

const ORIGIN: &[(&str, &str)] = &[
    ("service", "Name of the service; required"),
    ("version", "Version of the service"),
    ("env", "Environment"),
    ("host", "Host"),
    ("pod", "Pod or container"),
    ("pid", "Process id"),
    ("seq", "Number of the dump in its process"),
    ("time", "When it was taken: RFC 3339, or seconds since 1970"),
    ("name", "File name"),
    ("build_id", "Build id of the program, for dumps without build ids"),
    ("label.NAME", "Any other label"),
];

const BINARY: &[(&str, &str)] =
    &[("service", "Service that runs it, for dumps without build ids"), ("version", "Version of that service"), ("name", "File name")];

const ROWS: &[Row] = &[
    (
        HttpMethod::Get,
        "/",
        "services_page",
        "Page of services",
        &[("sort", "name, total, growth, latest or dumps"), ("days", "Growth over 1, 7, 30 days; 0: all")],
        Body::Page,
    ),
    (HttpMethod::Get, "/services/{service}", "service_page", "Page of a service", SELECTION, Body::Page),
    (HttpMethod::Get, "/api/v1/services", "services", "Services with their versions", &[], Body::List("Service")),
    (HttpMethod::Get, "/api/v1/openapi.json", "openapi", "This document", &[], Body::Text),
    (HttpMethod::Put, paths::DUMPS, "upload_dump", "Stores the dump in the body; also by POST", ORIGIN, Body::Json("DumpTaken")),
    (HttpMethod::Get, paths::DUMPS, "dumps", "Dumps by service, time, size and labels", SELECTION, Body::List("DumpListed")),
    (HttpMethod::Get, "/api/v1/dumps/{id}", "dump", "The dump as it is stored", &[], Body::Bytes),
    (
        HttpMethod::Put,
        paths::BINARIES,
        "upload_binary",
        "Stores the binary in the body by its build id; also by POST",
        BINARY,
        Body::Json("BinaryTaken"),
    ),
    (HttpMethod::Get, paths::BINARIES, "binaries", "Builds and their files", &[], Body::List("BinaryListed")),
    (HttpMethod::Get, paths::NOTES, "notes", "Notes and expected growth", &[("service", "Name of the service")], Body::Text),
    (HttpMethod::Post, paths::NOTES, "write_note", "Writes a note, or takes one back; also by PUT", &[], Body::Text),
    (HttpMethod::Get, "/api/v1/checks", "checks", "Results of the checks that run by themselves", &[], Body::Text),
    (HttpMethod::Get, "/api/v1/targets", "targets", "Targets of the scraper", &[], Body::Text),
    (
        HttpMethod::Get,
        "/buildid/{id}/{file}",
        "debuginfod",
        "executable or debuginfo of a build, as from a debuginfod server",
        &[],
        Body::Bytes,
    ),
    (HttpMethod::Get, "/d/{ids}", "dump_page", "Leads to the page of a dump (A), several (A,B) or a difference (A..B)", &[], Body::To),
    (HttpMethod::Get, "/d/{ids}/", "dump_summary", "Page of a dump, several or a difference", &[], Body::Page),
    (HttpMethod::Get, "/d/{ids}/{rest}", "dump_view", "Views, downloads and api/v1/… of these dumps", &[], Body::Page),
    (HttpMethod::Get, "/s/{service}", "series", "Leads to the series of these dumps", SERIES, Body::To),
    (
        HttpMethod::Get,
        "/s/{service}/{range}",
        "series_page",
        "Leads to the page of a series; the range is FROM..TO;label=value",
        &[],
        Body::To,
    ),
    (HttpMethod::Get, "/s/{service}/{range}/", "series_summary", "Page of a series", &[], Body::Page),
    (HttpMethod::Get, "/s/{service}/{range}/{rest}", "series_view", "Views, downloads and api/v1/… of a series", &[], Body::Page),
    (HttpMethod::Post, paths::PUSH, "push", "Pyroscope's push.v1: stores memory profiles; Connect, as protobuf or JSON", &[], Body::Text),
    (
        HttpMethod::Post,
        paths::INGEST,
        "ingest",
        "Pyroscope's older address: stores a memory profile",
        &[("name", "Name and labels, as in forest{env=prod}"), ("format", "pprof, or folded stacks"), ("until", "When it was taken")],
        Body::Text,
    ),
    (HttpMethod::Post, paths::OTLP, "otlp", "OpenTelemetry's profiles over HTTP, as protobuf: stores memory profiles", &[], Body::Bytes),
    (HttpMethod::Post, paths::LINKS, "shorten", "Shortens the address in the body, one below /d/, /s/ or /services/", &[], Body::Text),
    (HttpMethod::Get, "/l/{id}", "short_link", "Leads to the address of a short link", &[], Body::To),
    (HttpMethod::Get, "/metrics", "metrics", "Counters in Prometheus' text format", &[], Body::Text),
    (HttpMethod::Get, "/healthz", "healthz", "200 while the store can be read, 503 otherwise; needs no token", &[], Body::Text),
    (HttpMethod::Get, paths::LOGIN, "login_page", "Form for a token", &[], Body::Page),
    (HttpMethod::Post, paths::LOGIN, "log_in", "The form: token and to, or nothing to log out", &[], Body::To),
    (HttpMethod::Get, "/assets/{path}", "asset", "A file of the page", &[], Body::Bytes),
];

fn text() -> RefOr<Schema> {
    RefOr::T(Schema::Object(Object::with_type(SchemaType::new(Type::String))))
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

fn document() -> OpenApi {
    let components = schemas!(
        ComponentsBuilder::new();
        Envelope,
        Origin,
        Build,
        lists::Service,
        lists::Version,
        lists::Listed,
        dumps::Taken,
        binaries::Taken,
        binaries::Listed,
        ApiError
    );
    let mut paths = PathsBuilder::new();
    for (method, path, name, summary, query, body) in ROWS {
        let mut operation = OperationBuilder::new().operation_id(Some(*name)).summary(Some(*summary));
        for part in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
            operation = operation.parameter(
                ParameterBuilder::new()
                    .name(part)
                    .parameter_in(ParameterIn::Path)
                    .required(utoipa::openapi::Required::True)
                    .schema(Some(text())),
            );
        }
        for (name, doc) in *query {
            operation = operation.parameter(
                ParameterBuilder::new().name(*name).parameter_in(ParameterIn::Query).description(Some(*doc)).schema(Some(text())),
            );
        }
        let content = |kind: &str, schema: RefOr<Schema>| {
            ResponseBuilder::new().description(*summary).content(kind, ContentBuilder::new().schema(Some(schema)).build())
        };
        let binary = || {
            RefOr::T(Schema::Object(
                ObjectBuilder::new()
                    .schema_type(SchemaType::new(Type::String))
                    .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::Binary)))
                    .build(),
            ))
        };
        let answer = match body {
            Body::Json(schema) => content("application/json", reference(schema)),
            Body::List(schema) => content("application/json", RefOr::T(Schema::Array(Array::new(reference(schema))))),
            Body::Bytes => content("application/octet-stream", binary()),
            Body::Text => content("text/plain", text()),
            Body::Page => content("text/html", text()),
            Body::To => ResponseBuilder::new().description(*summary),
        };
        let error = |doc: &str| {
            ResponseBuilder::new()
                .description(doc)
                .content("application/json", ContentBuilder::new().schema(Some(reference("ApiError"))).build())
        };
        operation = operation.response(if matches!(body, Body::To) { "303" } else { "200" }, answer);
        if *path != "/healthz" {
            operation = operation.response("401", error("No valid token"));
        }
        if *method == HttpMethod::Put {
            operation = operation
                .request_body(Some(
                    utoipa::openapi::request_body::RequestBodyBuilder::new()
                        .content("application/octet-stream", ContentBuilder::new().schema(Some(binary())).build())
                        .build(),
                ))
                .response("201", ResponseBuilder::new().description("Stored, and new"))
                .response("403", error("The token may not send this"))
                .response("413", error("Larger than a limit of the store"))
                .response("415", error("Not a file that is taken here"))
                .response("422", error("Damaged"))
                .response("429", error("A quota of the token is used up; Retry-After says when there is room"))
                .response("503", error("Try again after Retry-After"));
        }
        paths = paths.path(*path, PathItem::new(method.clone(), operation.build()));
    }
    let info = InfoBuilder::new().title("heapview team server").version(env!("CARGO_PKG_VERSION")).description(Some(
        "Dumps and binaries of a team. Tokens are sent as bearer, as the password of basic authentication, or as a cookie, which only reads.",
    ));
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components.build())).build()
}

#[test]
fn the_document_is_up_to_date() {
    let document = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    expect_file!["openapi.json"].assert_eq(&document);
}

#[test]
fn every_route_is_in_the_document() {
    let code = include_str!("router.rs");
    let routes: Vec<&str> = code.split(".route(").skip(1).map(|rest| rest.split(", ").next().unwrap()).collect();
    assert!(routes.len() >= 18, "{routes:?}");
    let known = document();
    for route in routes {
        let path = route.strip_prefix("paths::").map_or(route.trim_matches('"'), |name| paths::named(name).unwrap());
        let path = path.replace("{*", "{");
        assert!(known.paths.paths.contains_key(&path), "{path} is in router.rs and not in ROWS");
    }
}
