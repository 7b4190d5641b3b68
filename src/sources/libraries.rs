//! Source directories found without configuration: Cargo's registry, the Rust standard library of the toolchain that built the
//! program, Go modules, system headers.
//!
//! Only the part of a profile's path after a well-known directory (`registry/src/INDEX/`, `/rustc/HASH/`) is used; it is looked
//! up in this machine's own directory. The file found must be inside that directory, after following links.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Path of the standard library's sources in a Rust toolchain.
pub(super) const RUST_SRC: &str = "lib/rustlib/src/rust";

/// rustup's list of what a toolchain is made of, longest that is read: bytes.
const LONGEST_MANIFEST: u64 = 8 << 20;

/// Longest path that is looked for, bytes.
const LONGEST_PATH: usize = 4096;

/// Limit on toolchains and on registry directories.
const MOST_FOLDERS: usize = 64;

/// The folders of this machine that hold such sources; those that do not exist hold none.
#[derive(Debug, Default)]
pub struct Libraries {
    /// Cargo's home, with `registry/src` and `git/checkouts`.
    pub cargo: Option<PathBuf>,
    /// rustup's home, with `toolchains`.
    pub rustup: Option<PathBuf>,
    /// Go's module cache.
    pub go_modules: Option<PathBuf>,
    /// Directories used at their recorded path, such as `/usr/include`.
    pub fixed: Vec<PathBuf>,
    /// Looked up when first needed.
    pub toolchains: OnceLock<Vec<Toolchain>>,
}

/// A Rust toolchain.
#[derive(Debug)]
pub struct Toolchain {
    /// As rustup calls it.
    name: String,
    /// Its sources; they need not be there.
    sources: PathBuf,
    /// `1.95.0 (59807616e 2026-04-14)`; empty if unknown.
    version: String,
}

/// Candidate path of a file inside `root`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LibraryPath {
    pub(super) root: PathBuf,
    pub(super) path: PathBuf,
}

/// Owner of a source path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner<'a> {
    /// Rust's standard library: version of the compiler, and a path below its sources.
    Rust { hash: &'a str, inside: &'a str },
    /// A package of a registry: `serde-1.0.1/src/lib.rs`.
    Crate(&'a str),
    /// A repository that Cargo fetched: `name-0123/abcdef/src/lib.rs`.
    Git(&'a str),
    /// A module of Go: `github.com/x/y@v1.2.3/z.go`.
    Go(&'a str),
    /// None that is known.
    Other,
}

impl<'a> Owner<'a> {
    pub(super) fn of(file: &'a str) -> Self {
        // Paths with `..` or without a known system's syntax are ignored.
        if file.len() > LONGEST_PATH || file.split('/').any(|part| part == "..") {
            return Owner::Other;
        }
        if let Some((hash, inside)) = file.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/')) {
            return Owner::Rust { hash, inside };
        }
        let behind = |folder: &str| file.rsplit_once(folder).map(|(_, rest)| rest);
        // The registry directory has a subdirectory per index.
        if let Some((_, inside)) = behind("/registry/src/").and_then(|rest| rest.split_once('/')) {
            return Owner::Crate(inside);
        }
        if let Some(inside) = file.strip_prefix("/rust/deps/").filter(|rest| is_versioned(rest)) {
            return Owner::Crate(inside);
        }
        if let Some(inside) = behind("/git/checkouts/") {
            return Owner::Git(inside);
        }
        if let Some(inside) = behind("/pkg/mod/") {
            return Owner::Go(inside);
        }
        if file.starts_with('/') {
            return Owner::Other;
        }
        // Trimmed by the compiler, or up to the registry's folder `src`.
        let whole_and_below = [Some(file), file.split_once('/').map(|(_, rest)| rest)];
        if let Some(inside) = whole_and_below.into_iter().flatten().find(|rest| is_versioned(rest)) {
            return Owner::Crate(inside);
        }
        if file.split('/').any(|part| part.contains("@v")) { Owner::Go(file) } else { Owner::Other }
    }
}

impl Libraries {
    /// Candidate paths of `file`, likeliest first.
    pub(super) fn places(&self, file: &str) -> Vec<LibraryPath> {
        let at = |root: PathBuf, inside: &str| LibraryPath { path: root.join(inside), root };
        let exact = self.fixed.iter().filter(|root| Path::new(file).starts_with(root));
        let mut places: Vec<LibraryPath> = exact.map(|root| LibraryPath { root: root.clone(), path: file.into() }).collect();
        match Owner::of(file) {
            Owner::Rust { hash, inside } => {
                places.extend(self.toolchains().iter().filter(|t| t.is_of(hash)).map(|t| at(t.sources.clone(), inside)));
            }
            Owner::Crate(inside) => places.extend(self.registries().into_iter().map(|root| at(root, inside))),
            Owner::Git(inside) => places.extend(self.cargo.iter().map(|cargo| at(cargo.join("git/checkouts"), inside))),
            Owner::Go(inside) => {
                let escaped_path = escaped(inside);
                let candidates = [Some(inside), (escaped_path != inside).then_some(&*escaped_path)];
                let root = self.go_modules.iter();
                places.extend(root.flat_map(|root| candidates.into_iter().flatten().map(|inside| at(root.clone(), inside))));
            }
            // rustc names its own library so where it is beside it.
            Owner::Other if file.contains(RUST_SRC) => {
                places.extend(self.toolchains().iter().map(|t| LibraryPath { root: t.sources.clone(), path: file.into() }));
            }
            Owner::Other => {}
        }
        places
    }

    /// Advice for a missing `file`: a sentence, or empty.
    pub(super) fn advice(&self, file: &str) -> Option<String> {
        Some(match Owner::of(file) {
            Owner::Rust { hash, .. } => match self.toolchains().iter().find(|t| t.is_of(hash)) {
                Some(toolchain) => format!("rustup component add rust-src --toolchain {}", toolchain.name),
                None => {
                    let short: String = hash.chars().take(9).collect();
                    format!(
                        "no toolchain here is rustc {short}: install the one that built the program with rust-src, or show another \
                         version's sources with -source_path=.:$(rustc --print sysroot)/{RUST_SRC}"
                    )
                }
            },
            Owner::Crate(_) | Owner::Git(_) => "run cargo fetch in the program's source directory".into(),
            Owner::Go(_) => "run go mod download in the program's source directory".into(),
            Owner::Other => return None,
        })
    }

    /// Folders of unpacked packages, one for each registry.
    fn registries(&self) -> Vec<PathBuf> {
        self.cargo.as_ref().map_or(Vec::new(), |cargo| folders(&cargo.join("registry/src")))
    }

    fn toolchains(&self) -> &[Toolchain] {
        self.toolchains.get_or_init(|| {
            let all = self.rustup.as_ref().map_or(Vec::new(), |rustup| folders(&rustup.join("toolchains")));
            let mut toolchains: Vec<Toolchain> = all.iter().map(|folder| Toolchain::at(folder)).collect();
            // One toolchain may have several names: the one with sources first, then the first.
            toolchains.sort_by_key(|t| !t.sources.is_dir());
            toolchains
        })
    }
}

impl Toolchain {
    fn at(folder: &Path) -> Self {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = folder.join("lib/rustlib/multirust-channel-manifest.toml");
        Toolchain { name, sources: folder.join(RUST_SRC), version: version(&manifest).unwrap_or_default() }
    }

    /// Returns whether it can be the compiler with this commit, or this number where a distribution
    /// has put that in its place.
    fn is_of(&self, hash: &str) -> bool {
        let Some((number, commit)) = self.version.split_once(" (") else { return false };
        let commit = commit.split([' ', ')']).next().unwrap_or_default();
        number == hash || commit.len() >= 7 && hash.starts_with(commit)
    }
}

/// The compiler's version in rustup's manifest of a toolchain.
fn version(manifest: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(manifest).ok()?.take(LONGEST_MANIFEST).read_to_string(&mut text).ok()?;
    let (_, section) = text.split_once("[pkg.rustc]\n").or_else(|| text.split_once("[pkg.rust]\n"))?;
    let line = section.lines().take_while(|line| !line.starts_with('[')).find_map(|line| line.strip_prefix("version = \""))?;
    Some(line.trim_end_matches('"').to_owned())
}

/// The folders in a folder, by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).filter(|path| path.is_dir()).take(MOST_FOLDERS).collect();
    folders.sort();
    folders
}

/// Returns whether a path begins with a package and its version: `serde-1.0.1/`. O(length).
fn is_versioned(path: &str) -> bool {
    let Some((package, _)) = path.split_once('/') else { return false };
    // A dash, a digit, then two dots anywhere.
    let Some((dot, _)) = package.rmatch_indices('.').nth(1) else { return false };
    package.as_bytes()[..dot].windows(2).any(|pair| pair[0] == b'-' && pair[1].is_ascii_digit())
}

/// Path in Go's module cache, which escapes capitals for case-insensitive file systems: the module and its version, not the files
/// in it.
fn escaped(path: &str) -> String {
    let at = path.find('@').unwrap_or(0);
    let end = path[at..].find('/').map_or(path.len(), |n| at + n);
    let (module, inside) = path.split_at(end);
    let module = module.chars().flat_map(|c| [c.is_ascii_uppercase().then_some('!'), Some(c.to_ascii_lowercase())]);
    module.flatten().chain(inside.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_found_from_paths() {
        for (file, owner) in [
            ("/rustc/0123abcd/library/core/src/cell.rs", Owner::Rust { hash: "0123abcd", inside: "library/core/src/cell.rs" }),
            ("/home/x/.cargo/registry/src/index.crates.io-6f17/serde-1.0.1/src/lib.rs", Owner::Crate("serde-1.0.1/src/lib.rs")),
            ("/rust/deps/hashbrown-0.15.2/src/raw/mod.rs", Owner::Crate("hashbrown-0.15.2/src/raw/mod.rs")),
            ("tokio-util-0.7.1-rc.1/src/lib.rs", Owner::Crate("tokio-util-0.7.1-rc.1/src/lib.rs")),
            ("/c/git/checkouts/ledger-0a1b/3c4d5e6/src/lib.rs", Owner::Git("ledger-0a1b/3c4d5e6/src/lib.rs")),
            ("/root/go/pkg/mod/github.com/!azure/x@v1.2.3/y.go", Owner::Go("github.com/!azure/x@v1.2.3/y.go")),
            ("github.com/Azure/x@v1.2.3/y.go", Owner::Go("github.com/Azure/x@v1.2.3/y.go")),
            ("src/main.rs", Owner::Other),
            ("my-crate/src/main.rs", Owner::Other),
            ("/x/registry/src/i/serde-1.0.1/../../../../secret", Owner::Other),
        ] {
            assert_eq!(Owner::of(file), owner, "{file}");
        }
        assert_eq!(escaped("github.com/Azure/x@v1.0.0/Y.go"), "github.com/!azure/x@v1.0.0/Y.go");
    }

    #[test]
    fn toolchains_are_identified_by_commit_and_version() {
        let of = |version: &str| Toolchain { name: String::new(), sources: PathBuf::new(), version: version.into() };
        assert!(of("1.95.0 (59807616e 2026-04-14)").is_of("59807616e1fa2540724bfbac14d7976d7e4a3860"));
        assert!(of("1.95.0 (59807616e 2026-04-14)").is_of("1.95.0"));
        assert!(!of("1.95.0 (59807616e 2026-04-14)").is_of("59807616f1fa2540724bfbac14d7976d7e4a3860"));
        assert!(!of("").is_of(""));
        assert!(!of("1.95.0 ()").is_of("5980"));
    }
}
