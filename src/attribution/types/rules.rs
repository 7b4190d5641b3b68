//! Table of containers: their functions, the positions of their element types, and the containers they are
//! built on.

use super::text::{Segment, arguments, segments};
use crate::base::hash::HashMap;

/// Which arguments of a container are shown, and how they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// None: the element type is fixed.
    Nothing,
    /// The first argument.
    First,
    /// The first two.
    Two,
    /// The last one is a whole type: `Iterator::collect<I, Vec<T>>`.
    Whole,
    /// A table of `(K, V)`, of `(T, ())`, or of anything.
    Pairs,
    /// C++ nodes: key, value, …, and further on the function that takes the key out of a value; only a
    /// map's is `std::_Select1st`.
    Keyed,
    /// C++ nodes: `std::__value_type<K, V>`, or the element itself.
    Valued,
    /// A character: only strings of `char` are `std::string`.
    Letter,
    /// Contents of a box, which may be a tree node or a counted value.
    Boxed,
    /// Array of `vec![a, b]`.
    Array,
}

/// One line of the table.
#[derive(Debug)]
pub(super) struct Rule {
    /// Path of the type.
    pub(super) path: &'static str,
    /// Paths of types, functions and modules that belong to it.
    pub(super) keys: &'static [&'static str],
    pub(super) take: Take,
    /// Containers it is built on, by `path`; internal to it.
    pub(super) over: &'static [&'static str],
}

const fn rule(path: &'static str, keys: &'static [&'static str], take: Take, over: &'static [&'static str]) -> Rule {
    Rule { path, keys, take, over }
}

use Take::{Array, Boxed, First, Keyed, Letter, Nothing, Pairs, Two, Valued, Whole};

const VEC: &str = "alloc::vec::Vec";
const RAW_VEC: &str = "alloc::raw_vec::RawVec";
const BOX: &str = "alloc::boxed::Box";
const STRING: &str = "alloc::string::String";
const ARC: &str = "alloc::sync::Arc";
const HASH_MAP: &str = "std::collections::hash::map::HashMap";
const HASH_SET: &str = "std::collections::hash::set::HashSet";
const TABLE: &str = "hashbrown::table::HashTable";
const BTREE_SET: &str = "alloc::collections::btree::set::BTreeSet";
const BTREE_MAP: &str = "alloc::collections::btree::map::BTreeMap";

/// Vectors of any sort.
const VECS: &[&str] = &[VEC, RAW_VEC];
/// Hash tables of any sort.
const TABLES: &[&str] = &[TABLE, HASH_MAP, HASH_SET];
/// Texts of any sort.
const TEXTS: &[&str] = &[VEC, RAW_VEC, STRING, BOX];

#[rustfmt::skip] // A table.
static RULES: &[Rule] = &[
    // Rust's standard library. A key is a type or a function, by its whole path, or a module.
    rule(VEC, &["alloc::vec::Vec", "alloc::vec::from_elem", "alloc::vec::from_elem_in", "alloc::slice::hack", "alloc::vec::splice::Splice"], First, VECS),
    rule(RAW_VEC, &["alloc::raw_vec::RawVec"], First, &[]),
    rule(VEC, &["alloc::boxed::Box::new_uninit", "alloc::boxed::box_new"], Array, &[]),
    rule(STRING, &["alloc::string::String", "str", "alloc::str", "alloc::fmt::format", "alloc::string::ToString"], Nothing, VECS),
    rule(BOX, &["alloc::boxed::Box"], Boxed, &[BOX, VEC, RAW_VEC, STRING]),
    rule("alloc::boxed::Box<str>", &["alloc::string::String::into_boxed_str"], Nothing, TEXTS),
    rule("core::pin::Pin<alloc::boxed::Box>", &["alloc::boxed::Box::pin"], First, &[BOX]),
    rule(ARC, &["alloc::sync::Arc", "alloc::sync::UniqueArc", "alloc::sync::ArcInner"], First, &[BOX, ARC]),
    rule("alloc::rc::Rc", &["alloc::rc::Rc", "alloc::rc::UniqueRc", "alloc::rc::RcInner", "alloc::rc::RcBox"], First, &[BOX, "alloc::rc::Rc"]),
    rule(HASH_MAP, &[HASH_MAP, "std::collections::hash::map::Entry", "std::collections::hash::map::VacantEntry", "std::collections::hash::map::OccupiedEntry"], Two, TABLES),
    rule(HASH_SET, &[HASH_SET, "std::collections::hash::set::Entry"], First, TABLES),
    rule(BTREE_MAP, &[BTREE_MAP, "alloc::collections::btree::map::entry::Entry", "alloc::collections::btree::map::entry::VacantEntry",
        "alloc::collections::btree::map::entry::OccupiedEntry", "alloc::collections::btree::node::LeafNode", "alloc::collections::btree::node::InternalNode"], Two, &[BOX]),
    rule(BTREE_SET, &[BTREE_SET, "alloc::collections::btree::set::entry"], First, &[BOX, BTREE_MAP]),
    rule("alloc::collections::vec_deque::VecDeque", &["alloc::collections::vec_deque::VecDeque"], First, VECS),
    rule("alloc::collections::binary_heap::BinaryHeap", &["alloc::collections::binary_heap::BinaryHeap"], First, VECS),
    rule("alloc::collections::linked_list::LinkedList", &["alloc::collections::linked_list::LinkedList"], First, &[BOX]),
    rule("std::path::PathBuf", &["std::path::PathBuf", "std::path::Path"], Nothing, &[VEC, RAW_VEC, STRING, "std::ffi::os_str::OsString"]),
    rule("std::ffi::os_str::OsString", &["std::ffi::os_str::OsString", "std::ffi::os_str::OsStr"], Nothing, TEXTS),
    rule("alloc::ffi::c_str::CString", &["alloc::ffi::c_str::CString"], Nothing, TEXTS),
    rule("std::sync::mpsc::channel", &["std::sync::mpsc::Sender", "std::sync::mpsc::SyncSender", "std::sync::mpsc::channel", "std::sync::mpsc::sync_channel",
        "std::sync::mpmc::list::Channel", "std::sync::mpmc::array::Channel", "std::sync::mpmc::zero::Channel", "std::sync::mpmc::Sender"], First, &[BOX, VEC, RAW_VEC]),
    rule("", &["core::iter::traits::iterator::Iterator::collect"], Whole, &[]),

    // Containers of other crates.
    rule(HASH_MAP, &["hashbrown::map::HashMap", "hashbrown::map::Entry", "hashbrown::map::VacantEntry", "hashbrown::rustc_entry::RustcVacantEntry", "hashbrown::rustc_entry::RustcEntry"], Two, TABLES),
    rule(HASH_SET, &["hashbrown::set::HashSet"], First, TABLES),
    rule(TABLE, &["hashbrown::raw::RawTable", "hashbrown::table::HashTable"], Pairs, &[]),
    rule("smallvec::SmallVec", &["smallvec::SmallVec"], First, VECS),
    rule("thin_vec::ThinVec", &["thin_vec::ThinVec"], First, &[]),
    rule("indexmap::map::IndexMap", &["indexmap::map::IndexMap", "indexmap::map::core::IndexMapCore", "indexmap::map::core::entry"], Two, &[VEC, RAW_VEC, TABLE]),
    rule("indexmap::set::IndexSet", &["indexmap::set::IndexSet"], First, &[VEC, RAW_VEC, TABLE, "indexmap::map::IndexMap"]),
    rule("dashmap::DashMap", &["dashmap::DashMap"], Two, &[TABLE, HASH_MAP, BOX, VEC, RAW_VEC]),
    rule("dashmap::DashSet", &["dashmap::set::DashSet"], First, &[TABLE, HASH_MAP, BOX, VEC, RAW_VEC, "dashmap::DashMap"]),
    rule("lru::LruCache", &["lru::LruCache"], Two, &[BOX, TABLE, HASH_MAP]),
    rule("slab::Slab", &["slab::Slab"], First, VECS),
    rule("bytes::BytesMut", &["bytes::bytes_mut::BytesMut"], Nothing, &[VEC, RAW_VEC, BOX]),
    rule("bytes::Bytes", &["bytes::bytes::Bytes"], Nothing, &[VEC, RAW_VEC, BOX, "bytes::BytesMut"]),
    rule("crossbeam_channel::channel", &["crossbeam_channel::flavors::list::Channel", "crossbeam_channel::flavors::array::Channel"], First, &[BOX, VEC, RAW_VEC]),
    rule("crossbeam_queue::SegQueue", &["crossbeam_queue::seg_queue::SegQueue"], First, &[BOX]),
    rule("crossbeam_queue::ArrayQueue", &["crossbeam_queue::array_queue::ArrayQueue"], First, &[BOX, VEC, RAW_VEC]),
    rule("flume::channel", &["flume::Chan", "flume::Shared"], First, &["alloc::collections::vec_deque::VecDeque"]),
    rule("tokio::sync::mpsc::channel", &["tokio::sync::mpsc::block::Block", "tokio::sync::mpsc::list::Tx", "tokio::sync::mpsc::list::channel"], First, &[BOX]),
    rule("tokio::task::Task", &["tokio::runtime::task::core::Cell"], First, &[BOX]),

    // C++.
    rule("std::vector", &["std::vector", "std::_Vector_base", "std::__vector_base", "std::__split_buffer", "std::_Bvector_base"], First, &[]),
    rule("std::string", &["std::basic_string", "std::to_string"], Letter, &["std::vector"]),
    rule("std::wstring", &["std::to_wstring"], Nothing, &[]),
    rule("std::map", &["std::map"], Two, &["std::map", "std::set"]),
    rule("std::map", &["std::_Rb_tree"], Keyed, &[]),
    rule("std::map", &["std::__tree"], Valued, &[]),
    rule("std::set", &["std::set"], First, &["std::map"]),
    rule("std::multimap", &["std::multimap"], Two, &["std::map"]),
    rule("std::multiset", &["std::multiset"], First, &["std::map", "std::set"]),
    rule("std::unordered_map", &["std::unordered_map"], Two, &["std::unordered_map", "std::unordered_set"]),
    rule("std::unordered_map", &["std::_Hashtable"], Keyed, &[]),
    rule("std::unordered_map", &["std::__hash_table"], Valued, &[]),
    rule("std::unordered_set", &["std::unordered_set"], First, &["std::unordered_map"]),
    rule("std::unordered_multimap", &["std::unordered_multimap"], Two, &["std::unordered_map"]),
    rule("std::unordered_multiset", &["std::unordered_multiset"], First, &["std::unordered_map", "std::unordered_set"]),
    rule("std::deque", &["std::deque", "std::_Deque_base", "std::__deque_base"], First, &["std::vector"]),
    rule("std::queue", &["std::queue"], First, &["std::deque", "std::list"]),
    rule("std::stack", &["std::stack"], First, &["std::deque", "std::vector", "std::list"]),
    rule("std::priority_queue", &["std::priority_queue"], First, &["std::vector", "std::deque"]),
    rule("std::list", &["std::list", "std::_List_base", "std::__list_imp"], First, &[]),
    rule("std::forward_list", &["std::forward_list", "std::_Fwd_list_base", "std::__forward_list_base"], First, &[]),
    rule("std::shared_ptr", &["std::shared_ptr", "std::__shared_ptr", "std::make_shared", "std::allocate_shared", "std::_Sp_counted_ptr_inplace", "std::__shared_ptr_emplace"], First, &["std::shared_ptr"]),
    rule("std::unique_ptr", &["std::make_unique", "std::make_unique_for_overwrite"], First, &[]),
    rule("std::function", &["std::function", "std::_Function_base", "std::_Function_handler", "std::__function::__value_func"], First, &["std::function"]),
    rule("std::any", &["std::any"], Nothing, &[]),
    rule("std::valarray", &["std::valarray"], First, &[]),
    rule("std::stringstream", &["std::basic_stringbuf", "std::basic_stringstream", "std::basic_ostringstream", "std::basic_istringstream"], Nothing, &["std::string"]),
    rule("std::fstream", &["std::basic_filebuf", "std::basic_fstream", "std::basic_ifstream", "std::basic_ofstream"], Nothing, &["std::string"]),
    rule("std::filesystem::path", &["std::filesystem::path"], Nothing, &["std::string", "std::vector"]),
    rule("std::promise", &["std::promise", "std::packaged_task", "std::__future_base"], Nothing, &["std::shared_ptr"]),
    rule("absl::flat_hash_map", &["absl::flat_hash_map", "absl::node_hash_map"], Two, &[]),
    rule("absl::flat_hash_set", &["absl::flat_hash_set", "absl::node_hash_set"], First, &[]),
    rule("absl::InlinedVector", &["absl::InlinedVector"], First, &[]),
    rule("boost::container::vector", &["boost::container::vector", "boost::container::small_vector"], First, &[]),
    rule("boost::unordered_map", &["boost::unordered::unordered_map", "boost::unordered_map"], Two, &[]),
    rule("boost::shared_ptr", &["boost::make_shared", "boost::shared_ptr"], First, &[]),
    rule("folly::fbvector", &["folly::fbvector"], First, &[]),
    rule("folly::F14FastMap", &["folly::F14FastMap", "folly::F14NodeMap", "folly::F14ValueMap"], Two, &[]),
    rule("llvm::SmallVector", &["llvm::SmallVector"], First, &[]),
    rule("llvm::DenseMap", &["llvm::DenseMap"], Two, &[]),
    rule("llvm::StringMap", &["llvm::StringMap"], First, &[]),
    rule("google::protobuf::RepeatedField", &["google::protobuf::RepeatedField"], First, &[]),
    rule("google::protobuf::RepeatedPtrField", &["google::protobuf::RepeatedPtrField"], First, &[]),
    rule("google::protobuf::Map", &["google::protobuf::Map"], Two, &[]),
    rule("nlohmann::json", &["nlohmann::basic_json"], Nothing, &["std::vector", "std::map", "std::string"]),
    rule("QList", &["QList", "QVector"], First, &[]),
    rule("QHash", &["QHash"], Two, &[]),
    rule("QMap", &["QMap"], Two, &["std::map"]),
    rule("QString", &["QString"], Nothing, &[]),
    rule("QByteArray", &["QByteArray"], Nothing, &[]),
];

/// Crates whose functions are internal to containers.
const CRATES: [&str; 24] = [
    "hashbrown",
    "smallvec",
    "thin_vec",
    "indexmap",
    "dashmap",
    "lru",
    "slab",
    "bytes",
    "crossbeam_channel",
    "crossbeam_queue",
    "crossbeam_utils",
    "flume",
    "once_cell",
    "lock_api",
    "parking_lot",
    "itertools",
    "either",
    "equivalent",
    "scopeguard",
    "allocator_api2",
    "arrayvec",
    "tinyvec",
    "foldhash",
    "ahash",
];

/// Suffixes of library source files, and the container of functions there whose names have no path, as in debug
/// information with line tables only. In Rust the container's arguments come first.
#[rustfmt::skip] // A table.
const MODULES: &[(&str, &str)] = &[
    ("alloc/src/vec/in_place_collect.rs", ""), ("alloc/src/vec/", VEC), ("alloc/src/raw_vec.rs", RAW_VEC), ("alloc/src/raw_vec/mod.rs", RAW_VEC),
    ("alloc/src/boxed.rs", BOX), ("alloc/src/sync.rs", ARC), ("alloc/src/rc.rs", "alloc::rc::Rc"), ("alloc/src/string.rs", STRING),
    ("alloc/src/str.rs", STRING), ("alloc/src/fmt.rs", STRING), ("alloc/src/slice.rs", VEC), ("alloc/src/collections/btree/map.rs", BTREE_MAP),
    ("alloc/src/collections/btree/map/entry.rs", BTREE_MAP), ("alloc/src/collections/btree/set.rs", BTREE_SET),
    ("alloc/src/collections/vec_deque/mod.rs", "alloc::collections::vec_deque::VecDeque"),
    ("alloc/src/collections/binary_heap/mod.rs", "alloc::collections::binary_heap::BinaryHeap"),
    ("alloc/src/collections/linked_list.rs", "alloc::collections::linked_list::LinkedList"),
    ("std/src/collections/hash/map.rs", HASH_MAP), ("std/src/collections/hash/set.rs", HASH_SET), ("std/src/path.rs", "std::path::PathBuf"),
    // Types without linkage have functions of the C++ library without it.
    ("/bits/std_function.h", "std::function"), ("/bits/stl_vector.h", "std::vector"), ("/bits/vector.tcc", "std::vector"),
    ("/bits/stl_map.h", "std::map"), ("/bits/stl_set.h", "std::set"), ("/bits/unordered_map.h", "std::unordered_map"),
    ("/bits/unordered_set.h", "std::unordered_set"), ("/bits/stl_deque.h", "std::deque"), ("/bits/deque.tcc", "std::deque"),
    ("/bits/stl_list.h", "std::list"), ("/bits/list.tcc", "std::list"), ("/bits/shared_ptr.h", "std::shared_ptr"),
    ("/bits/shared_ptr_base.h", "std::shared_ptr"), ("/bits/unique_ptr.h", "std::unique_ptr"),
];

/// A Go function, and the container it allocates. `*` at the end matches anything.
#[rustfmt::skip] // A table.
const GO: &[(&str, &[&str])] = &[
    ("map", &["runtime.mapassign*", "runtime.makemap*", "runtime.(*hmap)*", "runtime.hashGrow", "internal/runtime/maps.*", "reflect.mapassign*", "reflect.makemap*", "reflect.MakeMap*", "maps.Clone*", "maps.Collect*"]),
    ("slice", &["runtime.growslice*", "runtime.makeslice*", "reflect.growslice", "reflect.MakeSlice", "reflect.unsafe_NewArray", "slices.*", "reflect.Value.Grow*", "reflect.Append*"]),
    ("[]byte", &["runtime.stringtoslicebyte", "runtime.rawbyteslice", "io.ReadAll", "os.ReadFile", "bytes.Repeat", "bytes.Join", "bytes.Clone", "bytes.To*"]),
    ("string", &["runtime.concatstring*", "runtime.rawstring*", "runtime.slicebytetostring", "runtime.slicerunetostring", "runtime.intstring", "strings.Repeat", "strings.Join",
        "strings.Clone", "strings.To*", "strings.Replace*", "strings.Map", "strconv.*", "internal/strconv.*", "fmt.Sprint*", "encoding/json/v2.makeString*", "encoding/json/jsontext.makeString*", "internal/stringslite.*"]),
    ("chan", &["runtime.makechan*", "reflect.makechan", "reflect.MakeChan"]),
    ("goroutine", &["runtime.malg", "runtime.newproc*", "runtime.allgadd", "runtime.stackalloc"]),
    ("strings.Builder", &["strings.(*Builder)*"]),
    ("bytes.Buffer", &["bytes.(*Buffer)*", "bytes.growSlice", "bytes.makeSlice", "bytes.NewBuffer*"]),
    ("bufio.Reader", &["bufio.NewReader*", "bufio.(*Reader)*"]),
    ("bufio.Writer", &["bufio.NewWriter*", "bufio.(*Writer)*"]),
    ("bufio.Scanner", &["bufio.(*Scanner)*"]),
    ("list.List", &["container/list.*"]),
    ("sync.Map", &["sync.(*Map)*", "internal/sync.(*HashTrieMap*"]),
];

/// The table by path.
#[derive(Debug)]
pub(super) struct Rules {
    by_key: HashMap<&'static str, &'static Rule>,
    by_path: HashMap<&'static str, &'static Rule>,
}

impl Rules {
    pub(super) fn new() -> Self {
        let mut rules = Rules { by_key: HashMap::default(), by_path: HashMap::default() };
        for rule in RULES {
            rules.by_path.entry(rule.path).or_insert(rule);
            for key in rule.keys {
                rules.by_key.entry(key).or_insert(rule);
            }
        }
        rules
    }

    /// The rule for a type, function or module of exactly this path.
    pub(super) fn find(&self, path: &str) -> Option<&'static Rule> {
        self.by_key.get(path).copied()
    }

    /// A key by which [`Rules::find`] finds `rule`.
    pub(super) fn key_of(&self, rule: &'static Rule) -> Option<&'static str> {
        rule.keys.iter().copied().find(|key| self.find(key).is_some_and(|found| std::ptr::eq(found, rule)))
    }

    /// The first rule of a container.
    pub(super) fn of_container(&self, path: &str) -> Option<&'static Rule> {
        self.by_path.get(path).copied()
    }

    /// Rule of a function without a path, by its source file.
    pub(super) fn of_file(&self, file: &str) -> Option<&'static Rule> {
        let (_, container) = MODULES.iter().find(|(part, _)| match part.ends_with('/') {
            true => file.contains(part),
            false => file.ends_with(part),
        })?;
        self.of_container(container).filter(|_| !container.is_empty())
    }

    /// Number of arguments of a type that are shown; `None`: all.
    pub(super) fn written(&self, parts: &[Segment]) -> Option<usize> {
        match self.find(&joined(parts))?.take {
            Nothing => Some(0),
            First => Some(1),
            Two => Some(2),
            _ => None,
        }
    }

    /// Name of a C++ string type.
    pub(super) fn string_of(&self, parts: &[Segment]) -> Option<String> {
        let path = joined(parts);
        let letter = parts.last().and_then(|last| last.args).map(arguments).and_then(|args| args.first().copied());
        match (path.as_str(), letter) {
            ("std::basic_string", Some("char")) => Some("std::string".into()),
            ("std::basic_string", Some("wchar_t")) => Some("std::wstring".into()),
            ("std::basic_string_view", Some("char")) => Some("std::string_view".into()),
            _ => None,
        }
    }

    /// Whether a path that begins with `std` is C++: no modules, lower-case names.
    pub(super) fn is_cpp(&self, parts: &[Segment]) -> bool {
        parts.last().is_some_and(|last| !last.name.starts_with(|c: char| c.is_uppercase()))
            && (parts.len() == 2 || parts[1].name == "filesystem")
    }
}

/// A path without arguments.
pub(super) fn joined(parts: &[Segment]) -> String {
    parts.iter().map(|part| part.name).collect::<Vec<_>>().join("::")
}

/// Whether a crate's functions are internal to containers.
pub(super) fn is_of_containers(crate_name: &str) -> bool {
    CRATES.contains(&crate_name)
}

/// Container that a Go function allocates.
pub(super) fn of_go(name: &str) -> Option<&'static str> {
    let fits = |pattern: &&&str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == **pattern,
    };
    GO.iter().find(|(_, patterns)| patterns.iter().any(|pattern| fits(&pattern))).map(|(made, _)| *made)
}

impl Rule {
    /// Container selected by the arguments `args`, and the arguments to show; `None` if it cannot be
    /// determined.
    pub(super) fn specialized<'a>(&'static self, rules: &Rules, args: &[&'a str]) -> Option<(&'static Rule, Vec<&'a str>)> {
        let first = args.first().copied();
        let other = |path| rules.of_container(path);
        let head = |text: &str| joined(&segments(text));
        Some(match self.take {
            Nothing => (self, Vec::new()),
            First => (self, vec![first?]),
            Two => (self, vec![first?, *args.get(1)?]),
            Letter => match first {
                Some("char") | None => (self, Vec::new()),
                Some("wchar_t") => (other("std::wstring")?, Vec::new()),
                Some(_) => return None,
            },
            Pairs => {
                let inside = first?.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(arguments);
                match inside.as_deref() {
                    Some([of, "()"]) => (other(HASH_SET)?, vec![*of]),
                    Some([key, value]) => (other(HASH_MAP)?, vec![*key, *value]),
                    _ => (self, vec![first?]),
                }
            }
            Keyed => {
                let is_map = args.get(2..).is_some_and(|rest| {
                    rest.iter().any(|arg| {
                        let head = head(arg);
                        head.starts_with("std::") && head.ends_with("_Select1st")
                    })
                });
                let set = if self.path == "std::map" { "std::set" } else { "std::unordered_set" };
                match is_map {
                    true => (self, vec![first?, second_of(args.get(1)?)?]),
                    false => (other(set)?, vec![first?]),
                }
            }
            Valued => {
                let set = if self.path == "std::map" { "std::set" } else { "std::unordered_set" };
                match segments(first?).last() {
                    Some(Segment { name: "__value_type" | "__hash_value_type", args: Some(inner) }) => {
                        let inner = arguments(inner);
                        (self, vec![*inner.first()?, *inner.get(1)?])
                    }
                    _ => (other(set)?, vec![first?]),
                }
            }
            Boxed => {
                let parts = segments(first?);
                let inner = parts.last().and_then(|last| last.args).map(arguments).unwrap_or_default();
                // A set is a map to nothing.
                if inner.get(1).is_some_and(|value| value.ends_with("::SetValZST")) && is_node(&parts) {
                    return Some((other(BTREE_SET)?, vec![inner[0]]));
                }
                match rules.find(&joined(&parts)).filter(|rule| rule.over.contains(&BOX) && is_node(&parts)) {
                    Some(rule) => return rule.specialized(rules, &inner),
                    None => (self, vec![first?]),
                }
            }
            Array => {
                let inside = first?.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))?;
                let (of, _) = inside.rsplit_once("; ")?;
                (self, vec![of])
            }
            Whole => {
                let parts = segments(args.last()?);
                let inner = parts.last().and_then(|last| last.args).map(arguments).unwrap_or_default();
                return rules.find(&joined(&parts)).filter(|rule| rule.take != Whole)?.specialized(rules, &inner);
            }
        })
    }
}

/// Whether a type is an internal node of a container.
fn is_node(parts: &[Segment]) -> bool {
    parts.last().is_some_and(|last| ["LeafNode", "InternalNode", "ArcInner", "RcInner", "RcBox"].contains(&last.name))
}

/// The second one of `std::pair<K const, V>`.
fn second_of(pair: &str) -> Option<&str> {
    arguments(segments(pair).last()?.args?).get(1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_key_of_its_own() {
        let rules = Rules::new();
        let without: Vec<&str> = RULES.iter().filter(|rule| rules.key_of(rule).is_none()).map(|rule| rule.path).collect();
        assert_eq!(without, [""; 0]);
    }
}
