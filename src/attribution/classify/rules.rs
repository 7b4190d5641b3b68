//! The table of what is known by name. The first rule that fits decides; what none fits is judged by
//! where its sources are.

use crate::base::hash::HashMap;
use crate::base::kind::PackageKind;
use crate::base::kind::PackageKind::{Allocator, Plumbing, Runtime, ThirdParty};

/// Text that a rule is matched against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum On {
    /// A function's whole name.
    Name,
    /// The whole name of a function of Rust's standard library.
    StdName,
    /// The crate of a Rust function.
    Crate,
    /// The outermost namespace of a C++ function.
    Namespace,
    /// The import path of a Go package.
    Go,
    /// The base name of a mapped file.
    Library,
}

/// One line of the table.
pub(super) struct Rule {
    on: On,
    /// Patterns; `*` at the start or end matches anything.
    patterns: &'static [&'static str],
    pub(super) kind: PackageKind,
    /// Name of the package; empty: from its own name.
    pub(super) package: &'static str,
}

const fn rule(on: On, kind: PackageKind, package: &'static str, patterns: &'static [&'static str]) -> Rule {
    Rule { on, patterns, kind, package }
}

#[rustfmt::skip] // A table.
static RULES: &[Rule] = &[
    // Allocators, in any language.
    rule(On::Name, Allocator, "", &[
        "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign", "posix_memalign", "aligned_alloc", "valloc", "pvalloc",
        "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_memalign", "__GI___libc_malloc", "_int_malloc", "_int_realloc", "_int_memalign",
        "sysmalloc", "malloc_zone_*",
    ]),
    rule(On::Name, Allocator, "libjemalloc", &["mallocx", "rallocx", "xallocx", "je_*", "_rjem_*"]),
    rule(On::Name, Allocator, "libmimalloc", &["_mi_*", "mi_malloc*", "mi_calloc*", "mi_realloc*", "mi_heap_*"]),
    rule(On::Name, Allocator, "libtcmalloc", &[
        "tc_malloc*", "tc_calloc*", "tc_realloc*", "tc_memalign*", "tc_new*", "tcmalloc::*", "do_malloc*", "do_memalign*",
    ]),
    rule(On::Name, Allocator, "", &["* as core::alloc::*", "*core::alloc::global::GlobalAlloc*"]),
    rule(On::Name, Allocator, "std", &["__rust_alloc*", "__rust_realloc*", "__rdl_*", "__rg_*", "__rustc::__r*"]),
    rule(On::StdName, Allocator, "std", &["alloc::alloc::*", "<alloc::alloc::*", "std::alloc::*", "<std::alloc::*", "std::sys::alloc::*", "core::alloc::*"]),
    rule(On::Crate, Allocator, "", &[
        "tikv_jemallocator", "tikv_jemalloc_sys", "tikv_jemalloc_ctl", "jemallocator", "jemalloc_sys", "mimalloc", "libmimalloc_sys",
        "snmalloc_rs", "snmalloc_sys", "tcmalloc", "rpmalloc", "dlmalloc", "stats_alloc", "cap", "dhat",
    ]),
    rule(On::Library, Allocator, "", &["libjemalloc*", "libtcmalloc*", "libmimalloc*", "libsnmalloc*", "libhoard*", "libasan*", "liblsan*"]),
    rule(On::Go, Allocator, "runtime", &["runtime.mallocgc*", "runtime.newobject*", "runtime.persistentalloc*", "runtime.(*mheap)*", "runtime.(*mcache)*", "runtime.(*mcentral)*"]),

    // Start of programs and threads, C and C++ language support.
    rule(On::Name, Runtime, "libc", &[
        "_start", "__libc_*", "__clone", "clone", "clone3", "__clone3", "start_thread", "thread_start", "__pthread_*", "_dl_*", "dl_main",
        "__cxa_atexit", "__cxa_thread_atexit*", "call_init", "__libc_csu_init",
    ]),
    rule(On::Name, Runtime, "runtime", &["type:.*", "type..*", "go:*"]),
    rule(On::Name, Runtime, "libstdc++", &["operator new*", "operator delete*", "__cxa_*", "__gxx_personality*", "_GLOBAL__sub_I_eh_alloc*"]),
    rule(On::Name, Runtime, "std", &["rust_begin_unwind", "rust_eh_personality", "rust_panic*", "__rust_*"]),

    // Async runtimes, executors, and what only passes calls on.
    // What derive macros wrote is of the crate, but of nobody in it.
    rule(On::Name, Plumbing, "", &["*::_::<impl *", "*::__Visitor *", "*::__FieldVisitor *"]),
    rule(On::StdName, Plumbing, "std", &[
        "core::ops::function::*", "* as core::ops::function::*", "core::future::*", "* as core::future::*", "core::task::*",
        "core::pin::Pin<* as core::future::*", "alloc::task::*",
    ]),
    rule(On::Crate, Plumbing, "", &[
        "tokio", "tokio_*", "futures", "futures_*", "async_std", "async_executor", "async_global_executor", "async_task", "async_io",
        "async_trait", "async_stream", "smol", "monoio", "glommio", "mio", "pin_project*", "hyper", "hyper_*", "tower", "tower_*",
        "tracing_futures", "rayon", "rayon_core", "threadpool", "actix_rt", "crossbeam_deque",
    ]),

    // Libraries that are part of a language or of the system.
    rule(On::Library, Runtime, "libstdc++", &["libstdc++*"]),
    rule(On::Library, Runtime, "libc++", &["libc++*"]),
    rule(On::Library, Runtime, "libgcc", &["libgcc_s*"]),
    rule(On::Library, Runtime, "std", &["libstd-*.so*"]),
    rule(On::Library, Runtime, "libc", &[
        "libc.so*", "libc-2*", "libc.musl*", "libpthread*", "libm.so*", "libm-2*", "libdl.so*", "libdl-2*", "librt.so*", "librt-2*", "ld-linux*",
        "ld-2*", "ld-musl*", "ld.so*", "libsystem_*", "libSystem*", "libdyld*", "dyld", "ntdll*", "kernel32*",
    ]),
    rule(On::Library, Runtime, "kernel", &["[vdso]", "[vsyscall]", "linux-vdso*", "[kernel*"]),
    rule(On::Library, Runtime, "", &["libgomp*", "libobjc*", "libpython*", "libjvm*", "libruby*", "libperl*", "libluajit*", "libmono*", "libcoreclr*"]),
    rule(On::Crate, Runtime, "", &["hashbrown"]),
    rule(On::Namespace, Runtime, "libstdc++", &["__gnu_cxx", "__cxxabiv1", "__gnu_pbds"]),
    rule(On::Namespace, Runtime, "libc++", &["__libcpp*"]),

    // Well known packages, for programs that do not say where their sources lie.
    rule(On::Namespace, ThirdParty, "", &[
        "boost", "rocksdb", "leveldb", "absl", "google", "grpc", "grpc_core", "fmt", "spdlog", "folly", "llvm", "clang", "v8", "nlohmann",
        "rapidjson", "arrow", "parquet", "duckdb", "tbb", "icu", "re2", "snappy", "cv", "torch", "c10", "at", "caffe2", "onnxruntime", "asio",
        "websocketpp", "proxygen", "thrift", "apache", "simdjson", "tinyxml2", "pugi", "cereal", "glm",
    ]),
    rule(On::Crate, ThirdParty, "", &[
        "serde", "serde_core", "serde_json", "serde_yaml", "bincode", "ciborium", "toml", "bytes", "h2", "http", "http_body*", "httparse",
        "axum", "axum_core", "actix*", "warp", "tonic*", "prost*", "reqwest", "rustls*", "ring", "openssl*", "native_tls", "url", "regex*", "aho_corasick",
        "memchr", "smallvec", "arrayvec", "indexmap", "dashmap", "parking_lot*", "lock_api", "crossbeam*", "flume", "once_cell", "lazy_static",
        "log", "tracing*", "env_logger", "anyhow", "thiserror", "chrono", "time", "uuid", "rand*", "num_*", "clap*", "itertools", "either",
        "rocksdb", "librocksdb_sys", "parity_db", "sled", "rusqlite", "libsqlite3_sys", "sqlx*", "diesel*", "redis", "lru", "moka", "quick_cache", "sharded_slab",
        "prometheus*", "metrics*", "opentelemetry*", "libp2p*", "jsonrpsee*", "wasmtime*", "cranelift*", "wasmparser", "nom", "image", "flate2",
        "zstd*", "lz4*", "miniz_oxide", "addr2line", "gimli", "object", "backtrace", "rustc_demangle", "libc", "nix", "socket2", "ahash", "fnv",
        "rustc_hash", "scopeguard", "slab", "arc_swap", "im", "rpds", "cid", "multihash*", "unsigned_varint", "base64", "hex", "sha2", "blake2*",
    ]),
];

/// The table by how patterns begin, so that few of them are compared with a text. Numbers are those of
/// rules: the smallest that fits is the first rule that does.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Patterns without a star.
    whole: HashMap<(On, &'static str), usize>,
    /// Patterns that begin with a letter and have a star further on, by that letter.
    begun: HashMap<(On, u8), Vec<(usize, &'static str)>>,
    /// Patterns that begin with a star.
    open: HashMap<On, Vec<(usize, &'static str)>>,
}

impl Rules {
    pub(super) fn new() -> Self {
        let mut rules = Rules::default();
        for (number, rule) in RULES.iter().enumerate() {
            for pattern in rule.patterns {
                match (pattern.find('*'), pattern.as_bytes().first()) {
                    (Some(1..), Some(&first)) => rules.begun.entry((rule.on, first)).or_default().push((number, pattern)),
                    (Some(_), _) => rules.open.entry(rule.on).or_default().push((number, pattern)),
                    (None, _) => {
                        rules.whole.entry((rule.on, pattern)).or_insert(number);
                    }
                }
            }
        }
        rules
    }

    /// The first rule that fits `text`.
    pub(super) fn find(&self, on: On, text: &str) -> Option<&'static Rule> {
        let begun = text.as_bytes().first().and_then(|&first| self.begun.get(&(on, first)));
        let first_of = |patterns: Option<&Vec<(usize, &str)>>| {
            patterns.and_then(|patterns| patterns.iter().find(|(_, pattern)| fits(pattern, text)).map(|(number, _)| *number))
        };
        let found = [self.whole.get(&(on, text)).copied(), first_of(begun), first_of(self.open.get(&on))];
        found.into_iter().flatten().min().map(|number| &RULES[number])
    }
}

/// Whether `text` matches `pattern`. A star in the middle counts once.
fn fits(pattern: &str, text: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(rest), None) => text.ends_with(rest),
        (Some(_), Some(_)) => text.contains(pattern.trim_matches('*')),
        (None, Some(start)) => match start.split_once('*') {
            Some((start, inner)) => text.strip_prefix(start).is_some_and(|rest| rest.contains(inner)),
            None => text.starts_with(start),
        },
        (None, None) => text == pattern,
    }
}

/// Folders at the top of Go's own source tree.
const GO_STD: [&str; 50] = [
    "archive",
    "arena",
    "bufio",
    "builtin",
    "bytes",
    "cmd",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "structs",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unsafe",
];

/// Whether an import path belongs to Go's standard library.
pub(super) fn is_go_std(package: &str) -> bool {
    let first = package.split('/').next().unwrap_or_default();
    GO_STD.contains(&first) || ["unique", "weak", "vendor", "type", "go"].contains(&first)
}

/// Whether a mapped file is in a folder of installed programs.
pub(super) fn is_of_others(path: &str) -> bool {
    const FOLDERS: [&str; 10] =
        ["/usr/", "/lib/", "/lib64/", "/lib32/", "/nix/store/", "/gnu/store/", "/snap/", "/System/", "/Library/", "/opt/homebrew/"];
    const INSIDE: [&str; 5] = ["/site-packages/", "/dist-packages/", "/node_modules/", "/.local/lib/", "conda"];
    FOLDERS.iter().any(|folder| path.starts_with(folder)) || INSIDE.iter().any(|folder| path.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_anything() {
        let cases = [
            ("malloc", "malloc", true),
            ("malloc", "mallocx", false),
            ("je_*", "je_malloc", true),
            ("*::poll", "a::poll", true),
            ("* as core::alloc::*", "<A as core::alloc::Allocator>::allocate", true),
            ("libstd-*.so*", "libstd-0123.so", true),
            ("libstd-*.so*", "libstdc++.so.6", false),
        ];
        for (pattern, text, fit) in cases {
            assert_eq!(fits(pattern, text), fit, "{pattern} {text}");
        }
    }

    #[test]
    fn the_first_rule_that_fits_is_found() {
        let rules = Rules::new();
        let simplest = |on, text: &str| RULES.iter().find(|rule| rule.on == on && rule.patterns.iter().any(|pattern| fits(pattern, text)));
        for on in [On::Name, On::StdName, On::Crate, On::Namespace, On::Go, On::Library] {
            let all = RULES.iter().flat_map(|rule| rule.patterns).flat_map(|p| ["", "x"].map(|fill| p.replace('*', fill)));
            for text in all.chain(["".into(), "é".into(), "<a as core::alloc::A>::core::alloc::global::GlobalAlloc".into()]) {
                let found = rules.find(on, &text).map(std::ptr::from_ref);
                assert_eq!(found, simplest(on, &text).map(std::ptr::from_ref), "{on:?} {text}");
            }
        }
    }

    #[test]
    fn patterns_are_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in RULES {
            assert!(rule.patterns.iter().all(|p| seen.insert((format!("{:?}", rule.on), *p))), "{:?}", rule.patterns);
        }
    }
}
