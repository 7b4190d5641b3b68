//! Several binaries on one command line: each belongs to the profiles after it, up to the next binary. Shared libraries, and
//! binaries directly after the program, are files that the program loaded.
//!
//! ```text
//! heapview diff old/forest old.heap new/forest new.heap
//! heapview server libplugin.so server.heap
//! ```
//!
//! Both programs may have run from the same path, so that the profiles alone do not distinguish them. Each profile's main mapping
//! therefore gets the path of its binary before profiles are merged.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::inputs::{self, Input};
use crate::base::id::{Id, MappingId};
use crate::profile::Profile;
use crate::symbolize;

/// The binaries, when there are several.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    programs: Vec<Program>,
    libraries: Vec<PathBuf>,
}

/// Separates loaded libraries from the binaries: shared libraries after the first binary, and other binaries directly after
/// another one, unless two dumps are compared or it is another build of the same name.
fn take_libraries(inputs: &[Input], is_binary: &mut [bool], is_compared: bool) -> Vec<PathBuf> {
    let binaries: Vec<usize> = (0..inputs.len()).filter(|&i| is_binary[i]).collect();
    // A library in first place is the program to analyse.
    let Some((&first, further)) = binaries.split_first().filter(|(first, _)| !is_shared_library(&inputs[**first].path)) else {
        return Vec::new();
    };
    let mut libraries: Vec<usize> = Vec::new();
    for &i in further {
        let is_behind_another = i > first && binaries.contains(&(i - 1));
        let has_name_of_its_own = binaries.iter().all(|&other| other == i || inputs[other].path.file_name() != inputs[i].path.file_name());
        if is_shared_library(&inputs[i].path) || (is_behind_another && has_name_of_its_own && !is_compared) {
            libraries.push(i);
            is_binary[i] = false;
        }
    }
    libraries.into_iter().map(|i| inputs[i].path.clone()).collect()
}

/// Returns whether a file's name is that of a shared library: `libx.so`, `libx.so.1.2`, `x.dylib`.
fn is_shared_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".so", ".dylib", ".dll"].iter().any(|ending| name.ends_with(ending)) || name.contains(".so.")
}

#[derive(Debug)]
struct Program {
    path: PathBuf,
    /// Empty when it has none.
    build_id: String,
}

impl Builds {
    /// Assigns a binary to each input. Profiles before the first binary belong to it; so do bases, unless a binary before one is
    /// followed by no other profile. `is_compared`: two dumps are compared, each maybe with its own binary. O(inputs).
    pub(crate) fn assign(inputs: &mut [Input], is_compared: bool) -> Result<Builds> {
        let mut is_binary: Vec<bool> = inputs.iter().map(|i| !i.is_base && !i.is_found && inputs::is_binary(&i.path)).collect();
        let has_base = inputs.iter().any(|input| input.is_base);
        let libraries = take_libraries(inputs, &mut is_binary, is_compared || has_base);
        // Binary → whether a profile belongs to it.
        let mut given: Vec<(PathBuf, bool)> =
            inputs.iter().zip(&is_binary).filter(|(_, is)| **is).map(|(input, _)| (input.path.clone(), false)).collect();
        if given.len() < 2 {
            return Ok(Builds { libraries, ..Builds::default() });
        }
        let mut n_seen: usize = 0;
        for (input, is_binary) in inputs.iter_mut().zip(&is_binary).filter(|(input, _)| !input.is_base) {
            if *is_binary {
                n_seen += 1;
            } else if !libraries.contains(&input.path) {
                let (path, has_profile) = &mut given[n_seen.saturating_sub(1)];
                *has_profile = true;
                input.program = Some(path.clone());
            }
        }
        let mut idle = given.iter().filter(|(_, has_profile)| !has_profile).map(|(path, _)| path);
        let of_base = match (idle.next(), idle.next()) {
            (None, _) => given[0].0.clone(),
            (Some(only), None) if has_base => only.clone(),
            (Some(lonely), _) => bail!(
                "{} binaries are given, but no profile follows {}; put each binary before its profiles: heapview diff <binary> <before> <binary> <after>",
                given.len(),
                lonely.display()
            ),
        };
        inputs.iter_mut().filter(|input| input.is_base).for_each(|input| input.program = Some(of_base.clone()));
        let mut programs: Vec<Program> = Vec::new();
        for (path, _) in given {
            if !programs.iter().any(|known| known.path == path) {
                // Unreadable ones are reported during symbolization.
                let build_id = symbolize::build_id(&path).unwrap_or_default();
                programs.push(Program { path, build_id });
            }
        }
        Ok(Builds { programs, libraries })
    }

    /// Returns whether there is more than one binary.
    pub(crate) fn is_several(&self) -> bool {
        !self.programs.is_empty()
    }

    /// Returns whether this is one of the binaries.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.programs.iter().any(|program| program.path == path) || self.libraries.iter().any(|library| library == path)
    }

    /// Paths of the programs, then of the libraries.
    pub(crate) fn paths(self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        (self.programs.into_iter().map(|program| program.path).collect(), self.libraries)
    }

    /// Warnings about libraries that no mapping came from. O(libraries × mappings).
    pub(crate) fn unused_libraries(&self, profile: &Profile) -> Vec<String> {
        let mappings = &profile.code().mappings;
        let is_used = |library: &&PathBuf| {
            let build_id = symbolize::build_id(library).unwrap_or_default();
            mappings.iter().any(|mapping| {
                let file = profile.text(mapping.file);
                let file = Path::new(file.strip_suffix(" (deleted)").unwrap_or(file));
                file.file_name() == library.file_name() || (!build_id.is_empty() && profile.text(mapping.build_id) == build_id)
            })
        };
        let unused = self.libraries.iter().filter(|library| !is_used(library));
        unused
            .map(|library| format!("{} is not used: no mapping in the profile has its file name or build id", library.display()))
            .collect()
    }

    /// Renames the main mapping of `profile` to the path of its binary. Returns warnings. O(mappings).
    pub(crate) fn name_program(&self, profile: &mut Profile, input: &Input) -> Option<String> {
        let given = input.program.as_deref().filter(|_| self.is_several())?;
        profile.map_all();
        let mappings = &profile.code().mappings;
        let main = mappings.get(MappingId::new(0))?;
        let (file, build_id) = (profile.text(main.file).to_owned(), profile.text(main.build_id));
        // A base is separated from its binary.
        let with_build_id = self.programs.iter().find(|p| input.is_base && !build_id.is_empty() && p.build_id == build_id);
        let path = with_build_id.map_or(given, |program| &program.path);
        // Some writers have a mapping for each segment.
        let parts = mappings.enumerate().filter(|(_, m)| m.file == main.file && m.build_id == main.build_id);
        let names: Vec<(MappingId, String)> = parts.map(|(id, _)| (id, path.to_string_lossy().into_owned())).collect();
        let has_build_id = !build_id.is_empty() && self.programs.iter().any(|p| p.path == path && p.build_id == build_id);
        profile.rename_mappings(&names);
        let [ran, read] = [Path::new(&file), path].map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let ran = ran.strip_suffix(" (deleted)").unwrap_or(&ran);
        (!ran.is_empty() && ran != read && !has_build_id).then(|| {
            format!("the profile belongs to {ran}; its names are taken from {read}, as requested, and are wrong if that is another program")
        })
    }
}
