//! Real names, and whose they are.

use super::*;
use PackageKind::{Allocator, Own, Plumbing, Runtime, ThirdParty, Unknown};

const RUSTC: &str = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library";
const REGISTRY: &str = "/home/ada/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";

/// Name, file, mapped file → package, version, kind. `RUSTC` and `REGISTRY` are placeholders for folders.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, PackageKind);

#[rustfmt::skip] // A table.
const RUST: &[Case] = &[
    // The standard library, by name and by path.
    ("alloc::raw_vec::RawVecInner<A>::finish_grow", "RUSTC/alloc/src/raw_vec/mod.rs", "ledger", "std", "", Runtime),
    ("<alloc::raw_vec::RawVecInner>::finish_grow", "", "ledger", "std", "", Runtime),
    ("<[u8]>::to_vec", "RUSTC/alloc/src/slice.rs", "ledger", "std", "", Runtime),
    ("<usize as core::fmt::Display>::fmt", "RUSTC/core/src/fmt/num.rs", "ledger", "std", "", Runtime),
    ("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "RUSTC/core/src/ptr/mod.rs", "ledger", "std", "", Runtime),
    ("core::fmt::num::imp::<impl core::fmt::Display for u64>::fmt", "RUSTC/core/src/fmt/num.rs", "ledger", "std", "", Runtime),
    ("<T as alloc::slice::<impl [T]>::to_vec_in::ConvertVec>::to_vec", "RUSTC/alloc/src/slice.rs", "ledger", "std", "", Runtime),
    ("std::sys::backtrace::__rust_begin_short_backtrace", "", "ledger", "std", "", Runtime),
    ("std::rt::lang_start_internal", "RUSTC/std/src/rt.rs", "ledger", "std", "", Runtime),
    ("core::iter::traits::iterator::Iterator::collect", "/rustc/1.88.0/library/core/src/iter/traits/iterator.rs", "ledger", "std", "1.88.0", Runtime),
    ("to_vec", "RUSTC/alloc/src/slice.rs", "ledger", "std", "", Runtime),
    ("hashbrown::raw::RawTableInner::reserve_rehash_inner", "/rust/deps/hashbrown-0.16.1/src/raw/mod.rs", "ledger", "hashbrown", "0.16.1", Runtime),
    ("gimli::read::line::LineRows<R>::next_row", "/rust/deps/gimli-0.32.3/src/read/line.rs", "ledger", "gimli", "0.32.3", Runtime),
    ("main", "", "ledger", "std", "", Runtime),
    // Allocators, of the program too.
    ("<alloc::alloc::Global as core::alloc::Allocator>::allocate", "RUSTC/alloc/src/alloc.rs", "ledger", "std", "", Allocator),
    ("<std::alloc::System as core::alloc::global::GlobalAlloc>::alloc", "RUSTC/std/src/sys/alloc/unix.rs", "ledger", "std", "", Allocator),
    ("<ledger::alloc::Metered<A> as core::alloc::global::GlobalAlloc>::alloc", "/build/ledger/src/alloc.rs", "ledger", "ledger", "", Allocator),
    ("__rustc::__rust_alloc", "/build/ledger/src/main.rs", "ledger", "std", "", Allocator),
    ("__rust_alloc", "", "ledger", "std", "", Allocator),
    ("<tikv_jemallocator::Jemalloc as core::alloc::global::GlobalAlloc>::alloc", "REGISTRY/tikv-jemallocator-0.6.1/src/lib.rs", "ledger", "tikv_jemallocator", "0.6.1", Allocator),
    ("_rjem_je_prof_backtrace", "REGISTRY/tikv-jemalloc-sys-0.6.1+5.3.1/jemalloc/src/prof.c", "ledger", "tikv-jemalloc-sys", "0.6.1+5.3.1", Allocator),
    ("arena_malloc_hard", "REGISTRY/tikv-jemalloc-sys-0.6.1+5.3.1/jemalloc/src/arena.c", "ledger", "tikv-jemalloc-sys", "0.6.1+5.3.1", Allocator),
    // What v0 names tell with the types in them.
    ("<[ledger::chain::Tx]>::to_vec", "RUSTC/alloc/src/slice.rs", "ledger", "std", "", Runtime),
    ("<*mut ledger::chain::Tx>::add", "", "ledger", "std", "", Runtime),
    ("<[ledger::chain::Tx] as core::ops::index::Index<>>::index", "", "ledger", "std", "", Runtime),
    ("<(ledger::chain::Tx, u8) as core::cmp::PartialEq>::eq", "", "ledger", "std", "", Runtime),
    ("<u64>::wrapping_add", "/build/ledger/src/main.rs", "ledger", "std", "", Runtime),
    ("<[ledger::chain::Tx] as serde_core::ser::Serialize>::serialize::<>", "", "ledger", "serde_core", "1.0.229", ThirdParty),
    ("<ledger::chain::Tx as <[_]>::to_vec_in::ConvertVec>::to_vec::<>", "RUSTC/alloc/src/slice.rs", "ledger", "std", "", Runtime),
    ("<ledger::chain::Id as core::cmp::PartialOrd>::lt", "RUSTC/core/src/cmp.rs", "ledger", "std", "", Runtime),
    ("core::option::Option<T>::is_some", "/rust/deps/hashbrown-0.16.1/src/control/bitmask.rs", "ledger", "std", "", Runtime),
    // What passes calls on.
    ("<ledger::spawn::{closure#0} as core::ops::function::FnOnce<()>>::call_once", "RUSTC/core/src/ops/function.rs", "ledger", "std", "", Plumbing),
    ("<ledger::spawn::{closure#0} as core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0}", "", "ledger", "std", "", Plumbing),
    ("<core::panic::unwind_safe::AssertUnwindSafe<F> as core::ops::function::FnOnce<()>>::call_once", "", "ledger", "std", "", Plumbing),
    ("core::ops::function::FnOnce::call_once{{vtable.shim}}", "RUSTC/core/src/ops/function.rs", "ledger", "std", "", Plumbing),
    ("<alloc::boxed::Box<F,A> as core::ops::function::FnOnce<Args>>::call_once", "RUSTC/alloc/src/boxed.rs", "ledger", "std", "", Plumbing),
    ("<core::pin::Pin<P> as core::future::future::Future>::poll", "RUSTC/core/src/future/future.rs", "ledger", "std", "", Plumbing),
    ("<&dyn core::ops::function::Fn<(), Output = i32> + core::marker::Sync as core::ops::function::FnOnce<()>>::call_once", "", "ledger", "std", "", Plumbing),
    ("tokio::runtime::task::raw::poll", "/cargo/tokio-1.54.1/src/runtime/task/raw.rs", "ledger", "tokio", "1.54.1", Plumbing),
    ("<tokio::runtime::task::core::Core<T,S>>::poll::{{closure}}", "", "ledger", "tokio", "1.54.1", Plumbing),
    ("tokio::runtime::park::CURRENT_PARKER::{{constant}}::{{closure}}", "RUSTC/std/src/sys/thread_local/native/mod.rs", "ledger", "tokio", "1.54.1", Plumbing),
    ("block_on_inner", "/cargo/tokio-1.54.1/src/runtime/runtime.rs", "ledger", "tokio", "1.54.1", Plumbing),
    ("<futures_util::future::future::map::Map<Fut,F> as core::future::future::Future>::poll", "REGISTRY/futures-util-0.3.31/src/future/future/map.rs", "ledger", "futures_util", "0.3.31", Plumbing),
    ("<hyper_util::server::conn::auto::UpgradeableConnection<I,S,E> as core::future::future::Future>::poll", "REGISTRY/hyper-util-0.1.10/src/server/conn/auto/mod.rs", "ledger", "hyper_util", "0.1.10", Plumbing),
    ("hyper::proto::h1::dispatch::Dispatcher<D,Bs,I,T>::poll_catch", "REGISTRY/hyper-1.5.1/src/proto/h1/dispatch.rs", "ledger", "hyper", "1.5.1", Plumbing),
    ("<tower::util::boxed::sync::Boxed<S> as tower_service::Service<Request>>::call", "REGISTRY/tower-0.5.1/src/util/boxed/sync.rs", "ledger", "tower", "0.5.1", Plumbing),
    ("<alloc::boxed::Box<S> as tower_service::Service<Request>>::call", "REGISTRY/tower-service-0.3.3/src/lib.rs", "ledger", "tower_service", "0.3.3", Plumbing),
    ("rayon_core::join::join_context::{{closure}}", "REGISTRY/rayon-core-1.12.1/src/join/mod.rs", "ledger", "rayon_core", "1.12.1", Plumbing),
    // Packages of others.
    ("serde_json::ser::to_vec", "/cargo/serde_json-1.0.154/src/ser.rs", "ledger", "serde_json", "1.0.154", ThirdParty),
    ("<serde_json::de::MapKey<R> as serde_core::de::Deserializer>::deserialize_str", "/cargo/serde_core-1.0.229/src/macros.rs", "ledger", "serde_json", "1.0.154", ThirdParty),
    ("<&mut serde_json::de::Deserializer<> as serde_core::de::Deserializer>::deserialize_seq::<>", "/cargo/serde_json-1.0.154/src/de.rs", "ledger", "serde_json", "1.0.154", ThirdParty),
    ("<core::marker::PhantomData<T> as serde_core::de::DeserializeSeed>::deserialize", "/cargo/serde_core-1.0.229/src/de/mod.rs", "ledger", "serde_core", "1.0.229", ThirdParty),
    ("<alloc::vec::Vec<T> as serde_core::de::Deserialize>::deserialize", "", "ledger", "serde_core", "1.0.229", ThirdParty),
    ("serde_core::de::impls::<impl serde_core::de::Deserialize for alloc::vec::Vec<T>>::deserialize", "/cargo/serde_core-1.0.229/src/de/impls.rs", "ledger", "serde_core", "1.0.229", ThirdParty),
    ("parity_db::log::Log::end_record", "REGISTRY/parity-db-0.4.13/src/log.rs", "ledger", "parity_db", "0.4.13", ThirdParty),
    ("<&mut parity_db::table::ValueTable as core::fmt::Debug>::fmt", "", "ledger", "parity_db", "0.4.13", ThirdParty),
    ("md5::compute", "REGISTRY/md-5-0.10.6/src/lib.rs", "ledger", "md5", "0.10.6", ThirdParty),
    ("fvm_shared::address::Address::new_id", "/root/.cargo/git/checkouts/ref-fvm-5659196fa94accd7/1a2b3c4/shared/src/address/mod.rs", "ledger", "fvm_shared", "1a2b3c4", ThirdParty),
    ("rocksdb::Arena::AllocateNewBlock(unsigned long)", "REGISTRY/librocksdb-sys-0.16.0+8.10.0/rocksdb/memory/arena.cc", "ledger", "librocksdb-sys", "0.16.0+8.10.0", ThirdParty),
    ("ZSTD_createCCtx", "REGISTRY/zstd-sys-2.0.13+zstd.1.5.6/zstd/lib/compress/zstd_compress.c", "ledger", "zstd-sys", "2.0.13+zstd.1.5.6", ThirdParty),
    ("regex_automata::meta::Regex::new", "", "ledger", "regex_automata", "", ThirdParty),
    // The program's own.
    ("<ledger::chain::Id as core::cmp::PartialOrd>::lt", "/build/ledger/src/chain.rs", "ledger", "ledger", "", Own),
    ("ledger::main", "/build/ledger/src/main.rs", "ledger", "ledger", "", Own),
    ("ledger::cache::Lru<K,V>::put", "", "ledger", "ledger", "", Own),
    ("<ledger::chain::_::<impl serde_core::de::Deserialize for ledger::chain::Tx>::deserialize::__Visitor as serde_core::de::Visitor>::visit_map", "/build/ledger/src/chain.rs", "ledger", "ledger", "", Plumbing),
    ("<<ledger::chain::Tx as serde_core::de::Deserialize>::deserialize::__Visitor as serde_core::de::Visitor>::visit_map::<>", "/build/ledger/src/chain.rs", "ledger", "ledger", "", Plumbing),
    ("<ledger::index::Worker>::spawn::{closure#0}", "/build/ledger/src/index.rs", "ledger", "ledger", "", Own),
    ("<ledger::events::RingSink<_> as ledger::events::Sink>::accept", "/build/ledger/src/events.rs", "ledger", "ledger", "", Own),
    ("<u32 as ledger_types::Wire>::put", "/build/ledger/types/src/lib.rs", "ledger", "ledger_types", "", Own),
    ("settle", "/build/ledger/src/main.rs", "ledger", "ledger", "", Own),
];

#[rustfmt::skip] // A table.
const OTHERS: &[Case] = &[
    // C++: standard libraries.
    ("std::vector::emplace_back", "/usr/include/c++/12/bits/vector.tcc", "cppcache", "libstdc++", "", Runtime),
    ("std::__cxx11::basic_string::_M_construct", "", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", "libstdc++", "6.0.30", Runtime),
    ("_M_invoke", "/usr/include/c++/12/bits/std_thread.h", "cppcache", "libstdc++", "", Runtime),
    ("void std::sort<int*>(int*, int*)", "", "cppcache", "libstdc++", "", Runtime),
    ("std::__1::vector<int, std::__1::allocator<int>>::push_back(int&&)", "", "cppcache", "libc++", "", Runtime),
    ("std::vector::push_back", "/opt/llvm/include/c++/v1/vector", "cppcache", "libc++", "", Runtime),
    ("__gnu_cxx::new_allocator::allocate", "", "cppcache", "libstdc++", "", Runtime),
    ("operator new(unsigned long)", "", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30", "libstdc++", "6.0.30", Runtime),
    ("operator new(unsigned long)", "", "/usr/lib/libtcmalloc.so.4.5.10", "libtcmalloc", "4.5.10", Allocator),
    // C++: libraries.
    ("boost::asio::detail::scheduler::run(boost::system::error_code&)", "/usr/include/boost/asio/detail/impl/scheduler.ipp", "cppcache", "boost", "", ThirdParty),
    ("boost::container::vector::push_back", "", "cppcache", "boost", "", ThirdParty),
    ("rocksdb::Cache::Insert(rocksdb::Slice const&)", "", "cppcache", "rocksdb", "", ThirdParty),
    ("fmt::v9::detail::vformat_to", "/src/build/_deps/fmt-src/include/fmt/format.h", "cppcache", "fmt", "", ThirdParty),
    ("nlohmann::json::parse", "/src/third_party/nlohmann/json.hpp", "cppcache", "nlohmann", "", ThirdParty),
    ("inflateInit2_", "", "/usr/lib/x86_64-linux-gnu/libz.so.1.2.13", "libz", "1.2.13", ThirdParty),
    ("", "", "/usr/lib/x86_64-linux-gnu/libz.so.1.2.13", "libz", "1.2.13", ThirdParty),
    // C++: the program's own, and libraries that came with it.
    ("cpp::store::Cache::put", "/build/cppcache/cache.hpp", "cppcache", "cpp", "", Own),
    ("(anonymous namespace)::audit(int)", "/build/cppcache/main.cpp", "cppcache", "cppcache", "", Own),
    ("main::{lambda(int)#1}::operator()", "/build/cppcache/main.cpp", "cppcache", "cppcache", "", Own),
    ("Shop::add(std::__cxx11::basic_string<char> const&)", "", "cppcache", "cppcache", "", Own),
    ("non-virtual thunk to cpp::store::Cache::~Cache()", "", "cppcache", "cpp", "", Own),
    ("std::map<int, cpp::A>& cpp::index<int>(std::vector<int> const&)", "", "cppcache", "cpp", "", Own),
    ("shelf_put", "/build/cppcache/shelf.cpp", "/build/cppcache/libshelf.so", "libshelf", "", Own),
    ("main", "/build/cppcache/main.cpp", "cppcache", "cppcache", "", Own),
    // C.
    ("malloc", "", "/usr/lib/x86_64-linux-gnu/libc.so.6", "libc", "", Allocator),
    ("malloc", "", "/usr/lib/libjemalloc.so.2", "libjemalloc", "", Allocator),
    ("", "", "/usr/lib/libjemalloc.so.2", "libjemalloc", "", Allocator),
    ("je_arena_ralloc", "", "cppcache", "libjemalloc", "", Allocator),
    ("__libc_start_main", "", "/usr/lib/x86_64-linux-gnu/libc.so.6", "libc", "", Runtime),
    ("_start", "", "cppcache", "libc", "", Runtime),
    ("fopen", "", "/usr/lib/x86_64-linux-gnu/libc.so.6", "libc", "", Runtime),
    ("_dl_map_object", "elf/elf/dl-load.c", "/lib64/ld-linux-x86-64.so.2", "libc", "", Runtime),
    ("", "", "[vdso]", "kernel", "", Runtime),
    ("parse_row.isra.0", "", "cppcache", "cppcache", "", Own),
    ("grow.cold", "", "cppcache", "cppcache", "", Own),
    // Go.
    ("runtime.mallocgc", "runtime/malloc.go", "gonode", "runtime", "", Allocator),
    ("runtime.main", "/usr/local/go/src/runtime/proc.go", "gonode", "runtime", "", Runtime),
    ("runtime.systemstack", "runtime/asm_amd64.s", "gonode", "runtime", "", Runtime),
    ("encoding/json/v2.makeStringArshaler.func2", "encoding/json/v2/arshal_default.go", "gonode", "encoding/json/v2", "", Runtime),
    ("net/http.(*conn).serve", "/usr/lib/go-1.19/src/net/http/server.go", "gonode", "net/http", "", Runtime),
    ("type:.eq.main.Leaky", "", "gonode", "runtime", "", Runtime),
    ("main.(*Leaky).Put", "example.org/gonode/main.go", "gonode", "main", "", Own),
    ("main.(*Shelf[...]).Put", "depot.go", "gonode", "main", "", Own),
    ("example.org/gonode/store.Put", "/home/ada/gonode/store/put.go", "gonode", "example.org/gonode/store", "", Own),
    ("github.com/klauspost/compress/zstd.NewWriter", "/root/go/pkg/mod/github.com/klauspost/compress@v1.17.9/zstd/encoder.go", "gonode", "github.com/klauspost/compress/zstd", "v1.17.9", ThirdParty),
    ("github.com/klauspost/compress/zstd.(*Encoder).Reset", "github.com/klauspost/compress@v1.17.9/zstd/encoder.go", "gonode", "github.com/klauspost/compress/zstd", "v1.17.9", ThirdParty),
    ("gopkg.in/yaml%2ev3.unmarshal", "/root/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go", "gonode", "gopkg.in/yaml.v3", "v3.0.1", ThirdParty),
    ("google.golang.org/grpc.(*Server).Serve", "/home/ada/gonode/vendor/google.golang.org/grpc/server.go", "gonode", "google.golang.org/grpc", "", ThirdParty),
    ("slices.SortFunc[go.shape.[]github.com/a/b.T]", "slices/sort.go", "gonode", "slices", "", Runtime),
    // Nobody knows.
    ("", "", "cppcache", "cppcache", "", Unknown),
    ("", "", "", "", "", Unknown),
    ("<script>alert(\"x\")</script>", "", "cppcache", "cppcache", "", Own),
];

fn path(text: &str) -> String {
    text.replace("RUSTC", RUSTC).replace("REGISTRY", REGISTRY)
}

fn check(program: &str, cases: &[Case]) {
    let files: Vec<String> = cases.iter().map(|case| path(case.1)).collect();
    let symbols = || cases.iter().zip(&files).map(|(case, file)| Symbol { name: case.0, file, object: case.2, ..Symbol::default() });
    let classifier = Classifier::of(program, symbols());
    let wrong: Vec<String> = symbols()
        .zip(cases)
        .filter_map(|(symbol, &(.., package, version, kind))| {
            let found = classifier.package_of(symbol);
            (found != named(package, version, kind)).then(|| format!("{} ({}): {found:?}", symbol.name, symbol.file))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rust_functions_have_their_crates() {
    check("ledger", RUST);
}

#[test]
fn functions_of_other_languages_have_their_libraries_and_packages() {
    check("cppcache", &OTHERS.iter().filter(|case| case.2 != "gonode").copied().collect::<Vec<_>>());
    check("gonode", &OTHERS.iter().filter(|case| case.2 == "gonode").copied().collect::<Vec<_>>());
}

#[test]
fn language_is_known_from_mangled_names() {
    use names::{Language, language};
    assert_eq!(language("std::thread::f", "_ZN3std6thread1f17h0123456789abcdefE", ""), Language::Rust);
    assert_eq!(language("std::thread::f", "_ZNSt6thread1fEv", ""), Language::Cpp);
    assert_eq!(language("std::thread::f", "_RNvNtCs1_3std6thread1f", ""), Language::Rust);
    assert_eq!(language("std::rt::lang_start", "", ""), Language::Rust);
    assert_eq!(language("std::map::insert", "", ""), Language::Cpp);
}

#[test]
fn crate_versions_are_distinguished_by_path_only() {
    let at = |name, file| Symbol { name, file, ..Symbol::default() };
    let symbols = [
        at("syn::parse", "/registry/src/a/syn-1.0.109/src/lib.rs"),
        at("syn::item", "/registry/src/a/syn-2.0.90/src/item.rs"),
        at("syn::lit", ""),
    ];
    let classifier = Classifier::of("", symbols.into_iter());
    let versions: Vec<String> = symbols.into_iter().map(|s| classifier.package_of(s).version).collect();
    assert_eq!(versions, ["1.0.109", "2.0.90", ""]);
}

#[test]
fn a_release_that_is_built_from_its_own_folder_is_own_code() {
    let at = |name, file| Symbol { name, file, object: "rg", ..Symbol::default() };
    let symbols = [
        at("rg::main", "/build/ripgrep-14.1.0/crates/core/main.rs"),
        at("grep_searcher::find", "/build/ripgrep-14.1.0/crates/searcher/src/lib.rs"),
        at("find", "/build/ripgrep-14.1.0/crates/searcher/src/lib.rs"),
    ];
    let classifier = Classifier::of("rg", symbols.into_iter());
    assert!(symbols.into_iter().all(|s| classifier.package_of(s).kind == Own));
}

#[test]
fn no_text_breaks_the_rules() {
    let classifier = Classifier::of("p", std::iter::empty());
    for text in [
        "<",
        "<<<",
        "< as ",
        "::",
        "<é as ü>::ß",
        "operator",
        "@v",
        "/registry/src/",
        "/git/checkouts/a-b",
        ".",
        "a.",
        "/",
        "-1.2.3/",
        "&&&'",
        "for<",
    ] {
        let long = text.repeat(3000);
        for text in [text, long.as_str()] {
            classifier.package_of(Symbol { name: text, system_name: text, file: text, object: text });
            Classifier::of(text, std::iter::once(Symbol { name: text, file: text, ..Symbol::default() }));
        }
    }
}
