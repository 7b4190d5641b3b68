//! Source files of functions that several builds name the same: one build has whole paths, another what follows the folder of its
//! compilation, as interpreted recordings of heaptrack do.

use crate::base::hash::HashMap;
use crate::base::id::{FunctionId, StrId};
use crate::profile::Profile;

/// Most files of functions with one name: names such as that of a closure have files of all packages.
const MOST_FILES: usize = 8;

/// Function → the whole path of its file, for those with the end of the path of a function with the same name, if that is one only.
/// O(functions × files).
pub(super) fn whole_paths(profile: &Profile) -> HashMap<FunctionId, StrId> {
    let functions = &profile.code().functions;
    let mut files: HashMap<StrId, Vec<StrId>> = HashMap::default();
    for function in functions.iter().filter(|function| function.filename != StrId(0)) {
        let files = files.entry(function.name).or_default();
        if files.len() <= MOST_FILES && !files.contains(&function.filename) {
            files.push(function.filename);
        }
    }
    let whole = |function: FunctionId| {
        let function = functions[function];
        let files = files.get(&function.name).filter(|files| files.len() <= MOST_FILES)?;
        let end = profile.text(function.filename);
        let mut longer = files.iter().filter(|file| is_end(end, profile.text(**file)));
        longer.next().filter(|_| longer.next().is_none()).copied()
    };
    functions.ids().filter_map(|function| whole(function).map(|file| (function, file))).collect()
}

/// Returns whether `path` ends with the relative path `end`, and is longer.
fn is_end(end: &str, path: &str) -> bool {
    !end.is_empty() && !end.starts_with('/') && path.strip_suffix(end).is_some_and(|front| front.ends_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Function, ProfileBuilder};

    #[test]
    fn relative_paths_become_whole_where_that_is_certain() {
        let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let all = [
            ("a", "src/a.rs"),
            ("a", "/build/x/src/a.rs"),
            ("b", "src/b.rs"),
            ("b", "/x/src/b.rs"),
            ("b", "/y/src/b.rs"),
            ("c", "rc/a.rs"),
            ("c", "/build/src/a.rs"),
            ("d", ""),
            ("d", "/build/d.rs"),
            ("e", "src/a.rs"),
        ];
        for (name, file) in all {
            let (name, filename) = (builder.string(name), builder.string(file));
            builder.function(Function { name, filename, ..Function::default() });
        }
        let profile = builder.build();
        let found: Vec<_> = whole_paths(&profile)
            .into_iter()
            .map(|(id, file)| (profile.text(profile.code().functions[id].name), profile.text(file)))
            .collect();
        assert_eq!(found, [("a", "/build/x/src/a.rs")]);
    }
}
