//! Makes `openapi.json`, the API described for programs, from FIELDS and the report types. The program only serves the file: utoipa
//! and what its derive macro writes are compiled for tests alone.

use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Array, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, HttpMethod, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    ResponseBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use expect_test::expect_file;

use super::share::Share;
use crate::api::ApiError;
use crate::api::Opened;
use crate::api::StartList;
use crate::api::{FieldDoc, Meta, Rules};
use crate::query::{FIELDS, Field, Kind, LOCAL, ViewKind, applies};
use crate::report::{
    AccessesReport, DisasmReport, FlameReport, GraphReport, GrowthReport, PeekReport, RssReport, SizesReport, SourceReport, SummaryReport,
    TagsReport, TopReport, TracesReport, TypesReport,
};

/// Adds types, and those that they consist of, to the components of a document.
macro_rules! schemas {
    ($components:expr; $($schema:ty),*) => {{
        let mut components = $components;
        $(
            let mut nested = Vec::new();
            <$schema>::schemas(&mut nested);
            components = components.schemas_from_iter(nested).schema(<$schema>::name(), <$schema>::schema());
        )*
        components
    }};
}
pub(in crate::web) use schemas;

#[test]
fn the_document_is_up_to_date() {
    let document = serde_json::to_string_pretty(&openapi()).unwrap() + "\n";
    expect_file!["openapi.json"].assert_eq(&document);
}

/// The document, for `/api/v1/openapi.json` and the page's types.
fn openapi() -> OpenApi {
    let components = schemas!(
        ComponentsBuilder::new();
        Opened,
        Share,
        StartList,
        TopReport,
        PeekReport,
        FlameReport,
        GraphReport,
        TracesReport,
        TagsReport,
        SizesReport,
        TypesReport,
        AccessesReport,
        GrowthReport,
        RssReport,
        SummaryReport,
        SourceReport,
        DisasmReport,
        Meta,
        FieldDoc,
        Rules,
        ApiError
    );
    let mut paths = PathsBuilder::new();
    for kind in ViewKind::ALL {
        let mut operation = OperationBuilder::new()
            .operation_id(Some(kind.name()))
            .summary(Some(summary(kind)))
            .response("200", answer(reference(schema_of(kind)), "The report; append .txt or .csv to the name for text or a table"))
            .response("400", answer(reference("ApiError"), "A parameter is wrong"))
            .response("404", answer(reference("ApiError"), "Nothing matches"));
        for field in FIELDS.iter().filter(|f| applies(f, kind) && !LOCAL.contains(&f.name)) {
            operation = operation.parameter(parameter(field));
        }
        paths = paths.path(format!("/api/v1/{}", kind.name()), PathItem::new(HttpMethod::Get, operation.build()));
    }
    let list = Schema::Array(Array::new(reference("FieldDoc")));
    let singles = [
        ("meta", reference("Meta"), "Metadata of the open profile"),
        ("fields", RefOr::T(list), "Options of reports"),
        ("rules", reference("Rules"), "Ownership rules (`kinds`) after a change"),
        ("share", reference("Share"), "Links and command for sharing"),
    ];
    for (name, schema, doc) in singles {
        let operation = OperationBuilder::new().operation_id(Some(name)).summary(Some(doc)).response("200", answer(schema, doc));
        paths = paths.path(format!("/api/v1/{name}"), PathItem::new(HttpMethod::Get, operation.build()));
    }
    let events = OperationBuilder::new()
        .operation_id(Some("events"))
        .summary(Some("The answer of /api/v1/meta, at once and after every change"))
        .response(
            "200",
            ResponseBuilder::new()
                .description("Server-sent events named meta")
                .content("text/event-stream", ContentBuilder::new().schema(Some(reference("Meta"))).build()),
        );
    paths = paths.path("/api/v1/events", PathItem::new(HttpMethod::Get, events.build()));
    let name = ParameterBuilder::new().name("name").parameter_in(ParameterIn::Query).description(Some("File name"));
    let replace = ParameterBuilder::new()
        .name("replace")
        .parameter_in(ParameterIn::Query)
        .description(Some("Open it in place of the open profile; its profile_number, which must still be current"))
        .schema(Some(RefOr::T(Schema::Object(Object::with_type(SchemaType::new(Type::Integer))))))
        .build();
    let open = OperationBuilder::new()
        .operation_id(Some("open"))
        .summary(Some("Opens the uploaded profile or binary in addition to the open profile; needs the header x-heapview: 1"))
        .parameter(replace.clone())
        .parameter(name.schema(Some(RefOr::T(Schema::Object(Object::with_type(SchemaType::new(Type::String)))))))
        .response("200", answer(reference("Opened"), "The opened file"))
        .response("403", answer(reference("ApiError"), "The token is read-only"))
        .response("413", answer(reference("ApiError"), "The upload limit is exceeded"))
        .response("422", answer(reference("ApiError"), "Not a profile, or not compatible with the open profile"));
    paths = paths.path("/api/v1/files", PathItem::new(HttpMethod::Post, open.build()));
    let id = ParameterBuilder::new().name("id").parameter_in(ParameterIn::Query).description(Some("Identifier of an entry"));
    let list = OperationBuilder::new()
        .operation_id(Some("start"))
        .summary(Some("Profiles that the start page can open; for the owner only"))
        .response("200", answer(reference("StartList"), "The list"))
        .response("403", answer(reference("ApiError"), "The token is read-only"));
    let open = OperationBuilder::new()
        .operation_id(Some("open_listed"))
        .summary(Some("Opens an entry of the latest list while no profile is open, or in its place; needs the header x-heapview: 1"))
        .parameter(replace)
        .parameter(id.schema(Some(RefOr::T(Schema::Object(Object::with_type(SchemaType::new(Type::String)))))))
        .response("200", answer(reference("Opened"), "The opened files"))
        .response("403", answer(reference("ApiError"), "The token is read-only"))
        .response("422", answer(reference("ApiError"), "The entry is unknown or cannot be opened"));
    let mut item = PathItem::new(HttpMethod::Get, list.build());
    item.post = Some(open.build());
    paths = paths.path("/api/v1/start", item);
    let clear = OperationBuilder::new()
        .operation_id(Some("clear_recent"))
        .summary(Some("Forgets recent files; for the owner only; needs the header x-heapview: 1"))
        .response("200", answer(reference("StartList"), "The list without them"))
        .response("403", answer(reference("ApiError"), "The token is read-only"))
        .response("422", answer(reference("ApiError"), "The list cannot be deleted"));
    paths = paths.path("/api/v1/start/recent", PathItem::new(HttpMethod::Delete, clear.build()));
    let info = InfoBuilder::new()
        .title("heapview")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Reports of a heap profile. Values are whole numbers in header.unit; options have pprof's names."));
    OpenApiBuilder::new().info(info).paths(paths).components(Some(components.build())).build()
}

fn summary(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Summary => "Totals, top memory holders and packages",
        ViewKind::Top => "Functions, lines, files or addresses sorted by memory",
        ViewKind::Tree => "Each function with its callers and callees",
        ViewKind::Peek => "Callers and callees of matching functions",
        ViewKind::Flame => "Call tree, from the root or from the leaves",
        ViewKind::Graph => "Call graph",
        ViewKind::Traces => "All samples as stack traces",
        ViewKind::Tags => "Label values and their totals",
        ViewKind::Sizes => "Allocation sizes and the top holders of each",
        ViewKind::Source => "Annotated source of matching functions",
        ViewKind::Disasm => "Annotated machine code of matching functions, the 50 heaviest",
        ViewKind::Types => "Container types that use the memory",
        ViewKind::Growth => "What grows over a series of dumps",
        ViewKind::Accesses => "Reads and writes of each byte of blocks, by allocation site",
        ViewKind::Rss => "From the bytes in use of the profile to the resident memory of its process",
    }
}

fn schema_of(kind: ViewKind) -> &'static str {
    match kind {
        ViewKind::Summary => "SummaryReport",
        ViewKind::Top => "TopReport",
        ViewKind::Tree | ViewKind::Peek => "PeekReport",
        ViewKind::Flame => "FlameReport",
        ViewKind::Graph => "GraphReport",
        ViewKind::Traces => "TracesReport",
        ViewKind::Tags => "TagsReport",
        ViewKind::Sizes => "SizesReport",
        ViewKind::Source => "SourceReport",
        ViewKind::Disasm => "DisasmReport",
        ViewKind::Types => "TypesReport",
        ViewKind::Growth => "GrowthReport",
        ViewKind::Accesses => "AccessesReport",
        ViewKind::Rss => "RssReport",
    }
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

fn answer(schema: RefOr<Schema>, doc: &str) -> utoipa::openapi::Response {
    ResponseBuilder::new().description(doc).content("application/json", ContentBuilder::new().schema(Some(schema)).build()).build()
}

fn parameter(field: &Field) -> utoipa::openapi::path::Parameter {
    let of = |t: Type| Object::with_type(SchemaType::new(t));
    let schema = match field.kind {
        Kind::Bool => of(Type::Boolean),
        Kind::Int => of(Type::Integer),
        Kind::Float => of(Type::Number),
        Kind::Choice(words) => {
            ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).enum_values(Some(words.iter().copied())).build()
        }
        Kind::Text | Kind::Regex => of(Type::String),
    };
    let short = if field.alias.is_empty() { String::new() } else { format!(" (short: {})", field.alias) };
    ParameterBuilder::new()
        .name(field.name)
        .parameter_in(ParameterIn::Query)
        .description(Some(format!("{}{short}", field.doc)))
        .schema(Some(RefOr::T(Schema::Object(schema))))
        .build()
}
