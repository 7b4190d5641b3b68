//! Candidate paths on this machine for a path recorded elsewhere.
//!
//! Paths come from profiles and debug information: they are remapped and put below directories that the user named, and cannot
//! lead out of these.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::symbolize::options::Options;

/// Links that lead to each other end here, as in the kernel.
const MAX_LINKS: usize = 40;

/// The places of a file that was recorded as `path`, likeliest first; the path itself is
/// the last.
pub(crate) fn of_recorded(options: &Options, path: &Path) -> Vec<PathBuf> {
    let remapped: Vec<PathBuf> = remapped(options, path).collect();
    let mut places = remapped.clone();
    if let Some(root) = &options.sysroot {
        places.extend(remapped.iter().map(PathBuf::as_path).chain([path]).filter_map(|path| below(root, path)));
    }
    places.push(path.to_path_buf());
    let mut known = Vec::new();
    places.retain(|place| {
        !known.contains(place) && {
            known.push(place.clone());
            true
        }
    });
    places
}

/// `path` with each beginning that fits replaced, unless what follows leads out of there.
fn remapped(options: &Options, path: &Path) -> impl Iterator<Item = PathBuf> {
    options.remap.iter().filter_map(|(from, to)| {
        let rest = path.strip_prefix(from).ok().filter(|rest| stays_inside(rest))?;
        Some(if rest.as_os_str().is_empty() { to.clone() } else { to.join(rest) })
    })
}

/// Returns whether no part of `path` is above the folder that it begins in.
fn stays_inside(path: &Path) -> bool {
    let depth = path.components().try_fold(0usize, |depth, part| match part {
        Component::ParentDir => depth.checked_sub(1),
        Component::Normal(_) => Some(depth + 1),
        _ => Some(depth),
    });
    depth.is_some()
}

/// Resolves `path` with `root` as `/`: links are followed inside of it. `None` for link loops. Missing components are appended
/// unresolved.
pub(crate) fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let names = |path: &Path| -> Vec<OsString> {
        path.components()
            .filter_map(|part| match part {
                Component::Normal(name) => Some(name.to_owned()),
                Component::ParentDir => Some("..".into()),
                _ => None,
            })
            .collect()
    };
    let mut todo: VecDeque<OsString> = names(path).into();
    let mut inside = PathBuf::new();
    let mut n_links = 0;
    while let Some(name) = todo.pop_front() {
        if name == ".." {
            inside.pop();
            continue;
        }
        let next = inside.join(name);
        let Ok(link) = std::fs::read_link(root.join(&next)) else {
            inside = next;
            continue;
        };
        n_links += 1;
        if n_links > MAX_LINKS {
            return None;
        }
        if link.has_root() {
            inside = PathBuf::new();
        }
        names(&link).into_iter().rev().for_each(|name| todo.push_front(name));
    }
    Some(root.join(inside))
}

/// `path` without its root, and without ways out of the folder it is put in.
pub(in crate::symbolize) fn without_root(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// The folder under both of its names where `/lib` became a link to `/usr/lib`, and so for
/// programs: packages name their files by either.
pub(crate) fn merged_usr(folder: &Path) -> Vec<PathBuf> {
    const MOVED: [&str; 7] = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec"];
    let is_moved = |rest: &Path| rest.components().next().is_some_and(|first| MOVED.iter().any(|moved| first.as_os_str() == *moved));
    let mut folders = vec![folder.to_path_buf()];
    match (folder.strip_prefix("/usr"), folder.strip_prefix("/")) {
        (Ok(rest), _) if is_moved(rest) => folders.push(Path::new("/").join(rest)),
        (Err(_), Ok(rest)) if is_moved(rest) => folders.push(Path::new("/usr").join(rest)),
        _ => {}
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_replaced_by_whole_components() {
        let remap = vec![("/build/job".into(), "/home/me".into()), ("/build".into(), "/b".into())];
        let options = Options { remap, ..Options::default() };
        let of = |path: &str| of_recorded(&options, Path::new(path));
        assert_eq!(of("/build/job/a"), ["/home/me/a", "/b/job/a", "/build/job/a"].map(PathBuf::from));
        assert_eq!(of("/build/jobs/a"), ["/b/jobs/a", "/build/jobs/a"].map(PathBuf::from));
        assert_eq!(of("/other"), [PathBuf::from("/other")]);
        assert_eq!(of("/build/a/../b"), ["/b/a/../b", "/build/a/../b"].map(PathBuf::from));
        assert_eq!(of("/build/a/../../b"), [PathBuf::from("/build/a/../../b")]);
    }

    #[test]
    fn folders_of_a_merged_usr_have_two_names() {
        assert_eq!(merged_usr(Path::new("/usr/lib/x")), ["/usr/lib/x", "/lib/x"].map(PathBuf::from));
        assert_eq!(merged_usr(Path::new("/bin")), ["/bin", "/usr/bin"].map(PathBuf::from));
        assert_eq!(merged_usr(Path::new("/usr/local/lib")), [PathBuf::from("/usr/local/lib")]);
        assert_eq!(merged_usr(Path::new("/opt/x")), [PathBuf::from("/opt/x")]);
    }

    #[cfg(unix)]
    #[test]
    fn paths_stay_inside_the_root() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir_all(root.join("usr/lib")).unwrap();
        symlink("usr/lib", root.join("lib")).unwrap();
        symlink("/usr/lib/real.so", root.join("usr/lib/absolute.so")).unwrap();
        symlink("../../../../../out", root.join("usr/lib/out.so")).unwrap();
        symlink("circle", root.join("circle")).unwrap();
        let leads = |path: &str| below(&root, Path::new(path));
        assert_eq!(leads("/lib/a.so"), Some(root.join("usr/lib/a.so")));
        assert_eq!(leads("/lib/absolute.so"), Some(root.join("usr/lib/real.so")));
        assert_eq!(leads("/lib/out.so"), Some(root.join("out")));
        assert_eq!(leads("/../../etc/passwd"), Some(root.join("etc/passwd")));
        assert_eq!(leads("/circle/a"), None);
    }
}
