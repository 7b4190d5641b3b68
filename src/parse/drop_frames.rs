//! Names of allocator internals; stacks are cut below them.
//!
//! Taken from google/pprof `profile/legacy_profile.go` (which sets them for every heap text) and from jemalloc `bin/jeprof.in`
//! (`RemoveUninterestingFrames`).

/// For heap text, on the whole name.
const PPROF: &[&str] = &[
    // POSIX.
    "calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc",
    // TCMalloc.
    "tcmalloc::.*",
    "tc_(calloc|cfree|malloc|free|memalign|posix_memalign|pvalloc|valloc|realloc)",
    "tc_(new|delete|newarray|deletearray|new_nothrow|newarray_nothrow)",
    // macOS.
    "malloc_zone_(malloc|calloc|valloc|realloc|memalign|free)",
    // Go.
    r"runtime\..*",
    // Others.
    "BaseArena::.*|(::)?do_malloc(_no_errno|_pages)?|DoSampledAllocation|MallocedMemBlock::MallocedMemBlock|_M_allocate",
    "__builtin_(vec_)?(delete|new)|__gnu_cxx::new_allocator::allocate|__libc_malloc|__malloc_alloc_template::allocate",
    r"allocate|cpp_alloc|operator new(\[\])?|simple_alloc::allocate",
];

/// Go's runtime frames that stay where they are near the root.
const PPROF_KEEP: &[&str] = &[r"runtime\.panic|runtime\.reflectcall|runtime\.call[0-9]*"];

/// For jemalloc, on the whole name; macOS writes one more underscore in front.
const JEPROF: &[&str] = &[
    "_?(c|m|re|v|pv)alloc|_?c?free|_?(posix_)?memalign|_?aligned_alloc",
    r"_?(void\* )?newImpl",
    "_?[mrxd]allocx|_?sdallocx(_noflags)?",
    "_?tc_(calloc|cfree|malloc|free|memalign|posix_memalign|pvalloc|valloc|realloc)",
    "_?tc_(new|delete|newarray|deletearray|new_nothrow|newarray_nothrow)",
    "_?(::)?do_malloc|_?::do_malloc_or_cpp_alloc|_?DoSampledAllocation",
    "_?simple_alloc::allocate|_?__malloc_alloc_template::allocate",
    "_?__builtin_(vec_)?(delete|new)",
    r"_?operator new(\[\])?",
    "_?malloc_zone_(malloc|calloc|valloc|realloc|memalign|free)",
    "_?__(start|stop)_(google_malloc|malloc_hook)",
    ".*TCMalloc.*|tcmalloc::.*",
];

/// Regexps of the names that heap text drops and of exceptions.
pub(super) fn of_heap_text() -> (String, String) {
    (PPROF.join("|"), PPROF_KEEP.join("|"))
}

/// An expression for the whole names of the functions that jeprof takes for the allocator's.
pub fn of_jemalloc() -> String {
    JEPROF.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, names: &[&str]) -> Vec<bool> {
        let regex = regex::Regex::new(&format!("^(?:{pattern})$")).unwrap();
        names.iter().map(|n| regex.is_match(n)).collect()
    }

    #[test]
    fn whole_names_only() {
        let (drop, keep) = of_heap_text();
        let names = [
            "malloc",
            "xmalloc",
            "operator new[]",
            "tcmalloc::allocate_full",
            "runtime.mallocgc",
            "tc_newarray_nothrow",
            "::do_malloc_pages",
        ];
        assert_eq!(matches(&drop, &names), [true, false, true, true, true, true, true]);
        assert_eq!(matches(&keep, &["runtime.call32", "runtime.mallocgc"]), [true, false]);
    }

    #[test]
    fn jeprofs_names_with_and_without_underscore() {
        let names = [
            "realloc",
            "_malloc",
            "__malloc",
            "sdallocx_noflags",
            "void* newImpl",
            "posix_memalign",
            "my::TCMallocThing",
            "je_malloc",
            "::do_malloc",
        ];
        assert_eq!(matches(&of_jemalloc(), &names), [true, true, false, true, true, true, true, false, true]);
    }
}
