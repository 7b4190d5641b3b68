//! Names of allocation wrappers in C and C++: functions such as `zmalloc`, `g_strdup_printf` or `sqlite3DbMallocRaw`
//! that pass a request on to the allocator. A name alone decides nothing: [`super::super::wrappers`] also looks at
//! where the function appears in stacks.

/// Strength of the evidence in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapperName {
    /// A memory function of a known library, or a C function called like one (`xmalloc`, `zrealloc_usable`).
    Sure,
    /// Called like an allocation function, which typed constructors and members of classes are, too
    /// (`node_alloc`, `Buffer::realloc`): counts with several callers only.
    Likely,
}

/// Functions that are part of an allocator or of a library's memory layer, by how they begin; `$` at the end: the whole name.
const KNOWN: [&str; 57] = [
    // CPython.
    "_PyObject_New",
    "PyObject_New",
    "_PyObject_GC_New",
    "_PyObject_GC_Alloc",
    "_PyObject_GC_Link",
    "PyType_GenericAlloc$",
    "_PyType_AllocNoTrack$",
    "gc_alloc$",
    "pymalloc_alloc$",
    "allocate_from_new_pool$",
    "new_arena$",
    "arena_map_",
    "_PyMem_ArenaAlloc$",
    "_PyObject_Arena",
    "_PyMem_Debug",
    "_PyMem_Raw",
    // GLib.
    "g_slice_alloc",
    "g_slice_copy",
    "g_aligned_alloc",
    "g_malloc",
    "g_realloc",
    "g_try_malloc",
    "g_try_realloc",
    "g_strdup",
    "g_strndup",
    "g_memdup",
    // APR.
    "apr_palloc",
    "apr_pcalloc",
    "apr_pstrdup",
    "apr_pstrndup",
    "apr_pmemdup",
    "apr_pstrmemdup",
    "apr_pstrcat",
    "apr_psprintf",
    "apr_pvsprintf",
    "apr_allocator_alloc",
    "allocator_alloc$",
    // SQLite.
    "sqlite3Mem",
    "sqlite3Malloc",
    "sqlite3DbMalloc",
    "sqlite3DbRealloc",
    "sqlite3PageMalloc",
    "mallocWithAlarm$",
    "dbMallocRawFinish",
    "dbReallocFinish",
    // jemalloc that is linked in, and what it is made of.
    "imalloc",
    "iallocztm",
    "ialloct",
    "iralloct",
    "ipalloc",
    "arena_malloc",
    "arena_palloc",
    "arena_ralloc",
    "tcache_alloc_",
    // Lua, obstacks, talloc.
    "luaM_",
    "_obstack_",
    "_talloc",
];

/// Suffixes of words for memory functions.
const MEMORY: [&str; 9] = ["malloc", "calloc", "realloc", "memalign", "strdup", "strndup", "memdup", "palloc", "zalloc"];

/// Words that may follow the one that means memory, and change nothing.
#[rustfmt::skip] // A table.
const TAILS: [&str; 68] = [
    "usable", "internal", "size", "sized", "or", "and", "die", "fail", "nofail", "nothrow", "safe", "safely", "checked", "check", "unchecked",
    "array", "n", "nn", "f", "x", "v", "z", "i", "zero", "zeroed", "aligned", "align", "default", "wrap", "wrapper", "impl", "fast", "slow",
    "fastpath", "slowpath", "raw", "debug", "dbg", "try", "with", "without", "header", "body", "no", "sample", "null", "exit", "abort",
    "panic", "free", "track", "notrack", "hook", "func", "fn", "cb", "printf", "vprintf", "ex", "locked", "unlocked", "count", "num",
    "hard", "cold", "common", "generic", "type",
];

/// Words of memory functions that do not allocate.
const NOT_WRAPPERS: [&str; 15] =
    ["stat", "stats", "report", "print", "dump", "info", "log", "init", "setup", "test", "bench", "trim", "dealloc", "prealloc", "unalloc"];

/// Longer names are cut, bytes.
const LONGEST: usize = 300;

/// Returns the evidence in the name of a C or C++ function; `None` if there is none.
pub(crate) fn wrapper_name(name: &str) -> Option<WrapperName> {
    if name.len() > LONGEST {
        return None;
    }
    let path = without_arguments(name);
    let (is_member, last) = path.rsplit_once("::").map_or((false, path.as_str()), |(_, last)| (true, last));
    // What compilers and linkers append to copies: `zmalloc.part.0`, `malloc@plt`.
    let last = last.split(['.', '@']).next().unwrap_or_default().trim();
    if last.starts_with("operator new") {
        // Of a class; the global one is part of the language's runtime.
        return is_member.then_some(WrapperName::Sure);
    }
    let is_known = |known: &&str| known.strip_suffix('$').map_or_else(|| last.starts_with(*known), |whole| last == whole);
    if !is_member && KNOWN.iter().any(is_known) {
        return Some(WrapperName::Sure);
    }
    let words = words(last);
    if words.iter().any(|word| NOT_WRAPPERS.contains(&word.as_str())) {
        return None;
    }
    let are_tails = |words: &[String]| words.iter().all(|word| TAILS.contains(&word.as_str()));
    if let Some(at) = words.iter().rposition(|word| is_memory(word)) {
        let is_sure = !is_member && are_tails(&words[at + 1..]);
        return Some(if is_sure { WrapperName::Sure } else { WrapperName::Likely });
    }
    let at = words.iter().rposition(|word| word.ends_with("alloc") || word == "allocate")?;
    are_tails(&words[at + 1..]).then_some(WrapperName::Likely)
}

/// `malloc`, `xmalloc`, `malloc64`, `mallocx`, `strdupv`.
fn is_memory(word: &str) -> bool {
    MEMORY.iter().any(|end| word.ends_with(end) || word.strip_suffix(['x', 'z', 'n', 'v']).is_some_and(|word| word.ends_with(end)))
}

/// A name without arguments and template arguments.
fn without_arguments(name: &str) -> String {
    let (mut depth, mut out) = (0usize, String::with_capacity(name.len()));
    for c in name.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// `sqlite3DbStrDup64` → `sqlite3`, `db`, `strdup`: in small letters, without digits at their ends.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut was_small = false;
        words.push(String::new());
        for c in part.chars() {
            if c.is_uppercase() && was_small {
                words.push(String::new());
            }
            was_small = !c.is_uppercase();
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
    }
    for word in &mut words {
        word.truncate(word.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    }
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if word == "dup" && ["str", "strn", "mem"].iter().any(|of| last.ends_with(of)) => last.push_str("dup"),
            _ => joined.push(word),
        }
    }
    joined.retain(|word| !word.is_empty());
    joined
}

#[cfg(test)]
mod tests {
    use super::WrapperName::{Likely, Sure};
    use super::*;

    #[test]
    fn wrappers_are_known_by_name() {
        for name in [
            "zmalloc",
            "ztrymalloc_usable_internal",
            "ztryrealloc_usable",
            "zcalloc_num",
            "zmalloc.part.0",
            "_PyObject_Malloc",
            "PyMem_RawMalloc",
            "PyObject_Realloc",
            "_PyObject_GC_New",
            "PyType_GenericAlloc",
            "sqlite3MemMalloc",
            "sqlite3DbMallocRawNN",
            "sqlite3DbStrDup",
            "sqlite3_malloc64",
            "g_malloc0_n",
            "g_strdup_printf",
            "apr_pcalloc",
            "je_malloc_default",
            "imalloc_body",
            "imalloc",
            "xstrdup",
            "av_mallocz",
            "CRYPTO_zalloc",
            "malloc_or_die",
            "xmallocOrDie",
            "luaM_realloc_",
            "Node::operator new(unsigned long)",
        ] {
            assert_eq!(wrapper_name(name), Some(Sure), "{name}");
        }
        for name in [
            "l_alloc",
            "ngx_alloc",
            "node_alloc",
            "base::AlignedMalloc(unsigned long)",
            "Buffer::realloc(int)",
            "leveldb::Arena::Allocate",
            "realloc_table",
        ] {
            assert_eq!(wrapper_name(name), Some(Likely), "{name}");
        }
    }

    #[test]
    fn other_names_are_no_wrappers() {
        for name in [
            "",
            "main",
            "malloc_stats_report",
            "je_stats::main_loop",
            "list_dealloc",
            "Cache::alloc_entry(Key<malloc> const&)",
            "Cache::insert(void* (*)(malloc))",
            "allocate_buffers",
            "_sdsnewlen",
            "createObject",
            "g_hash_table_new",
            "g_object_new",
            "operator new(unsigned long)",
            "init_malloc",
            "newline",
            "std::vector<int, alloc>::push_back",
            "é",
            "((((",
            "___",
        ] {
            assert_eq!(wrapper_name(name), None, "{name}");
        }
        assert_eq!(wrapper_name(&"malloc".repeat(100_000)), None);
    }
}
