//! Directories of package and standard library sources on this machine.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::Libraries;

/// The folders that Cargo, rustup, Go and the system use, by their own variables.
pub(crate) fn libraries(home: Option<&Path>) -> Libraries {
    let env_path = |name| env::var_os(name).filter(|v: &OsString| !v.is_empty()).map(PathBuf::from);
    let at_home = |folder: &str| home.map(|home| home.join(folder));
    let go_path = || env_path("GOPATH").and_then(|list| Some(env::split_paths(&list).next()?.join("pkg/mod")));
    let fixed = ["/usr/include", "/usr/lib/gcc", "/usr/local/go/src", "/usr/lib/go/src"].map(PathBuf::from);
    Libraries {
        cargo: env_path("CARGO_HOME").or_else(|| at_home(".cargo")),
        rustup: env_path("RUSTUP_HOME").or_else(|| at_home(".rustup")),
        go_modules: env_path("GOMODCACHE").or_else(go_path).or_else(|| at_home("go/pkg/mod")),
        fixed: fixed
            .into_iter()
            .chain(env_path("GOROOT").map(|root| root.join("src")))
            // As Debian packs them.
            .chain(named("/usr/src", "rustc-"))
            .chain(named("/usr/lib", "go-").into_iter().map(|root| root.join("src")))
            .collect(),
        ..Libraries::default()
    }
}

/// Subdirectories with this name prefix.
fn named(folder: &str, beginning: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(beginning));
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_named).collect();
    found.sort();
    found
}
