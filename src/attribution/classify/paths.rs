//! Evidence in paths of source files: package and version.

/// Origin of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// No path.
    Absent,
    /// Generated during the build; no evidence.
    Generated,
    /// Unknown folder: probably the program's own source tree.
    Plain,
    /// Folder named like a release, `name-1.2.3`: a package if the code has the same name.
    Versioned,
    /// Usual folder of package managers for third-party code.
    Packaged,
    /// The library that comes with rustc, or one of its dependencies.
    RustStd,
    /// A C++ standard library.
    CppStd,
    /// Headers of the C library and the system.
    System,
}

/// Evidence in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source<'a> {
    pub(super) origin: Origin,
    /// Name of the package as in the folder name; empty when unknown.
    pub(super) package: &'a str,
    /// Its version; empty when unknown.
    pub(super) version: &'a str,
}

/// Naming scheme of the folder after a mark.
#[derive(Clone, Copy)]
enum Naming {
    /// `name-1.2.3/…`
    NameVersion,
    /// `index.crates.io-6f17d22bba15001f/name-1.2.3/…`
    Registry,
    /// `name-0123456789abcdef/89abcde/…`: the repository and the commit.
    Checkout,
    /// `name/1.2.3/…`
    Folders,
    /// `name/…`, perhaps with a version behind a dash.
    Name,
    /// `name-src/…`
    NameSrc,
    /// No name in the path; this one.
    Fixed(&'static str),
}

/// A mark in a path, and what follows it.
struct Shape(&'static str, Naming, Origin);

/// Searched from the top; of repeated marks the last one counts. `/` in front of a
/// mark also means the beginning of the path.
#[rustfmt::skip] // A table.
const SHAPES: &[Shape] = &[
    // Rust.
    Shape("/rustlib/src/rust/vendor/",  Naming::NameVersion,        Origin::RustStd),
    Shape("/rustlib/src/rust/library/", Naming::Fixed("std"),       Origin::RustStd),
    Shape("/rust/deps/",                Naming::NameVersion,        Origin::RustStd),
    Shape("/rustc/",                    Naming::Fixed("std"),       Origin::RustStd),
    Shape("/registry/src/",             Naming::Registry,           Origin::Packaged),
    Shape("/git/checkouts/",            Naming::Checkout,           Origin::Packaged),
    Shape("/out/",                      Naming::Fixed(""),          Origin::Generated),
    // C++.
    Shape("/include/c++/v1/",           Naming::Fixed("libc++"),    Origin::CppStd),
    Shape("/libcxx/",                   Naming::Fixed("libc++"),    Origin::CppStd),
    Shape("/include/c++/",              Naming::Fixed("libstdc++"), Origin::CppStd),
    Shape("/libstdc++-v3/",             Naming::Fixed("libstdc++"), Origin::CppStd),
    Shape("/boost/",                    Naming::Fixed("boost"),     Origin::Packaged),
    // Package managers and build systems.
    Shape("/.conan/data/",              Naming::Folders,            Origin::Packaged),
    Shape("/vcpkg/buildtrees/",         Naming::Name,               Origin::Packaged),
    Shape("/_deps/",                    Naming::NameSrc,            Origin::Packaged),
    Shape("/subprojects/",              Naming::Name,               Origin::Packaged),
    Shape("/node_modules/",             Naming::Name,               Origin::Packaged),
    Shape("/third_party/",              Naming::Name,               Origin::Packaged),
    Shape("/third-party/",              Naming::Name,               Origin::Packaged),
    Shape("/thirdparty/",               Naming::Name,               Origin::Packaged),
    Shape("/3rdparty/",                 Naming::Name,               Origin::Packaged),
    Shape("/external/",                 Naming::Name,               Origin::Packaged),
    Shape("/vendor/",                   Naming::Name,               Origin::Packaged),
    // The system's headers.
    Shape("/usr/include/x86_64-linux-gnu/",  Naming::Fixed("libc"), Origin::System),
    Shape("/usr/include/aarch64-linux-gnu/", Naming::Fixed("libc"), Origin::System),
    Shape("/usr/include/bits/",         Naming::Fixed("libc"),      Origin::System),
    Shape("/usr/include/sys/",          Naming::Fixed("libc"),      Origin::System),
    Shape("/usr/include/",              Naming::Name,               Origin::Packaged),
    Shape("/usr/local/include/",        Naming::Name,               Origin::Packaged),
    Shape("/homebrew/include/",         Naming::Name,               Origin::Packaged),
];

/// Longer paths are ignored, bytes: no system has them.
const LONGEST_PATH: usize = 4096;

/// Longer folder names are ignored, bytes.
const LONGEST_FOLDER: usize = 200;

/// Returns the evidence in `path`. O(length + folders × shapes).
pub(super) fn source(path: &str) -> Source<'_> {
    let of = |origin, package, version| Source { origin, package, version };
    if path.is_empty() {
        return of(Origin::Absent, "", "");
    }
    if path.len() > LONGEST_PATH {
        return of(Origin::Plain, "", "");
    }
    let behind = rests_after_marks(path);
    for (Shape(_, naming, origin), rest) in SHAPES.iter().zip(behind) {
        let Some(rest) = rest else { continue };
        // `target/debug/build/name-0123456789abcdef/out/` only.
        if *origin == Origin::Generated && !path.contains("/build/") {
            continue;
        }
        if let Some((package, version)) = naming.read(rest) {
            return of(*origin, package, version);
        }
    }
    match path.split('/').rev().skip(1).find_map(name_version) {
        Some((package, version)) => of(Origin::Versioned, package, version),
        None => of(Origin::Plain, "", ""),
    }
}

/// The module of a Go source file and its version: `…/pkg/mod/example.org/a@v1.2.3/b/c.go`.
pub(super) fn go_module(path: &str) -> Option<(&str, &str)> {
    let at = path.find("@v")?;
    let end = path[at..].find('/').map_or(path.len(), |i| at + i);
    let module = path[..at].rsplit_once("/mod/").map_or(&path[..at], |(_, module)| module);
    Some((module, &path[at + 1..end]))
}

/// Shape → text after the last of its marks.
fn rests_after_marks(path: &str) -> [Option<&str>; SHAPES.len()] {
    let mut behind = [None; SHAPES.len()];
    let folders = path.bytes().enumerate().filter(|(_, b)| *b == b'/').map(|(at, _)| &path[at + 1..]);
    for rest in std::iter::once(path).chain(folders) {
        let first = rest.as_bytes().first();
        for (Shape(mark, ..), behind) in SHAPES.iter().zip(&mut behind) {
            let mark = &mark[1..];
            if first == mark.as_bytes().first()
                && let Some(rest) = rest.strip_prefix(mark)
            {
                *behind = Some(rest);
            }
        }
    }
    behind
}

impl Naming {
    /// Package and version; `None` when no folder follows that could name one.
    fn read(self, rest: &str) -> Option<(&str, &str)> {
        if let Naming::Fixed(name) = self {
            // `/rustc/1.88.0/library/…` is a release, `/rustc/<hash>/…` is not.
            let first = rest.split('/').next().unwrap_or_default();
            return Some((name, if name == "std" && is_version(first) { first } else { "" }));
        }
        let mut folders = rest.split('/');
        // The last part is a file, never a package.
        folders.next_back()?;
        let first = folders.next().filter(|f| !f.is_empty())?;
        match self {
            Naming::Fixed(_) => None,
            Naming::NameVersion => name_version(first),
            Naming::Registry => name_version(folders.next()?),
            Naming::Checkout => {
                let name = first.rsplit_once('-').filter(|(_, hash)| hash.len() == 16).map_or(first, |(name, _)| name);
                Some((name, folders.next()?))
            }
            Naming::Folders => Some((first, folders.next().filter(|v| is_version(v)).unwrap_or_default())),
            Naming::Name => Some(name_version(first).unwrap_or((first, ""))),
            Naming::NameSrc => Some((first.strip_suffix("-src")?, "")),
        }
    }
}

/// `serde_json-1.0.154` → its two parts. O(length).
fn name_version(folder: &str) -> Option<(&str, &str)> {
    if folder.len() > LONGEST_FOLDER {
        return None;
    }
    folder
        .match_indices('-')
        .map(|(at, _)| (&folder[..at], &folder[at + 1..]))
        .find(|(name, version)| !name.is_empty() && is_version(version))
}

/// `1.2.3`, `1.2.3-rc.1`, `0.11.0+8.1.1`: three numbers, then anything. Looks no further than what fits.
fn is_version(text: &str) -> bool {
    let number_length = |text: &'_ [u8]| text.iter().position(|b| !b.is_ascii_digit()).filter(|&digits| digits > 0 && text[digits] == b'.');
    let bytes = text.as_bytes();
    let Some(minor) = number_length(bytes).map(|dot| &bytes[dot + 1..]) else { return false };
    let Some(patch) = number_length(minor).map(|dot| &minor[dot + 1..]) else { return false };
    patch.first().is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        for (text, is) in [
            ("1.2.3", true),
            ("1.2.3-rc.1", true),
            ("0.11.0+8.1.1", true),
            ("1.2", false),
            ("1..3", false),
            ("v1.2.3", false),
            ("1.2.x", false),
            ("", false),
            ("1.2.", false),
            ("11", false),
        ] {
            assert_eq!(is_version(text), is, "{text}");
        }
    }

    #[test]
    fn the_last_mark_counts_and_the_path_may_begin_with_it() {
        assert_eq!(source("/vendor/a/vendor/b/x.c").package, "b");
        assert_eq!(source("vendor/a/x.c"), Source { origin: Origin::Packaged, package: "a", version: "" });
        assert_eq!(source("/src/myvendor/a/x.c").origin, Origin::Plain);
    }

    #[test]
    fn invalid_paths_have_no_owner() {
        let folder = format!("/{}-1.2.3", "a".repeat(LONGEST_FOLDER));
        assert_eq!(source(&format!("{folder}/x.rs")).origin, Origin::Plain);
        assert_eq!(source(&format!("/vendor/a/{}.c", "x".repeat(LONGEST_PATH))).origin, Origin::Plain);
        assert_eq!(source(&format!("/vendor/a/{}.c", "x".repeat(LONGEST_FOLDER))).origin, Origin::Packaged);
    }
}
