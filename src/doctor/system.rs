//! Files of the system.

use crate::base::plain::base_name;
use crate::profile::is_allocator_library;

/// Returns whether the file at `path` belongs to the system or an allocator, where missing names are normal.
pub fn is_of_system(path: &str) -> bool {
    const RUN_TIME: [&str; 15] = [
        "ld-",
        "ld.",
        "libc-",
        "libc.",
        "libm-",
        "libm.",
        "libpthread",
        "librt",
        "libdl",
        "libstdc++",
        "libgcc_s",
        "libresolv",
        "libnss",
        "libSystem",
        "libunwind",
    ];
    let base = base_name(path);
    let in_system = ["/lib", "/usr/lib", "/System/", "/nix/store/"].iter().any(|folder| path.starts_with(folder));
    in_system || is_allocator_library(path) || RUN_TIME.iter().any(|start| base.starts_with(start))
}
